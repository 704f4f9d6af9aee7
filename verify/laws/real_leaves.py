"""Outcomes with real numbers that are drawn: what stands around the numbers, and the law of each.

A mechanism that is read releases `7/2 + laplace(2)` for a number as it is drawn (`mechanisms.reading.released`). As
outcomes such texts are no atoms: two of them that differ have densities on the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stirred.spec.laws.law import Law

KINDS = ("laplace", "exponential", "uniform", "gumbel", "logistic", "normal")
_NUMBER = r"-?\d+(?:/\d+)?|exp\(-?\d+(?:/\d+)?\)|in\(-?\d+(?:/\d+)?, -?\d+(?:/\d+)?\)"
_STRING = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
OTHERS = ("density", "between", "rounded")
"""Laws of a number on a path, as calls with texts (`mechanisms.reading.released`)."""

_OTHER = rf"(?P<other>(?:{'|'.join(OTHERS)})\((?:{_STRING}|[^()'\"])*\))"
_PART = re.compile(rf"{_STRING}|{_OTHER}|({_NUMBER}) ([+-]) ({'|'.join(KINDS)})\(({_NUMBER})\)", re.DOTALL)
SLOT = "real"


@dataclass(frozen=True)
class RealLeaf:
    """centre + sign·scale·Z, Z of a standard law; numbers as texts.

    Attributes:
        parameter: the scale, the width of a uniform law, or the variance of a normal one; of `OTHERS` the whole text.
    """

    centre: str
    sign: int
    kind: str
    parameter: str


def parted(text: str) -> tuple[str, tuple[RealLeaf, ...]]:
    """An outcome with `real` in the place of each number that is drawn, and their laws.

    >>> parted("(1/2 + laplace(2), '0 + laplace(1)')")
    ("(real, '0 + laplace(1)')", (RealLeaf(centre='1/2', sign=1, kind='laplace', parameter='2'),))
    """
    leaves: list[RealLeaf] = []

    def replaced(found: re.Match[str]) -> str:
        other, centre, sign, kind, parameter = found.groups()
        if other is not None:
            leaves.append(RealLeaf("0", 1, other.partition("(")[0], other))
            return SLOT
        if kind is None:
            return found[0]
        leaves.append(RealLeaf(centre, 1 if sign == "+" else -1, kind, parameter))
        return SLOT

    skeleton = _PART.sub(replaced, text)
    return skeleton, tuple(leaves)


def are_real(laws: Mapping[Any, Law[str]]) -> bool:
    """Whether some outcome holds a real number that is drawn."""
    return any(holds_real(outcome) for outcome in set().union(*laws.values()))


def holds_real(text: str) -> bool:
    """Whether an outcome holds a real number that is drawn."""
    is_likely = any(f" {kind}(" in text for kind in KINDS) or any(f"{kind}(" in text for kind in OTHERS)
    return is_likely and bool(parted(text)[1])
