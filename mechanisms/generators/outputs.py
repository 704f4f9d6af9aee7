"""Outputs of mechanisms that are written against NumPy or `random`, as plain values.

Lists and arrays become tuples. A float is an output by its digits, "float 0.5". A float that is not drawn yet and has
more values than can be listed is looked at where it is one of a few tested floats: its law on those is exact, and all
others are one outcome. That can refute a claim, for what is made of an output needs no more than the output; it cannot
show one. What the code raises at a single draw, as a logarithm of 0 does, is an outcome too.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.draws.released_leaf import ReleasedLeaf
from stirred.mechanisms.draws.unbounded_draw import Draw
from stirred.mechanisms.generators.float_function import FloatFunction, first_change
from stirred.mechanisms.generators.undrawn import Undrawn
from stirred.mechanisms.source import RAISES
from stirred.spec.arguments import InputError

UNTESTED = "float untested"
"""The outcome of all floats that were not tested."""

_FLOAT = "float "
_REACHES = (0, 12, 24, 36, 48)
"""Powers of 2: how far the k that give the tested floats are from the ends."""


def probes(value: Undrawn) -> list[float]:
    """Some of the values that a float which is not drawn can have, most of them in the tails."""
    draw, function = value.undrawn
    places = [draw.low + 2**reach for reach in _REACHES] + [draw.high - 2**reach for reach in _REACHES]
    return [float(function.value(k)) for k in places if draw.low <= k <= draw.high]


@dataclass(frozen=True)
class RaisedOutput:
    """An output that is none: the code raised something, which is released as this text."""

    text: str


class PlainOutputs:
    """The outputs of one mechanism.

    Args:
        find: gives the floats to be tested, where some output is a float that cannot be listed.

    Attributes:
        has_floats: whether some output held a float.
        are_tested: whether one was a float that was looked at where it is one of a few.
        are_raised: whether the code raised something, which is an output.
        has_scalars: whether one held a scalar of NumPy, which is one with the value of Python that it equals.
        kinds: of which types an output is, by its text, where it is no literal of Python's.
    """

    def __init__(self, find: Callable[[], Sequence[float]]) -> None:
        self._find = find
        self._tests: Sequence[float] | None = None
        self._kinds: dict[str, str] = {}
        self.has_floats = False
        self.are_tested = False
        self.are_raised = False
        self.has_scalars = False
        self.kinds: dict[str, str] = {}

    def __call__(self, output: Any) -> Any:
        """The output as a plain value.

        Raises:
            InputError: it holds an undefined float, or has one value with two types.
        """
        found = first_unlisted(output)
        value, kind = self._plain(output, found)
        key = _key(value)
        if self._kinds.setdefault(key, kind) != kind:
            raise InputError(
                f"an output must be of one type where it has one value; {key} is given as {self._kinds[key]} and as "
                f"{kind}: write int(…), float(…), bool(…) or tuple(…)"
            )
        if kind != _literal_kind(value):
            self.kinds[key] = kind
        return value

    def _plain(self, value: Any, tested: Undrawn | None) -> tuple[Any, str]:
        """The value, and of which types it is made."""
        if isinstance(value, Undrawn):
            return self._of_undrawn(value, tested)
        if isinstance(value, ReleasedLeaf):
            return value, _SAME.get(value.kind, value.kind)
        if type(value) is dict:
            members, inner = self._members([*value.items()], "dict", tested)
            return members, inner
        if isinstance(value, RaisedOutput):
            self.are_raised = True
            return value.text, "exception"
        if isinstance(value, Draw) and value.is_bounded:
            value = int(value)
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
            plain, inner = self._plain(members, tested) if value.ndim == 0 else self._members(members, "", tested)
            return plain, f"{kind} of {inner}" if kind.startswith("object") else kind
        if type(value) is list or type(value) is tuple:
            return self._members(value, type(value).__name__, tested)
        return value, type(value).__name__

    def _members(self, members: Sequence[Any], kind: str, tested: Undrawn | None) -> tuple[Any, str]:
        parts = [self._plain(one, tested) for one in members]
        return tuple(value for value, _ in parts), f"{kind}({', '.join(inner for _, inner in parts)})"

    def _of_undrawn(self, value: Undrawn, tested: Undrawn | None) -> tuple[Any, str]:
        if value.undrawn_values("value", _itself) is not None:
            return self._plain(value.undrawn_value("value", _itself), tested)
        self.has_floats = self.are_tested = True
        kind: str = _SAME.get(value.__class__.__name__, value.__class__.__name__)
        if tested is None or value.undrawn != tested.undrawn:
            return UNTESTED, kind
        if self._tests is None:
            self._tests = sorted(set(self._find()))
        return self._tested(value, self._tests), kind

    def _tested(self, value: Undrawn, tests: Sequence[float]) -> str:
        """The float that it is, if it is one of those that are tested: one choice."""
        draw, function = value.undrawn
        low, high = draw.low, draw.high
        is_rising = bool(function.value(low) < function.value(high))
        parts: list[tuple[int, str]] = []
        for test in tests if is_rising else reversed(tests):
            begins, ends = ("<=", "<") if not is_rising else (">=", ">")
            first = _first(FloatFunction.of(begins, _COMPARE[begins], function, test), low, high)
            after = _first(FloatFunction.of(ends, _COMPARE[ends], function, test), low, high)
            if first < after:
                parts += [(first, self._float_text(test)), (after, UNTESTED)]
        starts = {low: UNTESTED} | dict(parts)
        listed = [(start, text) for start, text in sorted(starts.items()) if start <= high]
        place: int = draw.placed([start for start, _ in listed])
        return listed[place][1]

    def _float_text(self, value: Any) -> str:
        number = float(value)
        if number != number:  # noqa: PLR0124 NaN
            raise InputError("an output that is undefined (nan) is not followed")
        self.has_floats = True
        return f"{_FLOAT}{number!r}"


_SAME = {"int64": "int", "float64": "float", "bool_": "bool", "str_": "str"}
"""Kinds of NumPy's scalars that are one with Python's."""

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<=": lambda one, other: one <= other,
    "<": lambda one, other: one < other,
    ">=": lambda one, other: one >= other,
    ">": lambda one, other: one > other,
}


def _first(asked: FloatFunction, low: int, high: int) -> int:
    """The first k where the answer is yes, which it stays; high + 1 where there is none."""
    cut, answer = first_change(asked, low, high)
    if cut is not None:
        return cut
    return low if answer else high + 1


def _itself(value: Any) -> Any:
    return value


def first_unlisted(output: Any) -> Undrawn | None:
    """The first float of an output that is not drawn and has more values than can be listed."""
    if isinstance(output, Undrawn):
        return output if output.undrawn_values("value", _itself) is None else None
    if _is_array(output):
        output = output.tolist() if output.ndim else [output[()]]
    if isinstance(output, (tuple, list)):
        return next((found for one in output if (found := first_unlisted(one)) is not None), None)
    return None


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
    kind = vars(array).get("undrawn_kind") if hasattr(array, "__dict__") else None
    if kind is None and type(array) is not sys.modules["numpy"].ndarray:
        raise InputError(f"an output that is an array must be a numpy.ndarray itself; got a {type(array).__name__}")
    dtype = array.dtype if kind is None else kind
    if dtype.kind == "V":
        raise InputError(f"an output that is an array must have no fields; got one of {dtype}: return its columns")
    return f"{dtype} array of shape {array.shape}"


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
