"""PHSafe's Algorithms 1 to 5, line by line, up to the draw of the noise.

A run of Algorithm 1 or 2 is a list of measurements, one for each population group and basis cell, zeros included; each
has the true count and the scale of its noise. `mechanisms.das.phsafe.release` adds the noise (Algorithm 5, line 5).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

from stirred.mechanisms.das.phsafe.records import ITERATIONS, Person, Unit
from stirred.mechanisms.das.phsafe.tabulations import Joined, Tabulation
from stirred.spec.arguments import InputError

Order = Callable[[Person], Any]
"""The key of a predefined ordering over all records: it sees one record and nothing else."""


def _by_hash(person: Person) -> Any:
    state, mafid, age, (races, is_hispanic), relationship = person
    text = "\x1f".join((state, str(mafid), str(age), *races, str(bool(is_hispanic)), str(relationship)))
    return sha256(text.encode()).digest(), person


def _by_attributes(person: Person) -> Any:
    return person


ORDERS: Mapping[str, Order] = {"hash": _by_hash, "attributes": _by_attributes}
"""Presets: first by a hash and second by attributes, as the paper has it; by attributes alone. Identical records are
interchangeable, so their order among themselves changes no output (PHSafe, Algorithm 3, line 10)."""

Residence = Callable[[Joined], str]
"""Whose state counts."""

RESIDENCES: Mapping[str, Residence] = {
    "unit": lambda row: row.unit.state,
    "person": lambda row: row.person.state if row.person else row.unit.state,
}
"""Presets: the state of the unit that a person lives in; the person's own, where rows are persons (PHSafe, section 3.1,
has a StateID in both data frames and does not say which one)."""


class Measurement(NamedTuple):
    """A count before its noise.

    Attributes:
        table: the run, such as "PH1_num".
        level: the population group level, such as "state_A-G".
        group: the geographic entity and the iteration.
        rows: how many rows there are, the true count.
    """

    table: str
    level: str
    group: tuple[str, str]
    cell: str
    rows: int
    sigma_squared: Fraction


def truncated(persons: Sequence[Person], tau: int, order: Order) -> tuple[Person, ...]:
    """The first τ persons of each MAFID in the predefined order (Algorithm 3, lines 6 to 14)."""
    rows: dict[Hashable, list[Person]] = defaultdict(list)
    for person in persons:
        rows[person.mafid].append(person)
    return tuple(one for members in rows.values() for one in sorted(members, key=order)[:tau])


def unique_units(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """The units whose MAFID is no other one's; the others are all dropped (Algorithm 3, lines 15 to 20)."""
    times = Counter(unit.mafid for unit in units)
    return tuple(unit for unit in units if times[unit.mafid] == 1)


def truncate_and_join(persons: Sequence[Person], units: Sequence[Unit], tau: int, order: Order) -> tuple[Joined, ...]:
    """Algorithm 3: both sides truncated, then an inner join on the MAFID."""
    by_mafid = {unit.mafid: unit for unit in unique_units(units)}
    kept = truncated(persons, tau, order)
    return tuple(Joined(one, by_mafid[one.mafid]) for one in kept if one.mafid in by_mafid)


def group_of(
    row: Joined, level: str, table: Tabulation, states: Sequence[str], residence: Residence = RESIDENCES["unit"]
) -> tuple[str, str] | None:
    """g_i: the population group of a row in a level, or None where it is in none of them.

    The iteration is that of the person for PH3, else that of the householder.
    """
    geography, iterations = level.split("_", 1)
    race_eth = row.person.race_eth if table.is_by_person and row.person else row.unit.race_eth
    iteration, state = ITERATIONS[iterations][1](race_eth), residence(row)
    if iteration is None or state not in states:
        return None
    return (state if geography == "state" else "usa", iteration)


def stability_factor(table: Tabulation, tau: int | None) -> int:
    """Δ: 2τ + 2 in Algorithm 1 (line 17), 2 in Algorithm 2 (line 12)."""
    if not table.joins:
        return 2
    if tau is None:
        raise InputError(f"thresholds must name {table.name}, which joins persons to units")
    return 2 * tau + 2


def noise_scale(delta: int, rho: Fraction) -> Fraction:
    """σ² = Δ²/(2ρ) (Algorithm 5, line 5)."""
    return Fraction(delta**2) / (2 * rho)


def counted_rows(
    table: Tabulation, persons: Sequence[Person], units: Sequence[Unit], tau: int | None, order: Order
) -> tuple[Joined, ...]:
    """The rows to be counted (Algorithm 1, lines 6 to 9; Algorithm 2, line 4)."""
    units = tuple(unit for unit in units if table.unit_condition(unit))
    if tau is None or not table.joins:
        return tuple(Joined(None, unit) for unit in units)
    return truncate_and_join(tuple(one for one in persons if table.person_condition(one)), units, tau, order)


def groups_of(level: str, states: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """𝒫_i: every population group of a level, whatever the data."""
    geography, iterations = level.split("_", 1)
    entities = tuple(states) if geography == "state" else ("usa",)
    return tuple((entity, iteration) for entity in entities for iteration in ITERATIONS[iterations][0])


def tabulate(
    table: Tabulation,
    persons: Sequence[Person],
    units: Sequence[Unit],
    *,
    rho: Mapping[str, Fraction],
    tau: int | None,
    states: Sequence[str],
    order: Order,
    residence: Residence = RESIDENCES["unit"],
) -> Iterator[Measurement]:
    """Algorithm 1 or 2 with Algorithm 4: the measurements of one run, zeros included.

    Args:
        rho: ρ_i by population group level.
        tau: the truncation threshold; None in Algorithm 2.
        residence: whose state counts.
    """
    delta = stability_factor(table, tau)
    rows = counted_rows(table, persons, units, tau, order)
    for level, budget in rho.items():
        counted = Counter((group_of(row, level, table, states, residence), table.cell(row)) for row in rows)
        scale = noise_scale(delta, budget)
        for group in groups_of(level, states):
            for cell in table.cells:
                yield Measurement(table.name, level, group, cell, counted[(group, cell)], scale)
