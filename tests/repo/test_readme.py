"""The README is a door of 120 lines; what it shows is run by `.ci/newcomer`."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from shown_blocks import fences

from stirred.verify.cli.commands.init import FILES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language: str, containing: str) -> str:
    """The one fenced block of a language that holds a text."""
    found = [one.body for one in fences(README) if one.info == (language,) and containing in one.body]
    assert len(found) == 1
    return found[0]


def test_it_has_at_most_120_lines_of_100_columns():
    lines = README.splitlines()
    assert len(lines) <= 120
    assert [number for number, line in enumerate(lines, 1) if len(line) > 100] == []


def test_the_five_blocks_are_those_that_init_writes():
    shown = tomllib.loads(block("toml", "multiverse"))
    written = tomllib.loads(FILES["majority.toml"])
    assert len(shown) == 5
    assert shown == {name: written[name] for name in shown}


def test_the_first_command_ends_as_is_said():
    stirred = str(Path(sys.executable).with_name("stirred"))
    done = subprocess.run([stirred, "audit"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 1, done.stderr
    said = re.search(r"ends with status 1 and\n`([^`]*)`", README)
    assert said is not None
    assert done.stdout.splitlines()[-1] == said[1]


def test_the_two_commands_are_those_that_ci_runs():
    commands = [line.partition("#")[0].strip() for line in block("bash", ".ci/install").splitlines()]
    assert commands == [".ci/install && .venv/bin/stirred audit", ".ci/test"]
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == "exec .ci/test"


def test_the_headlines_are_at_most_ten_lines():
    headlines = README.split("## What came out\n")[1].split("\n## ")[0].strip().splitlines()
    assert 0 < len(headlines) <= 10
