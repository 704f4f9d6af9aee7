"""Evidence for what the sources say of D_NoR and D_Mult^δ: conversions, post-processing and composition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from spec.enclosure import Enclosure, exponential
from spec.law import Law
from spec.loss import INFINITE, Loss
from spec.output_premetrics import (
    ApproximateMultiplicative,
    Multiplicative,
    OutputPremetric,
    TotalVariation,
    hockey_stick,
)
from spec.zcdp import pure_to_zcdp, zcdp_to_approximate
from verify.checks.appendix_g import power_sum
from verify.engines.zcdp.renyi_grid import GRID, GRID_SCOPE, coin, enclosed, laws_of
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, formula_witness
from verify.ledger import checks, refutes

Budget = Callable[[Loss], Enclosure]


def _from_pure(budget: Budget) -> Evidence:
    """Whether D_NoR² ≤ budget(D_Mult) on the grid and for pairs of coins close to one another."""
    scope = f"{GRID_SCOPE}; coins 1/2 against 1/2 + 1/10^k, k = 1, 2"
    close = [(coin(Fraction(1, 2)), coin(Fraction(1, 2) + Fraction(1, 10**k))) for k in (1, 2)]
    for p, q in (*product(GRID, repeat=2), *close):
        found, loss = enclosed(p, q), Multiplicative().distance(p, q)
        if p == q or loss.is_infinite:
            continue
        note = f"P = {p}, Q = {q}"
        if found is None:
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("broken == 0", note=note, broken=1))
        bound = budget(loss)
        if found.lower > bound.upper:
            witness = formula_witness("value <= bound", note=note, value=found.lower, bound=bound.upper)
            return Evidence(Verdict.REFUTED, scope, note, witness)
        if found.upper > bound.lower:
            return Evidence(Verdict.OPEN, scope, f"undecided to 7 digits: {note}")
    return Evidence(Verdict.ENCLOSED, scope)


@checks("zcdp.from-pure")
def from_pure() -> Evidence:
    """ε²/2."""
    return _from_pure(pure_to_zcdp)


def _half(budget: Enclosure) -> Enclosure:
    return Enclosure(budget.lower / 2, budget.upper / 2)


@refutes("zcdp.from-pure", "eps^2/4 for eps^2/2")
def from_pure_quartered() -> Evidence:
    """The mutant with half the budget."""
    return _from_pure(lambda loss: _half(pure_to_zcdp(loss)))


def _binomial(trials: int, p: Fraction) -> Law[int]:
    law = Law({0: Fraction(1)})
    for _ in range(trials):
        law = law.bind(lambda successes: Law({successes: 1 - p, successes + 1: p}))
    return law


_PAIRS = (
    *((coin(Fraction(n, 10)), coin(Fraction(m, 10))) for n, m in ((1, 9), (4, 6), (5, 9))),
    (_binomial(12, Fraction(2, 5)), _binomial(12, Fraction(3, 5))),
)
_DELTAS = (*(Fraction(1, 10**k) for k in (1, 2, 4, 6)), Fraction(1, 2), Fraction(9, 10))


def _to_approximate(factor: int) -> Evidence:
    """Whether E_γ ≤ δ both ways for γ = e^(ρ² + factor·ρ√(−ln δ)), rounded down, from the lower end of ρ²."""
    scope = (
        "coins (1/10, 9/10), (4/10, 6/10), (5/10, 9/10) and binomial laws of 12 trials with p = 2/5 and 3/5; delta = "
        "9/10, 1/2, 10^-1, 10^-2, 10^-4, 10^-6; rho^2 = D_NoR^2, eps rounded down"
    )
    for (p, q), delta in product(_PAIRS, _DELTAS):
        found = enclosed(p, q)
        if found is None:
            continue
        printed = zcdp_to_approximate(found.lower, delta)
        epsilon = found.lower + (printed.lower - found.lower) * Fraction(factor, 2)
        gamma = exponential(epsilon).lower
        worst = max(hockey_stick(p, q, gamma), hockey_stick(q, p, gamma))
        if worst > delta:
            note = f"P = {p}, Q = {q}: max (P - gamma Q)(S) at gamma = e^eps, eps = {float_text(epsilon)}"
            witness = formula_witness("excess <= delta", note=note, excess=worst, delta=delta)
            return Evidence(Verdict.REFUTED, scope, f"delta = {delta}, {len(p)} outcomes", witness)
    return Evidence(Verdict.ENCLOSED, scope)


def float_text(value: Fraction) -> str:
    """A number to six digits, for display."""
    return Enclosure(value, value).text()


@checks("zcdp.to-approximate")
def to_approximate() -> Evidence:
    """The printed conversion."""
    return _to_approximate(2)


@refutes("zcdp.to-approximate", "rho sqrt(-ln delta) for 2 rho sqrt(-ln delta)")
def to_approximate_halved() -> Evidence:
    """The mutant with half the root term."""
    return _to_approximate(1)


def _post_processing(factor: int) -> Evidence:
    """Whether factor·D_NoR(f(P), f(Q))² ≤ D_NoR(P, Q)² for all f from three outcomes to two, up to names."""
    scope = f"{GRID_SCOPE}, all functions of the outcome with two values"
    for p, q, lone in product(GRID, GRID, range(3)):
        whole = enclosed(p, q)
        if whole is None:
            continue
        image, other = (law.push(lambda t, lone=lone: int(t == lone)) for law in (p, q))  # type: ignore[misc]
        part = enclosed(image, other)
        note = f"P = {p}, Q = {q}, f joins all outcomes but {lone}"
        if part is None or factor * part.lower > whole.upper:
            values = {"part": 0 if part is None else part.lower, "whole": whole.upper}
            return Evidence(
                Verdict.REFUTED, scope, note, formula_witness(f"{factor}*part <= whole", note=note, **values)
            )
        if factor * part.upper > whole.lower and not _same_ratios(p, q, lone):
            return Evidence(Verdict.OPEN, scope, f"undecided to 7 digits: {note}")
    return Evidence(Verdict.ENCLOSED, scope)


def _same_ratios(p: Law[int], q: Law[int], lone: int) -> bool:
    """Whether the outcomes that are joined have one likelihood ratio, so that every divergence stays the same."""
    joined = [t for t in range(3) if t != lone]
    first, second = ((p.numeric(t), q.numeric(t)) for t in joined)
    return first[0] * second[1] == second[0] * first[1]


@checks("zcdp.post-processing")
def post_processing() -> Evidence:
    """Equation (2.11) for D_NoR."""
    return _post_processing(1)


@refutes("zcdp.post-processing", "D_NoR^2 of the image at most halved for at most kept")
def post_processing_halved() -> Evidence:
    """The mutant in which post-processing always gains a factor."""
    return _post_processing(2)


def _pair_law(p: Law[int], q: Law[int]) -> Law[tuple[int, int]]:
    return p.bind(lambda s: q.push(lambda t: (s, t)))


def _same_seed(p: Law[int], r: Law[int]) -> Law[tuple[int, int]]:
    """The joint law of T₁ = x ⊕ u of law p and T₂ = u of law r, with one seed u where the laws allow it."""
    for x in (0, 1):
        if p.push(lambda t, x=x: t ^ x) == r:  # type: ignore[misc]
            return p.push(lambda t, x=x: (t, t ^ x))  # type: ignore[misc]
    return _pair_law(p, r)


_COMPOSED = tuple(law for law in laws_of(2, 5) if len(law) == 2)


def _composition(
    combine: Callable[[Sequence[Fraction]], Fraction], joint: Callable[[Law[int], Law[int]], Law[tuple[int, int]]]
) -> Evidence:
    """Whether e^((α−1)D_α) of the joint law is at most what D_α/α ≤ ρ₁² + ρ₂² (or another rule) allows at one order."""
    scope = "all laws on two outcomes with denominator 5 and full support; exactly, at alpha = 2, 3, 4"
    for order, (p, q, r, s) in product((2, 3, 4), product(_COMPOSED, repeat=4)):
        parts = [power_sum(p, q, order), power_sum(r, s, order)]
        names = {t: i for i, t in enumerate(dict.fromkeys((*joint(p, r), *joint(q, s))))}
        both = power_sum(joint(p, r).push(names.__getitem__), joint(q, s).push(names.__getitem__), order)
        bound = combine([part for part in parts if part is not None])
        if both is None or both > bound:
            note = f"alpha = {order}, P = {p}, Q = {q}, P' = {r}, Q' = {s}{'; infinite' if both is None else ''}"
            shown = bound + 1 if both is None else both
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("both <= bound", both=shown, bound=bound))
    return Evidence(Verdict.EXHAUSTED, scope)


def _product(parts: Sequence[Fraction]) -> Fraction:
    return parts[0] * parts[1]


@checks("zcdp.composition")
def composition() -> Evidence:
    """D_α of the pair is at most the sum of the two, at three orders."""
    return _composition(_product, _pair_law)


@refutes("composition.zero-concentrated", "max(rho_1, rho_2) for the root of the sum of squares")
@refutes("zcdp.composition", "max(rho_1, rho_2) for the root of the sum of squares")
def composition_by_maximum() -> Evidence:
    """The mutant with the larger budget."""
    return _composition(max, _pair_law)


@refutes("zcdp.composition", "one seed for both")
def composition_with_one_seed() -> Evidence:
    """The mutant without independence: a coin, and the coin that masks the data."""
    return _composition(_product, _same_seed)


_SMALL = laws_of(2, 3)
_MERGED = laws_of(4, 3)
_DELTA = ApproximateMultiplicative(Fraction(1, 3))


def _merges(outcomes: int) -> tuple[tuple[int, ...], ...]:
    """All functions of so many outcomes, up to the names of their values: f(t) is a value met before, or the next."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(outcomes):
        found = [(*values, value) for values in found for value in range(len(set(values)) + 1)]
    return tuple(found)


def _linear(measures: Sequence[OutputPremetric]) -> Evidence:
    """Equation (2.10) for pairs of laws on two outcomes, and (2.11) for all functions of four outcomes."""
    names = ", ".join(measure.name for measure in measures)
    scope = (
        f"{names}: products of all laws on two outcomes with denominator 3; all laws on four outcomes with "
        "denominator 3 under all functions of the outcome"
    )
    for measure, (p, q, r, s) in product(measures, product(_SMALL, repeat=4)):
        first, second = measure.distance(p, q), measure.distance(r, s)
        both, total = measure.distance(_pair_law(p, r), _pair_law(q, s)), _sum(first, second)
        note = f"{measure.name}: P = {p}, Q = {q}, P' = {r}, Q' = {s}: {both} against {first} and {second}"
        if not measure.at_most(both, total):
            return Evidence(Verdict.REFUTED, scope, note, _beyond(both, total, note))
    for measure, (p, q) in product(measures, product(_MERGED, repeat=2)):
        whole = measure.distance(p, q)
        for merge in _merges(4):
            image = measure.distance(p.push(merge.__getitem__), q.push(merge.__getitem__))
            if not measure.at_most(image, whole):
                note = f"{measure.name}: P = {p}, Q = {q}, f = {merge}: {image} against {whole}"
                return Evidence(Verdict.REFUTED, scope, note, _beyond(image, whole, note))
    return Evidence(Verdict.EXHAUSTED, scope)


def _sum(first: Any, second: Any) -> Any:
    """The sum of two losses, or of two rationals."""
    if not isinstance(first, Loss):
        return first + second
    return INFINITE if first.gamma is None or second.gamma is None else Loss(first.gamma * second.gamma)


def _beyond(both: Any, total: Any, note: str) -> Witness:
    """A witness that the first is larger: in e^−ε for losses, which is 0 for the infinite one."""
    if not isinstance(both, Loss):
        return formula_witness("both <= total", note=note, both=both, total=total)
    inverse = {"both": Fraction(0) if both.gamma is None else 1 / both.gamma, "total": 1 / total.gamma}
    return formula_witness("both >= total", note=f"{note}; both and total as e^-eps", **inverse)


@checks("premetrics.composition.printed")
def every_choice_composes() -> Evidence:
    """D_Mult^δ is among the choices above."""
    return _linear((_DELTA,))


@checks("premetrics.composition")
def pure_and_total_variation_compose() -> Evidence:
    """D_Mult and D_TV."""
    return _linear((Multiplicative(), TotalVariation()))


@refutes("premetrics.composition", "D_Mult^(1/3) among them")
def approximate_composes() -> Evidence:
    """The mutant with D_Mult^δ."""
    return _linear((Multiplicative(), TotalVariation(), _DELTA))


class _LargestDifference(TotalVariation):
    """max_t |P(t) − Q(t)|: it composes, and grows where outcomes are merged."""

    name = "largest_difference"

    def distance(self, p: Law[Any], q: Law[Any]) -> Fraction:
        """The largest difference of two probabilities."""
        return max(abs(p.numeric(t) - q.numeric(t)) for t in {*p, *q})


@refutes("premetrics.composition", "the largest difference max_t |P(t) - Q(t)| for D_TV")
def largest_difference_composes() -> Evidence:
    """The mutant with a distance that post-processing can increase."""
    return _linear((_LargestDifference(),))
