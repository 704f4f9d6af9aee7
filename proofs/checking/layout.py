"""What the folder of the proofs holds: the theories, the committed files, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
THEORIES = ROOT / "theories"
LIBRARY = "Stirred"
FLAGS = ("-w", "-notation-overridden,-ambiguous-paths")
"""What `coqc` and `coqchk` are called with beside the paths; the build takes nothing from the environment."""

_PROJECT = ("-Q theories Stirred", *(f"-arg {flag}" for flag in FLAGS))
_KEPT = {
    ".gitignore",
    "Makefile",
    "_CoqProject",
    "axioms.txt",
    "checking",
    "counts.txt",
    "definitions.txt",
    "install",
    "statements.txt",
    "tests",
    "theories",
}
_BUILT = {
    "Makefile.coq",
    "Makefile.coq.conf",
    ".Makefile.coq.d",
    ".lia.cache",
    ".nia.cache",
    ".nra.cache",
    "__pycache__",
}
_STEM = r"[a-z][a-z0-9_]*"
_COMPILED = rf"({_STEM})\.(?:vo|vok|vos|glob)|\.({_STEM})\.aux"


class CheckError(Exception):
    """A stage does not hold; the message says what is wrong and where."""


def files() -> list[Path]:
    """The theories, of ``theories/`` and of the folders in it, by name."""
    return sorted((*THEORIES.glob("*.v"), *THEORIES.glob("*/*.v")), key=lambda path: (path.stem, path))


def module_of(path: Path) -> str:
    """The full name that Coq gives a theory: the library, the folder if there is one, and the theory."""
    return ".".join((LIBRARY, *path.relative_to(THEORIES).with_suffix("").parts))


def full_name(title: str) -> str:
    """The full name of the object that the committed files call ``<file>.<name>``."""
    stem, _, name = title.partition(".")
    return next(f"{module_of(path)}.{name}" for path in files() if path.stem == stem)


def scan_folder() -> None:
    """Refuse a file that a build could read beside the theories, and flags other than those of the check.

    Raises:
        CheckError: a file that is neither kept here nor built from a theory beside it, two theories of one name, a
            folder that could be taken for a theory, or a changed ``_CoqProject``.
    """
    for path in sorted(ROOT.iterdir()):
        if path.name not in _KEPT | _BUILT:
            raise CheckError(f"{path.name}: is neither part of the proofs nor built by them")
    for path in sorted((ROOT / "checking").iterdir()):
        if path.suffix != ".py" and path.name != "__pycache__":
            raise CheckError(f"checking/{path.name}: is no module of the check")
    folders = sorted(path for path in THEORIES.iterdir() if path.is_dir() and not path.is_symlink())
    _scan_names(folders)
    for folder in (THEORIES, *folders):
        stems = {path.stem for path in folder.glob("*.v")}
        for path in sorted(set(folder.iterdir()) - set(folders)):
            compiled = re.fullmatch(_COMPILED, path.name)
            of = path.stem if path.suffix == ".v" else (compiled[1] or compiled[2]) if compiled else None
            if of not in stems or not re.fullmatch(_STEM, of) or not path.is_file():
                raise CheckError(f"{path.relative_to(ROOT)}: is neither a theory nor built from one")
    project = (ROOT / "_CoqProject").read_text(encoding="utf-8").split("\n")
    if project != [*_PROJECT, ""]:
        raise CheckError(f"_CoqProject: must hold the lines {' | '.join(_PROJECT)}; got {' | '.join(project)}")


def _scan_names(folders: Sequence[Path]) -> None:
    """Refuse names under which Coq, or a reader, could find another theory than the one meant."""
    homes: dict[str, Path] = {}
    for path in files():
        shown = path.relative_to(ROOT)
        if path.stem in homes:
            raise CheckError(f"{shown}: has the name of {homes[path.stem]}, and an import would find either")
        homes[path.stem] = shown
    for folder in folders:
        if not re.fullmatch(_STEM, folder.name) or folder.name in homes:
            raise CheckError(f"theories/{folder.name}: a folder has small letters in its name, and no theory's name")
        if not any(folder.glob("*.v")):
            raise CheckError(f"theories/{folder.name}: is a folder without a theory")
