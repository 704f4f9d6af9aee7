"""The README's examples are what the program prints."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from stirred.verify.ledger.pages import BEGIN, END

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
OF_THE_FILE = "for (answer,) in answers"
"""What the mechanism of the claim file has, and that of the decorator has not."""


def block(language: str, containing: str) -> str:
    """The one fenced block of a language that holds a text."""
    found = [body for body in re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL) if containing in body]
    assert len(found) == 1
    return found[0]


def stirred(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("stirred")), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


def test_the_claim_file_and_the_mechanism_print_what_is_shown_on_a_terminal(tmp_path):
    (tmp_path / "majority.toml").write_text(block("toml", 'id = "coins.majority"'))
    (tmp_path / "coins.py").write_text(block("python", OF_THE_FILE))
    done = stirred("audit", "majority.toml", "--color", "always", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    without_colours = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
    assert block("console", "stirred audit majority.toml") == "$ stirred audit majority.toml\n" + without_colours


def test_what_init_writes_is_the_claim_file_and_the_mechanism(tmp_path):
    done = stirred("init", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert block("python", OF_THE_FILE) in (tmp_path / "coins.py").read_text()
    written = tomllib.loads((tmp_path / "majority.toml").read_text())
    assert tomllib.loads(block("toml", 'id = "coins.majority"')) == written


def test_the_claim_in_python_is_refuted_as_is_said(tmp_path):
    example = block("python", "stirred.assert_satisfies")
    (tmp_path / "coins.py").write_text(block("python", OF_THE_FILE))
    (tmp_path / "claim.py").write_text(example)
    done = subprocess.run([sys.executable, "claim.py"], capture_output=True, text=True, check=False, cwd=tmp_path)
    said = re.search(r"# NotSatisfiedError: … (.*) …", example)
    assert said is not None
    assert said[1] in done.stderr


def test_the_comparison_prints_what_is_shown(tmp_path):
    honest = block("toml", 'id = "coins.majority"')
    (tmp_path / "coins.py").write_text(block("python", OF_THE_FILE))
    (tmp_path / "majority.toml").write_text(honest)
    changes = {"coins.majority": "coins.counted", "invariants = []": 'invariants = [["answer"]]', '"0.8"': '"0"'}
    for old, new in changes.items():
        assert old in honest
        honest = honest.replace(old, new)
    (tmp_path / "counted.toml").write_text(honest)
    done = stirred("compare", "majority.toml", "counted.toml", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    shown = block("console", "stirred compare").splitlines()
    assert shown[0] == "$ stirred compare majority.toml counted.toml"
    assert [line for line in done.stdout.splitlines() if line in shown] == [line for line in shown[1:] if line != "…"]


def test_the_first_command_ends_as_is_said():
    done = stirred("audit", cwd=ROOT)
    assert done.returncode == 1, done.stderr
    said = re.search(r"The first one ends with status 1: `(.*)`", README)
    assert said is not None
    assert done.stdout.splitlines()[-1] == said[1]


@pytest.mark.parametrize("path", re.findall(r"`((?:spec|mechanisms|verify|proofs)/[\w/.]+\.(?:py|v|txt))`", README))
def test_every_file_that_is_named_exists(path):
    assert (ROOT / path).is_file()


def test_the_two_commands_are_those_that_ci_runs():
    commands = [line.partition("#")[0].strip() for line in block("bash", ".ci/install").splitlines()]
    assert commands == [".ci/install && .venv/bin/stirred audit", ".ci/test"]
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == "exec .ci/test"


def test_the_ledger_has_its_place():
    assert README.count(BEGIN) == README.count(END) == 1
