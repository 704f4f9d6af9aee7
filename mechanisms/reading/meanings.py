"""The table of meanings: what operations, functions and methods do with numbers that are drawn, and with doubles.

An operation whose operands depend on no draw is the interpreter's own. Beside its result stands the exact number that
it means; where the double and that number say different things, the line is refused.
"""

from __future__ import annotations

import builtins
import functools
import math
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from stirred.mechanisms.reading.arrays import Arrays
from stirred.mechanisms.reading.drawn_doubles import DoubleShadows, DrawnDoubles
from stirred.mechanisms.reading.drawn_numbers import DrawnNumbers
from stirred.mechanisms.reading.known_functions import (
    ASKING,
    CONSTANT,
    DIGITS,
    DIVIDING,
    EXACT_MATH,
    HOLDING,
    LOOKING,
    MAX,
    MIN,
    MOST_STEPS,
    ORDERING,
    ORDINARY,
    RUNNING,
    SORTED,
    SUM,
    TELLING,
    WHOLE,
    has_finite_floats,
    has_floats,
    is_container,
    is_float_array,
    is_numpy,
    is_whole,
    kind_name,
    needed,
    next_of,
    rounded,
    spoken,
    truncated,
)
from stirred.mechanisms.reading.objects import Objects
from stirred.mechanisms.reading.refusal import GENERATORS, MOVING, Reader, Refusal, is_plain
from stirred.mechanisms.reading.shadows import Shadows, array_of, differ
from stirred.mechanisms.reading.symbols import (
    Drawn,
    DrawnArray,
    Step,
    Stepped,
    Symbolic,
    is_symbolic,
    stands_for,
)


class Meanings:
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
        self._replaced = {id(getattr(builtins, name)): plain for name, plain in ORDINARY.items()}
        self.shadows = DoubleShadows() if are_doubles else Shadows()
        self.objects = Objects(reader)
        self.drawn: DrawnNumbers = (DrawnDoubles if are_doubles else DrawnNumbers)(reader, self.shadows)
        drawn = self.drawn
        self._of_one: Mapping[Any, Callable[[Any], Any]] = {
            **dict.fromkeys((builtins.int, math.trunc), lambda one: drawn.rounded(one, Step.TOWARDS_ZERO, int)),
            **dict.fromkeys((np.round, np.rint, np.around), lambda one: drawn.rounded(one, Step.NEAREST, np.float64)),
            **dict.fromkeys((builtins.abs, np.abs, np.absolute, math.fabs), drawn.absolute),
            **{kind: partial(replace, kind=kind) for kind in (builtins.float, np.float64)},
            **dict.fromkeys((math.log, np.log), drawn.logarithm),
            math.floor: lambda one: drawn.rounded(one, Step.FLOOR, int),
            math.ceil: lambda one: drawn.rounded(one, Step.CEILING, int),
            builtins.round: lambda one: drawn.rounded(one, Step.NEAREST, int),
            np.floor: lambda one: drawn.rounded(one, Step.FLOOR, np.float64),
            np.ceil: lambda one: drawn.rounded(one, Step.CEILING, np.float64),
            np.trunc: lambda one: drawn.rounded(one, Step.TOWARDS_ZERO, np.float64),
        }
        if isinstance(drawn, DrawnDoubles):
            self._of_one = drawn.meanings(self._of_one)
        self._of_many: Mapping[Any, Callable[..., Any]] = {
            MIN: partial(self._best, operator.lt),
            MAX: partial(self._best, operator.gt),
            SUM: self._sum,
            math.copysign: self._copied_sign,
        }
        self.arrays = Arrays(self)

    def is_of_one(self, function: Any) -> bool:
        """Whether a function has a meaning for one number that is drawn."""
        return function in self._of_one

    def settled(self, value: Any) -> Any:
        """A value in which roundings with finitely many values have one: each is a choice."""
        if isinstance(value, Stepped):
            return self.drawn.settled(value, "a rounding") if self.drawn.is_finite(value) else value
        if type(value) in (list, tuple):
            return type(value)(map(self.settled, value))
        return {key: self.settled(one) for key, one in value.items()} if type(value) is dict else value

    def _is_symbolic(self, *values: Any) -> bool:
        return self.drawn.is_used and any(map(is_symbolic, values))

    def largest(self, cells: Sequence[Any]) -> int:
        """The place of the largest, the first of those that are equal."""
        if any(isinstance(one, Drawn) for one in cells):
            return self.drawn.largest(cells)
        best = 0
        for place in range(1, len(cells)):
            best = place if self.truth(self.compared(operator.gt, cells[place], cells[best])) else best
        return best

    # ---- operations --------------------------------------------------------------------------------------------------

    def binary(self, op: Callable[..., Any], one: Any, other: Any, in_place: Callable[..., Any] | None = None) -> Any:
        """What an operator makes of two values."""
        if (own := self.objects.operated(op, one, other, in_place is not None)) is not None:
            return own[0]
        if in_place is not None and isinstance(one, DrawnArray):  # whoever else has the array sees it
            self.arrays.put(one, ..., self.binary(op, one, other))
            return one
        if in_place is not None and isinstance(one, np.ndarray) and isinstance(other, Symbolic):
            raise self._reader.refuse("an array is changed in place by a number that is drawn: make a new one")
        is_text = op is operator.mod and isinstance(one, (str, bytes))
        if is_text and (self._is_symbolic(other) or not self.shadows.is_faithful(other)):
            raise self._reader.refuse("the digits of a double, or of a number that is drawn, become text")
        if isinstance(one, Drawn) or isinstance(other, Drawn):
            if isinstance(one, (list, tuple, str, bytes)) or isinstance(other, (list, tuple, str, bytes)):
                raise TypeError(f"unsupported operand type(s): {kind_name(one)} and {kind_name(other)}")
            if not any(isinstance(part, (np.ndarray, DrawnArray)) for part in (one, other)):
                return self.drawn.combined(op, one, other)
        if any(isinstance(part, (DrawnArray, Drawn)) for part in (one, other)):
            if op is operator.matmul:
                return self.arrays.product(one, other)
            return self.arrays.both(lambda a, b: self.binary(op, a, b), one, other)
        if self._is_symbolic(one, other) and not isinstance(one, (list, tuple)):
            raise self._reader.refuse(f"{op.__name__} of containers of numbers that are drawn is not read")
        is_inexact = has_floats(one) or has_floats(other) or op in DIVIDING
        pair = self._numbers(one, other) if is_inexact else None
        found = self.native(in_place or op, one, other)
        return self._shadowed(found, lambda: None if pair is None else op(*pair))

    def _numbers(self, *values: Any) -> list[Any] | None:
        """The exact numbers of operands; None where some are not known."""
        try:
            return [self.shadows.carried(one, has_integers=True) for one in values]
        except ValueError:
            return None

    def unary(self, op: Callable[[Any], Any], value: Any) -> Any:
        """What a sign makes of a value."""
        if (own := self.objects.called(op, [value])) is not None:
            return own[0]
        if isinstance(value, Drawn):
            return value if op is operator.pos else self.drawn.negative(value)
        if isinstance(value, DrawnArray):
            return self.arrays.each(lambda one: self.unary(op, one), value)
        return self._shadowed(self.native(op, value), lambda: op(self.shadows.carried(value)))

    def compared(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
        """What a comparison says of two values."""
        if op in (operator.is_, operator.is_not):
            return op(one, other)
        if (own := self.objects.compared(op, one, other)) is not None:
            return own[0]
        if (
            isinstance(one, DrawnArray)
            or isinstance(other, DrawnArray)
            or (isinstance(one, Symbolic) and isinstance(other, np.ndarray))
            or (isinstance(other, Symbolic) and isinstance(one, np.ndarray))
        ):
            return self.arrays.both(lambda a, b: self.compared(op, a, b), one, other)
        if isinstance(one, Drawn) or isinstance(other, Drawn):
            return self.drawn.ordered(op, one, other)
        if self._is_symbolic(one, other):
            raise self._reader.refuse("numbers that are drawn are compared inside of containers")
        found = self.native(op, one, other)
        if has_finite_floats(one) or has_finite_floats(other):
            self._agree(found, lambda: op(*self._carried(one, other)), one, other)
        return found

    def _carried(self, *values: Any) -> list[Any]:
        """The exact numbers of operands.

        Raises:
            ValueError: some are not known.
        """
        return [self.shadows.carried(one, has_integers=True) for one in values]

    def truth(self, value: Any) -> bool:
        """Whether a value is true."""
        if isinstance(value, Stepped):
            return bool(self.drawn.ordered(operator.ne, value, 0))
        if isinstance(value, Symbolic):
            raise self._reader.refuse("the truth of a number that is drawn: in real numbers it is never 0")
        if isinstance(value, (float, np.floating)) and self.shadows.is_noted(value):
            return bool(self.compared(operator.ne, value, 0))
        if (own := self.objects.truth(value)) is not None:
            return own
        return self.native(bool, value)  # type: ignore[no-any-return]

    def _agree(self, found: Any, exactly: Callable[[], Any], *operands: Any) -> None:
        """Refuse a line at which doubles and exact numbers say different things."""
        if isinstance(self.shadows, DoubleShadows):
            return
        try:
            exact = exactly()
        except (TypeError, ValueError, ArithmeticError):
            exact = NotImplemented
        if exact is NotImplemented or differ(found, exact):
            numbers = self._numbers(*operands) or ["numbers that are not known"]
            raise self._reader.refuse(
                f"doubles and real numbers differ here: {' and '.join(map(repr, operands))} stand for "
                f"{' and '.join(map(str, numbers))}"
            )

    def _shadowed(self, found: Any, exactly: Callable[[], Any]) -> Any:
        """A result, with the exact number that it means."""
        if not has_floats(found):
            return found
        try:
            exact = exactly()
        except (TypeError, ValueError, ArithmeticError):
            exact = None
        return self.shadows.noted(found, exact)

    # ---- containers --------------------------------------------------------------------------------------------------

    def iterated(self, value: Any) -> Iterable[Any]:
        """The members of a value, one by one."""
        if isinstance(value, DrawnArray):
            return self.arrays.members(value)
        if isinstance(value, Drawn):
            raise TypeError("'float' object is not iterable")
        if isinstance(value, (set, frozenset)) and len(value) > 1:
            raise self._reader.refuse("the order of a set is another one in each process: iterate over sorted(…)")
        if isinstance(value, np.ndarray) and value.ndim and value.dtype.kind == "f":
            return (self.item(value, place) for place in range(len(value)))  # which it may change meanwhile
        if is_plain(value, 0):
            return value  # type: ignore[no-any-return]
        return self._stepped(value) if (own := self.objects.members(value)) is None else own

    def _stepped(self, value: Any) -> Iterator[Any]:
        """The members of a library's object, each of which may run code of the program's."""
        left, end = self.native(iter, value), object()
        while (one := self.native(next, left, end)) is not end:
            yield one

    def index(self, value: Any) -> Any:
        """A value as part of an index."""
        if isinstance(value, Stepped):
            return self.drawn.settled(value, "an index")
        if isinstance(value, Symbolic):
            raise self._reader.refuse("a number that is drawn as an index")
        return value

    def item(self, holder: Any, key: Any) -> Any:
        """The member of a container by its key."""
        if (own := self.objects.called(operator.getitem, [holder, key])) is not None:
            return own[0]
        key = self.index(key)
        if isinstance(holder, DrawnArray):
            return self.arrays.item(holder, key)
        if isinstance(holder, dict):
            self._check_key(holder, key)
        found = self.native(operator.getitem, holder, key)
        if isinstance(holder, np.ndarray) and holder.dtype.kind == "f":
            cells = self.shadows.cells(holder)
            return found if cells is None else self.shadows.note(found, cells[key])
        return found

    def set_item(self, holder: Any, key: Any, value: Any) -> None:
        """Put a value into a container."""
        if self.objects.called(operator.setitem, [holder, key, value]) is not None:
            return
        key = self.index(key)
        if isinstance(holder, DrawnArray):
            self.arrays.put(holder, key, value)
            return
        if isinstance(value, Symbolic) and not isinstance(holder, (list, dict)):
            raise self._reader.refuse(
                f"a number that is drawn is put into {kind_name(holder)}: only lists and dicts hold one"
            )
        if isinstance(holder, np.ndarray) and holder.dtype.kind == "f":
            cells, given = self.shadows.cells(holder), self._numbers(value)
            holder[key] = value
            if cells is not None:
                cells[key] = None if given is None else given[0]
                self.shadows.note(holder, cells)
            return
        if isinstance(holder, dict):
            self._check_key(holder, key)
        self.native(operator.setitem, holder, key, value)

    def _check_key(self, holder: Iterable[Any], key: Any) -> None:
        """Refuse a key of which doubles and exact numbers say differently whether it is there."""
        for other in holder if has_floats(key) or any(map(has_floats, holder)) else ():
            self.compared(operator.eq, key, other)

    def hashed(self, members: Sequence[Any], kind: Callable[[Iterable[Any]], Any]) -> Any:
        """A set of members."""
        if self._is_symbolic(members):
            raise self._reader.refuse("a set of numbers that are drawn")
        for place, one in enumerate(members):
            self._check_key(members[:place], one)
        return self.native(kind, members)

    def attribute(self, holder: Any, name: str) -> Any:
        """The attribute of a value."""
        if isinstance(holder, DrawnArray):
            return self.arrays.attribute(holder, name)
        if isinstance(holder, Symbolic):
            raise self._reader.refuse(f".{name} of a number that is drawn")
        is_name = name in ("__name__", "__doc__")
        is_of_run = holder is sys and name in RUNNING
        if name == "__traceback__" or is_of_run or (stands_for(holder) is not holder and not is_name):
            raise self._reader.refuse(f".{name} is not read")
        is_private = name.startswith("_") or not callable(getattr(type(holder), name, None))
        if isinstance(holder, GENERATORS) and is_private:
            raise self._reader.refuse(f".{name} of a generator is not read")
        if (own := self.objects.attribute(holder, name)) is not None:
            return own[0]
        return self.native(getattr, holder, name)

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
        if function is builtins.bool and len(arguments) == 1 and not named:
            return self.truth(arguments[0])
        if self._is_symbolic(arguments, named, getattr(function, "__self__", None)):
            return self._of_symbols(function, arguments, named)
        self._check_given(function, arguments, named)
        if function is builtins.isinstance:
            arguments = tuple(map(stands_for, arguments))
        if function in ORDERING:
            if len(arguments) == 1 and not isinstance(arguments[0], (set, frozenset)):
                arguments = (list(self.iterated(arguments[0])),)
            if (found := self._ranked(function, arguments, named)) is not None:
                return found[0]
        if function is SUM and arguments:
            arguments = (list(self.iterated(arguments[0])), *arguments[1:])
            if not is_plain(arguments):
                return self._sum(*arguments, **named)
        self._check_looked_up(function, arguments)
        return self._by_native(function, arguments, named)

    def _check_looked_up(self, function: Any, arguments: Sequence[Any]) -> None:
        """Refuse to look up a float of which doubles and exact numbers say different things, or what has no order."""
        owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
        if isinstance(owner, (list, tuple)) and name in ("index", "count", "remove"):
            self._check_key(owner, arguments[0])
        if (isinstance(owner, dict) and name in ("get", "pop", "setdefault")) or isinstance(owner, set):
            self._check_key(owner, arguments[0] if arguments else None)
        if function in (builtins.id, builtins.hash) or name in ("id", "hash"):
            raise self._reader.refuse(f"{spoken(function)} is another one in each process")
        if function in HOLDING and function not in (len, range):
            for one in arguments:
                self.iterated(one) if isinstance(one, (set, frozenset)) else None

    def _by_native(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        if function in (*HOLDING, builtins.map, builtins.filter, SUM, *ORDERING):
            arguments = [self._spread(function, one) for one in arguments]
        arrays = [one for one in (*arguments, getattr(function, "__self__", None)) if is_float_array(one)]
        before = [one.copy() for one in arrays]
        found = self.native(function, *arguments, **named)
        for array, copied in zip(arrays, before, strict=True):
            if array.shape != copied.shape or not np.array_equal(array, copied, equal_nan=True):
                self.shadows.changed(array)
        return self._meant(function, found, arguments, named)

    def _spread(self, function: Any, value: Any) -> Any:
        """An array of floats as its members, of which it stays known what they stand for."""
        if not is_float_array(value) or not value.ndim or function in (builtins.len, builtins.range):
            return value
        return list(self.iterated(value)) if function in (builtins.reversed, *ORDERING) else iter(self.iterated(value))

    def _check_given(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Refuse to hand a generator to a function that is not read."""
        if function in (builtins.isinstance, builtins.callable, functools.partial):
            return
        if function in ASKING and any(stands_for(one) is not one for one in arguments):
            raise self._reader.refuse(f"{spoken(function)} of a function is not read")
        if getattr(function, "__name__", "") in LOOKING or getattr(function, "__module__", "") == "inspect":
            raise self._reader.refuse(f"{spoken(function)} looks at how the program is run, and is not read")
        for one in (*arguments, *named.values()):
            given = getattr(one, "__self__", one)
            if isinstance(given, GENERATORS) or any(one is kind for kind in GENERATORS):
                raise self._reader.refuse(f"{spoken(function)} is given a generator, and is not read")

    def _ranked(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any] | None:
        """What `min`, `max` or `sorted` gives, by comparisons that are read; None where no float is compared."""
        key, rest = named.get("key"), {name: one for name, one in named.items() if name != "key"}
        is_one = len(arguments) == 1
        if not arguments or (is_one and not isinstance(arguments[0], Iterable)):
            return None
        if is_one and isinstance(arguments[0], (set, frozenset)) and key is None:  # whose members all differ
            members = [*arguments[0]]
        else:
            members = list(self.iterated(arguments[0])) if is_one else list(arguments)
        keys = members if key is None else [self.call(key, (one,), {}) for one in members]
        if not any(map(has_floats, keys)):
            return None if key is None else (function(members, key=next_of(keys), **rest),)

        def order(one: Any, other: Any) -> int:
            first, second = keys[one], keys[other]
            if self.truth(self.compared(operator.lt, first, second)):
                return -1
            return int(self.truth(self.compared(operator.lt, second, first)))

        found = function(range(len(members)), key=functools.cmp_to_key(order), **rest)
        return ([members[place] for place in found] if function is SORTED else members[found],)

    def _meant(self, function: Any, found: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a native call, with the exact number that it means, where it is known."""
        if function in CONSTANT:
            return self._filled(found, [*arguments[1:2], *(named[name] for name in ("fill_value",) if name in named)])
        given = [getattr(function, "__self__", None), *arguments, *named.values()]
        is_faithful = all(map(self.shadows.is_faithful, given))
        if function in TELLING or is_container(function) or (found is None and is_faithful):
            return found
        exactly = self._exactly(function, arguments, named)
        if has_floats(found):
            exact = None
            if exactly is not None:
                with suppress(TypeError, ValueError, ArithmeticError, AttributeError):
                    exact = exactly()
            is_known = exact is not None and np.shape(exact) == np.shape(found)
            if not is_known and not all(map(self.shadows.is_exact, given)):
                raise self._blind(function)
            return self.shadows.noted(found, exact if is_known else None)
        if exactly is not None and is_whole(found):
            if any(map(has_finite_floats, given)):
                self._agree(found, exactly, *arguments)
            return found
        is_digital = getattr(function, "__name__", "") in DIGITS
        if not is_faithful or (is_digital and not all(map(self.shadows.is_exact, given))):
            raise self._blind(function)
        return found

    def _blind(self, function: Any) -> Refusal:
        return self._reader.refuse(
            f"{spoken(function)} is given doubles that differ from the real numbers that they stand for, and is not "
            "read"
        )

    def _filled(self, found: Any, fill: Sequence[Any]) -> Any:
        """An array that holds one number, written or given."""
        if not fill or not is_float_array(found) or found.size > MOST_STEPS:
            return found
        return self.shadows.note(found, array_of([self.shadows.of(fill[0])] * found.size, found.shape))

    def _exactly(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Callable[[], Any] | None:
        """The same call, carried out on exact numbers; None where it has no such meaning."""
        shadows, owner = self.shadows, getattr(function, "__self__", None)
        if function in EXACT_MATH and len(arguments) == 1 and not named:
            return lambda: EXACT_MATH[function](needed(shadows.of(arguments[0])))
        if function is builtins.round:
            return lambda: rounded(needed(shadows.of(arguments[0])), *arguments[1:], **named)
        if function is SUM or is_numpy(function):
            is_elementwise = isinstance(function, np.ufunc)
            return lambda: function(
                *(shadows.carried(one, has_integers=is_elementwise) for one in arguments),
                **{name: shadows.carried(one) for name, one in named.items() if name != "dtype"},
            )
        if isinstance(owner, np.ndarray) and function.__name__ == "astype":
            if np.dtype(arguments[0] if arguments else named["dtype"]).kind not in "iu":
                return None
            return lambda: array_of(map(truncated, shadows.carried(owner).ravel()), owner.shape)
        if isinstance(owner, np.ndarray):
            return lambda: getattr(shadows.carried(owner), function.__name__)(
                *map(shadows.carried, arguments), **{name: shadows.carried(one) for name, one in named.items()}
            )
        return None

    def _of_symbols(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The table itself."""
        owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
        if function in HOLDING or name in MOVING.get(type(owner), ()):
            return self.native(
                function,
                *(list(self.iterated(one)) if isinstance(one, DrawnArray) else one for one in arguments),
                **named,
            )
        if function is builtins.isinstance and isinstance(arguments[0], Drawn):
            return isinstance(arguments[0].kind(0), arguments[1])
        first, *rest = arguments or (None,)
        meaning = None if rest or named else self._of_one.get(function)
        if meaning is not None and isinstance(first, Drawn):
            return meaning(first)
        if not named and function in self._of_many:
            return self._of_many[function](*arguments)
        if (
            function in (builtins.round, np.round, np.around)
            and isinstance(first, Drawn)
            and len(rest) + len(named) == 1
        ):
            (digits,) = (*rest, *named.values())
            kind = float if function is builtins.round else np.float64
            return (
                self.drawn.rounded(first, Step.NEAREST, kind, int(digits))
                if digits is not None
                else self._of_one[function](first)
            )
        if (made := self.arrays.called(function, arguments, named)) is not None:
            return made[0]
        settled = self.settled((list(arguments), dict(named)))
        if not self._is_symbolic(settled):
            return self.called(function, *settled)
        raise self._reader.refuse(
            f"{spoken(function)} of a number that is drawn is not read: compute it before the draw, or use --sampled"
        )

    def _best(self, is_better: Callable[[Any, Any], Any], *given: Any) -> Any:
        members = list(self.iterated(given[0])) if len(given) == 1 else given
        best = members[0]
        for one in members[1:]:
            best = one if self.compared(is_better, one, best) else best
        return best

    def _copied_sign(self, one: Any, other: Any) -> Any:
        size = self.drawn.absolute(one) if isinstance(one, Drawn) else self.called(math.fabs, (one,), {})
        is_negative = self.truth(self.compared(operator.lt, other, 0))
        return self.unary(operator.neg, size) if is_negative else size

    def _sum(self, given: Any, start: Any = 0) -> Any:
        total = start
        for one in self.iterated(given):
            total = self.binary(operator.add, total, one)
        return total
