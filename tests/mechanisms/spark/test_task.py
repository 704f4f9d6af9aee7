"""What each task of Spark does to one bucket, without Spark: the conformance class of the array implementations.

A Spark session that cannot start says in one line why.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from conformance.test_array_swapping import Swaps

from stirred.mechanisms.fast.permutation_swapping import Moves
from stirred.mechanisms.fast.random_words import run_key
from stirred.mechanisms.spark.permutation_swapping import swap_arrow_bucket
from stirred.mechanisms.tables.coded_column import coded_column, matching_column
from stirred.mechanisms.tables.roles import Roles


class TestWhatEachTaskDoes(Swaps):
    @staticmethod
    def draw(matching, swap_rate, seed):
        order = np.random.default_rng(seed).permutation(len(matching))  # in whatever order they arrive
        columns = Roles(("m",), ("h",), ("s",), "h")
        records = pa.table({"m": matching[order], "h": order, "s": order})
        key = run_key(seed)
        after = swap_arrow_bucket(records, columns, swap_rate=swap_rate, key=key, bucket=0, buckets=1)
        assert after.column("h").to_pylist() == list(range(len(matching)))
        sigma = np.array(after.column("s").to_pylist(), dtype=np.int64)
        return moves_of(sigma)


def moves_of(sigma):
    """The cycles of a permutation."""
    moved, starts, lengths, seen = [], [], [], set()
    for first in np.flatnonzero(sigma != np.arange(len(sigma))).tolist():
        if first not in seen:
            cycle = [first]
            while (following := int(sigma[cycle[-1]])) != first:
                cycle.append(following)
            seen.update(cycle)
            starts.append(len(moved))
            lengths.append(len(cycle))
            moved += cycle
    return Moves(len(sigma), *(np.array(part, dtype=np.int64) for part in (moved, starts, lengths)))


@pytest.mark.parametrize(
    "kind", [pa.date32(), pa.bool_(), pa.int8(), pa.string(), pa.decimal128(4, 2), pa.timestamp("us", "UTC")], ids=str
)
def test_a_matching_column_of_every_type_may_be_empty(kind):
    for values in (pa.nulls(0, kind), pa.chunked_array([], kind), pa.table({"m": pa.nulls(0, kind)}).column("m")):
        assert matching_column(coded_column("m", values)).values == []
    encoded = pa.chunked_array([pa.nulls(0, kind).dictionary_encode()])
    assert len(coded_column("m", encoded).codes) == 0


ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("lines", "variables", "message"),
    [
        (
            "import sys; sys.modules['pyspark'] = None",
            {},
            "--engine spark needs pyspark, pyarrow and pandas: pip install",
        ),
        ("", {"JAVA_HOME": "/nowhere"}, "Spark needs Java 17 or later: apt-get install openjdk-17-jre-headless"),
    ],
    ids=["no pyspark", "no Java"],
)
def test_what_is_not_installed_is_named_in_one_line(lines, variables, message):
    assert last_line(lines, variables).startswith(f"stirred.spec.arguments.InputError: {message}")


def last_line(lines, variables):
    """What a process that starts a session says at its end."""
    code = f"{lines}\nfrom stirred.mechanisms.spark.session import spark_session\nspark_session()"
    environment = {**os.environ, **variables}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=120, check=False)
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


def test_a_session_that_does_not_start_says_why(tmp_path):
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'Error: this is Java 8' >&2\nexit 1\n")
    java.chmod(0o755)
    said = last_line("", {"JAVA_HOME": str(tmp_path)})
    assert said == "stirred.mechanisms.spark.session.ClusterError: Spark does not start: Error: this is Java 8"
