"""Releases of counts by block by the TopDown Algorithm, in the one design that the studies use, and their measures.

Measured are, at each of the four levels with an equal share of ρ², the population and each kind of person, with half of
the share each. Kept are the population of the state and, where they are counted, the housing units of every block
(article, section 4); a block without housing units has no persons, and at most 99,999 live in one (article, Appendix
H). Weights and order are the defaults of `mechanisms.das.topdown`; of several nearest data sets the one that HiGHS
finds is taken.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.das.topdown import Design, EditConstraint, Geography, KeptTotal, QueryGroup, topdown
from stirred.mechanisms.fast.nearest_point import fast_nearest
from stirred.mechanisms.fast.toydown import counts_of_levels
from stirred.mechanisms.interpreters.sampling import sample
from stirred.spec.arguments import InputError
from stirred.verify.products.studies.study import Row, mean_of, rounded_text, runs_by
from stirred.verify.products.studies.swapping.race_counts import mean_absolute_error, variance_estimate

Codes = NDArray[np.int64]

LEVELS = ("state", "county", "tract", "block")

DESIGN = (
    "equal shares of rho^2 for state, county, tract and block; of each, half for the population, half for its kinds"
)
"""The split of the budget, in words."""

_MOST_PERSONS = 99_999


def require_solvers(what: str) -> None:
    """Refuse estimation where a solver is not installed."""
    for library in ("highspy", "ortools"):
        if find_spec(library) is None:
            raise InputError(f"{what} needs {library}: pip install {library}")


@dataclass(frozen=True)
class TopDownRun:
    """What one run released, with all its measurements."""

    measured: tuple[Codes, ...]
    totals: tuple[Codes, ...]
    counts: Codes


@dataclass(frozen=True)
class Population:
    """Persons of several kinds in the blocks of a state.

    Attributes:
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
        """One run of article, Algorithm 2, with the budget ρ² exactly."""
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


def budget_text(rho_squared: Fraction) -> str:
    """ρ² as the table has it: exact where it has at most four decimals."""
    return rounded_text(rho_squared, 4).rstrip("0").rstrip(".")


def populations_of(rows: Sequence[Row]) -> list[str]:
    """The populations, in the order of the table."""
    return list(dict.fromkeys(row["population"] for row in rows))


def budgets_of(rows: Sequence[Row]) -> list[Fraction]:
    """The values of ρ², in increasing order."""
    return sorted({Fraction(row["rho^2"]) for row in rows})


def noise_variance(rows: Sequence[Row], rho_squared: Fraction) -> Fraction:
    """σ² of every measurement with this budget."""
    return next(Fraction(row["sigma^2"]) for row in rows if Fraction(row["rho^2"]) == rho_squared)


def runs_of(rows: Sequence[Row]) -> int:
    """How many pairs of runs there are at each ρ²."""
    return len({row["run"] for row in rows})


def each_run(
    rows: Sequence[Row], population: str, statistic: str, level: str, of: str
) -> dict[Fraction, list[Fraction]]:
    """A statistic of every pair of runs, by ρ²; empty where the population has no such count."""
    return runs_by(rows, "rho^2", {"population": population, "statistic": statistic, "level": level, "of": of})


def mean_over_runs(
    rows: Sequence[Row], population: str, statistic: str, level: str, of: str
) -> dict[Fraction, Fraction]:
    """The mean of a statistic over the runs, by ρ²; empty where the population has no such count."""
    found = each_run(rows, population, statistic, level, of)
    return {rho_squared: mean_of(runs) for rho_squared, runs in found.items()}


def cells_of(rows: Sequence[Row], population: str, statistic: str, level: str, of: str) -> int:
    """How many counts a statistic is of."""
    wanted = {"population": population, "statistic": statistic, "level": level, "of": of}.items()
    return next((int(row["counts"]) for row in rows if wanted <= row.items()), 0)


Measure = tuple[str, str, str, int, str]
"""A statistic, its level, what it is of, of how many counts, and its value."""

KINDS, TOTAL = "kinds", "population"

_BOUNDS = (0, 1, 2, 3, 5, 10, 20, 50, 100, 200)

COUNT_CLASSES = (
    *(str(low) if high == low + 1 else f"{low} to {high - 1}" for low, high in pairwise(_BOUNDS)),
    f"{_BOUNDS[-1]} or more",
)
"""Classes of true counts."""


def measures(population: Population, runs: Sequence[TopDownRun]) -> Iterator[Measure]:
    """Noise and error at every level, error by true count in blocks, and the variance over the runs.

    Errors are released minus true: positive where counts grow.

    The runs are at least two independent releases.
    """
    estimates = [population.of_levels(run.counts) for run in runs]
    for place, (level, true) in enumerate(zip(LEVELS, population.levels, strict=True)):
        noisy = [run.measured[place] for run in runs]
        yield from _errors(level, KINDS, true, noisy, [one[place] for one in estimates])
        totals = [run.totals[place] for run in runs]
        yield from _errors(level, TOTAL, true.sum(axis=1), totals, [one[place].sum(axis=1) for one in estimates])
        variance = variance_estimate([one[place] for one in estimates])
        yield "variance", level, KINDS, true.size, _text(variance.numerator / variance.denominator)
    yield from _by_count(population.counts, [run.counts for run in runs], "error")
    yield from _by_count(population.counts, [run.measured[-1] for run in runs], "noise")


def _errors(
    level: str, of: str, true: NDArray[Any], noisy: Sequence[NDArray[Any]], estimates: Sequence[NDArray[Any]]
) -> Iterator[Measure]:
    for statistic, found in (("mean absolute noise", noisy), ("mean absolute error", estimates)):
        yield statistic, level, of, true.size, _text(np.mean([mean_absolute_error(true, one) for one in found]))


def _by_count(true: NDArray[np.int64], released: Sequence[NDArray[np.int64]], what: str) -> Iterator[Measure]:
    """The mean of released minus true counts of blocks, by the class of the true count; classes that occur."""
    classes = np.digitize(true, _BOUNDS) - 1
    for place, name in enumerate(COUNT_CLASSES):
        here = classes == place
        if here.any():
            mean = np.mean([(one - true)[here].mean() for one in released])
            yield f"mean {what} by true count", LEVELS[-1], name, int(here.sum()), _text(mean)


def _text(value: Any) -> str:
    return f"{value:.6f}"
