"""What the folder of the proofs holds: the theories, the committed files, and nothing else."""

from __future__ import annotations

import re
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
    "definitions.txt",
    "install",
    "statements.txt",
    "tests",
    "theories",
}
_BUILT = {"Makefile.coq", "Makefile.coq.conf", ".Makefile.coq.d", ".lia.cache", ".nia.cache", "__pycache__"}
_STEM = r"[a-z][a-z0-9_]*"
_COMPILED = rf"({_STEM})\.(?:vo|vok|vos|glob)|\.({_STEM})\.aux"


class CheckError(Exception):
    """A stage does not hold; the message says what is wrong and where."""


def files() -> list[Path]:
    """The theories, by name."""
    return sorted(THEORIES.glob("*.v"))


def scan_folder() -> None:
    """Refuse a file that a build could read beside the theories, and flags other than those of the check.

    Raises:
        CheckError: a file that is neither kept here nor built from a theory, or a changed ``_CoqProject``.
    """
    for path in sorted(ROOT.iterdir()):
        if path.name not in _KEPT | _BUILT:
            raise CheckError(f"{path.name}: is neither part of the proofs nor built by them")
    for path in sorted((ROOT / "checking").iterdir()):
        if path.suffix != ".py" and path.name != "__pycache__":
            raise CheckError(f"checking/{path.name}: is no module of the check")
    stems = {path.stem for path in files()}
    for path in sorted(THEORIES.iterdir()):
        compiled = re.fullmatch(_COMPILED, path.name)
        of = path.stem if path.suffix == ".v" else (compiled[1] or compiled[2]) if compiled else None
        if of not in stems or not re.fullmatch(_STEM, of) or not path.is_file():
            raise CheckError(f"theories/{path.name}: is neither a theory nor built from one")
    project = (ROOT / "_CoqProject").read_text(encoding="utf-8").split("\n")
    if project != [*_PROJECT, ""]:
        raise CheckError(f"_CoqProject: must hold the lines {' | '.join(_PROJECT)}; got {' | '.join(project)}")
