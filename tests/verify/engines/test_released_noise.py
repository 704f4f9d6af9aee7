"""Released noise: needs of shifts against sums over all integers that matter, at 60 digits."""

from fractions import Fraction
from functools import cache

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stirred.spec import INFINITE, InputError, Loss
from stirred.verify.engines.released_noise import (
    Noise,
    approximate_need,
    exceeding_threshold,
    pure_need,
    read_released,
    zcdp_need,
)

CONTEXT = mpmath.MPContext()
CONTEXT.dps = 60

GAUSSIANS = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(4), Fraction(25, 2)])
RATIOS = st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(2, 3)])
NOISES = GAUSSIANS.map(lambda s: Noise("discrete_gaussian", s)) | RATIOS.map(lambda a: Noise("discrete_laplace", a))


def real(number):
    return CONTEXT.mpf(number.numerator) / number.denominator


@cache
def table(noise):
    """Probabilities by value, as far as any matters at 40 digits."""
    if noise.kind == "discrete_laplace":
        weights = {k: real(noise.parameter) ** abs(k) for k in range(-250, 251)}
    else:
        weights = {k: CONTEXT.exp(-(CONTEXT.mpf(k) ** 2) / (2 * real(noise.parameter))) for k in range(-60, 61)}
    total = sum(weights.values())
    return {k: weight / total for k, weight in weights.items()}


def hockey_stick(noise, shift, epsilon):
    law = table(noise)
    gamma = CONTEXT.exp(epsilon)
    return sum(max(p - gamma * law.get(k + shift, 0), 0) for k, p in law.items())


@settings(max_examples=15)
@given(NOISES, st.integers(1, 4), st.sampled_from([Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**9)]))
def test_one_shifted_integer_needs_the_least_epsilon(noise, shift, delta):
    found = approximate_need([noise], [-shift], delta)
    assert found.upper - found.lower < Fraction(1, 10**10)
    # a little more is enough at this delta, a little less is not
    assert hockey_stick(noise, shift, real(found.upper)) <= real(delta) + CONTEXT.mpf(10) ** -40
    if found.lower > 0:
        assert hockey_stick(noise, shift, real(found.lower)) > real(delta) - CONTEXT.mpf(10) ** -40
        assert hockey_stick(noise, shift, real(found.lower * Fraction(999, 1000))) > real(delta)


def test_a_delta_above_the_total_variation_distance_needs_nothing():
    found = approximate_need([Noise("discrete_gaussian", Fraction(4))], [1], Fraction(1, 2))
    assert found.lower == found.upper == 0


def test_laplace_noise_needs_no_more_than_its_pure_loss():
    noise = Noise("discrete_laplace", Fraction(1, 2))
    assert approximate_need([noise], [2], Fraction(1, 10**9)).upper <= Loss(4).epsilon(20).upper
    assert pure_need([noise, noise], [2, -1]) == Loss(8)


def test_a_gaussian_has_no_pure_loss_where_its_integer_moves():
    noises = [Noise("discrete_gaussian", Fraction(4)), Noise("discrete_laplace", Fraction(1, 2))]
    assert pure_need(noises, [1, 0]) == INFINITE
    assert pure_need(noises, [0, 1]) == Loss(2)


def test_the_zcdp_budget_is_the_sum_over_the_integers():
    noises = [Noise("discrete_gaussian", Fraction(4)), Noise("discrete_gaussian", Fraction(1, 2))]
    assert zcdp_need(noises, [2, -1]) == Fraction(3, 2)
    with pytest.raises(InputError, match="clamp it, or claim epsilon"):
        zcdp_need([Noise("discrete_laplace", Fraction(1, 2))], [1])


@settings(max_examples=10)
@given(st.lists(st.tuples(NOISES, st.integers(-2, 2)), min_size=2, max_size=2))
def test_several_shifted_integers_are_enclosed(pairs):
    """The true need of two independent integers, by the double sum, lies between the ends."""
    delta = Fraction(1, 1000)
    noises, shifts = zip(*pairs, strict=True)
    found = approximate_need(noises, shifts, delta)
    tables = [{k: p for k, p in table(noise).items() if p > 1e-16} for noise in noises]
    first, second = (
        [(p, law.get(k + shift, CONTEXT.mpf(0))) for k, p in law.items()]
        for law, shift in zip(tables, shifts, strict=True)
    )
    excess = {}
    for end in (found.lower, found.upper):
        gamma = CONTEXT.exp(real(end))
        excess[end] = sum(max(p * r - gamma * q * s, 0) for p, q in first for r, s in second) - real(delta)
    assert excess[found.upper] <= CONTEXT.mpf(10) ** -9  # the tables leave tails out
    if found.lower > 0:
        assert excess[found.lower] >= -(CONTEXT.mpf(10) ** -9)


@given(NOISES, st.integers(1, 3), st.integers(0, 2))
def test_the_threshold_exceeds_by_the_whole_hockey_stick(noise, shift, epsilon):
    place, t, p, q = exceeding_threshold([noise], [shift], Fraction(epsilon), digits=50)
    law = table(noise)
    assert place == 0
    assert abs(sum(mass for k, mass in law.items() if k >= t - shift) - real(p)) < CONTEXT.mpf(10) ** -40
    expected = hockey_stick(noise, shift, epsilon)
    if expected > CONTEXT.mpf(10) ** -30:
        assert abs(real(p) - CONTEXT.exp(epsilon) * real(q) - expected) < CONTEXT.mpf(10) ** -40


@pytest.mark.parametrize(
    ("text", "integers", "shape"),
    [
        ("3 + discrete_gaussian(4)", (3,), "noisy"),
        ("(-3 + discrete_laplace(1/2), 'a', Fraction(1, 2))", (-3,), "(noisy, 'a', Fraction(1, 2))"),
    ],
)
def test_outputs_with_noise_are_read(text, integers, shape):
    found = read_released(text)
    assert (found.integers, found.shape) == (integers, shape)


@pytest.mark.parametrize("text", ["'3 + discrete_gaussian(4)'", "3", "(1, '+ discrete_laplace(1/2)')"])
def test_texts_are_no_noise(text):
    assert read_released(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "3 + discrete_gaussian(4) + 1",
        "1 + discrete_gaussian(1/0)",
        "a + discrete_laplace(1/2)",
        "(1 + discrete_laplace(",
    ],
)
def test_malformed_noise_is_refused(text):
    with pytest.raises(InputError):
        read_released(text)
