"""Data sets whose records have units: a record at most for each unit, and no order."""

from collections.abc import Hashable, Mapping
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.input_premetric import Distance, InputPremetric

UnitData = tuple[tuple[Any, Any], ...]
"""Pairs (unit, record) in the order of the units: one form for one data set. Both can be hashed."""


def unit_data(records: Mapping[Any, Hashable]) -> UnitData:
    """The data set with these records by unit.

    Source: dissertation, section 6.2.1 (𝔡ᵢ, the unique record of unit i in 𝔡).

    >>> unit_data({2: "old", 1: "young"})
    ((1, 'young'), (2, 'old'))
    """
    try:
        return tuple((unit, records[unit]) for unit in sorted(records))
    except TypeError:
        raise InputError(f"units must be all numbers or all texts; got {list(records)}") from None


def units(data: UnitData) -> tuple[Any, ...]:
    """𝒰(𝔡), the units of a data set, in their order."""
    return tuple(unit for unit, _ in data)


def record_of(data: UnitData, unit: Any) -> Any:
    """𝔡ᵢ, the record of a unit."""
    for label, record in data:
        if label == unit:
            return record
    raise InputError(f"the data set has no unit {unit!r}; its units are {list(units(data))}")


def changed_units(resolution: str) -> InputPremetric:
    """The number of units whose records differ; ∞ between data sets of different units.

    Data sets where a unit may be exchanged for another are compared by `hamming_unordered` on their pairs.

    Source: dissertation, section 6.5.1 (the Hamming distance, where 𝒰(𝔡) is fixed).

    >>> changed_units("person")(((1, "young"), (2, "old")), ((1, "old"), (2, "old")))
    Fraction(1, 1)
    """

    def distance(first: UnitData, second: UnitData) -> Distance:
        if units(first) != units(second):
            return None
        return sum(int(a != b) for (_, a), (_, b) in zip(first, second, strict=True))

    return InputPremetric("changed_units", resolution, distance)
