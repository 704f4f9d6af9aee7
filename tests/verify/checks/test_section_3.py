from fractions import Fraction

import pytest

from spec.claims import section_3, section_3_numbers
from verify.replay import replay
from verify.verdict import Verdict

CLAIMS = (*section_3.CLAIMS, *section_3_numbers.CLAIMS)

FALSE_AS_PRINTED = {
    "swapping.fixed-swaps.printed",
    "swapping.full-support.printed",
    "psa.swap-probability.printed",
    "swapping.invariants.demonstration.printed",
    "numbers.decennial-2010.printed",
    "derangements.distance-ratio.printed",
    "psa.selected-records.printed",
    "psa.budget.necessary.printed",
    "numbers.two-rates.printed",
}
UNDECIDED = {"numbers.massachusetts.largest-stratum"}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_each_statement_is_refuted_iff_it_is_false_as_printed(claim, checked):
    record = checked(claim.id)
    if claim.id in FALSE_AS_PRINTED:
        assert record.verdict is Verdict.REFUTED
        assert replay(record.witness).startswith("false")
    elif claim.id in UNDECIDED:
        assert record.verdict is Verdict.OPEN
    else:
        assert record.verdict.is_settled_for
        assert record.mutants


def test_each_false_statement_has_a_repair():
    assert {claim.repairs for claim in CLAIMS if claim.repairs} == FALSE_AS_PRINTED


def test_the_printed_swap_probability_fails_for_two_records_at_one_half(checked):
    values = checked("psa.swap-probability.printed").witness["values"]
    assert values == {"probability": "1/2", "n": "2", "p": "1/2"}


def test_the_printed_higher_rate_is_95_2_percent_and_the_value_is_95_3(checked):
    assert "printed 95.2%, recomputed 95.3%" in checked("numbers.two-rates.printed").detail


def test_the_budget_at_two_percent_lies_above_19(checked):
    witness = checked("numbers.decennial-2010.printed").witness
    assert witness["values"] == {"b": "3650000", "p": "1/50"}


def test_a_fixed_number_of_swaps_can_have_loss_zero(checked):
    """Margins (2, 1) and (2, 1): one swap of two of the three records gives one law (1/3, 2/3) from both tables."""
    assert checked("swapping.fixed-swaps.printed").witness["values"] == {"smallest": "1/3"}


@pytest.mark.parametrize(
    ("change", "records", "distance"),
    [
        ("b - 1 for b + 1", 6, 2),
        ("ln(b + 1) without - ln o at p < 1/2", 2, 2),
        ("the upper branch ln o below its threshold", 3, 2),
        ("p for o", 2, 2),
        ("the smallest stratum for the largest", 7, 2),
    ],
)
def test_each_mutant_of_theorem_1_has_its_smallest_witness(change, records, distance, checked):
    mutants = {mutant.change: mutant.evidence for mutant in checked("psa.budget.theorem").mutants}
    witness = mutants[change].witness
    assert sum(count for table in witness["x"] for row in table for count in row) == records
    assert Fraction(witness["distance"]) == distance


def test_theorem_1_has_evidence_of_four_kinds(checked):
    scopes = " ".join(piece.scope for piece in checked("psa.budget.theorem").supporting)
    for words in ("one stratum with up to 6 records", "p in {0, 1}", "two strata", "the program permutation_swapping"):
        assert words in scopes


def test_proposition_4_is_decided_for_tables_of_any_size(checked):
    assert checked("swapping.invariants.margins").verdict >= Verdict.DECIDED
