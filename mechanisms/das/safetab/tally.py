"""The true counts of every population group with the scales of their noise, before any is drawn: both stages."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from stirred.mechanisms.das.safetab.groups import CALIBRATIONS, MEMBERSHIPS, Record, iterations_of
from stirred.mechanisms.das.safetab.settings import PopulationGroupLevel, SafeTabSettings


class Tally(NamedTuple):
    """A population group before its noise.

    Attributes:
        group: the entity and the iteration.
        total: how many records it has: the count of stage 1.
        cells: the counts of stage 2, for each statistics level.
        scales: what the noise of stage 1 and of stage 2 is made with: σ² for zCDP, the scale 1/ε for pure DP.
    """

    level: PopulationGroupLevel
    group: tuple[str, str]
    total: int
    cells: tuple[tuple[int, ...], ...]
    scales: tuple[Fraction, Fraction]


def groups_of(level: PopulationGroupLevel, settings: SafeTabSettings) -> tuple[tuple[str, str], ...]:
    """Every population group of a level, whatever the data."""
    membership = MEMBERSHIPS[settings.membership]
    races = dict.fromkeys(settings.race_iterations.get(level.iterations, {}).values())
    ethnicities = dict.fromkeys(settings.ethnicity_iterations.get(level.iterations, {}).values())
    iterations = (*(one for race in races for one in membership.of_race(race)), *ethnicities)
    return tuple((entity, one) for entity in settings.entities[level.geography] for one in iterations)


def record_groups(
    record: Record, level: PopulationGroupLevel, settings: SafeTabSettings
) -> tuple[tuple[str, str], ...]:
    """The population groups of a level that a record is in."""
    entity = dict(record.areas).get(level.geography)
    if entity is None or entity not in settings.entities[level.geography]:
        return ()
    found = iterations_of(
        record,
        membership=MEMBERSHIPS[settings.membership],
        race_iterations=settings.race_iterations.get(level.iterations, {}),
        ethnicity_iterations=settings.ethnicity_iterations.get(level.iterations, {}),
        max_race_codes=settings.max_race_codes,
    )
    return tuple((entity, one) for one in found)


def noise_scales(level: PopulationGroupLevel, settings: SafeTabSettings) -> tuple[Fraction, Fraction]:
    """The scales of the noise of both stages: σ² = Δ²/(2ρ²), or Δ/ε for the number Δ of a record's groups."""
    most = MEMBERSHIPS[settings.membership].most(settings.max_race_codes)
    squared = CALIBRATIONS[settings.calibration](most)
    first, second = settings.stage_budgets(level)
    if settings.is_zcdp:
        return squared / (2 * first), squared / (2 * second)
    return most / first, most / second


def tallies(data: Sequence[Record], settings: SafeTabSettings) -> Iterator[Tally]:
    """The population groups of all levels with budget, in the order of the settings, empty ones too."""
    for level in settings.exact_budgets:
        members: dict[tuple[str, str], list[Record]] = defaultdict(list)
        for record in data:
            for group in record_groups(record, level, settings):
                members[group].append(record)
        scales = noise_scales(level, settings)
        statistics = settings.statistics_levels(level.table)
        for group in groups_of(level, settings):
            found = [[one.cell(record) for record in members[group]] for one in statistics]
            cells = tuple(tuple(map(given.count, one.cells)) for one, given in zip(statistics, found, strict=True))
            yield Tally(level, group, len(members[group]), cells, scales)
