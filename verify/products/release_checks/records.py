"""What the records of a release are counted by, read from its schema.toml."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stirred.spec.arguments import InputError, integer, shown
from stirred.spec.record_names import check_names
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.claim.text import read_toml

UNCOUNTED = -1
"""The answer that a cell is not in."""

_ANY, _DETAILED = "*", "detailed"

_MOST = 10**9
"""Records of a kind in a leaf; with 64-bit integers nothing that is computed from them is lost."""

_KEYS = ("record", "table", "geography", "attributes", "recodes", "rules", "units")
_PERSONS, TREE, UNITS = "persons", "geography", "units"
"""Names of tables; records have another one where the schema says so."""


@dataclass(frozen=True)
class CountedUnits:
    """A second table, of units, that was measured as the records were.

    Attributes:
        column: says of what type a unit is.
        same: by its values, the types of units of which there are as many as records with the value.
    """

    column: str
    types: tuple[str, ...]
    of: str
    same: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class RecordKinds:
    """The cells that records fall into: every combination of values, the last attribute changing fastest.

    Behind them are those of units, by type, where units were measured.

    Attributes:
        leaf: the column that names the leaf of a record.
        groups: coarser versions: the attribute, and by name its values.
        rules: by name, the values of attributes that make a kind, and the most records of it in a leaf.
        units: the attribute or recode that says in what type of unit a record is; fewest and most records of a unit.
    """

    unit: str
    leaf: str
    attributes: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, tuple[str, Mapping[str, tuple[str, ...]]]]
    rules: Mapping[str, tuple[Mapping[str, tuple[str, ...]], int]]
    units: tuple[str, Mapping[str, int], Mapping[str, int]] | None = None
    counted_units: CountedUnits | None = None
    table: str = _PERSONS

    @property
    def combinations(self) -> int:
        """How many cells of records there are."""
        return prod(map(len, self.attributes.values()))

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.combinations + (0 if self.counted_units is None else len(self.counted_units.types))

    @property
    def columns(self) -> Mapping[str, tuple[str, ...]]:
        """The values of each attribute, then the types of units that were measured."""
        own = self.counted_units
        return {**self.attributes, **({} if own is None else {own.column: own.types})}

    def answers(
        self, place: str, factors: Sequence[str], rule: str | None = None
    ) -> tuple[NDArray[np.int64], list[int]]:
        """For every cell the answer that it is in, and how many answers there are along each attribute.

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
        """What a query counts each of these cells as, by the names of its parts."""
        names = list(self.columns)
        columns = [(names.index(of), self._column(query, of, part)) for of, part in self._parts(query)]
        return [
            ", ".join(_quoted(str(column[places[of]])) for of, column in columns) or query
            for places in self._places(cells)
        ]

    def factors(self, query: str) -> list[str]:
        """By what a query counts each attribute, as its name says."""
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
                raise InputError(f"{query}: unknown attribute or recode {part!r}")
        return found

    def kinds_of(self, name: str) -> list[str]:
        """The values of an attribute or recode, in the order of the answers to the query of this name.

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


def record_kinds(path: str) -> RecordKinds:
    """What a schema file (TOML) says of records."""
    block = Block(f"{path}:", read_toml(Path(path))).only(_KEYS)
    attributes = _values(block, "attributes")
    recodes = block.table("recodes") if "recodes" in block else Block(block.where("recodes"), {})
    rules = [_rule(rule) for rule in (block.tables("rules") if "rules" in block else ())]
    kinds = RecordKinds(
        block.text("record"),
        block.text("geography"),
        attributes,
        {name: _recode(recodes.table(name)) for name in recodes.values},
        {name: (where, most) for name, where, most in rules},
        *_units(block),
        block.text("table") if "table" in block else _PERSONS,
    )
    if kinds.leaf in attributes or not attributes:
        raise block.refuse("attributes", f"must be one or more columns other than {kinds.leaf!r}; got {[*attributes]}")
    if len(kinds.rules) != len(rules):
        raise block.refuse("rules", "must have a name each that no other has")
    if not re.fullmatch(r"[a-z][a-z_]{0,40}", kinds.table) or kinds.table == TREE:
        raise block.refuse("table", f"must be small letters, and not {TREE!r}; got {kinds.table!r}")
    of_rules, own = [(name, where) for name, where, _ in rules], kinds.counted_units
    measured = None if own is None else (own.column, own.types, own.of, own.same)
    block.within("attributes", lambda: check_names(attributes, kinds.groups, of_rules, kinds.units, measured))
    if kinds.leaf in kinds.columns or (kinds.table == UNITS and "units" in block):
        raise block.refuse("units", f"must have a column other than {kinds.leaf!r}, and records another table")
    return kinds


def _values(block: Block, key: str) -> dict[str, tuple[str, ...]]:
    """Names, each with values."""
    table = block.table(key)
    for name in table.values:
        if not table.names(name):
            raise table.refuse(name, "must have at least one value; got none")
    return {name: table.names(name) for name in table.values}


def _recode(block: Block) -> tuple[str, dict[str, tuple[str, ...]]]:
    return block.only(("of", "groups")).text("of"), _values(block, "groups")


def _rule(block: Block) -> tuple[str, dict[str, tuple[str, ...]], int]:
    where = _values(block.only(("name", "where", "most")), "where")
    return block.text("name"), where, _count(block.where("most"), block.values.get("most", 0))


def _units(block: Block) -> tuple[tuple[str, dict[str, int], dict[str, int]] | None, CountedUnits | None]:
    """The units that are kept exactly, and those that are measured."""
    if "units" not in block:
        return None, None
    units = block.table("units")
    if "values" not in units:
        units.only(("attribute", "least", "most"))
        return (units.text("attribute"), _limits(units, "least"), _limits(units, "most")), None
    units.only(("attribute", "values", "of", "same"))
    if not (types := units.names("values")):
        raise units.refuse("values", "must have at least one value; got none")
    return None, CountedUnits(units.text("attribute"), types, units.text("of"), _values(units, "same"))


def _limits(block: Block, key: str) -> dict[str, int]:
    limits = block.table(key) if key in block else Block(key, {})
    return {kind: _count(limits.where(kind), value) for kind, value in limits.values.items()}


def _count(where: str, value: object) -> int:
    if (found := integer(where, value, minimum=0)) > _MOST:
        raise InputError(f"{where} must be at most {_MOST}; got {shown(found)}")
    return found


def _quoted(value: str) -> str:
    return repr(value) if set(value) & set(",'\"") else value
