"""Integers to which draws are rounded, under conditions: probabilities and laws against sums over all of them."""

import random
from fractions import Fraction

import numpy as np
import pytest

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.elimination import TiedError
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.integer_algebra import IntegerAlgebra
from stirred.mechanisms.reading.integer_check import check_integers
from stirred.mechanisms.reading.integer_component import integer_component, integer_probability, sum_law
from stirred.mechanisms.reading.integer_laws import integer_law
from stirred.mechanisms.reading.region import Halfspace, Region, RegionError
from stirred.mechanisms.reading.rows import WholeRow
from stirred.mechanisms.reading.second_integral import DisagreementError
from stirred.mechanisms.reading.symbols import DrawRounding, Step

FAR = 40
"""Beyond which no integer is looked at: probabilities there are below e^−20."""

ONE, HALF = Fraction(1), Fraction(1, 2)
GEOMETRIC = DrawRounding(ONE, Fraction(0), Step.CEILING, HALF)
HALVES = DrawRounding(ONE, Fraction(0), Step.CEILING, Exact(Fraction(2)).log().number)
"""P(k) = 2^−k of an exponential draw."""


def number(found):
    return float(found if isinstance(found, Fraction) else found.enclosure(25).lower)


def below(law, z):
    z = np.asarray(z, dtype=float)
    if law is BaseLaw.EXPONENTIAL:
        return np.where(z > 0, 1 - np.exp(-np.maximum(z, 0)), 0)
    return np.where(z > 0, 1 - np.exp(-np.abs(z)) / 2, np.exp(-np.abs(z)) / 2)


def masses(law, rounding):
    """The probabilities of −FAR, …, FAR, from the distribution function."""
    tops = [rounding.top(k) for k in range(-FAR - 1, FAR + 1)]
    ends = [number(((top - Exact(rounding.shift)) / Exact(rounding.scale)).number) for top in tops]
    return np.abs(np.diff(below(law, ends)))


def added_up(laws, rows, terms=None):
    """The probability that conditions hold, or, by value, that a sum has it and they do."""
    values = np.arange(-FAR, FAR + 1)
    roundings = {draw: one for row in rows for draw, one in row.rounded_draws}
    axes = np.meshgrid(*(values for _ in roundings), indexing="ij")
    mass = np.ones(())
    for draw, axis in zip(sorted(roundings), range(len(axes)), strict=True):
        shape = [-1 if place == axis else 1 for place in range(len(axes))]
        mass = mass * masses(laws[draw], roundings[draw]).reshape(shape)
    for row in rows:
        mass = np.where(sum(c * axes[draw] for draw, c in row.form) <= row.bound, mass, 0)
    if terms is None:
        return float(mass.sum())
    total = sum(c * axes[draw] for draw, c in terms.items())
    return {k: float(mass[total == k].sum()) for k in range(-5, 6)}


def drawn(pick):
    """Two or three draws, each rounded in its way, and conditions that tie them in a tree."""
    count = pick.choice((2, 3, 3))
    laws = [pick.choice((BaseLaw.EXPONENTIAL, BaseLaw.LAPLACE)) for _ in range(count)]
    roundings = {
        draw: DrawRounding(
            Fraction(pick.choice((-2, -1, 1, 2)), pick.choice((1, 2))),
            Fraction(pick.randint(-3, 3), 3),
            pick.choice([*Step]),
            Fraction(1),
        )
        for draw in range(count)
    }
    rows = []
    for draw in range(1, count):
        terms = {pick.randrange(draw): pick.choice((1, -1)), draw: pick.choice((1, -1))}
        rows.append(WholeRow.of(terms, roundings, pick.randint(-3, 3)))
    if pick.random() < 1 / 3:
        rows = [WholeRow.of({draw: pick.choice((1, -1)) for draw in roundings}, roundings, pick.randint(-3, 3))]
    return laws, rows


@pytest.mark.parametrize("seed", range(40))
def test_a_probability_is_the_sum_of_those_of_all_integers(seed):
    laws, rows = drawn(random.Random(seed))  # noqa: S311 a test's cases
    component = integer_component(laws, rows)
    assert number(integer_probability(component)) == pytest.approx(added_up(laws, rows), abs=1e-8)
    terms = {draw: 1 if draw else -1 for draw in component.draws[:2]}
    try:
        law, algebra = sum_law(component, terms)
    except TiedError:
        return
    for k, mass in added_up(laws, rows, terms).items():
        assert number(algebra.number(law(k)).number) == pytest.approx(mass, abs=1e-8)


@pytest.mark.parametrize("step", Step)
@pytest.mark.parametrize("shift", [Fraction(-5), Fraction(7, 3)])
@pytest.mark.parametrize("scale", [Fraction(1), Fraction(-2)])
def test_the_law_of_one_integer_is_that_of_its_cells(step, shift, scale):
    """Where the centre is far from 0 as well, about which int(…) has a cell that is twice as wide."""
    rounding = DrawRounding(scale, shift, step, ONE)
    law = integer_law(BaseLaw.LAPLACE, rounding, None, None)
    algebra = IntegerAlgebra([law])
    for k, mass in zip(range(-FAR, FAR + 1), masses(BaseLaw.LAPLACE, rounding), strict=True):
        assert number(algebra.number(algebra.density(law)(k)).number) == pytest.approx(mass, abs=1e-12)


def test_three_geometric_draws_have_probabilities_by_hand():
    """P(A < B) = 1/3 of two with P(k) = 2^−k; P(A < B, A < C) = Σ 2^−k·4^−k = 1/7."""
    laws = [BaseLaw.EXPONENTIAL] * 3
    less = [WholeRow.of({0: 1, other: -1}, dict.fromkeys(range(3), HALVES), -1) for other in (1, 2)]
    assert integer_probability(integer_component(laws, less[:1])) == Fraction(1, 3)
    assert integer_probability(integer_component(laws, less)) == Fraction(1, 7)


def test_another_probability_is_noticed():
    laws, row = [BaseLaw.EXPONENTIAL] * 2, WholeRow.of({0: 1, 1: -1}, {0: GEOMETRIC, 1: GEOMETRIC}, -1)
    found = integer_probability(integer_component(laws, [row]))
    assert check_integers(laws, [row], found)
    for other in (Exact(found) + Fraction(1, 10**9), Exact(found) - Fraction(1, 10**9)):
        with pytest.raises(DisagreementError, match="by adding up: please report it"):
            check_integers(laws, [row], other.number)


def regions():
    region, first = Region().drawn(BaseLaw.EXPONENTIAL)
    region, second = region.drawn(BaseLaw.EXPONENTIAL)
    return region, WholeRow.of({first: 1, second: -1}, {first: HALVES, second: HALVES}, -1)


def test_what_is_known_of_the_draws_alone_counts():
    """Given A ≥ 2, A = B + 1 or less, by the lack of memory: P(A − 1 < B) = P(A ≤ B) = 2/3 of ranks from 1 on."""
    region, row = regions()
    log_two = Exact(Fraction(2)).log()
    beyond = Halfspace({0: Exact(-1)}, -log_two)
    assert region.within([beyond]).shares([[row], [WholeRow.of({0: -1, 1: 1}, {0: HALVES, 1: HALVES}, 0)]])[0] == (
        Fraction(1, 6)
    )
    (low, high) = region.within([row]).integers(dict(row.form), {0: HALVES, 1: HALVES}).range_of(dict(row.form))
    assert (low, high) == (None, -1)


def test_points_lie_where_the_integers_meet_their_conditions():
    region, row = regions()
    for share in (Fraction(1, 3), Fraction(2, 3)):
        point = region.within([row]).point(share)
        k = [HALVES.step.of(Exact(point[draw]) / Exact(HALVES.width)) for draw in range(2)]
        assert 1 <= k[0] < k[1]


@pytest.mark.parametrize(
    ("roundings", "said"),
    [
        ([{0: HALVES, 1: HALVES}, {0: GEOMETRIC, 1: HALVES}], "a draw is rounded in two ways"),
        ([{0: DrawRounding(ONE, ONE, Step.FLOOR, Exact(HALF).exp().log().sqrt().number), 1: HALVES}], "no fractions"),
    ],
)
def test_what_is_not_summed_is_refused(roundings, said):
    region, _ = regions()
    rows = [WholeRow.of({0: 1, 1: -1 - place}, one, 0) for place, one in enumerate(roundings)]
    with pytest.raises(RegionError, match=said):
        _ = region.within(rows).probability


@pytest.mark.parametrize("bounds", [[-1], [0], [-1, 0], [0, 3]])
def test_cycles_that_say_nothing_new_are_left_out(bounds):
    """A < B < C implies A < C: the probability is that of the chain, Σ over k of 2^−k·2^−2k·… = 1/21."""
    laws = [BaseLaw.EXPONENTIAL] * 3
    roundings = dict.fromkeys(range(3), HALVES)
    chain = [WholeRow.of({0: 1, 1: -1}, roundings, -1), WholeRow.of({1: 1, 2: -1}, roundings, -1)]
    implied = [WholeRow.of({0: 1, 2: -1}, roundings, bound) for bound in bounds]
    assert integer_probability(integer_component(laws, [*chain, *implied])) == Fraction(1, 21)
    against = WholeRow.of({0: -1, 2: 1}, roundings, 0)
    assert integer_probability(integer_component(laws, [*chain, *implied, against])) == 0
