"""One variable of a record, which may be missing: records here are tuples, a variable is a place, missing is None."""

from typing import Any

from stirred.mechanisms.surveys.frames import checked_units
from stirred.spec.arguments import InputError, integer
from stirred.spec.surveys.unit_data import UnitData

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
