"""Stating a claim: words, checks, and the mutants that stand after the checks that they change."""

import pytest

from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import book, statement
from stirred.verify.ledger.book import mistake
from stirred.verify.ledger.quantifiers import cases, every
from stirred.verify.ledger.statement import mutant, own, state, unsettled


@pytest.fixture
def own_statements(monkeypatch):
    monkeypatch.setattr("stirred.verify.ledger.statement.STATED", {})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.b", ("a test",), " "), "must have words, and a source where they are printed"),
        (("Nonsense", ("a test",), "a"), "dotted lower-case words"),
        (("a.b", (), "a"), "must have words, and a source where they are printed"),
        (("a.b", ("a test",), "a", mutant("m", {"n": 1})), "the mutant 'm' must stand after the check that it changes"),
        (("a.b", ("a test",), "a", unsettled("so"), mutant("m", {})), "must stand after the check that it changes"),
        (("a.b", ("a test",), "a", *[mutant("m", unsettled("so"))] * 2), "two mutants named 'm'"),
    ],
)
def test_a_claim_that_is_stated_badly_is_refused(own_statements, arguments, said):
    claim_id, sources, *stated_so = arguments
    with pytest.raises(EngineError, match=said):
        state(claim_id, *sources)(*stated_so)


def test_a_claim_is_stated_once(own_statements):
    state("a.b", "a test")("words")
    with pytest.raises(EngineError, match="stated twice"):
        own("a.b", "a test")("words")


SMALL = cases("0 <= n < 3", "n")(lambda: range(3))


def test_a_mutant_is_the_check_before_it_but_for_what_it_changes(own_statements):
    state("a.b", "a test")(
        """Broken
        words.""",
        every(SMALL, lambda n, most: max(n, 1) < most, most=3),
        mutant("another constant", {"most": 2}),
        mutant("other cases", cases("0 <= n < 9", "n")(lambda: range(9))),
        mutant("another sentence", lambda n, most: max(n, 1) > most),
        mutant("another check", every(SMALL, lambda n: max(n, 1) > 1)),
        reading="in\nlines",
    )
    claim = statement.STATED["a.b"]
    assert (claim.statement, claim.reading, len(claim.checks)) == ("Broken words.", "in lines", 1)
    assert [*claim.mutants] == ["another constant", "other cases", "another sentence", "another check"]
    assert claim.checks[0].run().verdict is Verdict.EXHAUSTED
    cases_of = {name: check.run().witness["case"] for name, check in claim.mutants.items()}
    assert cases_of["another constant"] == {"n": 2, "most": 2}
    assert cases_of["other cases"] == {"n": 3, "most": 3}


IMPORTS = "from stirred.verify.ledger import cases, every, mutant, own\nN = cases('n', 'n')(lambda: range(3))\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("N = range(SIZES)\n", "line 1: NameError: name 'SIZES' is not defined"),
        ("\n)\n", "line 2: SyntaxError: unmatched ')'"),
        (f"{IMPORTS}\nevery(\n    N,\n    lambda n: n < SIZES,\n)\n", "line 6: SIZES is not defined here"),
        (
            f"{IMPORTS}every(N, lambda n, most: max(n, 1) < most, mots=3)",
            "line 3: 'max(n, 1) < most' must use parts of the case (n) and every constant (mots); it uses most n",
        ),
        (
            f"{IMPORTS}own('a.b')('w', every(N, lambda n, m: max(n, 1) < m, m=3), mutant('less', {{'k': 2}}))",
            "line 3: a.b: the mutant 'less': 'max(n, 1) < m' must use parts of the case (n) and every constant (m k)",
        ),
    ],
)
def test_a_module_that_does_not_load_says_on_which_line(monkeypatch, own_statements, tmp_path, text, said):
    module = tmp_path / "claims" / "wrong" / "module.py"
    module.parent.mkdir(parents=True)
    module.write_text(text)
    monkeypatch.setattr(book, "_CLAIMS", tmp_path / "claims")
    with pytest.raises(Exception) as caught:  # noqa: PT011 an author may cause any
        exec(compile(module.read_text(), str(module), "exec"), {})  # noqa: S102
    assert f"claims/wrong/module.py, {said}" in mistake(caught.value)


def test_what_fails_elsewhere_says_only_what():
    assert mistake(ValueError("x")) == "ValueError: x"


@pytest.fixture
def own_book(monkeypatch, tmp_path):
    """A folder of claims in the place of the ledger's."""
    folder = tmp_path / "claims"
    folder.mkdir()
    monkeypatch.setattr(book, "_CLAIMS", folder)
    book._entries.cache_clear()
    yield folder
    book._entries.cache_clear()


def test_an_id_in_two_files_is_refused_with_both_places(own_book):
    (own_book / "first.py").write_text('state("a.b", "a test")("words")\n')
    (own_book / "second.py").write_text('\nown("a.b", "a test")("words")\n')
    with pytest.raises(EngineError, match=r"second\.py, line 2: a\.b is already stated in .*first\.py, line 1"):
        book.claim_ids()


def test_a_claim_that_the_book_cannot_see_is_named(monkeypatch):
    monkeypatch.setattr(book, "STATED", {**book.STATED, "a.unseen": None})
    with pytest.raises(EngineError, match=r"a\.unseen must begin a line, with its id in double quotes"):
        book.claim("derangements.recurrence")
