"""The table of draws: which calls draw, from which law, and what they return.

NumPy and `random` check the arguments themselves: each draw is first carried out by a generator with a fixed seed,
whose answer says the type, the dtype and the shape, and is filled with what the path decides.
"""

from __future__ import annotations

import copy
import math
import random
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.drawn_numbers import HUGE
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.meanings import Meanings
from stirred.mechanisms.reading.refusal import GENERATORS, PLAIN, Reader
from stirred.mechanisms.reading.shadows import array_of
from stirred.mechanisms.reading.symbols import DrawnArray, Step, Stepped, is_symbolic
from stirred.spec.numbers.reals.real import UndecidedOrderError

_MOST_OUTCOMES = 10_000
"""Outcomes of one draw."""

KINDS = GENERATORS[:3]

MAKERS = tuple(
    getattr(one, "original", one)
    for one in (np.random.default_rng, np.random.RandomState, random.Random, random.SystemRandom)
)

_ALIASES = tuple(getattr(one, "original", one) for one in (np.random.ranf, np.random.sample))
"""Functions, and no methods, that draw what `random_sample` does."""

GENERATOR, STATE, PYTHON, SECRETS, MADE, OTHER = "Generator", "RandomState", "Random", "secrets", "made", "own"


class _Fixed(random.Random):
    """DrawTable nothing: the methods of `random` that are Python check their arguments, and ask for these."""

    def random(self) -> float:
        return 0.5

    def getrandbits(self, k: int, /) -> int:
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        return 0


def _halves(size: Any = None) -> Any:
    return 0.5 if size is None else np.full(size, 0.5)


def _zeros(size: Any) -> Any:
    return 0 if size is None else np.zeros(size, dtype=np.int64)


class _FixedGenerator(np.random.Generator):
    def integers(self, low: Any, high: Any = None, size: Any = None, *_: Any, **__: Any) -> Any:  # noqa: ARG002
        return _zeros(size)

    def shuffle(self, *_: Any, **__: Any) -> None:
        """Nothing moves."""

    def random(self, size: Any = None, *_: Any, **__: Any) -> Any:
        return _halves(size)


class _FixedState(np.random.RandomState):
    def randint(self, low: Any, high: Any = None, size: Any = None, *_: Any, **__: Any) -> Any:  # noqa: ARG002
        return _zeros(size)

    def shuffle(self, *_: Any, **__: Any) -> None:
        """Nothing moves."""

    def random_sample(self, size: Any = None) -> Any:
        return _halves(size)

    def permutation(self, x: Any) -> Any:
        return np.arange(x) if np.ndim(x) == 0 else np.array(x)


TOKENS: Mapping[str, Any] = {
    GENERATOR: _FixedGenerator(np.random.PCG64(0)),
    STATE: _FixedState(0),
    PYTHON: _Fixed(0),
}
"""Generators that stand for those of a program, and check the arguments of draws; made before anything is refused."""


@dataclass(frozen=True)
class Drawing:
    """What draws: a method of a generator, or a function of a module."""

    kind: str
    name: str

    @property
    def shown(self) -> str:
        """As messages name it."""
        module = {GENERATOR: "Generator", STATE: "np.random", PYTHON: "random", SECRETS: "secrets", MADE: "np.random"}
        if self.kind == OTHER:
            return f"{self.name} of a generator that was made before, perhaps with a seed, or is of a class of its own,"
        return f"{module[self.kind]}.{self.name}"


def original(function: Any) -> Any:
    """A function itself, where a refusal has taken its place."""
    return getattr(function, "original", function)


_SHARED = (np.random.mtrand._rand, random._inst)
"""The generators of the functions of modules."""


_STATES = (np.random.mtrand._rand.get_state, random._inst.getstate)
_noted: list[str] = []


def note_states() -> None:
    """Note the states of the shared generators, before a program's modules are imported."""
    _noted[:] = [repr(state()) for state in _STATES]


def are_changed() -> bool:
    """Whether a shared generator was seeded, or drew, since its state was noted."""
    return bool(_noted) and _noted != [repr(state()) for state in _STATES]


class DrawTable:
    """Knows what draws, and notes what the draws of a path were."""

    def __init__(self) -> None:
        self.record: list[Recorded] = []

    def method(self, function: Any) -> Drawing | None:
        """What a function draws; None where it draws nothing."""
        if type(function) is type and function in PLAIN:
            return None
        inner = original(function)
        owner = getattr(function, "__self__", None)
        owner = getattr(inner, "__self__", None) if owner is None else owner
        name = getattr(inner, "__name__", "")
        if any(inner is one for one in _ALIASES):
            return Drawing(STATE, "random_sample")
        if name in secrets.__all__ and original(getattr(secrets, name, None)) is inner:
            return Drawing(MADE if name == "SystemRandom" else SECRETS, name)
        for kind, known in zip((GENERATOR, STATE, PYTHON), KINDS, strict=True):
            if isinstance(owner, known):
                is_fresh = (
                    any(owner is one for one in (*TOKENS.values(), *_SHARED)) or type(owner) is random.SystemRandom
                )
                return Drawing(kind if is_fresh else OTHER, name)
        return Drawing(MADE, name) if any(inner is one for one in MAKERS) else None

    def drawn(
        self, reader: Reader, meanings: Meanings, method: Drawing, given: tuple[Sequence[Any], Mapping[str, Any]]
    ) -> Any:
        """The result of a draw on this path, with these arguments."""
        handler = _TABLES.get(method.kind, {}).get(method.name)
        if handler is None:
            raise reader.refuse(f"{method.shown} is not read: use another draw, or --sampled")
        if is_symbolic(given):
            raise reader.refuse(f"{method.shown} is given a number that is drawn")
        is_plain_given = PLAIN.issuperset(map(type, given[0])) and PLAIN.issuperset(map(type, given[1].values()))
        before: Any = (tuple(given[0]), dict(given[1]))
        before = before if is_plain_given else copy.deepcopy(before)
        asked = _Asked(reader, meanings, method, *given, has_others=not is_plain_given)
        try:
            asked.example()
        except Exception as error:  # of its arguments
            self.record.append(Recorded(method.shown, before, error))
            raise
        try:
            found = handler(asked)
        except Exception as error:
            raise reader.refuse(f"{method.shown} with these arguments is not read ({error})") from None
        if method.kind != MADE:
            self.record.append(Recorded(method.shown, before, asked.shuffled or _kept(found)))
        return found


class Shuffled:
    """What a shuffle did."""

    def __init__(self, order: Sequence[int]) -> None:
        self._order = list(order)

    def apply(self, members: Any) -> None:
        """Do the same to members, in place."""
        if isinstance(members, np.ndarray):
            members[...] = members[self._order]
        else:
            members[:] = [members[place] for place in self._order]


@dataclass(frozen=True)
class Recorded:
    """A draw of a path.

    Attributes:
        shown: what drew.
        given: its arguments, by place and by name.
        found: what it returned, or raised, or did.
    """

    shown: str
    given: tuple[tuple[Any, ...], dict[str, Any]]
    found: Any


def _kept(value: Any) -> Any:
    """What a draw returned, whatever the program does to it later."""
    if isinstance(value, DrawnArray):
        return DrawnArray(value.cells.copy(), value.dtype)
    return value.copy() if isinstance(value, (np.ndarray, list)) else value


@dataclass
class _Asked:
    """One draw that is asked for."""

    reader: Reader
    meanings: Meanings
    method: Drawing
    arguments: Sequence[Any]
    named: Mapping[str, Any]
    has_others: bool = True
    shuffled: Shuffled | None = None
    _example: Any = None

    def example(self) -> Any:
        """What a generator with a fixed seed returns, which checks the arguments."""
        made = TOKENS.get(self.method.kind)
        if made is not None and self._example is None:
            kind = KINDS[(GENERATOR, STATE, PYTHON).index(self.method.kind)]
            method = original(getattr(kind, self.method.name))
            arguments, named = (
                copy.deepcopy((self.arguments, self.named)) if self.has_others else (self.arguments, self.named)
            )
            self._example = method(made, *arguments, **named)
        return self._example

    def given(self, *names: str, **defaults: Any) -> list[Any]:
        """The arguments by their names, in order."""
        values = {**defaults, **dict(zip(names, self.arguments, strict=False)), **self.named}
        return [values[name] for name in names]

    def exact(self, value: Any) -> Exact:
        """The number that a parameter stands for."""
        found = self.meanings.shadows.of(value)
        if found is None:
            raise self.reader.refuse(f"{self.method.shown}: {value!r} stands for no exact number")
        if abs(found) > HUGE:
            raise self.reader.refuse(f"{self.method.shown}: what is drawn with {value!r} may be no double")
        return found

    def exacts(self, value: Any) -> Any:
        """The numbers that a parameter stands for, as an array of objects."""
        if np.ndim(value) == 0:
            return array_of([self.exact(value)], ())
        given = np.asarray(value)
        found = self.meanings.shadows.of_array(given)
        if found is None:
            raise self.reader.refuse(f"{self.method.shown}: {value!r} stands for no exact numbers")
        return array_of((one if isinstance(one, Exact) else Exact(int(one)) for one in found.ravel()), given.shape)

    def pick(self, weights: Sequence[Any]) -> int:
        """Decide among outcomes with these probabilities, which add up to 1."""
        try:
            possible = [place for place, weight in enumerate(weights) if weight != 0]
        except UndecidedOrderError:
            raise self.reader.refuse(f"{self.method.shown}: a probability cannot be told from 0") from None
        if len(possible) > _MOST_OUTCOMES:
            raise self.reader.refuse(f"{self.method.shown} has {len(possible)} outcomes, more than {_MOST_OUTCOMES}")
        if len(possible) == 1:
            return possible[0]
        chosen = self.reader.path.fork([weights[place] for place in possible], self.method.shown, self.reader.line)
        return possible[chosen]

    def any_of(self, count: int) -> int:
        """One of so many, each as likely."""
        if count > _MOST_OUTCOMES:
            raise self.reader.refuse(f"{self.method.shown} has {count} outcomes, more than {_MOST_OUTCOMES}")
        return self.pick([Exact(Fraction(1, count))] * count)

    def order(self, count: int, taken: int | None = None) -> list[int]:
        """The first members of a random order of so many."""
        left, found = list(range(count)), []
        for _ in range(count if taken is None else taken):
            found.append(left.pop(self.any_of(len(left))))
        return found

    def filled(self, example: Any, cell: Callable[[int], Any]) -> Any:
        """The example with other numbers in it.

        Args:
            example: a number, or an array.
            cell: the number in each place of the array, by its place.
        """
        if isinstance(example, np.ndarray):
            made = np.empty(example.size, dtype=example.dtype)
            for place in range(example.size):
                made[place] = cell(place)
            return made.reshape(example.shape)
        return type(example)(cell(0))


def _uniforms(asked: _Asked, low: Any = 0, high: Any = 1) -> Any:
    """Numbers of the uniform law between the ends."""
    return _located(asked, BaseLaw.UNIFORM, low, asked.exact(high) - asked.exact(low))


def _located(asked: _Asked, law: BaseLaw, shift: Any, scale: Any) -> Any:
    """scale·Z + shift for each number that is drawn."""
    example, drawn = asked.example(), asked.meanings.drawn

    def one(value: Any, scale: Exact, shift: Exact) -> Any:
        return drawn.new(law, scale, shift, type(value)) if scale != 0 else asked.meanings.shadows.note(value, shift)

    if not isinstance(example, np.ndarray):
        return one(example, asked.exact(scale), asked.exact(shift))
    shifts, scales = (np.broadcast_to(asked.exacts(part), example.shape).ravel() for part in (shift, scale))
    cells = map(one, example.ravel(), scales, shifts)
    return DrawnArray(array_of(cells, example.shape), example.dtype)


def _law(law: BaseLaw, shift: str | None, scale: str | None) -> Callable[[_Asked], Any]:
    """What draws from a law with a location and a scale, by the names of these parameters."""
    names = {name: value for name, value in ((shift, 0.0), (scale, 1.0)) if name is not None}

    def drawn(asked: _Asked) -> Any:
        given = dict(zip(names, asked.given(*names, **names), strict=True))
        return _located(asked, law, given.get(shift or "", 0), given.get(scale or "", 1))

    return drawn


def _standard(law: BaseLaw) -> Callable[[_Asked], Any]:
    """What draws from a standard law, with a shape alone."""
    return lambda asked: _located(asked, law, 0, 1)


def _of_rate(asked: _Asked) -> Any:
    (rate,) = asked.given("lambd", lambd=1.0)
    return _located(asked, BaseLaw.EXPONENTIAL, 0, 1 / asked.exact(rate))


def _geometric(asked: _Asked) -> Any:
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


def _random(asked: _Asked) -> Any:
    _, dtype, out = asked.given("size", "dtype", "out", size=None, dtype=float, out=None)
    if out is not None or np.dtype(dtype) != float:
        raise asked.reader.refuse(f"{asked.method.shown} with out, or with another dtype than float64, is not read")
    return _uniforms(asked)


def _uniform(asked: _Asked) -> Any:
    low, high = asked.given("low", "high", low=0.0, high=1.0) if asked.method.kind != PYTHON else asked.given("a", "b")
    if np.ndim(low) or np.ndim(high):
        raise asked.reader.refuse(f"{asked.method.shown} with arrays as ends is not read")
    return _uniforms(asked, low, high)


def _integers(asked: _Asked) -> Any:
    example = asked.example()
    names = ("low", "high", "size", "dtype", "endpoint")
    low, high, _, _, endpoint = asked.given(*names, high=None, size=None, dtype=None, endpoint=False)
    low, high = (0, low) if high is None else (low, high)
    if np.ndim(low) or np.ndim(high):
        raise asked.reader.refuse(f"{asked.method.shown} with arrays as ends is not read")
    low, count = int(low), int(high) - int(low) + bool(endpoint)
    return asked.filled(example, lambda _: low + asked.any_of(count))


def _randint(asked: _Asked) -> Any:
    asked.example()
    low, high = asked.given("a", "b")
    return low + asked.any_of(high - low + 1)


def _randrange(asked: _Asked) -> Any:
    start, stop, step = asked.given("start", "stop", "step", stop=None, step=1)
    members = range(start) if stop is None else range(start, stop, step)
    return members[asked.any_of(len(members))]


def _choice(asked: _Asked) -> Any:
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


def _normalized(asked: _Asked, p: Any) -> list[Exact]:
    """The weights of a draw, divided by their sum, as NumPy does it."""
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


def _python_choice(asked: _Asked) -> Any:
    asked.example()
    (members,) = asked.arguments or tuple(asked.named.values())
    return members[asked.any_of(len(members))]


def _python_choices(asked: _Asked) -> Any:
    asked.example()
    names = ("population", "weights", "cum_weights", "k")
    members, weights, summed, count = asked.given(*names, weights=None, cum_weights=None, k=1)
    if summed is not None:
        raise asked.reader.refuse("random.choices with cum_weights is not read: give weights")
    exact = [Exact(Fraction(1, len(members)))] * len(members) if weights is None else _normalized(asked, weights)
    return [members[asked.pick(exact)] for _ in range(count)]


def _python_sample(asked: _Asked) -> Any:
    asked.example()
    members, count, counts = asked.given("population", "k", "counts", counts=None)
    if counts is not None:
        raise asked.reader.refuse("random.sample with counts is not read")
    return [members[place] for place in asked.order(len(members), count)]


def _shuffle(asked: _Asked) -> None:
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


def _permutation(asked: _Asked) -> Any:
    example = asked.example()
    members, axis = asked.given("x", "axis", axis=0)
    if axis != 0:
        raise asked.reader.refuse("a permutation along another axis than the first is not read")
    order = asked.order(len(example))
    return (
        np.array(order, dtype=example.dtype) if isinstance(members, (int, np.integer)) else np.asarray(members)[order]
    )


def _binomial(asked: _Asked) -> Any:
    example = asked.example()
    count, p = asked.given("n", "p", "size", size=None)[:2]
    if np.ndim(count) or np.ndim(p):
        raise asked.reader.refuse("a binomial draw with arrays as parameters is not read")
    yes = asked.exact(p)
    weights = [math.comb(count, k) * yes**k * (1 - yes) ** (count - k) for k in range(int(count) + 1)]
    return asked.filled(example, lambda _: asked.pick(weights))


def _hypergeometric(asked: _Asked) -> Any:
    example = asked.example()
    good, bad, taken = map(int, asked.given("ngood", "nbad", "nsample", "size", size=None)[:3])
    every = math.comb(good + bad, taken)
    weights = [Exact(Fraction(math.comb(good, k) * math.comb(bad, taken - k), every)) for k in range(taken + 1)]
    return asked.filled(example, lambda _: asked.pick(weights))


def _getrandbits(asked: _Asked) -> int:
    (bits,) = asked.arguments or tuple(asked.named.values())
    return asked.any_of(1 << bits) if bits else 0


def _randbelow(asked: _Asked) -> int:
    (most,) = asked.arguments or tuple(asked.named.values())
    return asked.any_of(most)


def _secret_choice(asked: _Asked) -> Any:
    (members,) = asked.arguments or tuple(asked.named.values())
    return members[asked.any_of(len(members))]


def _seeded(asked: _Asked) -> Any:
    raise asked.reader.refuse(
        f"{asked.method.shown} fixes what is drawn: the release is then a function of the data; draw from a generator "
        "without a seed"
    )


def _made(asked: _Asked) -> Any:
    """A generator without a seed: its draws are asked for by its kind."""
    given = [*asked.arguments, *asked.named.values()]
    if any(one is not None for one in given) and asked.method.name != "SystemRandom":
        return _seeded(asked)
    return TOKENS[{"default_rng": GENERATOR, "RandomState": STATE}.get(asked.method.name, PYTHON)]


_CONTINUOUS: Mapping[str, Callable[[_Asked], Any]] = {
    "laplace": _law(BaseLaw.LAPLACE, "loc", "scale"),
    "exponential": _law(BaseLaw.EXPONENTIAL, None, "scale"),
    "normal": _law(BaseLaw.NORMAL, "loc", "scale"),
    "gumbel": _law(BaseLaw.GUMBEL, "loc", "scale"),
    "logistic": _law(BaseLaw.LOGISTIC, "loc", "scale"),
    "standard_normal": _standard(BaseLaw.NORMAL),
    "standard_exponential": _standard(BaseLaw.EXPONENTIAL),
    "geometric": _geometric,
}

_GENERATOR: Mapping[str, Callable[[_Asked], Any]] = {
    **_CONTINUOUS,
    "random": _random,
    "uniform": _uniform,
    "integers": _integers,
    "choice": _choice,
    "shuffle": _shuffle,
    "permutation": _permutation,
    "binomial": _binomial,
    "hypergeometric": _hypergeometric,
}
_STATE: Mapping[str, Callable[[_Asked], Any]] = {
    **_CONTINUOUS,
    "randn": _standard(BaseLaw.NORMAL),
    **dict.fromkeys(("random", "rand", "random_sample"), _uniforms),
    **{
        name: _GENERATOR[name] for name in ("uniform", "choice", "shuffle", "permutation", "binomial", "hypergeometric")
    },
    "randint": _integers,
    "seed": _seeded,
}
_PYTHON: Mapping[str, Callable[[_Asked], Any]] = {
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
    "seed": _seeded,
}
_SECRETS: Mapping[str, Callable[[_Asked], Any]] = {
    "choice": _secret_choice,
    "randbelow": _randbelow,
    "randbits": _getrandbits,
}
_MADE = dict.fromkeys(("default_rng", "RandomState", "Random", "SystemRandom"), _made)
_TABLES = {GENERATOR: _GENERATOR, STATE: _STATE, PYTHON: _PYTHON, SECRETS: _SECRETS, MADE: _MADE}
