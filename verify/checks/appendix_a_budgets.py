"""Evidence for dissertation, sections A.1, A.2 and A.4: comparable data sets, released budgets, and components."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from spec.domain import FiniteDomain, multisets, ordered_data_sets
from spec.input_premetric import InputPremetric, Neighbors, Order, neighbor_premetric, sharpen
from spec.law import Law, point_mass
from spec.loss import ZERO, Loss
from spec.multiverse import vacuous
from spec.output_premetric import Multiplicative
from spec.specification import Flavor, Specification
from verify.algebra.small_comparisons import TABLES, described, small_specifications
from verify.algebra.small_domains import (
    Table,
    domain_of,
    multiplicative_witness,
    multiverses,
    premetric,
    premetric_tables,
)
from verify.evidence import Evidence, formula_witness
from verify.ledger import checks, refutes
from verify.verdict import Verdict

_ONE, _TWO = Loss(Fraction(2)), Loss(Fraction(4))


def _flavors(size: int) -> list[Flavor]:
    """All multiverses on a few data sets with all premetrics in {1, ∞}; on three, those listed."""
    domain = domain_of(size)
    tables: Sequence[Table] = TABLES if size == 3 else tuple(premetric_tables(domain, (1, None)))
    return [Flavor(domain, m, premetric(t), Multiplicative()) for m, t in product(multiverses(domain), tables)]


_FLAVORS = "all multiverses on one to three data sets, all premetrics in {1, oo} on two and three premetrics on three"


def _relation(comparable: Callable[[Flavor, Any, Any], bool]) -> Evidence:
    """Whether comparability is symmetric and irreflexive, and [x] is its reflexive and transitive closure."""
    for size in (1, 2, 3):
        for flavor in _flavors(size):
            points = flavor.domain.points
            linked = {(x, y): comparable(flavor, x, y) for x in points for y in points}
            wrong = next(((x, y) for x, y in linked if linked[x, y] != linked[y, x] or (x == y and linked[x, y])), None)
            if wrong is not None:
                x, y = wrong
                note = f"universes {sorted(map(sorted, flavor.multiverse))}, x = {x}, x' = {y}"
                there, back = int(linked[x, y]), int(linked[y, x] and x != y)
                witness = formula_witness("there == back", there=there, back=back, note=note)
                return Evidence(Verdict.REFUTED, _FLAVORS, note, witness)
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
                return Evidence(Verdict.REFUTED, _FLAVORS, "the classes differ", witness)
    return Evidence(Verdict.EXHAUSTED, _FLAVORS)


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


def _functions(same: Callable[[Flavor, Mapping[int, int]], bool]) -> Evidence:
    """Whether f has a finite budget iff it is a function of [x], and the budget 0 then."""
    scope = f"D_Mult, all functions f to as many values; {_FLAVORS}"
    for size in (1, 2, 3):
        for flavor in _flavors(size):
            for values in product(range(size), repeat=size):
                f = dict(enumerate(values))
                pair = _cost(flavor, f)
                if (pair is None) == same(flavor, f):
                    continue
                detail = f"{described(_zero(flavor))}, f = {f}"
                if pair is not None:
                    return _costs(flavor, f, pair, detail, scope)
                if pair is None:
                    witness = formula_witness("needed > 1", needed=1, note=f"{detail}: e^eps that suffices")
                    return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("components.functions-free")
def functions_free() -> Evidence:
    """Proposition A.2.1."""
    return _functions(lambda flavor, f: all(len({f[x] for x in part}) == 1 for part in flavor.components()))


@refutes("components.functions-free", "f is constant in every universe, for f is a function of [x]")
def functions_of_universes() -> Evidence:
    """The mutant that forgets the distances."""
    return _functions(lambda flavor, f: all(len({f[x] for x in universe}) <= 1 for universe in flavor.multiverse))


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


def _unconnected(apart: Callable[[Flavor, InputPremetric, Any, Any], bool]) -> Evidence:
    """Whether {D ∩ [x]} leaves some pair without a universe where some pair is apart."""
    scope = f"{_FLAVORS}; d* by shortest paths"
    for size in (2, 3):
        for flavor in _flavors(size):
            if len(flavor.multiverse) != 1 or set(next(iter(flavor.multiverse))) != set(flavor.domain):
                continue
            star = sharpen(flavor.input_premetric, flavor.domain)
            pairs = list(permutations(flavor.domain.points, 2))
            condition = any(apart(flavor, star, x, y) for x, y in pairs)
            pieces = {universe & part for universe in flavor.multiverse for part in flavor.components()}
            uncovered = [pair for pair in pairs if not any(set(pair) <= piece for piece in pieces)]
            if condition and not uncovered:
                note = f"{described(_zero(flavor))}: pairs that share no D n [x]"
                witness = formula_witness("uncovered > 0", uncovered=0, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("components.unconnected")
def unconnected() -> Evidence:
    """The sentence as printed: d* = ∞ one way or the other."""
    return _unconnected(lambda _, star, x, y: star(x, y) is None or star(y, x) is None)


@checks("components.unconnected.both-ways")
def unconnected_classes() -> Evidence:
    """With x' ∉ [x]."""
    return _unconnected(lambda flavor, _, x, y: not any(x in part and y in part for part in flavor.components()))


@refutes("components.unconnected.both-ways", "d_X(x, x') = oo for x' not in [x]")
def unconnected_directly() -> Evidence:
    """The mutant that looks at single distances."""
    return _unconnected(lambda flavor, _, x, y: flavor.input_premetric(x, y) is None)


def _bounded_size(neighbors: Neighbors, kinds: str) -> Evidence:
    """Whether [x] under {𝒳} is all data sets of the size of x."""
    scope = f"{kinds} data sets of at most 3 records of two kinds, and of at most 2 records of three"
    for records, largest in ((("a", "b"), 3), (("a", "b", "c"), 2)):
        for order, listing in ((Order.UNORDERED, multisets), (Order.ORDERED, ordered_data_sets)):
            domain: FiniteDomain = listing(records, range(largest + 1))
            flavor = Flavor(domain, vacuous(domain), neighbor_premetric(neighbors, order, "record"), Multiplicative())
            sizes = {frozenset(x for x in domain if len(x) == n) for n in range(largest + 1)}
            if set(flavor.components()) != sizes:
                note = f"{order.value} of at most {largest} records: classes, and sizes"
                witness = formula_witness(
                    "classes == sizes", classes=len(flavor.components()), sizes=len(sizes), note=note
                )
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("neighbors.bounded-size")
def bounded_size() -> Evidence:
    """The end of section A.4."""
    return _bounded_size(Neighbors.REPLACE_ONE, "all ordered and unordered")


@refutes("neighbors.bounded-size", "unbounded for bounded")
def unbounded_size() -> Evidence:
    """The mutant with added and removed records."""
    return _bounded_size(Neighbors.ADD_REMOVE, "all ordered and unordered")
