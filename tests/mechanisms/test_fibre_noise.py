from fractions import Fraction

import pytest

from stirred.mechanisms import exact_law, sample
from stirred.mechanisms.fibre_noise import cell_ranges, fibre_law, fibre_noise, margin_order, noisy_table, sensitivity
from stirred.spec.arguments import InputError
from stirred.spec.loss import Loss
from stirred.spec.tables import column_margins, contingency_tables, row_margins, table_distance
from stirred.verify.engines.swapping.circuits import circuit_steps

THIRD = Fraction(1, 3)


def loss(rows, columns, alpha):
    """The smallest budget on one universe, over the pairs that one circuit separates."""
    tables = contingency_tables(rows, columns)
    laws = [fibre_law(x, alpha) for x in tables]
    ratios = (Loss(max(Fraction(1), laws[i][z] / laws[j][z]), d) for i, j, d in circuit_steps(tables) for z in tables)
    return max(ratios)


@pytest.mark.parametrize(
    ("rows", "columns"), [((2, 2), (2, 2)), ((3, 3), (2, 2, 2)), ((2, 2, 2), (3, 3)), ((2, 2, 2), (2, 2, 2))]
)
@pytest.mark.parametrize("alpha", [Fraction(1, 9), Fraction(9, 10)])
def test_the_loss_is_the_sensitivity_of_the_shape_times_that_of_the_noise(rows, columns, alpha):
    assert loss(rows, columns, alpha) == Loss(1 / alpha).times(sensitivity(len(rows), len(columns)))


def test_single_records_need_less_than_the_shape_says():
    """In a universe of margins 1 a free cell is 0 or 1, and the last one of three follows."""
    assert loss((1, 1, 1), (1, 1, 1), THIRD) == Loss(27, 2) < Loss(9)


@pytest.mark.parametrize("table", [((1, 2), (2, 1)), ((0, 3, 1), (0, 0, 2)), ((2, 0), (0, 1), (1, 1))])
def test_the_law_is_that_of_the_program_choice_by_choice(table):
    assert exact_law(noisy_table, table, ratio=THIRD) == fibre_law(table, THIRD)


def test_empty_categories_change_nothing():
    with_empty = fibre_law(((1, 0, 2), (0, 0, 0), (2, 0, 1)), THIRD)
    law = fibre_law(((1, 2), (2, 1)), THIRD)
    assert {((z[0][0], z[0][2]), (z[2][0], z[2][2])): q for z, q in with_empty.items()} == dict(law.items())


def test_every_table_of_the_universe_is_possible_and_no_other():
    x = ((1, 1, 0), (0, 1, 1), (1, 0, 2))
    law = fibre_law(x, Fraction(1, 100))
    assert set(law.support) == set(contingency_tables(row_margins(x), column_margins(x)))


def test_largest_margins_come_last_and_follow_from_the_others():
    assert margin_order((5, 0, 1, 5)) == (2, 0, 3)
    assert {(h, s) for h, s, _, _ in cell_ranges(((4, 1), (1, 1), (1, 0)))} == {(2, 1), (1, 1)}


def test_records_of_several_strata_have_noise_of_their_own():
    records = tuple((m, h, s) for m in "ab" for h, s in ((0, 0), (1, 1)))
    law = exact_law(fibre_noise, records, root=Fraction(1, 2))
    stay = Fraction(16, 17)  # alpha = root^4 = 1/16 on two tables, of which the other one has alpha/(1 + alpha)
    assert law[tuple(sorted(((r, 1) for r in records), key=repr))] == stay**2


def test_what_the_margins_determine_stays():
    records = ((0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 1, 0))
    assert {sample(fibre_noise, records, root=Fraction(1, 2), seed=seed) for seed in range(5)} == {
        tuple(((record), 1) for record in records)
    }


@pytest.mark.parametrize("ratio", [0, 1, Fraction(3, 2), 0.5])
def test_a_ratio_outside_of_0_to_1_is_refused(ratio):
    with pytest.raises(InputError, match="ratio must be"):
        fibre_law(((1, 0), (0, 1)), ratio)


def test_the_distance_of_neighbours_on_the_line_is_two_records():
    tables = contingency_tables((3, 3), (3, 3))
    assert [table_distance(tables[i], tables[i + 1]) for i in range(3)] == [2, 2, 2]
