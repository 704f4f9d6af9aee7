"""Imputation of a missing variable, by hot deck, by class or from a model.

A class or a model is handed each record without the variable that is imputed, so that it cannot depend on it.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.frames import Record, checked_records, grouped, with_item, without_item
from stirred.spec.arguments import InputError, exact, positive_integer
from stirred.spec.surveys.unit_data import UnitData

Parameter = TypeVar("Parameter")

ImputationClass = Callable[[Any], Hashable]
"""The class of a record whose variable is missing."""


def hot_deck(data: UnitData, source: Source, *, variable: int, donor_class: ImputationClass) -> UnitData:
    """Each missing value is that of a donor, drawn uniformly from the units of its class that have one.

    Donors are drawn independently, with replacement. An imputed value depends on the records of other units.

    Args:
        data: records that are tuples; the variable is None where it is missing.
        variable: its place.
        donor_class: the class of a record, from its other variables.

    Source: dissertation, section 7.6 (hot-deck imputation).
    """
    values = _observed(data, variable, donor_class)

    def draw(record: Record) -> Any:
        donors = values[donor_class(record)]
        return donors[source.uniform(len(donors))]

    return _imputed(data, variable, draw)


def class_mode(
    data: UnitData,
    source: Source,  # noqa: ARG001
    *,
    variable: int,
    imputation_class: ImputationClass,
) -> UnitData:
    """Each missing value is the most frequent value of its class; of equally frequent ones the least."""
    modes = {one: _mode(values) for one, values in _observed(data, variable, imputation_class).items()}
    return _imputed(data, variable, lambda record: modes[imputation_class(record)])


def class_mean(
    data: UnitData,
    source: Source,  # noqa: ARG001
    *,
    variable: int,
    imputation_class: ImputationClass,
) -> UnitData:
    """Each missing value is the mean of the observed values of its class, exactly."""
    means = {one: _mean(values) for one, values in _observed(data, variable, imputation_class).items()}
    return _imputed(data, variable, lambda record: means[imputation_class(record)])


def model_imputation(
    data: UnitData,
    source: Source,
    *,
    variable: int,
    release: Callable[[UnitData, Source], Parameter],
    model: Callable[[Record, Parameter, Source], Any],
) -> UnitData:
    """Each missing value is drawn from a model m(observed values of the record, θ̂), for one θ̂ computed from all data.

    Given θ̂, an imputed value depends on no other record, so that changing one record changes one imputed record: where
    the release of θ̂ satisfies ε₁-DP, and what is made of the imputed data ε₂-DP, the whole satisfies (ε₁ + ε₂)-DP.

    Args:
        data: records that are tuples; the variable is None where it is missing.
        variable: its place.
        release: the program that computes θ̂, as `mechanisms.surveys.noisy_table.noisy_table` does with noise.
        model: the value of a record without the variable, given θ̂.

    Source: dissertation, section 7.6.
    """
    parameter = release(checked_records(data, variable), source)
    return _imputed(data, variable, lambda record: model(record, parameter, source))


def _observed(data: UnitData, variable: int, of: ImputationClass) -> dict[Any, tuple[Any, ...]]:
    """The observed values by class, in the order of the units."""
    records = dict(checked_records(data, variable))
    classes = grouped("a class of imputation", data, lambda record: of(without_item(record, variable)))
    found = {}
    for one, members in classes.items():
        values = tuple(records[unit][variable] for unit in members if records[unit][variable] is not None)
        if not values:
            raise InputError(f"every class with a missing value must have a donor; class {one!r} has none")
        found[one] = values
    return found


def _imputed(data: UnitData, variable: int, draw: Callable[[Record], Any]) -> UnitData:
    """The data set with drawn values in the place of missing ones, unit by unit in their order."""
    found = []
    for unit, record in data:
        if record[variable] is None:
            value = draw(record)
            if value is None:
                raise InputError(f"an imputed value must not be None; got it for unit {unit!r}")
            found.append((unit, with_item(record, variable, value)))
        else:
            found.append((unit, record))
    return tuple(found)


def _mode(values: Sequence[Any]) -> Any:
    times = Counter(values)
    most = max(times.values())
    try:
        return min(value for value, count in times.items() if count == most)
    except TypeError:
        raise InputError(f"equally frequent values must be all numbers or all texts; got {list(times)}") from None


def _mean(values: Sequence[Any]) -> Fraction:
    return sum((exact("a value", value) for value in values), Fraction(0)) / len(values)


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
