"""Properties of flavors as inequalities of D_Pr, and the functions that may process an output."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import chain, combinations, permutations, product
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
    Map,
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
    pushed,
    pushed_on,
    tables,
    weights,
)
from stirred.verify.ledger.engines.small_domains import domain_of, invariants
from stirred.verify.ledger.language_names import oo, subsets
from stirred.verify.ledger.words import distance

# properties of flavors as inequalities of D_Pr: post-processing by functions, composition, and the part of d_X

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

premetrics = cases(f"D_Pr: {_TABLES}; {_SHOWN_NAMED}; all functions; {SHOWN_FLAVORS}", "world")(
    lambda: chain(_all_tables(), named(_FEW, THREE), named(LAWS))
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
)(lambda: chain(_joint_tables(), named(_COINS, _products(_COINS))))


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
    f"D_Pr: {', '.join((*NAMED, *ONE_SIDED))} on {SHOWN_LAWS}; {_TABLES}; all functions; {_DISTANCES}", "world"
)(lambda: chain(named(_FEW, THREE, ONE_SIDED), named(THREE, names=ONE_SIDED), _all_tables(), named(LAWS)))

any_joint_premetrics = cases(f"D_Pr: {', '.join((*NAMED, *ONE_SIDED))}, for coins in thirds; {_DISTANCES}", "world")(
    lambda: chain(named(_COINS[:3], _products(_COINS[:3]), ONE_SIDED), named(_COINS, _products(_COINS)))
)
_BOTH_WAYS = [[(p, q), (q, p)] for p, q in permutations(HALVES, 2) if p < q]
symmetric_premetrics = cases(
    f"D_Pr: the symmetric ones of {_TABLES}; {_SHOWN_NAMED}; all functions; {_DISTANCES}", "world"
)(lambda: chain(tables(_BOTH_WAYS, (0, 4, 8, None), HALVES), named(LAWS)))
symmetric_joint_premetrics = cases(
    f"D_Pr: {', '.join(NAMED)}, for fresh compositions of coins in thirds; {_DISTANCES}", "world"
)(lambda: chain(named(_TWO, _products(_TWO)), named(_COINS, _products(_COINS))))


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

# measurable functions: which sigma-algebra a post-processed output has, and what Proposition 2.5.4 needs of it

Event = frozenset[int]
Field = frozenset[Event]
"""A sigma-algebra on {0, 1, 2}."""

sent_into = lambda f, s: {u for u, t in enumerate(f) if t in s}
largest_field = lambda f, field: {s for s in subsets(range(3)) if sent_into(f, s) in field}
image_field = lambda f, field: {{f[u] for u in s} for s in field}
makes_measurable = lambda f, field, g: all(sent_into(f, s) in field for s in g)
is_largest_field = lambda g, f, field, fields: (
    g in fields and all(makes_measurable(f, field, h) == (h <= g) for h in fields)
)
weighted_tv = lambda w, field, p, q: w[field] * max(sum(p[t] - q[t] for t in s) for s in field)
keeps_bounds = lambda before, after: all(after <= e * a for a in [1, 2, 4] for e in [0, 1, 2, 4, oo] if before <= e * a)
immune_on_fields = lambda w, laws, maps: all(
    keeps_bounds(weighted_tv(w, field, p, q), weighted_tv(w, target, pushed_on(p, f, 3), pushed_on(q, f, 3)))
    for field in w
    for f in maps
    for target in [largest_field(f, field)]
    for p in laws
    for q in laws
)
processed_into = lambda w, field, p, q, f, target: (
    not makes_measurable(f, field, target)
    or weighted_tv(w, target, pushed_on(p, f, 3), pushed_on(q, f, 3)) <= weighted_tv(w, field, p, q)
)
processed_into_largest = lambda w, laws, maps: all(
    processed_into(w, field, p, q, f, target)
    for field in w
    for f in maps
    for target in [largest_field(f, field)]
    for p in laws
    for q in laws
)
processed_into_trivial = lambda w, laws, maps: all(
    processed_into(w, field, p, q, f, {set(range(0)), set(range(3))})
    for field in w
    for f in maps
    for p in laws
    for q in laws
)
processed_into_all = lambda w, laws, maps: all(
    processed_into(w, field, p, q, f, target) for field in w for f in maps for target in w for p in laws for q in laws
)

_EVENTS = tuple(frozenset(s) for s in chain.from_iterable(combinations(range(3), n) for n in range(4)))
_MAPS: tuple[Map, ...] = tuple(product(range(3), repeat=3))
_MERGES: tuple[Map, ...] = tuple(tuple(c.values()) for c in invariants(domain_of(3)))

_FIELDS: tuple[Field, ...] = tuple(
    frozenset(s for s in _EVENTS if all((a in s) == (b in s) for a, b in product(c, repeat=2) if c[a] == c[b]))
    for c in invariants(domain_of(3))
)
"""All five: the unions of the classes of each partition."""

_largest = cache(
    lambda f, field: frozenset(s for s in _EVENTS if frozenset(u for u, t in enumerate(f) if t in s) in field)
)

functions = cases("all functions from three points to three, all sigma-algebras on the first three", "f field fields")(
    lambda: product(_MAPS, _FIELDS, (_FIELDS,))
)

state("post-processing.largest-algebra", "dissertation, section A.5, after Definition A.5.1")(
    """the sigma-algebra F_T'^[x] of the post-processed mechanism is the largest sigma-algebra such that f is measurable
    with respect to the sigma-algebra F_T^[x] of the mechanism T.""",
    every(functions, lambda f, field, fields: is_largest_field(largest_field(f, field), f, field, fields)),
    mutant(
        "the images of the sets in F_T",
        lambda f, field, fields: is_largest_field(image_field(f, field), f, field, fields),
    ),
    reading="F_T'^[x] = {S : f^-1(S) in F_T^[x]}, as Definition A.5.1 has it",
)

weighted_variations = cases(
    "D_Pr = w(F) D_TV with all w(F) in {1, 2} for the five sigma-algebras F on three outcomes; all laws in halves, "
    "all 27 functions, all sigma-algebras F' that the statement allows; {X} of two data sets with d(x, x') in {1, 2, "
    "4}, d(x', x) = oo",
    "w laws maps",
)(
    lambda: (
        (dict(zip(_FIELDS, chosen, strict=True)), laws, maps)
        for laws, maps in ((weights(3, 1)[:2], _MERGES), (weights(3, 2), _MAPS))
        for chosen in product((1, 2), repeat=len(_FIELDS))
    )
)

_variation = cache(lambda field, p, q: max(sum(p[t] - q[t] for t in s) for s in field))
_targets: Mapping[str, Callable[[Map, Field], Iterable[Field]]] = {
    "all": cache(lambda f, field: [one for one in _FIELDS if one <= _largest(f, field)]),
    "largest": lambda f, field: [_largest(f, field)],
    "trivial": lambda _f, _field: [frozenset((_EVENTS[0], _EVENTS[-1]))],
}


@cache
def _changes(laws: tuple[Weights, ...], maps: tuple[Map, ...], into: str) -> frozenset[tuple[Field, int, Field, int]]:
    """The sigma-algebra and D_TV before and after functions of the outcome."""
    return frozenset(
        (field, _variation(field, p, q), target, _variation(target, pushed(p, f, 3), pushed(q, f, 3)))
        for field, p, q, f in product(_FIELDS, laws, laws, maps)
        for target in _targets[into](f, field)
    )


_kept = cache(lambda before, after: all(after <= e * a for e in (0, 1, 2, 4) for a in (1, 2, 4) if before <= e * a))


def immune_iff_maps_are(
    w: Mapping[Field, int], laws: tuple[Weights, ...], maps: tuple[Map, ...], *, into: str
) -> Witness | None:
    """All flavors are immune, with the largest sigma-algebra for f o T, iff (2.11) holds for some sigma-algebras F'."""
    immune = all(_kept(w[field] * u, w[target] * v) for field, u, target, v in _changes(laws, maps, "largest"))
    processed = all(w[target] * v <= w[field] * u for field, u, target, v in _changes(laws, maps, into))
    return settled(immune == processed, _AS_PROCESSED[into], lambda: {"w": w, "laws": laws, "maps": maps})


_AS_PROCESSED = {
    "all": lambda w, laws, maps: immune_on_fields(w, laws, maps) == processed_into_all(w, laws, maps),
    "largest": lambda w, laws, maps: immune_on_fields(w, laws, maps) == processed_into_largest(w, laws, maps),
    "trivial": lambda w, laws, maps: immune_on_fields(w, laws, maps) == processed_into_trivial(w, laws, maps),
}

state("post-processing.iff-data-processing", "dissertation, Proposition 2.5.4", "dissertation, (2.11)")(
    """Fix a probability premetric D_Pr. The DP flavor (X, multiverse, d_X, D_Pr) is immune to post-processing for all
    choices of X, multiverse and d_X if and only if, for all P, Q in P_(Omega, F), and all measurable f : (Omega, F) ->
    (Omega', F'), D_Pr[P, Q] >= D_Pr[f_*(P), f_*(Q)], (2.11)""",
    every(weighted_variations, immune_iff_maps_are, into="all"),
    reading="""the post-processing mechanism has the sigma-algebra {S : f^-1(S) in F} of Definition A.5.1, F' may be
    smaller""",
    grade=incomplete("that F' is the largest sigma-algebra for f, or that post-processing may make it coarser"),
)

own("post-processing.iff-data-processing.largest", "dissertation, Proposition 2.5.4")(
    """For a probability premetric D_Pr, the flavor is immune to post-processing for all X, multiverses and d_X iff
    (2.11) holds for all P, Q on (Omega, F), all functions f on Omega, and F' = {S : f^-1(S) in F}.""",
    every(weighted_variations, immune_iff_maps_are, into="largest"),
    mutant("the trivial F' for the largest one", {"into": "trivial"}),
    mutant("every F' for which f is measurable", {"into": "all"}),
    repairs="post-processing.iff-data-processing",
)
