"""The nine runs of PHSafe as one release: settings, measurements, noise, and the counts derived from them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from stirred.mechanisms.das.phsafe.algorithms import ORDERS, RESIDENCES, Measurement, tabulate
from stirred.mechanisms.das.phsafe.published import published_runs
from stirred.mechanisms.das.phsafe.records import ITERATIONS, Person, Tenure, Unit
from stirred.mechanisms.das.phsafe.tabulations import FAMILY_MEMBERS, OWNER, RENTER, TOTAL, Tabulation, runs
from stirred.mechanisms.noise.discrete_gaussian import discrete_gaussian
from stirred.mechanisms.source import Source
from stirred.spec.arguments import Exact, check_known, integer, nonnegative

DataFrames = tuple[Sequence[Person], Sequence[Unit]]
FILTERS: Mapping[str, Callable[[str], Mapping[str, Tabulation]]] = {
    "paper": runs,
    "published": lambda _family_members: published_runs(),
}
"""Presets: universes and cells from the paper's tables, on its rows; those of the released program, on rows that
`published_tables` makes."""


class NoisyCount(NamedTuple):
    """A released count: an integer, which may be negative, with the scale of its noise.

    Attributes:
        table: such as "PH1_num".
        level: such as "state_A-G".
        group: the geographic entity and the iteration.
        cell: a basis cell, or the sum that was derived.
        sigma_squared: σ² of the discrete Gaussian, which its variance never exceeds; sums have the sum.
    """

    table: str
    level: str
    group: tuple[str, str]
    cell: str
    value: int
    sigma_squared: Fraction


@dataclass(frozen=True)
class Settings:
    """What is public about a release.

    Attributes:
        budgets: ρ by table and population group level, with the published names; a level with 0 is not released.
        thresholds: τ of each table that joins.
        states: the codes of the states; Puerto Rico's own release has ("72",) and no budget for the nation.
        order: a name in `ORDERS`.
        family_members: a name in `FAMILY_MEMBERS`.
        residence: a name in `RESIDENCES`.
        filters: a name in `FILTERS`; `family_members` is a choice of the paper's alone.
    """

    budgets: Mapping[str, Mapping[str, Exact]]
    thresholds: Mapping[str, int]
    states: tuple[str, ...]
    order: str = "hash"
    family_members: str = "related"
    residence: str = "unit"
    filters: str = "paper"
    exact_budgets: Mapping[str, Mapping[str, Fraction]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        presets: tuple[tuple[str, Mapping[str, object]], ...] = (
            ("order", ORDERS),
            ("family_members", FAMILY_MEMBERS),
            ("residence", RESIDENCES),
            ("filters", FILTERS),
        )
        for name, known in presets:
            check_known(f"{name}: unknown preset", getattr(self, name), known)
        known_runs = self.runs
        for table in (*self.budgets, *self.thresholds):
            check_known("unknown table", table, known_runs)
        checked = {table: self._levels(table) for table in self.budgets}
        for table in checked:
            if known_runs[table].joins:
                integer(f"thresholds[{table!r}]", self.thresholds.get(table), minimum=1)
        object.__setattr__(self, "exact_budgets", checked)

    @property
    def runs(self) -> Mapping[str, Tabulation]:
        """The nine runs under these presets."""
        return FILTERS[self.filters](self.family_members)

    def _levels(self, table: str) -> dict[str, Fraction]:
        levels = tuple(f"{geography}_{iterations}" for geography in ("usa", "state") for iterations in ITERATIONS)
        spent = {}
        for level, value in self.budgets[table].items():
            check_known(f"{table}: unknown population group level", level, levels)
            rho = nonnegative(f"{table}.{level}", value)
            if rho:
                spent[level] = rho
        return spent


def measurements(data: DataFrames, settings: Settings) -> tuple[Measurement, ...]:
    """Every count that is released, before its noise: all runs, in the order of the settings."""
    persons, units = data
    known = settings.runs
    return tuple(
        one
        for table, rho in settings.exact_budgets.items()
        for one in tabulate(
            known[table],
            persons,
            units,
            rho=rho,
            tau=settings.thresholds.get(table),
            states=settings.states,
            order=ORDERS[settings.order],
            residence=RESIDENCES[settings.residence],
        )
    )


def phsafe(data: DataFrames, source: Source, *, settings: Settings) -> tuple[NoisyCount, ...]:
    """PHSafe on a pair (person_df, unit_df): one noisy count for each table, population group and basis cell.

    Which counts there are depends on the settings alone. No data set is refused: a row that no cell has a place for is
    counted nowhere (the paper's input validation, section 6.1, is left to whoever makes the data frames).

    Source: PHSafe, Algorithms 1 to 5.

    >>> from stirred.mechanisms.interpreters.sampling import sample
    >>> settings = Settings({"PH1_denom": {"usa_*": 1}}, {}, ("01",))
    >>> [(one.cell, one.sigma_squared) for one in sample(phsafe, ((), ()), seed=1, settings=settings)]
    [('total', Fraction(2, 1))]
    """
    return tuple(
        NoisyCount(*one[:4], discrete_gaussian(one.sigma_squared)(one.rows, source), one.sigma_squared)
        for one in measurements(data, settings)
    )


def _summed(counts: Iterable[NoisyCount], table: str, cells: Mapping[str, str]) -> list[NoisyCount]:
    sums: dict[tuple[str, tuple[str, str], str], tuple[int, Fraction]] = {}
    for one in counts:
        key = (one.level, one.group, cells.get(one.cell, TOTAL))
        count, scale = sums.get(key, (0, Fraction(0)))
        sums[key] = (count + one.value, scale + one.sigma_squared)
    return [NoisyCount(table, *key, *total) for key, total in sums.items()]


def derived_counts(released: Sequence[NoisyCount]) -> tuple[NoisyCount, ...]:
    """What post-processing makes of released counts: PH5_num from PH4, PH8_num from PH7, and the total of each group.

    The sums are of noisy counts, so they cost nothing; the totals of the runs have the cell "total".

    Source: PHSafe, sections 3.2 and 6.4.1.
    """
    by_table: dict[str, list[NoisyCount]] = {}
    for one in released:
        by_table.setdefault(one.table, []).append(one)
    owners = {str(tenure): OWNER if tenure != Tenure.RENTED else RENTER for tenure in Tenure}
    derived = [one._replace(table="PH5_num") for one in by_table.get("PH4", ())]
    derived += _summed(by_table.get("PH7", ()), "PH8_num", owners)
    for table, counts in by_table.items():
        if {one.cell for one in counts} != {TOTAL}:
            derived += _summed(counts, table, {})
    return tuple(derived)
