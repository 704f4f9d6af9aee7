"""What records are counted by: attributes, coarser versions of them, the queries that these names make, and rules.

A query is written as in the published settings: `total`, `detailed`, the name of an attribute or recode, or several
joined by `*`, for each combination of their values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from stirred.mechanisms.topdown.design import Counts, EditConstraint
from stirred.spec.arguments import InputError, suggestion

__all__ = ["TOTAL", "Recode", "RecordRule", "RecordSchema", "Units"]

TOTAL, DETAILED = "total", "detailed"

_MOST_CELLS = 10_000


@dataclass(frozen=True)
class Recode:
    """A coarser version of an attribute.

    Attributes:
        of: the attribute.
        groups: by the name of a value, the values of the attribute; together some or all of them, each at most once.
    """

    of: str
    groups: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class RecordRule:
    """At most so many records of a kind in a leaf; a structural zero has most = 0.

    Attributes:
        name: what it is called.
        where: by attribute, the values that make the kind.
        most: the largest count.
    """

    name: str
    where: Mapping[str, tuple[str, ...]]
    most: int = 0


@dataclass(frozen=True)
class Units:
    """A second table, of housing units and group quarters, whose counts by type and leaf are kept exactly.

    Attributes:
        attribute: the attribute of a record that says in what type of unit it is.
        least: the fewest records to a unit, by type; 0 for the others.
        most: the most records to a unit, by type; no limit for the others.
    """

    attribute: str
    least: Mapping[str, int]
    most: Mapping[str, int]


def _label(values: Sequence[str]) -> str:
    """The name of a combination of values, another one for each."""
    return ", ".join(repr(value) if set(value) & set(",'\"") else value for value in values)


@dataclass(frozen=True)
class RecordSchema:
    """What records are counted by.

    Attributes:
        part: what one record is, such as "person".
        attributes: the values of each attribute.
        recodes: coarser versions, by name.
        rules: what every data set obeys.
        units: the second table, if there is one.

    Raises:
        InputError: a name is used twice or not known, or there are more than 10,000 cells.
    """

    part: str
    attributes: Mapping[str, tuple[str, ...]]
    recodes: Mapping[str, Recode]
    rules: tuple[RecordRule, ...] = ()
    units: Units | None = None

    def __post_init__(self) -> None:
        for name in (*self.attributes, *self.recodes):
            if name in (TOTAL, DETAILED) or "*" in name or (name in self.attributes and name in self.recodes):
                raise InputError(f"an attribute or recode must have a name of its own without '*'; got {name!r}")
        for name, recode in self.recodes.items():
            self._check_values(f"recode {name}", recode.of, [v for group in recode.groups.values() for v in group])
        for rule in self.rules:
            for attribute, values in rule.where.items():
                self._check_values(f"rule {rule.name}", attribute, values)
        if self.units is not None:
            for limits in (self.units.least, self.units.most):
                self._check_values("units", self.units.attribute, list(limits))
        if len(self.cells) > _MOST_CELLS:
            raise InputError(f"attributes must have at most {_MOST_CELLS} combinations; these have {len(self.cells)}")
        if len(self.cell_parts) < len(self.cells) + len(self.unit_types):
            raise InputError("values must have other names than the types of units ('units: …'); they have the same")

    def _check_values(self, what: str, attribute: str, values: Sequence[str]) -> None:
        if attribute not in self.attributes:
            raise InputError(f"{what}: unknown attribute {attribute!r}; {suggestion(attribute, [*self.attributes])}")
        for value in values:
            if value not in self.attributes[attribute]:
                known = suggestion(value, self.attributes[attribute])
                raise InputError(f"{what}: {attribute} has no value {value!r}; {known}")
        if len(set(values)) != len(values):
            raise InputError(f"{what}: must name each value of {attribute} at most once")

    @cached_property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """Every combination of values of the attributes, in order."""
        return tuple(product(*self.attributes.values()))

    @cached_property
    def unit_types(self) -> tuple[str, ...]:
        """The types of units that are counted."""
        return () if self.units is None else self.attributes[self.units.attribute]

    @property
    def cell_parts(self) -> dict[str, str]:
        """The part of the data that each cell of a design counts: records, then units by type."""
        found = {_label(cell): self.part for cell in self.cells}
        return found | {f"units: {kind}": "unit" for kind in self.unit_types}

    def unit_row(self, kind: str) -> Counts:
        """The row that counts the units of a type."""
        return (0,) * len(self.cells) + tuple(int(kind == one) for one in self.unit_types)

    def rows(self, query: str) -> dict[str, Counts]:
        """The rows of a query, by the combination of values that each counts.

        Raises:
            InputError: a part of its name is not known here.
        """
        return {name: self._of_records(chosen) for name, chosen in self._labels(query).items()}

    def factors(self, query: str) -> tuple[str, ...]:
        """The attributes and recodes whose values a query crosses; none for the total.

        Raises:
            InputError: a part of its name is not known here.
        """
        parts = tuple(part.strip() for part in query.split("*"))
        if parts == (TOTAL,):
            return ()
        if parts == (DETAILED,):
            return tuple(self.attributes)
        for part in parts:
            if part not in self.attributes and part not in self.recodes:
                known = suggestion(part, [TOTAL, DETAILED, *self.attributes, *self.recodes])
                raise InputError(f"unknown query {query!r}: {part!r} is no attribute or recode; {known}")
        return parts

    def _labels(self, query: str) -> dict[str, list[int]]:
        factors = self.factors(query)
        if not factors:
            return {TOTAL: [1] * len(self.cells)}
        values = [self._values(factor) for factor in factors]
        found: dict[str, list[int]] = {}
        for place, cell in enumerate(self.cells):
            labels = [value[cell[list(self.attributes).index(of)]] for of, value in values]
            known = [label for label in labels if label is not None]
            if len(known) == len(labels):
                found.setdefault(_label(known), [0] * len(self.cells))[place] = 1
        return found

    def _values(self, part: str) -> tuple[str, dict[str, str | None]]:
        """The attribute that is looked at, and what its values become."""
        if part in self.attributes:
            return part, {value: value for value in self.attributes[part]}
        recode = self.recodes[part]
        of = {value: name for name, group in recode.groups.items() for value in group}
        return recode.of, {value: of.get(value) for value in self.attributes[recode.of]}

    def _of_records(self, chosen: Sequence[int]) -> Counts:
        return (*chosen, *(0 for _ in self.unit_types))

    @cached_property
    def edits(self) -> tuple[EditConstraint, ...]:
        """The rules, and the fewest and most records to the units of each type."""
        names = list(self.attributes)
        found = [
            EditConstraint(
                rule.name,
                self._of_records(
                    [
                        int(all(cell[names.index(one)] in values for one, values in rule.where.items()))
                        for cell in self.cells
                    ]
                ),
                rule.most,
            )
            for rule in self.rules
        ]
        if self.units is None:
            return tuple(found)
        kinds = self.rows(self.units.attribute)
        for kind in self.unit_types:
            records, units = kinds[kind], self.unit_row(kind)
            if least := self.units.least.get(kind, 0):
                row = tuple(least * n - p for p, n in zip(records, units, strict=True))
                found.append(EditConstraint(f"at least {least} in each unit of type {kind}", row))
            if kind in self.units.most:
                most = self.units.most[kind]
                row = tuple(p - most * n for p, n in zip(records, units, strict=True))
                found.append(EditConstraint(f"at most {most} in each unit of type {kind}", row))
        return tuple(found)
