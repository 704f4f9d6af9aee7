"""Evidence for article, section 2.2: Definition 1, its normal form, and the two ways to encode invariants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, permutations, product

from spec.domain import FiniteDomain
from spec.input_premetric import Distance
from spec.law import Law, point_mass
from spec.loss import INFINITE, ZERO, Loss
from spec.multiverse import Universe, induced, vacuous
from spec.output_premetrics import Multiplicative
from spec.specification import ConstraintMatrix, Specification
from verify.engines.algebra.small_domains import (
    DISTANCES,
    LAWS,
    LOSSES,
    SmallestBudgets,
    Table,
    domain_of,
    invariant_shapes,
    kernels,
    multiplicative_witness,
    multiverses,
    premetric_tables,
    refused_witness,
    specification,
)
from verify.engines.exhaustive import violations
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

BoundRule = Callable[[Loss, Distance], Loss]
"""The right-hand side of Equation (1)."""

PairRule = Callable[[Sequence[int]], Iterator[tuple[int, ...]]]
"""The pairs of a universe that Equation (1) is about."""

_TINY = (ZERO, Loss(Fraction(2)), INFINITE)


def _bound(budget: Loss, distance: Distance) -> Loss:
    """ε·d with 0·∞ = ∞, for integer distances and budgets ln γ."""
    if budget.gamma is None or distance is None:
        return INFINITE
    return Loss(budget.gamma ** Fraction(distance).numerator)


def _events_hold(p: Law[int], q: Law[int], bound: Loss) -> bool:
    """|ln P(S)/Q(S)| ≤ bound for all events S: P(S) ≤ γ·Q(S) and Q(S) ≤ γ·P(S)."""
    if bound.gamma is None:
        return True
    outcomes = tuple(dict.fromkeys((*p, *q)))
    for event in chain.from_iterable(combinations(outcomes, size) for size in range(len(outcomes) + 1)):
        first, second = (sum((law.numeric(t) for t in event), Fraction(0)) for law in (p, q))
        if first > bound.gamma * second or second > bound.gamma * first:
            return False
    return True


def _budgeted(domain: FiniteDomain, budgets: Sequence[Loss]) -> Iterator[dict[Universe, Loss]]:
    """All multiverses with all budgets on them."""
    for multiverse in multiverses(domain):
        for values in product(budgets, repeat=len(multiverse)):
            yield dict(zip(multiverse.universes, values, strict=True))


def _definition(bound: BoundRule, pairs: PairRule) -> Evidence:
    """Whether the exhaustive engine decides Definition 1 with this right-hand side, for pairs of this kind."""
    domain = domain_of(2)
    scope = (
        "the engine against the definition read by events: D_Mult, two data sets, all 16 multiverses, PLBs in "
        "{0, ln 2, oo}, all premetrics with values in {0, 1, 2, oo}, all mechanisms with 3 laws"
    )
    budgeted = tuple(_budgeted(domain, _TINY))
    laws = (LAWS[0], LAWS[3], LAWS[4])
    cases = product(range(3), range(3), _TINY, DISTANCES)
    holds = {case: _events_hold(laws[case[0]], laws[case[1]], bound(*case[2:])) for case in cases}
    for table, budgets in product(premetric_tables(domain), budgeted):
        claim = specification(domain, budgets, table)
        for kernel in product(range(3), repeat=2):
            broken = [
                (x, y, bound(budget, table[x, y]))
                for universe, budget in budgets.items()
                for x, y in pairs(sorted(universe))
                if not holds[kernel[x], kernel[y], budget, table[x, y]]
            ]
            chosen = {x: laws[i] for x, i in enumerate(kernel)}
            found = next(violations(chosen, claim), None)
            if found is not None and not broken:
                detail = f"accepted, though Equation (1) fails; d = {dict(table)}"
                witness = multiplicative_witness(chosen, found.first, found.second, found.distance, found.budget)
                return Evidence(Verdict.REFUTED, scope, detail, witness)
            if broken and found is None:
                x, y, claimed = broken[0]
                detail = f"refused, though Equation (1) holds; d = {dict(table)}"
                witness = refused_witness(chosen[x], chosen[y], claimed, "an event of a mechanism that satisfies (1)")
                return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{16 * 9 * len(budgeted)} cases")


def _both_orders(points: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return permutations(points, 2)


@checks("specification.definition")
@cache
def definition() -> Evidence:
    """Definition 1 as printed."""
    return _definition(_bound, _both_orders)


@refutes("specification.definition", "eps_D for eps_D d_X(x, x')")
def definition_without_distance() -> Evidence:
    """The mutant that does not divide by the change of the input."""
    return _definition(lambda budget, distance: _bound(budget, None if distance is None else 1), _both_orders)


@refutes("specification.definition", "each pair of data sets in one order only")
def definition_one_way() -> Evidence:
    """The mutant that takes d_X for symmetric."""
    return _definition(_bound, lambda points: combinations(points, 2))


@refutes("specification.definition", "0 x oo = 0")
def definition_zero_at_infinity() -> Evidence:
    """The mutant with the other convention at infinite distance."""
    return _definition(lambda budget, distance: ZERO if budget.is_zero else _bound(budget, distance), _both_orders)


def _normal_form(matrix: Callable[[Specification], ConstraintMatrix]) -> Evidence:
    """Whether "D_Pr ≤ C everywhere" is Definition 1, on three data sets with overlapping universes."""
    domain, measure = domain_of(3), Multiplicative()
    scope = (
        "D_Mult, three data sets, all 256 multiverses, PLBs eps_D = f(|D|) with f = (0, ln 2, ln 4, oo) or reversed, a "
        "symmetric and an asymmetric premetric, all mechanisms with 6 laws up to relabelling"
    )
    pairs = tuple(permutations(range(3), 2))
    tables: tuple[Table, ...] = (
        dict.fromkeys(pairs, 1),
        {(0, 1): 0, (1, 0): 1, (0, 2): None, (2, 0): 2, (1, 2): 1, (2, 1): None},
    )
    value = {(i, j): measure.distance(p, q) for i, p in enumerate(LAWS) for j, q in enumerate(LAWS)}
    mechanisms = tuple(kernels(domain))
    for table, multiverse, step in product(tables, multiverses(domain), (1, -1)):
        budgets = {universe: LOSSES[::step][len(universe)] for universe in multiverse}
        claimed = matrix(specification(domain, budgets, table))
        entries = {pair: claimed(*pair) for pair in pairs}
        asked = [
            (x, y, budget.times(table[x, y]), budget)
            for universe, budget in budgets.items()
            for x, y in permutations(sorted(universe), 2)
        ]
        for kernel in mechanisms:
            above = [(x, y) for x, y in pairs if not value[kernel[x], kernel[y]] <= entries[x, y]]
            broken = [case for case in asked if not value[kernel[case[0]], kernel[case[1]]] <= case[2]]
            if bool(above) == bool(broken):
                continue
            chosen = {point: LAWS[i] for point, i in enumerate(kernel)}
            detail = f"multiverse {sorted(map(sorted, multiverse))}, d = {dict(table)}"
            if broken:
                x, y, _, budget = broken[0]
                witness = multiplicative_witness(chosen, x, y, table[x, y], budget)
            else:
                x, y = above[0]
                witness = refused_witness(chosen[x], chosen[y], entries[x, y], "a mechanism that satisfies (1)")
            return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{2 * 256 * 2 * len(mechanisms)} cases")


@checks("specification.normal-form")
def normal_form() -> Evidence:
    """The constraint matrix of DESIGN's normal form."""
    return _normal_form(Specification.matrix)


def _matrix_by(pick: Callable[[Sequence[Loss]], Loss], empty: Loss) -> Callable[[Specification], ConstraintMatrix]:
    """A matrix with another choice among the bounds of a pair, or another bound for a pair without universe."""

    def matrix(claim: Specification) -> ConstraintMatrix:
        flavor = claim.flavor
        entries = {}
        for x, y in permutations(flavor.domain, 2):
            around = flavor.multiverse.containing(x, y)
            bounds = [claim.budgets[universe].times(flavor.input_premetric(x, y)) for universe in around]
            entries[x, y] = pick(bounds) if bounds else empty
        return ConstraintMatrix(flavor.domain, flavor.output_premetric, entries)

    return matrix


@refutes("specification.normal-form", "max for min")
def normal_form_with_maximum() -> Evidence:
    """The mutant with the weakest of a pair's bounds."""
    return _normal_form(_matrix_by(max, INFINITE))


@refutes("specification.normal-form", "min of nothing is 0")
def normal_form_without_universe() -> Evidence:
    """The mutant that bounds pairs which share no universe."""
    return _normal_form(_matrix_by(min, ZERO))


def _first_difference(first: ConstraintMatrix, second: ConstraintMatrix) -> tuple[int, int] | None:
    """The first pair of different data sets whose entries differ."""
    pairs = permutations(first.domain.points, 2)
    return next(((x, y) for x, y in pairs if first(x, y) != second(x, y)), None)


def _across(table: Table, c: Mapping[int, int], distance: Callable[[Distance], Distance]) -> Table:
    """The premetric with another distance where the invariants disagree."""
    return {(x, y): d if c[x] == c[y] else distance(d) for (x, y), d in table.items()}


def _two_encodings(across: Callable[[Distance], Distance]) -> Evidence:
    """Whether {𝒳} with d changed across invariants has the constraint matrix of 𝒟_c with d, for every constant ε."""
    domain = domain_of(3)
    scope = (
        "constraint matrices for D_Mult, three data sets, all invariants up to relabelling, all premetrics with values "
        "in {0, 1, oo}, eps in {0, ln 2, oo} the same for all universes"
    )
    for c, table, budget in product(invariant_shapes(domain), premetric_tables(domain, (0, 1, None)), _TINY):
        classes = induced(domain, c.__getitem__)
        changed = _across(table, c, across)
        via_multiverse = specification(domain, dict.fromkeys(classes, budget), table).matrix()
        via_premetric = specification(domain, dict.fromkeys(vacuous(domain), budget), changed).matrix()
        pair = _first_difference(via_multiverse, via_premetric)
        if pair is not None:
            x, y = pair
            laws = {point: point_mass(c[point]) for point in domain}
            detail = f"c = {dict(c)}, d = {dict(table)}: T = c satisfies one and not the other at eps = {budget}"
            return Evidence(Verdict.REFUTED, scope, detail, multiplicative_witness(laws, x, y, changed[x, y], budget))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.two-encodings")
def two_encodings() -> Evidence:
    """The two ways, with one PLB value."""
    return _two_encodings(lambda _: None)


@refutes("invariants.two-encodings", "2 d_X(x, x') for oo where the invariants disagree")
def two_encodings_finite() -> Evidence:
    """The mutant with a larger but finite distance."""
    return _two_encodings(lambda distance: None if distance is None else 2 * distance)


def _budgets_separate(first: Loss, second: Loss) -> Evidence:
    """Whether PLBs on {0,1} and {2,3} give mechanisms that no single ε on {𝒳} gives, with d = 1 or ∞."""
    scope = "X = {0, 1, 2, 3}, c = (0, 0, 1, 1), d = 1, D_Mult; every eps_X in [0, oo]"
    needed = SmallestBudgets(Multiplicative())
    c = {0: 0, 1: 0, 2: 1, 3: 1}
    table: Table = dict.fromkeys(permutations(range(4), 2), 1)
    changed = _across(table, c, lambda _: None)
    kinds = []
    for kernel in product(range(len(LAWS)), repeat=4):
        parts = (needed.of((0, 1), kernel, table), needed.of((2, 3), kernel, table))
        satisfies = all(needed.values[rank] <= budget for rank, budget in zip(parts, (first, second), strict=True))
        kinds.append((needed.of(range(4), kernel, changed), satisfies))
    separated = next(((rank, True) for rank, yes in kinds if yes and (rank, False) in kinds), None)
    if separated is None:
        witness = formula_witness("first < second", first=first.gamma, second=second.gamma, note="e^eps_D of the two")
        return Evidence(Verdict.REFUTED, scope, "one eps_X gives the same mechanisms", witness)
    loss = needed.values[separated[0]]
    return Evidence(
        Verdict.EXHAUSTED,
        scope,
        f"PLB {first} and {second}: two mechanisms that satisfy {{X}} iff eps_X >= {loss}; one satisfies the PLB, one "
        "does not",
    )


@checks("invariants.two-encodings.varying-budget")
def varying_budget_separates() -> Evidence:
    """PLBs ln 4/3 and ln 2 on the two universes."""
    return _budgets_separate(Loss(Fraction(4, 3)), Loss(Fraction(2)))


@refutes("invariants.two-encodings.varying-budget", "the same PLB for both universes")
def constant_budget_separates() -> Evidence:
    """The mutant whose PLB is one number."""
    return _budgets_separate(Loss(Fraction(2)), Loss(Fraction(2)))
