"""The mechanisms of `numpy_style` and `random_style` with the mistakes that people make in them."""

import math
import random

import numpy as np


def too_honest(data: tuple[int, ...], rng: np.random.Generator) -> list[int]:
    """Two coins, but the second one is asked again where it contradicts: the truth with 7/8 instead of 3/4."""
    answers = []
    for truth in data:
        if rng.random() < 0.5 or rng.random() < 0.5:
            answers.append(truth)
        else:
            answers.append(int(rng.random() < 0.5))
    return answers


def scale_upside_down(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 0.5) -> int:
    """The scale of the noise is ε instead of 1/ε."""
    return round(float(sum(data) + rng.laplace(scale=epsilon)))


def replaced_in_a_histogram(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> np.ndarray:
    """Noise for one bin, where replacing a record changes two."""
    counts = np.bincount(data, minlength=2)
    return np.rint(counts + rng.laplace(scale=1 / epsilon, size=2)).astype(int)


def exact_queries(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> list[bool]:
    """Sparse vector whose threshold has noise and whose queries have none: one answer gives the others away."""
    noisy_threshold = 1 + rng.laplace(scale=2 / epsilon)
    return [bool(data.count(value) >= noisy_threshold) for value in range(3)]


def endless_threshold(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> list[bool]:
    """Sparse vector that does not stop at the first count above, with a quarter of the noise of one that does."""
    noisy_threshold = 1 + rng.laplace(scale=1 / (2 * epsilon))
    return [bool(data.count(value) + rng.laplace(scale=1 / (2 * epsilon)) >= noisy_threshold) for value in range(3)]


def released_maximum(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> tuple[int, int]:
    """Noisy max that gives the count of the winner away, without noise, beside its name."""
    counts = np.bincount(data, minlength=3)
    winner = int(np.argmax(counts + rng.laplace(scale=2 / epsilon, size=3)))
    return winner, int(counts[winner])


def no_factor_of_two(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> int:
    """The exponential mechanism with e^(ε·score), where a vote moves from one candidate to another."""
    weights = np.exp(epsilon * np.bincount(data, minlength=2))
    return int(rng.choice(2, p=weights / weights.sum()))


def empty_bins_left_out(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> list[tuple[int, int]]:
    """A histogram of the values that occur: which values occur is told exactly."""
    return [(v, round(float(data.count(v) + rng.laplace(scale=1 / epsilon)))) for v in sorted(set(data))]


def one_sided(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> int:
    """The noise is never negative, so that a small answer rules out the larger count."""
    return sum(data) + int(abs(np.rint(rng.laplace(scale=1 / epsilon))))


def budget_for_each_bit(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> tuple[int, ...]:
    """Unary encoding with all of ε for each bit, of which two change."""
    p = math.exp(epsilon) / (1 + math.exp(epsilon))
    bits = [int(place == data[0]) for place in range(3)]
    return tuple(bit if rng.random() < p else 1 - bit for bit in bits)


def seeded_by_the_data(data: tuple[int, ...], rng: random.Random) -> int:
    """A coin that is not the generator's: seeded by the data, it falls the same way each time."""
    coin = random.Random(3 + sum(data))  # noqa: S311 the mistake
    return data[0] if coin.random() < 0.75 else 1 - data[0]


def amplified_by_too_much(data: tuple[int, ...], rng: random.Random) -> list[int]:
    """All three of three are sampled, and the claim is that of a sample of one third."""
    asked = rng.sample(data, 3)
    return sorted(answer if rng.random() < 0.75 else 1 - answer for answer in asked)
