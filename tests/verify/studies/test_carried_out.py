"""A study that is interrupted from outside, while several processes draw; see also the conformance of studies."""

import json
import signal
import subprocess
import time

import pytest
from started import ENVIRONMENT, STIRRED

RECORDS = "tenure,county,room\n" + "".join(
    f"{tenure},{county},{room}\n" for tenure in ("own", "rent") for county in "ABC" for room in range(4)
)


@pytest.mark.usefixtures("usual_signals")
def test_what_is_finished_before_ctrl_c_is_kept(tmp_path):
    (tmp_path / "records.csv").write_text(RECORDS)
    folder = tmp_path / "long"
    words = [*STIRRED, "study", "psa", tmp_path / "records.csv", "--swap", "county", "--output", folder]
    words += ["--runs", "20000", "--jobs", "2"]
    with subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE) as process:
        kept = folder / "draws.jsonl"
        while not (kept.exists() and kept.read_bytes().count(b"\n") > 3):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        error = process.communicate()[1]
    assert error == b"stirred: interrupted\n"
    assert [file.name for file in folder.iterdir()] == ["draws.jsonl"]
    assert len([json.loads(line) for line in kept.read_bytes().splitlines()]) > 3
