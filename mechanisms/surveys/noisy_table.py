"""A noisy table of counts by class and value, and the imputation model that draws a value in proportion to them."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.frames import Record, checked_records, without_item
from stirred.spec.arguments import InputError, positive_integer
from stirred.spec.laws.law import Probability
from stirred.spec.surveys.unit_data import UnitData

NoisyTable = tuple[tuple[Any, tuple[int, ...]], ...]
"""By class in their order: the counts of the values, in theirs."""


def noisy_table(
    data: UnitData,
    source: Source,
    *,
    variable: int,
    imputation_class: Callable[[Any], Hashable],
    classes: Sequence[Any],
    values: Sequence[Any],
    ratio: Probability,
    largest: int,
) -> NoisyTable:
    """How many records of each class have each value, with two-sided geometric noise, clamped to 0, …, `largest`.

    A record that changes takes 1 from one count and adds 1 to another: the loss is at most 2·ln(1/α), and ln(1/α) for a
    record that is added or taken away. Records whose variable is missing are not counted.

    Args:
        data: records that are tuples; the variable is None where it is missing.
        variable: its place.
        imputation_class: the class of a record, from its other variables.
        classes: all classes that there can be, whatever the data.
        values: all values that there can be.
        ratio: α in (0, 1), e^−ε of one count.
        largest: the greatest count that is released, at least 1.

    Source: dissertation, section 7.6 (θ̂ estimated by a differentially private mechanism); Ghosh, Roughgarden and
    Sundararajan (2012), the geometric mechanism.
    """
    for name, listed in (("classes", classes), ("values", values)):
        if not listed or len(set(listed)) != len(listed):
            raise InputError(f"{name} must be distinct and at least one; got {list(listed)}")
    positive_integer("largest", largest)
    counts = _counts(data, variable, imputation_class)
    for one, value in counts:
        if one not in classes or value not in values:
            raise InputError(f"classes and values must list every one of the data; got {value!r} in class {one!r}")
    return tuple(
        (
            one,
            tuple([source.clamp(source.discrete_laplace(ratio) + counts[one, value], 0, largest) for value in values]),
        )
        for one in classes
    )


def _counts(data: UnitData, variable: int, of: Callable[[Any], Hashable]) -> Counter[tuple[Any, Any]]:
    return Counter(
        (of(without_item(record, variable)), record[variable])
        for _, record in checked_records(data, variable)
        if record[variable] is not None
    )


def proportional_draw(
    imputation_class: Callable[[Any], Hashable], values: Sequence[Any]
) -> Callable[[Record, NoisyTable, Source], Any]:
    """The model that draws a value with probability proportional to its count in the record's class.

    Uniform where all counts of the class are 0.
    """

    def model(record: Record, table: NoisyTable, source: Source) -> Any:
        one, rows = imputation_class(record), dict(table)
        if one not in rows or len(rows[one]) != len(values):
            raise InputError(f"the table must have a count of each of {len(values)} values for class {one!r}")
        counts = rows[one] if any(rows[one]) else (1,) * len(values)
        return values[source.choose(tuple(Fraction(count, sum(counts)) for count in counts))]

    return model
