"""Conversions between budgets, against 50-digit formulas computed apart, exact laws, and each other."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stirred.spec import InputError, Law, Loss, hockey_stick
from stirred.spec.converted import Target, conversions, from_approximate
from stirred.spec.gaussian_budget import (
    gaussian_delta,
    gaussian_power,
    gaussian_to_approximate,
    gaussian_to_renyi,
    gaussian_to_zcdp,
)
from stirred.spec.output_premetrics import Tradeoff, approximate_curve, tradeoff_curve
from stirred.spec.renyi_budget import pure_to_renyi, renyi_to_approximate, zcdp_to_renyi
from stirred.spec.zcdp import pure_to_zcdp, smallest_pure_to_zcdp, smallest_zcdp_to_approximate

CONTEXT = mpmath.MPContext()
CONTEXT.dps = 50

positive = st.fractions(Fraction(1, 10), 5, max_denominator=20)
orders = st.fractions(Fraction(11, 10), 40, max_denominator=20)
deltas = st.sampled_from([Fraction(1, 3), Fraction(1, 1000), Fraction(1, 10**10), Fraction(1, 10**30)])
levels = st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000)


def real(number):
    return CONTEXT.mpf(number.numerator) / number.denominator


def holds(enclosure, value, slack=1e-18):
    return real(enclosure.lower) - slack <= value <= real(enclosure.upper) + slack


@given(positive, st.fractions(0, 6, max_denominator=20))
def test_gaussian_delta_is_that_of_two_normal_laws(mu, epsilon):
    m, e = real(mu), real(epsilon)
    expected = CONTEXT.ncdf(m / 2 - e / m) - CONTEXT.exp(e) * CONTEXT.ncdf(-m / 2 - e / m)
    assert holds(gaussian_delta(mu, epsilon), expected)


@settings(max_examples=15)
@given(positive, deltas)
def test_the_least_epsilon_of_a_gaussian_budget_has_this_delta(mu, delta):
    found = gaussian_to_approximate(mu, delta)
    assert found.upper - found.lower <= Fraction(1, 10**12)
    assert gaussian_delta(mu, found.upper, digits=80).upper <= delta
    if found.upper:
        assert gaussian_delta(mu, found.lower, digits=80).lower > delta


@settings(max_examples=15)
@given(positive, levels)
def test_the_power_of_a_gaussian_test(mu, level):
    with CONTEXT.workdps(40):
        place = CONTEXT.sqrt(2) * CONTEXT.erfinv(2 * real(level) - 1)
        assert holds(gaussian_power(mu, level), CONTEXT.ncdf(place + real(mu)), 1e-15)


def test_the_power_far_out_and_at_one_half():
    assert gaussian_power(0, Fraction(1, 10**40), digits=60).contains(Fraction(1, 10**40))
    assert gaussian_power(0, Fraction(1, 2)).contains(Fraction(1, 2))


@given(positive, orders)
def test_pure_to_renyi_is_the_divergence_of_randomized_response(gamma, order):
    loss = Loss(1 + gamma)
    g, a = 1 + real(gamma), real(order)
    p, q = g / (1 + g), 1 / (1 + g)
    expected = CONTEXT.log(p**a * q ** (1 - a) + q**a * p ** (1 - a)) / (a - 1)
    found = pure_to_renyi(loss, order)
    assert holds(found, expected)
    assert found.lower <= order * smallest_pure_to_zcdp(loss).upper
    assert found.lower <= loss.epsilon().upper


@given(positive)
def test_a_pure_budget_is_a_loss_or_the_number_itself(epsilon):
    assert pure_to_zcdp(epsilon).contains(epsilon**2 / 2)
    e = real(epsilon)
    assert holds(smallest_pure_to_zcdp(epsilon), e * CONTEXT.tanh(e / 2))


@given(orders, positive, deltas)
def test_one_order_gives_no_less_than_the_best_order_of_zcdp(order, rho, delta):
    one = renyi_to_approximate(order, zcdp_to_renyi(rho, order), delta)
    assert smallest_zcdp_to_approximate(rho, delta).lower <= one.upper
    a, e, d = real(order), real(order * rho), real(delta)
    expected = e + CONTEXT.log(1 - 1 / a) - CONTEXT.log(a * d) / (a - 1)
    assert holds(one, max(expected, 0))
    assert real(one.lower) <= e - CONTEXT.log(d) / (a - 1)  # Mironov


@given(st.integers(2, 12), deltas)
def test_the_conversion_of_one_order_holds_for_laws(order, delta):
    """Laws with D_α ≤ ε satisfy E_(e^ε') ≤ δ, here with E at an ε' rounded down."""
    p, q = (Law({0: Fraction(n, 20), 1: 1 - Fraction(n, 20)}) for n in (19, 4))
    a, total = order, sum(p.numeric(t) ** order * q.numeric(t) ** (1 - order) for t in p)
    divergence = Fraction(str(CONTEXT.log(real(total)) / (a - 1))[:30])
    converted = renyi_to_approximate(order, divergence, delta)
    gamma = Fraction(str(CONTEXT.exp(real(converted.lower)))[:25])
    assert hockey_stick(p, q, gamma) <= delta


def test_gaussian_budgets_are_exact_under_zcdp_and_renyi():
    assert gaussian_to_zcdp(Fraction(2, 3)) == Fraction(2, 9)
    assert gaussian_to_renyi(Fraction(2, 3), 3) == Fraction(2, 3)


@given(st.fractions(1, 9, max_denominator=9), st.fractions(0, Fraction(9, 10), max_denominator=10), levels)
def test_the_curve_of_a_budget_is_attained(gamma, delta, level):
    """Randomized response that fails with probability δ has this trade-off function."""
    right, wrong = (1 - delta) * gamma / (1 + gamma), (1 - delta) / (1 + gamma)
    p = Law({"fails on x": delta, "x": right, "x'": wrong})
    q = Law({"fails on x'": delta, "x": wrong, "x'": right})
    curve = approximate_curve(gamma, delta)
    power = Tradeoff.at(curve, level)
    assert power == Tradeoff.at(tradeoff_curve(p, q), level)
    assert from_approximate(Loss(gamma), delta, level).value.contains(power)


@pytest.mark.parametrize(
    ("given", "at", "names"),
    [
        ({"rho": 1}, {"delta": Fraction(1, 10), "order": 2}, ["epsilon", "epsilon", "epsilon"]),
        (
            {"mu": 1},
            {"delta": Fraction(1, 10), "epsilon": 1, "level": Fraction(1, 20)},
            ["rho", "epsilon", "delta", "power"],
        ),
        ({"epsilon": Loss(3)}, {"order": 2, "level": Fraction(1, 20)}, ["rho", "rho", "epsilon", "power"]),
        ({"epsilon": 1}, {"order": 2, "delta": Fraction(1, 10)}, ["epsilon"]),
        ({"epsilon": 1}, {"level": Fraction(1, 20), "delta": Fraction(1, 10)}, ["power"]),
    ],
)
def test_each_budget_gives_what_is_asked_for(given, at, names):
    assert [found.name for found in conversions(Target(**at), **given)] == names


@pytest.mark.parametrize(
    ("given", "at", "said"),
    [
        ({}, {}, "exactly one of rho, mu and epsilon"),
        ({"rho": 1, "mu": 1}, {"order": 2}, "exactly one of rho, mu and epsilon"),
        ({"rho": 1}, {}, "delta, order or level must be given"),
        ({"rho": -1}, {"order": 2}, "rho must be"),
        ({"rho": 1}, {"order": 1}, "order must be above 1"),
        ({"mu": 1}, {"level": 1}, "level must be"),
        ({"mu": 0.5}, {"order": 2}, "mu must be an exact number"),
        ({"epsilon": 1}, {"delta": Fraction(1, 10)}, "order .* or level"),
        ({"epsilon": Loss(3)}, {"order": 2, "delta": Fraction(1, 10)}, "epsilon must be a number"),
    ],
)
def test_what_is_asked_badly_is_refused(given, at, said):
    with pytest.raises(InputError, match=said):
        conversions(Target(**at), **given)


def test_one_order_gives_no_negative_epsilon():
    # 1/10 + ln(1/2) - ln(2 * 9/10) < 0; 1/2 + ln(9/10) - ln(10 * 1/10)/9 = 1/2 + ln(9/10) = 0.39463…
    none = renyi_to_approximate(2, Fraction(1, 10), Fraction(9, 10))
    assert (none.lower, none.upper) == (0, 0)
    assert renyi_to_approximate(10, Fraction(1, 2), Fraction(1, 10)).text(5) == "0.39464"
