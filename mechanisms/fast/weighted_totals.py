"""Weighted totals of arrays of records by cell, in integers, and sequential hot deck over batches of records."""

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.surveys.weighted_totals import WeightedTotal
from stirred.spec.arguments import InputError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_EXACT = 2**52
"""Sums below it are exact in a double, which counts by cell are made in."""


def steps_of(total: WeightedTotal, weights: Floats, values: Floats) -> Integers:
    """What each record adds to the total of its cell, in units: w·y/u rounded, between A and B.

    Weights are kept between 0 and W, values between a and b.

    >>> steps_of(WeightedTotal(0, 1, 10, 1), np.array([2.4, 99.0]), np.array([1.0, 7.0]))
    array([ 2, 10])
    """
    low, high = total.low.numerator / total.low.denominator, total.high.numerator / total.high.denominator
    kept = np.clip(weights, 0, total.largest.numerator / total.largest.denominator) * np.clip(values, low, high)
    steps = np.rint(kept * (total.unit.denominator / total.unit.numerator))
    return np.clip(steps, total.lowest, total.highest).astype(np.int64)


def totals_by_cell(cells: Integers, steps: Integers, count: int) -> Integers:
    """The sum of what the records of each cell add, exact.

    Args:
        cells: the cell of each record, from 0 to count − 1.
        steps: what each record adds.
        count: how many cells there are.

    Raises:
        InputError: a sum may be too large to be exact.
    """
    if len(steps) and len(steps) * int(np.abs(steps).max()) >= _EXACT:
        raise InputError("unit must be larger: sums of so many records may not be exact")
    return np.rint(np.bincount(cells, steps.astype(np.float64), minlength=count)).astype(np.int64)


class SequentialDonors:
    """Sequential hot deck on records that come in batches, in their order.

    It gives what `mechanisms.surveys.sequential_hot_deck` gives.

    Args:
        classes: how many classes there are.
        donations: how often a donor gives its value.
        otherwise: the value where no donor is left.
    """

    def __init__(self, classes: int, donations: int, otherwise: float) -> None:
        self._donations = donations
        self._otherwise = otherwise
        self._value = np.full(classes, otherwise)
        self._served = np.full(classes, donations, dtype=np.int64)

    def imputed(self, values: Floats, classes: Integers) -> Floats:
        """The values of the next records, those that are NaN imputed.

        Args:
            values: of the variable.
            classes: the class of each record.
        """
        size = len(values)
        if not size:
            return values
        order = np.argsort(classes, kind="stable")
        group, sorted_values = classes[order], values[order]
        places = np.arange(size)
        is_first = np.r_[True, group[1:] != group[:-1]]
        first = np.maximum.accumulate(np.where(is_first, places, 0))
        last = np.maximum.accumulate(np.where(np.isnan(sorted_values), -1, places))
        here = last >= first
        served = np.where(here, places - last, self._served[group] + places - first + 1)
        given = np.where(here, sorted_values[last], self._value[group])
        filled = np.where(served <= self._donations, given, self._otherwise)
        ends = np.flatnonzero(np.r_[group[1:] != group[:-1], True])
        self._value[group[ends]] = given[ends]
        self._served[group[ends]] = np.minimum(served[ends], self._donations)
        result = np.empty(size)
        result[order] = np.where(np.isnan(sorted_values), filled, sorted_values)
        return result
