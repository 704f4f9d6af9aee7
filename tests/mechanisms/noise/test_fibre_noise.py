from collections import Counter
from fractions import Fraction
from math import exp

import numpy as np
import pytest

from stirred.mechanisms import exact_law, replay, sample
from stirred.mechanisms.fast import fibre_noise as fast
from stirred.mechanisms.fast.fibre_noise import FreeCells, clamped, dealt, noisy_counts
from stirred.mechanisms.fast.random_words import random_words
from stirred.mechanisms.noise.fibre_noise import (
    cell_ranges,
    fibre_law,
    fibre_noise,
    margin_order,
    noisy_table,
    sensitivity,
)
from stirred.spec.arguments import InputError
from stirred.spec.blocks.tables import column_margins, contingency_tables, row_margins, table_distance
from stirred.spec.budgets.loss import Loss
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


def random_tables(number, seed):
    random = np.random.default_rng(seed)
    for _ in range(number):
        table = random.integers(0, 4, random.integers(2, 6, 2))
        table[:, 0] += 1
        table[0] += 1
        yield table, table + random.integers(-3, 4, table.shape)


def in_order(table):
    rows, columns = (list(margin_order(tuple(table.sum(axis).tolist()))) for axis in (1, 0))
    return np.ix_(rows, columns)


@pytest.mark.parametrize("one_by_one", [1, 10**6], ids=["one by one", "together"])
def test_each_cell_is_what_the_program_releases_with_the_same_noise(monkeypatch, one_by_one):
    monkeypatch.setattr(fast, "_ONE_BY_ONE", one_by_one)
    for table, proposed in random_tables(60, 1):
        order = in_order(table)
        ordered = table[order]
        free = FreeCells(*(np.array([side]) for side in ordered.shape), ordered.sum(1), ordered.sum(0))
        found = np.empty_like(table)
        found[order] = clamped(free, proposed[order].reshape(-1)).reshape(ordered.shape)
        z = tuple(map(tuple, found.tolist()))
        ranges = list(cell_ranges(z))
        assert all(z[h][s] == min(max(proposed[h, s], low), high) for h, s, low, high in ranges)
        choices = [z[h][s] - low for h, s, low, high in ranges if low < high]
        assert replay(noisy_table, tuple(map(tuple, table.tolist())), choices, ratio=THIRD) == z


def test_strata_of_different_shapes_are_clamped_together_as_apart():
    pairs = [(table[in_order(table)], proposed[in_order(table)]) for table, proposed in random_tables(40, 2)]
    rows, columns = (np.array([table.shape[side] for table, _ in pairs]) for side in (0, 1))
    row_margins, column_margins = (np.concatenate([table.sum(side) for table, _ in pairs]) for side in (1, 0))
    together = clamped(
        FreeCells(rows, columns, row_margins, column_margins), np.concatenate([p.reshape(-1) for _, p in pairs])
    )
    apart = [clamped(FreeCells(*(np.array([n]) for n in t.shape), t.sum(1), t.sum(0)), p.reshape(-1)) for t, p in pairs]
    assert (together == np.concatenate(apart)).all()


def cells_of(table, copies):
    """So many strata with this table each."""
    h, s = np.nonzero(table)
    return tuple(
        np.concatenate(side)
        for side in (
            [np.full(len(h), m) for m in range(copies)],
            [h] * copies,
            [s] * copies,
            [np.asarray(table)[h, s]] * copies,
        )
    )


@pytest.mark.parametrize(
    "table", [((2, 1), (1, 2)), ((2, 0, 1), (0, 2, 1)), ((1, 1, 0), (0, 1, 1), (1, 0, 1))], ids=["2x2", "2x3", "3x3"]
)
def test_counts_follow_the_exact_law(table):
    """20,000 strata, seed 5: chi-squared with r degrees of freedom stays below r + 6 sqrt(2r) but for 1 in 10^7."""
    copies, epsilon = 20_000, Fraction(1)
    alpha = Fraction(exp(-float(epsilon / sensitivity(len(table), len(table[0]))))).limit_denominator(10**9)
    law = fibre_law(table, alpha)
    strata, holding, swapping, counts = noisy_counts(cells_of(table, copies), epsilon, random_words(5))
    drawn = np.zeros((copies, len(table), len(table[0])), dtype=int)
    drawn[strata, holding, swapping] = counts
    seen = Counter(tuple(map(tuple, one)) for one in drawn.tolist())
    assert set(seen) <= set(law.support)
    often = {z: float(q) * copies for z, q in law.items() if q * copies >= 5}
    rare = copies - sum(often.values())
    squares = sum((seen[z] - mean) ** 2 / mean for z, mean in often.items())
    if rare >= 5:
        squares += (copies - sum(seen[z] for z in often) - rare) ** 2 / rare
    freedom = len(often)
    assert squares < freedom + 6 * (2 * freedom) ** 0.5
    wrong = fibre_law(table, alpha**2)  # the test can fail: twice the budget is told apart
    assert sum((seen[z] - float(wrong[z]) * copies) ** 2 / (float(wrong[z]) * copies) for z in often) > 10 * freedom


def test_margins_are_kept_and_determined_strata_stay():
    random = np.random.default_rng(3)
    code, counts = np.unique(random.integers(0, 50 * 4 * 9, 3000), return_counts=True)
    cells = (code // 36, code // 9 % 4, code % 9, counts)
    single = tuple(np.append(side, one) for side, one in zip(cells, (50, 0, 3, 7), strict=True))
    found = noisy_counts(single, Fraction(1, 2), random_words(3))
    for place in (1, 2):
        assert margins(single, place) == margins(found, place)
    assert [side[-1] for side in found] == [50, 0, 3, 7]
    assert (np.diff((found[0] * 4 + found[1]) * 9 + found[2]) > 0).all()


def margins(cells, place):
    found = Counter()
    for stratum, category, count in zip(cells[0].tolist(), cells[place].tolist(), cells[3].tolist(), strict=True):
        found[stratum, category] += count
    return found


def test_strata_in_groups_have_the_law_of_strata_together(monkeypatch):
    cells = cells_of(((2, 1), (1, 2)), 50)
    monkeypatch.setattr(fast, "_GROUP", 20)
    found = noisy_counts(cells, Fraction(1), random_words(1))
    assert margins(found, 1) == margins(cells, 1)
    assert margins(found, 2) == margins(cells, 2)


def test_a_stratum_of_too_many_cells_is_refused(monkeypatch):
    monkeypatch.setattr(fast, "MOST_CELLS", 3)
    with pytest.raises(InputError, match="must have at most 3 pairs"):
        noisy_counts(cells_of(((2, 1), (1, 2)), 1), Fraction(1), random_words(1))


def test_no_cells_are_no_cells():
    none = np.zeros(0, dtype=np.int64)
    assert all(len(side) == 0 for side in noisy_counts((none,) * 4, Fraction(1), random_words(1)))


def test_records_receive_the_values_of_their_row_in_a_uniform_order():
    """Two rows of two records: each order of each row is as likely, whatever the records had; 4000 draws, seed 8."""
    cells = cells_of(((1, 1), (1, 1)), 1)
    strata, holding = np.zeros(4, dtype=np.int64), np.array([0, 1, 0, 1])
    words = random_words(8)
    seen = Counter(tuple(dealt(cells, strata, holding, words).tolist()) for _ in range(4000))
    assert set(seen) == {(0, 0, 1, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 1, 0, 0)}
    assert all(abs(count - 1000) < 6 * 28 for count in seen.values())
