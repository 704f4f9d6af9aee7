"""Quotients of sums of powers of e against floats, and as numbers with one form each."""

import copy
import math
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient, sign_of_sum

SUMS = st.dictionaries(
    st.fractions(-2, 2, max_denominator=6), st.fractions(-3, 3, max_denominator=5).filter(bool), min_size=1, max_size=4
)
NUMBERS = st.builds(ExponentialQuotient, SUMS, SUMS)


def plain(number):
    above, below = (sum(float(c) * math.exp(r) for r, c in part.items()) for part in (number.above, number.below))
    return above / below


@given(NUMBERS, NUMBERS, NUMBERS)
def test_they_are_a_field_whose_equal_members_have_one_form(a, b, c):
    assert (a + b) * c == c * b + a * c
    assert hash((a - b) * (a + b)) == hash(a * a - b * b)
    assert a * b / b == a if b else not a * b
    for one in (copy.deepcopy(a), pickle.loads(pickle.dumps(a)), ExponentialQuotient(a.above, a.below)):  # noqa: S301
        assert (one, hash(one)) == (a, hash(a))


@given(NUMBERS, NUMBERS)
def test_sums_products_and_quotients_lie_near_those_of_floats(a, b):
    for found, near in ((a + b, plain(a) + plain(b)), (a * b, plain(a) * plain(b))):
        assert float(found.ball().mid()) == pytest.approx(near, rel=1e-6, abs=1e-6 * (1 + abs(near)))
    assert sign_of_sum(a.above) == (plain(a) > 0) * sign_of_sum(a.below) - (plain(a) < 0) * sign_of_sum(a.below)


def test_parts_are_in_lowest_terms_and_exponents_in_the_largest_unit():
    e = ExponentialQuotient.exponential
    number = (e(Fraction(2)) - 1) / (e(Fraction(1)) - 1)
    assert number == e(Fraction(1)) + 1
    assert number.parts == (number, ExponentialQuotient({Fraction(0): Fraction(1)}))
    assert (e(Fraction(1, 6)) * e(Fraction(5, 6))).above == {Fraction(1): Fraction(1)}
    assert (e(Fraction(1, 2)) * e(Fraction(-1, 2))).value == 1
    with pytest.raises(ZeroDivisionError):
        e(Fraction(1)) / (number - number)
