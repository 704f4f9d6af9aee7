"""Extraneous noise: randomised post-processing, and the premetrics that independent noise leaves as they are."""

from dataclasses import replace
from functools import partial
from itertools import chain, permutations, product

from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, incomplete, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.processing.finite_premetrics import (
    FLAVORS,
    HALVES,
    LAWS,
    NAMED,
    SHOWN_FLAVORS,
    SHOWN_LAWS,
    Flavor,
    World,
    beside_coin,
    both_d,
    changes,
    does_not_grow,
    image_by,
    image_under,
    immune,
    immune_iff_processed,
    is_immune,
    maps_of,
    moves,
    named,
    never_grows,
    stays_within,
    tables,
    weights,
    with_coin,
)
from stirred.verify.ledger.claims.zcdp.divergences import joint_law
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import (
    distance,
    hockey_stick,
    mixed,
    multiplicative,
    outcomes,
    same_law,
    total_variation,
)

immune_to_noise = lambda d, laws, flavors, budgets: all(
    stays_within(both_d(d, p, q), both_d(d, with_coin(p), with_coin(q)), flavors, budgets) for p in laws for q in laws
)
immune_after_noise = lambda d, laws, maps, flavors, budgets: all(
    stays_within(both_d(d, with_coin(p), with_coin(q)), both_d(d, image_by(p, f), image_by(q, f)), flavors, budgets)
    for p in laws
    for q in laws
    for f in maps
)
noise_invariant = lambda d, laws: all(
    distance(d, with_coin(p), with_coin(q)) == distance(d, p, q) for p in laws for q in laws
)
ratios_of = lambda p, q: {0} | {p[t] / q[t] for t in p if get(q, t, 0) > 0}
counted_outcomes = lambda p, q: len(outcomes(p, q)) * total_variation(p, q)
by_seeds = lambda p, k, own: (
    {
        z: sum(p[t] * k[0][a] * k[1][b] for t in p for a in k[0] for b in k[1] if [a, b][own * t] == z)
        for z in set(k[0]) | set(k[1])
    }
)

_ORDERED = {frozenset(((p, q), (p[::-1], q[::-1]))) for p, q in permutations(weights(2, 4), 2)}
"""The pairs of coins in quarters that the exchange of the two outcomes joins."""

_images = lambda laws: [image_under(p, f) for p in laws for f in maps_of("randomised", len(p))]

_PROOF: tuple[Flavor, ...] = ((1, None),)
_SYMMETRIC: tuple[Flavor, ...] = ((1, 1),)
_COINS = "D_Pr on coins in quarters, one for both names of the outcomes"
_NAMED = f"{', '.join(NAMED)} on {SHOWN_LAWS}, all functions of the outcome, five of it and a fair coin"
_OTHERS = f"{_NAMED}; {SHOWN_FLAVORS}"

_SYMMETRIC_PAIRS = {one | {(q, p) for p, q in one} for one in _ORDERED}
premetrics = cases(
    f"{_COINS}: all tables with values 0, 4 and all symmetric ones with values 0, 4, 8; T has coins in halves, f is "
    f"any function of the outcome and a fair coin; {_OTHERS}",
    "world",
)(
    lambda: chain(
        tables(_ORDERED, (0, 4), HALVES), tables(_SYMMETRIC_PAIRS, (0, 4, 8), HALVES), named(LAWS, _images(LAWS))
    )
)
_by = partial(every, premetrics, immune_iff_processed)

state("noise.one-inequality", "dissertation, Corollary A.5.4", "dissertation, (A.5)")(
    """Fix a probability premetric D_Pr. The DP flavor (X, multiverse, d_X, D_Pr) is immune to randomised
    post-processing for all X, multiverse and d_X if and only if D_Pr(P_1, P_2) >= D_Pr(f_*(P_1 x Q), f_*(P_2 x Q)),
    (A.5) for all P_1, P_2 in P_(Omega, F), all Q in P_(Omega', F') and all measurable f : Omega_1 x Omega_2 -> T.""",
    _by(flavors=FLAVORS, immune_to="randomised", tried="randomised"),
    theorem("processing.randomised_iff_noise_processing", within="laws on finite sets, all subsets measurable"),
    mutant("(2.11) for (A.5)", _by(flavors=_PROOF, immune_to="randomised", tried="functions")),
    mutant("immune to non-random post-processing", _by(flavors=_PROOF, immune_to="functions", tried="randomised")),
    mutant("only flavors with a symmetric d_X", _by(flavors=_SYMMETRIC, immune_to="randomised", tried="randomised")),
)

_noise_invariant = lambda world: all(
    world.both(p, q) == world.both(beside_coin(p), beside_coin(q)) for p, q in permutations(world.laws, 2)
)

_ALONE_OR_NOT = [[pair] for some in (HALVES, map(beside_coin, HALVES)) for pair in permutations(some, 2)]
with_and_without_noise = cases(
    "D_Pr: all tables with values 0, 4 on coins in halves and on such a coin with a fair coin beside it; "
    f"{', '.join(NAMED)} on {SHOWN_LAWS}, with a fair coin beside them; {SHOWN_FLAVORS}",
    "world",
)(lambda: chain(tables(_ALONE_OR_NOT, (0, 4), HALVES), named(LAWS, map(beside_coin, LAWS))))


def invariant_if_immune(world: World, *, flavors: tuple[Flavor, ...], noise: bool) -> Witness | None:
    """D is invariant to noise if all flavors are immune to the noise beside the output, and to its removal."""
    pairs = [(world.both(p, q), world.both(beside_coin(p), beside_coin(q))) for p, q in permutations(world.laws, 2)]
    is_so = not immune(world, [pair[::-1] for pair in pairs], flavors) or _noise_invariant(world)
    is_so = is_so or (noise and not immune(world, pairs, flavors))
    maps = ((0, 0, 1, 1) if len(world.laws[0]) == 2 else (0, 0, 1, 1, 2, 2),)
    return settled(
        is_so,
        lambda d, laws, maps, flavors, budgets: (
            not (
                (not noise or immune_to_noise(d, laws, flavors, budgets))
                and immune_after_noise(d, laws, maps, flavors, budgets)
            )
            or noise_invariant(d, laws)
        ),
        lambda: world.case(flavors, maps=maps),
    )


_if_immune = partial(every, with_and_without_noise, invariant_if_immune)

state("noise.from-randomised", "dissertation, Lemma A.7.2")(
    """Fix a probability premetric D_Pr. Suppose that, for all X, multiverse and d_X, the DP flavor (X, multiverse, d_X,
    D_Pr) is immune to randomised post-processing. Then D_Pr is invariant to extraneous noise.""",
    _if_immune(flavors=FLAVORS, noise=True),
    theorem("processing.randomised_noise_invariant", within="laws on finite sets"),
    mutant("immune to non-random post-processing", _if_immune(flavors=_PROOF, noise=False)),
    mutant("only flavors with a symmetric d_X", _if_immune(flavors=_SYMMETRIC, noise=True)),
)

_SMALL = list(dict.fromkeys((*laws_of(2, 3), *laws_of(3, 2))))
laws_with_noise = cases(
    "laws on two outcomes in thirds and on three in halves, noise a fair coin and one of thirds", "p q r"
)(lambda: product(_SMALL, _SMALL, (laws_of(2, 2)[1], laws_of(2, 3)[1])))

own("noise.invariance", "dissertation, Definition A.5.2")(
    """D_Mult, D_Mult^delta, D_TV and every E_gamma are invariant to extraneous noise: D_Pr(P_1 x Q, P_2 x Q) =
    D_Pr(P_1, P_2).""",
    theorem("output_distances.noise_invariance", within="finitely many outcomes"),
    every(laws_with_noise, lambda p, q, r: multiplicative(joint_law(p, r), joint_law(q, r)) == multiplicative(p, q)),
    mutant(
        "the number of outcomes times D_TV",
        lambda p, q, r: counted_outcomes(joint_law(p, r), joint_law(q, r)) == counted_outcomes(p, q),
    ),
    every(laws_with_noise, lambda p, q, r: total_variation(joint_law(p, r), joint_law(q, r)) == total_variation(p, q)),
    every(
        laws_with_noise,
        lambda p, q, r: all(
            hockey_stick(joint_law(p, r), joint_law(q, r), g) == hockey_stick(p, q, g) for g in ratios_of(p, q)
        ),
    ),
    reading="""D_Mult^delta is at most ln gamma iff E_gamma is at most delta both ways; E_gamma is linear between the
    ratios""",
)


def randomised_if_processed(world: World) -> Witness | None:
    """If no function increases D, no function of the outcome and a coin does."""
    if not does_not_grow(world, "functions") or does_not_grow(world, "randomised"):
        return None
    functions, maps = (maps_of(kind, len(world.laws[0])) for kind in ("functions", "randomised"))
    case = {"d": world.distances, "laws": world.laws, "functions": functions, "maps": maps}
    return failure(
        lambda d, laws, functions, maps: not never_grows(d, laws, functions) or never_grows(d, laws, maps),
        note=f"D_Pr = {world.name}",
        **case,
    )


_FEW = ((12, 0, 0), (0, 12, 0))
named_premetrics = cases(f"D_Pr: {_NAMED}", "world")(
    lambda: chain(named(_FEW, _images(_FEW)), named(LAWS, _images(LAWS)))
)

state("post-processing.randomised-implied", "dissertation, section 2.5, after Proposition 2.5.4")(
    """Immunity to post-processing by a random f is implied by non-random post-processing (Definition 2.5.2) by first
    composing T with the random seed of f, which has zero privacy loss since it is constant in x (see Appendix A.5).""",
    every(named_premetrics, randomised_if_processed),
    grade=incomplete("that the seed adds nothing to D_Pr, which section A.5 assumes: invariance to extraneous noise"),
)

# a table, with distances between coins with a fair coin beside them
_beside = lambda table, distance_of: replace(
    table,
    distances={
        **table.distances,
        **{(beside_coin(p), beside_coin(q)): distance_of((p, q)) for p, q in permutations(HALVES, 2)},
    },
)
beside_noise = cases(
    f"{_COINS}: all tables with values 0, 4, with a fair coin beside it the same distance, or 8; T has coins in "
    f"halves, f is any function; {_OTHERS}",
    "world",
)(
    lambda: chain(
        (
            _beside(table, distance_of)
            for table in tables(_ORDERED, (0, 4), HALVES)
            for distance_of in (table.distances.get, lambda _: 8)
        ),
        named(LAWS, (*_images(LAWS), *map(beside_coin, LAWS))),
    )
)
claimed = lambda d, laws, maps, flavors, budgets, functions: (
    is_immune(d, laws, maps, flavors, budgets)
    == (is_immune(d, laws, functions, flavors, budgets) and immune_after_noise(d, laws, maps, flavors, budgets))
)


def randomised_iff_immune(world: World, *, assumed: bool) -> Witness | None:
    """A flavor is immune to randomised functions iff to functions, if D is invariant to noise (where assumed)."""
    if assumed and not _noise_invariant(world):
        return settled(
            True, lambda d, laws: not noise_invariant(d, laws), lambda: {"d": world.distances, "laws": world.laws}
        )
    functions, maps = (maps_of(kind, len(world.laws[0])) for kind in ("functions", "randomised"))
    after = ((world.both(beside_coin(p), beside_coin(q)), world.both(r, s)) for p, q, r, s in moves(world.laws, maps))
    plain, randomised = {*changes(world, "functions"), *after}, {*changes(world, "randomised")}
    for flavor in (one for one in FLAVORS if 4 not in one):
        is_so = immune(world, randomised, (flavor,)) == immune(world, plain, (flavor,))
        if failed := settled(is_so, claimed, partial(world.case, (flavor,), functions=functions, maps=maps)):
            return failed
    return None


state("post-processing.randomised-noise", "dissertation, Proposition A.5.3")(
    """Suppose that D_Pr is invariant to extraneous noise. Then a DP flavor (X, multiverse, d_X, D_Pr) is immune to
    randomised post-processing if and only if (X, multiverse, d_X, D_Pr) is immune to non-randomised
    post-processing.""",
    every(beside_noise, randomised_iff_immune, assumed=True),
    mutant("without invariance to extraneous noise", {"assumed": False}),
    theorem("processing.randomised_iff_immune", within="laws on finite sets, seeds too"),
    repairs="post-processing.randomised-implied",
)

kernels = cases("all coins in thirds, all kernels on two outcomes in thirds", "p k")(
    lambda: ((p, {0: one, 1: other}) for p, one, other in product(laws_of(2, 3), repeat=3))
)

own("post-processing.randomised-kernel", "dissertation, section A.5")(
    """Every kernel on finite sets is a function of the outcome and an independent seed, so a flavor that is immune to
    randomised post-processing is immune to kernels: kappa o P_x satisfies what P_x does.""",
    every(kernels, lambda p, k, own: same_law(mixed(p, k), by_seeds(p, k, own)), own=1),
    mutant("one draw for all outcomes", {"own": 0}),
    theorem("processing.kernel_as_seed", "processing.immune_kernel", within="laws on finite sets"),
    reading="the seed is an independent draw from kappa(., t) for each outcome t, and f(t, u) its part t",
)
