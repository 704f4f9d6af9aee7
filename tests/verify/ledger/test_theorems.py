import pytest

from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import theorems as module
from stirred.verify.ledger.book import claims
from stirred.verify.ledger.theorems import committed, theorem, theorems

STATEMENTS = """\
Theorem lemmas.ratio_bound
assumptions: none
statement:
forall k a, d k <= (k + 1) ^ a * d (k - a)

Example lemmas.small
assumptions: classical reals
statement:
d 2 = 1
"""


@pytest.fixture
def statements(tmp_path, monkeypatch):
    file = tmp_path / "statements.txt"
    file.write_text(STATEMENTS)
    monkeypatch.setattr(module, "STATEMENTS", file)
    theorems.cache_clear()
    yield file
    theorems.cache_clear()


def test_committed_theorems_are_read_with_their_assumptions(statements):
    known = theorems()
    assert set(known) == {"lemmas.ratio_bound", "lemmas.small"}
    assert known["lemmas.ratio_bound"].assumptions == "none"
    assert known["lemmas.small"].statement == "d 2 = 1"


def test_a_committed_theorem_proves_its_claim_within_its_limits(statements):
    evidence = theorem("lemmas.ratio_bound").run()
    assert evidence.verdict is Verdict.PROVED
    assert evidence.scope.startswith("all sizes: lemmas.ratio_bound (assumptions: none")
    assert theorem("lemmas.ratio_bound", within="finite sets").run().scope.startswith("finite sets: lemmas.ratio_bound")


@pytest.mark.parametrize(("coqc", "said"), [(None, True), ("/usr/bin/coqc", False)])
def test_the_scope_says_whether_coq_is_present(statements, monkeypatch, coqc, said):
    monkeypatch.setattr("stirred.verify.ledger.theorems.shutil.which", lambda name: coqc)
    assert ("not present" in theorem("lemmas.ratio_bound").run().scope) is said


def test_a_theorem_that_is_not_committed_is_a_failure(statements):
    for look_up in (theorem("lemmas.gone").run, lambda: committed(["lemmas.gone"])):
        with pytest.raises(EngineError, match=r"lemmas\.gone is not in"):
            look_up()


def test_without_the_committed_statements_no_weaker_verdict_is_given(statements):
    statements.unlink()
    theorems.cache_clear()
    with pytest.raises(EngineError, match="is missing: the installation is incomplete"):
        theorem("lemmas.ratio_bound").run()


OF_OTHER_READINGS = {"invariant_multiverse.necessity_refuted"}
"""Theorems on another reading of the words than the claim's; steps to others are lemmas."""


OF_AUDITED_CLAIMS = {
    "audited_claim.exceeded_sound",
    "audited_claim.met_sound",
    "choice_tree.tree_lawE",
    "event_distance.multiplicative_le",
    "event_distance.multiplicative_log",
    "event_distance.total_variation_le",
    "exponential_bound.at_least_sound",
    "exponential_bound.at_most_sound",
}
"""What the files of stirred audit --coq rest on: these are about claims of users, and no document states them."""


def test_claims_cite_every_theorem_and_committed_ones_only():
    theorems.cache_clear()
    named = {name for one in claims() for check in one.checks for name in check.theorems}
    refuting = {name for one in claims() for name in one.refuted_by}
    assert named
    assert set(theorems()) - named - refuting == OF_OTHER_READINGS | OF_AUDITED_CLAIMS
    assert named | refuting <= set(theorems())
