"""What amplification may be claimed for a survey, by a closed form whose conditions are checked, and what may not."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from spec.arguments import InputError
from spec.enclosure import exponential
from spec.loss import Loss
from spec.surveys.amplification import Amplification, Compared, amplification
from spec.surveys.settings import SurveySetting
from spec.surveys.stages import Stage
from verify.audit.surveys.shared_sample import joint_loss, known_unit_loss
from verify.audit.surveys.survey_audit import AuditedSurvey, LevelLoss, gamma_text
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict

__all__ = ["claimable"]

_COMPARED = {
    "hamming_unordered": Compared.REPLACED,
    "symmetric_difference": Compared.ADDED,
    "changed_units": Compared.SAME_UNITS,
}
_FORMS = {
    "simple-random-sample": "simple random sample",
    "bernoulli": "Poisson sample",
    "poisson": "Poisson sample",
    "stratified": "stratified sample of fixed sizes",
    "systematic": "systematic sample in a fixed order",
}
_DIGITS = 20

Named = tuple[str, Evidence]


def claimable(survey: AuditedSurvey, own: LevelLoss) -> Iterator[Named]:
    """What may be claimed, and what may not with the reason, each under its name.

    Args:
        survey: the survey.
        own: the loss of its setting.

    Raises:
        EngineError: the exact loss is above a closed form whose conditions hold.
    """
    stages = survey.pipeline.stages
    scope = "dissertation, sections 6.4.1, 6.4.2 and 6.5.1"
    if Stage.SAMPLE not in stages:
        yield "amplification", Evidence(Verdict.EXHAUSTED, scope, "none: the survey draws no sample")
        return
    if stages.index(own.setting.level) >= stages.index(Stage.SAMPLE):
        yield "amplification", Evidence(Verdict.EXHAUSTED, "dissertation, Table 6.3", _outside(own))
        if own.setting.level is Stage.PROCESSED:
            yield _of_respondents(survey, own)
        return
    if why := survey.refusal(_agnostic(survey, Stage.SAMPLE)):
        yield "amplification", Evidence(Verdict.OPEN, scope, f"not computed: {why}")
        return
    sample = survey.loss(_agnostic(survey, Stage.SAMPLE))
    try:
        form = _form(survey, own, _gamma(sample.loss))
    except InputError as error:
        yield (
            "amplification",
            Evidence(
                Verdict.EXHAUSTED, scope, f"no closed form may be claimed, only the exact loss {own.loss}: {error}"
            ),
        )
    else:
        _check(own, form)
        yield "amplification", _may(own, sample, form)
        yield from _not_of_the_noise(survey, own)
    yield from _never(survey, own, sample)


def _outside(own: LevelLoss) -> str:
    return (
        f"none may be claimed: the mechanism starts with the {own.setting.level.value}, so that no sample is drawn "
        "inside it; who was sampled is its input"
    )


def _of_respondents(survey: AuditedSurvey, own: LevelLoss) -> Named:
    """What a budget for processed records is not: one for the answers that they were made from."""
    stages = survey.pipeline.stages
    setting = _agnostic(survey, stages[stages.index(Stage.PROCESSED) - 1])
    if why := survey.refusal(setting):
        return "not-claimed.respondents", Evidence(Verdict.OPEN, "dissertation, section 7.2.2", f"not computed: {why}")
    before = survey.loss(setting)
    sentence = (
        f"{own.loss} is about records as processed: about a record of the {before.setting.level.value}, by which "
        f"others may be processed, the loss is {before.loss}"
    )
    return "not-claimed.respondents", Evidence(Verdict.EXHAUSTED, "dissertation, section 7.2.2", sentence)


def _agnostic(survey: AuditedSurvey, level: Stage) -> SurveySetting:
    """The setting of a level where nothing is invariant."""
    return next(one for one in survey.settings if one.level is level and not one.invariant)


def _gamma(loss: Loss) -> Fraction:
    """e^ε of a finite loss, rounded up where it is irrational.

    Raises:
        InputError: the loss is infinite.
    """
    if loss.gamma is None:
        raise InputError("the release loses without bound as a function of the sample")
    if loss.distance == 1:
        return loss.gamma
    return exponential(loss.epsilon(_DIGITS).upper, digits=_DIGITS).upper


def _form(survey: AuditedSurvey, own: LevelLoss, gamma: Fraction) -> Amplification:
    """The closed form for the design on every frame of the survey.

    Raises:
        InputError: there is none, or its conditions do not hold.
    """
    designs = survey.stages.designs
    if len(designs) > 1:
        raise InputError("several designs follow one another, and the forms are for one")
    if survey.stages.is_frame_random:
        raise InputError("it is left to chance who is on the frame, and the forms are for frames of one size")
    (design,) = designs
    words = _FORMS.get(design.name)
    if words is None or "by Neyman" in design.words:
        raise InputError(f"there is none for {design.words}")
    compared = _COMPARED[survey.premetric.name]
    is_own_rate = words == "Poisson sample" and compared is Compared.ADDED  # of the unit that is added, with its record
    if design.uses and not own.setting.invariant and not is_own_rate:
        raise InputError(
            f"the forms are for designs that do not depend on protected records; this one draws by "
            f"{' and '.join(design.uses)}, which no stage keeps invariant"
        )
    if design.name == "systematic" and "in a random order" in design.words:
        words = "systematic sample in a random order"
    return amplification(words, gamma, compared, **_parameters(survey, words))


def _parameters(survey: AuditedSurvey, words: str) -> dict[str, Any]:
    """What the form asks for: the frame's size, or the largest inclusion probability of any unit on any frame."""
    compared, (design,) = _COMPARED[survey.premetric.name], survey.stages.designs
    frames = survey.pipeline.reached(survey.pipeline.before(Stage.SAMPLE) - 1)
    size = len(frames[0])
    if compared is Compared.SAME_UNITS or (words == "Poisson sample" and compared is Compared.REPLACED):
        return {}
    if words == "simple random sample":
        return {"size": design.parameters["size"], "frame_size": size}
    if words.startswith("systematic"):
        return {"step": design.parameters["step"], "frame_size": size}
    return {"rate": max(rate for frame in frames for rate in survey.inclusion(frame).values())}


def _check(own: LevelLoss, form: Amplification) -> None:
    if not own.loss <= Loss(form.gamma):
        raise EngineError(f"the exact loss {own.loss} is above {Loss(form.gamma)}, which the closed form allows")


def _may(own: LevelLoss, sample: LevelLoss, form: Amplification) -> Evidence:
    claim = Loss(form.gamma)
    rounded = "" if sample.loss.distance == 1 else f" (rounded up at {_DIGITS} digits)"
    sentence = (
        f"{claim} may be claimed: gamma' = {form.formula}, with gamma = {gamma_text(sample.loss)} of the release as a "
        f"function of the sample{rounded}; exact here: {own.loss}"
    )
    return Evidence(
        Verdict.EXHAUSTED, f"for this population; taken for granted: {'; '.join(form.conditions)}", sentence
    )


def _not_of_the_noise(survey: AuditedSurvey, own: LevelLoss) -> Iterator[Named]:
    """The form with the budget of the noise alone, where what precedes the noise makes it wrong."""
    alone, statistic = survey.pipeline.release.alone, survey.pipeline.release.statistic
    stages = survey.pipeline.stages
    last = stages[-1]
    if alone is None or statistic is None or last is Stage.SAMPLE or survey.refusal(_agnostic(survey, last)):
        return
    processed = survey.loss(_agnostic(survey, last))
    if processed.changed is None:
        return
    change = processed.changed.value
    nominal = alone.times(None if change is None else change / statistic.unit)
    try:
        form = _form(survey, own, _gamma(nominal))
    except InputError:
        return
    claim = Loss(form.gamma)
    if own.loss <= claim:
        return
    sentence = (
        f"{claim} must not be claimed, the same form at {nominal}, the budget of the noise on processed data: the "
        f"exact loss {own.loss} is above it, since one record can change what others are processed to"
    )
    yield "not-claimed.noise-alone", Evidence(Verdict.EXHAUSTED, "every pair of this setting", sentence)


def _never(survey: AuditedSurvey, own: LevelLoss, sample: LevelLoss) -> Iterator[Named]:
    """What no form gives, whatever the design."""
    known = known_unit_loss(survey)
    sentence = (
        f"{own.setting}: about the record of a unit that is known to be in the sample the loss is {known}, all other "
        "records being the same"
    )
    yield (
        "not-claimed.known-unit",
        Evidence(Verdict.EXHAUSTED, "every pair of this setting and unit; dissertation, section 6.5.1", sentence),
    )
    both, twice = joint_loss(survey), own.loss.times(2)
    if both is not None:
        is_bound = "which is a bound here" if both <= twice else "which is too little"
        sentence = (
            f"two such releases of one sample lose {both} together; two losses of one release make {twice}, "
            f"{is_bound}: add what releases lose as functions of the sample, {sample.loss} each, then amplify"
        )
        yield "not-claimed.shared-sample", Evidence(Verdict.EXHAUSTED, "every pair of this setting", sentence)
    if Stage.RESPONDING in survey.pipeline.stages:
        sentence = (
            "the loss counts on these probabilities of response: where they are estimated, none of it may be claimed"
        )
        yield "not-claimed.response", Evidence(Verdict.ARGUED, "dissertation, section 6.4.2", sentence)
