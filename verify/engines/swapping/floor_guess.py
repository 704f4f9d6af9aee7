"""A solver's guess at the mechanism of least error, and at the multipliers that bound it: floats, rounded to fractions.

Nothing is shown by a guess: `verify.engines.swapping.floor` makes a certificate of it, or not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from stirred.spec.arguments import InputError

_PARTS = 10**15

Matrix = Sequence[Sequence[Fraction]]


@dataclass(frozen=True)
class GuessedFloor:
    """What a solver found, none below 0.

    Attributes:
        mechanism: P_x(z), whose rows sum to about 1.
        multipliers: v_ij(z) for each constraint P_i(z) ≤ e^(ε·d)·P_j(z), in the order of the steps.
        shares: how much each table weighs in the worst case; none for a fixed prior.
    """

    mechanism: Matrix
    multipliers: Matrix
    shares: Sequence[Fraction]


def guess_floor(
    costs: Matrix, steps: Sequence[tuple[int, int, int]], factors: Mapping[int, Fraction], *, worst: bool
) -> GuessedFloor:
    """The linear program's solution by HiGHS.

    Args:
        costs: ℓ(x, z), of N tables.
        steps: the pairs (i, j, d) of the constraints.
        factors: e^(ε·d) by d.
        worst: whether the largest error over x is to be least; otherwise their mean.
    """
    try:
        from scipy.optimize import linprog  # noqa: PLC0415 an optional dependency
        from scipy.sparse import coo_array  # noqa: PLC0415
    except ImportError:
        raise InputError("the floor of this universe needs scipy: pip install scipy") from None
    size, table = len(costs), np.array([[float(c) for c in row] for row in costs])
    constraints = len(steps) * size
    rows, columns, values = [], [], []
    for number, (i, j, d) in enumerate(steps):
        for z in range(size):
            rows += [number * size + z] * 2
            columns += [i * size + z, j * size + z]
            values += [1.0, -float(factors[d])]
    if worst:  # the last variable is the largest error
        for x in range(size):
            rows += [constraints + x] * (size + 1)
            columns += [*range(x * size, (x + 1) * size), size * size]
            values += [*table[x].tolist(), -1.0]
    height, width = constraints + size * worst, size * size + worst
    tight = coo_array((values, (rows, columns)), shape=(height, width)).tocsr()
    places = np.arange(size * size)
    sums = coo_array((np.ones(size * size), (places // size, places)), shape=(size, width)).tocsr()
    goal = np.append(np.zeros(size * size), 1.0) if worst else table.reshape(-1) / size
    found = linprog(goal, A_ub=tight, b_ub=np.zeros(height), A_eq=sums, b_eq=np.ones(size), method="highs")
    if found.status != 0:
        raise InputError(f"the solver must find the floor; it stopped: {found.message}")
    masses = _rational(found.x[: size * size].tolist())
    duals = _rational((-found.ineqlin.marginals).tolist())
    return GuessedFloor(_lines(masses, size), _lines(duals[:constraints], size), duals[constraints:])


def _rational(values: Sequence[float]) -> list[Fraction]:
    return [max(Fraction(0), Fraction(round(value * _PARTS), _PARTS)) for value in values]


def _lines(values: Sequence[Fraction], size: int) -> list[list[Fraction]]:
    return [list(values[start : start + size]) for start in range(0, len(values), size)]
