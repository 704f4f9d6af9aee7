from fractions import Fraction

import pytest

from verify.evidence.verdict import Verdict


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
    values = checked("swapping.fixed-swaps.printed").witness["values"]
    assert sorted(values.values()) == ["1/3", "1/3", "2/3", "2/3"]


def test_a_method_that_makes_fewer_swaps_than_it_may_does_not_reach_every_output(checked):
    witness = checked("swapping.fixed-swaps.argument.printed").witness
    assert (witness["probability"], witness["law"]) == ("1", [[witness["x"], "1"]])


def test_the_higher_of_two_rates_does_not_depend_on_the_largest_stratum(checked):
    values = checked("psa.budget.larger-stratum.printed").witness["values"]
    assert values == {"c": "3", "gamma": "2"}


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
