from decimal import Decimal
from fractions import Fraction

import flint
import pytest
from hypothesis import given
from strategies import fractions

from stirred.spec import Enclosure, InputError
from stirred.spec.enclosure import decimal_text, enclose, log, root


def point(value: Fraction) -> Enclosure:
    return Enclosure(value, value)


def test_rounding_is_half_up_and_exact_for_numbers_of_any_length():
    assert point(Fraction("0.125")).rounded(2) == Decimal("0.13")
    assert point(Fraction("-0.125")).rounded(2) == Decimal("-0.12")
    assert point(Fraction(10**40 + 1)).rounded(2) == Decimal(10**40 + 1)
    assert str(point(Fraction("17.0789")).rounded(2)) == "17.08"


@pytest.mark.parametrize("exponent", [100, 4300, 9000, 20_000])
def test_numbers_beyond_the_digits_that_python_writes_out_are_rounded_and_shown(exponent):
    large = Fraction(10**exponent + 1)
    assert point(large).rounded(2) == Decimal(10**exponent + 1)
    assert point(1 / large).rounded(2) == 0
    assert point(1 / large).rounded(exponent + 1) == Decimal((0, (1, 0), -exponent - 1))
    assert point(large).text(4) == f"1E+{exponent}"
    assert point(1 / large).text(4) == f"1E-{exponent}"


@given(fractions(0, 10))
def test_rounding_is_within_half_a_unit(value):
    rounded = point(value).rounded(3)
    assert rounded is not None
    assert abs(Fraction(rounded) - value) <= Fraction(1, 2000)


def test_an_undecided_digit_is_none_not_a_guess():
    assert Enclosure(Fraction("0.1249"), Fraction("0.1251")).rounded(2) is None
    assert Enclosure(Fraction("0.1249"), Fraction("0.1251")).text(4) == "[0.1249, 0.1251]"


def test_enclosures_have_no_order_and_no_inverted_ends():
    with pytest.raises(TypeError):
        _ = point(Fraction(0)) < point(Fraction(1))
    with pytest.raises(InputError, match="lower must be at most upper"):
        Enclosure(Fraction(1), Fraction(0))


@given(fractions(1, 9))
def test_a_square_root_squares_back_into_its_enclosure(value):
    enclosure = root(value, digits=25)
    assert enclosure.lower**2 <= value <= enclosure.upper**2


def test_logarithm_of_2_to_50_digits():
    # ln 2 = 0.69314718055994530941723212145817656807550013436025...
    printed = Fraction("0.69314718055994530941723212145817656807550013436025")
    enclosure = log(2, digits=55)
    assert printed <= enclosure.lower
    assert enclosure.upper <= printed + Fraction(1, 10**50)


def test_precision_of_the_ball_arithmetic_is_restored():
    before = flint.ctx.prec
    log(3, digits=200)
    assert flint.ctx.prec == before


@pytest.mark.parametrize("bad", [0, -1])
def test_logarithm_needs_a_positive_number(bad):
    with pytest.raises(InputError, match="positive"):
        log(bad)


def test_root_needs_a_non_negative_number():
    with pytest.raises(InputError, match="non-negative"):
        root(-1)


@pytest.mark.parametrize("digits", [0, -3, 2.0])
def test_digits_must_be_a_positive_int(digits):
    with pytest.raises(InputError, match="digits must be"):
        log(2, digits=digits)


def test_a_ball_that_never_narrows_is_refused():
    with pytest.raises(InputError, match="no enclosure"):
        enclose(lambda: flint.arb(0, 1))
    with pytest.raises(InputError, match="no enclosure"):
        enclose(lambda: flint.arb(-1).log())


def test_decimal_text_shows_significant_digits():
    assert decimal_text(Fraction(2, 3), 3) == "0.667"
    assert decimal_text(Fraction(100), 6) == "100"
    assert decimal_text(Fraction(1, 3 * 10**9), 2) == "0.00000000033"
