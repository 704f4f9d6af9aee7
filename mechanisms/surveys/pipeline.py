"""A survey as steps from stage to stage that compose: one program, which starts at any stage."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.frames import checked_units
from stirred.spec.arguments import InputError
from stirred.spec.surveys.stages import Run, Stage, SurveyStages
from stirred.spec.surveys.unit_data import UnitData


@dataclass(frozen=True)
class SurveyStep:
    """One step of a survey.

    Attributes:
        name: what messages call it.
        before: the stage whose data it takes.
        after: the stage whose data it makes, a later one or the same; None where it makes the release.
        program: `program(data, source)`, or `program(data, source, *earlier)` where it uses earlier stages too.
        uses: stages before `before` whose data it takes as well, as weights do that are computed from the frame.

    Raises:
        InputError: what it joins or uses is no stage.
    """

    name: str
    before: Stage
    after: Stage | None
    program: Callable[..., Any]
    uses: tuple[Stage, ...] = ()

    def __post_init__(self) -> None:
        named: tuple[object, ...] = (self.before, *self.uses, *([] if self.after is None else [self.after]))
        for stage in named:
            if not isinstance(stage, Stage):
                raise InputError(f"step {self.name!r} must join stages, each a Stage; got {stage!r}")


def check_steps(steps: Sequence[SurveyStep]) -> None:
    """Refuse steps that cannot follow one another.

    Raises:
        InputError: there is no step; or one does not take what the step before it made, leads back, or uses a stage
            that is not among the earlier ones of the survey.

    >>> draw = SurveyStep("draw", Stage.FRAME, Stage.SAMPLE, lambda frame, source: frame[:1])
    >>> check_steps([draw, SurveyStep("print", Stage.FRAME, None, lambda frame, source: frame)])
    Traceback (most recent call last):
    stirred.spec.arguments.InputError: step 'print' must take the sample, which step 'draw' makes; it takes the frame
    """
    if not steps:
        raise InputError("steps must hold at least one; got none")
    for last, step in zip([None, *steps], steps, strict=False):
        if last is not None and step.before != last.after:
            raise InputError(
                f"step {step.name!r} must take the {_name(last.after)}, which step {last.name!r} makes; "
                f"it takes the {_name(step.before)}"
            )
        if _place(step.after) < _place(step.before):
            raise InputError(f"step {step.name!r} must lead from the {_name(step.before)} on; got {_name(step.after)}")
    for number, step in enumerate(steps):
        earlier = [one for one in dict.fromkeys(step.before for step in steps[:number]) if one != step.before]
        for used in step.uses:
            if used not in earlier:
                raise InputError(
                    f"step {step.name!r} must use earlier stages of the survey "
                    f"({', '.join(map(_name, earlier)) or 'none'}); got {_name(used)}"
                )


def _name(stage: Stage | None) -> str:
    return "release" if stage is None else stage.value


def _place(stage: Stage | None) -> int:
    return len(Stage) if stage is None else list(Stage).index(stage)


def survey_run(
    data: Any,
    source: Source,
    *,
    steps: Sequence[SurveyStep],
    start: Stage | None = None,
    given: Mapping[Stage, Any] | None = None,
) -> Run:
    """One run of a survey: the data of each stage from the start on, and the release where there is one.

    Of a stage at which several steps stay, these are the data that the last of them makes.

    Args:
        data: those of the stage at which it starts.
        source: the source of randomness.
        steps: all steps of the survey, in order.
        start: the stage at which it starts, with the steps that lead on from it; unless given, all steps are taken.
        given: data of stages before the start that later steps use; they are held fixed, and so are invariant.

    Raises:
        InputError: the steps cannot follow one another, none leads on from the start, data are given of a stage that
            is not before it, a step uses an earlier stage of which none are given, or a stage up to the responding
            sample has units that the one before it has not.

    Source: dissertation, section 6.3 (a mechanism could start at any point along the pipeline).
    """
    check_steps(steps)
    first, later = _from_start(steps, start)
    return _run(data, source, first=first, later=later, given=given)


def _run(
    data: Any, source: Source, *, first: Stage, later: Sequence[SurveyStep], given: Mapping[Stage, Any] | None
) -> Run:
    known: dict[Stage | None, Any] = {}
    for stage, fixed in (given or {}).items():
        if _place(stage) >= _place(first):
            raise InputError(f"given must be of stages before the {_name(first)}; got {_name(stage)}")
        known[stage] = fixed
    run: dict[Stage | None, Any] = {first: data}
    for step in later:
        for used in step.uses:
            if used not in known and used not in run:
                raise InputError(
                    f"step {step.name!r} uses the {_name(used)}, which a survey that starts at the {_name(first)} does "
                    "not have: start earlier, or give it as fixed"
                )
        earlier = [run[used] if used in run else known[used] for used in step.uses]
        made = step.program(run[step.before], source, *earlier)
        _check_units(step, run[step.before], made)
        run[step.after] = made
    return tuple(run.values())


def _from_start(steps: Sequence[SurveyStep], start: Stage | None) -> tuple[Stage, Sequence[SurveyStep]]:
    """The stage at which a survey starts, and the steps from there on."""
    if start is None:
        return steps[0].before, steps
    leaving = [number for number, step in enumerate(steps) if step.before == start != step.after]
    if not leaving:
        places = ", ".join(_name(step.before) for step in steps if step.before != step.after)
        raise InputError(f"start must be a stage that a step leads on from ({places}); got {_name(start)}")
    return start, steps[leaving[0] :]


def _check_units(step: SurveyStep, taken: UnitData, made: UnitData) -> None:
    """Refuse a frame, a sample or a responding sample with units that the stage before does not have."""
    if step.after is None or _place(step.after) > _place(Stage.RESPONDING):
        return
    had = set(checked_units(f"the {_name(step.before)}", taken))
    for unit in checked_units(f"the {_name(step.after)}", made):
        if unit not in had:
            raise InputError(
                f"step {step.name!r} must make a {_name(step.after)} of units of the {_name(step.before)}; got {unit!r}"
            )


def survey(
    data: Any,
    source: Source,
    *,
    steps: Sequence[SurveyStep],
    start: Stage | None = None,
    given: Mapping[Stage, Any] | None = None,
) -> Any:
    """A survey as one mechanism: what its last step makes from the data of the stage at which it starts.

    Args:
        data: those of the stage at which it starts.
        source: the source of randomness.
        steps: all steps of the survey, in order.
        start: the stage at which it starts, with the steps that lead on from it; unless given, all steps are taken.
        given: data of stages before the start that later steps use; they are held fixed, and so are invariant.

    Raises:
        InputError: as `survey_run` does.
    """
    return survey_run(data, source, steps=steps, start=start, given=given)[-1]


def survey_stages(
    data_sets: Iterable[Any],
    *,
    steps: Sequence[SurveyStep],
    start: Stage | None = None,
    given: Mapping[Stage, Any] | None = None,
) -> SurveyStages:
    """Every possible run of a survey on some data sets, from which its domains and multiverses follow.

    Args:
        data_sets: the possible ones of the stage at which it starts.
        steps: all steps of the survey, in order; a release is left out.
        start: the stage at which it starts, with the steps that lead on from it; unless given, all steps are taken.
        given: data of stages before the start that later steps use.

    Raises:
        InputError: as `survey_run` does, or there is no data set.
    """
    check_steps(steps)
    first, later = _from_start(steps, start)
    kept = [step for step in later if step.after is not None]
    stages = tuple(dict.fromkeys([first, *(step.after for step in kept if step.after is not None)]))
    laws = [exact_law(_run, data, first=first, later=kept, given=given) for data in data_sets]
    return SurveyStages(stages, tuple(run for law in laws for run in law))
