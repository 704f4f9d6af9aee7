"""What designs of two stages amplify: clusters, and some units or households of each."""

from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.allocation import fixed
from stirred.mechanisms.surveys.designs import cluster_sample, stratified_sample
from stirred.spec.surveys.unit_data import UnitData, unit_data
from stirred.verify.engines.surveys.design_loss import Design, Frames
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, mutant, own, state
from stirred.verify.ledger.claims.survey_sampling.clusters import (
    COMMON_RATES,
    by_cluster,
    in_clusters,
    large_clusters,
    of_clusters,
    small_clusters,
)
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing
from stirred.verify.ledger.claims.survey_sampling.words import (
    BULLETS,
    attained_replaced,
    bound_by_replaced,
    laws_of,
    worst_releases,
)
from stirred.verify.ledger.language_names import exp, ln

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
_budgeted = lambda numbers: cases(
    f"f = 1/100, 1/10, 1/2; n = {', '.join(map(str, numbers))}; m = 2, 3, 4; epsilon = 1/2, 1, 2, 3",
    "f n m epsilon",
    lambda: product(COMMON_RATES, numbers, (2, 3, 4), (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3))),
)
several_households, one_household = _budgeted((8, 15)), _budgeted((1,))
of_few = cases("m = 1, 2, 3, 4; epsilon = 1/2", "m epsilon", lambda: product(range(1, 5), (Fraction(1, 2),)))
of_many = cases("m = 15, 20, 50; epsilon = 1/2", "m epsilon", lambda: product((15, 20, 50), (Fraction(1, 2),)))

left_after_clusters = lambda m, epsilon: ln(of_clusters(1 / 10, m, exp(epsilon)))
areas = lambda f, n, m, epsilon: ln(of_areas(f, n, 1 / 10, m, exp(epsilon))) >= 9 / 10 * left_after_clusters(m, epsilon)
last_stage = lambda m, epsilon: left_after_clusters(m, epsilon) <= 1 / 2 * epsilon
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
    every(of_few, last_stage, verdict=Verdict.ENCLOSED),
    mutant("households of 15 persons or more", of_many),
    mutant("as if single persons were drawn", every(of_households, attained_of_persons)),
    reading="""a person's record is replaced, and households of up to 4 persons are drawn whole at the rate 1/10: that
    stage takes off half of epsilon = 1/2 or more, as it would of single persons, and the stage of areas, in which 8
    households or more are drawn each, less than a tenth of what is left; rates and budgets as in
    survey.sampling.cluster""",
)
