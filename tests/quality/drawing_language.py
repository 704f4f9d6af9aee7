"""Functions in which the language is used as people use it; each makes its generator itself, and is listed by force."""

import contextlib
import dataclasses
import enum
import functools
import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np


def yielded(data):
    def steps(rng):
        for one in data:
            kept = yield one + int(rng.integers(0, 2))
            if kept is None and one > 1:
                return
        yield from (7, 8)

    return list(steps(np.random.default_rng()))


def coins(rng):
    try:
        while True:
            if rng.random() < 0.5:
                yield 1
                return
            yield 0
    finally:
        rng.integers(0, 2)


def stops(data):
    rng = np.random.default_rng()
    return sum(1 for _ in zip(coins(rng), range(2), strict=False))


def sent(data):
    def running():
        total = 0
        while True:
            got = yield total
            if got is None:
                return
            total += got

    rng, found = np.random.default_rng(), running()
    next(found)
    return [found.send(int(rng.integers(0, 2))) for _ in data]


class Noise(ABC):
    scale = 2

    def __init__(self, rng):
        self.rng = rng

    @property
    def twice(self):
        return 2 * self.scale

    @functools.cached_property
    def kept(self):
        return int(self.rng.integers(0, 2))

    @classmethod
    def made(cls, rng):
        return cls(rng)

    @staticmethod
    def half(one):
        return one // 2

    @abstractmethod
    def draw(self): ...

    def __call__(self, one):
        return one + self.draw()

    def __len__(self):
        return self.kept


class Coin(Noise):
    def __init__(self, rng):
        super().__init__(rng)
        self.scale = 3

    def draw(self):
        return self.half(self.twice) * int(self.rng.random() < 0.25)

    @property
    def twice(self):
        return super().twice + 1


def inherited(data):
    coin = Coin.made(np.random.default_rng())
    return [coin(one) for one in data], coin.kept + coin.kept, bool(coin), len(coin)


@dataclasses.dataclass
class Total:  # noqa: PLW1641
    value: int
    seen: list = dataclasses.field(default_factory=lambda: [0])

    def __post_init__(self):
        self.value += 1

    def __add__(self, other):
        return Total(self.value + (other.value if isinstance(other, Total) else other))

    __radd__ = __add__

    def __lt__(self, other):
        return self.value < other.value

    def __eq__(self, other):
        return self.value == other.value

    def __getitem__(self, place):
        return self.value * place

    def __contains__(self, one):
        return one == self.value

    def __iter__(self):
        yield self.value
        yield from self.seen

    def __neg__(self):
        return Total(-self.value)

    def __str__(self):
        return f"<{self.value}>"

    def __enter__(self):
        self.value += 10
        return self

    def __exit__(self, kind, error, trace):
        return kind is ValueError


def operators(data):
    rng = np.random.default_rng()
    one, two = Total(int(rng.integers(0, 2))), Total(int(rng.integers(0, 2)))
    both = sum([one, two])
    with one as opened:
        if opened.value > 11:
            raise ValueError
        both += 1
    return [*both], one < two, one != two, both[2], 3 in both, f"{-both}", str(one), opened.value


class Colour(enum.Enum):
    RED = 1
    BLUE = 2

    @property
    def other(self):
        return Colour(3 - self.value)


def members(data):
    rng = np.random.default_rng()
    found = Colour.RED if rng.random() < 0.25 else Colour.RED.other
    return found.name, [one.value for one in Colour]


class Pair(NamedTuple):
    left: int
    right: int


def matched(data):
    rng = np.random.default_rng()
    found = []
    for one in ([], [1, 2, 3], {"k": 1, "m": 2}, Pair(1, int(rng.integers(0, 3))), "ab", 4, None):
        match one:
            case []:
                found.append("none")
            case Pair(left=1, right=right) if right > 0:
                found.append(right)
            case [first, *rest]:
                found.append((first, rest))
            case {"k": 1, **others}:
                found.append(others)
            case str() as text:
                found.append(text)
            case 3 | 4:
                found.append("few")
            case _:
                found.append("other")
    return found


def noted(function):
    @functools.wraps(function)
    def inner(*given, times=2, **named):
        return [function(*given, **named) for _ in range(times)]

    return inner


@noted
def flips(rng, high=2):
    return int(rng.integers(0, high))


def decorated(data):
    rng = np.random.default_rng()
    return flips(rng), flips(rng, times=1, high=3), flips.__name__


@functools.singledispatch
def shown(one):
    return "any"


@shown.register
def _(one: int):
    return one + 1


@functools.lru_cache(maxsize=None)  # noqa: UP033
def squared(one):
    return one * one


@contextlib.contextmanager
def counting(found):
    found.append("in")
    try:
        yield len(found)
    finally:
        found.append("out")


def libraries(data):
    rng, found = np.random.default_rng(), []
    with counting(found) as number:
        found.append(number + squared(int(rng.integers(0, 3))))
    return found, shown(1), shown("x"), functools.reduce(lambda a, b: a * 2 + b, data, int(rng.integers(0, 2)))


def lazy(data):
    rng = np.random.default_rng()
    evens = filter(lambda one: one % 2 == 0, map(lambda one: one + int(rng.integers(0, 2)), data))  # noqa: C417
    return any(rng.random() < 0.25 for _ in data), all(map(bool, data)), next(evens, None), list(evens)


def sorts(data):
    rng = np.random.default_rng()
    noise = [int(rng.integers(0, 2)) for _ in data]
    places = list(range(len(data)))
    places.sort(key=lambda place: (-noise[place], place))
    best = min(zip(noise, places))  # noqa: B905
    return places, max(places, key=noise.__getitem__), best, noise.index(max(noise))


def classes(data):
    rng = np.random.default_rng()

    class Base:
        share = 0.25

        def toss(self):
            return rng.random() < self.share

    class Fair(Base):
        share = 0.5

        def toss(self):
            return super().toss() or self.again

        @property
        def again(self):
            return rng.random() < 0.25

    class Kind(enum.IntEnum):
        LOW, HIGH = 1, 2

    return Fair().toss(), Kind(1 + int(rng.integers(0, 2))).name


class OddError(ValueError):
    def __init__(self, one):
        super().__init__(f"{one} is odd")
        self.one = one


def raising(data):
    rng = np.random.default_rng()
    one = int(rng.integers(0, 3))
    try:
        if one % 2:
            raise OddError(one)  # noqa: TRY301
    except OddError as error:
        return error.one, str(error)
    else:
        one += 10
    finally:
        data.append(one)
    return data


def where(data):
    rng = np.random.default_rng()
    coins = rng.random((2, 2)) < 0.25
    cells = np.where(coins, 5, np.arange(4).reshape(2, 2))
    cells[coins] += 1
    view = cells[0]
    view += 1
    return cells, coins.sum(), np.asarray(data)[rng.random(len(data)) < 0.5].sum()


def rounds(data):
    rng = np.random.default_rng()
    noise = np.round(np.array([4.0, 2.0]) * rng.random(2) + 0.5)
    return noise.astype(int).tolist(), noise.max(), int(np.argmax(noise)), noise.clip(0, 1), np.sort(noise)[::-1]


def arrays(data):
    rng = np.random.default_rng()
    noise = 2 * rng.random(2) - 1
    both = np.concatenate([noise, [3.0]])
    copy = both.copy()
    both[0] = 1
    noise += 4
    return (
        [int(one > 0.5) for one in copy],
        np.floor(both).tolist(),
        np.sign(copy).tolist(),
        (np.abs(copy) < 0.5).tolist(),
        math.floor(noise.sum() - noise[1]),
        [bool(one) for one in np.zeros_like(copy) < copy],
    )


def floors(data):
    rng = np.random.default_rng()
    u = rng.random(2)
    return (
        np.maximum(u, 0.25)[0] > 0.5,
        np.clip(u, 0.25, 0.75)[1] < 0.5,
        max(0.5, u[0]) > 0.75,
        np.stack([u, u])[1, 0] < 0.25,
        np.append(u, 2.0).reshape(3, 1)[0, 0] >= 0.25,
        u.mean() - u[1] / 2 < 0.25,
        np.cumsum(u)[0] < 0.75,
        np.dot([1, 0], u) < 0.5,
        np.array([1.0, 0.0]) @ u < 0.5,
        u.tolist()[1] < 0.25,
        {"a": u[0]}["a"] < 0.5,
    )


def counts(data):
    rng = np.random.default_rng()
    return np.bincount(rng.integers(0, 2, size=2), minlength=3), np.unique(rng.choice([3, 1], size=2)).tolist()


def unpacks(data):
    rng, found = np.random.default_rng(), []
    for value in ([(1, 2), 3][rng.integers(2)], np.float64(0.5), rng.random(), 1.5, "ab", (1,), None):
        try:
            one, other = value
            found.append((one, other))
        except (TypeError, ValueError) as error:
            found.append(str(error))
    return found


LISTED = (
    *(yielded, stops, sent, inherited, operators, members, matched, decorated, libraries, lazy, sorts, classes),
    *(raising, where, rounds, arrays, floors, counts, unpacks),
)
