"""What the folder of the proofs holds: what ``_CoqProject`` lists, and no theory besides."""

import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = "Stirred"
PATHS = ("-Q", "theories", LIBRARY, "-Q", "checking", "Checking")
FLAGS = ("-w", "-notation-overridden,-ambiguous-paths")
"""What `coqc` and `coqchk` are called with beside the paths; the build takes nothing from the environment."""

STATEMENTS = "Statements.v"
CHECKERS = ("restates.v", "inhabitants.v")
_HEAD = ("-Q theories Stirred", "-Q checking Checking", *(f"-arg {flag}" for flag in FLAGS))
_STEM = r"[a-z][a-z0-9_]*"


class CheckError(Exception):
    """A stage does not hold; the message says what is wrong and where."""


def theories(root: Path) -> list[Path]:
    """The theories that ``_CoqProject`` lists, by name.

    Raises:
        CheckError: the file does not start with the paths and flags of the check, or a line names no theory.
    """
    head, listed = _project(root)
    if head != [*_HEAD]:
        raise CheckError(f"_CoqProject: must start with the lines {' | '.join(_HEAD)}; got {' | '.join(head)}")
    for line in listed:
        if not re.fullmatch(rf"theories/({_STEM}/)?{_STEM}\.v", line):
            raise CheckError(f"_CoqProject: a line must name a theory such as theories/law.v; got {line!r}")
    return sorted((root / line for line in listed), key=lambda path: (path.stem, path))


def _project(root: Path) -> tuple[list[str], list[str]]:
    lines = (root / "_CoqProject").read_text(encoding="utf-8").splitlines()
    return lines[: len(_HEAD)], lines[len(_HEAD) :]


def module_of(root: Path, path: Path) -> str:
    """The full name that Coq gives a theory: the library, the folder if there is one, and the theory."""
    return ".".join((LIBRARY, *path.relative_to(root / "theories").with_suffix("").parts))


def scan_folder(root: Path) -> None:
    """Refuse a theory that is not listed, a listed one that is not there, and what could be taken for either.

    What else the folder holds the script `check` has looked at. Compiled files are not looked at: none is copied.

    Raises:
        CheckError: naming the file.
    """
    listed = set(theories(root))
    found = {path for pattern in ("*.v", "*/*.v") for path in (root / "theories").glob(pattern)}
    for path in sorted(listed ^ found):
        said = "is listed in _CoqProject, but not there" if path in listed else "is not listed in _CoqProject"
        raise CheckError(f"{path.relative_to(root)}: {said}")
    homes: dict[str, Path] = {}
    for path in theories(root):
        shown = path.relative_to(root)
        if path.is_symlink() or path.parent.is_symlink():
            raise CheckError(f"{shown}: is a link")
        if path.stem in homes or path.parent.name in {each.stem for each in listed}:
            raise CheckError(f"{shown}: shares a name with another theory, and an import would find either")
        homes[path.stem] = shown


def copied(root: Path, folder: Path) -> None:
    """Copy the listed theories, the statements and what closes them, and nothing else."""
    for path in (*theories(root), *(root / "checking" / name for name in CHECKERS)):
        target = folder / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    shutil.copyfile(root / STATEMENTS, folder / "checking" / STATEMENTS)
    shutil.copyfile(root / "_CoqProject", folder / "_CoqProject")
