"""A census of at most one person and a few housing units, with the exact law of a TopDown release on it.

Discrete Gaussian noise has infinitely many outcomes. The laws here have the noise of the clamped geometric mechanism
instead, which has every outcome of its range for every count, and the loss (2/σ²)·ln 2 for a count that changes by one;
nothing else of the program is changed.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement, product
from typing import Any

from stirred.mechanisms.broken.topdown import EveryLevelSpendsAll
from stirred.mechanisms.das.topdown import (
    Design,
    EditConstraint,
    Geography,
    KeptTotal,
    QueryGroup,
    invariants,
    measure,
    replacement_cost,
    topdown,
)
from stirred.mechanisms.das.topdown.algorithm import Noise
from stirred.mechanisms.das.topdown.two_runs import tabulate
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.geometric import clamped_geometric
from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import InputPremetric, hamming_unordered, pull_back
from stirred.spec.laws.law import Law

DataSet = tuple[tuple[tuple[str, str], ...], tuple[int, ...]]
"""The person-records (block, kind), and the number of housing units in each block."""

Program = Callable[..., Any]

NOISE = "clamped geometric noise in place of discrete Gaussian noise"

_PERSONS = ("child", "adult", "in quarters")
_CELLS = {**dict.fromkeys(_PERSONS, "person"), **dict.fromkeys(("occupied", "vacant", "quarters"), "household")}
_LIMIT = 2

_row = lambda **entries: tuple(entries.get(cell.replace(" ", "_"), 0) for cell in _CELLS)


def _design(geography: Geography, kind: type[Design], measured: tuple[str, ...], state_level: int) -> Design:
    """Some kinds of persons and the occupied units are measured; the three invariants of the article are kept."""
    levels = len(geography.levels)
    return kind(
        geography,
        _CELLS,
        (
            QueryGroup("kinds", "person", tuple(_row(**{kind: 1}) for kind in measured), Fraction(1)),
            QueryGroup("occupied", "household", (_row(occupied=1),), Fraction(1)),
        ),
        (
            KeptTotal("population", state_level, _row(child=1, adult=1, in_quarters=1)),
            KeptTotal("housing units", levels - 1, _row(occupied=1, vacant=1)),
            KeptTotal("group quarters", levels - 1, _row(quarters=1)),
        ),
        (
            EditConstraint("nobody in no quarters", _row(in_quarters=1, quarters=-_LIMIT)),
            EditConstraint("no empty quarters", _row(in_quarters=-1, quarters=1)),
            EditConstraint("nobody in no household", _row(child=1, adult=1, occupied=-_LIMIT)),
            EditConstraint("no empty household", _row(child=-1, adult=-1, occupied=1)),
        ),
        (Fraction(1, levels),) * levels,
        {"person": Fraction(levels, 2), "household": Fraction(levels, 2)},
    )


def finite_noise(variance: Fraction) -> Callable[[int, Source], int]:
    """Clamped geometric noise on 0 and 1 with α = 2^(−2/σ²)."""
    rate = 2 / variance
    if rate.denominator != 1:
        raise InputError(f"2/variance must be an integer; got {rate}")
    return lambda count, source: clamped_geometric(count, source, size=2, ratio=Fraction(1, 2 ** int(rate)))


@dataclass(frozen=True)
class SmallCensus:
    """All data sets with at most one person and one or two housing units in the first block, one in each other.

    Attributes:
        geography: the nodes; every block is a leaf.
        kind: the class of the design.
        counted: the kinds of persons that are counted with noise.
        units: the numbers of housing units that the first block can have.
        state_level: the level of the states, whose populations are kept.
    """

    geography: Geography
    kind: type[Design] = Design
    counted: tuple[str, ...] = ("child",)
    units: tuple[int, ...] = (1, 2)
    state_level: int = 1

    @cached_property
    def design(self) -> Design:
        """What is measured and kept."""
        return _design(self.geography, self.kind, self.counted, self.state_level)

    @property
    def scope(self) -> str:
        """The data sets and the noise, in words."""
        states = len(self.geography.levels[self.state_level])
        return (
            f"{len(self.geography.levels)} levels, {states} state{'s' * (states > 1)}, "
            f"{len(self.geography.leaves)} blocks, at most one person (a child or "
            f"an adult in a household, or in group quarters), {' or '.join(map(str, self.units))} housing unit"
            f"{'s' * (self.units != (1,))} in the first block, 1 in the other; {' and '.join(self.counted)} and "
            f"occupied units are counted at every node"
        )

    @cached_property
    def domain(self) -> FiniteDomain:
        """The data sets, fewest persons first."""
        blocks = self.geography.leaves
        rest = (1,) * (len(blocks) - 1)
        points = tuple(
            (persons, (units, *rest))
            for size in range(2)
            for persons in combinations_with_replacement(tuple(product(blocks, _PERSONS)), size)
            for units in self.units
        )
        return FiniteDomain(points, "data sets", count_records=lambda x: len(x[0]))

    @property
    def premetric(self) -> InputPremetric:
        """d_HamS^p: between the person-records."""
        return pull_back(hamming_unordered("person"), lambda x: x[0], name="hamming_unordered", resolution="person")

    def records(self, x: DataSet) -> tuple[tuple[str, str], ...]:
        """The records (block, cell) of both parts, with one household for all persons of a block outside quarters."""
        persons, units = x
        found = list(persons)
        for block, number in zip(self.geography.leaves, units, strict=True):
            kinds = {kind for place, kind in persons if place == block}
            occupied = int(bool(kinds & {"child", "adult"}))
            found += [(block, "occupied")] * occupied + [(block, "vacant")] * (number - occupied)
            found += [(block, "quarters")] * ("in quarters" in kinds)
        return tuple(found)

    def totals(self, x: DataSet) -> tuple[tuple[int, ...], ...]:
        """c_TDA(x): by invariant, then by node."""
        return invariants(self.design, self.design.histograms(self.records(x)))

    def measurements(self, x: DataSet, source: Source) -> Any:
        """The measurements alone: Algorithm 2 up to line 7."""
        return measure(self.design, self.design.histograms(self.records(x)), source, noise=finite_noise)

    def released(self, x: DataSet, source: Source, *, program: Program = topdown, noise: Noise = finite_noise) -> Any:
        """(measurements, counts by block, c_TDA of the estimate) of a program in the form of `topdown`."""
        measurements, estimate = program(self.records(x), source, design=self.design, noise=noise)
        return measurements, tuple(tuple(counts) for _, counts in estimate), self._totals_of(estimate)

    def _totals_of(self, estimate: Any) -> tuple[tuple[int, ...], ...]:
        return tuple(tabulate(self.design, estimate, one) for one in self.design.invariants)

    @cached_property
    def measurement_laws(self) -> Mapping[DataSet, Law[Any]]:
        """The law of the measurements on every data set."""
        return _AsAsked(self.domain, lambda x: exact_law(self.measurements, x))

    def laws(self, program: Program = topdown) -> Mapping[DataSet, Law[Any]]:
        """The law of what a program releases, on every data set."""
        if program not in self._laws:
            self._laws[program] = _AsAsked(self.domain, lambda x: exact_law(self.released, x, program=program))
        return self._laws[program]

    @cached_property
    def _laws(self) -> dict[Program, Mapping[DataSet, Law[Any]]]:
        return {}

    def costs(self) -> Iterator[tuple[DataSet, DataSet, Fraction]]:
        """D_NoR² of the measurements with discrete Gaussian noise, for every pair that agrees on the invariants."""
        histograms = {x: self.design.histograms(self.records(x)) for x in self.domain}
        for x, y in product(self.domain, repeat=2):
            if self.totals(x) == self.totals(y) and self.premetric(x, y) is not None:
                yield x, y, replacement_cost(self.design, histograms[x], histograms[y])


class _AsAsked(Mapping[DataSet, Law[Any]]):
    """Laws on all data sets, each computed when it is asked for: a changed program fails on one of the first."""

    def __init__(self, domain: FiniteDomain, law: Callable[[DataSet], Law[Any]]) -> None:
        self._domain = domain
        self._law = cache(law)

    def __getitem__(self, x: DataSet) -> Law[Any]:
        return self._law(x)

    def __iter__(self) -> Iterator[DataSet]:
        return iter(self._domain)

    def __len__(self) -> int:
        return len(self._domain)


def of_part(part: str, measurements: Any) -> Any:
    """The measurements T_p or T_hh of a run, by node: those of the group "person" or "household"."""
    group = ("person", "household").index(part)
    return tuple(node[group] for node in measurements)


_STATES = Geography({"nation": None, "A": "nation", "B": "nation"})

FLAT = SmallCensus(_STATES)
FEW = SmallCensus(_STATES, units=(1,))
COUNTED = SmallCensus(
    Geography({"nation": None, "A": "nation", "B": "nation", "A1": "A", "B1": "B"}), counted=("child", "adult")
)
OVERSPENT = SmallCensus(COUNTED.geography, EveryLevelSpendsAll, COUNTED.counted)
ONE_STATE = SmallCensus(Geography({"state": None, "1": "state", "2": "state"}), units=(1,), state_level=0)
