"""Outputs of mechanisms that are written against NumPy or `random`, as plain values.

Lists and arrays become tuples. A float is an output by its digits, "float 0.5". What the code raises is an outcome too.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.draws.released_leaf import ReleasedLeaf
from stirred.mechanisms.source import RAISES
from stirred.spec.arguments import InputError

_FLOAT = "float "


@dataclass(frozen=True)
class RaisedOutput:
    """An output that is none: the code raised something, which is released as this text."""

    text: str


class PlainOutputs:
    """The outputs of one mechanism.

    Attributes:
        has_floats: whether some output held a float.
        are_raised: whether the code raised something, which is an output.
        has_scalars: whether one held a scalar of NumPy, which is one with the value of Python that it equals.
        kinds: of which types an output is, by its text, where it is no literal of Python's.
    """

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self.has_floats = False
        self.are_raised = False
        self.has_scalars = False
        self.kinds: dict[str, str] = {}

    def __call__(self, output: Any) -> Any:
        """The output as a plain value.

        Raises:
            InputError: it holds an undefined float, or has one value with two types.
        """
        value, kind = self._plain(output)
        key = _key(value)
        if self._kinds.setdefault(key, kind) != kind:
            raise InputError(
                f"an output must be of one type where it has one value; {key} is given as {self._kinds[key]} and as "
                f"{kind}: write int(…), float(…), bool(…) or tuple(…)"
            )
        if kind != _literal_kind(value):
            self.kinds[key] = kind
        return value

    def _plain(self, value: Any) -> tuple[Any, str]:
        """The value, and of which types it is made."""
        if isinstance(value, ReleasedLeaf):
            return value, _SAME.get(value.kind, value.kind)
        if type(value) is dict:
            members, inner = self._members([*value.items()], "dict")
            return members, inner
        if isinstance(value, RaisedOutput):
            self.are_raised = True
            return value.text, "exception"
        shown = value.item() if _is_scalar(value) else value
        self.has_scalars = self.has_scalars or shown is not value
        kind = _SAME.get(type(value).__name__, type(value).__name__)
        if isinstance(shown, float):
            return self._float_text(shown), kind
        if shown is not value:
            return shown, kind
        if isinstance(value, str) and value.startswith((_FLOAT, RAISES)):
            raise InputError(f"an output that is a text must not begin with {_FLOAT!r} or {RAISES!r}; got {value!r}")
        if _is_array(value):
            kind, members = _array_kind(value), value.tolist()
            plain, inner = self._plain(members) if value.ndim == 0 else self._members(members, "")
            return plain, f"{kind} of {inner}" if kind.startswith("object") else kind
        if type(value) is list or type(value) is tuple:
            return self._members(value, type(value).__name__)
        return value, type(value).__name__

    def _members(self, members: Sequence[Any], kind: str) -> tuple[Any, str]:
        parts = [self._plain(one) for one in members]
        return tuple(value for value, _ in parts), f"{kind}({', '.join(inner for _, inner in parts)})"

    def _float_text(self, value: Any) -> str:
        number = float(value)
        if number != number:  # noqa: PLR0124 NaN
            raise InputError("an output that is undefined (nan) is not followed")
        self.has_floats = True
        return f"{_FLOAT}{number!r}"


_SAME = {"int64": "int", "float64": "float", "bool_": "bool", "str_": "str"}
"""Kinds of NumPy's scalars that are one with Python's."""


def _is_scalar(value: Any) -> bool:
    """Whether a value is a number, a truth value or a text of NumPy's."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic) and value.dtype.kind in "biufU"


def _is_array(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


def _array_kind(array: Any) -> str:
    """What can be told of an array besides its members.

    Raises:
        InputError: it is of a subclass, or has fields.
    """
    if type(array) is not sys.modules["numpy"].ndarray:
        raise InputError(f"an output that is an array must be a numpy.ndarray itself; got a {type(array).__name__}")
    if array.dtype.kind == "V":
        raise InputError(
            f"an output that is an array must have no fields; got one of {array.dtype}: return its columns"
        )
    return f"{array.dtype} array of shape {array.shape}"


def _literal_kind(value: Any) -> str:
    """The types of a value that is written as it is."""
    if type(value) is tuple:
        return f"tuple({', '.join(map(_literal_kind, value))})"
    if isinstance(value, str) and value.startswith((_FLOAT, RAISES)):
        return "float" if value.startswith(_FLOAT) else "exception"
    return type(value).__name__


def _key(value: Any) -> str:
    """The text of a plain value, as whoever compares laws writes it."""
    if type(value) is tuple:
        return f"({', '.join(map(_key, value))}{',' if len(value) == 1 else ''})"
    if type(value) in (set, frozenset):
        members = f"{{{', '.join(sorted(map(_key, value)))}}}" if value else ""
        return members if type(value) is set and value else f"{type(value).__name__}({members})"
    if isinstance(value, ReleasedLeaf):
        return value.text
    return repr(value) if isinstance(value, (bool, int, str, bytes, Fraction, type(None))) else type(value).__name__
