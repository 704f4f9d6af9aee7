"""The checker of sign certificates moves polynomials in whole numbers as fractions would move them."""

from fractions import Fraction
from math import comb

from hypothesis import given
from hypothesis import strategies as st

from stirred.verify.engines.sign_certificate import SignCertificate, evaluate_polynomial
from stirred.verify.evidence.finding import EngineError

POINTS = st.fractions(0, 9, max_denominator=6)

POLYNOMIALS = st.lists(st.integers(-9, 9), min_size=1, max_size=6).map(tuple)


def moved_to_infinity(polynomial, start):
    """T(start + t) by the binomial theorem."""
    found = [Fraction(0)] * len(polynomial)
    for power, coefficient in enumerate(polynomial):
        for j in range(power + 1):
            found[j] += coefficient * comb(power, j) * start ** (power - j)
    return found


def moved_between(polynomial, left, right):
    """(1+t)^d·T((left + right·t)/(1+t)) by the binomial theorem, twice."""
    degree = len(polynomial) - 1
    found = [Fraction(0)] * (degree + 1)
    for power, coefficient in enumerate(polynomial):
        for j in range(power + 1):
            for i in range(degree - power + 1):
                value = comb(power, j) * left ** (power - j) * right**j * comb(degree - power, i)
                found[i + j] += coefficient * value
    return found


def passes(polynomial, *cells):
    try:
        SignCertificate(polynomial, Fraction(1), (1,), polynomial, cells).check()
    except EngineError as error:
        if "proves nothing" not in str(error):
            raise
        return False
    return True


@given(POLYNOMIALS, POINTS, POINTS)
def test_a_cell_passes_iff_no_moved_coefficient_is_negative(polynomial, left, width):
    assert passes(polynomial, left, None) == all(c >= 0 for c in moved_to_infinity(polynomial, left))
    if width:
        expected = all(c >= 0 for c in moved_between(polynomial, left, left + width))
        assert passes(polynomial, left, left + width) == expected


@given(POLYNOMIALS, st.fractions(-9, 9, max_denominator=6))
def test_a_value_is_that_of_the_powers(polynomial, point):
    assert evaluate_polynomial(polynomial, point) == sum(c * point**k for k, c in enumerate(polynomial))
