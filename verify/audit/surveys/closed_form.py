"""Which closed form of amplification a survey's design has, with its parameters, and the theorem that states it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.enclosure import exponential
from stirred.spec.loss import Loss
from stirred.spec.surveys.amplification import Amplification, Compared, amplification
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.audit.surveys.designs import DesignForm
from stirred.verify.audit.surveys.survey_audit import AuditedSurvey, LevelLoss
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict

__all__ = ["THEOREMS", "finite_gamma", "form_evidence", "form_of"]

THEOREMS: Mapping[tuple[DesignForm, Compared], str] = {
    (DesignForm.SIMPLE, Compared.REPLACED): "amplification.srswor_amplified",
    (DesignForm.FIXED_STRATA, Compared.REPLACED): "amplification.stratified_amplified",
    (DesignForm.INDEPENDENT, Compared.ADDED): "poisson.poisson_unbounded_dp",
}
"""The Coq theorems that state a form for all releases and all frames, as file.theorem."""

_COMPARED = {
    "hamming_unordered": Compared.REPLACED,
    "symmetric_difference": Compared.ADDED,
    "changed_units": Compared.SAME_UNITS,
}
_DIGITS = 20


def finite_gamma(loss: Loss) -> Fraction:
    """e^ε of a finite loss, rounded up where it is irrational.

    Raises:
        InputError: the loss is infinite.
    """
    if loss.gamma is None:
        raise InputError("the release loses without bound as a function of the sample")
    if loss.distance == 1:
        return loss.gamma
    return exponential(loss.epsilon(_DIGITS).upper, digits=_DIGITS).upper


def form_of(survey: AuditedSurvey, own: LevelLoss, gamma: Fraction) -> Amplification:
    """The closed form for the design on every frame of the survey.

    Raises:
        InputError: there is none, or its conditions do not hold.
    """
    form, compared = _design_form(survey), _COMPARED[survey.premetric.name]
    (design,) = survey.stages.designs
    is_own_rate = (form, compared) == (DesignForm.INDEPENDENT, Compared.ADDED)  # of the unit added, with its record
    if design.uses and not own.setting.invariant and not is_own_rate:
        raise InputError(
            f"the forms are for designs that do not depend on protected records; this one draws by "
            f"{' and '.join(design.uses)}, which no stage keeps invariant"
        )
    return amplification(form.value, gamma, compared, **_parameters(survey, form, compared))


def form_evidence(survey: AuditedSurvey, form: Amplification, sentence: str) -> Evidence:
    """A sentence on every release of the sample, by the theorem that states the form, or by the form's own argument."""
    name = THEOREMS.get((_design_form(survey), _COMPARED[survey.premetric.name]))
    granted = f"taken for granted: {'; '.join(form.conditions)}"
    if name is not None:
        return Evidence(Verdict.PROVED, f"Coq theorem {name}; {granted}", sentence)
    home = "a closed form of spec/surveys/amplification.py, compared with exact programs on small frames"
    return Evidence(Verdict.ARGUED, f"{home}; {granted}", sentence)


def _design_form(survey: AuditedSurvey) -> DesignForm:
    """The form that the survey's one design has.

    Raises:
        InputError: there are several designs, chance makes the frame, or no form is in use for the design.
    """
    designs = survey.stages.designs
    if len(designs) > 1:
        raise InputError("several designs follow one another, and the forms are for one")
    if survey.stages.is_frame_random:
        raise InputError("it is left to chance who is on the frame, and the forms are for frames of one size")
    (design,) = designs
    if design.form is None:
        raise InputError(f"none of the forms in use here is for {design.words}")
    return design.form


def _parameters(survey: AuditedSurvey, form: DesignForm, compared: Compared) -> dict[str, Any]:
    """What the form asks for: the frame's size, or the largest inclusion probability of any unit on any frame."""
    (design,) = survey.stages.designs
    frames = survey.pipeline.reached(survey.pipeline.before(Stage.SAMPLE) - 1)
    size = len(frames[0])
    if compared is Compared.SAME_UNITS or (form is DesignForm.INDEPENDENT and compared is Compared.REPLACED):
        return {}
    if form is DesignForm.SIMPLE:
        return {"size": design.parameters["size"], "frame_size": size}
    if form in (DesignForm.FIXED_ORDER, DesignForm.RANDOM_ORDER):
        return {"step": design.parameters["step"], "frame_size": size}
    if form is DesignForm.CLUSTERS:
        clusters, cluster_size = _shape(frames, design.parameters["cluster"])
        return {"number": design.parameters["number"], "clusters": clusters, "cluster_size": cluster_size}
    return {"rate": max(rate for frame in frames for rate in survey.inclusion(frame).values())}


def _shape(frames: tuple[UnitData, ...], cluster: Any) -> tuple[int, int]:
    """How many clusters every frame has, and how many units each of them.

    Raises:
        InputError: they differ.
    """
    sizes = {tuple(sorted(Counter(cluster(record) for _, record in frame).values())) for frame in frames}
    (first, *others) = sorted(sizes)
    if others or len(set(first)) > 1:
        shown = f"{first} and {others[0]}" if others else str(first)
        raise InputError(
            f"the form in use is for clusters of one size, the same on every frame; here sizes are {shown}"
        )
    return len(first), first[0]
