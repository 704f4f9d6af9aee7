"""Every check says where it is written, as file::name, and both are there.

What is kept of the source documents is well formed, and says of every sentence how it is accounted for.
"""

import ast
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.cli.main import main
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.theorems import theorems
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import claim, claim_ids, claims, entry, place
from stirred.verify.ledger.claim import Check, Statement
from stirred.verify.ledger.documents import (
    DOCUMENTS,
    KeptDocument,
    SameKind,
    SentenceRun,
    documents,
    formatted,
    is_section,
    kept,
    kept_path,
    place_key,
    places_of,
    section_of,
    shares,
)
from stirred.verify.ledger.quantifiers import cases, every
from stirred.verify.ledger.statement import argued, printed, query, unsettled

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
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            found.add(node.targets[0].id)
        if isinstance(node, ast.Expr) and ast.unparse(node).startswith(("state(", "own(")):
            found.add(node.value.func.args[0].value)
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
    return set(theorems()) if file == "proofs/Statements.v" else set()


def resolves(where: str) -> bool:
    file, _, named = where.partition("::")
    titles = [name.rpartition(".")[2] if file.endswith(".v") else name for name in named.split(", ")]
    return all(name in names(file) for name in titles)


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
        "proofs/Statements.v::no.theorem",
        "verify/engines/queries/none.smt2::none",
    ],
)
def test_a_place_that_is_not_there_is_found(where):
    assert not resolves(where)


SMALL = cases("0 <= n < 3", "n")(lambda: range(3))


@pytest.mark.parametrize(
    "check", [argued("s", proof="words"), unsettled("no reason"), printed([], "s"), every(SMALL, lambda n: n < 3)]
)
def test_what_a_claim_says_itself_is_at_its_entry(check):
    where = "verify/ledger/claims/swapping/permutations.py::derangements.recurrence"
    assert place("derangements.recurrence", check) == where
    assert resolves(where)
    with pytest.raises(InputError, match=r"no claim has the id 'no\.claim'"):
        place("no.claim", check)


def test_an_expression_is_kept_beside_its_place():
    assert every(SMALL, lambda n: n < 3).expression == "n < 3"
    assert query("q", "s").expression == ""
    assert place("no.claim", Check(lambda: Evidence(Verdict.OPEN, "s"), "a.py::b")) == "a.py::b"


def test_verify_says_where_each_piece_of_evidence_is_written(capsys):
    assert main(["verify", "derangements.recurrence.two-terms"]) == 0
    entry = "verify/ledger/claims/swapping/permutations.py::derangements.recurrence.two-terms"
    assert capsys.readouterr().out.splitlines()[1:3] == [
        "    PROVED by proofs/Statements.v::derangement.derSS",
        f"    EXHAUSTED by {entry}: derangements(k) == (k - 1) * (derangements(k - 1) + derangements(k - 2))",
    ]


def test_an_entry_is_the_line_at_which_a_claim_is_stated():
    for claim_id in claim_ids():
        lines = (ROOT / entry(claim_id).file).read_text(encoding="utf-8").splitlines()[entry(claim_id).line - 1 :]
        assert lines[0].startswith(("state(", "own("))
        assert f'"{claim_id}"' in "".join(lines[:2])
    with pytest.raises(InputError, match=r"no claim has the id 'no\.claim'"):
        entry("no.claim")


def test_a_theorem_has_the_line_of_its_name():
    lines = (ROOT / "proofs" / "Statements.v").read_text(encoding="utf-8").splitlines()
    assert all(lines[one.line - 1].startswith(f"Theorem {name} ") for name, one in theorems().items())


def test_reports_point_to_the_claim_and_to_its_theorem(capsys):
    name = "derangements.recurrence.two-terms"
    at = f"{entry(name).file}, line {entry(name).line}"
    assert main(["verify", name, "--format", "html"]) == 0
    page = capsys.readouterr().out
    line = theorems()["derSS"].line
    assert f"; {at}; proofs/Statements.v, line {line}</p>" in page
    assert claims([name])[0].statement.replace(">", "&gt;") in page
    assert main(["verify", name, "--format", "sarif"]) == 0


def test_a_refuted_claim_is_annotated_at_its_own_line(capsys):
    name = "psa.table-5.invariants.printed"
    assert main(["verify", name, "--format", "github"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"::error file={entry(name).file},line={entry(name).line},title=FAIL {name}::")
    assert entry(name).line > 1
    assert main(["verify", name, "--format", "sarif"]) == 1
    assert f'"startLine": {entry(name).line}' in capsys.readouterr().out


def test_on_a_terminal_a_claim_goes_by_its_id(capsys):
    for chosen in (["derangements.recurrence"], ["derangements.recurrence.two-terms"]):
        assert main(["verify", *chosen, "--color", "always"]) == 0
        shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
        for line in shown.splitlines():
            if line.startswith("PASS"):
                assert line.split()[2] in claim_ids()


ONE = KeptDocument(
    "a.txt",
    (("section 1", "3.1"), ("section 2", "9.1")),
    (
        SentenceRun("1.1", "2.1", "0" * 8, (SameKind("layout", 3),)),
        SentenceRun("3.1", "7.2", "1" * 8, (SameKind("open", 1), SameKind("quoted", 1), SameKind("open", 2))),
        SentenceRun("9.1", "9.1", "2" * 8, (SameKind("claimed", 1, ("a.claim", "b.claim")),)),
        SentenceRun("9.1", "9.1", "-", (SameKind("opinion", 0),)),
    ),
)


def test_what_is_written_is_read(tmp_path):
    kept_path("a b", tmp_path).write_text(formatted("a b", ONE), encoding="utf-8")
    assert kept("a b", tmp_path) == ONE


@pytest.mark.parametrize("line", ["1.1 1.1 00000000 guessed 1", "1.1 1.1 0 open 1", "1.1 1.1 - open 1; ", "1.1 open"])
def test_another_line_is_refused_with_its_number(tmp_path, line):
    kept_path("a", tmp_path).write_text(f"text a.txt\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        kept("a", tmp_path)


def test_shares_are_counted_by_section():
    found = {name: {kind: n for kind, n in counts.items() if n} for name, counts in shares(ONE).items()}
    assert found == {"front": {"layout": 3}, "section 1": {"open": 3, "quoted": 1}, "section 2": {"claimed": 1}}


def test_an_item_stands_in_the_section_before_it():
    assert section_of("article, (7)") == ("article", "section 3.3")
    assert section_of("dissertation, section 7.2.2, footnote 3") == ("dissertation", "section 7.2.2")
    assert section_of("a letter, page 2") is None


def unplaced(stated, places):
    """The printed statements and the documents that they name, where no line of them is kept."""
    named = {(one.id, found[0]) for one in stated if one.is_printed for at in one.sources if (found := section_of(at))}
    return {(name, document) for name, document in named if f"{document} " not in f"; {places.get(name, '')}"}


def test_every_printed_claim_has_its_lines_in_every_document_that_it_names():
    assert unplaced(claims(), places_of()) == set()


def test_a_printed_claim_without_lines_is_seen():
    one = Statement("a.claim", ("article, Theorem 1", "slides, Definition", "a letter"), "It holds.")
    assert unplaced([one], {"a.claim": "slides 12"}) == {("a.claim", "article")}
    assert unplaced([one], {}) == {("a.claim", "article"), ("a.claim", "slides")}
    assert unplaced([one], {"a.claim": "article 3; slides 12"}) == set()


@pytest.mark.parametrize("document", DOCUMENTS)
class TestKept:
    def test_runs_follow_one_another(self, document):
        runs = kept(document).runs
        assert all(place_key(run.first) <= place_key(run.last) and run.count for run in runs)
        assert all(place_key(one.last) < place_key(other.first) for one, other in pairwise(runs))

    def test_sections_are_those_of_the_document_in_their_order(self, document):
        sections = kept(document).sections
        named = [item.name for item in documents()[document] if is_section(item.name)]
        assert [name for name, _ in sections if name != "references"] == (named if sections else [])
        assert all(place_key(one) < place_key(other) for (_, one), (_, other) in pairwise(sections))

    def test_every_line_was_read_with_its_text(self, document):
        assert [run for run in kept(document).runs if run.digest == "-"] == []

    def test_no_sentence_is_open(self, document):
        assert {name: counts["open"] for name, counts in shares(kept(document)).items() if counts["open"]} == {}

    def test_a_claim_that_is_named_is_printed_there(self, document):
        named = {name for run in kept(document).runs for part in run.parts for name in part.claims}
        assert named <= set(claim_ids())
        for name in named:
            assert any(source.startswith(f"{document}, ") for source in claim(name).sources), name

    def test_claimed_sentences_and_no_others_name_claims(self, document):
        parts = [part for run in kept(document).runs for part in run.parts]
        assert [part for part in parts if bool(part.claims) is not (part.kind == "claimed")] == []
