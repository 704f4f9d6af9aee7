"""Hold the Coq proofs to what is committed beside them.

``python3 -m checking check``, in the folder of the proofs, stops at the first stage that fails:

1. source: the folder holds the theories and the committed files only, no flag is changed, and no theory admits a
   statement or holds a command that is not listed (`layout`, `sources`);
2. build: every file of ``theories/`` compiles (`coq`);
3. statements: every claim, and every definition behind one, means what ``statements.txt`` and ``definitions.txt`` say;
   no name has two meanings; each claim rests on axioms that ``axioms.txt`` allows in its file (`statements`); and Coq
   computes what ``counts.txt`` says (`counts`);
4. kernel: ``coqchk`` re-checks every file, libraries included, and finds no unchecked construction and no axiom that
   ``axioms.txt`` does not allow in that file (`kernel`).

``source`` and ``build`` stop after that stage; ``statements`` writes the three files of stage 3 anew.
"""

from __future__ import annotations

import sys

from checking.axioms import axiom_lines
from checking.coq import build
from checking.kernel import check_kernel
from checking.layout import ROOT, CheckError, files, scan_folder
from checking.sources import scan
from checking.statements import claims, committed_texts, compare


def scan_sources() -> str:
    """Stage 1."""
    scan_folder()
    for path in files():
        scan(path)
    return f"source: {len(files())} files, nothing admitted, no command or flag beyond those listed"


def check_statements() -> str:
    """Stage 3."""
    return compare(committed_texts())


def write_statements() -> str:
    """Write the committed files anew."""
    texts = committed_texts()
    for name, text in texts.items():
        (ROOT / name).write_text(text, encoding="utf-8")
    return f"{' and '.join(texts)} written"


def count_all() -> str:
    """What the check is about."""
    return f"proofs: {len(claims())} theorems, {len(axiom_lines())} axioms"


COMMANDS = {
    "source": (scan_sources,),
    "build": (scan_sources, build),
    "check": (scan_sources, build, check_statements, check_kernel, count_all),
    "statements": (scan_sources, build, write_statements),
}


def main(arguments: list[str]) -> int:
    """Run one command; exit status 1 says that a stage does not hold, 2 that the call is wrong."""
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        print(f"usage: python3 -m checking {' | '.join(COMMANDS)}", file=sys.stderr)
        return 2
    try:
        for stage in COMMANDS[arguments[0]]:
            print(stage(), flush=True)
    except CheckError as error:
        print(f"proofs: refused: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
