"""Sensitivities of counts, proportions, means and Horvitz-Thompson estimates: dissertation, sections 6.4.3 to 7.4."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from verify.claims.survey_weights.words import FIXED_SIZE, Sample, drawn, frames_of, populations
from verify.ledger import cases, define, every, incomplete, state

define(
    {
        "without(x, i)": "[a for j, a in enumerate(x) if j != i]",
        "with_value(x, i, v)": "[v if j == i else a for j, a in enumerate(x)]",
        "of_records(values, n)": """product(values) if n == 1 else (product(values, values) if n == 2 else
            product(values, values, values))""",
        "plain_mean(x)": "sum(x) / len(x)",
        "largest_by_removal(n)": """max(abs(sum(x) - sum(without(x, i))) for x in of_records([0, 1], n)
            for i in range(n))""",
        "largest_by_value(n, values)": """max(abs(plain_mean(x) - plain_mean(with_value(x, i, v)))
            for x in of_records(values, n) for i in range(n) for v in values)""",
        "mean_by_removal(n)": """max(abs(plain_mean(x) - plain_mean(without(x, i))) for x in of_records([0, 1], n)
            for i in range(n))""",
    }
)

sizes = cases("data sets of one, two and three records", "n")(lambda: range(1, 4))
larger_sizes = cases("data sets of two and three records", "n")(lambda: range(2, 4))

state(
    "survey.counts.sensitivity",
    "dissertation, section 6.4.3",
    printed="Under unbounded DP (i.e., defining neighboring datasets by adding or removing one record) the sensitivity "
    "of a counting query is 1.",
    reading="of records by whether they meet the conditions",
    checks=[every(sizes, "largest_by_removal(n) == 1")],
    mutants={"1/n": every(sizes, "largest_by_removal(n) == 1 / n")},
)

state(
    "survey.proportion.unbounded",
    "dissertation, section 7.1, footnote 2",
    claim="Under unbounded DP the sensitivity of a proportion is 1/n too, where n is the number of records of the "
    "larger of two neighbouring databases, and the smaller one has a record.",
    checks=[every(larger_sizes, "mean_by_removal(n) == 1 / n")],
    mutants={"n of the smaller one": every(larger_sizes, "mean_by_removal(n) == 1 / (n - 1)")},
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
    checks=[every(large_values, "sum(1 for a, c in zip(x, y) if a != c) == 1 and plain_mean(y) - plain_mean(x) > b")],
    mutants={"values of at most b": every(large_values, "plain_mean(z) - plain_mean(x) > b")},
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
    checks=[every(records, "largest_by_value(n, values) == range_of(values) / n")],
    mutants={"the largest value for the range": every(records, "largest_by_value(n, values) == max(values) / n")},
)

define(
    {
        "weighted_total(w, x)": "sum(a * b for a, b in zip(w, x))",
        "removed_most(w)": """max(abs(weighted_total(w, x) - sum(w[i] * x[i] for i in range(len(w)) if i != j))
            for x in of_records([0, 1], len(w)) for j in range(len(w)))""",
        "by_size(z, kept)": "[sum(z[j] for j in kept) / z[i] for i in kept]",
        "reweighted_most(z)": """max(abs(sum(a * x[i] for i, a in enumerate(by_size(z, range(len(z)))))
            - sum(a * b for a, b in zip(by_size(z, k), [x[i] for i in k])))
            for x in of_records([0, 1], len(z)) for j in range(len(z))
            for k in [without(range(len(z)), j)])""",
        "replaced_most(w, values)": """max(w[i] * abs(x[i] - v) for x in of_records(values, len(w))
            for i in range(len(w)) for v in values)""",
        "exchanged_most(w, values)": "max(abs(a * v - b * u) for a in w for b in w for u in values for v in values)",
    }
)
_WEIGHTS: tuple[tuple[Fraction, ...], ...] = (
    *product((Fraction(1), Fraction(3, 2), Fraction(4)), repeat=3),
    *product((Fraction(1), Fraction(2), Fraction(5)), repeat=2),
)


@cases("weights in {1, 3/2, 4} of three units, in {1, 2, 5} of two, of the sample, the frame or the population", "w")
def some_weights() -> Iterable[Any]:
    return _WEIGHTS


state(
    "survey.weights.largest",
    "dissertation, section 6.4.3",
    printed="Using the Horvitz-Thompson estimator, the L_1-sensitivity increases to max(w_i) (where the maximum is "
    "taken either over the records in the sample (under target sample invariance), the frame (under frame invariance) "
    "or over the entire population (under population invariance)).",
    reading="of a count, x_i in {0, 1}, under unbounded DP, the weights being fixed: so far, as the source says next; "
    "w are the weights of those units that may be in the data set",
    checks=[every(some_weights, "removed_most(w) == max(w) and max(w) >= 1")],
    mutants={
        "weights that change, of PPS with sizes w": every(
            some_weights, "reweighted_most(w) == max(by_size(w, range(len(w))))"
        ),
        "no weights": every(some_weights, "removed_most(w) == 1"),
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
    checks=[every(fixed_weights, "replaced_most(w, values) / N == max(w) * range_of(values) / N")],
    mutants={
        "units of two weights exchanged": every(
            fixed_weights, "exchanged_most(w, values) / N == max(w) * range_of(values) / N"
        ),
        "R/n": every(fixed_weights, "replaced_most(w, values) / N == range_of(values) / len(w)"),
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


_SAME = (
    "all(w == N / len(s) and w * range_of([0, 1, 4]) / N == range_of([0, 1, 4]) / len(s) for s in D for u, x, w in s)"
)

state(
    "survey.mean.equal-probabilities",
    "dissertation, section 7.4",
    printed="Note that for equal-probability designs all w_i = N/n and thus the sensitivity of the Horvitz-Thompson "
    "estimator is the same as for the unweighted estimator.",
    reading="n is fixed, as it is in this section; R is tried as 4",
    checks=[every(equal_rates, _SAME)],
    mutants={
        "samples of random size": every(bernoulli_rates, _SAME),
        "unequal probabilities": every(unequal_rates, _SAME),
    },
)

_LARGER = "any(w > N / 2 for u, x, w in s) == (max(w for u, x, w in s) * 4 / N > 4 / 2)"

state(
    "survey.mean.larger",
    "dissertation, section 7.4",
    printed="If max(w_i) > N/n, the Horvitz-Thompson estimator will have larger sensitivity than the unweighted "
    "estimator.",
    reading="n = 2 is fixed, weights are; R is tried as 4; conversely too",
    checks=[every(unequal_rates, f"all({_LARGER} for s in D)")],
    mutants={
        "if some w_i > 1": every(
            unequal_rates, "all(max(w for u, x, w in s) <= 1 or max(w for u, x, w in s) * 4 / N > 4 / 2 for s in D)"
        )
    },
)

define(
    {
        "spread_in(D)": "max(abs(expansion(s) - expansion(t)) for s in D for t in D)",
        "frame_bound(D)": "abs(max(expanded_in(D)) - min(expanded_in(D)))",
        "agnostic_bound(D, n)": """abs(max(expanded_in(D)) - min(expanded_in(D)))
            + (n - 1) * range_of(weights_in(D)) * max(abs(max(values_in(D))), abs(min(values_in(D))))""",
        "neighbors_within(D, bound)": """all(abs(expansion(s) - expansion(t)) <= bound for s in D for t in D
            if other_records(s, t) == 1)""",
        "steps_within(D, bound)": """all(abs(expansion(s) - expansion(t)) <= bound * other_records(s, t)
            for s in D for t in D)""",
        "added_within(D, bound)": """all(abs(expansion(s) - expansion(t)) <= bound for s in D for t in D
            if len(t) == len(s) + 1 and all(r in records_of(t) for r in records_of(s)))""",
        "neighbors_spread(D)": """max([0] + [abs(expansion(s) - expansion(t)) for s in D for t in D
            if other_records(s, t) == 1])""",
    }
)

Universe = frozenset[Sample]


def weighted(laws: Mapping[frozenset[str], Fraction], values: Mapping[str, int]) -> Universe:
    """The samples of a design that is given by its law, with their weights."""
    rates = {unit: sum(p for sample, p in laws.items() if unit in sample) for sample in laws for unit in sample}
    return frozenset(frozenset((unit, values[unit], 1 / Fraction(rates[unit])) for unit in sample) for sample in laws)


_NAMES = ("Ann", "Bea", "Cy", "Dan")
_PAIRS = tuple(frozenset({a, b}) for a in _NAMES for b in _NAMES if a < b)
_EMPLOYED = weighted(dict.fromkeys(_PAIRS, Fraction(1, 6)), dict(zip(_NAMES, (0, 0, 1, 1), strict=True)))
"""Simple random samples of two of four persons, two of whom are employed."""

_FRAMES = (
    "samples of two from three or four units: simple random, stratified, PPS; x in {1, 2}, or {-1, 3} where it is no "
    "measure of size; four persons of whom two are employed"
)


def _of_one_frame() -> Iterator[Universe]:
    yield _EMPLOYED
    for values, names in (((1, 2), tuple(FIXED_SIZE)), ((-1, 3), tuple(FIXED_SIZE)[:3])):
        for name, population in product(names, populations(values)):
            yield from (frozenset(drawn(name, frame)) for frame in frames_of(population))


def _of_frames() -> Iterator[tuple[Universe, int]]:
    yield _EMPLOYED, 2
    for values, names in (((1, 2), tuple(FIXED_SIZE)), ((-1, 3), tuple(FIXED_SIZE)[:3])):
        for name, population in product(names, populations(values)):
            yield frozenset(sample for frame in frames_of(population) for sample in drawn(name, frame)), 2


one_frame = cases(f"{_FRAMES}; of one frame", "D")(_of_one_frame)
several_frames = cases(f"{_FRAMES}; of all frames that miss one unit at most", "D n")(_of_frames)
any_size = cases("Bernoulli samples of three or four units with x in {1, 2}, of one frame", "D")(
    lambda: (frozenset(drawn("Bernoulli", frame)) for population in populations() for frame in frames_of(population))
)

state(
    "survey.bound.frame",
    "dissertation, section 6.4.5",
    printed="… define the (unadjusted) L_1-sensitivity as Delta_q(D_f) = sup over s, s' in D_f of |q(s) - q(s')|. In "
    "this section, we will prove that the L_1-sensitivity Delta_q(D_f) is bounded by |max over i in f of (w_i x_i) - "
    "min over i in f of (w_i x_i)|. This is the relevant L_1-sensitivity for frame-invariant DP flavors.",
    reading="the supremum over all pairs, as it is displayed; n is fixed, x_i is the value of unit i; there is no "
    "proof in the section",
    grade=incomplete(
        "s and s' must differ in one record, as the sensitivity of section 6.4.3 has it, or |q(s) - q(s')| be divided "
        "by d(s, s'), as in Definition 6.4.2: samples of two may differ in both"
    ),
    checks=[every(one_frame, "spread_in(D) <= frame_bound(D)")],
)

state(
    "survey.bound.frame.repaired",
    "dissertation, section 6.4.5",
    claim="For samples of a fixed size from one frame, |q(s) - q(s')| is at most (max w_i x_i - min w_i x_i) times the "
    "number of records in which they differ; so the Laplace mechanism may have this scale, divided by epsilon.",
    repairs="survey.bound.frame",
    checks=[
        every(one_frame, "neighbors_within(D, frame_bound(D))"),
        every(one_frame, "steps_within(D, frame_bound(D))"),
    ],
    mutants={
        "no weights": every(one_frame, "neighbors_within(D, range_of(values_in(D)))"),
        "samples of several frames": every(several_frames, "neighbors_within(D, frame_bound(D))"),
        "a record added": every(any_size, "added_within(D, frame_bound(D))"),
    },
)

state(
    "survey.bound.agnostic",
    "dissertation, section 6.4.5",
    printed="For frame-agnostic DP flavors, the relevant L_1-sensitivity is the global L_1-sensitivity Delta_q(D_0), "
    "which can only be bounded by the worst-case |max w_i x_i - min w_i x_i| + (n - 1)(max w_i - min w_i)(|max x_i| v "
    "|min x_i|), where n is the (fixed) size of the target sample and the maximums and minimums are all over i in U(p) "
    "and all possible p because, in general, changing a single record may change the design weights of all other "
    "records.",
    reading="the supremum over all pairs, as it is displayed",
    grade=incomplete(
        "s and s' must differ in one record, as the reason that it gives has it: samples of two may differ in both"
    ),
    checks=[every(several_frames, "spread_in(D) <= agnostic_bound(D, n)")],
)

_ATTAINED = weighted(
    {
        frozenset({"Ann", "Bea"}): Fraction(1, 2),
        frozenset({"Bea", "Cy"}): Fraction(1, 4),
        frozenset({"Bea", "Dan"}): Fraction(1, 4),
    },
    {"Ann": 0, "Bea": 1, "Cy": 0, "Dan": 0},
) | weighted(
    {frozenset({"Ann", "Bea"}): Fraction(1, 4), frozenset({"Cy", "Dan"}): Fraction(3, 4)},
    {"Ann": 1, "Bea": 1, "Cy": 0, "Dan": 0},
)
"""Two frames in which Ann's answer differs and the design, which saw it, includes Bea with 1 or with 1/4."""

attained = cases(
    "two frames of four persons that differ in one answer, which a design of samples of two has seen", "D n"
)(lambda: [(_ATTAINED, 2)])

state(
    "survey.bound.agnostic.repaired",
    "dissertation, section 6.4.5",
    claim="For samples of a fixed size n, also of different frames, that differ in one record, |q(s) - q(s')| is at "
    "most |max w_i x_i - min w_i x_i| + (n - 1)(max w_i - min w_i)(|max x_i| v |min x_i|), and some design attains it.",
    repairs="survey.bound.agnostic",
    reading="weights are no part of the records in which samples differ",
    checks=[
        every(several_frames, "neighbors_within(D, agnostic_bound(D, n))"),
        every(attained, "neighbors_spread(D) == agnostic_bound(D, n)"),
    ],
    mutants={
        "weights that stay": every(attained, "neighbors_within(D, agnostic_bound(D, 1))"),
        "x_i for its absolute value": every(
            several_frames,
            "neighbors_within(D, frame_bound(D) + (n - 1) * range_of(weights_in(D)) * min(values_in(D)))",
        ),
    },
)
