"""Gaussian budgets of any size are converted at once, and as an independent computation has it."""

import random
import time
from fractions import Fraction

import flint
import mpmath
import pytest

from stirred.spec.ball import ends_of
from stirred.spec.gaussian_budget import gaussian_delta, gaussian_to_approximate

SIZES = tuple(Fraction(text) for text in ("1e300", "1e50", "1e10", "100", "1", "1/100", "1e-10", "1e-300"))


def exact_delta(mu, epsilon):
    """δ(ε) as Corollary 2.13 has it, with as many digits as the two terms cancel and more."""
    with mpmath.workdps(700):
        m, e = (mpmath.mpf(x.numerator) / x.denominator for x in (mu, epsilon))
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
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
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
