"""Looks refute sound mechanisms no more often than is said, and broken ones soon."""

import hashlib
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from stirred.spec import InputError
from stirred.spec.loss import Loss
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, NormalizedRenyi, TotalVariation
from stirred.verify.sampled.looks import Look, Plan, looks
from stirred.verify.sampled.sampling import look_sizes

ERROR = Fraction(1, 10)


class Coins:
    """Draws of coins of several entries, without a process."""

    def __init__(self, seed, *rates):
        self.seed, self.rates = seed, rates

    def draw(self, place, purpose, count):
        digest = hashlib.sha256(f"{self.seed} {place} {purpose}".encode()).digest()
        rng = np.random.default_rng(int.from_bytes(digest[:8]))
        return [tuple(row) for row in (rng.random((count, 2)) < self.rates[place]).tolist()]


def refuted(look, gamma):
    return look.q < look.p and (not look.q or Loss(look.p / look.q) > Loss(gamma))


def test_sound_mechanisms_are_refuted_no_more_often_than_is_said():
    # both entries are coins of 3/4 and 1/4, so that the loss is exactly ln 9
    runs, false, above = 120, 0, 0
    for seed in range(runs):
        taken = list(looks(Coins(seed, 0.75, 0.25), [(0, 1, 1)], Plan(Multiplicative(), (200, 400), ERROR)))
        false += any(refuted(look, 9) for look in taken)
        above += any(look.inside > 9 * look.inside_prime for look in taken)
    chance = 1 - sum(comb(runs, k) * ERROR**k * (1 - ERROR) ** (runs - k) for k in range(false))
    assert chance > Fraction(1, 1000)
    assert above > runs // 3  # the rates themselves would refute every other one


def test_a_broken_one_is_refuted_at_the_first_look():
    look = next(looks(Coins(1, 0.9, 0.1), [(0, 1, 1)], Plan(Multiplicative(), (500, 2_000), Fraction(1, 10**6))))
    assert refuted(look, 9)
    assert "True, True" in look.event or "False, False" in look.event


def test_the_pair_that_leaks_is_kept():
    rates = [0.5] * 7 + [0.8]
    pairs = [(place, other, 1) for place in range(8) for other in range(place)]
    first, second = looks(Coins(3, *rates), pairs, Plan(Multiplicative(), (500, 8_000), ERROR))
    assert 7 in (first.x, first.x_prime)
    assert len(first.left) == 8
    assert (second.x, second.x_prime) in {(x, y) for x, y, _ in first.left} | {(y, x) for x, y, _ in first.left}


def test_a_slight_leak_is_found_among_many_pairs():
    rates = [0.5] * 5 + [0.55]
    pairs = [(place, other, 1) for place in range(6) for other in range(place)]
    *_, last = looks(Coins(4, *rates), pairs, Plan(Multiplicative(), look_sizes(30_000), ERROR))
    assert 5 in (last.x, last.x_prime)
    assert last.p > last.q


@pytest.mark.parametrize("measure", [ApproximateMultiplicative(Fraction(1, 100)), NormalizedRenyi(), TotalVariation()])
def test_every_premetric_has_an_event(measure):
    (look,) = looks(Coins(1, 0.8, 0.2), [(0, 1, 2)], Plan(measure, (2_000,), ERROR))
    assert look.p - look.q > Fraction(2, 5)


def test_a_look_is_the_same_from_its_record():
    (look,) = looks(Coins(1, 0.8, 0.2), [(0, 1, Fraction(1, 2))], Plan(Multiplicative(), (500,), ERROR))
    assert Look.of_record(look.record()) == look
    with pytest.raises(InputError, match="an earlier run"):
        Look.of_record({**look.record(), "error": "much"})


def test_looks_grow_up_to_the_draws_that_are_allowed():
    assert look_sizes(10) == (10,)
    assert all(sum(look_sizes(draws)[:-1]) < draws for draws in (10, 999, 1_001, 5_000, 10**6))
    with pytest.raises(InputError, match="at most"):
        look_sizes(10**9)
