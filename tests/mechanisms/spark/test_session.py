"""A Spark session that cannot start says in one line why."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
