"""Speed of a start: `python -m pytest tests/benchmarks/bench_start.py --benchmark-only`, on a quiet machine.

Each benchmark states its target, in seconds of processor time of the command and of what it starts.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

STIRRED = Path(sys.executable).with_name("stirred")
TARGETS = {
    "--help": 0.15,
    "swap --help": 0.7,
    "init .": 0.3,
    "show majority.toml": 0.5,
    "audit majority.toml": 0.7,
    "infer massachusetts-1940": 0.7,
    "infer majority.toml": 0.7,
}


def spent(folder: Path, words: list[str]) -> float:
    """Processor time of one command."""
    before = os.times()
    subprocess.run([STIRRED, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


@pytest.mark.parametrize("words", TARGETS)
def test_a_start_takes_at_most(benchmark, tmp_path, words):
    if words != "init .":
        spent(tmp_path, ["init", "."])
    seconds = []
    benchmark.pedantic(lambda: seconds.append(spent(tmp_path, words.split())), rounds=5)
    assert min(seconds) < TARGETS[words]
