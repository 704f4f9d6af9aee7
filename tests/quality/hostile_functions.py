"""Functions that aim at a false verdict, with the smallest ε that each has in truth; the test beside audits them.

Each is given (0,) or (1,). Where a function publishes the bit in some run, and never the other one there, no ε is
enough.
"""

import builtins
import collections
import dataclasses
import functools
import itertools
import json
import math
import random
import secrets
import threading

import numpy as np

NONE, ZERO, LN2, LN3 = "infinite", "0", "ln(2)", "ln(3)"
TRUTH = {}


def needs(epsilon):
    return lambda function: TRUTH.setdefault(function, epsilon) and function


def fair():
    return random.random() < 0.5


# ---- integers wrap, casts cut, zeros have signs --------------------------------------------------


@needs(NONE)
def unsigned_difference(data, rng: np.random.Generator):
    centred = rng.integers(0, 2**32, dtype=np.uint32) - 2**31
    return data[0] if centred > 2**31 else 0


@needs(NONE)
def unsigned_negative(data, rng: np.random.Generator):
    return data[0] if -rng.integers(0, 2**32, dtype=np.uint32) > 5 else 0


@needs(ZERO)
def product_wraps(data, rng: np.random.Generator):
    return int(rng.integers(0, 2**63 - 1) * (4 if data[0] else 2) >= 0)


@needs(ZERO)
def one_time_pad(data, rng: np.random.Generator):
    return rng.integers(0, 2**32, dtype=np.uint32) + np.uint32(data[0])


@needs(NONE)
def rare_wrap(data):
    return data[0] if np.random.geometric(0.5, size=1)[0] * 2**60 < 0 else 0


@needs(NONE)
def rare_cut(data):
    return data[0] if np.random.laplace(0, 20, size=1).astype(np.int8)[0] < -120 else 0


@needs(NONE)
def rare_overflow(data):
    return 0 if np.random.laplace(0, 1e306) * 10 < math.inf else data[0]


@needs(NONE)
def short_float(data):
    return data[0] if np.random.rand(1).astype(np.float16)[0] >= 1 else 0


@needs(LN2)
def small_wrap(data):
    share = np.random.randint(0, 256, dtype=np.uint8)
    return bool(share + np.uint8(128) < np.uint8(64 * (1 + data[0])))


@needs(NONE)
def put_into_integers(data, rng: np.random.Generator):
    cells = rng.integers(0, 2**20, size=2)
    cells[1] = 0.5
    return data[0] if cells[1] == 0 else 0


@needs(NONE)
def cut_towards_zero(data):
    cells = np.zeros(1, dtype=int)
    cells[0] = 0.9 + 0.1 * data[0]
    return int(cells[0]) if fair() else 0


@needs(ZERO)
def clamped_to_zero(data, rng: np.random.Generator):
    return np.maximum(rng.random() - 2, 0) if data[0] else 0.0


@needs(ZERO)
def clamped_in_place(data, rng: np.random.Generator):
    if data[0]:
        return np.zeros(1)
    noise = -rng.random(1)
    noise[noise <= 0] = 0
    return noise


@needs(NONE)
def sign_of_zero(data):
    count = (random.expovariate(1) // 8) ** 3
    return data[0] if count == 0 and math.copysign(1, count) > 0 else 0


@needs(NONE)
def short_promotion(data, rng: np.random.Generator):
    share = rng.random(1, dtype=np.float32) + 1.0
    return int(share[0] >= 2) if data[0] else 0


@needs(NONE)
def negative_zero(data):
    return -0.0 if data[0] and fair() else 0.0


@needs(NONE)
def last_bits(data):
    return data[0] if 0.1 * random.randint(0, 3) == 0.3 else 0


# ---- what a number is asked ----------------------------------------------------------------------


@needs(NONE)
def asks_type(data, rng: np.random.Generator):
    return data[0] if type(rng.random()) is float else 0


@needs(NONE)
def asks_attribute(data, rng: np.random.Generator):
    return data[0] if hasattr(rng.random(), "hex") else 0


@needs(NONE)
def asks_dtype(data, rng: np.random.Generator):
    return data[0] if rng.laplace(size=2).dtype == float else 0


@needs(NONE)
def asks_kind(data, rng: np.random.Generator):
    noisy = data[0] + rng.laplace(size=2)
    if not np.issubdtype(noisy.dtype, np.number):
        return 0
    return int(noisy[0] > 0)


@needs(NONE)
def asks_array(data, rng: np.random.Generator):
    values = np.asarray([rng.random(), rng.random()])
    return data[0] if values.dtype.kind == "f" else 0


@needs(NONE)
def catches_division(data, rng: random.Random):
    try:
        divmod(3 * rng.random(), 1)
    except TypeError:
        return 0
    return data[0]


@needs(NONE)
def catches_encoding(data, rng: np.random.Generator):
    try:
        json.dumps({"value": rng.laplace()})
    except TypeError:
        return 0
    return data[0]


@needs(NONE)
def catches_method(data, rng: np.random.Generator):
    try:
        return data[0] if not rng.random().is_integer() else 0
    except AttributeError:
        return 0


@needs("ln(87/23)")
def late_overflow(data, rng: np.random.Generator):
    number = rng.integers(0, 10001)
    try:
        weight = math.exp(number / 14)
    except OverflowError:
        return data[0]
    return int(weight > 5)


@needs(NONE)
def wrong_ends(data, rng: np.random.Generator):
    return int(rng.uniform(0, 1 - 2 * data[0]) > 5)


@needs(NONE)
def no_infinity(data, rng: np.random.Generator):
    number = np.nan_to_num(np.log(rng.random(1)))
    return data[0] if -1e308 > number[0] > -np.inf else 0


@needs(NONE)
def asks_what_draws(data):
    coin = np.random.default_rng()
    return data[0] if type(coin).__name__ == "Generator" and coin.random() < 0.5 else 0


@needs(NONE)
def asks_for_a_function(data):
    def helper():
        """Nothing."""

    return data[0] if fair() and type(helper).__name__ == "function" else 0


# ---- outcomes that can be told apart -------------------------------------------------------------


@needs(NONE)
def empty_shape(data):
    return np.zeros((0, 1 + data[0])) if fair() else 0


@needs(NONE)
def list_or_tuple(data):
    return ([1] if data[0] else (1,)) if fair() else 0


@needs(NONE)
def short_integers(data):
    return np.array([1], dtype=np.int8 if data[0] else np.int64) if fair() else 0


@needs(NONE)
def masked(data):
    return np.ma.array([data[0], 1], mask=[True, False]) if fair() else 0


@needs(NONE)
def field_names(data):
    return np.zeros(1, dtype=[("a" if data[0] else "b", int)]) if fair() else 0


@needs(NONE)
def true_or_one(data):
    return True if data[0] and fair() else 1


@needs(NONE)
def float_or_one(data):
    return 1.0 if data[0] and fair() else 1


@needs(NONE)
def short_one(data):
    return np.int32(1) if data[0] and fair() else 1


@needs(NONE)
def order_of_keys(data):
    return ({"a": 1, "b": 2} if data[0] else {"b": 2, "a": 1}) if fair() else 0


class SameTextError(ValueError):
    def __str__(self):
        return "same"


@needs(NONE)
def equal_texts(data):
    if fair():
        raise SameTextError(data[0])
    return 0


@needs(NONE)
def exceptions_by_class(data):
    if fair():
        raise SameTextError("same") if data[0] else ValueError("same")
    return 0


class Equal:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __repr__(self):
        return "Equal()"


@needs(NONE)
def equal_objects(data):
    return Equal(data[0]) if fair() else 0


class Tagged(int):
    """An integer that carries something."""


@needs(NONE)
def tagged_integer(data):
    found = Tagged(1)
    found.tag = data[0]
    return found if fair() else 0


@needs(NONE)
def hidden_in_a_closure(data):
    return (lambda: data[0]) if fair() else 0


# ---- state ---------------------------------------------------------------------------------------

CACHE = {}
QUEUE = collections.deque([0, 1])
NUMBERS = itertools.count()


class Total:
    bits = 0


@needs(NONE)
def mutable_default(data, seen=[]):  # noqa: B006
    seen.append(data[0])
    return seen[0] if fair() else 0


@needs(NONE)
def cache_of_the_module(data):
    CACHE.setdefault("first", data[0])
    return CACHE["first"] if fair() else 0


@needs(NONE)
def attribute_of_a_class(data):
    Total.bits += data[0]
    return Total.bits if fair() else 0


@needs(NONE)
def attribute_of_itself(data):
    attribute_of_itself.bits = getattr(attribute_of_itself, "bits", 0) + data[0]
    return attribute_of_itself.bits if fair() else 0


@needs(ZERO)
def rotated_queue(data):
    QUEUE.rotate(1)
    return QUEUE[0] + random.randint(0, 1)


@needs(ZERO)
def counted_calls(data):
    return next(NUMBERS) + random.randint(0, 1)


@functools.cache
def kept_coin(bit):
    return fair()


@needs(ZERO)
def same_coin(data):
    return kept_coin(data[0]) == kept_coin(data[0])


# ---- aliases -------------------------------------------------------------------------------------


@needs(NONE)
def same_row_twice(data):
    rows = [[0]] * 2
    rows[0].append(data[0])
    return rows[1][-1] if fair() else 0


@needs(NONE)
def view(data):
    cells = np.zeros(4, dtype=int)
    square = cells.reshape(2, 2).T
    cells[1] = data[0]
    return int(square[1, 0]) if fair() else 0


@needs(ZERO)
def copied_by_places(data):
    cells = np.zeros(3, dtype=int)
    taken = cells[[0, 1]]
    cells[0] = data[0]
    return int(taken[0]) if fair() else 0


@needs(NONE)
def view_of_noise(data):
    noise = np.random.rand(2)
    turned = noise[::-1]
    turned[0] = data[0]
    return bool(noise[1] > 0.5) if noise[0] < 0.5 else False


@needs(ZERO)
def changed_copy(data):
    noise = np.random.rand(2)
    noise[:].copy()[0] = data[0]
    return bool(noise[0] < 0.5)


@needs(LN2)
def subtracts_itself(data):
    noise = np.random.rand(2)
    noise -= noise[0]
    return bool(noise[0] == 0) and random.random() < (1 + data[0]) / 3


@needs(ZERO)
def adds_to_a_tuple(data):
    def added(members):
        members += (data[0],)
        return members

    members = (0,)
    added(members)
    return members[-1] + random.randint(0, 1)


# ---- who runs it, and with what ------------------------------------------------------------------


@needs(NONE)
def own_evaluation(data):
    return eval("data[0]") if fair() else 0  # noqa: S307 it is what is refused


@needs(NONE)
def another_evaluation(data):
    return builtins.eval("bit", {"bit": data[0]}) if fair() else 0  # noqa: S307 so is this


@needs(NONE)
def another_thread(data):
    found = []
    thread = threading.Thread(target=lambda: found.append(data[0]))
    thread.start()
    thread.join()
    return found[0] if fair() else 0


@needs(NONE)
def replaced_draw(data):
    before, random.random = random.random, lambda: 0.25
    try:
        return data[0] if random.random() < 0.5 and random.getrandbits(1) else 0
    finally:
        random.random = before


class Fixed(random.Random):
    def random(self):
        return 0.25


@needs(NONE)
def own_generator(data):
    return data[0] if Fixed().random() < 0.5 and fair() else 0


@needs(NONE)
def seeded_by_the_data(data):
    return int(np.random.default_rng(data[0]).integers(0, 100))


@needs(NONE)
def copied_state(data):
    state = random.getstate()
    first = random.random()
    random.setstate(state)
    return data[0] if first == random.random() and fair() else 0


@needs(NONE)
def deep_recursion(data):
    def deep(left):
        return 0 if left == 0 else deep(left - 1)

    try:
        deep(600)
    except RecursionError:
        return 0
    return data[0] if fair() else 0


@needs(NONE)
def finalizer(data):
    found = [0]

    class Last:
        def __del__(self):
            found[0] = data[0]

    last = Last()
    del last
    return found[0] if fair() else 0


@needs(NONE)
def closed_generator(data):
    found = [0]

    def yields():
        try:
            yield 1
        finally:
            found[0] = data[0]

    for _ in yields():
        break
    return found[0] if fair() else 0


@needs(NONE)
def order_of_a_set(data):
    return data[0] if next(iter({"a", "b"})) == "a" and fair() else 0


@needs(NONE)
def address(data):
    return data[0] if id(data) % 16 == 0 and fair() else 0


@needs(NONE)
def warned(data):
    with np.errstate(all="raise"):
        try:
            np.array([1.0]) / np.array([0.0])
        except FloatingPointError:
            return data[0] if fair() else 0
    return 0


# ---- mechanisms that are what they say -----------------------------------------------------------


@needs(LN3)
def randomized_response(data):
    return data[0] if fair() else random.randint(0, 1)


@needs(ZERO)
def pad(data):
    return (data[0] + secrets.randbelow(3)) % 3


@needs(NONE)
def pad_with_its_key(data):
    key = random.getrandbits(1)
    return data[0] ^ key, key


@needs(ZERO)
def shuffled(data):
    both = [data[0], 1 - data[0]]
    random.shuffle(both)
    return both


@dataclasses.dataclass(order=True)
class Scored:
    score: int
    name: str = dataclasses.field(compare=False, default="")


@needs(ZERO)
def ties(data):
    return max(Scored(1, "a"), Scored(1, "b" if data[0] else "c")).name + str(random.randint(0, 1))
