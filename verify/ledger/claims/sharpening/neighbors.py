"""The relations of neighbors, the metrics of their walks, and sharpened premetrics: dissertation, 2.4.4 and A.4."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.spec.blocks.domain import FiniteDomain, multisets, ordered_data_sets
from stirred.spec.blocks.input_premetric import Neighbors, Order, explicit, neighbor_premetric, sharpen, sharpening_of
from stirred.spec.blocks.multiverse import vacuous
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.budgets.loss import Loss
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, OutputPremetric, TotalVariation
from stirred.verify.engines.exhaustive import mechanism_laws
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, mutant, own, settled, state, theorem, unsettled
from stirred.verify.ledger.claims.multiverse.words import classes_along, flipped_links, separating, walk_length
from stirred.verify.ledger.engines.small_domains import LAWS, domain_of
from stirred.verify.ledger.language_names import get, oo, subsets
from stirred.verify.ledger.words import (
    hamming,
    hamming_ordered,
    hockey_stick,
    likelihood_ratio,
    multiplicative,
    symmetric_difference,
    total_variation,
)

# the four relations of neighbors, and the metrics of their walks: dissertation, section A.4

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
    "all tuples of at most 4 records of two kinds and of at most 3 of three, bounded and unbounded", "kind x y"
)(
    lambda: (
        (kind, *pair)
        for kind, (records, most) in product(Neighbors, (("ab", 4), ("abc", 3)))
        for pair in product(ordered_data_sets(tuple(records), range(most + 1)), repeat=2)
    )
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
    "randomized response with flip probability 1/4, all data sets of n = 1, 3, 5 binary records, D_Mult", "P n"
)(
    lambda: (
        (dict(laws), n)
        for n in (1, 3, 5)
        for domain in [ordered_data_sets((0, 1), (n,))]
        for laws in [
            mechanism_laws(lambda x, source: randomized_response(x, source, flip_probability=Fraction(1, 4)), domain)
        ]
    )
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
premetrics = cases(f"{_SCOPE.format('symmetric')}; all d_X with values 1, 4", "D d eps")(
    lambda: product(_symmetric(1, 2, 4), _tables(1, 4), (1, 2))
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
_related = lambda kind, tables, budgets: cases(f"{_SCOPE.format(kind)}; all relations", "D links eps")(
    lambda: product(tables(1, 2, 4), _RELATIONS, budgets)
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
_domains = lambda scope, records, *sizes: cases(f"X {scope}", "kind order X")(
    lambda: ((kind, order, _data_sets(order, records, *sizes)) for kind in Neighbors for order in Order)
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
    f"X all {order.value} of at most 3 records of two kinds, and of at most 2 records of three", "X"
)(lambda: [_data_sets(order, "ab", 0, 1, 2, 3).points, _data_sets(order, "abc", 0, 1, 2).points])
classes_by_size = lambda name, X: classes_along(X, neighbors_by(name, X)) == {data_sets_of_size(X, x) for x in X}

state("neighbors.bounded-size", "dissertation, section A.4, end")(
    "In bounded DP, [x] is all datasets with the same number of records as x.",
    every(_all_data_sets(Order.UNORDERED), lambda X: classes_by_size("hamming", X)),
    mutant("unbounded for bounded", lambda X: classes_by_size("symmetric_difference", X)),
    every(_all_data_sets(Order.ORDERED), lambda X: classes_by_size("hamming_ordered", X)),
    reading="X is the set of all data sets, U_n R^n, and the multiverse is {X}",
)

# sharpened premetrics, which mechanisms they leave, and group privacy: dissertation, sections 2.4.4 and A.4

is_metric_table = lambda X, d: all(
    d[x, y] == d[y, x] and (d[x, y] == 0) == (x == y) and all(d[x, z] <= d[x, y] + d[y, z] for z in X)
    for x in X
    for y in X
)
step_length = lambda links, x, y: 0 if x == y else 1 if (x, y) in links else oo
close_within = lambda p, q, gamma, delta: hockey_stick(p, q, gamma) <= delta and hockey_stick(q, p, gamma) <= delta
coin_of = lambda head: {t: abs(1 - t - head) for t in [0, 1]}

# a premetric D between three laws; three data sets in a row at the distances a and b
sharpens_in_a_row = lambda D, L, lengths: all(
    D[p, q] > a or D[q, r] > b or D[p, r] <= a + b for a, b in lengths for p, q, r in permutations(L)
)
triangular_premetric = lambda D, L: all(D[p, r] <= D[p, q] + D[q, r] for p, q, r in permutations(L))
_relations = lambda size, symmetric: (
    links
    for pairs in [list(permutations(range(size), 2))]
    for chosen in product((False, True), repeat=len(pairs))
    for links in [frozenset(pair for pair, inside in zip(pairs, chosen, strict=True) if inside)]
    if not symmetric or all((y, x) in links for x, y in links)
)
graphs = cases("all relations on at most three data sets, all symmetric ones on four", "X links")(
    lambda: ((tuple(range(n)), links) for n in (1, 2, 3, 4) for links in _relations(n, n == 4))
)

metric_of_one_step = lambda X, links: is_metric_table(
    X, {(x, y): step_length(both, x, y) for both in [links | flipped_links(links)] for x in X for y in X}
)
metric_of_steps = lambda X, links: is_metric_table(
    X, {(x, y): walk_length(both, x, y) for both in [links | flipped_links(links)] for x in X for y in X}
)

_A4_1 = ("dissertation, section A.4 with Definition A.4.1", "slides, Extending neighbour divergences to metrics on")

state("sharpening.metric", *_A4_1)(
    """A premetric d_r built from a relation r as in (A.2) can be sharpened to a metric d_r* as follows. Here d_r*(x,
    x') is defined as the length of a shortest path between x and x' in the graph on X with edges given by r""",
    every(graphs, metric_of_steps),
    mutant("d_r for d_r*", metric_of_one_step),
    reading="""the graph of a relation is not directed, other than the 'weighted and directed' one of a premetric; a
    metric has values in [0, oo]. For a symmetric r, as all four are, it is the same""",
)

state("sharpening.iff-metric", "dissertation, section A.4")(
    """Under mild assumptions, we have that M(X, {X}, d_r, D_Pr, eps) = M(X, {X}, d_r*, D_Pr, eps), if and only if D_Pr
    is a metric (Bailie et al., 2025a).""",
    unsettled("the mild assumptions are not stated; without any it is false, at D_Pr = 0"),
)

_STEPS = (1, 2, 4)
sharpens_all = lambda D, L: sharpens_in_a_row(D, L, product(_STEPS, _STEPS))
sharpens_neighbors = lambda D, L: sharpens_in_a_row(D, L, [(a, a) for a in _STEPS])
_premetric = lambda a, b, c: ({(0, 1): a, (1, 2): b, (0, 2): c, (1, 0): a, (2, 1): b, (2, 0): c}, (0, 1, 2))
three_laws = cases("all symmetric premetrics D on three laws with the values 1, 2, 4; three data sets in a row", "D L")(
    lambda: (_premetric(*values) for values in product((1, 2, 4), repeat=3))
)
no_metrics = cases(
    "two premetrics D on three laws: 0, and one with the values 1, 2, 4; three data sets in a row", "D L"
)(lambda: iter((_premetric(0, 0, 0), _premetric(1, 2, 4))))

triangular_to_twice = lambda D, L: (
    sharpens_neighbors(D, L) == all(D[p, r] <= 2 * max(D[p, q], D[q, r]) for p, q, r in permutations(L))
)

own("sharpening.iff-triangular", "dissertation, section A.4")(
    """M(X, {X}, d_X, D_Pr, eps) = M(X, {X}, d_X*, D_Pr, eps) for all X, d_X and eps iff D_Pr satisfies the triangle
    inequality; for all d_X = d_r iff D_Pr(P_0, P_n) <= n eps whenever D_Pr(P_m, P_m+1) <= eps for all m < n.""",
    every(three_laws, lambda D, L: sharpens_all(D, L) == triangular_premetric(D, L)),
    mutant(
        "the triangle inequality for all d_X = d_r too",
        lambda D, L: sharpens_neighbors(D, L) == triangular_premetric(D, L),
    ),
    every(three_laws, triangular_to_twice),
    theorem("sharpening.sharpening_iff_triangular", "sharpening.neighbor_sharpening_iff"),
    repairs="sharpening.iff-metric",
)

no_metric = lambda L, D: not is_metric_table(L, {(p, q): get(D, (p, q), 0) for p in L for q in L})

own("sharpening.iff-metric.unassumed", "dissertation, section A.4")(
    """Without assumptions, M(X, {X}, d_r, D_Pr, eps) = M(X, {X}, d_r*, D_Pr, eps) for all X, r and eps does not make
    D_Pr a metric: it holds for D_Pr = 0, and for a symmetric D_Pr that is 0 between equal laws only and does not
    satisfy the triangle inequality.""",
    every(no_metrics, lambda D, L: sharpens_neighbors(D, L) and no_metric(L, D)),
    mutant("for all d_X", lambda D, L: sharpens_all(D, L) and no_metric(L, D)),
    theorem("sharpening.sharpening_metric_refuted", "sharpening.sharpening_triangle_refuted"),
)

_PURE, _APPROXIMATE, _VARIATION = Multiplicative(), ApproximateMultiplicative(Fraction(1, 4)), TotalVariation()
_WITHIN: Mapping[OutputPremetric, tuple[Any, str]] = {
    _PURE: (Loss(Fraction(2)), "D_Mult"),
    _APPROXIMATE: (Loss(Fraction(2)), "D_Mult^(1/4)"),
    _VARIATION: (Fraction(1, 4), "D_TV"),
}
"""The budget tried for an output premetric, and what `within_steps` calls it."""

within_steps = lambda measure, p, q, n: (
    multiplicative(p, q) <= 2**n
    if measure == "D_Mult"
    else close_within(p, q, 2**n, 1 / 4)
    if measure == "D_Mult^(1/4)"
    else total_variation(p, q) <= n / 4
    if measure == "D_TV"
    else likelihood_ratio(p, q) <= 2**n
)
within_along = lambda measure, P, links: all(
    within_steps(measure, P[x], P[y], walk_length(links, x, y)) for x in P for y in P if walk_length(links, x, y) < oo
)
within_steps_of = lambda measure, P, links: all(within_steps(measure, P[x], P[y], 1) for x, y in links)
_by_walks = lambda *measures: cases(
    f"all symmetric relations on three data sets, {{X}}; {' and '.join(m.name for m in measures)}; all mechanisms; "
    "eps = ln 2, for D_TV 1/4",
    "measure links",
)(lambda: product(measures, _relations(3, True)))


def sharpened(measure: OutputPremetric, links: Any) -> Witness | None:
    """M(X, {X}, d_r, D_Pr, eps) = M(X, {X}, d_r*, D_Pr, eps)."""
    (domain, d), (budget, name) = (domain_of(3), explicit(dict.fromkeys(links, 1), "unit")), _WITHIN[measure]
    flavors = (Flavor(domain, vacuous(domain), one, measure) for one in (d, sharpen(d, domain)))
    mechanism = separating(*(Specification.constant(flavor, budget) for flavor in flavors))
    if mechanism is None:
        return None
    return failure(
        lambda P, links: within_steps_of(name, P, links) == within_along(name, P, links), P=mechanism, links=links
    )


directed = cases(
    f"all relations on three data sets, {{X}}; D(P||Q), eps = ln 2; mechanisms of {len(LAWS)} laws", "links places"
)(lambda: product(_relations(3, False), product(range(len(LAWS)), repeat=3)))

# the least Q(t)/P(t), which is e^-D for the one-sided max-divergence D(P||Q), 0 where it is oo; the walks of a relation
_divergence = cache(lambda i, j: min(LAWS[j].numeric(t) / LAWS[i].numeric(t) for t in LAWS[i]))
_sharpened = cache(lambda links: sharpen(explicit(dict.fromkeys(links, 1), "unit"), domain_of(3)))
_lengths = cache(
    lambda links: {pair: n for pair in permutations(range(3), 2) if (n := _sharpened(links)(*pair)) is not None}
)


def along_walks(links: Any, places: tuple[int, ...], *, flipped: bool) -> Witness | None:
    """A bound of max-divergence along a relation is the bound along its walks in their direction."""
    walked = _lengths(frozenset({*links, *((y, x) for x, y in links)}) if flipped else links)
    one, other = (
        all(_divergence(places[x], places[y]) * 2**n >= 1 for (x, y), n in lengths.items())
        for lengths in (dict.fromkeys(links, 1), walked)
    )
    says = lambda P, links: (
        within_steps_of("D(P||Q)", P, links)
        == within_along("D(P||Q)", P, links | flipped_links(links) if flipped else links)
    )
    return settled(one == other, says, lambda: {"P": {x: LAWS[i] for x, i in enumerate(places)}, "links": links})


_TRIANGULAR = [every(_by_walks(_PURE, _VARIATION), sharpened), every(directed, along_walks, flipped=False)]
_NO_TRIANGLE = every(_by_walks(_APPROXIMATE), sharpened)
_FLIPPED = every(directed, along_walks, flipped=True)

own("sharpening.triangle", "dissertation, section A.4")(
    """If D_Pr satisfies the triangle inequality, M(X, {X}, d_r, D_Pr, eps) = M(X, {X}, d_r*, D_Pr, eps), whether D_Pr
    is a metric or not, where d_r* is the length of a shortest path along the direction of r; for a symmetric r a path
    may go either way.""",
    *_TRIANGULAR,
    theorem("sharpening.sharpening_triangular", "neighbors.shortest_walk_sharpening"),
    theorem("pure.pure_sharpening", within="D_Mult of laws on finite sets, eps < oo"),
    mutant("D_Mult^(1/4), which has no triangle inequality", _NO_TRIANGLE),
    mutant("paths along the edges either way", _FLIPPED),
    repairs="sharpening.iff-metric",
)

_deltas = lambda *listed: cases(
    f"delta = {', '.join(map(str, listed))}; three data sets in a row, eps = ln 2; coins in eighths", "delta"
)(lambda: listed)
_EIGHTH = Fraction(1, 8)
coins_separate = lambda delta: any(
    close_within(coin_of(a / 8), coin_of(b / 8), 2, delta)
    and close_within(coin_of(b / 8), coin_of(0), 2, delta)
    and not close_within(coin_of(a / 8), coin_of(0), 4, delta)
    for a, b in product(range(9), range(9))
)

own("sharpening.triangle.approximate", "dissertation, section A.4")(
    """For D_Mult^delta with 0 < delta < 1, which does not satisfy the triangle inequality, M(X, {X}, d_r, D_Pr, eps)
    and M(X, {X}, d_r*, D_Pr, eps) differ for some X, r and eps.""",
    every(_deltas(_EIGHTH, Fraction(1, 4), Fraction(1, 2)), coins_separate),
    mutant("delta = 0 among them", _deltas(_EIGHTH, Fraction(0))),
)

state("group-privacy.iff-metric", "dissertation, section A.4")(
    """(Another corollary of this result is that group privacy with linear decrease in privacy loss is equivalent to
    D_Pr being a metric (Bailie et al., 2025a).)""",
    unsettled("'this result' is that of section A.4, whose mild assumptions are not stated"),
)

own("group-privacy.triangle", "dissertation, section A.4")(
    """If D_Pr satisfies the triangle inequality, D_Pr(P_x, P_x') <= eps whenever x r x' is equivalent to D_Pr(P_x,
    P_x') <= n eps for all x, x' that n steps join, each from an x to an x' with x r x', whether D_Pr is a metric or
    not.""",
    *_TRIANGULAR,
    theorem("neighbors.group_privacy"),
    mutant("D_Mult^(1/4), which has no triangle inequality", _NO_TRIANGLE),
    mutant("steps from x' to x with x r x' too", _FLIPPED),
    repairs="group-privacy.iff-metric",
)

_mechanisms = lambda scope, *points: cases(f"all mechanisms of 6 laws on {scope}", "P")(
    lambda: (dict(zip(points, laws, strict=True)) for laws in product(LAWS, repeat=len(points)))
)
all_pairs = _mechanisms("the data sets of two binary records", *ordered_data_sets((0, 1), (2,)))
far_pairs = _mechanisms("the universe {00, 11}", (0, 0), (1, 1))

# the largest loss between neighbors, times their distance, bounds the loss between any two data sets.
chained = lambda P: all(
    t == oo or r[x, y] <= t ** hamming_ordered(x, y)
    for r in [{(x, y): multiplicative(P[x], P[y]) for x in P for y in P}]
    for t in [max([1] + [r[u, v] for u, v in r if hamming_ordered(u, v) == 1])]
    for x, y in r
)

_CHAIN = tuple(f"dissertation, {place}" for place in ("section 2.4.4, (2.8)", "(2.8)", "section 2.2", "Example 6.2.3"))

state("group-privacy.chain", *_CHAIN)(
    """We can see that the factor 2 corresponds to k = 2, and the above derivation is easily replicated with general k
    in N. Hence when we adopt the Hamming distance for d_X, we see that (2.2) holds for all (legitimate) pairs, as long
    as we replace eps by d_X(x, x') eps""",
    every(all_pairs, chained),
    mutant("the data sets between need not be in the universe", far_pairs),
    theorem(
        "pure.pure_group_privacy",
        within="laws on finite sets, data sets joined by a walk of k neighbors inside the universe",
    ),
    reading="legitimate: the data sets between are in the universe, as assumed for x~",
)
