import re
from pathlib import Path

import pytest

from stirred.verify.evidence import theorems as module
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.theorems import STATEMENTS, cited, theorems
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import claims
from stirred.verify.ledger.claim import Claim
from stirred.verify.ledger.run import run_claim
from stirred.verify.ledger.statement import theorem
from stirred.verify.ledger.statements_page import worded
from stirred.verify.proofs.checking.statements import restated

ROOT = Path(__file__).parents[3]
PAGE = """\
(* A page. *)
(* Part 1. Without axioms *)
Theorem ratio_bound (* a.ratio a.other *) : forall k a, d k <= (k + 1) ^ a * d (k - a). restates ratio_bound by
  ratio_bound_instance. Qed.
Theorem two_line_bound (* a.ratio *) : d 1 <= d 2. restates by
  two_line_bound_instance. Qed.
Theorem
  small (* a.small *) : d 2 = 1. restates small. Qed.

(* Part 2. On the axioms *)
Theorem large (* a.large *) : d 9 = 1. restates large. Qed.
"""


@pytest.fixture
def page(tmp_path, monkeypatch):
    file = tmp_path / "Statements.v"
    file.write_text(PAGE)
    monkeypatch.setattr(module, "STATEMENTS", file)
    theorems.cache_clear()
    yield file
    theorems.cache_clear()


def test_restated_theorems_are_read_with_their_part_line_and_claims(page):
    known = theorems()
    assert set(known) == {"ratio_bound", "two_line_bound", "small", "large"}
    assert known["ratio_bound"].claims == ("a.ratio", "a.other")
    assert (known["small"].statement, known["small"].line) == ("d 2 = 1", 7)
    assert [one.assumptions for one in known.values()] == ["closed", "closed", "closed", "classical reals"]


COMMENTED = "(* Theorem free {}: d 1 = 0. restates free. Qed. *)\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(* A page. *)\n", COMMENTED.format(""), "a comment reads as a theorem"),
        ("(* A page. *)\n", COMMENTED.format("(* a.free *) "), "a comment reads as a theorem"),
        (
            "(* A page. *)\n",
            '(* " *) Theorem free (* a.free *) : d 1 = 0. restates free. Qed. (* " *)\n',
            "a string holds",
        ),
        ("d 2 = 1.", "d 2 = 1 .(* d 2 = 2 *).", "must stand after a blank"),
        ("d 2 = 1.", "d 2 = (* 2 + *) 1.", "with the claims that cite it"),
        ("(* a.small *) ", "", "with the claims that cite it"),
        ("restates small. ", "", "must be closed by `restates small`"),
        ("restates small.", "restates large.", "must be closed by `restates small`"),
        ("(* Part 1.", "(* Part 3.", "must have a part 1"),
    ],
)
def test_what_the_check_of_the_proofs_would_refuse_is_no_evidence(page, old, new, message):
    assert old in PAGE
    page.write_text(PAGE.replace(old, new))
    with pytest.raises(EngineError, match=message):
        theorems()


def test_a_restated_theorem_proves_its_claim_within_its_limits(page):
    evidence = theorem("lemmas.ratio_bound").run()
    assert evidence.verdict is Verdict.PROVED
    assert evidence.scope.startswith("all sizes: lemmas.ratio_bound (assumptions: closed")
    assert theorem("lemmas.ratio_bound", within="finite sets").run().scope.startswith("finite sets: lemmas.ratio_bound")


@pytest.mark.parametrize(("coqc", "said"), [(None, True), ("/usr/bin/coqc", False)])
def test_the_scope_says_whether_coq_is_present(page, monkeypatch, coqc, said):
    monkeypatch.setattr("stirred.verify.evidence.theorems.shutil.which", lambda name: coqc)
    assert ("not present" in theorem("lemmas.ratio_bound").run().scope) is said


def test_a_theorem_that_is_not_restated_is_a_failure(page):
    for look_up in (theorem("lemmas.gone").run, lambda: cited("a.gone", ["lemmas.gone"])):
        with pytest.raises(EngineError, match=r"lemmas\.gone is not in"):
            look_up()


def test_a_claim_that_cites_the_theorem_of_another_is_a_failure(page):
    borrowed = Claim("a.large", (), "words", is_printed=False, checks=(theorem("lemmas.small"),))
    with pytest.raises(EngineError, match=r"a\.large: the theorem lemmas\.small stands in Statements\.v for other"):
        run_claim(borrowed)
    refuted = Claim("a.large", (), "words", is_printed=False, refuted_by=("lemmas.small",))
    with pytest.raises(EngineError, match=r"lemmas\.small stands in Statements\.v for other claims"):
        run_claim(refuted)


def test_without_the_page_no_weaker_verdict_is_given(page):
    page.unlink()
    theorems.cache_clear()
    with pytest.raises(EngineError, match="is missing: the installation is incomplete"):
        theorem("lemmas.ratio_bound").run()


def test_the_page_read_here_is_the_one_that_is_checked():
    assert STATEMENTS == ROOT / "proofs" / "Statements.v"
    assert len(STATEMENTS.read_text().splitlines()) < 2700


def test_as_many_theorems_rest_on_no_axiom_as_were_counted():
    theorems.cache_clear()
    classes = [one.assumptions for one in theorems().values()]
    assert (classes.count("closed"), classes.count("classical reals")) == (392, 57)


def test_the_english_of_the_page_is_that_of_the_ledger():
    """To write it anew: `python -m stirred.verify.ledger.pages`."""
    text = STATEMENTS.read_text()
    assert worded(text) == text
    other = (
        text.replace("The budget", "No budget").replace(" largest_stratum,", " somewhere,").replace(": psa *)", " *)")
    )
    assert other != text
    assert worded(other) == text


def test_the_english_of_the_page_changes_nothing_that_coq_reads(tmp_path):
    known = sorted((one.name, one.statement, one.assumptions, one.claims) for one in theorems().values())
    plain = re.sub(
        r"(?<=\n\n)\(\* (?!The |PHSafe|Bun|What|Part).*(?:\n   .*)*\n(?=Theorem)", "", STATEMENTS.read_text()
    )
    assert plain != STATEMENTS.read_text()
    assert worded(plain) == STATEMENTS.read_text()
    (tmp_path / "Statements.v").write_text(plain)
    assert (
        sorted(
            (one.name, one.statement, module._CLASSES[one.part], one.claims)
            for one in restated(tmp_path / "Statements.v")
        )
        == known
    )


OF_OTHER_READINGS = {"induced_universes_refuted"}
"""Theorems on another reading of the words than the claim's; steps to others are lemmas."""


OF_AUDITED_CLAIMS = {
    "at_least_sound",
    "at_most_sound",
    "exceeded_sound",
    "met_sound",
    "multiplicative_le",
    "multiplicative_log",
    "total_variation_le",
    "tree_lawE",
}
"""What the files of stirred audit --coq rest on: these are about claims of users, and no document states them."""
OF_PROVED_CLAIMS = {"certified_dp", "mass_law", "pure_distance_le"}
"""The same of stirred prove --coq."""


def test_a_theorem_and_the_claims_that_cite_it_name_each_other():
    theorems.cache_clear()
    citing = {(one.id, name) for one in claims() for check in one.checks for name in check.theorems}
    citing |= {(one.id, name) for one in claims() for name in one.refuted_by}
    named = {(claim_id, name.rpartition(".")[2]) for claim_id, name in citing}
    beside = {(claim_id, one.name) for one in theorems().values() for claim_id in one.claims}
    without = {"audit": OF_AUDITED_CLAIMS, "prove": OF_PROVED_CLAIMS, "another-reading": OF_OTHER_READINGS}
    assert beside - named == {(claim_id, name) for claim_id, names in without.items() for name in names}
    assert named <= beside


def test_the_theory_that_a_claim_names_states_its_theorem():
    texts = {path.stem: path.read_text() for path in (ROOT / "proofs" / "theories").rglob("*.v")}
    named = {name for one in claims() for check in one.checks for name in check.theorems}
    named |= {name for one in claims() for name in one.refuted_by}
    stated = {
        f"{stem}.{name}"
        for stem, text in texts.items()
        for name in re.findall(r"^(?:Theorem|Example) (\w+)", text, re.M)
    }
    assert named - stated == set()


ONE_THEOREM_STATES_BOTH = {
    "pairwise.invariants",
    "price.fibre.budget",
    "price.weighting",
    "psa.exact.many-categories",
    "psa.exact.limit.attained",
    "pufferfish.tests.overlapping",
    "topdown.two-runs.budget",
    "psa.exact.threshold",
}
"""Claims of which one theorem, read beside them, states more than one sentence."""


def test_each_sentence_of_a_proved_claim_of_ours_names_its_theorem():
    few = set()
    for one in claims():
        names = {name for check in one.checks for name in check.theorems}
        if names and not one.is_printed and len(re.split(r"(?<=[.?!])\s+(?=[A-Z(])", one.statement)) > len(names):
            few.add(one.id)
    assert few == ONE_THEOREM_STATES_BOTH


LEAVES_OUT = re.compile(r"\b(at most|at least|enclosed|enough|need the|not)\b|\bthat (it|they|three|budgets|those)\b")
SAYS_WHAT_IS_STATED = {
    "invariants.necessity.refinement",
    "invariance.pairs-alone",
    "multiverse.in-premetric.zero-diagonal",
    "psa.exact.printed-smallest",
    "psa.optimality.arbitrarily-close",
    "psa.optimality.weak-form",
    "survey.sampling.dependent.same",
    "swapping.disjoint-tables.own-values",
}
"""Claims whose theorem says what the words come down to: those of printed remarks, or with the words at hand."""


def test_a_limit_of_a_theorem_limits_its_domain_and_no_sentence():
    limits = {
        one.id: check.run().scope.partition(f": {check.theorems[0]}")[0]
        for one in claims()
        for check in one.checks
        if check.theorems
    }
    assert {name for name, limit in limits.items() if LEAVES_OUT.search(limit)} == SAYS_WHAT_IS_STATED
