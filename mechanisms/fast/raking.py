"""Iterative proportional fitting of a table of positive numbers to known margins, in doubles."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from stirred.spec.arguments import InputError

_ROUNDS = 1_000
_CLOSE = 1e-10


def raked_table(table: NDArray[np.float64], margins: Mapping[int, NDArray[np.float64]]) -> NDArray[np.float64]:
    """The table scaled along one axis after another until its sums are the margins; with one margin post-stratified.

    Args:
        table: positive numbers.
        margins: by axis the sums that the table is to have, positive and of one total.

    Source: Deming and Stephan (1940).

    >>> raked_table(np.array([[1.0, 1.0], [1.0, 3.0]]), {0: np.array([4.0, 8.0])}).tolist()
    [[2.0, 2.0], [2.0, 6.0]]
    """
    found = table.astype(np.float64)
    others = {axis: tuple(one for one in range(found.ndim) if one != axis) for axis in margins}
    for _ in range(_ROUNDS):
        for axis, margin in margins.items():
            factor = margin / found.sum(axis=others[axis])
            found *= factor.reshape([-1 if one == axis else 1 for one in range(found.ndim)])
        if all(
            np.all(np.abs(found.sum(axis=others[axis]) - margin) <= _CLOSE * margin) for axis, margin in margins.items()
        ):
            return found
    raise InputError(f"raking did not converge in {_ROUNDS} rounds: the margins are not met")
