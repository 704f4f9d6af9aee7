"""The settings of a survey's protection: at which stage the mechanism starts, and what is invariant before it."""

from collections.abc import Sequence
from dataclasses import dataclass

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
