"""What every array implementation of the PSA must do; `draw(matching, swap_rate, seed)` gives its `Moves`."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
from mpmath import gammainc

import mechanisms
from mechanisms import exact_law, replay
from mechanisms.fast.permutation_swapping import choice_record

ERROR = Fraction(1, 10**7)
"""The probability with which the exact law itself would fail a test of fit; the seeds are fixed."""

UNIVERSES = [
    ((1, 2), Fraction(1, 3)),
    ((2,), Fraction(9, 10)),
    ((3,), Fraction(1, 10)),
    ((3, 2), Fraction(1, 2)),
    ((4,), Fraction(1, 2)),
    ((4,), Fraction(99, 100)),
    ((5,), Fraction(1, 3)),
    ((5,), Fraction(1)),
    ((6,), Fraction(1)),
]
"""Sizes of strata and swap rates whose laws are compared."""


def fits(counts, law):
    """Whether draws fit a law by Pearson's chi-squared at `ERROR`: nothing outside its support, at least 5 expected."""
    draws = sum(counts.values())
    assert set(counts) <= {outcome for outcome, q in law.items() if q}, "an outcome of probability 0"
    assert draws * min(law.values()) >= 5
    statistic = sum((counts[outcome] - draws * q) ** 2 / (draws * q) for outcome, q in law.items())
    return gammainc((len(law) - 1) / 2, float(statistic) / 2, regularized=True) > ERROR if len(law) > 1 else True


@cache
def law_of_moves(sizes, swap_rate):
    """The exact law of the permutation of records that differ, by following every choice of the program."""
    rows = tuple((stratum, k, k) for stratum, k in stratum_labels(sizes))
    law = exact_law(mechanisms.permutation_swapping, rows, swap_rate=swap_rate)
    found = {}
    for order in permutations(range(len(rows))):
        output = mechanisms.saturated_table([(m, h, order[i]) for i, (m, h, _) in enumerate(rows)])
        if law[output]:
            found[order] = law[output]
    assert sum(found.values()) == 1
    return found


def stratum_labels(sizes):
    return [(stratum, k) for k, stratum in enumerate(s for s, size in enumerate(sizes) for _ in range(size))]


def check_law(draw, sizes, swap_rate, draws=20_000, seed=2026):
    """Copies of a small data set, each under labels of its own and their records mixed, are drawn at once."""
    size = sum(sizes)
    small = np.array([stratum for stratum, _ in stratum_labels(sizes)])
    matching = np.concatenate([small + len(sizes) * copy for copy in range(draws)])
    mixed = np.random.default_rng(seed).permutation(draws * size)  # where each record stands
    places = np.empty_like(mixed)
    places[mixed] = np.arange(draws * size)
    shown = np.empty_like(matching)
    shown[mixed] = matching
    moves = places[draw(shown, swap_rate, seed).permutation()[mixed]].reshape(draws, size)
    counts = Counter(map(tuple, (moves - size * np.arange(draws)[:, None]).tolist()))
    assert fits(counts, law_of_moves(sizes, swap_rate)), f"strata of {sizes} at {swap_rate}"


def check_independent_strata(draw, swap_rate=Fraction(1, 2), draws=6000, seed=7):
    """Two strata of three records, run by run: the law of both together is the product."""
    matching = np.array([0, 0, 0, 1, 1, 1])
    one = law_of_moves((3,), swap_rate)
    both = {(*a, *(k + 3 for k in b)): p * q for a, p in one.items() for b, q in one.items()}
    runs = (draw(matching, swap_rate, seed * draws + run).permutation().tolist() for run in range(draws))
    assert fits(Counter(map(tuple, runs)), both), "strata are not independent"


def check_moves(draw, matching, swap_rate, seed):
    """A permutation inside strata that never moves one record alone; everything at 1, nothing at 0."""
    moves = draw(matching, swap_rate, seed)
    sigma = moves.permutation()
    assert sorted(sigma.tolist()) == list(range(len(matching)))
    assert (matching[sigma] == matching).all()
    moved = Counter(matching[sigma != np.arange(len(matching))].tolist())
    assert sorted(moves.moved.tolist()) == np.flatnonzero(sigma != np.arange(len(matching))).tolist()
    assert 1 not in moved.values()
    if swap_rate == 1:
        assert moved == {m: n for m, n in Counter(matching.tolist()).items() if n > 1}
    if swap_rate == 0:
        assert not moved


def check_replay(draw, rows, swap_rate, seed):
    """The program makes the same moves on the same choices."""
    matching = np.array([m for m, _, _ in rows], dtype=np.int64)
    moves = draw(matching, swap_rate, seed)
    reference = replay(mechanisms.permutation_swapping, rows, choice_record(matching, moves), swap_rate=swap_rate)
    swapped = moves.apply(np.array([s for _, _, s in rows], dtype=np.int64)).tolist()
    assert mechanisms.saturated_table([(m, h, s) for (m, h, _), s in zip(rows, swapped, strict=True)]) == reference
