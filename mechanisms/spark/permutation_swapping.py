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

A bucket must fit into the memory of one worker; `mechanisms.spark.release` refuses larger ones before the shuffle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from stirred.mechanisms.fast.swap_buckets import MatchingColumn, Strata, bucket_numbers, strata_of, swap_bucket
from stirred.mechanisms.spark.session import one_line_failures
from stirred.mechanisms.tables.coded_column import coded_column, matching_column
from stirred.mechanisms.tables.roles import COUNT, Roles
from stirred.spec.arguments import Exact, InputError, probability

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import Column, DataFrame

_BUCKET = "stirred_bucket"


NEEDS_ID = "--engine spark needs --id: records that may stand in several files are ordered by nothing else"


def check_types(records: DataFrame, roles: Roles) -> None:
    """Refuse columns that cannot be matched or ordered by, and records without an id."""
    import pyarrow as pa  # noqa: PLC0415
    from pyspark.sql.pandas.types import to_arrow_schema  # noqa: PLC0415

    kinds = to_arrow_schema(records.schema)
    if _BUCKET in kinds.names:
        raise InputError(f"the column {_BUCKET!r} must be renamed: it is needed for the shuffle")
    for name in roles.matching:
        _matching(pa.table({name: pa.nulls(0, kinds.field(name).type)}), name)
    if roles.identifier is None:
        raise InputError(NEEDS_ID)
    kind = kinds.field(roles.identifier).type
    if not (pa.types.is_integer(kind) or pa.types.is_string(kind)):
        raise InputError(f"the id column {roles.identifier!r} must hold integers or texts; it is {kind}")


def swapped_records(records: DataFrame, roles: Roles, *, swap_rate: Exact, key: bytes, buckets: int) -> DataFrame:
    """The records with their new swapping values; the same columns, bucket by bucket, in the order of the ids.

    Args:
        records: checked by `mechanisms.spark.release`.
        swap_rate: p in [0, 1], exact.
        buckets: B, a power of two.
    """
    rate = probability("swap_rate", swap_rate)
    bucket_numbers(strata_of((), 0).hashes, buckets)
    broadcast = records.sparkSession.sparkContext.broadcast(key)
    swap = _bucket_swapper(roles, rate, buckets, broadcast)
    assigned = with_strata(records, roles.matching, _BUCKET, lambda strata: bucket_numbers(strata.hashes, buckets))
    return assigned.groupBy(_BUCKET).applyInArrow(swap, records.schema)


def with_strata(table: DataFrame, matching: Sequence[str], name: str, of: Callable[[Strata], Any]) -> DataFrame:
    """The table with one more column: a 64-bit integer that is a function of the stratum of each row.

    Args:
        table: of records, or of strata.
        of: the integers of these strata.
    """
    from pyspark.sql.types import LongType, StructType  # noqa: PLC0415

    def add(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415

        for batch in batches:
            strata = strata_of([_matching(batch, column) for column in matching], batch.num_rows)
            yield batch.append_column(name, pa.array(of(strata).take(strata.codes), pa.int64()))

    return table.mapInArrow(add, StructType(list(table.schema.fields)).add(name, LongType()))


def _bucket_swapper(
    roles: Roles, rate: Fraction, buckets: int, key: Broadcast[bytes]
) -> Callable[[tuple[Any, ...], Any], Any]:
    def swap(group: tuple[pa.Scalar, ...], table: pa.Table) -> pa.Table:
        bucket = group[0].as_py()
        records = table.drop_columns([_BUCKET])
        return swap_arrow_bucket(records, roles, swap_rate=rate, key=key.value, bucket=bucket, buckets=buckets)

    return swap


def swap_arrow_bucket(
    records: pa.Table, roles: Roles, *, swap_rate: Fraction, key: bytes, bucket: int, buckets: int
) -> pa.Table:
    """The records of one bucket after the swap, ordered by their ids; what each task does."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415

    records = records.take(pc.sort_indices(records, sort_keys=[(roles.identifier, "ascending")]))
    ids = records.column(roles.identifier).combine_chunks()
    repeated = pc.index(pc.equal(ids.slice(1), ids.slice(0, max(len(ids) - 1, 0))), True).as_py()
    if repeated >= 0:
        raise InputError(
            f"the id column {roles.identifier!r} must differ between records; got {ids[repeated].as_py()!r} twice"
        )
    matching = [_matching(records, name) for name in roles.matching]
    moves = swap_bucket(matching, len(records), swap_rate=swap_rate, key=key, bucket=bucket, buckets=buckets)
    sources = pa.array(moves.permutation())
    for name in roles.swapping:
        place = records.schema.get_field_index(name)
        records = records.set_column(place, records.schema.field(place), records.column(place).take(sources))
    return records


def _matching(records: pa.Table | pa.RecordBatch, name: str) -> MatchingColumn:
    """A matching column; a time in a zone is one of UTC, whatever zone the session shows it in."""
    import pyarrow as pa  # noqa: PLC0415

    values = records.column(name)
    if pa.types.is_timestamp(values.type) and values.type.tz is not None:
        values = values.cast(pa.timestamp(values.type.unit, "UTC"))
    return matching_column(coded_column(name, values))


def saturated_table(records: DataFrame, roles: Roles) -> DataFrame:
    """The fully saturated contingency table of the records: its positive counts n_mhs, in a column `count`."""
    return records.groupBy(*map(quoted, roles.columns)).count()


def check_invariants(before: DataFrame, after: DataFrame, roles: Roles) -> None:
    """Check that the counts by matching and holding, and by matching and swapping variables, are what they were.

    Args:
        after: records, or the saturated table of records, with its counts.
    """
    import pyspark.sql.functions as F  # noqa: N812, PLC0415

    for side in (roles.holding, roles.swapping):
        names = [quoted(name) for name in (*roles.matching, *side)]
        signed = before.select(*names, F.lit(1).alias(COUNT)).unionAll(
            after.select(*names, -(F.col(COUNT) if COUNT in after.columns else F.lit(1)).alias(COUNT))
        )
        changed = signed.groupBy(*names).agg(F.sum(COUNT).alias(COUNT)).where(F.col(COUNT) != 0)
        with one_line_failures("the invariants cannot be checked"):
            found = changed.count()
        if found:
            kind = " x ".join((*roles.matching, *side))
            raise InputError(
                f"the counts of {kind} must be those of the input; {found} differ: it changed while it was read"
            )


def quoted(name: str) -> Column:
    """The column of this name, whatever characters it has."""
    import pyspark.sql.functions as F  # noqa: N812, PLC0415

    return F.col("`" + name.replace("`", "``") + "`")
