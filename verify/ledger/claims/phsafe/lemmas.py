"""The lemmas of PHSafe's paper: stable transformations, the vector mechanism, composition, postprocessing.

Data sets are multisets; |x - x'| of Definition 6 is their symmetric difference. A transformation is c-stable if it is
between neighbours, since any two multisets are joined by a path of neighbours as long as their symmetric difference.
"""

from fractions import Fraction
from itertools import combinations_with_replacement, product

from stirred.mechanisms.das.phsafe import Person, RaceEth, Unit, truncated, unique_units
from stirred.mechanisms.das.phsafe.algorithms import ORDERS
from stirred.mechanisms.das.phsafe.records import HouseholdStatus, Relationship, Tenure
from stirred.mechanisms.das.phsafe.tabulations import runs
from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.claims.zcdp.conversions import one_seed, processed, two_releases
from stirred.verify.ledger.claims.zcdp.divergences import divergence_sum, joint_law
from stirred.verify.ledger.words import mixed, symmetric_difference

# stability of what PHSafe does before its noise, and the lemmas on stable transformations

inner_join = lambda p, u: [(a, b) for a in p for b in u if a[0] == b[0]]
multiplicity = lambda x: max(sum(1 for b in x if b[0] == a[0]) for a in x)

# transformations of multisets of one kind of record: t[i] records for i records
least_stability = lambda t: max(abs(b - a) for a, b in zip(t, t[1:]))
loss_of_shift = lambda m, rho: m**2 * rho

_RACE = RaceEth(("A",))
_PERSONS = [Person("01", mafid, age, _RACE, Relationship.OTHER_RELATIVE) for mafid in (1, 2) for age in (5, 30, 70)]
_UNITS = [
    Unit("01", mafid, _RACE, tenure, HouseholdStatus.MALE_ALONE, is_family=False)
    for mafid in (1, 2)
    for tenure in (Tenure.MORTGAGE, Tenure.RENTED)
]

_multisets = lambda rows, most: (case for size in range(most + 1) for case in combinations_with_replacement(rows, size))
_shown = lambda person: f"MAFID {person.mafid}, age {person.age}"
_named = lambda unit: f"MAFID {unit.mafid}, {unit.tenure}"
_first_by_hash = lambda persons, tau: truncated(persons, tau, ORDERS["hash"])
_by_number_of_records = lambda persons, tau: truncated(persons, tau, lambda person: (-1) ** len(persons) * person.age)
_truncations = lambda truncation=_first_by_hash: cases(
    "up to 4 persons of three ages in two MAFIDs, one more added; tau = 1, 2, 3", "x y"
)(
    lambda: (
        ([_shown(p) for p in truncation(x, tau)], [_shown(p) for p in truncation((*x, one), tau)])
        for tau, x, one in product((1, 2, 3), _multisets(_PERSONS, 4), _PERSONS)
    )
)

state("phsafe.truncation.stable", "PHSafe, section 5.1 (proof of Lemma 6)")(
    """For the person dataframe, the truncation method in line 11 takes the first tau records of each household
    according to a predefined ordering over the universe of records. This truncation is known to be 2-stable [8] since
    the addition of one record can result in the new record being included in the truncated set and another record being
    removed.""",
    every(_truncations(), lambda x, y: symmetric_difference(x, y) <= 2),
    mutant("1-stable", lambda x, y: symmetric_difference(x, y) <= 1),
    mutant("an order that depends on the number of records", _truncations(_by_number_of_records)),
    theorem("stability.truncated_stable"),
)

# the MAFIDs of the rows that are left of persons and of units, with the threshold
_multiplicities = lambda truncation=_first_by_hash: cases(
    "up to 4 persons of three ages and 3 units in two MAFIDs; tau = 1, 2, 3", "x y tau"
)(
    lambda: (
        ([p.mafid for p in truncation(x, tau)], [u.mafid for u in unique_units(units)], tau)
        for tau, x, units in product((1, 2, 3), _multisets(_PERSONS, 4), _multisets(_UNITS, 3))
    )
)
occur_at_most = lambda x, most: all(sum(1 for b in x if b == a) <= most for a in x)

state("phsafe.join.multiplicity", "PHSafe, section 5.1 (proof of Lemma 6)")(
    """Due to truncation, the max multiplicity of the MAFIDs of the person and unit dataframes is bounded by tau and 1,
    respectively.""",
    every(_multiplicities(), lambda x, y, tau, less: occur_at_most(x, tau - less) and occur_at_most(y, 1), less=0),
    mutant("tau - 1", {"less": 1}),
    mutant("persons that are not truncated", _multiplicities(lambda rows, _: rows)),
)

# of units with one MAFID the first by its attributes is kept
_first_of_each = lambda units: tuple({unit.mafid: unit for unit in sorted(units, reverse=True)}.values())
_dropped = lambda unique=unique_units: cases("up to 4 units of two tenures with two MAFIDs, one more added", "x y")(
    lambda: (
        ([_named(unit) for unit in unique(x)], [_named(unit) for unit in unique((*x, one))])
        for x, one in product(_multisets(_UNITS, 4), _UNITS)
    )
)

state("phsafe.units.unique.stable", "PHSafe, section 5.1 (proof of Lemma 6)")(
    """For the unit dataframe, the truncation method in line 18 drops all records with non-unique MAFIDs. With respect
    to adding or removing a unit record from the unit dataframe, this is a 1-stable transformation.""",
    every(_dropped(), lambda x, y: symmetric_difference(x, y) <= 1),
    mutant("the first of them is kept", _dropped(_first_of_each)),
    theorem("stability.unique_stable"),
)

_SMALL = [("a", 1), ("a", 2), ("b", 1), ("b", 2)]
_LEFT, _RIGHT = list(_multisets(_SMALL, 2)), list(_multisets(_SMALL[:3], 2))
joins = cases(
    "left and right dataframes of up to 2 rows each, four and three kinds of them, two keys: all pairs of both",
    "p u q v",
)(lambda: product(_LEFT, _RIGHT, _LEFT, _RIGHT))

change_of_join = lambda p, u, q, v: symmetric_difference(inner_join(p, u), inner_join(q, v))
by_units = lambda p, q, u, v: max(multiplicity(p), multiplicity(q)) * symmetric_difference(u, v)
by_persons = lambda u, v, p, q: max(multiplicity(u), multiplicity(v)) * symmetric_difference(p, q)

state("phsafe.join.stability", "PHSafe, section 5.1 (proof of Lemma 6)")(
    """The total stability of the view, J, is bounded by the MAFID multiplicity of the person dataframe times the
    stability of the unit dataframe plus the MAFID multiplicity of the unit dataframe times the stability of the person
    dataframe. This together results in a total change of at most 2 tau + 2.""",
    every(joins, lambda p, u, q, v: change_of_join(p, u, q, v) <= by_units(p, q, u, v) + by_persons(u, v, p, q)),
    mutant("the first term alone", lambda p, u, q, v: change_of_join(p, u, q, v) <= by_units(p, q, u, v)),
    mutant(
        "the larger term for the sum",
        lambda p, u, q, v: change_of_join(p, u, q, v) <= max(by_units(p, q, u, v), by_persons(u, v, p, q)),
    ),
    theorem("joined.join_stable"),
    reading="the multiplicity is the largest one of both data sets",
)

# each run's filter of persons or units before and after a row is added; negated: also by the number of rows
_filtered = lambda *, negated=False: (
    ([_shown(p) for p in kept[0]], [_shown(p) for p in kept[1]])
    for run in runs().values()
    for x, one in product(_multisets(_PERSONS, 3), _PERSONS)
    for both in [(x, (*x, one))]
    for kept in [[[p for p in rows if run.person_condition(p) != (negated and len(rows) % 2 == 1)] for rows in both]]
)

filters = cases("the person filters of the nine runs, up to 3 persons of three ages, one more added", "x y")(_filtered)
counting_filters = cases("filters that depend on the number of rows", "x y")(lambda: _filtered(negated=True))

state("phsafe.filter.stable", "PHSafe, section 6.3 and proof of Theorem 2")(
    "Because filter transformations have a stability of one, the privacy analysis from Section 5 is unchanged.",
    every(filters, lambda x, y: symmetric_difference(x, y) <= 1),
    mutant("0-stable", lambda x, y: symmetric_difference(x, y) <= 0),
    mutant("a filter that counts", counting_filters),
    theorem("stability.filter_stable"),
)

_MAPS = [dict(zip(("a", "b", "c"), image, strict=True)) for image in product(("1", "2", "none"), repeat=3)]
mapped = cases("all maps of 3 records to two cells or none, up to 3 records, one more added", "x y f")(
    lambda: ((list(x), [*x, one], f) for f, x, one in product(_MAPS, list(_multisets("abc", 3)), "abc"))
)

state("phsafe.mappings.stable", "PHSafe, Table 9")(
    """g_i A 1-stable mapping of records to the population group in P_i to which the record belongs. f A 1-stable
    mapping of records to a set of table basis cells.""",
    every(mapped, lambda x, y, f: symmetric_difference([f[a] for a in x], [f[a] for a in y]) <= 1),
    mutant(
        "a record in two groups of a level",
        lambda x, y, f: (
            symmetric_difference([f[a] for a in x for _ in range(2)], [f[a] for a in y for _ in range(2)]) <= 1
        ),
    ),
    theorem("stability.map_stable"),
    reading="""each record goes to one group, or to one cell, by itself alone (section 3.2: "at most one population
    group", "exactly one basis table cell")""",
)

_TABLES = list(product(range(4), repeat=4))
transformations = cases("all pairs of maps between multisets of up to 3 records of one kind", "t g")(
    lambda: product(_TABLES, repeat=2)
)

stability_of_composition = lambda g, t: least_stability([g[i] for i in t])

state("phsafe.stability.composition", "PHSafe, Lemma 1")(
    """Let T : X -> Y be a b-stable transformation and G : Y -> Z be a c-stable transformation. Then G o T : X -> Z is a
    bc-stable transformation.""",
    every(transformations, lambda t, g: stability_of_composition(g, t) <= least_stability(t) * least_stability(g)),
    mutant("max(b, c)", lambda t, g: stability_of_composition(g, t) <= max(least_stability(t), least_stability(g))),
    theorem("stability.stable_comp"),
)

RHOS = tuple(map(Fraction, ("1/50", "1", "3")))
stable_counts = cases(
    "all maps between multisets of up to 3 records of one kind, their number with discrete Gaussian noise: rho = "
    "1/50, 1, 3",
    "t rho",
)(lambda: product(_TABLES, RHOS))

largest_loss = lambda rho, t: max(loss_of_shift(b - a, rho) for a, b in zip(t, t[1:]))

state("phsafe.stability.mechanism", "PHSafe, Lemma 2")(
    """Let T : X -> Y be a b-stable transformation. Let M : Y -> Z be a rho-zCDP mechanism. Then M o T : X -> Z is a b^2
    rho-zCDP mechanism.""",
    every(stable_counts, lambda t, rho: largest_loss(rho, t) <= least_stability(t) ** 2 * rho),
    mutant("b rho", lambda t, rho: largest_loss(rho, t) <= least_stability(t) * rho),
    theorem("nor_metric.nor_chain", within="discrete laws; a chain of b steps in Y"),
    reading="""Y has every multiset of its tuples, as Definition 1 has it, so that b steps between neighbours lead from
    T(x) to T(x')""",
)

replaced = cases("multisets of up to 4 records of three kinds, one of them replaced", "x y z")(
    lambda: (
        (list(x), [*kept, new], kept)
        for x in _multisets("abc", 4)
        for i, new in product(range(len(x)), "abc")
        for kept in [[*x[:i], *x[i + 1 :]]]
    )
)

# a count that adds records of one kind and subtracts the others
signed_count = lambda x: sum(1 if a == "a" else -1 for a in x)

state("phsafe.bounded.steps", "PHSafe, section 5.3 (proofs of Theorems 3 and 4)")(
    """When analyzing under bounded zCDP, it is sufficient to consider the deletion of a single individual's record and
    the addition of another arbitrary record.""",
    every(
        replaced,
        lambda x, y, z: symmetric_difference(x, z) == 1 and symmetric_difference(z, y) == 1 and len(z) < len(x),
    ),
    mutant(
        "with one record more",
        lambda x, y, z: symmetric_difference(x, z) == 1 and symmetric_difference(z, y) == 1 and len(z) > len(x),
    ),
    reading="bounded neighbours have a common neighbour with one record less (Definitions 1 and 2)",
)

state("phsafe.bounded.factor", "PHSafe, section 5.3")(
    "… all unbounded rho-zCDP mechanisms also satisfy bounded 4 rho-zCDP …",
    every(replaced, lambda x, y: (signed_count(x) - signed_count(y)) ** 2 <= 4),
    mutant("2 rho", lambda x, y: (signed_count(x) - signed_count(y)) ** 2 <= 2),
    theorem("nor_metric.nor_chain", within="discrete laws; two steps"),
    reading="on all multisets of records",
)

# the lemmas of PHSafe's paper on zCDP: the vector mechanism, composition, postprocessing

_VECTOR = "PHSafe, Lemma 3"
real_queries = cases("n = 1, q(x) = 0 and q(x') = 1/2: what is released, up to 20 away", "t")(lambda: [Fraction(1, 2)])

state("phsafe.gaussian.printed", _VECTOR)(
    """Let q : X -> R^n. Let s be such that ||q(x) - q(x')||_2 <= s for all neighboring x, x'. Let Delta > 0. Then
    VectorDiscreteGaussian(q(x), rho, Delta) from Algorithm 5 satisfies s^2 rho/Delta^2-zCDP as a function of x.""",
    every(real_queries, lambda t: {x + t for x in range(-20, 21)} <= set(range(-21, 22))),
    reading="finite divergences need common outcomes; noise on the integers moves q(x) by integers",
    grade=incomplete("q has integer values, as V in Algorithm 5 and q in Definition 7"),
    refuted_by=["discrete_gaussian.shifted_gaussian_infinite"],
)

vectors = cases("differences q(x) - q(x') in {-2, ..., 2}^3; rho = 1/50, 1, 3 and Delta = 1, 2, 3", "d rho delta")(
    lambda: product(list(product(range(-2, 3), repeat=3)), RHOS, (1, 2, 3))
)

is_loss_at = lambda d, rho, delta, variance: (
    sum(c**2 for c in d) / (2 * variance) == sum(c**2 for c in d) * rho / delta**2
)

own("phsafe.gaussian.vector", _VECTOR)(
    """Lemma 3 holds for q : X -> Z^n: sigma^2 = Delta^2/(2 rho) makes the loss of a pair exactly ||q(x) - q(x')||^2
    rho/Delta^2.""",
    every(vectors, lambda d, rho, delta: is_loss_at(d, rho, delta, delta**2 / (2 * rho))),
    mutant("sigma for sigma^2", lambda d, rho, delta: is_loss_at(d, rho, delta, delta / (2 * rho))),
    theorem("discrete_gaussian.diagonal_gaussian_nor"),
    repairs="phsafe.gaussian.printed",
)

divergence_of_both = lambda p, r, q, s, a: divergence_sum(joint_law(p, r), joint_law(q, s), a)

state("phsafe.composition", "PHSafe, Lemma 4")(
    """(Sequential composition of zCDP [4]) Let M_1 : X -> Y and M_2 : X -> Z be mechanisms satisfying rho_1-zCDP and
    rho_2-zCDP respectively. Let M_3(x) = (M_1(x), M_2(x)). Then M_3 satisfies (rho_1 + rho_2)-zCDP.""",
    every(
        two_releases,
        lambda a, p, q, r, s: divergence_of_both(p, r, q, s, a) <= divergence_sum(p, q, a) * divergence_sum(r, s, a),
    ),
    mutant(
        "max(rho_1, rho_2)",
        lambda a, p, q, r, s: (
            divergence_of_both(p, r, q, s, a) <= max(divergence_sum(p, q, a), divergence_sum(r, s, a))
        ),
    ),
    theorem("normalized_renyi.zcdp_composition", within="discrete laws on outcomes with decidable equality"),
    mutant(
        "one seed for both",
        every(
            one_seed,
            lambda a, r: (
                divergence_sum({(t, t): r[t] for t in r}, {(1 - t, t): r[t] for t in r}, a)
                <= divergence_sum(r, {1 - t: r[t] for t in r}, a) * divergence_sum(r, r, a)
            ),
        ),
    ),
    reading="M_1 and M_2 have random numbers of their own, as two algorithms have",
)

divergence_after = lambda p, q, k, a: divergence_sum(mixed(p, k), mixed(q, k), a)

state("phsafe.postprocessing", "PHSafe, Lemma 5")(
    """(Postprocessing for zCDP [4]) Let M : X -> Y and f : Y -> Z be randomized algorithms. Suppose M satisfies
    rho-zCDP. Then f o M : X -> Z satisfies rho-zCDP.""",
    every(processed, lambda p, q, k, a, more: divergence_after(p, q, k, a + more) <= divergence_sum(p, q, a), more=0),
    mutant("order a + 1 after processing", {"more": 1}),
    theorem("nor_processing.zcdp_processing", within="discrete laws"),
)
