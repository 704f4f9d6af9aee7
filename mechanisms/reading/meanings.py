"""The table of meanings: what operations, functions and methods do with numbers that are drawn, and with doubles.

An operation whose operands depend on no draw is the interpreter's own. Beside its result stands the exact number that
it means; where the double and that number say different things, the line is refused.
"""

from __future__ import annotations

import bisect
import builtins
import copy
import functools
import heapq
import itertools
import math
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from stirred.mechanisms.reading.arrays import Arrays
from stirred.mechanisms.reading.containers import Containers
from stirred.mechanisms.reading.drawn_doubles import DoubleShadows, DrawnDoubles
from stirred.mechanisms.reading.drawn_numbers import DrawnNumbers
from stirred.mechanisms.reading.known_functions import (
    DIVIDING,
    HOLDING,
    INTEGERS,
    MAX,
    ORDERING,
    ORDERS,
    ORDINARY,
    SORTED,
    SUM,
    WHOLE,
    has_finite_floats,
    has_floats,
    is_float_array,
    is_numpy,
    next_of,
    spoken,
)
from stirred.mechanisms.reading.objects import Objects
from stirred.mechanisms.reading.pass_numbers import PASS_NUMBERS, PassNumbers
from stirred.mechanisms.reading.refusal import GENERATORS, MOVING, PLAIN, Reader, is_plain
from stirred.mechanisms.reading.series import DrawnSeries, SeriesMeanings, is_pandas, is_series
from stirred.mechanisms.reading.shadows import Shadows
from stirred.mechanisms.reading.symbols import (
    Drawn,
    DrawnArray,
    DrawnMethod,
    Linear,
    Step,
    Symbolic,
    Whole,
    of_kind,
    stands_for,
)

_COMPARED = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
_OPERATIONS = (
    *_COMPARED,
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
)
_OF_SERIES = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "truediv": operator.truediv,
}
_INSTEAD = {"argpartition": "use np.argsort", "partition": "use np.sort"}
_GETTING = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
_OF_SCALARS = ("item", "tolist", "round", "clip", "astype", "sum", "max", "min", "mean", "shape", "ndim", "size")
_OF_ARRAYS = {builtins.abs: np.abs, builtins.round: np.round}
_Many = (DrawnArray, np.ndarray, list, tuple)


@functools.lru_cache(maxsize=4)
def _replaced(*present: Any) -> Mapping[int, Any]:
    """The ordinary functions, by the identity of what has taken their place now."""
    return dict(zip(map(id, present), ORDINARY.values(), strict=True))


class Meanings(Containers):
    """What is done with values along one path.

    Args:
        reader: whose line is named in refusals, and whose path is forked.
        are_doubles: whether doubles decide, and not the real numbers that they stand for.
    """

    def __init__(self, reader: Reader, *, are_doubles: bool = False) -> None:
        self._reader = reader
        self.call = reader.call
        self.native = reader.native
        self.refuse = reader.refuse
        self.opened = reader.path.opened
        self._replaced = _replaced(*(getattr(builtins, name) for name in ORDINARY))
        self.shadows = DoubleShadows() if are_doubles else Shadows()
        self.objects = Objects(reader)
        self.drawn: DrawnNumbers = (DrawnDoubles if are_doubles else DrawnNumbers)(reader, self.shadows)
        drawn = self.drawn
        self.passes = PassNumbers(reader, drawn, self.shadows)
        self.of_one: Mapping[Any, Callable[[Any], Any]] = {
            **dict.fromkeys((builtins.int, math.trunc), lambda one: drawn.rounded(one, Step.TOWARDS_ZERO, int)),
            **dict.fromkeys((builtins.abs, np.abs, np.fabs, math.fabs), drawn.absolute),
            builtins.float: lambda one: drawn.fitting(of_kind(one, float)),
            **dict.fromkeys((math.log, np.log), drawn.logarithm),
            **dict.fromkeys((math.isnan, math.isinf), lambda _: False),
            math.isfinite: lambda _: True,
            math.floor: lambda one: drawn.rounded(one, Step.FLOOR, int),
            math.ceil: lambda one: drawn.rounded(one, Step.CEILING, int),
            builtins.round: lambda one: drawn.rounded(one, Step.NEAREST, int),
            np.rint: lambda one: drawn.rounded(one, Step.NEAREST, np.float64),
            np.floor: lambda one: drawn.rounded(one, Step.FLOOR, np.float64),
            np.ceil: lambda one: drawn.rounded(one, Step.CEILING, np.float64),
            np.trunc: lambda one: drawn.rounded(one, Step.TOWARDS_ZERO, np.float64),
        }
        if isinstance(drawn, DrawnDoubles):
            self.of_one = drawn.meanings(self.of_one)
        self._of_many: Mapping[Any, Callable[..., Any]] = {
            SUM: self._sum,
            divmod: lambda one, other: tuple(self.binary(op, one, other) for op in (operator.floordiv, operator.mod)),
            math.copysign: self._copied_sign,
            bisect.bisect_left: partial(self.place_among, is_left=True),
            bisect.bisect_right: self.place_among,
        }
        self.arrays = Arrays(self)
        self.series = SeriesMeanings(self)

    @property
    def line(self) -> str:
        """Where the program is."""
        return self._reader.line

    def settled(self, value: Any) -> Any:
        """A value in which roundings with finitely many values have one: each is a choice."""
        if isinstance(value, Whole):
            return self.drawn.settled(value, "a rounding") if self.drawn.is_finite(value) else value
        if type(value) in (list, tuple):
            return type(value)(map(self.settled, value))
        return {key: self.settled(one) for key, one in value.items()} if type(value) is dict else value

    def largest(self, cells: Sequence[Any]) -> int:
        """The place of the largest, the first of those that are equal."""
        ends = [0 if isinstance(one, Symbolic) else _infinite(one) for one in cells]
        if 1 in ends:
            return ends.index(1)
        left = [place for place, end in enumerate(ends) if not end]
        if not left:
            return 0
        if any(isinstance(cells[place], Drawn) for place in left):
            return left[self.drawn.largest([cells[place] for place in left])]
        best = left[0]
        for place in left[1:]:
            best = place if self.truth(self.compared(operator.gt, cells[place], cells[best])) else best
        return best

    def _least(self, cells: Sequence[Any]) -> int:
        if not any(isinstance(one, (list, tuple)) for one in cells):
            return self.largest([self.unary(operator.neg, one) for one in cells])
        best = 0
        for place in range(1, len(cells)):
            best = place if self.truth(self.compared(operator.lt, cells[place], cells[best])) else best
        return best

    def ranked(self, keys: Sequence[Any], *, reverse: bool = False) -> list[int]:
        """The places of keys in rising order, by comparisons that are read."""

        def order(one: int, other: int) -> int:
            first, second = keys[one], keys[other]
            if self.truth(self.compared(operator.lt, first, second)):
                return -1
            if isinstance(first, Linear) or isinstance(second, Linear):
                return 1
            return int(self.truth(self.compared(operator.lt, second, first)))

        return SORTED(range(len(keys)), key=functools.cmp_to_key(order), reverse=reverse)  # type: ignore[no-any-return]

    # ---- operations --------------------------------------------------------------------------------------------------

    def binary(self, op: Callable[..., Any], one: Any, other: Any, in_place: Callable[..., Any] | None = None) -> Any:
        """What an operator makes of two values."""
        if type(one) in INTEGERS and type(other) in INTEGERS and op not in DIVIDING:
            found = op(one, other)
            if type(found) in INTEGERS:
                return found
        if (own := self.objects.operated(op, one, other, in_place is not None)) is not None:
            return own[0]
        is_changed = in_place is not None and (isinstance(one, Symbolic) or self._is_symbolic(other))
        if in_place and is_changed and (changed := self._changed(op, one, other, in_place)) is not None:
            return changed[0]
        is_text = op is operator.mod and isinstance(one, (str, bytes))
        if is_text and (self._is_symbolic(other) or not self.shadows.is_faithful(other)):
            raise self._reader.refuse("the digits of a double, or of a number that is drawn, become text")
        is_of_array = isinstance(one, np.ndarray) or isinstance(other, np.ndarray)
        if any(isinstance(part, Symbolic) or (is_of_array and self._is_symbolic(part)) for part in (one, other)):
            return self._of_drawn(op, one, other)
        if self._is_symbolic(one, other) and not isinstance(one, (list, tuple)) and not isinstance(other, list):
            raise self._reader.refuse(f"{op.__name__} of containers of numbers that are drawn is not read")
        is_inexact = has_floats(one) or has_floats(other) or op in DIVIDING
        pair = self._numbers(one, other) if is_inexact else None
        is_written = in_place is not None and is_float_array(one)
        cells = self.shadows.cells(one) if is_written else None
        found = self.native(in_place or op, one, other)
        if isinstance(found, np.ndarray) and pair is not None:
            pair = [np.array(one, dtype=object) if type(one) in (list, tuple) else one for one in pair]
        if is_written and found is one:
            self.shadows.written(one, cells, lambda: None if pair is None else op(*pair))
            return found
        found = self._shadowed(found, lambda: None if pair is None else op(*pair))
        return self.arrays.noted(found, None, (one, other))

    def _changed(self, op: Callable[..., Any], one: Any, other: Any, in_place: Callable[..., Any]) -> tuple[Any] | None:
        """What an operator makes in place, for whoever else has the value; None where it makes a new one."""
        if isinstance(one, DrawnArray):
            with np.errstate(all="ignore"):
                in_place(*map(self.arrays.functions.stand_in, (one, other)))  # what NumPy refuses
            self.arrays.put(one, ..., self.binary(op, one, other))
            return (one,)
        if isinstance(one, np.ndarray):
            raise self.arrays.reopened(one)
        if isinstance(one, DrawnSeries) or is_pandas(one):
            raise self._reader.refuse("a series is changed in place by numbers that are drawn: make a new one")
        return None

    def _of_drawn(self, op: Callable[..., Any], one: Any, other: Any) -> Any:
        if isinstance(one, PASS_NUMBERS) or isinstance(other, PASS_NUMBERS):
            return self.passes.operated(op, one, other)
        if any(isinstance(part, DrawnSeries) or is_pandas(part) for part in (one, other)):
            return self.series.operated(partial(self.binary, op), one, other)
        if any(isinstance(part, _Many) for part in (one, other)):
            return self.arrays.functions.operated(op, one, other, partial(self.binary, op))
        if any(isinstance(part, (str, bytes, type(None))) for part in (one, other)):
            op(*map(self.arrays.functions.stand_in, (one, other)))
            raise self._reader.refuse("a number that is drawn is combined with text")
        return self.drawn.combined(op, one, other)

    def unary(self, op: Callable[[Any], Any], value: Any) -> Any:
        """What a sign makes of a value."""
        if (own := self.objects.called(op, [value])) is not None:
            return own[0]
        if isinstance(value, Drawn):
            return value if op is operator.pos else self.drawn.negative(value)
        if isinstance(value, DrawnArray):
            cells = self.arrays.functions.each(partial(self.unary, op), value)
            return self.arrays.of(cells, op(self.arrays.functions.stand_in(value)).dtype)
        found = self._shadowed(self.native(op, value), lambda: op(self.shadows.carried(value)))
        return self.arrays.noted(found, None, (value,))

    def compared(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
        """What a comparison says of two values."""
        if op in (operator.is_, operator.is_not) or (type(one) in INTEGERS and type(other) in INTEGERS):
            return op(one, other)
        if (own := self.objects.compared(op, one, other)) is not None:
            return own[0]
        if isinstance(one, PASS_NUMBERS) or isinstance(other, PASS_NUMBERS):
            return self.passes.compared(op, one, other)
        if isinstance(one, Symbolic) or isinstance(other, Symbolic):
            if any(isinstance(part, DrawnSeries) or is_pandas(part) for part in (one, other)):
                return self.series.operated(partial(self.compared, op), one, other)
            if isinstance(one, (DrawnArray, np.ndarray)) or isinstance(other, (DrawnArray, np.ndarray)):
                return self.arrays.functions.operated(op, one, other, partial(self.compared, op))
            return self.drawn.ordered(op, one, other)
        if self._is_symbolic(one, other):
            if op in ORDERS and type(one) is type(other) and type(one) in (list, tuple):
                return self._first_differing(op, one, other)
            raise self._reader.refuse("numbers that are drawn are compared inside of containers")
        found = self.native(op, one, other)
        if has_finite_floats(one) or has_finite_floats(other):
            self._agree(found, lambda: op(*self._carried(one, other)), one, other)
        return found

    def _first_differing(self, op: Callable[[Any, Any], Any], one: Sequence[Any], other: Sequence[Any]) -> Any:
        """A comparison of two sequences: by their first members that differ."""
        for a, b in zip(one, other, strict=False):
            if a is b:
                continue
            is_real = isinstance(a, Linear) or isinstance(b, Linear)
            if is_real or not self.truth(self.compared(operator.eq, a, b)):
                return self.truth(self.compared(op, a, b))
        return op(len(one), len(other))

    def truth(self, value: Any) -> bool:
        """Whether a value is true."""
        if type(value) in INTEGERS:
            return bool(value)
        if isinstance(value, Whole):
            return bool(self.drawn.ordered(operator.ne, value, 0))
        if isinstance(value, Symbolic):
            raise self._reader.refuse("the truth of a number that is drawn: in real numbers it is never 0")
        if isinstance(value, (float, np.floating)) and self.shadows.is_noted(value):
            return bool(self.compared(operator.ne, value, 0))
        if (own := self.objects.truth(value)) is not None:
            return own
        return self.native(bool, value)  # type: ignore[no-any-return]

    def attribute(self, holder: Any, name: str) -> Any:
        """The attribute of a value."""
        if isinstance(holder, (DrawnArray, DrawnSeries)):
            kind = self.arrays if isinstance(holder, DrawnArray) else self.series
            found = kind.attribute(holder, name)  # type: ignore[arg-type]
            return DrawnMethod(found) if isinstance(found, (FunctionType, partial)) else found
        if isinstance(holder, Drawn) and issubclass(holder.kind, np.generic) and name in _OF_SCALARS:
            return self.attribute(DrawnArray(self.arrays.cells(holder), np.dtype(holder.kind)), name)
        if isinstance(holder, PASS_NUMBERS):
            return self.passes.attribute(holder, name)
        if isinstance(holder, Symbolic):
            raise self._reader.refuse(f".{name} of a number that is drawn")
        is_name = name in ("__name__", "__doc__")
        if name == "__traceback__" or (stands_for(holder) is not holder and not is_name):
            raise self._reader.refuse(f".{name} is not read")
        is_private = name.startswith("_") or not callable(getattr(type(holder), name, None))
        if isinstance(holder, GENERATORS) and is_private:
            raise self._reader.refuse(f".{name} of a generator is not read")
        if (own := self.objects.attribute(holder, name)) is not None:
            return own[0]
        return self._reader.constant(holder, name, self.native(getattr, holder, name))

    def set_attribute(self, holder: Any, name: str, value: Any) -> None:
        """Set the attribute of a value."""
        if not self.objects.set_attribute(holder, name, value):
            self.native(setattr, holder, name, value)

    # ---- functions ---------------------------------------------------------------------------------------------------

    def called(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a function that is not the program's own."""
        if type(function) is type and function in WHOLE and not named and WHOLE.issuperset(map(type, arguments)):
            return function(*arguments)
        if (own := self.objects.called(function, arguments)) is not None:
            return own[0]
        function = self._replaced.get(id(function), function)
        if (firsts := self._first_of(function, *arguments, **named)) is not None:
            return firsts
        if function is builtins.bool and len(arguments) == 1 and not named:
            return self.truth(arguments[0])
        if self._is_symbolic(arguments, named, getattr(function, "__self__", None)):
            return self._of_symbols(function, arguments, named)
        self._check_given(function, arguments, named)
        if function is builtins.isinstance:
            arguments = tuple(map(stands_for, arguments))
        if function in ORDERING and (found := self._ranked(function, arguments, named)) is not None:
            return found[0]
        if function is SUM and arguments:
            arguments = (list(self.iterated(arguments[0])), *arguments[1:])
            if not is_plain(arguments):
                return self._sum(*arguments, **named)
        self._check_looked_up(function, arguments)
        return self._by_native(function, arguments, named)

    def _first_of(self, function: Any, *arguments: Any, **named: Any) -> list[Any] | None:
        """What `heapq.nlargest` and `nsmallest` give, as documented: the first members of a sorted list."""
        if function not in (heapq.nlargest, heapq.nsmallest) or not 1 < len(arguments) < 4:
            return None
        count, members, *key = arguments
        given = {"reverse": function is heapq.nlargest, **dict(zip(("key",), key, strict=False)), **named}
        ordered: list[Any] = self.called(SORTED, (members,), given)
        return ordered[: max(count, 0)]

    def _ranked(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any] | None:
        """What `min`, `max` or `sorted` gives, by comparisons that are read."""
        key, rest = named.get("key"), {name: one for name, one in named.items() if name != "key"}
        is_one = len(arguments) == 1
        if not arguments or (is_one and type(arguments[0]) in PLAIN and not isinstance(arguments[0], (str, range))):
            return None
        if is_one and isinstance(arguments[0], (set, frozenset)) and key is None:  # whose members all differ
            members = [*arguments[0]]
        else:
            members = list(self.iterated(arguments[0])) if is_one else list(arguments)
        keys = members if key is None else [self.call(key, (one,), {}) for one in members]
        are_drawn = self._is_symbolic(keys)
        if not are_drawn and not any(map(has_floats, keys)) and is_plain(keys):
            return (function(members, **rest) if key is None else function(members, key=next_of(keys), **rest),)
        if not members:
            return (function(members, **rest),)
        if function is SORTED:
            is_reversed = self.truth(rest.get("reverse", False))
            return ([members[place] for place in self.ranked(keys, reverse=is_reversed)],)
        if function is MAX and any(isinstance(one, (list, tuple)) for one in keys):
            best = 0
            for place in range(1, len(keys)):
                best = place if self.truth(self.compared(operator.gt, keys[place], keys[best])) else best
            return (members[best],)
        return (members[self.largest(keys) if function is MAX else self._least(keys)],)

    def _of_symbols(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The table itself."""
        if arguments and not named and any(isinstance(one, PASS_NUMBERS) for one in arguments):
            return self.passes.called(function, arguments)
        owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
        if function in HOLDING or name in MOVING.get(type(owner), ()) or isinstance(function, _GETTING):
            holds = list if function in (len, reversed) else iter
            given = (
                holds(self.iterated(one)) if isinstance(one, (DrawnArray, DrawnSeries)) else one for one in arguments
            )
            return self.native(function, *given, **named)
        if function is builtins.isinstance and isinstance(arguments[0], Symbolic):
            return isinstance(self.arrays.functions.stand_in(arguments[0]), arguments[1])
        if function in ORDERING and (ranked := self._ranked(function, arguments, named)) is not None:
            return ranked[0]
        if isinstance(owner, (list, tuple)) and name == "index" and len(arguments) == 1:
            return self._place(owner, arguments[0])
        if isinstance(owner, (list, tuple, dict)) and name == "__getitem__" and not named:
            return self.item(owner, *arguments)
        return self._of_table(function, arguments, named)

    def _of_table(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        if function is getattr(sys.modules.get("pandas"), "Series", None):
            return self.arrays.checked("Series", self.series.made)(*arguments, **named)
        owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
        if function in _OPERATIONS and not named:
            return (self.compared if function in _COMPARED else self.binary)(function, *arguments)
        if is_series(owner) and name in _OF_SERIES and len(arguments) == 1 and not named:
            return self.binary(_OF_SERIES[name], owner, arguments[0])
        if function in (copy.copy, copy.deepcopy) and len(arguments) == 1 and not named:
            return self.copied(arguments[0], {} if function is copy.deepcopy else None)
        if function is itertools.accumulate and len(arguments) == 1 and not named:
            return itertools.accumulate(self.iterated(arguments[0]), partial(self.binary, operator.add))
        arguments = [one.values if isinstance(one, DrawnSeries) else one for one in arguments]
        first, *rest = arguments or (None,)
        meaning = None if rest or named or is_numpy(function) else self.of_one.get(function)
        if meaning is not None and isinstance(first, Drawn):
            return meaning(first)
        if not named and function in self._of_many:
            return self._of_many[function](*arguments)
        if function is builtins.round and isinstance(first, Drawn) and len(rest) + len(named) == 1:
            (digits,) = (*rest, *named.values())
            if digits is None:
                return self.of_one[function](first)
            kind = float if first.kind is float else first.kind
            return self.drawn.rounded(first, Step.NEAREST, kind, int(digits))
        if isinstance(first, DrawnArray):
            function = _OF_ARRAYS.get(function, function)
        if (made := self.arrays.functions.called(function, arguments, named)) is not None:
            return made[0]
        settled = self.settled((list(arguments), dict(named)))
        if not self._is_symbolic(owner) and not self._is_symbolic(
            self.arrays.closed(settled[0]), *map(self.arrays.closed, settled[1].values())
        ):
            given, others = settled
            return self.arrays.on_plain(partial(self.called, function), given, others, function)
        raise self._reader.refuse(
            f"{spoken(function)} of a number that is drawn is not read: "
            f"{_INSTEAD.get(getattr(function, '__name__', ''), 'compute it before the draw, or use --sampled')}"
        )

    def _place(self, members: Sequence[Any], one: Any) -> int:
        """The place of a member, before which no other may equal it but at the ends of the path."""
        for place, other in enumerate(members):
            if other is one:
                return place
            is_real = isinstance(one, Linear) or isinstance(other, Linear)
            if not (is_real and self.drawn.are_ordered(one, other)) and self.truth(
                self.compared(operator.eq, other, one)
            ):
                return place
        raise ValueError("a number that is drawn is not in list")

    def place_among(self, members: Sequence[Any], one: Any, *, is_left: bool = False) -> int:
        """Where a number stands among rising ones: before those that are equal to it, or behind them."""
        op = operator.lt if is_left else operator.le
        is_above = (place for place, other in enumerate(members) if not self.truth(self.compared(op, other, one)))
        return next(is_above, len(members))

    def _copied_sign(self, one: Any, other: Any) -> Any:
        size = self.drawn.absolute(one) if isinstance(one, Drawn) else self.called(math.fabs, (one,), {})
        is_negative = self.truth(self.compared(operator.lt, other, 0))
        return self.unary(operator.neg, size) if is_negative else size

    def _sum(self, given: Any, start: Any = 0) -> Any:
        total = start
        for one in self.iterated(given):
            total = self.binary(operator.add, total, one)
        return total


def _infinite(value: Any) -> int:
    """1 or −1 where a number is infinite."""
    is_float = isinstance(value, (float, np.floating)) and math.isinf(value)
    return int(math.copysign(1, value)) if is_float else 0
