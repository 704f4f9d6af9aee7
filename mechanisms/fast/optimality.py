"""The exact check that integers are the nearest ones: prices of the rows under which no step of a column would pay."""

import numpy as np

from stirred.mechanisms.fast.unit_pieces import Integers, Squares

_LARGEST = 2**62


def is_nearest(squares: Squares, values: Integers, prices: Integers) -> bool:
    """Whether integers meet every row and bound, and prices prove that no other point has a smaller loss.

    The loss is Σ f(x) with f(x) = W·x² − 2B·x for each column. For rows A·x between their sides and prices y, the
    values are optimal where, for each column, no step up or down makes f(x) − (Aᵗy)·x smaller, a row with a positive
    price is at its lower side and one with a negative price at its upper side: then, for every point z that meets the
    rows, Σ f(z) ≥ Σ f(x) + y·(A·z − A·x) ≥ Σ f(x). Each f is convex, so steps of one unit are enough.

    Args:
        squares: the columns, their bounds and the rows.
        values: of all columns, those of forms included.
        prices: of the rows.

    Returns:
        False also where numbers could leave 64 bits.

    >>> from stirred.mechanisms.das.topdown.nearest import Constraint, NearestPoint, Square
    >>> sum_is_3 = Constraint("sum", ((0, 1), (1, 1)), 3, 3)
    >>> squares = Squares(NearestPoint(2, 2, (sum_is_3,), (Square(((0, 1),), 7, 1), Square(((1, 1),), 1, 1))))
    >>> [is_nearest(squares, np.array(point), np.array([-8])) for point in ((3, 0), (2, 1))]
    [True, False]
    """
    if not _is_small(squares, values, prices):
        return False
    columns = np.arange(len(values))
    each = np.diff(squares.starts)
    activity = np.zeros(len(squares.lower), dtype=np.int64)
    np.add.at(activity, squares.rows, squares.entries * np.repeat(values, each))
    if np.any(activity < squares.lower) or np.any(activity > squares.upper):
        return False
    if np.any(values < squares.low) or np.any(values > squares.high):
        return False
    if np.any((prices > 0) & (activity != squares.lower)) or np.any((prices < 0) & (activity != squares.upper)):
        return False
    paid = np.zeros(len(values), dtype=np.int64)
    np.add.at(paid, np.repeat(columns, each), squares.entries * prices[squares.rows])
    up = squares.slope(columns, values, np.ones_like(values)) - paid
    down = squares.slope(columns, values, -np.ones_like(values)) - paid
    return bool(np.all((up >= 0) | (values == squares.high)) and np.all((down <= 0) | (values == squares.low)))


def _is_small(squares: Squares, values: Integers, prices: Integers) -> bool:
    """Whether no sum or product of the check can leave 64 bits."""
    entry = int(np.abs(squares.entries).max(initial=0))
    longest = max(int(np.diff(squares.starts).max(initial=0)), int(np.bincount(squares.rows).max(initial=0)))
    most, price = int(np.abs(values).max(initial=0)), int(np.abs(prices).max(initial=0))
    weight, pull = int(squares.weight.max(initial=0)), int(np.abs(squares.pull).max(initial=0))
    return (
        entry * longest * max(most, price) < _LARGEST
        and weight * (2 * most + 1) + 2 * pull + entry * longest * price < _LARGEST
    )
