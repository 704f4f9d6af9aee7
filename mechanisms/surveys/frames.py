"""What designs and adjustments require of unit data: one form, sizes and rates that can be, groups, one variable."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from stirred.spec.arguments import Exact, InputError, integer, positive, positive_integer, shown
from stirred.spec.laws.law import Probability
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.surveys.unit_data import UnitData, units


def checked_units(name: str, data: UnitData) -> tuple[Any, ...]:
    """𝒰(𝔡) of a data set that has the one form of `unit_data`."""
    if not isinstance(data, tuple) or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in data):
        raise InputError(f"{name} must be a tuple of pairs (unit, record), as unit_data makes it")
    labels = units(data)
    if not is_increasing(labels):
        raise InputError(f"{name} must have its units in increasing order, each once, as unit_data makes it")
    return labels


def is_increasing(labels: Sequence[Any]) -> bool:
    """Whether each label is below the next; False where two have no order."""
    try:
        return all(first < second for first, second in pairwise(labels))
    except TypeError:
        return False


def checked_measures(frame: UnitData, measure: Callable[[Any], Exact]) -> dict[Any, Fraction]:
    """The measure of size x of each record of a frame, by unit."""
    if not checked_units("frame", frame):
        raise InputError("frame must have a unit; got none")
    found = {}
    for unit, record in frame:
        found[unit] = positive(f"the measure of unit {unit!r}", measure(record))
    return found


def sample_size(name: str, size: object, whole: int, what: str = "units of the frame") -> int:
    """A whole number from 1 to all that there are."""
    number = positive_integer(name, size)
    if number > whole:
        raise InputError(f"{name} must be at most the {whole} {what}; got {shown(number)}")
    return number


def open_or(check: Callable[[str, object], Fraction], name: str, value: object) -> Probability:
    """A number that a check admits, or a function of the open parameter (`spec.SYMBOL`), of which no sign is tested."""
    return value if isinstance(value, RationalFunction) else check(name, value)


def grouped(name: str, data: UnitData, key: Callable[[Any], Hashable]) -> dict[Any, tuple[Any, ...]]:
    """The units by the key of their records, keys in increasing order, so that nothing depends on who comes first.

    >>> grouped("stratum", (("a", 2), ("b", 1), ("c", 2)), lambda record: record)
    {1: ('b',), 2: ('a', 'c')}
    """
    checked_units("data", data)
    keys = {unit: key(record) for unit, record in data}
    found: dict[Any, list[Any]] = {group: [] for group in _in_order(name, tuple(keys.values()))}
    for unit, group in keys.items():
        found[group].append(unit)
    return {group: tuple(members) for group, members in found.items()}


def _in_order(name: str, keys: Sequence[Any]) -> list[Any]:
    try:
        found = sorted(set(keys))
    except TypeError:
        found = None
    if found is None or not is_increasing(found):
        types = ", ".join(sorted({type(key).__name__ for key in keys}))
        raise InputError(f"{name} must give all numbers or all texts, which have an order; got values of type {types}")
    return found


def records_by_group(data: UnitData, groups: Mapping[Any, tuple[Any, ...]]) -> dict[Any, tuple[Any, ...]]:
    """The records of the units of each group."""
    records = dict(data)
    return {group: tuple(records[unit] for unit in members) for group, members in groups.items()}


Record = tuple[Any, ...]
"""The variables of a unit, by place."""


def checked_records(data: UnitData, variable: int) -> UnitData:
    """The data set, whose records are tuples that have this variable."""
    checked_units("data", data)
    integer("variable", variable, minimum=0)
    for unit, record in data:
        if not isinstance(record, tuple):
            raise InputError(f"the record of unit {unit!r} must be a tuple of variables; got {record!r}")
        if variable >= len(record):
            raise InputError(
                f"variable must be a place in the record of unit {unit!r}, 0 to {len(record) - 1}; got {variable}"
            )
    return data


def with_item(record: Record, variable: int, value: Any) -> Record:
    """The record with another value of one variable.

    >>> with_item(("x", None), 1, 5)
    ('x', 5)
    """
    return (*record[:variable], value, *record[variable + 1 :])


def without_item(record: Record, variable: int) -> Record:
    """The record with one variable missing: what is observed of a record whose variable is to be imputed."""
    return with_item(record, variable, None)
