"""Properties of flavors as inequalities of D_Pr: post-processing by functions, composition, and the part of d_X."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, permutations, product
from typing import Any

from verify.claims.processing.finite_premetrics import (
    EQUAL,
    FLAVORS,
    NAMED,
    SHOWN_FLAVORS,
    Both,
    Flavor,
    Map,
    Weights,
    World,
    at_most,
    closed,
    immune,
    joined,
    named,
    one_sided,
    plus,
    pushed,
    tables,
    weights,
)
from verify.evidence import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import incomplete, state
from verify.ledger.theorems import theorem
from verify.ledger.words import define

define(
    {
        "is_immune(d, laws, maps, flavors, budgets)": """all(
            stays(distance(d, p, q), distance(d, q, p), distance(d, r, s), distance(d, s, r), flavors, budgets)
            for p in laws for q in laws for f in maps for n in [len(p)]
            for r in [pushed(p, f, n)] for s in [pushed(q, f, n)])""",
        "is_processed(d, laws, maps)": """all(
            distance(d, pushed(p, f, len(p)), pushed(q, f, len(q))) <= distance(d, p, q)
            for p in laws for q in laws for f in maps)""",
        "both_ways(d, p, q)": "[distance(d, p, q), distance(d, q, p)]",
        "kept_by(budgets, u, a, b)": "[e for e in budgets if kept(u[0], u[1], a, b, e)]",
        "sums_kept(u, v, w, flavors, budgets)": """all(kept(w[0], w[1], a, b, e + g) for a, b in flavors
            for e in kept_by(budgets, u, a, b) for g in kept_by(budgets, v, a, b))""",
        "is_closed(d, laws, flavors, budgets)": """all(sums_kept(both_ways(d, p, q), both_ways(d, r, s),
            both_ways(d, joined(p, r), joined(q, s)), flavors, budgets)
            for p in laws for q in laws for r in laws for s in laws)""",
        "is_subadditive(d, laws, alike)": """all(
            distance(d, joined(p, r), joined(q, s)) <= distance(d, p, q) + distance(d, r, s)
            for p in laws for q in laws for r in laws for s in laws if r == s or not alike)""",
    }
)

_HALVES = weights(2, 2)
_THREE = weights(3, 2)
_BOTH = tuple(dict.fromkeys((*weights(3, 2, 6), *(p for p in weights(3, 3, 6) if min(p) == 0))))
_TABLES = "all 4096 tables with values 0, 4, 8, oo on the laws on two outcomes in halves"
_LAWS = f"{', '.join(NAMED)} on laws on three outcomes in halves and, with two outcomes, in thirds"


@cache
def _functions(outcomes: int, *, injective: bool = False) -> tuple[Map, ...]:
    return tuple(f for f in product(range(outcomes), repeat=outcomes) if not injective or len({*f}) == outcomes)


def _all_tables() -> Iterator[World]:
    return tables([[pair] for pair in permutations(_HALVES, 2)], (0, 4, 8, None), _HALVES)


@cases(f"D_Pr: {_TABLES}; {_LAWS}; all functions; {SHOWN_FLAVORS}", "world")
def premetrics() -> Iterator[World]:
    return chain(_all_tables(), named(_THREE), named(_BOTH))


@cache
def _moves(laws: tuple[Weights, ...], maps: tuple[Map, ...]) -> tuple[tuple[Weights, ...], ...]:
    """P, Q and the laws of a function of the outcome under both, which differ."""
    images = {p: [pushed(p, f, len(p)) for f in maps] for p in laws}
    found = {(p, q, r, s) for p, q in permutations(laws, 2) for r, s in zip(images[p], images[q], strict=True)}
    return tuple((p, q, r, s) for p, q, r, s in found if r != s)


def _changes(world: World, maps: tuple[Map, ...]) -> Iterator[tuple[Both, Both]]:
    """D both ways before and after functions of the outcome."""
    return ((world.both(p, q), world.both(r, s)) for p, q, r, s in _moves(world.laws, maps))


def immune_iff_processed(world: World, *, flavors: tuple[Flavor, ...], injective: bool) -> Witness | None:
    """All flavors are immune to functions iff (2.11) holds for functions, or for injective ones."""
    outcomes = len(world.laws[0])
    maps, tried = _functions(outcomes), _functions(outcomes, injective=injective)
    processed = all(at_most(after, before) for (before, _), (after, _) in _changes(world, tried))
    if immune(world, _changes(world, maps), flavors) == processed:
        return None
    claimed = "is_immune(d, laws, maps, flavors, budgets) == is_processed(d, laws, tried)"
    return failure(claimed, **world.case(flavors), maps=maps, tried=tried)


_EDGE: tuple[Flavor, ...] = ((None, None),)
_PROOF: tuple[Flavor, ...] = ((1, None),)

state(
    "post-processing.iff-data-processing.finite",
    "dissertation, Proposition 2.5.4",
    claim="For a probability premetric D_Pr on laws on finite sets all of whose subsets are measurable, the flavor is "
    "immune to post-processing for all X, multiverses and d_X iff D_Pr[P, Q] >= D_Pr[f_*(P), f_*(Q)] for all P, Q and "
    "all functions f.",
    repairs="post-processing.iff-data-processing",
    checks=[
        every(premetrics, immune_iff_processed, flavors=FLAVORS, injective=False),
        theorem("processing.postprocessing_iff_data_processing", within="laws on finite sets, all subsets measurable"),
    ],
    mutants={
        "only flavors with d_X = oo": every(premetrics, immune_iff_processed, flavors=_EDGE, injective=False),
        "only flavors with a symmetric d_X": every(premetrics, immune_iff_processed, flavors=EQUAL, injective=False),
        "(2.11) for injective functions": every(premetrics, immune_iff_processed, flavors=_PROOF, injective=True),
    },
)

_TWO: tuple[Weights, ...] = (_HALVES[2], _HALVES[1])
_COINS = weights(2, 3)


def _with_products(laws: tuple[Weights, ...]) -> tuple[Weights, ...]:
    return (*laws, *(joined(p, r) for p, r in product(laws, repeat=2)))


def _joint_tables() -> Iterator[World]:
    """Tables on a point mass, a coin and their products, with one value for D(P x P', Q x Q') and D(P' x P, Q' x Q)."""
    p, q = _TWO
    entries: dict[Any, list[tuple[Weights, Weights]]] = {}
    for (a, c), (b, d) in permutations(product(_TWO, repeat=2), 2):
        one, other = (joined(a, c), joined(b, d)), (joined(c, a), joined(d, b))
        entries.setdefault(frozenset((one, other)), []).append(one)
    for world in tables(list(entries.values()), (0, 4, 12), _TWO):
        for there, back in product((0, 4), repeat=2):
            yield replace(world, distances={**world.distances, (p, q): there, (q, p): back})


@cases(
    "D_Pr: all tables on a point mass and a fair coin with values 0, 4, and with 0, 4, 12 on their products, one "
    f"for both orders of the factors; {', '.join(NAMED)} on coins in thirds; {SHOWN_FLAVORS}",
    "world",
)
def joint_premetrics() -> Iterator[World]:
    return chain(_joint_tables(), named(_COINS, _with_products(_COINS)))


@cache
def _pairs_of_mechanisms(laws: tuple[Weights, ...]) -> tuple[tuple[Weights, ...], ...]:
    return tuple((p, q, r, s, joined(p, r), joined(q, s)) for p, q, r, s in product(laws, repeat=4))


def _joints(world: World, *, alike: bool = False) -> Iterator[tuple[Both, Both, Both]]:
    """D both ways between the laws of T_1, those of T_2, and those of (T_1, T_2)."""
    for p, q, r, s, one, other in _pairs_of_mechanisms(world.laws):
        if r == s or not alike:
            yield world.both(p, q), world.both(r, s), world.both(one, other)


def closed_iff_subadditive(world: World, *, flavors: tuple[Flavor, ...], alike: bool) -> Witness | None:
    """All flavors are closed under linear, fresh self-composition iff (2.10), of P' = Q' alone where they are alike."""
    subadditive = all(at_most(both[0], plus(one[0], two[0])) for one, two, both in _joints(world, alike=alike))
    if closed(world, _joints(world), flavors) == subadditive:
        return None
    claimed = "is_closed(d, laws, flavors, budgets) == is_subadditive(d, laws, alike)"
    return failure(claimed, **world.case(flavors), alike=alike)


_ENDS: tuple[Flavor, ...] = ((0, 0), (0, None), (None, 0), (None, None))

state(
    "composition.iff-subadditive",
    "dissertation, Definition 2.5.1 and Proposition 2.5.3",
    printed="Fix a probability premetric D_Pr. The DP flavor (X, D, d_X, D_Pr) is closed under linear, fresh "
    "self-composition for all choices of X, D and d_X if and only if, for all P, Q in P_(Omega, F) and all P', Q' in "
    "P_(Omega', F'), D_Pr(P x P', Q x Q') <= D_Pr(P, Q) + D_Pr(P', Q'). (2.10)",
    checks=[
        every(joint_premetrics, closed_iff_subadditive, flavors=FLAVORS, alike=False),
        theorem("processing.composition_iff_subadditive", within="laws on finite sets"),
    ],
    mutants={
        "only flavors with d_X in {0, oo}": every(joint_premetrics, closed_iff_subadditive, flavors=_ENDS, alike=False),
        "(2.10) for P' = Q'": every(joint_premetrics, closed_iff_subadditive, flavors=_PROOF, alike=True),
    },
)

_PLAIN: tuple[Flavor, ...] = ((2, 2), (2, 1), (2, 4), (2, None))
_WITH_ZERO: tuple[Flavor, ...] = (*_PLAIN, (2, 0))


def all_or_none_immune(world: World, *, flavors: tuple[Flavor, ...]) -> Witness | None:
    """All of these flavors are immune to functions, or none is."""
    maps = _functions(len(world.laws[0]))
    found = {immune(world, _changes(world, maps), (flavor,)): flavor for flavor in flavors}
    if len(found) == 1:
        return None
    one = "is_immune(d, laws, maps, [{}], budgets)"
    return failure(
        f"{one.format('flavors[0]')} == {one.format('flavors[1]')}", **world.case([*found.values()]), maps=maps
    )


def all_or_none_closed(world: World, *, flavors: tuple[Flavor, ...]) -> Witness | None:
    """All of these flavors are closed under linear, fresh self-composition, or none is."""
    found = {closed(world, _joints(world), (flavor,)): flavor for flavor in flavors}
    if len(found) == 1:
        return None
    one, other = (f"is_closed(d, laws, [flavors[{i}]], budgets)" for i in range(2))
    return failure(f"{one} == {other}", **world.case([*found.values()]))


_DISTANCES = "{X} of two data sets, (d(x, x'), d(x', x)) in {(2, 2), (2, 1), (2, 4), (2, oo)}, all smallest budgets"
_EVERY_ONE = f"{', '.join(NAMED)}, D_TV where P has no more outcomes than Q"


@cases(f"D_Pr: {_EVERY_ONE}, on laws as below; {_TABLES}; all functions; {_DISTANCES}", "world")
def any_premetrics() -> Iterator[World]:
    return chain([one_sided(_THREE)], _all_tables(), named(_BOTH))


@cases(f"D_Pr: {_EVERY_ONE}, for coins in thirds; {_DISTANCES}", "world")
def any_joint_premetrics() -> Iterator[World]:
    return chain([one_sided(_COINS[:3], _with_products(_COINS[:3]))], named(_COINS, _with_products(_COINS)))


@cases(f"D_Pr: the symmetric ones of {_TABLES}; {_LAWS}; all functions; {_DISTANCES}", "world")
def symmetric_premetrics() -> Iterator[World]:
    entries = [[pair, pair[::-1]] for pair in permutations(_HALVES, 2) if pair < pair[::-1]]
    return chain(tables(entries, (0, 4, 8, None), _HALVES), named(_BOTH))


@cases(f"D_Pr: {', '.join(NAMED)}, for fresh compositions of coins in thirds; {_DISTANCES}", "world")
def symmetric_joint_premetrics() -> Iterator[World]:
    return chain(named(_TWO, _with_products(_TWO)), named(_COINS, _with_products(_COINS)))


state(
    "post-processing.only-premetric",
    "dissertation, section 2.5, before Proposition 2.5.3",
    printed="Post-processing and fresh composition are properties of the output premetric D_Pr only. That is, (except "
    "for trivial edge cases) whether or not a DP flavor (X, D, d_X, D_Pr) is immune to post-processing or closed "
    "under fresh composition depends only on D_Pr, as illustrated by the following two propositions.",
    reading="for X = {x, x'} and {X}, with edge cases where neither distance is finite or one of them is 0: with one "
    "D_Pr all of the other flavors are immune or none is, and all are closed under linear composition or none is",
    grade=incomplete("that D_Pr is symmetric, as all of the section before are"),
    checks=[
        every(any_premetrics, all_or_none_immune, flavors=_PLAIN),
        every(any_joint_premetrics, all_or_none_closed, flavors=_PLAIN),
    ],
)

state(
    "post-processing.only-premetric.symmetric",
    "dissertation, section 2.5, before Proposition 2.5.3",
    claim="For a symmetric D_Pr, X = {x, x'} and {X}, all flavors of which one distance is finite and none 0 are "
    "immune to post-processing, or none is; and all are closed under linear, fresh self-composition, or none is.",
    repairs="post-processing.only-premetric",
    checks=[
        every(symmetric_premetrics, all_or_none_immune, flavors=_PLAIN),
        every(symmetric_joint_premetrics, all_or_none_closed, flavors=_PLAIN),
    ],
    mutants={
        "one distance may be 0": every(symmetric_premetrics, all_or_none_immune, flavors=_WITH_ZERO),
        "one distance may be 0, for compositions": every(
            symmetric_joint_premetrics, all_or_none_closed, flavors=_WITH_ZERO
        ),
        "any D_Pr, for compositions": every(any_joint_premetrics, all_or_none_closed, flavors=_PLAIN),
    },
)
