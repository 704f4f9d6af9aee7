"""Weights adjusted for non-response and calibrated: dissertation, sections 6.2.4, 6.4.3 and 7.5."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from stirred.mechanisms.surveys.calibration import greg, post_stratified, raked
from stirred.mechanisms.surveys.designs import simple_random_sample
from stirred.mechanisms.surveys.weights import Weights, response_weights
from stirred.spec.surveys.unit_data import UnitData, unit_data
from stirred.verify.ledger import cases, every, mutant, own, state
from stirred.verify.ledger.claims.survey_weights.words import (
    Sample,
    frames_of,
    one_weight,
    records_of,
    weights_change_at_once,
    weights_stay,
)
from stirred.verify.ledger.engines.design_weights import weighted_samples

weights_change_by_one = lambda D: any(
    not one_weight(s, t)
    for s in D
    for t in D
    if len(t) == len(s) + 1 and all(r in records_of(t) for r in records_of(s))
)

Final = Callable[[UnitData, UnitData, Weights], Weights]
"""The final weights of responding units, from these, the target sample and its design weights."""


def _by_class(number: int) -> Final:
    def final(responding: UnitData, sample: UnitData, weights: Weights) -> Weights:
        return response_weights(weights, responding, sample=sample, response_class=lambda record: record % number)

    return final


def _post_stratified(responding: UnitData, sample: UnitData, weights: Weights) -> Weights:  # noqa: ARG001
    totals = dict.fromkeys({record % 2 for _, record in responding}, 2)
    return post_stratified(weights, responding, stratum=lambda record: record % 2, totals=totals)


def _responding(sample: UnitData, number: int) -> Iterator[UnitData]:
    """Those in which each of the classes of the sample has a unit."""
    classes = {record % number for _, record in sample}
    for size in range(1, len(sample) + 1):
        for chosen in combinations(sample, size):
            if {record % number for _, record in chosen} == classes:
                yield chosen


def _weighted(frame: UnitData, final: Final, number: int) -> Iterator[frozenset[Sample]]:
    """For each simple random sample of four units, two of each class, what may respond, with final weights."""
    for drawn in weighted_samples(simple_random_sample, frame, size=4):
        sample = tuple((unit, record) for unit, (record, _) in drawn)
        if sum(record % 2 for _, record in sample) != 2:
            continue
        weights = tuple((unit, weight) for unit, (_, weight) in drawn)
        yield frozenset(
            frozenset((unit, dict(one)[unit], weight) for unit, weight in final(one, sample, weights))
            for one in _responding(sample, number)
        )


_POPULATION = unit_data({1: 0, 2: 1, 3: 2, 4: 3, 5: 4})
"""Persons with a response class, x modulo 2."""
_OTHER = unit_data({1: 0, 2: 1, 3: 2, 4: 3, 5: 6})
_ADJUSTMENTS: Mapping[str, tuple[Final, int]] = {
    "two response classes": (_by_class(2), 2),
    "post-strata": (_post_stratified, 2),
    "one response class": (_by_class(1), 1),
}


def _universes(frames: Sequence[UnitData], final: Final, number: int, setting: str) -> Iterator[frozenset[Sample]]:
    by_frame = [list(_weighted(frame, final, number)) for frame in frames]
    if setting == "sample":
        yield from (universe for universes in by_frame for universe in universes)
    elif setting == "frame":
        yield from (frozenset().union(*universes) for universes in by_frame if universes)
    else:
        yield frozenset().union(*(universe for universes in by_frame for universe in universes))


def _settings(names: Sequence[str]) -> Iterator[frozenset[Sample]]:
    frames = frames_of(_POPULATION)
    for name, setting in product(names, ("sample", "frame", "population")):
        yield from _universes(frames, *_ADJUSTMENTS[name], setting)
    for name in names:
        yield from _universes((_POPULATION, _OTHER), *_ADJUSTMENTS[name], "agnostic")


_final = lambda scope, number: cases(
    "responding samples of simple random samples of four units, two of each class, from frames of four or five units, "
    f"in each of the four settings of Table 6.2; weights adjusted in {scope}",
    "D",
)(lambda: _settings(tuple(_ADJUSTMENTS)[:number]))
two_classes = _final("two response classes, or post-stratified to two known counts", 2)
all_adjustments = _final("one or two response classes, or post-stratified", 3)

_of_each_sample = lambda name: (
    (len(frame), universe) for frame in frames_of(_POPULATION) for universe in _weighted(frame, *_ADJUSTMENTS[name])
)

_EACH = "responding samples of one simple random sample of four of N = 4 or 5 units; weights adjusted in "
one_class = cases(f"{_EACH}one response class", "N D")(lambda: _of_each_sample("one response class"))
each_of_two = cases(f"{_EACH}two response classes", "N D")(lambda: _of_each_sample("two response classes"))

state("survey.weights.final", "dissertation, Table 6.2")(
    "We note that the final weights that also account for nonresponse can never be treated as fixed.",
    every(two_classes, lambda D: weights_change_at_once(D)),
    mutant("one response class", one_class),
    reading="""in none of the table's four settings: in each, with the usual response classes or post-strata, some unit
    has two weights in responding samples that differ in one record; see survey.weights.final.one-class for weights that
    happen to stay""",
)

state("survey.weights.final.estimated", "dissertation, section 6.4.3")(
    """However, the considerations so far assume that the weights can be considered fixed. This assumption is never
    justified for the final survey weights. This is because the nonresponse adjustments and calibration steps rely on
    models that are estimated from the data. Changing one record in the data will change these models and thus the
    weights.""",
    every(all_adjustments, lambda D: weights_change_by_one(D)),
    mutant("a record replaced", lambda D: weights_change_at_once(D)),
    reading="""a record is changed as in the passage before, whose example is 'Under unbounded DP (i.e., defining
    neighboring datasets by adding or removing one record)': in each setting some record, added, changes another's
    weight; with a record replaced, see survey.weights.final, and survey.weights.final.one-class for where it changes
    none""",
)

own("survey.weights.final.one-class", "dissertation, section 6.4.3")(
    """Under bounded DP the final weights of a simple random sample with one response class are N/r in all samples of r
    respondents from one target sample that are compared, so that they may be treated as fixed there.""",
    every(one_class, lambda N, D: weights_stay(D) and all(w == N / len(s) for s in D for u, x, w in s)),
    mutant("two response classes", every(each_of_two, lambda D: weights_stay(D))),
)

_RECORDS = tuple(product((0, 1), repeat=2))
_KNOWN = {0: 6, 1: 4}
_METHODS: Mapping[str, Callable[[Weights, UnitData], Weights]] = {
    "post-stratified": lambda w, data: post_stratified(w, data, stratum=lambda record: record[0], totals=_KNOWN),
    "raked, one round": lambda w, data: raked(
        w, data, margins=[(lambda record: record[0], _KNOWN), (lambda record: record[1], _KNOWN)], rounds=1
    ),
    "GREG": lambda w, data: greg(w, data, auxiliaries=lambda record: (1, *record), totals=(10, 4, 4)),
}
_BASE = (Fraction(2), Fraction(3), Fraction(2), Fraction(1), Fraction(2))

# five units with two categories each, of which all four combinations occur
_samples = lambda: (unit_data(dict(enumerate((*_RECORDS, last)))) for last in _RECORDS)
_weights = lambda data: tuple((unit, weight) for (unit, _), weight in zip(data, _BASE, strict=True))
calibrated = cases(
    "five units with two binary variables and known counts 6 and 4 of each; post-stratified to one of them, raked to "
    "both in one round, GREG; x the records, w the weights, g the adjusted ones",
    "method x w g",
)(
    lambda: (
        (name, tuple(record for _, record in data), _BASE, tuple(g[unit] for unit, _ in data))
        for name, data in product(_METHODS, _samples())
        for g in [dict(_METHODS[name](_weights(data), data))]
    )
)

weighted_count = lambda w, x, k, a: sum(v for v, r in zip(w, x) if r[k] == a)
meets = lambda w, x, k: weighted_count(w, x, k, 0) == 6 and weighted_count(w, x, k, 1) == 4

state("survey.calibration.benchmarks", "dissertation, section 7.5")(
    """These techniques can be used to adjust the survey weights in such a way that the survey weighted estimates will
    match the known benchmarks exactly.""",
    every(calibrated, lambda method, x, g: method == "raked, one round" or meets(g, x, 0)),
    mutant("raking in one round", lambda x, g: meets(g, x, 0)),
    mutant("weights before", lambda x, w: meets(w, x, 0)),
    every(calibrated, lambda method, x, g: method == "post-stratified" or meets(g, x, 1)),
    reading="""post-stratification its counts, GREG all of its totals, raking the margin of its last step, the others in
    the limit""",
)

post_stratified_total = lambda w, x, y: sum(
    [6, 4][a] * sum(v * b for v, r, b in zip(w, x, y) if r[0] == a) / weighted_count(w, x, 0, a) for a in range(2)
)
weighted_sum = lambda w, y: sum(v * b for v, b in zip(w, y))
regression_total = lambda w, x, y: (
    weighted_sum(w, y)
    + (17 - weighted_sum(w, x)) * sum(v * a * b for v, a, b in zip(w, x, y)) / sum(v * a * a for v, a in zip(w, x))
)

_Y = (3, 1, 4, 1, 5)

regressed = cases(
    "five units with x in {1, 2} and y, one auxiliary variable with the known total 17; GREG weights g", "w x y g"
)(
    lambda: (
        (_BASE, x, _Y, tuple(g[unit] for unit in range(5)))
        for x in product((1, 2), repeat=5)
        for data in [unit_data(dict(enumerate((value,) for value in x)))]
        for g in [dict(greg(_weights(data), data, auxiliaries=lambda record: record, totals=(17,)))]
    )
)
post_strata = cases(
    "five units with two binary variables and y, post-stratified to the counts 6 and 4; weights g", "w x y g"
)(lambda: ((w, x, _Y, g) for name, x, w, g in calibrated if name == "post-stratified"))

state("survey.calibration.weights", "dissertation, section 6.2.4")(
    """Common calibration techniques are post-stratification, raking or the GREG estimator. … It suffices to note that
    all these methods can be reflected by adjusting the survey weights obtained from the previous two steps.""",
    every(regressed, lambda w, x, y, g: regression_total(w, x, y) == weighted_sum(g, y)),
    mutant("weights that are not adjusted", lambda w, x, y: regression_total(w, x, y) == weighted_sum(w, y)),
    every(post_strata, lambda w, x, y, g: post_stratified_total(w, x, y) == weighted_sum(g, y)),
    mutant("post-strata, not adjusted", lambda w, x, y: post_stratified_total(w, x, y) == weighted_sum(w, y)),
    reading="""the post-stratified estimate sum_h N_h ybar_h and the regression estimate t_y + (X - t_x)B are weighted
    sums with adjusted weights; raking adjusts weights by definition""",
)


@cases(
    "five units with two binary variables, one of which changes its record; adjusted weights of the four others before "
    "and after, by post-stratification, raking and GREG",
    "method g h",
)
def changed_factors() -> Iterator[tuple[Any, ...]]:
    by_method: dict[str, list[tuple[tuple[Fraction, ...], tuple[Fraction, ...]]]] = {}
    for name, data, other in (
        (name, data, (*data[:4], (4, record)))
        for name, data in product(_METHODS, _samples())
        for record in _RECORDS
        if record != data[4][1]
    ):
        before, after = (dict(_METHODS[name](_weights(one), one)) for one in (data, other))
        found = by_method.setdefault(name, [])
        found.append((tuple(before[u] for u in range(4)), tuple(after[u] for u in range(4))))
    for name, found in by_method.items():
        yield name, tuple(one for one, _ in found), tuple(other for _, other in found)


all_change = lambda before, after: all(a != b for a, b in zip(before, after))

state("survey.calibration.all-others", "dissertation, section 7.5")(
    """… changing one record in the database can potentially change the weight-adjustment factors for all other units in
    the survey.""",
    every(changed_factors, lambda g, h: any(all_change(before, after) for before, after in zip(g, h))),
    mutant("every change does", lambda g, h: all(all_change(before, after) for before, after in zip(g, h))),
    reading="by post-stratification, raking and GREG, some change does",
)


def _released(*, adjusted: bool) -> Iterator[tuple[str, Mapping[Any, tuple[Fraction, ...]]]]:
    """By the record of the fifth unit: the weights of the four others."""
    for name, method in _METHODS.items():
        found: dict[Any, tuple[Fraction, ...]] = {}
        for data in _samples():
            weights = dict(method(_weights(data), data) if adjusted else _weights(data))
            found[data[4][1]] = tuple(weights[unit] for unit in range(4))
        yield name, found


_OTHERS = "five units with two binary variables; by the record of one of them: the weights of the four others, "
released = cases(f"{_OTHERS}by post-stratification, raking and GREG", "method weights")(
    lambda: _released(adjusted=True)
)
released_design = cases(f"{_OTHERS}not adjusted", "method weights")(lambda: _released(adjusted=False))

state("survey.calibration.leak", "dissertation, section 7.5")(
    """This implies that these steps cannot be ignored from a privacy perspective as the adjusted weights leak some
    personal information.""",
    every(released, lambda weights: len({weights[r] for r in weights}) > 1),
    mutant("design weights", released_design),
    mutant("the whole record", lambda weights: len({weights[r] for r in weights}) == len(weights)),
    reading="""given the others' records, the adjusted weights of the others, published with their records, say
    something of one that is not published""",
)


@cases(
    "m = 1, 10, 100; four units of weight 1, one of them in a group of m + 1 by a known count, or of 1; its y becomes "
    "1; totals of y before and after, with weights post-stratified to the two counts, and without",
    "m x y u v plain_x plain_y",
)
def inflated() -> Iterator[tuple[Any, ...]]:
    def totals(own: int, count: int) -> tuple[Fraction, ...]:
        data = unit_data({1: (0, 0), 2: (0, 1), 3: (0, 1), 4: (1, own)})
        even = tuple((unit, Fraction(1)) for unit, _ in data)
        known = post_stratified(even, data, stratum=lambda record: record[0], totals={0: 4, 1: count})
        return tuple(sum((w * dict(data)[u][1] for u, w in weights), Fraction(0)) for weights in (known, even))

    for m in (1, 10, 100):
        (x, plain_x), (y, plain_y) = (totals(own, m + 1) for own in (0, 1))
        (u, _), (v, _) = (totals(own, 1) for own in (0, 1))
        yield m, x, y, u, v, plain_x, plain_y


inflates_change = lambda m, plain_x, plain_y, before, after: (
    abs(before - after) > m * abs(plain_x - plain_y) and abs(plain_x - plain_y) == 1
)

state("survey.calibration.sensitivity", "dissertation, section 7.1")(
    """As these adjustments can substantially increase the sensitivity of the survey statistic, there is a need to
    develop robust adjustment strategies which are congenial to DP.""",
    every(inflated, lambda m, x, y, plain_x, plain_y: inflates_change(m, plain_x, plain_y, x, y)),
    mutant("a group of one", lambda m, u, v, plain_x, plain_y: inflates_change(m, plain_x, plain_y, u, v)),
    reading="""for every m some change of one record changes the post-stratified total by more than m times what it
    changes the total before""",
)
