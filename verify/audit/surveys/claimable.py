"""What amplification may be claimed for a survey, by a closed form whose conditions are checked, and what may not."""

from __future__ import annotations

from collections.abc import Iterator

from stirred.spec.arguments import InputError
from stirred.spec.loss import Loss
from stirred.spec.surveys.amplification import Amplification
from stirred.spec.surveys.settings import SurveySetting
from stirred.spec.surveys.stages import Stage
from stirred.verify.audit.surveys.closed_form import finite_gamma, form_evidence, form_of
from stirred.verify.audit.surveys.shared_sample import joint_loss, known_unit_loss
from stirred.verify.audit.surveys.survey_audit import AuditedSurvey, LevelLoss, gamma_text
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict

__all__ = ["claimable"]

Named = tuple[str, Evidence]

_CHANCE = "amplification is by chance in who is drawn (dissertation, section 6.4.1)"
_TABLE = "what Table 6.3 of the dissertation says of settings that start with the sample or later"
_KNOWN = "every pair of this setting and unit; section 6.5.1 of the dissertation says it of any survey"
_FORMS = "the closed forms of spec/surveys/amplification.py, and what they ask of a design"


def claimable(survey: AuditedSurvey, own: LevelLoss) -> Iterator[Named]:
    """What may be claimed, and what may not with the reason, each under its name.

    Args:
        survey: the survey.
        own: the loss of its setting.

    Raises:
        EngineError: the exact loss is above a closed form whose conditions hold.
    """
    stages = survey.pipeline.stages
    if Stage.SAMPLE not in stages:
        yield "amplification", Evidence(Verdict.ARGUED, _CHANCE, "none: the survey draws no sample")
        return
    if stages.index(own.setting.level) >= stages.index(Stage.SAMPLE):
        yield "amplification", Evidence(Verdict.ARGUED, _TABLE, _outside(own))
        if own.setting.level is Stage.PROCESSED:
            yield _of_respondents(survey, own)
        return
    if why := survey.refusal(_agnostic(survey, Stage.SAMPLE)):
        yield "amplification", Evidence(Verdict.OPEN, _CHANCE, f"not computed: {why}")
        return
    sample = survey.loss(_agnostic(survey, Stage.SAMPLE))
    try:
        form = form_of(survey, own, finite_gamma(sample.loss))
    except InputError as error:
        sentence = f"no closed form may be claimed, only the exact loss {own.loss}: {error}"
        yield "amplification", Evidence(Verdict.ARGUED, _FORMS, sentence)
    else:
        _check(own, form)
        yield "amplification", _may(survey, sample, form)
        here = f"exact here: {own.loss}, and the form allows {Loss(form.gamma)}"
        yield "amplification-here", Evidence(Verdict.EXHAUSTED, "every pair of this setting, for this release", here)
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
    return "not-claimed.respondents", Evidence(
        Verdict.EXHAUSTED,
        "every pair of both settings; what section 7.2.2 tells apart",
        sentence,
    )


def _agnostic(survey: AuditedSurvey, level: Stage) -> SurveySetting:
    """The setting of a level where nothing is invariant."""
    return next(one for one in survey.settings if one.level is level and not one.invariant)


def _check(own: LevelLoss, form: Amplification) -> None:
    if not own.loss <= Loss(form.gamma):
        raise EngineError(f"the exact loss {own.loss} is above {Loss(form.gamma)}, which the closed form allows")


def _may(survey: AuditedSurvey, sample: LevelLoss, form: Amplification) -> Evidence:
    rounded = "" if sample.loss.distance == 1 else ", rounded up"
    sentence = (
        f"{Loss(form.gamma)} may be claimed: gamma' = {form.formula}, with gamma = {gamma_text(sample.loss)} of the "
        f"release as a function of the sample{rounded}"
    )
    return form_evidence(survey, form, sentence)


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
        form = form_of(survey, own, finite_gamma(nominal))
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
    yield "not-claimed.known-unit", Evidence(Verdict.EXHAUSTED, _KNOWN, sentence)
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
        yield "not-claimed.response", Evidence(Verdict.ARGUED, "what section 6.4.2 of the dissertation says", sentence)
