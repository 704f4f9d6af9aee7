"""The PSA, or fibre noise, on tables larger than memory: sorted into buckets on disk, and these swapped.

Three passes, each of which needs the memory of a few batches, or of a bucket on each core:

    scan     read the variables in batches; the codes of each record go to the file of its bucket
    swap     bucket by bucket, on as many cores as memory allows: its saturated table, its records' swapped codes
    release  the tables of the buckets one after the other; for microdata, the input again, each record with the next
             swapped codes of its bucket

The result is that of `swap_table` with the same key and number of buckets, record by record.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from stirred.mechanisms.fast.permutation_swapping import Codes
from stirred.mechanisms.fast.swap_buckets import bucket_numbers, default_buckets, strata_of
from stirred.mechanisms.tables.cells import Cells, Combination, StratumSizes, count_cells, distinct
from stirred.mechanisms.tables.coded_column import (
    CodedColumn,
    GrowingColumn,
    check_matching,
    check_nulls,
    coded_schema,
    matching_column,
)
from stirred.mechanisms.tables.reading import TableFile
from stirred.mechanisms.tables.redistribution import SwapRun, new_codes
from stirred.mechanisms.tables.roles import Roles
from stirred.mechanisms.tables.run_folder import RunFolder
from stirred.mechanisms.tables.spilled import (
    Spill,
    SpilledHomes,
    SpilledRows,
    numbered_table,
    numpy_columns,
    read_table,
    write_table,
)
from stirred.mechanisms.tables.swapping import (
    Parts,
    by_role,
    cell_codes,
    cell_table,
    combination,
    first_places,
    id_ranks,
    table_schema,
)
from stirred.spec.arguments import InputError
from stirred.spec.flavors.permutation_swapping import Margins

# Work on two cores: the next piece of an iteration is made while the present one is used.

Piece = TypeVar("Piece")


def read_ahead(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The same pieces in the same order; one of them is made ahead, in a thread, and what it raises is raised in turn.

    >>> list(read_ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    end = object()
    with ThreadPoolExecutor(1) as thread:
        following: Future[Piece | object] = thread.submit(next, pieces, end)
        while (piece := following.result()) is not end:
            following = thread.submit(next, pieces, end)
            yield piece  # type: ignore[misc]  # the end is no piece


MOST_BUCKETS = 512
"""Files that are open at a time."""

_DEFAULT = 10**9
_BYTES, _BYTES_OF_A_RECORD = 200_000_000, 160
"""Memory of the process with a batch, and of each record of the bucket that is swapped, with 8 bytes more for each
variable: an estimate, which four million records of five variables in four buckets stayed below (0.38 GB at most)."""

Progress = Callable[[str, int, int], None]
"""Told what is done, with how many records of how many."""


@dataclass(frozen=True)
class SwappedParts:
    """A swapped table in the parts of a run's folder; see `SwappedTable` for what it gives.

    Attributes:
        occupied: the buckets that hold records.
        columns: the variables with their values in order, without codes.
    """

    made: PartsRun
    records: int
    occupied: tuple[int, ...]
    columns: tuple[CodedColumn, ...]

    @property
    def roles(self) -> Roles:
        """The roles of the columns."""
        return self.made.roles

    @property
    def buckets(self) -> int:
        """In how many buckets the records were swapped."""
        return self.made.buckets

    @cached_property
    def sizes(self) -> StratumSizes:
        """What the margins say of the strata."""
        first, *others = [self._cells(table).sizes() for table in self._tables()]
        return first.joined(others)

    def margins(self) -> Iterator[Margins]:
        """The margins of each stratum."""
        for table in self._tables():
            yield from self._cells(table).margins()

    def identifying(self) -> list[str]:
        """The variables with another value in each record."""
        return [column.name for column in self.columns if len(column.values) == self.records > 1]

    def saturated(self) -> Parts:
        """The saturated table: bucket by bucket, strata by their canonical bytes, cells by their values."""
        schema = table_schema(self.made.file.schema, self.roles)
        tables = map(numpy_columns, self._tables())
        return schema, read_ahead(cell_table(schema, self.columns, table[:-1], table[-1]) for table in tables)

    def microdata(self) -> Parts:
        """The records with their swapped values, in the input's order and schema."""
        return self.made.file.schema, read_ahead(self._swapped_records())

    def _tables(self) -> Iterator[Any]:
        for bucket in self.occupied:
            yield read_table(self.made.folder.bucket(bucket))

    def _cells(self, table: Any) -> Cells:
        columns = numpy_columns(table)
        spans = [len(column.values) for column in self.columns]
        first, second = len(self.roles.matching), len(self.roles.matching) + len(self.roles.holding)
        strata = columns[0] * 0 if not first else Combination.of(columns[:first], spans[:first]).codes
        held = Combination.of(columns[first:second], spans[first:second])
        given = Combination.of(columns[second:-1], spans[second:])
        return Cells(*(np.asarray(side, dtype=np.int64) for side in (strata, held.codes, given.codes, columns[-1])))

    def _swapped_records(self) -> Iterator[Any]:
        columns = {column.name: column for column in self.columns[-len(self.roles.swapping) :]}
        readers = {bucket: SpilledRows(_swapped_path(self.made.folder, bucket)) for bucket in self.occupied}
        homes = SpilledHomes(self.made.folder.path / "scan" / "homes")
        done = 0
        others = [name for name in self.made.file.schema.names if name not in columns]
        kept = [name for name in self.roles.columns if name not in columns]
        for batch in read_ahead(self.made.file.batches(others, kept)):
            rows = batch.num_rows
            home = homes.next(rows)
            order = np.argsort(home, kind="stable")
            counts = np.bincount(home)
            taken = [readers[bucket].next(int(counts[bucket])) for bucket in np.flatnonzero(counts).tolist()]
            swapped = {}
            for place, (name, column) in enumerate(columns.items()):
                codes = np.empty(rows, dtype=np.int32)
                codes[order] = np.concatenate([part[place] for part in taken])
                swapped[name] = column.shown(codes, self.made.file.schema.field(name).type)
            arrays = [
                swapped[field.name] if field.name in swapped else _shown(batch.column(field.name), field.type)
                for field in self.made.file.schema
            ]
            yield pa.table(arrays, schema=coded_schema(self.made.file.schema, arrays))
            done += rows
            self.made.progress("writing", done, self.records)


def _shown(column: Any, kind: Any) -> Any:
    """A column that was read, as it is where it holds texts of this type."""
    coded = pa.types.is_dictionary(column.type) and pa.types.is_string(kind) and column.type.value_type == kind
    return column if coded else column.cast(kind)


@dataclass(frozen=True)
class PartsRun:
    """A swap in parts.

    Attributes:
        run: what else decides the swap; the key is the folder's.
        folder: where the parts are kept.
        microdata: whether the records are to be released.
    """

    file: TableFile
    roles: Roles
    run: SwapRun
    folder: RunFolder
    microdata: bool
    progress: Progress

    def swapped(self, memory: int | None) -> SwappedParts:
        """Scan and swap the file, or go on where the folder says that an earlier run stopped.

        Args:
            memory: bytes that the process may take; by default 1 GB, or what the largest bucket needs.
        """
        try:
            return self._swapped(memory)
        except OSError as error:
            reason = error.strerror or str(error).splitlines()[0]
            raise InputError(
                f"{self.folder.path}: cannot be written: {reason}; what is finished is kept, the same command goes on"
            ) from None

    def _swapped(self, memory: int | None) -> SwappedParts:
        with self.folder.gone_if_refused():
            if self.buckets > MOST_BUCKETS:
                raise InputError(f"--buckets must be at most {MOST_BUCKETS} with --memory; got {self.buckets}")
            found = self.folder.scanned()
            if found is None:
                found = self._scan()
                self.folder.end_scan(found)
        columns, ranks = _values(self.folder, self.roles)
        sizes = {int(bucket): size for bucket, size in found["sizes"].items()}
        largest = max(sizes.values())
        of_bucket = largest * (_BYTES_OF_A_RECORD + 8 * len(columns))
        need = _BYTES + of_bucket
        memory = max(need, _DEFAULT) if memory is None else memory
        if need > memory:
            raise self._too_little(need, largest, memory, found["finest"])
        with self.folder.gone_if_refused():
            self._swap_buckets(sizes, columns, ranks, workers=(memory - _BYTES) // of_bucket)
        return SwappedParts(self, found["records"], tuple(sizes), columns)

    def _too_little(self, need: int, largest: int, memory: int, finest: Sequence[int]) -> InputError:
        """What would be enough; the folder is destroyed unless an earlier run, with more memory, swapped some of it."""
        advice = f"allow more: {self.folder.path} has what an earlier run swapped, and the same command goes on with it"
        if not self.folder.has_swapped:
            self.folder.destroy()
            each = (need - _BYTES) // largest
            enough = _enough(finest, (memory - _BYTES) // each)
            if enough is None:
                most = max(finest)
                return InputError(
                    f"--memory must be at least {_BYTES + most * each} bytes here, whatever --buckets: {_BYTES} for "
                    f"the process itself and {most * each} for the {most} records of the largest of {MOST_BUCKETS} "
                    f"buckets; got {memory}: allow more{', or match more columns' if memory > _BYTES else ''}"
                )
            advice = f"allow more, or take --buckets {enough} (now {self.buckets})"
        return InputError(
            f"--memory must be at least {need} bytes here, for the {largest} records of the largest bucket; got "
            f"{memory}: {advice}"
        )

    def _swap_buckets(
        self, sizes: Mapping[int, int], columns: Sequence[CodedColumn], ranks: Sequence[Codes], *, workers: int
    ) -> None:
        """Swap the buckets that are not swapped yet, at most so many at a time."""
        done = sum(size for bucket, size in sizes.items() if self.folder.bucket(bucket).exists())
        pool = ThreadPoolExecutor(min(workers, os.cpu_count() or 1))
        try:
            begun = {
                pool.submit(self._swap_bucket, bucket, columns, ranks): size
                for bucket, size in sizes.items()
                if not self.folder.bucket(bucket).exists()
            }
            for finished in as_completed(begun):
                finished.result()
                done += begun[finished]
                self.progress("swapping", done, sum(sizes.values()))
        finally:
            pool.shutdown(cancel_futures=True)

    @property
    def buckets(self) -> int:
        """B."""
        return default_buckets(self.file.lines) if self.run.buckets is None else self.run.buckets

    def _scan(self) -> dict[str, Any]:
        """Sort the records into buckets; how many there are in all and in each."""
        file, roles = self.file, self.roles
        for name in roles.matching:
            check_matching(name, file.schema.field(name).type)
        columns = [
            GrowingColumn(file.schema.field(name).type, place if place < len(roles.matching) else None)
            for place, name in enumerate(roles.columns)
        ]
        done, finest = 0, np.zeros(MOST_BUCKETS, dtype=np.int64)
        with Spill(self.folder.begin_scan(), self.buckets, homes=self.microdata) as spill:
            for hashes, codes, ids in read_ahead(self._coded(columns)):
                spill.append(bucket_numbers(hashes, self.buckets), codes, ids)
                finest += np.bincount(bucket_numbers(hashes, MOST_BUCKETS), minlength=MOST_BUCKETS)
                done += len(hashes)
                self.progress("reading", done, file.lines)
        if not done:
            raise InputError(f"{file.path}: must hold at least one record; got none")
        for place, column in enumerate(columns):
            nulls = pa.nulls(1 if column.nulls else 0, column.values.type)
            values = pa.concat_arrays([column.values, nulls])
            write_table(self.folder.path / "scan" / f"values-{place}.arrow", pa.table([values], names=["values"]))
        return {"records": done, "sizes": spill.occupied(), "finest": finest.tolist()}

    def _coded(
        self, columns: Sequence[GrowingColumn]
    ) -> Iterator[tuple[NDArray[np.uint64], Sequence[Codes], Sequence[Any]]]:
        """Batches of the file: the hashes of the records' strata, codes of their variables, ids if they have."""
        roles, file = self.roles, self.file
        ids = [] if roles.identifier is None else [roles.identifier]
        for batch in read_ahead(file.batches([*roles.columns, *ids], roles.columns)):
            codes = [column.codes(batch.column(place)) for place, column in enumerate(columns)]
            if not self.run.nulls:
                check_nulls(file.path, [(n, c.nulls) for n, c in zip(roles.columns, columns, strict=True)])
            hashes = np.zeros(batch.num_rows, dtype=np.uint64)
            for place in range(len(roles.matching)):
                hashes += columns[place].hashes(codes[place])
            more: Sequence[Any] = batch.columns[len(codes) :]
            yield hashes, codes, more

    def _swap_bucket(self, bucket: int, columns: Sequence[CodedColumn], ranks: Sequence[Codes]) -> None:
        """Swap one bucket and keep its saturated table, and the swapped codes of its records."""
        if self.run.is_description:
            raise InputError("--memory must come with --output or --microdata: without them nothing is swapped")
        rows = read_table(self.folder.path / "scan" / f"{bucket}.arrow")
        own = [
            CodedColumn(column.name, rank.take(rows.column(place).to_numpy()), column.values)
            for place, (column, rank) in enumerate(zip(columns, ranks, strict=True))
        ]
        matching, holding, swapping = by_role(own, self.roles)
        strata = strata_of([matching_column(_occurring(column)) for column in matching], rows.num_rows)
        name = self.roles.identifier
        ids = None if name is None else id_ranks(self.file.path, name, rows.column(len(own)))
        held, given = combination(holding), combination(swapping)
        run = replace(self.run, key=self.folder.key)
        given = replace(given, codes=new_codes(strata, held, given, run=run, buckets=self.buckets, ids=ids))
        if self.microdata:
            write_table(_swapped_path(self.folder, bucket), numbered_table(given.columns(given.codes)))
        cells = count_cells(strata.codes, len(strata.hashes), held, given)
        first = first_places(strata.codes, len(strata.hashes))
        found = cell_codes(cells, [column.codes.take(first) for column in matching], held, given)
        write_table(self.folder.bucket(bucket), numbered_table([*found, cells.counts]))


def _enough(finest: Sequence[int], fits: int) -> int | None:
    """The fewest buckets of which each holds at most so many records, given how many the finest ones hold."""
    sizes = ((2**k, np.reshape(finest, (2**k, -1)).sum(axis=1)) for k in range(MOST_BUCKETS.bit_length()))
    return next((buckets for buckets, each in sizes if each.max() <= fits), None)


def _values(folder: RunFolder, roles: Roles) -> tuple[tuple[CodedColumn, ...], list[Codes]]:
    """The variables with their values in order, and for each the ranks of the codes of the scan; the last is null's."""
    columns, ranks = [], []
    for place, name in enumerate(roles.columns):
        values = read_table(folder.path / "scan" / f"values-{place}.arrow").column(0).combine_chunks()
        column = CodedColumn(name, np.arange(len(values), dtype=np.int32), values).sorted()
        columns.append(CodedColumn(name, np.zeros(0, dtype=np.int32), column.values))
        ranks.append(column.codes)
    return tuple(columns), ranks


def _occurring(column: CodedColumn) -> CodedColumn:
    """The same column with no values but those that occur."""
    codes, places = distinct(column.codes.astype(np.int64), len(column.values))
    return CodedColumn(column.name, places, column.taken(codes))


def _swapped_path(folder: RunFolder, bucket: int) -> Path:
    return folder.path / f"swapped-{bucket}.arrow"
