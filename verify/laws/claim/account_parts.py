"""A claim as a part of an account: what it gives to the sum, and why it may not be added to others.

Budgets add up where several mechanisms run on the same data, each with randomness of its own, under one flavor. What
the claims say is compared as it is audited: the data sets, the universes, the input premetric by its name and unit.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.budgets.accounts import Measure, NamedFlavor, Premetric, Reach, Release, release
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, NormalizedRenyi, OutputPremetric
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import claimed_epsilon

UNORDERED: Mapping[str, str] = {
    "hamming_unordered": "bounded",
    "neighbors_replace_one_unordered": "bounded",
    "symmetric_difference": "unbounded",
    "neighbors_add_remove_unordered": "unbounded",
}
"""What an account calls the neighbours of an input premetric."""

_PREMETRICS: Mapping[str, Premetric] = {
    **{name: Premetric[word.upper()] for name, word in UNORDERED.items()},
    "hamming_ordered": Premetric.BOUNDED,
    "neighbors_replace_one_ordered": Premetric.BOUNDED,
    "deletion_distance": Premetric.UNBOUNDED,
    "neighbors_add_remove_ordered": Premetric.UNBOUNDED,
}
_FOR_NEIGHBORS = "neighbors_"


class NotAddedError(Exception):
    """Why the budget of a claim cannot be a part of a sum."""


@dataclass(frozen=True)
class PartClaim:
    """What an account takes from a claim.

    Attributes:
        domain: in words, what its records are made of included; empty where it is not stated.
        words: what else the claim says of its multiverse and its premetrics.
        premetric: the input premetric's name, where it has one.
        unit: its resolution.
        is_of_beliefs: whether its domain is what attackers believe.
    """

    id: str
    domain: str
    data: InputBlocks | None
    invariants: frozenset[str]
    words: tuple[str, ...]
    premetric: str | None
    unit: str | None
    measure: OutputPremetric | None
    budgets: Sequence[ClaimedBudget | None]
    is_of_beliefs: bool

    def release(self, name: str) -> Release:
        """The claim as a release; its budget holds for the pairs that its premetric compares."""
        if self.is_of_beliefs:
            raise NotAddedError("its domain is what attackers believe, and budgets for beliefs do not add up")
        if not self.domain or not self.unit:
            raise NotAddedError(f"its {'resolution' if self.domain else 'domain'} is not stated")
        if self.premetric is None or self.premetric not in _PREMETRICS:
            raise NotAddedError(f"its input premetric must be {', '.join(_PREMETRICS)}; it is {self.premetric}")
        measure, delta = _measure(self.measure)
        flavor = NamedFlavor(self.domain, self.invariants, _PREMETRICS[self.premetric], self.unit, measure)
        budget = self._budget()
        reach = Reach.NEIGHBORS if self.premetric.startswith(_FOR_NEIGHBORS) else Reach.ALL_PAIRS
        return replace(release(name, flavor, 0, delta), budget=budget, reach=reach, conditions=())

    def _budget(self) -> Enclosure:
        if len(self.budgets) != 1:
            raise NotAddedError(f"it has {counted(len(self.budgets), 'setting')}, each with a budget of its own")
        (budget,) = self.budgets
        if budget is None:
            raise NotAddedError("its budget is not stated in numbers")
        if budget.rho_squared is not None:
            return Enclosure(budget.rho_squared.value, budget.rho_squared.value)
        if budget.epsilon is None and (budget.loss is None or budget.loss.is_infinite):
            raise NotAddedError("its budget is infinite, and claims nothing")
        return claimed_epsilon(budget)


def _measure(measure: OutputPremetric | None) -> tuple[Measure, Fraction]:
    if isinstance(measure, Multiplicative):
        return Measure.PURE, Fraction(0)
    if isinstance(measure, NormalizedRenyi):
        return Measure.ZERO_CONCENTRATED, Fraction(0)
    if isinstance(measure, ApproximateMultiplicative) and measure.delta > 0:
        return Measure.APPROXIMATE, measure.delta
    name = "not stated" if measure is None else measure.described()
    raise NotAddedError(f"there is no rule here by which budgets of its output premetric add up: it is {name}")


def differences(one: PartClaim, other: PartClaim, premetrics: tuple[str | None, str | None]) -> Iterator[str]:
    """In what two claims differ that are of one flavor by name."""
    if premetrics[0] != premetrics[1]:
        yield f"input premetric ({premetrics[0]} against {premetrics[1]})"
    if (one.data is None) != (other.data is None):
        yield "domain (data sets that are listed against words)"
    elif one.data is not None and other.data is not None:
        if set(one.data.domain) != set(other.data.domain):
            yield f"domain ({_named(one.data.domain)} against {_named(other.data.domain)}, not the same)"
        elif set(one.data.multiverse) != set(other.data.multiverse):
            yield "multiverse (other universes)"
    if one.words != other.words:
        both = ("; ".join(filter(None, words)) or "none" for words in (one.words, other.words))
        yield f"descriptions ({' against '.join(both)})"


def _named(points: Collection[object]) -> str:
    return counted(len(points), "data set")
