"""The command line as a whole: one line and exit status 2 for what is not foreseen."""

import subprocess
import sys

import pytest
from claim_texts import SOUND

from stirred.verify import cli


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError(), "stirred: engine failure: MemoryError: \n"),
        (RecursionError("too deep"), "stirred: engine failure: RecursionError: too deep\n"),
        (KeyboardInterrupt(), "stirred: interrupted\n"),
    ],
)
def test_what_is_not_foreseen_is_a_failure_and_no_refutation(monkeypatch, capsys, error, line):
    def fail(arguments):
        raise error

    monkeypatch.setattr("stirred.verify.commands.replay.run", fail)
    assert cli.main(["replay", "x.json"]) == 2
    assert capsys.readouterr().err.replace(": \n", ":\n") == line.replace(": \n", ":\n")


MISUSES = {
    "no command": [],
    "an unknown one": ["nonsense"],
    "an unknown option": ["audit", "--epsilonn", "3"],
    "an option cut short": ["derive", "psa", "--plo", "x.svg"],
    "one without its value": ["audit", "--html"],
    "a value that is none of those": ["audit", "--format", "pdf"],
    "an option that is missing": ["swap", "table.csv"],
    "one file for two": ["compare", "one.toml"],
    "no number": ["derive", "psa", "--largest-stratum", "ten"],
    "a control character": ["\x1b[2J"],
}


@pytest.mark.parametrize("name", MISUSES)
def test_a_misuse_is_one_line_that_names_the_help(name, capsys):
    assert cli.main(MISUSES[name]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("stirred: ")
    assert captured.err.endswith(" --help\n")
    assert captured.err.count("\n") == 1
    assert captured.err.rstrip("\n").isprintable()


def test_exact_numbers_of_many_digits_can_be_printed(monkeypatch, capsys):
    before = sys.get_int_max_str_digits()
    try:
        cli.main(["derive", "psa", "--largest-stratum", "10", "--swap-rate", "1/2"])
        assert len(str(10**50_000)) == 50_001
    finally:
        sys.set_int_max_str_digits(before)


def test_a_full_device_is_one_line():
    command = [sys.executable, "-m", "stirred.verify.cli", "derive", "psa", "--largest-stratum", "10"]
    with open("/dev/full", "w") as full:  # noqa: PTH123 a device
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "stirred: stdout: No space left on device\n")


def test_a_limit_of_more_than_a_day_is_refused(capsys):
    assert cli.main(["audit", "--seconds", "99999999999999999999"]) == 2
    assert capsys.readouterr().err == "stirred: --seconds must be at most 86400, a day; got 99999999999999999999\n"


def test_the_witnesses_never_replace_a_file_that_is_audited(tmp_path, capsys):
    file = tmp_path / "claim.toml"
    file.write_text(SOUND)
    assert cli.main(["audit", str(file), "--witness", str(file)]) == 2
    assert "--witness must not be a file that is audited" in capsys.readouterr().err
    assert file.read_text() == SOUND
