"""What a survey file's release loses: in its own setting, exactly, and in every other one for comparison."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from stirred.mechanisms.surveys.inclusion import inclusion_in_law
from stirred.spec.arguments import InputError, positive_integer, shown, suggestion
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import Distance, InputPremetric, hamming_unordered, symmetric_difference
from stirred.spec.blocks.multiverse import vacuous
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Multiplicative
from stirred.spec.surveys.settings import SurveySetting, settings_of
from stirred.spec.surveys.stages import Stage, SurveyStages
from stirred.spec.surveys.unit_data import UnitData, changed_units
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.surveys.sensitivity import Sensitivity, sensitivity
from stirred.verify.engines.universe_pairs import BlockPairs
from stirred.verify.laws.claim.claim import Vacuity, listed_vacuity
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.foreign import Limits
from stirred.verify.laws.surveys.pipeline import Pipeline, populations, steps_before
from stirred.verify.laws.surveys.release import SurveyRelease, joint, read_releases
from stirred.verify.laws.surveys.stages import ReadStages, read_stages
from stirred.verify.laws.surveys.stated import PipelineStep, changed_by, epsilon_above
from stirred.verify.laws.surveys.survey_file import SurveyFile, pairs


@dataclass(frozen=True)
class Calibration:
    """What released totals are fitted to.

    Attributes:
        margins: by variable of the cells, how many units of the population have each value.
    """

    counts: str
    margins: Mapping[str, Mapping[Any, Fraction]]


def read_calibration(block: Block, releases: Sequence[SurveyRelease]) -> Calibration:
    """The calibration of a file."""
    counts = {one.label: one.statistic.cells for one in releases if one.statistic and one.statistic.kind == "count"}
    chosen = block.text("counts")
    if chosen not in counts:
        hint = suggestion(chosen, tuple(counts)) if counts else "the file has none"
        raise block.refuse("counts", f"must be the label of a count with noise, got {chosen!r}; {hint}")
    given, cells = block.table("totals"), counts[chosen]
    margins: dict[str, dict[Any, Fraction]] = {}
    for name in given.values:
        if name not in cells:
            hint = suggestion(name, tuple(cells)) if cells else f"{chosen!r} has no cells"
            raise InputError(f"{given.where(name)}: must be a variable of the cells; {hint}")
        margins[name] = pairs(given, name, _count)
        if set(margins[name]) != set(cells[name]):
            raise given.refuse(name, f"must have a total for each of {list(cells[name])} and no other value")
    if not margins:
        raise block.refuse("totals", "must have at least one variable; got none")
    sums = {name: sum(margin.values(), Fraction(0)) for name, margin in margins.items()}
    if len(set(sums.values())) > 1:
        shown = ", ".join(f"{name}: {total}" for name, total in sums.items())
        raise block.refuse("totals", f"must add up to one population size; got {shown}")
    return Calibration(chosen, margins)


def _count(place: str, value: Any) -> Fraction:
    return Fraction(positive_integer(place, value))


# How data sets whose records have units are compared: the distances that a survey file names, on sets of pairs.


@lru_cache(maxsize=2**16)
def _pairs(data: UnitData) -> frozenset[object]:
    return frozenset(data)


def _replaced(first: UnitData, second: UnitData) -> Distance:
    """d_HamS: no pair (unit, record) stands twice in a data set, so that multisets are sets."""
    return len(_pairs(first) - _pairs(second)) if len(first) == len(second) else None


def _added(first: UnitData, second: UnitData) -> Distance:
    """d_SymDiff of sets."""
    return len(_pairs(first) ^ _pairs(second))


_DISTANCES: Mapping[str, Callable[[str], InputPremetric]] = {
    "hamming_unordered": lambda unit: replace(hamming_unordered(unit), distance=_replaced),
    "symmetric_difference": lambda unit: replace(symmetric_difference(unit), distance=_added),
    "changed_units": changed_units,
}


def read_distance(block: Block) -> InputPremetric:
    """The premetric that a protection table names."""
    return _DISTANCES[block.one_of("distance", tuple(_DISTANCES))](block.text("resolution"))


STAGES = {
    "population": Stage.POPULATION,
    "frame": Stage.FRAME,
    "sample": Stage.SAMPLE,
    "response": Stage.RESPONDING,
    "processed": Stage.PROCESSED,
}
_NOTHING = "nothing"
_MOST_PAIRS = 600_000
"""Pairs of data sets that share a universe, up to which a setting is computed."""

_QUICK_PAIRS = 300_000
"""Pairs of data sets of a level, up to which settings are computed that are there for comparison alone."""


@dataclass(frozen=True)
class ReadSurvey:
    """What a file says, every key of it checked, before anything is enumerated.

    Attributes:
        stated: the stage of whose data a run states what is lost: that setting's, or the sample.
        spends: what imputation releases for its own use loses; None where there is no bound.
    """

    file: SurveyFile
    stages: ReadStages
    setting: SurveySetting
    premetric: InputPremetric
    stated: Stage
    releases: tuple[SurveyRelease, ...]
    spends: Fraction | None
    calibration: Calibration | None

    @property
    def shares(self) -> Mapping[str, Fraction] | None:
        """What a run states that each part loses on data of any size; None where one has no bound."""
        own = {"imputation": self.spends} if self.spends else {}
        parts = own | {release.label: release.epsilon for release in self.releases}
        found = {label: epsilon for label, epsilon in parts.items() if epsilon is not None}
        return found if len(found) == len(parts) and self.spends is not None else None

    def after(self, stage: Stage) -> tuple[PipelineStep, ...]:
        """The steps that lead on from the data of a stage."""
        return self.stages.steps[steps_before(self.stages.steps, stage) :]


@dataclass(frozen=True)
class LevelLoss:
    """The smallest budget of one setting.

    Attributes:
        pairs: how many pairs of data sets share a universe at a finite distance.
        worst: the pair that needs it; None where none needs any.
        changed: how much the statistic changes for each unit of distance, at most: ∞ at distance 0, and no number where
            it is no function of the data that the mechanism takes.
    """

    setting: SurveySetting
    flavor: Flavor
    pairs: int
    vacuity: Vacuity
    loss: Loss
    worst: tuple[Any, Any] | None
    changed: Sensitivity | None


@dataclass
class AuditedSurvey:
    """A survey whose stages and release are built, with the laws that have been asked for."""

    read: ReadSurvey
    pipeline: Pipeline
    _surveys: dict[Stage, SurveyStages] = field(default_factory=dict)
    _losses: dict[SurveySetting, LevelLoss] = field(default_factory=dict)
    _laws: dict[Stage, Mapping[UnitData, Law[Any]]] = field(default_factory=dict)

    @cached_property
    def settings(self) -> tuple[SurveySetting, ...]:
        """All settings that the survey has, earlier levels first."""
        return settings_of(self.pipeline.stages)

    def agnostic(self, level: Stage) -> SurveySetting:
        """The setting of a level where nothing is invariant."""
        return next(one for one in self.settings if one.level is level and not one.invariant)

    def is_quick(self, setting: SurveySetting) -> bool:
        """Whether it is the survey's own setting, or has few enough data sets to be computed for comparison."""
        return setting == self.read.setting or self._pairs(setting.level) <= _QUICK_PAIRS

    def refusal(self, setting: SurveySetting) -> str:
        """Why a setting is not computed; empty where it can be."""
        count = self._pairs(setting.level)
        if count > _MOST_PAIRS and setting.invariant:
            count = sum(map(_unordered, self.flavor(setting).multiverse))
        if count <= _MOST_PAIRS:
            return ""
        return (
            f"{setting}: {count} pairs of data sets share a universe there, more than {_MOST_PAIRS} for an exact "
            "answer: use fewer units or values"
        )

    def _pairs(self, level: Stage) -> int:
        """How many pairs of data sets a level has."""
        return _unordered(self.pipeline.reached(self.pipeline.before(level)))

    def survey(self, level: Stage) -> SurveyStages:
        """The runs up to a stage."""
        if level not in self._surveys:
            self._surveys[level] = self.pipeline.survey_up_to(level)
        return self._surveys[level]

    def laws(self, level: Stage) -> Mapping[UnitData, Law[Any]]:
        """The law of the release on every data set of a stage."""
        if level not in self._laws:
            self._laws[level] = self.pipeline.laws(level)
        return self._laws[level]

    def flavor(self, setting: SurveySetting) -> Flavor:
        """Pure differential privacy in a setting: 𝒟_{level|stage} of the last invariant stage, or one universe."""
        survey = self.survey(setting.level)
        points = survey.domain(setting.level).points
        domain = FiniteDomain(points, f"data sets of the {setting.level.value} level")
        multiverse = survey.primitive(setting.level, setting.invariant[-1]) if setting.invariant else vacuous(domain)
        return Flavor(domain, multiverse, self.read.premetric, Multiplicative())

    def loss(self, setting: SurveySetting) -> LevelLoss:
        """The smallest budget of a setting."""
        if setting not in self._losses:
            if why := self.refusal(setting):
                raise InputError(f"{self.read.file.path}: {why}")
            flavor = self.flavor(setting)
            pairs = BlockPairs(flavor)
            laws, every = self.laws(setting.level), len(flavor.domain)
            compared = ComparedLaws(laws, flavor, few=every, pairs=pairs)
            loss, worst = compared.largest_need(flavor.multiverse)
            changed = self._changed(setting.level, flavor)
            self._losses[setting] = LevelLoss(
                setting, flavor, pairs.count(), listed_vacuity(flavor, pairs), loss, worst, changed
            )
        return self._losses[setting]

    def inclusion(self, frame: UnitData) -> Mapping[Any, Fraction]:
        """The inclusion probability of each unit of a frame."""
        return inclusion_in_law(self.pipeline.kernel(self.pipeline.before(Stage.SAMPLE) - 1)[frame], frame)

    def values(self, level: Stage) -> Mapping[UnitData, Fraction] | None:
        """The statistic as a function of the data of a stage; None where what follows leaves it to chance."""
        statistic = self.pipeline.release.statistic
        if statistic is None:
            return None
        return self.pipeline.function_of(level, statistic.query)

    def _changed(self, level: Stage, flavor: Flavor) -> Sensitivity | None:
        values = self.values(level)
        if values is None:
            return None
        return sensitivity(values.__getitem__, flavor.multiverse, self.read.premetric)


def _unordered(points: Collection[UnitData]) -> int:
    return len(points) * (len(points) - 1) // 2


def gamma_text(loss: Loss) -> str:
    """e^ε of a loss as a person reads it.

    >>> gamma_text(Loss(Fraction(3, 2))), gamma_text(Loss(2, 2)), gamma_text(Loss(None))
    ('3/2', '(2)^(1/2)', 'infinite')
    """
    if loss.gamma is None:
        return "infinite"
    return shown(loss.gamma) if loss.distance == 1 else f"({shown(loss.gamma)})^(1/{loss.distance})"


def check_survey(file: SurveyFile) -> ReadSurvey:
    """The stages, releases and setting of a file."""
    stages = read_stages(file)
    found = tuple(dict.fromkeys([Stage.POPULATION, *(step.stage for step in stages.steps)]))
    setting = _setting(file.protection, found)
    is_drawn = Stage.SAMPLE in found and found.index(setting.level) < found.index(Stage.SAMPLE)
    stated, premetric = Stage.SAMPLE if is_drawn else setting.level, read_distance(file.protection)
    changed = changed_by(stages.steps[steps_before(stages.steps, stated) :], premetric.name)
    folder = file.path.resolve().parent
    releases = read_releases(file.mechanisms, stages.layout, folder, is_weighted=stages.is_weighted, changed=changed)
    calibration = None if file.calibration is None else read_calibration(file.calibration, releases)
    spends = epsilon_above(changed.spends)
    return ReadSurvey(file, stages, setting, premetric, stated, releases, spends, calibration)


def build_survey(file: SurveyFile, limits: Limits) -> AuditedSurvey:
    """The survey of a file, every key of it checked."""
    read = check_survey(file)
    pipeline = Pipeline(populations(file), file.layout, read.stages.steps, joint(read.releases), limits)
    return AuditedSurvey(read, pipeline)


def _setting(block: Block, stages: tuple[Stage, ...]) -> SurveySetting:
    level = STAGES[block.one_of("starts", tuple(STAGES))]
    if level not in stages:
        known = ", ".join(name for name, stage in STAGES.items() if stage in stages)
        raise block.refuse("starts", f"must be a stage that the survey has ({known}); got {block.text('starts')!r}")
    name = block.one_of("invariant", (_NOTHING, *STAGES))
    if name == _NOTHING:
        return next(one for one in settings_of(stages) if one.level is level and not one.invariant)
    invariant = STAGES[name]
    if invariant not in stages or stages.index(invariant) >= stages.index(level):
        before = ", ".join(
            [_NOTHING, *(key for key, stage in STAGES.items() if stage in stages[: stages.index(level)])]
        )
        raise block.refuse("invariant", f"must be a stage before the mechanism starts ({before}); got {name!r}")
    return next(one for one in settings_of(stages) if one.level is level and one.invariant[-1:] == (invariant,))
