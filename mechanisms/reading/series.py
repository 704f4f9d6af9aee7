"""Series of pandas with values that are drawn.

The index is an ordinary one: pandas itself selects, sorts and reorders a series of the places of the values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from stirred.mechanisms.reading.symbols import DrawnArray, Symbolic, is_symbolic


@dataclass(frozen=True, eq=False, repr=False)
class DrawnSeries(Symbolic):
    """A series with values that are drawn.

    Attributes:
        places: a series of pandas that says which value stands where.
        values: the values.
    """

    places: Any
    values: DrawnArray


_PLACING = ("head", "tail", "sort_index", "copy", "rename", "drop")
_FOLDING = {name: getattr(np, name) for name in ("sum", "mean", "max", "min", "argmax", "argmin", "median")}
_TELLING = ("index", "name", "size", "shape", "ndim", "empty", "keys")
_LISTING = ("tolist", "to_list")


def is_series(value: Any) -> bool:
    """Whether a value is a series of pandas."""
    return type(value).__name__ == "Series" and type(value).__module__.startswith("pandas.")


def is_pandas(value: Any) -> bool:
    """Whether a value is pandas' own."""
    return type(value).__module__.startswith("pandas.")


class SeriesMeanings:
    """What is done with series along one path.

    Args:
        meanings: of operations on values.
    """

    def __init__(self, meanings: Any) -> None:
        self._meanings = meanings

    def _of(self, places: Any, values: Any) -> Any:
        """A series with these values: an ordinary one where none is drawn."""
        if isinstance(values, DrawnArray):
            return DrawnSeries(self._renumbered(places), values)
        return self._meanings.native(type(places), values, index=places.index, name=places.name)

    @staticmethod
    def _renumbered(places: Any) -> Any:
        return type(places)(range(len(places)), index=places.index, name=places.name)

    def _values(self, series: Any) -> Any:
        return series.values if isinstance(series, DrawnSeries) else series.to_numpy()

    def _places(self, one: Any) -> Any:
        return one.places if isinstance(one, DrawnSeries) else one

    def operated(self, does: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
        """What an operator makes of two values, one of which is a series."""
        both = [part for part in (one, other) if isinstance(part, DrawnSeries) or is_series(part)]
        if any(is_pandas(part) and not is_series(part) for part in (one, other)):
            raise self._meanings.refuse(
                "a data frame is combined with numbers that are drawn, which is not read: combine its to_numpy()"
            )
        if len(both) == 2 and not self._places(both[0]).index.equals(self._places(both[1]).index):
            raise self._meanings.refuse("series with other indices are combined, of numbers that are drawn")
        parts = [self._values(part) if any(part is each for each in both) else part for part in (one, other)]
        names = {self._places(part).name for part in both}
        return self._of(self._places(both[0]).rename(names.pop() if len(names) == 1 else None), does(*parts))

    def each(self, function: Callable[[Any], Any], series: Any) -> Any:
        """What `apply` gives: a function of each value, which may draw."""
        if isinstance(series, DrawnSeries):
            given = self._meanings.arrays.listed(series.values.cells.tolist())
        elif isinstance(series.dtype, np.dtype) and series.dtype.kind in "iufbO":
            given = list(self._meanings.iterated(series))
        else:
            raise self._meanings.refuse(f"apply on a series of {series.dtype} is not read")
        found = list(map(function, given))
        if is_symbolic(found):
            made = self._meanings.called(np.array, (found,), {})
            return self._of(self._places(series), made)
        left = iter(found)
        return self._meanings.native(self._renumbered(self._places(series)).apply, lambda _: next(left))

    def made(self, given: Any, index: Any = None, name: Any = None) -> Any:
        """What `pd.Series` makes of numbers that are drawn."""
        import pandas as pd  # noqa: PLC0415

        if isinstance(given, DrawnArray):
            if self._meanings.arrays.closed(given) is not given:
                raise self._meanings.refuse(
                    "a series of an array into which numbers that are drawn are put is not read"
                )
            return DrawnSeries(pd.Series(range(len(given.cells)), index=index, name=name), given)
        members = list(given.values()) if isinstance(given, dict) else list(self._meanings.iterated(given))
        index = list(given) if isinstance(given, dict) and index is None else index
        return self._of(
            pd.Series(range(len(members)), index=index, name=name), self._meanings.called(np.array, (members,), {})
        )

    def members(self, series: DrawnSeries) -> Sequence[Any]:
        """The values, as Python's own numbers."""
        return self._meanings.arrays.listed(series.values.cells.tolist())  # type: ignore[no-any-return]

    def item(self, series: DrawnSeries, key: Any) -> Any:
        """A value by its label, or some of them."""
        if is_symbolic(key):
            raise self._meanings.refuse("a number that is drawn as a label")
        return self._taken(series, self._meanings.native(series.places.__getitem__, key))

    def _taken(self, series: DrawnSeries, found: Any) -> Any:
        if is_series(found):
            if found.dtype.kind not in "iu":
                raise self._meanings.refuse("labels that a series of numbers that are drawn has not are asked for")
            return self._of(found, self._meanings.arrays.item(series.values, found.to_numpy()))
        if isinstance(found, (int, np.integer)):
            return self._meanings.arrays.item(series.values, int(found))
        raise self._meanings.refuse("this selection from a series of numbers that are drawn is not read")

    def attribute(self, series: DrawnSeries, name: str) -> Any:
        """An attribute of a series, or one of its methods."""
        called = self._meanings.called
        if name in _TELLING:
            return getattr(series.places, name)
        if name in ("loc", "iloc"):
            return Located(partial(self._located, series, name))
        if name in _PLACING:
            return lambda *given, **named: self._taken(series, getattr(series.places, name)(*given, **named))
        if name in _FOLDING:
            return lambda: called(_FOLDING[name], (series.values,), {})
        if name == "values":
            return series.values
        methods: Mapping[str, Callable[..., Any]] = {
            "to_dict": lambda: dict(zip(series.places.index, self.members(series), strict=True)),
            "items": lambda: self._items(series),
            **dict.fromkeys(_LISTING, lambda: self.members(series)),
            "to_numpy": lambda: series.values,
            "idxmax": lambda: series.places.index[int(called(np.argmax, (series.values,), {}))],
            "idxmin": lambda: series.places.index[int(called(np.argmin, (series.values,), {}))],
            "abs": lambda: self._of(series.places, called(np.abs, (series.values,), {})),
            "round": lambda digits=0: self._of(series.places, called(np.round, (series.values, digits), {})),
            "clip": lambda lower=None, upper=None: self._of(
                series.places, called(np.clip, (series.values, lower, upper), {})
            ),
            "astype": lambda kind: self._of(
                series.places, self._meanings.arrays.cast_to(series.values, np.dtype(kind))
            ),
            "sort_values": lambda ascending=True: self._sorted(series, "sort_values", ascending=ascending),
            **{one: partial(self._sorted, series, one) for one in ("nlargest", "nsmallest")},
            "cumsum": lambda: self._of(series.places, called(np.cumsum, (series.values,), {})),
            **dict.fromkeys(("apply", "map"), lambda function: self.each(self._of_one(function), series)),
        }
        if name not in methods:
            raise self._meanings.refuse(f".{name} of a series of numbers that are drawn is not read")
        return self._meanings.arrays.checked(name, methods[name])

    def _sorted(self, series: DrawnSeries, name: str, *given: Any, **named: Any) -> Any:
        """What pandas makes of the ranks of the values."""
        order = self._meanings.ranked(list(series.values.cells))
        ranks = [order.index(place) for place in range(len(order))]
        made = type(series.places)(ranks, index=series.places.index, name=series.places.name, dtype=float)
        found = getattr(made, name)(*given, **named)
        return self._taken(series, type(found)([order[int(one)] for one in found], index=found.index, name=found.name))

    def _of_one(self, function: Any) -> Callable[[Any], Any]:
        return lambda one: self._meanings.call(function, (one,), {})

    def _located(self, series: DrawnSeries, name: str, key: Any) -> Any:
        return self._taken(series, self._meanings.native(getattr(series.places, name).__getitem__, key))

    def _items(self, series: DrawnSeries) -> Iterator[tuple[Any, Any]]:
        return zip(series.places.index, self.members(series), strict=True)


@dataclass(frozen=True, eq=False, repr=False)
class Located(Symbolic):
    """What selects values by labels or places.

    Attributes:
        item: gives what a key selects.
    """

    item: Callable[[Any], Any]
