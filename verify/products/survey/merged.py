"""Records that are alike, as one with the sum of their weights: what noisy statistics of processed data are made of.

A total, a count or a mean by cell depends on the records through the sums of their weights alone, as they count. So
after the steps, which are followed for all records at once, the program of a statistic takes one record for all that
are alike in what it depends on. Sums are whole numbers of any size, and numbers exact: the estimates are those that
the programs of the steps and of the statistic make of the records one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.sequential_donors import NOBODY, sequential_donors
from stirred.mechanisms.interpreters.sampling import ReplaySource
from stirred.spec.arguments import InputError
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.audit.surveys.forms import LastDonor, ResponseClasses, SumsOfWeights
from stirred.verify.audit.surveys.stated import PipelineStep
from stirred.verify.audit.surveys.statistics import SurveyStatistic
from stirred.verify.audit.surveys.survey_audit import ReadSurvey
from stirred.verify.products.survey.columns import Coded, Records

_NO_CHOICE = ReplaySource(())


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

    Raises:
        InputError: the run does not merge its records.
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
        variables: by place.
        numbers: whole ones of any size, not negative.
        scales: exact numbers, which steps change.
        sizes: of response classes.
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


def _sums(groups: Coded, numbers: NDArray[np.object_], chosen: NDArray[np.bool_] | None = None) -> list[int]:
    """The sum of the numbers of each group, of those that are chosen."""
    found = np.zeros(len(groups.values), dtype=object)
    if chosen is None:
        np.add.at(found, groups.codes, numbers)
    else:
        np.add.at(found, groups.codes[chosen], numbers[chosen])
    return found.tolist()


def _after(columns: _Columns, step: PipelineStep) -> _Columns:
    """The records after a step.

    Raises:
        InputError: it refuses them.
    """
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
    given = [scale * number for (scale, *_), number in zip(groups.values, _sums(groups, columns.numbers), strict=True)]
    alike = [
        (n, columns.record(form.variables, values, weight))
        for n, ((_, *values), weight) in enumerate(zip(groups.values, given, strict=True))
    ]
    after = step.program(tuple(alike), _NO_CHOICE)
    factors = [record[-1] / weight for (_, record), weight in zip(after, given, strict=True)]
    return columns.scaled(groups, [scale * factor for (scale, *_), factor in zip(groups.values, factors, strict=True)])


def _check_positive(columns: _Columns) -> None:
    """Weights are adjusted where all are positive: of a sum of them it cannot be seen."""
    if not columns.numbers.all():
        raise InputError("weights must be positive to be adjusted; one is 0")


def _released(columns: _Columns, statistic: SurveyStatistic) -> UnitData:
    """A record for all that are alike in what the statistic depends on, with the sum of their weights as they count."""
    groups = columns.groups(statistic.places)
    scales = [label[0] for label in groups.values]
    largest = statistic.contribution.largest if statistic.is_weighted else None
    if largest is None:
        weights = [scale * number for scale, number in zip(scales, _sums(groups, columns.numbers), strict=True)]
    else:  # number * scale > largest just where number > floor(largest / scale); below 0 a weight counts as 0
        most = int(columns.numbers.max())
        bounds = [floor(largest / scale) if scale > 0 else most for scale in scales]
        is_above = columns.numbers > np.array(bounds, dtype=object)[groups.codes]
        above = np.bincount(groups.codes[is_above], minlength=len(scales)).tolist()
        below = _sums(groups, columns.numbers, ~is_above)
        weights = [
            max(scale, Fraction(0)) * number + largest * count
            for scale, number, count in zip(scales, below, above, strict=True)
        ]
    return tuple(
        (n, columns.record(statistic.places, label[1:], weight))
        for n, (label, weight) in enumerate(zip(groups.values, weights, strict=True))
    )
