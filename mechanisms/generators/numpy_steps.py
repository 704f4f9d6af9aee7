"""NumPy's functions of a number that is not drawn: ufuncs, and the methods that arrays of objects look for."""

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

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
    "fabs": operator.abs,
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
    "maximum": lambda one, other: one if one >= other else other,
    "minimum": lambda one, other: one if one <= other else other,
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

_COMPARING = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")


def _of_one(name: str, value: Any) -> Any:
    """A function of one argument at a number that is not drawn."""
    if name in _ONE:
        return _ONE[name](value)
    if name == "sign":
        return value.read("np.sign", np.sign)
    if name == "square":
        return value.step("np.square", np.square, rises=not value < 0)
    least = _RISING[name]
    if least is not None and value < least:
        value.undrawn[0].run.refuse(f"np.{name} of a number below {least:g} is undefined (nan) for some draws")
    return value.step(f"np.{name}", getattr(np, name))


def _is_followed(name: str) -> bool:
    return name in _RISING or name in _ONE or name in ("sign", "square")


def ufunc_result(run: GeneratorRun, ufunc: Any, method: str, inputs: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """What a ufunc gives where one of its arguments is a number that is not drawn; element by element for arrays.

    Raises:
        InputError: the function is not followed.
    """
    name = ufunc.__name__
    is_plain = method == "__call__" and not named
    if is_plain and len(inputs) == 1 and _is_followed(name):
        return _of_one(name, inputs[0])
    if is_plain and name == "clip" and isinstance(inputs[0], Undrawn):
        return _clipped(*inputs)
    if not is_plain or len(inputs) != 2 or name not in _TWO:
        run.refuse(f"np.{name} of a number that is not drawn is not followed: round it, or compare it with a number")
    return _element_by_element(name, *inputs)


def _element_by_element(name: str, one: Any, other: Any) -> Any:
    array = next((part for part in (one, other) if isinstance(part, np.ndarray) and part.ndim), None)
    is_turned = name in _TURNED and isinstance(other, Undrawn) and not isinstance(one, Undrawn)
    function: Callable[[Any, Any], Any] = _TURNED[name] if is_turned else _TWO[name]
    if array is None:
        return function(*(part[()] if isinstance(part, np.ndarray) else part for part in (one, other)))
    made = np.empty(array.shape, dtype=bool if name in _COMPARING else object)
    for place in np.ndindex(array.shape):
        made[place] = function(*(part[place] if part is array else part for part in (one, other)))
    return made


def method_of(value: Undrawn, name: str) -> Any:
    """A method that a float of NumPy's has, or that NumPy asks the members of an array of objects for.

    Raises:
        AttributeError: there is no such method.
    """
    if name in _OWN:
        return partial(_OWN[name], value)
    if _is_followed(name):
        return partial(_of_one, name, value)
    raise AttributeError(f"a number that is not drawn has no {name!r}")


def _rounded(value: Undrawn, decimals: int = 0) -> Any:
    return value.step("np.round", np.round, decimals)


def _clipped(value: Undrawn, low: Any = None, high: Any = None, **named: Any) -> Any:
    least, most = named.get("min", low), named.get("max", high)
    return value.step("np.clip", np.clip, -np.inf if least is None else least, np.inf if most is None else most)


def _as_type(value: Undrawn, kind: Any) -> Any:
    made = np.dtype(kind)
    if made.kind in "iu":
        return made.type(int(value))
    if made.kind == "f":
        return value.step(f"np.{made.name}", made.type)
    return made.type(bool(value)) if made.kind == "b" else value


_OWN: Mapping[str, Callable[..., Any]] = {
    "round": _rounded,
    "clip": _clipped,
    "astype": _as_type,
    "item": lambda value: value,
    "conjugate": lambda value: value,
}
