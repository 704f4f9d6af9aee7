"""Numbers that depend on draws of continuous laws: linear in them, or rounded to integers, and arrays of such."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from types import FunctionType, ModuleType
from typing import Any, NoReturn

import numpy as np

from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.refusal import DRAWING, PLAIN, Refusal
from stirred.spec.numbers.reals.real import Number

SEEN: list[Refusal] = []
"""What libraries asked of symbolic values: some make exceptions of their own of it, which programs may catch."""


class Symbolic:
    """What no library may see: whatever it asks is refused, by no exception that it could catch."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        SEEN.append(Refusal("a library is given a number that is drawn: compute it before the draw, or use --sampled"))
        raise SEEN[-1]

    __bool__ = __float__ = __int__ = __index__ = __complex__ = __len__ = __iter__ = __hash__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = _refuse
    __round__ = __trunc__ = __floor__ = __ceil__ = __str__ = __repr__ = __format__ = _refuse
    __array__ = __getitem__ = __setitem__ = __reduce_ex__ = __array_ufunc__ = _refuse


class Opaque:
    """What is looked at when it is called, and not before: a function of the program."""

    __slots__ = ()


def stands_for(value: Any) -> Any:
    """What the program has in an ordinary run, where it has a function of its own, or one that is refused to it."""
    if isinstance(value, Opaque):
        return stands_for
    return vars(value).get("original", value) if type(value) is FunctionType else value


class Drawn(Symbolic):
    """A number that depends on draws of continuous laws.

    Attributes:
        kind: `float`, `int`, or NumPy's.
    """

    __slots__ = ()
    kind: type


@dataclass(frozen=True, eq=False, repr=False)
class Linear(Drawn):
    """Σ terms[i]·Z_i + shift, of independent base draws Z_i.

    Attributes:
        terms: the coefficients by the number of the draw, none 0.
    """

    terms: Mapping[int, Exact]
    shift: Exact
    kind: type = float


def plus(one: Linear, other: Linear, sign: int) -> Linear:
    """The sum, or the difference, as the sign tells."""
    terms = dict(one.terms)
    for draw, coefficient in other.terms.items():
        signed = coefficient if sign > 0 else -coefficient
        total = terms.pop(draw) + signed if draw in terms else signed
        if total != 0:
            terms[draw] = total
    return Linear(terms, one.shift + other.shift if sign > 0 else one.shift - other.shift, one.kind)


class Step(Enum):
    """How a number is rounded to an integer."""

    FLOOR, CEILING, NEAREST, TOWARDS_ZERO = range(4)

    def of(self, number: Exact) -> int:
        """The integer."""
        value = number.floor()
        while number > self.highest(value):
            value += 1
        return value if number > self.highest(value - 1) else value - 1

    def highest(self, value: int) -> Fraction:
        """The supremum of the numbers that are rounded to at most this value."""
        if self is Step.FLOOR or (self is Step.TOWARDS_ZERO and value >= 0):
            return Fraction(value + 1)
        return Fraction(value) + (Fraction(1, 2) if self is Step.NEAREST else 0)


class Whole(Drawn):
    """A number that depends on integers to which draws are rounded."""

    __slots__ = ()


@dataclass(frozen=True, eq=False, repr=False)
class Stepped(Whole):
    """unit·(scale·k + shift), where k is the integer to which number/width is rounded.

    Attributes:
        scale: not 0.
        unit: 1, or a power of ten that decimals are rounded to.
        is_signed: whether a float that is 0 may be −0.0: nothing was added to it.
    """

    number: Linear
    step: Step
    width: Exact
    kind: type = int
    scale: int = 1
    shift: int = 0
    unit: Fraction = Fraction(1)
    is_signed: bool = True


def of_kind(one: Any, kind: type) -> Any:
    """The number as one of another type: a zero that was an integer has no sign."""
    is_unsigned = isinstance(one, Stepped) and issubclass(one.kind, (int, np.integer))
    return replace(one, kind=kind, is_signed=False) if is_unsigned else replace(one, kind=kind)


@dataclass(frozen=True)
class DrawRounding:
    """How a draw Z becomes an integer: (scale·Z + shift)/width is rounded."""

    scale: Number
    shift: Number
    step: Step
    width: Number

    def top(self, k: int) -> Exact:
        """The supremum of the numbers scale·Z + shift that are rounded to at most k."""
        top: Exact = Exact(self.width) * self.step.highest(k)
        return top


@dataclass(frozen=True, eq=False, repr=False)
class Summed(Whole):
    """Σ terms[i]·k_i + shift, of the integers k_i to which several draws are rounded.

    Attributes:
        terms: the coefficients by the number of the draw, none 0.
        roundings: of the same draws.
    """

    terms: Mapping[int, int]
    roundings: Mapping[int, DrawRounding]
    shift: int
    kind: type = int


@dataclass(frozen=True, eq=False, repr=False)
class DrawnArray(Symbolic):
    """An array with cells that are drawn.

    Attributes:
        cells: `Drawn`, or numbers, as an array of objects.
        dtype: what NumPy says it is.
    """

    cells: Any
    dtype: Any


@dataclass(frozen=True, eq=False, repr=False)
class DrawnMethod(Symbolic):
    """A method of a symbolic value.

    Attributes:
        does: what it does.
    """

    does: Callable[..., Any]


_HOLDING: Any = (type({}.items()), type({}.values()), deque)
_PLAIN = (str, bytes, int, float, type(None), type, ModuleType, FunctionType, Opaque)


def is_symbolic(value: Any) -> bool:
    """Whether a value is symbolic, or holds something that is."""
    return type(value) not in PLAIN and _is_symbolic(value, set())


def _is_symbolic(value: Any, seen: set[int]) -> bool:
    if isinstance(value, Symbolic):
        return True
    kind = type(value)
    is_flat = kind in (list, tuple, dict) and PLAIN.issuperset(map(type, value))
    if isinstance(value, _PLAIN) or (is_flat and (kind is not dict or PLAIN.issuperset(map(type, value.values())))):
        return False
    if kind in DRAWING or id(value) in seen:
        return False
    seen.add(id(value))
    if isinstance(value, dict):
        return any(_is_symbolic(one, seen) for pair in value.items() for one in pair)
    if isinstance(value, _HOLDING):
        return any(_is_symbolic(one, seen) for one in value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(_is_symbolic(one, seen) for one in value)
    if isinstance(value, np.ndarray):
        return value.dtype == object and any(_is_symbolic(one, seen) for one in value.ravel())
    return _is_symbolic(getattr(value, "__dict__", None), seen)
