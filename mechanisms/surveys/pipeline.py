"""A survey as steps from stage to stage that compose: one program, which starts at any stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.source import Source
from spec.arguments import InputError
from spec.surveys.stages import Run, Stage, SurveyStages

__all__ = ["SurveyStep", "check_steps", "survey", "survey_run", "survey_stages"]


@dataclass(frozen=True)
class SurveyStep:
    """One step of a survey.

    Attributes:
        name: what messages call it.
        before: the stage whose data it takes.
        after: the later stage whose data it makes; None where it makes the release.
        program: `program(data, source)`, or `program(data, source, *earlier)` where it uses earlier stages too.
        uses: stages before `before` whose data it takes as well, as weights do that are computed from the frame.
    """

    name: str
    before: Stage
    after: Stage | None
    program: Callable[..., Any]
    uses: tuple[Stage, ...] = ()


def check_steps(steps: Sequence[SurveyStep]) -> None:
    """Refuse steps that cannot follow one another.

    Raises:
        InputError: there is no step; or one does not take what the step before it made, does not lead to a later stage,
            or uses a stage that is not among the earlier ones of the survey.

    >>> draw = SurveyStep("draw", Stage.FRAME, Stage.SAMPLE, lambda frame, source: frame[:1])
    >>> check_steps([draw, SurveyStep("print", Stage.FRAME, None, lambda frame, source: frame)])
    Traceback (most recent call last):
    spec.arguments.InputError: step 'print' must take the sample, which step 'draw' makes; it takes the frame
    """
    if not steps:
        raise InputError("steps must hold at least one; got none")
    for last, step in zip([None, *steps], steps, strict=False):
        if last is not None and step.before != last.after:
            raise InputError(
                f"step {step.name!r} must take the {_name(last.after)}, which step {last.name!r} makes; "
                f"it takes the {_name(step.before)}"
            )
        if _place(step.after) <= _place(step.before):
            raise InputError(f"step {step.name!r} must lead from the {_name(step.before)} on; got {_name(step.after)}")
    for number, step in enumerate(steps):
        earlier = [one.before for one in steps[:number]]
        for used in step.uses:
            if used not in earlier:
                raise InputError(
                    f"step {step.name!r} must use stages before the {_name(step.before)} that the survey has "
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

    Args:
        data: those of the stage at which it starts.
        source: the source of randomness.
        steps: all steps of the survey, in order.
        start: the stage at which it starts; unless given, the first one.
        given: data of stages before the start that later steps use; they are held fixed, and so are invariant.

    Raises:
        InputError: the steps cannot follow one another, none takes the start, data are given of a stage that is not
            before it, or a step uses an earlier stage of which none are given.

    Source: dissertation, section 6.3 (a mechanism could start at any point along the pipeline).
    """
    check_steps(steps)
    first, later = _from_start(steps, start)
    known: dict[Stage | None, Any] = {}
    for stage, fixed in (given or {}).items():
        if _place(stage) >= _place(first):
            raise InputError(f"given must be of stages before the {_name(first)}; got {_name(stage)}")
        known[stage] = fixed
    run = [data]
    for step in later:
        known[step.before] = run[-1]
        for used in step.uses:
            if used not in known:
                raise InputError(
                    f"step {step.name!r} uses the {_name(used)}, which a survey that starts at the {_name(first)} does "
                    "not have: start earlier, or give it as fixed"
                )
        run.append(step.program(run[-1], source, *(known[used] for used in step.uses)))
    return tuple(run)


def _from_start(steps: Sequence[SurveyStep], start: Stage | None) -> tuple[Stage, Sequence[SurveyStep]]:
    """The stage at which a survey starts, and the steps from there on."""
    places = [step.before for step in steps]
    first = places[0] if start is None else start
    if first not in places:
        raise InputError(
            f"start must be a stage that a step takes ({', '.join(map(_name, places))}); got {_name(first)}"
        )
    return first, steps[places.index(first) :]


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
        start: the stage at which it starts; unless given, the first one.
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
        start: the stage at which it starts; unless given, the first one.
        given: data of stages before the start that later steps use.

    Raises:
        InputError: as `survey_run` does, or there is no data set.
    """
    check_steps(steps)
    first, later = _from_start(steps, start)
    kept = [step for step in steps if step.after is not None]
    stages = (first, *(step.after for step in later if step.after is not None))
    if len(stages) == 1:
        return SurveyStages(stages, tuple((data,) for data in data_sets))
    laws = [exact_law(survey_run, data, steps=kept, start=first, given=given) for data in data_sets]
    return SurveyStages(stages, tuple(run for law in laws for run in law))
