"""Sequential hot deck: a missing value is that of the last unit before it, in the order of units, that has answered."""

from collections.abc import Callable, Hashable
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.items import checked_records, with_item, without_item
from stirred.spec.arguments import InputError, positive_integer
from stirred.spec.surveys.unit_data import UnitData


def sequential_hot_deck(
    data: UnitData,
    source: Source,  # noqa: ARG001
    *,
    variable: int,
    donor_class: Callable[[Any], Hashable],
    donations: int,
    otherwise: Any,
) -> UnitData:
    """Each missing value is that of the last donor of its class before it, which gives its value so many times at most.

    One record changes the values of no more than 2·donations others: where it stood, or stands now, those that follow
    it in its class up to the next donor, and of them as many as one donor serves.

    Args:
        data: records that are tuples; the variable is None where it is missing.
        source: unused.
        variable: its place.
        donor_class: the class of a record, from its other variables.
        donations: how often a donor gives its value, at least 1.
        otherwise: the value where no donor is left.

    Source: dissertation, section 7.6 (hot-deck imputation); its sequential form is that of the Current Population
    Survey (Ono and Miller, 1969).

    >>> sequential_hot_deck(((1, ("a",)), (2, (None,)), (3, (None,))), None, variable=0,
    ...     donor_class=lambda record: 0, donations=1, otherwise="b")
    ((1, ('a',)), (2, ('a',)), (3, ('b',)))
    """
    most = positive_integer("donations", donations)
    if otherwise is None:
        raise InputError("otherwise must be a value; got None")
    last: dict[Any, tuple[Any, int]] = {}
    found = []
    for unit, record in checked_records(data, variable):
        one = donor_class(without_item(record, variable))
        if record[variable] is not None:
            last[one] = record[variable], most
            found.append((unit, record))
            continue
        value, left = last.get(one, (otherwise, 0))
        last[one] = value, left - 1
        found.append((unit, with_item(record, variable, value if left > 0 else otherwise)))
    return tuple(found)
