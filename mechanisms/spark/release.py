"""A release from Spark: swapped records and their saturated table, of one draw, checked before they appear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from stirred.mechanisms.spark.permutation_swapping import check_invariants, saturated_table, swapped_records
from stirred.mechanisms.spark.record_files import staged, write_manifest, write_records, written_records
from stirred.mechanisms.spark.session import one_line_failures
from stirred.mechanisms.tables.roles import Roles
from stirred.spec.arguments import Exact

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
        roles: of its columns.
        source: where it was read; nothing is written there.
        swap_rate: p in [0, 1], exact.
        key: of the run.
        buckets: B, a power of two.
        microdata: where the swapped records go.
        table: where their counts go.
        stated: what the manifest of each says beside the columns, p and B; never the key.

    Raises:
        InputError: an argument is not as said, a target exists, ids repeat, or the input changed while it was read.
        ClusterError: Spark cannot do it, for another reason.
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
