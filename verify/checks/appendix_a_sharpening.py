"""Evidence for dissertation, section A.4: the sharpening of neighbor relations, ordered and unordered neighbors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from spec.domain import FiniteDomain, multisets, ordered_data_sets
from spec.input_premetric import InputPremetric, Neighbors, Order, explicit, neighbor_premetric, sharpen, sharpening_of
from spec.law import Law
from spec.loss import Loss
from spec.multiverse import vacuous
from spec.output_premetric import (
    ApproximateMultiplicative,
    Multiplicative,
    OutputPremetric,
    TotalVariation,
    total_variation,
)
from spec.specification import Flavor, Specification
from verify.algebra.comparison import Answer, stronger
from verify.algebra.small_domains import LAWS, domain_of
from verify.evidence import Evidence, formula_witness
from verify.ledger import checks, refutes
from verify.verdict import Verdict


def _relations(size: int, *, symmetric: bool) -> Iterator[InputPremetric]:
    """d_r for all relations r on a few data sets."""
    pairs = list(permutations(range(size), 2))
    for chosen in product((False, True), repeat=len(pairs)):
        related = {pair: 1 for pair, inside in zip(pairs, chosen, strict=True) if inside}
        if not symmetric or all((y, x) in related for x, y in related):
            yield explicit(related, "unit")


def _metric(*, symmetric: bool, distances: Callable[[InputPremetric, FiniteDomain], InputPremetric]) -> Evidence:
    """Whether d_r* is a metric."""
    scope = f"all {'symmetric ' if symmetric else ''}relations on one to four data sets"
    for size in range(1, 5):
        domain = domain_of(size)
        for d in _relations(size, symmetric=symmetric):
            star = distances(d, domain)
            if not star.is_metric_on(domain):
                shown = {f"{x},{y}": str(star(x, y)) for x, y in permutations(domain, 2)}
                note = f"d* = {shown} (None is oo) on {size} data sets; 1 where it is a metric"
                return Evidence(Verdict.REFUTED, scope, note, formula_witness("metric == 1", metric=0, note=note))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("sharpening.metric")
def metric() -> Evidence:
    """Definition A.4.1, for any relation."""
    return _metric(symmetric=False, distances=sharpen)


@checks("sharpening.metric.symmetric")
def metric_symmetric() -> Evidence:
    """For symmetric relations."""
    return _metric(symmetric=True, distances=sharpen)


@refutes("sharpening.metric.symmetric", "d_r for d_r*")
def metric_unsharpened() -> Evidence:
    """The mutant without paths: the triangle inequality fails."""
    return _metric(symmetric=True, distances=lambda d, _: d)


def _four(domains: Callable[[Order], FiniteDomain], scope: str) -> Evidence:
    """Whether the four printed metrics are the sharpenings of the four relations."""
    for neighbors, order in product(Neighbors, Order):
        domain = domains(order)
        star = sharpen(neighbor_premetric(neighbors, order, "record"), domain)
        printed = sharpening_of(neighbors, order, "record")
        for x, y in product(domain, repeat=2):
            if star(x, y) != printed(x, y):
                note = f"{neighbors.name}, {order.name}: x = {x}, x' = {y}; 1/(1 + d), 0 for oo"
                values = [Fraction(0) if d is None else 1 / (1 + Fraction(d)) for d in (star(x, y), printed(x, y))]
                witness = formula_witness("shortest == printed", shortest=values[0], printed=values[1], note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("sharpening.four-metrics")
def four_metrics() -> Evidence:
    """A1 to B2."""

    def listed(order: Order) -> FiniteDomain:
        return (multisets if order is Order.UNORDERED else ordered_data_sets)(("a", "b", "c"), range(4))

    return _four(listed, "all data sets of at most 3 records of three kinds, as multisets and as tuples")


@refutes("sharpening.four-metrics", "the domain lacks the data sets between")
def four_metrics_in_part() -> Evidence:
    """The mutant on data sets of 0 and 2 records."""

    def listed(order: Order) -> FiniteDomain:
        return (multisets if order is Order.UNORDERED else ordered_data_sets)(("a", "b"), (0, 2))

    return _four(listed, "data sets of 0 and 2 records of two kinds")


def _sharpened(measures: tuple[tuple[OutputPremetric, Any], ...], scope: str) -> Evidence:
    """Whether M(d_r) = M(d_r*) on {𝒳}, for all relations on three data sets."""
    domain = domain_of(3)
    for measure, budget in measures:
        for d in _relations(3, symmetric=True):
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


@checks("sharpening.triangle")
def triangle() -> Evidence:
    """For premetrics with the triangle inequality."""
    return _sharpened(_TRIANGULAR, _SCOPE)


@refutes("sharpening.triangle", "D_Mult^(1/4), which has no triangle inequality")
def no_triangle() -> Evidence:
    """The mutant, which is also the separating example of the claim."""
    return _sharpened(
        ((ApproximateMultiplicative(Fraction(1, 4)), Loss(Fraction(2))),), "D_Mult^(1/4), three data sets"
    )


Distance2 = Callable[[Law[int], Law[int]], Fraction]


def _is_metric(distance: Distance2) -> bool:
    """Whether a distance is a metric on the laws tried."""
    if any(distance(p, q) != distance(q, p) or (p != q and not distance(p, q)) for p, q in product(LAWS, repeat=2)):
        return False
    return all(distance(p, r) <= distance(p, q) + distance(q, r) for p, q, r in product(LAWS, repeat=3))


def _same_sets(distance: Distance2) -> bool:
    """Whether d_r and d_r* are satisfied by the same mechanisms made of the laws tried, at ε = 1/3, for all r."""
    domain, pairs = domain_of(3), tuple(permutations(range(3), 2))
    for d in _relations(3, symmetric=True):
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


@checks("sharpening.iff-metric")
def iff_metric() -> Evidence:
    """As printed, for D_TV, its square and the premetric 0."""
    scope = "D_TV, D_TV^2 and D_Pr = 0, all mechanisms of 6 laws, all symmetric relations on three data sets, eps = 1/3"
    premetrics: dict[str, Distance2] = {
        "D_TV": total_variation,
        "D_TV^2": lambda p, q: total_variation(p, q) ** 2,
        "D_Pr = 0": _nothing,
    }
    for name, distance in premetrics.items():
        metric, equal = _is_metric(distance), _same_sets(distance)
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


def _local(growth: Callable[[int], int]) -> Evidence:
    """The loss of randomized response between unordered neighbors, in multiples of its ordered loss."""
    scope = "randomized response with flip probability 1/4, binary records, n = 1, 3, 5, 7"
    for n in (1, 3, 5, 7):
        domain = ordered_data_sets((0, 1), (n,))
        d = neighbor_premetric(Neighbors.REPLACE_ONE, Order.UNORDERED, "record")
        steps = {
            sum(a != b for a, b in zip(x, y, strict=True))
            for x in domain
            for y in domain
            if sum(x) in (n // 2, n // 2 + 1) and d(x, y) == 1
        }
        if max(steps) != growth(n):
            note = f"n = {n}: places in which unordered neighbors differ, each of which costs ln 3"
            witness = formula_witness(
                "places == claimed_places", places=max(steps), claimed_places=growth(n), note=note
            )
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, "the unordered loss is n ln 3, the ordered one ln 3")


@checks("neighbors.local")
def local() -> Evidence:
    """It grows with n."""
    return _local(lambda n: n)


@refutes("neighbors.local", "the unordered loss stays at one record's")
def local_bounded() -> Evidence:
    """The mutant in which it does not grow."""
    return _local(lambda _: 1)
