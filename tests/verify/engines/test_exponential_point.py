"""The loss at e^−q: equal budgets met by an identity, others decided by enclosures, and losses of closed form."""

from fractions import Fraction
from itertools import product

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms import exact_law
from stirred.mechanisms.noise.report_noisy_max import report_noisy_max
from stirred.mechanisms.noise.sparse_vector import answers_specification, sparse_vector
from stirred.spec import (
    SYMBOL,
    ZERO,
    InputError,
    Law,
)
from stirred.verify.engines.exponential_point import covers_at_exponential, loss_at_exponential
from stirred.verify.engines.loss_function import loss_function

SCORES = tuple(product((0, 1, 2), repeat=2))
EXPONENTS = st.builds(Fraction, st.integers(1, 9), st.integers(1, 5))


def function_of(mechanism, data_sets, **parameters):
    laws = {x: exact_law(mechanism, x, **parameters) for x in data_sets}
    return loss_function(laws, answers_specification(data_sets, ZERO).flavor)


def exponential_mechanism(scores, source, *, x):
    """An index with probability proportional to x^−score."""
    weights = [x ** (2 - score) for score in scores]
    return source.choose([weight / sum(weights) for weight in weights])


def clamped(answers, source, *, ratio):
    return source.clamp(answers[0] + source.discrete_laplace(ratio), 0, 3)


@given(EXPONENTS)
def test_geometric_noise_at_any_rational_epsilon_has_exactly_this_loss(epsilon):
    function = function_of(clamped, ((0,), (1,), (2,)), ratio=SYMBOL)
    assert covers_at_exponential(function, epsilon, epsilon)  # an equality
    assert not covers_at_exponential(function, epsilon, epsilon - Fraction(1, 10**40))
    assert loss_at_exponential(function, epsilon).contains(epsilon)


@given(EXPONENTS)
def test_the_exponential_mechanism_is_between_once_and_twice_the_exponent(epsilon):
    function = function_of(exponential_mechanism, SCORES, x=SYMBOL)
    assert covers_at_exponential(function, epsilon, 2 * epsilon)
    assert not covers_at_exponential(function, epsilon, epsilon)
    # scores (0, 1) and (1, 0): the odds change from x to 1/x, so that 1/(1+1/x) becomes 1/(1+x): a loss of -ln x;
    # scores (1, 1) and (2, 0): 1/2 becomes 1/(1 + x^2) or x^2/(1 + x^2): ln((1 + x^2)/(2 x^2))
    with mpmath.workdps(40):
        x = mpmath.exp(-mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        expected = mpmath.log((1 + x**2) / (2 * x**2))
        found = loss_at_exponential(function, epsilon, digits=30)
        if expected > -mpmath.log(x):
            assert abs(mpmath.mpf(found.lower.numerator) / found.lower.denominator - expected) < mpmath.mpf(10) ** -25


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(1, 2), Fraction(3, 10)])
def test_sparse_vector_and_noisy_max_meet_their_budgets_at_rational_epsilons(epsilon):
    vector = function_of(sparse_vector, SCORES, threshold=1, threshold_ratio=SYMBOL, query_ratio=SYMBOL)
    assert covers_at_exponential(vector, epsilon, 3 * epsilon)
    assert not covers_at_exponential(vector, epsilon, epsilon)
    maximum = function_of(report_noisy_max, SCORES, ratio=SYMBOL)
    assert covers_at_exponential(maximum, epsilon, 2 * epsilon)
    assert not covers_at_exponential(maximum, epsilon, epsilon)


def test_an_infinite_loss_is_covered_by_nothing():
    flavor = answers_specification(((0,), (1,)), ZERO).flavor
    function = loss_function({x: Law({x: 1}) for x in flavor.domain}, flavor)
    assert loss_at_exponential(function, 1) is None
    assert not covers_at_exponential(function, 1, 10**6)


def test_points_outside_and_exponents_that_are_not_positive_are_refused():
    laws = {x: exact_law(clamped, x, ratio=SYMBOL) for x in ((0,), (1,))}
    function = loss_function(laws, answers_specification(tuple(laws), ZERO).flavor, low=Fraction(1, 2))
    with pytest.raises(InputError, match=r"e\^-exponent must be between 1/2 and 1"):
        loss_at_exponential(function, 1)
    for exponent in (0, -1):
        with pytest.raises(InputError, match="exponent must be positive"):
            covers_at_exponential(function, exponent, 1)
