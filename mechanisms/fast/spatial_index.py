"""The nearest places of one kind, with exact integer distances: a tree over the distinct places of each kind.

Coordinates span less than 2^25 units, so every squared distance, and every bound that the tree compares it with (of
points and of midpoints between two of them), is a multiple of 1/4 below 2^51: a double holds it exactly.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from stirred.spec.arguments import InputError

Codes = NDArray[np.int64]

Near = tuple[Codes, Codes, bool]
"""Places by increasing squared distance, these distances, and whether they are all places of the kind."""

_SPAN = 2**25
_MANY = 128


class SpatialIndex:
    """The places of every kind; a kind's places are listed together.

    Args:
        kind: the kind of each place, in increasing order.
        x: integer coordinates.
        y: the other ones.

    Raises:
        InputError: coordinates span 2^25 units or more.
    """

    def __init__(self, kind: Codes, x: Codes, y: Codes) -> None:
        for name, values in (("x", x), ("y", y)):
            span = int(values.max()) - int(values.min()) if len(values) else 0
            if span >= _SPAN:
                raise InputError(f"{name} must span less than 2^25 units; got {span}: take a coarser unit")
        self._x, self._y = x - (x.min() if len(x) else 0), y - (y.min() if len(y) else 0)
        self._starts = np.flatnonzero(np.diff(kind, prepend=kind[:1] - 1)) if len(kind) else kind
        self._ends = np.append(self._starts[1:], len(kind))
        self._kind = kind[self._starts]
        self._trees: dict[int, Any] = {}

    def nearest(self, kind: int, places: Codes, count: int) -> list[Near]:
        """For each of these places, at least `count` places of the kind nearest to it, or all."""
        at = int(np.searchsorted(self._kind, kind))
        start, end = int(self._starts[at]), int(self._ends[at])
        count = min(count, end - start)
        if at not in self._trees:
            points = np.stack((self._x[start:end], self._y[start:end]), axis=1).astype(np.float64)
            self._trees[at] = cKDTree(points)
        asked = np.stack((self._x[places], self._y[places]), axis=1).astype(np.float64)
        threads = 2 if len(places) > _MANY else 1
        found = self._trees[at].query(asked, k=count, workers=threads)[1].reshape(len(places), count) + start
        across, along = self._x[found] - self._x[places, None], self._y[found] - self._y[places, None]
        distances = across * across + along * along
        return [(found[row], distances[row], count == end - start) for row in range(len(places))]
