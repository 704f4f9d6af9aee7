"""The four relations of neighbors, and the metrics of their walks: dissertation, section A.4."""

from fractions import Fraction
from itertools import permutations, product
from typing import Any

from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.spec.blocks.domain import FiniteDomain, multisets, ordered_data_sets
from stirred.spec.blocks.input_premetric import Neighbors, Order, neighbor_premetric, sharpen, sharpening_of
from stirred.verify.engines.exhaustive import mechanism_laws
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.multiverse.words import classes_along, flipped_links, walk_length
from stirred.verify.ledger.language_names import subsets
from stirred.verify.ledger.words import hamming, hamming_ordered, multiplicative, symmetric_difference

without_places = lambda x, s: [a for i, a in enumerate(x) if i not in s]
fewest_deletions = lambda x, y: min(
    [
        len(s) + len(t)
        for s in subsets(range(len(x)))
        for t in subsets(range(len(y)))
        if without_places(x, s) == without_places(y, t)
    ]
)
data_sets_of_size = lambda X, x: {y for y in X if len(y) == len(x)}
printed_metric = lambda name, x, y: (
    hamming(x, y)
    if name == "hamming"
    else hamming_ordered(x, y)
    if name == "hamming_ordered"
    else symmetric_difference(x, y)
    if name == "symmetric_difference"
    else fewest_deletions(x, y)
)
neighbors_by = lambda name, X: {(u, v) for u in X for v in X if printed_metric(name, u, v) == 1}

_METRICS = {
    (Neighbors.REPLACE_ONE, Order.UNORDERED): "hamming",
    (Neighbors.REPLACE_ONE, Order.ORDERED): "hamming_ordered",
    (Neighbors.ADD_REMOVE, Order.UNORDERED): "symmetric_difference",
    (Neighbors.ADD_REMOVE, Order.ORDERED): "fewest_deletions",
}
tuples = cases(
    "all tuples of at most 4 records of two kinds and of at most 3 of three, bounded and unbounded",
    "kind x y",
    lambda: (
        (kind, *pair)
        for kind, (records, most) in product(Neighbors, (("ab", 4), ("abc", 3)))
        for pair in product(ordered_data_sets(tuple(records), range(most + 1)), repeat=2)
    ),
)


def neighbors_too(kind: Neighbors, x: Any, y: Any, *, weaker: Order) -> Witness | None:
    """Neighbors in one order of records are neighbors or equal in the other one, so that Proposition 2.4.15 applies."""
    stronger = Order.UNORDERED if weaker is Order.ORDERED else Order.ORDERED
    far = sharpening_of(kind, weaker, "record")(x, y) != 1
    one, other = _METRICS[kind, weaker], _METRICS[kind, stronger]
    is_so = far or sharpening_of(kind, stronger, "record")(x, y) in (0, 1)
    says = lambda x, y: printed_metric(one, x, y) != 1 or printed_metric(other, x, y) <= 1
    return settled(is_so, says, lambda: {"x": x, "y": y})


state("neighbors.unordered-stronger", "dissertation, section A.4")(
    """A DP flavor for unordered datasets is stronger than the corresponding flavor for ordered datasets - that is,
    M(X, multiverse, d_r_bs, D_Pr, eps_D) subset of M(X, multiverse, d_r_bv, D_Pr, eps_D) and the same result holds
    when d_r_bs and d_r_bv are replaced with d_r_us and d_r_uv respectively. (These results follow by Proposition
    2.4.15.)""",
    every(tuples, neighbors_too, weaker=Order.ORDERED),
    mutant("ordered for unordered", {"weaker": Order.UNORDERED}),
    reading="d_r_bs <= d_r_bv and d_r_us <= d_r_uv, which is what Proposition 2.4.15 asks",
)

responses = cases(
    "randomized response with flip probability 1/4, all data sets of n = 1, 3, 5 binary records, D_Mult",
    "P n",
    lambda: (
        (dict(laws), n)
        for n in (1, 3, 5)
        for domain in [ordered_data_sets((0, 1), (n,))]
        for laws in [
            mechanism_laws(lambda x, source: randomized_response(x, source, flip_probability=Fraction(1, 4)), domain)
        ]
    ),
)

ordered = lambda P: max([multiplicative(P[x], P[y]) for x in P for y in P if hamming_ordered(x, y) == 1]) == 3
unordered_loss = lambda P, n: (
    ordered(P) and max([multiplicative(P[x], P[y]) for x in P for y in P if hamming(x, y) == 1]) == 3**n
)

state("neighbors.local", "dissertation, section A.4")(
    """The other direction does not hold; for example, local DP mechanisms (such as randomized response) satisfy the
    ordered DP specification eps-DP(X, {X}, d_bv, D_MULT) (for the appropriate choice of X and eps), but they do not
    satisfy the corresponding unordered DP specification eps-DP(X, {X}, d_bs, D_MULT) for any finite eps (assuming that
    X = U_n R^n).""",
    every(responses, unordered_loss),
    mutant(
        "the unordered loss stays at one record's",
        lambda P: ordered(P) and max([multiplicative(P[x], P[y]) for x in P for y in P if hamming(x, y) == 1]) == 3,
    ),
    reading="randomized response on n records, n odd: its unordered loss is n times the ordered one",
)

# all premetrics on three points with these values between different ones
_PAIRS = tuple(permutations(range(3), 2))
_tables = lambda *values: (dict(zip(_PAIRS, chosen, strict=True)) for chosen in product(values, repeat=len(_PAIRS)))
_symmetric = lambda *values: (d for d in _tables(*values) if all(d[x, y] == d[y, x] for x, y in d))
_SCOPE = "three data sets with laws of their own, all {} D_Pr with values 1, 2, 4 between them, eps = 1, 2"
premetrics = cases(
    f"{_SCOPE.format('symmetric')}; all d_X with values 1, 4",
    "D d eps",
    lambda: product(_symmetric(1, 2, 4), _tables(1, 4), (1, 2)),
)

by_d = lambda D, eps, d: all(D[p] <= eps * d[p] for p in D)
by_star = lambda D, eps, d: all(
    D[x, y] <= eps * min([d[x, y]] + [d[x, z] + d[z, y] for z in range(3) if z not in (x, y)]) for x, y in D
)

own("sharpening.stronger", "dissertation, section A.4")(
    """For every D_Pr, with or without the triangle inequality, M(X, {X}, d_X*, D_Pr, eps) is a subset of M(X, {X}, d_X,
    D_Pr, eps), where d_X* is the sharpening of d_X.""",
    every(premetrics, lambda D, d, eps: not by_star(D, eps, d) or by_d(D, eps, d)),
    mutant("the other way round", lambda D, d, eps: not by_d(D, eps, d) or by_star(D, eps, d)),
    theorem("sharpening.sharpening_stronger"),
)

_RELATIONS = [frozenset(p for p in _PAIRS if d[p] == 1) for d in _tables(1, 2)]
_related = lambda kind, tables, budgets: cases(
    f"{_SCOPE.format(kind)}; all relations", "D links eps", lambda: product(tables(1, 2, 4), _RELATIONS, budgets)
)
same_either_way = lambda D, eps, links: (
    all(D[p] <= eps for p in links) == all(D[p] <= eps for p in links | flipped_links(links))
)

own("neighbors.either-way", "dissertation, section A.4")(
    """For a symmetric D_Pr a relation r of neighbors and the relation x r x' or x' r x have the same mechanisms: M(X,
    {X}, d_r, D_Pr, eps) does not depend on the direction of r.""",
    every(_related("symmetric", _symmetric, (1, 2)), same_either_way),
    mutant("any D_Pr", _related("possible", _tables, (1,))),
    theorem("neighbors.symmetric_neighbors"),
)

_data_sets = lambda order, records, *sizes: (multisets if order is Order.UNORDERED else ordered_data_sets)(
    tuple(records), sizes
)
_domains = lambda scope, records, *sizes: cases(
    f"X {scope}",
    "kind order X",
    lambda: ((kind, order, _data_sets(order, records, *sizes)) for kind in Neighbors for order in Order),
)
all_sizes = _domains("all data sets of at most 3 records of three kinds, as multisets and as tuples", "abc", 0, 1, 2, 3)
two_sizes = _domains("the data sets of 0 and 2 records of two kinds", "ab", 0, 2)


def is_sharpening(kind: Neighbors, order: Order, domain: FiniteDomain) -> Witness | None:
    """The printed metric is the length of a shortest path of neighbors."""
    star, metric = sharpen(neighbor_premetric(kind, order, "record"), domain), sharpening_of(kind, order, "record")
    wrong = next((pair for pair in product(domain, repeat=2) if star(*pair) != metric(*pair)), None)
    name = _METRICS[kind, order]
    if wrong is not None:
        one_pair = lambda X, x, y: walk_length(neighbors_by(name, X), x, y) == printed_metric(name, x, y)
        return failure(one_pair, X=domain.points, x=wrong[0], y=wrong[1])
    all_pairs = lambda X: all(
        walk_length(links, x, y) == printed_metric(name, x, y)
        for links in [neighbors_by(name, X)]
        for x in X
        for y in X
    )
    return settled(True, all_pairs, lambda: {"X": domain.points})


_A4 = tuple(f"dissertation, {place}" for place in ("section A.4", "(A.3)", "(A.4)"))

state("sharpening.four-metrics", *_A4, "slides, Extending neighbour divergences to metrics on")(
    """A1) The sharpening of d_r_bs (bounded, unordered neighbors) is the Hamming distance on unordered datasets:
    d_HamS^u(x, x') = |x (-) x'|/2 if |x| = |x'|, oo otherwise. A2) The sharpening of d_r_bv (bounded, ordered
    neighbors) is the Hamming distance d_Ham^u(x, x') = sum_{i=1}^n 1{x_i != x'_i} if |x| = |x'| = n, oo otherwise. B1)
    The sharpening of d_r_us (unbounded, unordered neighbors) is the symmetric difference distance: d_SymDiff^u(x, x') =
    |x (-) x'|. B2) The sharpening of d_r_uv (unbounded, ordered neighbors) is d_r_uv^u*(x, x') = min{|I| + |J| : I in
    {1, ..., |x|}, J in {1, ..., |x'|}, x_-I = x'_-J}""",
    every(all_sizes, is_sharpening),
    mutant("the domain lacks the data sets between", two_sizes),
    reading="X is the set of all data sets, U_n R^n, as just before; paths are longer where X leaves data sets out",
)

_all_data_sets = lambda order: cases(
    f"X all {order.value} of at most 3 records of two kinds, and of at most 2 records of three",
    "X",
    lambda: [_data_sets(order, "ab", 0, 1, 2, 3).points, _data_sets(order, "abc", 0, 1, 2).points],
)
classes_by_size = lambda name, X: classes_along(X, neighbors_by(name, X)) == {data_sets_of_size(X, x) for x in X}

state("neighbors.bounded-size", "dissertation, section A.4, end")(
    "In bounded DP, [x] is all datasets with the same number of records as x.",
    every(_all_data_sets(Order.UNORDERED), lambda X: classes_by_size("hamming", X)),
    mutant("unbounded for bounded", lambda X: classes_by_size("symmetric_difference", X)),
    every(_all_data_sets(Order.ORDERED), lambda X: classes_by_size("hamming_ordered", X)),
    reading="X is the set of all data sets, U_n R^n, and the multiverse is {X}",
)
