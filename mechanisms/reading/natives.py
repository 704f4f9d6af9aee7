"""What a library's function gives for values that depend on no draw: Python's answer, and the number that it means.

Where the double and the exact number say different things, the line is refused.
"""

from __future__ import annotations

import builtins
import functools
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from stirred.mechanisms.reading.known_functions import (
    ASKING,
    CONSTANT,
    DIGITS,
    EXACT_MATH,
    HOLDING,
    LOOKING,
    MOST_STEPS,
    ORDERING,
    SUM,
    TELLING,
    has_finite_floats,
    has_floats,
    is_container,
    is_float_array,
    is_numpy,
    is_whole,
    needed,
    rounded,
    spaced,
    spoken,
    steps,
)
from stirred.mechanisms.reading.refusal import GENERATORS, MOVING, Reader, Refusal
from stirred.mechanisms.reading.shadows import Shadows, array_of, differ
from stirred.mechanisms.reading.symbols import SEEN, is_symbolic, stands_for


class Natives(ABC):
    """Carries out functions natively, and on exact numbers.

    Attributes:
        shadows: the exact numbers.
        arrays: what is done with arrays that hold drawn numbers.
    """

    shadows: Shadows
    arrays: Any
    native: Callable[..., Any]
    _reader: Reader

    @abstractmethod
    def iterated(self, value: Any) -> Iterable[Any]:
        """The members of a value, one by one."""

    @abstractmethod
    def _check_key(self, holder: Iterable[Any], key: Any) -> None:
        """Refuse a key of which doubles and exact numbers say differently whether it is there."""

    def _numbers(self, *values: Any) -> list[Any] | None:
        """The exact numbers of operands; None where some are not known."""
        try:
            return [self.shadows.carried(one, has_integers=True) for one in values]
        except ValueError:
            return None

    def _carried(self, *values: Any) -> list[Any]:
        """The exact numbers of operands.

        Raises:
            ValueError: some are not known.
        """
        return [self.shadows.carried(one, has_integers=True) for one in values]

    def _agree(self, found: Any, exactly: Callable[[], Any], *operands: Any) -> None:
        """Refuse a line at which doubles and exact numbers say different things."""
        if self.shadows.are_doubles:
            return
        try:
            exact = exactly()
        except (TypeError, ValueError, ArithmeticError):
            exact = NotImplemented
        if exact is NotImplemented or differ(found, exact):
            numbers = self._numbers(*operands) or ["numbers that are not known"]
            raise self._reader.refuse(
                f"doubles and real numbers differ here: {' and '.join(map(repr, operands))} stand for "
                f"{' and '.join(map(str, numbers))}"
            )

    def _shadowed(self, found: Any, exactly: Callable[[], Any]) -> Any:
        """A result, with the exact number that it means."""
        if not has_floats(found):
            return found
        try:
            exact = exactly()
        except (TypeError, ValueError, ArithmeticError):
            exact = None
        return self.shadows.noted(found, exact)

    def _check_looked_up(self, function: Any, arguments: Sequence[Any]) -> None:
        """Refuse to look up a float of which doubles and exact numbers say different things, or what has no order."""
        owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
        if isinstance(owner, (list, tuple)) and name in ("index", "count", "remove"):
            self._check_key(owner, arguments[0])
        if (isinstance(owner, dict) and name in ("get", "pop", "setdefault")) or isinstance(owner, set):
            self._check_key(owner, arguments[0] if arguments else None)
        if function in (builtins.id, builtins.hash) or name in ("id", "hash"):
            raise self._reader.refuse(f"{spoken(function)} is another one in each process")
        if function in HOLDING and function not in (len, range):
            for one in arguments:
                self.iterated(one) if isinstance(one, (set, frozenset)) else None

    def _unseen(self, function: Any, value: Any) -> Any:
        """An iterator whose members a library sees, none of which may be drawn."""
        owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
        is_moved = function in HOLDING or name in MOVING.get(type(owner), ())
        if is_moved or not isinstance(value, Iterator) or getattr(function, "__module__", "") == "itertools":
            return value

        def members() -> Iterator[Any]:
            for one in value:
                if is_symbolic(one):
                    SEEN.append(Refusal(f"{spoken(function)} of numbers that are drawn is not read"))
                    raise SEEN[-1]
                yield one

        return members()

    def _by_native(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        arguments = [self._unseen(function, one) for one in arguments]
        if function in (*HOLDING, builtins.map, builtins.filter, SUM, *ORDERING):
            arguments = [self._spread(function, one) for one in arguments]
        arrays = [one for one in (*arguments, getattr(function, "__self__", None)) if is_float_array(one)]
        before = [one.copy() for one in arrays]
        found = self.native(function, *arguments, **named)
        for array, copied in zip(arrays, before, strict=True):
            if array.shape != copied.shape or not np.array_equal(array, copied, equal_nan=True):
                self.shadows.changed(array)
        return self.arrays.noted(self._meant(function, found, arguments, named), function, arguments)

    def _spread(self, function: Any, value: Any) -> Any:
        """An array of floats as its members, of which it stays known what they stand for."""
        if not is_float_array(value) or not value.ndim or function in (builtins.len, builtins.range):
            return value
        return list(self.iterated(value)) if function in (builtins.reversed, *ORDERING) else iter(self.iterated(value))

    def _check_given(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Refuse to hand a generator to a function that is not read."""
        if function in (builtins.isinstance, builtins.callable, functools.partial):
            return
        if function in ASKING and any(stands_for(one) is not one for one in arguments):
            raise self._reader.refuse(f"{spoken(function)} of a function is not read")
        if getattr(function, "__module__", "") in LOOKING and function not in (sys.exit, sys.intern):
            raise self._reader.refuse(f"{spoken(function)} looks at how the program is run, and is not read")
        for one in (*arguments, *named.values()):
            given = getattr(one, "__self__", one)
            if isinstance(given, GENERATORS) or any(one is kind for kind in GENERATORS):
                raise self._reader.refuse(f"{spoken(function)} is given a generator, and is not read")

    def _meant(self, function: Any, found: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a native call, with the exact number that it means, where it is known."""
        if function in CONSTANT:
            return self._filled(found, [*arguments[1:2], *(named[name] for name in ("fill_value",) if name in named)])
        given = [getattr(function, "__self__", None), *arguments, *named.values()]
        is_faithful = all(map(self.shadows.is_faithful, given))
        if function in TELLING or is_container(function) or (found is None and is_faithful):
            return found
        exactly = self._exactly(function, arguments, named)
        if has_floats(found):
            exact = None
            if exactly is not None:
                with suppress(TypeError, ValueError, ArithmeticError, AttributeError):
                    exact = exactly()
            is_known = exact is not None and np.shape(exact) == np.shape(found)
            if not is_known and not all(map(self.shadows.is_exact, given)):
                raise self._blind(function)
            return self.shadows.noted(found, exact if is_known else None)
        if exactly is not None and is_whole(found):
            if any(map(has_finite_floats, given)):
                self._agree(found, exactly, *arguments)
            return found
        is_digital = getattr(function, "__name__", "") in DIGITS
        if not is_faithful or (is_digital and not all(map(self.shadows.is_exact, given))):
            raise self._blind(function)
        return found

    def _blind(self, function: Any) -> Refusal:
        return self._reader.refuse(
            f"{spoken(function)} is given doubles that differ from the real numbers that they stand for, and is not "
            "read"
        )

    def _filled(self, found: Any, fill: Sequence[Any]) -> Any:
        """An array that holds one number, written or given."""
        if not fill or not is_float_array(found) or found.size > MOST_STEPS:
            return found
        return self.shadows.note(found, array_of([self.shadows.of(fill[0])] * found.size, found.shape))

    def _exactly(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Callable[[], Any] | None:
        """The same call, carried out on exact numbers; None where it has no such meaning."""
        shadows, owner = self.shadows, getattr(function, "__self__", None)
        if function is builtins.abs and isinstance(arguments[0], np.ndarray):
            return lambda: np.abs(shadows.carried(arguments[0]))
        if function in EXACT_MATH and len(arguments) == 1 and not named:
            return lambda: EXACT_MATH[function](needed(shadows.of(arguments[0])))
        if function in (np.arange, np.linspace) and not named:
            return lambda: (steps if function is np.arange else spaced)(*shadows.carried(arguments))
        if function is builtins.round:
            return lambda: rounded(needed(shadows.of(arguments[0])), *arguments[1:], **named)
        if function is SUM or is_numpy(function):
            is_elementwise = isinstance(function, np.ufunc)
            return lambda: function(
                *(shadows.carried(one, has_integers=is_elementwise) for one in arguments),
                **{name: shadows.carried(one) for name, one in named.items() if name != "dtype"},
            )
        if isinstance(owner, np.ndarray) and function.__name__ == "astype":
            wanted = np.dtype(arguments[0] if arguments else named["dtype"])
            if wanted is np.dtype(float):
                return lambda: shadows.carried(owner).copy()
            if wanted.kind not in "iu":
                return None
            return lambda: array_of(map(math.trunc, shadows.carried(owner).ravel()), owner.shape)
        if isinstance(owner, np.ndarray):
            return lambda: getattr(shadows.carried(owner), function.__name__)(
                *map(shadows.carried, arguments), **{name: shadows.carried(one) for name, one in named.items()}
            )
        return None
