"""Outputs of black boxes as plain values, and what a reader of them can look at: their shape and their numbers.

What is merged here can only hide a difference between two laws, never make one.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError

_DEEPEST = 20

_TEXTS = (str, bytes)


@dataclass(frozen=True, slots=True)
class SeenOutput:
    """An output as it is looked at.

    Attributes:
        value: the plain output.
        shape: how it is nested, with its texts, and a mark for each number.
        numbers: its numbers in order; booleans are 0 and 1, None is 0 (the shape tells it apart),
            what is not finite is far away.
    """

    value: Any
    shape: Any
    numbers: tuple[Any, ...]


def plain_output(value: Any) -> Any:
    """An output as None, bool, int, float, Fraction, str, bytes or a tuple of such, equal where the output is.

    Arrays, lists, series and data frames become tuples, mappings and sets sorted tuples, not-a-number a text.

    >>> plain_output([1, {"b": 2, "a": None}])
    (1, (('a', None), ('b', 2)))
    """
    return _plain(value, _DEEPEST)


def _plain(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind is float:
        return value if value == value else "nan"  # noqa: PLR0124 the one number that differs from itself
    if value is None or kind in (bool, int, str, bytes, Fraction):
        return value
    if not depth:
        raise InputError(f"an output must be nested at most {_DEEPEST} deep; it is deeper")
    if isinstance(value, (list, tuple)):
        return tuple([_plain(part, depth - 1) for part in value])
    if isinstance(value, Mapping):
        return tuple(sorted(((_plain(a, depth - 1), _plain(b, depth - 1)) for a, b in value.items()), key=repr))
    if isinstance(value, (set, frozenset)):
        return tuple(sorted((_plain(part, depth - 1) for part in value), key=repr))
    for method in ("tolist", "to_numpy", "item"):  # of NumPy, pandas and their like
        if callable(convert := getattr(value, method, None)):
            return _plain(convert(), depth - 1)
    bases: tuple[Any, ...] = (int, float, str, bytes)
    for base in bases:
        if isinstance(value, base):
            return base(value)
    raise InputError(
        f"an output must be made of numbers, texts, sequences and mappings; got a {kind.__name__}: return its values"
    )


def rounded_output(value: Any, digits: int) -> Any:
    """A plain output with its floats rounded to so many significant digits; a function of it, so no less private.

    >>> rounded_output((1.23456, 7), 3)
    (1.23, 7)
    """
    if isinstance(value, tuple):
        return tuple([rounded_output(part, digits) for part in value])
    if type(value) is not float or not value or not math.isfinite(value):
        return value
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))


def seen(value: Any) -> SeenOutput:
    """What there is to see of a plain output.

    >>> seen((True, None, 2)).numbers, seen((True, None, 2)).shape
    ((1, 0, 2), ('#', None, '#'))
    """
    numbers = tuple(_numbers(value))
    return SeenOutput(value, _shape(value), numbers)


def _numbers(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif not isinstance(value, _TEXTS):
        yield 0 if value is None else _finite(value)


def _finite(value: Any) -> Any:
    """A number that an array of floats holds."""
    far = 10**300
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return value
    return max(-far, min(far, value))


def _shape(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_shape(part) for part in value])
    return value if value is None or isinstance(value, _TEXTS) else "#"
