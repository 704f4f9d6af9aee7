"""Sensitivities of counts, proportions, means and weighted estimates: dissertation, sections 6.4.3, 7.1 and 7.4."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.ledger import cases, every, state
from stirred.verify.ledger.claims.survey_weights.words import Sample, drawn, frames_of, populations, range_of


def without(x, i):
    return [a for j, a in enumerate(x) if j != i]


def with_value(x, i, v):
    return [v if j == i else a for j, a in enumerate(x)]


def of_records(values, n):
    return product(values) if n == 1 else (product(values, values) if n == 2 else product(values, values, values))


def plain_mean(x):
    return sum(x) / len(x)


def largest_by_removal(n):
    return max(abs(sum(x) - sum(without(x, i))) for x in of_records([0, 1], n) for i in range(n))


def largest_by_value(n, values):
    return max(
        abs(plain_mean(x) - plain_mean(with_value(x, i, v)))
        for x in of_records(values, n)
        for i in range(n)
        for v in values
    )


def mean_by_removal(n):
    return max(abs(plain_mean(x) - plain_mean(without(x, i))) for x in of_records([0, 1], n) for i in range(n))


sizes = cases("data sets of one, two and three records", "n")(lambda: range(1, 4))
larger_sizes = cases("data sets of two and three records", "n")(lambda: range(2, 4))

state(
    "survey.counts.sensitivity",
    "dissertation, section 6.4.3",
    printed="Under unbounded DP (i.e., defining neighboring datasets by adding or removing one record) the sensitivity "
    "of a counting query is 1.",
    reading="of records by whether they meet the conditions",
    checks=[every(sizes, lambda n: largest_by_removal(n) == 1)],
    mutants={"1/n": every(sizes, lambda n: largest_by_removal(n) == 1 / n)},
)

state(
    "survey.proportion.unbounded",
    "dissertation, section 7.1, footnote 2",
    claim="Under unbounded DP the sensitivity of a proportion is 1/n too, where n is the number of records of the "
    "larger of two neighbouring databases, and the smaller one has a record.",
    checks=[every(larger_sizes, lambda n: mean_by_removal(n) == 1 / n)],
    mutants={"n of the smaller one": every(larger_sizes, lambda n: mean_by_removal(n) == 1 / (n - 1))},
)


@cases("n = 1, …, 5 records 0, one of which becomes n b + 1, for b in {1, 10, 1000}, or b at most", "n b x y z")
def large_values() -> Iterator[tuple[Any, ...]]:
    for n, b in product(range(1, 6), (1, 10, 1000)):
        yield n, b, (0,) * n, (n * b + 1, *(0,) * (n - 1)), (b, *(0,) * (n - 1))


state(
    "survey.sensitivity.unbounded",
    "dissertation, section 7.1",
    printed="… the sensitivity of the output is not always easy to compute and can be unbounded without further "
    "assumptions",
    reading="no b bounds the change of the mean where records may have any value",
    checks=[
        every(
            large_values,
            lambda b, x, y: sum(1 for a, c in zip(x, y) if a != c) == 1 and plain_mean(y) - plain_mean(x) > b,
        )
    ],
    mutants={"values of at most b": every(large_values, lambda b, x, z: plain_mean(z) - plain_mean(x) > b)},
)

_VALUES = ((0, 1), (0, 1, 4), (-2, 3), (10, 11))


@cases("one to three records in {0, 1}, {0, 1, 4}, {-2, 3} or {10, 11}", "n values")
def records() -> Iterable[tuple[Any, ...]]:
    return product(range(1, 4), _VALUES)


state(
    "survey.mean.sensitivity",
    "dissertation, section 7.4",
    printed="If the probabilities of selection were equal for all units, the sample mean would be … and its "
    "sensitivity would be R/n, where R = max(y_i) - min(y_i) is the range of all possible values for y_i.",
    reading="bounded DP, as the section has it",
    checks=[every(records, lambda n, values: largest_by_value(n, values) == range_of(values) / n)],
    mutants={
        "the largest value for the range": every(
            records, lambda n, values: largest_by_value(n, values) == max(values) / n
        )
    },
)


def weighted_total(w, x):
    return sum(a * b for a, b in zip(w, x))


def removed_most(w):
    return max(
        abs(weighted_total(w, x) - sum(w[i] * x[i] for i in range(len(w)) if i != j))
        for x in of_records([0, 1], len(w))
        for j in range(len(w))
    )


def by_size(z, kept):
    return [sum(z[j] for j in kept) / z[i] for i in kept]


def reweighted_most(z):
    return max(
        abs(
            sum(a * x[i] for i, a in enumerate(by_size(z, range(len(z)))))
            - sum(a * b for a, b in zip(by_size(z, k), [x[i] for i in k]))
        )
        for x in of_records([0, 1], len(z))
        for j in range(len(z))
        for k in [without(range(len(z)), j)]
    )


def replaced_most(w, values):
    return max(w[i] * abs(x[i] - v) for x in of_records(values, len(w)) for i in range(len(w)) for v in values)


def exchanged_most(w, values):
    return max(abs(a * v - b * u) for a in w for b in w for u in values for v in values)


_WEIGHTS: tuple[tuple[Fraction, ...], ...] = (
    *product((Fraction(1), Fraction(3, 2), Fraction(4)), repeat=3),
    *product((Fraction(1), Fraction(2), Fraction(5)), repeat=2),
)


@cases("weights in {1, 3/2, 4} of three units, in {1, 2, 5} of two", "w")
def some_weights() -> Iterable[Any]:
    return _WEIGHTS


@cases(
    "weights in {1, 3/2, 4} of the three units of a population, the first two of which are the frame, and the first, "
    "or both, the sample",
    "sample frame population",
)
def nested_weights() -> Iterator[tuple[Any, ...]]:
    yield from ((w[:size], w[:2], w) for w in _WEIGHTS if len(w) == 3 for size in (1, 2))


state(
    "survey.weights.largest",
    "dissertation, section 6.4.3",
    printed="Using the Horvitz-Thompson estimator, the L_1-sensitivity increases to max(w_i) (where the maximum is "
    "taken either over the records in the sample (under target sample invariance), the frame (under frame invariance) "
    "or over the entire population (under population invariance)).",
    reading="of a count, x_i in {0, 1}, under unbounded DP, the weights being fixed: so far, as the source says next; "
    "the data sets are those of units of the sample, of the frame or of the population, a unit that is not in one "
    "adding 0, as with x_i = 0",
    checks=[
        every(some_weights, lambda w: removed_most(w) == max(w) and max(w) >= 1),
        every(nested_weights, lambda sample: removed_most(sample) == max(sample)),
        every(nested_weights, lambda frame: removed_most(frame) == max(frame)),
        every(nested_weights, lambda population: removed_most(population) == max(population)),
    ],
    mutants={
        "the sample's largest under frame invariance": every(
            nested_weights, lambda sample, frame: removed_most(frame) == max(sample)
        ),
        "the frame's largest under population invariance": every(
            nested_weights, lambda frame, population: removed_most(population) == max(frame)
        ),
        "weights that change, of PPS with sizes w": every(
            some_weights, lambda w: reweighted_most(w) == max(by_size(w, range(len(w))))
        ),
        "no weights": every(some_weights, lambda w: removed_most(w) == 1),
    },
)


@cases(
    "the same weights, N the larger of their sum and 3, values in {0, 1}, {0, 1, 4}, {-2, 3} or {10, 11}", "w N values"
)
def fixed_weights() -> Iterator[tuple[Any, ...]]:
    for w, values in product(_WEIGHTS, _VALUES):
        yield w, max(sum(w), 3), values


state(
    "survey.mean.weighted",
    "dissertation, section 7.4",
    printed="If we can treat the weights as fixed, the sensitivity of muhat_Y^HT is max(w_i)R/N.",
    reading="bounded DP; a record that changes keeps its unit and its weight: with another unit's weight it is "
    "max(w_i y_i) - min(w_j y_j), as section 6.4.5 has it",
    checks=[every(fixed_weights, lambda w, N, values: replaced_most(w, values) / N == max(w) * range_of(values) / N)],
    mutants={
        "units of two weights exchanged": every(
            fixed_weights, lambda w, N, values: exchanged_most(w, values) / N == max(w) * range_of(values) / N
        ),
        "R/n": every(fixed_weights, lambda w, N, values: replaced_most(w, values) / N == range_of(values) / len(w)),
    },
)

_EQUAL = ("simple random sampling", "stratified, one unit each")


def _of_equal_rate(name: str, *, whole: bool) -> Iterator[tuple[int, frozenset[Sample]]]:
    for population in populations():
        for frame in frames_of(population)[: 1 if whole else None]:
            yield len(frame), frozenset(drawn(name, frame))


@cases(
    "frames of four units, two in each of two strata, and samples of two: simple random, and one of each stratum", "N D"
)
def equal_rates() -> Iterator[tuple[Any, ...]]:
    for name in _EQUAL:
        yield from _of_equal_rate(name, whole=True)


@cases("frames of three or four units, all or one of which is missing; Bernoulli sampling", "N D")
def bernoulli_rates() -> Iterator[tuple[Any, ...]]:
    return _of_equal_rate("Bernoulli", whole=False)


@cases("frames of three or four units; PPS samples of two, and one unit of each of two strata", "N D")
def unequal_rates() -> Iterator[tuple[Any, ...]]:
    for name in ("PPS", "stratified, one unit each"):
        yield from _of_equal_rate(name, whole=False)


# the sensitivities with n = len(s), y in {0, 1, 4}


def of_weighted(s, N):
    return replaced_most([w for u, x, w in s], [0, 1, 4]) / N


def of_unweighted(s):
    return largest_by_value(len(s), [0, 1, 4])


def equal_weights_same_sensitivity(N, D):
    return all(w == N / len(s) for s in D for u, x, w in s) and all(of_weighted(s, N) == of_unweighted(s) for s in D)


state(
    "survey.mean.equal-probabilities",
    "dissertation, section 7.4",
    printed="Note that for equal-probability designs all w_i = N/n and thus the sensitivity of the Horvitz-Thompson "
    "estimator is the same as for the unweighted estimator.",
    reading="n is fixed, as it is in this section; both sensitivities are maxima over changes of a y_i in {0, 1, 4}",
    checks=[every(equal_rates, equal_weights_same_sensitivity)],
    mutants={
        "samples of random size": every(bernoulli_rates, equal_weights_same_sensitivity),
        "unequal probabilities": every(unequal_rates, equal_weights_same_sensitivity),
    },
)


state(
    "survey.mean.larger",
    "dissertation, section 7.4",
    printed="If max(w_i) > N/n, the Horvitz-Thompson estimator will have larger sensitivity than the unweighted "
    "estimator.",
    reading="n = 2 and the weights are fixed; both sensitivities are maxima over all changes of one y_i in {0, 1, 4}; "
    "conversely too",
    checks=[
        every(
            unequal_rates,
            lambda N, D: all(
                (max(w for u, x, w in s) > N / len(s)) == (of_weighted(s, N) > of_unweighted(s)) for s in D
            ),
        )
    ],
    mutants={
        "if some w_i > 1": every(
            unequal_rates,
            lambda N, D: all(max(w for u, x, w in s) <= 1 or of_weighted(s, N) > of_unweighted(s) for s in D),
        )
    },
)
