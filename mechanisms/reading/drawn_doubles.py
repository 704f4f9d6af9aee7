"""Numbers that are drawn as doubles compute them: a monotone function of one uniform whole number k.

A comparison cuts the range of k, a rounding splits it, and a function that rises or falls is followed by its values.
All are the very operations of the program, so that what is decided is what the doubles do. Whatever ties two draws, or
one draw to itself, is refused. Integers that NumPy draws by laws of its own stay what `DrawnNumbers` makes of them.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from stirred.mechanisms.generators.float_function import FloatFunction, at_ends, first_change, plateaus, whole_numbers
from stirred.mechanisms.generators.kinds import MONOTONE
from stirred.mechanisms.reading.drawn_numbers import DrawnNumbers
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.refusal import Reader
from stirred.mechanisms.reading.shadows import Shadows, array_of
from stirred.mechanisms.reading.symbols import Drawn, DrawnArray, Step
from stirred.spec.arguments import InputError

_ROUNDED_RIGHT = (builtins.float, np.float64, math.sqrt, np.sqrt, np.rint, np.round, np.floor, np.ceil, np.trunc)
_ABOUT = (math.log, np.log, math.exp, np.exp, math.log1p, np.log1p, math.expm1, np.expm1)
_SETTLING = (builtins.int, builtins.round, math.trunc, math.floor, math.ceil)
_MAGNITUDE = (builtins.abs, np.absolute, np.fabs, math.fabs)
_ROUNDINGS: Mapping[tuple[Step, bool], Any] = {
    (Step.NEAREST, False): builtins.round,
    (Step.NEAREST, True): np.rint,
    (Step.FLOOR, False): math.floor,
    (Step.FLOOR, True): np.floor,
    (Step.CEILING, False): math.ceil,
    (Step.CEILING, True): np.ceil,
    (Step.TOWARDS_ZERO, False): math.trunc,
    (Step.TOWARDS_ZERO, True): np.trunc,
}
_OPERATORS = (operator.add, operator.sub, operator.mul, operator.truediv)
_BITS = 53
_MOST_VALUES = 2_000
"""Values of one number, for each of which there is a path."""


@dataclass(frozen=True, eq=False, repr=False)
class DrawnDouble(Drawn):
    """f(k), where f rises or falls with the whole number k.

    Attributes:
        draw: the number of the draw k.
        function: f.
        made: the kind of f's values before this one was asked for.
    """

    draw: int
    function: FloatFunction
    kind: type = float
    made: type | None = None

    def __post_init__(self) -> None:
        if self.made not in (None, self.kind):
            object.__setattr__(self, "function", FloatFunction.of(self.kind.__name__, self.kind, self.function))
        object.__setattr__(self, "made", self.kind)


class DoubleShadows(Shadows):
    """What doubles stand for where they decide: themselves."""

    are_doubles = True

    def of(self, value: Any) -> Exact | None:
        is_float = isinstance(value, (float, np.floating))
        if is_float:
            return Exact(Fraction(float(value))) if math.isfinite(value) else None
        return super().of(value)

    def cells(self, array: Any) -> Any:
        return array_of(map(self.of, array.ravel().tolist()), array.shape) if array.dtype.kind in "fiub" else None

    def note(self, value: Any, exact: Any) -> Any:  # noqa: ARG002 as its base
        return value

    def is_faithful(self, value: Any) -> bool:  # noqa: ARG002
        return True

    is_exact = is_faithful


class DrawnDoubles(DrawnNumbers):
    """The numbers that are drawn along one path, where doubles decide.

    Attributes:
        has_doubles: whether a double decided a draw.
        documented: methods of which the documented law was taken; and "monotone" where a function was taken as such.
    """

    def __init__(self, reader: Reader, shadows: Shadows) -> None:
        super().__init__(reader, shadows)
        self._ends: list[tuple[int, int]] = []
        self.has_doubles = False
        self.documented: set[str] = set()

    def uniform(self, kind: Callable[[Any], Any], least: int = 0) -> FloatFunction:
        """k/2^53 of a new draw k, uniform on least, …, 2^53 − 1: what `drawn_as` makes a number of."""
        self.is_used = self.has_doubles = True
        self._ends.append((least, 2**_BITS - 1))
        return whole_numbers(kind, 2.0**-_BITS)

    def drawn_as(self, function: FloatFunction) -> DrawnDouble:
        """This function of the newest draw."""
        return self._made(len(self._ends) - 1, function)

    def _made(self, draw: int, function: FloatFunction) -> DrawnDouble:
        """The function of a draw, at which what it raises is raised, by one choice."""
        low, high = self._ends[draw]
        values = at_ends(function, low, high)
        if values is None:
            self._leave_out(draw, function.raises)
            low, high = self._ends[draw]
            if (error := function.error(low)) is not None:
                raise error
            values = at_ends(function, low, high) or ()
        if any(value != value for value in values):  # noqa: PLR0124 nan
            raise self._reader.refuse("a function of a draw is undefined (nan) for some draws")
        return DrawnDouble(draw, function, type(values[0]))

    def _leave_out(self, draw: int, raises: FloatFunction) -> None:
        low, high = self._ends[draw]
        if raises.value(low) is raises.value(high):
            raise self._reader.refuse("a function of a draw raises for most draws, which is not read")
        self._whether(draw, raises)

    def point(self, share: Fraction) -> dict[int, Fraction]:
        """Base draws of the path, and of each k a place in its range, by −1 − its number."""
        found = super().point(share)
        for draw, (low, high) in enumerate(self._ends):
            found[-1 - draw] = Fraction(low + int((high - low) * share))
        return found

    # ---- decisions ---------------------------------------------------------------------------------------------------

    def _placed(self, draw: int, firsts: Sequence[int], what: str) -> int:
        """In which of the parts that begin at these k a draw lies: one choice."""
        low, high = self._ends[draw]
        if len(firsts) == 1:
            return 0
        ends = [*firsts[1:], high + 1]
        shares = [Fraction(after - first, high + 1 - low) for first, after in zip(firsts, ends, strict=True)]
        place = self._reader.path.fork(shares, what, self._reader.line)
        self._ends[draw] = firsts[place], ends[place] - 1
        return place

    def _whether(self, draw: int, asked: FloatFunction) -> bool:
        """The answer to a question that changes once at most: one choice where both are possible."""
        low, high = self._ends[draw]
        cut, last = self._monotone(first_change, asked, low, high)
        return bool(last) if cut is None else bool(last) is (self._placed(draw, [low, cut], "a comparison") == 1)

    def _monotone(self, ask: Callable[..., Any], *asked: Any) -> Any:
        try:
            return ask(*asked)
        except InputError as error:  # it is not monotone, or raises in between
            raise self._reader.refuse(str(error)) from None

    def _ordered(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> bool:
        drawn, value = (one, other) if isinstance(one, DrawnDouble) else (other, one)
        if not isinstance(drawn, DrawnDouble):
            return super()._ordered(op, one, other)
        if op in (operator.eq, operator.ne):
            if not isinstance(value, (int, float, np.number)):
                return op is operator.ne
            is_equal = self._ordered(operator.ge, drawn, value) and self._ordered(operator.le, drawn, value)
            return is_equal is (op is operator.eq)
        arguments = [part.function if part is drawn else self._alone(part) for part in (one, other)]
        return self._whether(drawn.draw, FloatFunction.of(op.__name__, op, *arguments))

    def _alone(self, value: Any) -> Any:
        """The other operand, which must be a number that is not drawn."""
        if isinstance(value, Drawn):
            raise self._reader.refuse(
                "two draws meet here, which doubles decide together: compare or round each alone, or leave out "
                'numerics = "double"'
            )
        if not isinstance(value, (int, float, np.number)):
            raise TypeError(f"unsupported operand types: float and {type(value).__name__}")
        return value

    def largest(self, numbers: Sequence[Any]) -> int:
        """The place of the largest number, the first of those that are equal."""
        if not any(isinstance(one, DrawnDouble) for one in numbers):
            return super().largest(numbers)
        best = 0
        for place in range(1, len(numbers)):
            best = place if self.ordered(operator.gt, numbers[place], numbers[best]) else best
        return best

    # ---- functions ---------------------------------------------------------------------------------------------------

    def meanings(self, in_reals: Mapping[Any, Callable[[Any], Any]]) -> Mapping[Any, Callable[[Any], Any]]:
        """What functions make of one number: of a double what they do, of others what they mean in the reals."""
        every = {*in_reals, *_ROUNDED_RIGHT, *_ABOUT, *_SETTLING, *_MAGNITUDE}
        return {function: partial(self._applied, function, in_reals.get(function)) for function in every}

    def _applied(self, function: Any, in_reals: Callable[[Any], Any] | None, one: Any) -> Any:
        if not isinstance(one, DrawnDouble):
            if in_reals is None:
                raise self._reader.refuse(f"{function.__name__} of a number that is drawn is not read")
            return in_reals(one)
        if function in _MAGNITUDE:
            return self.absolute(one, function)
        if function not in (*_ROUNDED_RIGHT, *_ABOUT, *_SETTLING):
            raise self._reader.refuse(f"{function.__name__} of a double that is drawn is not read")
        if function in _ABOUT:
            self.documented.add(MONOTONE)
        found = self._step(f"{function.__module__}.{function.__name__}", function, one)
        return self.settled(found, "a rounding") if function in _SETTLING else found

    def _step(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        (drawn,) = (one for one in arguments if isinstance(one, DrawnDouble))
        given = [one.function if one is drawn else one for one in arguments]
        return self._made(drawn.draw, FloatFunction.of(name, function, *given))

    def combined(self, op: Callable[..., Any], one: Any, other: Any) -> Any:
        """What an operator makes of two numbers, one of which is drawn."""
        if not isinstance(one, DrawnDouble) and not isinstance(other, DrawnDouble):
            return super().combined(op, one, other)
        is_left = isinstance(one, DrawnDouble)
        value = self._alone(other if is_left else one)
        is_monotone = op in _OPERATORS and (is_left or op is not operator.truediv)
        if not is_monotone and not (op is operator.floordiv and is_left):
            raise self._reader.refuse(f"{op.__name__} of a double that is drawn is not read")
        if op in (operator.truediv, operator.floordiv) and value == 0:
            raise self._reader.refuse("a number that is drawn is divided by 0")
        return self._step(op.__name__, op, one, other)

    def negative(self, drawn: Drawn) -> Any:
        """The number with the other sign."""
        return self._step("neg", operator.neg, drawn) if isinstance(drawn, DrawnDouble) else super().negative(drawn)

    def absolute(self, drawn: Drawn, function: Callable[[Any], Any] = abs) -> Any:
        """The absolute value: its sign is one choice."""
        if not isinstance(drawn, DrawnDouble):
            return super().absolute(drawn)
        self._ordered(operator.lt, drawn, 0)
        return self._step(f"{function.__module__}.{function.__name__}", function, drawn)

    def rounded(self, drawn: Any, step: Step, kind: type, digits: int | None = None) -> Any:
        """The number rounded to an integer, or to decimals."""
        if not isinstance(drawn, DrawnDouble):
            return super().rounded(drawn, step, kind, digits)
        if digits is None:
            return self._applied(_ROUNDINGS[step, issubclass(kind, np.generic)], None, drawn)
        function: Any = np.round if issubclass(kind, np.generic) else round
        return self._step(f"{function.__module__}.round", function, drawn, digits)

    def settled(self, value: Any, what: str) -> Any:
        """The value itself, where it has few: one choice among them."""
        if not isinstance(value, DrawnDouble):
            return super().settled(value, what)
        found = self._monotone(plateaus, value.function, *self._ends[value.draw])
        if found is None or len(found) > _MOST_VALUES:
            raise self._reader.refuse(
                f"{what} has too many values: the digits of a double that is drawn are not decided; round it to fewer, "
                'or leave out numerics = "double"'
            )
        return found[self._placed(value.draw, [first for first, _ in found], what)][1]

    def released(self, value: Any) -> Any:
        """An outcome in which each double that is drawn has a value."""
        if isinstance(value, DrawnDouble):
            return self.settled(value, "a released number")
        if isinstance(value, DrawnArray):
            cells = [self.released(one) for one in value.cells.ravel()]
            if not any(isinstance(one, Drawn) for one in cells):
                return np.array(cells, dtype=value.dtype).reshape(value.cells.shape)
            return DrawnArray(array_of(cells, value.cells.shape), value.dtype)
        if type(value) in (list, tuple):
            return type(value)(map(self.released, value))
        return {key: self.released(one) for key, one in value.items()} if type(value) is dict else value
