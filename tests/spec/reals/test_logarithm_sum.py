from fractions import Fraction
from math import gcd, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import Loss
from stirred.spec.reals.logarithm_sum import LogarithmSum, coprime_base
from stirred.spec.reals.real import order

RATIONALS = st.fractions(Fraction(1, 12), 30, max_denominator=12)
TERMS = st.dictionaries(RATIONALS, st.fractions(-3, 3, max_denominator=4), max_size=4)


@given(st.lists(st.integers(1, 5000), max_size=6))
def test_a_base_is_coprime_and_writes_every_number(numbers):
    base = coprime_base(numbers)
    assert all(gcd(one, other) == 1 for i, one in enumerate(base) for other in base[:i])
    for number in numbers:
        left = number
        for one in base:
            while left % one == 0:
                left //= one
        assert left == 1


@given(TERMS)
def test_a_sum_is_zero_exactly_where_its_exponential_is_one(terms):
    """Σ c·ln r = 0 iff Π r^(c·n) = 1, for n the common denominator of the c: here in integers, written out."""
    power = prod({c.denominator for c in terms.values()} or {1})
    product = prod((argument ** int(c * power) for argument, c in terms.items()), start=Fraction(1))
    assert LogarithmSum(terms).is_zero == (product == 1)


def test_sums_of_other_numbers_are_one_sum():
    one = LogarithmSum({Fraction(6): Fraction(1), Fraction(10): Fraction(2)})
    other = LogarithmSum({Fraction(2): Fraction(3), Fraction(3): Fraction(1), Fraction(5): Fraction(2)})
    assert one.equals(other) is True
    assert order(one, other) == 0
    assert order(one, LogarithmSum({Fraction(600): Fraction(1), Fraction(10**9 + 1, 10**9): Fraction(1)})) == -1
    assert one.equals(LogarithmSum({Fraction(601): Fraction(1)})) is False


def test_no_rational_but_0_is_a_sum_of_logarithms():
    assert LogarithmSum({Fraction(2): Fraction(1)}).equals(Fraction(1)) is False
    assert LogarithmSum({Fraction(4): Fraction(1), Fraction(2): Fraction(-2)}).equals(Fraction(0)) is True
    assert LogarithmSum({Fraction(4): Fraction(1), Fraction(2): Fraction(-2)}).equals(Fraction(1)) is False
    assert order(LogarithmSum({Fraction(4): Fraction(1), Fraction(2): Fraction(-2)}), Fraction(0)) == 0


def test_a_loss_is_its_epsilon():
    assert order(LogarithmSum.of_loss(Loss(9, 2)), LogarithmSum.of_loss(Loss(3))) == 0
    with pytest.raises(TypeError, match="infinite"):
        LogarithmSum.of_loss(Loss(None))


def test_terms_are_shown_together_and_long_sums_as_numbers():
    assert str(LogarithmSum({Fraction(3): Fraction(1), Fraction(1, 2): Fraction(1)})) == "-ln(2) + ln(3) ≈ 0.405465"
    many = LogarithmSum({Fraction(n): Fraction(1, 7) for n in range(2, 14)})
    assert str(many).startswith("≈ ")
    assert LogarithmSum({Fraction(1): Fraction(3)}).value == 0
    assert LogarithmSum({}).value == 0


def test_sums_with_numbers_of_another_kind():
    one = LogarithmSum({Fraction(2): Fraction(1)})
    assert one.plus(Fraction(0)) is one
    assert one.plus(Fraction(1)) is None


def test_fractions_cancel_above_and_below():
    """ln(3/2) + ln(4/3) = ln 2, and not ln 3."""
    both = LogarithmSum({Fraction(3, 2): Fraction(1), Fraction(4, 3): Fraction(1)})
    assert both.equals(LogarithmSum({Fraction(2): Fraction(1)})) is True
    assert both.equals(LogarithmSum({Fraction(3): Fraction(1)})) is False
    assert str(both) == "ln(2) ≈ 0.693147"
