"""Supports of laws on a topological space, and under the discrete topology: the dissertation's Appendix C.1."""

from fractions import Fraction
from itertools import combinations, product

from stirred.verify.ledger import argued, cases, every, incomplete, mutant, own, some, state, theorem
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, subsets
from stirred.verify.ledger.words import probability

# supports of laws on a topological space: the dissertation's Appendix C.1

# of a law p on three points, by the closed sets of the space
is_sure = lambda p, c: probability(p, c) == 1
closed_support = lambda p, closed: {x for x in range(3) if all(x in c for c in closed if is_sure(p, c))}

_PROPER = [frozenset(c) for size in (1, 2) for c in combinations(range(3), size)]
spaces = cases("all 29 topologies on three points, all laws in thirds", "closed p")(
    lambda: (
        (closed, law)
        for count in range(len(_PROPER) + 1)
        for chosen in combinations(_PROPER, count)
        for closed in [{frozenset(), frozenset(range(3)), *chosen}]
        if all(a & b in closed and a | b in closed for a in closed for b in closed)
        for law in laws_of(3, 3)
    )
)

outside_some_is_0 = lambda closed, p: (
    probability(p, {x for x in range(3) if any(x not in c for c in closed if probability(p, c) > 0)}) == 0
)

state("supports.outside", "dissertation, (C.1)", "dissertation, (C.2)")(
    """Denote the support of P_theta by supp(P_theta) = (the intersection of) {S subset X closed and Borel measurable |
    P_theta(S) = 1}. … We assume that (X, tau_X) and (T, tau_T) are second countable … to ensure that P_theta(E_1) =
    P_x(E_2) = 0, for any measurable E_1 subset supp(P_theta)^c and E_2 subset supp(P_x)^c.""",
    every(spaces, lambda closed, p: probability(p, set(range(3)) - closed_support(p, closed)) == 0),
    mutant("the points of positive probability", lambda closed, p: closed_support(p, closed) == set(p)),
    mutant("closed sets of probability above 0", outside_some_is_0),
    every(spaces, lambda closed, p: closed_support(p, closed) in closed),
    reading="on finite spaces, all of which are second countable; subsets of a set of probability 0 follow",
)

of_one_size = lambda s: all(len(x) == len(y) for x in s for y in s)
places_apart = lambda x, y: sum(1 for a, b in zip(x, y) if a != b)
times_in = lambda x, r: sum(1 for a in x if a == r)

# d_Ham of the unordered records of two data sets of one size, and d_triangle, of records 0 and 1
records_apart = lambda x, y: abs(times_in(x, 0) - times_in(y, 0))
records_alone = lambda x, y: sum(abs(times_in(x, r) - times_in(y, r)) for r in (0, 1))
most_records = lambda s: max(len(x) for x in s)

plausible_sets = cases(
    "all sets of one to three data sets of at most two bits, and all of two data sets of at most three", "s"
)(
    lambda: (
        case
        for longest, most in ((2, 3), (3, 2))
        for points in [[x for size in range(longest + 1) for x in product((0, 1), repeat=size)]]
        for case in (frozenset(s) for count in range(1, most + 1) for s in combinations(points, count))
    )
)

alone = lambda s, most: all(records_alone(x, y) <= most for x in s for y in s)

state("supports.reach", "dissertation, section 5.4, after Theorem 5.4.1")(
    """the analyst may have an upper bound b on the number of records |X|. (Provided that supp(x | t_0, theta) is
    connected - a weak assumption, as explained in Remark 5.4.2 - this would imply d_* <= b for typical choices of d.) …
    in local DP (or bounded DP more generally), the number of records |t| is invariant; this restricts supp(x | t_0,
    theta) to data x satisfying |x| = |t_0|, which would typically imply d_* <= |t_0|.""",
    every(plausible_sets, lambda s: alone(s, most_records(s))),
    reading="""the typical choices are the 'two common choices' of section 5.2, the Hamming distance and the symmetric
    difference; d_* is from any x_* that is plausible, as in Theorem 5.4.1; in the symmetric difference all data sets
    are connected. (That t has as many records as x is so of local mechanisms that release one answer for each record,
    Example 5.4.4, and not of bounded DP: the count of Example 5.4.3 has supp(P_x) = R for all x)""",
    grade=incomplete("that d is a Hamming distance; data sets of b records that share none are 2b apart in d_triangle"),
)

places_within = lambda s, less: (
    not of_one_size(s) or all(places_apart(x, y) <= most_records(s) - less for x in s for y in s)
)
records_within = lambda s, less: (
    not of_one_size(s) or all(records_apart(x, y) <= most_records(s) - less for x in s for y in s)
)

own("supports.reach.hamming", "dissertation, section 5.4, after Theorem 5.4.1")(
    """For the Hamming distance, of ordered or of unordered records, connected data sets have one size and are at most
    as many records apart: d_* <= b; so too where t has as many records as x, and d_* <= |t_0|.""",
    theorem("plausible_reach.reach_hamming", within="finitely many kinds of records"),
    every(plausible_sets, places_within, less=0),
    every(plausible_sets, records_within, less=0),
    mutant("b - 1", {"less": 1}),
    repairs="supports.reach",
)

own("supports.reach.symmetric", "dissertation, section 5.4, after Theorem 5.4.1")(
    """For the symmetric difference d_* is at most 2b, and it is 2b between two data sets of b records that share none;
    from x_* = the empty data set it is at most b.""",
    theorem("plausible_reach.reach_symmetric"),
    every(plausible_sets, lambda s: alone(s, 2 * most_records(s))),
    mutant("b for 2b", lambda s: alone(s, most_records(s))),
    some(plausible_sets, lambda s: any(records_alone(x, y) == 2 * most_records(s) > 0 for x in s for y in s)),
    every(plausible_sets, lambda s: all(records_alone(x, ()) <= most_records(s) for x in s)),
)

# the support of a law under the discrete topology, where every set is closed: its atoms

support_by = lambda p, sets, T, least: {t for t in T if all(t in s for s in sets if probability(p, s) >= least)}

with_atoms = cases(
    "laws on the uncountable X = [0, 1]: atoms of these masses, the rest of the mass uniform; the points 0, 1/2, 1",
    "atoms x",
)(
    lambda: (
        (atoms, x)
        for atoms, x in product(
            ({Fraction(0): Fraction(1)}, {Fraction(1, 2): Fraction(1, 3)}, {}), map(Fraction, ("0", "1/2", "1"))
        )
    )
)

state("interval.support.discrete", "dissertation, section C.1, footnote 1")(
    """If X is uncountable, then P_theta({x}) = 0. Yet {x}^c is closed under the discrete topology, and hence x not in
    supp(P_theta). This argument applies for all x in X; thus supp(P_theta) = empty.""",
    every(with_atoms, lambda atoms, x: get(atoms, x, 0) == 0),
    reading="of every law P_theta on an uncountable X; its atoms are the case",
    grade=incomplete("that P_theta has no atoms: an uncountable X does not keep a law from sitting on one point"),
)

own("interval.support.discrete.repaired", "dissertation, section C.1, footnote 1")(
    """Under the discrete topology the intersection of all sets of probability 1 is the set of points of positive
    probability: empty iff there are none.""",
    every(
        cases("all laws in sixths on three outcomes under the discrete topology", "p")(lambda: laws_of(3, 6)),
        lambda p: support_by(p, subsets(set(range(3))), set(range(3)), 1) == {t for t in p if p[t] > 0},
    ),
    mutant(
        "of probability 2/3",
        lambda p: support_by(p, subsets(set(range(3))), set(range(3)), 2 / 3) == {t for t in p if p[t] > 0},
    ),
    argued(
        "all sets X whose one-point sets are events",
        proof="The complement of {x} is closed, and has probability 1 iff x is no atom; an atom is in each set of "
        "probability 1.",
    ),
    repairs="interval.support.discrete",
)

of_hours = cases("any two data sets of one to three persons who work 40, 20 or no hours", "x y")(
    lambda: combinations([x for size in (1, 2, 3) for x in product((40, 20, 0), repeat=size)], 2)
)
entry = lambda x, i: x[i] if i < len(x) else 0
one_image = lambda x, y: all(entry(x, i) == entry(y, i) for i in range(3))

state("supports.example", "dissertation, section C.1")(
    """A standard example would be X = (the union over n in N of) R^n (i.e. the universe of datasets with a finite
    number of real-valued records) with the topology induced by the map X -> R^N, x -> (x, 0, 0, ...), when R^N is
    equipped with the product Euclidean topology.""",
    every(of_hours, lambda x, y: not one_image(x, y)),
    reading="""an example of chapter 5, where data sets of different sizes differ: its events, which the topology
    generates, tell any two data sets apart, as the number of records in Example 5.4.3 does. Data sets of one image are
    in the same open sets, so in the same events""",
    grade=incomplete("that the number of records stands before them, or that no data set ends in a record 0"),
)

own("supports.example.numbered", "dissertation, section C.1")(
    """With the topology induced by x -> (|x|, x, 0, 0, ...) no two data sets have one image: the topology is that of a
    subspace of R^N, so second countable, and the number of records is an event's.""",
    every(of_hours, lambda x, y: len(x) != len(y) or not one_image(x, y)),
    mutant("up to the order of records", lambda x, y: len(x) != len(y) or sum(x) != sum(y)),
    argued(
        "all data sets of finitely many real records",
        proof="x is the first |x| entries behind the number; subspaces of R^N have countable bases.",
    ),
    repairs="supports.example",
)
