"""The two stages of SafeTab: a noisy count decides which statistics level of a population group gets the rest."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from stirred.mechanisms.das.safetab.groups import Record
from stirred.mechanisms.das.safetab.settings import PopulationGroupLevel, SafeTabSettings
from stirred.mechanisms.das.safetab.statistics import TOTAL
from stirred.mechanisms.das.safetab.tally import Tally, tallies
from stirred.mechanisms.draws.unbounded_draw import Draw
from stirred.mechanisms.noise.discrete_gaussian import discrete_laplace
from stirred.mechanisms.source import Source
from stirred.spec.arguments import Exact
from stirred.spec.laws.discrete_gaussian import quantile


class NoisyStatistic(NamedTuple):
    """A released count: an integer, which may be negative, with the scale of its noise.

    Attributes:
        group: the entity and the iteration.
        cell: a cell of the statistics level that stage 1 chose.
        scale: of its noise, as in `Tally`.
    """

    level: PopulationGroupLevel
    group: tuple[str, str]
    cell: str
    value: int | Draw
    scale: Fraction


def _noisy(count: int, scale: Fraction, source: Source, *, is_zcdp: bool) -> int | Draw:
    return count + (source.discrete_gaussian(scale) if is_zcdp else discrete_laplace(source, scale))


def statistics_level(tally: Tally, source: Source, settings: SafeTabSettings) -> int:
    """Stage 1: the place of the statistics level by the first threshold that a noisy count is below."""
    noisy = _noisy(tally.total, tally.scales[0], source, is_zcdp=settings.is_zcdp)
    thresholds = settings.thresholds[: len(tally.cells) - 1]
    return next((place for place, threshold in enumerate(thresholds) if noisy < threshold), len(thresholds))


def safetab(data: Sequence[Record], source: Source, *, settings: SafeTabSettings) -> tuple[NoisyStatistic, ...]:
    """SafeTab on a multiset of persons (SafeTab-P) or of households (SafeTab-H): the counts of stage 2.

    For each population group stage 1 adds noise to the number of its records; the thresholds below it decide the
    statistics level, whose cells stage 2 counts with noise of its own, zeros included. Stage 1's count is not released.
    No data set is refused: a record that no group or cell has a place for is counted nowhere.

    Source: the published settings of SafeTab-P and SafeTab-H; what they leave open is in `mechanisms.das.safetab`.

    >>> from stirred.mechanisms.interpreters.sampling import sample
    >>> settings = SafeTabSettings(
    ...     {"privacy_budget_p_level_1_usa": 1}, {"usa": ("usa",)}, {"1": {"102": "North"}}, membership="alone"
    ... )
    >>> [(one.group, one.cell, str(one.scale)) for one in sample(safetab, (), seed=1, settings=settings)]
    [(('usa', 'North alone'), 'total', '10/9')]
    """
    released = []
    for tally in tallies(data, settings):
        place = statistics_level(tally, source, settings)
        cells = settings.statistics_levels(tally.level.table)[place].cells
        for cell, count in zip(cells, tally.cells[place], strict=True):
            noisy = _noisy(count, tally.scales[1], source, is_zcdp=settings.is_zcdp)
            released.append(NoisyStatistic(tally.level, tally.group, cell, noisy, tally.scales[1]))
    return tuple(released)


def suppressed(released: Iterable[NoisyStatistic], *, zero_suppression_chance: Exact) -> tuple[NoisyStatistic, ...]:
    """Released counts of zCDP without the totals that a zero stays below with the published chance: post-processing.

    A total is kept where it is above the smallest k with P(X ≤ k) ≥ chance, X the noise.
    """
    return tuple(
        one for one in released if one.cell != TOTAL or one.value > quantile(one.scale, zero_suppression_chance)
    )


def nonnegative_counts(released: Iterable[NoisyStatistic]) -> tuple[NoisyStatistic, ...]:
    """Released counts with 0 for negative ones, as where allow_negative_counts is false: post-processing."""
    return tuple(one._replace(value=max(int(one.value), 0)) for one in released)
