"""What is known of functions: which move, order or show what they are given, and which exact numbers they mean."""

from __future__ import annotations

import builtins
import math
import operator
import os
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from types import FrameType
from typing import Any

import numpy as np

from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.refusal import MOVING
from stirred.mechanisms.reading.shadows import array_of

MOST_STEPS = 10_000
"""Outcomes of a rounding."""

ORDERS = {
    operator.lt: (True, False),
    operator.le: (True, True),
    operator.gt: (False, False),
    operator.ge: (False, True),
}

DIVIDING = (operator.truediv, operator.pow)
"""Operators that make floats of integers."""

INTEGERS = frozenset((int, bool, np.bool_, np.int64))
"""Kinds of numbers that mean what they are: most operations of a program are on these."""

EXACT_MATH: dict[Callable[..., Any], Callable[[Exact], Any]] = {
    math.exp: Exact.exp,
    math.log: Exact.log,
    math.log2: lambda one: one.log() / Exact(2).log(),
    math.log10: lambda one: one.log() / Exact(10).log(),
    np.log2: lambda one: one.log() / Exact(2).log(),
    np.log10: lambda one: one.log() / Exact(10).log(),
    math.sqrt: Exact.sqrt,
    math.fabs: abs,
    math.floor: Exact.floor,
    math.ceil: lambda one: -(-one).floor(),
    builtins.abs: abs,
    math.trunc: math.trunc,
    builtins.int: math.trunc,
    builtins.float: lambda one: one,
    np.float64: lambda one: one,
}

ORDINARY = {name: getattr(builtins, name) for name in ("sorted", "min", "max", "sum", "any", "all")}
"""What others may have put something in the place of."""

SORTED, MIN, MAX, SUM, *_ = ORDINARY.values()
ORDERING = (MIN, MAX, SORTED)

WHOLE = frozenset((int, bool, range))
"""Kinds that are made of one another, and of no float."""

TELLING = (
    builtins.isinstance,
    builtins.len,
    builtins.callable,
    np.isfinite,
    np.isnan,
    np.ndim,
    np.shape,
    np.size,
)
"""Functions whose answers about floats are no matter of their digits."""

DIGITS = (
    "Fraction",
    "Decimal",
    "as_integer_ratio",
    "from_float",
    "hex",
    "pack",
    "tobytes",
    "view",
    "frexp",
    "nextafter",
    "ulp",
)
"""Functions that show the binary digits of a double."""

CONSTANT = (np.zeros, np.ones, np.full, np.eye, np.identity, np.zeros_like, np.ones_like, np.full_like)
"""Functions whose arrays hold what is written: 0, 1, or a number that is given."""

ASKING = (builtins.hasattr, builtins.getattr, builtins.type, builtins.repr)
LOOKING = ("sys", "inspect", "traceback", "gc")
"""Modules whose functions look at how a program is run."""

_OF_RUN = (sys.modules, sys.argv, sys.path, sys.orig_argv, sys.meta_path, sys.flags, os.environ)
OF_RUN = {kind: {id(one) for one in _OF_RUN if type(one) is kind} for kind in (FrameType, *map(type, _OF_RUN))}
"""Objects that say how a program is run, by their kinds; frames all do. Where `id` is watched, it takes long."""

HOLDING = (list, tuple, enumerate, zip, len, reversed, iter, next, range, dict)
"""Functions that look at containers and not at their members."""


def next_of(keys: Sequence[Any]) -> Callable[[Any], Any]:
    """The keys of members, in their order."""
    left = iter(keys)
    return lambda _: next(left)


def needed(exact: Exact | None) -> Exact:
    """A number that must be known."""
    if exact is None:
        raise TypeError
    return exact


def rounded(exact: Exact, digits: Any = None) -> Any:
    """What `round` makes of a number, halves to even."""
    if digits is None:
        return exact.rint().floor()
    unit = Fraction(10) ** int(digits)
    return Exact(Fraction(rounded(exact * unit)) / unit)


def steps(start: Exact, stop: Exact | None = None, step: Exact | None = None) -> Any:
    """The numbers of `np.arange`."""
    first, last = (Exact(0), start) if stop is None else (start, stop)
    width = Exact(1) if step is None else step
    return array_of([first + width * k for k in range(-((first - last) / width).floor())])


def spaced(start: Exact, stop: Exact, number: Any = 50) -> Any:
    """The numbers of `np.linspace`."""
    count = number.floor() if isinstance(number, Exact) else int(number)
    return array_of([start + (stop - start) * Fraction(k, max(count - 1, 1)) for k in range(count)])


def has_floats(value: Any) -> bool:
    """Whether a value is, or holds, floats."""
    if isinstance(value, np.ndarray):
        return bool(value.dtype.kind == "f")
    if type(value) in (list, tuple):
        return any(map(has_floats, value))
    return isinstance(value, (float, np.floating))


def has_finite_floats(value: Any) -> bool:
    """Whether a value has floats that stand for numbers."""
    if isinstance(value, np.ndarray):
        return bool(value.dtype.kind == "f" and np.isfinite(value).any())
    if type(value) in (list, tuple):
        return any(map(has_finite_floats, value))
    return isinstance(value, (float, np.floating)) and math.isfinite(value)


def is_whole(value: Any) -> bool:
    """Whether a value is an integer or a truth value, or an array of such."""
    is_array = isinstance(value, np.ndarray) and value.dtype.kind in "iub"
    return is_array or isinstance(value, (int, np.integer, np.bool_))


def is_float_array(value: Any) -> bool:
    """Whether a value is an array of floats."""
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def is_numpy(function: Any) -> bool:
    """Whether a function is NumPy's."""
    module = getattr(function, "__module__", None) or type(function).__module__
    return str(module).partition(".")[0] == "numpy"


def is_container(function: Any) -> bool:
    """Whether a function moves what it is given, and looks at none of it."""
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    moving = (*MOVING.get(type(owner), ()), "index", "count", "remove", "add", "discard")
    is_method = isinstance(owner, (list, dict, tuple, set)) and name in moving
    return is_method or function in (*HOLDING, *ORDERING, builtins.map)


def kind_name(value: Any) -> str:
    """The name of the class of a value."""
    return type(value).__name__


def spoken(function: Any) -> str:
    """A function, as messages name it."""
    module = str(getattr(function, "__module__", None) or "")
    name = getattr(function, "__name__", kind_name(function))
    return f"{'np' if module.startswith('numpy') else module}.{name}" if module not in ("", "builtins") else name
