"""What becomes of a small budget: ε'/ε as ε → 0, which is a mean distance of coupled samples.

The largest loss of T∘S over ε-DP releases T is max over h of ln Σ μ·e^(ε·h) − ln Σ μ'·e^(ε·h), for integer h with
h(s) − h(s') ≤ d(s, s'), of which finitely many count. For one h its slope at ε = 0 is Σ (μ − μ')·h, so that

    lim ε'/ε = max { Σ (μ − μ')·h } = W₁(μ, μ'),

the least mean of d(S, S') over all couplings of the two samples (Kantorovich and Rubinstein). Where samples at distance
∞ are possible, each part within which distances are finite is taken by itself, given that the sample lies there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from spec.input_premetric import InputPremetric
from spec.law import Law
from verify.engines.algebra.linear_program import Solution, nonnegative_solution
from verify.evidence.finding import EngineError

__all__ = ["small_budget_share", "transport_distance"]

_ZERO, _ONE = Fraction(0), Fraction(1)
Distances = Mapping[tuple[Any, Any], Fraction]


def small_budget_share(first: Law[Any], second: Law[Any], premetric: InputPremetric) -> Fraction | None:
    """lim ε'/ε as ε → 0, of the largest loss of T∘S over ε-DP releases T of the sample; None where it is ∞.

    Args:
        first: the law of the sample from one frame.
        second: that from the other frame.
        premetric: the distance of samples: a metric, symmetric and with the triangle inequality.

    >>> from spec.input_premetric import hamming_unordered
    >>> half = Fraction(1, 2)
    >>> first, second = Law({("a",): half, ("c",): half}), Law({("b",): half, ("c",): half})
    >>> small_budget_share(first, second, hamming_unordered("person"))
    Fraction(1, 2)
    """
    samples = tuple(dict.fromkeys((*first, *second)))
    found = {(s, t): premetric(s, t) for s in samples for t in samples if s != t}
    distances = {pair: Fraction(distance) for pair, distance in found.items() if distance is not None}
    shares = []
    for part in _parts(samples, distances):
        mass, other = (sum((law.numeric(s) for s in part), _ZERO) for law in (first, second))
        if mass != other:
            return None
        inside = {(s, t): distance for (s, t), distance in distances.items() if s in part}
        change = {s: (first.numeric(s) - second.numeric(s)) / mass for s in part}
        shares.append(transport_distance(change, inside))
    return max(shares)


def _parts(samples: Sequence[Any], distances: Distances) -> list[tuple[Any, ...]]:
    parts: list[tuple[Any, ...]] = []
    left = list(samples)
    while left:
        part = tuple(s for s in left if s == left[0] or (left[0], s) in distances)
        parts.append(part)
        left = [s for s in left if s not in part]
    return parts


def transport_distance(change: Mapping[Any, Fraction], distances: Distances) -> Fraction:
    """W₁: the largest Σ change·h with h(s) − h(s') ≤ d(s, s'), the least cost of moving mass so that nothing is left.

    Args:
        change: μ − μ' by sample, of sum 0.
        distances: d of every two different samples.

    Raises:
        EngineError: a certificate does not check.
    """
    places = {s: i for i, s in enumerate(change)}
    columns = [_move(len(places), places[s], places[t], distance) for (s, t), distance in distances.items()]
    columns.append((*[_ZERO] * len(places), _ONE))
    best = _ZERO
    while True:
        answer = nonnegative_solution(columns, (*change.values(), best))
        if isinstance(answer, Solution):
            return best
        *heights, scale = answer.separator
        value = sum((c * h for c, h in zip(change.values(), heights, strict=True)), _ZERO)
        if scale >= 0 or value <= -scale * best:
            raise EngineError("better heights are no better")
        best = value / -scale


def _move(size: int, source: int, target: int, distance: Fraction) -> tuple[Fraction, ...]:
    """A unit of mass taken from one sample to another, with its cost behind."""
    column = [_ZERO] * size
    column[source], column[target] = _ONE, -_ONE
    return (*column, distance)
