"""The largest δ' of T∘S at e^ε' over all (ε, δ)-DP releases T of a sample.

E_γ'(T∘S, T∘S') is the largest of P(T∘S ∈ E) − γ'·P(T∘S' ∈ E) over events E. Reporting whether E happened is
(ε, δ)-DP too, so that releases with two outputs are the worst: with g(s) = P(T(s) ∈ E) in [0, 1],

    max { Σ (μ − γ'·μ')·g : g(s) ≤ γ·g(s') + δ, 1 − g(s) ≤ γ·(1 − g(s')) + δ for neighbouring samples s, s' },

an exact linear program with its certificate. Budgets of (ε, δ) do not multiply along chains, so that a release of some
samples need not extend to all: what is found is the largest where `possible` lists every sample, else an upper bound.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import Exact, InputError, exact
from stirred.spec.laws.law import Law
from stirred.verify.engines.algebra.linear_program import maximum
from stirred.verify.engines.surveys.worst_release import factor

_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class ApproximateRelease:
    """A release with the largest δ'.

    Attributes:
        chances: P(T(s) ∈ E) by sample.
    """

    excess: Fraction
    chances: Mapping[Any, Fraction]


def worst_excess(
    first: Law[Any],
    second: Law[Any],
    neighbours: Callable[[Any, Any], bool],
    *,
    possible: Iterable[Any] = (),
    gamma: Exact,
    delta: Exact,
    target: Exact,
) -> ApproximateRelease:
    """The largest E_γ'(T∘S, T∘S') over releases T with E_γ ≤ δ between neighbouring samples.

    `neighbours` is symmetric; γ = e^ε, 0 ≤ δ < 1 and γ' = e^ε'. `possible` lists samples beside those of the two laws.
    """
    base, goal, slack = factor(gamma), factor(target), exact("delta", delta)
    if not 0 <= slack < 1:
        raise InputError(f"delta must be at least 0 and below 1; got {delta}")
    samples = tuple(dict.fromkeys((*first, *second, *possible)))
    size = len(samples)
    rows, bounds = [], []

    def limit(entries: Mapping[int, Fraction], bound: Fraction) -> None:
        rows.append(tuple(entries.get(i, _ZERO) for i in range(size)))
        bounds.append(bound)

    for i, s in enumerate(samples):
        limit({i: _ONE}, _ONE)
        for j, t in enumerate(samples):
            if i != j and neighbours(s, t):
                limit({i: _ONE, j: -base}, slack)
                limit({i: -_ONE, j: base}, slack + base - 1)
    objective = [first.numeric(s) - goal * second.numeric(s) for s in samples]
    best = maximum(rows, bounds, objective)
    return ApproximateRelease(best.value, dict(zip(samples, best.point, strict=True)))
