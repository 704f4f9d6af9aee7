import pytest

from spec.claims import appendix_a, chapter_2
from verify.checks.chapter_2_processing import _DISTANCES, _immune, _noise_invariant, _processed
from verify.ledger import registered, run_claim
from verify.verdict import Verdict

CLAIMS = (*chapter_2.CLAIMS, *appendix_a.CLAIMS)

FALSE_AS_PRINTED = {
    "premetric.infinite-distance",
    "universes.smaller-strictly",
    "refinement.loss-direction",
    "premetric.household-person",
    "recording.donor-factor",
    "pure.likelihood-ratio",
    "tradeoff.type-two",
    "post-processing.randomised-implied",
    "budget.pairs-in-two-universes",
    "multiverse.disjoint-no-implicit",
    "multiverse.hidden-inside",
    "multiverse.hidden-changes-iff",
    "sharpening.metric",
    "sharpening.iff-metric",
    "multiverse.in-premetric.bare",
    "components.pairs",
    "components.unconnected",
}

WITHOUT_ENGINE = {"composition.zero-concentrated", "sigma-algebra.borel"}
"""Statements about Rényi divergences of all laws, and about Borel sets: for Coq, or open."""


@pytest.fixture(scope="module")
def records():
    return {claim.id: run_claim(claim) for claim in CLAIMS}


def test_exactly_the_statements_that_are_false_as_printed_are_refuted(records):
    assert {key for key, record in records.items() if record.verdict is Verdict.REFUTED} == FALSE_AS_PRINTED


def test_everything_else_is_settled(records):
    for key, record in records.items():
        if key not in FALSE_AS_PRINTED | WITHOUT_ENGINE:
            assert record.verdict.is_settled_for, key


def test_each_false_statement_has_a_repair_that_is_settled(records):
    repairs = {claim.repairs: claim.id for claim in CLAIMS if claim.repairs is not None}
    assert set(repairs) == FALSE_AS_PRINTED
    assert all(records[repair].verdict.is_settled_for for repair in repairs.values())


def test_each_checking_verdict_has_a_mutant(records):
    _, mutants = registered()
    assert {key for key in records if key not in mutants} == FALSE_AS_PRINTED | WITHOUT_ENGINE


@pytest.mark.parametrize(
    ("claim_id", "smallest"),
    [
        ("premetric.infinite-distance", "d = {'0,1': '0', '1,0': 'oo'}: P_x != P_x' at x = 1, x' = 0 is refused"),
        ("budget.pairs-in-two-universes", "universes and budgets {'[0]': '0', '[0, 1]': 'ln(2) ≈ 0.693147'}"),
        ("multiverse.hidden-changes-iff", "universes [[0], [0, 1], [1]], classes [[0], [1]]"),
        ("components.unconnected", "d = {'0,1': '1', '1,0': 'oo'}"),
        ("recording.donor-factor", "r = 1"),
        ("premetric.household-person", "x = (('a',),), x' = (('a', 'a'),)"),
        ("multiverse.in-premetric.bare", "universes [], d(0, 0) = oo"),
        ("sharpening.metric", "'0,1': 'None', '1,0': '1'"),
    ],
)
def test_witnesses_are_the_smallest(records, claim_id, smallest):
    assert smallest in records[claim_id].detail


def test_shared_seeds_cost_more_than_the_sum(records):
    assert records["composition.shared-seeds"].detail.endswith("the pair has 0, ln(3) ≈ 1.09861, infinite")


@pytest.mark.parametrize("name", _DISTANCES)
def test_the_premetrics_tried_have_the_properties_that_they_were_made_for(name):
    measured = _DISTANCES[name]
    assert _processed(measured) == (name != "2 - D_TV of different laws")
    assert _noise_invariant(measured) == (name != "outcomes times D_TV")
    assert _immune(measured, (None,))
