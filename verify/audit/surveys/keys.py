"""Values of a stage's table that several kinds of stages have: a variable of the records, and numbers by its values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, parse_exact, shown
from stirred.verify.audit.surveys.survey_file import Layout
from stirred.verify.claim.domain import freeze
from stirred.verify.claim.table import Block

__all__ = ["numbers_by_value", "pairs", "rate", "reader", "share"]


def rate(place: str, value: Any) -> Fraction:
    """An exact probability in (0, 1].

    Raises:
        InputError: it is none.
    """
    number = parse_exact(place, value)
    if not 0 < number <= 1:
        raise InputError(f"{place} must be above 0 and at most 1; got {shown(number)}")
    return number


def share(place: str, value: Any) -> Fraction:
    """An exact probability in [0, 1].

    Raises:
        InputError: it is none.
    """
    number = parse_exact(place, value)
    if not 0 <= number <= 1:
        raise InputError(f"{place} must be between 0 and 1; got {shown(number)}")
    return number


def pairs(block: Block, key: str, number: Callable[[str, Any], Any]) -> dict[Any, Any]:
    """An array of [value, number] as a table.

    Raises:
        InputError: it is none, or a value stands twice.
    """
    found: dict[Any, Any] = {}
    for index, row in enumerate(block.array(key)):
        place = f"{block.where(key)}[{index}]"
        if not isinstance(row, list) or len(row) != 2:
            raise InputError(f"{place} must be [value, number]; got {row!r}")
        value = freeze(row[0])
        if isinstance(value, dict) or value in found:
            raise InputError(f"{place} must name each value once; got {row[0]!r}")
        found[value] = number(place, row[1])
    return found


def numbers_by_value(
    block: Block, key: str, layout: Layout, variable: int, number: Callable[[str, Any], Any]
) -> dict[Any, Any]:
    """A number for every value of a variable.

    Raises:
        InputError: a value has none, or a number is for no value.
    """
    found, values = pairs(block, key, number), layout.values[layout.names[variable]]
    for value in found:
        if value not in values:
            raise block.refuse(key, f"must be for values of {layout.names[variable]!r}, {list(values)}; got {value!r}")
    for value in values:
        if value is not None and value not in found:
            raise block.refuse(
                key, f"must have a number for every value of {layout.names[variable]!r}; {value!r} has none"
            )
    return found


def reader(variable: int) -> Callable[[Any], Any]:
    """The function from a record to a variable of it."""
    return lambda record: record[variable]
