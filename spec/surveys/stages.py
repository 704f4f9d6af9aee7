"""The stages of a survey as sets of runs: which data sets can come from which, and the multiverses that follow.

A run is one way in which a survey can go: a data set for each stage. Where a step depends on the stage before it alone,
the runs are the chains of a relation "can come from"; where it looks further back, as weights that are computed from
the frame do, they are fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.multiverse import Multiverse, Universe

Run = tuple[Any, ...]
"""A data set for each stage, in the order of the stages."""

Step = Callable[[Any], Iterable[Any]]
"""The data sets of the next stage that can come from one: the support of a kernel."""


class Stage(Enum):
    """A stage of the survey pipeline, by the data that it has made; in the order in which they are made.

    Source: dissertation, Definition 6.3.1, Example 6.2.2 (the augmented frame) and Figure 7.1 (the processed data).
    """

    POPULATION = "population"
    FRAME = "frame"
    AUGMENTED_FRAME = "augmented frame"
    SAMPLE = "sample"
    RESPONDING = "responding sample"
    PROCESSED = "processed data"


FOUR_STAGES = (Stage.POPULATION, Stage.FRAME, Stage.SAMPLE, Stage.RESPONDING)
"""Those of dissertation, Definition 6.3.1."""

FIVE_STAGES = (*FOUR_STAGES, Stage.PROCESSED)
"""Those of dissertation, Figure 7.1."""


@dataclass(frozen=True)
class SurveyStages:
    """A survey up to some stage: every possible run of it.

    Attributes:
        stages: the stages, earlier ones first.
        runs: the runs, distinct, in a fixed order.

    Source: dissertation, Definitions 6.3.1 and 6.3.2.

    >>> survey = SurveyStages.of_steps(FOUR_STAGES[1:3], ["ab", "bc"], [tuple])
    >>> survey.domain(Stage.SAMPLE).points, survey.primitive(Stage.SAMPLE, Stage.FRAME).compares("a", "c")
    (('a', 'b', 'c'), False)
    """

    stages: tuple[Stage, ...]
    runs: tuple[Run, ...]

    def __post_init__(self) -> None:
        order = list(Stage)
        if not self.stages or list(self.stages) != [stage for stage in order if stage in self.stages]:
            listed = ", ".join(stage.value for stage in order)
            named = ", ".join(stage.value if stage in order else repr(stage) for stage in self.stages) or "none"
            raise InputError(f"stages must be some of {listed}, each once and in this order; got {named}")
        if not self.runs:
            raise InputError("a survey must have at least one run; got none")
        for run in self.runs:
            if len(run) != len(self.stages):
                raise InputError(f"a run must have a data set for each of the {len(self.stages)} stages; got {run!r}")
            _check_hashable(run)
        object.__setattr__(self, "runs", tuple(dict.fromkeys(self.runs)))

    @classmethod
    def of_steps(cls, stages: Sequence[Stage], first: Iterable[Any], steps: Sequence[Step]) -> SurveyStages:
        """The survey whose steps depend on the stage before alone.

        Args:
            first: the possible data sets of the first stage, such as 𝒟₀^pp.
            steps: for each later stage, what can come from a data set of the stage before it.
        """
        if len(steps) != len(stages) - 1:
            raise InputError(f"steps must be one for each stage after the first, {len(stages) - 1}; got {len(steps)}")
        runs: list[Run] = [(data,) for data in first]
        for stage, before, step in zip(stages[1:], stages, steps, strict=False):
            found = {data: tuple(dict.fromkeys(step(data))) for data in dict.fromkeys(run[-1] for run in runs)}
            for data, made in found.items():
                if not made:
                    raise InputError(f"from every {before.value} some {stage.value} must come; none does from {data!r}")
            runs = [(*run, data) for run in runs for data in found[run[-1]]]
        return cls(tuple(stages), tuple(runs))

    def place(self, stage: Stage) -> int:
        """Where a stage stands in a run."""
        if stage not in self.stages:
            had = ", ".join(one.value for one in self.stages)
            raise InputError(f"stage must be one that the survey has ({had}); got {stage.value}")
        return self.stages.index(stage)

    def before(self, stage: Stage) -> tuple[Stage, ...]:
        """The earlier stages."""
        return self.stages[: self.place(stage)]

    def domain(self, stage: Stage) -> FiniteDomain:
        """𝒟₀^stage, the set of all its possible data sets.

        Source: dissertation, Definition 6.3.1.
        """
        place = self.place(stage)
        return FiniteDomain(tuple(dict.fromkeys(run[place] for run in self.runs)), name=stage.value)

    def coming_from(self, late: Stage, early: Stage) -> Mapping[Any, Universe]:
        """𝒟_x for each data set x of the early stage: the data sets of the late one that can come from it."""
        place, source = self.place(late), self.place(early)
        if source >= place:
            raise InputError(f"early must be a stage before {late.value}; got {early.value}")
        found: dict[Any, set[Any]] = {}
        for run in self.runs:
            found.setdefault(run[source], set()).add(run[place])
        return {data: frozenset(universe) for data, universe in found.items()}

    def primitive(self, late: Stage, early: Stage) -> Multiverse:
        """The primitive multiverse 𝒟_{late|early} = {𝒟_x : x ∈ 𝒟₀^early}.

        Source: dissertation, Definition 6.3.2.
        """
        return Multiverse(dict.fromkeys(self.coming_from(late, early).values()))

    def through(self, late: Stage, last: Stage) -> Multiverse:
        """The multiverse that takes all steps up to a stage as invariant: a universe for each beginning of a run.

        It is `primitive` where no step looks further back than one stage.

        Source: dissertation, section 7.2.2 and Figure 7.2 ("which share the same realization of the invariant steps").
        """
        place, end = self.place(late), self.place(last) + 1
        if end > place:
            raise InputError(f"last must be a stage before {late.value}; got {last.value}")
        found: dict[Run, set[Any]] = {}
        for run in self.runs:
            found.setdefault(run[:end], set()).add(run[place])
        return Multiverse(dict.fromkeys(map(frozenset, found.values())))


def _check_hashable(run: Run) -> None:
    try:
        hash(run)
    except TypeError:
        raise InputError(f"data sets must be hashable (tuples, not lists); got {run!r}") from None
