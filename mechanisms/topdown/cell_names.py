"""The cells of a schema by name: combinations of the values of attributes, then the units of each type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from math import prod

__all__ = ["UNITS", "CellNames", "label"]

UNITS = "units: "
"""Before the type, in the name of a cell of units."""


def label(values: Sequence[str]) -> str:
    """The name of a combination of values, another one for each."""
    return ", ".join(repr(value) if set(value) & set(",'\"") else value for value in values)


class CellNames(Mapping[str, str]):
    """By the name of each cell, the part of the data that it counts; made when asked for.

    Args:
        values: of each attribute of a record.
        part: what a record is.
        kinds: the types of units.

    >>> names = CellNames((("a", "b"), ("x", "y")), "person", ("a",))
    >>> list(names), names.name(3), names["units: a"]
    (['a, x', 'a, y', 'b, x', 'b, y', 'units: a'], 'b, y', 'unit')
    """

    def __init__(self, values: tuple[tuple[str, ...], ...], part: str, kinds: tuple[str, ...]) -> None:
        self.values_of, self.part, self.kinds = values, part, kinds
        self.records = prod(map(len, values))

    def name(self, cell: int) -> str:
        """The name of a cell, by its number."""
        if cell >= self.records:
            return f"{UNITS}{self.kinds[cell - self.records]}"
        chosen = []
        for values in self.values_of[::-1]:
            cell, number = divmod(cell, len(values))
            chosen.append(values[number])
        return label(chosen[::-1])

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self)}

    def __getitem__(self, name: str) -> str:
        return self.part if self._numbers[name] < self.records else "unit"

    def __iter__(self) -> Iterator[str]:
        return chain(map(label, product(*self.values_of)), (f"{UNITS}{kind}" for kind in self.kinds))

    def __repr__(self) -> str:
        return f"CellNames({self.values_of}, {self.part!r}, {self.kinds})"

    def __len__(self) -> int:
        return self.records + len(self.kinds)
