"""Least squares among real numbers: conditions of optimality, limits that are far away, and what cannot be met."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stirred.mechanisms.fast.least_squares import real_point
from stirred.mechanisms.fast.unit_pieces import Squares
from stirred.mechanisms.topdown.nearest import Constraint, InfeasibleError, NearestPoint, Square

small = st.integers(-2, 2)
CLOSE = 1e-4


@st.composite
def problems(draw):
    """Four variables, squares of each and of some sums, and rows that a drawn point meets."""
    point = draw(st.tuples(*(st.integers(0, 5),) * 4))
    squares = [Square(((variable, 1),), draw(st.integers(-5, 9)), 1) for variable in range(4)]
    constraints = []
    for number in range(draw(st.integers(0, 3))):
        row = tuple(enumerate(draw(st.tuples(*(small,) * 4))))
        value = sum(entry * point[variable] for variable, entry in row)
        below, above = draw(st.sampled_from(((0, 0), (1, 2), (None, 1), (0, None))))
        lower, upper = None if below is None else value - below, None if above is None else value + above
        constraints.append(Constraint(f"row {number}", row, lower, upper))
        squares.append(Square(tuple(enumerate(draw(st.tuples(*(small,) * 4)))), draw(st.integers(-5, 9)), 3))
    return NearestPoint(4, 4, tuple(constraints), tuple(squares))


@settings(max_examples=60, deadline=None)
@given(problems())
def test_what_it_finds_meets_the_rows_and_the_conditions_of_optimality(problem):
    squares = Squares(problem)
    point = real_point(squares)
    columns = np.repeat(np.arange(len(squares.weight)), np.diff(squares.starts))
    rows = np.bincount(squares.rows, squares.entries * point.values[columns], len(squares.lower))
    assert np.all(rows >= squares.lower.astype(float) - CLOSE)
    assert np.all(rows <= squares.upper.astype(float) + CLOSE)
    assert np.all(point.values[:4] >= -CLOSE)
    charged = np.bincount(columns, squares.entries * point.prices[squares.rows], len(squares.weight))
    slope = 2 * (squares.weight * point.values - squares.pull) + charged
    inside = point.values > squares.low.astype(float) + 100 * CLOSE
    fixed = squares.low == squares.high
    assert np.all(np.abs(slope[inside & ~fixed & (point.values < squares.high)]) < 100 * CLOSE)


def test_a_limit_far_away_does_not_hide_the_others():
    """The limit of 10^14 is no limit of 100 persons; where its own variable is measured as far, it is one."""
    hundred = Constraint("persons", ((0, 1), (1, 1)), 100, 100)
    far = Constraint("a unit has room", ((0, 1), (1, 1), (2, 1)), None, 10**14)
    own = (Square(((0, 1),), 70, 1), Square(((1, 1),), 40, 1), Square(((2, 1),), 5, 1))
    point = real_point(Squares(NearestPoint(3, 3, (hundred, far), own)))
    assert np.allclose(point.values, (65, 35, 5), atol=CLOSE)
    near = Constraint("a unit has room", ((0, 1), (1, 1), (2, 1)), None, 10**6)
    pulled = (*own[:2], Square(((2, 1),), 2 * 10**6, 1))
    point = real_point(Squares(NearestPoint(3, 3, (hundred, near), pulled)))
    assert abs(point.values.sum() - 10**6) < 1


def test_large_counts_are_found_as_precisely_as_small_ones():
    """A step of 1/1000 record beside 10^8: the tolerance is one for what is more than was measured."""
    many = 10**8
    total = Constraint("persons", ((0, 1), (1, 1)), 2 * many + 10, 2 * many + 10)
    both = Square(((0, 1), (1, 1), (2, 1)), 2 * many + 40, 1)
    own = (Square(((0, 1),), many, 3), Square(((1, 1),), many, 1), Square(((2, 1),), 0, 1))
    point = real_point(Squares(NearestPoint(3, 3, (total,), (*own, both))))
    assert np.allclose(point.values[:3] - (many, many, 0), (2.5, 7.5, 15), atol=CLOSE)


def test_rows_that_contradict_each_other_are_told():
    rows = (Constraint("a", ((0, 1), (1, 1)), 3, 3), Constraint("b", ((0, 1), (1, 1), (2, 1)), None, 2))
    with pytest.raises(InfeasibleError, match="none does"):
        real_point(Squares(NearestPoint(3, 3, rows, (Square(((0, 1),), 1, 1),))))
