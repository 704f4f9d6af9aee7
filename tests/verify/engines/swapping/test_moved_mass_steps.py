"""The steps of the proof in `moved_mass` on every permutation of small tables, and the bounds that they give."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import comb, factorial, floor, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import open_probabilities
from two_rows import TABLES, UNIVERSES, counts_by_row, moved, producing

from stirred.mechanisms.permutation_counts import derangements
from stirred.spec.permutation_swapping import odds
from stirred.verify.engines.swapping.moved_mass import concentrated_certificate


def is_removable(held, g, v):
    before = g.index(v)
    return before != v and held[before][0] == held[v][0] and g[v] != before


def without(g, v):
    taken = list(g)
    taken[g.index(v)], taken[v] = g[v], v
    return tuple(taken)


def orbits(held, group, i, j):
    """Base → its members; the base has i and j taken out where they are removable."""
    found = defaultdict(list)
    for g in group:
        base = g
        for v in (i, j):
            if is_removable(held, base, v):
                base = without(base, v)
        found[base].append(g)
    return found


def cases(rows, columns):
    for held, group, i, j in producing(rows, columns):
        yield held, orbits(held, group, i, j), i, j


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
                        if kind == (True, True):
                            below = (far - b) * (b - 1) * pairs[a, b - 1]
                            twice = (far - b + 1) * (far - b) * pairs[a, b - 2]
                            assert (b - a) * pairs[a, b] <= below + twice
                    assert pairs[2, a] >= comb(near - 1, 2) * pairs[0, a]


@pytest.mark.parametrize(("x", "z"), TABLES)
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
        o * (total - b) * (b - 1) / ((k - 1) * (b - a)),
        o**2 * (total - b + 1) * (total - b) / ((k - 1) * (k - 2) * (b - a)),
    )


@given(st.integers(100, 5000), open_probabilities)
def test_the_rates_of_a_certificate_bound_a_and_b_of_step_2_everywhere(total, p):
    found, o = concentrated_certificate(total, p), odds(p)
    if found is not None:
        rates = Fraction(found.an, found.u), Fraction(found.bn, found.u)
        ratio, t = Fraction(found.d2, found.d), Fraction(found.tn, found.u)
        assert rates[0] * t + rates[1] <= t * t < 1
        for b in sorted({*range(found.s + 1, min(found.s + 20, total) + 1), total}):
            for a in {0, 1, floor(ratio * b) // 2, floor(ratio * b)} if b > found.s else ():
                assert all(one <= rate for one, rate in zip(step_2(total, a, b, o), rates, strict=True))
