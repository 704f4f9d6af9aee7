"""The second derivation of a path: Python runs the unmodified function on numbers that lie on the path.

Whatever draws is put in place of what draws: the generator that is handed in, the functions of the modules, and the
names that the program has for them. The function must then ask for the same draws, and return the same.
"""

from __future__ import annotations

import contextlib
import random
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.mechanisms.reading.asked import (
    KINDS,
    MAKERS,
    SCIPY,
    Drawing,
    Recorded,
    Repeated,
    Shuffled,
    original,
    scipy_laws,
)
from stirred.mechanisms.reading.drawn_doubles import DrawnDouble
from stirred.mechanisms.reading.drawn_quotients import Quotient
from stirred.mechanisms.reading.draws import DrawTable
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.refusal import PLAIN
from stirred.mechanisms.reading.symbols import Drawn, DrawnArray, DrawRounding, Linear, Stepped, Summed
from stirred.spec.numbers.reals.real import Number


class ReplayError(BaseException):  # a program's `except Exception` must not catch it
    """The function does something else than what was read."""


NEAR = Fraction(1, 1 << 36)
"""How near to the ends of their intervals draws are when a path is run again, as other ends would show."""


_ROUNDED = Fraction(1, 1 << 26)
"""How far a double that is computed from draws may be from what it means."""


class Feed:
    """Gives the draws of a path, one by one.

    Args:
        record: what each draw was.
        point: the base draws of a point that lies on the path.
    """

    def __init__(self, record: Sequence[Recorded | Repeated], point: Mapping[int, Fraction]) -> None:
        self.error: ReplayError | None = None
        self._point = point
        self._left = [one for group in reversed(record) for one in self._drawn(group)]

    def _drawn(self, one: Recorded | Repeated) -> Iterator[Recorded]:
        """The draws that are noted, last ones first: of passes of a loop as often as it is run at the point."""
        if isinstance(one, Recorded):
            yield one
            return
        inner = Feed(one.draws, one.point)
        passed = [replace(draw, found=inner.number(draw.found)) for draw in inner._left]
        for _ in range(int(self._exact(one.times))):
            yield from passed

    def draw(self, shown: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The next draw, which must be this one, with the same arguments.

        Raises:
            ReplayError: it is another.
        """
        if not self._left or self._left[-1].shown != shown:
            self.error = ReplayError(
                f"draws {shown} where {self._left[-1].shown if self._left else 'nothing'} was read"
            )
            raise self.error
        one = self._left.pop()
        if not same(given, one.given[0]) or not same(named, one.given[1]):
            self.error = ReplayError(f"draws {shown} with other arguments than were read")
            raise self.error
        if isinstance(one.found, Exception):
            raise one.found
        if isinstance(one.found, Shuffled):
            one.found.apply((*given, *named.values())[0])
            return None
        return self.number(one.found)

    @property
    def is_used_up(self) -> bool:
        """Whether every draw was asked for."""
        return not self._left

    def outcome(self, value: Any) -> Any:
        """An outcome at the point, its drawn numbers as `Near`."""
        if isinstance(value, Drawn):
            return Near(self._exact(value), value.kind)
        if isinstance(value, DrawnArray):
            return [self.outcome(one) for one in (value.cells.tolist())]
        if type(value) in (list, tuple):
            return type(value)(map(self.outcome, value))
        if type(value) is dict:
            return {key: self.outcome(one) for key, one in value.items()}
        return value

    def number(self, value: Any) -> Any:
        """What is drawn at the point."""
        if isinstance(value, DrawnDouble):
            return value.function.value(int(self._point[-1 - value.draw]))
        if isinstance(value, Drawn):
            kind: Any = value.kind
            return kind(float(self._exact(value)))
        if isinstance(value, DrawnArray):
            cells = [self.number(one) for one in value.cells.ravel()]
            return np.array(cells, dtype=value.dtype).reshape(value.cells.shape)
        return value.copy() if isinstance(value, (np.ndarray, list)) else value

    def _exact(self, value: Drawn) -> Fraction:
        """A drawn number at the point."""
        if isinstance(value, Stepped):
            k = value.step.of(Exact(self._exact(value.number)) / value.width)
            return value.unit * (value.scale * k + value.shift)
        if isinstance(value, Summed):
            parts = (c * self._rounded(draw, value.roundings[draw]) for draw, c in value.terms.items())
            return Fraction(value.shift + sum(parts))
        if isinstance(value, Quotient):
            return self._exact(value.above) / self._exact(value.below)
        if not isinstance(value, Linear):
            raise TypeError(type(value).__name__)
        terms = (c * self._point[draw] for draw, c in value.terms.items())
        exact: Number = sum(terms, value.shift).number
        return exact if isinstance(exact, Fraction) else exact.enclosure(30).lower

    def _rounded(self, draw: int, rounding: DrawRounding) -> int:
        number = Exact(rounding.scale) * self._point[draw] + Exact(rounding.shift)
        return rounding.step.of(number / Exact(rounding.width))


@dataclass(frozen=True)
class Near:
    """What a drawn number is at a point, but for the rounding of doubles."""

    value: Fraction
    kind: type

    def is_met(self, other: Any) -> bool:
        """Whether a number that Python computed may be this one."""
        if type(other) is not self.kind:
            return False
        if issubclass(self.kind, (int, np.integer)):
            return bool(other == self.value)
        number: Any = other
        return abs(Fraction(float(number)) - self.value) <= _ROUNDED * (1 + abs(self.value))


_MODULES = ("Generator", "np.random", "random")
_SYSTEM = random.SystemRandom


class Replays:
    """Puts given draws in the place of what draws, once for all paths of a program.

    Args:
        modules: the names of the program's modules, which may have names of their own for what draws.
    """

    def __init__(self, modules: Sequence[dict[str, Any]]) -> None:
        self._feed: Feed | None = None
        self._kinds = [self._kind(kind, module) for kind, module in zip(KINDS, _MODULES, strict=True)]
        fed = dict(zip(KINDS, self._kinds, strict=True))
        made = {id(maker): fed[kind] for maker, kind in MAKERS.items()}
        draws = DrawTable()
        self._places: list[tuple[dict[str, Any], str, Any, Any]] = []
        holders = [vars(np.random), vars(random), vars(secrets), *modules]
        for names in {id(one): one for one in holders}.values():
            for name, value in names.items():
                new = fed[type(value)]() if type(value) in fed else made.get(id(original(value)))
                if new is None and callable(value) and not isinstance(value, type):
                    method = draws.method(value)
                    new = None if method is None else self._drawing(method.shown)
                if new is not None:
                    self._places.append((names, name, value, new))
        for name, law in scipy_laws().items():
            self._places.append((vars(law), "rvs", law.rvs, self._drawing(Drawing(SCIPY, name).shown)))

    def _drawing(self, shown: str) -> Callable[..., Any]:
        def drawn(*given: Any, **named: Any) -> Any:
            if self._feed is None:
                raise ReplayError(f"draws {shown} outside of a path")
            return self._feed.draw(shown, given, named)

        return drawn

    def _kind(self, kind: type, module: str) -> Any:
        """A class of generators whose draws are given."""
        drawing = self._drawing

        new: Any = kind.__new__

        class Fed(kind):  # type: ignore[misc]
            def __new__(cls, *_: Any, **__: Any) -> Any:
                return new(cls, 0) if kind is KINDS[2] else new(cls)

            def __init__(self, *_: Any, **__: Any) -> None:
                """It has no state of its own."""

            def __getattribute__(self, name: str) -> Any:
                if name.startswith("_") or name in ("bit_generator", "seed"):
                    return super().__getattribute__(name)
                return drawing(f"{module}.{name}")

        Fed.__name__, Fed.__qualname__, Fed.__module__ = kind.__name__, kind.__qualname__, kind.__module__
        return Fed

    def like(self, generator: Any) -> Any:
        """A generator of the same kind whose draws are given."""
        return next(made for made, kind in zip(self._kinds, KINDS, strict=True) if isinstance(generator, kind))()

    @contextlib.contextmanager
    def feeding(self, feed: Feed, *, has_system: bool) -> Iterator[None]:
        """Whatever draws gives the draws of a path meanwhile.

        Args:
            has_system: whether generators of the system's do, which the program has made.
        """
        self._feed = feed
        for names, name, _, new in self._places:
            names[name] = new
        try:
            with self._fed_system() if has_system else contextlib.nullcontext():
                yield
        finally:
            for names, name, value, _ in self._places:
                names[name] = value
            self._feed = None

    @contextlib.contextmanager
    def _fed_system(self) -> Iterator[None]:
        """Objects of `random.SystemRandom` give them too."""
        kind: Any = _SYSTEM
        own = {**vars(kind)}
        drawing = [name for name in dir(kind) if not name.startswith("_")]
        for name in drawing:
            setattr(kind, name, staticmethod(self._drawing(f"{_MODULES[2]}.{name}")))
        try:
            yield
        finally:
            for name in drawing:
                setattr(kind, name, own[name]) if name in own else delattr(kind, name)


def own_modules(is_own: Callable[[str], bool]) -> list[dict[str, Any]]:
    """The names of the program's own modules."""
    files = [(vars(one), getattr(one, "__file__", None)) for one in list(sys.modules.values())]
    return [names for names, file in files if isinstance(file, str) and is_own(file)]


def same(one: Any, other: Any) -> bool:
    """Whether two outcomes are one: by type, dtype, shape and every digit, but for `Near`."""
    if one is other and type(one) in PLAIN:
        return True
    if isinstance(one, Near):
        return one.is_met(other)
    if isinstance(one, list) and isinstance(other, np.ndarray):
        return same(one, [*other])
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and same(one.tolist(), other.tolist())
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return same(list(one.items()), list(other.items()))
    if isinstance(one, BaseException):
        return same(one.args, other.args)
    if isinstance(one, (float, np.floating)):
        return repr(one) == repr(other)
    return bool(one == other)
