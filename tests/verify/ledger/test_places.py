"""Every check says where it is written, as file::name, and both are there."""

import ast
from functools import cache
from pathlib import Path

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.cli import main
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.answers import argued, printed, query, unsettled
from stirred.verify.ledger.book import claims, place
from stirred.verify.ledger.claim import Check
from stirred.verify.ledger.quantifiers import cases, every
from stirred.verify.ledger.theorems import theorems

ROOT = Path(__file__).parents[3]


def names_in(body: list[ast.stmt], prefix: str = "") -> set[str]:
    """The functions and classes of a module by their qualified names, and the ids of the claims that it states."""
    found = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            inner = f"{prefix}{node.name}."
            found |= {inner[:-1]} | names_in(
                node.body, inner if isinstance(node, ast.ClassDef) else f"{inner}<locals>."
            )
        if isinstance(node, ast.Expr) and ast.unparse(node).startswith("state("):
            found.add(node.value.args[0].value)
    return found


@cache
def names(file: str) -> set[str]:
    path = ROOT / file
    if not path.is_file():
        return set()
    match path.suffix:
        case ".py":
            return names_in(ast.parse(path.read_text(encoding="utf-8")).body)
        case ".smt2":
            return {path.stem}
    return set(theorems()) if file == "proofs/statements.txt" else set()


def resolves(where: str) -> bool:
    file, _, named = where.partition("::")
    return all(name in names(file) for name in named.split(", "))


def test_every_place_of_every_claim_is_there():
    places = {(one.id, place(one.id, check)) for one in claims() for check in one.checks}
    assert len(places) > 500
    assert {(claim_id, where) for claim_id, where in places if not resolves(where)} == set()


@pytest.mark.parametrize(
    "where",
    [
        "a proof in words",
        "verify/ledger/run.py",
        "verify/ledger/run.py::walk",
        "verify/ledger/walk.py::run",
        "proofs/statements.txt::no.theorem",
        "verify/engines/queries/none.smt2::none",
    ],
)
def test_a_place_that_is_not_there_is_found(where):
    assert not resolves(where)


SMALL = cases("0 <= n < 3", "n")(lambda: range(3))


@pytest.mark.parametrize(
    "check", [argued("s", proof="words"), unsettled("no reason"), printed([], "s"), every(SMALL, "n < 3")]
)
def test_what_a_claim_says_itself_is_at_its_entry(check):
    where = "verify/claims/swapping/derangements.py::derangements.recurrence"
    assert place("derangements.recurrence", check) == where
    assert resolves(where)
    with pytest.raises(InputError, match=r"no claim has the id 'no\.claim'"):
        place("no.claim", check)


def test_an_expression_is_kept_beside_its_place():
    assert every(SMALL, "n  <\n 3").expression == "n < 3"
    assert query("q", "s").expression == ""
    assert place("no.claim", Check(lambda: Evidence(Verdict.OPEN, "s"), "a.py::b")) == "a.py::b"


def test_verify_says_where_each_piece_of_evidence_is_written(capsys):
    assert main(["verify", "derangements.recurrence.two-terms"]) == 0
    entry = "verify/claims/swapping/derangements.py::derangements.recurrence.two-terms"
    assert capsys.readouterr().out.splitlines()[1:3] == [
        "    PROVED by proofs/statements.txt::derangement.derSS",
        f"    EXHAUSTED by {entry}: derangements(k) == (k - 1)*(derangements(k - 1) + derangements(k - 2))",
    ]
