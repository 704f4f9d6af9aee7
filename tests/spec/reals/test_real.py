from fractions import Fraction
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import Enclosure, InputError
from stirred.spec.ball import precision
from stirred.spec.reals.logarithm_sum import LogarithmSum
from stirred.spec.reals.normal_quantiles import NormalShift, normal_power
from stirred.spec.reals.radical_sum import RadicalSum
from stirred.spec.reals.real import EnclosedReal, UndecidedOrderError, larger, order

LEVELS = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)


@given(LEVELS, LEVELS)
def test_a_shift_is_that_of_the_normal_law(level, power):
    normal = NormalDist()
    shift = NormalShift(level, power)
    assert float(shift.enclosure().lower) == pytest.approx(normal.inv_cdf(power) - normal.inv_cdf(level), abs=1e-9)
    with precision(128):
        back = normal_power(level, shift)
        assert abs(float(back.mid()) - power) < 1e-25
    assert shift.equals(NormalShift(1 - power, 1 - level)) is True


def test_shifts_far_out_are_enclosed():
    tiny = Fraction(1, 10**40)
    assert float(NormalShift(tiny, 1 - tiny).enclosure().lower) == pytest.approx(2 * 13.310921, abs=1e-5)
    with pytest.raises(InputError, match="power must be between 0 and 1"):
        NormalShift(Fraction(1, 2), Fraction(1))


def test_a_shift_of_0_is_0_and_of_other_quantiles_not_known():
    assert NormalShift(Fraction(1, 3), Fraction(1, 3)).equals(Fraction(0)) is True
    assert NormalShift(Fraction(1, 3), Fraction(1, 2)).equals(Fraction(0)) is None
    assert NormalShift(Fraction(1, 3), Fraction(1, 2)).equals(NormalShift(Fraction(1, 3), Fraction(2, 3))) is None
    assert (
        NormalShift(Fraction(1, 3), Fraction(1, 2))
        .times(Fraction(2))
        .equals(NormalShift(Fraction(1, 3), Fraction(1, 2)))
        is None
    )


def test_numbers_of_different_kinds_are_ordered():
    assert order(LogarithmSum({Fraction(2): Fraction(1)}), RadicalSum({Fraction(1, 2): Fraction(1)}, 2)) == -1
    assert order(Fraction(7, 10), LogarithmSum({Fraction(2): Fraction(1)})) == 1


def test_an_order_that_nothing_decides_is_refused():
    """Φ⁻¹(2/3) − Φ⁻¹(1/3) = 2·(Φ⁻¹(1/2) − Φ⁻¹(1/3)) by symmetry, which no rule here knows."""
    with pytest.raises(UndecidedOrderError, match="not told apart"):
        order(
            NormalShift(Fraction(1, 3), Fraction(2, 3)), NormalShift(Fraction(1, 3), Fraction(1, 2)).times(Fraction(2))
        )


def test_the_larger_of_two_that_are_not_told_apart_is_enclosed_by_both():
    one, other = (
        EnclosedReal(Enclosure(Fraction(1, 4), Fraction(1, 2))),
        EnclosedReal(Enclosure(Fraction(1, 3), Fraction(2, 5))),
    )
    found = larger(one, other)
    assert (found.ends.lower, found.ends.upper) == (Fraction(1, 3), Fraction(1, 2))
    assert larger(one, Fraction(1, 2)).ends.upper == Fraction(1, 2)
    assert larger(one, Fraction(3, 4)) == Fraction(3, 4)
    assert one.times(Fraction(2)).ends.lower == Fraction(1, 2)
    assert one.plus(Fraction(1)) is None is one.equals(Fraction(1, 4))
    assert str(other) == "in [0.333333, 0.4]"
