"""Coq's own programs, run with the same flags and an environment that changes nothing."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from .layout import CHECKERS, FLAGS, PATHS, STATEMENTS, CheckError, copied, module_of, theories
from .sources import split_sentences

_PRINTING = """\
Set Printing Width 1000000.
Set Printing Depth 1000000.
Unset Printing Implicit Defensive.
"""
_MARK = "@@"


def run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder of proofs.

    Of the environment only PATH is passed on: COQPATH, OCAMLPATH, MAKEFLAGS and the user's own folders would change
    what is loaded and how it is compiled.
    """
    with tempfile.TemporaryDirectory() as home:
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "LC_ALL": "C.UTF-8"}
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)  # noqa: S603


def build(root: Path) -> None:
    """Compile every theory that is newer than its compiled form, or uses one that is; two at a time.

    Raises:
        CheckError: a file does not compile.
    """
    _make(root, [str(path.relative_to(root)) for path in theories(root)])


def compiled_copy(root: Path, folder: Path) -> Path:
    """A new folder with the listed sources alone, compiled, and the statements compiled last.

    Raises:
        CheckError: a file does not compile, or Coq has run other sentences of it than are read here.
    """
    copied(root, folder)
    sources = [*theories(folder), *(folder / "checking" / name for name in (*CHECKERS, STATEMENTS))]
    _make(folder, [str(path.relative_to(folder)) for path in sources], "TIMING=1")
    for path in sources:
        _hold_sentences(path)
    print(f"build: {len(theories(folder))} theories compiled, and {STATEMENTS}", flush=True)
    return folder


def _hold_sentences(path: Path) -> None:
    """Coq prints the characters of each sentence before it runs it: they must be those that were read, in order."""
    printed = path.with_suffix(".v.timing").read_text(encoding="utf-8", errors="replace")
    ran = [(int(start), int(end)) for start, end in re.findall(r"Chars (\d+) - (\d+) \[", printed)]
    read = [(each.start, each.end) for each in split_sentences(path)]
    if ran != read:
        at = next(one for one, other in zip_longest(ran, read) if one != other)
        raise CheckError(f"{path.name}: Coq runs other sentences than are read here; the first at its characters {at}")


def _make(folder: Path, sources: Sequence[str], *options: str) -> None:
    flags = (part for flag in FLAGS for part in ("-arg", flag))
    for command in (
        ["coq_makefile", *PATHS, *flags, "-o", "Makefile.coq", *sources],
        ["make", "--no-print-directory", "-j2", "-f", "Makefile.coq", "all", *options],
    ):
        done = run(command, folder)
        if done.returncode:
            raise CheckError(f"the build fails\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def keep_compiled(copy: Path, root: Path) -> None:
    """Put the compiled theories beside their sources, for those who use them."""
    for path in theories(copy):
        target = (root / path.relative_to(copy)).with_suffix(".vo")
        shutil.copyfile(path.with_suffix(".vo"), target)


def answers(root: Path, queries: Sequence[str], *, also: Sequence[str] = ()) -> list[str]:
    """What Coq answers to each query with every theory loaded and none imported, so that it names objects in full.

    Args:
        root: a folder of compiled proofs.
        queries: commands.
        also: other files to load.

    Raises:
        CheckError: Coq refuses a sentence, or leaves out what lies too deep.
    """
    script = [f"Require {module}." for module in (*(module_of(root, path) for path in theories(root)), *also)]
    script.append(_PRINTING)
    for query in queries:
        script += [f'Goal True. idtac "{_MARK}". Abort.', query]
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "ask.v"
        file.write_text("\n".join(script) + "\n", encoding="utf-8")
        done = run(["coqc", "-q", *FLAGS, *PATHS, str(file)], root)
    if done.returncode:
        raise CheckError(f"Coq refuses a query\n{done.stdout[-500:]}{done.stderr[-2000:]}")
    if "..." in done.stdout:
        raise CheckError(f"Coq leaves out what lies too deep\n{done.stdout.split('...')[0][-200:]}")
    found = done.stdout.split(f"{_MARK}\n")[1:]
    if len(found) != len(queries):
        raise CheckError(f"Coq gives {len(found)} answers to {len(queries)} queries")
    return found


def flat(text: str) -> str:
    """A printed term on one line."""
    return " ".join(text.split())


def without_arguments(printed: str) -> str:
    """What ``Print`` says of an object before it lists how its arguments are written."""
    return flat(re.split(r"\n\s*Arguments ", printed, maxsplit=1)[0])
