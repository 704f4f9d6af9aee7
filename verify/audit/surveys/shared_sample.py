"""What a secret sample hides: the loss where a unit is known to be in it, and that of two releases of one sample."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

from spec.law import Law, product
from spec.loss import ZERO, Loss
from spec.output_premetrics import Multiplicative
from spec.surveys.stages import Stage
from spec.surveys.unit_data import UnitData, units
from verify.audit.surveys.survey_audit import AuditedSurvey
from verify.engines.comparison import ComparedLaws

__all__ = ["joint_loss", "known_unit_loss"]

_MOST_OUTCOMES, _MOST_DATA_SETS = 100, 500


def known_unit_loss(survey: AuditedSurvey) -> Loss:
    """The largest loss about the record of a unit that is known to be in the sample, all other records being the same.

    It compares the laws of the release given that the unit is in the sample.

    Source: dissertation, section 6.5.1.
    """
    drawn = survey.pipeline.kernel(survey.pipeline.before(Stage.SAMPLE) - 1)
    alike: dict[tuple[Any, UnitData], list[Law[Any]]] = {}
    for frame, law in drawn.items():
        for unit in units(frame):
            given = _given(law, survey.laws(Stage.SAMPLE), unit)
            if given is not None:
                rest = tuple(pair for pair in frame if pair[0] != unit)
                alike.setdefault((unit, rest), []).append(given)
    distance = Multiplicative().distance
    return max((distance(p, q) for laws in alike.values() for p, q in permutations(laws, 2)), default=ZERO)


def _given(law: Law[UnitData], released: Any, unit: Any) -> Law[Any] | None:
    """The law of the release given that a unit is in the sample; None where it never is."""
    held = {sample: law.numeric(sample) for sample in law if unit in units(sample)}
    whole = sum(held.values(), Fraction(0))
    return Law({sample: mass / whole for sample, mass in held.items()}).bind(released.__getitem__) if whole else None


def joint_loss(survey: AuditedSurvey) -> Loss | None:
    """The loss of two releases of one sample together, each drawn for itself; None where there is too much to compare.

    Source: dissertation, section 7.2.2.
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
