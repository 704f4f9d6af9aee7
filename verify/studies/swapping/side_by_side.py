"""Privacy at equal error, and error at equal privacy: curves through the means of the study's table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from verify.studies.study import Row

__all__ = ["Curve", "crossing", "curve_of", "mean_of", "means_by_value"]

Curve = Sequence[tuple[Fraction, Fraction]]
"""Points (budget, error) or (value, error), by increasing first coordinate."""


def means_by_value(rows: Sequence[Row], method: str, statistic: str, of: str) -> dict[Fraction, Fraction]:
    """The mean over the runs of a statistic, for each value of the method's parameter."""
    found: dict[Fraction, list[Fraction]] = {}
    for row in rows:
        if (row["method"], row["statistic"], row["of"]) == (method, statistic, of):
            found.setdefault(Fraction(row["value of parameter"]), []).append(Fraction(row["measured"]))
    return {value: mean_of(measured) for value, measured in sorted(found.items())}


def mean_of(numbers: Sequence[Fraction]) -> Fraction:
    """The mean of at least one number."""
    return sum(numbers, Fraction()) / len(numbers)


def curve_of(errors: Mapping[Fraction, Fraction], budgets: Mapping[Fraction, Fraction]) -> Curve:
    """(budget, error) for each value that has a budget, by increasing budget."""
    return sorted((budgets[value], error) for value, error in errors.items() if value in budgets)


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
