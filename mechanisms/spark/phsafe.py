"""PHSafe's relational steps on Spark: the same SQL as on one machine, of files at any address that Spark knows.

Data frames of three names at an address are NAME.csv or NAME.parquet, each a file or a folder of parts; the records are
checked in one job for each, and every run is one job that brings its counts by state, iterations and cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import unquote

from stirred.mechanisms.das.phsafe.published_parts import check_columns
from stirred.mechanisms.das.phsafe.statements import Counting, CubeRow, conditions, contradictions, places
from stirred.mechanisms.spark.record_files import exists, read_records
from stirred.mechanisms.spark.session import ClusterError, one_line_failures
from stirred.spec.arguments import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_PARTITIONS = "spark.sql.shuffle.partitions"
_PLACE = ("_metadata.file_path", "_metadata.file_block_start")
"""Where Spark read a row: a part of a file, and a block of it."""

_KEPT = ("units", "homes", "family_homes", "persons", "crowded", "many", "members")
"""The tables that more than one run reads."""


@dataclass(frozen=True)
class _File:
    """The columns of a file that are read, as texts, and where each row stands."""

    url: str
    rows: DataFrame


class PublishedRecords:
    """Published files that Spark has read and checked, ready to be counted.

    Args:
        address: of the folder.
        confidential: whether a message may show values of records.
        validate: whether the files must agree on their MAFIDs.
    """

    def __init__(
        self,
        session: SparkSession,
        address: str,
        counting: Counting,
        *,
        confidential: bool = False,
        validate: bool = False,
    ) -> None:
        self._session = session
        self._counting = counting
        self._confidential = confidential
        self._views: list[str] = []
        self._partitions = session.conf.get(_PARTITIONS)
        files = {name: self._open(name, address.rstrip("/")) for name in counting.columns}
        if validate:
            for name, file in files.items():
                self._check_agreement(name, file)
        if session.sparkContext.master.startswith("local"):  # not the 200 of a cluster
            session.conf.set(_PARTITIONS, str(2 * session.sparkContext.defaultParallelism))
        with self._in_one_line("Spark cannot count"):
            for name, statement in counting.prepared("sha2({}, 256)"):
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
        with self._in_one_line("Spark cannot count"):
            rows = self._session.sql(self._counting.cube(table)).collect()
        return [CubeRow(*row) for row in rows]

    def places(self, states: Sequence[str]) -> dict[str, int]:
        """The states of these that geo has a place in, with the most pairs of a MAFID, see `statements.places`."""
        with self._in_one_line("Spark cannot count"):
            return dict(map(tuple, self._session.sql(places(states)).collect()))

    def _view(self, name: str, table: DataFrame) -> None:
        table.createOrReplaceTempView(name)
        self._views.append(name)

    def _open(self, name: str, address: str) -> _File:
        """Check the columns of a file and their values, and make a view of them as texts."""
        import pyspark.sql.functions as F  # noqa: N812, PLC0415 an optional dependency

        found = [url for url in (f"{address}/{name}.csv", f"{address}/{name}.parquet") if exists(self._session, url)]
        if len(found) != 1:
            has = "both" if found else "none of them"
            raise InputError(f"{address}: must have one of {name}.csv and {name}.parquet; it has {has}")
        (url,) = found
        records = read_records(self._session, url)
        check_columns(url, records.columns, self._counting.columns[name])
        texts = [F.col(column).cast("string").alias(column) for column in self._counting.columns[name]]
        file = _File(url, records.select(*texts, *(F.col(column) for column in _PLACE)))
        self._view(f"{name}_text", records.select(*texts))
        wanted = conditions(name, self._counting.columns[name])
        bad = {column: f"NOT coalesce({condition}, FALSE)" for column, (_, condition) in wanted.items()}
        with self._in_one_line(f"{url}: cannot be read"):
            counts = [F.expr(f"count_if({one})") for one in bad.values()]
            for column, times in zip(bad, file.rows.agg(*counts).collect()[0], strict=True):
                if times:
                    self._refuse(file, column, wanted[column][0], bad[column])
        return file

    def _check_agreement(self, name: str, file: _File) -> None:
        """Refuse a MAFID that the rows of the files do not agree on."""
        with self._in_one_line(f"{file.url}: cannot be read"):
            for words, bad in contradictions(name):
                if self._session.sql(f"SELECT 1 FROM {name}_text WHERE {bad} LIMIT 1").first():  # noqa: S608
                    self._refuse(file, "MAFID", words, bad)

    def _refuse(self, file: _File, column: str, words: str, bad: str) -> NoReturn:
        """Name the first row of a file under a condition: part by part, block by block."""
        import pyspark.sql.functions as F  # noqa: N812, PLC0415 an optional dependency

        placed = file.rows.withColumn("place", F.monotonically_increasing_id())
        self._view("checked", placed)
        order = "file_path, file_block_start, place"
        first = self._session.sql(f"SELECT * FROM checked WHERE {bad} ORDER BY {order} LIMIT 1").first()  # noqa: S608
        if first is None:
            raise ClusterError(f"{file.url}: must not change while it is read; it has")
        block, place = F.col("file_block_start"), F.col("place")
        earlier = (block < first["file_block_start"]) | (block == first["file_block_start"]) & (place <= first["place"])
        row = placed.filter((F.col("file_path") == first["file_path"]) & earlier).count()
        part = unquote(first["file_path"].rpartition("/")[2])
        path = file.url if file.url.endswith(f"/{part}") else f"{file.url}/{part}"
        shown = repr(first[column]) if self._confidential else "another value, which --debug-confidential shows"
        raise InputError(f"{path}: row {row}: {column} must be {words}; got {shown}")

    @contextmanager
    def _in_one_line(self, what: str) -> Iterator[None]:
        """Say in one line that Spark fails; nothing that a record holds unless that may be shown."""
        try:
            with one_line_failures(what):
                yield
        except ClusterError as error:
            said = str(error) if self._confidential else f"{what}; --debug-confidential shows why"
            if "[MALFORMED_CSV_RECORD]" in str(error):
                raise InputError(f"each line must have the fields of the header: {said}") from None
            raise ClusterError(said) from None
