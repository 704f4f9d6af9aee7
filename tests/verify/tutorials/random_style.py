"""Mechanisms as introductions write them with the standard library's `random`, the generator as a parameter."""

import math
import random


def spinner(data: tuple[int, ...], rng: random.Random) -> tuple[bool, ...]:
    """Warner's spinner: the question or its opposite, by a spinner that stops at the question three times of four."""
    return tuple(bool(answer) if rng.random() < 0.75 else not answer for answer in data)


def polite_choice(data: tuple[int, ...], rng: random.Random) -> str:
    """One answer: the truth from one side of a die, else a word drawn from all."""
    words = ["red", "green", "blue"]
    return words[data[0]] if rng.randint(1, 6) <= 3 else rng.choice(words)


def exponential_of_words(data: tuple[int, ...], rng: random.Random, epsilon: float = 1.0) -> str:
    """The exponential mechanism by `choices` with weights."""
    options = ["pizza", "salad", "soup"]
    weights = [math.exp(epsilon * data.count(place) / 2) for place in range(3)]
    return rng.choices(options, weights=weights)[0]


def exponential_difference(data: tuple[int, ...], rng: random.Random, epsilon: float = 1.0) -> int:
    """A count with Laplace noise as the difference of two exponential variables, rounded."""
    return round(sum(data) + rng.expovariate(epsilon) - rng.expovariate(epsilon))


def permute_and_flip(data: tuple[int, ...], rng: random.Random, epsilon: float = 1.0) -> int:
    """Candidates in a random order; each is taken with probability e^(ε·(score − best)/2)."""
    scores = [data.count(candidate) for candidate in range(3)]
    order = list(range(3))
    rng.shuffle(order)
    for candidate in order:
        if rng.random() <= math.exp(epsilon * (scores[candidate] - max(scores)) / 2):
            return candidate
    return order[-1]  # never reached: the best is always taken


def private_median(data: tuple[int, ...], rng: random.Random, epsilon: float = 1.0) -> int:
    """The median by the exponential mechanism: the score is how far a value is from splitting the data in halves."""
    values = range(4)
    scores = [-abs(sum(x < value for x in data) - sum(x > value for x in data)) for value in values]
    weights = [math.exp(epsilon * score / 4) for score in scores]
    return rng.choices(values, weights)[0]


def sampled_answers(data: tuple[int, ...], rng: random.Random) -> list[int]:
    """Two people of three, drawn without replacement, answer by coins."""
    asked = rng.sample(data, 2)
    return sorted(answer if rng.random() < 0.75 else 1 - answer for answer in asked)


def coin_of_bits(data: tuple[int, ...], rng: random.Random) -> int:
    """Three random bits: seven times of eight the truth."""
    return data[0] ^ (rng.getrandbits(3) == 0)
