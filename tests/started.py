"""The command line, here or in a process of its own, and `coqc` over the compiled theories."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import stirred as package

THEORIES = Path(__file__).parents[1] / "proofs" / "theories"
"""Compiled by `make -C proofs`."""


def spaced(numbers):
    return " ".join(map(str, numbers))


def compiled(tmp_path, text):
    """What `coqc` prints of a file over the theories; it must accept it."""
    assert list(THEORIES.glob("*/*.vo")), "first: make -C proofs"
    (tmp_path / "Asked.v").write_text(text, encoding="utf-8")
    flags = ["-q", "-w", "-notation-overridden,-ambiguous-paths", "-Q", str(THEORIES), "Stirred"]
    done = subprocess.run(["coqc", *flags, "Asked.v"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def coq_computes(tmp_path, theory, asked):
    """Hold booleans of a theory to their values."""
    head = "From Coq Require Import NArith.\nFrom mathcomp Require Import all_ssreflect.\n"
    head += f"From Stirred Require Import {theory}.\n"
    lines = [
        f"Example a{place} : {expression} = {str(value).lower()}. Proof. by vm_compute. Qed."
        for place, (expression, value) in enumerate(asked)
    ]
    compiled(tmp_path, head + "\n".join(lines) + "\n")


ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
"""Of a process that may be limited in the size of its files: it would leave the bytecode of a module half-written."""

ALONE = {**os.environ, "PYTHONPATH": str(Path(package.__file__).parents[1])}
"""Of an interpreter that is started with -S: it has the standard library and this program, and no library besides."""

STIRRED = [sys.executable, "-m", "stirred.verify.cli.main"]

WITNESS = '{"kind": "formula", "claimed": "1 == 2", "values": {}}'
"""A witness that replays."""


def linked(tree: Path, place: Path) -> Path:
    """The folder `place`, made to hold the package of a tree by links."""
    package = place / "stirred"
    package.mkdir(parents=True)
    for path in (tree / "stirred").iterdir():
        (package / path.name).symlink_to(path.resolve())
    return place


def stirred(*arguments, cwd="."):
    """The program's status, output and messages, in this process and in a folder."""
    from stirred.verify.cli.main import main  # noqa: PLC0415 the package is that of the tests

    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]), contextlib.chdir(cwd):
        try:
            status = main(list(map(str, arguments)))
        except SystemExit as leaving:
            status = int(leaving.code or 0)
    return subprocess.CompletedProcess(arguments, status, *(one.buffer.getvalue().decode() for one in streams))


def run(arguments, folder, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120, **options}
    return subprocess.run([*STIRRED, *arguments], cwd=folder, env=ENVIRONMENT, check=False, **options)


def python(*arguments, folder, environment=ENVIRONMENT, program=sys.executable):
    command = [str(program), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def in_shell(arguments, folder, redirection):
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", *STIRRED, *arguments]
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False
    )
