"""The bounds by fair coins: against exact divergences of shifted binomial laws, and what they refuse."""

from fractions import Fraction
from itertools import pairwise
from math import comb

import pytest

from stirred.spec.arguments import InputError
from stirred.spec.numbers.ball import ends_of, precision
from stirred.verify.engines.swapping.fair_coins import FairCoins, _largest_mass, _shifted

ROWS = (400_000, 500_000)
COINS = FairCoins(ROWS, (2_000, 300_000), Fraction(1, 2), 1_500, 150)
ORDERS = tuple(range(2, 30))


@pytest.mark.parametrize("n", [0, 1, 2, 5, 9])
@pytest.mark.parametrize("order", [2, 3, 7])
def test_the_divergence_of_a_shift_is_the_sum_over_its_laws(n, order):
    ratio = Fraction(4)
    slope = order * (ratio ** (order - 1) - 1)

    def f(y):
        return y**order - 1 - order * (y - 1) if y <= ratio else f(ratio) + slope * (y - ratio)

    masses = {
        k: (Fraction(comb(n, k), 2**n), Fraction(comb(n, k - 1), 2**n) if k else Fraction(0)) for k in range(n + 1)
    }
    exact = 1 + sum(p * f(q / p) for p, q in masses.values()) + slope * Fraction(1, 2**n)
    with precision(128):
        low, high = ends_of(_shifted(n, ratio, order))
    assert low <= exact <= high < exact + Fraction(1, 10**20)


def test_one_coin_more_hides_no_less():
    with precision(128):
        ends = [ends_of(_shifted(n, Fraction(19), 5)) for n in range(40)]
        masses = [ends_of(_largest_mass(n)) for n in range(40)]
    assert all(more[0] <= less[1] for less, more in pairwise(ends))
    assert all(more[0] <= less[1] for less, more in pairwise(masses))


def test_no_coin_costs_as_much_as_the_ratio_allows():
    with precision(128):
        low, high = ends_of(_shifted(0, Fraction(19), 5))
    assert low <= 5 * Fraction(19) ** 4 <= high


def test_following_fewer_records_is_a_weaker_bound():
    fewer = FairCoins(ROWS, (2_000, 300_000), Fraction(1, 2), 300, 150)
    assert COINS.total_variation() < fewer.total_variation() < 1
    assert COINS.renyi(Fraction(19), ORDERS) < fewer.renyi(Fraction(19), ORDERS)


def test_more_orders_are_a_sharper_bound_and_never_less_than_the_last_allows():
    assert COINS.renyi(Fraction(19), ORDERS) < COINS.renyi(Fraction(19), ORDERS[:9])


@pytest.mark.parametrize("followed", [0, 2_000, 400_000])
def test_followed_records_must_be_there_and_few(followed):
    with pytest.raises(InputError, match=r"followed must be in 1, \.\.\., 1999"):
        FairCoins(ROWS, (2_000, 300_000), Fraction(1, 2), followed, 150).total_variation()
