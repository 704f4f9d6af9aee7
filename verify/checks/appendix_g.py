"""Evidence for article, Appendix G: D_NoR as a metric, its square, and its closed form for randomized response."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from spec.enclosure import Enclosure
from spec.law import Law
from spec.loss import Loss
from spec.output_premetrics import Multiplicative
from spec.zcdp import group_zcdp, smallest_pure_to_zcdp
from verify.engines.zcdp.normalized_renyi import one_sided_supremum
from verify.engines.zcdp.renyi_grid import GRID, GRID_SCOPE, coin, enclosed, one_sided
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

Squared = Callable[[Law[int], Law[int]], Enclosure | None]


def _exceeds(direct: Enclosure, first: Enclosure, second: Enclosure, *, roots: bool) -> bool | None:
    """Whether d > e + f, or √d > √e + √f; None where the enclosures do not tell."""

    def above(d: Fraction, e: Fraction, f: Fraction) -> bool:
        excess = d - e - f
        return excess > 0 and (not roots or excess**2 > 4 * e * f)

    if not above(direct.upper, first.lower, second.lower):
        return False
    return True if above(direct.lower, first.upper, second.upper) else None


def _metric(squared: Squared, *, roots: bool) -> Evidence:
    """The axioms of a metric with values in [0, ∞] on the grid, for a distance or for the root of its square."""
    for p, q in product(GRID, repeat=2):
        forward, backward = squared(p, q), squared(q, p)
        note = f"P = {p}, Q = {q}"
        if (p == q) != (forward is not None and forward.lower <= 0) or (forward is None) != (backward is None):
            return Evidence(Verdict.REFUTED, GRID_SCOPE, note, formula_witness("broken == 0", note=note, broken=1))
        if forward is not None and backward is not None and forward.lower > backward.upper:
            witness = formula_witness("d <= d_back", note=note, d=forward.lower, d_back=backward.upper)
            return Evidence(Verdict.REFUTED, GRID_SCOPE, f"{note}: not symmetric", witness)
    undecided = 0
    for p, q, r in product(GRID, repeat=3):
        first, second, direct = squared(p, q), squared(q, r), squared(p, r)
        if first is None or second is None or q in (p, r):
            continue
        note = f"P = {p}, Q = {q}, R = {r}"
        if direct is None:
            return Evidence(Verdict.REFUTED, GRID_SCOPE, note, formula_witness("broken == 0", note=note, broken=1))
        exceeds = _exceeds(direct, first, second, roots=roots)
        if exceeds:
            claimed = "sqrt(d) <= sqrt(e) + sqrt(f)" if roots else "d <= e + f"
            witness = formula_witness(claimed, note=note, d=direct.lower, e=first.upper, f=second.upper)
            return Evidence(Verdict.REFUTED, GRID_SCOPE, f"{note}: no triangle inequality", witness)
        undecided += exceeds is None
    if undecided:
        return Evidence(Verdict.OPEN, GRID_SCOPE, f"{undecided} triples are undecided to 7 digits")
    return Evidence(Verdict.ENCLOSED, GRID_SCOPE, f"{len(GRID) ** 3} triples")


@checks("zcdp.metric")
def metric() -> Evidence:
    """Symmetry, identity and the triangle inequality."""
    return _metric(enclosed, roots=True)


@refutes("zcdp.metric", "D_NoR^2, the standard parameterization, for D_NoR")
def square_as_metric() -> Evidence:
    """The mutant without the reparameterization."""
    return _metric(enclosed, roots=False)


@refutes("zcdp.metric", "D_alpha(P||Q) for the maximum")
def one_side_as_metric() -> Evidence:
    """The mutant with the maximum dropped."""
    return _metric(one_sided, roots=True)


def power_sum(p: Law[int], q: Law[int], order: int) -> Fraction | None:
    """Σ P^α·Q^(1−α) = e^((α−1)·D_α(P‖Q)) for an integer α, exact; None for ∞."""
    if not set(p) <= set(q):
        return None
    return sum((p.numeric(t) ** order / q.numeric(t) ** (order - 1) for t in p), Fraction(0))


def _premetric(*, symmetric: bool) -> Evidence:
    scope = f"{GRID_SCOPE}, alpha = 2, 3, 4, by exp((alpha-1) D_alpha), which is rational"
    for order, p, q in product((2, 3, 4), GRID, GRID):
        found, back = power_sum(p, q, order), power_sum(q, p, order)
        note = f"alpha = {order}, P = {p}, Q = {q}"
        value = Fraction(0) if found is None else found
        if found is not None and (found < 1 or (p == q and found != 1)):
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("d == 1", note=note, d=value))
        if symmetric and found is not None and back is not None and found != back:
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("d == back", note=note, d=value, back=back))
    shifted = Law({t + 3: mass for t, mass in GRID[0].items()})
    if any(power_sum(p, shifted, 2) is not None for p in GRID):
        return Evidence(Verdict.REFUTED, scope, "other spaces", formula_witness("broken == 0", broken=1))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("renyi.premetric")
def premetric() -> Evidence:
    """D_α ≥ 0, 0 for equal laws, ∞ on different spaces."""
    return _premetric(symmetric=False)


@refutes("renyi.premetric", "and symmetric")
def premetric_symmetric() -> Evidence:
    """The mutant that asks for symmetry."""
    return _premetric(symmetric=True)


def _group(factor: Callable[[Fraction, int], Fraction]) -> Evidence:
    scope = f"chains of three: {GRID_SCOPE}"
    for p, q, r in product(GRID, repeat=3):
        steps, whole = (enclosed(p, q), enclosed(q, r)), enclosed(p, r)
        if p == r or None in steps:
            continue
        note = f"P = {p}, Q = {q}, R = {r}"
        worst = [max(end) for end in zip(*((s.lower, s.upper) for s in steps if s is not None), strict=True)]
        if whole is None or whole.lower > factor(worst[1], 2):
            values = {"whole": 0 if whole is None else whole.lower, "bound": factor(worst[1], 2)}
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("whole <= bound", note=note, **values))
        if whole.upper > factor(worst[0], 2):
            return Evidence(Verdict.OPEN, scope, f"undecided to 7 digits: {note}")
    return Evidence(Verdict.ENCLOSED, scope)


@checks("zcdp.group-privacy")
def group_privacy() -> Evidence:
    """Groups of two."""
    return _group(group_zcdp)


@refutes("zcdp.group-privacy", "k for k^2")
def group_privacy_linear() -> Evidence:
    """The mutant with a linear factor."""
    return _group(lambda budget, size: size * budget)


def _finite(is_large: Callable[[Loss], bool]) -> Evidence:
    for p, q in product(GRID, repeat=2):
        loss = Multiplicative().distance(p, q)
        if (enclosed(p, q) is None) != is_large(loss):
            note = f"P = {p}, Q = {q}: D_Mult = {loss}"
            return Evidence(Verdict.REFUTED, GRID_SCOPE, note, formula_witness("differ == 0", note=note, differ=1))
    return Evidence(Verdict.EXHAUSTED, GRID_SCOPE)


@checks("zcdp.finite-laws")
def finite_laws() -> Evidence:
    """Both are infinite together."""
    return _finite(lambda loss: loss.is_infinite)


@refutes("zcdp.finite-laws", "D_Mult > ln 3 for D_Mult = oo")
def finite_laws_bounded() -> Evidence:
    """The mutant with a finite threshold."""
    return _finite(lambda loss: loss > Loss(Fraction(3)))


_COINS = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 4), Fraction(2, 5), Fraction(49, 100), Fraction(2, 3))


def _response(least_order: Fraction) -> Evidence:
    """Whether the supremum over α ≥ least_order agrees with ε·tanh(ε/2) to 12 digits."""
    scope = f"p = {', '.join(map(str, _COINS))}; both sides enclosed to 10^-12, for all alpha > 1"
    for p in _COINS:
        found = one_sided_supremum(coin(p), coin(1 - p), least_order=least_order)
        ratio = max(p / (1 - p), (1 - p) / p)
        closed = smallest_pure_to_zcdp(Loss(ratio))
        if found is None or found.upper < closed.lower or found.lower > closed.upper:
            supremum = Fraction(0) if found is None else found.upper
            claimed = "supremum >= (gamma-1)/(gamma+1)*ln(gamma)"
            witness = formula_witness(claimed, note=f"p = {p}", supremum=supremum, gamma=ratio)
            return Evidence(Verdict.REFUTED, scope, f"p = {p}", witness)
    return Evidence(Verdict.ENCLOSED, scope)


@checks("zcdp.randomized-response")
def randomized_response() -> Evidence:
    """All orders above 1."""
    return _response(Fraction(1))


@refutes("zcdp.randomized-response", "the supremum over alpha >= 3/2")
def randomized_response_from_three_halves() -> Evidence:
    """The mutant without the orders next to 1."""
    return _response(Fraction(3, 2))


@refutes("zcdp.randomized-response", "the supremum over alpha >= 2")
def randomized_response_from_two() -> Evidence:
    """The mutant without the orders below 2."""
    return _response(Fraction(2))
