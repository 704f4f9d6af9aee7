"""D_Mult^delta as it is printed, a supremum over events, and what is said of it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product

from spec.law import Law
from spec.loss import INFINITE, Loss
from verify.claims.zcdp import conversions
from verify.engines.zcdp.renyi_grid import laws_of
from verify.evidence.witness import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every, some
from verify.ledger.statement import state
from verify.ledger.words import define

__all__ = ["conversions"]

define(
    {
        "approximately_private(p, q, delta, gamma)": "all(probability(p, e) <= gamma*probability(q, e) + delta and "
        "probability(q, e) <= gamma*probability(p, e) + delta for e in subsets(outcomes(p, q)))",
        "ratio_outside(p, q, delta)": "max((probability(p, e)/probability(q, e) if probability(q, e) > 0 else oo) - "
        "delta for e in subsets(outcomes(p, q)) if probability(p, e) > 0)",
        "one_sided_sup(p, q, delta)": "max(((probability(p, e) - delta)/probability(q, e) if probability(q, e) > 0 "
        "else oo) for e in subsets(outcomes(p, q)) if probability(p, e) > delta)",
    }
)

_LAWS = laws_of(3, 4)
_EVENTS = tuple(chain.from_iterable(combinations(range(3), size) for size in range(4)))
_DELTAS = (Fraction(0), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2))
_GAMMAS = tuple(Fraction(n, 4) for n in (4, 5, 6, 8, 12, 16))
_SCOPE = "all laws on three outcomes with denominator 4, all events"
_AT = "delta = 0, 1/8, 1/4, 1/2"
_SECTION = "dissertation, section 2.4.5"


@cache
def _masses(law: Law[int]) -> tuple[Fraction, ...]:
    return tuple(sum((law.numeric(t) for t in event), Fraction(0)) for event in _EVENTS)


@cache
def _printed(p: Law[int], q: Law[int], delta: Fraction, *, outside: bool = False) -> Loss:
    """sup_S {ln (P(S)−δ)⁺/Q(S), ln (Q(S)−δ)⁺/P(S), 0}, with 0/0 passed over; with `outside`, of P(S)/Q(S) − δ."""
    both = (zip(_masses(one), _masses(other), strict=True) for one, other in ((p, q), (q, p)))
    pairs = [(a, b) for a, b in chain.from_iterable(both) if a > (0 if outside else delta)]
    if any(b == 0 for _, b in pairs):
        return INFINITE
    return Loss(max(Fraction(1), *(a / b - delta if outside else (a - delta) / b for a, b in pairs)))


@cache
def _asks(p: Law[int], q: Law[int], delta: Fraction, gamma: Fraction) -> bool:
    """Whether P(S) ≤ γ·Q(S) + δ and Q(S) ≤ γ·P(S) + δ for all events S."""
    pairs = zip(_masses(p), _masses(q), strict=True)
    return all(a <= gamma * b + delta and b <= gamma * a + delta for a, b in pairs)


with_budgets = cases(f"{_SCOPE}; {_AT}; e^eps = 1, 5/4, 3/2, 2, 3, 4", "p q delta gamma")(
    lambda: product(_LAWS, _LAWS, _DELTAS, _GAMMAS)
)


def defined(p: Law[int], q: Law[int], delta: Fraction, gamma: Fraction, *, outside: bool = False) -> Witness | None:
    """D_Mult^delta(P, Q) <= eps iff P and Q satisfy the inequalities of (eps, delta)-DP."""
    if (_printed(p, q, delta, outside=outside) <= Loss(gamma)) == _asks(p, q, delta, gamma):
        return None
    word = "max(ratio_outside({0}), ratio_outside({1}))" if outside else "approximate_multiplicative({0})"
    value = word.format("p, q, delta", "q, p, delta")
    return failure(
        f"({value} <= gamma) == approximately_private(p, q, delta, gamma)", p=p, q=q, delta=delta, gamma=gamma
    )


state(
    "approximate.definition",
    _SECTION,
    printed="For example, approximate (eps, delta)-DP (Dwork et al., 2006a) uses the delta-approximate multiplicative "
    "premetric D_Mult^delta(P, Q) for D_Pr: D_Mult^delta(P, Q) = sup_S {ln [P(S) - delta]^+/Q(S), ln [Q(S) - "
    "delta]^+/P(S), 0}.",
    reading="it is at most eps iff P(S) <= e^eps Q(S) + delta and Q(S) <= e^eps P(S) + delta for all S; events with "
    "0/0 are passed over",
    checks=[every(with_budgets, defined)],
    mutants={"P(S)/Q(S) - delta for [P(S) - delta]^+/Q(S)": every(with_budgets, defined, outside=True)},
)


def curved(p: Law[int], q: Law[int], delta: Fraction, gamma: Fraction, *, elsewhere: str = "oo") -> Witness | None:
    """The curve of D_Mult^delta is below eps(.) iff P and Q satisfy the inequalities of (eps_0, delta_0)-DP."""
    chosen = (delta,) if elsewhere == "oo" else _DELTAS
    if all(_printed(p, q, d) <= Loss(gamma) for d in chosen) == _asks(p, q, delta, gamma):
        return None
    below = f"all(approximate_multiplicative(p, q, d) <= (gamma if d == delta else {elsewhere}) for d in deltas)"
    return failure(
        f"{below} == approximately_private(p, q, delta, gamma)", p=p, q=q, delta=delta, gamma=gamma, deltas=_DELTAS
    )


state(
    "approximate.multi-parameter",
    "dissertation, section 2.4.6",
    printed="… (eps_0, delta_0)-DP would correspond to the probability premetric D_Mult^(.) which maps a pair (P, Q) … "
    "to the function delta -> D_Mult^delta(P, Q), along with the privacy loss budget eps(.) … given by eps(delta) = "
    "eps_0 if delta = delta_0, oo otherwise.",
    reading="with the pointwise partial order",
    checks=[every(with_budgets, curved)],
    mutants={"eps_0 for every delta": every(with_budgets, curved, elsewhere="gamma")},
)


with_deltas = cases(f"{_SCOPE}; {_AT}", "p q delta")(lambda: product(_LAWS, _LAWS, _DELTAS))


_LARGER = "max(least, {}) == approximate_multiplicative(p, q, delta)"
_BOTH = _LARGER.format("one_sided_sup(p, q, delta), one_sided_sup(q, p, delta)")

state(
    "approximate.symmetrization",
    _SECTION,
    printed="D_Mult^delta is the symmetrization of the delta-approximate max-divergence (Dwork et al., 2010b).",
    reading="the larger of D^delta(P||Q), D^delta(Q||P) and 0, as its definition has it: D^delta(P||Q), the maximum of "
    "ln (P(S)-delta)/Q(S) over the events S with P(S) > delta, is below 0 for P = Q and delta > 0",
    checks=[every(with_deltas, _BOTH, least=1)],
    mutants={
        "one of the two max-divergences": every(with_deltas, _LARGER.format("one_sided_sup(p, q, delta)"), least=1),
        "without 0": every(with_deltas, _BOTH, least=0),
    },
)


two_laws = cases(_SCOPE, "p q")(lambda: ((p, q) for p, q in product(_LAWS, repeat=2)))


_REDUCES = "approximate_multiplicative(p, q, delta) == multiplicative(p, q)"

state(
    "approximate.reduces",
    _SECTION,
    printed="Clearly D_Mult^delta(P, Q) reduces to D_Mult(P, Q) when delta = 0 …",
    checks=[every(two_laws, _REDUCES, delta=0)],
    mutants={"delta = 1/8 for delta = 0": every(two_laws, _REDUCES, delta=Fraction(1, 8))},
)


def _law(chance: Fraction) -> Law[int]:
    return Law({0: 1 - chance, 1: chance})


steps = cases(
    "delta = 1/20, ..., 19/20; a law, one at a total variation of at most delta from it, one as far from that",
    "p q r delta",
)(
    lambda: (
        (*(_law(k * min(delta, Fraction(1, 2))) for k in range(3)), delta)
        for delta in (Fraction(k, 20) for k in range(1, 20))
    )
)
_STEPS = (
    "p != q and approximate_multiplicative(p, q, delta) == 1 and approximate_multiplicative(q, r, delta) == 1 and "
    "approximate_multiplicative(p, r, delta) > 1"
)

coins = cases("all laws on two outcomes with denominator 4, all events", "p q")(
    lambda: ((p, q) for p, q in product(laws_of(2, 4), repeat=2))
)


_APART = "p != q and approximate_multiplicative(p, q, delta) == 1"

state(
    "approximate.no-metric",
    _SECTION,
    printed="… for delta > 0, it is generally not a metric.",
    reading="there are P != Q at distance 0, and P, Q, R that break the triangle inequality",
    checks=[every(steps, _STEPS)],
    mutants={"delta = 0 among them": some(coins, _APART, delta=0)},
)
