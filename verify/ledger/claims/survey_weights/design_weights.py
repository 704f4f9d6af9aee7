"""Design weights: how they change with a record, when they may be treated as fixed: sections 6.4.3, 6.6 and 7.4."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.surveys.designs import (
    cluster_sample,
    pps_sample,
    select,
    simple_random_sample,
    systematic_sample,
)
from stirred.spec.surveys.unit_data import UnitData, unit_data
from stirred.verify.ledger import cases, every, incomplete, mutant, own, some, state
from stirred.verify.ledger.claims.survey_weights.words import (
    DESIGNS,
    Sample,
    drawn,
    frames_of,
    neighbors_of,
    one_weight,
    other_records,
    populations,
    weights_change_at_once,
    with_records,
)
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import multiplicative

# inclusion probabilities: how those of clusters and of PPS samples change with a record; sections 6.4.3 and 7.4

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
_neighbors_of = lambda scope, design, *, keeps_clusters: cases(scope, "p r kept")(
    lambda: _laws(design, keeps_clusters=keeps_clusters)
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

cluster_sizes = cases(_CLUSTERED, "f g")(
    lambda: (
        tuple(tuple(cluster for _, cluster in frame) for frame in pair) for pair in _neighboring(keeps_clusters=False)
    )
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
    "sizes 1, m^2, 1 whose first or last one becomes m^4, or 2, for m = 3, …, 20; one unit is drawn", "m x y z"
)(lambda: ((m, (1, m**2, 1), (1, m**2, m**4), (1, m**2, 2)) for m in range(3, 21)))

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
    "sizes 1 to 4 of three or four units, none above half of the total; samples of two by systematic PPS", "x n p"
)(
    lambda: (
        (x, n, exact_law(pps_sample, unit_data(dict(enumerate(x))), measure=lambda size: size, size=n))
        for x, n in all_sizes
        if n * max(x) <= sum(x)
    )
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
)(
    lambda: (
        (x, i, v)
        for units in (3, 4)
        for x, i, v in product(product(range(1, 4), repeat=units), range(units), range(1, 5))
        for changed in [(*x[:i], v, *x[i + 1 :])]
        if v != x[i] and all(2 * max(sizes) <= sum(sizes) for sizes in (x, changed))
    )
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

# where design weights may be treated as fixed: dissertation, Table 6.2 and sections 6.4.3, 6.6 and 7.4

Run = tuple[UnitData, UnitData, frozenset[Any], Sample]
"""A run of a survey: the population, the frame, the target sample, and the weighted sample of those who respond."""

_AFFECTED = (
    "simple random sampling",
    "stratified, one unit each",
    "stratified, proportional",
    "stratified, Neyman",
    "PPS",
)
_TYPICAL = (
    "populations of four units in two groups with x in {1, 2}; frames of all units or all but one; simple random "
    "sampling, stratified sampling with three allocations, PPS"
)

of_one_population = cases(f"samples from the frames of one population; {_TYPICAL}", "D")(
    lambda: (
        frozenset(sample for frame in frames_of(population) for sample in drawn(name, frame))
        for name, population in product(_AFFECTED, populations())
    )
)
of_two_populations = cases(f"samples from the frames of two populations that differ in one record; {_TYPICAL}", "D")(
    lambda: (
        frozenset(sample for one in (population, other) for frame in frames_of(one) for sample in drawn(name, frame))
        for name, population in product(_AFFECTED, populations())
        for other in neighbors_of(population)
    )
)
of_one_frame = cases(f"samples from one frame; {_TYPICAL}", "D")(
    lambda: (
        case
        for name, population in product(_AFFECTED, populations())
        for case in (frozenset(drawn(name, frame)) for frame in frames_of(population))
    )
)

_POPULATIONS: tuple[UnitData, ...] = tuple(((1, (0, 1)), (2, (0, 2)), (3, (1, 1)), (4, (1, last))) for last in (1, 2))


def _parts(sample: Sample) -> Iterator[Sample]:
    """All respond, or all but one."""
    yield sample
    if len(sample) > 1:
        yield from map(frozenset, combinations(sorted(sample), len(sample) - 1))


def _adjusted(part: Sample, sample: Sample) -> Sample:
    """The weights divided by the rate at which the sample responds."""
    return frozenset((unit, record, weight * len(sample) / len(part)) for unit, record, weight in part)


def _runs(names: Sequence[str], *, final: bool = False) -> Iterator[tuple[Run, ...]]:
    """By design, all runs of surveys of the two populations."""
    for name in names:
        found: list[Run] = []
        for population in _POPULATIONS:
            for frame in frames_of(population):
                for sample in drawn(name, frame):
                    target = frozenset((unit, x) for unit, x, _ in sample)
                    parts = (_adjusted(part, sample) if final else part for part in _parts(sample))
                    found.extend((population, frame, target, part) for part in parts)
        yield tuple(found)


def _by_enumeration(names: Sequence[str]) -> Iterator[tuple[Run, ...]]:
    """The same runs in which all respond; inclusion probabilities are sums over the law of the sample."""
    for name in names:
        found: list[Run] = []
        design, parameters = DESIGNS[name]
        for population in _POPULATIONS:
            for frame in frames_of(population):
                law = exact_law(design, frame, **parameters)
                rates: dict[Any, Fraction] = {}
                for units in law:
                    for unit in set(units):
                        rates[unit] = rates.get(unit, Fraction(0)) + law.numeric(units)
                samples = (with_records(frame, units, rates) for units in sorted(law))
                found.extend(
                    (population, frame, frozenset((unit, x) for unit, x, _ in sample), sample) for sample in samples
                )
        yield tuple(found)


_TWO = "two populations of four units in two groups, of which the last has x = 1 or 2; frames of all units or all but "
_RUNS = f"{_TWO}one; all target samples; all of them respond, or all but one; R the runs of one design: "
_EIGHT = (
    "simple random, stratified with fixed, proportional and Neyman allocation, PPS, systematic, Bernoulli, clusters"
)
_FIVE = "simple random, stratified with fixed, proportional and Neyman allocation, PPS"
runs = cases(f"{_RUNS}{_EIGHT}", "R")(lambda: _runs(tuple(DESIGNS)))
final_runs = cases(f"{_RUNS}{_EIGHT}; weights divided by the rate of response", "R")(
    lambda: _runs(tuple(DESIGNS), final=True)
)
affected_runs = cases(f"{_RUNS}{_FIVE}", "R")(lambda: _runs(_AFFECTED))
inclusion_runs = cases(f"{_TWO}one; all target samples, with the inverse sums of their probabilities: {_EIGHT}", "R")(
    lambda: _by_enumeration(tuple(DESIGNS))
)

# R: the runs, as (population, frame, target sample, weighted responding sample)
by_sample = lambda R: all(one_weight(r[3], s[3]) for r in R for s in R if r[2] == s[2] and r[1] == s[1])
by_sample_alone = lambda R: all(one_weight(r[3], s[3]) for r in R for s in R if r[2] == s[2])
by_frame = lambda R: all(one_weight(r[3], s[3]) for r in R for s in R if r[1] == s[1])
by_units_of_frame = lambda R: all(
    one_weight(r[3], s[3]) for r in R for s in R if [i[0] for i in r[1]] == [i[0] for i in s[1]]
)
by_population = lambda R: all(one_weight(r[3], s[3]) for r in R for s in R if r[0] == s[0])
neighbors_keep_weights = lambda R, stage: all(
    one_weight(r[3], s[3]) for r in R for s in R if r[stage] == s[stage] and other_records(r[3], s[3]) <= 1
)
by_nothing = lambda R: all(one_weight(r[3], s[3]) for r in R for s in R)

_RECORDS = (
    "a sample's data set has the design weights of its units, as all data that T uses (section 6.2.2); in how many "
    "records two samples differ is counted without them"
)

state("survey.weights.fixed.sample", "dissertation, Table 6.2")(
    "DP Setting: Target sample invariance. Effects on Design Weights: Can be treated as fixed",
    every(runs, lambda R: by_sample(R)),
    mutant("the sample alone is invariant", lambda R: by_sample_alone(R)),
    mutant("final weights", final_runs),
    reading="comparable responding samples have one target sample and one frame, as 'invariance at one level implies "
    f"invariance at previous data pipeline phases' (section 6.3), and give no unit two weights; {_RECORDS}",
)

state("survey.weights.fixed.frame", "dissertation, Table 6.2")(
    "DP Setting: Frame invariance. Effects on Design Weights: Can be treated as fixed",
    every(runs, lambda R: by_frame(R)),
    mutant("the frame's units alone are invariant", lambda R: by_units_of_frame(R)),
    mutant("population invariance", lambda R: by_population(R)),
    mutant("final weights", final_runs),
    reading="samples of equal frames, of whatever population, give no unit two weights; the frame has what the design "
    f"uses; {_RECORDS}",
)

state("survey.weights.changed.population", "dissertation, Table 6.2")(
    "DP Setting: Population invariance. Effects on Design Weights: Sensitivity needs to be considered",
    every(of_one_population, lambda D: weights_change_at_once(D)),
    mutant("frame invariance", of_one_frame),
    reading=f"two frames of one population give two weights to a unit of samples that differ in one record at most: "
    f"typically, as section 6.4.3 says, that is with the designs listed; a fixed rate keeps its weights; {_RECORDS}",
)

state("survey.weights.changed.agnostic", "dissertation, Table 6.2", "dissertation, section 6.6")(
    "DP Setting: Population agnostic. Effects on Design Weights: Sensitivity needs to be considered",
    every(of_two_populations, lambda D: weights_change_at_once(D)),
    mutant("frame invariance", of_one_frame),
    reading="as for population invariance, with two populations; section 6.6: a frame-agnostic flavor implies 'that "
    f"the design weights could no longer be treated as fixed'; {_RECORDS}",
)

state("survey.weights.fixed.only", "dissertation, section 6.4.3")(
    """In general, the design weights can only be treated as fixed under the frame-invariant or target sample invariant
    scenario. In all other scenarios the weights will typically change.""",
    every(affected_runs, lambda R: by_sample(R) and by_frame(R) and not by_population(R) and not by_nothing(R)),
    mutant("with every design", runs),
    mutant("population invariant too", lambda R: by_sample(R) and by_frame(R) and by_population(R)),
    reading="of the settings of Table 6.2, the weights of comparable samples stay in those two and in no other; "
    f"typically, that is with the designs listed; {_RECORDS}",
)

state("survey.weights.constant-probabilities", "dissertation, section 7.4")(
    """Frame invariance assumes any two neighboring datasets must always originate from the same frame and so can only
    differ at the sample level (or later). Thus, the probabilities of inclusion will be constant between neighboring
    datasets.""",
    every(inclusion_runs, lambda R: neighbors_keep_weights(R, 1)),
    mutant("neighbours from one population", lambda R: neighbors_keep_weights(R, 0)),
    reading="""the probabilities of a frame are the sums of those of the samples that have the unit; neighbours differ
    in one record""",
)

# what a fixed frame leaves to compare: dissertation, section 7.4

# S: the samples that a design can draw from one frame, as tuples of units
sample_steps = lambda s, t: sum(1 for i in s if i not in t) if len(s) == len(t) else oo
closest_other = lambda S, s: min(sample_steps(s, t) for t in S if t != s)
has_a_neighbor = lambda S, s: any(sample_steps(s, t) == 1 for t in S)


def _samples(name: str) -> Iterator[tuple[tuple[int, ...], ...]]:
    for number in (4, 6, 8, 9):
        frame = unit_data(dict.fromkeys(range(number), 0))
        if name == "systematic":
            laws = [exact_law(systematic_sample, frame, step=step) for step in (2, 3) if number % step == 0]
        else:
            laws = [exact_law(simple_random_sample, frame, size=size) for size in (2, 3)]
        yield from (tuple(sorted(law)) for law in laws)


_SHOWN = "frames of 4, 6, 8 and 9 units: "
systematic = cases(f"{_SHOWN}systematic samples of every second or third unit", "S")(lambda: _samples("systematic"))
simple = cases(f"{_SHOWN}simple random samples of two or three units", "S")(lambda: _samples("simple"))
both_designs = cases(f"{_SHOWN}systematic and simple random samples", "S")(
    lambda: (case for name in ("systematic", "simple") for case in _samples(name))
)

state("survey.frame-invariance.constraints", "dissertation, section 7.4")(
    """On the other hand, fixing the frame will restrict the possible conterfactual input datasets to those which are
    consistent with the realized frame. Because this restriction will fix the survey weights, it might introduce strong
    constraints on the possible neighboring datasets, depending on the sampling design.""",
    some(both_designs, lambda S: all(not has_a_neighbor(S, s) for s in S)),
    mutant("simple random sampling", simple),
    some(both_designs, lambda S: all(has_a_neighbor(S, s) for s in S)),
    reading="""with some designs no two samples of a frame are neighbours, with others each sample has a neighbour; x_i
    is a function of the unit i""",
)

own("survey.frame-invariance.systematic", "dissertation, section 7.4")(
    """Under frame invariance no two systematic samples in a fixed order differ in fewer than all of their n >= 2
    records: with a premetric of neighbours nothing is compared, and with the Hamming distance the budget between any
    two samples is n epsilon.""",
    every(systematic, lambda S: all(closest_other(S, s) == len(s) for s in S)),
    mutant("simple random samples", simple),
    reading="N is a multiple of the step",
)

# whether the sample has a 1, by randomised response with odds gamma = e^epsilon
_whether_drawn = lambda sample, source, *, gamma: int(
    source.bernoulli(Fraction(gamma if any(value == 1 for _, value in sample) else 1, gamma + 1))
)
_from_frame = lambda frame, source, *, size, gamma: _whether_drawn(
    select(frame, simple_random_sample(frame, source, size=size)), source, gamma=gamma
)
levels = cases(
    "simple random samples of one to three of four or six units; whether the sample has a 1 is released by randomised "
    "response with odds 2 or 9; the laws for all samples of the frame with one 1, and for that frame and the one "
    "without",
    "n N gamma by_sample by_frame",
)(
    lambda: (
        (size, number, gamma, by_sample, by_frame)
        for number, size, gamma in product((4, 6), (1, 2, 3), (2, 9))
        for frame, other in [(unit_data({**dict.fromkeys(range(number), 0), 0: own}) for own in (1, 0))]
        for samples in [sorted(exact_law(simple_random_sample, frame, size=size))]
        for by_sample in [tuple(exact_law(_whether_drawn, select(frame, units), gamma=gamma) for units in samples)]
        for by_frame in [tuple(exact_law(_from_frame, one, size=size, gamma=gamma) for one in (frame, other))]
    )
)

greatest_ratio = lambda laws: max(multiplicative(p, q) for p in laws for q in laws)

state("survey.frame-invariance.amplification", "dissertation, section 7.4")(
    """First, fixing the frame implies that privacy amplification from sampling is no longer possible (we would need to
    have neighboring datasets at the frame level in order to achieve amplification).""",
    every(levels, lambda gamma, by_sample: greatest_ratio(by_sample) == gamma),
    mutant(
        "amplified although the frame is fixed",
        lambda n, N, gamma, by_sample: greatest_ratio(by_sample) <= 1 + n / N * (gamma - 1),
    ),
    mutant("not amplified between frames", lambda gamma, by_frame: greatest_ratio(by_frame) == gamma),
    every(levels, lambda n, N, gamma, by_frame: greatest_ratio(by_frame) == 1 + n / N * (gamma - 1)),
    reading="""as the sentences before have it: the frame is invariant 'as discussed in Figure 7.2c', where 'the
    mechanism takes as input the responding sample', so that neighbours 'can only differ at the sample level (or
    later)'. Between samples of one frame a mechanism may have its whole e^epsilon, where between two augmented frames,
    one answer changed and the sampling included, the same has 1 + (n/N)(e^epsilon - 1). Of a mechanism that starts at
    the augmented frame the sentence does not speak: it is amplified although the frame's own variables are fixed
    (recommendations.frame-level.fixed)""",
)
