"""Properties of flavors as inequalities of D_Pr: post-processing by functions, composition, and the part of d_X."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import chain, permutations, product
from typing import Any

from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Cases, Check, cases, every, incomplete, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.processing.finite_premetrics import (
    FLAVORS,
    HALVES,
    LAWS,
    NAMED,
    ONE_SIDED,
    SHOWN_FLAVORS,
    SHOWN_LAWS,
    THREE,
    Both,
    Flavor,
    Value,
    Weights,
    World,
    at_most,
    both_d,
    changes,
    immune,
    immune_iff_processed,
    is_immune,
    joint_of,
    maps_of,
    named,
    obeyed,
    obeys,
    outer_product,
    plus,
    tables,
    weights,
)
from stirred.verify.ledger.words import distance

budgets_kept = lambda budgets, v, a, b: [e for e in budgets if obeyed(v, a, b, e)]
sums_kept = lambda u, v, w, flavors, budgets: all(
    obeyed(w, a, b, e + g)
    for a, b in flavors
    for e in budgets_kept(budgets, u, a, b)
    for g in budgets_kept(budgets, v, a, b)
)
is_closed_sum = lambda d, laws, flavors, budgets: all(
    sums_kept(both_d(d, p, q), both_d(d, r, s), both_d(d, joint_of(p, r), joint_of(q, s)), flavors, budgets)
    for p in laws
    for q in laws
    for r in laws
    for s in laws
)
is_subadditive = lambda d, laws, alike: all(
    distance(d, joint_of(p, r), joint_of(q, s)) <= distance(d, p, q) + distance(d, r, s)
    for p in laws
    for q in laws
    for r in laws
    for s in laws
    if r == s or not alike
)

_FEW = ((6, 6, 0), (0, 0, 12))
_TABLES = "all 4096 tables with values 0, 4, 8, oo on the laws on two outcomes in halves"
_SHOWN_NAMED = f"{', '.join(NAMED)} on {SHOWN_LAWS}"

_all_tables = lambda: tables([[pair] for pair in permutations(HALVES, 2)], (0, 4, 8, None), HALVES)

premetrics = cases(
    f"D_Pr: {_TABLES}; {_SHOWN_NAMED}; all functions; {SHOWN_FLAVORS}",
    "world",
    lambda: chain(_all_tables(), named(_FEW, THREE), named(LAWS)),
)

_by_functions = partial(every, premetrics, immune_iff_processed, immune_to="functions")
_PROOF: tuple[Flavor, ...] = ((1, None),)

own("post-processing.iff-data-processing.finite", "dissertation, Proposition 2.5.4")(
    """For a probability premetric D_Pr on laws on finite sets all of whose subsets are measurable, the flavor is immune
    to post-processing for all X, multiverses and d_X iff D_Pr[P, Q] >= D_Pr[f_*(P), f_*(Q)] for all P, Q and all
    functions f.""",
    _by_functions(flavors=FLAVORS, tried="functions"),
    theorem("processing.postprocessing_iff_data_processing", within="laws on finite sets, all subsets measurable"),
    mutant("only flavors with d_X = oo", _by_functions(flavors=((None, None),), tried="functions")),
    mutant("only flavors with a symmetric d_X", _by_functions(flavors=((1, 1), (2, 2)), tried="functions")),
    mutant("(2.11) for injective functions", _by_functions(flavors=_PROOF, tried="injective")),
    repairs="post-processing.iff-data-processing",
)

_TWO: tuple[Weights, ...] = ((2, 0), (1, 1))
_COINS = weights(2, 3)

_products = lambda laws: [outer_product(p, r) for p, r in product(laws, repeat=2)]


def _joint_tables() -> Iterator[World]:
    """Tables on a point mass, a coin and their products, with one value for D(P x P', Q x Q') and D(P' x P, Q' x Q)."""
    entries: dict[Any, list[tuple[Weights, Weights]]] = {}
    for (p, r), (q, s) in permutations(product(_TWO, repeat=2), 2):
        one, other = (outer_product(p, r), outer_product(q, s)), (outer_product(r, p), outer_product(s, q))
        entries.setdefault(frozenset((one, other)), []).append(one)
    for world in tables(entries.values(), (0, 4, 12), _TWO):
        for alone in product((0, 4), repeat=2):
            single: dict[tuple[Weights, Weights], Value] = dict(zip(permutations(_TWO, 2), alone, strict=True))
            yield replace(world, distances={**world.distances, **single})


joint_premetrics = cases(
    "D_Pr: all tables on a point mass and a fair coin with values 0, 4, and with 0, 4, 12 on their products, one for "
    f"both orders of the factors; {', '.join(NAMED)} on coins in thirds; {SHOWN_FLAVORS}",
    "world",
    lambda: chain(_joint_tables(), named(_COINS, _products(_COINS))),
)


@cache
def _mechanisms(laws: tuple[Weights, ...]) -> tuple[tuple[Weights, ...], ...]:
    return tuple((p, q, r, s, outer_product(p, r), outer_product(q, s)) for p, q, r, s in product(laws, repeat=4))


# D both ways between the laws of T_1, those of T_2, and those of (T_1, T_2)
_joints = lambda world, *, alike=False: (
    (world.both(p, q), world.both(r, s), world.both(one, other))
    for p, q, r, s, one, other in _mechanisms(world.laws)
    if r == s or not alike
)


@cache
def _sums(first: Both, second: Both, both: Both, flavors: tuple[Flavor, ...], budgets: tuple[Value, ...]) -> bool:
    return all(
        obeys(both, flavor, plus(e, g))
        for flavor in flavors
        for e, g in product(*([e for e in budgets if obeys(one, flavor, e)] for one in (first, second)))
    )


_closed = lambda world, flavors: all(_sums(*joint, flavors, world.budgets) for joint in _joints(world))


def closed_iff_subadditive(world: World, *, flavors: tuple[Flavor, ...], alike: bool) -> Witness | None:
    """All flavors are closed under linear, fresh self-composition iff (2.10), of P' = Q' alone where they are alike."""
    joints = _joints(world, alike=alike)
    is_so = _closed(world, flavors) == all(at_most(both[0], plus(one[0], two[0])) for one, two, both in joints)
    return settled(
        is_so,
        lambda d, laws, flavors, budgets, alike: (
            is_closed_sum(d, laws, flavors, budgets) == is_subadditive(d, laws, alike)
        ),
        lambda: world.case(flavors, alike=alike),
    )


_composed = partial(every, joint_premetrics, closed_iff_subadditive)

state("composition.iff-subadditive", "dissertation, Proposition 2.5.3", "dissertation, (2.10)")(
    """Fix a probability premetric D_Pr. The DP flavor (X, multiverse, d_X, D_Pr) is closed under linear, fresh
    self-composition for all choices of X, multiverse and d_X if and only if, for all P, Q in P_(Omega, F) and all P',
    Q' in P_(Omega', F'), D_Pr(P x P', Q x Q') <= D_Pr(P, Q) + D_Pr(P', Q'). (2.10)""",
    _composed(flavors=FLAVORS, alike=False),
    theorem("processing.composition_iff_subadditive", within="laws on finite sets"),
    mutant("only flavors with d_X in {0, oo}", _composed(flavors=((0, 0), (None, None)), alike=False)),
    mutant("(2.10) for P' = Q'", _composed(flavors=_PROOF, alike=True)),
)

all_or_none_immune = lambda d, laws, maps, flavors, budgets: (
    len({is_immune(d, laws, maps, [flavor], budgets) for flavor in flavors}) == 1
)
all_or_none_closed = lambda d, laws, flavors, budgets: (
    len({is_closed_sum(d, laws, [flavor], budgets) for flavor in flavors}) == 1
)


def all_or_none(world: World, *, flavors: tuple[Flavor, ...], are: str) -> Witness | None:
    """All of these flavors are immune to functions (or closed under composition), or none is."""
    is_immune_to = lambda flavor: immune(world, changes(world, "functions"), (flavor,))
    found = {(is_immune_to(one) if are == "immune" else _closed(world, (one,))): one for one in flavors}
    shown = flavors if len(found) == 1 else tuple(found.values())
    more = {"maps": maps_of("functions", len(world.laws[0]))} if are == "immune" else {}
    claimed = all_or_none_immune if are == "immune" else all_or_none_closed
    return settled(len(found) == 1, claimed, lambda: world.case(shown, **more))


_PLAIN: tuple[Flavor, ...] = ((2, 2), (2, 1), (2, 4), (2, None))
_DISTANCES = "{X} of two data sets, (d(x, x'), d(x', x)) in {(2, 2), (2, 1), (2, 4), (2, oo)}, all smallest budgets"
any_premetrics = cases(
    f"D_Pr: {', '.join((*NAMED, *ONE_SIDED))} on {SHOWN_LAWS}; {_TABLES}; all functions; {_DISTANCES}",
    "world",
    lambda: chain(named(_FEW, THREE, ONE_SIDED), named(THREE, names=ONE_SIDED), _all_tables(), named(LAWS)),
)

any_joint_premetrics = cases(
    f"D_Pr: {', '.join((*NAMED, *ONE_SIDED))}, for coins in thirds; {_DISTANCES}",
    "world",
    lambda: chain(named(_COINS[:3], _products(_COINS[:3]), ONE_SIDED), named(_COINS, _products(_COINS))),
)
_BOTH_WAYS = [[(p, q), (q, p)] for p, q in permutations(HALVES, 2) if p < q]
symmetric_premetrics = cases(
    f"D_Pr: the symmetric ones of {_TABLES}; {_SHOWN_NAMED}; all functions; {_DISTANCES}",
    "world",
    lambda: chain(tables(_BOTH_WAYS, (0, 4, 8, None), HALVES), named(LAWS)),
)
symmetric_joint_premetrics = cases(
    f"D_Pr: {', '.join(NAMED)}, for fresh compositions of coins in thirds; {_DISTANCES}",
    "world",
    lambda: chain(named(_TWO, _products(_TWO)), named(_COINS, _products(_COINS))),
)


def _one_answer(immune_ones: Cases, closed_ones: Cases, *more: Flavor) -> list[Check]:
    flavors = (*_PLAIN, *more)
    return [
        every(immune_ones, all_or_none, flavors=flavors, are="immune"),
        every(closed_ones, all_or_none, flavors=flavors, are="closed"),
    ]


_ANY = _one_answer(any_premetrics, any_joint_premetrics)
_WITH_ZERO = _one_answer(symmetric_premetrics, symmetric_joint_premetrics, (2, 0))

state("post-processing.only-premetric", "dissertation, section 2.5, before Proposition 2.5.3")(
    """Post-processing and fresh composition are properties of the output premetric D_Pr only. That is, (except for
    trivial edge cases) whether or not a DP flavor (X, multiverse, d_X, D_Pr) is immune to post-processing or closed
    under fresh composition depends only on D_Pr, as illustrated by the following two propositions.""",
    *_ANY,
    reading="""for X = {x, x'} and {X}, with edge cases where neither distance is finite or one of them is 0: with one
    D_Pr all of the other flavors are immune or none is, and all are closed under linear composition or none is""",
    grade=incomplete("that D_Pr is symmetric, as all of the section before are"),
)

own("post-processing.only-premetric.symmetric", "dissertation, section 2.5, before Proposition 2.5.3")(
    """For a symmetric D_Pr, X = {x, x'} and {X}, all flavors of which one distance is finite and none 0 are immune to
    post-processing, or none is; and all are closed under linear, fresh self-composition, or none is.""",
    *_one_answer(symmetric_premetrics, symmetric_joint_premetrics),
    mutant("one distance may be 0", _WITH_ZERO[0]),
    mutant("one distance may be 0, for compositions", _WITH_ZERO[1]),
    mutant("any D_Pr, for compositions", _ANY[1]),
    repairs="post-processing.only-premetric",
)
