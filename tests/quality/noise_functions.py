"""Mechanisms with noise of the reals, as people write them."""

import math
import random

import numpy as np


def clamped(count):
    return max(0, min(2, round(count + np.random.laplace(0, 2))))


def above(count):
    return bool(count + np.random.laplace(scale=1 / 0.5) > 1)


def by_hand(count):
    u = random.random() - 0.5
    noise = -2 * math.copysign(1, u) * math.log(1 - 2 * abs(u))
    return max(0, min(2, round(count + noise)))


def waiting(count):
    return count - math.log(1 - random.random()) > 2


def rate(count):
    return count + random.expovariate(0.5) > 3


def parity(count):
    return max(0, min(9, math.floor(count + np.random.exponential(1)))) % 2


def is_three(count):
    return round(count + np.random.laplace()) == 3


def tenths(count):
    return min(0.2, max(0.0, round(count / 4 + np.random.laplace(), 1)))


def in_text(count):
    return f"n = {max(0, min(1, int(count + np.random.laplace())))}"


def geometric_difference(count, epsilon=1.0):
    p = 1 - np.exp(-epsilon)
    return int(count + np.random.geometric(p) - np.random.geometric(p))


def first_success(count):
    return min(count + 2, np.random.geometric(0.25))


def rounded(count):
    return round(count + np.random.laplace(0, 2))


def down_to_zero(count):
    return max(0, round(count + np.random.laplace(0, 2)))


def real(count):
    return count / 2 + np.random.laplace(0, 2)


def gaussian_pair(count):
    noisy = np.array([count, 1.0]) + np.random.normal(0, 3, size=2)
    return tuple(noisy)


def summed_gaussian(count):
    return count + np.random.normal() + np.random.normal(0, 2)


def difference_of_exponentials(count):
    return count + np.random.exponential(2) - np.random.exponential(2)


def late_exponential(count):
    x = count + np.random.exponential(2)
    return x if x > 1 else None


def mixed(count):
    if random.random() < 0.25:
        return {"n": count, "noise": "none"}
    return {"n": count + random.expovariate(2), "noise": "exponential"}


def prefix_sums(count):
    first = count + np.random.laplace(0, 2)
    return first, first + 1 + np.random.laplace(0, 2)


def twice(count):
    n = round(count + np.random.laplace())
    return n, n + 1


def beside(count):
    x = count + np.random.laplace()
    return x, x - count


def mixed_sum(count):
    x, y = count + np.random.laplace(), np.random.laplace()
    return x, x + y, x + 2 * y + 3


def clipped(count):
    return max(0.0, count + np.random.laplace())


def cut_normal(count):
    x = count + np.random.normal(0, 2)
    return x if x > 1 else None


def rounded_normal(count):
    return 2 * round(count / 2 + np.random.normal(0, 3)) + 3


def rounded_logistic(count):
    x = count + np.random.logistic(0, 2)
    return math.floor(x) if x > count else 0


def softmax(count, scale=2, weight=2):
    best, top = 0, weight * count + np.random.gumbel(scale=scale)
    for place in (1, 2):
        noisy = np.random.gumbel(scale=scale)
        if noisy > top:
            best, top = place, noisy
    return best


def softmax_of_ln_3(count):
    return softmax(count, 1, math.log(3))


def normal_maximum(count):
    x, y, z = (np.random.normal(center, 2) for center in (count, 0, 0))
    return 0 if x > y and x > z else 1


def ln_3(count):
    return bool(count + np.random.laplace(scale=1 / math.log(3)) > np.random.laplace(scale=1 / math.log(3)))


def two_gaps(count):
    limit, x, y = np.random.laplace(size=3)
    return (x - limit, y - limit) if x > limit and y > limit else None


def three_draws(count):
    x, y, z = np.random.laplace(size=3)
    return x + y, y + z


def rounded_gap(count):
    x, y = np.random.laplace(size=2)
    return round(x) if x > y else None


def noisy_gap(count):
    limit, x = 1 + np.random.laplace(scale=2), count + np.random.laplace(scale=4)
    return x - limit if x >= limit else None


def tied(count):
    x, y = count + np.random.laplace(), np.random.laplace()
    return x if x > y else None


def total(count):
    return count + np.random.laplace() + np.random.exponential()


def product(count):
    return np.random.laplace() * np.random.laplace() > 0


def equal(count):
    return np.random.laplace() == 0.5


def of_logarithm(count):
    return math.log(random.random() + 1) > 0.5


def unclamped(count):
    return round(count + np.random.laplace()) % 2


def truncated(count):
    while True:
        x = count + np.random.laplace()
        if 0 <= x <= 3:
            return round(x)


def above_zero(count):
    x = count + np.random.laplace()
    while x < 0:
        x = count + np.random.laplace()
    return bool(x > 1)


def of_dice(count):
    while True:
        x = np.random.randint(0, 8)
        if x <= 4 + count:
            return int(x)


def counted(count):
    tries = 0
    while True:
        tries += 1
        x = np.random.laplace()
        if x > 0 or tries == 3:
            return tries


def logged(count):
    log = []
    while True:
        x = np.random.laplace()
        log.append(1)
        if x > 0 or len(log) == 3:
            return len(log)


def stale(count):
    seen = 0
    while np.random.random() < 0.5:
        if seen == 2:
            break
        seen = seen + 1
    return seen


def held(count):
    def positive(x):
        while x < 0:
            x = np.random.laplace()
        return x

    x = np.random.laplace()
    return bool(positive(x) > 1), bool(x > 0)


def tied_to_limit(count):
    limit = np.random.laplace()
    while True:
        x = np.random.laplace()
        if x > limit:
            return bool(x > 1)


def second_loop(count):
    first = np.random.laplace() > 0
    while True:
        x = np.random.laplace()
        if x > (1 if first else 2):
            return bool(x > 3)


def repeated(count):
    found = 0
    for _ in (0, 0):
        while True:
            x = np.random.laplace()
            if x > 0:
                break
        found += 1
    return found


def one_limit(count):
    limit = 1 + np.random.laplace(scale=2)
    return bool(count >= limit), bool(limit <= 1)


def signed_coins(count):
    while True:
        sign, size = random.randint(0, 1), 0
        while random.random() < 0.5:
            size += 1
        if sign and size == 0:
            continue
        return count + size * (1 - 2 * sign)


def own_coin(share):
    return random.random() < share


def failures(count):
    found = count
    while True:
        if own_coin(0.75):
            found += 1
        else:
            return found


def tries(count):
    tried = 0
    while True:
        tried += 1
        x = random.random()
        if x > 0.75:
            return tried > 2, x > 0.875


def looked_at(count):
    found = 0
    while random.random() < 0.5 and found < 2:
        found += 1
    return found


def noisy_mean(count):
    total, size = count + np.random.laplace(), 2 + np.random.laplace(scale=0.5)
    return bool(total / size > 0.5)


def clipped_mean(count):
    share = (count + np.random.uniform(0, 1)) / (1 + np.random.uniform(0, 1))
    return round(float(np.clip(share - 0.5, 0, 1)))


def shares(count):
    cells = np.maximum(np.array([count, 0.0]) + np.random.laplace(size=2), 0)
    return (cells / cells.sum()).round().tolist() if cells.sum() > 0 else None


def mean_itself(count):
    return (count + np.random.laplace()) / (2 + np.random.laplace())


def softmax_by_hand(count):
    keys = {k: (k == 0) - math.log(-math.log(random.random())) for k in range(3)}
    return max(keys, key=keys.get)


def zero_of_an_integer(count):
    n = round(np.random.laplace())
    return max(-1, min(1, [1.0 * n, float(n), np.float64(n), 2 - (2.0 - n)][count]))


def zero_without_sign(count):
    return abs(float(np.clip(np.round(np.random.laplace()), -1, 1)))


def zero_with_sign(count):
    return float(np.clip(np.round(np.random.laplace()), -1, 1))


def negative_float(count):
    return max(-1, min(1, -1.0 * round(np.random.laplace())))
