"""What a secret sample hides: the loss where a unit is known to be in it, and that of two releases of one sample."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from spec.law import Law, product
from spec.loss import ZERO, Loss
from spec.output_premetrics import Multiplicative
from spec.surveys.stages import Stage
from spec.surveys.unit_data import UnitData, units
from verify.audit.surveys.survey_audit import AuditedSurvey
from verify.engines.comparison import ComparedLaws

__all__ = ["joint_loss", "known_unit_loss"]

_MOST_OUTCOMES = 100


def known_unit_loss(survey: AuditedSurvey) -> Loss:
    """The largest loss about the record of a unit that is known to be in the sample, all other records being the same.

    It compares the laws of the release given that the unit is in the sample.

    Source: dissertation, section 6.5.1.
    """
    number = survey.pipeline.before(Stage.SAMPLE) - 1
    drawn, released = survey.pipeline.kernel(number), survey.laws(Stage.SAMPLE)
    worst = ZERO
    for frame, unit in [(one, label) for one in drawn for label in units(one)]:
        first = _given(drawn[frame], released, unit)
        for other in _with_other_records(frame, unit, drawn):
            second = _given(drawn[other], released, unit)
            if first is not None and second is not None:
                worst = max(worst, Multiplicative().distance(first, second))
    return worst


def _with_other_records(frame: UnitData, unit: Any, frames: Any) -> Iterator[UnitData]:
    """The frames that differ from one in the record of one unit alone."""
    rest = [pair for pair in frame if pair[0] != unit]
    return (f for f in frames if f != frame and units(f) == units(frame) and [p for p in f if p[0] != unit] == rest)


def _given(law: Law[UnitData], released: Any, unit: Any) -> Law[Any] | None:
    """The law of the release given that a unit is in the sample; None where it never is."""
    held = {sample: law.numeric(sample) for sample in law if unit in units(sample)}
    whole = sum(held.values(), Fraction(0))
    return Law({sample: mass / whole for sample, mass in held.items()}).bind(released.__getitem__) if whole else None


def joint_loss(survey: AuditedSurvey) -> Loss | None:
    """The loss of two releases of one sample together, each drawn for itself; None where they have too many outcomes.

    Source: dissertation, section 7.2.2.
    """
    level, released = survey.setting.level, survey.laws(Stage.SAMPLE)
    outcomes = {outcome for law in released.values() for outcome in law}
    if len(outcomes) > _MOST_OUTCOMES:
        return None
    flavor = survey.flavor(survey.setting)
    both = survey.pipeline.mixtures(level, Stage.SAMPLE, {s: product(law, law) for s, law in released.items()})
    loss, _ = ComparedLaws(both, flavor, workload=survey.workload).largest_need(flavor.multiverse)
    found: Loss = loss
    return found
