"""Hold the Coq proofs to `Statements.v`.

``./check check``, in the folder of the proofs, stops at the first stage that fails:

1. source: the folder holds what ``_CoqProject`` lists and no theory besides; sources are ASCII, admit nothing and use
   listed commands only; in ``Statements.v`` each theorem of the theories is restated, with the claims that cite it;
   no lemma is there that nothing uses (`layout`, `sources`, `statements`, `unused`);
2. build: the listed sources alone are copied to a new folder and compiled there; a statement of ``Statements.v``
   compiles only if it is that of the theorem and whatever it asks can be met (`coq`, ``restates.v``);
3. axioms: the theorems of part 1 rest on none, those of part 2 on four named ones (`axioms`);
4. meaning: the definitions behind the statements have the digest that ``Statements.v`` gives (`objects`);
5. kernel: ``coqchk`` re-checks every file of ours, and nothing in them is unchecked (`kernel`).

``check-all`` lets ``coqchk`` re-check the libraries too. ``check-port`` leaves out stage 4: the digest is of what Coq
8.16 prints, and another version prints the same definitions otherwise. ``source`` is stage 1 alone; ``build`` compiles
in place, and ``definitions`` says where the definitions behind the statements stand, and their digest.
"""

import sys
import tempfile
from pathlib import Path

from .axioms import check_axioms
from .coq import build, compiled_copy, keep_compiled
from .kernel import check_kernel
from .layout import CHECKERS, ROOT, STATEMENTS, CheckError, scan_folder, theories
from .objects import check_meaning, shown_definitions
from .sources import CHECKERS_TOO, scan
from .statements import restated, scan_statements
from .unused import scan_unused


def scan_sources() -> None:
    """Stage 1."""
    scan_folder(ROOT)
    for path in theories(ROOT):
        scan(path)
    for name in CHECKERS:
        scan(ROOT / "checking" / name, CHECKERS_TOO[name])
    scan_statements(ROOT)
    scan_unused(ROOT)
    print(f"source: {len(theories(ROOT))} theories, {len(restated(ROOT / STATEMENTS))} theorems restated", flush=True)


def check(*, libraries: bool, meaning: bool) -> None:
    """Every stage, or all but the digest of the meaning, in a folder of its own."""
    scan_sources()
    with tempfile.TemporaryDirectory() as folder:
        copy = compiled_copy(ROOT, Path(folder))
        for stage in (check_axioms, check_meaning) if meaning else (check_axioms,):
            print(stage(copy), flush=True)
        print(check_kernel(copy, libraries=libraries), flush=True)
        keep_compiled(copy, ROOT)


COMMANDS = {
    "source": scan_sources,
    "build": lambda: (scan_sources(), build(ROOT)),
    "check": lambda: check(libraries=False, meaning=True),
    "check-all": lambda: check(libraries=True, meaning=True),
    "check-port": lambda: check(libraries=False, meaning=False),
    "definitions": lambda: (scan_sources(), build(ROOT), print(shown_definitions(ROOT))),
}


def main(arguments: list[str]) -> int:
    """Run one command; exit status 1 says that a stage does not hold, 2 that the call is wrong."""
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        print(f"usage: ./check {' | '.join(COMMANDS)}", file=sys.stderr)
        return 2
    try:
        COMMANDS[arguments[0]]()
    except CheckError as error:
        print(f"proofs: refused: {error}", file=sys.stderr)
        return 1
    return 0
