"""Bounds of the Horvitz-Thompson estimator's sensitivity: dissertation, section 6.4.5."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, incomplete, mutant, own, state
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


one_frame = cases(f"{_FRAMES}; of one frame", "D", _of_one_frame)
several_frames = cases(
    f"{_FRAMES}; of all frames that miss one unit at most, of one population or of two that differ in one record",
    "D n",
    _of_frames,
)
any_size = cases(
    "Bernoulli samples of three or four units with x in {1, 2}, of one frame",
    "D",
    lambda: (frozenset(drawn("Bernoulli", frame)) for population in populations() for frame in frames_of(population)),
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
    _free_values,
)

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
    "two frames of four persons that differ in one answer, which a design of samples of two has seen",
    "D n",
    lambda: [(_ATTAINED, 2)],
)

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
