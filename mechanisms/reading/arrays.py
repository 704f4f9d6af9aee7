"""Arrays with cells that are drawn: what NumPy's functions and methods make of them, cell by cell.

Cells are combined and compared by the primitives of the table of meanings alone. An array that a program makes to fill
it cell by cell is one of these from the start, so that whoever else has it sees what is put into it.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stirred.mechanisms.reading.shadows import array_of
from stirred.mechanisms.reading.symbols import Drawn, DrawnArray

if TYPE_CHECKING:
    from stirred.mechanisms.reading.meanings import Meanings

FRESH = (np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.full_like, np.array, np.arange, np.copy)
"""Functions whose arrays nobody else has."""

_MOVED = (
    *(np.concatenate, np.append, np.stack, np.vstack, np.hstack, np.column_stack, np.reshape, np.ravel, np.transpose),
    *(np.squeeze, np.expand_dims, np.tile, np.repeat, np.roll, np.flip, np.take, np.delete, np.insert, np.copy),
    *(np.atleast_1d, np.atleast_2d, np.broadcast_to, np.diag),
)
"""Functions that move cells, and look at none."""

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
_ATTRIBUTES = ("shape", "size", "ndim")
_METHODS = {
    **{name: getattr(np, name) for name in ("sum", "mean", "max", "min", "argmax", "argmin", "argsort", "cumsum")},
    **{name: getattr(np, name) for name in ("dot", "round", "clip", "take", "repeat", "prod", "any", "all")},
}
_SHAPING = ("flatten", "ravel", "reshape", "transpose", "copy", "squeeze", "swapaxes")
_WRITING = ("put", "resize", "partition", "itemset", "setfield", "setflags", "byteswap", "view")


class Arrays:
    """What is done with arrays along one path.

    Args:
        meanings: of operations on cells.
    """

    def __init__(self, meanings: Meanings) -> None:
        self._meanings = meanings
        self._shadows = meanings.shadows
        folded = {
            np.sum: self._sum,
            np.mean: lambda cells: meanings.binary(operator.truediv, self._sum(cells), len(cells)),
            np.max: lambda cells: cells[self._best(cells)],
            np.min: lambda cells: cells[self._best(cells, is_least=True)],
            np.argmax: lambda cells: np.int64(self._best(cells)),
            np.argmin: lambda cells: np.int64(self._best(cells, is_least=True)),
            np.median: self._median,
        }
        lined: Mapping[Any, Callable[[list[Any]], list[Any]]] = {
            np.sort: lambda cells: [cells[place] for place in self._order(cells)],
            np.argsort: lambda cells: [np.int64(place) for place in self._order(cells)],
            np.cumsum: lambda cells: [self._sum(cells[: place + 1]) for place in range(len(cells))],
            np.diff: lambda cells: [meanings.binary(operator.sub, b, a) for a, b in itertools.pairwise(cells)],
        }
        self._table: Mapping[Any, Any] = {
            **{function: functools.partial(self._folded, of) for function, of in folded.items()},
            **{function: functools.partial(self._lined, of) for function, of in lined.items()},
            **dict.fromkeys(_MOVED, None),
            **dict.fromkeys((np.dot, np.matmul), self.product),
            **dict.fromkeys((np.maximum, np.minimum), None),
            **dict.fromkeys((np.zeros_like, np.ones_like, np.empty_like), None),
            np.where: self._where,
            np.clip: self._clip,
            np.sign: lambda given: self.each(self._sign, given),
            np.negative: lambda given: meanings.unary(operator.neg, given),
            np.absolute: lambda given: self.each(lambda one: meanings.called(abs, (one,), {}), given),
            np.array: lambda given, dtype=None: self.made(given, dtype),
            np.asarray: lambda given, dtype=None: given if isinstance(given, DrawnArray) else self.made(given, dtype),
        }

    # ---- making ------------------------------------------------------------------------------------------------------

    def of(self, cells: Any, dtype: Any = None) -> Any:
        """An array, or a scalar, of such cells: an ordinary one where none of them is drawn."""
        flat = cells.ravel()
        if not any(isinstance(one, Drawn) for one in flat):
            return self._concrete(cells, dtype)
        kinds = [np.dtype(one.kind) if isinstance(one, Drawn) else np.asarray(one).dtype for one in flat]
        dtype = np.result_type(*kinds) if dtype is None else np.dtype(dtype)
        made = array_of((self._cell(one, dtype) for one in flat), cells.shape)
        return made[()] if made.ndim == 0 else DrawnArray(made, dtype)

    def _cell(self, one: Any, dtype: Any) -> Any:
        """A number as a cell of an array: of its type."""
        kind = dtype.type
        if isinstance(one, Drawn):
            return replace(one, kind=kind)  # type: ignore[type-var]
        if type(one) is kind:
            return one
        if issubclass(kind, np.integer) and not isinstance(one, (int, np.integer)):
            raise self._meanings.refuse("a float is put into an array of integers with cells that are drawn")
        return self._shadows.note(kind(one), self._shadows.of(one))

    def _concrete(self, cells: Any, dtype: Any = None) -> Any:
        exact = [self._shadows.of(one) for one in cells.ravel()]
        made = np.array(cells.tolist(), dtype=dtype)
        return (
            self._shadows.note(made[()], exact[0])
            if made.ndim == 0
            else self._shadows.note(made, array_of(exact, made.shape))
        )

    def closed(self, value: Any) -> Any:
        """The value, as an ordinary array where no cell of it is drawn."""
        if isinstance(value, DrawnArray) and not any(isinstance(one, Drawn) for one in value.cells.ravel()):
            return self._concrete(value.cells, value.dtype)
        return type(value)(map(self.closed, value)) if type(value) in (list, tuple) else value

    def opened(self, array: Any) -> DrawnArray:
        """An array that nobody else has, into whose cells numbers may be put that are drawn."""
        return DrawnArray(self.cells(array), array.dtype)

    def cells(self, value: Any) -> Any:
        """The cells of an array, or of a number, each with what is known of it."""
        if isinstance(value, DrawnArray):
            return value.cells
        if isinstance(value, Drawn) or np.ndim(value) == 0:
            return array_of([value], ())
        if type(value) in (list, tuple):
            parts = [self.cells(one) for one in value]
            return np.stack(parts) if parts else array_of((), (0,))
        given = np.asarray(value)
        flat, exact = given.reshape(-1), self._shadows.of_array(given) if given.dtype.kind == "f" else None
        if exact is not None:
            self._shadows.note(flat, exact.reshape(-1))
        return array_of((self._meanings.item(flat, place) for place in range(given.size)), given.shape)

    def made(self, given: Any, dtype: Any = None) -> Any:
        """What `np.array` makes."""
        cells = self.cells(list(given) if not isinstance(given, (DrawnArray, Drawn, list, tuple)) else given).copy()
        if dtype is not None and np.dtype(dtype).kind in "iu":
            return self.cast_to(DrawnArray(cells, np.dtype(float)), dtype)
        return self.of(cells, dtype)

    # ---- functions ---------------------------------------------------------------------------------------------------

    def called(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any] | None:
        """What a function makes of arrays; None where it has no meaning here."""
        if function in _MOVED:
            return (self._moved(function, arguments, named),)
        if function in (np.zeros_like, np.ones_like, np.empty_like) and isinstance(arguments[0], DrawnArray):
            like = np.zeros(arguments[0].cells.shape, arguments[0].dtype)
            return (self._meanings.called(function, (like, *arguments[1:]), named),)
        if function in (np.maximum, np.minimum) and len(arguments) == 2 and not named:
            return (self.both(functools.partial(self._better, is_least=function is np.minimum), *arguments),)
        if (op := _OPERATORS.get(function)) is not None and not named:
            return (self._meanings.binary(op, *arguments),)
        if (order := _ORDERS.get(function)) is not None and not named:
            return (self._meanings.compared(order, *arguments),)
        handler = self._table.get(function) if isinstance(function, (np.ufunc, type(np.sum), type(np.array))) else None
        if handler is not None:
            try:
                return (handler(*arguments, **named),)
            except TypeError as error:  # an argument that is not read
                raise self._meanings.refuse(f"{function.__name__} with these arguments is not read ({error})") from None
        first, *rest = arguments or (None,)
        if isinstance(first, DrawnArray) and self._meanings.is_of_one(function):
            return (self.each(lambda one: self._meanings.called(function, (one, *rest), named), first),)
        return None

    def both(self, function: Callable[[Any, Any], Any], one: Any, other: Any, dtype: Any = None) -> Any:
        """A function of each pair of cells."""
        pairs = np.broadcast(self.cells(one), self.cells(other))
        return self.of(array_of((function(a, b) for a, b in pairs), pairs.shape), dtype)

    def each(self, function: Callable[[Any], Any], given: Any, dtype: Any = None) -> Any:
        """A function of each cell."""
        cells = self.cells(given)
        return self.of(array_of(map(function, cells.ravel()), cells.shape), dtype)

    def _moved(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        def cells(value: Any) -> Any:
            if isinstance(value, (DrawnArray, np.ndarray, Drawn)):
                return self.cells(value)
            return type(value)(map(cells, value)) if type(value) in (list, tuple) else value

        first, *rest = map(cells, arguments)
        if function in (np.append, np.insert):
            rest = [self.cells(one) if place == len(rest) - 1 else one for place, one in enumerate(rest)]
        return self.of(function(first, *rest, **named))

    def _folded(self, of: Callable[[list[Any]], Any], given: Any, axis: Any = None) -> Any:
        """A function of all cells, or of those along an axis."""
        cells = self.cells(given)
        if axis is None:
            return self._scalar(of(list(cells.ravel())))
        rows = np.moveaxis(cells, axis, -1)
        return self.of(array_of((of(list(rows[place])) for place in np.ndindex(rows.shape[:-1])), rows.shape[:-1]))

    def _scalar(self, one: Any) -> Any:
        return self.of(array_of([one], ()))

    def _lined(self, of: Callable[[list[Any]], list[Any]], given: Any, axis: int | None = -1) -> Any:
        """A function of the lines along an axis."""
        cells = self.cells(given)
        cells, axis = (cells.ravel(), -1) if axis is None or of is None else (cells, axis)
        if cells.ndim != 1:
            raise self._meanings.refuse("a line of an array with several axes is not read: take its rows one by one")
        found = of(list(cells))
        return self.of(array_of(found, (len(found),)))

    def _sum(self, cells: Sequence[Any]) -> Any:
        return functools.reduce(functools.partial(self._meanings.binary, operator.add), cells)

    def _best(self, cells: Sequence[Any], *, is_least: bool = False) -> int:
        signed = [self._meanings.unary(operator.neg, one) for one in cells] if is_least else cells
        return self._meanings.largest(signed)

    def _better(self, one: Any, other: Any, *, is_least: bool) -> Any:
        return (one, other)[self._best((one, other), is_least=is_least)]

    def _order(self, cells: Sequence[Any]) -> list[int]:
        return self._meanings.called(sorted, (range(len(cells)),), {"key": cells.__getitem__})  # type: ignore[no-any-return]

    def _median(self, cells: list[Any]) -> Any:
        middle = [cells[place] for place in self._order(cells)][(len(cells) - 1) // 2 : len(cells) // 2 + 1]
        return self._meanings.binary(operator.truediv, self._sum(middle), len(middle))

    def _sign(self, one: Any) -> Any:
        compared, truth = self._meanings.compared, self._meanings.truth
        if truth(compared(operator.gt, one, 0)):
            return np.float64(1)
        return np.float64(-1 if truth(compared(operator.lt, one, 0)) else 0)

    def _where(self, condition: Any, one: Any, other: Any) -> Any:
        taken = np.asarray(self.closed(condition))
        parts = np.broadcast(taken, self.cells(one), self.cells(other))
        dtype = np.result_type(*(self._kind(part) for part in (one, other)))
        return self.of(array_of((a if yes else b for yes, a, b in parts), parts.shape), dtype)

    def _kind(self, value: Any) -> Any:
        """What NumPy promotes a value as."""
        if isinstance(value, Drawn):
            return np.dtype(value.kind)
        return value.dtype if isinstance(value, DrawnArray) else np.asarray(value).dtype

    def _clip(self, given: Any, least: Any = None, most: Any = None, **named: Any) -> Any:
        least, most = named.pop("a_min", named.pop("min", least)), named.pop("a_max", named.pop("max", most))
        if named:
            raise TypeError(", ".join(named))
        found = given if least is None else self.both(functools.partial(self._better, is_least=False), given, least)
        return found if most is None else self.both(functools.partial(self._better, is_least=True), found, most)

    def product(self, one: Any, other: Any) -> Any:
        """The product of vectors or matrices."""
        left, right = self.cells(one), self.cells(other)
        rows = left.reshape(1, -1) if left.ndim == 1 else left
        columns = right.reshape(-1, 1) if right.ndim == 1 else right
        if not 1 <= left.ndim <= 2 or not 1 <= right.ndim <= 2 or rows.shape[1] != columns.shape[0]:
            raise self._meanings.refuse("a product of such arrays is not read")
        times = functools.partial(self._meanings.binary, operator.mul)
        found = [self._sum(list(map(times, row, column))) for row in rows for column in columns.T]
        shape = (*left.shape[:-1], *(right.shape[1:] if right.ndim == 2 else ()))
        return self.of(array_of(found, shape))

    # ---- methods -----------------------------------------------------------------------------------------------------

    def attribute(self, holder: DrawnArray, name: str) -> Any:
        """An attribute of an array, or one of its methods."""
        if name in _ATTRIBUTES:
            return getattr(holder.cells, name)
        if name == "T":
            return DrawnArray(holder.cells.T, holder.dtype)
        if name == "tolist":
            return lambda: self._listed(holder.cells.tolist())
        if name == "item":
            return lambda *place: self._listed(holder.cells.item(*place))
        if name in _SHAPING:
            return lambda *given, **named: DrawnArray(getattr(holder.cells, name)(*given, **named), holder.dtype)
        if name == "astype":
            return lambda dtype, **_: self.cast_to(holder, dtype)
        if name == "fill":
            return lambda value: self.put(holder, ..., value)
        if name == "sort":
            return lambda: self.put(holder, ..., self._meanings.called(np.sort, (holder,), {}))
        if name in _METHODS:
            return lambda *given, **named: self._meanings.called(_METHODS[name], (holder, *given), named)
        plain = self.closed(holder)
        if plain is holder or name in _WRITING:
            raise self._meanings.refuse(f".{name} of an array with numbers that are drawn is not read")
        return getattr(plain, name)

    def _listed(self, value: Any) -> Any:
        """Numbers of an array as Python's own."""
        if isinstance(value, list):
            return [self._listed(one) for one in value]
        if isinstance(value, Drawn):
            return replace(value, kind=int if issubclass(value.kind, np.integer) else float)  # type: ignore[type-var]
        return self._shadows.note(value.item(), self._shadows.of(value)) if isinstance(value, np.generic) else value

    def cast_to(self, holder: DrawnArray, dtype: Any) -> Any:
        """The array as one of another type."""
        wanted = np.dtype(dtype)
        if wanted.kind in "iu" and holder.dtype.kind == "f":
            return self.each(lambda one: self._meanings.called(int, (one,), {}), holder, wanted)
        if wanted.kind not in "iuf":
            raise self._meanings.refuse(f"an array with numbers that are drawn as {wanted} is not read")
        return self.of(holder.cells.copy(), wanted)

    def put(self, holder: DrawnArray, key: Any, value: Any) -> None:
        """Put cells into an array, for whoever has it."""
        cells = self.cells(value)
        made = array_of((self._cell(one, holder.dtype) for one in cells.ravel()), cells.shape)
        holder.cells[self.closed(key)] = made

    def members(self, value: DrawnArray) -> Iterable[Any]:
        """The members of an array, one by one."""
        return (self._meanings.item(value, place) for place in range(len(value.cells)))

    def item(self, holder: DrawnArray, key: Any) -> Any:
        """Cells of an array: a view where NumPy gives one."""
        found = holder.cells[self.closed(key)]
        return DrawnArray(found, holder.dtype) if isinstance(found, np.ndarray) else found

    def copysign(self, one: Any, other: Any) -> Any:
        """|one| with the sign of the other."""
        meanings = self._meanings
        size = meanings.called(math.fabs, (one,), {})
        return meanings.unary(operator.neg, size) if meanings.truth(meanings.compared(operator.lt, other, 0)) else size
