"""The table of meanings: what operations, functions and methods do with numbers that are drawn, and with doubles.

An operation whose operands depend on no draw is the interpreter's own. Beside its result stands the exact number that
it means; where the double and that number say different things, the line is refused.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from stirred.mechanisms.reading.shadows import Exact, Shadows, array_of, differ
from stirred.mechanisms.reading.symbols import Drawn, DrawnArray, Symbolic, is_symbolic
from stirred.spec.numbers.reals.real import UndecidedOrderError

if TYPE_CHECKING:
    from stirred.mechanisms.reading.evaluator import Evaluator

_MOST_STEPS = 10_000
"""Outcomes of a rounding."""

_ORDERS = {operator.lt: (True, False), operator.le: (True, True), operator.gt: (False, False), operator.ge: (False, True)}

_EXACT_MATH: Mapping[Callable[..., Any], Callable[[Exact], Any]] = {
    math.exp: Exact.exp,
    math.log: Exact.log,
    math.sqrt: Exact.sqrt,
    math.fabs: abs,
    math.floor: Exact.floor,
    math.ceil: lambda one: -(-one).floor(),
    math.trunc: lambda one: one.floor() if one >= 0 else -(-one).floor(),
    builtins.int: lambda one: one.floor() if one >= 0 else -(-one).floor(),
    builtins.abs: abs,
    builtins.float: lambda one: one,
    np.float64: lambda one: one,
}

_MOVING = {
    builtins.list: ("append", "extend", "insert", "pop", "copy", "clear", "reverse"),
    builtins.dict: ("items", "values", "keys", "get", "setdefault", "update", "pop", "copy", "clear"),
}
"""Methods that move references, and look at no member."""

_HOLDING = (list, tuple, enumerate, zip, len, reversed, iter, next, range, dict, isinstance, type(None))
"""Functions that look at containers and not at their members."""


class Meanings:
    """What is done with values along one path.

    Args:
        evaluator: whose line is named in refusals, and whose path is forked.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self.shadows = Shadows()
        self.intervals: dict[int, tuple[Exact, Exact]] = {}

    # ---- draws -------------------------------------------------------------------------------------------------------

    def uniform(self) -> Drawn:
        """A new draw of the uniform law on (0, 1)."""
        number = len(self.intervals)
        self.intervals[number] = (Exact(0), Exact(1))
        return Drawn(number, Exact(1), Exact(0))

    def _is_symbolic(self, *values: Any) -> bool:
        return bool(self.intervals) and any(map(is_symbolic, values))

    def _below(self, drawn: Drawn, bound: Exact, what: str) -> bool:
        """Whether a number that is drawn is below another one; forks the path where both can be."""
        low, high = self.intervals[drawn.draw]
        cut = (bound - drawn.shift) / drawn.scale
        is_falling = drawn.scale < 0
        try:
            if cut <= low or cut >= high:
                return (cut >= high) != is_falling
        except UndecidedOrderError:
            raise self._evaluator.refuse(f"{what}: the bound cannot be told from an end of the draw") from None
        weights = [(cut - low) / (high - low), (high - cut) / (high - low)]
        is_left = self._evaluator.path.fork(weights, what, self._evaluator.line) == 0
        self.intervals[drawn.draw] = (low, cut) if is_left else (cut, high)
        return is_left != is_falling

    def _stepped(self, drawn: Drawn, ends: Callable[[int], tuple[Fraction, Fraction]], near: Callable[[Exact], int]) -> int:
        """The step of a function that a number that is drawn falls into; forks the path over all of them.

        Args:
            drawn: the number.
            ends: between which numbers the function has a value.
            near: the value of the function at a number, or one next to it.
        """
        low, high = self.intervals[drawn.draw]
        outer = sorted((drawn.scale * low + drawn.shift, drawn.scale * high + drawn.shift))
        first, last = near(outer[0]) - 1, near(outer[1]) + 1
        if last - first > _MOST_STEPS:
            raise self._evaluator.refuse(f"a rounding with {last - first} outcomes")
        steps = []
        for value in range(first, last + 1):
            cuts = sorted((Exact(one) - drawn.shift) / drawn.scale for one in ends(value))
            left, right = max(cuts[0], low), min(cuts[1], high)
            if left < right:
                steps.append((value, left, right))
        weights = [(right - left) / (high - low) for _, left, right in steps]
        chosen = self._evaluator.path.fork(weights, "a rounding", self._evaluator.line) if len(steps) > 1 else 0
        value, *self.intervals[drawn.draw] = steps[chosen]  # type: ignore[list-item]
        return value

    def _floor(self, drawn: Drawn) -> int:
        return self._stepped(drawn, lambda k: (Fraction(k), Fraction(k + 1)), Exact.floor)

    def _round(self, drawn: Drawn) -> int:
        half = Fraction(1, 2)
        return self._stepped(drawn, lambda k: (k - half, k + half), Exact.floor)

    def _truncated(self, drawn: Drawn) -> int:
        is_negative = self._below(drawn, Exact(0), "a rounding towards 0")
        return -self._floor(self._linear(operator.mul, drawn, -1)) if is_negative else self._floor(drawn)

    def _linear(self, op: Callable[..., Any], one: Any, other: Any) -> Any:
        """A number that is drawn, combined with one that is not."""
        exact = self.shadows.of(other if isinstance(one, Drawn) else one)
        if isinstance(one, Drawn) and isinstance(other, Drawn):
            raise self._evaluator.refuse("two numbers that are drawn are combined")
        if exact is None:
            raise self._evaluator.refuse("a number that is drawn is combined with something that is no finite number")
        if op is operator.add:
            drawn = one if isinstance(one, Drawn) else other
            return Drawn(drawn.draw, drawn.scale, drawn.shift + exact)
        if op is operator.sub and isinstance(one, Drawn):
            return Drawn(one.draw, one.scale, one.shift - exact)
        if op is operator.sub:
            return Drawn(other.draw, -other.scale, exact - other.shift)
        if op is operator.mul:
            drawn = one if isinstance(one, Drawn) else other
            return Drawn(drawn.draw, drawn.scale * exact, drawn.shift * exact) if exact != 0 else 0.0
        if op is operator.truediv and isinstance(one, Drawn):
            if exact == 0:
                raise ZeroDivisionError("float division by zero")
            return Drawn(one.draw, one.scale / exact, one.shift / exact)
        if op is operator.floordiv and isinstance(one, Drawn) and exact != 0:
            return float(self._floor(Drawn(one.draw, one.scale / exact, one.shift / exact)))
        raise self._evaluator.refuse(f"{op.__name__} of a number that is drawn is not read")

    # ---- operations --------------------------------------------------------------------------------------------------

    def binary(self, op: Callable[..., Any], one: Any, other: Any, in_place: Callable[..., Any] | None = None) -> Any:
        """What an operator makes of two values."""
        if isinstance(one, Drawn) or isinstance(other, Drawn):
            if isinstance(one, (list, tuple, str, bytes)) or isinstance(other, (list, tuple, str, bytes)):
                raise TypeError(f"unsupported operand type(s): {_name(one)} and {_name(other)}")
            if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
                return self._cellwise(lambda a, b: self.binary(op, a, b), one, other)
            return self._linear(op, one, other)
        if isinstance(one, DrawnArray) or isinstance(other, DrawnArray):
            return self._cellwise(lambda a, b: self.binary(op, a, b), one, other)
        before = self.shadows.carried(one) if in_place is not None else None
        found = (in_place or op)(one, other)
        return self._shadowed(found, lambda: op(self.shadows.carried(one) if before is None else before, self.shadows.carried(other)))

    def unary(self, op: Callable[[Any], Any], value: Any) -> Any:
        """What a sign makes of a value."""
        if isinstance(value, Drawn):
            return value if op is operator.pos else self._linear(operator.mul, value, -1)
        if isinstance(value, DrawnArray):
            return self._cellwise(lambda a, _: self.unary(op, a), value, 0)
        return self._shadowed(op(value), lambda: op(self.shadows.carried(value)))

    def compared(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
        """What a comparison says of two values."""
        if op in (operator.is_, operator.is_not):
            return op(one, other)
        if isinstance(one, DrawnArray) or isinstance(other, DrawnArray) or (
            isinstance(one, Symbolic) and isinstance(other, np.ndarray)
        ) or (isinstance(other, Symbolic) and isinstance(one, np.ndarray)):
            return self._cellwise(lambda a, b: self.compared(op, a, b), one, other)
        if isinstance(one, Drawn) or isinstance(other, Drawn):
            return self._ordered(op, one, other)
        if self._is_symbolic(one, other):
            raise self._evaluator.refuse("numbers that are drawn are compared inside of containers")
        found = op(one, other)
        if _has_floats(one) or _has_floats(other):
            self._agree(found, lambda: op(self.shadows.carried(one), self.shadows.carried(other)), one, other)
        return found

    def _ordered(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> bool:
        if op not in _ORDERS:
            raise self._evaluator.refuse(
                "a number that is drawn is asked whether it equals another: in real numbers it never does, in doubles it can"
            )
        if isinstance(one, Drawn) and isinstance(other, Drawn):
            raise self._evaluator.refuse("two numbers that are drawn are compared")
        is_below, _ = _ORDERS[op]
        drawn, bound = (one, other) if isinstance(one, Drawn) else (other, one)
        if isinstance(bound, (float, np.floating)) and math.isinf(bound):
            return op(0.0, bound) if drawn is one else op(bound, 0.0)
        exact = self.shadows.of(bound)
        if exact is None:
            raise self._evaluator.refuse(f"a number that is drawn is compared with {_name(bound)}")
        found = self._below(drawn, exact, "a comparison")
        return found == (is_below == (drawn is one))

    def truth(self, value: Any) -> bool:
        """Whether a value is true."""
        if isinstance(value, Symbolic):
            raise self._evaluator.refuse("the truth of a number that is drawn: in real numbers it is never 0")
        if isinstance(value, (float, np.floating)) and self.shadows.is_noted(value):
            return bool(self.compared(operator.ne, value, 0))
        return bool(value)

    def _agree(self, found: Any, exactly: Callable[[], Any], *operands: Any) -> None:
        """Refuse a line at which doubles and exact numbers say different things."""
        try:
            exact = exactly()
        except (TypeError, ValueError, ArithmeticError):
            exact = None
        if exact is not None and exact is not NotImplemented and differ(found, exact):
            numbers = " and ".join(str(self.shadows.carried(one)) for one in operands)
            raise self._evaluator.refuse(
                f"doubles and real numbers differ here: {' and '.join(map(repr, operands))} stand for {numbers}"
            )

    def _shadowed(self, found: Any, exactly: Callable[[], Any]) -> Any:
        """A result, with the exact number that it means."""
        if not _has_floats(found):
            return found
        try:
            exact = exactly()
        except (TypeError, ValueError, ArithmeticError):
            exact = None
        return self.shadows.noted(found, exact, self._evaluator.line)

    def _cellwise(self, function: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
        """A function of each cell of arrays of one shape."""
        cells = [self._cells(part) for part in (one, other)]
        pairs = np.broadcast(*cells)
        return self._array(array_of((function(a, b) for a, b in pairs), pairs.shape))

    def _cells(self, value: Any) -> Any:
        if isinstance(value, DrawnArray):
            return value.cells
        if isinstance(value, Drawn) or np.ndim(value) == 0:
            return array_of([value], ())
        given = np.asarray(value)
        flat, exact = given.reshape(-1), self.shadows.of_array(given) if given.dtype.kind == "f" else None
        if exact is not None:
            self.shadows.note(flat, exact.reshape(-1))
        return array_of((self.item(flat, place) for place in range(given.size)), given.shape)

    def _array(self, cells: Any) -> Any:
        """An array of such cells: an ordinary one where none of them is drawn."""
        if any(isinstance(one, Drawn) for one in cells.ravel()):
            return DrawnArray(cells, np.dtype(float))
        made = np.array(cells.tolist())
        return made[()] if made.ndim == 0 else made

    # ---- containers --------------------------------------------------------------------------------------------------

    def iterated(self, value: Any) -> Iterable[Any]:
        """The members of a value, one by one."""
        if isinstance(value, DrawnArray):
            return [self._member(one) for one in value.cells]
        if isinstance(value, Drawn):
            raise TypeError("'float' object is not iterable")
        if isinstance(value, np.ndarray) and value.ndim and value.dtype.kind == "f":
            return [self.item(value, place) for place in range(len(value))]
        return value  # type: ignore[no-any-return]

    def _member(self, cell: Any) -> Any:
        return DrawnArray(cell, np.dtype(float)) if isinstance(cell, np.ndarray) else cell

    def index(self, value: Any) -> Any:
        """A value as part of an index."""
        if isinstance(value, Symbolic):
            raise self._evaluator.refuse("a number that is drawn as an index")
        return value

    def item(self, holder: Any, key: Any) -> Any:
        """The member of a container by its key."""
        self.index(key)
        if isinstance(holder, DrawnArray):
            found = holder.cells[key]
            return self._array(found) if isinstance(found, np.ndarray) else found
        found = holder[key]
        if isinstance(holder, np.ndarray) and holder.dtype.kind == "f":
            exact = self.shadows.of_array(holder)
            return found if exact is None else self.shadows.note(found, exact[key])
        return found

    def set_item(self, holder: Any, key: Any, value: Any) -> None:
        """Put a value into a container."""
        self.index(key)
        if isinstance(holder, DrawnArray):
            holder.cells[key] = value.cells if isinstance(value, DrawnArray) else value
            return
        if isinstance(value, Symbolic) and not isinstance(holder, (list, dict)):
            raise self._evaluator.refuse(f"a number that is drawn is put into {_name(holder)}: only lists and dicts hold one")
        if isinstance(holder, np.ndarray) and holder.dtype.kind == "f":
            exact, given = self.shadows.of_array(holder), self.shadows.carried(value)
            holder[key] = value
            if exact is not None:
                exact[key] = self.shadows.of(value) if not isinstance(given, np.ndarray) else given
                self.shadows.note(holder, exact)
            return
        holder[key] = value

    def hashed(self, members: Sequence[Any], kind: Callable[[Iterable[Any]], Any]) -> Any:
        """A set of members."""
        if self._is_symbolic(members):
            raise self._evaluator.refuse("a set of numbers that are drawn")
        return kind(members)

    def attribute(self, holder: Any, name: str) -> Any:
        """The attribute of a value."""
        if isinstance(holder, DrawnArray):
            if name in ("shape", "size", "ndim"):
                return getattr(holder.cells, name)
            if name in ("tolist", "copy", "flatten", "ravel", "reshape"):
                return lambda *given: self._rearranged(holder, name, given)
        if isinstance(holder, Symbolic):
            raise self._evaluator.refuse(f".{name} of a number that is drawn")
        return getattr(holder, name)

    def _rearranged(self, holder: DrawnArray, name: str, given: Sequence[Any]) -> Any:
        found = getattr(holder.cells, name)(*given)
        return found if name == "tolist" else DrawnArray(found, holder.dtype)

    def set_attribute(self, holder: Any, name: str, value: Any) -> None:
        """Set the attribute of a value."""
        setattr(holder, name, value)

    # ---- functions ---------------------------------------------------------------------------------------------------

    def called(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a function that is not the program's own."""
        if self._is_symbolic(arguments, named, getattr(function, "__self__", None)):
            return self._of_symbols(function, arguments, named)
        if function is builtins.sum and arguments:
            arguments = (list(self.iterated(arguments[0])), *arguments[1:])
        return self._meant(function, function(*arguments, **named), arguments, named)

    def _meant(self, function: Any, found: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a native call, with the exact number that it means, where it is known."""
        owner = getattr(function, "__self__", None)
        exactly: Callable[[], Any] | None = None
        if function in _EXACT_MATH and len(arguments) == 1 and not named and _has_floats(arguments[0]):
            exactly = lambda: _EXACT_MATH[function](_needed(self.shadows.of(arguments[0])))  # noqa: E731
        elif function is builtins.round and _has_floats(arguments[0]):
            exactly = lambda: _rounded(_needed(self.shadows.of(arguments[0])), *arguments[1:], **named)  # noqa: E731
        elif function is builtins.sum or _is_numpy(function):
            carried = [self.shadows.carried(one) for one in arguments]
            more = {name: self.shadows.carried(one) for name, one in named.items() if name != "dtype"}
            exactly = lambda: function(*carried, **more)  # noqa: E731
        elif isinstance(owner, np.ndarray) and owner.dtype.kind == "f":
            exact = self.shadows.of_array(owner)
            more = {name: self.shadows.carried(one) for name, one in named.items()}
            if exact is not None and function.__name__ != "astype":
                exactly = lambda: getattr(exact, function.__name__)(*map(self.shadows.carried, arguments), **more)  # noqa: E731
        if exactly is None:
            return self.shadows.noted(found, None, self._evaluator.line) if _has_floats(found) and not _is_container(function) else found
        if _has_floats(found):
            return self._shadowed(found, exactly)
        if isinstance(found, (int, np.integer, np.bool_)) or (isinstance(found, np.ndarray) and found.dtype.kind in "iub"):
            self._agree(found, exactly, *arguments)
        return found

    def _of_symbols(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The table itself."""
        owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
        if name in _MOVING.get(type(owner), ()) or function in _HOLDING:
            given = [self.iterated(one) if isinstance(one, DrawnArray) else one for one in arguments]
            if function is builtins.len and isinstance(arguments[0], DrawnArray):
                return len(arguments[0].cells)
            if function is isinstance and isinstance(arguments[0], Drawn):
                return isinstance(0.0, arguments[1])
            return function(*given, **named)
        (first, *rest) = arguments or (None,)
        if not named and len(arguments) == 1 and isinstance(first, Drawn):
            if function in (builtins.int, math.trunc):
                return self._truncated(first)
            if function is math.floor:
                return self._floor(first)
            if function is math.ceil:
                return -self._floor(self._linear(operator.mul, first, -1))
            if function is builtins.round:
                return self._round(first)
            if function in (np.round, np.rint, np.around):
                return np.float64(self._round(first))
            if function is np.floor:
                return np.float64(self._floor(first))
            if function in (builtins.float, np.float64):
                return first
            if function in (builtins.abs, np.abs):
                return self.unary(operator.neg, first) if self._below(first, Exact(0), "an absolute value") else first
        if function in (np.floor, np.rint, np.round, np.abs) and isinstance(first, DrawnArray) and not rest:
            return self._cellwise(lambda a, _: self._of_symbols(function, (a,), {}) if isinstance(a, Drawn) else function(a), first, 0)
        if function in (builtins.min, builtins.max) and not named:
            members = list(self.iterated(first)) if not rest else [*arguments]
            best = members[0]
            for one in members[1:]:
                if self.compared(operator.lt if function is builtins.min else operator.gt, one, best):
                    best = one
            return best
        if function is builtins.sum and not named:
            total: Any = rest[0] if rest else 0
            for one in self.iterated(first):
                total = self.binary(operator.add, total, one)
            return total
        if function in (np.array, np.asarray) and not rest:
            cells = [*self.iterated(first)]
            return self._array(array_of(cells, (len(cells),)))
        raise self._evaluator.refuse(
            f"{_spoken(function)} of a number that is drawn is not read: compute it before the draw, or use --sampled"
        )


def _needed(exact: Exact | None) -> Exact:
    if exact is None:
        raise TypeError
    return exact


def _rounded(exact: Exact, digits: Any = None) -> Any:
    if digits is None:
        below = exact.floor()
        half = exact - below - Fraction(1, 2)
        return below if half < 0 or (half == 0 and below % 2 == 0) else below + 1
    unit = Fraction(10) ** int(digits)
    return Exact(Fraction(_rounded(exact * unit)) / unit)


def _has_floats(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind == "f"
    if type(value) in (list, tuple):
        return any(map(_has_floats, value))
    return isinstance(value, (float, np.floating))


def _is_numpy(function: Any) -> bool:
    module = getattr(function, "__module__", None) or type(function).__module__
    return str(module).partition(".")[0] == "numpy"


def _is_container(function: Any) -> bool:
    """Whether what a function returns is made of what it is given."""
    owner = getattr(function, "__self__", None)
    return function in (*_HOLDING, builtins.min, builtins.max, builtins.sorted, builtins.map, builtins.filter) or (
        isinstance(owner, (list, dict, tuple, set))
    )


def _name(value: Any) -> str:
    return type(value).__name__


def _spoken(function: Any) -> str:
    module = str(getattr(function, "__module__", None) or "")
    name = getattr(function, "__name__", _name(function))
    return f"{'np' if module.startswith('numpy') else module}.{name}" if module not in ("", "builtins") else name
