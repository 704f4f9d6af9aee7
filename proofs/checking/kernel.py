"""``coqchk`` re-checks every compiled file and says what it had to take on trust."""

import re
from pathlib import Path

from .axioms import CHOICE, CLASSICAL_REALS
from .coq import run
from .layout import LIBRARY, PATHS, CheckError, module_of, theories

# The kernel's own machine integers and floats, which a tactic of the library loads: coqchk lists
# them among the axioms. Print Assumptions shows that no theorem rests on one.
_PRIMITIVES = r"Coq\.(Numbers\.Cyclic\.Int63\.PrimInt63|Floats\.PrimFloat)\."
_OURS = rf"({LIBRARY}|Checking)\."
# Where the libraries are not checked, what their modules hide is listed with the axioms.
_KNOWN = tuple(f".{name}" for name in (*CLASSICAL_REALS, CHOICE))
# The second stands in the summary of Coq 8.20 and not of 8.16, which has no rewrite rules.
_THEORY = ["Set is predicative", "Rewrite rules are not allowed"]
_UNCHECKED = (
    "Constants/Inductives relying on type-in-type",
    "Constants/Inductives relying on unsafe (co)fixpoints",
    "Inductives whose positivity is assumed",
)


def check_kernel(copy: Path, *, libraries: bool) -> str:
    """Check our files, and on request the libraries that they use.

    Raises:
        CheckError: ``coqchk`` refuses a file, or trusts more than the axioms of the classical reals.
    """
    modules = [*(module_of(copy, path) for path in theories(copy)), "Checking.Statements"]
    each = modules if libraries else [part for module in modules for part in ("-norec", module)]
    done = run(["coqchk", "-silent", "-o", *PATHS, *each], copy)
    if done.returncode:
        raise CheckError(f"coqchk fails\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    summary = _context_summary(done.stdout + done.stderr)
    for title in _UNCHECKED:
        if summary.get(title) != []:
            raise CheckError(f"coqchk: {title}: {summary.get(title)}")
    if summary.get("Theory") not in (_THEORY[:1], _THEORY):
        raise CheckError(f"coqchk: Theory: {summary.get('Theory')}")
    if "Axioms" not in summary:
        raise CheckError("coqchk lists no axioms, not even that there are none")
    for name in summary["Axioms"]:
        if re.match(_OURS, name) or (libraries and not re.match(_PRIMITIVES, name) and not name.endswith(_KNOWN)):
            raise CheckError(f"coqchk: Axioms: {name}")
    return f"kernel: coqchk accepts {len(modules)} files{' and their libraries' if libraries else ''}"


def _context_summary(output: str) -> dict[str, list[str]]:
    """The titles of the context summary, each with all that its entries list."""
    if "CONTEXT SUMMARY" not in output:
        raise CheckError(f"coqchk gives no context summary\n{output[-1000:]}")
    entries: dict[str, list[str]] = {}
    for entry in re.split(r"^\* ", output.split("CONTEXT SUMMARY", 1)[1], flags=re.M)[1:]:
        title, _, rest = entry.partition(":")
        names = rest.split("\n") if title != "Theory" else [rest]
        listed = [name.strip() for name in names if name.strip() and name.strip() != "<none>"]
        entries.setdefault(title.strip(), []).extend(listed)
    return entries
