"""What is stated of a survey that was run: five blocks, the same as an account for an audit, and amplification."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from stirred.mechanisms.surveys.inclusion import inclusion
from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.surveys.stages import Stage
from stirred.verify.laws.surveys.claimable import closed_form
from stirred.verify.laws.surveys.stated import epsilon_text
from stirred.verify.products.specification import AccountClaim, Distance, ReleaseSpecification, StatedMeasure
from stirred.verify.products.survey.records import Records
from stirred.verify.products.survey.run import SurveyRun

_NOTES = {
    Distance.REPLACED: "a unit with its record is replaced by another, the others keep their order",
    Distance.ADDED: "a unit with its record is added or taken away",
    Distance.CHANGED: "the record of a unit changes",
}


def specification(run: SurveyRun, records: Records) -> ReleaseSpecification:
    """What the noise gives to a release of these records, whatever they are.

    It speaks of the data of their stage, or of the sample that is drawn from them: how a design depends on protected
    records is for `amplified_line`.
    """
    read, file = run.read, run.read.file
    distance = next(one for one in Distance if one.value[0] == file.protection.text("distance"))
    resolution, shares = file.protection.text("resolution"), read.shares or {}
    total, is_drawn = sum(shares.values(), Fraction(0)), read.stated is Stage.SAMPLE and run.stage in _EARLY
    stage = read.stated if is_drawn else run.stage
    sizes = f"that is drawn from {len(records)} records" if is_drawn else f"of {len(records)} records"
    layout = read.stages.layouts[stage]
    weights = ", each with its weight" if read.stages.is_weighted and stage not in _EARLY else ""
    parts, budget = " + ".join(map(epsilon_text, shares.values())), epsilon_text(total)
    also = "; calibration costs nothing: it follows the noise" if read.calibration is not None else ""
    kept = "" if distance is Distance.ADDED else " but the number of its records"
    return ReleaseSpecification(
        id=file.id,
        statement=f"The releases together satisfy epsilon = {budget} for one {resolution}.",
        domain=f"all data sets of the {stage.value} {sizes}, with the variables {', '.join(layout.names)}{weights}",
        multiverse=f"nothing is invariant{kept}: what registers and frames hold is protected with the records",
        distance=distance,
        resolution=resolution,
        measure=StatedMeasure.PURE,
        budget=f"epsilon = {budget} ({parts}{also})",
        claim=AccountClaim(
            [] if distance is Distance.ADDED else ["the number of records"],
            budget,
            {label: epsilon_text(epsilon) for label, epsilon in shares.items()},
        ),
        note=_NOTES[distance],
    )


_EARLY = (Stage.POPULATION, Stage.FRAME)


def amplified_line(run: SurveyRun, records: Records) -> str:
    """What may be claimed for the frame that the sample is from, or why nothing may be."""
    read = run.read
    if read.stated is read.setting.level:
        return f"amplification: none is claimed: protection starts with the {read.setting.level.value}"
    total = sum((read.shares or {}).values(), Fraction(0))
    try:
        frame, rates = _frame(run, records)
        form = closed_form(read, exponential(total).upper, frame, lambda _: rates)
    except InputError as error:
        return f"amplification: none is claimed: {error}"
    bound, of = Loss(form.gamma).epsilon(12).text(), read.setting.level.value
    also = ("that weights do not depend on protected records",) if read.stages.is_weighted else ()
    return f"amplification: epsilon <= {bound} for records of the {of}, granted {'; '.join((*form.conditions, *also))}"


def _frame(run: SurveyRun, records: Records) -> tuple[tuple[Any, ...], Mapping[Any, Fraction]]:
    """Frames of the size that there is, and the inclusion probabilities of their units."""
    if len(run.read.stages.designs) != 1:
        raise InputError("the forms are for one design")
    (design,) = run.read.stages.designs
    if run.stage in _EARLY:
        if run.stage is Stage.POPULATION and any(step.stage is Stage.FRAME for step in run.read.stages.steps):
            raise InputError("the frame is made inside the mechanism")
        return (records.data,), inclusion(design.program, records.data, **design.parameters)
    if design.name != "simple-random-sample" or not run.read.stages.is_weighted:
        raise InputError("the frame is not at hand, and its size is known from weights of a simple random sample alone")
    size, weight = design.parameters["size"], None if records.weights is None else records.weights.only
    if len(records) != size:
        raise InputError(f"the sample has {size} units by the file, and {len(records)} records are here")
    if weight is None or (size * weight).denominator != 1:
        raise InputError("a simple random sample has one weight for all, the frame's size over its own")
    return (range(int(size * weight)),), {}
