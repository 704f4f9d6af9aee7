"""The number of each method's budget at equal error, and its error at an equal number: curves through means.

The budgets are of different flavors (`products.studies.swapping.releases`): equal numbers are not equal protection.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from stirred.verify.products.studies.study import Row
from stirred.verify.products.studies.swapping.releases import Method

ERROR = ("mean absolute error", "block")
"""The error that methods are compared by: of persons by block and race (swapping study, Table 4)."""

SCALES = ("epsilon", "rho^2")
"""The columns of the table that hold a budget."""

Curve = Sequence[tuple[Fraction, Fraction]]
"""Points (budget, error) or (value, error), by increasing first coordinate."""


def each_run(rows: Sequence[Row], method: str, statistic: str, of: str) -> dict[Fraction, list[Fraction]]:
    """A statistic of every run, for each value of the method's parameter."""
    found: dict[Fraction, list[Fraction]] = {}
    for row in rows:
        if (row["method"], row["statistic"], row["of"]) == (method, statistic, of):
            found.setdefault(Fraction(row["value of parameter"]), []).append(Fraction(row["measured"]))
    return dict(sorted(found.items()))


def means_by_value(rows: Sequence[Row], method: str, statistic: str, of: str) -> dict[Fraction, Fraction]:
    """The mean over the runs of a statistic, for each value of the method's parameter."""
    return {value: mean_of(measured) for value, measured in each_run(rows, method, statistic, of).items()}


def rows_by_run(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each run, of all methods."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row["run"]:
            found.setdefault(row["run"], []).append(row)
    return list(found.values())


def mean_of(numbers: Sequence[Fraction]) -> Fraction:
    """The mean of at least one number."""
    return sum(numbers, Fraction()) / len(numbers)


def budgets_by_value(rows: Sequence[Row], method: Method, scale: str) -> dict[Fraction, Fraction]:
    """The finite budgets of a method's values."""
    return {
        Fraction(row["value of parameter"]): Fraction(row[scale])
        for row in rows
        if row["method"] == method.name and row[scale] != "infinite"
    }


def curve_of(rows: Sequence[Row], method: Method, scale: str) -> Curve:
    """(budget, mean error) for each value that has a finite budget, by increasing budget."""
    errors, budgets = means_by_value(rows, method.name, *ERROR), budgets_by_value(rows, method, scale)
    return sorted((budgets[value], error) for value, error in errors.items() if value in budgets)


def budget_at(rows: Sequence[Row], scale: str, method: Method, error: Fraction) -> Fraction | None:
    """The budget at which a method has this error; None where no value tried reaches it."""
    return crossing(curve_of(rows, method, scale), error)


def error_at(rows: Sequence[Row], scale: str, method: Method, budget: Fraction) -> Fraction | None:
    """The mean error at this budget; None beyond the budgets of the values tried."""
    return crossing([(error, at) for at, error in curve_of(rows, method, scale)], budget)


def crossing(curve: Curve, level: Fraction) -> Fraction | None:
    """The first coordinate at which the straight lines between the points first reach a level; None if they don't.

    >>> crossing([(Fraction(1), Fraction(8)), (Fraction(3), Fraction(4))], Fraction(5))
    Fraction(5, 2)
    """
    return next(_crossings(curve, level), None)


def _crossings(curve: Curve, level: Fraction) -> Iterator[Fraction]:
    for (x, y), (next_x, next_y) in pairwise(curve):
        if min(y, next_y) <= level <= max(y, next_y):
            yield x if y == next_y else x + (next_x - x) * (level - y) / (next_y - y)
