"""What becomes of a small budget: ε'/ε as ε → 0, which is a mean distance of coupled samples.

The largest loss of T∘S over ε-DP releases T is max over h of ln Σ μ·e^(ε·h) − ln Σ μ'·e^(ε·h), for integer h with
h(s) − h(s') ≤ d(s, s'), of which finitely many count. For one h its slope at ε = 0 is Σ (μ − μ')·h, so that

    lim ε'/ε = max { Σ (μ − μ')·h : h(s) − h(s') ≤ d(s, s') } = W₁(μ, μ'),

the least mean of d(S, S') over all couplings of the two samples (Kantorovich and Rubinstein). Where samples at distance
∞ are possible, each part within which distances are finite is taken by itself, given that the sample lies there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.laws.law import Law
from stirred.verify.engines.algebra.linear_program import maximum

_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class SmallBudget:
    """What becomes of a small budget.

    Attributes:
        share: lim ε'/ε as ε → 0, of the largest loss over all ε-DP releases of the sample; None where it is ∞.
        heights: h by sample where it is attained, 0 outside the part that it is attained on; empty where it is ∞.
    """

    share: Fraction | None
    heights: Mapping[Any, Fraction]


def small_budget(first: Law[Any], second: Law[Any], premetric: InputPremetric) -> SmallBudget:
    """The largest loss of T∘S over ε-DP releases T of the sample, as a share of ε for ε → 0.

    The distance of samples is a metric.

    >>> from stirred.spec.blocks.input_premetric import hamming_unordered
    >>> half = Fraction(1, 2)
    >>> first, second = Law({("a",): half, ("c",): half}), Law({("b",): half, ("c",): half})
    >>> small_budget(first, second, hamming_unordered("person")).share
    Fraction(1, 2)
    """
    samples = tuple(dict.fromkeys((*first, *second)))
    found = {(s, t): premetric(s, t) for s in samples for t in samples if s != t}
    distances = {pair: Fraction(distance) for pair, distance in found.items() if distance is not None}
    best, heights = _ZERO, dict.fromkeys(samples, _ZERO)
    for part in _parts(samples, distances):
        mass, other = (sum((law.numeric(s) for s in part), _ZERO) for law in (first, second))
        if mass != other:
            return SmallBudget(None, {})
        change = {s: (first.numeric(s) - second.numeric(s)) / mass for s in part}
        share, inside = _transport(change, distances)
        if share > best:
            best, heights = share, {**dict.fromkeys(samples, _ZERO), **inside}
    return SmallBudget(best, heights)


def _parts(samples: Sequence[Any], distances: Mapping[tuple[Any, Any], Fraction]) -> list[tuple[Any, ...]]:
    """The samples that are at finite distances of each other, together."""
    parts: list[tuple[Any, ...]] = []
    left = list(samples)
    while left:
        part = tuple(s for s in left if s == left[0] or (left[0], s) in distances)
        parts.append(part)
        left = [s for s in left if s not in part]
    return parts


def _transport(
    change: Mapping[Any, Fraction], distances: Mapping[tuple[Any, Any], Fraction]
) -> tuple[Fraction, Mapping[Any, Fraction]]:
    """W₁ of the two laws whose difference this is, with the h that attains it."""
    places = {s: i for i, s in enumerate(change)}
    rows, bounds = [], []
    for s in change:
        for t in change:
            if s != t and not _is_implied(s, t, change, distances):
                row = [_ZERO] * len(change)
                row[places[s]], row[places[t]] = _ONE, -_ONE
                rows.append(tuple(row))
                bounds.append(distances[s, t])
    best = maximum(rows, bounds, tuple(change.values()))
    return best.value, dict(zip(change, best.point, strict=True))


def _is_implied(s: Any, t: Any, between: Mapping[Any, Any], distances: Mapping[tuple[Any, Any], Fraction]) -> bool:
    """Whether h(s) − h(t) ≤ d(s, t) follows from two other inequalities."""
    steps = ((distances[s, u], distances[u, t]) for u in between if u not in (s, t))
    return any(a > 0 and b > 0 and a + b <= distances[s, t] for a, b in steps)
