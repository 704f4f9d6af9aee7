"""What amplification may be claimed for a survey, by a closed form whose conditions are checked, and what may not."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import ZERO, Loss
from stirred.spec.laws.law import Law, product
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.surveys.amplification import Amplification, Compared, amplification
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData, units
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.surveys.posteriors import known_in_sample
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.process_control.workload import part
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.surveys.designs import DesignForm, NamedDesign
from stirred.verify.laws.surveys.survey_audit import AuditedSurvey, LevelLoss, ReadSurvey, gamma_text

# Which closed form of amplification a survey's design has, with its parameters, and the theorem that states it.

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
    """e^ε of a finite loss, rounded up where it is irrational."""
    if loss.gamma is None:
        raise InputError("the release loses without bound as a function of the sample")
    if loss.distance == 1:
        return loss.gamma
    return exponential(loss.epsilon(_DIGITS).upper, digits=_DIGITS).upper


def form_of(survey: AuditedSurvey, gamma: Fraction) -> Amplification:
    """The closed form for the design on every frame of the survey."""
    _design_form(survey.read)
    frames = survey.pipeline.reached(survey.pipeline.before(Stage.SAMPLE) - 1)
    return closed_form(survey.read, gamma, frames, survey.inclusion)


def closed_form(
    read: ReadSurvey, gamma: Fraction, frames: Sequence[Any], inclusion: Callable[[Any], Mapping[Any, Fraction]]
) -> Amplification:
    """The closed form for the design on some frames, of a release that loses ln γ as a function of the sample."""
    form, compared = _design_form(read), _COMPARED[read.premetric.name]
    (design,) = read.stages.designs
    is_own_rate = (form, compared) == (DesignForm.INDEPENDENT, Compared.ADDED)  # of the unit added, with its record
    if design.uses and not read.setting.invariant and not is_own_rate:
        raise InputError(
            f"the forms are for designs that do not depend on protected records; this one draws by "
            f"{' and '.join(design.uses)}, which no stage keeps invariant"
        )
    return amplification(form.value, gamma, compared, **_parameters(design, form, compared, frames, inclusion))


def form_evidence(survey: AuditedSurvey, form: Amplification, sentence: str) -> Evidence:
    """A sentence on every release of the sample, by the theorem that states the form, or by the form's own argument."""
    name = THEOREMS.get((_design_form(survey.read), _COMPARED[survey.read.premetric.name]))
    granted = f"taken for granted: {'; '.join(form.conditions)}"
    if name is not None:
        return Evidence(Verdict.PROVED, f"Coq theorem {name}; {granted}", sentence)
    home = "a closed form of spec/surveys/amplification.py, compared with exact programs on small frames"
    return Evidence(Verdict.ARGUED, f"{home}; {granted}", sentence)


def _design_form(read: ReadSurvey) -> DesignForm:
    """The form that the survey's one design has."""
    designs = read.stages.designs
    if len(designs) > 1:
        raise InputError("there are several designs in a row, and the forms are for one")
    if read.stages.is_frame_random:
        raise InputError("the frame is random, and the forms are for frames of one size")
    (design,) = designs
    if design.form is None:
        raise InputError(f"there is no form for {design.words}")
    return design.form


def _parameters(
    design: NamedDesign,
    form: DesignForm,
    compared: Compared,
    frames: Sequence[Any],
    inclusion: Callable[[Any], Mapping[Any, Fraction]],
) -> dict[str, Any]:
    """The form's parameters: the frame's size, or the largest inclusion probability of any unit on any frame."""
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
    return {"rate": max(rate for frame in frames for rate in inclusion(frame).values())}


def _shape(frames: Sequence[UnitData], cluster: Any) -> tuple[int, int]:
    """How many clusters every frame has, and how many units each of them."""
    sizes = {tuple(sorted(Counter(cluster(record) for _, record in frame).values())) for frame in frames}
    (first, *others) = sorted(sizes)
    if others or len(set(first)) > 1:
        shown = f"{first} and {others[0]}" if others else str(first)
        raise InputError(f"the form is for clusters of one size, the same on every frame; here sizes are {shown}")
    return len(first), first[0]


# What a secret sample hides: the loss where a unit is known to be in it, and that of two releases of one sample.

_MOST_OUTCOMES, _MOST_DATA_SETS = 100, 500


def known_unit_loss(survey: AuditedSurvey) -> Loss:
    """The largest loss about the record of a unit that is known to be in the sample, in the survey's own setting.

    It compares the laws of the release given that the unit is in the sample, of data sets of the level that share a
    universe and differ in this unit's record alone.

    Source: dissertation, section 6.5.1.
    """
    flavor, released = survey.flavor(survey.read.setting), survey.laws(Stage.SAMPLE)
    samples = {sample: Law({sample: Fraction(1)}) for sample in released}
    drawn = survey.pipeline.mixtures(survey.read.setting.level, Stage.SAMPLE, samples)
    largest = ZERO
    with part("known units", len(flavor.multiverse)) as done:
        for universe in flavor.multiverse:
            inside = {data: drawn[data] for data in universe}
            for unit in sorted({unit for data in universe for unit in units(data)}):
                having = {data: law for data, law in inside.items() if unit in units(data)}
                largest = max(largest, Loss(known_in_sample(having, released, unit)))
            done.advance()
    return largest


def joint_loss(survey: AuditedSurvey) -> Loss | None:
    """The loss of two releases of one sample together, each drawn for itself; None where there is too much to compare.

    Source: dissertation, section 6.5.2.
    """
    level, released = survey.read.setting.level, survey.laws(Stage.SAMPLE)
    outcomes = {outcome for law in released.values() for outcome in law}
    flavor = survey.flavor(survey.read.setting)
    if len(outcomes) > _MOST_OUTCOMES or len(flavor.domain) > _MOST_DATA_SETS:
        return None
    both = survey.pipeline.mixtures(level, Stage.SAMPLE, {s: product(law, law) for s, law in released.items()})
    loss, _ = ComparedLaws(both, flavor, few=len(flavor.domain)).largest_need(flavor.multiverse)
    found: Loss = loss
    return found


Named = tuple[str, Evidence]

_CHANCE = "amplification is by chance in who is drawn (dissertation, section 6.4.1)"
_TABLE = "what Table 6.3 of the dissertation says of settings that start with the sample or later"
_KNOWN = "every pair of this setting and unit; section 6.5.1 of the dissertation states it for any survey"
_FORMS = "the closed forms of spec/surveys/amplification.py, and their conditions on a design"


def claimable(survey: AuditedSurvey, own: LevelLoss) -> Iterator[Named]:
    """What may be claimed, and what may not with the reason, each under its name."""
    stages = survey.pipeline.stages
    if Stage.SAMPLE not in stages:
        yield "amplification", Evidence(Verdict.ARGUED, _CHANCE, "none: the survey draws no sample")
        return
    if stages.index(own.setting.level) >= stages.index(Stage.SAMPLE):
        sentence = (
            f"none may be claimed: the mechanism starts with the {own.setting.level.value}, so no sample is drawn in "
            "it; who was sampled is its input"
        )
        yield "amplification", Evidence(Verdict.ARGUED, _TABLE, sentence)
        if own.setting.level is Stage.PROCESSED:
            yield _of_respondents(survey, own)
        return
    if why := survey.refusal(survey.agnostic(Stage.SAMPLE)):
        yield "amplification", Evidence(Verdict.OPEN, _CHANCE, f"not computed: {why}")
        return
    sample = survey.loss(survey.agnostic(Stage.SAMPLE))
    try:
        form = form_of(survey, finite_gamma(sample.loss))
    except InputError as error:
        sentence = f"no closed form may be claimed, only the exact loss {own.loss}: {error}"
        yield "amplification", Evidence(Verdict.ARGUED, _FORMS, sentence)
    else:
        allowed = Loss(form.gamma)
        if not own.loss <= allowed:
            raise EngineError(f"the exact loss {own.loss} is above {allowed}, which the closed form allows")
        rounded = "" if sample.loss.distance == 1 else ", rounded up"
        sentence = (
            f"{allowed} may be claimed: gamma' = {form.formula}, with gamma = {gamma_text(sample.loss)} of the release "
            f"as a function of the sample{rounded}"
        )
        yield "amplification", form_evidence(survey, form, sentence)
        here = f"exact here: {own.loss}, and the form allows {allowed}"
        yield "amplification-here", Evidence(Verdict.EXHAUSTED, "every pair of this setting, for this release", here)
        yield from _not_of_the_noise(survey, own)
    yield from _never(survey, own, sample)


def _of_respondents(survey: AuditedSurvey, own: LevelLoss) -> Named:
    """What a budget for processed records is not: one for the answers that they were made from."""
    stages = survey.pipeline.stages
    setting = survey.agnostic(stages[stages.index(Stage.PROCESSED) - 1])
    if why := survey.refusal(setting):
        return "not-claimed.respondents", Evidence(Verdict.OPEN, "dissertation, section 7.2.2", f"not computed: {why}")
    before = survey.loss(setting)
    sentence = (
        f"{own.loss} is about records as processed: about a record of the {before.setting.level.value}, by which "
        f"others may be processed, the loss is {before.loss}"
    )
    scope = "every pair of both settings; what section 7.2.2 tells apart"
    return "not-claimed.respondents", Evidence(Verdict.EXHAUSTED, scope, sentence)


def _not_of_the_noise(survey: AuditedSurvey, own: LevelLoss) -> Iterator[Named]:
    """The form with the budget of the noise alone, where what precedes the noise makes it wrong."""
    alone, statistic = survey.pipeline.release.alone, survey.pipeline.release.statistic
    stages = survey.pipeline.stages
    last = stages[-1]
    if alone is None or statistic is None or last is Stage.SAMPLE or survey.refusal(survey.agnostic(last)):
        return
    processed = survey.loss(survey.agnostic(last))
    if processed.changed is None:
        return
    change = processed.changed.value
    nominal = alone.times(None if change is None else change / statistic.unit)
    try:
        form = form_of(survey, finite_gamma(nominal))
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
        sentence = "the loss assumes these response probabilities: where they are estimated, it may not be claimed"
        yield "not-claimed.response", Evidence(Verdict.ARGUED, "what section 6.4.2 of the dissertation says", sentence)
