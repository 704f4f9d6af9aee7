"""What records are counted by: attributes, coarser versions of them, the queries that these names make, and rules.

A query is written as in the published settings: `total`, `detailed`, the name of an attribute or recode, or several
joined by `*`, for each combination of their values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from stirred.mechanisms.das.topdown.cell_names import UNITS, CellNames, label
from stirred.mechanisms.das.topdown.design import Counts, EditConstraint
from stirred.mechanisms.das.topdown.integers import Behind, Box, Marginal, Partition
from stirred.spec.arguments import InputError, suggestion
from stirred.spec.record_names import DETAILED, TOTAL, check_names

_MOST_CELLS = 2_000_000


@dataclass(frozen=True)
class Recode:
    """A coarser version of an attribute.

    Attributes:
        of: the attribute, or the column of measured units.
        groups: by the name of a value, the values of the attribute; together some or all of them, each at most once.
    """

    of: str
    groups: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class RecordRule:
    """At most so many records of a kind in a leaf; a structural zero has most = 0.

    Attributes:
        where: by attribute, the values that make the kind.
    """

    name: str
    where: Mapping[str, tuple[str, ...]]
    most: int = 0


@dataclass(frozen=True)
class Units:
    """A second table, of housing units and group quarters, whose counts by type and leaf are kept exactly.

    Attributes:
        attribute: the attribute of a record that says in what type of unit it is, or a coarser version of one.
        least: the fewest records to a unit, by type; 0 for the others.
        most: the most records to a unit, by type; no limit for the others.
    """

    attribute: str
    least: Mapping[str, int]
    most: Mapping[str, int]


@dataclass(frozen=True)
class MeasuredUnits:
    """A second table, of all housing units and group quarters, whose counts by type are measured as those of records.

    A record is a unit that somebody lives in: in every leaf there are as many records with a value as units of its
    types.

    Attributes:
        attribute: the column that says of what type a unit is.
        of: an attribute of a record.
        same: by each of its values, the types of the units that these records are.
    """

    attribute: str
    values: tuple[str, ...]
    of: str
    same: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class RecordSchema:
    """What records are counted by.

    Attributes:
        part: what one record is, such as "person".
        units: the second table, if there is one that is kept exactly.
        measured_units: the second table, if there is one that is measured.
    """

    part: str
    attributes: Mapping[str, tuple[str, ...]]
    recodes: Mapping[str, Recode]
    rules: tuple[RecordRule, ...] = ()
    units: Units | None = None
    measured_units: MeasuredUnits | None = None

    def __post_init__(self) -> None:
        if self.units is not None and self.measured_units is not None:
            raise InputError("units must be kept exactly or measured, not both")
        kept, own = self.units, self.measured_units
        check_names(
            self.attributes,
            {name: (recode.of, recode.groups) for name, recode in self.recodes.items()},
            [(rule.name, rule.where) for rule in self.rules],
            None if kept is None else (kept.attribute, kept.least, kept.most),
            None if own is None else (own.attribute, own.values, own.of, own.same),
        )
        if (records := prod(self.shape)) > _MOST_CELLS:
            raise InputError(f"attributes must have at most {_MOST_CELLS} combinations; these have {records}")
        firsts = next(iter(self.attributes.values()), ())
        if self.unit_types and any(value.startswith(UNITS) for value in firsts):
            raise InputError("values and types of units ('units: …') must have different names")

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """The values of each attribute, and the types of measured units by their column."""
        own = self.measured_units
        return {**self.attributes, **({} if own is None else {own.attribute: own.values})}

    @property
    def _kinds(self) -> dict[str, tuple[str, ...]]:
        return {**self.attributes, **{name: tuple(recode.groups) for name, recode in self.recodes.items()}}

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of values of each attribute."""
        return tuple(map(len, self.attributes.values()))

    @property
    def records(self) -> int:
        """How many combinations of values there are: the first cells of a design."""
        return prod(self.shape)

    @cached_property
    def unit_types(self) -> tuple[str, ...]:
        """The types of units that are counted."""
        if self.measured_units is not None:
            return self.measured_units.values
        return () if self.units is None else self._kinds[self.units.attribute]

    @property
    def cell_parts(self) -> CellNames:
        """The part of the data that each cell of a design counts: records, then units by type."""
        unit = "unit" if self.measured_units is None else self.part
        return CellNames(tuple(self.attributes.values()), self.part, self.unit_types, unit)

    def unit_row(self, kind: str) -> Counts:
        """The row that counts the units of a type."""
        return self._box({}, 0, {kind: 1})

    def _box(self, where: Mapping[str, Sequence[str]], entry: int = 1, units: Mapping[str, int] | None = None) -> Box:
        """The row of records with certain values, and of units."""
        values = [
            tuple(map(known.index, where[name])) if name in where else None for name, known in self.attributes.items()
        ]
        others = tuple((self.records + self.unit_types.index(kind), own) for kind, own in (units or {}).items())
        return Box(self.shape, tuple(values), self.records + len(self.unit_types), entry, others)

    def rows(self, query: str) -> dict[str, Counts]:
        """The rows of a query, by the combination of values that each counts."""
        factors = self._by_attribute(query)
        order = [name for names, _ in factors for name in names]
        wanted = [order.index(name) for name in self.factors(query)]
        rows = self.marginal(query)
        found: dict[str, Counts] = {}
        for number, row in enumerate(rows):
            known = [
                value
                for (_, labels), chosen in zip(factors, rows.combination(number), strict=True)
                for value in list(dict.fromkeys(one for one in labels if one is not None))[chosen]
            ]
            found[label([known[place] for place in wanted]) if factors else TOTAL] = row
        return found

    def marginal(self, query: str) -> Partition:
        """The rows of a query, in the order of the first cell that each counts."""
        factors = list[tuple[int, tuple[int, ...]]]()
        names = list(self.columns)
        for of, labels in self._by_attribute(query):
            numbers = {one: number for number, one in enumerate(dict.fromkeys(filter(None, labels)))}
            attribute = names.index(self.recodes[of[0]].of if of[0] in self.recodes else of[0])
            factors.append((attribute, tuple(-1 if one is None else numbers[one] for one in labels)))
        if factors and factors[-1][0] == len(self.attributes):
            if len(factors) > 1:
                raise InputError(f"query {query!r} must count records or units, not both")
            return Behind(self.shape, factors[0][1])
        return Marginal(self.shape, tuple(factors), self.records + len(self.unit_types))

    def _by_attribute(self, query: str) -> list[tuple[tuple[str, ...], list[tuple[str, ...] | None]]]:
        """By attribute that a query looks at: its factors of it, and what these become for each value."""
        found: dict[str, tuple[tuple[str, ...], list[tuple[str, ...] | None]]] = {}
        for factor in self.factors(query):
            of, values = self._values(factor)
            names, known = found.get(of, ((), [()] * len(values)))
            both = [
                None if one is None or value is None else (*one, value)
                for one, value in zip(known, values.values(), strict=True)
            ]
            found[of] = (*names, factor), both
        return [found[name] for name in self.columns if name in found]

    def factors(self, query: str) -> tuple[str, ...]:
        """The attributes and recodes whose values a query crosses; none for the total."""
        parts = tuple(part.strip() for part in query.split("*"))
        if parts == (TOTAL,):
            return ()
        if parts == (DETAILED,):
            return tuple(self.attributes)
        for part in parts:
            if part not in self.columns and part not in self.recodes:
                known = suggestion(part, [TOTAL, DETAILED, *self.columns, *self.recodes])
                raise InputError(f"unknown query {query!r}: {part!r} is no attribute or recode; {known}")
        return parts

    def _values(self, part: str) -> tuple[str, dict[str, str | None]]:
        """The attribute that is looked at, and what its values become."""
        if part in self.columns:
            return part, {value: value for value in self.columns[part]}
        recode = self.recodes[part]
        of = {value: name for name, group in recode.groups.items() for value in group}
        return recode.of, {value: of.get(value) for value in self.columns[recode.of]}

    @cached_property
    def edits(self) -> tuple[EditConstraint, ...]:
        """The rules, and the fewest and most records to the units of each type, or that each record is a unit."""
        found = [EditConstraint(rule.name, self._box(rule.where), rule.most) for rule in self.rules]
        if self.measured_units is not None:
            for value, kinds in self.measured_units.same.items():
                for words, sign in (("no more records than units", 1), ("no more units than records", -1)):
                    row = self._box({self.measured_units.of: (value,)}, sign, dict.fromkeys(kinds, -sign))
                    found.append(EditConstraint(f"{words} that are {value}", row))
        if self.units is None:
            return tuple(found)
        recode = self.recodes.get(self.units.attribute)
        for kind in self.unit_types:
            records = {self.units.attribute: (kind,)} if recode is None else {recode.of: recode.groups[kind]}
            if least := self.units.least.get(kind, 0):
                row = self._box(records, -1, {kind: least})
                found.append(EditConstraint(f"at least {least} in each unit of type {kind}", row))
            if kind in self.units.most:
                most = self.units.most[kind]
                row = self._box(records, 1, {kind: -most})
                found.append(EditConstraint(f"at most {most} in each unit of type {kind}", row))
        return tuple(found)
