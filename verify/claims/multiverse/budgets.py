"""What can be said about the budget, and which functions are free: dissertation, section A.2."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, combinations, permutations, product
from typing import Any, NamedTuple

from spec.specification import Flavor, Specification
from verify.algebra.small_comparisons import Listed
from verify.algebra.small_domains import LOSSES, domain_of, invariants, specification
from verify.claims.multiverse.words import data, flavor_data, flavors, specifications
from verify.evidence import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import false, incomplete, state
from verify.ledger.theorems import theorem
from verify.ledger.words import define

define(
    {
        # a function f that is released without noise: point masses
        "point(t)": "{s: 1 for s in [t]}",
        "told(f, x, y)": "multiplicative(point(f[x]), point(f[y]))",
        "asked(eps, d)": "[(x, y) for u in eps for x in u for y in u if distance(d, x, y) < oo]",
        "finite(eps, d, f)": "all(told(f, x, y) < oo for x, y in asked(eps, d))",
        "free(eps, d, f)": "all(told(f, x, y) == 1 for x, y in asked(eps, d))",
        "covered(eps)": "set(x for u in eps for x in u)",
        # the budgets of the universes that meet [x], and of those that hold x
        "class_of(eps, d, x)": "joined(compared(covered(eps), eps, d), {x})",
        "b(eps, d, x)": "set(eps[u] for u in eps if len(u & class_of(eps, d, x)) > 0)",
        "own(eps, x)": "set(eps[u] for u in eps if x in u)",
    }
)

_SEPARATING = "outcomes in a finite set, or any premetric that is oo between different point masses"


class Blocks(NamedTuple):
    """A flavor with its comparable pairs and the pairs in one class."""

    flavor: Flavor
    compared: tuple[tuple[Any, Any], ...]
    connected: tuple[tuple[Any, Any], ...]
    parts: tuple[frozenset[Any], ...]


@cases(f"D_Mult, all functions f to as many values, all sigma-algebras on these; {flavors.scope}", "blocks f atoms")
def functions() -> Iterator[tuple[Blocks, tuple[int, ...], Mapping[Any, int]]]:
    for (flavor,) in flavors:
        size, parts = len(flavor.domain), flavor.components()
        compared = tuple(pair for pair in permutations(flavor.domain, 2) if flavor.comparable(*pair))
        connected = tuple(pair for part in parts for pair in permutations(part, 2))
        algebras = list(invariants(domain_of(size)))
        blocks = Blocks(flavor, compared, connected, parts)
        yield from ((blocks, f, atoms) for f in product(range(size), repeat=size) for atoms in algebras)


Condition = Callable[[Blocks, tuple[int, ...], Mapping[Any, int]], bool]
_OF_CLASS = "all(f[x] == f[y] for x, y in connected(X, universes, d))"
_OF_UNIVERSE = "all(f[x] == f[y] for u in universes for x in u for y in u)"
_SEPARATED = "all(f[x] == f[y] or atoms[f[x]] != atoms[f[y]] for x, y in connected(X, universes, d))"
_IN_PART = (
    "all(len(set(f[x] for x in c)) > 2 or all(f[x] == f[y] or atoms[f[x]] != atoms[f[y]] for x in c for y in c) "
    "for c in classes(X, compared(X, universes, d)))"
)


def _tells_apart(f: tuple[int, ...], atoms: Mapping[Any, int], pairs: Any) -> bool:
    return all(f[x] == f[y] or atoms[f[x]] != atoms[f[y]] for x, y in pairs)


_CONDITIONS: Mapping[str, Condition] = {
    _OF_CLASS: lambda blocks, f, _: all(f[x] == f[y] for x, y in blocks.connected),
    _OF_UNIVERSE: lambda blocks, f, _: all(len({f[x] for x in u}) <= 1 for u in blocks.flavor.multiverse),
    "": lambda *_: True,
    _SEPARATED: lambda blocks, f, atoms: _tells_apart(f, atoms, blocks.connected),
    _IN_PART: lambda blocks, f, atoms: all(
        len({f[x] for x in part}) > 2 or _tells_apart(f, atoms, permutations(part, 2)) for part in blocks.parts
    ),
}


def function_of_class(
    blocks: Blocks, f: tuple[int, ...], atoms: Mapping[Any, int], *, separated: str, iff: str = _OF_CLASS
) -> Witness | None:
    """Where sigma-algebras separate, f has a finite budget iff it is a function of [x], and then the budget 0."""
    if not _CONDITIONS[separated](blocks, f, atoms):
        return None
    seen = [atoms[value] for value in f]
    if all(seen[x] == seen[y] for x, y in blocks.compared) == _CONDITIONS[iff](blocks, f, atoms):
        return None
    seen_in_words = "{x: atoms[f[x]] for x in X}"
    claimed = f"finite(universes, d, {seen_in_words}) == ({iff}) == free(universes, d, {seen_in_words})"
    case = flavor_data(blocks.flavor)
    if "X" not in f"{claimed}{separated}":
        del case["X"]
    return failure(f"not {separated} or ({claimed})" if separated else claimed, f=f, atoms=atoms, **case)


state(
    "components.functions-free",
    "dissertation, Proposition A.2.1",
    printed="Suppose that D_Pr(P, Q) = oo whenever d_TV(P, Q) = 1. Then, for any (non-random) data-release mechanism "
    "f : X -> T, the following statements are equivalent: (A) f satisfies eps_D-DP(X, multiverse, d_X, D_Pr) with "
    "finite budget eps_D < oo; and (B) f is a function of [x]. Moreover, if these statements hold then f has zero "
    "privacy loss.",
    reading="a mechanism may have any sigma-algebra on T, by Definition A.1.2",
    grade=incomplete("sigma-algebras that separate the values of f, as the induced ones do that section A.1 advises"),
    checks=[every(functions, function_of_class, separated="")],
)

state(
    "components.functions-free.separating",
    "dissertation, Proposition A.2.1",
    claim="The same for any non-random f with sigma-algebras F_T^[x] that separate the values of f on [x], as the "
    "induced ones of Definition A.1.4 do.",
    repairs="components.functions-free",
    checks=[
        every(functions, function_of_class, separated=_SEPARATED),
        theorem(
            "invariants.finite_budget_iff_component",
            "invariants.finite_budget_iff_component_points",
            within=_SEPARATING,
        ),
    ],
    mutants={
        "f is constant in every universe, for f is a function of [x]": every(
            functions, function_of_class, separated=_SEPARATED, iff=_OF_UNIVERSE
        ),
        "all values are told apart on classes where f has at most two": every(
            functions, function_of_class, separated=_IN_PART
        ),
    },
)

# functions of the data that tell budgets


def _reachable(claim: Specification, x: Any) -> frozenset[Any]:
    part = next(one for one in claim.flavor.components() if x in one)
    return frozenset(budget.gamma for universe, budget in claim.budgets.items() if universe & part)


def _own(claim: Specification, x: Any) -> frozenset[Any]:
    return frozenset(budget.gamma for universe, budget in claim.budgets.items() if x in universe)


_B, _OWN = "b(eps, d, x)", "own(eps, x)"
_ALL, _PART = "set((u, eps[u]) for u in eps)", "set((u, eps[u]) for u in eps if x in u)"
_TOLD: Mapping[str, Callable[[Specification, Any], frozenset[Any]]] = {
    _B: _reachable,
    _OWN: _own,
    _ALL: lambda claim, _: frozenset(claim.budgets.items()),
    _PART: lambda claim, x: frozenset((u, budget) for u, budget in claim.budgets.items() if x in u),
    "set([])": lambda *_: frozenset(),
}


def _is_free(claim: Specification, f: Mapping[Any, Any]) -> bool:
    return all(f[x] == f[y] or not claim.flavor.comparable(x, y) for x, y in permutations(claim.flavor.domain, 2))


def released(one: Listed, *, told: str, partition: bool = False) -> Witness | None:
    """The function that tells these budgets at x has the loss 0; `partition`: where the universes are one."""
    claim = one.claim
    universes = claim.flavor.multiverse
    covers = universes.is_partition() and len(universes.covered()) == len(claim.flavor.domain)
    if (partition and not covers) or _is_free(claim, {x: _TOLD[told](claim, x) for x in claim.flavor.domain}):
        return None
    return failure(f"free(eps, d, {{x: {told} for x in covered(eps)}})", **data(claim))


state(
    "budget.set-released",
    "dissertation, Corollary A.2.2",
    printed="For any DP specification eps_D-DP(X, multiverse, d_X, D_Pr), the (non-random) data-release mechanism b(x) "
    "= {eps_D : D in multiverse such that x' in D for some x' in [x]}, satisfies eps'_D-DP(X, multiverse, d_X, D_Pr) "
    "with eps'_D = 0.",
    checks=[every(specifications, released, told=_B), theorem("invariants.budgets_of_free")],
    mutants={"{eps_D : x in D}": every(specifications, released, told=_OWN)},
)

state(
    "budget.function-released",
    "dissertation, section A.2",
    printed="The function eps_D can always be released without privacy loss, since the constant data-release mechanism "
    "x -> eps_D is trivially a function of [x].",
    checks=[every(specifications, released, told=_ALL)],
    mutants={"eps on the universes of x": every(specifications, released, told=_PART)},
)

state(
    "budget.realised-released",
    "dissertation, section A.2",
    printed="In particular, for an invariant-induced multiverse D_c-multiverse (defined below (2.4)), condition I "
    "holds and so the data custodian can release the realised budget eps_(D_c(x*)) without incurring additional "
    "privacy loss.",
    checks=[every(specifications, released, told=_OWN, partition=True), theorem("invariants.budgets_at_free")],
    mutants={"any multiverse": every(specifications, released, told=_OWN)},
)


def _between(least: frozenset[Any], most: frozenset[Any]) -> list[frozenset[Any]]:
    rest = sorted(most - least, key=repr)
    return [least.union(kept) for n in range(len(rest) + 1) for kept in combinations(rest, n)]


def most_specific(one: Listed, *, least: str) -> Witness | None:
    """Of the f with least(x) <= f(x) <= b(x) for all x only b has a finite loss."""
    claim, points = one.claim, one.claim.flavor.domain.points
    b = [_reachable(claim, x) for x in points]
    for chosen in product(*(_between(_TOLD[least](claim, x), most) for x, most in zip(points, b, strict=True))):
        f = dict(zip(points, chosen, strict=True))
        if list(chosen) != b and _is_free(claim, f):
            claimed = f"not all({least} <= f[x] and f[x] <= {_B} for x in covered(eps)) or not finite(eps, d, f)"
            equal = f"all(f[x] == {_B} for x in covered(eps))"
            return failure(f"{claimed} or {equal}", f=f, **data(claim))
    return None


state(
    "budget.most-specific",
    "dissertation, section A.2",
    printed="Furthermore, under the assumption of Proposition A.2.1, the data custodian cannot be more specific about "
    "the budgets associated to x* than b(x*) without adding some noise to the answer.",
    reading="a non-random f with b'(x) <= f(x) <= b(x) for all x, where b'(x) = {eps_D : x in D}, has infinite loss "
    "unless f = b; a function alone has the sigma-algebras of Definition A.1.4, here all subsets",
    checks=[every(specifications, most_specific, least=_OWN)],
    mutants={
        "f(x) may leave out budgets of universes that hold x": every(specifications, most_specific, least="set([])")
    },
)

_EQUAL = f"all({_B} == {_OWN} for x in covered(eps))"
_SINGLE = f"all(len({_OWN}) <= 1 for x in covered(eps))"


def infinite_unless(one: Listed, *, equal: bool) -> Witness | None:
    """Whether b' has a finite loss iff b = b', or else iff it always has at most one element."""
    claim, points = one.claim, one.claim.flavor.domain.points
    own = {x: _own(claim, x) for x in points}
    condition = all(own[x] == _reachable(claim, x) if equal else len(own[x]) <= 1 for x in points)
    if _is_free(claim, own) == condition:
        return None
    claimed = f"finite(eps, d, {{x: {_OWN} for x in covered(eps)}}) == {_EQUAL if equal else _SINGLE}"
    return failure(claimed, **data(claim))


state(
    "budget.own-universes",
    "dissertation, section A.2",
    printed="For example, the data-release mechanism b'(x) = {eps_D : D in multiverse such that x in D}, has infinite "
    "privacy loss unless b(x) = b'(x) for all x in X.",
    reading="under the assumption of Proposition A.2.1, as the sentence before; a function alone has the "
    "sigma-algebras of Definition A.1.4, here all subsets",
    checks=[
        every(specifications, infinite_unless, equal=True),
        theorem("invariants.budgets_at_iff", within=_SEPARATING),
    ],
    mutants={"unless every b'(x) has at most one element": every(specifications, infinite_unless, equal=False)},
)

_DISJOINT = "all(len(u & v) == 0 for u in eps for v in eps if u != v)"
_TOUCHING = "all(len(u & v) <= 1 for u in eps for v in eps if u != v)"
_NO_PAIR_TWICE = "all(sum(1 for u in eps if x in u and y in u) <= 1 for x, y in near(covered(eps), d) if x != y)"
_UNIVERSES: Mapping[str, Callable[[Flavor], bool]] = {
    _DISJOINT: lambda flavor: flavor.multiverse.is_partition(),
    _TOUCHING: lambda flavor: all(len(u & v) <= 1 for u, v in combinations(flavor.multiverse, 2)),
    _NO_PAIR_TWICE: lambda flavor: all(
        len(flavor.multiverse.containing(*pair)) <= 1
        for pair in permutations(flavor.domain, 2)
        if flavor.input_premetric(*pair) is not None
    ),
}


def single(one: Listed, *, where: str) -> Witness | None:
    """b(x) has at most one element and is b'(x), where the universes are of a kind."""
    claim = one.claim
    if not _UNIVERSES[where](claim.flavor):
        return None
    for x in claim.flavor.domain:
        if len(b := _reachable(claim, x)) > 1 or b != _own(claim, x):
            claimed = f"not {where} or all(len({_B}) <= 1 and {_B} == {_OWN} for x in covered(eps))"
            return failure(claimed, **data(claim))
    return None


@cases(
    f"the pairs of neighbors among three data sets in a row, of budgets ln 2 and ln 4; {specifications.scope}", "one"
)
def pairs_first() -> Iterator[Any]:
    pairs = {frozenset({0, 1}): LOSSES[1], frozenset({1, 2}): LOSSES[2]}
    table = {(x, y): abs(x - y) for x, y in permutations(range(3), 2)}
    claim = specification(domain_of(3), pairs, table)
    return chain([Listed(claim, claim.matrix())], (one for (one,) in specifications))


_AT_MOST_ONE = "However, b(x) has cardinality at most one, and hence b(x) = b'(x), for all x in X if "

state(
    "budget.pairs-in-two-universes",
    "dissertation, section A.2",
    printed=f"{_AT_MOST_ONE}… II) for all distinct x, x' in X, if d_X(x, x') or d_X(x', x) is finite, then x and x' "
    "cannot both be in two different universes.",
    grade=false(
        "a class [x] may be joined by several universes; and if no x at a finite distance from x' may be in "
        "another universe than x', an x that is far from all may still be in two"
    ),
    checks=[every(pairs_first, single, where=_NO_PAIR_TWICE)],
    refuted_by=["invariants.budgets_pairs_refuted"],
)

state(
    "budget.disjoint-universes",
    "dissertation, section A.2",
    printed=f"{_AT_MOST_ONE}… I) D n D' is empty for all distinct universes D, D'.",
    checks=[every(specifications, single, where=_DISJOINT), theorem("invariants.budgets_disjoint")],
    mutants={"any two universes share at most one data set": every(specifications, single, where=_TOUCHING)},
)
