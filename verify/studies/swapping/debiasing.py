"""The study's recipe for any statistic s: how far disclosure avoidance moves it, and s with that taken off."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from stirred.spec.arguments import InputError

Number = int | float | Fraction


@dataclass(frozen=True)
class Displacement:
    """Δ = s(X_Swapped, Z) − s(X_Synthetic, Z) over independent runs.

    Attributes:
        runs: how many.
        bias: the mean of Δ, an unbiased estimate of E[Δ].
        variance: the sample variance of Δ, with n − 1, an unbiased estimate of Var Δ.
    """

    runs: int
    bias: Number
    variance: Number

    def debiased(self, released: Number) -> Number:
        """s(X_Released, Z) − E[Δ]: of use where Var Δ is small and the runs behave as the true procedure does."""
        return released - self.bias


def displacement(swapped: Sequence[Number], original: Number) -> Displacement:
    """Bias and variance of a statistic over independent runs of a release.

    Args:
        swapped: s of at least two runs; floats, or exact numbers for exact answers.
        original: s of the data that were released.

    Raises:
        InputError: there are fewer than two runs.

    Source: swapping study, section 5.3.

    >>> displacement([3, 5], 2).debiased(10), displacement([Fraction(3), Fraction(5)], 2).variance
    (8.0, Fraction(2, 1))
    """
    n = len(swapped)
    if n < 2:
        raise InputError(f"swapped must be the statistic of at least two runs; got {n}")
    moved = [one - original for one in swapped]
    mean = sum(moved) / n
    return Displacement(n, mean, sum((one - mean) ** 2 for one in moved) / (n - 1))
