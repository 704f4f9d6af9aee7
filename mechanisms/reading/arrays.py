"""Arrays with cells that are drawn: how they are made, indexed, written to and cast.

Cells are combined and compared by the primitives of the table of meanings alone. An array that the program makes, and
into which it puts a number that is drawn, is one of these from the start (`Reopened`), so that whoever else has it, or
a view of it, sees what is put into it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from stirred.mechanisms.reading.array_functions import ArrayFunctions
from stirred.mechanisms.reading.known_functions import is_numpy, spoken
from stirred.mechanisms.reading.refusal import PLAIN, Reopened
from stirred.mechanisms.reading.shadows import array_of
from stirred.mechanisms.reading.symbols import Drawn, DrawnArray, Step, Whole, of_kind

_MOST_CELLS = 4_096
"""Cells of an array that is followed cell by cell."""

_ATTRIBUTES = ("shape", "size", "ndim")
_VIEWS = ("ravel", "reshape", "transpose", "squeeze", "swapaxes", "diagonal")
_METHODS: Mapping[str, Any] = {
    **{name: getattr(np, name) for name in ("sum", "mean", "max", "min", "argmax", "argmin", "argsort", "cumsum")},
    **{name: getattr(np, name) for name in ("dot", "round", "clip", "take", "repeat", "prod", "copy", "ptp")},
}


class Arrays:
    """What is done with arrays along one path.

    Args:
        meanings: of operations on cells.
    """

    def __init__(self, meanings: Any) -> None:
        self._meanings = meanings
        self._shadows = meanings.shadows
        self._made: dict[int, tuple[Any, str]] = {}
        self.functions = ArrayFunctions(self, meanings)

    # ---- making ------------------------------------------------------------------------------------------------------

    def of(self, cells: Any, dtype: Any) -> Any:
        """An array, or a scalar, of such cells: an ordinary one where none of them is drawn."""
        if not any(isinstance(one, Drawn) for one in cells.ravel()):
            return self.noted(self._concrete(cells, dtype))
        made = array_of((self.cell(one, dtype) for one in cells.ravel()), cells.shape)
        return made[()] if made.ndim == 0 else DrawnArray(made, dtype)

    def cell(self, one: Any, dtype: Any) -> Any:
        """A number as a cell of an array: of its type."""
        kind = dtype.type
        if isinstance(one, Drawn):
            return self.cast(one, kind)
        if type(one) is kind:
            return one
        if issubclass(kind, np.integer) and isinstance(one, (float, np.floating)):
            one = self._meanings.called(int, (one,), {})
        return self._shadows.note(kind(one), self._shadows.of(one)) if issubclass(kind, np.floating) else kind(one)

    def cast(self, one: Drawn, kind: Any) -> Any:
        """A number as one of another type."""
        if kind in (float, np.float64):
            return of_kind(one, kind)
        if kind not in (int, np.int64):
            raise self._meanings.refuse(f"a number that is drawn as {kind.__name__} is not read")
        is_whole = isinstance(one, Whole) and getattr(one, "unit", 1) == 1
        whole = one if is_whole else self._meanings.drawn.rounded(one, Step.TOWARDS_ZERO, kind)
        if not isinstance(whole, Drawn):
            return kind(whole)
        found: Any = of_kind(whole, kind)
        return self._meanings.drawn.fitting(found) if isinstance(found, Whole) else found

    def _concrete(self, cells: Any, dtype: Any) -> Any:
        if dtype.kind in "iu":
            cells = array_of((self.cell(one, dtype) for one in cells.ravel()), cells.shape)
        exact = [self._shadows.of(one) for one in cells.ravel()]
        made = np.empty(cells.shape, dtype)
        for place in np.ndindex(cells.shape):
            made[place] = cells[place]
        if not cells.shape:
            return self._shadows.note(made[()], exact[0])
        return self._shadows.note(made, array_of(exact, made.shape))

    def closed(self, value: Any) -> Any:
        """The value, with ordinary arrays in the place of those of which no cell is drawn."""
        if isinstance(value, DrawnArray) and not any(isinstance(one, Drawn) for one in value.cells.ravel()):
            return self._concrete(value.cells, value.dtype)
        if type(value) in (list, tuple) and self._meanings.drawn.is_used:
            parts = list(map(self.closed, value))
            return value if all(map(operator.is_, parts, value)) else type(value)(parts)
        return value

    def noted(self, found: Any, function: Any = None, given: Sequence[Any] = ()) -> Any:
        """An array that nobody else has, as one whose cells may be drawn where the program puts such into it."""
        if type(found) is not np.ndarray or not 0 < found.size <= _MOST_CELLS or found.dtype.kind not in "fiu":
            return found
        owner = getattr(function, "__self__", None)
        if function not in (None, abs) and not is_numpy(function) and type(owner) is not np.ndarray:
            return found
        others = [one for one in (*given, owner) if isinstance(one, np.ndarray)]
        if not _are_own(given) or any(np.may_share_memory(found, one) for one in others):
            return found
        line = self._meanings.line
        if line in self._meanings.opened:
            cells = np.empty_like(found, dtype=object)
            cells[...] = self.cells(found)
            self._meanings.drawn.is_used = True
            return DrawnArray(cells, found.dtype)
        root = _root(found)
        self._made[id(root)] = root, line
        return found

    def reopened(self, array: Any) -> Reopened:
        """That a number that is drawn is put into an array which is an ordinary one so far.

        Raises:
            Refusal: others may have it.
        """
        line = self._made.get(id(_root(array)), (None, None))[1]
        if line is None or line in self._meanings.opened:
            raise self._meanings.refuse("an array is changed in place by a number that is drawn: make a new one")
        return Reopened(line)

    def cells(self, value: Any) -> Any:
        """The cells of an array, or of a number, each with what is known of it."""
        if isinstance(value, DrawnArray):
            return value.cells
        if isinstance(value, Drawn) or (type(value) not in (list, tuple) and np.ndim(value) == 0):
            return array_of([value], ())
        if type(value) in (list, tuple):
            parts = [self.cells(one) for one in value]
            return np.stack(parts) if parts else array_of((), (0,))
        given = np.asarray(value)
        if given.dtype == object:
            return given
        flat, exact = given.reshape(-1), self._shadows.cells(given) if given.dtype.kind == "f" else None
        found = [*flat] if exact is None else list(map(self._shadows.note, flat, exact.ravel()))
        return array_of(found, given.shape)

    # ---- parts -------------------------------------------------------------------------------------------------------

    def members(self, value: DrawnArray) -> Iterable[Any]:
        """The members of an array, one by one."""
        return (self.item(value, place) for place in range(len(value.cells)))

    def item(self, holder: DrawnArray, key: Any) -> Any:
        """Cells of an array: a view where NumPy gives one."""
        found = holder.cells[self._key(key)]
        return DrawnArray(found, holder.dtype) if isinstance(found, np.ndarray) else found

    def put(self, holder: DrawnArray, key: Any, value: Any) -> None:
        """Put cells into an array, for whoever has it."""
        key = self._key(key)
        like = np.ones(holder.cells.shape, holder.dtype)
        like[key] = self.functions.stand_in(value)  # what NumPy refuses
        cells = self.cells(value)
        made = array_of((self.cell(one, holder.dtype) for one in cells.ravel()), cells.shape)
        holder.cells[key] = made if made.ndim else made[()]

    def _key(self, key: Any) -> Any:
        if type(key) is tuple:
            return tuple(map(self._key, key))
        return self._meanings.index(self.closed(key))

    # ---- methods -----------------------------------------------------------------------------------------------------

    def attribute(self, holder: DrawnArray, name: str) -> Any:
        """An attribute of an array, or one of its methods."""
        if name in _ATTRIBUTES:
            return getattr(holder.cells, name)
        if name == "T":
            return DrawnArray(holder.cells.T, holder.dtype)
        found: dict[str, Callable[..., Any]] = {
            "tolist": lambda: self.listed(holder.cells.tolist()),
            "item": lambda *place: self.listed(holder.cells.item(*place)),
            "astype": lambda dtype: self.cast_to(holder, np.dtype(dtype)),
            "flatten": lambda: self.of(holder.cells.flatten(), holder.dtype),
            "fill": lambda value: self.put(holder, ..., value),
            "sort": lambda: self.put(holder, ..., self._meanings.called(np.sort, (holder,), {})),
        }
        if name in found:
            return self.checked(name, found[name])
        if name in _VIEWS:
            return lambda *given, **named: DrawnArray(getattr(holder.cells, name)(*given, **named), holder.dtype)
        if name in _METHODS:
            return lambda *given, **named: self._meanings.called(_METHODS[name], (holder, *given), named)
        plain = self.closed(holder)
        if plain is holder:
            raise self._meanings.refuse(f".{name} of an array with numbers that are drawn is not read")
        value = getattr(plain, name)
        if callable(value):
            return partial(self._on_plain, holder, plain, value)
        if name not in ("dtype", "itemsize", "nbytes"):
            raise self._meanings.refuse(f".{name} of an array into which numbers that are drawn are put is not read")
        return value

    def checked(self, name: str, does: Callable[..., Any]) -> Callable[..., Any]:
        """A method, which is refused with arguments that it does not know."""

        def called(*given: Any, **named: Any) -> Any:
            try:
                return does(*given, **named)
            except TypeError as error:
                raise self._meanings.refuse(f".{name} with these arguments is not read ({error})") from None

        return called

    def on_plain(
        self, does: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any], function: Any = None
    ) -> Any:
        """What a function of a library gives for ordinary arrays in the place of those of which no cell is drawn.

        Raises:
            Refusal: it may keep one.
        """
        if not self._meanings.drawn.is_used:
            return does(arguments, named)
        given, others = list(map(self.closed, arguments)), {name: self.closed(one) for name, one in named.items()}
        is_opened = any(one is not plain for one, plain in zip(arguments, given, strict=True))
        owner = getattr(function, "__self__", None)
        is_keeping = not isinstance(function, (np.ufunc, type(np.sum), type(len))) or (
            not isinstance(owner, (ModuleType, np.ndarray)) and owner is not None
        )
        if is_opened and function is not None and is_keeping:
            raise self._meanings.refuse(
                f"{spoken(function)} is given an array into which numbers that are drawn are put: give it a copy"
            )
        found = does(given, others)
        for one, plain in zip([*arguments, *named.values()], [*given, *others.values()], strict=True):
            if one is not plain and isinstance(one, DrawnArray):
                self.written(one, plain, found)
        return found

    def _on_plain(self, holder: DrawnArray, plain: Any, method: Callable[..., Any], *given: Any, **named: Any) -> Any:
        found = self._meanings.called(method, self.closed(given), named)
        self.written(holder, plain, found)
        return found

    def written(self, holder: DrawnArray, plain: Any, found: Any) -> None:
        """A library has been given the array as an ordinary one: what it changed there is changed here.

        Raises:
            Refusal: its result shares cells with the array.
        """
        if isinstance(found, np.ndarray) and np.may_share_memory(found, plain):
            raise self._meanings.refuse("a view of an array into which numbers that are drawn are put is not read here")
        before = self._concrete(holder.cells, holder.dtype)
        if plain.shape != before.shape or plain.tobytes() != before.tobytes():
            self.put(holder, ..., plain)

    def listed(self, value: Any) -> Any:
        """Numbers of an array as Python's own."""
        if isinstance(value, list):
            return [self.listed(one) for one in value]
        if isinstance(value, Drawn):
            return self.cast(value, int if issubclass(value.kind, np.integer) else float)
        return self._shadows.note(value.item(), self._shadows.of(value)) if isinstance(value, np.generic) else value

    def cast_to(self, holder: DrawnArray, dtype: Any) -> Any:
        """The array as one of another type: a new one."""
        return self.of(holder.cells.copy(), dtype)


def _are_own(given: Sequence[Any]) -> bool:
    """Whether no argument is an object of a library, whose memory an array might share."""
    kinds = (np.ndarray, list, tuple, np.dtype, type)
    return all(type(one) in PLAIN or isinstance(one, kinds) for one in given)


def _root(array: Any) -> Any:
    """The array that has the memory."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
