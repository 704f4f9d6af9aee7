from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fractions, gammas, laws

from stirred.spec import INFINITE, InputError, Law, Loss, Multiplicative
from stirred.spec.zcdp import group_zcdp, pure_to_zcdp, smallest_pure_to_zcdp


def as_mpf(value):
    return mpmath.mpf(value.numerator) / value.denominator


@given(gammas, st.integers(1, 5))
def test_the_conversions_are_their_formulas(gamma, distance):
    with mpmath.workdps(50):
        epsilon = mpmath.log(as_mpf(gamma)) / distance
        for found, value in (
            (pure_to_zcdp(Loss(gamma, distance)), epsilon**2 / 2),
            (smallest_pure_to_zcdp(Loss(gamma, distance)), epsilon * mpmath.tanh(epsilon / 2)),
        ):
            slack = mpmath.mpf(10) ** -40
            assert as_mpf(found.lower) - slack <= value <= as_mpf(found.upper) + slack


@given(gammas.filter(lambda gamma: gamma > 1))
def test_the_smallest_conversion_is_below_half_the_square(gamma):
    assert smallest_pure_to_zcdp(Loss(gamma), digits=30).upper < pure_to_zcdp(Loss(gamma), digits=30).lower


@given(laws(3, positive=True), laws(3, positive=True))
def test_the_kullback_leibler_divergence_is_within_the_smallest_conversion(p, q):
    # KL is the limit of D_alpha/alpha at 1, so it is at most D_NoR^2
    bound = smallest_pure_to_zcdp(Multiplicative().distance(p, q)).upper
    with mpmath.workdps(50):
        kl = mpmath.fsum(as_mpf(p[t]) * mpmath.log(as_mpf(p[t] / q[t])) for t in p)
        assert kl <= as_mpf(bound) + mpmath.mpf(10) ** -40


def test_no_loss_gives_no_budget():
    for conversion in (pure_to_zcdp, smallest_pure_to_zcdp):
        found = conversion(Multiplicative().distance(Law({0: 1}), Law({0: 1})))
        assert found.lower <= 0 <= found.upper


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        (INFINITE, "loss must be a finite Loss"),
        (Fraction(-1), "epsilon must be"),
        (None, "epsilon must be an int or a Fraction"),
        (0.5, "epsilon must be an exact number"),
    ],
)
def test_what_is_no_finite_loss_is_refused(loss, said):
    for conversion in (pure_to_zcdp, smallest_pure_to_zcdp):
        with pytest.raises(InputError, match=said):
            conversion(loss)


@given(fractions(0, 5), st.integers(0, 9), st.integers(0, 9))
def test_groups_of_groups_are_groups(rho_squared, first, second):
    assert group_zcdp(group_zcdp(rho_squared, first), second) == group_zcdp(rho_squared, first * second)


@pytest.mark.parametrize(("rho_squared", "size"), [(-1, 1), (0.5, 1), (1, -1), (1, 1.5), (1, True), (1, Fraction(2))])
def test_a_bad_group_is_refused(rho_squared, size):
    with pytest.raises(InputError, match="must be"):
        group_zcdp(rho_squared, size)
