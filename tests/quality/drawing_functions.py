"""Functions that draw as people write it; the tests beside say what their laws are."""

import dataclasses
import functools
import math
import random
import secrets
from random import choice as pick

import numpy as np


def thirds(data):
    return random.random() < sum(data) / 3


def mean(data):
    return bool(np.random.rand() < np.mean([1, 1, *data]))


def shares(data):
    p = np.array([1, 1, sum(data)])
    return int(np.random.choice(3, p=p / p.sum()))


def logistic(data):
    return random.random() < 1 / (1 + math.exp(2))


def softmax(data):
    scores = np.array(data) * 0.5
    weights = np.exp(scores - scores.max())
    return int(np.random.default_rng().choice(len(data), p=weights / weights.sum()))


def from_logarithm(data, scale=1):
    epsilon = math.log(3) / scale
    return random.random() < math.exp(epsilon) / (1 + math.exp(epsilon))


def in_place(data):
    p = np.ones(3)
    p /= 3
    half = p[1:]
    half[0] = 0.25
    return bool(np.random.rand() < p[1])


def percent(data):
    return random.random() < 10 / 100


def renamed(data):
    return pick(["a", "b", "b"])


def secret(data):
    return secrets.randbelow(2) + secrets.choice((0, 1))


def rounded(data):
    return int(4 * random.random()), round(np.random.uniform(-1, 1))


def subsample(data):
    return sorted(random.sample(data, 1))


def shuffled(data):
    data = list(data)
    random.shuffle(data)
    return data


def rejects(data):
    order = np.random.permutation(len(data))
    if order[0] == 1:
        raise ValueError("again", int(order[0]))
    return data[order[0]]


@dataclasses.dataclass
class Coin:
    share: float

    def toss(self):
        return random.random() < self.share


class Counter:
    def __init__(self, start):
        self.count = start + random.randint(0, 1)


def objects(data):
    return Coin(0.25).toss(), Counter(1).count


def keyed(data):
    noise = {one: random.randrange(2) for one in data}
    return sorted(data, key=lambda one: (noise[one], one))


def closure(data):
    total = 0

    def add(amount):
        nonlocal total
        total += amount * random.getrandbits(1)

    for one in data:
        add(one)
    return total


def partial(data):
    return functools.partial(np.random.binomial, 2)(0.5)


def tidy(data):
    kept = []
    try:
        kept.append(10 // random.randint(0, 1))
    except ZeroDivisionError as error:
        kept.append(type(error).__name__)
    finally:
        kept.append("end")
    return kept


def cancels(data):
    return random.random() < (1e16 + 1) - 1e16


def underflows(data):
    weights = np.exp(np.array([0.0, -800.0]))
    return int(np.random.choice(2, p=weights / weights.sum()))


def tenths(data):
    return 0.1 + 0.2 == 0.3


def truncated(data):
    return int(0.29 * 100)


def equal(data):
    return random.random() == 0.5


def kind(data):
    return type(random.random()) is float


def text(data):
    return f"{random.random()}"


def caught(data):
    try:
        return random.random().is_integer()
    except BaseException:
        return 0


def hidden(data):
    return len(str([random.random()]))


def seeded(data):
    return np.random.default_rng(7).integers(0, 2)


def reseeded(data):
    random.seed(sum(data))
    return random.random() < 0.5


def of_a_million(data):
    first = secrets.randbelow(10**6)
    return (first >= 250_000) + (first >= 750_000)


def of_32_bits(data):
    return np.random.default_rng().integers(-5, 2**32 - 5) < 3 * 2**30 - 5


def one_of_a_million(data):
    return random.randint(1, 10**6) == 10**6


def wide(data):
    return np.random.randint(0, 10**6) % 2


def endless(data):
    while random.random() < 0.5:
        pass
    return 0


KEPT = []


def keeps(data):
    global KEPT
    KEPT = [random.random() < 0.5]
    return 0


EPSILON = 1.5
KEEP = math.exp(EPSILON) / (math.exp(EPSILON) + 1)


def constant(data):
    return random.random() < KEEP


def given(data, share=0.5):
    return random.random() < share


def alias(data):
    u = np.random.rand(1)
    v = u
    v += 0.25
    return int(u[0] < 0.5)


def unranked(data):
    return max([0, 1], key=lambda place: [0.3, 0.1 + 0.2][place]), random.random() < 0.5


def counted(data):
    both = [0.3, 0.1 + 0.2]
    return len(set(both)), random.random() < 0.5


def shown(data):
    return str(0.1 + 0.2), random.random() < 0.5


class Rate:
    @property
    def share(self):
        return 0.5


def property_of_its_own(data):
    return random.random() < Rate().share


def looks(data):
    def helper():
        """Nothing."""

    return hasattr(helper, "__code__") and random.random() < 0.5


def reseeds(data):
    rng = random.Random()
    list(map(rng.seed, [42]))
    return rng.random() < 0.5


def of_a_set(data):
    for name in {"a", "b"}:  # noqa: PLC0208
        return name, random.random() < 0.5
    return None


RNG = np.random.default_rng()


def made_before(data):
    return RNG.random() < 0.5


def class_is_no_scope(data):
    share = 0.25

    class Coin:
        share = 0.5

        def toss(self):
            return random.random() < share

    return Coin().toss()


def runs_on(data):
    cells = np.array([0.25, 0.25, 0.25])
    for place, one in enumerate(cells):
        if place < 2:
            cells[place + 1] += one
    return bool(np.random.rand() < cells[2])


def without_p(data):
    return int(np.random.default_rng().choice([1, 2])) + int(np.random.choice(2)), list(np.random.permutation(2))
