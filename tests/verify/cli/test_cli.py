"""The command line as a whole: what is not foreseen, or not installed, or not there on a system, is one line."""

import argparse
import subprocess
import sys

import pytest
from claim_texts import CLAIMS, SOUND

from stirred.mechanisms.catalogue import CATALOGUE
from stirred.verify.cli import main as cli
from stirred.verify.cli.commands import COMMANDS, add_command
from stirred.verify.cli.guide import page
from stirred.verify.laws.claim import text as claim_text


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

    monkeypatch.setattr("stirred.verify.cli.commands.replay.run", fail)
    assert cli.main(["replay", "x.json"]) == 2
    assert capsys.readouterr().err.replace(": \n", ":\n") == line.replace(": \n", ":\n")


@pytest.mark.parametrize("words", [["audit", "--format", "pdf"], ["completion", "csh"], ["\x1b[2J"]], ids=ascii)
def test_a_misuse_is_one_printable_line_that_names_the_help(words, capsys):
    assert cli.main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("stirred: ")
    assert captured.err.endswith(" --help\n")
    assert captured.err.count("\n") == 1
    assert captured.err.rstrip("\n").isprintable()


def levels(parser, path):
    """Every command with its parser."""
    yield path, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, one in action.choices.items():
                yield from levels(one, (*path, name))


@pytest.fixture
def helps(monkeypatch):
    """The help of every command, on a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    found = {(): cli._parser(None).format_help()}
    for name in COMMANDS:
        subparsers = cli._Parser(prog="stirred").add_subparsers()
        add_command(name, subparsers)
        found |= {path: one.format_help() for path, one in levels(subparsers.choices[name], (name,))}
    return found


def test_every_help_fits_80_columns_and_has_an_example(helps):
    assert len(helps) > len(COMMANDS) + 10
    wide = {path: line for path, text in helps.items() for line in text.splitlines() if len(line) > 80}
    assert wide == {}
    assert [path for path, text in helps.items() if "\nexamples:\n" not in text] == []


def test_all_options_of_an_audit_are_on_one_screen(helps):
    text = helps["audit",]
    assert len(text.splitlines()) <= 50
    assert "stirred guide claim-file" in text


def test_on_a_narrow_terminal_the_help_is_narrower(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, cli._parser(None).format_help().splitlines())) <= 66  # examples are not broken


def test_exact_numbers_of_many_digits_can_be_printed(monkeypatch, capsys):
    before = sys.get_int_max_str_digits()
    try:
        cli.main(["derive", "psa", "--largest-stratum", "10", "--swap-rate", "1/2"])
        assert len(str(10**50_000)) == 50_001
    finally:
        sys.set_int_max_str_digits(before)


def test_a_full_device_is_one_line():
    command = [sys.executable, "-m", "stirred.verify.cli.main", "derive", "psa", "--largest-stratum", "10"]
    with open("/dev/full", "w") as full:  # noqa: PTH123 a device
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "stirred: stdout: No space left on device\n")


def test_the_witnesses_never_replace_a_file_that_is_audited(tmp_path, capsys):
    file = tmp_path / "claim.toml"
    file.write_text(SOUND)
    assert cli.main(["audit", str(file), "--witness", str(file)]) == 2
    assert capsys.readouterr().err == f"stirred: --witness and FILE must be different files; got {file}\n"
    assert file.read_text() == SOUND


def test_the_page_on_claim_files_has_every_block_key_and_mechanism():
    text = page("claim-file").text
    keys = {key for block, several in claim_text._BLOCKS.items() for key in (block, *several)}
    assert [key for key in keys if f"`{key}" not in text and f"`[{key}]" not in text] == []
    for name, row in CATALOGUE.items():
        assert [word for word in (name, *row.parameters) if f"`{word}" not in text] == [], name


WITHOUT = """
import sys
NAMES = "clarabel cvc5 duckdb griffe highspy jinja2 latex2mathml markupsafe matplotlib ortools"
NAMES += " pandas py4j pyarrow pyspark scipy"
for name in NAMES.split():
    sys.modules[name] = None  # what an import of it raises is what it raises where it is not installed
from stirred.verify.cli.main import main
sys.exit(main())
"""


def without(*arguments, folder):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "library"),
    [
        (("swap", "homes.csv", "--swap", "county", "--swap-rate", "1/2"), "pyarrow"),
        (("study", "psa", "--output", "figure"), "matplotlib"),
        (("derive", "psa", "--plot", "psa.svg"), "matplotlib"),
        (("site", "pages"), "griffelib Jinja2 latex2mathml markdown-it-py Pygments"),
        (("verify", "derangements.recurrence", "--open"), "griffelib Jinja2 latex2mathml markdown-it-py Pygments"),
        (("run", "phsafe", "--init", "made"), None),
        (("site", "--help"), None),
        (("run", "topdown", "--init", "town"), None),
        (("init",), None),
        (("--help",), None),
        (("swap", "--help"), None),
        (("run", "phsafe", "--help"), None),
        (("completion", "bash"), None),
    ],
)
def test_a_command_needs_its_own_libraries_only(tmp_path, arguments, library):
    (tmp_path / "homes.csv").write_text("size,county\n1,a\n1,b\n")
    done = without(*arguments, folder=tmp_path)
    if library is None:
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"pip install {library}" in done.stderr


WINDOWS = """
import os, signal, subprocess, sys, types
for name in ("fcntl", "resource", "pwd", "grp", "termios", "pty"):
    sys.modules[name] = None
for name in ("fork", "killpg", "getppid", "getuid", "geteuid"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGXCPU", "setitimer", "ITIMER_REAL", "pthread_sigmask"):
    if hasattr(signal, name):
        delattr(signal, name)
sys.modules["msvcrt"] = types.SimpleNamespace(locking=lambda *_: None, LK_NBLCK=2)
sys.argv[0] = "stirred"
from stirred.verify.cli.main import main
sys.exit(main())
"""


def on_windows(*arguments, folder):
    """The program as Windows would have it: without what that system has not. It is a picture of one, no Windows."""
    command = [sys.executable, "-c", WINDOWS, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("study", "--help"),
        ("run", "phsafe", "--help"),
        ("swap", "--help"),
        ("show",),
        ("derive", "psa", "--largest-stratum", "10"),
        ("infer", "massachusetts-1940"),
        ("verify", "--list"),
    ],
)
def test_what_needs_no_process_of_its_own_works_on_windows(arguments, tmp_path):
    done = on_windows(*arguments, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_a_mechanism_of_ones_own_is_refused_there_in_one_line():
    done = on_windows("audit", "own_mechanism.toml", folder=CLAIMS)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.count("code of one's own runs on POSIX systems only") == 1
