"""The specification of a swapped table: five blocks from the margins of its strata, and the same as a claim file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from stirred.spec.arguments import InputError
from stirred.spec.loss import Loss
from stirred.spec.permutation_swapping import Margins, psa_budget
from stirred.verify.audit.five_blocks import FiveBlocks, StatedBlock
from stirred.verify.audit.vacuity import Vacuity, universe_vacuity
from stirred.verify.engines.swapping.bounds import CertifiedBudget, certified_budget_of_strata, sharpened_budget
from stirred.verify.reports.lines import HOLDS, UNDECIDED

if TYPE_CHECKING:
    from stirred.mechanisms.tables.cells import StratumSizes
    from stirred.mechanisms.tables.roles import Roles

__all__ = ["SwapFacts", "claim_text", "specification"]


@dataclass(frozen=True)
class SwapFacts:
    """What the specification of a swapped table depends on.

    Attributes:
        roles: of the columns.
        sizes: what the margins say of the strata; where records are released, of their lines.
        rate: p.
        resolution: what one record is.
        lines: whether the records themselves are released, so that each is a holding category of its own.
        margins: of every stratum, where the budget of this universe is to be certified.
    """

    roles: Roles
    sizes: StratumSizes
    rate: Fraction
    resolution: str
    lines: bool = False
    margins: Iterable[Margins] | None = None

    @property
    def strata(self) -> int:
        """How many strata there are."""
        return len(self.sizes.records)

    @property
    def records(self) -> int:
        """How many records."""
        return int(self.sizes.records.sum())

    @cached_property
    def largest_stratum(self) -> int:
        """B."""
        return self.sizes.largest

    @cached_property
    def budget(self) -> Loss:
        """The budget of article, (7)."""
        return psa_budget(self.largest_stratum, self.rate)

    @property
    def stated_budget(self) -> dict[str, object]:
        """The budget as a manifest states it."""
        return {"epsilon": str(self.budget), "b": self.largest_stratum, "source": "article, Theorem 1"}

    @property
    def determined_records(self) -> int:
        """How many records stand in strata that the margins determine."""
        return int(self.sizes.records[self.sizes.determined].sum())

    @property
    def vacuity(self) -> Vacuity | None:
        """That nothing is compared in this universe, where the margins determine all of it; else None."""
        return universe_vacuity(1) if self.determined_records == self.records else None

    @property
    def status(self) -> int:
        """The exit status of what states the specification."""
        return HOLDS if self.vacuity is None else UNDECIDED

    @cached_property
    def certified(self) -> CertifiedBudget | None:
        """The certified budget of this universe, where it is asked for and p allows a finite one."""
        if self.margins is None or not 0 < self.rate < 1:
            return None
        return certified_budget_of_strata(map(self._own, self.margins), self.rate)

    def _own(self, margins: Margins) -> Margins:
        """The margins of a stratum; with a row for each record where these are released."""
        return ((1,) * sum(margins[0]), margins[1]) if self.lines else margins


def specification(facts: SwapFacts) -> FiveBlocks:
    """The specification that article, Theorem 1 gives the PSA on these variables."""
    roles = facts.roles
    key = " x ".join(roles.matching) or "(one stratum)"
    hold, swap = " x ".join(roles.holding), " x ".join(roles.swapping)
    fixed = facts.sizes.determined
    alone = int((facts.sizes.records == 1).sum())
    others = ""
    held = f"counts of {key} x {hold}"
    if facts.lines:
        others = ", and the other columns and the place of each line"
        held = "every value of each record, line by line, but those of " + swap
    return FiveBlocks(
        domain=StatedBlock(
            f"all data sets with the variables {', '.join(roles.columns)}{others}; "
            f"{'any records' if facts.resolution == 'record' else f'one record for each {facts.resolution}'}"
        ),
        multiverse=StatedBlock(
            f"invariant, so released exactly: {held}, and counts of {key} x {swap}; "
            f"{facts.strata} strata here, of which {int(fixed.sum())} are wholly determined by them "
            f"({facts.determined_records} records; {alone} strata are one record) and not protected"
        ),
        input_premetric=StatedBlock(f"d_HamS, resolution: {facts.resolution}"),
        output_premetric=StatedBlock("D_Mult (pure differential privacy)"),
        budget=StatedBlock(_budget_text(facts)),
    )


def _printed_budget(facts: SwapFacts) -> str:
    return f"epsilon = {facts.budget} (b = {facts.largest_stratum}, p = {facts.rate}; article, Theorem 1)"


def _budget_text(facts: SwapFacts) -> str:
    b, p = facts.largest_stratum, facts.rate
    text = _printed_budget(facts)
    if b >= 4 and 0 < p < 1:
        text += f"; {sharpened_budget(b, p)} is enough for every universe with these b and p"
    if facts.certified is not None:
        text += f"; with these counts at most {facts.certified} ({facts.certified.reason})"
    return text if facts.vacuity is None else f"{text}; of these counts {facts.vacuity}"


def claim_text(facts: SwapFacts, blocks: FiveBlocks) -> str:
    """A claim file that says the same for `stirred audit`: the budget by the theorem's formula.

    Raises:
        InputError: the margins determine the data, so that there is nothing to claim.
    """
    if facts.vacuity is not None:
        raise InputError(f"--claim must come with data that the invariants leave open; it would be {facts.vacuity}")
    number = facts.budget.epsilon().text(10)
    entries = [
        (
            "",
            [("id", "swap.release"), ("statement", f"The release satisfies {_printed_budget(facts)}.")],
        ),
        ("domain", [("description", blocks.domain.text)]),
        ("multiverse", [("description", blocks.multiverse.text)]),
        ("input_premetric", [("name", "hamming_unordered"), ("resolution", facts.resolution)]),
        ("output_premetric", [("name", "multiplicative")]),
        ("budget", [("by", "psa.budget.theorem"), ("printed", number)]),
        ("mechanism", [("name", "permutation-swapping"), ("resolution", facts.resolution)]),
    ]
    lines = []
    for table, pairs in entries:
        lines += ([f"\n[{table}]"] if table else []) + [
            f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in pairs
        ]
        lines += ['invariants = ["swapping"]'] if table == "multiverse" else []
    roles = facts.roles
    columns = {"matching": roles.matching, "holding": roles.holding, "swapping": roles.swapping}
    lines += [f"{role} = {json.dumps(names, ensure_ascii=False)}" for role, names in columns.items()]
    lines += [] if roles.count is None else [f"count = {json.dumps(roles.count, ensure_ascii=False)}"]
    lines += [f"largest_stratum = {facts.largest_stratum}", f'swap_rate = "{facts.rate}"']
    return "\n".join(lines) + "\n"
