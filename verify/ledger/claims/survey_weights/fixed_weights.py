"""Where design weights may be treated as fixed: dissertation, Table 6.2 and sections 6.4.3, 6.6 and 7.4."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.ledger import cases, every, mutant, state
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

of_one_population = cases(
    f"samples from the frames of one population; {_TYPICAL}",
    "D",
    lambda: (
        frozenset(sample for frame in frames_of(population) for sample in drawn(name, frame))
        for name, population in product(_AFFECTED, populations())
    ),
)
of_two_populations = cases(
    f"samples from the frames of two populations that differ in one record; {_TYPICAL}",
    "D",
    lambda: (
        frozenset(sample for one in (population, other) for frame in frames_of(one) for sample in drawn(name, frame))
        for name, population in product(_AFFECTED, populations())
        for other in neighbors_of(population)
    ),
)
of_one_frame = cases(
    f"samples from one frame; {_TYPICAL}",
    "D",
    lambda: (
        case
        for name, population in product(_AFFECTED, populations())
        for case in (frozenset(drawn(name, frame)) for frame in frames_of(population))
    ),
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
runs = cases(f"{_RUNS}{_EIGHT}", "R", lambda: _runs(tuple(DESIGNS)))
final_runs = cases(
    f"{_RUNS}{_EIGHT}; weights divided by the rate of response", "R", lambda: _runs(tuple(DESIGNS), final=True)
)
affected_runs = cases(f"{_RUNS}{_FIVE}", "R", lambda: _runs(_AFFECTED))
inclusion_runs = cases(
    f"{_TWO}one; all target samples, with the inverse sums of their probabilities: {_EIGHT}",
    "R",
    lambda: _by_enumeration(tuple(DESIGNS)),
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
