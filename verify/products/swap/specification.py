"""The specification of a swapped table: five blocks from the margins of its strata, and the same as a claim file.

A swap also says its warnings, on one machine and on a cluster alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from stirred.mechanisms.catalogue import FIBRE_NOISE, SWAPPING
from stirred.mechanisms.noise.geometric import ratio_above
from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import Margins, psa_budget
from stirred.verify.engines.swapping.bounds import CertifiedBudget, certified_budget_of_strata, sharpened_budget
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.laws.claim.claim import Vacuity, universe_vacuity
from stirred.verify.products.specification import BlocksClaim, Distance, ReleaseSpecification, StatedMeasure

if TYPE_CHECKING:
    from stirred.mechanisms.tables.cells import StratumSizes
    from stirred.mechanisms.tables.dependence import Dependence
    from stirred.mechanisms.tables.roles import Roles


_NOISE_SOURCE = "stirred verify price.fibre.budget"
_PLACES = 10**12


@dataclass(frozen=True)
class SwapFacts:
    """What the specification of a swapped table depends on.

    Attributes:
        sizes: what the margins say of the strata; where records are released, of their lines.
        rate: p of the PSA; None for fibre noise.
        lines: whether the records themselves are released, so that each is a holding category of its own.
        margins: of every stratum, where the budget of this universe is to be certified.
        epsilon: ε of fibre noise; None for the PSA.
        dependences: the columns that determine what is swapped, or nearly.
        claim_id: the id of the claim about the release.
        persons: whether persons are carried along with the records.
    """

    roles: Roles
    sizes: StratumSizes
    rate: Fraction | None
    resolution: str
    lines: bool = False
    margins: Iterable[Margins] | None = None
    epsilon: Fraction | None = None
    dependences: tuple[Dependence, ...] = ()
    claim_id: str = "swap.release"
    persons: bool = False

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
        if self.rate is None:
            raise InputError("the budget of article, (7) requires a swap rate")
        return psa_budget(self.largest_stratum, self.rate)

    @property
    def stated_budget(self) -> dict[str, object]:
        """The budget as a manifest states it."""
        if self.epsilon is not None:
            return {"epsilon": str(self.epsilon), "source": _NOISE_SOURCE}
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
    def is_vacuous(self) -> bool:
        """Whether the margins, or columns that stay with their record, determine what is swapped."""
        return self.vacuity is not None or any(one.is_vacuous(self.roles.swapping) for one in self.dependences)

    @cached_property
    def certified(self) -> CertifiedBudget | None:
        """The certified budget of this universe, where it is asked for and p allows a finite one."""
        if self.margins is None or self.rate is None or not 0 < self.rate < 1:
            return None
        return certified_budget_of_strata(map(self._own, self.margins), self.rate)

    def _own(self, margins: Margins) -> Margins:
        """The margins of a stratum; with a row for each record where these are released."""
        return ((1,) * sum(margins[0]), margins[1]) if self.lines else margins


def specification(facts: SwapFacts) -> ReleaseSpecification:
    """The specification of the PSA by article, Theorem 1, or of fibre noise, on these variables."""
    roles = facts.roles
    key = " x ".join(roles.matching) or "(one stratum)"
    hold, swap = " x ".join(roles.holding), " x ".join(roles.swapping)
    fixed = facts.sizes.determined
    alone = int((facts.sizes.records == 1).sum())
    others = ""
    held = f"counts of {key} x {hold}"
    if facts.lines:
        others = ", and the other columns and the place of each line"
        held = held_by_lines(roles.swapping)
    multiverse = (
        f"invariant, so released exactly: {held}, and counts of {key} x {swap}; "
        f"{facts.strata} strata here, of which {int(fixed.sum())} are wholly determined by them "
        f"({facts.determined_records} records; {alone} strata are one record) and not protected"
    )
    return ReleaseSpecification(
        id=facts.claim_id,
        statement=f"The release satisfies {_printed_budget(facts)}.",
        domain=f"all data sets with the variables {', '.join(roles.columns)}{others}; "
        f"{'any records' if facts.resolution == 'record' else f'one record for each {facts.resolution}'}"
        f"{', with its persons, who are released with its values of ' + swap if facts.persons else ''}",
        multiverse=multiverse,
        distance=Distance.REPLACED,
        resolution=facts.resolution,
        measure=StatedMeasure.PURE,
        budget=_budget_text(facts),
    )


def held_by_lines(swapping: Sequence[str]) -> str:
    """What stays invariant of records that are released themselves, in words; a comparison of claims reads them."""
    return f"every value of each record, line by line, but those of {' x '.join(swapping)}"


def _printed_budget(facts: SwapFacts) -> str:
    if facts.epsilon is not None:
        return f"epsilon = {facts.epsilon} (fibre noise; {_NOISE_SOURCE})"
    return f"epsilon = {facts.budget} (b = {facts.largest_stratum}, p = {facts.rate}; article, Theorem 1)"


def _budget_text(facts: SwapFacts) -> str:
    b, p = facts.largest_stratum, facts.rate
    text = _printed_budget(facts)
    if p is not None and b >= 4 and 0 < p < 1:
        text += f"; {sharpened_budget(b, p)} is enough for every universe with these b and p"
    if facts.certified is not None:
        text += f"; with these counts at most {facts.certified} ({facts.certified.reason})"
    return text if facts.vacuity is None else f"{text}; of these counts {facts.vacuity}"


def claim_text(facts: SwapFacts) -> str:
    """A claim file that says the same for `stirred audit`: the budget by the theorem's formula."""
    if facts.vacuity is not None:
        raise InputError(f"--claim requires data that the invariants leave open; the claim would be {facts.vacuity}")
    stated = specification(facts)
    multiverse = {"description": stated.multiverse, "invariants": ["swapping"]}
    return replace(stated, claim=BlocksClaim(multiverse, *_mechanism(facts))).claim_text()


def _mechanism(facts: SwapFacts) -> tuple[dict[str, object], dict[str, object]]:
    roles = facts.roles
    columns = {"matching": roles.matching, "holding": roles.holding, "swapping": roles.swapping}
    if facts.epsilon is not None:
        root = format(Decimal(int(ratio_above(facts.epsilon / 2) * _PLACES)) / _PLACES, "f")
        return {"epsilon": str(facts.epsilon)}, {"name": FIBRE_NOISE, "root": root, **columns}
    return {"by": "psa.budget.theorem", "printed": facts.budget.epsilon().text(10)}, {
        "name": SWAPPING,
        "resolution": facts.resolution,
        **columns,
        **({} if roles.count is None else {"count": roles.count}),
        "largest_stratum": facts.largest_stratum,
        "swap_rate": str(facts.rate),
    }


_MOST_NAMED = 20
"""Columns with a warning of their own."""


def warnings(facts: SwapFacts, identifying: Sequence[str]) -> Iterator[str]:
    """What a person should know before these records are swapped: what stays as it is, and what identifies."""
    total, kept = facts.records, facts.determined_records
    if kept == total:
        yield "the invariants determine the data: no record can change, whatever the budget"
    elif kept:
        yield f"{kept} of {counted(total, 'record')} are in strata that the invariants determine: they cannot change"
    yield from identified(identifying, total)
    yield from undone(facts.dependences, facts.roles.swapping)


def identified(names: Sequence[str], records: int) -> Iterator[str]:
    """What a person should know of columns with another value in each of so many records."""
    for name in names[:_MOST_NAMED]:
        yield (
            f"the column {name!r} has a distinct value in each of {records} records: it identifies them, and "
            "its values are released exactly"
        )
    if len(names) > _MOST_NAMED:
        yield f"the same holds for {counted(len(names) - _MOST_NAMED, 'more column')}"


def undone(found: Iterable[Dependence], swapping: Sequence[str]) -> Iterator[str]:
    """What a person should know of columns that determine what is swapped."""
    for one in found:
        more = "; where it always does, the claim is vacuous" if one.is_vacuous(swapping) else ""
        yield f"{one.sentence}{more}"
