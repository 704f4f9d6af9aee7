"""Sensitivities of counts, proportions, means and weighted estimates: dissertation, sections 6.4.3, 7.1 and 7.4."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, mutant, own, state
from stirred.verify.ledger.claims.survey_weights.words import drawn, frames_of, populations, range_of

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

sizes = cases("data sets of one, two and three records", "n", lambda: range(1, 4))

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
    every(cases("data sets of two and three records", "n", lambda: range(2, 4)), lambda n: mean_by_removal(n) == 1 / n),
    mutant("n of the smaller one", lambda n: mean_by_removal(n) == 1 / (n - 1)),
)

state("survey.sensitivity.unbounded", "dissertation, section 7.1")(
    """… the sensitivity of the output is not always easy to compute and can be unbounded without further
    assumptions""",
    every(
        cases(
            "n = 1, …, 5 records 0, one of which becomes n b + 1, for b in {1, 10, 1000}, or b at most",
            "n b x y z",
            lambda: (
                (n, b, (0,) * n, (n * b + 1, *(0,) * (n - 1)), (b, *(0,) * (n - 1)))
                for n, b in product(range(1, 6), (1, 10, 1000))
            ),
        ),
        lambda b, x, y: sum(1 for a, c in zip(x, y) if a != c) == 1 and plain_mean(y) - plain_mean(x) > b,
    ),
    mutant("values of at most b", lambda b, x, z: plain_mean(z) - plain_mean(x) > b),
    reading="no b bounds the change of the mean where records may have any value",
)

_VALUES = ((0, 1), (0, 1, 4), (-2, 3), (10, 11))

records = cases(
    "one to three records in {0, 1}, {0, 1, 4}, {-2, 3} or {10, 11}", "n values", lambda: product(range(1, 4), _VALUES)
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

some_weights = cases("weights in {1, 3/2, 4} of three units, in {1, 2, 5} of two", "w", lambda: _WEIGHTS)
nested_weights = cases(
    "weights in {1, 3/2, 4} of the three units of a population, the first two of which are the frame, and the first, "
    "or both, the sample",
    "sample frame population",
    lambda: ((w[:size], w[:2], w) for w in _WEIGHTS if len(w) == 3 for size in (1, 2)),
)

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
    "the same weights, N the larger of their sum and 3, values in {0, 1}, {0, 1, 4}, {-2, 3} or {10, 11}",
    "w N values",
    lambda: ((w, max(sum(w), 3), values) for w, values in product(_WEIGHTS, _VALUES)),
)

exchanged_weights = lambda w, N, values: exchanged_most(w, values) / N == max(w) * range_of(values) / N

state("survey.mean.weighted", "dissertation, section 7.4")(
    "If we can treat the weights as fixed, the sensitivity of muhat_Y^HT is max(w_i)R/N.",
    every(fixed_weights, lambda w, N, values: replaced_most(w, values) / N == max(w) * range_of(values) / N),
    mutant("units of two weights exchanged", exchanged_weights),
    mutant("R/n", lambda w, N, values: replaced_most(w, values) / N == range_of(values) / len(w)),
    reading="""bounded DP; a record that changes keeps its unit and its weight: with another unit's weight it is max(w_i
    y_i) - min(w_j y_j), as section 6.4.5 has it""",
)

_rated = lambda scope, *names, frames=None: cases(
    scope,
    "N D",
    lambda: (
        (len(frame), frozenset(drawn(name, frame)))
        for name, population in product(names, populations())
        for frame in frames_of(population)[:frames]
    ),
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
