"""Swaps of households that no finite budget covers: their specification, and the claim that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from stirred.verify.products.specification import BlocksClaim, Distance, ReleaseSpecification, StatedMeasure
from stirred.verify.products.swap.specification import held_by_lines


@dataclass(frozen=True)
class UnboundedSwap:
    """What the specification of such a swap depends on.

    Attributes:
        id: of the claim.
        columns: of the households.
        key: in which those who are exchanged always agree.
        places: the columns that they exchange.
        identifier: the column that is no variable, if any.
        causes: the rules that have no finite budget, and the claim that says so.
        mechanism: as a claim names it.
        rate: the swap rate in words.
        persons: whether persons are carried along.
    """

    id: str
    columns: Sequence[str]
    key: Sequence[str]
    places: Sequence[str]
    identifier: str | None
    causes: tuple[Sequence[str], str]
    mechanism: Mapping[str, Any]
    rate: str
    persons: bool = False

    @property
    def specification(self) -> ReleaseSpecification:
        """The flavor of the PSA on these variables, in which such a swap has no finite budget."""
        key = " x ".join(self.key) or "(one key)"
        swapped = " x ".join(self.places)
        causes, source = self.causes
        rules = "each of these rules alone is" if len(causes) > 1 else "this rule is"
        with_persons = ", with its persons, who are released with its places" if self.persons else ""
        return ReleaseSpecification(
            id=self.id,
            statement="The release has no finite budget.",
            domain=f"all data sets with the variables {', '.join(self.columns)}, and the place of each line; "
            f"one record for each household{with_persons}",
            multiverse=f"invariant, so released exactly: {held_by_lines(self.places)}, and counts of {key} x {swapped}",
            distance=Distance.REPLACED,
            resolution="household",
            measure=StatedMeasure.PURE,
            budget=f"infinite ({self.rate}): no finite epsilon is met on all universes; {rules} enough for "
            f"that: {'; '.join(causes)} (stirred verify {source})",
        )

    def claim_text(self) -> str:
        """A claim file that says the same for `stirred audit`."""
        stated = self.specification
        multiverse = {"description": stated.multiverse, "invariants": ["swapping"]}
        claim = BlocksClaim(multiverse, {"epsilon": "infinite"}, self.mechanism)
        return replace(stated, claim=claim).claim_text()
