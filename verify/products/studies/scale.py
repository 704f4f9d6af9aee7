"""What a run of national size takes, from what small runs took: lines through measured sizes, beside a cluster.

A cost is a line in the number of records, persons or nodes: what starts a run, and what one more of them adds. Two
sizes determine it; nothing here knows whether a system stays linear beyond them, so every number is extrapolated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stirred.spec.arguments import InputError


@dataclass(frozen=True)
class Measured:
    """What one run took.

    Attributes:
        number: of records, persons or nodes.
        seconds: of processor time, of all its processes.
        memory: bytes of the largest process at most.
        disk: bytes at most of what it keeps beside its output meanwhile, and of the output.
    """

    number: int
    seconds: float
    memory: int
    disk: int


@dataclass(frozen=True)
class Line:
    """A quantity that grows by the same amount with each record.

    Attributes:
        fixed: at none.
        each: what one more adds, at least 0.

    >>> Line.through((10, 3.0), (20, 5.0)).at(100)
    21.0
    """

    fixed: float
    each: float

    @classmethod
    def through(cls, first: tuple[int, float], last: tuple[int, float]) -> Line:
        """The line through two points; where the larger run took no more, the level of the dearer one."""
        (few, low), (many, high) = sorted((first, last))
        if few == many:
            raise InputError(f"two different sizes must be measured; got {few} twice")
        if high <= low:
            return cls(low, 0.0)
        each = (high - low) / (many - few)
        return cls(low - each * few, each)

    def at(self, number: int) -> float:
        """The quantity of so many."""
        return self.fixed + self.each * number


@dataclass(frozen=True)
class Cost:
    """Processor seconds, bytes of memory and bytes of disk, as lines."""

    seconds: Line
    memory: Line
    disk: Line

    @classmethod
    def of(cls, runs: Sequence[Measured]) -> Cost:
        """Through the smallest and the largest of several runs."""
        ordered = sorted(runs, key=lambda one: one.number)
        if len(ordered) < 2:
            raise InputError(f"at least two sizes must be measured; got {len(ordered)}")
        ends = (ordered[0], ordered[-1])
        first, last = ends
        sides = ("seconds", "memory", "disk")
        lines = [Line.through((first.number, getattr(first, one)), (last.number, getattr(last, one))) for one in sides]
        return cls(*lines)


@dataclass(frozen=True)
class System:
    """A system of national size.

    Attributes:
        unit: what is counted.
        is_spread: whether every machine of a cluster works on it; memory and disk are those of one machine all the
            same, of the one that reads the records.
        moved: by resource, what moves the limit.
    """

    title: str
    unit: str
    number: int
    is_spread: bool
    moved: Mapping[str, str]


_IN_PARTS = {
    "time": "--engine spark, on more cores than its price in processor time",
    "memory": "fewer strata, since what the margins say of each is kept; else a smaller --memory",
    "disk": "--work on another disk; its parts are gone at the end",
}
"""What moves the limits of a swap in parts."""

SYSTEMS: Mapping[str, System] = {
    "psa": System("PSA, in parts", "persons", 330_000_000, False, _IN_PARTS),
    "psa-units": System("PSA of housing units, in parts", "units", 140_000_000, False, _IN_PARTS),
    "phsafe": System(
        "PHSafe, by DuckDB",
        "persons",
        330_000_000,
        False,
        {
            "time": "more cores of the machine, or --engine spark",
            "memory": "DuckDB writes to --work what does not fit (not measured), or --engine spark",
            "disk": "--work on another disk",
        },
    ),
    "topdown": System(
        "TopDown, redistricting settings",
        "nodes",
        8_500_000,
        True,
        {
            "time": "more machines, since the children of a node are a task of their own; --estimate rounded",
            "memory": "a driver with more memory, or a run for each state",
            "disk": "--work on another disk",
        },
    ),
}
"""By name. The PSA of units has the slopes of the PSA: what a record is does not matter to it."""


@dataclass(frozen=True)
class Cluster:
    """Machines that are alike, and the time that a run may take.

    Attributes:
        cores: of each.
        memory: bytes of each.
        disk: bytes of each.
    """

    machines: int
    cores: int
    memory: int
    disk: int
    hours: int


@dataclass(frozen=True)
class Need:
    """What a run of national size takes of one resource, beside what there is.

    Attributes:
        resource: "time" in seconds, "memory" or "disk" in bytes.
        needed: how much; of time at best, where all cores work all the time.
        there: how much there is.
    """

    system: str
    resource: str
    needed: float
    there: float

    @property
    def share(self) -> float:
        """The part of what there is; above 1 the run breaks."""
        return self.needed / self.there


def needs(system: str, cost: Cost, cluster: Cluster) -> tuple[Need, ...]:
    """What a run of national size needs of time, memory and disk."""
    facts = SYSTEMS[system]
    cores = cluster.cores * (cluster.machines if facts.is_spread else 1)
    return (
        Need(system, "time", cost.seconds.at(facts.number) / cores, 3600.0 * cluster.hours),
        Need(system, "memory", cost.memory.at(facts.number), float(cluster.memory)),
        Need(system, "disk", cost.disk.at(facts.number), float(cluster.disk)),
    )


def first_to_break(several: Sequence[Need]) -> Need:
    """The need that takes the largest share of what there is."""
    return max(several, key=lambda one: one.share)


def rounded(amount: float) -> str:
    """Two digits: what is extrapolated has no more.

    >>> rounded(1234567.0), rounded(0.0123)
    ('1,200,000', '0.012')
    """
    return f"{float(f'{amount:.2g}'):,.12g}"
