"""Exact draws of counts, and the PSA on counts, against exact laws."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest
from conformance.array_swapping import fits, serving

from stirred.mechanisms import psa_law
from stirred.mechanisms.fast import swap_counts as module
from stirred.mechanisms.fast.random_words import keyed_words, random_words
from stirred.mechanisms.fast.swap_counts import (
    _passed,
    binomial,
    counts_are_cheaper,
    happens,
    hypergeometric,
    multivariate_hypergeometric,
    no_fixed_point,
    swap_counts,
    swap_stratum_counts,
)
from stirred.mechanisms.swapping.permutation_counts import derangements
from stirred.spec import InputError

DRAWS = 4000
LAWS = [
    (
        lambda words: binomial(5, Fraction(1, 3), words),
        {x: Fraction(comb(5, x) * 2 ** (5 - x), 3**5) for x in range(6)},
    ),
    (
        lambda words: hypergeometric(4, 3, 5, words),
        {x: Fraction(comb(4, x) * comb(3, 5 - x), comb(7, 5)) for x in range(2, 5)},
    ),
    (
        lambda words: tuple(multivariate_hypergeometric((2, 3, 1), 3, words)),
        {
            t: Fraction(prod(map(comb, (2, 3, 1), t)), comb(6, 3))
            for t in product(range(3), range(4), range(2))
            if sum(t) == 3
        },
    ),
    (lambda words: happens(lambda k: (2**k // 3, 1), words), {True: Fraction(1, 3), False: Fraction(2, 3)}),
]


@pytest.mark.parametrize(("draw", "law"), LAWS, ids=["binomial", "hypergeometric", "multivariate", "happens"])
def test_small_draws_fit_their_exact_law(draw, law):
    words = random_words(1)
    assert sum(law.values()) == 1
    assert fits(Counter(draw(words) for _ in range(DRAWS)), law)


def first_words(value):
    """Words whose 128 digits begin the uniform real value/2^128, and then no more."""
    return serving(np.array([value >> 64, value % 2**64], dtype=np.uint64))


@pytest.mark.parametrize("n", [3, 40, 401, 2000])
def test_every_threshold_is_where_the_exact_distribution_has_it(n):
    """Walking out from the mode, u just below a partial sum gives its last value and just above it the next one."""
    p, draws = Fraction(2, 7), {x: Fraction(comb(n, x) * 2**x * 5 ** (n - x), 7**n) for x in range(n + 1)}
    mode = (n + 1) * 2 // 7
    order = [mode]
    for step in range(1, n + 1):
        order += [x for x in (mode + step, mode - step) if 0 <= x <= n]
    assert draws[mode] == max(draws.values())
    total = Fraction(0)
    for value, following in list(pairwise(order))[:40]:
        total += draws[value]
        edge = int(total * 2**128)
        if draws[value] * 2**100 < 1 or draws[following] * 2**100 < 1:
            break
        assert binomial(n, p, first_words(edge - 2**20)) == value
        assert binomial(n, p, first_words(edge + 2**20)) == following


@pytest.mark.parametrize(("further", "expected"), [(0, 1), (7 << 61, 2)])
def test_digits_that_do_not_decide_are_followed_by_more(further, expected):
    # of three at 1/3, P(1) = 4/9, of which 7/9 of a unit of 2^-128 are left behind the first 128 digits
    edge, left = divmod(2**128 * 4, 9)
    assert left == 7
    words = serving(*(np.array(pair, dtype=np.uint64) for pair in ([edge >> 64, edge % 2**64], [further, 0])))
    assert binomial(3, Fraction(1, 3), words) == expected
    assert _passed(1, (0, 3), (edge, 1), lambda x: (3 - x, (x + 1) * 2), edge) is None


def test_large_draws_have_the_mean_and_the_spread_of_their_law():
    """10 million records: mean 5·10^6 and deviation 1581; the mean of 200 within 5 of its own deviations."""
    words = keyed_words(bytes(32), b"test")
    drawn = [binomial(10**7, Fraction(1, 2), words) for _ in range(200)]
    assert abs(np.mean(drawn) - 5 * 10**6) < 5 * 1581 / 200**0.5
    assert 0.7 < np.std(drawn) / 1581 < 1.3
    drawn = [hypergeometric(10**7, 10**7, 10**7, words) for _ in range(200)]
    assert abs(np.mean(drawn) - 5 * 10**6) < 5 * 1118 / 200**0.5
    assert 0.7 < np.std(drawn) / 1118 < 1.3


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_the_share_without_a_fixed_point_is_enclosed(count):
    for both in range(count + 1):
        exact = sum(Fraction((-1) ** j * comb(both, j), prod(range(count - j + 1, count + 1))) for j in range(both + 1))
        for digits in (8, 64, 200):
            low, width = no_fixed_point(both, count, digits)
            assert low <= exact * 2**digits <= low + width
            assert width <= 4 * min(both + 1, digits + 2)
    assert Fraction(derangements(count), prod(range(1, count + 1))) == exact


TABLES = [
    (((1, 0), (0, 1)), Fraction(1, 2)),
    (((2, 1), (0, 2)), Fraction(1, 3)),
    (((2, 1), (1, 1)), Fraction(1)),
    (((1, 1, 1), (2, 0, 1)), Fraction(2, 3)),
    (((3,), (2,)), Fraction(1, 2)),
]


def check_law(swap, table, p):
    law = {z: q for z, q in psa_law(table, p).items() if q}
    counts = {(h, s): n for h, row in enumerate(table) for s, n in enumerate(row) if n}
    words = random_words(2026)
    draws = Counter()
    for _ in range(6000):
        z = swap(counts, p, words)
        assert sum(z.values()) == sum(counts.values())
        draws[tuple(tuple(z.get((h, s), 0) for s in range(len(table[0]))) for h in range(len(table)))] += 1
    assert fits(draws, law)


@pytest.mark.parametrize(("table", "p"), TABLES, ids=str)
def test_counts_have_the_exact_law_of_the_program(table, p):
    check_law(swap_stratum_counts, table, p)


MUTANTS = {
    "always some are selected": ("    while selected == 1:", "    while selected <= 1 < size:"),
    "fixed points kept": ("if both and not happens(", "if both > count and not happens("),
    "receivers receive again": ("left[place] -= number", "left[place] -= 0"),
    "what was selected stays": ("cell: n - k for cell, n, k in", "cell: n for cell, n, k in"),
}


@pytest.mark.nightly
@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_change_of_the_law_is_caught(mutant):
    source = Path(module.__file__).read_text()
    old, new = MUTANTS[mutant]
    assert source.count(old) == 1
    changed = {"__name__": module.__name__}
    exec(compile(source.replace(old, new), module.__file__, "exec"), changed)  # noqa: S102 the program's own source

    def check_all():
        for table, p in TABLES:
            check_law(changed["swap_stratum_counts"], table, p)

    with pytest.raises((AssertionError, InputError)):
        check_all()


@pytest.mark.parametrize("force", [True, False])
def test_counted_and_expanded_strata_keep_their_margins(force, monkeypatch):
    monkeypatch.setattr(module, "counts_are_cheaper", lambda counts, values: force)
    cells = np.array([[m, h, s, 1 + (m + h * s) % 4] for m in range(3) for h in range(3) for s in range(2)]).T
    found = np.stack(swap_counts(tuple(cells), Fraction(1, 2), random_words(5)))
    assert (found[3] > 0).all()
    assert (np.lexsort(found[2::-1]) == np.arange(found.shape[1])).all()
    assert not np.array_equal(found, cells)
    for side in ([0, 1], [0, 2]):
        margins = [Counter() for _ in range(2)]
        for margin, rows in zip(margins, (cells, found), strict=True):
            for row in rows.T.tolist():
                margin[tuple(row[i] for i in side)] += row[3]
        assert margins[0] == margins[1]


def test_a_cell_of_ten_million_equal_records_is_not_expanded():
    assert counts_are_cheaper(np.array([10**7, 10**7, 5]), 2)
    assert not counts_are_cheaper(np.array([10, 10, 5]), 2)
    cells = tuple(map(np.array, ([0, 0], [0, 1], [0, 1], [10**12, 10**12])))
    found = swap_counts(cells, Fraction(1, 10), random_words(3))
    assert int(found[3].sum()) == 2 * 10**12
    assert 9 * 10**10 < 2 * int(found[3][1]) < 11 * 10**10  # a tenth is moved, half of it to the other value
