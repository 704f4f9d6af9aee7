"""Probabilities of Gumbel, normal and logistic draws: softmaxes, and integrals with a proved error."""

from dataclasses import replace
from fractions import Fraction

import pytest

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.component import RegionError
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.region import Halfspace, Region
from stirred.mechanisms.reading.second_integral import DOUBLES, FINE, check
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.real import EnclosedReal

L, E, U = BaseLaw.LAPLACE, BaseLaw.EXPONENTIAL, BaseLaw.UNIFORM
N, G, T = BaseLaw.NORMAL, BaseLaw.GUMBEL, BaseLaw.LOGISTIC


def region(laws, conditions):
    """Draws, and conditions as (bound, coefficients by draw)."""
    found = Region()
    for law in laws:
        found, _ = found.drawn(law)
    halves = [
        Halfspace({draw: Exact(Fraction(c)) for draw, c in terms.items()}, Exact(Fraction(bound)))
        for bound, terms in conditions
    ]
    return found.within(halves)


LONG = replace(DOUBLES, most=2_000_000)

STARS = {
    "a normal threshold": ([N] * 3, [("1/2", {0: 2, 1: -3}), (0, {0: 2, 2: -3})]),
    "a strip": ([N, N], [(1, {0: 1, 1: -1}), ("-1/2", {0: -1, 1: 1})]),
    "logistic": ([T] * 3, [(1, {1: 1, 0: -1}), ("1/2", {2: 1, 0: -1})]),
    "Gumbel, of two scales": ([G, G], [(1, {0: 1, 1: -2})]),
    "four laws": ([L, N, U, E], [("1/2", {1: 1, 0: -2}), ("1/2", {2: 1, 0: -2}), (2, {0: 1, 3: -1})]),
    "a bounded centre": ([N, L], [(1, {0: 1, 1: -1}), (2, {0: 1}), (1, {0: -1})]),
    "crossing ends": ([N, N], [(0, {0: 1, 1: -1}), (1, {0: 2, 1: -1}), (3, {1: 1})]),
}


@pytest.mark.parametrize("name", STARS)
def test_a_star_is_enclosed_narrowly(name):
    laws, conditions = STARS[name]
    given = region(laws, conditions)
    found = given.probability.number
    assert isinstance(found, EnclosedReal)
    assert found.ends.upper - found.ends.lower < Fraction(1, 10**35)
    assert check(dict(enumerate(laws)), given.rows, found, [FINE])


TREES = {
    "a maximum": [(1, {1: 1, 0: -1}), ("1/2", {2: 1, 0: -1}), (0, {3: 1, 0: -1})],
    "an order": [(0, {0: 1, 1: -1}), (1, {1: 1, 2: -1}), (-1, {2: 1, 3: -1})],
    "strips": [(1, {0: 1, 1: -1}), (1, {1: 1, 0: -1}), (2, {2: 3, 1: -3}), (0, {1: 1, 2: -1}), (1, {3: 1, 2: -1})],
}


@pytest.mark.parametrize("name", TREES)
def test_comparisons_of_gumbel_draws_in_a_tree_are_exact(name):
    given = region([G] * 4, TREES[name])
    found = given.probability.number
    assert isinstance(found, ExponentialQuotient)
    assert check(dict(enumerate([G] * 4)), given.rows, found, [LONG])


def test_a_softmax():
    weights = [ExponentialQuotient.exponential(Fraction(-b, 2)) for b in (0, 1, 3)]
    found = region([G] * 3, [("1/2", {1: 1, 0: -1}), ("3/2", {2: 1, 0: -1})]).probability.number
    assert found == 1 / (weights[0] + weights[1] + weights[2])


def test_one_condition_on_normal_draws_is_one_on_their_sum():
    found = region([N] * 3, [(3, {0: 2, 1: 2, 2: 1})]).probability.number
    alone = region([N], [(1, {0: 1})]).probability.number
    assert abs(found.ends.lower - alone.ends.lower) < Fraction(1, 10**40)


def test_an_empty_region_has_none():
    assert region([N, N], [(-1, {0: 1, 1: -1}), (0, {0: -1, 1: 1})]).probability == 0


def test_a_bound_that_is_no_rational_is_enclosed():
    one, bound = Exact(1), Exact(3).log()
    given = Region().drawn(L)[0].drawn(L)[0].within([Halfspace({0: one, 1: -one}, bound)])
    found = given.probability
    assert isinstance(found.number, EnclosedReal)
    exact = 1 - (bound / 4 + Fraction(1, 2)) / 3  # 1 − (1/2 + t/4)·e^−t
    assert abs((found - exact).number.ends.upper) < Fraction(1, 10**40)


def test_what_is_no_star_is_refused_with_its_structure():
    with pytest.raises(RegionError, match="4 draws of normal noise are tied by 3 conditions that form no star"):
        region([N] * 4, [(0, {0: 1, 1: -1}), (0, {1: 1, 2: -1}), (0, {2: 1, 3: -1})]).probability  # noqa: B018
