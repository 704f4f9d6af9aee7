"""What a secret sample hides: the loss where a unit is known to be in it, and that of two releases of one sample."""

from __future__ import annotations

from fractions import Fraction

from stirred.spec.law import Law, product
from stirred.spec.loss import ZERO, Loss
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import units
from stirred.verify.audit.surveys.survey_audit import AuditedSurvey
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.surveys.posteriors import known_in_sample

__all__ = ["joint_loss", "known_unit_loss"]

_MOST_OUTCOMES, _MOST_DATA_SETS = 100, 500


def known_unit_loss(survey: AuditedSurvey) -> Loss:
    """The largest loss about the record of a unit that is known to be in the sample, in the survey's own setting.

    It compares the laws of the release given that the unit is in the sample, of data sets of the level that share a
    universe and differ in this unit's record alone.

    Source: dissertation, section 6.5.1.
    """
    flavor, released = survey.flavor(survey.setting), survey.laws(Stage.SAMPLE)
    samples = {sample: Law({sample: Fraction(1)}) for sample in released}
    drawn = survey.pipeline.mixtures(survey.setting.level, Stage.SAMPLE, samples)
    largest = ZERO
    with survey.workload.part("known units", len(flavor.multiverse)) as part:
        for universe in flavor.multiverse:
            inside = {data: drawn[data] for data in universe}
            for unit in sorted({unit for data in universe for unit in units(data)}):
                having = {data: law for data, law in inside.items() if unit in units(data)}
                largest = max(largest, Loss(known_in_sample(having, released, unit).gamma))
            part.advance()
    return largest


def joint_loss(survey: AuditedSurvey) -> Loss | None:
    """The loss of two releases of one sample together, each drawn for itself; None where there is too much to compare.

    Source: dissertation, section 6.5.2.
    """
    level, released = survey.setting.level, survey.laws(Stage.SAMPLE)
    outcomes = {outcome for law in released.values() for outcome in law}
    flavor = survey.flavor(survey.setting)
    if len(outcomes) > _MOST_OUTCOMES or len(flavor.domain) > _MOST_DATA_SETS:
        return None
    both = survey.pipeline.mixtures(level, Stage.SAMPLE, {s: product(law, law) for s, law in released.items()})
    loss, _ = ComparedLaws(both, flavor, few=len(flavor.domain), workload=survey.workload).largest_need(
        flavor.multiverse
    )
    found: Loss = loss
    return found
