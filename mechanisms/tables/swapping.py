"""The Permutation Swapping Algorithm, or fibre noise, on a table in memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stirred.mechanisms.fast.permutation_swapping import Codes
from stirred.mechanisms.fast.swap_buckets import bucket_numbers, default_buckets, strata_of
from stirred.mechanisms.tables.cells import Cells, Combination, StratumSizes, count_cells
from stirred.mechanisms.tables.coded_column import CodedColumn, check_nulls, coded_column, coded_schema, matching_column
from stirred.mechanisms.tables.reading import TableFile
from stirred.mechanisms.tables.redistribution import SwapRun, new_codes, new_counts
from stirred.mechanisms.tables.roles import COUNT, Roles
from stirred.spec.arguments import InputError
from stirred.spec.flavors.permutation_swapping import Margins

Parts = tuple[Any, Iterator[Any]]
"""A schema and tables of it, one after another; texts may be dictionary-encoded in them."""

_SLICE = 2**18
_MOST = 2**63 - 1
_SHOWN = 30


@dataclass(frozen=True)
class SwappedTable:
    """A swapped table in memory.

    Attributes:
        schema: of the input.
        columns: the variables, in the order of the roles, as they were.
        cells: the saturated table after the swap.
        matching: for each stratum the codes of its matching variables.
        holding: the holding variables of the records as one.
        swapping: the swapping variables as one, after the swap.
        others: the columns without a role in the table, by name.
        homes: the bucket of each stratum.
    """

    roles: Roles
    schema: Any
    records: int
    buckets: int
    columns: tuple[CodedColumn, ...]
    cells: Cells
    matching: tuple[Codes, ...]
    holding: Combination
    swapping: Combination
    others: dict[str, Any]
    homes: Any

    @property
    def sizes(self) -> StratumSizes:
        """What the margins say of the strata."""
        return self.cells.sizes()

    def margins(self) -> Iterator[Margins]:
        """The margins of each stratum."""
        yield from self.cells.margins()

    def identifying(self) -> list[str]:
        """The variables with another value in each record."""
        return [column.name for column in self.columns if len(column.values) == self.records > 1]

    def values(self, *, before: bool = False) -> dict[str, Any]:
        """The swapped values of each record by variable, or those before the swap."""
        columns = self.columns[-len(self.roles.swapping) :]
        codes = [one.codes for one in columns] if before else self.swapping.columns(self.swapping.codes)
        return {one.name: one.taken(code) for one, code in zip(columns, codes, strict=True)}

    def saturated(self) -> Parts:
        """The saturated table: bucket by bucket, strata by their canonical bytes, cells by their values."""
        cells = self.cells
        if self.buckets > 1:
            order = np.argsort(self.homes.take(cells.strata), kind="stable")
            cells = Cells(*(side.take(order) for side in (cells.strata, cells.holding, cells.swapping, cells.counts)))
        schema = table_schema(self.schema, self.roles)
        codes = cell_codes(cells, self.matching, self.holding, self.swapping)
        return schema, iter([cell_table(schema, self.columns, codes, cells.counts)])

    def microdata(self) -> Parts:
        """The records with their swapped values, in the input's order and schema."""
        return self.schema, self._slices()

    def _slices(self) -> Iterator[Any]:
        columns = {column.name: column for column in self.columns}
        for start in range(0, self.records, _SLICE):
            rows = slice(start, start + _SLICE)
            swapped = dict(zip(self.roles.swapping, self.swapping.columns(self.swapping.codes[rows]), strict=True))
            found = []
            for kind in self.schema:
                column = columns.get(kind.name)
                if column is None:
                    found.append(self.others[kind.name].slice(start, _SLICE).cast(kind.type))
                else:
                    codes = swapped[kind.name] if kind.name in swapped else column.codes[rows]
                    found.append(column.shown(codes, kind.type))
            yield pa.table(found, schema=coded_schema(self.schema, found))


def table_schema(schema: Any, roles: Roles) -> Any:
    """The schema of the saturated table."""
    return pa.schema([*(schema.field(name) for name in roles.columns), pa.field(COUNT, pa.int64())])


def cell_codes(cells: Cells, matching: Sequence[Codes], holding: Combination, swapping: Combination) -> list[Codes]:
    """The codes of each cell by variable, given those of the matching variables by stratum."""
    return [
        *(codes.take(cells.strata) for codes in matching),
        *holding.columns(cells.holding),
        *swapping.columns(cells.swapping),
    ]


def cell_table(schema: Any, columns: Sequence[CodedColumn], codes: Sequence[Codes], counts: Any) -> Any:
    """The cells of these codes as an Arrow table."""
    arrays = [
        column.taken(code).cast(schema.field(column.name).type) for column, code in zip(columns, codes, strict=True)
    ]
    return pa.table([*arrays, pa.array(counts)], schema=schema)


def swap_file(file: TableFile, roles: Roles, run: SwapRun, *, microdata: bool = False) -> SwappedTable:
    """Read a file and swap it; `microdata` keeps the columns without a role in the table."""
    needed = file.schema.names if microdata else [*roles.columns, *filter(None, (roles.identifier, roles.count))]
    table = file.table(needed, roles.columns)
    if run.buckets is None:
        run = replace(run, buckets=default_buckets(file.lines))
    return swap_table(table, roles, run, place=file.path, schema=file.schema)


def swap_table(table: Any, roles: Roles, run: SwapRun, *, place: str = "table", schema: Any = None) -> SwappedTable:
    """Swap an Arrow table.

    Args:
        table: with the columns that have a role; others are kept for the microdata.
        place: what messages call it.
        schema: of the microdata; that of the table by default.

    Source: article, Algorithm 1.
    """
    records = table.num_rows
    columns = coded_columns(place, table, roles, nulls=run.nulls)
    matching, holding, swapping = by_role(columns, roles)
    strata = strata_of([matching_column(column) for column in matching], records)
    number = len(strata.hashes)
    buckets = default_buckets(records) if run.buckets is None else run.buckets
    weights = None if roles.count is None else count_weights(place, roles.count, table.column(roles.count))
    total = records if weights is None else sum(weights.tolist())
    if not total:
        raise InputError(f"{place}: must hold at least one record; got none")
    if total > _MOST:
        raise InputError(f"{place}: must hold at most 2^63 - 1 records in all; here are {total}")
    first = first_places(strata.codes, number)
    held, given = combination(holding), combination(swapping)
    if weights is not None:
        cells = count_cells(strata.codes, number, held, given, weights)
        cells = new_counts(cells, strata, run, buckets)
    else:
        if not run.is_description:
            ids = (
                None if roles.identifier is None else id_ranks(place, roles.identifier, table.column(roles.identifier))
            )
            given = replace(given, codes=new_codes(strata, held, given, run=run, buckets=buckets, ids=ids))
        cells = count_cells(strata.codes, number, held, given)
    variables = frozenset(roles.columns)
    return SwappedTable(
        roles,
        table.schema if schema is None else schema,
        total,
        buckets,
        columns,
        cells,
        tuple(column.codes.take(first) for column in matching),
        held,
        given,
        {name: table.column(name) for name in table.column_names if name not in variables},
        bucket_numbers(strata.hashes, buckets),
    )


def coded_columns(place: str, table: Any, roles: Roles, *, nulls: bool) -> tuple[CodedColumn, ...]:
    """The variables of a table, coded by their sorted distinct values: codes are in the order of values."""
    if not nulls:
        check_nulls(place, [(name, table.column(name).null_count) for name in roles.columns])
    return tuple(coded_column(name, table.column(name)).sorted() for name in roles.columns)


def by_role(columns: Sequence[CodedColumn], roles: Roles) -> tuple[Sequence[CodedColumn], ...]:
    """The matching, the holding and the swapping variables."""
    first, second = len(roles.matching), len(roles.matching) + len(roles.holding)
    return columns[:first], columns[first:second], columns[second:]


def combination(columns: Sequence[CodedColumn]) -> Combination:
    """Several variables as one."""
    return Combination.of([column.codes for column in columns], [len(column.values) for column in columns])


def first_places(codes: Codes, number: int) -> Any:
    """A record of each of so many strata."""
    places = np.zeros(number, dtype=np.int64)
    places[codes] = np.arange(len(codes))
    return places


def count_weights(place: str, name: str, column: Any) -> Any:
    """How many records each line stands for."""
    if not (pa.types.is_integer(column.type) or pa.types.is_string(column.type)):
        raise InputError(f"{place}: the column {name!r} must hold integers of at least 0; it is {column.type}")
    if pa.types.is_string(column.type):
        digits = pc.match_substring_regex(pc.utf8_trim_whitespace(column), "^[0-9]{1,18}$")
        wrong = pc.index(pc.fill_null(digits, False), False).as_py()
        if wrong >= 0:
            text = column[wrong].as_py() or ""
            shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
            raise InputError(
                f"{place}: line {wrong + 2}, column {name!r}: must be an integer of at least 0; got {shown!r}"
            )
        column = pc.utf8_trim_whitespace(column)
    values = column.cast(pa.int64())
    if values.null_count or (len(values) and pc.min(values).as_py() < 0):
        least = "a null" if values.null_count else pc.min(values).as_py()
        raise InputError(f"{place}: the column {name!r} must hold integers of at least 0; got {least}")
    return values.to_numpy()


def id_ranks(place: str, name: str, column: Any) -> Any:
    """The records' ranks by their ids, integers by size, texts by their bytes; None where they are in this order."""
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise InputError(f"{place}: the id column {name!r} must hold integers or texts; it is {kind}")
    if column.null_count:
        raise InputError(
            f"{place}: the id column {name!r} must have a value in each record; {column.null_count} have none"
        )
    if len(column) > 1 and pc.all(pc.less(column.slice(0, len(column) - 1), column.slice(1))).as_py():
        return None
    order = pc.sort_indices(column)
    ordered = column.take(order)
    same = pc.equal(ordered.slice(1), ordered.slice(0, max(len(ordered) - 1, 0)))
    twice = pc.index(same, True).as_py()
    if twice >= 0:
        raise InputError(
            f"{place}: the id column {name!r} must have another value in each record; "
            f"got {ordered[twice].as_py()!r} twice; if a record is a person, swap a table of the households with "
            f"--persons FILE --by {name}"
        )
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order.to_numpy()] = np.arange(len(order))
    return ranks
