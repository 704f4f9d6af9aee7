"""Bounds of the Horvitz-Thompson estimator's sensitivity, and what a design does to it: sections 6.4 and 7.4."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.surveys.designs import stratified_sample
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.ledger import cases, every, incomplete, mutant, own, some, state
from stirred.verify.ledger.claims.survey_weights.estimates import with_value
from stirred.verify.ledger.claims.survey_weights.words import (
    FIXED_SIZE,
    Sample,
    drawn,
    expanded_in,
    expansion,
    frames_of,
    neighbors_of,
    other_records,
    populations,
    range_of,
    records_of,
    values_in,
    weights_in,
)
from stirred.verify.ledger.engines.design_weights import weighted_samples
from stirred.verify.ledger.language_names import subsets

# bounds of the Horvitz-Thompson estimator's sensitivity: dissertation, section 6.4.5

spread_in = lambda D: max(abs(expansion(s) - expansion(t)) for s in D for t in D)
frame_bound = lambda D: abs(max(expanded_in(D)) - min(expanded_in(D)))
agnostic_bound = lambda D, n: (
    abs(max(expanded_in(D)) - min(expanded_in(D)))
    + (n - 1) * range_of(weights_in(D)) * max(abs(max(values_in(D))), abs(min(values_in(D))))
)
neighbors_within = lambda D, bound: all(
    abs(expansion(s) - expansion(t)) <= bound for s in D for t in D if other_records(s, t) <= 1
)
steps_within = lambda D, bound: all(
    abs(expansion(s) - expansion(t)) <= bound * other_records(s, t) for s in D for t in D
)
added_within = lambda D, bound: all(
    abs(expansion(s) - expansion(t)) <= bound
    for s in D
    for t in D
    if len(t) == len(s) + 1 and all(r in records_of(t) for r in records_of(s))
)
neighbors_spread = lambda D: max(
    [0] + [abs(expansion(s) - expansion(t)) for s in D for t in D if other_records(s, t) <= 1]
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
            for other in neighbors_of(population, values):
                frames = (*frames_of(population), *frames_of(other))
                yield frozenset(sample for frame in frames for sample in drawn(name, frame)), 2


one_frame = cases(f"{_FRAMES}; of one frame", "D")(_of_one_frame)
several_frames = cases(
    f"{_FRAMES}; of all frames that miss one unit at most, of one population or of two that differ in one record", "D n"
)(_of_frames)
any_size = cases("Bernoulli samples of three or four units with x in {1, 2}, of one frame", "D")(
    lambda: (frozenset(drawn("Bernoulli", frame)) for population in populations() for frame in frames_of(population))
)

state("survey.bound.frame", "dissertation, section 6.4.5")(
    """… define the (unadjusted) L_1-sensitivity as Delta_q(D_f) = sup over s, s' in D_f of |q(s) - q(s')|. In this
    section, we will prove that the L_1-sensitivity Delta_q(D_f) is bounded by |max over i in f of (w_i x_i) - min over
    i in f of (w_i x_i)|. This is the relevant L_1-sensitivity for frame-invariant DP flavors.""",
    every(one_frame, lambda D: spread_in(D) <= frame_bound(D)),
    reading="""the supremum over all pairs, as it is displayed; n is fixed; x_i is the one value of unit i, the
    augmented frame being fixed, see survey.bound.frame.values; there is no proof in the section""",
    grade=incomplete(
        "s and s' must differ in one record, as the sensitivity of section 6.4.3 has it, or |q(s) - q(s')| be divided "
        "by d(s, s'), as in Definition 6.4.2: samples of two may differ in both"
    ),
)

own("survey.bound.frame.repaired", "dissertation, section 6.4.5")(
    """For samples of a fixed size from one frame in which x_i is the one value of unit i, |q(s) - q(s')| is at most
    (max w_i x_i - min w_i x_i) times the number of records in which they differ; so the Laplace mechanism may have this
    scale, divided by epsilon.""",
    every(one_frame, lambda D: neighbors_within(D, frame_bound(D))),
    mutant("no weights", lambda D: neighbors_within(D, range_of(values_in(D)))),
    mutant("samples of several frames", several_frames),
    every(one_frame, lambda D: steps_within(D, frame_bound(D))),
    mutant("a record added", every(any_size, lambda D: added_within(D, frame_bound(D)))),
    repairs="survey.bound.frame",
)


def _free_values() -> Iterator[tuple[Universe, Universe]]:
    """Samples of a frame with any values of its units, and with the values that they have."""
    for name, values in product(tuple(FIXED_SIZE)[:2], ((0, 1), (-1, 3), (10, 11))):
        for frame in frames_of(next(iter(populations(values[1:])))):
            samples = drawn(name, frame)
            free = (
                frozenset((unit, x, weight) for (unit, _, weight), x in zip(sorted(sample), chosen, strict=True))
                for sample in samples
                for chosen in product(values, repeat=len(sample))
            )
            yield frozenset(free), frozenset(samples)


free_values = cases(
    "samples of two from three or four units: simple random, or one of each of two strata; E: all units have one "
    "value, 1, 3 or 11; D: they have 0 or 1, -1 or 3, 10 or 11",
    "D E",
)(_free_values)

own("survey.bound.frame.values", "dissertation, section 6.4.5")(
    """Where the frame has the units, and each may have any of several values, the bound holds with the maximum and the
    minimum of w_i x over the units i of the frame and their possible values x; with the values that the units have it
    need not.""",
    every(free_values, lambda D: neighbors_within(D, frame_bound(D))),
    mutant("the values that the units have", lambda D, E: neighbors_within(D, frame_bound(E))),
    reading="samples of a fixed size that differ in one record; the design does not use x",
)

state("survey.bound.agnostic", "dissertation, section 6.4.5")(
    """For frame-agnostic DP flavors, the relevant L_1-sensitivity is the global L_1-sensitivity Delta_q(D_0), which can
    only be bounded by the worst-case |max w_i x_i - min w_i x_i| + (n - 1)(max w_i - min w_i)(|max x_i| v |min x_i|),
    where n is the (fixed) size of the target sample and the maximums and minimums are all over i in U(p) and all
    possible p because, in general, changing a single record may change the design weights of all other records.""",
    every(several_frames, lambda D, n: spread_in(D) <= agnostic_bound(D, n)),
    reading="the supremum over all pairs, as it is displayed",
    grade=incomplete(
        "s and s' must differ in one record, as the reason that it gives has it: samples of two may differ in both"
    ),
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

within_signed = lambda D, n: neighbors_within(D, frame_bound(D) + (n - 1) * range_of(weights_in(D)) * min(values_in(D)))

own("survey.bound.agnostic.repaired", "dissertation, section 6.4.5")(
    """For samples of a fixed size n, also of different frames and populations, that differ in one record, |q(s) -
    q(s')| is at most |max w_i x_i - min w_i x_i| + (n - 1)(max w_i - min w_i)(|max x_i| v |min x_i|), and some design
    attains it.""",
    every(several_frames, lambda D, n: neighbors_within(D, agnostic_bound(D, n))),
    every(attained, lambda D, n: neighbors_spread(D) == agnostic_bound(D, n)),
    mutant("weights that stay", lambda D: neighbors_within(D, agnostic_bound(D, 1))),
    mutant("x_i for its absolute value", every(several_frames, within_signed)),
    repairs="survey.bound.agnostic",
    reading="in how many records samples differ is counted without weights, which may change where no record does",
)

# what a design does to the sensitivity of its estimate: stratification (section 6.4.4) and sizes (section 7.4)

# g: the stratum of each unit
sizes_in_strata = lambda s, g: [sum(1 for u, x, w in s if g[u] == h) for h in range(2)]
moved_units = lambda s, t: [u for u, x, w in s if all(u != i for i, y, v in t)]

_sampled = lambda scope, *names, several=False: cases(
    "populations of four units in two strata with x in {-1, 2, 3}; frames of all units or all but one; samples of two"
    f"{scope}",
    "D g",
)(
    lambda: (
        (universe, {unit: record[0] for unit, record in population})
        for name in names
        for population in populations((-1, 2, 3))
        for universes in [[frozenset(drawn(name, frame)) for frame in frames_of(population)]]
        for universe in ([frozenset[Sample]().union(*universes)] if several else universes)
    )
)
stratified = _sampled(
    ", one unit of each stratum or proportional; of one frame", "stratified, one unit each", "stratified, proportional"
)
of_frames = _sampled(" or three, Neyman allocation; of all frames", "stratified, Neyman", several=True)
simple = _sampled(", simple random", "simple random sampling")

constant_stratum_sizes = lambda g, D: all(sizes_in_strata(s, g) == sizes_in_strata(t, g) for s in D for t in D)
exchanged_within_stratum = lambda g, D: all(
    g[i] == g[j] for s in D for t in D if other_records(s, t) == 1 for i in moved_units(s, t) for j in moved_units(t, s)
)

state("survey.strata.same", "dissertation, section 6.4.4")(
    """For example, if the sampling design tau_f includes stratification, then the stratum sample sizes are constant
    between comparable sample datasets s, s'. Thus, if s and s' differ only on a single record, that record must belong
    to the same stratum in both s and s'.""",
    every(stratified, constant_stratum_sizes),
    every(stratified, exchanged_within_stratum),
    mutant("no stratification", simple),
    mutant("samples of several frames", every(of_frames, constant_stratum_sizes)),
    reading="under frame invariance, as the passage has it, strata being known of units",
)

# V the possible values in each of two strata, W the weights there
apart_within = lambda V: max(range_of(values) for values in V)
apart_across = lambda V: max(abs(a - b) for a in V[0] for b in V[1])
expanded_values = lambda W, V: [[w * x for x in values] for w, values in zip(W, V)]

_VALUES = (((0, 2), (3, 4)), ((0, 1), (2, 3)), ((-1, 1), (3, 4)), ((0, 5), (3, 4)), ((10, 11), (20, 21)))

# the samples of frames, each the strata of its units, whose units have any values of their strata
_free_samples = lambda frames, rates, values: frozenset(
    frozenset((unit, record[1], weight) for unit, (record, weight) in sample)
    for strata in frames
    for chosen in product(*(values[int(h)] for h in strata))
    for sample in weighted_samples(
        stratified_sample,
        unit_data(dict(enumerate(zip(map(int, strata), chosen, strict=True)))),
        stratum=lambda record: record[0],
        sizes=lambda found: {h: int(rates[h] * len(records)) for h, records in found.items()},
    )
)


def _of_strata(*, equal: bool) -> Iterator[tuple[Any, ...]]:
    """D of the first frame, E of all: samples of two."""
    half, one = Fraction(1, 2), Fraction(1)
    designs = [(("0011", "0000"), (half, half))]
    if not equal:
        designs.insert(0, (("001", "0000"), (half, one)))
    for (frames, rates), values in product(designs, _VALUES):
        weights = tuple(1 / rate for rate in rates)
        yield weights, values, _free_samples(frames[:1], rates, values), _free_samples(frames, rates, values)


_STRATA = (
    "samples of two; units have any of two values of their stratum; D: from a frame of two strata, E: from a frame "
    "of the first alone too; "
)
proportional_strata = cases(f"{_STRATA}half of each stratum", "W V D E")(lambda: _of_strata(equal=True))
any_strata = cases(f"{_STRATA}half of the small firms and all large ones, or half of each stratum", "W V D E")(
    lambda: _of_strata(equal=False)
)

reduced_if_closer_within = lambda D, E, V: (
    apart_within(V) >= apart_across(V) or neighbors_spread(D) < neighbors_spread(E)
)

_AGNOSTIC = (
    "compared with a frame-agnostic flavor, in which samples of frames with other strata are comparable; the stratum "
    "of a unit is not its record"
)

state("survey.strata.reduced", "dissertation, section 6.4.4")(
    """When the difference between the possible values of x_i within strata is smaller than their difference across
    strata …, the sensitivity of the Horvitz-Thompson estimatoris reduced when the DP flavor is frame-invariant.""",
    every(any_strata, lambda V, D, E: reduced_if_closer_within(D, E, V)),
    reading=f"{_AGNOSTIC}; reduced means smaller, since the paragraph before has it that any restriction potentially "
    "reduces the sensitivity, and this one says when it does; the differences are the largest ones",
    grade=incomplete(
        "weights must be equal, as with proportional allocation, or the values be those of w_i x_i: where half of the "
        "small firms, with 0 or 2 vacancies, and all large ones, with 3 or 4, are asked, a small one's answer changes "
        "the estimate by 4, and no exchange across strata by more"
    ),
)

own("survey.strata.reduced.repaired", "dissertation, section 6.4.4")(
    """When the difference between the possible values of w_i x_i within strata is smaller than their difference across
    strata, the sensitivity of the Horvitz-Thompson estimator is smaller with the frame invariant than where frames are
    comparable whose samples differ in one record, which changes its stratum and may have any value there; with equal
    weights that is the difference of values of x_i.""",
    every(any_strata, lambda W, V, D, E: reduced_if_closer_within(D, E, expanded_values(W, V))),
    mutant("smaller with any weights", lambda V, D, E: reduced_if_closer_within(D, E, V)),
    every(proportional_strata, lambda V, D, E: reduced_if_closer_within(D, E, V)),
    mutant("smaller for any values", lambda D, E: neighbors_spread(D) < neighbors_spread(E)),
    repairs="survey.strata.reduced",
    reading=f"{_AGNOSTIC}; each stratum has one weight in all frames",
)

# frames of three units with sizes x and values y, of which n are drawn by size; the first record changes
can_be_drawn = lambda x, n: n * max(x) <= sum(x)
drawn_total = lambda x, y, s, n: sum(sum(x) / (n * x[i]) * y[i] for i in s)
with_fixed_weights = lambda n, sizes, values: max(
    sum(x) / (n * x[i]) * range_of(values) for x in product(sizes, sizes, sizes) if can_be_drawn(x, n) for i in range(3)
)
with_changed_weights = lambda n, sizes, values: max(
    abs(drawn_total(x, y, s, n) - drawn_total(u, v, s, n))
    for x in product(sizes, sizes, sizes)
    if can_be_drawn(x, n)
    for y in product(values, values, values)
    for a in sizes
    for u in [with_value(x, 0, a)]
    if can_be_drawn(u, n)
    for b in values
    for v in [with_value(y, 0, b)]
    for s in subsets(range(3))
    if len(s) == n
)

_by_size = lambda scope, *listed: cases(
    f"PPS samples of one or two of three units of sizes 1 and 2; y in {scope}", "n sizes values"
)(lambda: ((n, (1, 2), values) for n in (1, 2) for values in listed))
away_from_zero = _by_size("{10, 11} or {-3, -2}", (10, 11), (-3, -2))
indicators = _by_size("{0, 1} or {-1, 0}", (0, 1), (-1, 0))
any_values = _by_size("{0, 1}, {-1, 0}, {10, 11} or {-3, -2}", (0, 1), (-1, 0), (10, 11), (-3, -2))

more_than_fixed = lambda n, sizes, values: with_changed_weights(n, sizes, values) > with_fixed_weights(n, sizes, values)

state("survey.pps.sensitivity", "dissertation, section 7.4")(
    """Therefore, the sensitivity will be larger compared to the setting with fixed weights as we no longer only need to
    consider the maximum possible change in a single record's value for Y. We also need to consider the impact of the
    weight change for all the other records even if their values for Y don't change.""",
    every(any_values, more_than_fixed),
    reading="""of totals, maximal over all frames, a unit keeping its place in the sample; larger: strictly, as the
    reason given is that more must be considered, and as survey.strata.reduced reads 'reduced'""",
    grade=incomplete("values away from 0: for a count, the weight of another unit grows where one's own falls"),
)

not_below = lambda n, sizes, values: with_changed_weights(n, sizes, values) >= with_fixed_weights(n, sizes, values)

own("survey.pps.sensitivity.repaired", "dissertation, section 7.4")(
    """With PPS sampling the sensitivity is never smaller than with fixed weights, and it can be larger where all values
    are far enough from 0, such as 10 and 11, or -3 and -2, with sizes 1 and 2 and samples of one of three units.""",
    every(any_values, not_below),
    mutant("larger for every variable", more_than_fixed),
    mutant(
        "weights treated as fixed",
        lambda n, sizes, values: with_changed_weights(n, sizes, values) <= with_fixed_weights(n, sizes, values),
    ),
    some(away_from_zero, more_than_fixed),
    repairs="survey.pps.sensitivity",
)

as_fixed = lambda n, sizes, values: with_changed_weights(n, sizes, values) == with_fixed_weights(n, sizes, values)

own("survey.pps.sensitivity.counts", "dissertation, section 7.4")(
    """For a count, PPS sampling with a record's size changing as well has the sensitivity of fixed weights, the largest
    weight: where another's weight grows, one's own falls.""",
    every(indicators, as_fixed),
    mutant("values away from 0", any_values),
)
