"""What is printed about invariants and specifications and does not hold as printed: its grade and its natural case."""

from __future__ import annotations

import pytest

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import claim
from stirred.verify.ledger.run import run_claim

REFUTED = {
    "invariants.nonvacuous": ("incomplete", "bounded DP"),
    "invariants.additional-information": ("incomplete", "swapping"),
    "invariants.sufficient": ("incomplete", "swapping"),
    "invariants.varies-within": ("incomplete", "one county"),
    "invariants.plausibility": ("incomplete", "published with probability 1/10"),
    "universes.smaller-strictly": ("incomplete", "bounded DP"),
    "refinement.loss-direction": ("misprint", "one county"),
    "domain.downstream-weaker": ("misprint", "imputed"),
}


@pytest.mark.parametrize("claim_id", REFUTED)
def test_printed_statement_is_refuted_by_a_natural_case_that_a_reader_can_replay(claim_id: str) -> None:
    record = run_claim(claim_id)
    grade, case = REFUTED[claim_id]
    assert record.verdict is Verdict.REFUTED
    assert record.claim.grade is not None
    assert record.claim.grade.word == grade
    assert case in record.scope
    assert record.witness is not None
    assert record.witness["kind"] == "case"


FAIR = [
    "components.functions-free",
    "invariants.bounded-size",
    "invariants.costly",
    "invariants.necessary",
    "invariants.necessity",
    "invariants.release-free",
]


def test_laws_that_tell_different_invariants_apart_have_infinite_losses() -> None:
    record = run_claim("invariants.no-common-support")
    assert record.verdict is Verdict.EXHAUSTED
    assert [mutant.evidence.verdict for mutant in record.mutants] == [Verdict.REFUTED]


@pytest.mark.parametrize("claim_id", FAIR)
def test_statement_that_holds_under_its_fair_reading_is_supported(claim_id: str) -> None:
    assert claim(claim_id).is_printed
    assert run_claim(claim_id).verdict is Verdict.PROVED


@pytest.mark.parametrize("claim_id", ["components.functions-free.separating", "invariants.costly.separated"])
def test_sigma_algebras_that_do_not_separate_the_values_are_told_apart(claim_id: str) -> None:
    record = run_claim(claim_id)
    assert record.verdict is Verdict.PROVED
    assert any(mutant.change.startswith("any sigma-algebra") for mutant in record.mutants)


def test_both_readings_of_two_universes_are_refuted() -> None:
    record = run_claim("budget.pairs-in-two-universes")
    assert [one.verdict for one in record.supporting] == [Verdict.REFUTED] * 2
