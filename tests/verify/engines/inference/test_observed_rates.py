from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec.arguments import InputError
from stirred.spec.loss import INFINITE, Loss
from stirred.verify.engines.inference.observed_rates import (
    CountedTest,
    binomial_bounds,
    smallest_consistent_gamma,
    smallest_consistent_loss,
)
from stirred.verify.engines.inference.power import power_bounds, sharpest_power, smallest_power

rates = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)
UNIT = Fraction(1, 2**48)


def tail(k, n, p):
    return sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))


@given(rates, rates)
def test_the_smallest_loss_is_the_inverse_of_the_printed_bounds(a, b):
    gamma = smallest_consistent_loss(a, b).gamma
    low, high = power_bounds(a, gamma, 1)
    assert b in (low, high)


@given(rates, rates, st.integers(1, 3))
def test_the_smallest_gamma_of_a_path_is_the_inverse_of_the_sharpest_power(a, b, distance):
    found = smallest_consistent_gamma(a, b, distance)
    assert smallest_power(a, found.upper, distance) <= b <= sharpest_power(a, found.upper, distance)
    if found.lower > 1:
        below = found.lower - Fraction(1, 10**6)
        assert below < 1 or not smallest_power(a, below, distance) <= b <= sharpest_power(a, below, distance)
    assert found.upper - found.lower <= found.upper / 2**40
    assert found.upper**distance >= smallest_consistent_loss(a, b, distance).gamma


def test_rates_of_zero_and_one_need_an_infinite_loss_or_none():
    assert smallest_consistent_loss(0, Fraction(1, 2)) == INFINITE
    assert smallest_consistent_gamma(Fraction(1, 2), 1, 2) is None
    assert smallest_consistent_loss(0, 0) == Loss(1)
    assert smallest_consistent_gamma(1, 1, 3).upper == 1


@pytest.mark.parametrize(("k", "n"), [(0, 7), (1, 7), (3, 10), (10, 10), (40, 60)])
@pytest.mark.parametrize("error", [Fraction(1, 2), Fraction(1, 20), Fraction(1, 1000)])
def test_each_end_is_the_last_one_whose_exact_tail_is_small_enough(k, n, error):
    low, high = binomial_bounds(k, n, error)
    for end, count in ((low, k), (1 - high, n - k)):
        if count:
            assert tail(count, n, end) <= error
            assert tail(count, n, end + 2 * UNIT) > error or end + 2 * UNIT > Fraction(count, n)
        else:
            assert end == 0


def test_the_bounds_fail_no_more_often_than_is_said():
    error, n = Fraction(1, 10), 12
    for p in (Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)):
        weights = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        bounds = [binomial_bounds(k, n, error) for k in range(n + 1)]
        assert sum(w for w, (low, _) in zip(weights, bounds, strict=True) if low > p) <= error
        assert sum(w for w, (_, high) in zip(weights, bounds, strict=True) if high < p) <= error


def test_counts_of_no_power_say_nothing():
    assert CountedTest(50, 100, 50, 100).smallest_loss(Fraction(1, 20)) == Loss(1)


def test_the_loss_of_counts_holds_at_any_distance():
    counted = CountedTest(2, 400, 300, 400)
    a, b = counted.rates(Fraction(1, 20))
    assert counted.smallest_loss(Fraction(1, 20)) == smallest_consistent_loss(a, b)
    farther = CountedTest(2, 400, 300, 400, distance=3).smallest_loss(Fraction(1, 20))
    assert farther.times(3) == counted.smallest_loss(Fraction(1, 20))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 2, Fraction(1, 20)), "successes must be at most trials, and trials at most 1000000; got 3 and 2"),
        ((0, 0, Fraction(1, 20)), "trials must be at least 1; got 0"),
        ((1, 2, Fraction(3, 4)), "error must be above 0 and at most 1/2; got 3/4"),
        ((1, 2, 0.05), "error must be an exact number; got the float 0.05: write Fraction('0.05')"),
    ],
)
def test_bad_counts_are_refused_in_a_line(arguments, message):
    with pytest.raises(InputError) as refused:
        binomial_bounds(*arguments)
    assert str(refused.value) == message
