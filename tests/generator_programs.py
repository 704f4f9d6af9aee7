"""Mechanisms as tutorials write them, in plain NumPy or `random`, and broken variants of them."""

import math
import random

import numpy as np


def randomized_response(truth, rng: np.random.Generator):
    """Warner's coin with probability 1/4."""
    if rng.random() < 0.25:
        return 1 - truth
    return truth


def direct_encoding(value, rng: np.random.Generator, k=4, epsilon=1.0):
    """The value with probability e^eps/(e^eps + k - 1), else one of the others."""
    p = np.exp(epsilon) / (np.exp(epsilon) + k - 1)
    if rng.random() < p:
        return value
    return (value + rng.integers(1, k)) % k


def binomial_count(count, rng: np.random.Generator):
    return count + rng.binomial(20, 0.5)


def geometric_count(count, rng: np.random.Generator, epsilon=1.0):
    p = 1 - np.exp(-epsilon)
    return count + rng.geometric(p) - rng.geometric(p)


def exponential_mechanism(votes, rng: np.random.Generator, epsilon=1.0):
    scores = np.array(votes)
    weights = np.exp(epsilon * (scores - scores.max()) / 2)
    return rng.choice(len(votes), p=weights / weights.sum())


def permute_and_flip(votes, rng: np.random.Generator, epsilon=1.0):
    """McKenna and Sheldon's report noisy max with exponential noise, by a random order."""
    scores = np.array(votes)
    for candidate in rng.permutation(len(scores)):
        if rng.random() <= np.exp(epsilon * (scores[candidate] - scores.max()) / 2):
            return int(candidate)
    return None


def subsampled_response(answers, rng: np.random.Generator):
    """A randomized response of one answer that is drawn."""
    truth = answers[rng.choice(len(answers))]
    return int(truth if rng.random() < 0.75 else 1 - truth)


def shuffled_responses(answers, rng: np.random.Generator):
    answers = np.array(answers)
    flips = rng.random(answers.size) < 0.25
    reports = np.where(flips, 1 - answers, answers)
    rng.shuffle(reports)
    return reports


def rappor(value, rng: np.random.Generator, k=3, f=0.5):
    """The permanent randomized response of RAPPOR on a one-hot vector."""
    bits = np.zeros(k, dtype=int)
    bits[value] = 1
    u = rng.random(k)
    return np.where(u < f / 2, 1, np.where(u < f, 0, bits))


def rounded_laplace(count, rng: np.random.Generator, epsilon=1.0):
    noisy = count + rng.laplace(loc=0.0, scale=1 / epsilon)
    return int(np.clip(np.round(noisy), 0, 3))


def above_threshold(answers, rng: np.random.Generator, threshold=1.5):
    """The place of the first noisy answer above a threshold that is without noise."""
    for place, answer in enumerate(answers):
        if answer + rng.laplace(scale=2.0) >= threshold:
            return place
    return -1


def python_response(truth, rng: random.Random):
    return truth if rng.random() < 0.5 else rng.choice([0, 1])


def python_exponential(votes, rng: random.Random, epsilon=1.0):
    weights = [math.exp(epsilon * (vote - max(votes)) / 2) for vote in votes]
    return rng.choices(range(len(votes)), weights=weights)[0]


def python_laplace(count, rng: random.Random, epsilon=1.0):
    """By the inverse of the distribution function, rounded and clamped."""
    u = rng.uniform(-0.5, 0.5)
    noise = -math.copysign(1.0, u) * math.log(1 - 2 * abs(u)) / epsilon
    return max(0, min(3, round(count + noise)))


COUNTS = {"data_sets": [0, 1, 2], "distance": "absolute_difference"}
COINS = {"data_sets": [0, 1], "distance": "absolute_difference"}
VOTES = {"data_sets": [(2, 1), (1, 1), (1, 2)], "distance": "hamming_ordered"}
ANSWERS = {"data_sets": [(0, 0), (0, 1), (1, 0), (1, 1)], "distance": "hamming_ordered"}


def any_two(one, other):
    return 0 if one == other else 1


def largest_change(one, other):
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


VALUES = {"data_sets": [0, 1, 2, 3], "distance": any_two}
SCORES = {"data_sets": [(2, 1), (1, 1), (1, 2)], "distance": largest_change}

MET = {
    "randomized response": (randomized_response, COINS, "ln 3"),
    "direct encoding": (direct_encoding, VALUES, "1"),
    "geometric": (geometric_count, COUNTS, "1.0000001"),
    "exponential mechanism": (exponential_mechanism, SCORES, "1"),
    "permute and flip": (permute_and_flip, SCORES, "1"),
    "subsampled": (subsampled_response, ANSWERS, "ln 2"),
    "shuffled": (shuffled_responses, ANSWERS, "ln 3"),
    "rappor": (rappor, {**VALUES, "data_sets": [0, 1, 2]}, "2 * ln 3"),
    "rounded Laplace": (rounded_laplace, COUNTS, "1.0000001"),
    "threshold": (above_threshold, {**ANSWERS, "data_sets": [(0, 0), (0, 1), (1, 0)]}, "1"),
    "response of Python": (python_response, COINS, "ln 3"),
    "Laplace of Python": (python_laplace, COUNTS, "1.0000001"),
    "exponential mechanism of Python": (python_exponential, SCORES, "1"),
}
"""Mechanisms with the data sets, the distance and an epsilon that they satisfy."""


def one_sided(count, rng: np.random.Generator):
    return count + rng.geometric(0.5)


def unequal_scale(count, rng: np.random.Generator):
    return int(np.clip(np.round(count + rng.laplace(scale=0.5 + count)), 0, 3))


def full_epsilon(votes, rng: np.random.Generator, epsilon=1.0):
    weights = np.exp(epsilon * (np.array(votes) - max(votes)))
    return rng.choice(len(votes), p=weights / weights.sum())


def in_order(votes, rng: np.random.Generator):
    """Permute and flip without the order: the first candidates are looked at first."""
    for candidate, score in enumerate(votes):
        if rng.random() <= np.exp((score - max(votes)) / 2):
            return candidate
    return None


def without_shuffle(answers, rng: np.random.Generator):
    rng.shuffle(list(answers))
    return tuple(answers)


def one_noise_for_all(answers, rng: np.random.Generator):
    """One coin flips all answers, so that equal answers are seen to be equal."""
    flip = rng.random() < 0.25
    return tuple(1 - answer if flip else answer for answer in answers)


def seen_by_size(value, rng: np.random.Generator):
    return rng.random(value + 1) < 0.5


def textbook_laplace(count, rng: np.random.Generator, epsilon=1.0):
    return count + rng.laplace(scale=1 / epsilon)


def half_of_the_noise(count, rng: np.random.Generator):
    return int(np.clip(np.round(count + rng.laplace(scale=0.5)), 0, 3))


def few_trials(count, rng: np.random.Generator):
    return count + rng.binomial(5, 0.5)


def rounded_before(truth, rng: random.Random):
    return truth if round(rng.random(), 1) < 0.75 else 1 - truth


BROKEN = {
    "one-sided noise": (one_sided, COUNTS, "1"),
    "scale from the data": (unequal_scale, COUNTS, "1"),
    "scores at the full epsilon": (full_epsilon, SCORES, "0.9"),
    "no order": (in_order, SCORES, "1/2"),
    "no shuffle": (without_shuffle, ANSWERS, "ln 3"),
    "one noise for all": (one_noise_for_all, ANSWERS, "ln 3"),
    "the size tells": (seen_by_size, COINS, "ln 3"),
    "half of the noise": (half_of_the_noise, COUNTS, "1"),
    "bounded noise": (few_trials, COUNTS, "3"),
    "a rounded coin": (rounded_before, COINS, "1"),
}
"""Mechanisms with an epsilon that they do not satisfy."""
