"""Evidence for D_Mult^δ as the dissertation prints it, a supremum over events, and what it says of it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product

from spec.law import Law
from spec.loss import INFINITE, Loss
from spec.output_premetrics import Multiplicative
from verify.engines.zcdp.renyi_grid import laws_of
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_LAWS = laws_of(3, 4)
_SCOPE = "all laws on three outcomes with denominator 4, all events"
_EVENTS = tuple(chain.from_iterable(combinations(range(3), size) for size in range(4)))
_DELTAS = (Fraction(0), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2))
_GAMMAS = tuple(Fraction(n, 4) for n in (4, 5, 6, 8, 12, 16))


@cache
def _masses(law: Law[int]) -> tuple[Fraction, ...]:
    return tuple(sum((law.numeric(t) for t in event), Fraction(0)) for event in _EVENTS)


@cache
def _printed(p: Law[int], q: Law[int], delta: Fraction, *, outside: bool = False) -> Loss:
    """sup_S of (P(S)−δ)⁺/Q(S) both ways and 1, as e^D; with `outside`, of P(S)/Q(S) − δ."""
    largest = Fraction(1)
    for first, second in chain.from_iterable(((a, b), (b, a)) for a, b in zip(_masses(p), _masses(q), strict=True)):
        above = first if outside else max(first - delta, Fraction(0))
        if second == 0 and above > 0:
            return INFINITE
        if second:
            largest = max(largest, above / second - (delta if outside else 0))
    return Loss(largest)


def _satisfies(p: Law[int], q: Law[int], delta: Fraction, gamma: Fraction) -> bool:
    """Whether P(S) ≤ γ·Q(S) + δ and Q(S) ≤ γ·P(S) + δ for all events S."""
    pairs = zip(_masses(p), _masses(q), strict=True)
    return all(a <= gamma * b + delta and b <= gamma * a + delta for a, b in pairs)


def _definition(*, outside: bool) -> Evidence:
    scope = f"{_SCOPE}; delta = 0, 1/8, 1/4, 1/2; e^eps = 1, 5/4, 3/2, 2, 3, 4"
    for p, q, delta, gamma in product(_LAWS, _LAWS, _DELTAS, _GAMMAS):
        value = _printed(p, q, delta, outside=outside)
        if (value <= Loss(gamma)) != _satisfies(p, q, delta, gamma):
            note = f"P = {p}, Q = {q}, delta = {delta}, e^eps = {gamma}: {value}"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("differ == 0", note=note, differ=1))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("approximate.definition")
def definition() -> Evidence:
    """The printed supremum against the inequalities of (ε, δ)-DP."""
    return _definition(outside=False)


@refutes("approximate.definition", "P(S)/Q(S) - delta for [P(S) - delta]^+/Q(S)")
def definition_with_delta_outside() -> Evidence:
    """The mutant with δ outside of the ratio."""
    return _definition(outside=True)


def _one_sided(p: Law[int], q: Law[int], delta: Fraction) -> Fraction | None:
    """The maximum of (P(S)−δ)/Q(S) over S with P(S) > δ, as e^D for the δ-approximate max-divergence; None for ∞."""
    pairs = [(a - delta, b) for a, b in zip(_masses(p), _masses(q), strict=True) if a > delta]
    return None if any(b == 0 for _, b in pairs) else max(a / b for a, b in pairs)


def _symmetrized(*, both_ways: bool = True, floor: int = 1) -> Evidence:
    """Whether D_Mult^δ is the larger of the two max-divergences and ln(floor), as e to the power of them."""
    scope = f"{_SCOPE}; delta = 0, 1/8, 1/4, 1/2"
    for p, q, delta in product(_LAWS, _LAWS, _DELTAS):
        sides = [_one_sided(p, q, delta), *([_one_sided(q, p, delta)] if both_ways else [])]
        finite = [side for side in sides if side is not None]
        largest = None if len(finite) < len(sides) else max(Fraction(floor), *finite)
        printed = _printed(p, q, delta).gamma
        if largest != printed:
            note = f"P = {p}, Q = {q}, delta = {delta}: e^-D, 0 for the infinite one"
            inverse = {name: 1 / d if d else Fraction(0) for name, d in (("larger", largest), ("printed", printed))}
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("larger == printed", note=note, **inverse))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("approximate.symmetrization")
def symmetrization() -> Evidence:
    """The larger of the two, and 0."""
    return _symmetrized()


@refutes("approximate.symmetrization", "one of the two max-divergences")
def symmetrization_one_sided() -> Evidence:
    """The mutant without the other direction."""
    return _symmetrized(both_ways=False)


@refutes("approximate.symmetrization", "without 0")
def symmetrization_without_zero() -> Evidence:
    """The mutant that can be below 0."""
    return _symmetrized(floor=0)


def _multi_parameter(elsewhere: Loss | None) -> Evidence:
    """Whether the curve δ ↦ D_Mult^δ is below ε(·) iff (ε₀, δ₀)-DP holds; `elsewhere` is ε(δ) for δ ≠ δ₀, else ε₀."""
    scope = f"{_SCOPE}; delta and delta_0 = 0, 1/8, 1/4, 1/2; e^eps_0 = 1, 5/4, 3/2, 2, 3, 4"
    for p, q, chosen, gamma in product(_LAWS, _LAWS, _DELTAS, _GAMMAS):
        budgets = {delta: Loss(gamma) if delta == chosen or elsewhere is None else elsewhere for delta in _DELTAS}
        below = all(_printed(p, q, delta) <= budget for delta, budget in budgets.items())
        if below != _satisfies(p, q, chosen, gamma):
            note = f"P = {p}, Q = {q}, delta_0 = {chosen}, e^eps_0 = {gamma}"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("differ == 0", note=note, differ=1))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("approximate.multi-parameter")
def multi_parameter() -> Evidence:
    """One finite value of the budget's curve."""
    return _multi_parameter(INFINITE)


@refutes("approximate.multi-parameter", "eps_0 for every delta")
def multi_parameter_everywhere() -> Evidence:
    """The mutant with a constant curve."""
    return _multi_parameter(None)


def _reduces(delta: Fraction) -> Evidence:
    for p, q in product(_LAWS, repeat=2):
        value, pure = _printed(p, q, delta), Multiplicative().distance(p, q)
        if value != pure:
            note = f"P = {p}, Q = {q}: {value} against {pure}"
            return Evidence(Verdict.REFUTED, _SCOPE, note, formula_witness("differ == 0", note=note, differ=1))
    return Evidence(Verdict.EXHAUSTED, _SCOPE)


@checks("approximate.reduces")
def reduces() -> Evidence:
    """δ = 0."""
    return _reduces(Fraction(0))


@refutes("approximate.reduces", "delta = 1/8 for delta = 0")
def reduces_not() -> Evidence:
    """The mutant with a positive δ."""
    return _reduces(Fraction(1, 8))


def _no_metric(deltas: tuple[Fraction, ...]) -> Evidence:
    """Whether for each δ there are different laws at distance 0, and three that break the triangle inequality."""
    scope = f"found among all laws on three outcomes with denominator 4; delta = {', '.join(map(str, deltas))}"
    found = []
    for delta in deltas:
        merged = next(((p, q) for p, q in product(_LAWS, repeat=2) if p != q and _printed(p, q, delta).is_zero), None)
        broken = next(((p, q, r) for p, q, r in product(_LAWS, repeat=3) if _breaks(p, q, r, delta)), None)
        if merged is None or broken is None:
            counted = (merged is not None) + (broken is not None)
            witness = formula_witness("found == 2", note=f"delta = {delta}: axioms that fail", found=counted)
            return Evidence(Verdict.REFUTED, scope, f"delta = {delta}", witness)
        found.append(f"delta = {delta}: {merged}; {broken}")
    return Evidence(Verdict.EXHAUSTED, scope, found[0])


def _breaks(p: Law[int], q: Law[int], r: Law[int], delta: Fraction) -> bool:
    first, second, direct = _printed(p, q, delta), _printed(q, r, delta), _printed(p, r, delta)
    if first.gamma is None or second.gamma is None:
        return False
    return direct.gamma is None or direct.gamma > first.gamma * second.gamma


@checks("approximate.no-metric")
def no_metric() -> Evidence:
    """Both axioms fail at each δ."""
    return _no_metric(_DELTAS[2:])


@refutes("approximate.no-metric", "delta = 0 among them")
def no_metric_at_zero() -> Evidence:
    """The mutant with δ = 0, which gives the metric D_Mult."""
    return _no_metric((Fraction(0), *_DELTAS[2:]))
