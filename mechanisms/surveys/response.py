"""Non-response, of units and of items; undercoverage, which takes units of a population out of a frame, is the same.

Whether it is at random is a property of the probabilities: missing completely at random where they are one number,
missing at random where they depend on variables that are observed, and otherwise not at random.
"""

from collections.abc import Callable
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.frames import checked_records, checked_units, open_or, without_item
from stirred.spec.arguments import InputError, probability
from stirred.spec.laws.law import Probability
from stirred.spec.surveys.unit_data import UnitData

Propensity = Callable[[Any, Any], Probability | int]
"""The probability that a unit responds, from the unit and its record; it may depend on `spec.SYMBOL`."""


def independent_response(sample: UnitData, source: Source, *, propensity: Propensity) -> UnitData:
    """The data set of the units that respond, each independently with a probability of its own.

    Args:
        sample: the target sample; or a population, whose units the frame covers with these probabilities.
        propensity: p_i in [0, 1]; 0 for a unit that never responds.

    Source: dissertation, sections 6.2.4 (p_i^R) and 6.4.2 (non-response and coverage as sampling steps).
    """
    checked_units("sample", sample)
    rates = _propensities(sample, propensity)
    return tuple([pair for pair in sample if source.bernoulli(rates[pair[0]])])


def deterministic_response(
    sample: UnitData,
    source: Source,  # noqa: ARG001
    *,
    responds: Callable[[Any, Any], bool],
) -> UnitData:
    """The data set of the units that respond, which units and records determine."""
    checked_units("sample", sample)
    answers = {unit: responds(unit, record) for unit, record in sample}
    for unit, answer in answers.items():
        if not isinstance(answer, bool):
            raise InputError(f"responds must be True or False; got {answer!r} for unit {unit!r}")
    return tuple(pair for pair in sample if answers[pair[0]])


def item_nonresponse(sample: UnitData, source: Source, *, variable: int, propensity: Propensity) -> UnitData:
    """The data set where one variable is missing of each unit that does not answer it, independently.

    Args:
        sample: records that are tuples.
        variable: the place of the variable, which becomes None.
        propensity: the probability in [0, 1] that the unit answers.

    Source: dissertation, section 7.6 (item non-response).
    """
    checked_records(sample, variable)
    rates = _propensities(sample, propensity)
    return tuple(
        [
            (unit, record if _answers(record, variable, rates[unit], source) else without_item(record, variable))
            for unit, record in sample
        ]
    )


def _answers(record: Any, variable: int, rate: Probability, source: Source) -> bool:
    return record[variable] is None or source.bernoulli(rate)


def _propensities(sample: UnitData, propensity: Propensity) -> dict[Any, Probability]:
    return {
        unit: open_or(probability, f"the propensity of unit {unit!r}", propensity(unit, record))
        for unit, record in sample
    }
