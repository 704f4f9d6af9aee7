"""Releases of counts by block by the TopDown Algorithm, in the one design that the studies use.

Measured are, at each of the four levels with an equal share of ρ², the population and each kind of person, with half of
the share each. Kept are the population of the state and, where they are counted, the housing units of every block
(article, section 4); a block without housing units has no persons, and at most 99,999 live in one (article, Appendix
H). Weights and order are the defaults of `mechanisms.das.topdown`; of several nearest data sets the one that HiGHS
finds is taken.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.das.topdown import Design, EditConstraint, Geography, KeptTotal, QueryGroup, topdown
from stirred.mechanisms.fast.nearest_point import fast_nearest
from stirred.mechanisms.fast.toydown import counts_of_levels
from stirred.mechanisms.interpreters.sampling import sample
from stirred.spec.arguments import InputError

Codes = NDArray[np.int64]

LEVELS = ("state", "county", "tract", "block")

DESIGN = (
    "equal shares of rho^2 for state, county, tract and block; of each, half for the population, half for its kinds"
)
"""The split of the budget, in words."""

_MOST_PERSONS = 99_999


def require_solvers(what: str) -> None:
    """Refuse estimation where a solver is not installed.

    Raises:
        InputError: `what` needs it.
    """
    for library in ("highspy", "ortools"):
        if find_spec(library) is None:
            raise InputError(f"{what} needs {library}: pip install {library}")


@dataclass(frozen=True)
class TopDownRun:
    """What one run released, with all its measurements.

    Attributes:
        measured: for each level from the root down the noisy counts of each kind, by node.
        totals: for each level from the root down the noisy population, by node.
        counts: the estimate, by block and kind.
    """

    measured: tuple[Codes, ...]
    totals: tuple[Codes, ...]
    counts: Codes


@dataclass(frozen=True)
class Population:
    """Persons of several kinds in the blocks of a state.

    Attributes:
        counts: by block and kind.
        parents: the tract of each block, the county of each tract, and 0 for each county.
        units: the housing units of each block; None where they are not counted.
    """

    counts: Codes
    parents: tuple[Codes, ...]
    units: Codes | None = None

    @cached_property
    def levels(self) -> tuple[Codes, ...]:
        """The counts of every level, from the root down."""
        return self.of_levels(self.counts)

    def of_levels(self, counts: Codes) -> tuple[Codes, ...]:
        """The counts of every level, from the root down, for any counts by block and kind."""
        return tuple(reversed(counts_of_levels(counts, self.parents)))

    @cached_property
    def _geography(self) -> Geography:
        found: dict[str, str | None] = {f"{LEVELS[0]} 0": None}
        for (above, level), parents in zip(pairwise(LEVELS), reversed(self.parents), strict=True):
            found |= {f"{level} {node}": f"{above} {parent}" for node, parent in enumerate(parents.tolist())}
        return Geography(found)

    @cached_property
    def _records(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._listed())

    def _listed(self) -> Iterator[tuple[str, str]]:
        """The records (block, cell) of persons and of housing units."""
        for block, row in enumerate(self.counts.tolist()):
            for kind, number in enumerate(row):
                yield from [(f"{LEVELS[-1]} {block}", f"kind {kind}")] * number
        for block, number in enumerate([] if self.units is None else self.units.tolist()):
            yield from [(f"{LEVELS[-1]} {block}", "housing unit")] * number

    def design(self, rho_squared: Fraction) -> Design:
        """What is measured and kept at this budget: ρ² of the persons, the only part with noise."""
        kinds = tuple(f"kind {kind}" for kind in range(self.counts.shape[1]))
        unit = () if self.units is None else (0,)
        everyone = (*(1 for _ in kinds), *unit)
        each = tuple((*(int(one == other) for other in kinds), *unit) for one in kinds)
        invariants, edits = [KeptTotal("population", 0, everyone)], []
        cells = dict.fromkeys(kinds, "person")
        if self.units is not None:
            cells["housing unit"] = "household"
            counted = (*(0 for _ in kinds), 1)
            invariants.append(KeptTotal("housing units", len(LEVELS) - 1, counted))
            edits.append(EditConstraint("persons live in housing units", (*(1 for _ in kinds), -_MOST_PERSONS)))
        half = Fraction(1, 2)
        return Design(
            self._geography,
            cells,
            (QueryGroup("population", "person", (everyone,), half), QueryGroup("kinds", "person", each, half)),
            tuple(invariants),
            tuple(edits),
            (Fraction(1, len(LEVELS)),) * len(LEVELS),
            {"person": rho_squared},
        )

    def release(self, rho_squared: Fraction, seed: int) -> TopDownRun:
        """One run of article, Algorithm 2, with the budget ρ² exactly.

        Raises:
            InputError: ρ² is not positive, HiGHS is not installed, or it stops early.
        """
        design = self.design(rho_squared)
        nearest = partial(fast_nearest, settle_ties=False)
        measurements, estimate = sample(topdown, self._records, seed=seed, design=design, solver=nearest)
        answers = dict(zip(design.geography.nodes, measurements, strict=True))
        by_level = [
            [answers[f"{level} {node}"] for node in range(len(counts))]
            for level, counts in zip(LEVELS, self.levels, strict=True)
        ]
        estimated, kinds = dict(estimate), self.counts.shape[1]
        return TopDownRun(
            measured=tuple(np.array([of_kinds for _, of_kinds in level]) for level in by_level),
            totals=tuple(np.array([total for (total,), _ in level]) for level in by_level),
            counts=np.array([estimated[f"{LEVELS[-1]} {block}"][:kinds] for block in range(len(self.counts))]),
        )
