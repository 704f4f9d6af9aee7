"""Tables of records that Spark reads and writes: CSV or Parquet at any address that it knows, whole or not at all.

A field of CSV is a text, as it stands; `""` is the empty text, and an empty field a null. A line with another number
of fields, and a file whose header is another, are refused. The schema of Parquet files is the union of theirs: where a
file lacks a column its records have nulls, and types that differ are refused.

What is written lies beside its target under another name until everything is right, and is then renamed: at once on
HDFS and on a disk, file by file in an object store.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from stirred.mechanisms.spark.session import ClusterError, one_line_failures
from stirred.spec.arguments import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

_READ_CSV = {"header": True, "enforceSchema": False, "mode": "FAILFAST", "escape": '"', "nullValue": "\0"}
_WRITE_CSV = {"header": True, "escape": '"', "ignoreLeadingWhiteSpace": False, "ignoreTrailingWhiteSpace": False}


def read_records(session: SparkSession, url: str) -> DataFrame:
    """The table at an address: CSV where the name ends in .csv or .csv.gz, otherwise Parquet; a file or a folder."""
    with one_line_failures(f"{url}: cannot be read"):
        if not exists(session, url):
            raise InputError(f"{url}: no such file or folder of records")
        if _is_csv(url):
            session.conf.set("spark.sql.csv.parser.columnPruning.enabled", "false")  # every line has every field
            return session.read.options(**_READ_CSV).csv(url)
        return session.read.option("mergeSchema", True).parquet(url)


def exists(session: SparkSession, url: str) -> bool:
    """Whether there is a file or a folder at an address."""
    return bool(_file_system(session, url).exists(_path(session, url)))


def write_records(table: DataFrame, url: str, *, like: str) -> None:
    """Write a table into a new folder, in the format that the name `like` asks for."""
    if _is_csv(like):
        table.write.options(**_WRITE_CSV).csv(url)
    else:
        table.write.parquet(url)


def written_records(session: SparkSession, url: str, schema: StructType, *, like: str) -> DataFrame:
    """The table that `write_records` wrote."""
    reader = session.read.schema(schema)
    return reader.options(**_READ_CSV).csv(url) if _is_csv(like) else reader.parquet(url)


def write_manifest(session: SparkSession, url: str, facts: Mapping[str, object]) -> None:
    """Write what a table is and how it came about beside its files, under a name that no reader takes for records."""
    stream = _file_system(session, url).create(_path(session, f"{url}/_manifest.json"))
    try:
        stream.write((json.dumps(facts, indent=2, ensure_ascii=False) + "\n").encode())
    finally:
        stream.close()


@contextmanager
def staged(session: SparkSession, source: str, targets: Sequence[str]) -> Iterator[list[str]]:
    """New addresses to write to, which take the names of the targets at the end, or are gone."""
    with one_line_failures("Spark cannot write"):
        for place, target in enumerate(targets):
            if exists(session, target):
                raise InputError(f"{target}: already exists")
            if any(_overlap(session, target, other) for other in (source, *targets[:place])):
                raise InputError(f"{target}: must lie apart from what is read and written beside it")
    parts = [f"{target.rstrip('/')}.partial-{secrets.token_hex(4)}" for target in targets]
    done: list[str] = []
    try:
        yield parts
        with one_line_failures("Spark cannot write"):
            for part, target in zip(parts, targets, strict=True):
                _rename(session, part, target)
                done.append(target)
    except BaseException:
        for left in (*parts, *done):
            _file_system(session, left).delete(_path(session, left), True)
        raise


def _rename(session: SparkSession, part: str, target: str) -> None:
    if not _file_system(session, target).rename(_path(session, part), _path(session, target)):
        raise ClusterError(f"{target}: cannot be written: {part} cannot take its name")


def _is_csv(url: str) -> bool:
    return url.rstrip("/").endswith((".csv", ".csv.gz"))


def _path(session: SparkSession, url: str) -> Any:
    return session._jvm.org.apache.hadoop.fs.Path(url)


def _file_system(session: SparkSession, url: str) -> Any:
    return _path(session, url).getFileSystem(session._jsc.hadoopConfiguration())


def _overlap(session: SparkSession, one: str, other: str) -> bool:
    """Whether one address is the other, or lies in it."""
    first, second = (
        f"{_file_system(session, url).makeQualified(_path(session, url))}".rstrip("/") + "/" for url in (one, other)
    )
    return first.startswith(second) or second.startswith(first)
