"""Shares of a discrete Gaussian: enclosed by sums over ℤ, named by texts, and refused where they are no whole.

Gaussian budgets of any size are converted at once, and as an independent computation has it.
"""

import random
import time
from fractions import Fraction
from itertools import product

import flint
import mpmath
import pytest
from digits import as_mpf
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_refused, each

from stirred.spec import InputError
from stirred.spec.budgets.gaussian_budget import gaussian_delta, gaussian_to_approximate
from stirred.spec.laws.discrete_gaussian import (
    cumulative,
    cumulative_floors,
    diagonal_zcdp_budget,
    gaussian_renyi_divergence,
    gaussian_sum,
    gaussian_zcdp_budget,
    point_probability,
    quantile,
    renyi_upper_bound,
    upper_tail,
)
from stirred.spec.laws.gaussian_share import GaussianShare, check_partition
from stirred.spec.numbers.ball import dyadic, ends_of, precision

SCALES = [Fraction(1, 100), Fraction(1, 2), Fraction(1), Fraction(7, 3), Fraction(100), Fraction(12345, 2)]
scales = st.builds(Fraction, st.integers(1, 200), st.integers(1, 20))


def reference(scale, x):
    """P(X = x) by a plain sum at 60 digits."""
    with mpmath.workdps(60):
        reach = int(30 * mpmath.sqrt(as_mpf(scale))) + 10
        total = mpmath.fsum(mpmath.exp(-(mpmath.mpf(y) ** 2) / (2 * as_mpf(scale))) for y in range(-reach, reach + 1))
        return mpmath.exp(-(mpmath.mpf(x) ** 2) / (2 * as_mpf(scale))) / total


def contains(enclosure, value):
    with mpmath.workdps(60):
        return as_mpf(enclosure.lower) <= value <= as_mpf(enclosure.upper)


@pytest.mark.parametrize("scale", SCALES)
def test_the_normalising_constant_is_the_jacobi_theta_value(scale):
    # f(0) = theta_3(0, q) with q = exp(-1/(2 sigma^2)), which flint computes by its modular transformation
    saved = flint.ctx.prec
    try:
        flint.ctx.prec = 300
        inverse = flint.arb(flint.fmpq(scale.denominator, 2 * scale.numerator))
        theta = flint.acb.modular_theta(flint.acb(0), flint.acb(0, inverse / flint.arb.pi()))[2].real
        found = gaussian_sum(scale, digits=40)
        for end, sign in ((found.lower, -1), (found.upper, 1)):
            assert sign * (flint.arb(flint.fmpq(end.numerator, end.denominator)) - theta) >= 0
    finally:
        flint.ctx.prec = saved


@given(scales, st.integers(-30, 30))
def test_probabilities_agree_with_a_plain_sum(scale, x):
    assert contains(point_probability(scale, x, digits=25), reference(scale, x))


@pytest.mark.parametrize("scale", SCALES)
def test_probabilities_and_tails_fit_together(scale):
    for x in (-3, -1, 0, 1, 2, 5):
        tail, following, point = upper_tail(scale, x), upper_tail(scale, x + 1), point_probability(scale, x)
        assert tail.lower <= following.upper + point.upper
        assert following.lower + point.lower <= tail.upper
        below = cumulative(scale, x)
        assert below.lower + following.lower <= 1 <= below.upper + following.upper


@given(scales, st.integers(-6, 6), st.builds(Fraction, st.integers(0, 12), st.just(12)))
def test_the_sum_has_period_one(scale, shift, center):
    first, second = gaussian_sum(scale, center), gaussian_sum(scale, center + shift)
    assert first.lower <= second.upper
    assert second.lower <= first.upper


@pytest.mark.parametrize(
    ("scale", "level", "expected"),
    [
        (Fraction(1), Fraction(1, 2), 0),
        (Fraction(100), Fraction(975, 1000), 20),  # 1.96 * 10 = 19.6
        (Fraction(100), Fraction(25, 1000), -20),
        (Fraction(1, 100), Fraction(999, 1000), 0),
        (Fraction(1), 1 - Fraction(1, 10**30), 11),
    ],
)
def test_quantiles_are_the_smallest_outcomes_that_reach_the_level(scale, level, expected):
    found = quantile(scale, level)
    assert found == expected
    assert cumulative(scale, found, digits=60).lower >= level
    assert cumulative(scale, found - 1, digits=60).upper < level


@pytest.mark.parametrize(("scale", "bits"), list(product(SCALES, (1, 8, 64, 200))))
def test_floors_are_those_of_the_distribution_function(scale, bits):
    least, floors = cumulative_floors(scale, bits)
    assert floors == sorted(floors)
    assert floors[0] == 0
    assert floors[-1] == 2**bits - 1
    for x in (least, -2, -1, 0, 1, 3, least + len(floors) - 1):
        found = cumulative(scale, x, digits=150)
        assert floors[x - least] == found.lower * 2**bits // 1 or x in (least, least + len(floors) - 1)
        assert floors[x - least] <= found.upper * 2**bits
        assert floors[x - least] + 1 >= found.lower * 2**bits


class TestDivergence:
    @given(scales, st.integers(-5, 5).filter(bool), st.integers(2, 9))
    def test_it_is_the_closed_form_at_integer_orders(self, scale, shift, order):
        found = gaussian_renyi_divergence(scale, shift, order)
        assert found.lower == found.upper == Fraction(order * shift**2) / (2 * scale)

    @given(scales, st.integers(-5, 5), st.builds(Fraction, st.integers(13, 60), st.just(12)))
    def test_it_is_never_above_the_bound(self, scale, shift, order):
        assert gaussian_renyi_divergence(scale, shift, order).lower <= renyi_upper_bound(scale, shift, order)

    def test_between_integer_orders_it_is_strictly_below_the_bound(self):
        found = gaussian_renyi_divergence(Fraction(1, 10), 1, Fraction(3, 2))
        assert found.upper < Fraction(15, 2) == renyi_upper_bound(Fraction(1, 10), 1, Fraction(3, 2))

    @pytest.mark.parametrize("order", [Fraction(5, 4), Fraction(3, 2), Fraction(31, 10)])
    def test_it_agrees_with_the_sum_over_outcomes(self, order):
        # ln(sum P^alpha Q^(1-alpha))/(alpha-1) at 60 digits, sigma^2 = 1/5, m = 2
        scale, shift = Fraction(1, 5), 2
        with mpmath.workdps(60):
            a = as_mpf(order)
            terms = (reference(scale, x - shift) ** a * reference(scale, x) ** (1 - a) for x in range(-12, 15))
            value = mpmath.log(mpmath.fsum(terms)) / (a - 1)
        assert contains(gaussian_renyi_divergence(scale, shift, order), value)

    def test_independent_coordinates_add_up(self):
        assert diagonal_zcdp_budget((1, Fraction(1, 2), 8), (1, -1, 4)) == Fraction(1, 2) + 1 + 1


BAD_SCALES = [0, -1, 1.0, True, "1", None, 10**9]


@pytest.mark.parametrize("scale", BAD_SCALES)
@pytest.mark.parametrize(
    "function",
    [
        gaussian_sum,
        lambda scale: point_probability(scale, 0),
        lambda scale: quantile(scale, Fraction(1, 2)),
        lambda scale: gaussian_zcdp_budget(scale, 1),
        lambda scale: cumulative_floors(scale, 8),
        lambda scale: renyi_upper_bound(scale, 1, 2),
    ],
)
def test_a_bad_scale_is_refused(function, scale):
    with pytest.raises(InputError, match=r"^sigma_squared must be"):
        function(scale)


SHARE_SCALES = st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(9, 2), Fraction(40)])
ends = st.none() | st.integers(-6, 6)


def ordered(low, high):
    return (low, high) if low is None or high is None or low <= high else (high, low)


def enclosed(share, bits=256):
    with precision(bits):
        ball = share.ball()
        return dyadic(ball.lower()), dyadic(ball.upper())


@given(SHARE_SCALES, ends, ends)
def test_a_share_of_all_integers_is_a_difference_of_tails(scale, first, second):
    low, high = ordered(first, second)
    below = upper_tail(scale, low, digits=40) if low is not None else None
    above = upper_tail(scale, high + 1, digits=40) if high is not None else None
    least, most = enclosed(GaussianShare(scale, low, high))
    from_tails = (Fraction(1) if below is None else below.lower) - (Fraction(0) if above is None else above.upper)
    assert abs(least - from_tails) < Fraction(1, 10**38)
    assert most - least < Fraction(1, 2**200)


def test_a_share_of_a_part_is_conditional():
    ratio = point_probability(4, 2, digits=40).lower / sum(point_probability(4, x, digits=40).lower for x in (1, 2, 3))
    least, most = enclosed(GaussianShare(Fraction(4), 2, 2, 1, 3))
    assert least - Fraction(1, 10**35) < ratio < most + Fraction(1, 10**35)


@pytest.mark.parametrize("place", [40, -40, 400])
def test_a_share_far_out_keeps_its_relative_precision(place):
    least, most = enclosed(GaussianShare(Fraction(1), place, place))
    assert 0 < least <= most < least * (1 + Fraction(1, 2**200))


@given(SHARE_SCALES, ends, ends, ends, ends)
def test_texts_are_read_back(scale, a, b, c, d):
    least, greatest = ordered(a, b)
    low, high = ordered(c, d)
    try:
        share = GaussianShare(scale, low, high, least, greatest)
    except InputError:
        is_outside = (least is not None and (low is None or low < least)) or (
            greatest is not None and (high is None or high > greatest)
        )
        assert is_outside
    else:
        assert GaussianShare.read(share.text()) == share


@pytest.mark.parametrize("text", ["gaussian 0: .. of ..", "gaussian 1/0: .. of ..", "gaussian 4: 3..2 of .."])
def test_texts_of_no_share_are_refused(text):
    with pytest.raises(InputError):
        GaussianShare.read(text)


def test_other_texts_are_no_shares():
    assert GaussianShare.read("1/2") is None


FOUR = Fraction(4)


def test_shares_of_one_whole_are_weights():
    check_partition([GaussianShare(FOUR, None, 0), GaussianShare(FOUR, 1, 1), GaussianShare(FOUR, 2, None)])


SIZES = tuple(Fraction(text) for text in ("1e300", "1e50", "1e10", "100", "1", "1/100", "1e-10", "1e-300"))


def exact_delta(mu, epsilon):
    """δ(ε) as Corollary 2.13 has it, with as many digits as the two terms cancel and more."""
    with mpmath.workdps(700):
        m, e = map(as_mpf, (mu, epsilon))
        y, far = e / m - m / 2, e / m + m / 2
        if abs(y) > 2_000:
            return mpmath.mpf(0 if y > 0 else 1)
        if far > 10**6:
            # Laplace's continued fraction of the Mills ratio
            mills = far
            for k in range(60, 0, -1):
                mills = far + k / mills
            second = mpmath.exp(-(y**2) / 2) / mills / mpmath.sqrt(2 * mpmath.pi)
        else:
            second = mpmath.exp(e) * mpmath.erfc(far / mpmath.sqrt(2)) / 2
        return mpmath.erfc(y / mpmath.sqrt(2)) / 2 - second


def agrees(mu, epsilon):
    start = time.process_time()
    found = gaussian_delta(mu, epsilon)
    assert time.process_time() - start < 2
    assert 0 <= found.lower <= found.upper <= 1 + Fraction(1, 10**20)
    assert found.upper - found.lower <= Fraction(1, 10**19)
    with mpmath.workdps(700):
        value = exact_delta(mu, epsilon)
        low, high = map(as_mpf, (found.lower, found.upper))
        slack = mpmath.mpf(10) ** -60
        assert low - slack <= value <= high + slack, (mu, epsilon)


@pytest.mark.parametrize("mu", SIZES)
@pytest.mark.parametrize("epsilon", SIZES)
def test_delta_is_right_at_any_mu_and_epsilon(mu, epsilon):
    agrees(mu, epsilon)


@pytest.mark.parametrize("mu", SIZES)
@pytest.mark.parametrize("step", [-3, -1, 0, 1, 3])
def test_delta_is_right_where_it_falls(mu, step):
    """δ falls from 1 to 0 within a few μ of ε = μ²/2."""
    agrees(mu, max(mu**2 / 2 + step * mu, Fraction(0)))


@pytest.mark.parametrize("mu", SIZES)
@pytest.mark.parametrize("delta", [Fraction(1, 100), Fraction(1, 10**12)])
def test_the_least_epsilon_has_its_delta_on_both_sides(mu, delta):
    start = time.process_time()
    found = gaussian_to_approximate(mu, delta)
    assert time.process_time() - start < 8
    assert found.upper - found.lower <= Fraction(1, 10**12)
    assert gaussian_delta(mu, found.upper, digits=40).lower <= delta
    if found.lower:
        assert gaussian_delta(mu, found.lower, digits=40).upper >= delta


def check(seed, count):
    draw = random.Random(seed)  # noqa: S311 not for secrets
    for _ in range(count):
        mu = Fraction(draw.randint(1, 999)) * Fraction(10) ** draw.randint(-30, 30)
        near = mu**2 / 2 + Fraction(draw.randint(-80, 80), 10) * mu
        agrees(mu, max(near, Fraction(0)) if draw.random() < 0.7 else Fraction(10) ** draw.randint(-30, 60))


def test_random_budgets_agree():
    check(28, 60)


@pytest.mark.nightly
def test_random_budgets_agree_tonight(changing_seed):
    check(changing_seed, 3_000)


def test_ends_of_a_ball_contain_it_and_are_short():
    for exponent in (0, 3, -3, 10**4, -(10**4), -(10**30)):
        for sign in (-1, 1):
            ball = sign * flint.arb(2) ** exponent
            low, high = ends_of(ball)
            if abs(exponent) <= 10**4:
                assert low <= sign * Fraction(2) ** exponent <= high
            else:
                assert (low < 0 <= high) if sign < 0 else (low <= 0 < high)
            assert max(low.denominator, high.denominator).bit_length() < 1 << 21
    assert ends_of(flint.arb(2) ** (10**30)) is None
    assert ends_of(flint.arb("nan")) is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *each(
            lambda shift: gaussian_zcdp_budget(1, shift),
            [Fraction(1, 2), 0.5, 1.0, True, "1"],
            r"^shift must be an int: .*infinite loss",
        ),
        *each(
            lambda order: gaussian_renyi_divergence(1, 1, order), [1, Fraction(1, 2), 0, -2], r"^order must be above 1"
        ),
        *each(lambda level: quantile(1, level), [0, 1, 2, -1], r"^level must be between 0 and 1"),
        (lambda: diagonal_zcdp_budget((1, 2), (1,)), "one length; got 2 and 1"),
        *each(
            check_partition,
            [
                [GaussianShare(FOUR, None, 0), GaussianShare(FOUR, 2, None)],
                [GaussianShare(FOUR, None, 0), GaussianShare(FOUR, 0, None)],
                [GaussianShare(FOUR, None, 0), GaussianShare(Fraction(5), 1, None)],
                [GaussianShare(FOUR, None, 0), GaussianShare(FOUR, 1, 7)],
                [GaussianShare(FOUR, -5, 0), GaussianShare(FOUR, 1, None)],
                [GaussianShare(FOUR, None, 0), GaussianShare(FOUR, None, None)],
            ],
            "sum to exactly 1",
        ),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
