"""Containers: their members, keys and items, some of which may be drawn."""

from __future__ import annotations

import copy
import operator
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from stirred.mechanisms.reading.drawn_numbers import DrawnNumbers
from stirred.mechanisms.reading.known_functions import has_floats, kind_name
from stirred.mechanisms.reading.natives import Natives
from stirred.mechanisms.reading.objects import Objects
from stirred.mechanisms.reading.refusal import is_plain
from stirred.mechanisms.reading.series import DrawnSeries, Located, SeriesMeanings
from stirred.mechanisms.reading.symbols import Drawn, DrawnArray, Symbolic, Whole, is_symbolic


class Containers(Natives):
    """What is read from containers, and put into them."""

    drawn: DrawnNumbers
    objects: Objects
    series: SeriesMeanings

    @abstractmethod
    def compared(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
        """What a comparison says of two values."""

    def _is_symbolic(self, *values: Any) -> bool:
        return self.drawn.is_used and any(map(is_symbolic, values))

    def iterated(self, value: Any) -> Iterable[Any]:
        """The members of a value, one by one."""
        if isinstance(value, DrawnArray):
            return self.arrays.members(value)  # type: ignore[no-any-return]
        if isinstance(value, DrawnSeries):
            return self.series.members(value)
        if isinstance(value, Drawn):
            raise TypeError("'float' object is not iterable")
        if isinstance(value, (set, frozenset)) and len(value) > 1:
            raise self._reader.refuse("the order of a set is another one in each process: iterate over sorted(…)")
        if isinstance(value, np.ndarray) and value.ndim and value.dtype.kind == "f":
            return (self.item(value, place) for place in range(len(value)))  # which it may change meanwhile
        if type(value) in (list, tuple) or is_plain(value, 0):
            return value  # type: ignore[no-any-return]
        return self._stepped(value) if (own := self.objects.members(value)) is None else own

    def unpacked(self, value: Any) -> list[Any]:
        """The members of a value that is assigned to several targets."""
        kind = value.kind if isinstance(value, Drawn) else type(value)
        is_number = isinstance(value, Drawn) or issubclass(kind, (np.number, np.bool_))
        if is_number or not (hasattr(kind, "__iter__") or hasattr(kind, "__getitem__")):
            name = f"numpy.{kind.__name__}" if issubclass(kind, np.generic) else kind.__name__
            raise TypeError(f"cannot unpack non-iterable {name} object")
        return list(self.iterated(value))

    def _stepped(self, value: Any) -> Iterator[Any]:
        """The members of a library's object, each of which may run code of the program's."""
        left, end = self.native(iter, value), object()
        while (one := self.native(next, left, end)) is not end:
            yield one

    def index(self, value: Any) -> Any:
        """A value as part of an index."""
        if isinstance(value, Whole):
            return self.drawn.settled(value, "an index")
        if isinstance(value, Symbolic):
            raise self._reader.refuse("a number that is drawn as an index")
        return value

    def _indices(self, key: Any) -> Any:
        """A value as an index of an array."""
        return tuple(map(self._indices, key)) if type(key) is tuple else self.index(self.arrays.closed(key))

    def item(self, holder: Any, key: Any) -> Any:
        """The member of a container by its key."""
        if (own := self.objects.called(operator.getitem, [holder, key])) is not None:
            return own[0]
        if isinstance(holder, DrawnArray):
            return self.arrays.item(holder, key)
        if isinstance(holder, DrawnSeries):
            return self.series.item(holder, key)
        if isinstance(holder, Located):
            return holder.item(key)
        key = self._indices(key) if isinstance(holder, np.ndarray) else self.index(key)
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
        if isinstance(holder, DrawnArray):
            self.arrays.put(holder, key, value)
            return
        key = self._indices(key) if isinstance(holder, np.ndarray) else self.index(key)
        if isinstance(holder, np.ndarray) and self._is_symbolic(value):
            raise self.arrays.reopened(holder)
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

    def copied(self, value: Any, memo: dict[int, Any] | None) -> Any:
        """A copy of a container; with a memo of all that it holds, too."""
        if isinstance(value, DrawnArray):
            return DrawnArray(value.cells.copy(), value.dtype)
        if type(value) not in (list, tuple, dict):
            if isinstance(value, Drawn) or not is_symbolic(value):
                return value if memo is None or isinstance(value, Drawn) else self.native(copy.deepcopy, value)
            raise self._reader.refuse(f"a copy of {kind_name(value)} with numbers that are drawn is not read")
        if memo is None:
            return value.copy() if type(value) is not tuple else value
        if id(value) in memo:
            return memo[id(value)]
        if type(value) is tuple:
            return tuple(self.copied(one, memo) for one in value)
        made = memo[id(value)] = type(value)()
        if type(value) is dict:
            made.update((key, self.copied(one, memo)) for key, one in value.items())
        else:
            made.extend(self.copied(one, memo) for one in value)
        return made

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
