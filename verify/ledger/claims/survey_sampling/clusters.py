"""What designs of clusters amplify: taken whole, systematically, or some units of each."""

from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.allocation import fixed
from stirred.mechanisms.surveys.designs import (
    Order,
    cluster_sample,
    random_order,
    simple_random_sample,
    stratified_sample,
    systematic_sample,
    unit_order,
)
from stirred.spec.surveys.unit_data import UnitData, unit_data, units
from stirred.verify.engines.surveys.design_loss import Design, Frames
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, incomplete, mutant, own, state
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing
from stirred.verify.ledger.claims.survey_sampling.words import (
    BULLETS,
    at_most_replaced,
    attained_replaced,
    bound_by_replaced,
    laws_of,
    worst_releases,
)
from stirred.verify.ledger.language_names import exp, floor, ln
from stirred.verify.ledger.words import same_law

# what designs of clusters amplify: clusters taken whole, and systematic samples, which are clusters

# m units in each cluster, f the share of the clusters
of_clusters = lambda f, m, gamma: all_or_nothing(f, gamma**m) / all_or_nothing(f, gamma ** (m - 1))


def in_clusters(clusters: int, size: int) -> Frames:
    """Records (cluster, value); the value of the first unit differs."""
    places = [(unit, unit // size) for unit in range(clusters * size)]
    first, second = ({u: (c, value if u == 0 else "z") for u, c in places} for value in "ab")
    return unit_data(first), unit_data(second)


def by_cluster(record: Any) -> Any:
    """The cluster of a unit with this record."""
    return record[0]


_clusters = lambda number: lambda frame, source: cluster_sample(frame, source, cluster=by_cluster, number=number)

_SHAPES = ((2, 1, 1), (2, 2, 1), (2, 3, 1), (2, 4, 1), (3, 2, 1), (3, 2, 2), (3, 3, 1), (4, 2, 2))

cluster_samples = worst_releases(
    "all units of 1 of 2 clusters of 1 to 4 units, of 1 and 2 of 3 clusters of 2, of 1 of 3 clusters of 3, of 2 of 4 "
    "clusters of 2, a record replaced",
    "f m",
    lambda: (
        (laws_of(_clusters(number), in_clusters(clusters, size)), (Fraction(number, clusters), size))
        for clusters, size, number in _SHAPES
    ),
)

at_rate_of_clusters = lambda p, q, g, gamma, f: attained_replaced(p, q, g, all_or_nothing(f, gamma), gamma)

own("survey.sampling.cluster.sharp", *BULLETS)(
    """For a simple random sample of a share f of clusters of m units each, taken whole, the smallest epsilon' is log([1
    + f(e^(m epsilon) - 1)]/[1 + f(e^((m - 1) epsilon) - 1)]): that of Theorem 6.4.1 for m = 1, and below epsilon for
    every m where f < 1.""",
    every(cluster_samples, lambda p, q, y, gamma, f, m: bound_by_replaced(p, q, y, of_clusters(f, m, gamma), gamma)),
    mutant("m + 1 for m", lambda p, q, g, gamma, f, m: attained_replaced(p, q, g, of_clusters(f, m + 1, gamma), gamma)),
    mutant("the rate of the clusters alone", at_rate_of_clusters),
    every(cluster_samples, lambda p, q, g, gamma, f, m: attained_replaced(p, q, g, of_clusters(f, m, gamma), gamma)),
    every(cluster_samples, lambda gamma, f, m: of_clusters(f, m, gamma) < gamma),
)

COMMON_RATES = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2))
"""Shares of clusters, or of areas, that are drawn in practice."""

_budgeted = lambda scope, rates, sizes: cases(f"f = {scope}; epsilon = 1/2, 1, 2, 3", "f m epsilon")(
    lambda: product(rates, sizes, (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3)))
)
large_clusters = _budgeted("1/100, 1/10, 1/2; m = 15, 20, 50", COMMON_RATES, (15, 20, 50))
small_clusters = _budgeted("1/100, 1/10, 1/2; m = 2", COMMON_RATES, (2,))
rare_clusters = _budgeted("1/1000; m = 15, 20, 50", (Fraction(1, 1000),), (15, 20, 50))

negligible = lambda f, m, epsilon: ln(of_clusters(f, m, exp(epsilon))) >= 9 / 10 * epsilon

state("survey.sampling.cluster", "dissertation, section 6.4.1")(
    """Cluster sampling using simple random sampling without replacement to draw the clusters offers negligible
    amplification in practice except for small epsilon (less than 0.5) and very small cluster sizes (less than 15
    units).""",
    every(large_clusters, negligible, verdict=Verdict.ENCLOSED),
    mutant("clusters of 2", small_clusters),
    mutant("a rate of 1/1000", rare_clusters),
    reading="""negligible is less than a tenth of epsilon, practice a rate of 1/100 or more; neither exception holds at
    epsilon >= 0.5 with 15 units or more; by the smallest epsilon' there is, survey.sampling.cluster.sharp""",
)

growing = cases("f = 1/100, 1/10, 1/2; m = 1, ..., 20; e^epsilon = 11/10, 3/2, 2, 3, 10", "f m gamma")(
    lambda: product(COMMON_RATES, range(1, 21), (Fraction(11, 10), Fraction(3, 2), *map(Fraction, (2, 3, 10))))
)
smallest_exempt = cases("f = 1/100, 1/10, 1/2; m = 15; epsilon = 1/2", "f m epsilon")(
    lambda: product(COMMON_RATES, (15,), (Fraction(1, 2),))
)

state("survey.sampling.cluster.exceptions", "dissertation, section 7.3")(
    """Cluster sampling using simple random sampling without replacement to draw the clusters offers negligible
    amplification in practice except for small epsilon and very small cluster sizes.""",
    every(growing, lambda f, m, gamma: of_clusters(f, m + 1, gamma) > of_clusters(f, m, gamma)),
    mutant("smaller in larger clusters", lambda f, m, gamma: of_clusters(f, m + 1, gamma) < of_clusters(f, m, gamma)),
    mutant(
        "smaller for twice the epsilon", lambda f, m, gamma: of_clusters(f, m, gamma**2) < of_clusters(f, m, gamma) ** 2
    ),
    every(growing, lambda f, m, gamma: of_clusters(f, m, gamma**2) > of_clusters(f, m, gamma) ** 2),
    every(smallest_exempt, negligible, verdict=Verdict.ENCLOSED),
    reading="""epsilon'/epsilon is larger in larger clusters, and larger for twice the epsilon, so that what is
    negligible somewhere stays so: from epsilon = 0.5 and 15 units on, the numbers of section 6.4.1, at rates of 1/100
    or more; negligible as in survey.sampling.cluster""",
)

_units_drawn = lambda design, frame: exact_law(lambda data, source: frozenset(design(data, source)), frame)
_systematic = lambda step, order: lambda frame, source: systematic_sample(frame, source, step=step, order=order)
_simple = lambda number, step: lambda frame, source: simple_random_sample(frame, source, size=number // step)

_alike = lambda scope, order, other: cases(
    f"the units of 2 of 4 and of 6 units and 3 of 6: systematic in a {scope}", "p q"
)(
    lambda: (
        (_units_drawn(_systematic(step, order), frame), _units_drawn(other(number, step), frame))
        for number, step in ((4, 2), (6, 2), (6, 3))
        for frame in [unit_data({u: (u % step, "z") for u in range(number)})]
    )
)
random_or_simple = _alike("random order, simple random", random_order, _simple)
fixed_or_cluster = _alike("fixed order, one cluster of all", unit_order, lambda _, __: _clusters(1))
fixed_or_simple = _alike("fixed order, simple random", unit_order, _simple)

# every k-th of k n units in known regions of r, which divides k, in uniform order within each: given the start, every
# k/r-th region gives one unit, and other starts give samples at distance n
of_regions = lambda k, n, r, gamma: (gamma ** (n - 1) * (r - 1 + gamma) + k - r) / (gamma ** (n - 1) * r + k - r)


def _by_region(size: int) -> Order:
    def order(frame: UnitData, source: Source) -> tuple[Any, ...]:
        labels = units(frame)
        regions = [labels[start : start + size] for start in range(0, len(labels), size)]
        return tuple(region[place] for region in regions for place in source.permutation(len(region)))

    return order


_in_regions = lambda shapes: worst_releases(
    f"(units, step, units in a region) = {shapes}; in random order within each region, a record replaced",
    "k n r",
    lambda: (
        (laws_of(_systematic(step, _by_region(size)), in_clusters(1, number)), (step, number // step, size))
        for number, step, size in shapes
    ),
)
whole_regions = _in_regions(
    ((4, 2, 1), (6, 2, 1), (4, 2, 2), (6, 3, 3), (4, 4, 2), (8, 4, 2), (12, 4, 2), (12, 6, 2), (6, 6, 3))
)
any_regions = _in_regions(((6, 3, 2), (8, 4, 3), (6, 2, 3), (6, 2, 4), (6, 2, 6)))

as_lost_as_of_clusters = lambda p, q, y, gamma, k, n, r: (
    of_regions(k, n, r, gamma) >= of_clusters(1 / k, n, gamma)
    or not bound_by_replaced(p, q, y, of_regions(k, n, r, gamma), gamma)
)

state("survey.sampling.systematic", *BULLETS)(
    """Systematic sampling will only offer amplification if the ordering of the population is truly random. In all other
    cases, systematic sampling will suffer from the same effects as cluster sampling leading to no amplification
    (assuming the ordering is known to the attacker).""",
    every(_in_regions(((8, 4, 2),)), as_lost_as_of_clusters),
    reading="""the step divides N; truly random: uniform; in any other order as much is lost as where one of N/n
    clusters of n units is drawn. A list sorted by region is in no uniform order, and not known unit by unit: y bounds
    what is lost by every fourth of a list of dwellings sorted by house, two in each in random order""",
    grade=incomplete(
        "that the order is known unit by unit, as the parenthesis has it of the second sentence: of regions of r units "
        "that are known, r at most the step, with a random order in each, e^epsilon' is at most 1 + (e^epsilon - 1)/r, "
        "and with as many units as the step it is that of a simple random sample"
    ),
)

exactly_lost = lambda p, q, y, g, gamma, k, n, r: all(
    bound_by_replaced(p, q, y, e, gamma) and attained_replaced(p, q, g, e, gamma) for e in {of_regions(k, n, r, gamma)}
)
as_simple_sample = lambda p, q, g, gamma, k: at_most_replaced(p, q, g, all_or_nothing(1 / k, gamma), gamma)
at_ceiling = lambda p, q, y, gamma, k, r: bound_by_replaced(p, q, y, all_or_nothing(-floor(-r / k) / r, gamma), gamma)
at_rate_of_one_unit = lambda p, q, g, gamma, r: at_most_replaced(p, q, g, all_or_nothing(1 / r, gamma), gamma)

own("survey.sampling.systematic.regions", *BULLETS)(
    """A systematic sample in a uniform order is a simple random one; in a known order it is one of k clusters, k being
    the step. In a list of regions of r units, known to the attacker, in random order within each, the smallest
    e^epsilon' is at most 1 + (c/r)(e^epsilon - 1) for every size n, c being r/k rounded up. Where r divides k it is [r
    - 1 + e^epsilon + (k - r) e^(-(n-1) epsilon)]/[r + (k - r) e^(-(n-1) epsilon)]: that of clusters for r = 1, that of
    a simple random sample for r = k.""",
    every(random_or_simple, lambda p, q: same_law(p, q)),
    mutant("in a fixed order as in a random one", fixed_or_simple),
    every(fixed_or_cluster, lambda p, q: same_law(p, q)),
    every(whole_regions, exactly_lost),
    mutant("as a simple random sample", as_simple_sample),
    every(whole_regions, lambda k, n, r, gamma: of_regions(k, n, r, gamma) <= all_or_nothing(1 / r, gamma)),
    every(any_regions, at_ceiling),
    mutant("one unit of each region", at_rate_of_one_unit),
    repairs="survey.sampling.systematic",
    reading="""given the start, what is drawn of the record's region is a simple random sample of at most c of its r
    units, so that Theorem 6.4.1 bounds it; in cases by exact linear programs over all releases""",
)

# what designs of two stages amplify: clusters, and some units or households of each

# n units drawn at the rate r from each of the clusters that are drawn at the rate f
of_two_stages = lambda f, n, r, gamma: (
    all_or_nothing(f, gamma ** (n - 1) * all_or_nothing(r, gamma)) / all_or_nothing(f, gamma ** (n - 1))
)

# households of m persons, n of them drawn at the rate r from each of the areas that are drawn at the rate f
of_areas = lambda f, n, r, m, gamma: (
    all_or_nothing(f, gamma ** (m * (n - 1)) * all_or_nothing(r, gamma**m))
    / all_or_nothing(f, gamma ** (m * (n - 1)) * all_or_nothing(r, gamma ** (m - 1)))
)


def _two_stages(number: int, size: int) -> Design:
    def design(frame: UnitData, source: Source) -> tuple[Any, ...]:
        chosen = cluster_sample(frame, source, cluster=by_cluster, number=number)
        inside = tuple(pair for pair in frame if pair[0] in chosen)
        sizes = {record[0]: size for _, record in inside}
        return stratified_sample(inside, source, stratum=by_cluster, sizes=fixed(sizes))

    return design


two_stages = worst_releases(
    "1 of 2 units of each of 1 of 2, 1 of 3 and 2 of 3 clusters, 1 and 2 of 3 units of 1 of 2 clusters, a record "
    "replaced",
    "f n r",
    lambda: (
        (laws, (Fraction(number, clusters), inside, Fraction(inside, size)))
        for clusters, size, number, inside in ((2, 2, 1, 1), (3, 2, 1, 1), (2, 3, 1, 2), (2, 3, 1, 1), (3, 2, 2, 1))
        for laws in [laws_of(_two_stages(number, inside), in_clusters(clusters, size))]
    ),
)

own("survey.sampling.two-stage.sharp", *BULLETS)(
    """For simple random samples of n units, at the rate r, from each cluster of a simple random sample of a share f of
    the clusters, the smallest epsilon' is log([1 + f(e^((n - 1) epsilon) [1 + r(e^epsilon - 1)] - 1)]/[1 + f(e^((n - 1)
    epsilon) - 1)]): at the rate f r for n = 1.""",
    every(two_stages, lambda p, q, y, gamma, f, n, r: bound_by_replaced(p, q, y, of_two_stages(f, n, r, gamma), gamma)),
    mutant(
        "at the rate f r", lambda p, q, g, gamma, f, r: attained_replaced(p, q, g, all_or_nothing(f * r, gamma), gamma)
    ),
    every(two_stages, lambda p, q, g, gamma, f, n, r: attained_replaced(p, q, g, of_two_stages(f, n, r, gamma), gamma)),
)

last = lambda f, m, epsilon: (
    ln(of_two_stages(f, m, 1 / 10, exp(epsilon))) >= 9 / 10 * ln(all_or_nothing(1 / 10, exp(epsilon)))
)

state("survey.sampling.two-stage", "dissertation, section 6.4.1")(
    """In practice this implies that for the multi-stage sampling designs that typically start with (multiple stages of)
    stratified cluster sampling, amplification effects can generally only be expected from those stages at which
    individual units are selected (typically the last stage of selection).""",
    every(large_clusters, last, verdict=Verdict.ENCLOSED),
    mutant("2 units of a cluster", small_clusters),
    reading="""the clusters' stage takes off less than a tenth of what is left after the last stage, at the rate 1/10,
    where 15 units or more are drawn in a cluster, with rates and budgets as in survey.sampling.cluster""",
)


def _households(number: int) -> Design:
    """One area, and some households of it, with all their persons: records (area, household, value)."""

    def design(frame: UnitData, source: Source) -> tuple[Any, ...]:
        area = cluster_sample(frame, source, cluster=by_cluster, number=1)
        inside = tuple(pair for pair in frame if pair[0] in area)
        return cluster_sample(inside, source, cluster=lambda record: record[1], number=number)

    return design


def _of_persons(areas: int, households: int, size: int) -> Frames:
    """Areas of households of so many persons each, of whom the first has another value."""
    places = list(product(range(areas), range(households), range(size)))
    first, second = ({u: (a, h, value if u == 0 else "z") for u, (a, h, _) in enumerate(places)} for value in "ab")
    return unit_data(first), unit_data(second)


of_households = worst_releases(
    "1 of 2 households of 2 and of 3 persons in 1 of 2 areas, 1 of 2 households of 2 persons in 1 of 3 areas, 2 of 3 "
    "households of 2 persons in 1 of 2 areas, a person's record replaced",
    "f n r m",
    lambda: (
        (laws, (Fraction(1, areas), number, Fraction(number, households), size))
        for areas, households, number, size in ((2, 2, 1, 2), (3, 2, 1, 2), (2, 3, 2, 2), (2, 2, 1, 3))
        for laws in [laws_of(_households(number), _of_persons(areas, households, size))]
    ),
)
_staged = lambda numbers: cases(
    f"f = 1/100, 1/10, 1/2; n = {', '.join(map(str, numbers))}; m = 2, 3, 4; epsilon = 1/2, 1, 2, 3", "f n m epsilon"
)(lambda: product(COMMON_RATES, numbers, (2, 3, 4), (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3))))
several_households, one_household = _staged((8, 15)), _staged((1,))
of_few = cases("m = 1, 2, 3, 4; epsilon = 1/2", "m epsilon")(lambda: product(range(1, 5), (Fraction(1, 2),)))
of_many = cases("m = 15, 20, 50; epsilon = 1/2", "m epsilon")(lambda: product((15, 20, 50), (Fraction(1, 2),)))

left_after_clusters = lambda m, epsilon: ln(of_clusters(1 / 10, m, exp(epsilon)))
areas = lambda f, n, m, epsilon: ln(of_areas(f, n, 1 / 10, m, exp(epsilon))) >= 9 / 10 * left_after_clusters(m, epsilon)
bounded_of_areas = lambda p, q, y, gamma, f, n, r, m: bound_by_replaced(p, q, y, of_areas(f, n, r, m, gamma), gamma)
attained_of_areas = lambda p, q, g, gamma, f, n, r, m: attained_replaced(p, q, g, of_areas(f, n, r, m, gamma), gamma)
attained_of_persons = lambda p, q, g, gamma, f, n, r: attained_replaced(p, q, g, of_areas(f, n, r, 1, gamma), gamma)

state("survey.sampling.two-stage.households", "dissertation, section 7.3")(
    """In practice this implies that for many multistage sampling designs, which typically start with (multiple stages
    of) stratified cluster sampling, amplification effects can generally only be expected from those stages at which
    individual units or households are selected (typically the last stage of selection).""",
    every(of_households, bounded_of_areas),
    every(of_households, attained_of_areas),
    every(several_households, areas, verdict=Verdict.ENCLOSED),
    mutant("one household of an area", one_household),
    every(of_few, lambda m, epsilon: left_after_clusters(m, epsilon) <= 1 / 2 * epsilon, verdict=Verdict.ENCLOSED),
    mutant("households of 15 persons or more", of_many),
    mutant("as if single persons were drawn", every(of_households, attained_of_persons)),
    reading="""a person's record is replaced, and households of up to 4 persons are drawn whole at the rate 1/10: that
    stage takes off half of epsilon = 1/2 or more, as it would of single persons, and the stage of areas, in which 8
    households or more are drawn each, less than a tenth of what is left; rates and budgets as in
    survey.sampling.cluster""",
)
