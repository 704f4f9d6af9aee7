"""Mechanisms as lectures and libraries write them: quotients of noise, loops of coins, samplers by hand, bounds."""

import math
import random
from collections import defaultdict

import numpy as np


def more_votes(votes, scale=0.5):
    yes = sum(votes)
    no = len(votes) - yes
    yes += np.random.laplace(loc=0.0, scale=scale)
    no += np.random.laplace(loc=0.0, scale=scale)
    return int(yes > no)


def ratio_above(ages, upper=2, epsilon=1.0):
    total = np.clip(ages, 0, upper).sum() + np.random.laplace(0, upper / (epsilon / 2))
    count = len(ages) + np.random.laplace(0, 1 / (epsilon / 2))
    return total / count > 1


def ratio_in_tenths(bits, epsilon=1.0):
    total = sum(bits) + np.random.laplace(0, 2 / epsilon)
    count = max(1, len(bits) + np.random.laplace(0, 2 / epsilon))
    return round(float(np.clip(total / count, 0, 1)), 1)


def ratio_in_quarters(bits, epsilon=1.0):
    mean = (sum(bits) + np.random.laplace(0, 2 / epsilon)) / (len(bits) + np.random.laplace(0, 2 / epsilon))
    return int(100 * min(1.0, max(mean, 0.0)) // 25)


def inverse_count(xs):
    return abs(1 / (len(xs) + np.random.laplace()) - 0.5) < 0.25


def located_gumbel(scores, epsilon=1.0):
    return int(np.argmax(np.random.gumbel(scores, scale=2 / epsilon)))


def running_total(scores, epsilon=1.0):
    weights = np.exp(np.array(scores, dtype=float) * epsilon / 2)
    left = np.sum(weights) * np.random.rand()
    place = -1
    while left >= 0 and place < len(weights) - 1:
        place += 1
        left -= weights[place]
    return place


def truncated_noise(bits, epsilon=1.0):
    beta = 1 / epsilon
    if np.random.random() <= 0.5:
        noise = -beta * np.log(1.0 - np.random.random())
    else:
        noise = beta * np.log(np.random.random())
    return sum(bits) + int(noise)


def coins_both_ways(bits, again=0.5):
    up = down = 0
    while random.random() < again:
        up += 1
    while random.random() < again:
        down += 1
    return sum(bits) + up - down


def zero_twice(bits, epsilon=1.0):
    sign = random.choice([-1, 1])
    return int(sum(bits) + sign * (np.random.geometric(1 - math.exp(-epsilon)) - 1))


def teachers(labels, epsilon=1.0):
    counts = np.bincount(labels, minlength=3)
    for k in range(len(counts)):
        counts[k] += np.random.laplace(0, 2 / epsilon, 1).item()
    return np.argmax(counts)


def median_of_gaps(xs, low=0.0, high=4.0, epsilon=1.0):
    ends = np.concatenate(([low], np.sort(np.clip(xs, low, high)), [high]))
    utility = -np.abs(np.arange(len(xs) + 1) - len(xs) / 2)
    weights = (ends[1:] - ends[:-1]) * np.exp(epsilon * utility / 2)
    k = np.random.choice(len(xs) + 1, p=weights / weights.sum())
    return np.random.uniform(ends[k], ends[k + 1]) > 2.0


def piecewise(t, epsilon=1.0):
    z = math.exp(epsilon / 2)
    reach = (z + 1) / (z - 1)
    left = (reach + 1) / 2 * t - (reach - 1) / 2
    right = left + reach - 1
    if random.random() < z / (z + 1):
        return random.uniform(left, right) > 0
    outside = random.uniform(0, reach + 1)
    return (outside - reach if outside < left + reach else right + outside - left - reach) > 0


def truncated_in_place(bits, epsilon=1.0):
    counts = np.bincount(bits, minlength=2)
    return (counts + np.random.laplace(0, 1 / epsilon, size=2).astype(int)).tolist()


def clipped_at_median(xs, epsilon=1.0):
    return int(np.round(np.minimum(xs, np.quantile(xs, 0.5)).sum() + np.random.laplace(scale=1 / epsilon)))


def total_and_spread(xs, epsilon=1.0):
    values = np.array(xs, dtype=float)
    scale = 2 / len(values) / epsilon
    mean = values.mean() + np.random.laplace(0, scale)
    return mean > 1, ((values - values.mean()) ** 2).mean() + np.random.laplace(0, scale) > 0.5


def by_city(rows, epsilon=1.0):
    counts = defaultdict(int)
    for row in rows:
        counts[row["city"]] += 1
    for city in ("A", "B"):
        a = 1 - math.exp(-epsilon)
        counts[city] += int(np.random.geometric(a)) - int(np.random.geometric(a))
    return sorted(counts.items())
