from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from strategies import fractions, open_probabilities

from stirred.spec import InputError, zcdp_to_approximate
from stirred.spec.enclosure import log
from stirred.spec.zcdp import smallest_zcdp_to_approximate


@given(fractions(0, 5), open_probabilities)
def test_the_conversion_solves_its_quadratic_equation(rho_squared, delta):
    # (eps - rho^2)^2 = 4 rho^2 ln(1/delta)
    epsilon, logarithm = zcdp_to_approximate(rho_squared, delta, digits=40), log(1 / delta, digits=40)
    assert (max(epsilon.lower - rho_squared, 0)) ** 2 <= 4 * rho_squared * logarithm.upper
    assert (epsilon.upper - rho_squared) ** 2 >= 4 * rho_squared * logarithm.lower


@pytest.mark.parametrize(("rho_squared", "rounded"), [("2.56", "17.92"), ("0.07", "2.61")])
def test_rounded_to_two_places(rho_squared, rounded):
    # 2.56 + 3.2 sqrt(ln 10^10) = 2.56 + 3.2 * 4.798526 = 17.9153; 0.07 + 2 sqrt(0.07 * 23.025851) = 2.6092
    assert zcdp_to_approximate(Fraction(rho_squared), Fraction(1, 10**10)).rounded(2) == Decimal(rounded)


@pytest.mark.parametrize(
    ("rho_squared", "delta"), [(-1, Fraction(1, 2)), (0.1, Fraction(1, 2)), (1, 0), (1, 1), (1, 0.5), (1, 2)]
)
def test_bad_arguments_are_refused(rho_squared, delta):
    with pytest.raises(InputError, match="must be"):
        zcdp_to_approximate(rho_squared, delta)


def test_no_budget_converts_to_none():
    assert zcdp_to_approximate(0, Fraction(1, 2)).contains(0)


def independent_smallest(rho_squared, delta):
    """The bracket minimized by 50-digit golden section, apart from the enclosure's bisection."""
    with mpmath.workdps(50):
        rho2, loss = (
            mpmath.mpf(rho_squared.numerator) / rho_squared.denominator,
            -mpmath.log(mpmath.mpf(delta.numerator) / delta.denominator),
        )

        def bracket(t):
            return rho2 * (1 + t) + (loss - mpmath.log(1 + t)) / t + mpmath.log(t / (1 + t))

        low, high, ratio = mpmath.mpf("1e-6"), mpmath.sqrt(loss / rho2) + 1, (mpmath.sqrt(5) - 1) / 2
        for _ in range(150):
            a, b = high - ratio * (high - low), low + ratio * (high - low)
            low, high = (low, b) if bracket(a) < bracket(b) else (a, high)
        return bracket((low + high) / 2)


@pytest.mark.parametrize("rho_squared", ["0.07", "0.5", "2.56", "15.29", "55.371", "1000"])
@pytest.mark.parametrize("digits", [2, 6, 10])
def test_the_smallest_conversion_agrees_with_an_independent_minimum(rho_squared, digits):
    delta = Fraction(1, 10**digits)
    found = smallest_zcdp_to_approximate(Fraction(rho_squared), delta)
    expected = independent_smallest(Fraction(rho_squared), delta)
    middle = (found.lower + found.upper) / 2
    assert abs(mpmath.mpf(middle.numerator) / middle.denominator - max(expected, 0)) < mpmath.mpf(10) ** -12


@pytest.mark.parametrize("rho_squared", ["0.015", "2.56", "55.371"])
def test_the_smallest_conversion_is_below_the_printed_formula(rho_squared):
    delta = Fraction(1, 10**10)
    assert (
        smallest_zcdp_to_approximate(Fraction(rho_squared), delta).upper
        < zcdp_to_approximate(Fraction(rho_squared), delta).lower
    )


def test_the_smallest_conversion_is_zero_where_no_order_needs_more():
    for rho_squared in (Fraction(0), Fraction(1, 10**6)):
        found = smallest_zcdp_to_approximate(rho_squared, Fraction(1, 100))
        assert (found.lower, found.upper) == (0, 0)


@pytest.mark.parametrize("delta", [0, 1, Fraction(3, 2), -1])
def test_both_conversions_refuse_a_delta_outside_the_open_interval(delta):
    for conversion in (zcdp_to_approximate, smallest_zcdp_to_approximate):
        with pytest.raises(InputError, match="delta must be between 0 and 1, exclusive"):
            conversion(1, delta)


def test_the_smallest_conversion_refuses_a_negative_or_float_budget():
    with pytest.raises(InputError, match="rho_squared must be non-negative"):
        smallest_zcdp_to_approximate(-1, Fraction(1, 2))
    with pytest.raises(InputError, match="rho_squared must be an exact number"):
        smallest_zcdp_to_approximate(0.5, Fraction(1, 2))
