"""A survey as kernels between its stages: every possible run, and the exact law of the release from any stage on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any

from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.laws.law import Law, Probability
from stirred.spec.surveys.stages import Stage, SurveyStages
from stirred.spec.surveys.unit_data import UnitData, unit_data
from stirred.verify.engines.exhaustive import mechanism_laws
from stirred.verify.evidence.process_control.workload import part
from stirred.verify.laws.foreign import Limits
from stirred.verify.laws.surveys.release import SurveyRelease
from stirred.verify.laws.surveys.stated import PipelineStep
from stirred.verify.laws.surveys.survey_file import Layout, SurveyFile

_BEFORE_ANSWERS = (Stage.POPULATION, Stage.FRAME, Stage.SAMPLE)
_MOST_DATA_SETS = 20_000
_MOST_RUNS = 500_000


def followed(steps: Sequence[PipelineStep], data: UnitData, source: Source) -> UnitData:
    """What some steps, one after another, make of data."""
    for step in steps:
        data = step.program(data, source)
    return data


def steps_before(steps: Sequence[PipelineStep], stage: Stage) -> int:
    """How many of the steps lead to the data of a stage."""
    stages = [step.stage for step in steps]
    return 0 if stage is Stage.POPULATION else len(stages) - stages[::-1].index(stage)


def populations(survey: SurveyFile) -> tuple[UnitData, ...]:
    """Every population: a record of the schema for each unit."""
    records = list(product(*survey.layout.values.values()))
    size = len(records) ** len(survey.units)
    if size > _MOST_DATA_SETS:
        raise InputError(
            f"{survey.path}: population must have at most {_MOST_DATA_SETS} data sets for an exact answer; "
            f"{len(records)} records for each of {len(survey.units)} units make {size}: use fewer units or values"
        )
    chosen = product(records, repeat=len(survey.units))
    return tuple(unit_data(dict(zip(survey.units, one, strict=True))) for one in chosen)


@dataclass
class Pipeline:
    """The steps of a survey with what they can lead to."""

    populations: tuple[UnitData, ...]
    layout: Layout
    steps: tuple[PipelineStep, ...]
    release: SurveyRelease
    limits: Limits
    _kernels: dict[int, dict[UnitData, Law[UnitData]]] = field(default_factory=dict)
    _released: dict[UnitData, Law[Any]] = field(default_factory=dict)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that it has, the population first."""
        return tuple(dict.fromkeys([Stage.POPULATION, *(step.stage for step in self.steps)]))

    def before(self, stage: Stage) -> int:
        """How many steps lead to the data of a stage."""
        return steps_before(self.steps, stage)

    def kernel(self, number: int) -> dict[UnitData, Law[UnitData]]:
        """The law of a step on every data set that can reach it."""
        if number not in self._kernels:
            step = self.steps[number]
            points = self.reached(number)
            found: dict[UnitData, Law[UnitData]] = {}
            with part(step.words, len(points)) as done:
                for point in points:
                    try:
                        laws = mechanism_laws(step.program, FiniteDomain((point,)), choice_budget=self.limits.choices)
                    except InputError as error:
                        raise InputError(f"{step.place}: {error}") from None
                    found.update(laws)
                    done.advance()
            self._kernels[number] = found
        return self._kernels[number]

    def reached(self, number: int) -> tuple[UnitData, ...]:
        """The data sets that some steps lead to."""
        if number == 0:
            return self.populations
        found = tuple(dict.fromkeys(data for law in self.kernel(number - 1).values() for data in law))
        if len(found) > _MOST_DATA_SETS:
            place = self.steps[number - 1].place
            raise InputError(
                f"{place} must lead to at most {_MOST_DATA_SETS} data sets for an exact answer; it leads to "
                f"{len(found)}: use fewer units or values"
            )
        return found

    def survey_up_to(self, level: Stage) -> SurveyStages:
        """Every run up to a stage: of the stages before it what registers hold, of it the data themselves."""
        stages = self.stages[: self.stages.index(level) + 1]
        runs: dict[tuple[tuple[Any, ...], UnitData], None] = {((), data): None for data in self.populations}
        for stage, following in pairwise(stages):
            ahead: dict[tuple[tuple[Any, ...], UnitData], None] = {}
            for past, data in runs:
                for after in self._ahead(self.before(stage), self.before(following), data):
                    ahead[(*past, self._held(stage, data)), after] = None
            if len(ahead) > _MOST_RUNS:
                raise InputError(
                    f"{self.steps[self.before(following) - 1].place} must leave at most {_MOST_RUNS} runs of the "
                    f"survey for an exact answer; it leaves {len(ahead)}: use fewer units or values"
                )
            runs = ahead
        return SurveyStages(stages, tuple((*past, data) for past, data in runs))

    def _ahead(self, first: int, last: int, data: UnitData) -> tuple[UnitData, ...]:
        """What can come of a data set by some steps."""
        found: Sequence[UnitData] = (data,)
        for number in range(first, last):
            kernel = self.kernel(number)
            found = tuple(dict.fromkeys(after for one in found for after in kernel[one]))
        return tuple(found)

    def _held(self, stage: Stage, data: UnitData) -> UnitData:
        """What an invariant stage fixes: answers are part of the data from the responding sample on."""
        if stage not in _BEFORE_ANSWERS:
            return data
        return tuple((unit, self.layout.known(record)) for unit, record in data)

    def laws(self, level: Stage) -> dict[UnitData, Law[Any]]:
        """The exact law of the release on every data set of a stage."""
        if not self._released:
            self._released.update(self.release.laws(self.reached(len(self.steps)), self.limits))
        return self._mixtures(self.before(level), len(self.steps), self._released)

    def mixtures(self, level: Stage, later: Stage, ahead: Mapping[UnitData, Law[Any]]) -> dict[UnitData, Law[Any]]:
        """The law on every data set of a stage of an output that has these laws on the data of a later stage."""
        return self._mixtures(self.before(level), self.before(later), ahead)

    def _mixtures(self, first: int, last: int, ahead: Mapping[UnitData, Law[Any]]) -> dict[UnitData, Law[Any]]:
        for number in reversed(range(first, last)):
            ahead = {data: _mixed(law, ahead) for data, law in self.kernel(number).items()}
        return {data: ahead[data] for data in self.reached(first)}

    def function_of(self, level: Stage, query: Callable[[UnitData], Any]) -> dict[UnitData, Any] | None:
        """A function of processed data as one of a stage's data; None where what follows leaves it to chance."""
        first = self.before(level)
        ahead = {data: query(data) for data in self.reached(len(self.steps))}
        for number in reversed(range(first, len(self.steps))):
            found = {data: {ahead[after] for after in law} for data, law in self.kernel(number).items()}
            if any(len(values) > 1 for values in found.values()):
                return None
            ahead = {data: next(iter(values)) for data, values in found.items()}
        return {data: ahead[data] for data in self.reached(first)}


def _mixed(law: Law[UnitData], ahead: Mapping[UnitData, Law[Any]]) -> Law[Any]:
    mass: dict[Any, Probability] = {}
    for data, weight in law.items():
        for outcome, share in ahead[data].items():
            mass[outcome] = mass.get(outcome, 0) + weight * share
    return Law(mass)
