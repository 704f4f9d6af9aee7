"""NumPy's functions of a number that is not drawn: ufuncs, and the methods that arrays of objects look for."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stirred.mechanisms.generators.float_function import at_ends
from stirred.mechanisms.generators.grid_draw import GeneratorRun
from stirred.mechanisms.generators.undrawn import Undrawn

_RISING: Mapping[str, float | None] = {
    **dict.fromkeys(("exp", "exp2", "expm1", "cbrt", "floor", "ceil", "rint", "trunc"), None),
    **dict.fromkeys(("tanh", "arctan", "sinh", "arcsinh", "degrees", "radians"), None),
    **dict.fromkeys(("log", "log2", "log10", "sqrt"), 0.0),
    "log1p": -1.0,
}
"""Functions that do not decrease, with the least number that they are defined at."""

_ONE: Mapping[str, Callable[[Any], Any]] = {
    "negative": operator.neg,
    "positive": operator.pos,
    "absolute": operator.abs,
    "fabs": lambda value: value.step("np.fabs", np.fabs, rises=not value < 0),
}

_TWO: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "power": operator.pow,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "maximum": lambda one, other: _further("maximum", operator.ge, one, other),
    "minimum": lambda one, other: _further("minimum", operator.le, one, other),
}

_TURNED: Mapping[str, Callable[[Any, Undrawn], Any]] = {
    "add": lambda number, value: value.__radd__(number),
    "subtract": lambda number, value: value.__rsub__(number),
    "multiply": lambda number, value: value.__rmul__(number),
    "divide": lambda number, value: value.__rtruediv__(number),
    "power": lambda number, value: value.__rpow__(number),
    "less": lambda number, value: value > number,
    "less_equal": lambda number, value: value >= number,
    "greater": lambda number, value: value < number,
    "greater_equal": lambda number, value: value <= number,
    "equal": lambda number, value: value == number,
    "not_equal": lambda number, value: value != number,
}
"""The same where the second argument alone is not drawn: a number of NumPy's would ask its ufunc again."""


def _further(name: str, compare: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
    """The larger or the smaller of two numbers, of their common type."""
    if type(one) is Undrawn and type(other) is Undrawn:
        if one.__class__ is not other.__class__:
            one.undrawn[0].run.refuse(f"np.{name} of numbers of two types that are not drawn is not followed")
        return one if compare(one, other) else other
    function = getattr(np, name)
    if type(one) is Undrawn:
        return one.step(f"np.{name}", function, other)
    return other.step(f"np.{name}", function, first=one)


def _of_one(name: str, value: Any) -> Any:
    """A function of one argument at a number that is not drawn."""
    if name in _ONE:
        return _ONE[name](value)
    if name == "sign":
        return value.undrawn_value("np.sign", np.sign)
    if name == "square":
        return value.step("np.square", np.square, rises=not value < 0)
    least = _RISING[name]
    if least is not None and value < least:
        value.undrawn[0].run.refuse(f"np.{name} of a number below {least:g} is undefined (nan) for some draws")
    return value.step(f"np.{name}", getattr(np, name))


def _is_followed(name: str) -> bool:
    return name in _RISING or name in _ONE or name in ("sign", "square")


def number_result(run: GeneratorRun, ufunc: Any, method: str, inputs: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """What a ufunc gives where one of its arguments is a number that is not drawn, and the others are numbers.

    Raises:
        InputError: the function is not followed.
    """
    name = ufunc.__name__
    is_plain = method == "__call__" and not named
    if is_plain and len(inputs) == 1 and _is_followed(name):
        return _of_one(name, inputs[0])
    if is_plain and name == "clip" and type(inputs[0]) is Undrawn:
        return clipped(*inputs)
    if not is_plain or len(inputs) != 2 or name not in _TWO:
        run.refuse(f"np.{name} of a number that is not drawn is not followed: round it, or compare it with a number")
    one, other = inputs
    return (_TURNED if name in _TURNED and type(one) is not Undrawn else _TWO)[name](one, other)


def rounded(value: Undrawn, decimals: int = 0) -> Any:
    """`np.round` of a number."""
    return value.step("np.round", np.round, decimals)


def clipped(value: Undrawn, low: Any = None, high: Any = None, **named: Any) -> Any:
    """`np.clip` of a number."""
    least, most = named.get("min", low), named.get("max", high)
    if least is None or most is None or type(least) is Undrawn or type(most) is Undrawn:
        upper = value if least is None else _further("maximum", operator.ge, value, least)
        return upper if most is None else _further("minimum", operator.le, upper, most)
    return value.step("np.clip", np.clip, least, most)


def found_place(value: Undrawn, array: Any, side: str = "left", sorter: Any = None) -> Any:
    """`np.searchsorted` of a number in an array."""
    if sorter is not None:
        value.undrawn[0].run.refuse("np.searchsorted with a sorter is not followed")
    return value.undrawn_value(f"{side} in {array.tolist()!r}", lambda drawn: array.searchsorted(drawn, side))


def as_type(value: Undrawn, kind: Any) -> Any:
    """A number as one of another type, as NumPy casts it.

    Raises:
        InputError: it does not fit, for some draws.
    """
    made, (draw, function) = np.dtype(kind), value.undrawn
    held: type = value.__class__
    if made.kind == "b":
        return made.type(bool(value))
    if held is float and made == np.float64:
        return value.retyped(np.float64)
    if made.kind == "f":
        return value.step(f"{made.name}.astype", made.type)
    limits = np.iinfo(made) if made.kind in "iu" else None
    ends = at_ends(function, draw.low, draw.high) or (np.nan,)
    if limits is None or not all(limits.min - 1 < end < limits.max + 1 for end in map(_exact, ends)):
        draw.run.refuse(f"a number that is not drawn, and need not fit into {made.name}, is not followed: clip it")
    if issubclass(held, (int, np.integer)):
        return value.step(f"{made.name}.astype", made.type)
    return made.type(int(value))


def in_python(value: Undrawn) -> Undrawn:
    """A number of NumPy's as one of Python's."""
    return value.retyped(float if issubclass(value.__class__, np.floating) else int)


def _exact(end: Any) -> Any:
    return end.item() if hasattr(end, "item") else end
