"""``coqchk`` re-checks every compiled file, those of the libraries included, and says what it had to take on trust."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from checking.axioms import allowed_axioms
from checking.coq import run
from checking.layout import LIBRARY, THEORIES, CheckError, files, module_of

# The kernel's own machine integers and floats, which a tactic of the library loads: coqchk lists
# them among the axioms. The statements show that no claim rests on one.
_PRIMITIVES = r"Coq\.(Numbers\.Cyclic\.Int63\.PrimInt63|Floats\.PrimFloat)\."
_UNCHECKED = (
    "Constants/Inductives relying on type-in-type",
    "Constants/Inductives relying on unsafe (co)fixpoints",
    "Inductives whose positivity is assumed",
)


def check_kernel() -> str:
    """Check the files with the same axioms together, so that a file without axioms is seen to have none.

    Raises:
        CheckError: ``coqchk`` refuses a file, or trusts more than ``axioms.txt`` allows.
    """
    groups: dict[frozenset[str], list[Path]] = {}
    for path in files():
        groups.setdefault(allowed_axioms(path.stem), []).append(path)
    for allowed, paths in groups.items():
        _check_together(paths, allowed)
    free = len(groups.get(frozenset(), []))
    return f"kernel: coqchk accepts {len(files())} files and their libraries, {free} of them without axioms"


def _check_together(paths: Sequence[Path], allowed: frozenset[str]) -> None:
    done = run(["coqchk", "-silent", "-o", "-Q", str(THEORIES), LIBRARY, *map(module_of, paths)])
    if done.returncode:
        raise CheckError(f"coqchk fails\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    summary = _context_summary(done.stdout + done.stderr)
    for title in _UNCHECKED:
        if summary.get(title) != []:
            raise CheckError(f"coqchk: {title}: {summary.get(title)}")
    if summary.get("Theory") != ["Set is predicative"]:
        raise CheckError(f"coqchk: Theory: {summary.get('Theory')}")
    if "Axioms" not in summary:
        raise CheckError("coqchk lists no axioms, not even that there are none")
    axioms = sorted(_shortest(name, allowed) for name in summary["Axioms"] if not re.match(_PRIMITIVES, name))
    if axioms != sorted(allowed):
        stems = ", ".join(path.stem for path in paths)
        raise CheckError(f"coqchk: Axioms: {axioms}, but axioms.txt has {sorted(allowed)} for {stems}")


def _context_summary(output: str) -> dict[str, list[str]]:
    """The entries of the context summary, each with what it lists."""
    if "CONTEXT SUMMARY" not in output:
        raise CheckError(f"coqchk gives no context summary\n{output[-1000:]}")
    entries: dict[str, list[str]] = {}
    for entry in re.split(r"^\* ", output.split("CONTEXT SUMMARY", 1)[1], flags=re.M)[1:]:
        title, _, rest = entry.partition(":")
        names = rest.split("\n") if title != "Theory" else [rest]
        entries[title.strip()] = [name.strip() for name in names if name.strip() and name.strip() != "<none>"]
    return entries


def _shortest(full: str, allowed: frozenset[str]) -> str:
    """An axiom as ``axioms.txt`` names it; ``coqchk`` writes the whole path before the name."""
    return next((name for name in allowed if full.endswith(f".{name}")), full)
