"""Piecewise exponential polynomials: every operation against plain evaluation, every sum against its definition."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import SYMBOL, InputError
from stirred.spec.laws.exponential_polynomial import PiecewiseExponential

numbers = st.builds(Fraction, st.integers(-4, 4), st.integers(1, 3))
polynomials = st.lists(numbers, min_size=1, max_size=3).map(tuple)
small_bases = st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(2, 3)])
middle_bases = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3, 2)])


def terms(bases):
    return st.dictionaries(bases, polynomials, max_size=2)


@st.composite
def functions(draw):
    """Functions that vanish at both ends."""
    cuts = tuple(sorted(draw(st.sets(st.integers(-5, 5), min_size=1, max_size=3))))
    middle = [draw(terms(middle_bases)) for _ in cuts[1:]]
    return PiecewiseExponential(
        cuts, (draw(terms(small_bases.map(lambda base: 1 / base))), *middle, draw(terms(small_bases)))
    )


places = st.integers(-9, 9)


@given(functions(), functions(), places, places)
def test_operations_act_point_by_point(f, g, x, by):
    assert (f * g)(x) == f(x) * g(x)
    assert (f - g)(x) == f(x) - g(x)
    assert f.shifted(by)(x) == f(x + by)
    assert f.reflected()(x) == f(-x)


@given(functions(), places, st.none() | places, st.none() | places)
def test_a_restriction_is_zero_outside(f, x, low, high):
    inside = (low is None or low <= x) and (high is None or x <= high)
    assert f.restricted(low, high)(x) == (f(x) if inside else 0)


@given(functions(), places)
def test_upper_sums_have_the_function_as_their_differences_and_vanish(f, t):
    sums = f.upper_sums()
    assert sums(t) - sums(t + 1) == f(t)
    # the last piece has bases at most 2/3 and degree at most 2: far out nothing is left
    assert abs(sums(400)) < Fraction(1, 10**50)


@given(functions())
def test_the_total_is_the_sum_of_both_tails_and_of_what_lies_between(f):
    upper, lower = f.upper_sums(), f.reflected().upper_sums()
    assert f.total() == lower(10) + sum(map(f, range(-9, 10))) + upper(10)


def test_what_does_not_vanish_is_not_summed():
    everywhere = PiecewiseExponential((0,), ({}, {Fraction(1): (Fraction(1),)}))
    for sums in (
        everywhere.upper_sums,
        everywhere.reflected().total,
        PiecewiseExponential((), everywhere.terms[1:]).total,
    ):
        with pytest.raises(InputError, match="must vanish"):
            sums()


def test_bases_may_be_functions_of_the_open_parameter():
    geometric = PiecewiseExponential((0,), ({}, {SYMBOL: (1 - SYMBOL,)}))
    assert geometric.total() == 1
    # the greater of two: sum of (1-p) p^x (1 - p^(x+1)) = 1 - p (1-p) / (1-p^2) = 1/(1+p)
    at_most = PiecewiseExponential((), ({Fraction(1): (Fraction(1),)},)) - geometric.upper_sums().shifted(1)
    assert (geometric * at_most).total() == 1 / (1 + SYMBOL)
