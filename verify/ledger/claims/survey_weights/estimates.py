"""Weighted estimates: what weights are for, and sensitivities of counts, means and totals."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.surveys.allocation import fixed
from stirred.mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    pps_sample,
    simple_random_sample,
    stratified_sample,
    systematic_sample,
)
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.claims.survey_weights.words import drawn, frames_of, populations, range_of

# sensitivities of counts, proportions, means and weighted estimates: dissertation, sections 6.4.3, 7.1 and 7.4

without = lambda x, i: [a for j, a in enumerate(x) if j != i]
with_value = lambda x, i, v: [v if j == i else a for j, a in enumerate(x)]
of_records = lambda values, n: (
    product(values) if n == 1 else (product(values, values) if n == 2 else product(values, values, values))
)
plain_mean = lambda x: sum(x) / len(x)
largest_by_removal = lambda n: max(abs(sum(x) - sum(without(x, i))) for x in of_records([0, 1], n) for i in range(n))
largest_by_value = lambda n, values: max(
    abs(plain_mean(x) - plain_mean(with_value(x, i, v)))
    for x in of_records(values, n)
    for i in range(n)
    for v in values
)
mean_by_removal = lambda n: max(
    abs(plain_mean(x) - plain_mean(without(x, i))) for x in of_records([0, 1], n) for i in range(n)
)

sizes = cases("data sets of one, two and three records", "n")(lambda: range(1, 4))

state("survey.counts.sensitivity", "dissertation, section 6.4.3")(
    """Under unbounded DP (i.e., defining neighboring datasets by adding or removing one record) the sensitivity of a
    counting query is 1.""",
    every(sizes, lambda n: largest_by_removal(n) == 1),
    mutant("1/n", lambda n: largest_by_removal(n) == 1 / n),
    reading="of records by whether they meet the conditions",
)

own("survey.proportion.unbounded", "dissertation, section 7.1, footnote 2")(
    """Under unbounded DP the sensitivity of a proportion is 1/n too, where n is the number of records of the larger of
    two neighbouring databases, and the smaller one has a record.""",
    every(cases("data sets of two and three records", "n")(lambda: range(2, 4)), lambda n: mean_by_removal(n) == 1 / n),
    mutant("n of the smaller one", lambda n: mean_by_removal(n) == 1 / (n - 1)),
)

state("survey.sensitivity.unbounded", "dissertation, section 7.1")(
    """… the sensitivity of the output is not always easy to compute and can be unbounded without further
    assumptions""",
    every(
        cases("n = 1, …, 5 records 0, one of which becomes n b + 1, for b in {1, 10, 1000}, or b at most", "n b x y z")(
            lambda: (
                (n, b, (0,) * n, (n * b + 1, *(0,) * (n - 1)), (b, *(0,) * (n - 1)))
                for n, b in product(range(1, 6), (1, 10, 1000))
            )
        ),
        lambda b, x, y: sum(1 for a, c in zip(x, y) if a != c) == 1 and plain_mean(y) - plain_mean(x) > b,
    ),
    mutant("values of at most b", lambda b, x, z: plain_mean(z) - plain_mean(x) > b),
    reading="no b bounds the change of the mean where records may have any value",
)

_VALUES = ((0, 1), (0, 1, 4), (-2, 3), (10, 11))

records = cases("one to three records in {0, 1}, {0, 1, 4}, {-2, 3} or {10, 11}", "n values")(
    lambda: product(range(1, 4), _VALUES)
)

state("survey.mean.sensitivity", "dissertation, section 7.4")(
    """If the probabilities of selection were equal for all units, the sample mean would be … and its sensitivity would
    be R/n, where R = max(y_i) - min(y_i) is the range of all possible values for y_i.""",
    every(records, lambda n, values: largest_by_value(n, values) == range_of(values) / n),
    mutant("the largest value for the range", lambda n, values: largest_by_value(n, values) == max(values) / n),
    reading="bounded DP, as the section has it",
)

weighted_total = lambda w, x: sum(a * b for a, b in zip(w, x))
removed_most = lambda w: max(
    abs(weighted_total(w, x) - sum(w[i] * x[i] for i in range(len(w)) if i != j))
    for x in of_records([0, 1], len(w))
    for j in range(len(w))
)
by_size = lambda z, kept: [sum(z[j] for j in kept) / z[i] for i in kept]
reweighted_most = lambda z: max(
    abs(
        sum(a * x[i] for i, a in enumerate(by_size(z, range(len(z)))))
        - sum(a * b for a, b in zip(by_size(z, k), [x[i] for i in k]))
    )
    for x in of_records([0, 1], len(z))
    for j in range(len(z))
    for k in [without(range(len(z)), j)]
)
replaced_most = lambda w, values: max(
    w[i] * abs(x[i] - v) for x in of_records(values, len(w)) for i in range(len(w)) for v in values
)
exchanged_most = lambda w, values: max(abs(a * v - b * u) for a in w for b in w for u in values for v in values)

_WEIGHTS: tuple[tuple[Fraction, ...], ...] = (
    *product((Fraction(1), Fraction(3, 2), Fraction(4)), repeat=3),
    *product((Fraction(1), Fraction(2), Fraction(5)), repeat=2),
)

some_weights = cases("weights in {1, 3/2, 4} of three units, in {1, 2, 5} of two", "w")(lambda: _WEIGHTS)
nested_weights = cases(
    "weights in {1, 3/2, 4} of the three units of a population, the first two of which are the frame, and the first, "
    "or both, the sample",
    "sample frame population",
)(lambda: ((w[:size], w[:2], w) for w in _WEIGHTS if len(w) == 3 for size in (1, 2)))

largest_of_frame = lambda frame, population: removed_most(population) == max(frame)

state("survey.weights.largest", "dissertation, section 6.4.3")(
    """Using the Horvitz-Thompson estimator, the L_1-sensitivity increases to max(w_i) (where the maximum is taken
    either over the records in the sample (under target sample invariance), the frame (under frame invariance) or over
    the entire population (under population invariance)).""",
    every(some_weights, lambda w: removed_most(w) == max(w) and max(w) >= 1),
    every(nested_weights, lambda sample: removed_most(sample) == max(sample)),
    mutant("the sample's largest under frame invariance", lambda sample, frame: removed_most(frame) == max(sample)),
    mutant("the frame's largest under population invariance", largest_of_frame),
    every(nested_weights, lambda frame: removed_most(frame) == max(frame)),
    every(nested_weights, lambda population: removed_most(population) == max(population)),
    mutant(
        "weights that change, of PPS with sizes w",
        every(some_weights, lambda w: reweighted_most(w) == max(by_size(w, range(len(w))))),
    ),
    mutant("no weights", every(some_weights, lambda w: removed_most(w) == 1)),
    reading="""of a count, x_i in {0, 1}, under unbounded DP, the weights being fixed: so far, as the source says next;
    the data sets are those of units of the sample, of the frame or of the population, a unit that is not in one adding
    0, as with x_i = 0""",
)

fixed_weights = cases(
    "the same weights, N the larger of their sum and 3, values in {0, 1}, {0, 1, 4}, {-2, 3} or {10, 11}", "w N values"
)(lambda: ((w, max(sum(w), 3), values) for w, values in product(_WEIGHTS, _VALUES)))

exchanged_weights = lambda w, N, values: exchanged_most(w, values) / N == max(w) * range_of(values) / N

state("survey.mean.weighted", "dissertation, section 7.4")(
    "If we can treat the weights as fixed, the sensitivity of muhat_Y^HT is max(w_i)R/N.",
    every(fixed_weights, lambda w, N, values: replaced_most(w, values) / N == max(w) * range_of(values) / N),
    mutant("units of two weights exchanged", exchanged_weights),
    mutant("R/n", lambda w, N, values: replaced_most(w, values) / N == range_of(values) / len(w)),
    reading="""bounded DP; a record that changes keeps its unit and its weight: with another unit's weight it is max(w_i
    y_i) - min(w_j y_j), as section 6.4.5 has it""",
)

_rated = lambda scope, *names, frames=None: cases(scope, "N D")(
    lambda: (
        (len(frame), frozenset(drawn(name, frame)))
        for name, population in product(names, populations())
        for frame in frames_of(population)[:frames]
    )
)
equal_rates = _rated(
    "frames of four units, two in each of two strata, and samples of two: simple random, and one of each stratum",
    *("simple random sampling", "stratified, one unit each"),
    frames=1,
)
bernoulli_rates = _rated(
    "frames of three or four units, all or one of which is missing; Bernoulli sampling", "Bernoulli"
)
unequal_rates = _rated(
    "frames of three or four units; PPS samples of two, and one unit of each of two strata",
    *("PPS", "stratified, one unit each"),
)

# the sensitivities with n = len(s), y in {0, 1, 4}
of_weighted = lambda s, N: replaced_most([w for u, x, w in s], [0, 1, 4]) / N
of_unweighted = lambda s: largest_by_value(len(s), [0, 1, 4])
equal_weights_same_sensitivity = lambda N, D: (
    all(w == N / len(s) for s in D for u, x, w in s) and all(of_weighted(s, N) == of_unweighted(s) for s in D)
)

state("survey.mean.equal-probabilities", "dissertation, section 7.4")(
    """Note that for equal-probability designs all w_i = N/n and thus the sensitivity of the Horvitz-Thompson estimator
    is the same as for the unweighted estimator.""",
    every(equal_rates, equal_weights_same_sensitivity),
    mutant("samples of random size", bernoulli_rates),
    mutant("unequal probabilities", unequal_rates),
    reading="n is fixed, as it is in this section; both sensitivities are maxima over changes of a y_i in {0, 1, 4}",
)

larger = lambda N, D: all((max(w for u, x, w in s) > N / len(s)) == (of_weighted(s, N) > of_unweighted(s)) for s in D)
larger_if_above_1 = lambda N, D: all(max(w for u, x, w in s) <= 1 or of_weighted(s, N) > of_unweighted(s) for s in D)

state("survey.mean.larger", "dissertation, section 7.4")(
    """If max(w_i) > N/n, the Horvitz-Thompson estimator will have larger sensitivity than the unweighted estimator.""",
    every(unequal_rates, larger),
    mutant("if some w_i > 1", larger_if_above_1),
    reading="""n = 2 and the weights are fixed; both sensitivities are maxima over all changes of one y_i in {0, 1, 4};
    conversely too""",
)

# what weights are for: unbiased estimates; dissertation, sections 6.4.3 and 7.4

# p: the law of the sample, a set of units 0, …, N - 1; an estimate that is linear in y is tried on indicators
drawn_mass = lambda p, i: sum(p[s] for s in p if i in s)
mean_share = lambda p, i: sum(p[s] / len(s) for s in p if i in s)
equal_chances = lambda p, N: all(drawn_mass(p, i) == drawn_mass(p, 0) for i in range(N))
sample_mean_unbiased = lambda p, N: all(mean_share(p, i) == 1 / N for i in range(N))
expansion_unbiased = lambda p, w, N: all(sum(p[s] * w[i] for s in p if i in s) == 1 for i in range(N))

_FRAME = unit_data({0: (0, 1), 1: (0, 2), 2: (1, 1), 3: (1, 3), 4: (1, 1)})

_stratum = lambda record: record[0]


def _samples(*, of_fixed_size: bool) -> Iterator[tuple[Any, int]]:
    """The laws of designs on frames of five units, and of four where that makes equal probabilities."""
    even = _FRAME[:4]
    for size in (1, 2, 3):
        yield exact_law(simple_random_sample, _FRAME, size=size), 5
    yield exact_law(stratified_sample, even, stratum=_stratum, sizes=fixed({0: 1, 1: 1})), 4
    yield exact_law(systematic_sample, even, step=2), 4
    yield exact_law(cluster_sample, even, cluster=_stratum, number=1), 4
    yield exact_law(stratified_sample, _FRAME, stratum=_stratum, sizes=fixed({0: 1, 1: 1})), 5
    yield exact_law(stratified_sample, _FRAME, stratum=_stratum, sizes=fixed({0: 1, 1: 2})), 5
    for size in (1, 2):
        yield exact_law(pps_sample, _FRAME, measure=lambda record: record[1], size=size), 5
    if not of_fixed_size:
        yield exact_law(cluster_sample, _FRAME, cluster=_stratum, number=1), 5
        yield exact_law(systematic_sample, _FRAME, step=2), 5
        yield exact_law(bernoulli_sample, even, rate=Fraction(1, 3)), 4


_LISTED = "frames of four and five units; simple random, stratified, systematic, cluster and PPS samples"
fixed_sizes = cases(f"{_LISTED} of a fixed size", "p N")(lambda: _samples(of_fixed_size=True))
all_designs = cases(f"{_LISTED}, and Bernoulli samples", "p N")(lambda: _samples(of_fixed_size=False))

_LINEAR = "of every variable: a linear estimate is unbiased if it is for indicators of units"

unbiased_of_any_size = lambda p, N: not equal_chances(p, N) or any(len(s) == 0 for s in p) or sample_mean_unbiased(p, N)

state("survey.estimate.sample-mean", "dissertation, section 7.4")(
    """If the probabilities of selection were equal for all units, the sample mean would be an unbiased estimate for the
    population mean""",
    every(fixed_sizes, lambda p, N: not equal_chances(p, N) or sample_mean_unbiased(p, N)),
    mutant("samples of random size", every(all_designs, unbiased_of_any_size)),
    mutant("any probabilities", lambda p, N: sample_mean_unbiased(p, N)),
    reading=f"{_LINEAR}; n is fixed, as it is in this section",
)


def _schools() -> Iterator[tuple[Any, int]]:
    """One of two schools, with two and four pupils, is drawn with probability proportional to size; all are asked."""
    yield {frozenset({0, 1}): Fraction(1, 3), frozenset({2, 3, 4, 5}): Fraction(2, 3)}, 6
    yield from _samples(of_fixed_size=False)


with_schools = cases(
    "one of two schools, with two and four pupils, drawn with probability proportional to size, all pupils of which "
    f"are asked; {_LISTED}, and Bernoulli samples",
    "p N",
)(_schools)

state("survey.estimate.unweighted", "dissertation, section 7.4")(
    """Unweighted estimates, especially those for descriptive statistics such as means and totals, will be biased
    whenever there are varying selection probabilities.""",
    every(with_schools, lambda p, N: equal_chances(p, N) or not sample_mean_unbiased(p, N)),
    reading="an estimate is biased if it is for some variable; of the sample mean",
    grade=incomplete(
        "samples must have one size, as the n of the sentences after it: with one school drawn with probability "
        "proportional to its size, and all of its pupils asked, pupils of the larger one are likelier and the mean is "
        "unbiased"
    ),
)

own("survey.estimate.unweighted.repaired", "dissertation, section 7.4", "dissertation, section 6.2.4")(
    """With samples of one size, the sample mean is an unbiased estimate of the mean of every variable if and only if
    all units have the same selection probability.""",
    every(fixed_sizes, lambda p, N: equal_chances(p, N) == sample_mean_unbiased(p, N)),
    mutant("samples of any size", with_schools),
    mutant("never unbiased", lambda p, N: not sample_mean_unbiased(p, N)),
    repairs="survey.estimate.unweighted",
)

only_expansion_unbiased = lambda p, N: all(
    not expansion_unbiased(p, [(v if i == j else 1) / drawn_mass(p, j) for j in range(N)], N)
    for i in range(N)
    for v in [1 / 2, 2]
)

state("survey.estimate.expansion", "dissertation, section 7.4")(
    """To obtain unbiased estimates, each observation needs to be weighted by the inverse of its probability of
    selection.""",
    every(all_designs, lambda p, N: expansion_unbiased(p, [1 / drawn_mass(p, i) for i in range(N)], N)),
    mutant("N/n", lambda p, N: expansion_unbiased(p, [N / 2 for i in range(N)], N)),
    every(all_designs, only_expansion_unbiased),
    theorem(
        "horvitz_thompson.horvitz_thompson_unbiased",
        "horvitz_thompson.unbiased_iff",
        "horvitz_thompson.unbiased_weights",
        "horvitz_thompson.weighted_mean",
        "horvitz_thompson.expected_size",
        within="finite designs",
    ),
    reading=f"estimates of totals as weighted sums, with one weight per unit for all samples; {_LINEAR}; also that no "
    "other such weights do: tried with one of them halved or doubled",
)
