"""PHSafe's relational steps on Spark: the same SQL as on one machine, of files at any address that Spark knows.

Data frames of three names at an address are NAME.csv or NAME.parquet, each a file or a folder of parts; the records are
checked in one job for each, and every run is one job that brings its counts by state, iterations and cell.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from mechanisms.phsafe.noisy_tables import CubeRow
from mechanisms.phsafe.published_parts import check_columns
from mechanisms.phsafe.run_settings import RunSettings
from mechanisms.phsafe.statements import COLUMNS, conditions, cube, prepared
from mechanisms.spark.record_files import exists, read_records
from mechanisms.spark.session import one_line_failures
from spec.arguments import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["PublishedRecords"]

_PARTITIONS = "spark.sql.shuffle.partitions"
_KEPT = ("units", "homes", "family_homes", "persons", "crowded", "many")
"""The tables that more than one run reads."""


class PublishedRecords:
    """Published files that Spark has read and checked, ready to be counted.

    Args:
        session: of the cluster.
        address: of the folder.
        settings: of the release.
        confidential: whether a message may show values of records.

    Raises:
        InputError: a file or a column is missing, or a value is outside its column's domain.
        ClusterError: Spark fails.
    """

    def __init__(
        self, session: SparkSession, address: str, settings: RunSettings, *, confidential: bool = False
    ) -> None:
        self._session = session
        self._settings = settings
        self._views: list[str] = []
        self._partitions = session.conf.get(_PARTITIONS)
        for name in COLUMNS:
            self._view(f"{name}_text", self._texts(name, address.rstrip("/"), confidential=confidential))
        if session.sparkContext.master.startswith("local"):  # not the 200 of a cluster
            session.conf.set(_PARTITIONS, str(2 * session.sparkContext.defaultParallelism))
        least = min(settings.thresholds.values())
        with one_line_failures("Spark cannot count"):
            for name, statement in prepared(settings.states, least, "sha2({}, 256)"):
                table = session.sql(statement)
                self._view(name, table.cache() if name in _KEPT else table)

    def __enter__(self) -> PublishedRecords:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in reversed(self._views):
            self._session.catalog.dropTempView(name)
        self._session.conf.set(_PARTITIONS, self._partitions)

    def counted(self, table: str) -> list[CubeRow]:
        """The rows of a run by state, iterations and cell."""
        with one_line_failures("Spark cannot count"):
            rows = self._session.sql(cube(table, self._settings.thresholds.get(table))).collect()
        return [CubeRow(*row) for row in rows]

    def _view(self, name: str, table: DataFrame) -> None:
        table.createOrReplaceTempView(name)
        self._views.append(name)

    def _texts(self, name: str, address: str, *, confidential: bool) -> DataFrame:
        """The columns of a file that are read, as texts in their domains."""
        import pyspark.sql.functions as F  # noqa: N812, PLC0415 an optional dependency

        found = [url for url in (f"{address}/{name}.csv", f"{address}/{name}.parquet") if exists(self._session, url)]
        if len(found) != 1:
            has = "both" if found else "none of them"
            raise InputError(f"{address}: must have one of {name}.csv and {name}.parquet; it has {has}")
        (url,) = found
        records = read_records(self._session, url)
        check_columns(name, url, records.columns)
        texts = records.select(*(F.col(column).cast("string").alias(column) for column in COLUMNS[name]))
        wanted = conditions(name)
        bad = {column: f"NOT coalesce({condition}, FALSE)" for column, (_, condition) in wanted.items()}
        counts = [F.expr(f"max(CASE WHEN {one} THEN coalesce({column}, '') END)") for column, one in bad.items()]
        with one_line_failures(f"{url}: cannot be read"):
            first = texts.agg(*counts).collect()[0]
        for column, value in zip(bad, first, strict=True):
            if value is not None:
                shown = repr(value) if confidential else "another value, which --debug-confidential shows"
                raise InputError(f"{url}: {column} must be {wanted[column][0]} in each row; got {shown}")
        return texts
