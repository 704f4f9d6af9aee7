"""Whether code has to do with sets, whose order differs from one interpreter to the next, now and then only.

Two elements come in one order or the other: two interpreters with different hashes agree on it half of the time. Code
that makes or names sets is run in a few more.
"""

from __future__ import annotations

import dis
from types import CodeType

__all__ = ["MORE_SEEDS", "makes_sets"]

MORE_SEEDS = (3, 4, 5, 6)
"""Hash seeds of the further interpreters."""

_MAKING = ("BUILD_SET", "SET_ADD", "SET_UPDATE")
_NAMES = {"set", "frozenset", "difference", "intersection", "symmetric_difference", "union"}


def makes_sets(code: CodeType) -> bool:
    """Whether a code object, or one inside it, makes a set, has one or names what makes one.

    >>> makes_sets(compile("{name for name in names}", "", "eval")), makes_sets(compile("[1, 2]", "", "eval"))
    (True, False)
    """
    if _NAMES.intersection(code.co_names) or any(one.opname in _MAKING for one in dis.get_instructions(code)):
        return True
    return any(
        makes_sets(constant) if isinstance(constant, CodeType) else isinstance(constant, frozenset)
        for constant in code.co_consts
    )
