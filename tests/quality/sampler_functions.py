"""Exact samplers as they are written in Python, with loops whose passes go on with other probabilities each time."""

import heapq
import itertools
import math
import random
import secrets
from fractions import Fraction

import numpy as np

SYSTEM = random.SystemRandom()
RNG = np.random.default_rng()


def offset():
    return secrets.randbelow(3)


DRAWN = offset()


def bernoulli(p):
    return SYSTEM.randrange(p.denominator) < p.numerator


def bernoulli_exp(gamma):
    while gamma > 1:
        if not bernoulli_exp(Fraction(1)):
            return False
        gamma -= 1
    counter = 1
    while bernoulli(gamma / counter):
        counter += 1
    return counter % 2 == 1


def by_fractions(data):
    return bernoulli_exp(Fraction(data))


def by_doubles(data):
    k = 1
    while True:
        if RNG.random() <= data / k:
            k = k + 1
        else:
            break
    return k % 2 == 1


def by_counts(data):
    k = 1
    while secrets.randbelow(data.denominator * k) < data.numerator:
        k += 1
    return bool(k & 1)


def by_inclusive_counts(data):
    for k in itertools.count(1):
        if random.randint(1, k * data.denominator) > data.numerator:
            return k % 2 == 1


def by_first_coin(data):
    k, going_on = 1, bernoulli(data)
    while going_on:
        k += 1
        going_on = bernoulli(data / k)
    return k % 2 == 1


def from_third_pass(data):
    k = 3
    while data / k > random.random():
        k += 1
    return k % 2 == 1


class DiscreteLaplace:
    def __init__(self, scale, rng=None):
        self.scale = Fraction(scale)
        self.rng = rng or secrets.SystemRandom()

    def _bernoulli(self, p):
        assert isinstance(p, Fraction) and 0 <= p <= 1
        return int(self.rng.randrange(p.denominator) < p.numerator)

    def _bernoulli_exp(self, x):
        k = 1
        while self._bernoulli(x / k) == 1:
            k += 1
        return k % 2

    def _geometric(self):
        x = 1 / self.scale
        while True:
            u = self.rng.randrange(x.denominator)
            if self._bernoulli_exp(Fraction(u, x.denominator)):
                break
        v = 0
        while self._bernoulli_exp(Fraction(1)):
            v += 1
        return (v * x.denominator + u) // x.numerator

    def sample(self):
        while True:
            is_negative = self._bernoulli(Fraction(1, 2))
            magnitude = self._geometric()
            if is_negative and magnitude == 0:
                continue
            return magnitude * (1 - 2 * is_negative)


def discrete_laplace(data):
    return max(-3, min(DiscreteLaplace(data).sample(), 3))


def zigzag(data):
    k = int(np.random.geometric(data)) - 1
    return max(-3, min((k + 1) // 2 if k % 2 else -(k // 2), 3))


def divided(data):
    k = int(np.random.geometric(data)) - 1
    quotient, rest = divmod(3 * k + 1, 2)
    return min(quotient, 5), rest


def divided_twice(_):
    k = 0
    while random.random() < 0.5:
        k += 1
    return k % 2, (k % 3, k > 5)


def rounded_difference(data):
    x = random.expovariate(data) - random.expovariate(data)
    return max(-1, min(round(x), 1)), x > 1


def largest(data):
    noisy = {one: random.expovariate(1) for one in range(data)}
    return heapq.nlargest(2, noisy, key=noisy.get)[1], heapq.nsmallest(1, range(data), key=lambda one: noisy[one])[0]


def from_entropy(_):
    return bool(np.random.Generator(np.random.PCG64(secrets.randbits(128))).random() < 0.25)


def one_uniform(data):
    k, u = 1, random.random()
    while u < data / k:
        k += 1
    return k % 2


def squares(data):
    k = 1
    while random.random() < data / k**2:
        k += 1
    return k % 2


def two_coins(data):
    k = 1
    while random.random() < data / k and random.random() < 0.5:
        k += 1
    return k % 2


def looks(data):
    k = 1
    while random.random() < data / k:
        k += 1
    return k == 1


def leaves(data):
    k = 1
    while True:
        u = random.random()
        if u > data / k:
            return round(8 * u)
        k += 1


def logs(data):
    u = random.random()
    return data - math.log(u), u


def seed_is_released(_):
    seed = secrets.randbits(64)
    return np.random.default_rng(seed).random() < 0.5, seed > 2**60


def drawn_at_import(data):
    return data + DRAWN
