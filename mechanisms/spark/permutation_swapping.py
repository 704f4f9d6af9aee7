"""The Permutation Swapping Algorithm on Apache Spark: `mechanisms.fast.swap_buckets`, one bucket to a task.

    survey             one job: strata, nulls, and how many records each bucket holds
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

A bucket must fit into the memory of one worker. A larger one is refused before anything is shuffled, with its size; a
larger B divides it, unless one stratum alone is too large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from mechanisms.fast.swap_buckets import MatchingColumn, bucket_numbers, strata_of, swap_bucket
from mechanisms.spark.session import one_line_failures
from spec.arguments import Exact, InputError, probability

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import Column, DataFrame

__all__ = [
    "MOST_RECORDS",
    "Survey",
    "SwapColumns",
    "check_invariants",
    "saturated_table",
    "survey",
    "swap_arrow_bucket",
    "swapped_records",
]

MOST_RECORDS = 2**24
"""The largest bucket that a task takes unless told otherwise."""

_MATCHING_TYPES = (
    "tinyint",
    "smallint",
    "int",
    "bigint",
    "string",
    "boolean",
    "binary",
    "date",
    "timestamp",
    "decimal",
)
_ID_TYPES = ("tinyint", "smallint", "int", "bigint", "string")
_COUNT = "count"
_BUCKET = "stirred_bucket"


@dataclass(frozen=True)
class SwapColumns:
    """The roles of a table's columns; every column without another role is a holding variable.

    Attributes:
        matching: V_Match; may be empty, and then there is one stratum.
        holding: V_Hold without V_Match.
        swapping: V_Swap.
        id: another value for each record; it stays with the holding variables.
    """

    matching: tuple[str, ...]
    holding: tuple[str, ...]
    swapping: tuple[str, ...]
    id: str

    @property
    def variables(self) -> tuple[str, ...]:
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


@dataclass(frozen=True)
class Survey:
    """What is known of the records before they are swapped.

    Attributes:
        records: how many there are.
        strata: how many there are.
        largest_stratum: b.
        determined_strata: strata with one holding or one swapping category, which the invariants determine.
        determined_records: the records in these.
        largest_bucket: the records of the largest bucket.
        largest_in_bucket: the records of the largest stratum in it.
        nulls: the number of nulls in each column that has any.
    """

    records: int
    strata: int
    largest_stratum: int
    determined_strata: int
    determined_records: int
    largest_bucket: int
    largest_in_bucket: int
    nulls: Mapping[str, int]

    def check(self, columns: SwapColumns, *, nulls: bool = False, most_records: int = MOST_RECORDS) -> None:
        """Refuse what cannot be swapped.

        Args:
            columns: their roles.
            nulls: whether a null is a category like any other; never as an id.
            most_records: the largest bucket that a task takes.

        Raises:
            InputError: there is no record, there are nulls, or a bucket is too large.
        """
        if not self.records:
            raise InputError("the table must hold at least one record; got none")
        refused = {name: count for name, count in self.nulls.items() if not nulls or name == columns.id}
        if refused:
            found = ", ".join(f"{count} in {name!r}" for name, count in refused.items())
            raise InputError(
                f"the records must have no nulls, unless nulls are a category (never as an id); got {found}"
            )
        if self.largest_bucket > most_records:
            way = "take more buckets"
            if self.largest_in_bucket > most_records:
                way = f"its largest stratum has {self.largest_in_bucket}; match more, or allow more with memory for it"
            raise InputError(f"a bucket must hold at most {most_records} records; got {self.largest_bucket}: {way}")


def survey(records: DataFrame, columns: SwapColumns, *, buckets: int) -> Survey:
    """What one job finds out about the records.

    Raises:
        InputError: the number of buckets is no power of two.
        ClusterError: the job fails.
    """
    import pyspark.sql.functions as F  # noqa: N812, PLC0415

    nulls = {name: f"nulls_{place}" for place, name in enumerate((columns.id, *columns.variables))}
    one_side = F.lit(False)
    for side in (columns.holding, columns.swapping):
        values = F.struct(*map(_column, side))
        one_side |= F.min(values) == F.max(values)
    strata = records.groupBy(*map(_column, columns.matching)).agg(
        F.count(F.lit(1)).alias("records"),
        one_side.alias("determined"),
        *(F.count_if(_column(name).isNull()).alias(alias) for name, alias in nulls.items()),
    )
    strata = _with_buckets(strata, columns.matching, buckets).where("records > 0")
    of_buckets = strata.groupBy(_BUCKET).agg(
        F.sum("records").alias("records"),
        F.count(F.lit(1)).alias("strata"),
        F.max("records").alias("largest"),
        F.count_if("determined").alias("determined"),
        F.sum(F.when(F.col("determined"), F.col("records")).otherwise(0)).alias("kept"),
        *(F.sum(alias).alias(alias) for alias in nulls.values()),
    )
    with one_line_failures("the records cannot be read"):
        rows = [row.asDict() for row in of_buckets.collect()]
    largest = max(rows, key=lambda row: row["records"], default={"records": 0, "largest": 0})
    found = {name: sum(row[alias] for row in rows) for name, alias in nulls.items()}
    return Survey(
        records=sum(row["records"] for row in rows),
        strata=sum(row["strata"] for row in rows),
        largest_stratum=max((row["largest"] for row in rows), default=0),
        determined_strata=sum(row["determined"] for row in rows),
        determined_records=sum(row["kept"] for row in rows),
        largest_bucket=largest["records"],
        largest_in_bucket=largest["largest"],
        nulls={name: count for name, count in found.items() if count},
    )


def swapped_records(
    records: DataFrame, columns: SwapColumns, *, swap_rate: Exact, key: bytes, buckets: int
) -> DataFrame:
    """The records with their new swapping values; the same columns, bucket by bucket, in the order of the ids.

    Args:
        records: checked by `survey`.
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
    return _with_buckets(records, columns.matching, buckets).groupBy(_BUCKET).applyInArrow(swap, records.schema)


def _with_buckets(table: DataFrame, matching: Sequence[str], buckets: int) -> DataFrame:
    """The table with a column that says which bucket each row belongs to."""
    from pyspark.sql.types import IntegerType, StructType  # noqa: PLC0415

    schema = StructType(list(table.schema.fields)).add(_BUCKET, IntegerType())
    return table.mapInArrow(_bucket_adder(tuple(matching), buckets), schema)


def _bucket_adder(matching: tuple[str, ...], buckets: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def add(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415

        for batch in batches:
            strata = strata_of([_matching_column(batch.column(name)) for name in matching], batch.num_rows)
            numbers = bucket_numbers(strata.hashes, buckets).take(strata.codes)
            yield batch.append_column(_BUCKET, pa.array(numbers, pa.int32()))

    return add


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

    records = records.take(pc.sort_indices(records, sort_keys=[(columns.id, "ascending")]))
    ids = records.column(columns.id).combine_chunks()
    repeated = pc.index(pc.equal(ids.slice(1), ids.slice(0, max(len(ids) - 1, 0))), True).as_py()
    if repeated >= 0:
        raise InputError(
            f"the id column {columns.id!r} must differ between records; got {ids[repeated].as_py()!r} twice"
        )
    matching = [_matching_column(records.column(name)) for name in columns.matching]
    moves = swap_bucket(matching, len(records), swap_rate=swap_rate, key=key, bucket=bucket, buckets=buckets)
    sources = pa.array(moves.permutation())
    for name in columns.swapping:
        place = records.schema.get_field_index(name)
        records = records.set_column(place, records.schema.field(place), records.column(place).take(sources))
    return records


def _matching_column(values: pa.Array | pa.ChunkedArray) -> MatchingColumn:
    """The values of a matching column and their codes; a null is a value."""
    import pyarrow as pa  # noqa: PLC0415

    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    encoded = values.dictionary_encode(null_encoding="encode")
    return MatchingColumn(encoded.indices.to_numpy(zero_copy_only=False), encoded.dictionary.to_pylist())


def saturated_table(records: DataFrame, columns: SwapColumns) -> DataFrame:
    """The fully saturated contingency table of the records: its positive counts n_mhs, in a column `count`."""
    return records.groupBy(*map(_column, columns.variables)).count()


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
        names = [_column(name) for name in (*columns.matching, *side)]
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


def _column(name: str) -> Column:
    """The column of this name, whatever characters it has."""
    import pyspark.sql.functions as F  # noqa: N812, PLC0415

    return F.col("`" + name.replace("`", "``") + "`")
