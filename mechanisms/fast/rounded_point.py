"""Integer least squares in two stages, as the Census Bureau solved them: a relaxed problem, then rounding.

1. The variables need not be integers.
2. The integers nearest to that solution, in the sum of squares over single variables, that meet all constraints.

The second stage has no queries in it, so where constraints nest it is a problem of flows, also where queries cross and
the nearest point is out of reach. What comes out meets every constraint. **It need not be the nearest point**, and is
called rounded wherever it is released.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import floor

from stirred.mechanisms.das.topdown.nearest import NearestPoint, Square
from stirred.mechanisms.fast.nearest_point import fast_nearest, relaxed_point

PARTS = 1024
"""Of a unit: the relaxed solution is taken to this precision, so that the last bits of floats decide nothing."""


def rounded_point(problem: NearestPoint) -> tuple[int, ...]:
    """A point near to the measurements that meets the constraints: the rounded solution of the relaxed problem."""
    return integers_near(problem, relaxed_point(problem)[: problem.decided])


def integers_near(problem: NearestPoint, values: Sequence[float]) -> tuple[int, ...]:
    """The integers that meet the constraints of a problem and are nearest to real numbers, each one for itself.

    Args:
        problem: its squares are not looked at.
    """
    squares = []
    for variable, value in enumerate(values):
        below = floor(value)
        share = round((value - below) * PARTS)
        # together (PARTS)·(x − below − share/PARTS)² and a constant
        for target, weight in ((below, PARTS - share), (below + 1, share)):
            if weight:
                squares.append(Square(((variable, 1),), target, weight))
    return fast_nearest(replace(problem, squares=tuple(squares)))
