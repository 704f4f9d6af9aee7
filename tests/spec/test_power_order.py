"""Powers with astronomical exponents are ordered exactly, at their boundary too, and quickly."""

import random
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest

from stirred.spec import INFINITE, ZERO, InputError, Loss
from stirred.spec.power_order import power_order

HUGE = 10**300


@pytest.mark.parametrize("exponent", [1, 7, 10**6, 10**12, HUGE, HUGE + 1])
@pytest.mark.parametrize("base", [Fraction(2), Fraction(9, 8), 1 + Fraction(1, 10**40), Fraction(10) ** 60 + 1])
def test_equal_powers_are_equal_and_one_more_factor_is_more(base, exponent):
    for k in (1, 2, 3, 12):
        assert power_order(base**k, exponent, base, k * exponent) == 0
        assert power_order(base**k, exponent, base, k * exponent + 1) == -1
        if k * exponent > 1:
            assert power_order(base**k, exponent, base, k * exponent - 1) == 1
    assert power_order(base**2, 3 * exponent, base**3, 2 * exponent) == 0


def test_a_power_of_1_is_1():
    assert power_order(Fraction(1), HUGE, Fraction(1), 1) == 0
    assert power_order(Fraction(1), HUGE, Fraction(2), 1) == -1
    assert power_order(Fraction(2), 1, Fraction(1), HUGE) == 1


def test_convergents_of_a_ratio_of_logarithms_are_told_apart_from_it():
    """The nearest fractions to ln 3/ln 2, on both sides of it by turns: 2^p against 3^q at each of them."""
    with mpmath.workdps(500):
        rest, terms = mpmath.log(3) / mpmath.log(2), []
        for _ in range(200):
            terms.append(int(mpmath.floor(rest)))
            rest = 1 / (rest - terms[-1])
    before, now = (1, 0), (terms[0], 1)
    signs = []
    for term in terms[1:]:
        before, now = now, (term * now[0] + before[0], term * now[1] + before[1])
        signs.append(power_order(Fraction(2), now[0], Fraction(3), now[1]))
    assert now[0] > 10**80
    assert all(a == -b != 0 for a, b in pairwise(signs))


def random_losses(seed, count):
    draw = random.Random(seed)  # noqa: S311 not for secrets
    found = []
    for _ in range(count):
        gamma = 1 + Fraction(draw.randint(0, 10**6), draw.choice((1, 7, 10**6, 10**20)))
        distance = Fraction(draw.randint(1, 10**4), draw.randint(1, 10**4)) * Fraction(10) ** draw.randint(-12, 12)
        found.append((Loss(gamma, distance), gamma, distance))
    return found


def check_order(seed, count):
    with mpmath.workdps(200):
        for (a, g, d), (b, h, e) in pairwise(random_losses(seed, count)):
            first, second = (
                mpmath.log(mpmath.mpf(x.numerator) / x.denominator) * y.denominator / y.numerator
                for x, y in ((g, d), (h, e))
            )
            assert (a < b, a > b) == (bool(first < second), bool(first > second))
            for loss, value in ((a, first), (b, second)):
                ends = loss.epsilon(30)
                low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (ends.lower, ends.upper))
                assert low - mpmath.mpf(10) ** -150 <= value <= high + mpmath.mpf(10) ** -150
            scale = Fraction(10) ** 12 / 7
            assert a.times(scale).over(scale) == a == a.over(scale).times(scale)
            assert hash(a.times(scale).over(scale)) == hash(a)


def test_losses_over_any_distance_have_the_order_of_their_values():
    check_order(7, 150)


@pytest.mark.nightly
def test_losses_over_any_distance_have_the_order_of_their_values_tonight(changing_seed):
    check_order(changing_seed, 5_000)


@pytest.mark.parametrize("scale", [10**6, 10**12, HUGE, Fraction(1, 10**9), Fraction(1, HUGE), Fraction(7, 10**300)])
def test_a_loss_times_a_distance_of_any_size_is_the_same_however_it_is_written(scale):
    a, b = Loss(Fraction(4), 3).times(scale), Loss(Fraction(2)).times(Fraction(2, 3) * scale)
    assert a == b
    assert hash(a) == hash(b)
    assert a < Loss(Fraction(2)).times(Fraction(2, 3) * scale * (1 + Fraction(1, 10**40)))
    assert Loss(Fraction(4), 3).over(scale) == Loss(Fraction(2)).over(Fraction(3, 2) * scale)
    assert a.plus(b) == Loss(Fraction(4), 3).times(2 * scale)


def test_texts_of_large_and_small_multiples_are_short_and_exact():
    assert str(Loss(2).over(10**300)).startswith("ln(2)/10^300 ≈ 6.93147E-301")
    assert str(Loss(2).times(10**9)).startswith("10^9*ln(2) ≈ 693147")
    assert str(Loss(2).over(3 * 10**300)).startswith("ln(2)/(3*10^300) ≈")
    assert str(Loss(Fraction(3, 2), 7).times(10**7)).startswith("10^7*ln(3/2)/7 ≈")
    assert Loss(2).over(10**300)._repr_latex_().startswith(r"$\tfrac{1}{10^{300}}\ln 2 \approx")


def test_a_sum_is_exact_or_refused():
    assert Loss(2).times(HUGE).plus(Loss(2)) == Loss(2).times(HUGE + 1)
    assert Loss(2).plus(Loss(3, 2)) == Loss(12, 2)
    assert ZERO.plus(Loss(2).times(HUGE)) == Loss(2).times(HUGE) == Loss(2).times(HUGE).plus(ZERO)
    assert INFINITE.plus(ZERO) == INFINITE == Loss(2).plus(INFINITE)
    with pytest.raises(InputError, match="a sum that can be written out"):
        Loss(2).times(HUGE).plus(Loss(3))


def test_a_power_of_e_is_enclosed_unless_it_is_huge():
    assert Loss(3).ratio().lower == Loss(3).ratio().upper == 3
    assert Loss(2).times(10**9).ratio() is None
    assert INFINITE.ratio() is None
    low, high = (getattr(Loss(2).times(Fraction(1, 10**9)).ratio(40), end) for end in ("lower", "upper"))
    with mpmath.workdps(60):
        exact = mpmath.power(2, mpmath.mpf(10) ** -9)
        assert mpmath.mpf(low.numerator) / low.denominator <= exact <= mpmath.mpf(high.numerator) / high.denominator
    assert high - low < Fraction(1, 10**39)
