"""What the records of a release are counted by, read from its schema.toml."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.spec.arguments import InputError
from stirred.verify.files.toml_text import load_toml

UNCOUNTED = -1
"""The answer that a cell is not in."""

_ANY, _DETAILED = "*", "detailed"


@dataclass(frozen=True)
class CountedUnits:
    """A second table, of units, that was measured as the records were.

    Attributes:
        column: says of what type a unit is.
        types: of units.
        of: an attribute of a record.
        same: by its values, the types of units of which there are as many as records with the value.
    """

    column: str
    types: Sequence[str]
    of: str
    same: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class RecordKinds:
    """The cells that records fall into: every combination of values, the last attribute changing fastest.

    Behind them are those of units, by type, where units were measured.

    Attributes:
        unit: what one record is.
        leaf: the column that names the leaf of a record.
        groups: coarser versions: the attribute, and by name its values.
        rules: by name, the values of attributes that make a kind, and the most records of it in a leaf.
        units: the attribute or recode that says in what type of unit a record is; fewest and most records of a unit.
        counted_units: the units that were measured.
    """

    unit: str
    leaf: str
    attributes: Mapping[str, Sequence[str]]
    groups: Mapping[str, tuple[str, Mapping[str, Sequence[str]]]]
    rules: Mapping[str, tuple[Mapping[str, Sequence[str]], int]]
    units: tuple[str, Mapping[str, int], Mapping[str, int]] | None = None
    counted_units: CountedUnits | None = None

    @property
    def combinations(self) -> int:
        """How many cells of records there are."""
        return prod(map(len, self.attributes.values()))

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.combinations + (0 if self.counted_units is None else len(self.counted_units.types))

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """The values of each attribute, then the types of units that were measured."""
        own = self.counted_units
        return {**self.attributes, **({} if own is None else {own.column: own.types})}

    def answers(
        self, place: str, factors: Sequence[str], rule: str | None = None
    ) -> tuple[NDArray[np.int64], list[int]]:
        """For every cell the answer that it is in, and how many answers there are along each attribute.

        Args:
            place: of the query, for messages.
            factors: by what the query counts each column.
            rule: the one whose constraint it is.

        Raises:
            InputError: a factor is not known, or both records and units are counted.

        >>> kinds = RecordKinds("person", "block", {"a": ("x", "y"), "b": ("u", "v")}, {}, {})
        >>> answer, shape = kinds.answers("query", ["*", "b"])
        >>> answer.tolist(), shape
        ([0, 1, 0, 1], [1, 2])
        """
        found = np.zeros((), dtype=np.int64)
        shape: list[int] = []
        *of_records, of_units = factors if self.counted_units is not None else (*factors, _ANY)
        if of_units != _ANY:
            return self._of_units(place, of_records, of_units)
        for attribute, factor in zip(self.attributes, of_records, strict=True):
            labels = self._labels(place, attribute, factor, rule)
            numbers = {label: number for number, label in enumerate(dict.fromkeys(one for one in labels if one))}
            shape.append(len(numbers))
            own = np.array([numbers[label] if label else UNCOUNTED for label in labels], dtype=np.int64)
            before = found[..., None]
            found = np.where((before < 0) | (own < 0), UNCOUNTED, before * len(numbers) + own)
        if self.counted_units is None:
            return found.ravel(), shape
        behind = np.full(len(self.counted_units.types), UNCOUNTED, dtype=np.int64)
        return np.append(found.ravel(), behind), [*shape, 1]

    def _of_units(self, place: str, of_records: Sequence[str], factor: str) -> tuple[NDArray[np.int64], list[int]]:
        """The same for a query that counts units."""
        if any(one != _ANY for one in of_records) or self.counted_units is None:
            raise InputError(f"{place}: must count records or units; it counts both")
        labels = self._labels(place, self.counted_units.column, factor, None)
        numbers = {label: number for number, label in enumerate(dict.fromkeys(one for one in labels if one))}
        own = np.array([numbers[label] if label else UNCOUNTED for label in labels], dtype=np.int64)
        found = np.append(np.full(self.combinations, UNCOUNTED, dtype=np.int64), own)
        return found, [*[1] * len(of_records), len(numbers)]

    def _labels(self, place: str, attribute: str, factor: str, rule: str | None) -> list[tuple[str, ...] | None]:
        """What each value of an attribute is counted as; None where it is not counted."""
        values = self.columns[attribute]
        if factor == _ANY:
            return [(_ANY,)] * len(values)
        if rule is not None and factor == rule:
            return [(rule,) if value in self.rules[rule][0].get(attribute, ()) else None for value in values]
        columns = [self._column(place, attribute, name.strip()) for name in factor.split("*")]
        found = zip(*columns, strict=True)
        return [None if None in one else tuple(str(label) for label in one) for one in found]

    def labels(self, query: str, cells: Sequence[int]) -> list[str]:
        """What a query counts each of these cells as, by the names of its parts.

        Raises:
            InputError: a part of the query is not known.
        """
        names = list(self.columns)
        columns = [(names.index(of), self._column(query, of, part)) for of, part in self._parts(query)]
        return [
            ", ".join(_quoted(str(column[places[of]])) for of, column in columns) or query
            for places in self._places(cells)
        ]

    def factors(self, query: str) -> list[str]:
        """By what a query counts each attribute, as its name says.

        Raises:
            InputError: a part of the query is not known.
        """
        if query == _DETAILED:
            return [_DETAILED if name in self.attributes else _ANY for name in self.columns]
        parts = self._parts(query)
        return [" * ".join(part for of, part in parts if of == name) or _ANY for name in self.columns]

    def _parts(self, query: str) -> list[tuple[str, str]]:
        """The attribute that each part of a query looks at, and the part."""
        parts = {"total": [], _DETAILED: list(self.attributes)}.get(query, [part.strip() for part in query.split("*")])
        found = [(self.groups[part][0] if part in self.groups else part, part) for part in parts]
        for of, part in found:
            if of not in self.columns:
                raise InputError(f"{query}: must be made of attributes and recodes; {part!r} is none")
        return found

    def kinds_of(self, name: str) -> list[str]:
        """The values of an attribute or recode, in the order of the answers to the query of this name.

        Raises:
            InputError: it is not known.

        >>> kinds = RecordKinds("person", "block", {"a": ("x", "y", "z")}, {"c": ("a", {"d": "z", "e": "xy"})}, {})
        >>> kinds.kinds_of("c")
        ['e', 'd']
        """
        ((of, part),) = self._parts(name)
        return list(dict.fromkeys(one for one in self._column(name, of, part) if one is not None))

    def values_of(self, cell: int) -> list[str]:
        """The values that make a cell."""
        if self.counted_units is not None and cell >= self.combinations:
            return [self.counted_units.types[cell - self.combinations]]
        places = self._places([cell])[0]
        return [values[place] for values, place in zip(self.attributes.values(), places, strict=False)]

    def _places(self, cells: Sequence[int]) -> list[tuple[int, ...]]:
        """Which value of each column makes each cell; of a unit, that of its type stands last."""
        sizes = [len(values) for values in self.attributes.values()]
        ends = self.combinations
        of_records = np.unravel_index([cell if cell < ends else 0 for cell in cells], sizes)
        of_units = [max(cell - ends, 0) for cell in cells]
        more = [] if self.counted_units is None else [of_units]
        return [tuple(map(int, one)) for one in zip(*of_records, *more, strict=True)]

    def _column(self, place: str, attribute: str, name: str) -> list[str | None]:
        values = self.columns[attribute]
        if name in (attribute, _DETAILED):
            return list(values)
        of, groups = self.groups.get(name, ("", {}))
        if of != attribute:
            raise InputError(f"{place}: {attribute} must be counted by a name of schema.toml; got {name!r}")
        named = {value: group for group, members in groups.items() for value in members}
        return [named.get(value) for value in values]


def record_kinds(place: str, text: str) -> RecordKinds:
    """What a schema says of records.

    Args:
        place: of the text, for messages.
        text: TOML.

    Raises:
        InputError: it is no schema.
    """
    found = load_toml(place, text, parse_float=str)
    try:
        kinds = RecordKinds(
            _line(found["record"]),
            _line(found["geography"]),
            {name: _texts(values) for name, values in found["attributes"].items()},
            {name: (_line(one["of"]), _lists(one["groups"])) for name, one in found.get("recodes", {}).items()},
            {_line(one["name"]): (_lists(one["where"]), _count(one.get("most", 0))) for one in found.get("rules", ())},
            *_units(found.get("units")),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{place}: must be a schema of records: {error}") from None
    if not kinds.attributes or not all(kinds.attributes.values()):
        raise InputError(f"{place}: must have attributes with values")
    units = kinds.counted_units
    if units is not None and not (
        units.column not in kinds.attributes
        and set(units.same) == set(kinds.attributes.get(units.of, ()))
        and {one for types in units.same.values() for one in types} <= set(units.types)
    ):
        raise InputError(f"{place}: units must have a column of their own, and as many as records by an attribute")
    return kinds


def _units(
    table: Mapping[str, Any] | None,
) -> tuple[tuple[str, Mapping[str, int], Mapping[str, int]] | None, CountedUnits | None]:
    """The units that are kept exactly, and those that were measured."""
    if table is None:
        return None, None
    if "values" in table:
        same = _lists(table["same"])
        return None, CountedUnits(_line(table["attribute"]), _texts(table["values"]), _line(table["of"]), same)
    least, most = ({name: _count(value) for name, value in table.get(key, {}).items()} for key in ("least", "most"))
    return (_line(table["attribute"]), least, most), None


def _quoted(value: str) -> str:
    return repr(value) if set(value) & set(",'\"") else value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} must be a text")
    return value


def _line(value: Any) -> str:
    """A text with one space between its words, as the program that releases reads it."""
    return " ".join(_text(value).split())


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} must be an integer")
    return value


def _texts(values: Iterable[Any]) -> tuple[str, ...]:
    found = tuple(map(_text, values))
    if len(set(found)) != len(found):
        raise ValueError(f"{found!r} must be values that differ")
    return found


def _lists(table: Mapping[str, Iterable[Any]]) -> Mapping[str, tuple[str, ...]]:
    return {name: _texts(values) for name, values in table.items()}
