"""Draws of the look-alikes: exact weights of documented laws, a float parameter being what it is; NumPy's inverses."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb, log
from typing import Any

from stirred.mechanisms.generators.float_function import whole_numbers
from stirred.mechanisms.generators.grid_draw import GeneratorRun, GridDraw
from stirred.mechanisms.generators.undrawn import Undrawn

_MOST_LISTED = 10_000
"""Integers that are drawn at once; one of more is drawn as far as something depends on it."""

_MOST_TRIALS = 2_000

_GRID = 2**53


def exact_value(number: Any) -> Fraction:
    """What a parameter is: of a float the fraction that it is.

    >>> exact_value(0.75), exact_value(0.1) == Fraction(1, 10)
    (Fraction(3, 4), False)
    """
    return number if isinstance(number, Fraction) else Fraction(float(number))


def uniform_float(run: GeneratorRun, kind: Any = float, bits: int = 53, least: int = 0) -> Any:
    """A float k/2^bits, with k uniform on least, …, 2^bits − 1, that is not drawn yet."""
    run.has_doubles = True
    return Undrawn(GridDraw(run, least, 2**bits - 1), whole_numbers(kind, 2.0**-bits))


def integer_below(run: GeneratorRun, n: int, low: int = 0, kind: Any = int) -> Any:
    """A uniform integer among low, …, low + n − 1; of more than 10,000 one that is not drawn yet."""
    if n <= _MOST_LISTED:
        return kind(low + run.source.uniform(n))
    return Undrawn(GridDraw(run, 0, n - 1), whole_numbers(kind, least=low))


@lru_cache(maxsize=256)
def binomial_weights(n: int, p: Fraction) -> tuple[Fraction, ...] | None:
    """The probabilities C(n, k)·p^k·(1−p)^(n−k) of k = 0, …, n; None for more than 2,000 trials.

    >>> binomial_weights(2, Fraction(1, 2))
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    """
    if n > _MOST_TRIALS:
        return None
    return tuple(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1))


@lru_cache(maxsize=256)
def hypergeometric_weights(good: int, bad: int, drawn: int) -> tuple[Fraction, ...] | None:
    """The probabilities of k = 0, …, drawn good ones among so many drawn; None for more than 2,000 drawn.

    >>> hypergeometric_weights(1, 1, 1)
    (Fraction(1, 2), Fraction(1, 2))
    """
    if drawn > _MOST_TRIALS:
        return None
    whole = comb(good + bad, drawn)
    return tuple(Fraction(comb(good, k) * comb(bad, drawn - k), whole) for k in range(drawn + 1))


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
