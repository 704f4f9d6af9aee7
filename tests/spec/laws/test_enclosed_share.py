"""Probabilities between two rationals: what they may be, their texts, and their enclosures."""

from fractions import Fraction

import mpmath
import pytest

from stirred.spec.arguments import InputError
from stirred.spec.laws.enclosed_share import EnclosedShare, enclosed_share
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum

THIRD, HALF = Fraction(1, 3), Fraction(1, 2)


@pytest.mark.parametrize("ends", [(0, HALF), (Fraction(-1), HALF), (HALF, THIRD), (Fraction(3, 2), Fraction(2))])
def test_ends_that_no_probability_has_are_refused(ends):
    with pytest.raises(InputError, match="must be above 0 and at most 1"):
        EnclosedShare(*map(Fraction, ends))


def test_a_text_is_read_again():
    share = EnclosedShare(THIRD, Fraction(101, 100))
    assert share.text() == "enclosed 1/3..101/100"
    assert EnclosedShare.read(share.text()) == share


@pytest.mark.parametrize("text", ["", "1/2", "enclosed 1/2", "enclosed -1/2..1", "enclosed 1/2..0.7", "enclosed 1..1 "])
def test_another_text_is_none(text):
    assert EnclosedShare.read(text) is None


@pytest.mark.parametrize("text", ["enclosed 1/0..1", "enclosed 0..1/2", "enclosed 2/3..1/2"])
def test_a_text_of_no_probability_is_refused(text):
    with pytest.raises(InputError, match="an enclosed probability must be"):
        EnclosedShare.read(text)


def test_its_ball_has_both_ends():
    ball = EnclosedShare(THIRD, HALF).ball()
    assert ball.lower() <= Fraction(1, 3).numerator / 3 + 1e-15
    assert ball.upper() >= 0.5


def test_a_real_number_is_enclosed():
    share = enclosed_share(LogarithmSum({Fraction(2): Fraction(1)}))
    with mpmath.workdps(80):
        ln2 = mpmath.log(2)
        assert mpmath.mpf(share.lower.numerator) / share.lower.denominator <= ln2
        assert mpmath.mpf(share.upper.numerator) / share.upper.denominator >= ln2
    assert share.upper - share.lower <= share.lower / 10**20


@pytest.mark.parametrize("base", [3, Fraction(1, 2)])
def test_what_is_no_probability_is_not_enclosed(base):  # ln 3 > 1, ln 1/2 < 0
    assert enclosed_share(LogarithmSum({Fraction(base): Fraction(1)})) is None


def test_a_very_small_number_is_enclosed_relatively():
    share = enclosed_share(ExponentialQuotient({Fraction(-50): Fraction(1)}))
    assert 0 < share.lower < Fraction(1, 10**21)
    assert share.upper / share.lower < 1 + Fraction(1, 10**20)
