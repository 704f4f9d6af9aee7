"""Ecological regression: the support of a group for a candidate, read off a line fitted to voting districts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stirred.spec.arguments import InputError

__all__ = ["RegressionLine", "ecological_regression"]


@dataclass(frozen=True)
class RegressionLine:
    """y = intercept + slope·x, with x the share of a group in a district and y the share of votes for a candidate.

    Attributes:
        intercept: at x = 0.
        slope: how fast the votes rise with the share.
    """

    intercept: Any
    slope: Any

    @property
    def support(self) -> Any:
        """The line at x = 1: the estimated support of the group in a district of it alone."""
        return self.intercept + self.slope


def ecological_regression(share: ArrayLike, votes: ArrayLike, weights: ArrayLike | None = None) -> RegressionLine:
    """The line that minimises Σ w·(y − intercept − slope·x)².

    slope = Σw·(x − x̄)(y − ȳ)/Σw·(x − x̄)² and intercept = ȳ − slope·x̄ with weighted means x̄ and ȳ.

    Args:
        share: x, the share of the group in each district; floats, or Fractions for an exact line.
        votes: y, the share of votes for the candidate there.
        weights: w ≥ 0, such as the population of each district; without them every district counts alike.

    Raises:
        InputError: lengths differ, weights are negative or all 0, or all districts have one share.

    Source: swapping study, section 5.1.

    >>> ecological_regression([0, 1, 2], [1, 3, 5], [1, 1, 2]).support.item()
    3.0
    """
    x, y = np.asarray(share), np.asarray(votes)
    w = np.ones(len(x), dtype=np.int64) if weights is None else np.asarray(weights)
    if not len(x) == len(y) == len(w):
        raise InputError(f"share, votes and weights must have one length; got {len(x)}, {len(y)}, {len(w)}")
    if not len(w) or (w < 0).any() or not w.sum():
        raise InputError("weights must be at least 0 and not all 0")
    total = w.sum()
    mean_x, mean_y = (w * x).sum() / total, (w * y).sum() / total
    spread = (w * (x - mean_x) ** 2).sum()
    if not spread:
        raise InputError("share must differ between districts for a line to be fitted")
    slope = (w * (x - mean_x) * (y - mean_y)).sum() / spread
    return RegressionLine(mean_y - slope * mean_x, slope)
