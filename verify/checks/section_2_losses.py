"""Evidence for article, section 2.4: Proposition 3, and the conclusions that the article draws from Proposition 2."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

from spec.domain import FiniteDomain
from spec.input_premetric import Distance, InputPremetric
from spec.law import Law
from spec.loss import Loss
from spec.multiverse import Multiverse, Universe, components, induced
from spec.output_premetrics import ApproximateMultiplicative, Multiplicative, OutputPremetric, TotalVariation
from spec.specification import Flavor, Specification
from verify.engines.algebra.small_domains import (
    DISTANCES,
    LAWS,
    LOSSES,
    SmallestBudgets,
    Table,
    domain_of,
    invariants,
    kernels,
    multiplicative_witness,
    premetric,
    premetric_tables,
    universes,
)
from verify.engines.exhaustive import universe_losses, violations
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, event_witness, formula_witness
from verify.ledger import checks, refutes

_METRICS: tuple[OutputPremetric, ...] = (Multiplicative(), TotalVariation())
_FEW_LAWS = (LAWS[0], LAWS[2], LAWS[3])


@dataclass(frozen=True)
class _Case:
    """A mechanism under a multiverse and a premetric; `kernel` are positions in `_FEW_LAWS`."""

    multiverse: Multiverse
    table: Table
    kernel: tuple[int, ...]

    def is_constant_on(self, points: Iterable[int]) -> bool:
        return len({self.kernel[x] for x in points}) <= 1

    def explicitly_comparable(self, x: int, y: int) -> bool:
        return x != y and self.table[x, y] is not None and self.multiverse.compares(x, y)


def _zero_budget_iff(
    measures: Sequence[OutputPremetric],
    family: Callable[[FiniteDomain], Iterable[Multiverse]],
    claimed: Callable[[_Case], bool],
    scope: str,
) -> Evidence:
    """Whether a mechanism satisfies the PLB 0 exactly where it is claimed."""
    for measure, domain in product(measures, (domain_of(2), domain_of(3))):
        needed = SmallestBudgets(measure, _FEW_LAWS)
        tables = tuple(premetric_tables(domain, (0, 1, None)))
        for multiverse, table, kernel in product(family(domain), tables, kernels(domain, _FEW_LAWS)):
            case = _Case(multiverse, table, kernel)
            ranks = {universe: needed.of(universe, kernel, table) for universe in multiverse}
            if claimed(case) == (not any(ranks.values())):
                continue
            detail = (
                f"laws {[dict(_FEW_LAWS[i]) for i in kernel]}, {sorted(map(sorted, multiverse))}, d = {dict(table)}"
            )
            if any(ranks.values()):
                losing = next(universe for universe, rank in ranks.items() if rank)
                x, y = next(pair for pair in permutations(losing, 2) if needed.pair(kernel, *pair, table))
                laws = {point: _FEW_LAWS[i] for point, i in enumerate(kernel)}
                witness = multiplicative_witness(laws, x, y, table[x, y], LOSSES[0])
            else:
                note = f"two laws inside a universe, which the PLB 0 does not bound under {measure.name}: {detail}"
                pairs = [pair for universe in multiverse for pair in permutations(sorted(universe), 2)]
                x, y = next(pair for pair in pairs if kernel[pair[0]] != kernel[pair[1]])
                witness = _differing(_FEW_LAWS[kernel[x]], _FEW_LAWS[kernel[y]], note)
            return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _differing(first: Law[int], second: Law[int], note: str) -> Witness:
    """A witness that two laws differ: an event that is likelier under the first one."""
    event = [t for t in {**first, **second} if first.numeric(t) > second.numeric(t)]
    return event_witness((first, second), event, distance=1, claimed=LOSSES[0], note=note)


_COMPARISONS = (
    "two and three data sets, all mechanisms with 3 laws up to relabelling, all premetrics with values in {0, 1, oo}"
)


@checks("invariants.additional-information")
def additional_information() -> Evidence:
    """The sentence as printed: PLB 0 exactly for functions of c."""
    return _zero_budget_iff(
        (Multiplicative(),),
        lambda domain: [induced(domain, c.__getitem__) for c in invariants(domain)],
        lambda case: all(map(case.is_constant_on, case.multiverse)),
        f"{_COMPARISONS}, all invariants; D_Mult",
    )


def _on_components(measures: Sequence[OutputPremetric]) -> Evidence:
    def family(domain: FiniteDomain) -> list[Multiverse]:
        large = [universe for universe in universes(domain) if len(universe) > 1]
        return [Multiverse(chosen) for size in range(len(large) + 1) for chosen in combinations(large, size)]

    return _zero_budget_iff(
        measures,
        family,
        lambda case: all(map(case.is_constant_on, components(range(len(case.kernel)), case.explicitly_comparable))),
        f"{_COMPARISONS}, all multiverses of universes with at least two data sets; "
        + ", ".join(measure.name for measure in measures),
    )


@checks("invariants.additional-information.components")
def additional_information_on_components() -> Evidence:
    """PLB 0 exactly for functions of the class [x]."""
    return _on_components(_METRICS)


@refutes("invariants.additional-information.components", "D_Mult^(1/4), which is no metric")
def additional_information_without_metric() -> Evidence:
    """The mutant under a premetric that is 0 between different laws."""
    return _on_components((ApproximateMultiplicative(Fraction(1, 4)),))


def _varies(claimed: Callable[[Sequence[int], Sequence[int]], bool], distance: Distance, *, exactly: bool) -> Evidence:
    """Whether a mechanism varies within a universe of 𝒟_c whenever (or exactly when) it is claimed."""
    scope = f"two and three data sets, all invariants, all mechanisms with 3 laws, d = {distance} for all pairs"
    for size in (2, 3):
        domain = domain_of(size)
        for c, kernel in product(invariants(domain), product(range(3), repeat=size)):
            pairs = [
                (x, y)
                for universe in induced(domain, c.__getitem__)
                for x, y in combinations(sorted(universe), 2)
                if kernel[x] != kernel[y] and distance is not None
            ]
            expected = claimed(tuple(c.values()), kernel)
            if expected == bool(pairs) or not (expected or exactly):
                continue
            detail = f"c = {tuple(c.values())}, laws {[dict(_FEW_LAWS[i]) for i in kernel]}"
            laws = [_FEW_LAWS[i] for i in kernel]
            differing = pairs or [(x, y) for x, y in combinations(range(size), 2) if kernel[x] != kernel[y]]
            if not differing:
                note = f"pairs of a common universe at finite distance whose laws differ: {detail}"
                return Evidence(Verdict.REFUTED, scope, detail, formula_witness("pairs > 0", pairs=0, note=note))
            x, y = differing[0]
            where = "inside a universe, at finite distance" if pairs else "of which no two lie in one universe so"
            return Evidence(Verdict.REFUTED, scope, detail, _differing(laws[x], laws[y], f"laws that differ, {where}"))
    return Evidence(Verdict.EXHAUSTED, scope)


def _is_function_of(values: Sequence[int], c: Sequence[int]) -> bool:
    return len(set(zip(c, values, strict=True))) == len(set(c))


@checks("invariants.varies-within")
def varies_within() -> Evidence:
    """The sentence as printed: not constant and not equivalent to c."""
    return _varies(
        lambda c, kernel: len(set(kernel)) > 1 and not (_is_function_of(kernel, c) and _is_function_of(c, kernel)),
        1,
        exactly=False,
    )


@checks("invariants.varies-within.function")
def varies_within_unless_function() -> Evidence:
    """Exactly when the law is not a function of c."""
    return _varies(lambda c, kernel: not _is_function_of(kernel, c), 1, exactly=True)


@refutes("invariants.varies-within.function", "c is not a function of the law")
def varies_within_unless_inverse() -> Evidence:
    """The mutant with the two interchanged."""
    return _varies(lambda c, kernel: not _is_function_of(c, kernel), 1, exactly=True)


@refutes("invariants.varies-within.function", "infinite distances")
def varies_within_at_infinity() -> Evidence:
    """The mutant without finite distances."""
    return _varies(lambda c, kernel: not _is_function_of(kernel, c), None, exactly=True)


def _loss_monotone(related: Callable[[Universe, Universe], bool]) -> Evidence:
    """Whether L'_D' ≥ L_D for related universes.

    L_D is taken on D alone: {ε_D : T satisfies the specification} is the same in every multiverse with D, since the
    other universes may have the budget ∞.
    """
    domain = domain_of(3)
    scope = (
        "three data sets, all mechanisms with 6 laws up to relabelling, all premetrics with values in {0, 1, oo}, all "
        "universes D subset of D' (of any two multiverses that hold them); D_Mult, D_TV"
    )
    subsets = universes(domain)
    pairs = [(finer, coarser) for finer, coarser in product(subsets, repeat=2) if related(finer, coarser)]
    for measure in _METRICS:
        needed = SmallestBudgets(measure)
        for table, kernel in product(premetric_tables(domain, (0, 1, None)), kernels(domain)):
            loss = {universe: needed.of(universe, kernel, table) for universe in subsets}
            for finer, coarser in pairs:
                if loss[finer] > loss[coarser]:
                    budget = needed.values[loss[coarser]]
                    x, y = next(
                        pair for pair in permutations(finer, 2) if needed.pair(kernel, *pair, table) > loss[coarser]
                    )
                    laws = {point: LAWS[i] for point, i in enumerate(kernel)}
                    detail = f"D = {sorted(finer)}, D' = {sorted(coarser)}: L' = {budget}"
                    return Evidence(
                        Verdict.REFUTED, scope, detail, multiplicative_witness(laws, x, y, table[x, y], budget)
                    )
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("refinement.loss-monotone")
@cache
def loss_monotone() -> Evidence:
    """Proposition 3."""
    return _loss_monotone(lambda finer, coarser: finer <= coarser)


@refutes("refinement.loss-monotone", "D meets D' instead of D is a subset of D'")
def loss_monotone_on_overlap() -> Evidence:
    """The mutant in which D' need only overlap D."""
    return _loss_monotone(lambda finer, coarser: bool(finer & coarser))


@refutes("refinement.loss-monotone", "D' subset of D")
def loss_monotone_reversed() -> Evidence:
    """The mutant with the inclusion the other way round."""
    return _loss_monotone(lambda finer, coarser: coarser <= finer)


def _separates(finer: Sequence[int], coarser: Sequence[int]) -> Evidence:
    """Whether some mechanism loses strictly more under the multiverse of the coarser invariants."""
    domain, needed = domain_of(len(finer)), SmallestBudgets(Multiplicative())
    scope = f"c = {tuple(finer)}, c' = {tuple(coarser)}, d = 1, D_Mult, all mechanisms with 6 laws"
    table: Table = dict.fromkeys(permutations(domain.points, 2), 1)
    most = 0
    for kernel in product(range(len(LAWS)), repeat=len(finer)):
        fine, coarse = (
            {u: needed.of(u, kernel, table) for u in induced(domain, c.__getitem__)} for c in (finer, coarser)
        )
        for universe, loss in fine.items():
            around = next(rank for other, rank in coarse.items() if universe <= other)
            most = max(most, around - loss)
            if around > loss:
                laws = [dict(LAWS[i]) for i in kernel]
                losses = f"L_D = {needed.values[loss]} < {needed.values[around]} = L'_D'"
                return Evidence(Verdict.EXHAUSTED, scope, f"laws {laws}, D = {sorted(universe)}: {losses}")
    note = "by how many ranks L'_D' exceeds L_D at most, over all mechanisms"
    return Evidence(Verdict.REFUTED, scope, "", formula_witness("excess > 0", excess=most, note=note))


@checks("refinement.loss-may-increase")
@cache
def loss_may_increase() -> Evidence:
    """One mechanism that loses strictly more without the invariants."""
    return _separates((0, 1), (0, 0))


@refutes("refinement.loss-may-increase", "c' is not strictly less constraining than c")
def loss_may_increase_without_change() -> Evidence:
    """The mutant with the same invariants."""
    return _separates((0, 1), (0, 1))


Losses = Callable[[Mapping[int, Law[Any]], Flavor], dict[Universe, Any]]


def _attained(losses: Losses) -> Evidence:
    """Whether the losses are a PLB that the mechanism satisfies, and no universe could have a smaller value."""
    domain = domain_of(2)
    scope = (
        "two data sets, all universes, all mechanisms with 6 laws, all premetrics with values in {0, 1, 2, oo}; "
        "D_Mult, D_TV; every smaller real budget"
    )
    multiverse = Multiverse(universes(domain))
    for measure, table, kernel in product(
        _METRICS, premetric_tables(domain, DISTANCES), product(range(len(LAWS)), repeat=2)
    ):
        laws = {point: LAWS[i] for point, i in enumerate(kernel)}
        flavor = Flavor(domain, multiverse, premetric(table), measure)
        found = losses(laws, flavor)
        broken = next(violations(laws, Specification(flavor, found)), None)
        detail = f"{measure.name}, laws {[dict(LAWS[i]) for i in kernel]}, d = {dict(table)}"
        if broken is not None:
            budget = broken.budget if isinstance(broken.budget, Loss) else LOSSES[0]
            witness = multiplicative_witness(laws, broken.first, broken.second, broken.distance, budget)
            return Evidence(Verdict.REFUTED, scope, detail, witness)
        for universe, budget in found.items():
            if not _is_least(measure, laws, table, universe, budget):
                return Evidence(Verdict.REFUTED, scope, detail, _smaller(laws, table, universe, budget))
    return Evidence(Verdict.EXHAUSTED, scope)


def _is_least(
    measure: OutputPremetric, laws: Mapping[int, Law[Any]], table: Table, universe: Universe, budget: Any
) -> bool:
    """Whether the budget is 0, or a pair breaks (1) at every smaller one: D_Pr = ε·d > 0, or (1) needs ε = ∞."""
    same = laws[0], laws[0]
    if budget == measure.smallest_budget(measure.distance(*same), 1):
        return True
    for x, y in permutations(universe, 2):
        value, distance = measure.distance(laws[x], laws[y]), table[x, y]
        if distance is None or laws[x] == laws[y]:
            continue
        tight = distance != 0 and value != measure.no_bound and value == measure.bound(budget, distance)
        if tight or (budget == measure.no_bound and (distance == 0 or value == measure.no_bound)):
            return True
    return False


def _smaller(laws: Mapping[int, Law[Any]], table: Table, universe: Universe, budget: Loss) -> Witness:
    """The claim that a universe needs a budget under D_Mult, beside what its pairs need."""
    needed = SmallestBudgets(Multiplicative(), tuple(laws.values()))
    most: Loss = needed.values[needed.of(universe, range(len(laws)), table)]
    return formula_witness(
        "needed**budget_root >= budget**needed_root",
        needed=most.gamma,
        needed_root=most.distance,
        budget=budget.gamma,
        budget_root=budget.distance,
        note=f"two losses ln(gamma)/root on {sorted(universe)}",
    )


def _engine_losses(laws: Mapping[int, Law[Any]], flavor: Flavor) -> dict[Universe, Any]:
    return {loss.universe: loss.budget for loss in universe_losses(laws, flavor)}


@checks("specification.loss-attained")
@cache
def loss_attained() -> Evidence:
    """The losses of the exhaustive engine."""
    return _attained(_engine_losses)


@refutes("specification.loss-attained", "pairs at distance 0 are left out")
def loss_attained_without_distance_zero() -> Evidence:
    """The mutant that takes no account of different data sets at distance 0."""

    def losses(laws: Mapping[int, Law[Any]], flavor: Flavor) -> dict[Universe, Any]:
        d = flavor.input_premetric
        positive = InputPremetric(d.name, d.resolution, lambda x, y: d(x, y) or None)
        return _engine_losses(laws, replace(flavor, input_premetric=positive))

    return _attained(losses)


@refutes("specification.loss-attained", "twice the loss")
def loss_attained_twice() -> Evidence:
    """The mutant that is a valid PLB, but not the smallest one."""

    def losses(laws: Mapping[int, Law[Any]], flavor: Flavor) -> dict[Universe, Any]:
        found = _engine_losses(laws, flavor)
        return {u: budget.times(2) if isinstance(budget, Loss) else budget for u, budget in found.items()}

    return _attained(losses)
