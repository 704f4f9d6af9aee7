"""Data sets of any type: what stands for them where they are listed and compared, and what functions are handed."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from stirred.verify.laws.plain import scalar_value

_PLAIN = (type(None), bool, int, str, bytes, Fraction)


def stand_ins(values: Iterable[Any]) -> tuple[tuple[Any, ...], dict[Any, Any]]:
    """Hashable plain values in the place of data sets, and the data sets themselves where they are something else.

    A float stands as the fraction that it is written as; lists, arrays and dicts as tuples; any other object as a text
    with its type and place.

    >>> stand_ins([[0, 1], {"age": 7}])
    (((0, 1), (('age', 7),)), {(0, 1): [0, 1], (('age', 7),): {'age': 7}})
    """
    given = list(values)
    standing = [_stand_in(value, f"{type(value).__name__} {place}") for place, value in enumerate(given)]
    originals = {plain: value for plain, value in zip(standing, given, strict=True) if not _is_plain(value)}
    return tuple(standing), originals


def handed(originals: Mapping[Any, Any], points: Sequence[Any]) -> list[Any]:
    """The data sets that points stand for, also in pairs of them."""
    if not originals:
        return list(points)

    def one(point: Any) -> Any:
        if point in originals:
            return originals[point]
        return tuple(map(one, point)) if type(point) is tuple else point

    return list(map(one, points))


def _is_plain(value: Any) -> bool:
    return type(value) in _PLAIN or (type(value) is tuple and all(map(_is_plain, value)))


def _stand_in(value: Any, label: str) -> Any:
    value = scalar_value(value)
    if type(value).__module__ == "numpy" and type(value).__name__ == "ndarray":
        value = value.tolist()
    if type(value) is float and isfinite(value):
        return Fraction(repr(value))
    if type(value) in (list, tuple):
        return tuple(_stand_in(one, f"{label}[{place}]") for place, one in enumerate(value))
    if type(value) is dict:
        return tuple((_stand_in(key, label), _stand_in(one, f"{label}[{key!r}]")) for key, one in value.items())
    return value if type(value) in (*_PLAIN, set, frozenset) else label
