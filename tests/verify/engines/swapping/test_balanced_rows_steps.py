"""The steps of the proof in `balanced_rows` on every permutation of small tables, and by counting in larger ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from two_rows import TABLES, UNIVERSES, counts_by_row, moved, producing

from stirred.mechanisms.permutation_counts import derangements
from stirred.verify.engines.swapping.balanced_rows import (
    _Chains,
)


def mass(k, o):
    """w(k)."""
    return o**k / Fraction(derangements(k)) if k != 1 else Fraction(0)


def excess(k, others, o):
    """X(k)."""
    return mass(k, o) + k * mass(k + 1, o) + (others - k) * mass(k + 2, o)


def in_x(g):
    return sum(token != place for place, token in enumerate(g))


def in_exchanged(g, i, j):
    return in_x(g) + (g[i] == i) - (g[i] == j) + (g[j] == j) - (g[j] == i)


def orbits(held, group, i, j):
    """The base, with those of i and j that are at home put back into their places, and which are → the members."""
    found = defaultdict(list)
    for g in group:
        base = list(g)
        at_home = [held[g.index(v)][0] == held[v][0] for v in (i, j)]
        for v, is_home in zip((i, j), at_home, strict=True):
            if is_home:
                before = base.index(v)
                base[before], base[v] = base[v], v
        found[tuple(base), *at_home].append(g)
    return found


@pytest.mark.parametrize(("rows", "columns"), [*UNIVERSES, ((2, 2, 2), (2, 2, 2)), ((2, 1, 1, 2), (3, 3))])
@pytest.mark.parametrize("o", [Fraction(1, 3), Fraction(2)])
def test_orbits_have_the_masses_of_steps_1_and_8(rows, columns, o):
    others = sum(rows) - 2
    for held, group, i, j in producing(rows, columns):
        for (base, *at_home), members in orbits(held, group, i, j).items():
            here = sum(mass(in_x(g), o) for g in members)
            there = sum(mass(in_exchanged(g, i, j), o) for g in members)
            assert len(members) == (rows[0] if at_home[0] else 1) * (rows[1] if at_home[1] else 1)
            a, b, k = moved(held, base, 0), moved(held, base, 1), in_x(base)
            if all(at_home):
                assert here - there <= excess(k, others, o)
                assert there >= (1 + a) * (1 + b) * mass(k + 2, o)
            elif any(at_home):
                home, away, few = (i, j, a) if at_home[0] else (j, i, b)
                if held[base.index(away)][0] == held[home][0]:
                    assert here == there
                else:
                    assert len(rows) > 2
                    assert here - there <= mass(k, o)
                    assert there >= (1 + few) * mass(k + 1, o)
            else:
                assert 0 <= in_x(members[0]) - in_exchanged(members[0], i, j) <= 2


def transfer_holds(count, m1, m2):
    return all(
        a * (m1 - a) * b * (b + 2) * count[a, b + 2] <= (a + 1) * (m2 - b - 1) * (b + 1) ** 2 * count[a + 1, b + 1]
        for b in range(1, m2 + 1)
        for a in range(1, min(b + 1, m1) + 1)
    )


def exchanged(count):
    return Counter({(b, a): ways for (a, b), ways in count.items()})


@pytest.mark.parametrize(("rows", "columns"), UNIVERSES)
def test_transfers_obey_the_inequality_of_step_2(rows, columns):
    m1, m2 = rows[0] - 1, rows[1] - 1
    for held, group, i, j in producing(rows, columns):
        bases = [g for g in group if (g[i], g[j]) == (i, j)]
        count = Counter((moved(held, g, 0), moved(held, g, 1)) for g in bases)
        assert transfer_holds(count, m1, m2)
        assert transfer_holds(exchanged(count), m2, m1)


@pytest.mark.parametrize(("x", "z"), TABLES)
def test_transfers_obey_the_inequality_of_step_2_by_counting_in_larger_tables(x, z):
    """Bases are the permutations of the other records: here those are all of x."""
    count, (m1, m2) = counts_by_row(x, z), map(sum, x)
    assert transfer_holds(count, m1, m2)
    assert transfer_holds(exchanged(count), m2, m1)


def is_near(a, b, few, chains):
    return a >= 1 and chains.o * (few - a - chains.span) * chains.growth >= (chains.growth + 1) * (
        a + chains.span + b + chains.spare
    )


def is_far(a, b, few, many, chains):
    a, b = a + chains.span, b - chains.span
    return a > chains.span and a <= b and (few - a) * chains.growth >= (chains.growth + 1) * (many - b + 1)


@pytest.mark.parametrize(("x", "z"), TABLES)
@pytest.mark.parametrize("o", [Fraction(1), Fraction(9)])
@pytest.mark.parametrize(("growth", "span"), [(1, 1), (1, 3), (4, 2)])
def test_near_and_far_points_have_little_mass(x, z, o, growth, span):
    """Step 3, where X(k) = w(k) + … for the bases and where it is w(k+2) for records that are not at home."""
    m = tuple(map(sum, x))
    chains = _Chains(o, growth, span, max(5, o))
    for count, (m1, m2) in ((counts_by_row(x, z), m), (exchanged(counts_by_row(x, z)), m[::-1])):
        share = 2 * m1 * Fraction(growth, growth + 1) ** span
        for weight in (lambda k: excess(k, sum(m), o), lambda k: mass(k + 2, o)):
            for a in range(1, m1 + 1):
                for b in range(m2 + 1):
                    here = count[a, b] * weight(a + b)
                    if is_near(a, b, m1, chains):
                        assert here <= share * count[a + span, b] * weight(a + span + b)
                    if is_far(a, b, m1, m2, chains):
                        assert here <= share * count[a + span, b - span] * weight(a + b)
            edge = 2 * Fraction(m2 + chains.spare + 1) ** 2 / (o * o * m1 * (m1 - 1))
            assert all(count[0, b] * weight(b) <= edge * count[2, b] * weight(b + 2) for b in range(m2 + 1) if b != 1)


@given(
    st.integers(20, 90), st.integers(20, 90), st.integers(1, 9), st.integers(0, 3), st.sampled_from(["1/2", 1, 3, 9])
)
def test_the_other_points_are_balanced(m1, m2, growth, span, o):
    """Step 4, for a ≤ b; and a₀ is the largest such number but for a few, where no chain has a step."""
    chains = _Chains(Fraction(o), growth, span, 5)
    least = chains.least_moved(m1, m2)
    if least < 3:
        return
    ratio = chains.ratio(m1, m2, least)
    for a in range(1, m1 + 1):
        for b in range(a, m2 + 1):
            if not is_near(a, b, m1, chains) and not is_far(a, b, m1, m2, chains):
                assert a >= least
                assert b <= ratio * a
