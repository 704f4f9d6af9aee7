"""The most that a release of a sample can lose about the frame: the largest over all releases that keep a budget.

A design gives the laws μ and μ' of the sample from two frames. Releases T of the sample keep a budget where
P(T(s) = t) ≤ L(s, s')·P(T(s') = t) for all samples, L = e^(ε·d) for ε-DP. Of a release only g(s) = P(T(s) = t) counts,
for one output t at a time; and every g ≥ 0 with g(s) ≤ L(s, s')·g(s') is one: some small c·g is the probability of one
of two outputs (`WorstRelease.laws`). So the largest likelihood ratio of T∘S, over all T, is

    sup { Σ μ(s)·g(s) / Σ μ'(s)·g(s) : g ≥ 0, g(s) ≤ L(s, s')·g(s') }.

Scaled to Σ μ'·g = 1 this is an exact linear program, whose answer has its certificate. It is ∞ where a sample that is
possible under μ has no finite L to any that is possible under μ'.

A g on the samples that the two frames can give extends to all others where L(s, s'') ≤ L(s, s')·L(s', s'').

As ε → 0: the largest loss ε' is max over h of ln Σ μ·e^(ε·h) − ln Σ μ'·e^(ε·h), for integer h with h(s) − h(s') ≤
d(s, s'), of which finitely many count. For one h its slope at ε = 0 is Σ (μ − μ')·h, so that

    lim ε'/ε = max { Σ (μ − μ')·h : h(s) − h(s') ≤ d(s, s') } = W₁(μ, μ'),

the least mean of d(S, S') over all couplings of the two samples (Kantorovich and Rubinstein). Where samples at distance
∞ are possible, each part within which distances are finite is taken by itself, given that the sample lies there.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from stirred.spec.arguments import Exact, InputError, exact
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.laws.law import Law
from stirred.verify.engines.algebra.linear_program import maximum, rational
from stirred.verify.evidence.listing import is_listened

Sample = Hashable
Limit = Callable[[Any, Any], Fraction | None]
"""L(s, s') ≥ 1: how many times as likely an output may be from s as from s'; None stands for ∞."""

_ZERO, _ONE = Fraction(0), Fraction(1)


def factor(gamma: Exact) -> Fraction:
    """γ = e^ε as an exact number."""
    number = exact("gamma", gamma)
    if number < 1:
        raise InputError(f"gamma must be at least 1, as e^epsilon is; got {gamma}")
    return number


def power_limit(gamma: Exact, premetric: InputPremetric) -> Limit:
    """L = γ^d, of ε-DP with γ = e^ε, where every distance d is an integer or ∞."""
    base = factor(gamma)

    def limit(first: Sample, second: Sample) -> Fraction | None:
        distance = premetric(first, second)
        if distance is None:
            return None
        if Fraction(distance).denominator != 1:
            raise InputError(f"distances of samples must be integers, so that gamma^d is exact; got {distance}")
        return base ** int(distance)

    return limit


@dataclass(frozen=True)
class WorstRelease:
    """A release that loses the most, by one output of it.

    Attributes:
        ratio: Σ μ·g / Σ μ'·g, the largest there is; None stands for ∞.
        weights: g by sample, up to a positive factor.
        multipliers: y ≥ 0 by pairs of samples, where it is not 0, with μ(s) ≤ ratio·μ'(s) + Σ y(s, s') −
            Σ L(s', s)·y(s', s) for all s: times g(s) and summed, no release has a larger ratio. Empty where it is ∞.
    """

    ratio: Fraction | None
    weights: Mapping[Any, Fraction]
    multipliers: Mapping[tuple[Any, Any], Fraction]

    def laws(self, limit: Limit) -> Mapping[Any, Law[str]]:
        """The release with the outputs "seen" and "unseen" that keeps the budget L and has this largest ratio.

        P(seen | s) = c·g(s) with c = (1 − 1/L)/max g at the smallest L > 1: then the other output keeps L too.
        """
        samples = list(self.weights)
        found = [limit(s, t) for s in samples for t in samples if s != t]
        smallest = min((one for one in found if one is not None), default=Fraction(2))
        if smallest == 1:
            raise InputError("limit must be above 1 between different samples")
        scale = (1 - 1 / smallest) / max(self.weights.values())
        return {s: Law({"seen": scale * g, "unseen": 1 - scale * g}) for s, g in self.weights.items()}


def worst_release(first: Law[Any], second: Law[Any], limit: Limit) -> WorstRelease:
    """The largest ratio P(T(S) = t)/P(T(S') = t) over all releases T that keep a budget and all outputs t.

    >>> heads = Law({"heads": Fraction(1, 2), "tails": Fraction(1, 2)})
    >>> worst_release(heads, Law({"tails": 1}), lambda s, t: Fraction(3)).ratio
    Fraction(2, 1)
    """
    samples = tuple(dict.fromkeys((*first, *second)))
    limits = tuple(((s, t), limit(s, t)) for s in samples for t in samples if s != t)
    masses = tuple(first.numeric(s) for s in samples), tuple(second.numeric(s) for s in samples)
    worst = _worst.__wrapped__ if is_listened() else _worst
    return worst(samples, *masses, limits)


@lru_cache(maxsize=4_000)
def _worst(
    samples: tuple[Any, ...],
    mu: tuple[Fraction, ...],
    nu: tuple[Fraction, ...],
    bounds: tuple[tuple[tuple[Any, Any], Fraction | None], ...],
) -> WorstRelease:
    """The same of probabilities and limits that are written out: several claims ask for it, and their mutants."""
    limits = dict(bounds)
    for i, s in enumerate(samples):
        alone = {t: _ZERO if limits.get((s, t), _ONE) is None else _ONE for t in samples}
        if mu[i] and not any(n for n, t in zip(nu, samples, strict=True) if alone[t]):
            return WorstRelease(None, alone, {})
    inequalities = _inequalities(samples, limits)
    best = maximum([*inequalities.values(), tuple(nu)], [_ZERO] * len(inequalities) + [_ONE], mu)
    used = {pair: y for pair, y in zip(inequalities, best.multipliers, strict=False) if y}
    return WorstRelease(best.value, dict(zip(samples, best.point, strict=True)), used)


def worse_way(laws: tuple[Law[Any], Law[Any]], limit: Limit) -> tuple[Law[Any], Law[Any], WorstRelease]:
    """The two laws in the order in which the largest ratio is larger, and the release that has it; else as given."""
    there, back = worst_release(*laws, limit), worst_release(*laws[::-1], limit)
    if there.ratio is None or (back.ratio is not None and there.ratio >= back.ratio):
        return *laws, there
    return laws[1], laws[0], back


def _inequalities(
    samples: Sequence[Any], limits: Mapping[tuple[Any, Any], Fraction | None]
) -> Mapping[tuple[Any, Any], tuple[Fraction, ...]]:
    """g(s) − L(s, s')·g(s') ≤ 0 by pairs, without those that two others imply."""
    finite = {pair: bound for pair, bound in limits.items() if bound is not None}
    steps: dict[Any, dict[Any, Any]] = {s: {} for s in samples}
    for (s, t), bound in finite.items():
        if bound > 1:
            steps[s][t] = rational(bound)

    def is_implied(s: Any, t: Any, bound: Fraction) -> bool:
        most = rational(bound)
        return any(t in steps[u] and first * steps[u][t] <= most for u, first in steps[s].items())

    places = {s: i for i, s in enumerate(samples)}
    rows = {}
    for (s, t), bound in finite.items():
        if not is_implied(s, t, bound):
            row = [_ZERO] * len(samples)
            row[places[s]], row[places[t]] = _ONE, -bound
            rows[s, t] = tuple(row)
    return rows


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
