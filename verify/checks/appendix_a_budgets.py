"""Evidence for dissertation, sections A.1 and A.2: comparable data sets, functions of them, released budgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

from spec.law import Law, point_mass
from spec.loss import ZERO, Loss
from spec.output_premetrics import Multiplicative
from spec.specification import Flavor, Specification
from verify.engines.algebra.small_comparisons import TABLES, described, small_specifications
from verify.engines.algebra.small_domains import (
    Table,
    domain_of,
    invariants,
    multiplicative_witness,
    multiverses,
    premetric,
    premetric_tables,
)
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, formula_witness
from verify.ledger import checks, refutes

_ONE, _TWO = Loss(Fraction(2)), Loss(Fraction(4))


def small_flavors(size: int) -> list[Flavor]:
    """All multiverses on a few data sets with all premetrics in {1, ∞}; on three, those listed."""
    domain = domain_of(size)
    tables: Sequence[Table] = TABLES if size == 3 else tuple(premetric_tables(domain, (1, None)))
    return [Flavor(domain, m, premetric(t), Multiplicative()) for m, t in product(multiverses(domain), tables)]


FLAVORS = "all multiverses on one to three data sets, all premetrics in {1, oo} on two and three premetrics on three"
"""What `small_flavors` lists, size by size."""


def _relation(comparable: Callable[[Flavor, Any, Any], bool]) -> Evidence:
    """Whether comparability is symmetric and irreflexive, and [x] is its reflexive and transitive closure."""
    for size in (1, 2, 3):
        for flavor in small_flavors(size):
            points = flavor.domain.points
            linked = {(x, y): comparable(flavor, x, y) for x in points for y in points}
            wrong = next(((x, y) for x, y in linked if linked[x, y] != linked[y, x] or (x == y and linked[x, y])), None)
            if wrong is not None:
                x, y = wrong
                note = f"universes {sorted(map(sorted, flavor.multiverse))}, x = {x}, x' = {y}"
                there, back = int(linked[x, y]), int(linked[y, x] and x != y)
                witness = formula_witness("there == back", there=there, back=back, note=note)
                return Evidence(Verdict.REFUTED, FLAVORS, note, witness)
            reached = {x: {x} for x in points}
            for _ in points:
                for (x, y), inside in linked.items():
                    if inside:
                        merged = reached[x] | reached[y]
                        for z in merged:
                            reached[z] = reached[z] | merged
            if {frozenset(r) for r in reached.values()} != set(flavor.components()):
                count = len({frozenset(r) for r in reached.values()})
                witness = formula_witness(
                    "classes == components", classes=count, components=len(flavor.components()) + 0
                )
                return Evidence(Verdict.REFUTED, FLAVORS, "the classes differ", witness)
    return Evidence(Verdict.EXHAUSTED, FLAVORS)


@checks("components.relation")
def relation() -> Evidence:
    """Definition A.1.1."""
    return _relation(lambda flavor, x, y: flavor.comparable(x, y))


@refutes("components.relation", "d_X(x, x') < oo for d_X(x, x') < oo or d_X(x', x) < oo")
def relation_one_way() -> Evidence:
    """The mutant that asks for one direction."""
    return _relation(lambda f, x, y: x != y and f.input_premetric(x, y) is not None and f.multiverse.compares(x, y))


def _zero(flavor: Flavor) -> Specification:
    return Specification.constant(flavor, ZERO)


def _cost(flavor: Flavor, f: Mapping[Any, Any]) -> tuple[Any, Any] | None:
    """A pair at which the point masses at f(x) exceed every finite budget; None where the loss is 0."""
    for x, y in permutations(flavor.domain.points, 2):
        if f[x] != f[y] and flavor.input_premetric(x, y) is not None and flavor.multiverse.compares(x, y):
            return x, y
    return None


def _costs(flavor: Flavor, f: Mapping[Any, Any], pair: tuple[Any, Any], detail: str, scope: str) -> Evidence:
    laws: dict[Any, Law[Any]] = {x: point_mass(repr(f[x])) for x in flavor.domain}
    witness = multiplicative_witness(laws, *pair, flavor.input_premetric(*pair), _TWO)
    return Evidence(Verdict.REFUTED, scope, detail, witness)


Function = Mapping[int, int]


def _functions(same: Callable[[Flavor, Function], bool], separates: Callable[[list[int]], bool]) -> Evidence:
    """Whether f has a finite budget, which is then 0, iff a condition holds.

    Tried for every sigma-algebra whose atoms `separates` accepts: it is given the atoms of f's values on a class, one
    for each different value.
    """
    scope = f"D_Mult, all functions f to as many values, all sigma-algebras on these; {FLAVORS}"
    for size in (1, 2, 3):
        algebras = list(invariants(domain_of(size)))
        for flavor in small_flavors(size):
            parts = flavor.components()
            for values in product(range(size), repeat=size):
                f = dict(enumerate(values))
                condition, on_parts = same(flavor, f), [{f[x] for x in part} for part in parts]
                for atoms in algebras:
                    if not all(separates([atoms[t] for t in taken]) for taken in on_parts):
                        continue
                    seen = {x: atoms[f[x]] for x in f}
                    pair = _cost(flavor, seen)
                    if (pair is None) == condition:
                        continue
                    detail = f"{described(_zero(flavor))}, f = {f}, atoms {dict(atoms)}"
                    if pair is not None:
                        return _costs(flavor, seen, pair, detail, scope)
                    return Evidence(Verdict.REFUTED, scope, detail, _no_event(f, seen, parts, detail))
    return Evidence(Verdict.EXHAUSTED, scope)


def _no_event(f: Function, seen: Function, parts: Sequence[frozenset[int]], detail: str) -> Witness:
    """P_x(S) and P_x'(S) for the smallest measurable S that holds f(x), where f(x) != f(x') in one class.

    The total variation distance is 1 iff P_x(S) - P_x'(S) is.
    """
    changed = [(x, y) for part in parts for x, y in permutations(sorted(part), 2) if f[x] != f[y]]
    if not changed:
        return formula_witness("needed > 1", needed=1, note=f"{detail}: e^eps that suffices")
    x, y = changed[0]
    note = f"{detail}: P_x(S) and P_x'(S) at x = {x}, x' = {y} for the smallest measurable S that holds f(x)"
    return formula_witness("p - q >= 1", p=1, q=int(seen[x] == seen[y]), note=note)


def _constant_on_classes(flavor: Flavor, f: Function) -> bool:
    return all(len({f[x] for x in part}) == 1 for part in flavor.components())


def _all_different(atoms: list[int]) -> bool:
    return len(set(atoms)) == len(atoms)


@checks("components.functions-free")
def functions_free() -> Evidence:
    """Proposition A.2.1 as printed: with any sigma-algebra."""
    return _functions(_constant_on_classes, lambda _: True)


@checks("components.functions-free.separating")
def functions_free_separating() -> Evidence:
    """With sigma-algebras that tell the values of f on [x] apart."""
    return _functions(_constant_on_classes, _all_different)


@refutes("components.functions-free.separating", "f is constant in every universe, for f is a function of [x]")
def functions_of_universes() -> Evidence:
    """The mutant that forgets the distances."""
    return _functions(lambda flavor, f: all(len({f[x] for x in u}) <= 1 for u in flavor.multiverse), _all_different)


@refutes("components.functions-free.separating", "all values are told apart on classes where f has at most two")
def functions_separated_in_part() -> Evidence:
    """The mutant in which the sigma-algebra may join three values."""
    return _functions(_constant_on_classes, lambda atoms: len(atoms) > 2 or _all_different(atoms))


Released = Callable[[Specification, Any], frozenset[Any]]


def _b(claim: Specification, x: Any) -> frozenset[Any]:
    """{ε_D : x' ∈ D for some x' ∈ [x]}."""
    part = next(one for one in claim.flavor.components() if x in one)
    return frozenset(budget for universe, budget in claim.budgets.items() if universe & part)


def _b_prime(claim: Specification, x: Any) -> frozenset[Any]:
    """{ε_D : x ∈ D}."""
    return frozenset(budget for universe, budget in claim.budgets.items() if x in universe)


_BUDGETED = "D_Mult; all multiverses on two data sets with all budgets in {0, ln 2, oo}, all 256 on three by size"


def _released(released: Released) -> Evidence:
    """Whether x ↦ {ε_D : …} has the loss 0."""
    for listed in small_specifications():
        claim = listed.claim
        f = {x: released(claim, x) for x in claim.flavor.domain}
        if (pair := _cost(claim.flavor, f)) is not None:
            return _costs(claim.flavor, f, pair, described(claim), _BUDGETED)
    return Evidence(Verdict.EXHAUSTED, _BUDGETED)


@checks("budget.set-released")
def set_released() -> Evidence:
    """Corollary A.2.2."""
    return _released(_b)


@refutes("budget.set-released", "{eps_D : x in D}")
def own_set_released() -> Evidence:
    """The mutant that reports the budgets around x itself."""
    return _released(_b_prime)


@checks("budget.function-released")
def function_released() -> Evidence:
    """The constant mechanism that shows the whole function eps."""
    return _released(lambda claim, _: frozenset(claim.budgets.items()))


@refutes("budget.function-released", "eps on the universes of x")
def own_function_released() -> Evidence:
    """The mutant that shows a part, chosen by the data."""
    return _released(lambda claim, x: frozenset((u, budget) for u, budget in claim.budgets.items() if x in u))


def _most_specific(least: Released) -> Evidence:
    """Whether only f = b is free among the functions between `least` and b."""
    for listed in small_specifications():
        claim = listed.claim
        points = claim.flavor.domain.points
        b = [_b(claim, x) for x in points]
        between = [_between(least(claim, x), whole) for x, whole in zip(points, b, strict=True)]
        for chosen in product(*between):
            if list(chosen) == b or _cost(claim.flavor, dict(zip(points, chosen, strict=True))) is not None:
                continue
            x, some, whole = next((x, s, w) for x, s, w in zip(points, chosen, b, strict=True) if s != w)
            note = f"{described(claim)}: a function with loss 0 shows so many budgets at x = {x}, and b(x) so many"
            witness = formula_witness("shown >= possible", shown=len(some), possible=len(whole), note=note)
            return Evidence(Verdict.REFUTED, _BUDGETED, note, witness)
    return Evidence(Verdict.EXHAUSTED, _BUDGETED)


def _between(least: frozenset[Any], most: frozenset[Any]) -> list[frozenset[Any]]:
    rest = sorted(most - least, key=repr)
    return [least.union(kept) for n in range(len(rest) + 1) for kept in combinations(rest, n)]


@checks("budget.most-specific")
def most_specific() -> Evidence:
    """Every f between b' and b."""
    return _most_specific(_b_prime)


@refutes("budget.most-specific", "f(x) may leave out budgets of universes that hold x")
def most_specific_anything() -> Evidence:
    """The mutant without b'(x) subset of f(x)."""
    return _most_specific(lambda _, __: frozenset())


def _infinite_unless(equal: Callable[[Specification], bool]) -> Evidence:
    """Whether b' has infinite loss exactly where b and b' differ."""
    for listed in small_specifications():
        claim = listed.claim
        f = {x: _b_prime(claim, x) for x in claim.flavor.domain}
        pair = _cost(claim.flavor, f)
        if pair is None and not equal(claim):
            witness = formula_witness("needed > 1", needed=1, note=f"{described(claim)}: e^eps that suffices for b'")
            return Evidence(Verdict.REFUTED, _BUDGETED, described(claim), witness)
        if pair is not None and equal(claim):
            return _costs(claim.flavor, f, pair, described(claim), _BUDGETED)
    return Evidence(Verdict.EXHAUSTED, _BUDGETED)


@checks("budget.own-universes")
def own_universes() -> Evidence:
    """B' has infinite loss unless b = b'."""
    return _infinite_unless(lambda claim: all(_b(claim, x) == _b_prime(claim, x) for x in claim.flavor.domain))


@refutes("budget.own-universes", "unless every b'(x) has at most one element")
def own_universes_single() -> Evidence:
    """The mutant with another condition."""
    return _infinite_unless(lambda claim: all(len(_b_prime(claim, x)) <= 1 for x in claim.flavor.domain))


def _single(fits: Callable[[Flavor], bool]) -> Evidence:
    """Whether b has at most one element and equals b' under a condition on the universes."""
    for listed in small_specifications():
        claim = listed.claim
        if not fits(claim.flavor):
            continue
        for x in claim.flavor.domain:
            b, own = _b(claim, x), _b_prime(claim, x)
            if len(b) > 1 or b != own:
                note = f"{described(claim)}, x = {x}: how many budgets b(x) and b'(x) hold"
                if len(b) > 1:
                    witness = formula_witness("budgets <= 1", budgets=len(b), note=note)
                else:
                    witness = formula_witness("budgets == own", budgets=len(b), own=len(own), note=note)
                return Evidence(Verdict.REFUTED, _BUDGETED, note, witness)
    return Evidence(Verdict.EXHAUSTED, _BUDGETED)


def _no_pair_twice(flavor: Flavor) -> bool:
    """Condition II as printed."""
    d, points = flavor.input_premetric, flavor.domain.points
    return all(
        len(flavor.multiverse.containing(x, y)) <= 1
        for x, y in permutations(points, 2)
        if d(x, y) is not None or d(y, x) is not None
    )


@checks("budget.pairs-in-two-universes")
def pairs_in_two_universes() -> Evidence:
    """Condition II as printed."""
    return _single(_no_pair_twice)


@checks("budget.disjoint-universes")
def disjoint_universes() -> Evidence:
    """Condition I."""
    return _single(lambda flavor: flavor.multiverse.is_partition())


@refutes("budget.disjoint-universes", "any two universes share at most one data set")
def almost_disjoint_universes() -> Evidence:
    """The mutant in which universes may touch."""
    return _single(
        lambda flavor: all(
            len(one & other) <= 1 for one in flavor.multiverse for other in flavor.multiverse if one != other
        )
    )
