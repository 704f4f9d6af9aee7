"""Inclusion probabilities: how those of clusters and of PPS samples change with a record; sections 6.4.3 and 7.4."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.surveys.designs import cluster_sample, pps_sample, simple_random_sample
from stirred.spec.surveys.unit_data import UnitData, unit_data
from stirred.verify.ledger import cases, every, incomplete, mutant, own, state

included_mass = lambda p, i: sum(p[s] for s in p if i in s)
same_inclusion = lambda p, r, kept: all(included_mass(p, i) == included_mass(r, i) for i in kept)
size_of_cluster = lambda f, c: sum(1 for d in f if d == c)


def _changed_frames(frame: UnitData) -> Iterator[UnitData]:
    """One unit less, one unit more, or one unit in another cluster."""
    for place, (unit, _) in enumerate(frame):
        yield frame[:place] + frame[place + 1 :]
        for cluster in range(3):
            yield (*frame[:place], (unit, cluster), *frame[place + 1 :])
    for cluster in range(3):
        yield (*frame, (len(frame), cluster))


def _neighboring(*, keeps_clusters: bool) -> Iterator[tuple[UnitData, UnitData]]:
    for size in (3, 4, 5):
        for frame in (
            unit_data(dict(enumerate(clusters)))
            for clusters in combinations_with_replacement(range(3), size)
            if len({*clusters}) == 3
        ):
            for other in _changed_frames(frame):
                if not keeps_clusters or len({cluster for _, cluster in other}) == 3:
                    yield frame, other


def _laws(design: str, *, keeps_clusters: bool) -> Iterator[tuple[Any, ...]]:
    for frame, other in _neighboring(keeps_clusters=keeps_clusters):
        kept = tuple(unit for unit, _ in frame if unit in dict(other))
        if design == "clusters":
            number = min(2, len({cluster for _, cluster in other}))
            p, r = (exact_law(cluster_sample, one, cluster=lambda c: c, number=number) for one in (frame, other))
        else:
            p, r = (exact_law(simple_random_sample, one, size=2) for one in (frame, other))
        yield p, r, kept


_CLUSTERED = "frames of three to five units in three clusters, two of which are drawn; one unit more, less or moved"
_neighbors_of = lambda scope, design, *, keeps_clusters: cases(
    scope, "p r kept", lambda: _laws(design, keeps_clusters=keeps_clusters)
)
kept_clusters = _neighbors_of(f"{_CLUSTERED}, no cluster becoming empty", "clusters", keeps_clusters=True)
lost_clusters = _neighbors_of(f"{_CLUSTERED}, clusters becoming empty too", "clusters", keeps_clusters=False)
no_clusters = _neighbors_of("the same frames, simple random samples of two units", "units", keeps_clusters=True)

state("survey.weights.clusters", "dissertation, section 6.4.3")(
    """… data dependence will be small for single stage cluster sampling designs especially if the clusters are selected
    using simple random sampling … For such a design, the probability of selection does not change over neighboring
    frames (as long as the definition of the clusters does not change).""",
    every(kept_clusters, lambda p, r, kept: same_inclusion(p, r, kept)),
    mutant("clusters that vanish", lost_clusters),
    mutant("units for clusters", no_clusters),
    reading="a cluster that becomes empty changes the definition",
)

cluster_sizes = cases(
    _CLUSTERED,
    "f g",
    lambda: (
        tuple(tuple(cluster for _, cluster in frame) for frame in pair) for pair in _neighboring(keeps_clusters=False)
    ),
)

one_cluster_changes = lambda f, g: sum(abs(size_of_cluster(f, c) - size_of_cluster(g, c)) for c in range(3)) <= 1

state("survey.weights.cluster-sizes", "dissertation, section 6.4.3")(
    """This will be less problematic if PPS sampling is used to select the clusters as the probability of selection
    will only depend on the size of the clusters and these sizes will only change by one record over neighboring
    databases.""",
    every(cluster_sizes, lambda f, g: all(abs(size_of_cluster(f, c) - size_of_cluster(g, c)) <= 1 for c in range(3))),
    mutant("one cluster changes", one_cluster_changes),
    reading="each size changes by one at most: one of them with a record added or removed, two with a record replaced",
)

pps_rate = lambda x, i, n: n * x[i] / (len(x) * (sum(x) / len(x)))
differ_once = lambda x, y: len(x) == len(y) and sum(1 for a, b in zip(x, y) if a != b) == 1

steep_sizes = cases(
    "sizes 1, m^2, 1 whose first or last one becomes m^4, or 2, for m = 3, …, 20; one unit is drawn",
    "m x y z",
    lambda: ((m, (1, m**2, 1), (1, m**2, m**4), (1, m**2, 2)) for m in range(3, 21)),
)

probability_collapses = lambda x, m, changed: (
    differ_once(x, changed) and pps_rate(x, 1, 1) > 1 - 1 / m and pps_rate(changed, 1, 1) < 1 / m
)

state("survey.pps.arbitrary", "dissertation, section 6.4.3")(
    """However, if PPS sampling is used to select individual units, the probabilities of selection can change
    arbitrarily over neighboring datasets.""",
    every(steep_sizes, lambda m, x, y: probability_collapses(x, m, y)),
    mutant("a size that changes by one", lambda m, x, z: probability_collapses(x, m, z)),
    reading="for every m some change of one record takes a probability from above 1 - 1/m to below 1/m",
)


@cases("four firms with 200, 30, 20 and 10 employees, or sizes 1 to 4 of three or four units; samples of two", "x n")
def all_sizes() -> Iterator[tuple[Any, ...]]:
    yield (200, 30, 20, 10), 2
    for units in (3, 4):
        yield from ((x, 2) for x in product(range(1, 5), repeat=units))


state("survey.pps.formula", "dissertation, section 7.4")(
    """For example, with sampling proportional to size (PPS), the ith record's probability of inclusion is given by pi_i
    = (n . x_i)/N . xbar, where x_i is the value for unit i of the measure-of-size variable X …, and xbar = sum_N x_i/N
    is the population mean of X.""",
    every(all_sizes, lambda x, n: all(pps_rate(x, i, n) <= 1 for i in range(len(x)))),
    reading="N xbar is the denominator",
    grade=incomplete(
        "n x_i <= N xbar for every unit: of four firms with 200, 30, 20 and 10 employees the first has "
        "400/260 for two draws; larger units are taken with certainty"
    ),
)

drawn_by_size = cases(
    "sizes 1 to 4 of three or four units, none above half of the total; samples of two by systematic PPS",
    "x n p",
    lambda: (
        (x, n, exact_law(pps_sample, unit_data(dict(enumerate(x))), measure=lambda size: size, size=n))
        for x, n in all_sizes
        if n * max(x) <= sum(x)
    ),
)

has_pps_rates = lambda p, x, n: all(included_mass(p, i) == pps_rate(x, i, n) for i in range(len(x)))

own("survey.pps.formula.repaired", "dissertation, section 7.4")(
    """If n x_i <= N xbar for every unit, a systematic PPS sample of n units includes unit i with probability n x_i/(N
    xbar).""",
    every(drawn_by_size, lambda x, n, p: has_pps_rates(p, x, n)),
    mutant("one draw", lambda x, p: has_pps_rates(p, x, 1)),
    repairs="survey.pps.formula",
)

one_size = cases(
    "sizes 1 to 3 of three or four units, one of which gets another size up to 4; samples of two; n x_i <= N xbar "
    "before and after",
    "x i v",
    lambda: (
        (x, i, v)
        for units in (3, 4)
        for x, i, v in product(product(range(1, 4), repeat=units), range(units), range(1, 5))
        for changed in [(*x[:i], v, *x[i + 1 :])]
        if v != x[i] and all(2 * max(sizes) <= sum(sizes) for sizes in (x, changed))
    ),
)

resized = lambda x, i, v: [v if j == i else a for j, a in enumerate(x)]
all_weights = lambda x, i, v: all(
    1 / pps_rate(x, j, 2) != 1 / pps_rate(resized(x, i, v), j, 2) for j in range(len(x)) if j != i
)

state("survey.pps.all-weights", "dissertation, section 7.4")(
    """Changing the value of X for a single record will change the probabilities of inclusion and thus the survey
    weights for all other records in the sampling frame.""",
    every(one_size, all_weights),
    mutant(
        "the weight of the record alone",
        lambda x, i, v: all(pps_rate(x, j, 2) == pps_rate(resized(x, i, v), j, 2) for j in range(len(x)) if j != i),
    ),
    reading="""where the formula of the sentence before has probabilities, n x_i <= N xbar, before and after: see
    survey.pps.formula""",
)
