"""What a design does to the sensitivity of its estimate: stratification (section 6.4.4) and sizes (section 7.4)."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.surveys.designs import stratified_sample
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.ledger import cases, every, incomplete, mutant, own, some, state
from stirred.verify.ledger.claims.survey_weights.bounds import neighbors_spread
from stirred.verify.ledger.claims.survey_weights.estimates import with_value
from stirred.verify.ledger.claims.survey_weights.words import (
    Sample,
    drawn,
    frames_of,
    other_records,
    populations,
    range_of,
)
from stirred.verify.ledger.engines.design_weights import weighted_samples
from stirred.verify.ledger.language_names import subsets

# g: the stratum of each unit
sizes_in_strata = lambda s, g: [sum(1 for u, x, w in s if g[u] == h) for h in range(2)]
moved_units = lambda s, t: [u for u, x, w in s if all(u != i for i, y, v in t)]

_sampled = lambda scope, *names, several=False: cases(
    "populations of four units in two strata with x in {-1, 2, 3}; frames of all units or all but one; samples of two"
    f"{scope}",
    "D g",
    lambda: (
        (universe, {unit: record[0] for unit, record in population})
        for name in names
        for population in populations((-1, 2, 3))
        for universes in [[frozenset(drawn(name, frame)) for frame in frames_of(population)]]
        for universe in ([frozenset[Sample]().union(*universes)] if several else universes)
    ),
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
proportional_strata = cases(f"{_STRATA}half of each stratum", "W V D E", lambda: _of_strata(equal=True))
any_strata = cases(
    f"{_STRATA}half of the small firms and all large ones, or half of each stratum",
    "W V D E",
    lambda: _of_strata(equal=False),
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
    f"PPS samples of one or two of three units of sizes 1 and 2; y in {scope}",
    "n sizes values",
    lambda: ((n, (1, 2), values) for n in (1, 2) for values in listed),
)
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
