"""Where a system lacks what others have, what needs it is refused by name, and the rest works."""

import subprocess
import sys

import pytest
from claim_texts import CLAIMS

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
from stirred.verify.cli import main
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
