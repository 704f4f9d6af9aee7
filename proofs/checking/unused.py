"""Lemmas that nothing uses: the theorems do not rest on them, and a reader would look for their use in vain."""

import re
from collections import Counter
from pathlib import Path

from .layout import CHECKERS, STATEMENTS, CheckError, theories
from .sources import named, split_sentences

FOR_TESTS = frozenset({"countedE"})
"""What ties to a theorem that which tests outside of the proofs compute with."""


def scan_unused(root: Path) -> None:
    """Refuse a lemma whose name stands in no other place than its own statement.

    Raises:
        CheckError: naming it.
    """
    used: Counter[str] = Counter()
    for path in (*theories(root), *(root / "checking" / name for name in CHECKERS), root / STATEMENTS):
        for sentence in split_sentences(path):
            used.update(re.findall(r"[A-Za-z_][\w']*", sentence.text))
    for path in theories(root):
        for name in named(path, "Lemma"):
            if used[name] < 2 and name not in FOR_TESTS:
                raise CheckError(f"{path.name}: nothing uses the lemma {name}")
