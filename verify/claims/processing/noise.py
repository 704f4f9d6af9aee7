"""Extraneous noise: randomised post-processing, and the premetrics that independent noise leaves as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import chain, permutations, product
from typing import Any

from spec.law import Law
from spec.law import product as independent
from spec.output_premetric import ApproximateMultiplicative, Multiplicative, hockey_stick, total_variation
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
    immune,
    joined,
    named,
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
from verify.zcdp.renyi_grid import laws_of

define(
    {
        # f(t, u) = f[2 t + u], u a fair coin; f(t) = f[t] where it has one value for each outcome
        "changed(p, f)": """pushed(p, f, len(p)) if len(f) == len(p)
            else [a / 2 for a in pushed(joined(p, [1, 1]), f, len(p))]""",
        "is_immune_to(d, laws, maps, flavors, budgets)": """all(
            stays(distance(d, p, q), distance(d, q, p), distance(d, r, s), distance(d, s, r), flavors, budgets)
            for p in laws for q in laws for f in maps for r in [changed(p, f)] for s in [changed(q, f)])""",
        "never_grows(d, laws, maps)": """all(distance(d, changed(p, f), changed(q, f)) <= distance(d, p, q)
            for p in laws for q in laws for f in maps)""",
        "noisy(p)": "joined(p, [1, 1])",
        "passes(d, p, q, r, s, flavors, budgets)":
            "stays(distance(d, p, q), distance(d, q, p), distance(d, r, s), distance(d, s, r), flavors, budgets)",
        "immune_to_noise(d, laws, flavors, budgets)":
            "all(passes(d, p, q, noisy(p), noisy(q), flavors, budgets) for p in laws for q in laws)",
        "immune_to_projection(d, laws, flavors, budgets)":
            "all(passes(d, noisy(p), noisy(q), p, q, flavors, budgets) for p in laws for q in laws)",
        "immune_after_noise(d, laws, maps, flavors, budgets)": """all(
            passes(d, noisy(p), noisy(q), changed(p, f), changed(q, f), flavors, budgets)
            for p in laws for q in laws for f in maps)""",
        "noise_invariant(d, laws)": """all(distance(d, noisy(p), noisy(q)) == distance(d, p, q)
            for p in laws for q in laws)""",
        "beside(p, r)": "{[t, u]: p[t] * r[u] for t in p for u in r}",
        "excess_ratio(p, q, delta)": """max([1] + [((probability(p, s) - delta) / probability(q, s)
            if probability(q, s) > 0 else oo) for s in subsets(outcomes(p, q)) if probability(p, s) > delta])""",
        "by_seeds(p, k, own)": """{z: sum(p[t] * k[0][a] * k[1][b] for t in p for a in k[0] for b in k[1]
            if [a, b][own * t] == z) for z in set(k[0]) | set(k[1])}""",
        "counted(p, q)": "len(outcomes(p, q)) * total_variation(p, q)",
    }
)  # fmt: skip

_HALVES = weights(2, 2, 4)
_QUARTERS = weights(2, 4)
_THREE = weights(3, 2, 12)
_THIRDS = tuple(p for p in weights(3, 3, 12) if min(p) == 0)
_LAWS = tuple(dict.fromkeys((*_THREE, *_THIRDS)))
_RANDOMISED_3 = ((0, 0, 1, 1, 2, 2), (0, 1, 1, 1, 2, 2), (0, 0, 1, 2, 2, 2), (0, 1, 0, 1, 0, 1), (0, 0, 0, 0, 1, 1))
"""Functions of three outcomes and a coin: the outcome, one outcome halved, another halved, the coin alone, a merge."""


@cache
def _maps(outcomes: int, *, randomised: bool) -> tuple[Map, ...]:
    """All functions of the outcome; or of the outcome and a coin, those listed for three outcomes."""
    if not randomised:
        return tuple(product(range(outcomes), repeat=outcomes))
    return tuple(product(range(2), repeat=4)) if outcomes == 2 else (*_maps(3, randomised=False), *_RANDOMISED_3)


def _changed(p: Weights, f: Map) -> Weights:
    if len(f) == len(p):
        return pushed(p, f, len(p))
    return tuple(a // 2 for a in pushed(joined(p, (1, 1)), f, len(p)))


@cache
def _moves(laws: tuple[Weights, ...], maps: tuple[Map, ...]) -> tuple[tuple[Weights, ...], ...]:
    found = {(p, q, _changed(p, f), _changed(q, f)) for p, q in permutations(laws, 2) for f in maps}
    return tuple(move for move in found if move[2] != move[3])


@cache
def _images(laws: tuple[Weights, ...]) -> tuple[Weights, ...]:
    maps = _maps(len(laws[0]), randomised=True)
    return tuple(dict.fromkeys((*laws, *(_changed(p, f) for p in laws for f in maps))))


def _changes(world: World, *, randomised: bool) -> Iterator[tuple[Both, Both]]:
    maps = _maps(len(world.laws[0]), randomised=randomised)
    return ((world.both(p, q), world.both(r, s)) for p, q, r, s in _moves(world.laws, maps))


def _processed(world: World, *, randomised: bool) -> bool:
    return all(at_most(after, before) for (before, _), (after, _) in _changes(world, randomised=randomised))


def _orbits() -> tuple[list[list[tuple[Weights, Weights]]], list[list[tuple[Weights, Weights]]]]:
    """The pairs of coins that the exchange of the two outcomes joins; the same with P and Q exchanged too."""
    ordered = {frozenset(((p, q), (p[::-1], q[::-1]))) for p, q in permutations(_QUARTERS, 2)}
    both = {one | {(q, p) for p, q in one} for one in ordered}
    return sorted(map(sorted, ordered)), sorted(map(sorted, both))


@cases(
    "D_Pr on coins in quarters, one for both names of the outcomes: all tables with values 0, 4 and all symmetric ones "
    f"with values 0, 4, 8; T has coins in halves, f is any function of the outcome and a fair coin; {', '.join(NAMED)} "
    f"on three outcomes, all functions of the outcome, five of it and the coin, T has laws in halves "
    f"and in thirds with two outcomes; {SHOWN_FLAVORS}",
    "world",
)
def premetrics() -> Iterator[World]:
    ordered, both = _orbits()
    yield from chain(tables(ordered, (0, 4), _HALVES), tables(both, (0, 4, 8), _HALVES))
    yield from named(_LAWS, _images(_LAWS))


def immune_iff_processed(world: World, *, flavors: tuple[Flavor, ...], immune_to: bool, tried: bool) -> Witness | None:
    """All flavors are immune to randomised functions (or functions) iff (A.5) holds (or (2.11))."""
    outcomes = len(world.laws[0])
    if immune(world, _changes(world, randomised=immune_to), flavors) == _processed(world, randomised=tried):
        return None
    maps, others = (_maps(outcomes, randomised=kind) for kind in (immune_to, tried))
    claimed = "is_immune_to(d, laws, maps, flavors, budgets) == never_grows(d, laws, tried)"
    return failure(claimed, **world.case(flavors), maps=maps, tried=others)


state(
    "noise.one-inequality",
    "dissertation, Corollary A.5.4",
    printed="Fix a probability premetric D_Pr. The DP flavor (X, D, d_X, D_Pr) is immune to randomised "
    "post-processing for all X, D and d_X if and only if D_Pr(P_1, P_2) >= D_Pr(f_*(P_1 x Q), f_*(P_2 x Q)), (A.5) "
    "for all P_1, P_2 in P_(Omega, F), all Q in P_(Omega', F') and all measurable f : Omega_1 x Omega_2 -> T.",
    checks=[
        every(premetrics, immune_iff_processed, flavors=FLAVORS, immune_to=True, tried=True),
        theorem("processing.randomised_iff_noise_processing", within="laws on finite sets, all subsets measurable"),
    ],
    mutants={
        "(2.11) for (A.5)": every(premetrics, immune_iff_processed, flavors=FLAVORS, immune_to=True, tried=False),
        "immune to non-random post-processing": every(
            premetrics, immune_iff_processed, flavors=FLAVORS, immune_to=False, tried=True
        ),
        "only flavors with a symmetric d_X": every(
            premetrics, immune_iff_processed, flavors=EQUAL, immune_to=True, tried=True
        ),
    },
)


def _with_noise(p: Weights) -> Weights:
    return joined(p, (1, 1))


def _noise_invariant(world: World) -> bool:
    pairs = permutations(world.laws, 2)
    return all(world.both(p, q) == world.both(_with_noise(p), _with_noise(q)) for p, q in pairs)


@cases(
    "D_Pr: all tables with values 0, 4 on coins in halves and on such a coin with a fair coin beside it; "
    f"{', '.join(NAMED)} on laws on three outcomes in halves and in thirds with two outcomes; {SHOWN_FLAVORS}",
    "world",
)
def with_and_without_noise() -> Iterator[World]:
    beside = [_with_noise(p) for p in _HALVES]
    yield from tables([[pair] for pair in chain(permutations(_HALVES, 2), permutations(beside, 2))], (0, 4), _HALVES)
    yield from named(_LAWS, (*_LAWS, *map(_with_noise, _LAWS)))


def invariant_if_immune(world: World, *, flavors: tuple[Flavor, ...], noise: bool) -> Witness | None:
    """D is invariant to noise if all flavors are immune to the noise beside the output, and to its removal."""
    pairs = [(world.both(p, q), world.both(_with_noise(p), _with_noise(q))) for p, q in permutations(world.laws, 2)]
    there = not noise or immune(world, pairs, flavors)
    if not there or not immune(world, [pair[::-1] for pair in pairs], flavors) or _noise_invariant(world):
        return None
    added = "not immune_to_noise(d, laws, flavors, budgets) or " if noise else ""
    claimed = f"{added}not immune_to_projection(d, laws, flavors, budgets) or noise_invariant(d, laws)"
    return failure(claimed, **world.case(flavors))


state(
    "noise.from-randomised",
    "dissertation, Lemma A.7.2",
    printed="Fix a probability premetric D_Pr. Suppose that, for all X, D and d_X, the DP flavor (X, D, d_X, D_Pr) is "
    "immune to randomised post-processing. Then D_Pr is invariant to extraneous noise.",
    checks=[
        every(with_and_without_noise, invariant_if_immune, flavors=FLAVORS, noise=True),
        theorem("processing.randomised_noise_invariant", within="laws on finite sets"),
    ],
    mutants={
        "immune to non-random post-processing": every(
            with_and_without_noise, invariant_if_immune, flavors=FLAVORS, noise=False
        ),
        "only flavors with a symmetric d_X": every(
            with_and_without_noise, invariant_if_immune, flavors=EQUAL, noise=True
        ),
    },
)


@cases("laws on two outcomes in thirds and on three in halves, noise a fair coin and one of thirds", "p q r")
def laws_with_noise() -> Iterator[tuple[Any, ...]]:
    laws = dict.fromkeys((*laws_of(2, 3), *laws_of(3, 2)))
    return ((p, q, noise) for p, q in product(laws, repeat=2) for noise in (laws_of(2, 2)[1], laws_of(2, 3)[1]))


_QUARTER = Fraction(1, 4)
_MEASURES: Mapping[str, Any] = {
    "multiplicative({0}, {1})": Multiplicative().distance,
    "max(excess_ratio({0}, {1}, 1 / 4), excess_ratio({1}, {0}, 1 / 4))": ApproximateMultiplicative(_QUARTER).distance,
    "total_variation({0}, {1})": total_variation,
    "hockey_stick({0}, {1}, 2)": lambda p, q: hockey_stick(p, q, 2),
    "counted({0}, {1})": lambda p, q: len({*p, *q}) * total_variation(p, q),
}
_COUNTED = "counted({0}, {1})"


def invariant(p: Law[int], q: Law[int], r: Law[int], *, measure: str) -> Witness | None:
    """D(P x R, Q x R) = D(P, Q)."""
    measured = _MEASURES[measure]
    if measured(p, q) == measured(independent(p, r), independent(q, r)):
        return None
    claimed = f"{measure.format('beside(p, r)', 'beside(q, r)')} == {measure.format('p', 'q')}"
    return failure(claimed, p=p, q=q, r=r)


state(
    "noise.invariance",
    "dissertation, Definition A.5.2",
    claim="D_Mult, D_Mult^delta, D_TV and every E_gamma are invariant to extraneous noise: D_Pr(P_1 x Q, P_2 x Q) = "
    "D_Pr(P_1, P_2).",
    checks=[every(laws_with_noise, invariant, measure=one) for one in _MEASURES if one != _COUNTED],
    mutants={"the number of outcomes times D_TV": every(laws_with_noise, invariant, measure=_COUNTED)},
)


def randomised_if_processed(world: World) -> Witness | None:
    """If no function increases D, no function of the outcome and a coin does."""
    if not _processed(world, randomised=False) or _processed(world, randomised=True):
        return None
    functions, maps = (_maps(len(world.laws[0]), randomised=kind) for kind in (False, True))
    note, laws, d = f"D_Pr = {world.name}", world.laws, world.distances
    claimed = "not never_grows(d, laws, functions) or never_grows(d, laws, maps)"
    return failure(claimed, note=note, d=d, laws=laws, functions=functions, maps=maps)


@cases(
    f"D_Pr: {', '.join(NAMED)}; laws on three outcomes in halves, in thirds with two outcomes, all functions of the "
    "outcome, five of it and a coin",
    "world",
)
def named_premetrics() -> Iterator[World]:
    return chain(named(_THREE, _images(_THREE)), named(_LAWS, _images(_LAWS)))


state(
    "post-processing.randomised-implied",
    "dissertation, section 2.5, after Proposition 2.5.4",
    printed="Immunity to post-processing by a random f is implied by non-random post-processing (Definition 2.5.2) by "
    "first composing T with the random seed of f, which has zero privacy loss since it is constant in x (see Appendix "
    "A.5).",
    grade=incomplete("that the seed adds nothing to D_Pr, which section A.5 assumes: invariance to extraneous noise"),
    checks=[every(named_premetrics, randomised_if_processed)],
)


@cases(
    "D_Pr on coins in quarters, one for both names of the outcomes: all tables with values 0, 4; with a fair coin "
    "beside "
    f"it the same distance, or 8; T has coins in halves, f is any function; {', '.join(NAMED)} as for (A.5); "
    f"{SHOWN_FLAVORS}",
    "world",
)
def beside_noise() -> Iterator[World]:
    pairs = [(pair, (_with_noise(pair[0]), _with_noise(pair[1]))) for pair in permutations(_HALVES, 2)]
    for table in tables(_orbits()[0], (0, 4), _HALVES):
        d = table.distances
        yield replace(table, distances={**d, **{noisy: d[pair] for pair, noisy in pairs}})
        yield replace(table, distances={**d, **{noisy: 8 for _, noisy in pairs}})
    yield from named(_LAWS, (*_images(_LAWS), *map(_with_noise, _LAWS)))


def randomised_iff_immune(world: World, *, assumed: bool) -> Witness | None:
    """A flavor is immune to randomised functions iff to functions, if D is invariant to noise (where assumed)."""
    if assumed and not _noise_invariant(world):
        return None
    functions, maps = (_maps(len(world.laws[0]), randomised=kind) for kind in (False, True))
    moves = _moves(world.laws, maps)
    noisy = {pair: world.both(*map(_with_noise, pair)) for pair in permutations(world.laws, 2)}
    plain = {*_changes(world, randomised=False), *((noisy[p, q], world.both(r, s)) for p, q, r, s in moves)}
    changes = {*_changes(world, randomised=True)}
    for flavor in FLAVORS:
        if immune(world, changes, (flavor,)) != immune(world, plain, (flavor,)):
            claimed = (
                "is_immune_to(d, laws, maps, flavors, budgets) == (is_immune_to(d, laws, functions, flavors, budgets) "
                "and immune_after_noise(d, laws, maps, flavors, budgets))"
            )
            return failure(claimed, **world.case((flavor,)), functions=functions, maps=maps)
    return None


state(
    "post-processing.randomised-noise",
    "dissertation, Proposition A.5.3",
    printed="Suppose that D_Pr is invariant to extraneous noise. Then a DP flavor (X, D, d_X, D_Pr) is immune to "
    "randomised post-processing if and only if (X, D, d_X, D_Pr) is immune to non-randomised post-processing.",
    repairs="post-processing.randomised-implied",
    checks=[
        every(beside_noise, randomised_iff_immune, assumed=True),
        theorem("processing.randomised_iff_immune", within="laws on finite sets, seeds too"),
    ],
    mutants={"without invariance to extraneous noise": every(beside_noise, randomised_iff_immune, assumed=False)},
)


@cases("all coins in thirds, all kernels on two outcomes in thirds", "p k")
def kernels() -> Iterator[tuple[Any, ...]]:
    return ((p, {0: one, 1: other}) for p, one, other in product(laws_of(2, 3), repeat=3))


state(
    "post-processing.randomised-kernel",
    "dissertation, section A.5",
    claim="Every kernel on finite sets is a function of the outcome and an independent seed, so a flavor that is "
    "immune to randomised post-processing is immune to kernels: kappa o P_x satisfies what P_x does.",
    reading="the seed is an independent draw from kappa(., t) for each outcome t, and f(t, u) its part t",
    checks=[
        every(kernels, "same_law(mixed(p, k), by_seeds(p, k, own))", own=1),
        theorem("processing.kernel_as_seed", "processing.immune_kernel", within="laws on finite sets"),
    ],
    mutants={"one draw for all outcomes": every(kernels, "same_law(mixed(p, k), by_seeds(p, k, own))", own=0)},
)
