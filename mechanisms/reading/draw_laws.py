"""The laws of draws: what each method of a generator, or function of a module, returns on a path."""

from __future__ import annotations

import base64
import itertools
import math
import operator
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.mechanisms.reading.asked import (
    GENERATOR,
    KINDS,
    MADE,
    MAKERS,
    PYTHON,
    SCIPY,
    SECRETS,
    STATE,
    TOKENS,
    AskedDraw,
    Shuffled,
    is_exacts,
)
from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.shadows import array_of
from stirred.mechanisms.reading.symbols import DrawnArray, Linear, Step, Stepped


def _uniforms(asked: AskedDraw, low: Any = 0, high: Any = 1) -> Any:
    """Numbers of the uniform law between the ends."""
    return _located(asked, BaseLaw.UNIFORM, low, np.asarray(asked.exacts(high) - asked.exacts(low), dtype=object))


def _located(asked: AskedDraw, law: BaseLaw, shift: Any, scale: Any) -> Any:
    """scale·Z + shift for each number that is drawn."""
    example, drawn = asked.example(), asked.meanings.drawn

    def one(value: Any, scale: Exact, shift: Exact) -> Any:
        if scale != 0:
            return drawn.new(law, scale, shift, type(value))
        return asked.meanings.shadows.note(value * 1.0, shift)  # an object of its own: examples are used again

    if not isinstance(example, np.ndarray):
        return one(example, *(part[()] if is_exacts(part) else asked.exact(part) for part in (scale, shift)))
    shifts, scales = (np.broadcast_to(asked.exacts(part), example.shape).ravel() for part in (shift, scale))
    cells = map(one, example.ravel(), scales, shifts)
    return DrawnArray(array_of(cells, example.shape), example.dtype)


def _law(law: BaseLaw, shift: str | None, scale: str | None) -> Callable[[AskedDraw], Any]:
    """What draws from a law with a location and a scale, by the names of these parameters."""
    names = {name: value for name, value in ((shift, 0.0), (scale, 1.0)) if name is not None}

    def drawn(asked: AskedDraw) -> Any:
        given = dict(zip(names, asked.given(*names, **names), strict=True))
        return _located(asked, law, given.get(shift or "", 0), given.get(scale or "", 1))

    return drawn


def _standard(law: BaseLaw) -> Callable[[AskedDraw], Any]:
    """What draws from a standard law, with a shape alone."""
    return lambda asked: _located(asked, law, 0, 1)


def _of_rate(asked: AskedDraw) -> Any:
    (rate,) = asked.given("lambd", lambd=1.0)
    return _located(asked, BaseLaw.EXPONENTIAL, 0, 1 / asked.exact(rate))


def _geometric(asked: AskedDraw) -> Any:
    """The number of trials up to the first success: E/-ln(1 - p), rounded up."""
    example, drawn = asked.example(), asked.meanings.drawn
    success, _ = asked.given("p", "size", size=None)

    def one(value: Any, p: Exact) -> Any:
        if p == 1:
            return value
        number = drawn.new(BaseLaw.EXPONENTIAL)
        return Stepped(number, Step.CEILING, -(1 - p).log(), type(value))

    if not isinstance(example, np.ndarray):
        return one(example, asked.exact(success))
    chances = np.broadcast_to(asked.exacts(success), example.shape).ravel()
    return DrawnArray(array_of(map(one, example.ravel(), chances), example.shape), example.dtype)


def _random(asked: AskedDraw) -> Any:
    _, dtype, out = asked.given("size", "dtype", "out", size=None, dtype=float, out=None)
    if out is not None or np.dtype(dtype) != float:
        raise asked.reader.refuse(f"{asked.method.shown} with out, or with another dtype than float64, is not read")
    return _uniforms(asked)


def _uniform(asked: AskedDraw) -> Any:
    low, high = asked.given("low", "high", low=0.0, high=1.0) if asked.method.kind != PYTHON else asked.given("a", "b")
    return _uniforms(asked, low, high)


def _integers(asked: AskedDraw) -> Any:
    example = asked.example()
    names = ("low", "high", "size", "dtype", "endpoint")
    low, high, _, _, endpoint = asked.given(*names, high=None, size=None, dtype=None, endpoint=False)
    low, high = (0, low) if high is None else (low, high)
    lows, highs = (np.broadcast_to(np.asarray(one), np.shape(example)).ravel().tolist() for one in (low, high))
    counts = [int(up) - int(down) + bool(endpoint) for down, up in zip(lows, highs, strict=True)]
    if not isinstance(example, np.ndarray):
        return asked.integer(int(lows[0]), counts[0], type(example))
    return asked.filled(example, lambda place: int(lows[place]) + asked.any_of(counts[place]))


def _randint(asked: AskedDraw) -> Any:
    asked.example()
    low, high = asked.given("a", "b")
    return asked.integer(low, high - low + 1)


def _randrange(asked: AskedDraw) -> Any:
    start, stop, step = asked.given("start", "stop", "step", stop=None, step=1)
    members = range(start) if stop is None else range(start, stop, step)
    if members.step == 1:
        return asked.integer(members.start, len(members))
    return members[asked.any_of(len(members))]


def _choice(asked: AskedDraw) -> Any:
    example = asked.example()
    names = ("a", "size", "replace", "p", "axis", "shuffle")
    members, size, replace, p, axis, shuffle = asked.given(
        *names, size=None, replace=True, p=None, axis=0, shuffle=True
    )
    if not replace and not shuffle and size is not None:
        raise asked.reader.refuse("choice with shuffle=False is not read")
    is_number = isinstance(members, (int, np.integer))
    pool = None if is_number else np.asarray(members)
    count = int(members) if pool is None else pool.shape[axis]
    cells = 1 if size is None else math.prod(size) if isinstance(size, tuple) else int(size)
    weights = [Exact(Fraction(1, count))] * count if p is None else _normalized(asked, p)
    places = []
    for _ in range(cells):
        places.append(asked.pick(weights))
        if not replace and len(places) < cells:
            weights = [Exact(0) if place == places[-1] else one for place, one in enumerate(weights)]
            total = sum(weights, Exact(0))
            weights = [one / total for one in weights]
    if pool is None:
        return asked.filled(example, lambda place: places[place])
    if size is None:
        return pool.take(places[0], axis=axis) if pool.ndim > 1 else pool[places[0]]
    shape = (size,) if isinstance(size, (int, np.integer)) else tuple(size)
    return pool.take(np.array(places, dtype=int).reshape(shape), axis=axis)


def _normalized(asked: AskedDraw, p: Any) -> list[Any]:
    """The weights of a draw, divided by their sum, as NumPy does it."""
    if asked.weigh is not None:
        return list(asked.weigh(p))
    shadows = asked.meanings.shadows
    if isinstance(p, np.ndarray):
        exact = shadows.of_array(p)
        if exact is None:
            raise asked.reader.refuse(f"{asked.method.shown}: the probabilities stand for no exact numbers")
        weights = [one if isinstance(one, Exact) else Exact(one) for one in exact.ravel()]
    else:
        weights = [asked.exact(one) for one in p]
    total = sum(weights, Exact(0))
    return [one / total for one in weights]


def _python_choice(asked: AskedDraw) -> Any:
    asked.example()
    (members,) = asked.arguments or tuple(asked.named.values())
    return members[asked.any_of(len(members))]


def _python_choices(asked: AskedDraw) -> Any:
    asked.example()
    names = ("population", "weights", "cum_weights", "k")
    members, weights, summed, count = asked.given(*names, weights=None, cum_weights=None, k=1)
    exact = [Exact(Fraction(1, len(members)))] * len(members) if weights is None else _normalized(asked, weights)
    if summed is not None:
        ends = [Exact(0), *map(asked.exact, summed)]
        exact = [(high - low) / ends[-1] for low, high in itertools.pairwise(ends)]
    return [members[asked.pick(exact)] for _ in range(count)]


def _python_sample(asked: AskedDraw) -> Any:
    asked.example()
    members, count, counts = asked.given("population", "k", "counts", counts=None)
    if counts is not None:
        members = [one for one, times in zip(members, counts, strict=True) for _ in range(times)]
    return [members[place] for place in asked.order(len(members), count)]


def _shuffle(asked: AskedDraw) -> None:
    asked.example()
    members, axis = asked.given("x", "axis", axis=0)
    if axis != 0 or not (type(members) is list or isinstance(members, np.ndarray)):
        raise asked.reader.refuse(
            f"{asked.method.shown} of {type(members).__name__}, or along another axis, is not read"
        )
    if asked.method.kind == PYTHON and np.ndim(members) > 1:
        raise asked.reader.refuse("random.shuffle of an array exchanges views of its rows, which is not read")
    asked.shuffled = Shuffled(asked.order(len(members)))
    cells = asked.meanings.shadows.cells(members) if isinstance(members, np.ndarray) else None
    asked.shuffled.apply(members)
    if cells is not None:
        asked.shuffled.apply(cells)


def _permutation(asked: AskedDraw) -> Any:
    example = asked.example()
    members, axis = asked.given("x", "axis", axis=0)
    if axis != 0:
        raise asked.reader.refuse("a permutation along another axis than the first is not read")
    order = asked.order(len(example))
    return (
        np.array(order, dtype=example.dtype) if isinstance(members, (int, np.integer)) else np.asarray(members)[order]
    )


def _of_trials(asked: AskedDraw, count: int, yes: Exact) -> int:
    """The number of successes."""
    return asked.pick([math.comb(count, k) * yes**k * (1 - yes) ** (count - k) for k in range(count + 1)])


def _binomial(asked: AskedDraw) -> Any:
    example = asked.example()
    count, p = asked.given("n", "p", "size", size=None)[:2]
    counts = np.broadcast_to(np.asarray(count), np.shape(example)).ravel().tolist()
    chances = np.broadcast_to(asked.exacts(p), np.shape(example)).ravel()
    return asked.filled(example, lambda place: _of_trials(asked, int(counts[place]), chances[place]))


def _multinomial(asked: AskedDraw) -> Any:
    example = asked.example()
    count, weights, _ = asked.given("n", "pvals", "size", size=None)
    if np.ndim(count) or np.ndim(weights) != 1:
        raise asked.reader.refuse("a multinomial draw with arrays of parameters is not read")
    *shares, _ = (asked.exact(one) for one in weights)
    for row in example.reshape(-1, len(weights)):
        left, rest = int(count), Exact(1)
        for place, share in enumerate(shares):
            row[place] = _of_trials(asked, left, share / rest) if left else 0
            left, rest = left - int(row[place]), rest - share
        row[-1] = left
    return example


def _permuted(asked: AskedDraw) -> Any:
    members, axis, out = asked.given("x", "axis", "out", axis=None, out=None)
    if out is not None:
        raise asked.reader.refuse(f"{asked.method.shown} with out is not read")
    given = np.array(members, order="C")
    lines = given.reshape(-1) if axis is None else np.moveaxis(given, axis, -1)
    for place in np.ndindex(lines.shape[:-1]):
        lines[place] = lines[place][asked.order(lines.shape[-1])]
    return given


def _bytes(asked: AskedDraw) -> bytes:
    (count,) = asked.arguments or tuple(asked.named.values()) or (None,)
    count = secrets.DEFAULT_ENTROPY if count is None else int(count)
    return asked.any_of(1 << min(8 * count, 64)).to_bytes(max(count, 1), "little")[:count]


def _token_text(asked: AskedDraw) -> str:
    found = _bytes(asked)
    is_hex = asked.method.name == "token_hex"
    return found.hex() if is_hex else base64.urlsafe_b64encode(found).rstrip(b"=").decode()


def _hypergeometric(asked: AskedDraw) -> Any:
    example = asked.example()
    good, bad, taken = map(int, asked.given("ngood", "nbad", "nsample", "size", size=None)[:3])
    every = math.comb(good + bad, taken)
    weights = [Exact(Fraction(math.comb(good, k) * math.comb(bad, taken - k), every)) for k in range(taken + 1)]
    return asked.filled(example, lambda _: asked.pick(weights))


def _getrandbits(asked: AskedDraw) -> Any:
    (bits,) = asked.arguments or tuple(asked.named.values())
    return asked.integer(0, 1 << bits) if bits else 0


def _randbelow(asked: AskedDraw) -> Any:
    (most,) = asked.arguments or tuple(asked.named.values())
    return asked.integer(0, most)


def _secret_choice(asked: AskedDraw) -> Any:
    (members,) = asked.arguments or tuple(asked.named.values())
    return members[asked.any_of(len(members))]


def _seeded(asked: AskedDraw) -> Any:
    raise asked.reader.refuse(
        f"{asked.method.shown} fixes what is drawn: the release is then a function of the data; draw from a generator "
        "without a seed"
    )


def _made(asked: AskedDraw) -> Any:
    """A generator without a seed, or with one that is drawn for it: its draws are asked for by its kind."""
    given, name = [*asked.arguments, *asked.named.values()], asked.method.name
    kind = {"RandomState": STATE, "Random": PYTHON, "SystemRandom": PYTHON}.get(name, GENERATOR)
    if len(given) == 1 and kind == GENERATOR and isinstance(given[0], KINDS[0]):
        return given[0]
    if len(given) == 1 and name != "Generator" and isinstance(given[0], Stepped):
        asked.meanings.drawn.spend(given[0].number, "a seed")
        return TOKENS[kind]
    if any(one is not None for one in given) and name != "SystemRandom":
        return _seeded(asked)
    return TOKENS[kind]


_CONTINUOUS: Mapping[str, Callable[[AskedDraw], Any]] = {
    "laplace": _law(BaseLaw.LAPLACE, "loc", "scale"),
    "exponential": _law(BaseLaw.EXPONENTIAL, None, "scale"),
    "normal": _law(BaseLaw.NORMAL, "loc", "scale"),
    "gumbel": _law(BaseLaw.GUMBEL, "loc", "scale"),
    "logistic": _law(BaseLaw.LOGISTIC, "loc", "scale"),
    "standard_normal": _standard(BaseLaw.NORMAL),
    "standard_exponential": _standard(BaseLaw.EXPONENTIAL),
    "geometric": _geometric,
}

_GENERATOR: Mapping[str, Callable[[AskedDraw], Any]] = {
    **_CONTINUOUS,
    "random": _random,
    "uniform": _uniform,
    "integers": _integers,
    "choice": _choice,
    "shuffle": _shuffle,
    "permutation": _permutation,
    "binomial": _binomial,
    "hypergeometric": _hypergeometric,
    "multinomial": _multinomial,
    "permuted": _permuted,
    "bytes": _bytes,
}
_STATE: Mapping[str, Callable[[AskedDraw], Any]] = {
    **_CONTINUOUS,
    "randn": _standard(BaseLaw.NORMAL),
    **dict.fromkeys(("random", "rand", "random_sample"), _uniforms),
    **{name: _GENERATOR[name] for name in ("uniform", "choice", "shuffle", "permutation", "bytes")},
    **{name: _GENERATOR[name] for name in ("binomial", "hypergeometric", "multinomial")},
    "randint": _integers,
    "seed": _seeded,
}
_PYTHON: Mapping[str, Callable[[AskedDraw], Any]] = {
    **dict.fromkeys(("gauss", "normalvariate"), _law(BaseLaw.NORMAL, "mu", "sigma")),
    "expovariate": _of_rate,
    "random": _uniforms,
    "uniform": _uniform,
    "randint": _randint,
    "randrange": _randrange,
    "choice": _python_choice,
    "choices": _python_choices,
    "sample": _python_sample,
    "shuffle": _shuffle,
    "getrandbits": _getrandbits,
    "randbytes": _bytes,
    "seed": _seeded,
}
_SECRETS: Mapping[str, Callable[[AskedDraw], Any]] = {
    "choice": _secret_choice,
    "randbelow": _randbelow,
    "randbits": _getrandbits,
    "token_bytes": _bytes,
    **dict.fromkeys(("token_hex", "token_urlsafe"), _token_text),
}


def _scipy(name: str, *shapes: str, **fixed: Any) -> Callable[[AskedDraw], Any]:
    """What a law of `scipy.stats` draws, as NumPy's shared generator does by this name."""

    def drawn(asked: AskedDraw) -> Any:
        names = (*shapes, "loc", *(() if shapes else ("scale",)))
        values = asked.given(*names, "size", "random_state", loc=0, scale=1, size=None, random_state=None)
        given = dict(zip((*names, "size", "state"), values, strict=True))
        if given.pop("state") is not None or (shapes and given.pop("loc") != 0):
            raise asked.reader.refuse(f"{asked.method.shown} with loc or random_state is not read: use NumPy's {name}")
        if name == "uniform":
            loc, scale = given.pop("loc"), given.pop("scale")
            given |= {"low": loc, "high": asked.meanings.binary(operator.add, loc, scale)}
        if name == "exponential" and (loc := given.pop("loc")) != 0:
            raise asked.reader.refuse(f"{asked.method.shown} with loc={loc} is not read: add it")
        method = replace(asked.method, kind=STATE, name=name)
        found = _STATE[name](AskedDraw(asked.reader, asked.meanings, method, (), {**fixed, **given}))
        return replace(found, kind=np.float64) if isinstance(found, Linear) else found

    return drawn


def _discrete_laplace(asked: AskedDraw) -> Any:
    """P(k) ∝ e^−a|k|: the difference of two geometric draws."""
    a, loc, size, state = asked.given("a", "loc", "size", "random_state", loc=0, size=None, random_state=None)
    if loc != 0 or state is not None:
        raise asked.reader.refuse(f"{asked.method.shown} with loc or random_state is not read")
    meanings, width = asked.meanings, asked.exact(a)

    def one(_: Any = None) -> Any:
        first, second = (Stepped(meanings.drawn.new(BaseLaw.EXPONENTIAL), Step.FLOOR, width) for _ in range(2))
        return meanings.binary(operator.sub, first, second)

    if size is None:
        return one()
    example = np.zeros(size, dtype=np.int64)
    return DrawnArray(array_of(map(one, example.ravel()), example.shape), example.dtype)


_SCIPY: Mapping[str, Callable[[AskedDraw], Any]] = {
    "laplace": _scipy("laplace"),
    "norm": _scipy("normal"),
    "expon": _scipy("exponential"),
    "uniform": _scipy("uniform"),
    "gumbel_r": _scipy("gumbel"),
    "logistic": _scipy("logistic"),
    "bernoulli": _scipy("binomial", "p", n=1),
    "binom": _scipy("binomial", "n", "p"),
    "geom": _scipy("geometric", "p"),
    "dlaplace": _discrete_laplace,
}
_MADE = {one.__name__: _made for one in MAKERS}
TABLES: Mapping[str, Mapping[str, Callable[[AskedDraw], Any]]] = {
    GENERATOR: _GENERATOR,
    STATE: _STATE,
    PYTHON: _PYTHON,
    SECRETS: _SECRETS,
    SCIPY: _SCIPY,
    MADE: _MADE,
}
