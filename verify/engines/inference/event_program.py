"""The largest posterior probability of an event under a budget, as a linear program with its dual: exact.

After an outcome t only the numbers a_x = P_x(t), up to a common factor, matter: they satisfy a_x ≤ γ^d(x, y) a_y, and
any such numbers are those of some mechanism, scaled down so far that a second outcome takes the rest. The posterior of
an event E is Σ_E π_x a_x where Σ π_x a_x = 1. Its maximum is found together with the dual bound that it attains: one
system of equations whose solution is both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from spec.arguments import InputError
from verify.engines.algebra.linear_program import Solution, nonnegative_solution
from verify.evidence.finding import EngineError

__all__ = ["largest_posterior"]


def largest_posterior(
    prior: Sequence[Fraction], event: Collection[int], factors: Mapping[tuple[int, int], Fraction]
) -> Fraction:
    """The largest posterior probability of an event, over all mechanisms of a budget and all outcomes.

    Args:
        prior: the probability of each data set, all positive and with sum 1.
        event: the places of the data sets in which it is true.
        factors: γ^d(x, y) for ordered pairs of places; pairs that others imply may be left out.

    Raises:
        InputError: the prior is no such law.
        EngineError: the program has no solution, or its certificate does not check.

    >>> largest_posterior([Fraction(1, 2)] * 2, {1}, {(0, 1): Fraction(3), (1, 0): Fraction(3)})
    Fraction(3, 4)
    """
    if not all(share > 0 for share in prior) or sum(prior) != 1:
        raise InputError(f"prior must be positive and sum to exactly 1; got {sum(prior)}")
    count, pairs = len(prior), list(factors)
    wanted = [share if x in event else Fraction(0) for x, share in enumerate(prior)]
    # equations: a_x - γ^d a_y + slack = 0; Σ π a = 1; dual: Σ y (…) + λ π - surplus = wanted; λ = Σ wanted a
    one, dual, last = len(pairs), len(pairs) + 1, len(pairs) + 1 + count
    target = [Fraction(0)] * one + [Fraction(1), *wanted, Fraction(0)]
    columns: list[dict[int, Fraction]] = [{one: share, last: -wanted[x]} for x, share in enumerate(prior)]
    multipliers: list[dict[int, Fraction]] = []
    for row, (x, y) in enumerate(pairs):
        columns[x][row], columns[y][row] = Fraction(1), -factors[x, y]
        multipliers.append({dual + x: Fraction(1), dual + y: -factors[x, y]})
    slack = [{row: Fraction(1)} for row in range(one)]
    surplus = [{dual + x: Fraction(-1)} for x in range(count)]
    bound = {**{dual + x: share for x, share in enumerate(prior)}, last: Fraction(1)}
    every = [bound, *columns, *multipliers, *slack, *surplus]
    found = nonnegative_solution([[c.get(row, Fraction(0)) for row in range(last + 1)] for c in every], target)
    if not isinstance(found, Solution):
        raise EngineError("a linear program and its dual must have a common value")
    return found.values[0]
