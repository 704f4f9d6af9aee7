from collections import Counter
from fractions import Fraction
from math import exp

import numpy as np
import pytest

from stirred.mechanisms import replay
from stirred.mechanisms.fast import fibre_noise as fast
from stirred.mechanisms.fast.fibre_noise import FreeCells, clamped, dealt, noisy_counts
from stirred.mechanisms.fast.random_words import random_words
from stirred.mechanisms.fibre_noise import cell_ranges, fibre_law, margin_order, noisy_table, sensitivity
from stirred.spec.arguments import InputError

THIRD = Fraction(1, 3)


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
