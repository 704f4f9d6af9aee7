"""What a design requires of a frame and of its numbers: one form of data set, sizes and rates that can be."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from stirred.spec.arguments import Exact, InputError, exact, positive_integer, shown
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
        found[unit] = exact(f"the measure of unit {unit!r}", measure(record))
        if found[unit] <= 0:
            raise InputError(f"the measure of unit {unit!r} must be positive; got {shown(found[unit])}")
    return found


def sample_size(name: str, size: object, whole: int, what: str = "units of the frame") -> int:
    """A whole number from 1 to all that there are."""
    number = positive_integer(name, size)
    if number > whole:
        raise InputError(f"{name} must be at most the {whole} {what}; got {shown(number)}")
    return number


def sampling_rate(name: str, value: object) -> Fraction:
    """An exact probability in (0, 1]."""
    rate = exact(name, value)
    if not 0 < rate <= 1:
        raise InputError(f"{name} must be above 0 and at most 1; got {shown(value)}")
    return rate


def open_or(check: Callable[[str, object], Fraction], name: str, value: object) -> Probability:
    """A number that a check admits, or a function of the open parameter (`spec.SYMBOL`), of which no sign is tested."""
    return value if isinstance(value, RationalFunction) else check(name, value)
