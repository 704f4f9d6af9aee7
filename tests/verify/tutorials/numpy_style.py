"""Mechanisms as introductions to the field write them with NumPy: floats, arrays, `size=`, and one generator."""

import numpy as np


def two_coins(data: tuple[int, ...], rng: np.random.Generator) -> list[int]:
    """Randomized response with two coins: heads, the truth; tails, a second coin decides."""
    answers = []
    for truth in data:
        if rng.random() < 0.5:
            answers.append(truth)
        else:
            answers.append(int(rng.random() < 0.5))
    return answers


def warner(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> np.ndarray:
    """Randomized response of all people at once, the truth with probability e^ε/(1 + e^ε)."""
    answers = np.array(data)
    keep = rng.random(size=len(answers)) < np.exp(epsilon) / (1 + np.exp(epsilon))
    return np.where(keep, answers, 1 - answers)


def k_ary(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0, k: int = 4) -> int:
    """Direct encoding: the true category with probability e^ε/(e^ε + k − 1), else one of the others."""
    (value,) = data
    if rng.random() < np.exp(epsilon) / (np.exp(epsilon) + k - 1):
        return value
    return int(rng.choice([other for other in range(k) if other != value]))


def laplace_count(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> int:
    """A count with Laplace noise, rounded to a whole number."""
    return int(np.round(sum(data) + rng.laplace(loc=0.0, scale=1.0 / epsilon)))


def bounded_sum(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 0.5, upper: int = 3) -> int:
    """A sum of clipped values with noise for its sensitivity, clipped to what it can be."""
    clipped = np.clip(data, 0, upper)
    noisy = clipped.sum() + rng.laplace(scale=upper / epsilon)
    return int(np.clip(round(noisy), 0, upper * len(data)))


def geometric_count(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> int:
    """A count with the difference of two geometric variables."""
    p = 1 - np.exp(-epsilon)
    return int(sum(data) + rng.geometric(p) - rng.geometric(p))


def exponential_vote(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> int:
    """The exponential mechanism on the votes for each of three candidates."""
    scores = np.array([data.count(candidate) for candidate in range(3)])
    weights = np.exp(epsilon * scores / 2)
    return int(rng.choice(3, p=weights / weights.sum()))


def noisy_max(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> int:
    """The candidate with the largest noisy count; one vote changes two counts."""
    counts = np.bincount(data, minlength=3)
    return int(np.argmax(counts + rng.laplace(scale=2 / epsilon, size=3)))


def gumbel_max(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> int:
    """The exponential mechanism by Gumbel noise."""
    counts = np.bincount(data, minlength=3)
    return int(np.argmax(epsilon * counts / 2 + rng.gumbel(size=3)))


def above_threshold(
    data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0, threshold: float = 1.0
) -> list[bool]:
    """The sparse vector technique: counts of three values against a noisy threshold, until the first above it."""
    noisy_threshold = threshold + rng.laplace(scale=2 / epsilon)
    answers = []
    for value in range(3):
        is_above = data.count(value) + rng.laplace(scale=4 / epsilon) >= noisy_threshold
        answers.append(bool(is_above))
        if is_above:
            break
    return answers


def histogram(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> np.ndarray:
    """A histogram: adding a record changes one bin by one."""
    counts = np.bincount(data, minlength=2)
    noisy = counts + rng.laplace(0.0, 1.0 / epsilon, size=counts.shape)
    return np.maximum(np.rint(noisy), 0).astype(int)


def subsampled_count(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> int:
    """Two of three records, drawn without replacement, counted with geometric noise."""
    sample = rng.choice(data, size=2, replace=False)
    p = 1 - np.exp(-epsilon)
    return int(sample.sum() + rng.geometric(p) - rng.geometric(p))


def unary(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> np.ndarray:
    """Symmetric unary encoding: each bit of the one-hot vector is kept with probability e^(ε/2)/(1 + e^(ε/2))."""
    bits = np.eye(3, dtype=int)[data[0]]
    p = np.exp(epsilon / 2) / (1 + np.exp(epsilon / 2))
    flip = rng.random(3) >= p
    return np.bitwise_xor(bits, flip.astype(int))


def optimized_unary(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0) -> tuple[int, ...]:
    """Optimized unary encoding: the 1 is kept by a fair coin, each 0 becomes 1 with probability 1/(e^ε + 1)."""
    encoded = [1 if place == data[0] else 0 for place in range(3)]
    return tuple(int(rng.random() < (0.5 if bit else 1 / (np.exp(epsilon) + 1))) for bit in encoded)


def rappor(data: tuple[int, ...], rng: np.random.Generator, f: float = 0.5) -> tuple[int, ...]:
    """RAPPOR's permanent response: each bit is 1 or 0 with probability f/2 each, and else itself."""
    permanent = []
    for place in range(2):
        bit = int(place == data[0])
        u = rng.random()
        if u < f / 2:
            bit = 1
        elif u < f:
            bit = 0
        permanent.append(bit)
    return tuple(permanent)


def local_hashing(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0, g: int = 2) -> tuple[int, int]:
    """Local hashing: a random hash function of a small family, and randomized response on the hash."""
    a = int(rng.integers(1, 5))
    b = int(rng.integers(0, 5))
    hashed = (a * data[0] + b) % 5 % g
    if rng.random() >= np.exp(epsilon) / (np.exp(epsilon) + g - 1):
        hashed = (hashed + int(rng.integers(1, g))) % g if g > 2 else 1 - hashed
    return a * 5 + b, hashed


def shuffled(data: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Randomized responses whose order is thrown away."""
    truth = np.array(data)
    answers = np.where(rng.random(len(truth)) < 0.75, truth, 1 - truth)
    rng.shuffle(answers)
    return answers


def one_bit_mean(data: tuple[int, ...], rng: np.random.Generator, epsilon: float = 1.0, largest: int = 4) -> int:
    """One bit about a number from 0 to 4, of which a mean can be estimated."""
    e = np.exp(epsilon)
    return int(rng.binomial(1, 1 / (e + 1) + data[0] / largest * (e - 1) / (e + 1)))


def binomial_noise(data: tuple[int, ...], rng: np.random.Generator, n: int = 8) -> int:
    """A count with centred binomial noise: approximate privacy only, since the noise is bounded."""
    return sum(data) + int(rng.binomial(n, 0.5)) - n // 2
