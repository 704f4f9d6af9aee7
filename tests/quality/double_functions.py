"""Functions that doubles decide: each with one uniform draw, or with several that never meet."""

import math

import numpy as np


def below(bound, rng: np.random.Generator):
    return rng.random() < bound


def uniform_below(bound, rng: np.random.Generator):
    return 1 - 3 * rng.uniform(-0.5, 0.7) < bound


def laplace_below(bound, rng: np.random.Generator):
    return 2 + rng.laplace(0.3, 1.7) <= bound


def gumbel_below(bound, rng: np.random.Generator):
    return rng.gumbel(0.1, 2.0) < bound


def logistic_below(bound, rng: np.random.Generator):
    return rng.logistic(0.1, 2.0) >= bound


def logarithm_below(bound, rng: np.random.Generator):
    return np.log(1 - rng.random()) < -bound


def root_below(bound, rng: np.random.Generator):
    return math.sqrt(rng.random()) / 3 < bound


def magnitude_below(bound, rng: np.random.Generator):
    return abs(rng.random() - 0.3) < bound


def rounded(data, rng: np.random.Generator):
    return round(data + 10 * rng.random())


def floored(data, rng: np.random.Generator):
    return int(np.floor(data + 7 * rng.random(1) // 1)[0])


def decimals(data, rng: np.random.Generator):
    return round(data + rng.random(), 1) == 0.3


def chosen(data, rng: np.random.Generator):
    weights = np.exp(np.array(data))
    return int(rng.choice(len(data), p=weights / weights.sum()))


def of_three(data, rng):
    return rng.choices(range(3))[0]


def weighted(data, rng):
    return rng.choices("ab", weights=data)[0]


def waiting(data, rng):
    return rng.expovariate(data) < 1.3


def normal(data, rng: np.random.Generator):
    return rng.normal() < data


def exponential(data, rng: np.random.Generator):
    return rng.exponential() < data


def two(data, rng: np.random.Generator):
    return rng.random() < rng.random()


def summed(data, rng: np.random.Generator):
    return rng.random() + rng.random() < data


def with_itself(data, rng: np.random.Generator):
    u = rng.random()
    return u - u * u < data


def released(data, rng: np.random.Generator):
    return data + rng.laplace()


def caught(data, rng: np.random.Generator):
    try:
        return rng.random() ** 2 < data
    except BaseException:
        return 0


def single(data, rng: np.random.Generator):
    return rng.random(dtype=np.float32) < data


def at_zero(data, rng: np.random.Generator):
    try:
        return math.log(rng.random()) < data
    except ValueError:
        return None


def tenths(data, rng: np.random.Generator):
    return bool(data == 0.3) or rng.random() < 0.5


def digits(data, rng: np.random.Generator):
    return int(data * 100) + int(rng.integers(2))


def counted(data, rng: np.random.Generator):
    return min(int(rng.geometric(data)), 2)


def flips(data, rng: np.random.Generator):
    return int(rng.binomial(2, data))
