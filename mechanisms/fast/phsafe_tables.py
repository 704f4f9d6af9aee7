"""From counts by state, iteration and cell to the released tables: zeros, levels, noise, and the published columns."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from stirred.mechanisms.das.phsafe.algorithms import Measurement, groups_of
from stirred.mechanisms.das.phsafe.published import CELL_NUMBERS
from stirred.mechanisms.das.phsafe.statements import CubeRow
from stirred.mechanisms.das.phsafe.tabulations import runs
from stirred.mechanisms.fast.phsafe_settings import NoiseLaw, RunSettings
from stirred.mechanisms.fast.random_words import keyed_words


class PublishedCount(NamedTuple):
    """A row of a released table, in the published columns; the variance is exact or the nearest double."""

    region_id: str
    region_type: str
    iteration: str
    cell: int
    value: int
    variance: Fraction


def measured(table: str, cube: Iterable[CubeRow], settings: RunSettings) -> list[Measurement]:
    """The counts of a run before their noise, zeros included, in the order of the program."""
    rows = list(cube)
    cells = runs()[table].cells
    found = []
    for level, budget in settings.budgets[table].items():
        if budget == 0:
            continue
        geography, iterations = level.split("_", 1)
        counted: Counter[tuple[str, str, str]] = Counter()
        for row in rows:
            iteration = {"A-G": row.major, "H,I": row.ethnic, "*": "*"}[iterations]
            counted[row.state if geography == "state" else "usa", iteration, cells[row.place]] += row.rows
        scale = settings.scale(table, level)
        found += [
            Measurement(table, level, group, cell, counted[(*group, cell)], scale)
            for group in groups_of(level, settings.states)
            for cell in cells
        ]
    return found


def noisy(counts: Sequence[Measurement], settings: RunSettings, key: bytes) -> list[PublishedCount]:
    """The counts of one run with noise, each level's from a part of the run's randomness of its own."""
    table = counts[0].table
    number = dict(zip(runs()[table].cells, CELL_NUMBERS[table], strict=True))
    released = []
    for one, more in zip(counts, _noise(counts, settings, key), strict=True):
        entity, iteration = one.group
        region = ("1", "USA") if entity == "usa" else (entity, "STATE")
        variance = settings.noise.variance(one.sigma_squared)
        released.append(PublishedCount(*region, iteration, number[one.cell], one.rows + more, variance))
    return released


def _noise(counts: Sequence[Measurement], settings: RunSettings, key: bytes) -> list[int]:
    drawn: list[int] = []
    for level in dict.fromkeys(one.level for one in counts):
        of_level = [one for one in counts if one.level == level]
        table, scale, size = of_level[0].table, of_level[0].sigma_squared, len(of_level)
        words = keyed_words(key, f"PHSafe {table} {level}".encode())
        drawn += settings.noise.draw(scale, size, words).tolist() if scale else [0] * size
    return drawn


def with_derived(table: str, counts: Sequence[PublishedCount]) -> dict[str, list[PublishedCount]]:
    """The tables that come of one run: itself, and PH5_num of PH4 or PH8_num of PH7 (PHSafe, section 3.2)."""
    if table == "PH4":
        return {"PH4": list(counts), "PH5_num": list(counts)}
    if table != "PH7":
        return {table: list(counts)}
    owner, renter = CELL_NUMBERS["PH8_num"]
    mortgage, clear, rented = CELL_NUMBERS["PH7"]
    place = {mortgage: owner, clear: owner, rented: renter}
    sums: dict[tuple[str, str, str, int], tuple[int, Fraction]] = {}
    for one in counts:
        group = (*one[:3], place[one.cell])
        count, variance = sums.get(group, (0, Fraction(0)))
        sums[group] = (count + one.value, variance + one.variance)
    return {"PH7": list(counts), "PH8_num": [PublishedCount(*group, *total) for group, total in sums.items()]}


def published_text(table: str, counts: Iterable[PublishedCount], noise: NoiseLaw) -> str:
    """A released table as the published program writes it: fields apart by |, and a header.

    PH2 and PH6 have no iterations, and no column for them.

    >>> print(published_text("PH2", [PublishedCount("1", "USA", "*", 3, -4, Fraction(1, 8))], NoiseLaw.ZCDP), end="")
    REGION_ID|REGION_TYPE|PH2_DATA_CELL|COUNT|NOISE_DISTRIBUTION|VARIANCE
    1|USA|3|-4|Discrete Gaussian|0.125
    """
    has_iterations = table not in ("PH2", "PH6")
    header = ["REGION_ID", "REGION_TYPE", "ITERATION_CODE", f"{table.upper()}_DATA_CELL"]
    lines = [[*header, "COUNT", "NOISE_DISTRIBUTION", "VARIANCE"]]
    lines += [[*map(str, one[:5]), noise.value, _decimal(one.variance)] for one in counts]
    kept = lines if has_iterations else [[*line[:2], *line[3:]] for line in lines]
    return "".join("|".join(line) + "\n" for line in kept)


def _decimal(variance: Fraction) -> str:
    """The nearest double without an exponent."""
    return np.format_float_positional(float(variance), trim="-")
