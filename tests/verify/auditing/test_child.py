"""A process apart: what it returns, what it raises, and that nothing in it ends or holds the auditor."""

import os
import signal
import sys
import time

import pytest
from claim_texts import SCHEMA, replaced

from spec import InputError
from verify.auditing.child import in_child
from verify.cli import main
from verify.evidence import EngineError


def run(task, seconds=20):
    return in_child(task, seconds=seconds, what="the task")


def test_the_result_comes_back():
    assert run(lambda: {"law": (1, None)}) == {"law": (1, None)}
    assert len(run(lambda: "x" * 3_000_000)) == 3_000_000


@pytest.mark.parametrize("error", [InputError("what is wrong"), EngineError("what disagrees")])
def test_what_is_foreseen_is_raised_here(error):
    def task():
        raise error

    with pytest.raises(type(error), match=str(error)):
        run(task)


@pytest.mark.parametrize("error", [ZeroDivisionError("by zero"), KeyboardInterrupt(), SystemExit(0)])
def test_anything_else_is_a_failure(error):
    def task():
        raise error

    with pytest.raises(EngineError, match=type(error).__name__):
        run(task)


def test_a_result_that_cannot_be_sent_is_a_failure():
    with pytest.raises(InputError, match="its process ended without a result"):
        run(lambda: lambda: 1)


@pytest.mark.parametrize("end", [lambda: os._exit(0), lambda: os.kill(os.getpid(), signal.SIGKILL)])
def test_a_process_that_ends_itself_is_refused(end):
    with pytest.raises(InputError, match="the task: its process ended without a result"):
        run(end)


def test_one_long_operation_is_killed_at_the_time_limit():
    begin = time.monotonic()
    with pytest.raises(InputError, match="the task took more than 1 s: it may loop for ever"):
        run(lambda: sum(range(10**12)), seconds=1)
    assert time.monotonic() - begin < 15


def test_where_a_system_cannot_fork_the_task_runs_here(monkeypatch):
    monkeypatch.delattr(os, "fork")
    assert run(os.getpid) == os.getpid()


MECHANISMS = """
import os, sys


def ends(data, source):
    os._exit(0)


def endless(data, source):
    return sum(range(10**12))


def closes(data, source):
    sys.stdout.close()
    return source.uniform(2)
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ends", "the audit of own: its process ended without a result"),
        ("endless", "the audit of own took more than 1 s"),
    ],
)
@pytest.mark.parametrize("command", ["audit", "compare"])
def test_no_mechanism_ends_a_command_well_or_holds_it(tmp_path, capsys, name, message, command):
    (tmp_path / "apart.py").write_text(MECHANISMS)
    file = tmp_path / "claim.toml"
    file.write_text(replaced(SCHEMA, ('name = "identity"', f'function = "apart:{name}"')))
    files = [str(file)] * (2 if command == "compare" else 1)
    assert main([command, *files, "--seconds", "1"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message.replace("audit of own", "comparison" if command == "compare" else "audit of own") in captured.err


def test_importing_a_module_that_ends_the_process_is_refused(tmp_path, capsys):
    (tmp_path / "ending.py").write_text("import os\nos._exit(0)\n")
    file = tmp_path / "claim.toml"
    file.write_text(replaced(SCHEMA, ('name = "identity"', 'function = "ending:f"')))
    for command in ("audit", "show"):
        assert main([command, str(file)]) == 2
        assert "reading the claim own: its process ended without a result" in capsys.readouterr().err


def test_the_output_of_a_mechanism_never_reaches_stdout(tmp_path, capfd):
    (tmp_path / "apart.py").write_text(MECHANISMS)
    file = tmp_path / "claim.toml"
    file.write_text(replaced(SCHEMA, ('name = "identity"', 'function = "apart:closes"')))
    assert main(["audit", str(file)]) == 0
    assert capfd.readouterr().out.startswith("own.complete: ")
    assert not sys.stdout.closed
