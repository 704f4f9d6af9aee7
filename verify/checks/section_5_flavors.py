"""Evidence for article, section 5.4: the output premetrics of the two systems, and how their flavors compare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from spec.law import Law
from spec.output_premetric import Multiplicative
from verify.checks.appendix_g import power_sum
from verify.evidence import EngineError, Evidence, formula_witness
from verify.ledger import checks, refutes
from verify.verdict import Verdict
from verify.zcdp.renyi_grid import GRID, GRID_SCOPE, enclosed, laws_of


@dataclass(frozen=True)
class _Pair:
    """Two laws, their D_NoR² (an upper end; None for ∞), and the largest |ln dP/dQ| (None where it is unbounded)."""

    shown: str
    squared: Fraction | None
    largest: Fraction | None


def _completed_square(x: Fraction, mu: Fraction, alpha: Fraction) -> Fraction:
    """What −αx²/2 − (1−α)(x−μ)²/2 = −(x−(1−α)μ)²/2 + α(α−1)μ²/2 lacks to hold; of degree 2 in each letter."""
    left = -alpha * x**2 - (1 - alpha) * (x - mu) ** 2
    right = -((x - (1 - alpha) * mu) ** 2) + alpha * (alpha - 1) * mu**2
    return left - right


_BOUNDS = (1, 10, 10**6)


def _log_ratio(x: Fraction, mu: Fraction) -> Fraction:
    """ln(P(x)/Q(x)) = (x−μ)²/2 − x²/2 = μ²/2 − μx for P = N(0, 1) and Q = N(μ, 1)."""
    return (x - mu) ** 2 / 2 - x**2 / 2


def _normal_pairs() -> Iterator[_Pair]:
    """N(0, 1) and N(μ, 1) for smaller and smaller μ: D_α = αμ²/2 for all α, by the completed square."""
    for x, mu, alpha in product(map(Fraction, range(3)), map(Fraction, range(1, 4)), map(Fraction, range(2, 5))):
        if _completed_square(x, mu, alpha) != 0:
            raise EngineError("completing the square must hold at three values of each letter")
    for mu in (Fraction(1, 10**k) for k in range(7)):
        exceeds = all(_log_ratio(-(bound + 1) / mu, mu) > bound for bound in _BOUNDS)
        yield _Pair(f"N(0, 1) and N({mu}, 1)", mu**2 / 2, None if exceeds else Fraction(max(_BOUNDS)))


def _finite_pairs() -> Iterator[_Pair]:
    """All pairs of the grid where D_Mult is infinite."""
    for p, q in product(GRID, repeat=2):
        found = enclosed(p, q)
        if Multiplicative().distance(p, q).is_infinite:
            yield _Pair(f"{p} and {q}", None if found is None else found.upper, None)


def _small_and_infinite(pairs: Iterator[_Pair], scope: str, verdict: Verdict) -> Evidence:
    """Whether below each of some targets there is a D_NoR² of two laws with an unbounded likelihood ratio."""
    listed = [pair for pair in pairs if pair.largest is None]
    small = [pair.squared for pair in listed if pair.squared is not None]
    for target in (Fraction(1, 10**k) for k in range(1, 12, 2)):
        found = sum(squared <= target for squared in small)
        if not found:
            note = f"pairs with D_Mult = oo and D_NoR^2 <= {target}, of {len(listed)} with D_Mult = oo"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("found > 0", note=note, found=found))
    return Evidence(verdict, scope, f"the smallest D_NoR^2 is {min(small)}")


@checks("renyi.finite-where-multiplicative-infinite")
def normal_laws() -> Evidence:
    """D_NoR² = μ²/2, and ln dP/dQ = μ²/2 − μx is above B at x = −(B+1)/μ."""
    scope = (
        "P = N(0, 1), Q = N(mu, 1) for all mu > 0, alpha > 1: an identity of degree 2 in each of x, mu, alpha at three "
        "values of each, so D_NoR^2 = mu^2/2, while ln dP/dQ = mu^2/2 - mu x > B at x = -(B+1)/mu for all B > 0"
    )
    return _small_and_infinite(_normal_pairs(), scope, Verdict.DECIDED)


@refutes("renyi.finite-where-multiplicative-infinite", "P and Q with finitely many outcomes")
def finite_laws() -> Evidence:
    """The mutant on finite laws: both distances are infinite together."""
    return _small_and_infinite(_finite_pairs(), GRID_SCOPE, Verdict.EXHAUSTED)


def _stronger(*, multiplicative_below: bool) -> Evidence:
    """Whether one of D_NoR and D_Mult is nowhere above the other on the grid, and somewhere below it."""
    strictly = 0
    for p, q in product(GRID, repeat=2):
        loss, found = Multiplicative().distance(p, q), enclosed(p, q)
        if loss.is_infinite or p == q:
            continue
        if found is None:
            raise EngineError("D_NoR is finite where D_Mult is")
        note = f"P = {p}, Q = {q}: D_Mult and D_NoR, squared"
        pure = loss.epsilon()
        low, high = (pure.upper**2, found.lower) if multiplicative_below else (found.upper, pure.lower**2)
        if low > high:
            witness = formula_witness("low <= high", note=note, low=low, high=high)
            return Evidence(Verdict.REFUTED, GRID_SCOPE, note, witness)
        strictly += low < high
    if not strictly:
        return Evidence(Verdict.OPEN, GRID_SCOPE, "no pair tells the two apart")
    return Evidence(Verdict.ENCLOSED, GRID_SCOPE, f"strictly for {strictly} pairs")


@checks("premetrics.multiplicative-stronger")
def multiplicative_stronger() -> Evidence:
    """D_NoR ≤ D_Mult."""
    return _stronger(multiplicative_below=False)


@refutes("premetrics.multiplicative-stronger", "D_Mult <= D_NoR")
def renyi_stronger() -> Evidence:
    """The mutant in the other direction."""
    return _stronger(multiplicative_below=True)


_ORDERS = (2, 3, 4)


def _coded(law: Law[int], factor: int) -> Law[int]:
    return law.push(lambda t: factor * t)


def _further(*, strictly: bool) -> Evidence:
    """How the divergences of (T_1, T_2) compare with those of T_1, by Σ P^α·Q^(1−α) at integer orders.

    Args:
        strictly: whether each further release is claimed to increase them.
    """
    scope = (
        "T_1 and T_2 with two outcomes each, all joint laws with denominator 4; T_2 a constant, and T_1 once more; "
        "alpha = 2, 3, 4 exactly"
    )
    # the outcomes (t, 0) and (t, t) as numbers of two digits
    copies = (("a constant", 10), ("T_1 once more", 11))
    coins = [law for law in laws_of(2, 4) if len(law) == 2]
    for (what, copied), order, (p, q) in product(copies, _ORDERS, product(coins, repeat=2)):
        before, total = power_sum(p, q, order), power_sum(_coded(p, copied), _coded(q, copied), order)
        if before != total:
            raise EngineError("a law whose outcomes are renamed has the same divergences")
        if strictly and before is not None and before > 1:
            note = f"T_2 is {what}, P = {p}, Q = {q}, alpha = {order}: e^((alpha-1) D_alpha) of T_1 and of both"
            witness = formula_witness("total > before", note=note, total=before, before=before)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    for order, (p, q) in product(_ORDERS, product(laws_of(4, 4), repeat=2)):
        first = power_sum(p.push(lambda t: t // 2), q.push(lambda t: t // 2), order)
        both = power_sum(p, q, order)
        if both is not None and (first is None or first > both):
            note = f"P = {p}, Q = {q}, alpha = {order}, T_1 = t // 2: the divergence of T_1 is above that of both"
            witness = formula_witness("broken == 0", note=note, broken=1)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("das.other-releases.printed")
def other_releases_printed() -> Evidence:
    """A constant increases nothing."""
    return _further(strictly=True)


@checks("das.other-releases")
def other_releases() -> Evidence:
    """Never less, and the same for a constant and for a copy."""
    return _further(strictly=False)


@refutes("das.other-releases", "always increases it")
def other_releases_strictly() -> Evidence:
    """The mutant is the printed sentence."""
    return _further(strictly=True)
