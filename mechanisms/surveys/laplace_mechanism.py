"""The Laplace mechanism for an integer query, with discrete noise, so that its law is exact."""

from collections.abc import Callable
from typing import Any

from stirred.mechanisms.source import Source
from stirred.spec.arguments import integer
from stirred.spec.laws.law import Probability


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
