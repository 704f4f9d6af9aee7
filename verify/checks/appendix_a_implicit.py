"""Evidence for what a specification implies without stating it: dissertation, Remark 2.4.6 and section A.3."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product

from spec.closure import closure
from spec.law import Law
from spec.loss import ZERO, Loss
from spec.multiverse import Multiverse, vacuous
from spec.order import hidden_invariants
from spec.output_premetrics import Multiplicative
from spec.specification import Flavor, Specification
from verify.engines.algebra.small_comparisons import TABLES, described
from verify.engines.algebra.small_domains import (
    LAWS,
    LOSSES,
    Table,
    domain_of,
    multiplicative_witness,
    multiverses,
    premetric,
    premetric_tables,
    refused_witness,
    specification,
)
from verify.engines.exhaustive import violations
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_PURE = Multiplicative()
_LAWS = (*LAWS, *(Law({0: head, 1: 1 - head}) for head in (Fraction(1, 8), Fraction(1, 4))))


def _free_between(fits: Callable[[Specification, int, int], bool], size: int, *, exactly: bool) -> Evidence:
    """Whether any two laws are allowed at x and x', by all mechanisms at the budget 0, where a condition holds."""
    scope = f"D_Mult, {size} data sets, all multiverses, all premetrics in {{0, 1, oo}}, eps_D = 0, all mechanisms"
    domain = domain_of(size)
    for table, multiverse in product(premetric_tables(domain, (0, 1, None)), multiverses(domain)):
        claim = specification(domain, dict.fromkeys(multiverse, ZERO), table)
        matrix = closure(claim.matrix())
        for x, y in permutations(domain, 2):
            free, condition = matrix(x, y).is_infinite, fits(claim, x, y)
            if free == condition or (free and not exactly):
                continue
            if free:
                note = f"{described(claim)}: x = {x}, x' = {y}; 1 where all laws are allowed"
                witness = formula_witness("free == condition", free=1, condition=0, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
            laws = {point: Law({int(point == x): Fraction(1)}) for point in domain}
            broken = next(violations(laws, claim))
            detail = f"{described(claim)}: P_x != P_x' at x = {x}, x' = {y} is refused"
            witness = multiplicative_witness(laws, broken.first, broken.second, broken.distance, broken.budget)
            return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("premetric.infinite-distance")
def infinite_distance() -> Evidence:
    """Remark 2.4.6 as printed: d(x, x') = ∞ leaves P_x and P_x' free."""
    return _free_between(lambda claim, x, y: claim.flavor.input_premetric(x, y) is None, 2, exactly=False)


def _apart(claim: Specification, x: int, y: int) -> bool:
    return not any(x in one and y in one for one in claim.flavor.components())


def _both_sizes(fits: Callable[[Specification, int, int], bool]) -> Evidence:
    two = _free_between(fits, 2, exactly=True)
    return two if two.verdict is Verdict.REFUTED else _chains(fits)


def _chains(fits: Callable[[Specification, int, int], bool]) -> Evidence:
    """The same on three data sets, for the listed premetrics."""
    scope = (
        "D_Mult, eps_D = 0, all mechanisms: two data sets, all multiverses, all premetrics in {0, 1, oo}; three data "
        "sets, all multiverses, three premetrics"
    )
    domain = domain_of(3)
    for table, multiverse in product(TABLES, multiverses(domain)):
        claim = specification(domain, dict.fromkeys(multiverse, ZERO), table)
        matrix = closure(claim.matrix())
        for x, y in permutations(domain, 2):
            if matrix(x, y).is_infinite != fits(claim, x, y):
                note = f"{described(claim)}: x = {x}, x' = {y}; 1 where all laws are allowed"
                free = int(matrix(x, y).is_infinite)
                witness = formula_witness("free == condition", free=free, condition=1 - free, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("premetric.infinite-distance.unconnected")
def infinite_distance_unconnected() -> Evidence:
    """With the class [x]."""
    return _both_sizes(_apart)


@refutes("premetric.infinite-distance.unconnected", "no common universe at a finite distance, for x' not in [x]")
def infinite_distance_incomparable() -> Evidence:
    """The mutant that looks at the pair alone."""
    return _both_sizes(lambda claim, x, y: not claim.flavor.comparable(x, y))


def _unrestricted(classes: Callable[[Specification], Multiverse]) -> Evidence:
    """Whether {𝒳} implies nothing between data sets of different classes."""
    scope = "D_Mult, three data sets, all premetrics in {0, 1, oo}, eps in {0, ln 2}, {X}; all mechanisms"
    domain = domain_of(3)
    for table, budget in product(premetric_tables(domain, (0, 1, None)), (ZERO, LOSSES[1])):
        claim = specification(domain, dict.fromkeys(vacuous(domain), budget), table)
        matrix, parts = closure(claim.matrix()), classes(claim)
        for x, y in permutations(domain, 2):
            if not parts.compares(x, y) and not matrix(x, y).is_infinite:
                reached = matrix(x, y)
                note = f"{described(claim)}: e^(n eps) kept between {x} and {y}; 1/oo = 0 was claimed"
                witness = formula_witness("1/reached <= 0", reached=reached.gamma, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("multiverse.hidden-unrestricted")
def unrestricted() -> Evidence:
    """The end of section A.3."""
    return _unrestricted(lambda claim: hidden_invariants(claim.flavor.input_premetric, claim.flavor.domain))


@refutes("multiverse.hidden-unrestricted", "the pairs at a finite distance for the classes")
def unrestricted_by_pairs() -> Evidence:
    """The mutant without the transitive closure."""

    def near(claim: Specification) -> Multiverse:
        d, points = claim.flavor.input_premetric, claim.flavor.domain.points
        return Multiverse(dict.fromkeys(frozenset((x, y)) for x in points for y in points if d(x, y) is not None))

    return _unrestricted(near)


def _implicit(combine: Callable[[Loss, Loss], Loss], *, between: bool) -> Evidence:
    """Whether D_Mult(P_1, P_3) ≤ max(ε, ε')·d(x_1, x_3) for x_2 between them."""
    scope = "D_Mult, all laws of 8 at three data sets, distances 1 and 2, universes {1, 2} and {2, 3}, eps in 4 values"
    value = {(i, j): _PURE.distance(p, q) for i, p in enumerate(_LAWS) for j, q in enumerate(_LAWS)}
    for near, far, extra in product((1, 2), (1, 2), (0,) if between else (0, -1)):
        whole = near + far + extra
        for first, second in product(LOSSES, repeat=2):
            bound = combine(first, second).times(whole)
            for i, j, k in product(range(len(_LAWS)), repeat=3):
                if not (value[i, j] <= first.times(near) and value[j, k] <= second.times(far)):
                    continue
                if not value[i, k] <= bound:
                    detail = f"eps = {first}, eps' = {second}, d = {near}, {far}, {whole}"
                    witness = refused_witness(_LAWS[i], _LAWS[k], bound, detail)
                    return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("multiverse.implicit-condition")
def implicit_condition() -> Evidence:
    """(A.1) as printed."""
    return _implicit(max, between=True)


@refutes("multiverse.implicit-condition", "min for max")
def implicit_condition_smaller() -> Evidence:
    """The mutant with the smaller budget."""
    return _implicit(min, between=True)


@refutes("multiverse.implicit-condition", "d_X(x1, x3) may be below the sum")
def implicit_condition_shorter() -> Evidence:
    """The mutant without the premise on d_X."""
    return _implicit(max, between=False)


def _no_implicit(fits: Callable[[Table], bool], kind: str, *, disjoint: bool = True) -> Evidence:
    """Whether every bound is attained: under D_Mult the constraint matrix is its own closure."""
    scope = (
        f"D_Mult, two and three data sets, all multiverses of {'disjoint ' if disjoint else ''}universes, {kind} with "
        "the triangle inequality and values in {0, 1, 2, oo}, eps_D = ln 2 or ln 4"
    )
    for size in (2, 3):
        domain = domain_of(size)
        chosen = [m for m in multiverses(domain) if frozenset() not in m and (m.is_partition() or not disjoint)]
        tables = (t for t in premetric_tables(domain, (0, 1, 2, None)) if size == 2 or _symmetric(t))
        for table, multiverse in product(filter(fits, tables), chosen):
            if not _triangle(table):
                continue
            budgets = {u: Loss(Fraction(2 if 0 in u else 4)) for u in multiverse}
            claim = Specification(Flavor(domain, multiverse, premetric(table), _PURE), budgets)
            stated = claim.matrix()
            implied = closure(stated)
            broken = next((pair for pair in permutations(domain, 2) if implied(*pair) < stated(*pair)), None)
            if broken is not None:
                high = stated(*broken).gamma
                detail = f"{described(claim)}: {stated(*broken)} is stated at {broken}, {implied(*broken)} implied"
                note = f"{detail}; e^-bound, 0 for oo"
                low = Fraction(0) if high is None else 1 / high
                witness = formula_witness(
                    "implied <= stated", implied=1 / implied(*broken).gamma, stated=low, note=note
                )
                return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _triangle(table: Table) -> bool:
    for x, y, z in permutations({x for x, _ in table}, 3):
        first, second, direct = table[x, y], table[y, z], table[x, z]
        if first is not None and second is not None and (direct is None or direct > first + second):
            return False
    return True


def _symmetric(table: Table) -> bool:
    return all(table[x, y] == table[y, x] for x, y in table)


@checks("multiverse.disjoint-no-implicit")
def disjoint_no_implicit() -> Evidence:
    """The sentence as printed: d_X need not be symmetric."""
    return _no_implicit(lambda _: True, "all premetrics on two and all symmetric ones on three")


@checks("multiverse.disjoint-no-implicit.symmetric")
def disjoint_no_implicit_symmetric() -> Evidence:
    """For symmetric d_X."""
    return _no_implicit(_symmetric, "all symmetric premetrics")


@refutes("multiverse.disjoint-no-implicit.symmetric", "the universes may overlap")
def overlapping_no_implicit() -> Evidence:
    """The mutant for all multiverses."""
    return _no_implicit(_symmetric, "all symmetric premetrics", disjoint=False)
