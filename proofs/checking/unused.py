"""Lemmas that nothing uses: the theorems do not rest on them, and a reader would look for their use in vain."""

import re
from collections import Counter
from pathlib import Path

from checking.layout import CHECKERS, STATEMENTS, CheckError, theories
from checking.sources import named, without_comments

FOR_TESTS = frozenset({"countedE"})
"""What ties to a theorem that which tests outside of the proofs compute with."""


def scan_unused(root: Path) -> None:
    """Refuse a lemma whose name stands in no other place than its own statement.

    Raises:
        CheckError: naming it.
    """
    used: Counter[str] = Counter()
    for path in (*theories(root), *(root / "checking" / name for name in CHECKERS), root / STATEMENTS):
        used.update(re.findall(r"[A-Za-z_][\w']*", without_comments(path.read_text(encoding="utf-8"))))
    for path in theories(root):
        for name in named(path, "Lemma"):
            if used[name] < 2 and name not in FOR_TESTS:
                raise CheckError(f"{path.name}: nothing uses the lemma {name}")
