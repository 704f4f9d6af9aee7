"""NumPy's functions of arrays with cells that are drawn, cell by cell.

NumPy itself carries out each function on a stand-in, an ordinary array of ones, first: it says what is refused, and the
type and shape of the result, into which the cells are put.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from stirred.mechanisms.reading.known_functions import spoken
from stirred.mechanisms.reading.shadows import array_of
from stirred.mechanisms.reading.symbols import Drawn, DrawnArray, Step

_MOVING = tuple(
    getattr(np, name)
    for name in (
        *("concatenate", "append", "stack", "vstack", "hstack", "column_stack", "reshape", "ravel", "transpose"),
        *("squeeze", "expand_dims", "tile", "repeat", "roll", "flip", "take", "delete", "insert", "copy", "diag"),
        *("atleast_1d", "atleast_2d", "broadcast_to", "swapaxes", "fliplr", "flipud", "split", "array_split"),
    )
)
"""Functions that move cells, and look at none."""

_MAKING = (np.array, np.float64, np.int64)
_SAME = (np.asarray, np.asanyarray, np.ascontiguousarray)
_JOINING = (np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack)
_LIKE = (np.zeros_like, np.ones_like, np.empty_like)

_ORDERS: Mapping[Any, Callable[..., Any]] = {
    np.less: operator.lt,
    np.less_equal: operator.le,
    np.greater: operator.gt,
    np.greater_equal: operator.ge,
    np.equal: operator.eq,
    np.not_equal: operator.ne,
}
_OPERATORS: Mapping[Any, Callable[..., Any]] = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.divide: operator.truediv,
    np.floor_divide: operator.floordiv,
    np.mod: operator.mod,
    np.power: operator.pow,
}


class ArrayFunctions:
    """The table of NumPy's functions.

    Args:
        arrays: makes arrays.
        meanings: of operations on cells.
    """

    def __init__(self, arrays: Any, meanings: Any) -> None:
        self._arrays = arrays
        self._meanings = meanings

    def _handler(self, function: Any) -> Callable[..., Any] | None:
        """What does a function; None where it has no meaning here."""
        if not isinstance(function, Hashable):
            return None
        for does, table in _TABLES:
            if function in table:
                return partial(does, self, table[function])
        if isinstance(function, np.ufunc) and function in self._meanings.of_one:
            return partial(self.each, partial(self._one, function))
        return None

    def called(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any] | None:
        """What a function makes of arrays or numbers; None where it has no meaning here."""
        if (handler := self._handler(function)) is None:
            return None
        given = [*arguments[:1], *map(self._arrays.closed, arguments[1:])]
        if function in _LIKE:
            return (self._meanings.called(function, (self.stand_in(given[0]), *given[1:]), named),)
        does: Any = function
        with np.errstate(all="ignore"):
            like = does(*map(self.stand_in, given), **{name: self.stand_in(one) for name, one in named.items()})
        try:
            named = {name: one for name, one in named.items() if name not in ("dtype", "keepdims")}
            found = handler(*given, **named)
        except Exception as error:
            raise self._meanings.refuse(f"{spoken(function)} with these arguments is not read ({error})") from None
        if isinstance(like, list):
            return ([self._like(*pair, given) for pair in zip(found, like, strict=True)],)
        return (self._like(found, like, given),)

    def _like(self, found: Any, like: Any, given: Sequence[Any]) -> Any:
        """Cells as a result of the type and shape of a stand-in; a view where the function gives one."""
        dtype, shape = like.dtype, like.shape
        cells = found if isinstance(found, np.ndarray) else array_of([found], ())
        holders = [one for one in given if isinstance(one, DrawnArray) and np.may_share_memory(one.cells, cells)]
        if holders and cells.shape == shape and dtype == holders[0].dtype:
            return holders[0] if cells is holders[0].cells else DrawnArray(cells, dtype)
        return self._arrays.of(cells.reshape(shape), dtype)

    def stand_in(self, value: Any) -> Any:
        """The value, with 1 in the place of each number that is drawn."""
        if isinstance(value, DrawnArray):
            cells = [1 if isinstance(one, Drawn) else one for one in value.cells.ravel()]
            return np.array(cells, dtype=value.dtype).reshape(value.cells.shape)
        if isinstance(value, Drawn):
            return value.kind(1)
        return type(value)(map(self.stand_in, value)) if type(value) in (list, tuple) else value

    def operated(self, op: Callable[[Any, Any], Any], one: Any, other: Any, does: Callable[[Any, Any], Any]) -> Any:
        """What an operator makes of two values, one of which is an array."""
        with np.errstate(all="ignore"):
            like = op(self.stand_in(one), self.stand_in(other))
        found = self._product(one, other) if op is operator.matmul else self.both(does, one, other)
        return self._arrays.of(found.reshape(np.shape(like)), np.asarray(like).dtype)

    def both(self, function: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
        """A function of each pair of cells."""
        pairs = np.broadcast(self._arrays.cells(one), self._arrays.cells(other))
        return array_of((function(a, b) for a, b in pairs), pairs.shape)

    def each(self, function: Callable[[Any], Any], given: Any) -> Any:
        """A function of each cell."""
        cells = self._arrays.cells(given)
        return array_of(map(function, cells.ravel()), cells.shape)

    def _one(self, function: Any, one: Any) -> Any:
        if isinstance(one, Drawn):
            return self._meanings.of_one[function](one)
        return self._meanings.called(function, (one,), {})

    def _rounded(self, given: Any, decimals: int = 0) -> Any:
        def rounded(one: Any) -> Any:
            if not isinstance(one, Drawn):
                return self._meanings.called(np.round, (one, decimals), {})
            return self._meanings.drawn.rounded(one, Step.NEAREST, one.kind, decimals or None)

        return self.each(rounded, given)

    def _moved(self, function: Any, given: Any, *rest: Any, **named: Any) -> Any:
        cells, others = self._arrays.cells, list(rest)
        first = list(map(cells, given)) if function in _JOINING else cells(given)
        if function in (np.append, np.insert):
            others[0 if function is np.append else 1] = cells(others[0 if function is np.append else 1])
        return function(first, *others, **named)

    def _folded(self, of: Callable[[Any, list[Any]], Any], given: Any, axis: Any = None) -> Any:
        """A function of all cells, or of those along an axis."""
        cells = self._arrays.cells(given)
        if axis is None:
            return of(self, list(cells.ravel()))
        rows = np.moveaxis(cells, axis, -1)
        return array_of((of(self, list(rows[place])) for place in np.ndindex(rows.shape[:-1])), rows.shape[:-1])

    def _lined(self, how: tuple[Callable[[Any, list[Any]], list[Any]], int | None], given: Any, **named: Any) -> Any:
        """A function of the lines along an axis, of which it has a usual one."""
        of, usual = how
        axis = named.pop("axis", usual)
        if named.keys() - {"kind"}:
            raise TypeError(", ".join(named))
        cells = self._arrays.cells(given)
        rows = cells.reshape(-1) if axis is None else np.moveaxis(cells, axis, -1)
        lines = [of(self, list(rows[place])) for place in np.ndindex(rows.shape[:-1])]
        made = array_of([one for line in lines for one in line], (*rows.shape[:-1], len(lines[0])))
        return made if axis is None else np.moveaxis(made, -1, axis)

    def _sum(self, cells: Sequence[Any]) -> Any:
        return functools.reduce(partial(self._meanings.binary, operator.add), cells) if cells else 0.0

    def _mean(self, cells: Sequence[Any]) -> Any:
        return self._meanings.binary(operator.truediv, self._sum(cells), len(cells))

    def _spread(self, cells: Sequence[Any]) -> Any:
        least = cells[self.best(cells, is_least=True)]
        return self._meanings.binary(operator.sub, cells[self.best(cells)], least)

    def best(self, cells: Sequence[Any], *, is_least: bool = False) -> int:
        """The place of the largest or the least number, the first of those that are equal."""
        signed = [self._meanings.unary(operator.neg, one) for one in cells] if is_least else cells
        return self._meanings.largest(signed)  # type: ignore[no-any-return]

    def _better(self, one: Any, other: Any, *, is_least: bool) -> Any:
        return (one, other)[self.best((one, other), is_least=is_least)]

    def _order(self, cells: Sequence[Any]) -> list[int]:
        """The places in rising order.

        Raises:
            Refusal: two are equal, whose order is NumPy's own affair.
        """
        found = self._meanings.ranked(cells)
        known = [cells[place] for place in found if not isinstance(cells[place], Drawn)]
        if any(one == other for one, other in itertools.pairwise(known)):
            raise self._meanings.refuse("equal numbers are sorted with numbers that are drawn")
        return found  # type: ignore[no-any-return]

    def _median(self, cells: list[Any]) -> Any:
        middle = [cells[place] for place in self._order(cells)][(len(cells) - 1) // 2 : len(cells) // 2 + 1]
        return self._mean(middle)

    def _sign(self, one: Any) -> Any:
        compared, truth = self._meanings.compared, self._meanings.truth
        if truth(compared(operator.gt, one, 0)):
            return 1.0
        return -1.0 if truth(compared(operator.lt, one, 0)) else 0.0

    def _signed(self, one: Any, other: Any) -> Any:
        return self._meanings.called(math.copysign, (one, other), {})

    def _where(self, condition: Any, one: Any, other: Any) -> Any:
        parts = np.broadcast(
            np.asarray(self._arrays.closed(condition)), self._arrays.cells(one), self._arrays.cells(other)
        )
        return array_of((a if yes else b for yes, a, b in parts), parts.shape)

    def _searched(self, among: Any, given: Any, side: str = "left") -> Any:
        """The places of numbers among rising ones."""
        members = list(self._arrays.cells(among))
        if any(isinstance(one, Drawn) for one in members) or any(b < a for a, b in itertools.pairwise(members)):
            raise TypeError("among numbers that do not rise")
        return self.each(partial(self._meanings.place_among, members, is_left=side == "left"), given)

    def _clip(self, given: Any, a_min: Any = None, a_max: Any = None, **named: Any) -> Any:
        least, most = named.pop("min", a_min), named.pop("max", a_max)
        if named:
            raise TypeError(", ".join(named))
        above, below = (partial(self._better, is_least=is_least) for is_least in (False, True))
        found = self._arrays.cells(given) if least is None else self.both(above, given, least)
        return found if most is None else self._clipped(below, found, most)

    def _clipped(self, below: Callable[[Any, Any], Any], cells: Any, most: Any) -> Any:
        pairs = np.broadcast(cells, self._arrays.cells(most))
        return array_of((below(a, b) for a, b in pairs), pairs.shape)

    def _product(self, one: Any, other: Any) -> Any:
        """The product of vectors or matrices."""
        left, right = self._arrays.cells(one), self._arrays.cells(other)
        if not 1 <= left.ndim <= 2 or not 1 <= right.ndim <= 2:
            raise TypeError("of other than vectors and matrices")
        rows = left.reshape(1, -1) if left.ndim == 1 else left
        columns = right.reshape(-1, 1) if right.ndim == 1 else right
        times = partial(self._meanings.binary, operator.mul)
        found = [self._sum(list(map(times, row, column))) for row in rows for column in columns.T]
        shape = (*left.shape[:-1], *(right.shape[1:] if right.ndim == 2 else ()))
        return array_of(found, shape)

    def _by(self, of: Callable[..., Any], *given: Any, **named: Any) -> Any:
        return of(self, *given, **named)

    def _of_operator(self, op: Callable[..., Any], one: Any, other: Any) -> Any:
        return self.both(partial(self._meanings.binary, op), one, other)

    def _of_order(self, op: Callable[..., Any], one: Any, other: Any) -> Any:
        return self.both(partial(self._meanings.compared, op), one, other)

    def _paired(self, of: Callable[[Any, Any, Any], Any], one: Any, other: Any) -> Any:
        return self.both(partial(of, self), one, other)

    def _single(self, of: Callable[[Any, Any], Any], given: Any) -> Any:
        return self.each(partial(of, self), given)


_FOLDED: Mapping[Any, Callable[[ArrayFunctions, list[Any]], Any]] = {
    np.sum: ArrayFunctions._sum,
    np.mean: ArrayFunctions._mean,
    np.prod: lambda self, cells: functools.reduce(partial(self._meanings.binary, operator.mul), cells),
    np.max: lambda self, cells: cells[self.best(cells)],
    np.min: lambda self, cells: cells[self.best(cells, is_least=True)],
    np.ptp: ArrayFunctions._spread,
    np.argmax: ArrayFunctions.best,
    np.argmin: partial(ArrayFunctions.best, is_least=True),
    np.median: ArrayFunctions._median,
}
_LINED: Mapping[Any, tuple[Callable[[ArrayFunctions, list[Any]], list[Any]], int | None]] = {
    np.sort: (lambda self, cells: [cells[place] for place in self._meanings.ranked(cells)], -1),
    np.argsort: (ArrayFunctions._order, -1),
    np.cumsum: (
        lambda self, cells: [*itertools.accumulate(cells, partial(self._meanings.binary, operator.add))],
        None,
    ),
    np.diff: (
        lambda self, cells: [self._meanings.binary(operator.sub, b, a) for a, b in itertools.pairwise(cells)],
        -1,
    ),
}
_PAIRED: Mapping[Any, Callable[[ArrayFunctions, Any, Any], Any]] = {
    **dict.fromkeys((np.maximum, np.fmax), partial(ArrayFunctions._better, is_least=False)),
    **dict.fromkeys((np.minimum, np.fmin), partial(ArrayFunctions._better, is_least=True)),
    np.copysign: ArrayFunctions._signed,
}
_SINGLE: Mapping[Any, Callable[[ArrayFunctions, Any], Any]] = {
    np.sign: ArrayFunctions._sign,
    np.negative: lambda self, one: self._meanings.unary(operator.neg, one),
    np.isnan: lambda *_: np.False_,
    np.isinf: lambda *_: np.False_,
    np.isfinite: lambda *_: np.True_,
}
_OTHERS: Mapping[Any, Any] = {
    **dict.fromkeys((np.dot, np.matmul), ArrayFunctions._product),
    **dict.fromkeys((np.round, np.around), ArrayFunctions._rounded),
    **dict.fromkeys(_MAKING, lambda self, given, **_: self._arrays.cells(given).copy()),
    **dict.fromkeys(_SAME, lambda self, given, **_: self._arrays.cells(given)),
    np.outer: lambda self, one, other: self._of_operator(
        operator.mul, self._arrays.cells(one).reshape(-1, 1), self._arrays.cells(other).ravel()
    ),
    **dict.fromkeys(_LIKE),
    np.where: ArrayFunctions._where,
    np.clip: ArrayFunctions._clip,
    np.searchsorted: ArrayFunctions._searched,
    np.digitize: lambda self, given, bins, right=False: self._searched(bins, given, "left" if right else "right"),
    np.full: lambda self, shape, fill: np.broadcast_to(self._arrays.cells(fill), shape),
    np.full_like: lambda self, like, fill: np.broadcast_to(self._arrays.cells(fill), self._arrays.cells(like).shape),
}
_TABLES: Sequence[tuple[Callable[..., Any], Mapping[Any, Any]]] = (
    (ArrayFunctions._folded, _FOLDED),
    (ArrayFunctions._lined, _LINED),
    (ArrayFunctions._of_operator, _OPERATORS),
    (ArrayFunctions._of_order, _ORDERS),
    (ArrayFunctions._paired, _PAIRED),
    (ArrayFunctions._single, _SINGLE),
    (ArrayFunctions._moved, dict(zip(_MOVING, _MOVING, strict=True))),
    (ArrayFunctions._by, _OTHERS),
)
"""How functions that have a meaning here go through cells, and what they do; made once, as every path asks."""
