"""A budget setting: the exact budgets that a disclosure-avoidance system was run with, and what its file leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from stirred.spec.arguments import InputError, nearest
from stirred.spec.blocks.specification import BLOCKS
from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.audit.records.published import PublishedTotal
from stirred.verify.engines.printed_number import exact_text
from stirred.verify.laws.claim.five_blocks import FiveBlocks, Stated, StatedBlock, not_stated


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

    @property
    def total_text(self) -> str:
        """The sum as it is shown: the fraction, with its decimal where it is no integer."""
        text = exact_text(self.total)
        is_fraction = self.total.denominator != 1 and text == str(self.total)
        return f"{text} = {decimal_text(self.total, 10)}" if is_fraction else text

    @property
    def counted(self) -> str:
        """How many budgets there are, in words."""
        return f"{len(self.budgets)} budget{'' if len(self.budgets) == 1 else 's'}"


@dataclass(frozen=True)
class BudgetSetting:
    """A setting as its file states it.

    Attributes:
        is_zcdp: whether the budgets are ρ² (else ε of pure DP).
        runs: the executions that the file sets up.
        stated: what the file says of a block, by the block's name.
        unread: what the file leaves out or what is not read, in words.
        factors: where a published total is not the sum itself: factor, why it holds, and whether the sources prove it
            for this system.
        shares: exact shares of one total by part: of a total that the file leaves out, or of each of its budgets.
        parts: how many parts the file names for them.
        includes: the names of files that this one would include; they are not fetched.
        missing: parts of the system's published settings that the file does not set.
        contradictions: what the file says that does not go together, in words.
        condition: what the budgets hold for, where the file states them only through something else.
        included: the name of an included file, and the setting of the same run that it may be.
        rest: the part that has what the shares leave of the total, where the file states one; then parts do not count.
    """

    path: Path
    system: str
    is_zcdp: bool
    runs: tuple[Run, ...]
    stated: Mapping[str, str]
    unread: tuple[str, ...]
    factors: tuple[tuple[Fraction, str, bool], ...]
    shares: Mapping[str, Fraction]
    parts: int = 0
    includes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    condition: str = ""
    included: tuple[str, BudgetSetting] | None = None
    rest: str = ""

    @property
    def id(self) -> str:
        """The file's name without its extension."""
        return self.path.stem

    @property
    def letter(self) -> str:
        """What the budgets are."""
        return "rho^2" if self.is_zcdp else "epsilon"

    @property
    def title(self) -> str:
        """What the file is of."""
        return f"budgets of {self.system} as run"

    @property
    def statement(self) -> str:
        """What the file is of, with the unit of its budgets."""
        return f"{self.title}, in {self.letter}"

    @property
    def under(self) -> str:
        """The condition of the budgets in parentheses, where there is one."""
        return f" ({self.condition})" if self.condition else ""

    @property
    def blocks(self) -> FiveBlocks:
        """The five blocks; nothing is checked."""
        domain, multiverse, input_premetric, output_premetric = (
            StatedBlock(self.stated[name]) if name in self.stated else not_stated() for name in BLOCKS[:-1]
        )
        return FiveBlocks(domain, multiverse, input_premetric, output_premetric, self._budget())

    def _budget(self) -> StatedBlock:
        if self.runs:
            totals = (f"{run.name}: {self.letter} = {run.total_text}, the sum of {run.counted}" for run in self.runs)
            return StatedBlock("; ".join(totals) + self.under, note=f"exact numbers in {self.letter}{self.under}")
        shares = ", ".join(f"{level} {share}" for level, share in self.shares.items())
        return StatedBlock(f"{Stated.NOT.value}; its shares: {shares}", Stated.NOT) if shares else not_stated()

    def beside(self, others: Sequence[BudgetSetting], /) -> BudgetSetting:
        """The setting with the one of the others that has a total and the name of an included file, or ends with it.

        The published files have a prefix before the name that they are included by.
        """
        names = [name.replace("\\", "/").rsplit("/", 1)[-1] for name in self.includes]
        totals = [other for other in others if len(other.runs) == 1]
        exact = [(name, other) for name in names for other in totals if other.path.name == name]
        ending = [(name, other) for name in names for other in totals if name and other.path.name.endswith(f"_{name}")]
        found = exact or ending
        return replace(self, included=found[0]) if len(found) == 1 else self


def listed(names: Sequence[str], most: int = 6) -> str:
    """The first names, and how many more there are.

    >>> listed(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


_ALIKE = Fraction(4, 5)
"""How like a known key one must be that is taken for its misspelling."""


def not_misspelt(place: str, unknown: Iterable[str], known: Sequence[str]) -> list[str]:
    """The keys of a published setting that are not known, none of them nearly a known one."""
    found = list(unknown)
    for key in found:
        if (near := nearest(key, known, likeness=_ALIKE)) is not None:
            raise InputError(f"{place} {key}: unknown key; did you mean {near!r}?")
    return found


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
