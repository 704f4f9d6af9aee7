"""Weighted samples: which of a survey's weights stay as they are between compared samples, and what totals change by.

A weighted sample is a data set of units whose records are pairs (record, weight): the weight is no part of what is
compared, since nobody changes his own by another answer, but it enters every estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.surveys.designs import select
from mechanisms.surveys.inclusion import inclusion
from spec.arguments import Exact
from spec.input_premetric import Distance, InputPremetric, hamming_unordered
from spec.multiverse import Multiverse, vacuous
from spec.surveys.settings import SurveySetting, settings_of
from spec.surveys.stages import Stage, SurveyStages
from spec.surveys.unit_data import UnitData
from verify.engines.surveys.sensitivity import Query, Sensitivity, sensitivity

__all__ = [
    "ChangedWeight",
    "WeightRow",
    "changed_weight",
    "sample_distance",
    "settings_at",
    "weight_table",
    "weighted_samples",
]


def weighted_samples(
    design: Callable[..., tuple[Any, ...]], frame: UnitData, **parameters: Any
) -> tuple[UnitData, ...]:
    """The samples of probability above 0 with their design weights: the records are (𝔣_i, 1/π_i).

    Raises:
        InputError: the design refuses the frame or the parameters, or its probabilities are not known in closed form.

    Source: dissertation, sections 6.2.4 and 6.3 (𝒟_𝔣 = {𝔰 : τ_𝔣(𝒰(𝔰)) > 0}).

    >>> from mechanisms.surveys.designs import simple_random_sample
    >>> weighted_samples(simple_random_sample, (("a", 0), ("b", 1)), size=1)
    ((('a', (0, Fraction(2, 1))),), (('b', (1, Fraction(2, 1))),))
    """
    rates = inclusion(design, frame, **parameters)
    drawn = sorted(exact_law(design, frame, **parameters))
    samples = (select(frame, tuple(dict.fromkeys(sample))) for sample in drawn)
    return tuple(tuple((unit, (record, 1 / rates[unit])) for unit, record in sample) for sample in samples)


def sample_distance(resolution: str) -> InputPremetric:
    """How many records of weighted samples differ, whatever their weights; ∞ between samples of different sizes.

    A unit that is exchanged for another is one record. Where nothing but weights differs the distance is 1: some record
    outside the sample did.

    Source: dissertation, section 6.4.5 (the Hamming distance between samples).
    """
    apart = hamming_unordered(resolution)

    def distance(first: UnitData, second: UnitData) -> Distance:
        records = (tuple((unit, record) for unit, (record, _) in sample) for sample in (first, second))
        differing = apart(*records)
        return None if differing is None else max(1, differing)

    return InputPremetric("sample_distance", resolution, distance)


@dataclass(frozen=True)
class ChangedWeight:
    """A unit with two weights in two samples that are compared."""

    unit: Any
    weights: tuple[Fraction, Fraction]
    samples: tuple[UnitData, UnitData]

    def __str__(self) -> str:
        return f"unit {self.unit!r} has the weights {self.weights[0]} and {self.weights[1]}"


def changed_weight(multiverse: Multiverse, premetric: InputPremetric) -> ChangedWeight | None:
    """The first unit whose weight is not the same in two comparable samples; None where weights may be taken as fixed.

    The nearest samples come first.
    """
    found = (
        (distance, one, other)
        for universe in multiverse
        for one, other in combinations(sorted(universe, key=repr), 2)
        if (distance := premetric(one, other)) is not None
    )
    for _, one, other in sorted(found, key=lambda pair: pair[0]):
        weights = {unit: weight for unit, (_, weight) in one}
        for unit, (_, weight) in other:
            if weights.get(unit, weight) != weight:
                return ChangedWeight(unit, (weights[unit], weight), (one, other))
    return None


def settings_at(survey: SurveyStages, level: Stage) -> Mapping[SurveySetting, Multiverse]:
    """The settings of a survey whose mechanism starts at a stage, with their universes.

    These are everything that is possible, or what can come from one data set of the last invariant stage.

    Raises:
        InputError: the survey does not have the stage.

    Source: dissertation, Definitions 6.3.2 and 6.3.3.
    """
    everything = vacuous(survey.domain(level))
    return {
        setting: survey.primitive(level, setting.invariant[-1]) if setting.invariant else everything
        for setting in settings_of(survey.stages)
        if setting.level is level
    }


@dataclass(frozen=True)
class WeightRow:
    """A row of the table.

    Attributes:
        setting: the setting.
        changed: a unit whose weight changes; None where weights may be treated as fixed.
        sensitivity: Δ of the Horvitz-Thompson total, with the samples that attain it.
    """

    setting: SurveySetting
    changed: ChangedWeight | None
    sensitivity: Sensitivity

    @property
    def is_fixed(self) -> bool:
        """Whether weights may be treated as fixed."""
        return self.changed is None

    def __str__(self) -> str:
        weights = "weights are fixed" if self.changed is None else str(self.changed)
        value = "∞" if self.sensitivity.value is None else self.sensitivity.value
        return f"{self.setting}: {weights}; sensitivity {value}"


def weight_table(
    settings: Mapping[SurveySetting, Multiverse], value: Callable[[Any], Exact], *, resolution: str = "person"
) -> tuple[WeightRow, ...]:
    """For each setting whether weights may be treated as fixed, and the sensitivity of the Horvitz-Thompson total.

    Args:
        settings: the universes of weighted samples by setting, such as `settings_at` has them.
        value: x, the variable of a record whose total Σ w·x is estimated.
        resolution: what one record is.

    Source: dissertation, Table 6.2 and section 6.4.5.
    """
    premetric = sample_distance(resolution)

    def total(sample: UnitData) -> Fraction:
        return sum((weight * value(record) for _, (record, weight) in sample), Fraction(0))

    estimate: Query = total
    return tuple(
        WeightRow(setting, changed_weight(multiverse, premetric), sensitivity(estimate, multiverse, premetric))
        for setting, multiverse in settings.items()
    )
