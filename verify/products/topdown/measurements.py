"""What `stirred run topdown` releases beside the records, so that they can be checked without the data.

schema.toml                                  what records are counted by, as it was given
geography.parquet                            node, parent: the tree
measurements/LEVEL.parquet/DPQuery/...       the noisy measurements of a level, in the form of the published files
measurements/LEVEL.parquet/Constraint/...    what is kept at a level: invariants, bounds, what was released before
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from math import prod
from pathlib import Path
from urllib.parse import quote

from stirred.mechanisms.das.topdown.design import Design
from stirred.mechanisms.das.topdown.schema import RecordSchema
from stirred.mechanisms.das.topdown.siblings import Published, Totals
from stirred.mechanisms.tables.noisy_measurements import (
    FIXED_COLUMNS,
    Answers,
    KeptMeasurements,
    ReleasedQuery,
    query_tables,
    tree_table,
)
from stirred.mechanisms.tables.writing import WholeFiles
from stirred.spec.arguments import InputError

_DETAILED = "detailed"

EARLIER = "earlier "
"""Begins the name of a constraint that comes from an earlier release."""


def kept_measurements(
    folder: Path,
    design: Design,
    columns: Sequence[str],
    drawn: Iterable[tuple[str, Answers]],
    rows: Callable[[int, str, Answers], list[ReleasedQuery]] | None = None,
) -> KeptMeasurements:
    """Measurements in files, which are written as they are drawn.

    A query counts by `columns`; `rows` are the queries of a node, by default the answers alone.
    """
    levels = design.geography.levels
    asked = [[bool(group.share_at(level)) for group in design.groups] for level, _ in enumerate(levels)]
    found = KeptMeasurements(folder, columns, levels, asked)
    found.write(drawn, rows or _answers_alone)
    return found


def _answers_alone(_: int, node: str, answers: Answers) -> list[ReleasedQuery]:
    return [ReleasedQuery(node, "", (), (), of_group) for of_group in answers if len(of_group)]


def check_columns(place: str, schema: RecordSchema) -> None:
    """Refuse attributes that are called as a column of the measurements."""
    if taken := [name for name in schema.columns if name in FIXED_COLUMNS]:
        raise InputError(
            f"{place}: attributes must have other names than the columns of measurements; got {taken[0]!r}: "
            "another name, or --no-measurements"
        )


@dataclass(frozen=True)
class ReleasedMeasurements:
    """What is released of a run beside its records.

    Attributes:
        kept: the queries that are invariant, with their level, in the order of the design.
        reproduced: the queries of an earlier release that are reproduced, with their level, in order.
    """

    design: Design
    schema: RecordSchema
    levels: Sequence[str]
    kept: Sequence[tuple[str, str]]
    reproduced: Sequence[tuple[str, str]]
    _asked: dict[int, list[tuple[int, str, list[str], list[int], Fraction]]] = field(default_factory=dict, init=False)

    def write(
        self,
        files: WholeFiles,
        folder: Path,
        measured: KeptMeasurements,
        totals: Totals,
        published: Sequence[Published],
    ) -> dict[str, object]:
        """Write the measurements and constraints of every level, and the tree; returns what a manifest says of them."""
        written = {}
        files.table(str(folder / "geography.parquet"), *tree_table(self.design.geography.parents))
        for level, name in enumerate(self.levels):
            base = f"measurements/{quote(name, safe=' ')}.parquet"
            paths = [f"{base}/{kind}/part-0.parquet" for kind in ("DPQuery", "Constraint")]
            for path in paths:
                (folder / path).parent.mkdir(parents=True)
            written[paths[0]] = files.copy(str(folder / paths[0]), measured.path(level), measured.rows(level))
            rows = self._constraints(level, totals, published)
            written[paths[1]] = files.table(str(folder / paths[1]), *query_tables(list(self.columns), rows, signs=True))
        return {path: {"rows": one.rows, "sha256": one.sha256} for path, one in written.items()}

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns by which a query counts."""
        return tuple(self.schema.columns)

    def keep(self, folder: Path, drawn: Iterable[tuple[str, Answers]]) -> KeptMeasurements:
        """Keep measurements in files, as they are drawn."""
        return kept_measurements(folder, self.design, self.columns, drawn, self._rows)

    def _rows(self, level: int, node: str, answers: Answers) -> list[ReleasedQuery]:
        if level not in self._asked:
            self._asked[level] = [
                (place, f"{group.name}_dpq", *self._axes(group.name), self.design.variance(level, group))
                for place, group in enumerate(self.design.groups)
                if group.share_at(level)
            ]
        return [
            ReleasedQuery(node, name, factors, shape, answers[place], variance)
            for place, name, factors, shape, variance in self._asked[level]
        ]

    def _constraints(self, level: int, totals: Totals, published: Sequence[Published]) -> Iterator[ReleasedQuery]:
        units = 0 if self.schema.units is None else len(self.schema.unit_types)
        yield from self._exact(level, self.kept, totals[units:], "")
        yield from self._exact(level, self.reproduced, [one.values for one in published], EARLIER)
        if level == len(self.levels) - 1:
            yield from self._of_units(totals[:units])
            yield from self._of_rules()

    def _exact(
        self, level: int, queries: Sequence[tuple[str, str]], values: Sequence[Sequence[int]], before: str
    ) -> Iterator[ReleasedQuery]:
        """Totals that are kept exactly; the values are those of each answer to each query, by node."""
        nodes, left = self.design.geography.levels[level], iter(values)
        for query, at in queries:
            factors, shape = self._axes(query)
            answers = list(islice(left, prod(shape)))
            if at == self.levels[level]:
                for node, value in zip(nodes, zip(*answers, strict=True), strict=True):
                    yield ReleasedQuery(node, f"{before}{query}_con", factors, shape, value, sign="=")

    def _of_units(self, counts: Sequence[Sequence[int]]) -> Iterator[ReleasedQuery]:
        """The fewest and the most records that the units of each type hold, at every leaf."""
        units = self.schema.units
        if units is None:
            return
        factors, shape = self._axes(units.attribute)
        values = self.schema.attributes[self._recoded(units.attribute) or units.attribute]
        kinds = dict.fromkeys(kind for value in values if (kind := self._label(units.attribute, value)) is not None)
        for leaf, here in zip(self.design.geography.leaves, zip(*counts, strict=True), strict=True):
            of_type = dict(zip(self.schema.unit_types, here, strict=True))
            by_type = [(kind, of_type[kind]) for kind in kinds]
            lower = [units.least.get(kind, 0) * count for kind, count in by_type]
            upper = [units.most[kind] * count if kind in units.most else None for kind, count in by_type]
            for name, sign, value in (("lb", ">=", lower), ("ub", "<=", upper)):
                yield ReleasedQuery(leaf, f"{units.attribute}_total_{name}_con", factors, shape, value, sign=sign)

    def _of_rules(self) -> Iterator[ReleasedQuery]:
        """What no leaf has more of than a rule says; each rule is a group of the values of its attributes."""
        shape = [1] * len(self.schema.columns)
        for rule in self.schema.rules:
            factors = [rule.name if one in rule.where else "*" for one in self.schema.columns]
            for leaf in self.design.geography.leaves:
                yield ReleasedQuery(
                    leaf, f"{rule.name}_con", factors, shape, [rule.most], sign="<=" if rule.most else "="
                )

    def _axes(self, query: str) -> tuple[list[str], list[int]]:
        """For each column by what a query counts it, and in how many answers."""
        names, shape = [], []
        factors = self.schema.factors(query)
        for attribute, values in self.schema.columns.items():
            own = [one for one in factors if one == attribute or self._recoded(one) == attribute]
            labels = [[self._label(one, value) for one in own] for value in values]
            names.append((_DETAILED if query == _DETAILED and own else " * ".join(own)) or "*")
            shape.append(len({tuple(label) for label in labels if None not in label}))
        return names, shape

    def _recoded(self, name: str) -> str | None:
        return self.schema.recodes[name].of if name in self.schema.recodes else None

    def _label(self, factor: str, value: str) -> str | None:
        if factor not in self.schema.recodes:
            return value
        groups = self.schema.recodes[factor].groups
        return next((name for name, group in groups.items() if value in group), None)
