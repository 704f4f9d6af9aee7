"""Evidence for dissertation, sections 2.4.4 to 2.4.6: granularity, recording, and output premetrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from spec.input_premetric import Distance
from spec.law import Law
from spec.loss import INFINITE, ZERO, Loss
from spec.output_premetric import (
    ApproximateMultiplicative,
    Multiplicative,
    OutputPremetric,
    TotalVariation,
    tradeoff_curve,
)
from verify.checks.appendix_a_tradeoff import power_at
from verify.evidence import Evidence, formula_witness
from verify.ledger import checks, refutes
from verify.verdict import Verdict

_PURE = Multiplicative()


def _grid(outcomes: int, parts: int) -> tuple[Law[int], ...]:
    kept = (counts for counts in product(range(parts + 1), repeat=outcomes) if sum(counts) == parts)
    return tuple(Law({t: Fraction(k, parts) for t, k in enumerate(counts)}) for counts in kept)


def _inverse(loss: Loss) -> Fraction:
    """e^−loss as a number for a witness; 0 for ∞."""
    return Fraction(0) if loss.gamma is None else 1 / loss.gamma


def _metric(measure: OutputPremetric) -> Evidence:
    """Whether a loss-valued premetric is a metric on laws, with values in [0, ∞]."""
    scope = f"{measure.name}; all laws on three outcomes in quarters"
    laws = _grid(3, 4)
    known = {(p, q): measure.distance(p, q) for p, q in product(laws, repeat=2)}
    for (p, q), value in known.items():
        if value != known[q, p] or (p != q) == value.is_zero:
            note = f"P = {dict(p)}, Q = {dict(q)}: e^-distance there and back"
            witness = formula_witness("there < 1", there=_inverse(value), note=note)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    for p, q, r in product(laws, repeat=3):
        first, second, direct = known[p, q], known[q, r], known[p, r]
        if _inverse(direct) < _inverse(first) * _inverse(second):
            note = f"P, Q, R = {dict(p)}, {dict(q)}, {dict(r)}: e^-distance"
            witness = formula_witness(
                "direct >= first*second",
                direct=_inverse(direct),
                first=_inverse(first),
                second=_inverse(second),
                note=note,
            )
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("premetric.multiplicative-metric")
def multiplicative_metric() -> Evidence:
    """D_Mult."""
    return _metric(_PURE)


@refutes("premetric.multiplicative-metric", "D_Mult^(1/8) for D_Mult")
def approximate_metric() -> Evidence:
    """The mutant premetric."""
    return _metric(ApproximateMultiplicative(Fraction(1, 8)))


def _no_metric(delta: Fraction) -> Evidence:
    """Whether D_Mult^δ has two different laws at distance 0 and three that break the triangle inequality."""
    scope = f"D_Mult^({delta}); all laws on two outcomes in eighths"
    measure, laws = ApproximateMultiplicative(delta), _grid(2, 8)
    known = {(p, q): measure.distance(p, q) for p, q in product(laws, repeat=2)}
    equal = [(p, q) for (p, q), value in known.items() if value.is_zero and p != q]
    broken = [
        (p, q, r)
        for p, q, r in product(laws, repeat=3)
        if _inverse(known[p, r]) < _inverse(known[p, q]) * _inverse(known[q, r])
    ]
    if not equal or not broken:
        note = "pairs at distance 0, and triples that break the triangle inequality"
        witness = formula_witness("pairs*triples > 0", pairs=len(equal), triples=len(broken), note=note)
        return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(
        Verdict.EXHAUSTED, scope, f"{len(equal)} pairs at distance 0; {len(broken)} triples, {broken[0]} one"
    )


@checks("output-premetrics.approximate-no-metric")
def no_metric() -> Evidence:
    """δ = 1/8."""
    return _no_metric(Fraction(1, 8))


@refutes("output-premetrics.approximate-no-metric", "delta = 0")
def no_metric_at_zero() -> Evidence:
    """The mutant that is D_Mult."""
    return _no_metric(Fraction(0))


def _reduces(delta: Fraction) -> Evidence:
    """Whether the printed supremum over events at δ is D_Mult, and the engine's D_Mult^δ."""
    scope = "all pairs of laws on three outcomes in quarters, all events"
    events = [[t for t in range(3) if bits >> t & 1] for bits in range(8)]
    for p, q in product(_grid(3, 4), repeat=2):
        value = ZERO
        for event in events:
            a, b = (sum((law.numeric(t) for t in event), Fraction(0)) for law in (p, q))
            for high, low in ((a, b), (b, a)):
                beyond = max(high - delta, Fraction(0))
                if beyond > low:
                    value = max(value, INFINITE if low == 0 else Loss(beyond / low))
        if value != _PURE.distance(p, q):
            note = f"P = {dict(p)}, Q = {dict(q)}: e^-distance"
            witness = formula_witness(
                "printed == pure", printed=_inverse(value), pure=_inverse(_PURE.distance(p, q)), note=note
            )
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("output-premetrics.approximate-at-zero")
def reduces() -> Evidence:
    """δ = 0."""
    return _reduces(Fraction(0))


@refutes("output-premetrics.approximate-at-zero", "delta = 1/8")
def reduces_not() -> Evidence:
    """The mutant with a positive δ."""
    return _reduces(Fraction(1, 8))


def _zero_on_equal(*, shifted: bool) -> Evidence:
    """Whether D_Pr(P, P) = 0."""
    scope = "D_Mult, D_Mult^(1/8), D_TV; all laws on three outcomes in quarters"
    for law in _grid(3, 4):
        other = law.push(lambda t: t + int(shifted))
        for measure in (_PURE, ApproximateMultiplicative(Fraction(1, 8))):
            if not measure.distance(law, other).is_zero:
                note = f"{measure.name} of {dict(law)} and {dict(other)}: e^-distance"
                near = _inverse(measure.distance(law, other))
                return Evidence(Verdict.REFUTED, scope, note, formula_witness("near == 1", near=near, note=note))
        if TotalVariation().distance(law, other) != 0:
            return Evidence(Verdict.REFUTED, scope, "D_TV", formula_witness("tv == 0", tv=1))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("output-premetrics.zero-on-equal")
def zero_on_equal() -> Evidence:
    """Equal laws."""
    return _zero_on_equal(shifted=False)


@refutes("output-premetrics.zero-on-equal", "laws that are equal up to the names of outcomes")
def zero_on_renamed() -> Evidence:
    """The mutant with renamed outcomes."""
    return _zero_on_equal(shifted=True)


_EXTENDED: tuple[Distance, ...] = (0, Fraction(1, 2), 1, 2, None)


def _product(factor: Distance, value: Distance) -> Distance:
    """The product with 0·∞ = ∞."""
    return None if factor is None or value is None else Fraction(factor) * value


def _below(first: Distance, second: Distance) -> bool:
    return second is None or (first is not None and first <= second)


def _rescaling(scales: Callable[[Distance, Distance, Distance], Iterator[tuple[Distance, Distance]]]) -> Evidence:
    """Whether ε·d for d carries over to the scaled budget for d', at every pair, under D_TV with values on a grid."""
    scope = (
        "one pair of data sets (Equation (1) is about pairs), D_Pr, d, d', eps in {0, 1/2, 1, 2, oo}, l, u in {1/2, 1, "
        "2, oo}, 0 x oo = oo"
    )
    for value, d, other, budget in product(_EXTENDED, repeat=4):
        for start, end in scales(d, other, budget):
            if _below(value, start) and not _below(value, end):
                note = f"D_Pr = {value}, d = {d}, d' = {other}, eps = {budget} (None is oo); 1/(1 + bound)"
                low, high = (Fraction(0) if v is None else 1 / (1 + Fraction(v)) for v in (value, end))
                witness = formula_witness("distance >= bound", distance=low, bound=high, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _scaled(extra: Fraction) -> Callable[[Distance, Distance, Distance], Iterator[tuple[Distance, Distance]]]:
    def scales(d: Distance, other: Distance, budget: Distance) -> Iterator[tuple[Distance, Distance]]:
        for scale in (Fraction(1, 2), Fraction(1), Fraction(2), None):
            if scale is not None and _below(_product(scale, d), other):
                over = None if budget is None else Fraction(budget) / scale * extra
                yield _product(budget, d), _product(over, other)
            if _below(other, _product(scale, d)):
                raised = _product(_product(scale, extra), budget)
                yield _product(budget, other), _product(raised, d)

    return scales


@checks("premetric.rescaling")
def rescaling() -> Evidence:
    """Proposition 2.4.15, both halves."""
    return _rescaling(_scaled(Fraction(1)))


@refutes("premetric.rescaling", "eps/(2l) and u eps/2")
def rescaling_half() -> Evidence:
    """The mutant with half the budgets."""
    return _rescaling(_scaled(Fraction(1, 2)))


def _finer(*, exchanged: bool) -> Evidence:
    def scales(d: Distance, other: Distance, budget: Distance) -> Iterator[tuple[Distance, Distance]]:
        small, large = (other, d) if exchanged else (d, other)
        if _below(small, large):
            yield _product(budget, d), _product(budget, other)

    return _rescaling(scales)


@checks("premetric.finer-stronger")
def finer_stronger() -> Evidence:
    """D ≤ d'."""
    return _finer(exchanged=False)


@refutes("premetric.finer-stronger", "d' <= d for d <= d'")
def finer_weaker() -> Evidence:
    """The mutant with the two exchanged."""
    return _finer(exchanged=True)


def _likelihood(distances: tuple[tuple[Distance, Distance], ...], *, both: bool = False) -> Evidence:
    """Whether D_Mult(P_x, P_x') ≤ ε·d(x, x') for both orders is ln P_x(t)/P_x'(t) ≤ ε·d(x, x') for all t and orders."""
    shown = ", ".join(f"({'oo' if d is None else d}, {'oo' if e is None else e})" for d, e in distances)
    scope = f"two data sets, all pairs of coins in 1/16, (d(x, x'), d(x', x)) in {{{shown}}}, eps = ln 2"
    budget = Loss(Fraction(2))
    for there, back in distances:
        bounds = budget.times(there), budget.times(back)
        for p, q in product(_grid(2, 16), repeat=2):
            loss = _PURE.distance(p, q)
            pure = all(loss <= bound for bound in bounds)
            ratios = all(
                bound.gamma is None
                or high.numeric(t) ** bound.distance <= bound.gamma * low.numeric(t) ** bound.distance
                for (high, low), bound in zip(((p, q), (q, p)), bounds, strict=True)
                for t in range(1 if both else 2)
            )
            if pure != ratios:
                note = f"P_x = {dict(p)}, P_x' = {dict(q)}, d(x, x') = {there}, d(x', x) = {back}; 1 where each holds"
                witness = formula_witness("pure == ratios", pure=int(pure), ratios=int(ratios), note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("pure.likelihood-ratio")
def likelihood() -> Evidence:
    """For any premetric."""
    return _likelihood(((0, 0), (0, 1), (1, 1), (1, 2), (None, None)))


@checks("pure.likelihood-ratio.symmetric")
def likelihood_symmetric() -> Evidence:
    """For symmetric ones."""
    return _likelihood(((0, 0), (1, 1), (2, 2), (None, None)))


@refutes("pure.likelihood-ratio.symmetric", "one outcome t for all t")
def likelihood_at_one() -> Evidence:
    """The mutant that looks at the first outcome only."""
    return _likelihood(((0, 0), (1, 1), (2, 2), (None, None)), both=True)


def _f_dp(holds: Callable[[Fraction, Fraction], bool]) -> Evidence:
    """Whether a condition on (power, f(α)) at every α is "type II error ≥ f(α)" at every α."""
    scope = "all pairs of laws on two outcomes in quarters; f = the type II errors of all such pairs; alpha in eighths"
    levels = [Fraction(k, 8) for k in range(9)]
    curves = {}
    for p, q in product(_grid(2, 4), repeat=2):
        curve = tradeoff_curve(p, q)
        curves[p, q] = [power_at(curve, level) for level in levels]
    for (p, q), powers in curves.items():
        for other in curves.values():
            f = [1 - power for power in other]
            private = all(1 - power >= limit for power, limit in zip(powers, f, strict=True))
            claimed = all(holds(power, limit) for power, limit in zip(powers, f, strict=True))
            if private != claimed:
                note = f"P = {dict(p)}, Q = {dict(q)}, f(0) = {f[0]}; 1 where f-DP holds, 1 where the condition does"
                witness = formula_witness("private == claims", private=int(private), claims=int(claimed), note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("tradeoff.type-two")
def type_two() -> Evidence:
    """As printed: the type II error ≤ f."""
    return _f_dp(lambda power, limit: 1 - power <= limit)


@checks("tradeoff.power")
def by_power() -> Evidence:
    """The power ≤ 1 − f."""
    return _f_dp(lambda power, limit: power <= 1 - limit)


@refutes("tradeoff.power", "the budget f for 1 - f")
def by_power_of_f() -> Evidence:
    """The mutant with f itself as the budget."""
    return _f_dp(lambda power, limit: power <= limit)
