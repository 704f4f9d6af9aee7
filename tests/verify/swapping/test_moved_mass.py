"""The steps of the proof in `verify.swapping.moved_mass` on every permutation of small tables, and its certificates."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial, perm, prod

import pytest

from mechanisms.permutation_counts import derangements
from spec.arguments import InputError
from spec.loss import Loss
from spec.permutation_swapping import psa_budget
from spec.tables import contingency_tables
from verify.swapping.loss import universe_loss
from verify.swapping.moved_mass import balanced_budget, concentrated_budget

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


def test_concentration_roughly_halves_the_printed_budget_in_large_strata():
    for p in (Fraction(1, 100), Fraction(1, 20), Fraction(1, 10), Fraction(1, 2)):
        printed = psa_budget(264_331, p)
        found = concentrated_budget(264_331, p)
        assert found is not None
        assert found < Loss(printed.gamma**11, 20)  # 55 per cent
        assert not found < printed.over(2)


def test_balanced_categories_have_a_budget_that_does_not_grow():
    budgets = [balanced_budget(n, n, Fraction(1, 2)) for n in (60_000, 600_000, 6_000_000)]
    assert None not in budgets
    assert budgets == sorted(budgets, reverse=True)
    assert budgets[-1] >= Loss(3)  # the limit of the exact loss is ln 3


@pytest.mark.parametrize("margins", [(2, 131), (3, 130), (1, 310)])
def test_certificates_do_not_undercut_exact_losses(margins):
    """Universes with a small category on both sides have nearly the largest losses of their size."""
    found = concentrated_budget(sum(margins), Fraction(1, 2))
    assert found is not None
    exact = universe_loss(margins, margins, Fraction(1, 2))
    assert found >= exact
    assert Loss(found.gamma**5, found.distance * 6) < exact  # a certificate that is a sixth too small would be seen


def single_record_loss(row, size, p):
    """The loss with a single record in one column, both row totals `row` (psa.exact.single-record)."""
    moves = p * (1 - (1 - p) ** (size - 1)) / (1 - size * p * (1 - p) ** (size - 1))
    comes = moves * Fraction(row, size - 1)
    stays = moves * Fraction(row - 1, size - 1) + 1 - moves
    return Loss(max(comes / stays, stays / comes), 2)


def test_the_loss_of_a_single_record_is_the_exact_one():
    assert single_record_loss(5, 10, Fraction(1, 3)) == universe_loss((5, 5), (1, 9), Fraction(1, 3))


@pytest.mark.parametrize(("half", "p"), [(500, Fraction(9, 10)), (800, Fraction(3, 4)), (10_000, Fraction(1, 2))])
def test_balanced_certificates_do_not_undercut_exact_losses(half, p):
    found = balanced_budget(half, half, p)
    assert found is not None
    assert found >= single_record_loss(half, 2 * half, p)


def test_no_certificate_where_the_categories_are_too_unequal():
    assert balanced_budget(1_000, 1_000_000, Fraction(1, 20)) is None
    assert concentrated_budget(10, Fraction(1, 100)) is None


@pytest.mark.parametrize("p", [0, 1, 0.5])
def test_swap_rates_without_a_finite_or_exact_budget_are_refused(p):
    with pytest.raises(InputError, match="swap_rate must be"):
        concentrated_budget(1000, p)


def test_totals_below_two_are_refused():
    with pytest.raises(InputError, match="first must be at least 2; got 1"):
        balanced_budget(1, 10, Fraction(1, 2))
