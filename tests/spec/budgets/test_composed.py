"""Compositions of budgets: the optimum against the law of the product, and no rule below it."""

from fractions import Fraction
from itertools import product
from math import comb, prod

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec.arguments import InputError
from stirred.spec.budgets.composed import RULES, ComposedBudgets

TENTHS = st.fractions(min_value=0, max_value=2, max_denominator=10)
SLACKS = st.fractions(min_value=0, max_value=Fraction(1, 3), max_denominator=50)
PARTS = st.lists(st.tuples(TENTHS, SLACKS), min_size=1, max_size=5)


def by_the_product(parts, epsilon):
    """δ at ε of the product of the pairs that dominate the parts, outcome by outcome, at 40 digits."""
    with mpmath.workdps(40):
        gamma = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        pairs = []
        for part, slack in parts:
            d, e = (
                mpmath.mpf(slack.numerator) / slack.denominator,
                mpmath.exp(mpmath.mpf(part.numerator) / part.denominator),
            )
            high, low = (1 - d) * e / (1 + e), (1 - d) / (1 + e)
            pairs.append([(d, 0), (high, low), (low, high), (0, d)])
        masses = ((mpmath.fprod(p for p, _ in one), mpmath.fprod(q for _, q in one)) for one in product(*pairs))
        return mpmath.fsum(max(p - gamma * q, 0) for p, q in masses)


def near(enclosure, number):
    """Whether the number is in the enclosure, but for its own rounding."""
    low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (enclosure.lower, enclosure.upper))
    return low - mpmath.mpf(10) ** -15 <= number <= high + mpmath.mpf(10) ** -15


@given(PARTS, TENTHS)
def test_the_optimal_delta_is_that_of_the_product_of_dominating_pairs(parts, epsilon):
    assert near(ComposedBudgets(parts).optimal_delta(epsilon), by_the_product(parts, epsilon))


@given(PARTS, st.fractions(min_value=Fraction(1, 100), max_value=Fraction(1, 2), max_denominator=100))
def test_the_optimal_epsilon_has_this_delta_and_a_smaller_one_has_not(parts, delta):
    together = ComposedBudgets(parts)
    if 1 - prod(1 - slack for _, slack in parts) > delta:
        with pytest.raises(InputError, match="delta must be at least 1 - "):
            together.optimal(delta)
        return
    found = together.optimal(delta)
    assert together.optimal_delta(found.upper).lower <= delta
    if found.lower > 0:
        assert together.optimal_delta(found.lower * Fraction(999, 1000)).lower > delta


@given(PARTS, st.fractions(min_value=Fraction(1, 100), max_value=Fraction(99, 100), max_denominator=100))
def test_no_rule_is_below_the_optimum_or_above_the_sum(parts, delta):
    if sum(slack for _, slack in parts) > delta:
        return
    least = ComposedBudgets(parts).optimal(delta)
    for compute, _ in RULES.values():
        found = compute(ComposedBudgets(parts), delta)
        assert least.lower <= found.upper
        assert found.lower <= sum(epsilon for epsilon, _ in parts)


@pytest.mark.parametrize("k", range(1, 7))
def test_equal_budgets_are_at_the_published_points(k):
    """Kairouz, Oh and Viswanath (2017), Theorem 3.3: ((k − 2i)ε, 1 − (1 − δ)^k (1 − δ_i))."""
    epsilon, slack = Fraction(3, 10), Fraction(1, 1000)
    for i in range(k // 2 + 1):
        with mpmath.workdps(40):
            e = mpmath.exp(mpmath.mpf(3) / 10)
            tail = mpmath.fsum(comb(k, j) * (e ** (k - j) - e ** (k - 2 * i + j)) for j in range(i)) / (1 + e) ** k
            expected = 1 - (1 - mpmath.mpf(1) / 1000) ** k * (1 - tail)
        assert near(ComposedBudgets([(epsilon, slack)] * k).optimal_delta((k - 2 * i) * epsilon), expected)


def test_at_what_the_deltas_alone_come_to_the_epsilons_add_up():
    parts = [(Fraction(1, 2), Fraction(1, 10)), (Fraction(1, 3), Fraction(0)), (Fraction(0), Fraction(1, 10))]
    for compute in (ComposedBudgets.optimal, ComposedBudgets.advanced):
        found = compute(ComposedBudgets(parts), Fraction(19, 100))
        assert found.lower == found.upper == Fraction(5, 6)


def test_many_different_sums_are_refused_in_bounded_time():
    parts = [(Fraction(1, prime), Fraction(0)) for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)]
    with pytest.raises(InputError, match="at most 20000 different sums"):
        ComposedBudgets(parts).optimal(Fraction(1, 10))
    assert ComposedBudgets(parts).advanced(Fraction(1, 10)).upper < 2


@pytest.mark.parametrize(
    "parts", [[], [(Fraction(-1), Fraction(0))], [(Fraction(1), Fraction(1))], [(Fraction(1), Fraction(2))]]
)
def test_what_is_no_budget_is_refused(parts):
    with pytest.raises(InputError):
        ComposedBudgets(parts)
