"""Flavors and specifications of differential privacy, and their normal form: the constraint matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.blocks.multiverse import Multiverse, Universe, components
from stirred.spec.output_premetrics import OutputPremetric
from stirred.spec.shown_table import ShownTable, TableRow

QUESTIONS = {
    "domain": "who is eligible for protection?",
    "multiverse": "where does the protection extend to?",
    "input_premetric": "what is the granularity?",
    "output_premetric": "how is change of output measured?",
    "budget": "how much?",
}
"""The question that each of the five blocks answers."""

BLOCKS = tuple(QUESTIONS)
"""The names of the five blocks."""

_FEW = 4
"""Different budgets that are written out."""


@dataclass(frozen=True)
class InputBlocks:
    """The three blocks about data sets (𝒳, 𝒟, d_𝒳): which of them are compared, and how far apart they are.

    Source: dissertation, Definition 2.4.1.
    """

    domain: FiniteDomain
    multiverse: Multiverse
    input_premetric: InputPremetric

    def __post_init__(self) -> None:
        self.multiverse.check_inside(self.domain)

    def comparable(self, first: Any, second: Any) -> bool:
        """Whether two distinct data sets share a universe and are at a finite distance, one way or the other.

        Source: dissertation, Definition A.1.1.
        """
        d = self.input_premetric
        return (
            first != second
            and (d(first, second) is not None or d(second, first) is not None)
            and self.multiverse.compares(first, second)
        )

    def components(self) -> tuple[frozenset[Any], ...]:
        """The classes [x] of implicitly comparable data sets.

        Source: dissertation, Definition A.1.1.
        """
        return components(self.domain.points, self.comparable)

    def compared_pairs(self) -> int:
        """How many unordered pairs of data sets are compared: 0 means that nothing is claimed."""
        d = self.input_premetric
        both = (pair for universe in self.multiverse for pair in combinations(universe, 2))
        return len({frozenset((x, y)) for x, y in both if d(x, y) is not None or d(y, x) is not None})


@dataclass(frozen=True)
class Flavor(InputBlocks):
    """A flavor (𝒳, 𝒟, d_𝒳, D_Pr): four of the five blocks.

    Source: dissertation, Definition 2.4.1.
    """

    output_premetric: OutputPremetric


def constant_budget(multiverse: Multiverse, budget: Any) -> dict[Universe, Any]:
    """The same budget for every universe."""
    return dict.fromkeys(multiverse.universes, budget)


@dataclass(frozen=True)
class Specification(ShownTable):
    """A specification ε_𝒟-DP(𝒳, 𝒟, d_𝒳, D_Pr): a flavor and a protection-loss budget for every universe.

    A mechanism T satisfies it iff D_Pr[P_x, P_x'] ≤ ε_D·d_𝒳(x, x') for all universes D and all x, x' in D; on the
    right-hand side 0·∞ = ∞.

    Attributes:
        budgets: ε_D for each universe, in the type of the output premetric's budgets (`Loss` for pure DP, a
            rational or None for ∞ otherwise).

    Source: article, Definition 1; dissertation, Definitions 2.4.2 and 2.4.4, Remark 2.4.6.
    """

    flavor: Flavor
    budgets: Mapping[Universe, Any]

    def __post_init__(self) -> None:
        universes = set(self.flavor.multiverse.universes)
        for universe in universes - set(self.budgets):
            raise InputError(f"budgets must name every universe; the one of {len(universe)} data sets has none")
        for stray in set(self.budgets) - universes:
            raise InputError(f"budgets must name universes only; got a set of {len(stray)} data sets that is none")

    @classmethod
    def constant(cls, flavor: Flavor, budget: Any) -> Specification:
        """The specification with one budget for every universe."""
        return cls(flavor, constant_budget(flavor.multiverse, budget))

    @classmethod
    def by_universe(cls, flavor: Flavor, budget: Callable[[Universe], Any]) -> Specification:
        """The specification whose budget is a function of the universe."""
        return cls(flavor, {universe: budget(universe) for universe in flavor.multiverse})

    def matrix(self) -> ConstraintMatrix:
        """The normal form C(x, x') = min {ε_D·d_𝒳(x, x') : D ∈ 𝒟, x, x' ∈ D}, min ∅ = ∞."""
        flavor = self.flavor
        measure, distance = flavor.output_premetric, flavor.input_premetric
        entries: dict[tuple[Any, Any], Any] = {}
        for universe in flavor.multiverse:
            budget = self.budgets[universe]
            for first in universe:
                for second in universe:
                    bound = measure.bound(budget, distance(first, second))
                    known = entries.get((first, second), measure.no_bound)
                    if not (smaller := measure.at_most(bound, known)) and not measure.at_most(known, bound):
                        raise InputError(f"one bound must be the smallest; those of {first!r} and {second!r} cross")
                    entries[first, second] = bound if smaller else known
        return ConstraintMatrix(flavor.domain, measure, entries)

    _title = "specification"

    def _rows(self) -> list[TableRow]:
        flavor, premetric = self.flavor, self.flavor.input_premetric
        universes, budgets = len(flavor.multiverse.universes), list(dict.fromkeys(self.budgets.values()))
        answers = (
            f"{len(flavor.domain)} {flavor.domain.name}",
            f"{universes} universe{'' if universes == 1 else 's'}",
            f"{premetric.name}; resolution: {premetric.resolution}",
            flavor.output_premetric.described(),
            "; ".join("infinite" if one is None else str(one) for one in budgets[:_FEW]),
        )
        rows = [
            TableRow(name.replace("_", " "), answer, QUESTIONS[name])
            for name, answer in zip(BLOCKS, answers, strict=True)
        ]
        if len(budgets) > 1:
            rest = f"; and {len(budgets) - _FEW} others" if len(budgets) > _FEW else ""
            rows[-1] = replace(rows[-1], value=f"by universe: {rows[-1].value}{rest}")
        return rows


@dataclass(frozen=True)
class ConstraintMatrix:
    """The normal form of a specification on a finite domain; a smaller matrix is a stronger specification.

    Attributes:
        entries: C(x, x'); a pair that is not listed is unconstrained (∞).
    """

    domain: FiniteDomain
    output_premetric: OutputPremetric
    entries: Mapping[tuple[Any, Any], Any]

    def __call__(self, first: Any, second: Any) -> Any:
        """C(first, second)."""
        return self.entries.get((first, second), self.output_premetric.no_bound)

    def at_most(self, other: ConstraintMatrix) -> bool:
        """Whether every entry is at most the other's: then every mechanism that satisfies this satisfies the other."""
        if self.domain.points != other.domain.points or self.output_premetric != other.output_premetric:
            raise InputError("constraint matrices must be on one domain and for one output premetric to be compared")
        return all(self.output_premetric.at_most(self(*pair), bound) for pair, bound in other.entries.items())
