"""Coq's own programs, run on the theories with the same flags and an environment that changes nothing."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from checking.layout import FLAGS, LIBRARY, ROOT, THEORIES, CheckError, files, module_of

_PRINTING = """\
Set Printing Width 1000000.
Set Printing Depth 1000000.
Unset Printing Implicit Defensive.
"""
_MARK = "@@"


def run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a program in the folder of the proofs.

    Of the environment only PATH is passed on: COQPATH, OCAMLPATH, MAKEFLAGS and the user's own folders would change
    what is loaded and how it is compiled.
    """
    with tempfile.TemporaryDirectory() as home:
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "LC_ALL": "C.UTF-8"}
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False)  # noqa: S603


def build() -> str:
    """Compile every theory that is newer than its compiled form, or uses one that is; two at a time.

    Raises:
        CheckError: a file does not compile.
    """
    theories = [str(path.relative_to(ROOT)) for path in files()]
    paths = ("-Q", THEORIES.name, LIBRARY)
    flags = (part for flag in FLAGS for part in ("-arg", flag))
    for command in (
        ["coq_makefile", *paths, *flags, "-o", "Makefile.coq", *theories],
        ["make", "--no-print-directory", "-j2", "-f", "Makefile.coq", "all"],
    ):
        done = run(command)
        if done.returncode:
            raise CheckError(f"the build fails\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return f"build: {len(theories)} files compiled"


def answers(preamble: Sequence[str], queries: Sequence[str]) -> list[str]:
    """What Coq answers to each query, after the sentences of the preamble.

    Raises:
        CheckError: Coq refuses a sentence, or leaves out what lies too deep.
    """
    script = [*preamble, _PRINTING]
    for query in queries:
        script += [f'Goal True. idtac "{_MARK}". Abort.', query]
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "ask.v"
        file.write_text("\n".join(script) + "\n", encoding="utf-8")
        done = run(["coqc", "-q", *FLAGS, "-Q", str(THEORIES), LIBRARY, str(file)])
    if done.returncode:
        raise CheckError(f"Coq refuses a query\n{done.stdout[-500:]}{done.stderr[-2000:]}")
    if "..." in done.stdout:
        raise CheckError(f"Coq leaves out what lies too deep\n{done.stdout.split('...')[0][-200:]}")
    found = done.stdout.split(f"{_MARK}\n")[1:]
    if len(found) != len(queries):
        raise CheckError(f"Coq gives {len(found)} answers to {len(queries)} queries")
    return found


def answers_by_full_names(queries: Sequence[str]) -> list[str]:
    """What Coq answers with every theory loaded and none imported, so that it names each object with its file."""
    return answers([f"Require {module_of(path)}." for path in files()], queries)


def flat(text: str) -> str:
    """A printed term on one line."""
    return " ".join(text.split())


def without_arguments(printed: str) -> str:
    """What ``Print`` says of an object before it lists how its arguments are written."""
    return flat(re.split(r"\n\s*Arguments ", printed, maxsplit=1)[0])
