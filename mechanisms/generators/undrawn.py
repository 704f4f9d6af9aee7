"""A number that a program computes from a uniform draw, which is drawn only as far as something depends on it.

Additions, multiplications by numbers, powers, logarithms and other monotone steps are followed. A comparison with a
number is one choice; `int`, `round` and `math.floor` are one choice among the integers that are possible. What would
need the whole draw (a float's digits, a hash) is refused.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from stirred.mechanisms.generators.float_function import FloatFunction, Plateau, at_ends, first_change, plateaus, wraps
from stirred.mechanisms.generators.grid_draw import GridDraw
from stirred.spec.arguments import InputError

T = TypeVar("T")

_CONTINUOUS = (
    "a number with more than 100,000 possible values cannot be read here: round it, or compare it with a number"
)
_DIGITS = (
    "the digits of an undrawn uniform number are asked for (by float, a function of math, a format): use + - * / **, "
    "abs, round or NumPy's functions (np.log, np.exp, …), which are followed"
)
_TWO_DRAWS = (
    "two draws are combined here, and what they make together is not followed: compare or round each alone, or take "
    "rng.permutation or rng.choice(p=…) where an order or a maximum of several draws is meant"
)
_WRAPS = (
    "an integer of NumPy would leave its fixed width for some draws, and wrap: draw fewer values, or take a wider dtype"
)
_MISSING = "{} of a number that is not drawn is not followed: draw it first, by round or int, or write it by + - * / **"
_ARRAY = "an array of numbers that are not drawn is followed where np.array makes it of a list, or the draw by size=…"
_UNDEFINED = "a float function of a uniform draw is undefined (nan) for some draws"
_PROBES = 64


def is_number(value: object) -> bool:
    """Whether a value is a number of Python's or a scalar of NumPy's that is one, and is drawn.

    >>> is_number(0.5), is_number("0.5")
    (True, False)
    """
    if type(value) is Undrawn:
        return False
    if isinstance(value, (int, float, Fraction)):
        return True
    kind = getattr(value, "dtype", None) if type(value).__module__ == "numpy" else None
    return kind is not None and getattr(value, "shape", None) == () and kind.kind in "biuf"


MONOTONE = "monotone"
"""Of a run: a function that is not correctly rounded was taken as monotone."""

_ROUNDED_RIGHT = frozenset(
    (
        *("+", "-", "*", "/", "//", "%", "neg", "abs", "round", "square", "sqrt", "floor", "ceil", "rint", "trunc"),
        *("clip", "degrees", "radians", "astype", "item", "maximum", "minimum", "fabs", "sum"),
    )
)
"""Steps that are monotone since they are correctly rounded, or compositions of such."""


class Undrawn:
    """f(k) for a draw k, with a monotone f.

    Args:
        draw: k.
        function: f, monotone where k may still be.
        rises: whether f does not decrease.
    """

    __slots__ = ("_draw", "_function", "_kind", "_rises")

    def __init__(self, draw: GridDraw, function: FloatFunction, *, rises: bool = True) -> None:
        self._draw = draw
        self._function = function
        self._kind: type | None = None
        self._rises = rises

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """That of its values: code asks whether it is a float."""
        if self._kind is None:
            self._kind = type(self._function.value(self._draw.low))
        return self._kind

    undrawn = property(lambda self: (self._draw, self._function), doc="The draw and the function.")

    def step(self, name: str, function: Callable[..., Any], *more: Any, rises: bool = True, first: Any = None) -> Any:
        """A monotone function of this number.

        Args:
            name: the function's.
            function: of this number.
            more: further arguments of it.
            rises: whether it does not decrease.
            first: an argument before this number, where it is not None.
        """
        arguments = (self._function, *more) if first is None else (first, self._function, *more)
        made = FloatFunction.of(name, function, *arguments)
        self._split_where_raised(made)
        ends = self._draw.low, self._draw.high
        values = at_ends(made, *ends) or ()
        if self._draw.is_known:
            return values[0]
        if any(value != value for value in values):  # noqa: PLR0124 nan
            self._draw.run.refuse(_UNDEFINED)
        if wraps(name, arguments, dict(zip(ends, values, strict=True))):
            self._draw.run.refuse(_WRAPS)
        if name.rpartition(".")[2] not in _ROUNDED_RIGHT:
            self._draw.run.documented.add(MONOTONE)
        return Undrawn(self._draw, made, rises=self._rises is rises)

    def retyped(self, kind: Callable[[Any], Any]) -> Undrawn:
        """The same number as one of another type, float or int and NumPy's."""
        return Undrawn(self._draw, self._function.retyped(f"as {kind!r}", kind), rises=self._rises)

    def undrawn_value(self, name: str, function: Callable[[Any], Any]) -> Any:
        """The value of a monotone function of this number with few values: one choice."""
        found = self.undrawn_values(name, function)
        if found is None:
            self._draw.run.refuse(_CONTINUOUS)
        return found[self._draw.placed([first for first, _ in found])][1]

    def undrawn_values(self, name: str, function: Callable[[Any], Any]) -> tuple[Plateau, ...] | None:
        """The values of a monotone function of this number; None where there are too many to be listed."""
        return self._asked(FloatFunction.of(name, function, self._function), plateaus)

    def _asked(self, asked: FloatFunction, ask: Callable[[FloatFunction, int, int], T]) -> T:
        self._split_where_raised(asked)
        return self._monotone(ask, asked, self._draw.low, self._draw.high)

    def _monotone(self, ask: Callable[..., T], *arguments: Any) -> T:
        try:
            return ask(*arguments)
        except InputError as error:  # it is not monotone, or raises in between
            self._draw.run.refuse(str(error))

    def _split_where_raised(self, asked: FloatFunction) -> None:
        """One choice for an end of the draw's range at which a function raises, and then raise what it does."""
        draw, raises = self._draw, asked.raises
        if at_ends(asked, draw.low, draw.high) is not None:
            return
        while failing := [k for k in (draw.low, draw.high) if raises.value(k)]:
            low, high, middle = draw.low, draw.high, (draw.low + draw.high) // 2
            if len(failing) == 2 and raises.value(middle):
                if not all(map(raises.value, range(low, high, 1 + (high - low) // _PROBES))):
                    draw.run.refuse("a function of a draw raises at several places, which is not followed")
                draw.run.fail(_error(asked, low))
            other = middle if len(failing) == 2 else low + high - failing[0]
            cut, _ = self._monotone(first_change, raises, *sorted((failing[0], other)))
            if draw.reaches(cut or low) is (failing[0] == high):
                draw.run.fail(_error(asked, failing[0]))

    def whether(self, name: str, compare: Callable[[Any, Any], Any], other: Any) -> Any:
        """The answer to a comparison: one choice where both answers are possible."""
        if isinstance(other, Undrawn):
            return self._whether_both(name, compare, other)
        if not self._takes(name, other):
            return NotImplemented
        return self._answered(FloatFunction.of(name, compare, self._function, other))

    def _answered(self, asked: FloatFunction) -> Any:
        cut, answer = self._asked(asked, first_change)
        truth = type((at_ends(asked, self._draw.low, self._draw.low) or (answer,))[0])  # NumPy has its own
        return truth(answer if cut is None else self._draw.reaches(cut) is answer)

    def _takes(self, name: str, other: Any) -> bool:
        """Whether the other operand is a number; where it is an array, NumPy asks for its members.

        Raises:
            InputError: it is anything else.
        """
        if is_number(other):
            return True
        numpy = sys.modules.get("numpy")
        if numpy is None or type(other).__mro__[-2] is not numpy.ndarray or isinstance(other, numpy.ma.MaskedArray):
            self._draw.run.refuse(
                f"{name} of a number that is not drawn and {type(other).__name__!r} is not followed: draw it first, by "
                "round or int, or write it with numbers"
            )
        return False

    def _whether_both(self, name: str, compare: Callable[[Any, Any], Any], other: Undrawn) -> Any:
        if other._draw is not self._draw:
            if self._function != other._function or not self._function.is_strict:
                self._draw.run.refuse(_TWO_DRAWS)
            return self._draw.compared(other._draw, compare)
        asked = FloatFunction.of(name, compare, self._function, other._function)
        if self._function != other._function and self._rises is other._rises and not self._draw.is_known:
            self._draw.run.refuse("two rising functions of one draw are compared, which is not followed")
        return self._answered(asked)

    def _joined(self, name: str, function: Callable[[Any, Any], Any], other: Undrawn, *, rises: bool) -> Any:
        """The sum or the difference with another function of the same draw."""
        if other._draw is not self._draw:
            self._draw.run.refuse(_TWO_DRAWS)
        if (other._rises is rises) is not self._rises and not self._draw.is_known:
            self._draw.run.refuse("a rising and a falling function of one draw are combined, which is not followed")
        return self.step(name, function, other._function)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Undrawn):
            return self._joined("+", operator.add, other, rises=True)
        return self.step("+", operator.add, other) if self._takes("+", other) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return self.step("+", operator.add, first=other) if self._takes("+", other) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Undrawn):
            return self._joined("-", operator.sub, other, rises=False)
        return self.step("-", operator.sub, other) if self._takes("-", other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return self.step("-", operator.sub, first=other, rises=False) if self._takes("-", other) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Undrawn):
            self._draw.run.refuse("a product of two numbers that are not drawn is not followed")
        return (
            self.step("*", operator.mul, other, rises=bool(other >= 0)) if self._takes("*", other) else NotImplemented
        )

    def __rmul__(self, other: Any) -> Any:
        if not self._takes("*", other):
            return NotImplemented
        return self.step("*", operator.mul, first=other, rises=bool(other >= 0))

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Undrawn):
            self._draw.run.refuse("a quotient of two numbers that are not drawn is not followed")
        return (
            self.step("/", operator.truediv, other, rises=bool(other > 0))
            if self._takes("/", other)
            else NotImplemented
        )

    def __rtruediv__(self, other: Any) -> Any:
        if not self._takes("/", other):
            return NotImplemented
        if self == 0:  # which may be -0.0
            return self.undrawn_value(f"{other!r} /", lambda value: other / value)
        self > 0  # noqa: B015 on either side it is monotone
        return self.step("/", operator.truediv, first=other, rises=bool(other < 0))

    def __floordiv__(self, other: Any) -> Any:
        return (
            self.step("//", operator.floordiv, other, rises=bool(other > 0))
            if self._takes("//", other)
            else NotImplemented
        )

    def __mod__(self, other: Any) -> Any:
        if not self._takes("%", other):
            return NotImplemented
        self.undrawn_value(f"// {other!r}", lambda value: value // other)
        return self.step("%", operator.mod, other)

    def __pow__(self, other: Any) -> Any:
        if not self._takes("**", other):
            return NotImplemented
        if self < 0:
            if other != int(other):
                self._draw.run.refuse("a power of a negative number with a broken exponent is not followed")
            return self.step("**", operator.pow, other, rises=bool(other > 0) is (int(other) % 2 == 1))
        if self == 0:
            return self.undrawn_value(f"** {other!r}", lambda value: value**other)
        return self.step("**", operator.pow, other, rises=bool(other >= 0))

    def __rpow__(self, other: Any) -> Any:
        if not self._takes("**", other):
            return NotImplemented
        if not other > 0:
            self._draw.run.refuse("a power of a number that is not positive is not followed")
        return self.step("**", operator.pow, first=other, rises=bool(other >= 1))

    def __neg__(self) -> Any:
        return self.step("neg", operator.neg, rises=False)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self.step("abs", abs, rises=not self < 0)

    def __lt__(self, other: Any) -> Any:
        return self.whether("<", operator.lt, other)

    def __le__(self, other: Any) -> Any:
        return self.whether("<=", operator.le, other)

    def __gt__(self, other: Any) -> Any:
        return self.whether(">", operator.gt, other)

    def __ge__(self, other: Any) -> Any:
        return self.whether(">=", operator.ge, other)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Undrawn) and other._draw is self._draw and other._function == self._function:
            other = self._function.value(self._draw.low)
            return other == other  # noqa: PLR0124 a truth value of its kind
        if other is None or type(other) in (str, bytes, tuple, list, dict):
            return NotImplemented
        reaches = self >= other
        return reaches if reaches is NotImplemented else reaches and self <= other

    def __ne__(self, other: object) -> Any:
        is_equal = self == other
        return is_equal if is_equal is NotImplemented else type(is_equal)(not is_equal)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __int__(self) -> int:
        return int(self.undrawn_value("int", int))

    def __trunc__(self) -> int:
        return int(self.undrawn_value("math.trunc", math.trunc))

    def __index__(self) -> int:
        value = self._function.value(self._draw.low)
        if not isinstance(value, int) and getattr(getattr(value, "dtype", None), "kind", "") not in "iu":
            raise TypeError("'float' object cannot be interpreted as an integer")
        return int(self)

    def __floor__(self) -> int:
        return int(self.undrawn_value("math.floor", math.floor))

    def __ceil__(self) -> int:
        return int(self.undrawn_value("math.ceil", math.ceil))

    def __round__(self, digits: int | None = None) -> Any:
        return int(self.undrawn_value("round", round)) if digits is None else self.step("round", round, digits)

    def __float__(self) -> float:
        if self.undrawn_values("float", float) is None:
            self._draw.run.refuse(_DIGITS)
        return float(self.undrawn_value("float", float))

    def __hash__(self) -> int:  # noqa: PLE0309 it is refused
        self._draw.run.refuse("a float from a uniform draw as a key, or in a set, is not followed: round it")

    def __repr__(self, *_: Any) -> str:
        self._draw.run.refuse(_DIGITS)

    __format__ = __reduce__ = __repr__

    def __copy__(self) -> Undrawn:
        return self

    def __deepcopy__(self, _: Any) -> Undrawn:
        return self

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from stirred.mechanisms.generators.sized import function_result  # noqa: PLC0415 NumPy is loaded by now

        return function_result(self._draw.run, func, args, kwargs)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        from stirred.mechanisms.generators.sized import ufunc_result  # noqa: PLC0415 NumPy is loaded by now

        return ufunc_result(self._draw.run, ufunc, method, inputs, named)

    def __getattr__(self, name: str) -> Any:
        kind: type = self.__class__
        if name.startswith("__array"):
            self._draw.run.refuse(_ARRAY)
        if not hasattr(kind, name):
            raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
        if kind.__module__ != "numpy":
            self._draw.run.refuse(_MISSING.format(name))
        from stirred.mechanisms.generators.sized import method_of  # noqa: PLC0415 NumPy is loaded by now

        return method_of(self, name)


def _error(asked: FloatFunction, k: int) -> Exception:
    return asked.error(k) or InputError(_UNDEFINED)


def _refusing(name: str) -> Callable[..., NoReturn]:
    def refused(self: Undrawn, *_: Any) -> NoReturn:
        self._draw.run.refuse(_MISSING.format(name))

    return refused


for _name in (
    *("divmod", "rdivmod", "rfloordiv", "rmod", "and", "rand", "or", "ror", "xor", "rxor", "invert", "complex"),
    *("lshift", "rlshift", "rshift", "rrshift", "matmul", "rmatmul"),
):
    setattr(Undrawn, f"__{_name}__", _refusing(_name))
