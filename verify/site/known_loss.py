"""An exact loss of a mechanism on a small domain, with what it was asked of; pages show it, and compute none."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class KnownLoss:
    """A smallest budget.

    Attributes:
        asked: the lines that ask for it; empty where the claim stands on the mechanism.
        language: of these lines.
        at: the parameters, in words.
        needed: the budget as these lines print it.
        latex: the same as LaTeX, where it has a form of its own; else empty.
    """

    asked: str
    language: str
    at: str
    needed: str
    latex: str


KnownLosses = Mapping[str, tuple[KnownLoss, ...]]
"""Losses by the name of the mechanism's page."""
