"""The cells of a schema by name: combinations of the values of attributes, then the units of each type."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from math import prod

UNITS = "units: "
"""Before the type, in the name of a cell of units."""


def label(values: Sequence[str]) -> str:
    """The name of a combination of values, another one for each."""
    return ", ".join(repr(value) if set(value) & set(",'\"") else value for value in values)


class CellNames(Mapping[str, str]):
    """By the name of each cell, the part of the data that it counts; made when asked for.

    Args:
        unit: what a unit is; a part of its own where it is no record.

    >>> names = CellNames((("a", "b"), ("x", "y")), "person", ("a",))
    >>> list(names), names.name(3), names["units: a"]
    (['a, x', 'a, y', 'b, x', 'b, y', 'units: a'], 'b, y', 'unit')
    """

    def __init__(
        self, values: tuple[tuple[str, ...], ...], part: str, kinds: tuple[str, ...], unit: str = "unit"
    ) -> None:
        self.values_of, self.part, self.kinds, self.unit = values, part, kinds, unit
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
        return self.part_of(self._numbers[name])

    def part_of(self, cell: int) -> str:
        """The part of the data that a cell counts, by its number."""
        return self.part if cell < self.records else self.unit

    def __iter__(self) -> Iterator[str]:
        return chain(map(label, product(*self.values_of)), (f"{UNITS}{kind}" for kind in self.kinds))

    def __repr__(self) -> str:
        return f"CellNames({self.values_of}, {self.part!r}, {self.kinds}, {self.unit!r})"

    def __len__(self) -> int:
        return self.records + len(self.kinds)
