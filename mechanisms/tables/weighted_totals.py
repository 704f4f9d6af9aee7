"""Weighted totals by cell of records in files, in one pass, batch by batch."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stirred.mechanisms.fast.weighted_totals import SequentialDonors, steps_of, totals_by_cell
from stirred.mechanisms.surveys.weighted_totals import WeightedTotal
from stirred.mechanisms.tables.reading import TableFile
from stirred.spec.arguments import InputError, suggestion


@dataclass(frozen=True)
class CountedTotal:
    """A total to be counted.

    Attributes:
        column: of the values; None where each record counts as 1.
        bounds: of what a record adds.
        otherwise: the value where no donor is left; None where nothing may be missing.
    """

    column: str | None
    bounds: WeightedTotal
    otherwise: Fraction | None = None


@dataclass(frozen=True)
class CellTotals:
    """What one pass over the records gives.

    Attributes:
        units: the totals in units: a row for each total, a column for each cell in the order of their values.
        records: how many there are.
        weights: the smallest and the largest weight as they are in the file.
    """

    units: NDArray[np.int64]
    records: int
    weights: tuple[float, float]


def weighted_totals(
    file: TableFile,
    weights: str,
    cells: Mapping[str, Sequence[str]],
    totals: Sequence[CountedTotal],
    *,
    donations: int = 0,
    show: Callable[[int, int], None] = lambda done, total: None,  # noqa: ARG005
) -> CellTotals:
    """The totals of each cell, in units, and the number and the weights of the records.

    Args:
        file: the records, in the order in which donors give their values.
        weights: the column of the weights.
        cells: the columns that make the cells with all of their values; none for one cell.
        totals: what is counted.
        donations: how often a donor gives its value to records of its cell that follow.
        show: is told how many records of how many are read.

    Raises:
        InputError: a column is missing or holds what it must not, with the record's number (a negative weight too), a
            sum is too large, or there is no record.
    """
    columns = list(dict.fromkeys([weights, *cells, *(one.column for one in totals if one.column is not None)]))
    for column in columns:
        if column not in file.schema.names:
            raise InputError(f"{file.path}: has no column {column!r}; {suggestion(column, file.schema.names)}")
    count = 1
    for values in cells.values():
        count *= len(values)
    found = np.zeros((len(totals), count), dtype=np.int64)
    donors = [
        None if one.otherwise is None else SequentialDonors(count, donations, _double(one.otherwise)) for one in totals
    ]
    done, least, largest = 0, np.inf, -np.inf
    batches = file.batches(columns, tuple(cells)) if file.content is None else [file.table(columns, tuple(cells))]
    for batch in batches:
        place = _Batch(file.path, batch, done)
        cell = place.cells(cells)
        weight = place.weights(weights)
        least, largest = min(least, weight.min(initial=np.inf)), max(largest, weight.max(initial=-np.inf))
        for row, (one, donor) in enumerate(zip(totals, donors, strict=True)):
            value = np.ones(len(weight)) if one.column is None else place.numbers(one.column, missing=donor is not None)
            if donor is not None:
                value = donor.imputed(value, cell)
            found[row] += totals_by_cell(cell, steps_of(one.bounds, weight, value), count)
        done += len(weight)
        show(done, max(file.lines, done))
    if not done:
        raise InputError(f"{file.path}: must have at least one record; got none")
    return CellTotals(found, done, (float(least), float(largest)))


def _double(number: Fraction) -> float:
    return number.numerator / number.denominator


@dataclass(frozen=True)
class _Batch:
    """Some records: those after the first so many of a file."""

    path: str
    table: Any
    before: int

    def numbers(self, column: str, *, missing: bool = False) -> NDArray[np.float64]:
        """A column as doubles, NaN where a value is missing.

        Raises:
            InputError: a value is no number, not finite, or missing where it must not be.
        """
        given = self._column(column)
        try:
            numbers = pc.cast(given, pa.float64(), safe=False)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            raise InputError(f"{self.path}: the column {column!r} must hold numbers; it holds {given.type}") from None
        found = numbers.to_numpy(zero_copy_only=False)
        is_null = pc.is_null(numbers).to_numpy(zero_copy_only=False)
        self._refuse(column, "a finite number", ~np.isfinite(found) & ~is_null, given)
        if not missing:
            self._refuse(column, "a number", is_null, given)
        return np.asarray(found)

    def weights(self, column: str) -> NDArray[np.float64]:
        """A column of numbers that are not negative.

        Raises:
            InputError: a value is negative, or no number.
        """
        found = self.numbers(column)
        self._refuse(column, "a number that is not negative", found < 0, self._column(column))
        return found

    def cells(self, columns: Mapping[str, Sequence[str]]) -> NDArray[np.int64]:
        """The number of each record's cell.

        Raises:
            InputError: a value is not among those that the cells have.
        """
        cell = np.zeros(self.table.num_rows, dtype=np.int64)
        for column, values in columns.items():
            given = pc.cast(self._column(column), pa.string())
            place = pc.fill_null(pc.index_in(given, value_set=pa.array(list(values), pa.string())), -1)
            places = place.to_numpy(zero_copy_only=False).astype(np.int64)
            self._refuse(column, f"one of {list(values)}", places < 0, given)
            cell = cell * len(values) + places
        return cell

    def _column(self, column: str) -> Any:
        given = self.table.column(column)
        return given.combine_chunks() if isinstance(given, pa.ChunkedArray) else given

    def _refuse(self, column: str, needed: str, is_wrong: NDArray[np.bool_], given: Any) -> None:
        """Refuse a column where a value is wrong; the value itself is confidential, and not shown."""
        wrong = np.flatnonzero(is_wrong)
        if len(wrong):
            where = f"record {self.before + int(wrong[0]) + 1}"
            kind = "nothing" if not given[int(wrong[0])].is_valid else "another value"
            raise InputError(f"{self.path}: {where}: {column!r} must be {needed}; it has {kind}")
