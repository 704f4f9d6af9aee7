"""Evidence for article, section 2.4: Propositions 1 and 2, what is free of charge and what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from spec.domain import FiniteDomain
from spec.input_premetric import Distance
from spec.law import Law, point_mass
from spec.loss import Loss
from spec.multiverse import Multiverse, Universe, induced, vacuous
from spec.output_premetrics import ApproximateMultiplicative, Multiplicative, OutputPremetric, TotalVariation
from verify.engines.algebra.small_domains import (
    DISTANCES,
    LAWS,
    LOSSES,
    SmallestBudgets,
    Table,
    domain_of,
    invariant_shapes,
    invariants,
    kernels,
    multiplicative_witness,
    multiverses,
    premetric_tables,
    specification,
    universes,
    zero_budget,
)
from verify.engines.exhaustive import violations
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, formula_witness
from verify.ledger import checks, refutes

Labels = Mapping[int, int]
Laws = dict[int, Law[Any]]

_APPROXIMATE = ApproximateMultiplicative(Fraction(1, 4))
_MEASURES: tuple[OutputPremetric, ...] = (Multiplicative(), _APPROXIMATE, TotalVariation())
_METRICS: tuple[OutputPremetric, ...] = (Multiplicative(), TotalVariation())
_POINT_MASSES: tuple[Law[int], ...] = (point_mass(0), point_mass(1), point_mass(2))
_ALL_TABLES = "all premetrics with values in {0, 1, oo}"


def _constant_tables(domain: FiniteDomain, distances: Iterable[Distance] = DISTANCES) -> list[Table]:
    return [dict.fromkeys(permutations(domain.points, 2), distance) for distance in distances]


def _number(budget: Any) -> Any:
    """A budget as a number for a witness: e^ε of a loss, the rational itself of another one."""
    return budget.gamma if isinstance(budget, Loss) else budget


def _not_needed(budget: Any, note: str) -> Witness:
    """The claim "more than this budget is needed" where it is enough."""
    needed = _number(budget)
    return formula_witness("needed > budget", needed=needed, budget=needed, note=note)


def _free(
    released: Callable[[Labels], Laws],
    family: Callable[[FiniteDomain, Labels], Iterable[Multiverse]],
    scope: str,
    cs: Iterable[Labels],
    tables: Iterable[Table],
) -> Evidence:
    """Whether a release always satisfies the PLB 0 on the multiverses of a family."""
    domain = domain_of(3)
    listed = tuple(tables)
    for measure, c in product(_MEASURES, tuple(cs)):
        laws = released(c)
        for multiverse, table in product(family(domain, c), listed):
            claim = specification(domain, dict.fromkeys(multiverse, zero_budget(measure)), table, measure)
            found = next(violations(laws, claim), None)
            if found is not None:
                detail = f"c = {dict(c)}, universes {sorted(map(sorted, multiverse))}, d = {dict(table)}"
                witness = multiplicative_witness(laws, found.first, found.second, found.distance, LOSSES[0])
                return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _invariants_of(c: Labels) -> Laws:
    return {point: point_mass(value) for point, value in c.items()}


def _release_free(family: Callable[[FiniteDomain, Labels], Iterable[Multiverse]]) -> Evidence:
    scope = f"three data sets, all invariants up to relabelling, {_ALL_TABLES}; D_Mult, D_Mult^(1/4), D_TV"
    domain = domain_of(3)
    return _free(_invariants_of, family, scope, invariant_shapes(domain), premetric_tables(domain, (0, 1, None)))


@checks("invariants.release-free")
@cache
def release_free() -> Evidence:
    """Proposition 1, first half."""
    return _release_free(lambda domain, c: [induced(domain, c.__getitem__)])


@refutes("invariants.release-free", "the multiverse {X} for the one induced by c")
def release_free_in_one_universe() -> Evidence:
    """The mutant without invariants in the multiverse."""
    return _release_free(lambda domain, _: [vacuous(domain)])


def _release_free_on(fits: Callable[[Multiverse, Labels], bool]) -> Evidence:
    scope = (
        "three data sets, all invariants, all such multiverses of the 256, d the same in {0, 1, 2, oo} for all pairs; "
        "D_Mult, D_Mult^(1/4), D_TV"
    )
    domain = domain_of(3)
    every = tuple(multiverses(domain))
    return _free(
        _invariants_of,
        lambda _, c: [multiverse for multiverse in every if fits(multiverse, c)],
        scope,
        invariants(domain),
        _constant_tables(domain),
    )


def _is_constant(function: Mapping[int, Any], universe: Universe) -> bool:
    return len({function[x] for x in universe}) <= 1


@checks("invariants.release-free.any-multiverse")
def release_free_on_any_multiverse() -> Evidence:
    """The extension of Proposition 1's first half."""
    return _release_free_on(lambda multiverse, c: all(_is_constant(c, universe) for universe in multiverse))


@refutes("invariants.release-free.any-multiverse", "c constant within some universe for every universe")
def release_free_on_some_universe() -> Evidence:
    """The mutant with the weaker quantifier."""
    return _release_free_on(lambda multiverse, c: any(_is_constant(c, universe) for universe in multiverse))


@checks("invariants.injective")
def injective() -> Evidence:
    """The data themselves, under injective invariants."""
    return _published(lambda c: len(set(c.values())) == len(c))


@refutes("invariants.injective", "c need not be injective")
def injective_not() -> Evidence:
    """The mutant without the hypothesis."""
    return _published(lambda _: True)


def _published(fits: Callable[[Labels], bool]) -> Evidence:
    """Whether the identity satisfies the PLB 0 on the multiverse induced by c."""
    scope = f"three data sets, {_ALL_TABLES}; D_Mult, D_Mult^(1/4), D_TV"
    domain = domain_of(3)
    identity: Laws = {point: point_mass(point) for point in domain}
    return _free(
        lambda _: identity,
        lambda domain, c: [induced(domain, c.__getitem__)],
        scope,
        [c for c in invariant_shapes(domain) if fits(c)],
        premetric_tables(domain, (0, 1, None)),
    )


def _budget_reported(every: Sequence[Multiverse]) -> Evidence:
    """Whether x ↦ {ε_D : x ∈ D} satisfies the PLB 0."""
    scope = (
        "three data sets, all partitions, all PLBs with values in {0, ln 2, ln 4, oo}, d the same in {0, 1, oo} for "
        "all pairs, D_Mult"
    )
    domain = domain_of(3)
    for multiverse, table in product(every, _constant_tables(domain, (0, 1, None))):
        claim = specification(domain, dict.fromkeys(multiverse, LOSSES[0]), table)
        for budgets in product(range(len(LOSSES)), repeat=len(multiverse)):
            around = {x: [j for j, u in zip(budgets, multiverse, strict=True) if x in u] for x in domain}
            laws = {x: point_mass(tuple(sorted(set(values)))) for x, values in around.items()}
            found = next(violations(laws, claim), None)
            if found is not None:
                witness = multiplicative_witness(laws, found.first, found.second, found.distance, LOSSES[0])
                return Evidence(Verdict.REFUTED, scope, f"universes {sorted(map(sorted, multiverse))}", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.budget-reported")
def budget_reported() -> Evidence:
    """Every partition with every PLB."""
    return _budget_reported([induced(domain_of(3), c.__getitem__) for c in invariants(domain_of(3))])


@refutes("invariants.budget-reported", "the multiverse need not be a partition")
def budget_reported_where_universes_overlap() -> Evidence:
    """The mutant that reports the budgets of all universes around x, where universes overlap."""
    return _budget_reported([multiverse for multiverse in multiverses(domain_of(3)) if len(multiverse) == 2])


def _infinite(measures: Iterable[OutputPremetric], *, at_infinity: bool = False) -> Evidence:
    """Whether T = c needs ε_{D₀} = ∞ in any multiverse with a universe D₀ that has such a pair."""
    domain = domain_of(3)
    shown = tuple(measures)
    names = ", ".join(measure.name for measure in shown)
    scope = f"three data sets, all invariants up to relabelling, {_ALL_TABLES}, any multiverse around D_0; {names}"
    subsets = universes(domain)
    for measure in shown:
        needed = SmallestBudgets(measure, _POINT_MASSES)
        for c, table in product(invariant_shapes(domain), premetric_tables(domain, (0, 1, None))):
            kernel = tuple(c.values())
            for universe in subsets:
                applies = any(
                    c[x] != c[y] and (at_infinity or table[x, y] is not None) for x, y in permutations(universe, 2)
                )
                budget = needed.values[needed.of(universe, kernel, table)]
                if applies and budget != measure.no_bound:
                    detail = (
                        f"{measure.name}: c = {dict(c)}, D_0 = {sorted(universe)}, d = {dict(table)}: eps = {budget}"
                    )
                    witness = _not_needed(budget, f"{detail}: T = c satisfies (1) at this budget (e^eps of a loss)")
                    return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.release-infinite")
@cache
def release_infinite() -> Evidence:
    """Proposition 1, second half."""
    return _infinite((Multiplicative(), _APPROXIMATE))


@refutes("invariants.release-infinite", "D_TV for a D_Pr that is infinite at total variation one")
def release_infinite_under_total_variation() -> Evidence:
    """The mutant without the hypothesis on D_Pr."""
    return _infinite((TotalVariation(),))


@refutes("invariants.release-infinite", "d_X(x, x') may be oo")
def release_infinite_at_infinity() -> Evidence:
    """The mutant without the hypothesis on d_X."""
    return _infinite((Multiplicative(),), at_infinity=True)


def _disjoint(measures: Sequence[OutputPremetric], variation: Fraction) -> Evidence:
    """Whether D_Pr is infinite between laws at (at least) this total variation distance."""
    grid = [parts for parts in product(range(5), repeat=4) if sum(parts) == 4]
    laws = [Law({t: Fraction(part, 4) for t, part in enumerate(parts)}) for parts in grid]
    scope = f"all pairs of laws on four outcomes with probabilities in quarters; {len(measures)} premetrics"
    apart = [(p, q) for p, q in product(laws, repeat=2) if TotalVariation().distance(p, q) >= variation]
    for measure, (p, q) in product(measures, apart):
        value = measure.distance(p, q)
        if value != measure.no_bound:
            note = f"D_Pr of {dict(p)} and {dict(q)}, for {measure.name} (e^D_Pr of a loss)"
            witness = formula_witness("value > bound", value=_number(value), bound=_number(value), note=note)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{len(apart)} pairs")


_INFINITE_WHEN_DISJOINT = (
    Multiplicative(),
    *(ApproximateMultiplicative(delta) for delta in (Fraction(0), Fraction(1, 4), Fraction(9, 10))),
)


@checks("output-premetrics.infinite-when-disjoint")
def infinite_when_disjoint() -> Evidence:
    """D_Mult, and D_Mult^δ at δ = 0, 1/4, 9/10."""
    return _disjoint(_INFINITE_WHEN_DISJOINT, Fraction(1))


@refutes("output-premetrics.infinite-when-disjoint", "D_TV too")
def total_variation_when_disjoint() -> Evidence:
    """The mutant for the total variation distance itself."""
    return _disjoint((TotalVariation(),), Fraction(1))


@refutes("output-premetrics.infinite-when-disjoint", "at total variation 3/4 already")
def infinite_when_almost_disjoint() -> Evidence:
    """The mutant with a smaller distance."""
    return _disjoint(_INFINITE_WHEN_DISJOINT, Fraction(3, 4))


def _released_iff(
    claimed: Callable[[Multiverse, Multiverse], bool], fits: Callable[[Multiverse, FiniteDomain], bool]
) -> Evidence:
    """Whether T = c satisfies some finite PLB exactly on the multiverses that a statement names."""
    scope = (
        "two and three data sets, all invariants, all such multiverses, d the same in {0, 1, 2} for all pairs; D_Mult"
    )
    needed = SmallestBudgets(Multiplicative(), _POINT_MASSES)
    for domain in (domain_of(2), domain_of(3)):
        every = [multiverse for multiverse in multiverses(domain) if fits(multiverse, domain)]
        for c, table, multiverse in product(invariants(domain), _constant_tables(domain, (0, 1, 2)), every):
            kernel, classes = tuple(c.values()), induced(domain, c.__getitem__)
            losing = [u for u in multiverse if needed.values[needed.of(u, kernel, table)].is_infinite]
            if claimed(multiverse, classes) != bool(losing):
                continue
            detail = f"c = {dict(c)}, universes {sorted(map(sorted, multiverse))}"
            if losing:
                x, y = next((x, y) for x, y in permutations(losing[0], 2) if c[x] != c[y])
                witness = multiplicative_witness(_invariants_of(c), x, y, table[x, y], LOSSES[2])
            else:
                witness = _not_needed(LOSSES[0], f"{detail}: e^eps of the budget 0, at which T = c satisfies (1)")
            return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.necessity")
def necessity() -> Evidence:
    """The sentence as printed, for multiverses of non-empty universes that cover the domain."""
    return _released_iff(
        lambda multiverse, classes: set(multiverse) == set(classes),
        lambda multiverse, domain: frozenset() not in multiverse and multiverse.covered() == set(domain),
    )


@checks("invariants.necessity.refinement")
def necessity_of_refinement() -> Evidence:
    """A finite PLB exactly on the refinements of 𝒟_c."""
    return _released_iff(lambda multiverse, classes: multiverse.refines(classes), lambda *_: True)


@refutes("invariants.necessity.refinement", "the multiverse induced by c is a refinement of the multiverse")
def necessity_of_coarsening() -> Evidence:
    """The mutant with the refinement the other way round."""
    return _released_iff(lambda multiverse, classes: classes.refines(multiverse), lambda *_: True)


def _positive(measures: Sequence[OutputPremetric], *, at_infinity: bool = False) -> Evidence:
    """Whether a mechanism that varies within D₀ needs ε_{D₀} > 0."""
    domain = domain_of(3)
    names = ", ".join(measure.name for measure in measures)
    scope = f"three data sets, all mechanisms with 6 laws up to relabelling, {_ALL_TABLES}, any multiverse around D_0"
    scope = f"{scope}; {names}"
    subsets = [tuple(universe) for universe in universes(domain) if len(universe) > 1]
    tables = tuple(premetric_tables(domain, (0, 1, None)))
    for measure in measures:
        needed = SmallestBudgets(measure)
        for kernel, table, universe in product(kernels(domain), tables, subsets):
            varies = any(
                kernel[x] != kernel[y] and (at_infinity or table[x, y] is not None)
                for x, y in permutations(universe, 2)
            )
            if varies and needed.of(universe, kernel, table) == 0:
                detail = f"{measure.name}: laws {[dict(LAWS[i]) for i in kernel]}, D_0 = {universe}, d = {dict(table)}"
                witness = _not_needed(zero_budget(measure), f"{detail}: e^eps of the budget 0, which satisfies (1)")
                return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.zero-budget")
@cache
def positive_budget() -> Evidence:
    """Proposition 2, for two metrics."""
    return _positive(_METRICS)


@refutes("invariants.zero-budget", "D_Mult^(1/4), which is no metric")
def positive_budget_without_metric() -> Evidence:
    """The mutant without the hypothesis on D_Pr."""
    return _positive((_APPROXIMATE,))


@refutes("invariants.zero-budget", "d_X(x, x') may be oo")
def positive_budget_at_infinity() -> Evidence:
    """The mutant without the hypothesis on d_X."""
    return _positive((Multiplicative(),), at_infinity=True)
