"""Evidence for dissertation, sections 2.4.4 to 2.4.6: granularity, recording, and output premetrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product

from spec.input_premetric import Distance
from spec.law import Law
from spec.loss import Loss
from spec.output_premetrics import (
    ApproximateMultiplicative,
    Multiplicative,
    OutputPremetric,
    TotalVariation,
    tradeoff_curve,
)
from verify.checks.appendix_a_tradeoff import power_at
from verify.engines.algebra.small_domains import domain_of, premetric, premetric_tables, refused_witness
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

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


_PROPERTIES = ("symmetric", "positive", "triangle")


def _kinds(allowed: Callable[[frozenset[str]], bool]) -> Evidence:
    """Whether the premetrics on three points have exactly the allowed combinations of the properties of a metric."""
    scope = "all premetrics on three points with values in {0, 1, 3, oo}"
    domain, pairs = domain_of(3), tuple(permutations(range(3), 2))
    found: dict[frozenset[str], Mapping[tuple[int, int], Distance]] = {}
    for table in premetric_tables(domain, (0, 1, 3, None)):
        d = premetric(table)
        holds = (
            all(d(x, y) == d(y, x) for x, y in pairs),
            all(d(x, y) != 0 for x, y in pairs),
            all(_below(d(x, z), _sum(d(x, y), d(y, z))) for x, y, z in permutations(range(3))),
        )
        found.setdefault(frozenset(name for name, held in zip(_PROPERTIES, holds, strict=True) if held), table)
    for size in range(4):
        for kind in map(frozenset, combinations(_PROPERTIES, size)):
            if (kind in found) != allowed(kind):
                table = found.get(kind, {})
                shown = {f"{x},{y}": "oo" if d is None else str(d) for (x, y), d in table.items()}
                detail = f"with the properties {sorted(kind)} and no more there is {shown or 'none'}"
                witness = formula_witness(
                    "occurs == allowed", occurs=int(kind in found), allowed=int(allowed(kind)), note=detail
                )
                return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{len(found)} combinations")


def _sum(first: Distance, second: Distance) -> Distance:
    return None if first is None or second is None else Fraction(first) + second


@checks("premetric.definition")
def definition() -> Evidence:
    """All eight combinations."""
    return _kinds(lambda _: True)


@refutes("premetric.definition", "a premetric is symmetric")
def definition_symmetric() -> Evidence:
    """The mutant with an axiom more."""
    return _kinds(lambda kind: "symmetric" in kind)


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


def _densities(bounded: Callable[[Fraction, Fraction, Fraction], bool], *, mutual: bool = True) -> Evidence:
    """Whether sup over events of |ln P(S)/Q(S)| <= b is mutual absolute continuity with bounded density ratios."""
    scope = "all pairs of laws on three outcomes in quarters, all events, e^b in {1, 3/2, 2, 3}, two mu"
    events = [[t for t in range(3) if bits >> t & 1] for bits in range(8)]
    for p, q in product(_grid(3, 4), repeat=2):
        sums = [(sum(map(p.numeric, event), Fraction(0)), sum(map(q.numeric, event), Fraction(0))) for event in events]
        continuous = {*p} == {*q} or not mutual
        for gamma in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3)):
            close = all(a <= gamma * b and b <= gamma * a for a, b in sums)
            for total in (dict.fromkeys((*p, *q), Fraction(1)), {t: p.numeric(t) + q.numeric(t) for t in (*p, *q)}):
                ratios = all(bounded(p.numeric(t) / mu, q.numeric(t) / mu, gamma) for t, mu in total.items())
                if close != (continuous and ratios):
                    worst = max((pair for a, b in sums for pair in ((a, b), (b, a))), key=lambda s: s[0] - gamma * s[1])
                    detail = f"P = {dict(p)}, Q = {dict(q)}, e^b = {gamma}"
                    note = f"{detail}: P(S) and Q(S), or Q(S) and P(S), of the event farthest beyond the bound"
                    claimed = "high > gamma*low" if close else "high <= gamma*low"
                    witness = formula_witness(claimed, high=worst[0], low=worst[1], gamma=gamma, note=note)
                    return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("multiplicative.densities")
def densities() -> Evidence:
    """Both ratios."""
    return _densities(lambda f, g, gamma: f <= gamma * g and g <= gamma * f)


@refutes("multiplicative.densities", "p/q <= exp(b) alone, where both are positive")
def densities_one_way() -> Evidence:
    """The mutant with one ratio."""
    return _densities(lambda f, g, gamma: f <= gamma * g)


@refutes("multiplicative.densities", "without mutual absolute continuity: ratios only where both are positive")
def densities_without_continuity() -> Evidence:
    """The mutant that passes over outcomes that one law cannot give."""
    return _densities(lambda f, g, gamma: not f * g or (f <= gamma * g and g <= gamma * f), mutual=False)


def _density_ratio(factor: int) -> Evidence:
    """Whether D_Mult ≤ δ ≤ factor·D_Mult for the density-ratio metric δ, all infinite where the supports differ."""
    scope = "all pairs of laws on three outcomes in eighths; both are oo where the supports differ"
    for p, q in product(_grid(3, 8), repeat=2):
        if {*p} != {*q}:
            continue
        ratios = [p.numeric(t) / q.numeric(t) for t in p]
        gamma, ratio = max(*ratios, *(1 / r for r in ratios)), max(ratios) / min(ratios)
        if not gamma <= ratio <= gamma**factor:
            detail = f"P = {dict(p)}, Q = {dict(q)}: e^D_Mult = {gamma}, e^delta = {ratio}"
            claimed = "gamma <= ratio" if ratio < gamma else "ratio <= gamma**factor"
            witness = formula_witness(claimed, gamma=gamma, ratio=ratio, factor=factor, note=detail)
            return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("multiplicative.density-ratio")
def density_ratio() -> Evidence:
    """With the factor 2."""
    return _density_ratio(2)


@refutes("multiplicative.density-ratio", "delta <= D_Mult")
def density_ratio_equal() -> Evidence:
    """The mutant in which the two are one."""
    return _density_ratio(1)


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


def _over(budget: Distance, scale: Distance, extra: Fraction) -> Distance:
    """The factor ε/l, which is 0 for l = ∞ and a finite ε."""
    if budget is None:
        return None
    return Fraction(0) if scale is None else Fraction(budget) / scale * extra


def _scaled(extra: Fraction) -> Callable[[Distance, Distance, Distance], Iterator[tuple[Distance, Distance]]]:
    def scales(d: Distance, other: Distance, budget: Distance) -> Iterator[tuple[Distance, Distance]]:
        for scale in (Fraction(1, 2), Fraction(1), Fraction(2), None):
            if _below(_product(scale, d), other):
                yield _product(budget, d), _product(_over(budget, scale, extra), other)
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
                detail = f"P_x = {dict(p)}, P_x' = {dict(q)}, d(x, x') = {there}, d(x', x) = {back}"
                bound = min(bounds)
                if loss <= bound:
                    raise EngineError("pure DP must bound the ratios of both orders")
                note = (
                    f"{detail}: D_Mult(P_x, P_x') <= eps min(d) fails at an outcome; the ratios asked for are bounded"
                )
                return Evidence(Verdict.REFUTED, scope, detail, refused_witness(p, q, bound, note))
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


def _f_dp(condition: str, holds: Callable[[Fraction, Fraction], bool]) -> Evidence:
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
                at, power, limit = next(
                    (level, power, limit)
                    for level, power, limit in zip(levels, powers, f, strict=True)
                    if (1 - power >= limit) != holds(power, limit)
                )
                detail = (
                    f"P = {dict(p)}, Q = {dict(q)}, f(0) = {f[0]}: the type II error at alpha = {at} is {1 - power}"
                )
                note = f"{detail}, f(alpha) = {limit}"
                witness = formula_witness(condition if private else "1 - power >= f", power=power, f=limit, note=note)
                return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("tradeoff.type-two")
def type_two() -> Evidence:
    """As printed: the type II error ≤ f."""
    return _f_dp("1 - power <= f", lambda power, limit: 1 - power <= limit)


@checks("tradeoff.power")
def by_power() -> Evidence:
    """The power ≤ 1 − f."""
    return _f_dp("power <= 1 - f", lambda power, limit: power <= 1 - limit)


@refutes("tradeoff.power", "the budget f for 1 - f")
def by_power_of_f() -> Evidence:
    """The mutant with f itself as the budget."""
    return _f_dp("power <= f", lambda power, limit: power <= limit)
