"""A release from Spark: swapped records and their saturated table, of one draw, checked before they appear.

Before they are swapped, two jobs tell what is known of the records: one counts nulls, and one brings the sizes of all
strata to the driver, ten bytes for each. A bucket that is too large for a worker is refused here: a larger B divides
it, unless one stratum alone is too large.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.swap_buckets import Strata, bucket_numbers
from stirred.mechanisms.spark.permutation_swapping import (
    check_invariants,
    quoted,
    saturated_table,
    swapped_records,
    with_strata,
)
from stirred.mechanisms.spark.record_files import staged, write_manifest, write_records, written_records
from stirred.mechanisms.spark.session import one_line_failures
from stirred.mechanisms.tables.coded_column import check_nulls
from stirred.mechanisms.tables.roles import Roles
from stirred.spec.arguments import Exact, InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_RECORDS = 2**24
"""The largest bucket that a task takes unless told otherwise."""

_HASH = "stirred_hash"


@dataclass(frozen=True)
class Survey:
    """What is known of the records; the arrays have a number for each stratum.

    Attributes:
        records: how many it holds.
        holding: how many holding categories occur in it, where 2 stands for two or more.
        swapping: how many swapping categories, likewise.
        nulls: the number of nulls in each column that has any.
    """

    records: NDArray[np.int64]
    holding: NDArray[Any]
    swapping: NDArray[Any]
    hashes: NDArray[np.uint64]
    nulls: Mapping[str, int]

    def check(self, roles: Roles, *, buckets: int, nulls: bool = False, most: int = MOST_RECORDS) -> None:
        """Refuse what cannot be swapped.

        Args:
            buckets: B, a power of two.
            nulls: whether a null is a category like any other; never as an id.
            most: the records of the largest bucket that a task takes.
        """
        if not len(self.records):
            raise InputError("the table must hold at least one record; got none")
        without_id = self.nulls.get(roles.identifier or "", 0)
        if without_id:
            raise InputError(
                f"the id column {roles.identifier!r} must have a value in each record; {without_id} have none"
            )
        if not nulls:
            check_nulls("the records", list(self.nulls.items()))
        homes = bucket_numbers(self.hashes, buckets)
        sizes = np.zeros(buckets, dtype=np.int64)
        np.add.at(sizes, homes, self.records)
        if sizes.max() > most:
            largest = int(self.records[homes == sizes.argmax()].max())
            way = "take more buckets" if largest <= most else "match more columns, or allow more with memory for it"
            raise InputError(
                f"a bucket must hold at most {most} records; got {sizes.max()}, {largest} of them in one stratum: {way}"
            )


def survey(records: DataFrame, roles: Roles) -> Survey:
    """Find out about the records."""
    import pyspark.sql.functions as F  # noqa: N812, PLC0415

    names = tuple(filter(None, (roles.identifier, *roles.columns)))
    nulls = [F.count_if(quoted(name).isNull()).alias(f"{place}") for place, name in enumerate(names)]
    sides = []
    for side, of in (("holding", roles.holding), ("swapping", roles.swapping)):
        values = F.struct(*map(quoted, of))
        sides.append(F.when(F.min(values) == F.max(values), 1).otherwise(2).cast("tinyint").alias(side))
    strata = records.groupBy(*map(quoted, roles.matching)).agg(F.count(F.lit(1)).alias("records"), *sides)
    hashed = with_strata(strata, roles.matching, _HASH, _signed_hashes).where("records > 0")
    with one_line_failures("the records cannot be read"):
        missing = records.agg(*nulls).collect()[0]
        found = hashed.select("records", "holding", "swapping", _HASH).toArrow()
    sizes, holding, swapping, hashes = (found.column(place).to_numpy() for place in range(4))
    nulls_by_name = {name: count for name, count in zip(names, missing, strict=True) if count}
    return Survey(sizes, holding, swapping, hashes.view(np.uint64), nulls_by_name)


def _signed_hashes(strata: Strata) -> NDArray[np.int64]:
    return strata.hashes.view(np.int64)


if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def release(
    records: DataFrame,
    roles: Roles,
    *,
    source: str,
    swap_rate: Exact,
    key: bytes,
    buckets: int,
    microdata: str | None = None,
    table: str | None = None,
    stated: Mapping[str, object] | None = None,
) -> None:
    """Swap once, and write the swapped records, their saturated table, or both.

    Each is a new folder of CSV or Parquet files with a manifest. The table is counted from the microdata that were
    written, where they are; the invariants are compared with the input, read again, in what was written last. Nothing
    takes its name unless everything is right.

    Args:
        records: the table, checked by `survey`.
        source: where it was read; nothing is written there.
        swap_rate: p in [0, 1], exact.
        buckets: B, a power of two.
        microdata: where the swapped records go.
        table: where their counts go.
        stated: what the manifest of each says beside the columns, p and B; never the key.
    """
    session = records.sparkSession
    manifest = {
        "mechanism": "permutation swapping",
        "roles": asdict(roles),
        "swap_rate": str(swap_rate),
        "buckets": buckets,
        **(stated or {}),
    }
    targets = [target for target in (microdata, table) if target is not None]
    with staged(session, source, targets) as parts, one_line_failures("Spark cannot swap"):
        after = swapped_records(records, roles, swap_rate=swap_rate, key=key, buckets=buckets)
        for part, target in zip(parts, targets, strict=True):
            written = after if target is microdata else saturated_table(after, roles)
            write_records(written, part, like=target)
            write_manifest(session, part, {**manifest, "schema": dict(written.dtypes)})
            after = written_records(session, part, written.schema, like=target)
        check_invariants(records, after, roles)
