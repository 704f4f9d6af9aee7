"""Quotients of polynomials, written as products: the same value, the fewest powers."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec.factored_quotient import FactoredQuotient, reduced_power

HALF = Fraction(1, 2)
small = st.lists(st.integers(-4, 4), min_size=1, max_size=4).map(tuple)


def value(coefficients, point):
    return sum((c * point**place for place, c in enumerate(coefficients)), Fraction(0))


@given(small, small, st.fractions(min_value=Fraction(1, 10), max_value=2))
def test_the_product_has_the_value_of_the_quotient_and_positive_factors(above, below, point):
    if value(above, point) <= 0 or value(below, point) <= 0:
        return
    found = FactoredQuotient.of(above, below, point)
    product = found.constant
    for factor, exponent in found.factors:
        assert value(factor, point) > 0
        product *= value(factor, point) ** exponent
    assert product == value(above, point) / value(below, point)
    text = found.text("p").replace("^", "**").replace("p", f"Fraction({str(point)!r})")
    assert eval(text) == product  # noqa: S307 a text of ours: what a reader computes


@pytest.mark.parametrize(
    ("above", "below", "distance", "text", "over"),
    [
        ((1, -2, 1), (0, 0, 1), 2, "(1 - p)/p", 1),  # the answer to parity of two bits
        ((1, -2, 1), (0, 0, 1), 3, "(1 - p)^2/p^2", 3),
        ((1, -4, 6, -4, 1), (0, 0, 0, 0, 1), 2, "(1 - p)^2/p^2", 1),
        ((9,), (1,), 2, "3", 1),
        ((0, 2), (1,), 2, "2*p", 2),
        ((4, -4, 1), (0, 0, 4), 2, "(2 - p)/(2*p)", 1),
    ],
)
def test_an_exact_root_makes_the_distance_smaller(above, below, distance, text, over):
    found, left = FactoredQuotient.of(above, below, HALF).reduced(Fraction(distance))
    assert (found.text("p"), left) == (text, over)


@given(st.fractions(min_value=Fraction(11, 10), max_value=50), st.integers(1, 12), st.integers(1, 6))
def test_a_reduced_power_is_the_same_loss(gamma, distance, power):
    found, over = reduced_power(gamma**power, distance * power)
    assert found ** (distance * power) == gamma ** (power * over)
    assert over <= distance
