"""Variants of the PSA: what they share with it, and what each of them changes."""

from fractions import Fraction

import pytest

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping, table_records
from stirred.mechanisms.swapping.variants import (
    capped_swapping,
    cell_key_after_swapping,
    noise_before_swapping,
    nonuniform_swapping,
    nonvacuous_swapping,
    one_more_or_less,
    probabilistic_matching,
    swapping_with_rates_by_place,
    swapping_with_rates_by_value,
    swapping_without_imputed_records,
)
from stirred.spec.arguments import InputError
from stirred.spec.blocks.tables import contingency_tables

RATE = Fraction(1, 3)
TABLES = [
    *contingency_tables((2, 1), (2, 1)),
    *contingency_tables((2, 2), (3, 1)),
    *contingency_tables((1, 1, 1), (2, 1)),
    *contingency_tables((2,), (1, 1)),
]


@pytest.mark.parametrize("table", TABLES)
def test_variants_with_nothing_changed_are_the_psa(table):
    records = table_records(table)
    law = exact_law(permutation_swapping, records, swap_rate=RATE)
    assert exact_law(swapping_with_rates_by_value, records, rate=lambda _: RATE) == law
    assert exact_law(swapping_with_rates_by_place, records, rates=[RATE] * len(records)) == law
    assert exact_law(nonuniform_swapping, records, weight=lambda *_: 1, swap_rate=RATE) == law
    assert exact_law(capped_swapping, records, cap=len(records), swap_rate=RATE) == law
    assert exact_law(swapping_without_imputed_records, records, imputed=lambda _: False, swap_rate=RATE) == law
    assert exact_law(probabilistic_matching, records, across=Fraction(1, 10), swap_rate=RATE) == law
    assert exact_law(cell_key_after_swapping, records, perturbation=lambda n: {n: Fraction(1)}, swap_rate=RATE) == law
    noiseless = {"categories": (0, 1), "replace_rate": Fraction(0)}
    assert exact_law(noise_before_swapping, records, **noiseless, swap_rate=RATE) == law


@pytest.mark.parametrize("table", TABLES)
def test_variants_keep_the_margins(table):
    records = table_records(table)
    laws = [
        exact_law(nonvacuous_swapping, records, swap_rate=RATE),
        exact_law(capped_swapping, records, cap=2, swap_rate=RATE),
        exact_law(swapping_with_rates_by_value, records, rate=lambda record: Fraction(1, 2 + record[1])),
    ]
    for law in laws:
        assert sum(law.values()) == 1
        for output in law:
            for place in (1, 2):
                held = sorted(record[place] for record in records)
                assert sorted(record[place] for record, count in output for _ in range(count)) == held


def test_nonvacuous_swapping_leaves_the_table_as_it_is_only_if_nothing_is_selected():
    records = table_records(((1, 1), (1, 0)))
    law = exact_law(nonvacuous_swapping, records, swap_rate=RATE)
    none = Fraction(2, 3) ** 3
    # Records 0 and 1 share a row, 0 and 2 a column: of the pairs only {1, 2} changes the table; of the two cycles of
    # all three, the one that brings column 1 to row 1 is the cycle that gives record 2 the value of record 1.
    changing = RATE**2 * Fraction(2, 3) + RATE**3 / 2
    unchanged = next(probability for output, probability in law.items() if ((0, 1, 0), 1) in output)
    assert unchanged == none / (none + changing)


def test_capped_swapping_cannot_reach_tables_beyond_the_cap():
    x = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    law = exact_law(capped_swapping, table_records(x), cap=2, swap_rate=RATE)
    full = exact_law(capped_swapping, table_records(x), cap=3, swap_rate=RATE)
    assert (len(law), len(full)) == (4, 6)


def test_imputed_records_stay_and_the_others_swap_among_themselves():
    records = table_records(((1, 0), (0, 1), (1, 0)))
    law = exact_law(swapping_without_imputed_records, records, imputed=lambda record: record[1] == 2, swap_rate=RATE)
    assert all(((0, 2, 0), 1) in output for output in law)
    assert set(law.values()) == {Fraction(1, 5), Fraction(4, 5)}  # p² against (1−p)²


def test_nonuniform_derangements_follow_their_weights():
    records = table_records(((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    law = exact_law(
        nonuniform_swapping, records, weight=lambda a, b: 2 if b[1] == (a[1] + 1) % 3 else 1, swap_rate=Fraction(1, 2)
    )
    cycles = sorted(probability for probability in law.values() if probability in (Fraction(8, 45), Fraction(1, 45)))
    assert cycles == [Fraction(1, 45), Fraction(8, 45)]  # 2³ to 1, of 1/8 of all selections, given 1 − 3/8


def test_matching_across_strata_prefers_derangements_inside_them():
    records = ((0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 1, 3))
    law = exact_law(probabilistic_matching, records, across=Fraction(1, 10), swap_rate=1)
    inside = (((0, 0, 1), 1), ((0, 1, 0), 1), ((1, 0, 3), 1), ((1, 1, 2), 1))
    # Of the nine derangements of four records one stays in both strata, four cross with all four records, and four
    # with two of them.
    assert law[inside] == 9**4 / Fraction(9**4 + 4 + 4 * 9**2)


def test_noise_replaces_the_swapping_value_of_a_record_alone_in_its_stratum():
    law = exact_law(noise_before_swapping, ((0, 0, 1),), categories=(0, 1), replace_rate=Fraction(1, 2), swap_rate=RATE)
    assert law[(((0, 0, 1), 1),)] == Fraction(3, 4)


def test_empty_cells_stay_empty_under_cell_keys():
    law = exact_law(cell_key_after_swapping, ((0, 0, 1),), perturbation=one_more_or_less, swap_rate=RATE)
    assert dict(law) == {(): Fraction(1, 4), (((0, 0, 1), 1),): Fraction(1, 2), (((0, 0, 1), 2),): Fraction(1, 4)}


def test_bad_parameters_are_refused():
    records = table_records(((1, 1), (1, 0)))
    with pytest.raises(InputError, match="rates must be as many as records; got 1 for 3"):
        exact_law(swapping_with_rates_by_place, records, rates=[RATE])
    with pytest.raises(InputError, match="cap must be at least 0; got -1"):
        exact_law(capped_swapping, records, cap=-1, swap_rate=RATE)
    with pytest.raises(InputError, match="across must be between 0 and 1, exclusive; got 0"):
        exact_law(probabilistic_matching, records, across=0, swap_rate=RATE)
    with pytest.raises(InputError, match="categories must be at least one, each listed once"):
        exact_law(noise_before_swapping, records, categories=(0, 0), replace_rate=RATE, swap_rate=RATE)
    with pytest.raises(InputError, match="replace_rate must be between 0 and 1; got 2"):
        exact_law(noise_before_swapping, records, categories=(0,), replace_rate=2, swap_rate=RATE)
