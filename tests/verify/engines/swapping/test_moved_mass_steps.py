"""The steps of the proof in `moved_mass` on every permutation of small tables, and the bounds that they give."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations, product
from math import ceil, comb, factorial, floor, perm, prod

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import open_probabilities

from mechanisms.permutation_counts import derangements
from spec.permutation_swapping import odds
from spec.tables import contingency_tables
from verify.engines.swapping.moved_mass import (
    _ascent,
    _descent,
    _one_side,
)

UNIVERSES = [((2, 3), (2, 3)), ((3, 3), (3, 3)), ((2, 4), (2, 2, 2)), ((1, 5), (3, 3))]


def records(table):
    return [(h, s) for h, row in enumerate(table) for s, count in enumerate(row) for _ in range(count)]


def output(held, g, shape):
    cells = [[0] * shape[1] for _ in range(shape[0])]
    for place, token in enumerate(g):
        cells[held[place][0]][held[token][1]] += 1
    return tuple(map(tuple, cells))


def is_removable(held, g, v):
    before = g.index(v)
    return before != v and held[before][0] == held[v][0] and g[v] != before


def without(g, v):
    taken = list(g)
    taken[g.index(v)], taken[v] = g[v], v
    return tuple(taken)


def moved(held, g, row):
    return sum(token != place and held[place][0] == row for place, token in enumerate(g))


def orbits(held, producing, i, j):
    """Base → its members; the base has i and j taken out where they are removable."""
    found = defaultdict(list)
    for g in producing:
        base = g
        for v in (i, j):
            if is_removable(held, base, v):
                base = without(base, v)
        found[base].append(g)
    return found


def cases(rows, columns):
    for x in contingency_tables(rows, columns):
        held = records(x)
        by_output = defaultdict(list)
        for g in permutations(range(len(held))):
            by_output[output(held, g, (2, len(columns)))].append(g)
        for i, (h, s) in enumerate(held):
            for j, (other_h, other_s) in enumerate(held):
                if (h, other_h) == (0, 1) and s != other_s:
                    for producing in by_output.values():
                        yield held, orbits(held, producing, i, j), i, j


@pytest.mark.parametrize(("rows", "columns"), UNIVERSES)
def test_orbits_have_the_masses_of_step_1(rows, columns):
    for held, found, i, j in cases(rows, columns):
        for base, members in found.items():
            a, b = moved(held, base, 0), moved(held, base, 1)
            k = a + b
            here = Counter(sum(t != p for p, t in enumerate(g)) for g in members)
            there = Counter(
                sum(t != p for p, t in enumerate(g)) - (g[i] == j) - (g[j] == i) + (g[i] == i) + (g[j] == j)
                for g in members
            )
            if base[i] == i and base[j] == j:
                assert here == Counter({k: 1}) + Counter({k + 1: k}) + Counter({k + 2: a * b})
                assert there == Counter({k + 2: (1 + a) * (1 + b)})
            elif base[i] == i or base[j] == j:
                inserted = a if base[i] == i else b
                assert here == Counter({k: 1}) + Counter({k + 1: inserted})
                assert set(there) <= {k, k + 1}
                assert there[k] <= 1
                assert there.total() == 1 + inserted
            else:
                (before,), (after,) = here, there
                assert here[before] == there[after] == 1
                assert 0 <= before - after <= 2


@pytest.mark.parametrize(("rows", "columns"), UNIVERSES)
def test_counts_of_bases_obey_the_inequalities_of_step_2(rows, columns):
    for held, found, i, j in cases(rows, columns):
        for kind in ((True, True), (True, False), (False, True)):
            bases = [g for g in found if (g[i] == i, g[j] == j) == kind]
            count = Counter((moved(held, g, 0), moved(held, g, 1)) for g in bases)
            sides = [(0, rows[0], rows[1])] * kind[0] + [(1, rows[1], rows[0])] * kind[1]
            for side, near, far in sides:
                pairs = Counter({(k[side], k[1 - side]): c for k, c in count.items()})
                for a in range(near + 1):
                    for b in range(far + 1):
                        assert (a + 1) * pairs[a + 1, b] >= a * (near - 1 - a) * pairs[a, b]
                        below = (far - b + 1) * (b - 1) * pairs[a, b - 1]
                        twice = (far - b + 2) * (far - b + 1) * pairs[a, b - 2]
                        assert (b - a - 2) * pairs[a, b] <= below + twice
                    assert pairs[2, a] >= comb(near - 1, 2) * pairs[0, a]


def counts_by_row(x, z):
    """C(a, b): the permutations that turn x into z and move a records of row 1 and b of row 2, by counting."""
    rows, columns = [sum(row) for row in x], [sum(column) for column in zip(*x, strict=True)]
    kept = Counter()
    for f in product(*(range(min(p, q) + 1) for xs, zs in zip(x, z, strict=True) for p, q in zip(xs, zs, strict=True))):
        ways = prod(comb(p, k) * perm(q, k) for p, q, k in zip((*x[0], *x[1]), (*z[0], *z[1]), f, strict=True))
        fixed = f[0] + f[1], f[2] + f[3]
        used = f[0] + f[2], f[1] + f[3]
        kept[fixed] += ways * prod(factorial(m - k) for m, k in zip((*rows, *columns), (*fixed, *used), strict=True))
    cells = prod(factorial(cell) for row in z for cell in row)
    return Counter(
        {
            (rows[0] - g, rows[1] - h): sum(
                (-1) ** (i + j + g + h) * comb(i, g) * comb(j, h) * ways for (i, j), ways in kept.items()
            )
            // cells
            for g in range(rows[0] + 1)
            for h in range(rows[1] + 1)
        }
    )


@pytest.mark.parametrize(
    ("x", "z"),
    [
        (((8, 0), (0, 8)), ((8, 0), (0, 8))),
        (((3, 5), (5, 3)), ((4, 4), (4, 4))),
        (((4, 1), (6, 9)), ((3, 2), (7, 8))),
        (((2, 0), (8, 12)), ((2, 0), (8, 12))),
        (((1, 4), (14, 1)), ((4, 1), (11, 4))),
        (((7, 1), (0, 14)), ((7, 1), (0, 14))),
    ],
)
def test_the_inequalities_of_step_2_hold_by_counting_in_larger_tables(x, z):
    """Bases with i and j fixed are the permutations of the other records: here those are all of x."""
    counts = counts_by_row(x, z)
    totals = [sum(row) for row in x]
    assert counts.total() == prod(factorial(sum(r)) for r in x) * prod(
        map(factorial, map(sum, zip(*x, strict=True)))
    ) // prod(factorial(cell) for row in z for cell in row)
    for side in (0, 1):
        near, far = totals[side], totals[1 - side]
        pairs = Counter({(k[side], k[1 - side]): c for k, c in counts.items()})
        for a in range(near + 1):
            for b in range(far + 1):
                assert (a + 1) * pairs[a + 1, b] >= a * (near - a) * pairs[a, b]
                below = (far - b + 1) * (b - 1) * pairs[a, b - 1]
                assert (b - a) * pairs[a, b] <= below + (far - b + 2) * (far - b + 1) * pairs[a, b - 2]
        assert all(pairs[2, b] >= comb(near, 2) * pairs[0, b] for b in range(far + 1))


def test_derangement_quotients_lie_between_the_bounds_of_the_proof():
    quotients = [Fraction(derangements(k + 1), derangements(k)) for k in range(2, 60)]
    for k, quotient in enumerate(quotients, start=2):
        assert k <= quotient <= k + Fraction(3, 2)
    assert quotients == sorted(quotients)


def step_2(total, a, b, o):
    """A and B of step 2, with total for n₂."""
    k = a + b
    return (
        o * (total - b + 1) * (b - 1) / ((k - 1) * (b - a - 2)),
        o**2 * (total - b + 2) ** 2 / ((k - 1) * (k - 2) * (b - a - 2)),
    )


@given(st.integers(100, 5000), st.integers(1, 19), st.integers(1, 12), open_probabilities)
def test_the_descent_bounds_a_plus_b_of_step_2_everywhere(total, place, sixteenths, p):
    o, ratio = odds(p), Fraction(sixteenths, 16)
    start = floor(total * (p + (1 - p) * Fraction(place, 20)))  # below p·n₂ the masses rise
    theta = _descent(total, start, ratio, o)
    if theta is not None:
        for b in sorted({*range(start + 1, min(start + 20, total) + 1), total}):
            for a in {0, 1, floor(ratio * b) // 2, floor(ratio * b)}:
                assert sum(step_2(total, a, b, o)) <= theta < 1


def test_a_bound_of_one_side_needs_room_between_the_levels():
    """e₁ = 1/2 and e₃ = 1, so that smallest·(1/e₁ − e₃) is `smallest` = ⌈2·harmless/3⌉, which must be 9 at least."""
    sides = (10**6, 10**3), Fraction(1, 3), Fraction(1, 2), Fraction(1)
    assert [_one_side(*sides, harmless) is None for harmless in (0, 1, 12, 13, 14)] == [True, True, True, False, False]


@pytest.mark.parametrize("few", [100, 130, 150, 170, 171])
def test_the_ascent_is_none_where_a_step_gains_nothing(few):
    """At b = 100 the step to T = 33 gains (few − 34)/137, which is 1 for 171."""
    assert _ascent(few, 100, 100, (Fraction(1, 8), Fraction(1, 4)), Fraction(1)) is None


@pytest.mark.parametrize("o", [131, 200])
@pytest.mark.parametrize("few", [800, 2_000, 10**6])
def test_the_ascent_alone_bounds_a_side_where_the_masses_never_fall(few, o):
    """The turn is at many = 1000 for o = 131, e₂ = 3/4 and the first delay, 1/300, and beyond it for o = 200."""
    risen = _ascent(few, 9, 1000, (Fraction(3, 4), Fraction(1)), Fraction(o))
    assert (risen is None) == (few == 800)
    found = _one_side((few, 1000), Fraction(1, 3), Fraction(1, 2), Fraction(o), 13)
    assert found == (None if risen is None else risen[0])


def test_the_descent_is_none_where_it_has_no_meaning():
    """Where slack is 0 or less, where the masses do not fall (θ = 1), where b is small."""
    sizes = [(total, start) for total in range(5, 12) for start in range(4, total + 1)]
    for (total, start), quarters, o in product(sizes, range(5), (Fraction(1, 4), Fraction(1), Fraction(3))):
        ratio = Fraction(quarters, 4)
        slack = (1 - ratio) * start - 2
        expected = None
        if slack > 0 and start >= 6:
            theta = o * (total - start + 1) / ((1 + ratio) * slack)
            theta += (o * (total - start + 2)) ** 2 / ((start - 1) * (start - 2) * slack)
            expected = theta if theta < 1 else None
        assert _descent(total, start, ratio, o) == expected
    assert _descent(9, 10, Fraction(3, 5), Fraction(12)) is None  # θ = 12²/(9·8·2)


def test_the_descent_closes_above_the_swap_rate_only():
    assert _descent(1000, 700, Fraction(1, 4), Fraction(1)) is not None
    assert _descent(1000, 400, Fraction(1, 4), Fraction(1)) is None


@pytest.mark.parametrize(("p", "few", "smallest"), [("1/2", 60_000, 40), ("1/2", 4_000, 300), ("1/5", 90_000, 400)])
@pytest.mark.parametrize("levels", [("1/8", "3/16"), ("1/4", "1/3"), ("1/40", "1/20")])
@pytest.mark.parametrize("reach", [0, 1, 150])
def test_the_ascent_bounds_the_largest_masses_that_step_2_allows(p, few, smallest, levels, reach):
    """With equality in every inequality of step 2 the mass at small a is as large as it can be."""
    o, (e2, e3) = odds(Fraction(p)), map(Fraction, levels)
    largest = smallest + reach
    found = _ascent(few, smallest, largest, (e2, e3), o)
    if found is None:
        return
    over_all, at_end = found
    for b in sorted({*range(smallest, largest + 1, 7), max(smallest, largest - 1), largest}):
        top = ceil(e3 * b) + 8
        masses = {top: mpmath.mpf(1)}
        for a in range(top - 1, 0, -1):
            gain = o * (few - 1 - a) / (a + b + 4) * Fraction(a, a + 1)
            masses[a] = masses[a + 1] * gain.denominator / gain.numerator
        from_zero = o * o * (few - 1) * (few - 2) / (2 * Fraction(b + 4) ** 2)
        masses[0] = masses[2] * from_zero.denominator / from_zero.numerator
        few_moved = mpmath.fsum(mass for a, mass in masses.items() if a <= e2 * b + 1)
        bound = at_end if b >= largest - 1 else over_all
        assert few_moved <= (mpmath.mpf(bound.numerator) / bound.denominator) * (1 + mpmath.mpf(10) ** -10)
