"""A budget setting: the exact budgets that a disclosure-avoidance system was run with, and what its file leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from verify.records.published import PublishedTotal

__all__ = ["BudgetSetting", "Run"]


@dataclass(frozen=True)
class Run:
    """One execution of a system.

    Attributes:
        name: what it ran on, such as "US".
        budgets: the budget of every part by its key in the file; they compose by addition.
        published: the printed total that the parts belong to; None where the sources print none.
    """

    name: str
    budgets: Mapping[str, Fraction]
    published: PublishedTotal | None

    @property
    def total(self) -> Fraction:
        """The sum of the budgets."""
        return sum(self.budgets.values(), Fraction(0))


@dataclass(frozen=True)
class BudgetSetting:
    """A setting as its file states it.

    Attributes:
        path: the file.
        system: the system, such as "SafeTab-P".
        is_zcdp: whether the budgets are ρ² (else ε of pure DP).
        runs: the executions that the file sets up.
        stated: what the file says of a block, by the block's name.
        unread: what the file leaves out or what is not read, in words.
        factors: where a published total is not the sum itself: factor, why it holds, and whether the sources prove it
            for this system.
        shares: exact shares of the total by part, where the file states shares instead of budgets.
        includes: the names of files that this one would include; they are not fetched.
    """

    path: Path
    system: str
    is_zcdp: bool
    runs: tuple[Run, ...]
    stated: Mapping[str, str]
    unread: tuple[str, ...]
    factors: tuple[tuple[Fraction, str, bool], ...]
    shares: Mapping[str, Fraction]
    includes: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The file's name without its extension."""
        return self.path.stem

    @property
    def letter(self) -> str:
        """What the budgets are."""
        return "rho^2" if self.is_zcdp else "epsilon"


GROUP_FACTOR = (
    Fraction(4),
    "from unbounded to bounded neighbours by group privacy, d_SymDiff = 2 d_HamS (rho^2 times 2^2)",
)
PURE_GROUP_FACTOR = (Fraction(2), "from unbounded to bounded neighbours by group privacy, d_SymDiff = 2 d_HamS")
TWO_CELLS_FACTOR = (
    Fraction(2),
    "from unbounded to bounded neighbours where the removed and the added record change different cells, (sqrt 2)^2",
)
"""Factors between a total for added or removed records and one for replaced records, with their reasons."""


def neighbor_factors(*, is_zcdp: bool, two_cells_proved: bool) -> tuple[tuple[Fraction, str, bool], ...]:
    """The factors that a change from unbounded to bounded neighbours can explain, each with whether it is proved.

    Group privacy holds for every mechanism; the smaller factor holds for Gaussian noise where the two changed records
    fall into different cells, which the sources prove for PHSafe only.

    Source: PHSafe, section 5.3, Theorems 3 and 4.
    """
    if not is_zcdp:
        return ((*PURE_GROUP_FACTOR, True),)
    return ((*GROUP_FACTOR, True), (*TWO_CELLS_FACTOR, two_cells_proved))
