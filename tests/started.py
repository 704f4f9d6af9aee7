"""The command line as a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
"""Of a process that may be limited in the size of its files: it would leave the bytecode of a module half-written."""

STIRRED = [sys.executable, "-m", "verify.cli"]

WITNESS = '{"kind": "formula", "claimed": "1 == 2", "values": {}}'
"""A witness that replays."""


def stirred(*arguments, seconds=120, **options):
    """The program here, with its output as text."""
    command = [*STIRRED, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, **options)


def run(arguments, folder, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120, **options}
    return subprocess.run([*STIRRED, *arguments], cwd=folder, env=ENVIRONMENT, check=False, **options)


def in_shell(arguments, folder, redirection):
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", *STIRRED, *arguments]
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False
    )
