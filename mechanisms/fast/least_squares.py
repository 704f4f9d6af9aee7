"""Least squares under linear constraints among real numbers, by the interior points of Clarabel.

What comes out is near to the solution, in floats: it says where integers are looked for, and proves nothing.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.das.topdown.nearest import InfeasibleError
from stirred.mechanisms.fast.unit_pieces import OPEN, Integers, Squares
from stirred.spec.arguments import InputError

_FAR = 1_000
"""A limit that is so many times the largest number that is kept is left out, unless it turns out to matter: beside it
a solver of floats takes the others for nothing."""

_NO_DESCENT = 1e-14
"""Clarabel's tolerance for a direction without end, where it must not find one."""

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

    >>> from stirred.mechanisms.das.topdown.nearest import Constraint, NearestPoint, Square
    >>> sum_is_3 = Constraint("sum", ((0, 1), (1, 1)), 3, 3)
    >>> point = real_point(Squares(NearestPoint(2, 2, (sum_is_3,), (Square(((0, 1),), 2, 1), Square(((1, 1),), 2, 1)))))
    >>> [round(float(x), 6) for x in point.values], round(float(point.prices[0]), 6)
    ([1.5, 1.5], 1.0)
    """
    for library in ("clarabel", "scipy"):
        if find_spec(library) is None:
            raise InputError(f"{library} must be installed to estimate among real numbers: pip install {library}")
    from scipy import sparse  # noqa: PLC0415

    shape = len(squares.lower), len(squares.weight)
    matrix = sparse.csc_matrix((squares.entries.astype(np.float64), squares.rows, squares.starts), shape)
    origin = np.clip(squares.guess, squares.low, squares.high)
    shift = _activity(squares, origin)
    lower = np.where(squares.lower == -OPEN, -OPEN, squares.lower - shift)
    upper = np.where(squares.upper == OPEN, OPEN, squares.upper - shift)
    far = _FAR * max(1, int(np.abs(upper[lower == upper]).max(initial=0)))
    near = np.where(lower < -far, -OPEN, lower), np.where(upper > far, OPEN, upper)
    point = _solved(squares, matrix, origin, *near)
    activity = matrix @ (point.values - origin)
    left_out = ((near[0] != lower) & (activity < lower)) | ((near[1] != upper) & (activity > upper))
    return _solved(squares, matrix, origin, lower, upper) if left_out.any() else point


def _activity(squares: Squares, values: Integers) -> Integers:
    found = np.zeros(len(squares.lower), dtype=np.int64)
    np.add.at(found, squares.rows, squares.entries * np.repeat(values, np.diff(squares.starts)))
    return found


def _solved(squares: Squares, matrix: Any, origin: Integers, lower: Integers, upper: Integers) -> RealPoint:
    """The solution with these sides of the rows, as what the columns are more than at an origin.

    Beside what was measured the differences are small, and a tolerance for them is one for the counts.
    """
    import clarabel  # noqa: PLC0415 an optional dependency
    from scipy import sparse  # noqa: PLC0415

    unit = float(max(squares.weight.max(initial=0), 1))
    sides = _Sides()
    sides.add(matrix, lower, upper)
    sides.add(
        sparse.identity(len(squares.weight), format="csc"), _less(squares.low, origin), _less(squares.high, origin)
    )
    found = sides.stacked(sparse)
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    problem = (
        sparse.diags(2 * squares.weight / unit, format="csc"),
        2 * (squares.weight * origin - squares.pull) / unit,
        found.matrix,
        found.limits,
        [clarabel.ZeroConeT(found.equal), clarabel.NonnegativeConeT(len(found.limits) - found.equal)],
    )
    solution = clarabel.DefaultSolver(*problem, settings).solve()
    if "DualInfeasible" in str(solution.status):
        # squares are never below 0: what looks like an endless descent are millions of records beside weak squares
        settings.tol_infeas_abs = settings.tol_infeas_rel = _NO_DESCENT
        solution = clarabel.DefaultSolver(*problem, settings).solve()
    status = str(solution.status)
    if "PrimalInfeasible" in status:
        raise InfeasibleError("no data set meets the constraints")
    if status not in ("Solved", "AlmostSolved"):
        raise InputError(f"Clarabel did not converge: {status}")
    prices = np.zeros(len(lower))
    of_rows = found.rows < len(lower)
    np.add.at(prices, found.rows[of_rows], found.signs[of_rows] * np.array(solution.z)[of_rows] * unit)
    return RealPoint(origin + np.array(solution.x), prices)


def _less(sides: Integers, origin: Integers) -> Integers:
    """Bounds of what is more than at the origin."""
    return np.where(np.abs(sides) == OPEN, sides, sides - origin)


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
