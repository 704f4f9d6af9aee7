"""Invariants in the multiverse or in the input premetric, and where they exclude nothing: bounded DP and its size."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

from stirred.spec.blocks import input_premetric as unit
from stirred.spec.blocks.domain import multisets, ordered_data_sets
from stirred.spec.blocks.input_premetric import InputPremetric, Neighbors, Order
from stirred.spec.budgets.loss import INFINITE
from stirred.spec.laws.law import Law, point_mass
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Cases, cases, every, incomplete, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.multiverse.words import (
    Rewriting,
    finite,
    inside_parts,
    keeps_all,
    same_bounds,
    same_mechanisms,
)
from stirred.verify.ledger.claims.specifications.words import (
    PURE,
    Labels,
    everywhere,
    hammings,
    keeps,
    keeps_on,
    sharing,
    sizes,
)
from stirred.verify.ledger.engines.small_domains import LAWS, domain_of, invariant_shapes, premetric_tables
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance, symmetric_difference
from stirred.verify.ledger.words import hamming as hamming_word

constant_budgets = cases(
    "D_Mult, three data sets, all invariants up to relabelling, all premetrics with values in {0, 1, oo}, eps in {0, "
    "ln 2, oo} the same for all universes",
    "c d gamma",
)(
    lambda: product(
        invariant_shapes(domain_of(3)), map(finite, premetric_tables(domain_of(3), (0, 1, None))), (1, 2, None)
    )
)

with_far = lambda d, c, doubled: (
    {(x, y): (distance(d, x, y) if c[x] == c[y] else 2 * distance(d, x, y) if doubled else oo) for x in c for y in c}
)


def same_result(c: Labels, d: Any, gamma: Any, *, doubled: bool = False) -> Witness | None:
    """D_c with d has the mechanisms of {X} with the distance oo, or twice d, where the invariants disagree."""
    two_ways = Rewriting(
        lambda c, d, gamma: ((everywhere(c, gamma), d), ({set(c): gamma}, with_far(d, c, doubled))),
        lambda P, c, d, gamma: same_bounds(P, everywhere(c, gamma), d, {set(c): gamma}, with_far(d, c, doubled)),
        lambda P, c, d, gamma: (
            keeps_all(P, everywhere(c, gamma), d) == keeps_all(P, {set(c): gamma}, with_far(d, c, doubled))
        ),
    )
    return same_mechanisms({"P": tuple(c), "c": c, "d": d, "gamma": gamma}, two_ways)


state("invariants.two-encodings", "article, section 2.2", "dissertation, section 3.1.2")(
    """these two approaches — incorporating invariants via d_X or via D-multiverse — have the same result: Both ensure
    that the DP condition (Equation 1) only bounds the 'distance' between the distributions P(T(x, U) in .) and P(T(x',
    U) in .) when the two counterfactual data sets x and x' agree on the invariants""",
    every(constant_budgets, same_result),
    mutant("2 d_X(x, x') for oo where the invariants disagree", {"doubled": True}),
    theorem("multiverse.invariants_in_premetric"),
    reading="""the result is what stands after the colon; where the PLB is one number, as it must be on {X}, the same
    mechanisms satisfy both""",
)

_THREE = (LAWS[2], LAWS[3], LAWS[4])
_TWICE = combinations_with_replacement(_THREE, 2)
_OF_FOUR: dict[str, Any] = {
    "mechanisms": [dict(enumerate((*left, *right))) for left, right in product(_TWICE, repeat=2)],
    "d": dict.fromkeys(permutations(range(4), 2), 1),
    "c": {x: x // 2 for x in range(4)},
}

budgets_of_one_universe = cases(
    "X = {0, 1, 2, 3}, c = (0, 0, 1, 1), d = 1, D_Mult; every eps_X in [0, oo]: what mechanisms of 3 laws need", "eps"
)(lambda: [*sorted({PURE.distance(p, q) for p, q in product(_THREE, repeat=2)}), INFINITE])

# Some mechanism satisfies the PLB and not eps on {X} with d set to oo across the invariants, or the reverse.
separated = lambda d, first, second, c, eps, mechanisms: any(
    keeps("D_Mult", laws, d, {u: first if 0 in u else second for u in sharing(c)})
    != keeps("D_Mult", laws, inside_parts(d, c), {set(c): eps})
    for laws in mechanisms
)

own("invariants.two-encodings.varying-budget", "article, section 2.2")(
    """The two ways differ where the PLB differs between universes: there are invariants c, d_X and a PLB on the
    invariant-induced multiverse such that no PLB on {X}, with d_X set to oo whenever x and x' disagree on c, is
    satisfied by the same mechanisms.""",
    every(budgets_of_one_universe, separated, first=(Fraction(4, 3), 1), second=(2, 1), **_OF_FOUR),
    mutant("the same PLB for both universes", {"first": (2, 1)}),
    theorem("invariant_multiverse.two_encodings_differ"),
)

state("invariants.nonvacuous", "article, section 2.2")(
    """a nonvacuous multiverse D-multiverse — as happens whenever there are invariants … (By 'nonvacuous multiverse,' we
    mean one that is not equivalent to the multiverse D-multiverse = {X}.)""",
    every(
        sizes,
        lambda c: any(not same_bounds(c, everywhere(c, b), hammings(c), {set(c): b}, hammings(c)) for b in [1, 2, oo]),
    ),
    reading="""invariants that are not constant; equivalent: satisfied by the same mechanisms at every PLB that is one
    number, for which equal bounds at 0, ln 2 and oo are enough""",
    grade=incomplete("two data sets at a finite distance must disagree on the invariants, as of the census they do"),
    refuted_by=["invariant_multiverse.nonvacuous_refuted"],
)

comparable = cases(
    "two and three data sets, all invariants up to relabelling, all premetrics with values in {1, oo}, D_Mult",
    "c d",
    lambda: (
        case
        for domain in (domain_of(2), domain_of(3))
        for case in product(invariant_shapes(domain), map(finite, premetric_tables(domain, (1, None))))
    ),
)

# D_c and {X} have the same bounds at every eps.
is_vacuous_by = lambda c, d: all(same_bounds(c, everywhere(c, gamma), d, {set(c): gamma}, d) for gamma in [1, 2, oo])

# Of the pairs of data sets that disagree, which are at distance oo.
far_where_apart = lambda c, d: [distance(d, x, y) == oo for x in c for y in c if c[x] != c[y]]
is_vacuous_where_some = lambda c, d: is_vacuous_by(c, d) == (any(far_where_apart(c, d)) or all(far_where_apart(c, d)))

own("invariants.nonvacuous.comparable", "article, section 2.2")(
    """For invariants c and the same PLB eps everywhere, the invariant-induced multiverse and {X} are satisfied by the
    same mechanisms at every eps iff d_X(x, x') = oo whenever c(x) and c(x') differ, provided that D_Pr is not 0 between
    all laws.""",
    every(comparable, lambda c, d: is_vacuous_by(c, d) == all(far_where_apart(c, d))),
    mutant("d_X(x, x') = oo for some such pair instead of all", is_vacuous_where_some),
    theorem("invariant_multiverse.equivalent_iff"),
    repairs="invariants.nonvacuous",
)


def _sized(scope: str, ordered: InputPremetric, unordered: InputPremetric) -> Cases:
    shown = f"{scope}; all data sets of at most 3 records of two kinds, as tuples and as multisets; D_Mult"
    domains = ((ordered, ordered_data_sets("ab", range(4))), (unordered, multisets("ab", range(4))))
    listed = [(x.points, finite({pair: d(*pair) for pair in permutations(x, 2)})) for d, x in domains]
    return cases(f"{shown}, eps in {{0, ln 2, oo}}", "X d gamma")(
        lambda: ((points, d, gamma) for points, d in listed for gamma in (1, 2, None))
    )


# {X} and the multiverse of the size have the same bounds, which are oo between different sizes.
size_invariant = lambda X, gamma, d: (
    same_bounds(X, everywhere({x: len(x) for x in X}, gamma), d, {set(X): gamma}, d)
    and all(distance(d, x, y) == oo for x in X for y in X if len(x) != len(y))
)

hamming = _sized("the Hamming distances", unit.hamming_ordered("record"), unit.hamming_unordered("record"))
_DIFFERENCE = _sized("the symmetric difference", *[unit.symmetric_difference("record")] * 2)

state("invariants.bounded", "article, section 2.4")(
    """Because the Hamming distance between two data sets is infinite whenever they have a different number of records,
    these formulations only require the DP condition to hold for data sets of the same size. Thus, having the data set
    size as an invariant has been a part of DP from its conception.""",
    every(hamming, size_invariant),
    mutant("the symmetric difference for the Hamming distance", _DIFFERENCE),
    theorem("invariant_multiverse.size_invariant"),
    reading="""(1) bounds data sets of equal size only, as with the size as invariant; dissertation, section 3.1.2, says
    so of d_Ham""",
)

_neighboring = lambda kind: _sized(
    f"1 between {kind.value} neighbors, else oo",
    *(unit.neighbor_premetric(kind, order, "record") for order in (Order.ORDERED, Order.UNORDERED)),
)

state("invariants.bounded-size", "dissertation, section A.4")(
    "bounded DP is equivalent to using the number of records as an invariant",
    every(_neighboring(Neighbors.REPLACE_ONE), size_invariant),
    mutant("unbounded DP", _neighboring(Neighbors.ADD_REMOVE)),
    every(hamming, size_invariant),
    theorem("invariant_multiverse.size_invariant"),
    reading="""with the multiverse {X}, for neighbors and for the Hamming distances: the same mechanisms satisfy the
    multiverse that the number of records induces""",
)

small_surveys = cases(
    "all pairs of data sets of at most 3 records with two matching, two holding and two swapping categories", "x y"
)(lambda: combinations(multisets(tuple(product(range(2), repeat=3)), range(4)), 2))

# Data sets of records (m, h, s) at this distance disagree on the margins n_mh. and n_m.s.
no_neighbors = lambda x, y, parts, apart: (
    any(sorted((r[0], r[i]) for r in x) != sorted((r[0], r[i]) for r in y) for i in parts)
    or (hamming_word(x, y) != apart and symmetric_difference(x, y) != apart)
)

state("invariants.neighbors-left", "article, section 2.2")(
    """after excluding neighboring data sets that have different values for the invariants, there may be no neighbors
    left, resulting in a completely vacuous formulation of DP. Indeed, we will see that this is what happens with data
    swapping.""",
    every(small_surveys, no_neighbors, parts=(1, 2), apart=1),
    mutant("the n_mh. alone", {"parts": (1,)}),
    mutant("no data sets at distance 2 are left either", {"apart": 2}),
    reading="neighbors are at distance 1, bounded or unbounded; the invariants are the n_mh. and n_m.s of section 3.2",
)

noisy_for_one_size = cases(
    "data sets of one or two records of two kinds; noise for one size, the data themselves for the other",
    "laws",
    lambda: (
        {x: noise if len(x) == noisy else point_mass(x) for x in domain}
        for domain in [multisets("ab", range(1, 3))]
        for noisy in (1, 2)
        for noise in [Law(dict.fromkeys(domain, Fraction(1, len(domain))))]
    ),
)

one_only = lambda laws, told: any(
    keeps_on("D_Mult", laws, d, u, (2, 1)) and not keeps("D_Mult", laws, d, everywhere(c, (2, 1)))
    for c in ({x: len(x) * told for x in laws},)
    for d in (hammings(laws),)
    for u in sharing(c)
)

state("invariants.one-universe", "dissertation, section 3.1.2")(
    """requiring the Lipschitz condition (3.1) to hold for any particular universe would be insufficient, since each
    universe corresponds to a specific total population count""",
    some(noisy_for_one_size, one_only, told=1),
    mutant("the count is not an invariant", {"told": 0}),
)
