"""Integer least squares in two stages, as the Census Bureau solved them: a relaxed problem, then rounding.

1. The squares go straight from one integer value of their form to the next, and the variables need not be integers.
2. The integers nearest to that solution, in the sum of squares over single variables, that meet all constraints.

The second stage has no queries in it, so where constraints nest it is a linear program, also where queries cross and
the nearest point is out of reach. What comes out meets every constraint. **It need not be the nearest point**, and is
called rounded wherever it is released.
"""

from __future__ import annotations

from dataclasses import replace
from math import floor

from stirred.mechanisms.fast.nearest_point import fast_nearest, relaxed_point
from stirred.mechanisms.topdown.nearest import NearestPoint, Square

__all__ = ["rounded_point"]

_PARTS = 1024
"""Of a unit: the relaxed solution is taken to this precision, so that the last bits of floats decide nothing."""


def rounded_point(problem: NearestPoint) -> tuple[int, ...]:
    """A point near to the measurements that meets the constraints: the rounded solution of the relaxed problem.

    Raises:
        InfeasibleError: no point meets the constraints.
        InputError: highspy is not installed, or HiGHS stops early.
    """
    squares = []
    for variable, value in enumerate(relaxed_point(problem)[: problem.decided]):
        below = floor(value)
        share = round((value - below) * _PARTS)
        # together (PARTS)·(x − below − share/PARTS)² and a constant
        for target, weight in ((below, _PARTS - share), (below + 1, share)):
            if weight:
                squares.append(Square(((variable, 1),), target, weight))
    return fast_nearest(replace(problem, squares=tuple(squares)))
