"""What NumPy draws by one uniform number: members by cumulated floats, and the inverses of its noise."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import log

_GRID = 2**53


@lru_cache(maxsize=256)
def weights_of_cuts(cuts: Sequence[float]) -> tuple[Fraction, ...]:
    """The probabilities that none, one, … of increasing floats are at most k/2^53, for a uniform k below 2^53.

    >>> weights_of_cuts((0.25, 1.0))
    (Fraction(1, 4), Fraction(3, 4), Fraction(0, 1))
    """
    firsts = [min(max(-(-Fraction(cut).numerator * _GRID // Fraction(cut).denominator), 0), _GRID) for cut in cuts]
    ends = [0, *firsts, _GRID]
    return tuple(Fraction(after - before, _GRID) for before, after in pairwise(ends))


def numpy_laplace(u: float, loc: float, scale: float) -> float:
    """The Laplace variable that NumPy computes from a uniform number u > 0, which rises with it.

    >>> numpy_laplace(0.5, 1.0, 2.0)
    1.0
    """
    if u >= 0.5:
        return loc - scale * log(2.0 - u - u)
    return loc + scale * log(u + u)


def numpy_gumbel(u: float, loc: float, scale: float) -> float:
    """The Gumbel variable that NumPy computes from a uniform number u > 0, which falls with it."""
    return loc - scale * log(-log(1.0 - u))


def numpy_logistic(u: float, loc: float, scale: float) -> float:
    """The logistic variable that NumPy computes from a uniform number u > 0, which rises with it."""
    return loc + scale * log(u / (1.0 - u))
