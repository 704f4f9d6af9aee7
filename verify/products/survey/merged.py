"""Records that are alike, as one with the sum of their weights: what noisy statistics of processed data are made of.

A total, a count or a mean by cell depends on the records through sums alone: of their weights as they count, and of
these times values. So after the steps, which are followed for all records at once, the program of a statistic takes one
record for all that are alike. Sums are whole numbers of any size, and numbers exact: the estimates are those that
the programs of the steps and of the statistic make of the records one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.sequential_donors import NOBODY, sequential_donors
from stirred.mechanisms.interpreters.sampling import ReplaySource
from stirred.spec.arguments import InputError
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.laws.surveys.forms import LastDonor, ResponseClasses, SumsOfWeights
from stirred.verify.laws.surveys.stated import PipelineStep
from stirred.verify.laws.surveys.statistics import SurveyStatistic
from stirred.verify.laws.surveys.survey_audit import ReadSurvey
from stirred.verify.products.survey.records import Coded, Records

_NO_CHOICE = ReplaySource(())

_LARGE = 10**60
"""A denominator that is larger is not worth being common."""


def is_merged(read: ReadSurvey, stage: Stage) -> bool:
    """Whether a run on data of a stage merges its records; else the programs of its steps take them one by one.

    It does where each step that leads on from the stage has one of `forms`: weights of every kind, and a sequential hot
    deck. Such steps draw nothing. And where each release is a statistic with noise. So designs, response and other
    imputations, and answers that are randomised, are left to their programs.
    """
    return all(step.form is not None for step in read.after(stage)) and all(
        release.statistic is not None for release in read.releases
    )


def merged(read: ReadSurvey, stage: Stage, records: Records) -> tuple[UnitData, ...] | None:
    """For each release, in order, the records that the statistic `of_sums` takes.

    Returns:
        None where a step refuses the records: its program says why, and of which unit.
    """
    if not is_merged(read, stage):
        raise InputError("the steps and releases must have a form in which records are merged; one has none")
    columns = _Columns.of(records)
    try:
        for step in read.after(stage):
            columns = _after(columns, step)
    except InputError:
        return None
    return tuple(_released(columns, one.statistic) for one in read.releases if one.statistic is not None)


@dataclass(frozen=True)
class _Columns:
    """Records between steps. The weight of a record is its number times its scale.

    Attributes:
        numbers: whole ones of any size, not negative.
        scales: exact numbers, which steps change.
    """

    variables: tuple[Coded, ...]
    numbers: NDArray[np.object_]
    scales: Coded
    sizes: Coded | None

    @classmethod
    def of(cls, records: Records) -> _Columns:
        """Records as they were read; where there are no weights each counts once."""
        if records.weights is not None:
            return cls(records.variables, records.weights.numbers, records.weights.scales, records.sizes)
        count = len(records)
        one = Coded(np.zeros(count, dtype=np.int32), (Fraction(1),))
        return cls(records.variables, np.ones(count, dtype=object), one, records.sizes)

    def groups(self, places: Sequence[int]) -> Coded:
        """By record its scale and these variables, as tuples."""
        return _together(len(self.numbers), [self.scales, *(self.variables[place] for place in places)])

    def wholes(self, place: int) -> tuple[NDArray[np.object_], int] | None:
        """A variable of numbers as whole ones over one denominator; None where one is missing or that is too large."""
        variable, denominator = self.variables[place], 1
        is_missing = np.array([value is None for value in variable.values])
        if is_missing[variable.codes].any():
            return None
        values = [0 if value is None else value for value in variable.values]
        for one in {value.denominator for value in values}:
            denominator = lcm(denominator, one)
            if denominator > _LARGE:
                return None
        numbers = [value.numerator * (denominator // value.denominator) for value in values]
        return np.array(numbers, dtype=object)[variable.codes], denominator

    def scaled(self, groups: Coded, scales: Sequence[Fraction]) -> _Columns:
        """The same with a new scale for each group."""
        return replace(self, scales=Coded(groups.codes, tuple(scales)))

    def record(self, places: Sequence[int], values: Iterable[Any], weight: Fraction) -> tuple[Any, ...]:
        """A record with these values in these places, nothing in others, and a weight at its end."""
        known = dict(zip(places, values, strict=True))
        return (*(known.get(place) for place in range(len(self.variables))), weight)


_DENSE = 2**22
"""Up to so many combinations of values each has a place of its own, taken or not."""


def _together(count: int, columns: Sequence[Coded]) -> Coded:
    """Columns of so many records as one of tuples, of those that there are."""
    codes: NDArray[np.int32] = np.zeros(count, dtype=np.int32)
    values: list[tuple[Any, ...]] = [()]
    for column in columns:
        width = len(column.values)
        joined = codes.astype(np.int64) * width + column.codes
        if len(values) * width <= _DENSE:
            found = np.flatnonzero(np.bincount(joined, minlength=len(values) * width))
            places = np.zeros(len(values) * width, dtype=np.int32)
            places[found] = np.arange(len(found))
            codes = places[joined]
        else:
            found, inverse = np.unique(joined, return_inverse=True)
            codes = inverse.astype(np.int32)
        values = [(*values[one // width], column.values[one % width]) for one in found.tolist()]
    return Coded(codes, tuple(values))


def _after(columns: _Columns, step: PipelineStep) -> _Columns:
    """The records after a step."""
    form = step.form
    if isinstance(form, LastDonor):
        return _donated(columns, form)
    if isinstance(form, ResponseClasses):
        return _responding(columns, form)
    if isinstance(form, SumsOfWeights):
        return _adjusted(columns, form, step)
    return columns


def _donated(columns: _Columns, form: LastDonor) -> _Columns:
    variable = columns.variables[form.variable]
    if None not in variable.values:
        return columns
    values = tuple(dict.fromkeys((*variable.values, form.otherwise)))
    classes = _together(len(columns.numbers), [columns.variables[place] for place in form.classes])
    donors = sequential_donors(variable.codes == variable.values.index(None), classes.codes, form.donations)
    codes = np.where(donors == NOBODY, values.index(form.otherwise), variable.codes[donors])
    variables = list(columns.variables)
    variables[form.variable] = Coded(codes, values)
    return replace(columns, variables=tuple(variables))


def _responding(columns: _Columns, form: ResponseClasses) -> _Columns:
    _check_positive(columns)
    classes, sizes = columns.variables[form.variable], columns.sizes
    if sizes is None:
        raise InputError("records must have the sizes of their response classes; they have none")
    counts = np.bincount(classes.codes, minlength=len(classes.values)).tolist()
    last = np.zeros(len(classes.values), dtype=np.int32)
    np.maximum.at(last, classes.codes, np.arange(len(classes.codes), dtype=np.int32))
    known = dict(zip(classes.values, zip(counts, sizes.codes[last].tolist(), strict=True), strict=True))
    groups, scales = columns.groups([form.variable]), []
    for scale, one in groups.values:
        count, code = known[one]
        if sizes.values[code] < count:
            raise InputError("a response class must have as many units in the sample as here; it has fewer")
        scales.append(scale * Fraction(sizes.values[code], count))
    return columns.scaled(groups, scales)


def _adjusted(columns: _Columns, form: SumsOfWeights, step: PipelineStep) -> _Columns:
    """After the program of the step, which takes one record for all that are alike."""
    _check_positive(columns)
    groups = columns.groups(form.variables)
    given = _counting(columns, groups, None)
    alike = [
        (n, columns.record(form.variables, values, weight))
        for n, ((_, *values), weight) in enumerate(zip(groups.values, given, strict=True))
    ]
    after = step.program(tuple(alike), _NO_CHOICE)
    factors = [record[-1] / weight for (_, record), weight in zip(after, given, strict=True)]
    return columns.scaled(groups, [scale * factor for (scale, *_), factor in zip(groups.values, factors, strict=True)])


def _check_positive(columns: _Columns) -> None:
    """Weights are adjusted where all are positive: of a sum of them it cannot be seen."""
    if not columns.numbers.all() or min(columns.scales.values) <= 0:
        raise InputError("weights must be positive to be adjusted; one is not")


def _released(columns: _Columns, statistic: SurveyStatistic) -> UnitData:
    """One record for all that are alike in whether and where they count.

    It has the sum of their weights as they count and, where values are summed, the mean of these by their weights: so
    it adds to sums of weights, and of weights times values, what they do. Where a value is missing, or is a condition
    too, the records are alike in it.
    """
    variable, filters = statistic.variable, statistic.filters
    wholes = None if variable is None or variable in filters else columns.wholes(variable)
    places = filters if variable is None else tuple(dict.fromkeys((*filters, variable)))
    groups = columns.groups(places if wholes is None else filters)
    largest = statistic.contribution.largest if statistic.is_weighted else None
    weights = _counting(columns, groups, largest)
    values = [label[1:] for label in groups.values]
    if wholes is not None:
        totals = _counting(columns, groups, largest, wholes[0])
        means = [total / (weight * wholes[1]) if weight else 0 for total, weight in zip(totals, weights, strict=True)]
        values = [(*label, mean) for label, mean in zip(values, means, strict=True)]
    each = enumerate(zip(values, weights, strict=True))
    return tuple((n, columns.record(places, label, weight)) for n, (label, weight) in each)


_PIECE = 2**16
"""Records whose products are held at a time."""


def _counting(
    columns: _Columns, groups: Coded, largest: Fraction | None, wholes: NDArray[np.object_] | None = None
) -> list[Fraction]:
    """The sum of the weights of each group as they count, each times a whole number of its record if these are given.

    A weight above the largest counts as that, a negative one as 0.
    """
    scales, most = [label[0] for label in groups.values], int(columns.numbers.max())
    cut = [floor(largest / scale) if largest is not None and scale > 0 else most for scale in scales]
    bounds = np.array(cut, dtype=object)  # a number is above its bound just where the weight is above the largest
    below, above = np.zeros((2, len(scales)), dtype=object)
    for begin in range(0, len(groups.codes), _PIECE):
        piece = slice(begin, begin + _PIECE)
        codes, numbers = groups.codes[piece], columns.numbers[piece]
        is_above, factors = numbers > bounds[codes], 1 if wholes is None else wholes[piece]
        np.add.at(below, codes, np.where(is_above, 0, numbers) * factors)
        np.add.at(above, codes, is_above.astype(object) * factors)
    if largest is None:
        return [scale * number for scale, number in zip(scales, below, strict=True)]
    return [
        max(scale, Fraction(0)) * number + largest * count
        for scale, number, count in zip(scales, below, above, strict=True)
    ]
