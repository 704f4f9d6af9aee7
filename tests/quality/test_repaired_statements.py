"""Statements that repair printed ones, again by code of its own, on cases that the ledger does not have.

Nothing of the engines or of the claims' words is used here: only exact fractions and enumeration.
"""

import random
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, pairwise, permutations, product

import pytest

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import claim

GRADES = {
    "privatised.density.larger": "false",
    "survey.sampling.systematic": "incomplete",
    "swapping.released-tables.edits": "incomplete",
    "optimal.region": "incomplete",
    "pairwise.tables.target-rows.printed": "misprint",
    "pairwise.tiers.shares": "false",
}


@pytest.mark.parametrize("claim_id", GRADES)
def test_a_printed_statement_that_lacks_something_is_refuted_with_a_case(claim_id, checked):
    record = checked(claim_id)
    assert record.verdict is Verdict.REFUTED
    assert record.claim.grade.word == GRADES[claim_id]
    assert record.witness is not None


REPAIRS = {
    "privatised.density.larger.never": "privatised.density.larger",
    "survey.sampling.systematic.regions": "survey.sampling.systematic",
    "swapping.released-tables.edits.repaired": "swapping.released-tables.edits",
    "optimal.region.may": "optimal.region",
    "pairwise.tables.target-rows": "pairwise.tables.target-rows.printed",
}


@pytest.mark.parametrize("claim_id", REPAIRS)
def test_the_repair_stands_beside_it_and_holds(claim_id, checked):
    assert claim(claim_id).repairs == REPAIRS[claim_id]
    assert checked(claim_id).verdict is Verdict.EXHAUSTED


def chance(seed):
    return random.Random(seed)  # noqa: S311 cases, not secrets


# T_0 is the same for every S between supp(x | t_0, theta) and its component


def models(seed):
    """A mechanism whose laws have one support in each component, and a model with data sets of probability 0."""
    source = chance(seed)
    component = [source.randint(0, 2) for _ in range(5)]
    supports = [source.sample(range(4), source.randint(1, 4)) for _ in range(3)]
    can = [set(supports[part]) for part in component]
    plausible = {x for x in range(5) if source.random() < 2 / 3} or {0}
    return component, can, plausible


@pytest.mark.parametrize("seed", range(60))
def test_no_support_between_gains_an_outcome(seed):
    component, can, plausible = models(seed)
    outcomes = set().union(*can)
    given = {t: {x for x in plausible if t in can[x]} for t in outcomes}
    for t0 in outcomes:
        start = given[t0]
        if not start or len({component[x] for x in start}) > 1:
            continue
        others = [x for x in range(5) if component[x] in {component[y] for y in start} and x not in start]
        t_0 = {t for t in outcomes if given[t] <= start}
        for more in chain.from_iterable(combinations(others, size) for size in range(len(others) + 1)):
            assert {t for t in outcomes if given[t] <= start | set(more)} == t_0


# the most powerful regions of the Laplace mechanism, by intervals of half a unit where gamma is a square


def tail(q, t, root):
    """P(T > t) for a true count q and t in halves, gamma = root**2."""
    halves = int(2 * (t - q))
    return Fraction(root) ** -halves / 2 if halves >= 0 else 1 - Fraction(root) ** halves / 2


def best_regions(n, t, root):
    """The unions of half units that have the largest power of those of at most the size of {T > t}, and this one."""
    ends = [Fraction(k, 2) for k in range(-2, 2 * n + 3)]
    cuts = [[Fraction(1), *(tail(q, end, root) for end in ends), Fraction(0)] for q in (0, n)]
    size, power = ([a - b for a, b in pairwise(cut)] for cut in cuts)
    wanted = frozenset(j for j, end in enumerate([min(ends) - 1, *ends]) if end >= t)
    level = sum(size[j] for j in wanted)
    found = {}
    for r in chain.from_iterable(combinations(range(len(size)), k) for k in range(len(size) + 1)):
        if sum(size[j] for j in r) <= level:
            found.setdefault(sum(power[j] for j in r), set()).add(frozenset(r))
    return found[max(found)], wanted, level, max(found)


@pytest.mark.parametrize(("n", "root"), [(1, 2), (1, Fraction(3, 2)), (2, 2), (2, Fraction(5, 4))])
def test_inside_the_two_levels_the_region_is_one(n, root):
    for halves in range(2 * n + 1):
        best, wanted, level, _ = best_regions(n, Fraction(halves, 2), root)
        assert Fraction(root) ** (-2 * n) / 2 <= level <= Fraction(1, 2)
        assert best == {wanted}


@pytest.mark.parametrize(
    ("n", "t"), [(1, Fraction(-1, 2)), (2, Fraction(-1, 2)), (1, Fraction(3, 2)), (2, Fraction(5, 2))]
)
def test_outside_them_there_is_another(n, t):
    best, wanted, level, power = best_regions(n, t, 2)
    assert wanted in best
    assert len(best) > 1
    assert power == (level * 4**n if t > 0 else 1 - (1 - level) / Fraction(4**n))


def test_two_regions_of_size_3_4_have_the_power_7_8():
    """n = 1, e^epsilon = 2: {T > -1}, and {T <= -1} with {T > 0}."""

    def above(q, t):
        return Fraction(1, 2 ** (t - q)) / 2 if t >= q else 1 - Fraction(1, 2 ** (q - t)) / 2

    one, other = ([above(q, -1), 1 - above(q, -1) + above(q, 0)] for q in (0, 1))
    assert one == [Fraction(3, 4)] * 2
    assert other == [Fraction(7, 8)] * 2


# systematic samples of lists in regions: every order is listed, and releases are smallest multiples of gamma^d


def samples(number, step, size, value):
    """The law of the sample: units in random order in each region, then every step-th from a random start."""
    regions = [range(start, min(start + size, number)) for start in range(0, number, size)]
    law = Counter()
    for orders in product(*map(permutations, regions)):
        order = [unit for region in orders for unit in region]
        for start in range(step):
            law[frozenset((unit, value if unit == 0 else "z") for unit in order[start::step])] += 1
    return {sample: Fraction(times, law.total()) for sample, times in law.items()}


def quotient(p, q, g):
    return sum(p[s] * g[s] for s in p) / sum(q[s] * g[s] for s in q)


@pytest.mark.parametrize(("number", "step", "size"), [(8, 4, 2), (6, 6, 3), (10, 5, 1), (8, 8, 2)])
@pytest.mark.parametrize("gamma", [Fraction(5, 4), Fraction(3), Fraction(7)])
def test_regions_lose_what_is_said_of_them(number, step, size, gamma):
    p, q = (samples(number, step, size, value) for value in "ab")
    n = number // step
    lost = (size - 1 + gamma + (step - size) * gamma ** (1 - n)) / (size + (step - size) * gamma ** (1 - n))
    names = sorted({*p, *q}, key=sorted)
    drawn = [s for s in p if (0, "a") in s]

    def release(centres):
        """The smallest g that keeps the budget and has at least these values at the centres."""
        return {s: max(value * gamma ** -len(s - c) for c, value in centres.items()) for s in names}

    assert quotient(p, q, release(dict.fromkeys(drawn, Fraction(1)))) == lost <= 1 + (gamma - 1) / size
    source = chance(number + size)
    for _ in range(60):
        centres = {s: Fraction(source.randint(1, 40), 8) for s in source.sample(names, source.randint(1, len(names)))}
        assert quotient(p, q, release(centres)) <= lost


@pytest.mark.parametrize("rows", [((0, "a", "u"), (0, "b", "v"), (1, "c", "w")), ((0, "a", "u"), (0, "b", "v"))])
def test_a_swap_makes_new_pairs_of_what_is_held_and_a_place_alone(rows):
    before = [{(r[i], r[j]) for r in rows} for i, j in ((0, 1), (0, 2), (1, 2))]
    new = [0, 0, 0]
    for order in permutations(range(len(rows))):
        if all(rows[i][0] == rows[k][0] for i, k in enumerate(order)):
            z = [(m, h, rows[k][2]) for (m, h, _), k in zip(rows, order, strict=True)]
            new = [
                a + len({(r[i], r[j]) for r in z} - b)
                for a, (i, j), b in zip(new, ((0, 1), (0, 2), (1, 2)), before, strict=True)
            ]
    assert new[:2] == [0, 0]
    assert new[2] > 0
