"""The most that a release of a sample can lose about the frame: the largest over all releases that keep a budget.

A design gives the laws μ and μ' of the sample from two frames. Releases T of the sample keep a budget where
P(T(s) = t) ≤ L(s, s')·P(T(s') = t) for all samples, L = e^(ε·d) for ε-DP. Of a release only g(s) = P(T(s) = t) counts,
for one output t at a time; and every g ≥ 0 with g(s) ≤ L(s, s')·g(s') is one: some small c·g is the probability of one
of two outputs (`WorstRelease.laws`). So the largest likelihood ratio of T∘S, over all T, is

    sup { Σ μ(s)·g(s) / Σ μ'(s)·g(s) : g ≥ 0, g(s) ≤ L(s, s')·g(s') }.

It is at most λ iff the linear inequalities give Σ (μ − λμ')·g ≤ 0; if not, a g with a larger ratio is found, and λ is
raised to it. Each step is an exact linear program with its certificate. A corner g is fixed by equalities
g(s) = L(s, s')·g(s'), of which there are finitely many, so that the steps end.

A g on the samples that the two frames can give extends to all others where L(s, s'') ≤ L(s, s')·L(s', s'').
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from spec.arguments import Exact, InputError, exact
from spec.input_premetric import InputPremetric
from spec.law import Law
from verify.engines.algebra.linear_program import Solution, nonnegative_solution
from verify.evidence.finding import EngineError

__all__ = ["Limit", "WorstRelease", "factor", "power_limit", "worst_release"]

Sample = Hashable
Limit = Callable[[Any, Any], Fraction | None]
"""L(s, s') ≥ 1: how many times as likely an output may be from s as from s'; None stands for ∞."""

_ZERO, _ONE = Fraction(0), Fraction(1)


def factor(gamma: Exact) -> Fraction:
    """γ = e^ε as an exact number.

    Raises:
        InputError: it is inexact or below 1.
    """
    number = exact("gamma", gamma)
    if number < 1:
        raise InputError(f"gamma must be at least 1, as e^epsilon is; got {gamma}")
    return number


def power_limit(gamma: Exact, premetric: InputPremetric) -> Limit:
    """L = γ^d, of ε-DP with γ = e^ε, where every distance d is an integer or ∞.

    Raises:
        InputError: γ is inexact or below 1; when used, a distance is no integer.
    """
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
    """

    ratio: Fraction | None
    weights: Mapping[Any, Fraction]

    def laws(self, limit: Limit) -> Mapping[Any, Law[str]]:
        """The release with the outputs "seen" and "unseen" that keeps the budget L and has this largest ratio.

        P(seen | s) = c·g(s) with c = (1 − 1/L)/max g at the smallest L > 1: then the other output keeps L too.

        Raises:
            InputError: samples that differ may not differ in their laws.
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

    Args:
        first: μ, the law of the sample S from one frame.
        second: μ', that of the sample S' from the other frame.
        limit: L, the budget of releases of a sample.

    Raises:
        EngineError: a certificate does not check.

    >>> heads = Law({"heads": Fraction(1, 2), "tails": Fraction(1, 2)})
    >>> worst_release(heads, Law({"tails": 1}), lambda s, t: Fraction(3)).ratio
    Fraction(2, 1)
    """
    samples = tuple(dict.fromkeys((*first, *second)))
    limits = {(s, t): limit(s, t) for s in samples for t in samples if s != t}
    mu, nu = ([law.numeric(s) for s in samples] for law in (first, second))
    columns = [*_inequalities(samples, limits), *_signs(len(samples))]
    best = max((_measured(mu, nu, g) for g in _rays(samples, limits)), key=_order)
    while best[0] is not None:
        ratio = best[0]
        answer = nonnegative_solution(columns, [m - ratio * n for m, n in zip(mu, nu, strict=True)])
        if isinstance(answer, Solution):
            break
        better = _measured(mu, nu, answer.separator)
        if better[0] is not None and better[0] <= ratio:
            raise EngineError("a better release is no better")
        best = better
    return WorstRelease(best[0], dict(zip(samples, best[1], strict=True)))


_Measured = tuple[Fraction | None, Sequence[Fraction]]


def _measured(mu: Sequence[Fraction], nu: Sequence[Fraction], g: Sequence[Fraction]) -> _Measured:
    above, below = (sum((p * x for p, x in zip(law, g, strict=True)), _ZERO) for law in (mu, nu))
    return (_ZERO if above == 0 else None if below == 0 else above / below), g


def _order(measured: _Measured) -> tuple[bool, Fraction]:
    return measured[0] is None, measured[0] or _ZERO


def _rays(samples: Sequence[Any], limits: Mapping[tuple[Any, Any], Fraction | None]) -> list[Sequence[Fraction]]:
    """What is most likely from one sample: g(s') = 1/L(s, s'), and 0 where L is ∞."""

    def entry(s: Any, t: Any) -> Fraction:
        bound = _ONE if s == t else limits[s, t]
        return _ZERO if bound is None else 1 / bound

    return [tuple(entry(s, t) for t in samples) for s in samples]


def _inequalities(
    samples: Sequence[Any], limits: Mapping[tuple[Any, Any], Fraction | None]
) -> list[tuple[Fraction, ...]]:
    """g(s) − L(s, s')·g(s') ≤ 0, without those that two others imply."""
    finite = {pair: bound for pair, bound in limits.items() if bound is not None}

    def is_implied(s: Any, t: Any, bound: Fraction) -> bool:
        steps = ((finite.get((s, u)), finite.get((u, t))) for u in samples if u not in (s, t))
        return any(a is not None and b is not None and a > 1 and b > 1 and a * b <= bound for a, b in steps)

    places = {s: i for i, s in enumerate(samples)}
    rows = []
    for (s, t), bound in finite.items():
        if not is_implied(s, t, bound):
            row = [_ZERO] * len(samples)
            row[places[s]], row[places[t]] = _ONE, -bound
            rows.append(tuple(row))
    return rows


def _signs(size: int) -> list[tuple[Fraction, ...]]:
    """−g(s) ≤ 0."""
    return [tuple(-_ONE if i == j else _ZERO for j in range(size)) for i in range(size)]
