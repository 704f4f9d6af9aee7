"""Events of laws that are made of powers of e are compared exactly: ties, and what is beside them on either side."""

from fractions import Fraction

import mpmath
import pytest

from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.numbers.reals.real import UndecidedOrderError
from stirred.verify.engines.exponential_law import ExponentialLaws, Factor
from stirred.verify.engines.nearby_law import laws_at_exponential

X = RationalFunction([0, 1])
ONE = Fraction(1)
LEAST = Fraction(1, 10**60)


def exponential_laws(step=ONE):
    """x: P(a) = e^-q; y: P(a) = e^-2q."""
    exact = {"x": Law({"a": X, "b": 1 - X}), "y": Law({"a": X * X, "b": 1 - X * X})}
    return ExponentialLaws(exact, step, laws_at_exponential(exact, step))


@pytest.mark.parametrize("step", [ONE, Fraction(1, 3), Fraction(7, 2)])
def test_a_tie_is_no_excess_and_what_is_beside_it_is_decided(step):
    laws = exponential_laws(step)
    for delta in (Fraction(0), LEAST):  # E_γ(x‖y) = e^-q − γ·e^-2q on {a}
        assert not laws.is_above("x", "y", Factor.of(step, ONE), delta)
        assert not laws.is_above("x", "y", Factor.of(step + LEAST, ONE), delta)
    assert laws.is_above("x", "y", Factor.of(step - LEAST, ONE), Fraction(0))
    assert not laws.is_above("x", "y", Factor.of(step - LEAST, ONE), LEAST * 10)


def test_a_delta_is_decided_to_any_digit():
    laws = exponential_laws()
    with mpmath.workdps(120):
        tie = mpmath.exp(-1) - mpmath.exp(mpmath.mpf(1) / 2 - 2)  # γ = e^(1/2)
        close = Fraction(int(mpmath.floor(tie * mpmath.mpf(10) ** 100)), 10**100)
    factor = Factor.of(Fraction(1, 2), ONE)
    assert laws.is_above("x", "y", factor, close)
    assert not laws.is_above("x", "y", factor, close + Fraction(1, 10**100))


def test_masses_are_exact():
    found = exponential_laws().mass("y", ["b"])
    with mpmath.workdps(50):
        assert found.enclosure(40).lower <= Fraction(str(1 - mpmath.exp(-2))) + Fraction(1, 10**39)
    assert exponential_laws().mass("x", ["a", "b"]).value == 1


@pytest.mark.parametrize(
    ("budget", "distance", "expected"),
    [
        (Fraction(1, 2), Fraction(3), Factor(ONE, Fraction(3, 2), 1)),
        (Loss(Fraction(3)), ONE, Factor(Fraction(3), Fraction(0), 1)),
        (Loss(Fraction(3), 2), ONE, Factor(Fraction(3), Fraction(0), 2)),
        (Loss(Fraction(9), 2), ONE, Factor(Fraction(3), Fraction(0), 1)),
    ],
)
def test_a_factor(budget, distance, expected):
    assert Factor.of(budget, distance) == expected


def test_a_root_of_a_high_degree_is_not_decided():
    with pytest.raises(UndecidedOrderError, match="root of a high degree"):
        Factor.of(Loss(Fraction(2), 65), ONE)


@pytest.mark.parametrize(
    ("first", "second", "factor", "expected"),
    [
        (X, X * X, Factor(ONE, ONE, 1), 0),  # e^-1 and e·e^-2
        (X, X * X, Factor(Fraction(2), Fraction(0), 1), 1),  # e > 2
        (X, X * X, Factor(Fraction(3), Fraction(0), 1), -1),  # e < 3
        (X, X * X, Factor(Fraction(7), Fraction(0), 2), 1),  # e² > 7
        (X, X * X, Factor(Fraction(8), Fraction(0), 2), -1),  # e² < 8
        (Fraction(1, 2), Fraction(1, 4), Factor(Fraction(4), Fraction(0), 2), 0),
        (X, Fraction(0), Factor(Fraction(2), Fraction(0), 1), 1),
        (Fraction(0), Fraction(0), Factor(Fraction(2), Fraction(0), 1), 0),
        (X - Fraction(1, 2), X, Factor(ONE, Fraction(0), 1), -1),  # e^-1 < 1/2
    ],
)
def test_the_order_of_two_numbers(first, second, factor, expected):
    assert factor.order(first, second, ONE) == expected
