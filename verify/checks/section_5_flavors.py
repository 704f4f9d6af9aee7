"""Evidence for article, section 5.4: the output premetrics of the two systems, and how their flavors compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from spec.law import Law
from spec.output_premetrics import Multiplicative
from verify.checks.appendix_g import power_sum
from verify.engines.zcdp.renyi_grid import GRID, GRID_SCOPE, enclosed, laws_of
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes


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
_ORDERS_SCOPE = "alpha = 2, 3, 4 exactly"

Second = Sequence[int]
"""T_2 as a function of T_1: its value for each outcome."""

_CONSTANT: Second = (0, 0, 0)
_FUNCTIONS: tuple[Second, ...] = tuple(product(range(3), repeat=3))


def _inverse_sum(p: Law[int], q: Law[int], order: int) -> Fraction:
    """e^((1-α)·D_α(P‖Q)), 0 where D_α is ∞."""
    total = power_sum(p, q, order)
    return Fraction(0) if total is None else 1 / total


def _always_more() -> Evidence:
    """Whether a constant T_2 increases the divergences that T_1 has."""
    scope = f"T_1 with two outcomes, all laws with denominator 4; T_2 a constant; {_ORDERS_SCOPE}"
    coins = [law for law in laws_of(2, 4) if len(law) == 2]
    for order, (p, q) in product(_ORDERS, product(coins, repeat=2)):
        before, total = power_sum(p, q, order), power_sum(_joined(p, _CONSTANT), _joined(q, _CONSTANT), order)
        if before is not None and total is not None and 1 < before >= total:
            note = f"T_2 is a constant, P = {p}, Q = {q}, alpha = {order}: e^((alpha-1) D_alpha) of T_1 and of both"
            witness = formula_witness("total > before", note=note, total=total, before=before)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _joined(law: Law[int], second: Second) -> Law[int]:
    """The law of (T_1, T_2), the outcomes (t, f(t)) as numbers of two digits."""
    return law.push(lambda t: 10 * t + second[t])


def _as_it_was(functions: Iterable[tuple[Second, Second]]) -> Evidence:
    """Whether (T_1, T_2) has the divergences of T_1 where T_2 is f(T_1) under x and f'(T_1) under x'."""
    scope = f"T_1 with three outcomes, all laws with denominator 4; T_2 any function of them; {_ORDERS_SCOPE}"
    for (f, f_prime), order, (p, q) in product(functions, _ORDERS, product(laws_of(3, 4), repeat=2)):
        before, both = _inverse_sum(p, q, order), _inverse_sum(_joined(p, f), _joined(q, f_prime), order)
        if before != both:
            note = f"P = {p}, Q = {q}, alpha = {order}, T_2 = {f} under x, {f_prime} under x': e^((1-alpha) D_alpha)"
            witness = formula_witness("both == before", note=f"{note}, 0 for oo", both=both, before=before)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _never_less(released: Callable[[int], int]) -> Evidence:
    """Whether what is released has divergences at least those of T_1 = t // 2, where t is (T_1, T_2) as a number."""
    scope = f"T_1 and T_2 with two outcomes each, all joint laws with denominator 4; {_ORDERS_SCOPE}"
    for order, (p, q) in product(_ORDERS, product(laws_of(4, 4), repeat=2)):
        first = _inverse_sum(p.push(lambda t: t // 2), q.push(lambda t: t // 2), order)
        both = _inverse_sum(p.push(released), q.push(released), order)
        if first < both:
            note = f"P = {p}, Q = {q}, alpha = {order}, T_1 = t // 2: e^((1-alpha) D_alpha), 0 for oo"
            witness = formula_witness("both <= first", note=note, both=both, first=first)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("das.other-releases.printed")
def other_releases_printed() -> Evidence:
    """A constant increases nothing."""
    return _always_more()


@checks("das.other-releases")
def other_releases() -> Evidence:
    """Never less, and the same for a function of T_1."""
    never, same = _never_less(lambda t: t), _as_it_was((f, f) for f in _FUNCTIONS)
    if never.verdict is not Verdict.EXHAUSTED:
        return never
    return Evidence(same.verdict, f"{never.scope}; and {same.scope}", same.detail, same.witness)


@refutes("das.other-releases", "always increases it")
def other_releases_strictly() -> Evidence:
    """The mutant is the printed sentence."""
    return _always_more()


@refutes("das.other-releases", "a function of the data and of T_1, for a function of T_1")
def other_releases_of_the_data() -> Evidence:
    """The mutant in which T_2 may see which data set it is."""
    return _as_it_was((f, f_prime) for f, f_prime in product(_FUNCTIONS, repeat=2))


@refutes("das.other-releases", "T_2 in place of T_1, for both")
def other_releases_instead() -> Evidence:
    """The mutant in which the first release is withdrawn."""
    return _never_less(lambda t: t % 2)
