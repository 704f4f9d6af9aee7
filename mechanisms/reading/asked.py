"""One draw that is asked for: what draws, its arguments, and an example of what it returns.

NumPy and `random` check the arguments themselves: each draw is first carried out by a generator with a fixed seed,
whose answer says the type, the dtype and the shape, and is filled with what the path decides.
"""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.decisions import HUGE, is_moderate
from stirred.mechanisms.reading.drawn_doubles import DrawnDoubles
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.meanings import Meanings
from stirred.mechanisms.reading.refusal import DRAWING, GENERATORS, PLAIN, Reader
from stirred.mechanisms.reading.shadows import array_of
from stirred.mechanisms.reading.symbols import DrawnArray, Step, Stepped
from stirred.spec.numbers.reals.real import UndecidedOrderError

_MOST_OUTCOMES = 10_000
"""Outcomes of one draw."""

KINDS = GENERATORS[:3]

MAKERS = {
    getattr(one, "original", one): kind
    for kind, several in (
        (KINDS[0], ("default_rng", "Generator", "SeedSequence", "PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937")),
        (KINDS[1], ("RandomState",)),
    )
    for one in (getattr(np.random, name) for name in several)
} | {getattr(one, "original", one): KINDS[2] for one in (random.Random, random.SystemRandom)}
"""What makes generators, and what they are made of, with the kind that stands for it."""

GENERATOR, STATE, PYTHON, SECRETS, MADE, OTHER = "Generator", "RandomState", "Random", "secrets", "made", "own"
SCIPY = "scipy"
"""The kind of `stats.laplace.rvs` and its like, which draw from NumPy's shared generator."""


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

DRAWING.update(map(type, TOKENS.values()))


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
        return f"stats.{self.name}.rvs" if self.kind == SCIPY else f"{module[self.kind]}.{self.name}"


def scipy_laws() -> Mapping[str, Any]:
    """The laws of `scipy.stats` by their names, where it is imported."""
    names = vars(sys.modules["scipy.stats"]) if "scipy.stats" in sys.modules else {}
    return {name: one for name, one in names.items() if callable(getattr(type(one), "rvs", None))}


def original(function: Any) -> Any:
    """A function itself, where a refusal has taken its place."""
    return getattr(function, "original", function)


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


@dataclass(frozen=True)
class Repeated:
    """Draws of a pass of a loop, which is run some times.

    Attributes:
        draws: of one pass.
        point: where its base draws lie.
        times: how often, as a number that is drawn.
    """

    draws: tuple[Any, ...]
    point: Mapping[int, Fraction]
    times: Any = None


def kept(value: Any) -> Any:
    """What a draw returned, whatever the program does to it later."""
    if isinstance(value, DrawnArray):
        return DrawnArray(value.cells.copy(), value.dtype)
    return value.copy() if isinstance(value, (np.ndarray, list)) else value


def is_exacts(value: Any) -> bool:
    """Whether a value is an array of objects, as exact numbers are held."""
    return isinstance(value, np.ndarray) and value.dtype == object


_EXAMPLES: dict[tuple[Drawing, str], Any] = {}
"""Numbers, by the draws that have returned them and their arguments: a draw without an array is checked once."""


@dataclass
class AskedDraw:
    """One draw that is asked for."""

    reader: Reader
    meanings: Meanings
    method: Drawing
    arguments: Sequence[Any]
    named: Mapping[str, Any]
    has_others: bool = True
    shuffled: Shuffled | None = None
    weigh: Callable[[Any], Sequence[Any]] | None = None
    _example: Any = None

    def example(self) -> Any:
        """What a generator with a fixed seed returns, which checks the arguments."""
        made = TOKENS.get(self.method.kind)
        if made is None or self._example is not None:
            return self._example
        key = (self.method, "" if self.has_others else repr((self.arguments, self.named)))
        if (known := _EXAMPLES.get(key)) is None:
            kind = KINDS[(GENERATOR, STATE, PYTHON).index(self.method.kind)]
            method = original(getattr(kind, self.method.name))
            arguments, named = (
                copy.deepcopy((self.arguments, self.named)) if self.has_others else (self.arguments, self.named)
            )
            known = method(made, *arguments, **named)
            if not self.has_others and (type(known) in PLAIN or isinstance(known, np.generic)):
                _EXAMPLES[key] = known
        self._example = known
        return known

    def given(self, *names: str, **defaults: Any) -> list[Any]:
        """The arguments by their names, in order."""
        values = {**defaults, **dict(zip(names, self.arguments, strict=False)), **self.named}
        return [values[name] for name in names]

    def exact(self, value: Any) -> Exact:
        """The number that a parameter stands for."""
        found = self.meanings.shadows.of(value)
        if found is None:
            raise self.reader.refuse(f"{self.method.shown}: {value!r} stands for no exact number")
        if not is_moderate(found) and abs(found) > HUGE:
            raise self.reader.refuse(f"{self.method.shown}: what is drawn with {value!r} may be no double")
        return found

    def exacts(self, value: Any) -> Any:
        """The numbers that a parameter stands for, as an array of objects."""
        if is_exacts(value):
            return value
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

    def integer(self, low: int, count: int, kind: type = int) -> Any:
        """One of so many integers from a lowest one on; of very many it is ⌊count·U⌋, which conditions divide."""
        is_usual = kind in (int, np.int64) and not isinstance(self.meanings.drawn, DrawnDoubles)
        if count <= _MOST_OUTCOMES or not is_usual:
            return kind(low + self.any_of(count))
        number = self.meanings.drawn.new(BaseLaw.UNIFORM)
        return Stepped(number, Step.FLOOR, Exact(Fraction(1, count)), kind, shift=low)

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
