"""Intervals of decimals: every result contains the exact value, and what they cannot settle is refused."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fractions

from stirred.spec.enclosure import exponential, log, root
from stirred.verify.certificates.decimal_interval import Interval, Outward, UndecidedError

digits = st.integers(1, 30)


def contains(interval, low, high=None):
    return Fraction(interval.low) <= low and (low if high is None else high) <= Fraction(interval.high)


@given(digits, fractions(-3, 3), fractions(-3, 3))
def test_results_contain_the_exact_ones(places, a, b):
    outward = Outward(places)
    x, y = outward.lift(a), outward.lift(b)
    for result, value in [
        (x, a),
        (outward.negative(x), -a),
        (outward.add(x, y), a + b),
        (outward.subtract(x, b), a - b),
        (outward.multiply(a, y), a * b),
        *((outward.power(x, n), a**n) for n in range(1, 12)),
    ]:
        assert contains(result, value)
    if y.low > 0 or y.high < 0:
        assert contains(outward.divide(x, y), a / b)
        assert contains(outward.power(y, -3), b**-3)
    else:
        with pytest.raises(UndecidedError, match="divisor"):
            outward.divide(x, y)


@given(digits, st.integers(-6, 6), fractions(1, 9))
def test_transcendental_results_contain_the_enclosures_of_another_engine(places, magnitude, mantissa):
    outward, value = Outward(places), mantissa * Fraction(10) ** magnitude
    functions = [(outward.sqrt, root), *([(outward.exp, exponential)] if value < 1000 else [])]
    for mine, other in [*functions, *([(outward.ln, log)] if value != 1 else [])]:
        enclosure, found = other(value, digits=50), outward.lift(mine(outward.lift(value)))
        assert contains(found, enclosure.lower, enclosure.upper)


@given(fractions(-9, 9), st.integers(1, 60))
def test_an_interval_is_as_narrow_as_its_digits_say(value, places):
    found = Outward(places).lift(value)
    assert Fraction(found.high) - Fraction(found.low) <= abs(value) * Fraction(10) ** (1 - places)


@given(digits, fractions(-3, 3), fractions(-3, 3))
def test_an_order_is_certain_or_refused(places, a, b):
    outward = Outward(places)
    assert outward.order(a, b) == (a > b) - (a < b)
    x, y = outward.lift(a), outward.lift(b)
    if x.high < y.low or y.high < x.low:
        assert outward.order(x, b) == outward.order(a, y) == (a > b) - (a < b)
    else:
        with pytest.raises(UndecidedError, match="too close to be told apart"):
            outward.order(x, b)


def test_what_is_rational_is_exact():
    outward = Outward(3)
    assert outward.ln(Fraction(1)) == 0
    assert outward.exp(Fraction(0)) == 1
    assert outward.sqrt(Fraction(9, 4)) == Fraction(3, 2)
    assert isinstance(outward.sqrt(Fraction(2)), Interval)
    assert outward.power(outward.lift(Fraction(1, 3)), 0) == 1
    with pytest.raises(ZeroDivisionError):
        outward.divide(Fraction(1), Fraction(0))


def test_a_floor_is_given_where_both_ends_share_it():
    outward = Outward(20)
    assert outward.floor(Fraction(-5, 2)) == -3
    assert outward.floor(outward.exp(Fraction(1))) == 2
    assert outward.floor(outward.negative(outward.exp(Fraction(-2_000_000)))) == -1
    # the second is too long to be written out
    for number in (outward.ln(outward.exp(Fraction(3))), outward.exp(Fraction(2_000_000))):
        with pytest.raises(UndecidedError, match="floor"):
            outward.floor(number)


@pytest.mark.parametrize("name", ["ln", "sqrt"])
def test_a_function_is_refused_where_it_may_have_no_value(name):
    outward = Outward(5)
    third = outward.lift(Fraction(1, 3))
    around_zero = outward.subtract(third, third)
    for number in (around_zero, Fraction(-1), outward.negative(third)):
        with pytest.raises(UndecidedError, match=name):
            getattr(outward, name)(number)


def test_what_underflows_is_still_contained():
    outward = Outward(5)
    tiny = outward.exp(Fraction(-(10**8)))
    assert tiny.low == 0 < tiny.high
    assert outward.exp(Fraction(-(10**6))).low > 0


def test_the_context_of_the_caller_does_not_matter():
    wanted = Outward(50).subtract(Outward(50).ln(Fraction(2)), Fraction(1, 3))
    with localcontext() as context:
        context.prec = 2
        assert Outward(50).subtract(Outward(50).ln(Fraction(2)), Fraction(1, 3)) == wanted


def test_the_text_is_one_number_where_the_ends_round_to_it():
    assert str(Outward(80).ln(Fraction(2))) == "0.69314718055994530942"
    assert str(Interval(Decimal(1), Decimal(2))) == "[1, 2]"
