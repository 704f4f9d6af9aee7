"""The settings of a survey's protection: at which stage the mechanism starts, and what is invariant before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.surveys.stages import Stage, SurveyStages


def completed(blocks: InputBlocks) -> Multiverse:
    """𝒟̄ = {𝒟 ∩ [𝔡] : 𝒟 ∈ 𝒟, 𝔡 ∈ 𝒟} with [𝔡] = {𝔡' : d(𝔡, 𝔡') < ∞}: universes cut to what d connects to each point.

    Source: dissertation, Definition 6.2.10.
    """
    d = blocks.input_premetric
    parts = (
        frozenset(other for other in universe if d(point, other) is not None)
        for universe in blocks.multiverse
        for point in universe
    )
    return Multiverse(dict.fromkeys(parts))


def is_complete(blocks: InputBlocks) -> bool:
    """Whether all data sets that share a universe are at finite distances.

    Source: dissertation, Definition 6.2.8.
    """
    d = blocks.input_premetric
    return all(d(x, y) is not None for universe in blocks.multiverse for x in universe for y in universe)


@dataclass(frozen=True)
class SurveySetting:
    """A setting: the stage whose data the mechanism takes, and the earlier stages that are invariant.

    Attributes:
        level: where the mechanism starts.
        invariant: the invariant stages: all of the survey's up to some stage before the level, or none.
        agnostic: the other stages before the level; of the first stage, where nothing is before it, the stage itself.

    Source: dissertation, Definitions 6.3.1 and 6.3.3, Table 6.1.
    """

    level: Stage
    invariant: tuple[Stage, ...]
    agnostic: tuple[Stage, ...]

    def __str__(self) -> str:
        """The setting in the words of Table 6.1.

        >>> str(SurveySetting(Stage.SAMPLE, (Stage.POPULATION,), (Stage.FRAME,)))
        'sample level, population invariant, frame agnostic'
        """
        invariant = [f"{stage.value} invariant" for stage in self.invariant]
        return ", ".join([f"{self.level.value} level", *invariant, *(f"{one.value} agnostic" for one in self.agnostic)])


def settings_of(stages: Sequence[Stage]) -> tuple[SurveySetting, ...]:
    """All settings of a survey with these stages: k at its k-th stage; ten for four stages, fifteen for five.

    Source: dissertation, Table 6.1.

    >>> from stirred.spec.surveys.stages import FIVE_STAGES, FOUR_STAGES
    >>> len(settings_of(FOUR_STAGES)), len(settings_of(FIVE_STAGES))
    (10, 15)
    """
    return tuple(
        _setting(level, stages[:place], fixed) for place, level in enumerate(stages) for fixed in range(place + 1)
    )


def _setting(level: Stage, before: Sequence[Stage], fixed: int) -> SurveySetting:
    """The setting where the first `fixed` stages before the level are invariant."""
    return SurveySetting(level, tuple(before[:fixed]), tuple(before[fixed:]) if before else (level,))


def invariant_stages(survey: SurveyStages, blocks: InputBlocks, level: Stage) -> tuple[Stage, ...]:
    """The earlier stages that are invariant: 𝒟̄ ≤ 𝒟_{level|stage}, each part inside what one data set gives.

    Source: dissertation, Definition 6.3.3.
    """
    parts = completed(blocks)
    return tuple(stage for stage in survey.before(level) if parts.refines(survey.primitive(level, stage)))


def shared_stages(survey: SurveyStages, blocks: InputBlocks, level: Stage) -> tuple[Stage, ...]:
    """The earlier stages of which every pair of comparable data sets shares one data set that both can come from.

    The text after Definition 6.3.3 explains invariance so. It is weaker: three data sets may be shared by pairs alone.

    Source: dissertation, section 6.3, after Definition 6.3.3, and Definition 6.2.9.
    """
    pairs = list(_compared(blocks))
    sources = {stage: survey.primitive(level, stage) for stage in survey.before(level)}
    return tuple(stage for stage, shared in sources.items() if all(shared.compares(x, y) for x, y in pairs))


def _compared(blocks: InputBlocks) -> Iterator[tuple[Any, Any]]:
    """The unordered pairs of comparable data sets (Definition 6.2.9)."""
    points = blocks.domain.points
    return ((x, y) for i, x in enumerate(points) for y in points[:i] if blocks.comparable(x, y))


@dataclass(frozen=True)
class FoundSetting:
    """Which setting a flavor is in, in two readings of invariance.

    Attributes:
        setting: by Definition 6.3.3, whose universes must lie in what one earlier data set gives.
        by_pairs: by the text that explains it, which asks this of each pair of comparable data sets.
        compares_nothing: whether no two data sets are comparable: then every stage before is invariant, and nothing is
            protected.
    """

    setting: SurveySetting
    by_pairs: SurveySetting
    compares_nothing: bool

    @property
    def readings_agree(self) -> bool:
        """Whether both say the same."""
        return self.setting == self.by_pairs

    def __str__(self) -> str:
        """The setting, with the other reading where it differs, and whether nothing is compared."""
        other = "" if self.readings_agree else f"; pair by pair: {self.by_pairs}"
        return f"{self.setting}{other}{'; no two data sets are compared' if self.compares_nothing else ''}"


def setting_of(survey: SurveyStages, blocks: InputBlocks, *, level: Stage | None = None) -> FoundSetting:
    """The setting of a domain with its multiverse and premetric.

    Args:
        level: where the mechanism starts, if two stages have the same possible data sets, as with full response.

    Source: dissertation, Definitions 6.3.1 and 6.3.3.
    """
    stage = _level_of(survey, blocks, level)
    return FoundSetting(
        _fitting(survey, stage, invariant_stages(survey, blocks, stage)),
        _fitting(survey, stage, shared_stages(survey, blocks, stage)),
        compares_nothing=not any(True for _ in _compared(blocks)),
    )


def _level_of(survey: SurveyStages, blocks: InputBlocks, level: Stage | None) -> Stage:
    """The stage whose possible data sets are the domain."""
    points = frozenset(blocks.domain.points)
    asked = survey.stages if level is None else (survey.stages[survey.place(level)],)
    possible = {stage: frozenset(survey.domain(stage).points) for stage in asked}
    found = [stage for stage in asked if possible[stage] == points]
    if not found:
        sizes = ", ".join(f"{len(possible[stage])} of the {stage.value} stage" for stage in asked)
        raise InputError(f"domain must be all possible data sets of a stage ({sizes}); got {len(points)} other ones")
    if len(found) > 1:
        both = " and ".join(stage.value for stage in found)
        raise InputError(f"level must be named where stages have the same possible data sets, as {both} have here")
    (stage,) = found
    return stage


def _fitting(survey: SurveyStages, level: Stage, kept: Sequence[Stage]) -> SurveySetting:
    """The setting with these invariant stages."""
    before = survey.before(level)
    for stage in before[: len(kept)]:
        if stage not in kept:
            raise InputError(
                f"invariance must reach back to the first stage to be a setting; {kept[-1].value} is invariant and "
                f"{stage.value} is not: a step looks further back"
            )
    return _setting(level, before, len(kept))
