"""The PSA's likelihoods in the odds o = p/(1−p), and budgets decided for all swap rates at once.

In one stratum of n records P_x(z) = Σ_k N_k(x→z)·o^k/d(k), up to a factor that depends on n and o alone. So a bound
ln P_x(z) − ln P_x'(z) ≤ ε(o)·Δ is a polynomial inequality in o where e^ε is a root of a rational function of o.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, gcd, lcm
from typing import Any

import flint

from stirred.mechanisms.swapping.permutation_counts import derangements, moved_counts
from stirred.spec.arguments import InputError, integer
from stirred.spec.blocks.tables import Table, contingency_tables
from stirred.verify.engines.sign_certificate import Polynomial, SignCertificate, evaluate_polynomial
from stirred.verify.engines.sign_decision import decide_nonnegative
from stirred.verify.engines.swapping.circuits import circuit_steps
from stirred.verify.engines.swapping.loss import representatives
from stirred.verify.evidence.finding import EngineError

_MAX_DEPTH = 60


class UnseparatedError(EngineError):
    """No branch of a budget covers a neighbourhood of a point where none is violated either: an OPEN verdict."""


@dataclass(frozen=True)
class Branch:
    """One form of a budget: e^(ε·root) = numerator(o)/denominator(o), both positive for o > 0."""

    numerator: Polynomial
    denominator: Polynomial
    root: int = 1


OddsBudget = tuple[Branch, ...]
"""A budget as a function of o: the largest of its branches."""


@dataclass(frozen=True)
class SwapRatio:
    """P_x(z)/P_x'(z) as a quotient of polynomials in o, over d_HamS(x, x').

    Attributes:
        low: the polynomial of P_x'(z), with the same factor.
        triple: (x, x', z), one of those that have this ratio.
    """

    high: Polynomial
    low: Polynomial
    distance: int
    triple: tuple[Table, Table, Table]

    def at(self, odds: Fraction) -> Fraction:
        return evaluate_polynomial(self.high, odds) / evaluate_polynomial(self.low, odds)


def printed_budget(largest_stratum: int) -> OddsBudget:
    """Budget (7) of article, Theorem 1, for 0 < p < 1 and b ≥ 2: e^ε = max{(b+1)/o, o}.

    >>> printed_budget(10)[0]
    Branch(numerator=(11,), denominator=(0, 1), root=1)
    """
    b = integer("largest_stratum", largest_stratum, minimum=2)
    return Branch((b + 1,), (0, 1)), Branch((0, 1), (1,))


def likelihood_polynomial(x: Table, z: Table) -> Polynomial:
    """Σ_k (N_k(x→z)·L/d(k))·o^k with L = lcm(d(2), …, d(n)): P_x(z) up to a factor common to all x and z of one size.

    >>> likelihood_polynomial(((1, 0), (0, 1)), ((0, 1), (1, 0)))
    (0, 0, 1)
    """
    counts = moved_counts(x, z)
    scale = lcm(*(derangements(k) for k in range(2, len(counts))))
    return tuple(0 if k == 1 else count * (scale // derangements(k)) for k, count in enumerate(counts))


def universe_ratios(rows: Sequence[int], columns: Sequence[int]) -> Iterator[SwapRatio]:
    """The different ratios P_x(z)/P_x'(z) of a universe, x and x' a circuit apart: those that decide every budget.

    Source: the lemma of `verify.engines.swapping.circuits`.
    """
    tables = contingency_tables(rows, columns)
    steps = circuit_steps(tables)
    seen = set()
    for z in representatives(tables, rows, columns):
        polynomials = [likelihood_polynomial(x, z) for x in tables]
        for i, j, distance in steps:
            key = (polynomials[i], polynomials[j], distance)
            if polynomials[i] != polynomials[j] and key not in seen:
                seen.add(key)
                yield SwapRatio(*key, (tables[i], tables[j], z))


def decide_ratio(
    ratio: SwapRatio, budget: OddsBudget, *, largest_odds: Fraction | None = None
) -> tuple[SignCertificate, ...] | Fraction:
    """Whether a ratio is at most e^(ε(o)·Δ) for all o > 0, or for all 0 < o ≤ largest_odds.

    Certificates whose intervals cover [0, ∞), or [0, largest_odds], each re-checked by `SignCertificate.check`; or
    positive odds where the bound fails.
    """
    if not budget:
        raise InputError("budget must have at least one branch; got none")
    found = _blended(ratio, budget) or _sign_cover(
        [_difference(ratio, branch) for branch in budget], Fraction(0), largest_odds, 0
    )
    if isinstance(found, Fraction):
        return found
    for certificate in found:
        certificate.check()
    return found


def _blended(ratio: SwapRatio, budget: OddsBudget) -> tuple[SignCertificate, ...] | None:
    """One certificate for all o > 0 where a mean of products of the branches bounds the ratio, term by term."""
    if len(budget) != 2 or budget[0].root != budget[1].root:
        return None
    degree, power = _exponents(ratio, budget[0])
    low, high = flint.fmpz_poly(list(ratio.low)) ** power, flint.fmpz_poly(list(ratio.high)) ** power
    for numerator, denominator in _blends(budget, degree):
        difference = (numerator * low - denominator * high).coeffs()
        if all(c >= 0 for c in difference):
            polynomial = tuple(map(int, difference))
            return (SignCertificate(polynomial, Fraction(1), (1,), polynomial, (Fraction(0), None)),)
    return None


def _exponents(ratio: SwapRatio, branch: Branch) -> tuple[int, int]:
    """(i, j) in lowest terms such that the branch bounds the ratio iff ratio^j ≤ (numerator/denominator)^i."""
    common = gcd(ratio.distance, branch.root)
    return ratio.distance // common, branch.root // common


@lru_cache(maxsize=1_000)
def _blends(budget: OddsBudget, degree: int) -> tuple[tuple[Any, Any], ...]:
    """Quotients of polynomials that are at most e^(ε·degree·root): means of products of so many branches."""
    first, second = ((flint.fmpz_poly(list(b.numerator)), flint.fmpz_poly(list(b.denominator))) for b in budget)
    blends = []
    for weights in _weights(degree):
        numerator = flint.fmpz_poly([])
        for i, weight in enumerate(weights):
            product = (first[0] * second[1]) ** (degree - i) * (second[0] * first[1]) ** i
            numerator += weight * product
        denominator = sum(weights) * (first[1] * second[1]) ** degree
        blends.append((numerator, denominator))
    return tuple(blends)


def _weights(degree: int) -> Iterator[tuple[int, ...]]:
    """Weights of the products first^(degree−i)·second^i that are worth a try, the likeliest first."""
    for i in sorted(range(degree + 1), key=lambda i: abs(2 * i - degree)):
        yield tuple(int(j == i) for j in range(degree + 1))
    yield tuple(comb(degree, i) for i in range(degree + 1))
    for more in (3, 10):
        yield tuple(more * comb(degree, i) if 0 < i < degree else 1 for i in range(degree + 1))
        yield tuple(more if i == 0 else 1 for i in range(degree + 1))
        yield tuple(more if i == degree else 1 for i in range(degree + 1))


def _difference(ratio: SwapRatio, branch: Branch) -> Polynomial:
    """numerator^i·low^j − denominator^i·high^j, which is ≥ 0 iff the branch bounds the ratio."""
    i, j = _exponents(ratio, branch)
    above = flint.fmpz_poly(list(branch.numerator)) ** i * flint.fmpz_poly(list(ratio.low)) ** j
    below = flint.fmpz_poly(list(branch.denominator)) ** i * flint.fmpz_poly(list(ratio.high)) ** j
    return tuple(int(c) for c in (above - below).coeffs())


def _sign_cover(
    differences: list[Polynomial], low: Fraction, high: Fraction | None, depth: int
) -> tuple[SignCertificate, ...] | Fraction:
    if depth > _MAX_DEPTH:
        raise UnseparatedError(f"no branch covers a neighbourhood of o = {low}")
    points = []
    for difference in differences:
        decision = decide_nonnegative(difference, low, high)
        if isinstance(decision, SignCertificate):
            return (decision,)
        points.append(decision)
    middle = 2 * low + 1 if high is None else (low + high) / 2
    for point in (*points, middle):
        if point > 0 and all(evaluate_polynomial(difference, point) < 0 for difference in differences):
            return point
    left = _sign_cover(differences, low, middle, depth + 1)
    if isinstance(left, Fraction):
        return left
    right = _sign_cover(differences, middle, high, depth + 1)
    return right if isinstance(right, Fraction) else left + right
