"""Geometric mechanisms: noise on a bounded count, truncated (renormalised) or clamped, and on an integer query."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Any

from stirred.mechanisms.source import Source
from stirred.spec.arguments import Exact, InputError, integer, open_probability, positive, positive_integer
from stirred.spec.laws.law import Probability
from stirred.spec.numbers.enclosure import exponential

_PLACES = 10**12


def _check(count: int, size: int, ratio: object) -> Fraction:
    integer("count", count, minimum=0)
    positive_integer("size", size)
    if count >= size:
        raise InputError(f"count must be below size; got {count} and {size}")
    return open_probability("ratio", ratio)


@lru_cache(maxsize=256, typed=True)
def geometric_weights(count: int, size: int, ratio: Fraction) -> tuple[Fraction, ...]:
    """α^|t−x| for t = 0, …, size−1, divided by their sum: the law of the truncated geometric mechanism."""
    raw = [ratio ** abs(output - count) for output in range(size)]
    total = sum(raw, Fraction(0))
    return tuple(weight / total for weight in raw)


def ratio_above(epsilon: Exact) -> Fraction:
    """The least number of 12 decimals that is at least e^(−ε): noise with it loses at most ε for each step.

    >>> ratio_above(Fraction(1, 2))
    Fraction(606530659713, 1000000000000)
    """
    return Fraction(ceil(exponential(-positive("epsilon", epsilon)).upper * _PLACES), _PLACES)


def truncated_geometric(count: int, source: Source, *, size: int, ratio: Fraction) -> int:
    """A count in 0, …, size−1 drawn with probability proportional to α^|t−x|.

    Neighbouring counts differ in their normalising constants, so its loss at distance 1 lies between ln(1/α) and
    2·ln(1/α); it is ln(1/α) only up to size 2.

    Args:
        count: the true count x, 0 ≤ x < size.
        size: the number of possible inputs and outputs.
        ratio: α in (0, 1); for unbounded noise α = e^−ε.
    """
    alpha = _check(count, size, ratio)
    return source.choose(geometric_weights(count, size, alpha))


def clamped_geometric(count: int, source: Source, *, size: int, ratio: Fraction) -> int:
    """Two-sided geometric noise added to a count, then clamped to 0, …, size−1: loss exactly ln(1/α) at distance 1.

    P(t) = (1−α)/(1+α)·α^|t−x| inside the range and α^|t−x|/(1+α) at its ends.

    Args:
        size: the number of possible inputs and outputs; with size 1 the output is constant.
        ratio: α in (0, 1).

    Source: Ghosh, Roughgarden, Sundararajan (2012), the range-restricted geometric mechanism.
    """
    alpha = _check(count, size, ratio)
    if size == 1:
        return 0
    return source.choose(_clamped_weights(count, size, alpha))


@lru_cache(maxsize=256, typed=True)
def _clamped_weights(count: int, size: int, alpha: Fraction) -> tuple[Fraction, ...]:
    inside, end = (1 - alpha) / (1 + alpha), 1 / (1 + alpha)
    return tuple(alpha ** abs(t - count) * (end if t in (0, size - 1) else inside) for t in range(size))


def discrete_laplace_mechanism(
    data: Any, source: Source, *, query: Callable[[Any], int], ratio: Probability, low: int, high: int
) -> int:
    """q(x) plus noise P(k) ∝ α^|k|, moved into low, …, high.

    α = e^(−1/b) for the scale b = Δ_q of Definition 6.4.2. Between data sets of one scale whose values lie in the
    range the loss is |q(x) − q(x')|·ln(1/α), with the clamping and without.

    Args:
        query: q, with integer values.
        ratio: α in (0, 1), exact.
        high: the greatest output, at least `low`.

    Source: dissertation, Definition 6.4.2; Ghosh, Roughgarden, Sundararajan (2012).
    """
    value = integer("the value of the query", query(data))
    return source.clamp(value + source.discrete_laplace(ratio), low, high)
