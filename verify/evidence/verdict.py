"""Verdicts: what has been shown about a claim, ordered by strength."""

from enum import Enum
from functools import total_ordering
from typing import NoReturn


@total_ordering
class Verdict(Enum):
    """What has been shown about a claim; REFUTED < OPEN < SAMPLED < ARGUED < EXHAUSTED < ENCLOSED < DECIDED < PROVED.

    There is no truth value: ask for the verdict that you mean.

    >>> Verdict.REFUTED < Verdict.OPEN < Verdict.PROVED
    True
    """

    REFUTED = "a counterexample is given and replays"
    OPEN = "nothing settles it yet"
    SAMPLED = "statistics with n, seed and error probability; not verified"
    ARGUED = "a proof in words stands in the repository; not verified"
    EXHAUSTED = "every case up to the stated bound was checked exactly"
    ENCLOSED = "a certified enclosure settles it"
    DECIDED = "a solver or exact algebra settled it for unbounded parameters"
    PROVED = "a Coq theorem states it"

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Verdict):
            return NotImplemented
        order = list(Verdict)
        return order.index(self) < order.index(other)

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value; compare it with the Verdict that you mean")

    @property
    def is_settled_for(self) -> bool:
        """Whether the verdict supports the claim within its scope (SAMPLED and ARGUED do not)."""
        return self > Verdict.ARGUED
