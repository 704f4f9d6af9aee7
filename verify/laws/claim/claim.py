"""The core claim: five blocks as objects, a mechanism, budgets, and where it is made; every front end makes this."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from stirred.mechanisms.catalogue import SWAPPING
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import Flavor, InputBlocks
from stirred.spec.flavors.permutation_swapping import Margins, largest_stratum
from stirred.spec.flavors.pufferfish import Pufferfish
from stirred.spec.output_premetrics import OutputPremetric
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.symmetry import Symmetry
from stirred.verify.engines.universe_pairs import BlockPairs
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.account import Account
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.domain import DomainKind
from stirred.verify.laws.claim.mechanism import ClaimedMechanism, running
from stirred.verify.laws.claim.premetrics import OwnPremetric
from stirred.verify.laws.foreign import DEFAULT_LIMITS, ForeignFunction, Limits

FOUR_BLOCKS = ("domain", "multiverse", "input_premetric", "output_premetric")
"""The names of the blocks but the budget."""


def stratum_bound(kind: DomainKind | None, mechanism: ClaimedMechanism | None) -> int | None:
    """b, the size of the largest stratum: from the margins of the domain, else as stated for the mechanism."""
    if kind is not None and kind.margins is not None:
        return largest_stratum(kind.margins)
    return None if mechanism is None else mechanism.largest_stratum


@dataclass(frozen=True)
class Case:
    """One setting of the mechanism with the budget that is claimed for it: what is met, exceeded or undecided.

    A claim about several swap rates has a case for each, and every one of them decides.
    """

    setting: Mapping[str, Any]
    budget: ClaimedBudget | None


@dataclass(frozen=True)
class ClaimFile:
    """The file that a claim stands in.

    Attributes:
        table: the keys that lead to the claim's table; none where it is the whole file.
        text: its blocks and its mechanism as they stand there, told apart from all others.
    """

    path: Path
    table: tuple[str | int, ...]
    text: tuple[Any, ...]

    @property
    def directory(self) -> Path:
        """Where the user's own code is looked for."""
        return self.path.resolve().parent


@dataclass(frozen=True, kw_only=True)
class PrivacyClaim:
    """A claim with its blocks as objects; what is not stated, or stated in words only, is None.

    Attributes:
        source: document and number, or where it is made.
        words: the blocks that are stated, each with its description; empty where it has none.
        invariants: the names of the stated invariants, "swapping" among them for the swapping invariants.
        gives_universes: whether invariants, or none of them, or a list give the universes.
        lists_universes: whether a list does.
        input_premetric: its name and resolution, each where stated.
        cases: how much, for each setting of the mechanism; one where there is no mechanism.
        data: domain, multiverse and input premetric, where they are finite objects.
        multiverse_on: the multiverse as it reads on a domain; None where it is no finite object.
        premetric_on: the input premetric as it reads on a domain with a multiverse; None where it is no finite object.
        swapping_margins: the strata, where the claim is Theorem 1's on one universe: then strata are audited alone.
        symmetry: that the claim declares of the mechanism; it is checked once the laws are known.
        pufferfish: where the domain is the beliefs of attackers about data sets; `data` are its blocks then.
        parts: the claims that the account refers to, by their ids.
    """

    id: str
    source: str
    statement: str
    words: Mapping[str, str]
    limits: Limits = DEFAULT_LIMITS
    kind: DomainKind | None
    invariants: tuple[Any, ...] = ()
    gives_universes: bool = True
    lists_universes: bool = False
    input_premetric: tuple[str | None, str | None]
    output_premetric: OutputPremetric | None
    mechanism: ClaimedMechanism | None
    cases: tuple[Case, ...]
    data: InputBlocks | None
    multiverse_on: Callable[[DomainKind], Multiverse | None]
    premetric_on: Callable[[DomainKind, Multiverse], InputPremetric | None]
    swapping_margins: tuple[Margins, ...] | None = None
    symmetry: Symmetry | None = None
    pufferfish: Pufferfish | None = None
    numbers: tuple[PrintedRow, ...] = ()
    account: Account | None = None
    parts: Mapping[str, PrivacyClaim] = field(default_factory=dict)
    file: ClaimFile | None = None

    @property
    def is_about_numbers_only(self) -> bool:
        """Whether the claim states no specification and no mechanism, just printed numbers or an account."""
        return not self.words and self.mechanism is None

    @property
    def flavor(self) -> Flavor | None:
        """The first four blocks, where all of them are finite objects."""
        if self.data is None or self.output_premetric is None:
            return None
        return Flavor(self.data.domain, self.data.multiverse, self.data.input_premetric, self.output_premetric)

    @property
    def states_budget(self) -> bool:
        """Whether a budget is stated in numbers; it is for every case or for none."""
        return all(case.budget is not None for case in self.cases)

    @property
    def largest_stratum(self) -> int | None:
        """b: from the margins where they are given, else as stated."""
        return stratum_bound(self.kind, self.mechanism)

    def check_code(self) -> None:
        """Refuse a mechanism, or an output premetric, of the user's own that cannot be loaded."""
        measure = self.output_premetric
        asked = (self.mechanism, measure if isinstance(measure, OwnPremetric) else None)
        functions = [one.function for one in asked if one is not None and isinstance(one.function, ForeignFunction)]
        for first in functions[:1]:
            first.check(*functions[1:])

    def with_listed_tables(self, most: int) -> PrivacyClaim:
        """The claim with its tables listed, where only strata would be audited and there are at most `most` tables."""
        kind, mechanism = self.kind, self.mechanism
        if self.swapping_margins is None or mechanism is None or kind is None or kind.size > most:
            return self
        multiverse = self.multiverse_on(kind)
        premetric = None if multiverse is None else self.premetric_on(kind, multiverse)
        if multiverse is None or premetric is None:
            return replace(self, swapping_margins=None)
        return replace(
            self,
            data=InputBlocks(kind.listed(), multiverse, premetric),
            mechanism=running(mechanism, kind, (), self.limits),
            swapping_margins=None,
        )


_VACUOUS = "vacuous, so every mechanism satisfies it"


@dataclass(frozen=True)
class Vacuity:
    """Whether anything is compared.

    Attributes:
        is_vacuous: whether nothing is; None where that is not known.
    """

    is_vacuous: bool | None
    detail: str

    def __str__(self) -> str:
        """The answer in one sentence.

        >>> str(Vacuity(True, "2 universes, all of them trivial"))
        'vacuous, so every mechanism satisfies it: 2 universes, all of them trivial'
        """
        words = {True: _VACUOUS, False: "not vacuous", None: "not decidable"}
        return f"{words[self.is_vacuous]}: {self.detail}"

    def evidence(self, scope: str) -> Evidence:
        """EXHAUSTED where something is compared; OPEN where nothing is, since then a claim says nothing."""
        return Evidence(Verdict.EXHAUSTED if self.is_vacuous is False else Verdict.OPEN, scope, str(self))


def _of_pairs(universes: int, singletons: int, pairs: int) -> Vacuity:
    compared = f"{counted(pairs, 'pair')} compared at a finite distance"
    trivial = {universes: "all of them trivial" if universes > 1 else "trivial", 0: "none of them trivial"}
    share = trivial.get(singletons, f"{singletons} of them trivial")
    return Vacuity(pairs == 0, f"{counted(universes, 'universe')}, {share}; {compared}")


def listed_vacuity(blocks: InputBlocks, pairs: BlockPairs | None = None) -> Vacuity:
    """Whether blocks compare anything whose data sets are listed."""
    listed = BlockPairs(blocks) if pairs is None else pairs
    return _of_pairs(len(blocks.multiverse), blocks.multiverse.singletons(), listed.count())


def universe_vacuity(size: int) -> Vacuity:
    """Whether one universe compares anything that has so many data sets, at finite distances from each other."""
    return _of_pairs(1, int(size == 1), size * (size - 1) // 2)


def claim_vacuity(built: PrivacyClaim, pairs: BlockPairs | None = None) -> Vacuity:
    """Whether a claim compares anything."""
    if built.swapping_margins is not None and built.kind is not None:
        return universe_vacuity(built.kind.size)
    if built.data is not None:
        found = listed_vacuity(built.data, pairs)
        parts = 1 if built.pufferfish is None else len(built.data.components())
        more = f"; {counted(parts, 'part')} of the graph, which no path joins" if parts > 1 else ""
        return Vacuity(found.is_vacuous, f"{found.detail}{more}")
    is_swapping = built.mechanism is not None and built.mechanism.name == SWAPPING
    if is_swapping and "swapping" in built.invariants and built.largest_stratum == 0:
        return Vacuity(True, "b = 0: no stratum has two distinct records, so that each universe is one data set")
    return Vacuity(None, "which data sets share a universe is not given as a finite list")
