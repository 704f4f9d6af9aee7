"""Conversions between budgets, against 50-digit formulas computed apart, exact laws, and each other.

Privacy curves: at every γ the hockey-stick divergence, by an exact hull of trade-off vertices.
"""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws
from tiers import examples

from stirred.spec import Enclosure, InputError, Law, Loss, hockey_stick
from stirred.spec.budgets.converted import Target, conversions, from_approximate
from stirred.spec.budgets.gaussian_budget import (
    gaussian_delta,
    gaussian_power,
    gaussian_to_approximate,
    gaussian_to_zcdp,
)
from stirred.spec.budgets.privacy_curve import PrivacyCurve
from stirred.spec.budgets.renyi_budget import pure_to_renyi, renyi_to_approximate, zcdp_to_renyi
from stirred.spec.budgets.zcdp import pure_to_zcdp, smallest_pure_to_zcdp, smallest_zcdp_to_approximate
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.output_premetrics import Tradeoff, approximate_curve, tradeoff_curve

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


@examples(10, at_night=15)
@given(positive, deltas)
def test_the_least_epsilon_of_a_gaussian_budget_has_this_delta(mu, delta):
    found = gaussian_to_approximate(mu, delta)
    assert found.upper - found.lower <= Fraction(1, 10**12)
    assert gaussian_delta(mu, found.upper, digits=80).upper <= delta
    if found.upper:
        assert gaussian_delta(mu, found.lower, digits=80).lower > delta


@examples(10, at_night=15)
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


def test_gaussian_budgets_are_exact_under_zcdp():
    assert gaussian_to_zcdp(Fraction(2, 3)) == Fraction(2, 9)


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


gammas = st.fractions(1, 20, max_denominator=30)


def curve_of(p, q):
    return PrivacyCurve.of((*tradeoff_curve(p, q), *tradeoff_curve(q, p)))


def needed(p, q, gamma):
    return max(hockey_stick(p, q, gamma), hockey_stick(q, p, gamma))


@given(laws(), laws(), gammas)
def test_the_curve_is_the_hockey_stick_divergence(p, q, gamma):
    assert curve_of(p, q).delta(gamma) == needed(p, q, gamma)


@given(laws(), laws(), laws(), gammas)
def test_vertices_of_many_pairs_give_the_largest(p, q, r, gamma):
    joined = PrivacyCurve.of((*curve_of(p, q).vertices, *curve_of(q, r).vertices))
    assert joined.delta(gamma) == max(needed(p, q, gamma), needed(q, r, gamma))


@given(laws(), laws(), gammas)
def test_the_pieces_are_the_curve(p, q, gamma):
    curve = curve_of(p, q)
    pieces = curve.pieces()
    assert pieces[0].low == 1
    assert pieces[-1].high is None
    assert [piece.high for piece in pieces[:-1]] == [piece.low for piece in pieces[1:]]
    (piece, *_) = [one for one in pieces if one.low <= gamma and (one.high is None or gamma <= one.high)]
    assert piece.power - gamma * piece.level == curve.delta(gamma)


@given(laws(), laws(), st.fractions(0, 4, max_denominator=20))
def test_an_irrational_gamma_is_enclosed(p, q, epsilon):
    found, gamma = curve_of(p, q).delta_at(epsilon, digits=30), exponential(epsilon, digits=60)
    assert found.lower <= needed(p, q, gamma.lower)
    assert needed(p, q, gamma.upper) <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**25)


points = st.tuples(st.fractions(0, 1, max_denominator=6), st.fractions(0, 1, max_denominator=6))


@given(st.lists(points, max_size=8), gammas)
def test_any_points_give_the_largest_of_their_lines_by_as_few_vertices_as_possible(given_points, gamma):
    curve = PrivacyCurve.of(given_points)
    assert curve.delta(gamma) == max(power - gamma * level for level, power in [(0, 0), *given_points])
    assert set(curve.vertices) <= {(0, 0), *given_points}
    assert curve.vertices[0][0] == 0
    for piece in curve.pieces():  # each vertex is the largest alone somewhere
        between = piece.low + 1 if piece.high is None else (piece.low + piece.high) / 2
        assert piece.high is None or piece.low < piece.high
        lines = [power - between * level for level, power in curve.vertices]
        assert lines.count(max(lines)) == 1
        assert max(lines) == piece.power - between * piece.level


@pytest.mark.parametrize(
    ("given_points", "kept"),
    [
        (["1/10 2/5", "1/5 4/5"], ["0 0", "1/5 4/5"]),  # on a line
        (["1/10 3/10", "1/5 9/10"], ["0 0", "1/5 9/10"]),  # below it
        (["1/10 1/2", "1/5 4/5", "3/10 1"], ["0 0", "1/10 1/2", "1/5 4/5", "3/10 1"]),
        (["1/10 1/2", "1/5 29/40", "3/10 1"], ["0 0", "1/10 1/2", "3/10 1"]),  # slopes 9/4 and 11/4
        (["1/10 1/2", "1/5 31/40", "3/10 1"], ["0 0", "1/10 1/2", "1/5 31/40", "3/10 1"]),  # 11/4 and 9/4
        (["0 1/10", "1/10 1/2", "2/5 19/20"], ["0 1/10", "1/10 1/2", "2/5 19/20"]),
        (["1/5 4/5", "1/5 1/2"], ["0 0", "1/5 4/5"]),
        (["1/2 1/2", "1 1"], ["0 0"]),  # slopes of 1 and less are no gamma
    ],
)
def test_the_vertices_are_those_of_the_hull(given_points, kept):
    read = [tuple(map(Fraction, point.split())) for point in given_points]
    assert PrivacyCurve.of(read).vertices == tuple(tuple(map(Fraction, point.split())) for point in kept)


def test_an_enclosed_gamma_may_reach_below_1():
    curve = PrivacyCurve.of([(Fraction(1, 4), Fraction(3, 4))])
    found = curve.delta_between(Enclosure(Fraction(1, 2), Fraction(2)))
    assert (found.lower, found.upper) == (Fraction(1, 4), Fraction(1, 2))


def test_no_points_need_nothing_from_gamma_1_on():
    assert PrivacyCurve.of([]).delta(1) == 0
    with pytest.raises(InputError, match="gamma must be at least 1"):
        PrivacyCurve.of([]).delta(Fraction(1, 2))


def test_the_curve_as_latex_and_its_pieces_in_words():
    curve = PrivacyCurve.of([(Fraction(1, 3), Fraction(2, 3)), (Fraction(0), Fraction(1, 10))])
    assert curve.to_latex() == (
        r"\delta(\gamma) = \begin{cases} \frac{2 - \gamma}{3} & 1 \le \gamma \le \frac{17}{10} \\ "
        r"\frac{1}{10} & \gamma \ge \frac{17}{10} \end{cases}"
    )
