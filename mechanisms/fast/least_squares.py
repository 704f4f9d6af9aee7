"""Least squares under linear constraints among real numbers, by the interior points of Clarabel.

What comes out is near to the solution, in floats: it says where integers are looked for, and proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.unit_pieces import OPEN, Integers, Squares
from stirred.mechanisms.topdown.nearest import InfeasibleError
from stirred.spec.arguments import InputError

__all__ = ["RealPoint", "Reals", "real_point"]

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class RealPoint:
    """A point near to the solution.

    Attributes:
        values: of all columns.
        prices: of all rows; for each column between its bounds, the slope of its square, with the rows' entries times
            their prices, is 0.
    """

    values: Reals
    prices: Reals


def real_point(squares: Squares) -> RealPoint:
    """The columns that make Σ W·x² − 2B·x smallest within all rows and bounds, which need not be integers.

    Raises:
        InfeasibleError: no point meets the rows and bounds.
        InputError: Clarabel stops early.

    >>> from stirred.mechanisms.topdown.nearest import Constraint, NearestPoint, Square
    >>> sum_is_3 = Constraint("sum", ((0, 1), (1, 1)), 3, 3)
    >>> point = real_point(Squares(NearestPoint(2, 2, (sum_is_3,), (Square(((0, 1),), 2, 1), Square(((1, 1),), 2, 1)))))
    >>> [round(float(x), 6) for x in point.values], round(float(point.prices[0]), 6)
    ([1.5, 1.5], 1.0)
    """
    import clarabel  # noqa: PLC0415 an optional dependency
    from scipy import sparse  # noqa: PLC0415

    size, rows = len(squares.weight), len(squares.lower)
    unit = float(max(squares.weight.max(initial=0), 1))
    matrix = sparse.csc_matrix((squares.entries.astype(np.float64), squares.rows, squares.starts), (rows, size))
    sides = _Sides()
    sides.add(matrix, squares.lower, squares.upper)
    sides.add(sparse.identity(size, format="csc"), squares.low, squares.high)
    found = sides.stacked(sparse)
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    solution = clarabel.DefaultSolver(
        sparse.diags(2 * squares.weight / unit, format="csc"),
        -2 * squares.pull / unit,
        found.matrix,
        found.limits,
        [clarabel.ZeroConeT(found.equal), clarabel.NonnegativeConeT(len(found.limits) - found.equal)],
        settings,
    ).solve()
    status = str(solution.status)
    if "PrimalInfeasible" in status:
        raise InfeasibleError("some data set must meet the constraints; none does")
    if status not in ("Solved", "AlmostSolved"):
        raise InputError(f"Clarabel must finish; it stopped with: {status}")
    prices = np.zeros(rows)
    of_rows = found.rows < rows
    np.add.at(prices, found.rows[of_rows], found.signs[of_rows] * np.array(solution.z)[of_rows] * unit)
    return RealPoint(np.array(solution.x), prices)


@dataclass(frozen=True)
class _Stacked:
    """Rows with equalities first, then what is at most its limit.

    Attributes:
        matrix, limits: the rows and their right sides.
        equal: how many are equalities.
        rows, signs: of each, the row that it came from, and −1 where it is that of the lower side.
    """

    matrix: Any
    limits: Reals
    equal: int
    rows: Integers
    signs: Integers


class _Sides:
    """The sides of rows, as equalities and as upper limits."""

    def __init__(self) -> None:
        self._parts: list[list[tuple[Any, Reals, Integers, int]]] = [[], []]
        self._rows = 0

    def add(self, matrix: Any, lower: Integers, upper: Integers) -> None:
        """Rows between two sides, ±2^62 where one is open."""
        by_row = matrix.tocsr()
        same = lower == upper
        for kind, sign, side, chosen in (
            (0, 1, upper, same),
            (1, 1, upper, ~same & (upper != OPEN)),
            (1, -1, lower, ~same & (lower != -OPEN)),
        ):
            places = np.flatnonzero(chosen)
            self._parts[kind].append(
                (sign * by_row[places], sign * side[places].astype(float), places + self._rows, sign)
            )
        self._rows += len(lower)

    def stacked(self, sparse: Any) -> _Stacked:
        """All of them, one below the other."""
        parts = [*self._parts[0], *self._parts[1]]
        return _Stacked(
            sparse.vstack([matrix for matrix, *_ in parts], format="csc"),
            np.concatenate([limits for _, limits, _, _ in parts]),
            sum(len(limits) for _, limits, _, _ in self._parts[0]),
            np.concatenate([rows for _, _, rows, _ in parts]),
            np.concatenate([np.full(len(rows), sign) for _, _, rows, sign in parts]),
        )
