"""Whether a specification compares any data sets: where it compares none, every mechanism satisfies it.

The one home of the question: whatever says that a budget is met, or what is lost or learned at most, asks here first.
"""

from dataclasses import dataclass

from stirred.mechanisms.catalogue import SWAPPING
from stirred.spec.blocks.specification import InputBlocks
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.engines.universe_pairs import BlockPairs
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.reports.lines import counted

_VACUOUS = "vacuous, so every mechanism satisfies it"


@dataclass(frozen=True)
class Vacuity:
    """Whether anything is compared.

    Attributes:
        is_vacuous: whether nothing is; None where that is not known.
        detail: why, in words.
    """

    is_vacuous: bool | None
    detail: str

    def __str__(self) -> str:
        """The answer in one sentence.

        >>> str(Vacuity(True, "2 universes, 2 of one data set only"))
        'vacuous, so every mechanism satisfies it: 2 universes, 2 of one data set only'
        """
        words = {True: _VACUOUS, False: "not vacuous", None: "not decidable"}
        return f"{words[self.is_vacuous]}: {self.detail}"

    def evidence(self, scope: str) -> Evidence:
        """EXHAUSTED where something is compared; OPEN where nothing is, since then a claim says nothing."""
        return Evidence(Verdict.EXHAUSTED if self.is_vacuous is False else Verdict.OPEN, scope, str(self))


def _of_pairs(universes: int, singletons: int, pairs: int) -> Vacuity:
    compared = f"{counted(pairs, 'pair')} compared at a finite distance"
    detail = f"{counted(universes, 'universe')}, {singletons} of one data set only; {compared}"
    return Vacuity(pairs == 0, detail)


def listed_vacuity(blocks: InputBlocks, pairs: BlockPairs | None = None) -> Vacuity:
    """Whether blocks compare anything whose data sets are listed.

    Args:
        blocks: domain, multiverse and input premetric.
        pairs: of these blocks, where they are listed already.
    """
    listed = BlockPairs(blocks) if pairs is None else pairs
    return _of_pairs(len(blocks.multiverse), blocks.multiverse.singletons(), listed.count())


def universe_vacuity(size: int) -> Vacuity:
    """Whether one universe compares anything that has so many data sets, at finite distances from each other."""
    return _of_pairs(1, int(size == 1), size * (size - 1) // 2)


def claim_vacuity(built: PrivacyClaim, pairs: BlockPairs | None = None) -> Vacuity:
    """Whether a claim compares anything.

    Args:
        built: the claim.
        pairs: of its blocks, where they are listed already.
    """
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
