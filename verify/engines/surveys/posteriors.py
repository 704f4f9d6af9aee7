"""What attackers infer of one unit's record from a survey: exact ratios of posteriors, and their range over attackers.

The posterior of a record given a release is divided by the one in a world where that record is drawn again, given the
records of all other units. Over all priors and outputs that ratio runs from 1/γ to γ, for the smallest γ = e^ε of the
laws of data sets that differ in this unit's record alone: so a range is one number.
"""

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, shown
from stirred.spec.laws.law import Law
from stirred.spec.surveys.unit_data import UnitData, record_of, units

Laws = Mapping[UnitData, Law[Any]]
"""P_𝔡 for each data set 𝔡."""


def largest_ratio(laws: Laws, unit: Any) -> Fraction | None:
    """The largest ratio of an output's probabilities under two records of a unit; 1 where none can be exchanged."""
    largest = Fraction(1)
    for group in by_others(laws, unit).values():
        for outcome in {t: None for data in group.values() for t in laws[data]}:
            found = [probability_at(laws, data, outcome) for data in group.values()]
            if not min(found):
                return None
            largest = max(largest, max(found) / min(found))
    return largest


def known_in_sample(
    drawn: Mapping[UnitData, Law[UnitData]], released: Mapping[UnitData, Law[Any]], unit: Any
) -> Fraction | None:
    """γ of the nosy neighbor, who knows that a unit is in the sample: ratios run from 1/γ to γ; None for ∞.

    It is 1 where nothing is compared.

    Data sets of whose samples none holds the unit are left out.

    Source: dissertation, section 6.5.1.
    """
    with_unit = {data: [sample for sample in law if unit in units(sample)] for data, law in drawn.items()}
    given = {data: output_law(drawn[data], chosen, released) for data, chosen in with_unit.items() if chosen}
    return largest_ratio(given, unit)


def output_law(law: Law[UnitData], chosen: Iterable[UnitData], released: Mapping[UnitData, Law[Any]]) -> Law[Any]:
    """The law of the output, given that the sample is one of those chosen."""
    masses: dict[Any, Fraction] = {}
    whole = Fraction(0)
    for sample in chosen:
        share = law.numeric(sample)
        whole += share
        output = released_law(released, sample)
        for outcome in output:
            masses[outcome] = masses.get(outcome, Fraction(0)) + share * output.numeric(outcome)
    return Law({outcome: mass / whole for outcome, mass in masses.items()})


def released_law(released: Mapping[UnitData, Law[Any]], sample: UnitData) -> Law[Any]:
    """The law of the output for a sample."""
    if sample not in released:
        raise InputError(f"released must have a law for every sample; {shown(sample)} has none")
    return released[sample]


def by_others(data_sets: Iterable[UnitData], unit: Any) -> dict[UnitData, dict[Any, UnitData]]:
    """The data sets by the other units' records, then by this unit's."""
    groups: dict[UnitData, dict[Any, UnitData]] = {}
    for data in data_sets:
        others = tuple(pair for pair in data if pair[0] != unit)
        groups.setdefault(others, {})[record_of(data, unit)] = data
    return groups


def probability_at(laws: Laws, data: UnitData, outcome: Hashable) -> Fraction:
    """P_𝔡(outcome)."""
    if data not in laws:
        raise InputError(f"laws must have a law for every data set of the prior; {data!r} has none")
    return laws[data].numeric(outcome)
