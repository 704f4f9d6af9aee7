"""A study as a person runs it: whole, with several processes, interrupted, and asked for something else."""

import json
import signal
import subprocess
import time

import pytest
from started import ENVIRONMENT, STIRRED

from verify.cli import main

RECORDS = "tenure,county,room\n" + "".join(
    f"{tenure},{county},{room}\n" for tenure in ("own", "rent") for county in "ABC" for room in range(4)
)


@pytest.fixture
def study(tmp_path):
    """The words of a small study that writes to a folder of this name."""
    (tmp_path / "records.csv").write_text(RECORDS)
    words = ["study", "psa", str(tmp_path / "records.csv"), "--swap", "county", "--hold", "tenure", "--runs", "2"]
    return lambda folder, *more: [*words, "--output", str(tmp_path / folder), *more]


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_files_do_not_depend_on_processes_nor_on_an_interruption(study, tmp_path, capsys):
    assert main(study("one", "--jobs", "1")) == 0
    whole = contents(tmp_path / "one")
    assert {name.rpartition(".")[2] for name in whole} == {"csv", "svg", "png", "jsonl"}
    assert main(study("two", "--jobs", "2")) == 0
    assert contents(tmp_path / "two") == whole
    torn = tmp_path / "torn"
    torn.mkdir()
    kept = whole["draws.jsonl"].splitlines(keepends=True)
    (torn / "draws.jsonl").write_bytes(b"".join(kept[:4]) + kept[4][:20])
    assert main(study("torn")) == 0
    assert contents(torn) == whole
    assert "SAMPLED" in capsys.readouterr().out


def test_draws_of_other_settings_are_refused(study, tmp_path, capsys):
    assert main(study("one")) == 0
    before = contents(tmp_path / "one")
    assert main(study("one", "--seed", "7")) == 2
    assert "holds draws with seed = 1940, not 7" in capsys.readouterr().err
    assert contents(tmp_path / "one") == before


@pytest.mark.parametrize("jobs", ["0", "-1"])
def test_jobs_must_be_positive(study, capsys, jobs):
    assert main(study("one", "--jobs", jobs)) == 2
    assert capsys.readouterr().err.startswith("stirred: --jobs must be")


@pytest.mark.usefixtures("usual_signals")
def test_what_is_finished_before_ctrl_c_is_kept(study, tmp_path):
    folder = tmp_path / "long"
    words = [*STIRRED, *study("long", "--runs", "20000", "--jobs", "2")]
    with subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE) as process:
        kept = folder / "draws.jsonl"
        while not (kept.exists() and kept.read_bytes().count(b"\n") > 3):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        error = process.communicate()[1]
    assert error == b"stirred: interrupted\n"
    assert [file.name for file in folder.iterdir()] == ["draws.jsonl"]
    assert len([json.loads(line) for line in kept.read_bytes().splitlines()]) > 3
