"""Evidence for dissertation, section A.4: the sharpening of neighbor relations, ordered and unordered neighbors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

from mechanisms.randomized_response import randomized_response
from spec.domain import FiniteDomain, multisets, ordered_data_sets
from spec.input_premetric import (
    Distance,
    InputPremetric,
    Neighbors,
    Order,
    explicit,
    neighbor_premetric,
    sharpen,
    sharpening_of,
)
from spec.law import Law
from spec.loss import Loss
from spec.multiverse import vacuous
from spec.output_premetrics import (
    ApproximateMultiplicative,
    Multiplicative,
    OutputPremetric,
    TotalVariation,
    total_variation,
)
from spec.specification import Flavor, Specification
from verify.engines.algebra.comparison import Answer, stronger
from verify.engines.algebra.small_domains import LAWS, domain_of, multiplicative_witness
from verify.engines.exhaustive import mechanism_laws
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, formula_witness
from verify.ledger import checks, refutes

__all__ = ["Sharpened", "either_way", "relations"]


def relations(size: int, *, symmetric: bool) -> Iterator[InputPremetric]:
    """d_r for all relations r on a few data sets."""
    pairs = list(permutations(range(size), 2))
    for chosen in product((False, True), repeat=len(pairs)):
        related = {pair: 1 for pair, inside in zip(pairs, chosen, strict=True) if inside}
        if not symmetric or all((y, x) in related for x, y in related):
            yield explicit(related, "unit")


Sharpened = Callable[[InputPremetric, FiniteDomain], InputPremetric]


def _metric(*, symmetric: bool, distances: Sharpened, largest: int = 4) -> Evidence:
    """Whether d_r* is a metric with values in [0, ∞]."""
    scope = f"all {'symmetric ' if symmetric else ''}relations on at most {largest} data sets"
    for size in range(1, largest + 1):
        domain = domain_of(size)
        for d in relations(size, symmetric=symmetric):
            star = distances(d, domain)
            if not star.is_metric_on(domain):
                shown = {f"{x},{y}": str(star(x, y)) for x, y in permutations(domain, 2)}
                detail = f"d* = {shown} (None is oo) on {size} data sets"
                return Evidence(Verdict.REFUTED, scope, detail, _no_metric(star, domain, detail))
    return Evidence(Verdict.EXHAUSTED, scope)


def _inverse(distance: Distance) -> Fraction:
    """1/(1 + d), 0 for ∞: a number for a witness."""
    return Fraction(0) if distance is None else 1 / (1 + Fraction(distance))


def _no_metric(star: InputPremetric, domain: FiniteDomain, detail: str) -> Witness:
    """A pair with two distances, or a triple that breaks the triangle inequality."""
    note = f"{detail}; 1/(1 + distance), 0 for oo"
    for x, y in permutations(domain, 2):
        if star(x, y) != star(y, x):
            there, back = _inverse(star(x, y)), _inverse(star(y, x))
            return formula_witness("there == back", there=there, back=back, note=f"{note}, at {x}, {y}")
    x, y, z = next(
        (x, y, z)
        for x, y, z in permutations(domain, 3)
        if not (star(x, y) is None or star(y, z) is None)
        and _inverse(star(x, z)) < 1 / (1 / _inverse(star(x, y)) + 1 / _inverse(star(y, z)) - 1)
    )
    values = {name: _inverse(star(*pair)) for name, pair in (("xy", (x, y)), ("yz", (y, z)), ("xz", (x, z)))}
    return formula_witness("xz*(1/xy + 1/yz - 1) >= 1", **values, note=f"{note}, x, y, z = {x}, {y}, {z}")


def either_way(d: InputPremetric, domain: FiniteDomain) -> InputPremetric:
    """d_r for the relation "x r x' or x' r x"."""
    related = {pair: 1 for pair in permutations(domain, 2) if d(*pair) is not None or d(*pair[::-1]) is not None}
    return explicit(related, "unit")


@checks("sharpening.metric")
def metric() -> Evidence:
    """Definition A.4.1 with directed paths, for any relation."""
    return _metric(symmetric=False, distances=sharpen)


@checks("sharpening.metric.undirected")
def metric_undirected() -> Evidence:
    """Definition A.4.1 with paths along the edges either way."""
    return _metric(symmetric=False, distances=lambda d, domain: sharpen(either_way(d, domain), domain), largest=3)


@refutes("sharpening.metric.undirected", "d_r for d_r*")
def metric_undirected_unsharpened() -> Evidence:
    """The mutant without paths."""
    return _metric(symmetric=False, distances=either_way, largest=3)


@checks("sharpening.metric.symmetric")
def metric_symmetric() -> Evidence:
    """For symmetric relations."""
    return _metric(symmetric=True, distances=sharpen)


@refutes("sharpening.metric.symmetric", "d_r for d_r*")
def metric_unsharpened() -> Evidence:
    """The mutant without paths: the triangle inequality fails."""
    return _metric(symmetric=True, distances=lambda d, _: d)


def _four(domains: Callable[[Order], Iterable[FiniteDomain]], scope: str) -> Evidence:
    """Whether the four printed metrics are the sharpenings of the four relations."""
    for neighbors, order in product(Neighbors, Order):
        printed = sharpening_of(neighbors, order, "record")
        for domain in domains(order):
            star = sharpen(neighbor_premetric(neighbors, order, "record"), domain)
            wrong = next(((x, y) for x, y in product(domain, repeat=2) if star(x, y) != printed(x, y)), None)
            if wrong is not None:
                x, y = wrong
                listed = domain.points if len(domain) < 4 else f"{len(domain)} data sets"
                detail = f"{neighbors.name}, {order.name}, X = {listed}: x = {x}, x' = {y}"
                shortest, claimed = _inverse(star(x, y)), _inverse(printed(x, y))
                note = f"{detail}; 1/(1 + d), 0 for oo"
                witness = formula_witness("shortest == printed", shortest=shortest, printed=claimed, note=note)
                return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _data_sets(order: Order, records: tuple[str, ...], sizes: Iterable[int]) -> FiniteDomain:
    return (multisets if order is Order.UNORDERED else ordered_data_sets)(records, tuple(sizes))


@checks("sharpening.four-metrics")
def four_metrics() -> Evidence:
    """A1 to B2 as printed, for any set of data sets."""
    return _four(
        lambda order: map(FiniteDomain, combinations(_data_sets(order, ("a", "b"), range(3)), 2)),
        "X any two data sets of at most 2 records of two kinds",
    )


@checks("sharpening.four-metrics.all-sizes")
def four_metrics_all_sizes() -> Evidence:
    """A1 to B2 where X holds all data sets up to a size."""
    return _four(
        lambda order: [_data_sets(order, ("a", "b", "c"), range(4))],
        "X all data sets of at most 3 records of three kinds, as multisets and as tuples",
    )


@refutes("sharpening.four-metrics.all-sizes", "the domain lacks the data sets between")
def four_metrics_in_part() -> Evidence:
    """The mutant on data sets of 0 and 2 records."""
    return _four(
        lambda order: [_data_sets(order, ("a", "b"), (0, 2))], "X the data sets of 0 and 2 records of two kinds"
    )


Measures = tuple[tuple[OutputPremetric, Any], ...]


def _sharpened(measures: Measures, scope: str) -> Evidence:
    """Whether M(d_r) = M(d_r*) on {𝒳}, for all relations on three data sets."""
    domain = domain_of(3)
    for measure, budget in measures:
        for d in relations(3, symmetric=True):
            plain, star = (
                Specification.constant(Flavor(domain, vacuous(domain), one, measure), budget)
                for one in (d, sharpen(d, domain))
            )
            for first, second in ((plain, star), (star, plain)):
                found = stronger(first, second)
                if found.answer is Answer.UNDECIDED:
                    return Evidence(Verdict.OPEN, scope, found.reason)
                if found.mechanism is not None and found.pair is not None:
                    x, y = found.pair
                    heads = {u: found.mechanism[u][0] for u in domain}
                    gamma, delta = second.matrix()(x, y).gamma, getattr(measure, "delta", Fraction(0))
                    note = f"{measure.name}: P_u(0) = {heads}; the event at x = {x} and x' = {y}"
                    p, q = max(
                        ((found.mechanism[a][t], found.mechanism[b][t]) for a, b in ((x, y), (y, x)) for t in (0, 1)),
                        key=lambda pq: pq[0] - gamma * pq[1],
                    )
                    witness = formula_witness("p <= gamma*q + delta", p=p, q=q, gamma=gamma, delta=delta, note=note)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


_TRIANGULAR = ((Multiplicative(), Loss(Fraction(2))), (TotalVariation(), Fraction(1, 4)))
_SCOPE = "all symmetric relations on three data sets, {X}; D_Mult with eps = ln 2, D_TV with eps = 1/4; all mechanisms"


@checks("sharpening.triangle", "group-privacy.triangle")
def triangle() -> Evidence:
    """For premetrics with the triangle inequality."""
    return _sharpened(_TRIANGULAR, _SCOPE)


@refutes("sharpening.triangle", "D_Mult^(1/4), which has no triangle inequality")
@refutes("group-privacy.triangle", "D_Mult^(1/4), which has no triangle inequality")
def no_triangle() -> Evidence:
    """The mutant without the triangle inequality."""
    return _sharpened(_approximate(Fraction(1, 4)), "D_Mult^(1/4), three data sets")


def _approximate(delta: Fraction) -> Measures:
    return ((ApproximateMultiplicative(delta), Loss(Fraction(2))),)


def _all_differ(deltas: tuple[Fraction, ...]) -> Evidence:
    """Whether M(d_r) != M(d_r*) for some relation, for each D_Mult^δ."""
    scope = f"delta in {', '.join(map(str, deltas))}; symmetric relations on three data sets, {{X}}, eps = ln 2"
    for delta in deltas:
        found = _sharpened(_approximate(delta), scope)
        if found.verdict is Verdict.OPEN:
            return found
        if found.verdict is not Verdict.REFUTED:
            note = f"delta = {delta}: relations on three data sets for which M(d_r) and M(d_r*) differ"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("differ > 0", differ=0, note=note))
    return Evidence(Verdict.EXHAUSTED, scope, "a mechanism that separates is found for each delta")


@checks("sharpening.triangle.approximate")
def approximate_differs() -> Evidence:
    """Three values of δ."""
    return _all_differ((Fraction(1, 8), Fraction(1, 4), Fraction(1, 2)))


@refutes("sharpening.triangle.approximate", "delta = 0 among them")
def approximate_differs_at_zero() -> Evidence:
    """The mutant with D_Mult itself."""
    return _all_differ((Fraction(1, 8), Fraction(0)))


Distance2 = Callable[[Law[int], Law[int]], Fraction]


def _is_metric(distance: Distance2) -> bool:
    """Whether a distance is a metric on the laws tried."""
    if any(distance(p, q) != distance(q, p) or (p != q and not distance(p, q)) for p, q in product(LAWS, repeat=2)):
        return False
    return all(distance(p, r) <= distance(p, q) + distance(q, r) for p, q, r in product(LAWS, repeat=3))


def _same_sets(distance: Distance2) -> bool:
    """Whether d_r and d_r* are satisfied by the same mechanisms made of the laws tried, at ε = 1/3, for all r."""
    domain, pairs = domain_of(3), tuple(permutations(range(3), 2))
    for d in relations(3, symmetric=True):
        star = sharpen(d, domain)
        for laws in product(LAWS, repeat=3):
            kept = [
                all(
                    e(x, y) is None or distance(laws[x], laws[y]) <= Fraction(1, 3) * Fraction(e(x, y) or 0)
                    for x, y in pairs
                )
                for e in (d, star)
            ]
            if kept[0] != kept[1]:
                return False
    return True


def _nothing(p: Law[int], q: Law[int]) -> Fraction:  # noqa: ARG001 the premetric 0
    return Fraction(0)


@checks("sharpening.iff-metric", "group-privacy.iff-metric")
def iff_metric_assumed() -> Evidence:
    """As printed: what the mild assumptions are decides it."""
    return Evidence(Verdict.OPEN, "the mild assumptions are not stated", "without any it is false, at D_Pr = 0")


@checks("sharpening.iff-metric.unassumed")
def iff_metric() -> Evidence:
    """Without any assumption, for D_TV, its square and the premetric 0."""
    scope = "D_TV, D_TV^2 and D_Pr = 0, all mechanisms of 6 laws, all symmetric relations on three data sets, eps = 1/3"
    premetrics: dict[str, Distance2] = {
        "D_TV": total_variation,
        "D_TV^2": lambda p, q: total_variation(p, q) ** 2,
        "D_Pr = 0": _nothing,
    }
    for name, distance in premetrics.items():
        metric, equal = _is_metric(distance), _same_sets(distance)
        if equal and not metric:
            p, q = LAWS[:2]
            detail = f"{name}: M(d_r) = M(d_r*), and the distance of {dict(p)} and {dict(q)} is {distance(p, q)}"
            witness = formula_witness("distance > 0", distance=distance(p, q), note=detail)
            return Evidence(Verdict.REFUTED, scope, detail, witness)
        if metric != equal:
            note = f"{name}: 1 where it is a metric, 1 where M(d_r) = M(d_r*)"
            witness = formula_witness("metric == equal", metric=int(metric), equal=int(equal), note=note)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _unordered(stronger_first: bool) -> Evidence:
    """Whether neighbors as tuples are neighbors as multisets (or the other way round)."""
    scope = "all tuples of at most 4 records of two kinds and of at most 3 of three, bounded and unbounded"
    for records, largest in ((("a", "b"), 4), (("a", "b", "c"), 3)):
        domain = ordered_data_sets(records, range(largest + 1))
        for neighbors in Neighbors:
            ordered = neighbor_premetric(neighbors, Order.ORDERED, "record")
            multiset = neighbor_premetric(neighbors, Order.UNORDERED, "record")
            small, large = (multiset, ordered) if stronger_first else (ordered, multiset)
            for x, y in product(domain, repeat=2):
                if large(x, y) is not None and (small(x, y) is None or small(x, y) > large(x, y)):  # type: ignore[operator]
                    note = f"{neighbors.name}: x = {x}, x' = {y}: 1/d, 0 for oo"
                    witness = formula_witness("large <= small", large=1, small=0, note=note)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("neighbors.unordered-stronger")
def unordered_stronger() -> Evidence:
    """d_unordered ≤ d_ordered, so Proposition 2.4.15 with l = 1 applies."""
    return _unordered(True)


@refutes("neighbors.unordered-stronger", "ordered for unordered")
def ordered_stronger() -> Evidence:
    """The mutant with the two exchanged."""
    return _unordered(False)


def _local(growth: Callable[[int], Loss]) -> Evidence:
    """Whether randomized response has the loss ln 3 between ordered neighbors, and `growth` between unordered ones."""
    scope = "randomized response with flip probability 1/4, all data sets of n = 1, 3, 5 binary records, D_Mult"
    measure = Multiplicative()
    for n in (1, 3, 5):
        domain = ordered_data_sets((0, 1), (n,))
        laws = mechanism_laws(lambda x, source: randomized_response(x, source, flip_probability=Fraction(1, 4)), domain)
        for order, claimed in ((Order.ORDERED, Loss(Fraction(3))), (Order.UNORDERED, growth(n))):
            d = neighbor_premetric(Neighbors.REPLACE_ONE, order, "record")
            near = [(x, y) for x, y in permutations(domain, 2) if d(x, y) == 1]
            x, y = max(near, key=lambda pair: measure.distance(laws[pair[0]], laws[pair[1]]))
            found = measure.distance(laws[x], laws[y])
            if found != claimed:
                detail = f"n = {n}, {order.value}: the loss of the neighbors {x} and {y} is {found}"
                if found <= claimed:
                    witness = formula_witness("gamma >= limit", gamma=found.gamma, limit=claimed.gamma, note=detail)
                    return Evidence(Verdict.REFUTED, scope, detail, witness)
                return Evidence(Verdict.REFUTED, scope, detail, multiplicative_witness(laws, x, y, 1, claimed))
    return Evidence(Verdict.EXHAUSTED, scope, "the unordered loss is n ln 3, the ordered one ln 3")


@checks("neighbors.local")
def local() -> Evidence:
    """It grows with n."""
    return _local(lambda n: Loss(Fraction(3) ** n))


@refutes("neighbors.local", "the unordered loss stays at one record's")
def local_bounded() -> Evidence:
    """The mutant in which it does not grow."""
    return _local(lambda _: Loss(Fraction(3)))
