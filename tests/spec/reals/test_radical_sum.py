from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from stirred.spec.reals.logarithm_sum import LogarithmSum
from stirred.spec.reals.radical_sum import LogOfRadicals, RadicalSum, rational_root
from stirred.spec.reals.real import order

RADICANDS = st.fractions(Fraction(1, 9), 20, max_denominator=9)
TERMS = st.dictionaries(RADICANDS, st.fractions(-3, 3, max_denominator=3), max_size=4)


@given(st.fractions(Fraction(1, 20), 50, max_denominator=20), st.integers(1, 5))
def test_a_root_of_a_power_is_found(number, root):
    assert rational_root(number**root, root) == number
    assert rational_root(2 * number**3, 3) is None


@given(TERMS, st.sampled_from((2, 3, 4)))
def test_zero_is_decided_as_many_digits_suggest(terms, root):
    """Of so small terms no sum but 0 is below 1e-100: its conjugates, at most 4^4, multiply to a bounded rational."""
    with mp.workdps(150):
        value = sum(
            (
                mpf(c.numerator) / c.denominator * mp.root(mpf(r.numerator) / r.denominator, root)
                for r, c in terms.items()
            ),
            mpf(0),
        )
        assert RadicalSum(terms, root).is_zero == (abs(value) < mpf(10) ** -100)


def test_roots_with_rational_quotients_are_one_root():
    """√8 + √18 = 5·√2, and ∜4 = √2."""
    sum_ = RadicalSum({Fraction(8): Fraction(1), Fraction(18): Fraction(1)}, 2)
    assert sum_.equals(RadicalSum({Fraction(2): Fraction(5)}, 2)) is True
    assert order(sum_, RadicalSum({Fraction(4): Fraction(5)}, 4)) == 0
    assert RadicalSum({Fraction(8): Fraction(1), Fraction(2): Fraction(-2)}, 2).equals(Fraction(0)) is True
    assert sum_.equals(Fraction(7)) is False


@given(TERMS, TERMS)
def test_a_product_is_the_product(one, other):
    first, second = RadicalSum(one, 2), RadicalSum(other, 3)
    with mp.workdps(60):
        value = first.enclosure(40).upper * second.enclosure(40).upper
        assert abs(first.multiplied(second).enclosure(30).upper - value) < Fraction(1, 10**25)


def test_logarithms_of_sums_are_compared_with_rationals_and_logarithms():
    two = LogOfRadicals(
        RadicalSum({Fraction(8): Fraction(1), Fraction(2): Fraction(-1)}, 2), Fraction(2)
    )  # 2·ln √2 = ln 2
    assert two.equals(LogarithmSum({Fraction(2): Fraction(1)})) is True
    assert order(two, LogarithmSum({Fraction(2): Fraction(1)})) == 0
    assert two.equals(Fraction(1)) is False
    assert LogOfRadicals(RadicalSum({Fraction(4): Fraction(1, 2)}, 2), Fraction(2)).equals(Fraction(0)) is True
    assert two.equals(two.times(Fraction(1))) is True
    assert two.equals(two.times(Fraction(2))) is None
    assert order(two.times(Fraction(2)), two) == 1
    assert two.plus(LogarithmSum({Fraction(3): Fraction(1)})).equals(LogarithmSum({Fraction(6): Fraction(1)})) is True
    assert two.plus(Fraction(0)) is two
    assert two.plus(Fraction(1)) is two.plus(two.times(Fraction(2))) is None


def test_sums_are_shown():
    assert str(RadicalSum({Fraction(1): Fraction(1), Fraction(3, 4): Fraction(-1)}, 2)) == "1 - (3/4)^(1/2) ≈ 0.133975"
    assert str(RadicalSum({}, 2)) == "0 ≈ 0"
    assert RadicalSum({Fraction(4): Fraction(1)}, 2).value == 2
