"""Monotone functions of a whole number k as float code computes them, and where their answers change.

A uniform float is k/2⁵³; what a program makes of it is a function of k, evaluated here by the very operations of the
program. Sums, differences, products, quotients and roundings of floats are monotone, since a correctly rounded monotone
function is. `log`, `exp` and powers are not correctly rounded everywhere: the C library errs by less than one unit in
the last place, no decrease of an increasing one is known, and around each change that is found the neighbours are
evaluated too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache, partial
from typing import Any

from stirred.spec.arguments import InputError

MOST_VALUES = 100_000
"""Values that a reading may have."""

_WHOLE = "k"
_NEIGHBOURS = 16
_NEARBY = 4
_PROBES = 64

Plateau = tuple[int, Any]
"""The first k of those with one value, and the value."""


class FailingDrawError(InputError):
    """A draw at which the code raises.

    Attributes:
        k: the draw.
        error: what is raised.
    """

    def __init__(self, k: int, error: Exception) -> None:
        self.k = k
        self.error = error
        super().__init__(
            f"one draw in many, that of the uniform number k = {k}, has the code raise {type(error).__name__}: {error}"
        )


class FloatFunction:
    """A function of k, named by the steps that make it: equal where those are.

    Attributes:
        at: its value at k.
    """

    __slots__ = ("_hash", "_key", "at")

    def __init__(self, key: tuple[Any, ...], at: Callable[[int], Any]) -> None:
        self._key = key
        self._hash = hash(key)
        self.at = at

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FloatFunction) and self._hash == other._hash and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def value(self, k: int) -> Any:
        """The value at k, of which NumPy says nothing."""
        with quiet():
            return self.at(k)

    def error(self, k: int) -> Exception | None:
        """What is raised at k."""
        try:
            self.value(k)
        except (ArithmeticError, ValueError) as error:
            return error
        return None

    @property
    def raises(self) -> FloatFunction:
        """Whether it raises."""
        return FloatFunction(("raises", self), lambda k: self.error(k) is not None)

    @classmethod
    def of(cls, name: str, function: Callable[..., Any], *arguments: Any) -> FloatFunction:
        """The function with this name, of numbers and of functions of k.

        Args:
            name: functions of one name are one function.
            function: of the values of its arguments.
            arguments: exact or float numbers, and functions of k.

        >>> half = FloatFunction.of("half", lambda x: x / 2, whole_numbers(float))
        >>> half.at(3)
        1.5
        """
        key = (name, *(one if isinstance(one, FloatFunction) else (type(one), repr(one)) for one in arguments))
        match arguments:
            case (FloatFunction() as inner,):
                return cls(key, lambda k, at=inner.at: function(at(k)))  # type: ignore[misc]
            case (FloatFunction() as inner, second) if not isinstance(second, FloatFunction):
                return cls(key, lambda k, at=inner.at: function(at(k), second))  # type: ignore[misc]

        def at(k: int) -> Any:
            return function(*(one.at(k) if isinstance(one, FloatFunction) else one for one in arguments))

        return cls(key, at)


def whole_numbers(kind: Callable[[Any], Any], factor: float | int = 1, least: int = 0) -> FloatFunction:
    """The function k ↦ (least + k)·factor, as a number of this type; exact where it is k·2^−53 and k < 2^53.

    >>> whole_numbers(float, 0.5).at(3)
    1.5
    """
    return FloatFunction((_WHOLE, kind, factor, least), lambda k: kind((least + k) * factor))


def quiet() -> AbstractContextManager[Any]:
    """Has NumPy say nothing of infinite and undefined values, where it is loaded."""
    numpy = sys.modules.get("numpy")
    return nullcontext() if numpy is None else numpy.errstate(all="ignore")


@lru_cache(maxsize=65536)
def at_ends(function: FloatFunction, low: int, high: int) -> tuple[Any, ...] | None:
    """The values at the least and the greatest k; None where it raises at one of them."""
    with quiet():
        try:
            return function.at(low), function.at(high)
        except (ArithmeticError, ValueError):
            return None


@lru_cache(maxsize=65536)
def first_change(asked: FloatFunction, low: int, high: int) -> tuple[int | None, bool]:
    """Where the answer to a question changes from low to high, and what it is at high.

    Args:
        asked: a function whose values are true or false, which changes once at most.
        low: the first k.
        high: the last k.

    Returns:
        The first k with the answer of high, None where that is the answer of low too; and that answer.

    Raises:
        InputError: it changes more than once around there.
    """
    with quiet():
        at = partial(_evaluated, asked)
        first, last = bool(at(low)), bool(at(high))
        if first is last:
            return None, last
        before, after = low, high
        while after - before > 1:
            middle = (before + after) // 2
            if bool(at(middle)) is last:
                after = middle
            else:
                before = middle
        around = range(max(low, after - _NEIGHBOURS), min(high, after + _NEIGHBOURS) + 1)
        if any(bool(at(k)) is not (last if k >= after else first) for k in around):
            raise InputError("a float function of a uniform draw is not monotone where it is compared")
    return after, last


@lru_cache(maxsize=4096)
def plateaus(function: FloatFunction, low: int, high: int) -> tuple[Plateau, ...] | None:
    """The values of a monotone function from low to high, in order; None where there are more than 100,000.

    Raises:
        InputError: it is not monotone, or has an undefined value.
    """
    with quiet():
        values = _Values(function)
        if values.are_many(low, high):
            return None
        found = [(low, values.at(low))]
        last = values.at(high)
        while not _is_same(found[-1][1], last):
            if len(found) == MOST_VALUES:
                return None
            found.append(values.next(found[-1], high))
    shown = [value for _, value in found]
    if any(value != value for value in shown):  # noqa: PLR0124 NaN
        raise InputError("a float function of a uniform draw is undefined (nan) for some draws")
    if shown != sorted(shown) and shown != sorted(shown, reverse=True):
        raise InputError("a float function of a uniform draw is not monotone where it is rounded")
    return tuple(found)


class _Values:
    def __init__(self, function: FloatFunction) -> None:
        self.at = partial(_evaluated, function)

    def are_many(self, low: int, high: int) -> bool:
        """Whether values change so soon, in the middle of many places, that there are too many to be listed."""
        step = (high - low) // _PROBES
        if step < MOST_VALUES:
            return False
        until = sorted(self.next((k, self.at(k)), high)[0] - k for k in range(low, high, step))
        return (high - low) // until[len(until) // 2] > 2 * MOST_VALUES

    def next(self, present: Plateau, high: int) -> Plateau:
        """The first k with another value, and that value."""
        before, value = present
        reach = 1
        while before + reach < high and _is_same(self.at(before + reach), value):
            before, reach = before + reach, 2 * reach
        after = min(before + reach, high)
        while after - before > 1:
            middle = (before + after) // 2
            if _is_same(self.at(middle), value):
                before = middle
            else:
                after = middle
        if after == high and _is_same(self.at(after), value):
            return high, value
        around = range(max(present[0], before - _NEARBY), min(high, after + _NEARBY) + 1)
        if any(_is_same(self.at(k), value) is (k >= after) for k in around):
            raise InputError("a float function of a uniform draw is not monotone where it is rounded")
        return after, self.at(after)


def _evaluated(function: FloatFunction, k: int) -> Any:
    try:
        return function.at(k)
    except (ArithmeticError, ValueError) as error:
        raise FailingDrawError(k, error) from None


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values are one; −0.0 and 0.0 are two."""
    return bool(one == other) and (bool(one) or str(one) == str(other))
