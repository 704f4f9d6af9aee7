"""The Permutation Swapping Algorithm on Apache Spark: `mechanisms.fast.swap_buckets`, one bucket to a task.

    swapped_records    the bucket of each record, a shuffle by bucket, and `swap_bucket` on what arrives
    saturated_table    the counts of what was swapped
    check_invariants   one job for each of the two tables that swapping keeps: no count differs

**What comes out is a function of the key, B and the data alone.** A record's bucket follows from its matching values. A
task gets all records of its buckets, in whatever order the shuffle brings them; it orders a bucket by the ids, which
differ, so the order is one of the set; and it draws from the bucket's own words, of which no other has any. So what a
task writes is a function of (key, B, records of its buckets): not of files, partitions, workers or attempts.

**A task that is tried again gives the same bucket.** A failed task is run anew by Spark, alone or with the tasks whose
shuffled files were lost with a worker; each attempt starts `swap_bucket` from the same key and the same set of records.
If words were drawn anew, buckets whose reader had them before the failure and buckets read after it would be of two
draws, and so would microdata and table. A file that changes while it is read is the one way left to give two attempts
other records: the invariants are compared with the input read again, which finds every change but one that keeps all of
these counts.

The key is sent to the workers as a broadcast: it stands neither in the plan nor in a task, and so in no log.

A bucket must fit into the memory of one worker; `mechanisms.spark.survey` refuses larger ones before the shuffle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from mechanisms.fast.swap_buckets import MatchingColumn, Strata, bucket_numbers, strata_of, swap_bucket
from mechanisms.spark.session import one_line_failures
from spec.arguments import Exact, InputError, probability

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import Column, DataFrame

__all__ = [
    "SwapColumns",
    "check_invariants",
    "quoted",
    "saturated_table",
    "swap_arrow_bucket",
    "swapped_records",
    "with_strata",
]

_ID_TYPES = ("tinyint", "smallint", "int", "bigint", "string")
_MATCHING_TYPES = (*_ID_TYPES, "boolean", "binary", "date", "timestamp", "decimal")
_COUNT = "count"
_BUCKET = "stirred_bucket"


@dataclass(frozen=True)
class SwapColumns:
    """The roles of a table's columns; every column without another role is a holding variable.

    Attributes:
        matching: V_Match; may be empty, and then there is one stratum.
        holding: V_Hold without V_Match.
        swapping: V_Swap.
        identifier: another value for each record; it stays with the holding variables.
    """

    matching: tuple[str, ...]
    holding: tuple[str, ...]
    swapping: tuple[str, ...]
    identifier: str

    @property
    def columns(self) -> tuple[str, ...]:
        """All variables, in the order of the saturated table."""
        return (*self.matching, *self.holding, *self.swapping)

    @classmethod
    def of(cls, records: DataFrame, matching: Sequence[str], swapping: Sequence[str], record_id: str) -> SwapColumns:
        """The roles that these columns of a table have.

        Raises:
            InputError: a column is missing, has two roles or a type that it cannot be ordered or matched by, has the
                name of the output's count, or no holding variable is left.
        """
        types = dict(records.dtypes)
        named = (*matching, *swapping, record_id)
        for name in named:
            if name not in types:
                raise InputError(f"the records must have the column {name!r}; they have {', '.join(records.columns)}")
            if named.count(name) > 1:
                raise InputError(f"the column {name!r} must have one role; it has two")
        if not swapping:
            raise InputError("swapping must name at least one column; got none")
        for name in (_COUNT, _BUCKET):
            if name in types:
                raise InputError(f"the column {name!r} must be renamed: the output has its own")
        holding = tuple(name for name in records.columns if name not in named)
        if not holding:
            raise InputError(
                f"the records must have a column besides {', '.join(named)}: without one, swapping changes nothing"
            )
        _check_types("matching", types, matching, _MATCHING_TYPES)
        _check_types("id", types, (record_id,), _ID_TYPES)
        return cls(tuple(matching), holding, tuple(swapping), record_id)


def _check_types(role: str, types: Mapping[str, str], names: Sequence[str], allowed: Sequence[str]) -> None:
    for name in names:
        if types[name].split("(")[0].removesuffix("_ntz") not in allowed:
            raise InputError(f"the {role} column {name!r} must be one of {', '.join(allowed)}; got {types[name]}")


def swapped_records(
    records: DataFrame, columns: SwapColumns, *, swap_rate: Exact, key: bytes, buckets: int
) -> DataFrame:
    """The records with their new swapping values; the same columns, bucket by bucket, in the order of the ids.

    Args:
        records: checked by `mechanisms.spark.survey`.
        columns: their roles.
        swap_rate: p in [0, 1], exact.
        key: of the run.
        buckets: B, a power of two.

    Raises:
        InputError: an argument is not as said.
    """
    rate = probability("swap_rate", swap_rate)
    bucket_numbers(strata_of((), 0).hashes, buckets)
    broadcast = records.sparkSession.sparkContext.broadcast(key)
    swap = _bucket_swapper(columns, rate, buckets, broadcast)
    assigned = with_strata(records, columns.matching, _BUCKET, lambda strata: bucket_numbers(strata.hashes, buckets))
    return assigned.groupBy(_BUCKET).applyInArrow(swap, records.schema)


def with_strata(table: DataFrame, matching: Sequence[str], name: str, of: Callable[[Strata], Any]) -> DataFrame:
    """The table with one more column: a 64-bit integer that is a function of the stratum of each row.

    Args:
        table: of records, or of strata.
        matching: its matching columns.
        name: of the new column.
        of: the integers of these strata.
    """
    from pyspark.sql.types import LongType, StructType  # noqa: PLC0415

    def add(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415

        for batch in batches:
            strata = strata_of([_matching_column(batch.column(column)) for column in matching], batch.num_rows)
            yield batch.append_column(name, pa.array(of(strata).take(strata.codes), pa.int64()))

    return table.mapInArrow(add, StructType(list(table.schema.fields)).add(name, LongType()))


def _bucket_swapper(
    columns: SwapColumns, rate: Fraction, buckets: int, key: Broadcast[bytes]
) -> Callable[[tuple[Any, ...], Any], Any]:
    def swap(group: tuple[pa.Scalar, ...], table: pa.Table) -> pa.Table:
        bucket = group[0].as_py()
        records = table.drop_columns([_BUCKET])
        return swap_arrow_bucket(records, columns, swap_rate=rate, key=key.value, bucket=bucket, buckets=buckets)

    return swap


def swap_arrow_bucket(
    records: pa.Table, columns: SwapColumns, *, swap_rate: Fraction, key: bytes, bucket: int, buckets: int
) -> pa.Table:
    """The records of one bucket after the swap, ordered by their ids; what each task does.

    Raises:
        InputError: ids repeat, or a record belongs to another bucket.
    """
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415

    records = records.take(pc.sort_indices(records, sort_keys=[(columns.identifier, "ascending")]))
    ids = records.column(columns.identifier).combine_chunks()
    repeated = pc.index(pc.equal(ids.slice(1), ids.slice(0, max(len(ids) - 1, 0))), True).as_py()
    if repeated >= 0:
        raise InputError(
            f"the id column {columns.identifier!r} must differ between records; got {ids[repeated].as_py()!r} twice"
        )
    matching = [_matching_column(records.column(name)) for name in columns.matching]
    moves = swap_bucket(matching, len(records), swap_rate=swap_rate, key=key, bucket=bucket, buckets=buckets)
    sources = pa.array(moves.permutation())
    for name in columns.swapping:
        place = records.schema.get_field_index(name)
        records = records.set_column(place, records.schema.field(place), records.column(place).take(sources))
    return records


def _matching_column(values: pa.Array | pa.ChunkedArray) -> MatchingColumn:
    """The values of a matching column and their codes; a null is a value, and a time in a zone is one of UTC."""
    import pyarrow as pa  # noqa: PLC0415

    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    if pa.types.is_timestamp(values.type) and values.type.tz is not None:
        values = values.cast(pa.timestamp(values.type.unit, "UTC"))
    encoded = values.dictionary_encode(null_encoding="encode")
    return MatchingColumn(encoded.indices.to_numpy(zero_copy_only=False), encoded.dictionary.to_pylist())


def saturated_table(records: DataFrame, columns: SwapColumns) -> DataFrame:
    """The fully saturated contingency table of the records: its positive counts n_mhs, in a column `count`."""
    return records.groupBy(*map(quoted, columns.columns)).count()


def check_invariants(before: DataFrame, after: DataFrame, columns: SwapColumns) -> None:
    """Check that the counts by matching and holding, and by matching and swapping variables, are what they were.

    Args:
        before: records.
        after: records, or the saturated table of records, with its counts.
        columns: the roles of their columns.

    Raises:
        InputError: a count differs, so that what was written must not be released.
    """
    import pyspark.sql.functions as F  # noqa: N812, PLC0415

    for side in (columns.holding, columns.swapping):
        names = [quoted(name) for name in (*columns.matching, *side)]
        signed = before.select(*names, F.lit(1).alias(_COUNT)).unionAll(
            after.select(*names, -(F.col(_COUNT) if _COUNT in after.columns else F.lit(1)).alias(_COUNT))
        )
        changed = signed.groupBy(*names).agg(F.sum(_COUNT).alias(_COUNT)).where(F.col(_COUNT) != 0)
        with one_line_failures("the invariants cannot be checked"):
            found = changed.count()
        if found:
            kind = " x ".join((*columns.matching, *side))
            raise InputError(
                f"the counts of {kind} must be those of the input; {found} differ: it changed while it was read"
            )


def quoted(name: str) -> Column:
    """The column of this name, whatever characters it has."""
    import pyspark.sql.functions as F  # noqa: N812, PLC0415

    return F.col("`" + name.replace("`", "``") + "`")
