"""What is protected: by where the mechanism starts, what is invariant (6.5.1), and which donors are copied (7.2.2)."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import Any

from stirred.mechanisms import exact_law
from stirred.mechanisms.surveys.imputation import hot_deck
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.ledger import cases, every, mutant, own, some, state
from stirred.verify.ledger.claims.survey_privacy.words import (
    loss_of,
    neighbor_loss,
    noisy_count,
    ratios_within,
    releases,
    sampled,
    survey,
    surveyed,
    surveys,
    vectors,
)
from stirred.verify.ledger.claims.survey_sampling.words import changed_units
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import count, hamming, hamming_ordered, multiplicative

# where the mechanism starts, and what is invariant, decide what is protected: section 6.5.1

_SECTION = "dissertation, section 6.5.1"

of_frame = lambda frames, design, T: loss_of(survey(frames, design, T))
responding_ratios_within = lambda a, T, design, slack: all(
    ratios_within(sampled(a, {s: 1}), T, (loss_of(T) + slack) / (1 + slack)) for s in design if design[s] > 0
)

state("survey.levels.responding-record", _SECTION)(
    """That is, an epsilon-DP mechanism with domain D_0^resp ensures that the posterior-to-posterior ratio for a
    responding sample record r_i is bounded in the interval [e^-epsilon, e^epsilon].""",
    every(surveyed, lambda a, design, T: responding_ratios_within(a, T, design, 0)),
    mutant("(e^epsilon + 1)/2 for e^epsilon", lambda a, design, T: responding_ratios_within(a, T, design, 1)),
    reading="the attacker believes what is known of the units that responded; epsilon the smallest",
)

state("survey.levels.frame-record", _SECTION)(
    """As such, an epsilon-DP mechanism under this setting will protect an augmented frame record f*_i - rather than a
    responding sample record r_i - within the nominal interval [e^-epsilon, e^epsilon].""",
    every(
        surveyed,
        lambda a, frames, design, T: ratios_within(a, survey(frames, design, T), loss_of(survey(frames, design, T))),
    ),
    some(surveys, lambda frames, design, T: neighbor_loss(frames, design, T) > of_frame(frames, design, T)),
    mutant(
        "a unit known to be in the sample too",
        every(surveys, lambda frames, design, T: neighbor_loss(frames, design, T) <= of_frame(frames, design, T)),
    ),
    reading="every frame record is; of a unit known to be in the sample, not every one is",
)

# a design by the frame: the first unit with another one, which the first one's record chooses
chosen_law = lambda f, T: T[(f[0], f[1 + f[0]])]
chosen = lambda frames, T: {f: chosen_law(f, T) for f in frames}

of_pairs = cases(
    "three units with records 0 and 1, of which the first one's record chooses which other one is in the sample; all "
    "surveys as above that draw 2 of 3",
    "frames design T",
)(
    lambda: (
        (frames, design, kernel)
        for frames, design, kernel in surveys.listed()
        if len(frames) == 8 and {len(s) for s in design} == {2}
    )
)

state("survey.levels.other-level", _SECTION)(
    """This distinction is important, because protection at one level does not imply protection at another level.""",
    some(of_pairs, lambda frames, design, T: of_frame(frames, design, T) < loss_of(T)),
    mutant(
        "upwards, under one design for all frames", lambda frames, design, T: of_frame(frames, design, T) > loss_of(T)
    ),
    some(of_pairs, lambda frames, design, T: len(design) == 3 and loss_of(chosen(frames, T)) > loss_of(T)),
    reading="""in neither direction: the budget of the frame level need not hold at the sample level, nor that of the
    sample level at the frame level where the design depends on the records""",
)

# a sample is a tuple of units with a frame variable and an answer
unit_values = lambda samples, i: {r for s in samples for r in s if r[0] == i}

# a mechanism keeps a budget on one universe, by the Hamming distance on data sets of the same units
kept_on = lambda p, u, g: all(multiplicative(p[x], p[y]) <= g ** hamming_ordered(x, y) for x in u for y in u)

in_one_frame = cases(
    "frames of 2 or 3 units with a variable of 1 to 3 values, of which samples of 1 or 2 units are drawn, with answers "
    "of 2 values: all samples of one frame, and those of all",
    "tells one whole",
)(
    lambda: (
        case
        for units, kinds, size in product((2, 3), (1, 2, 3), (1, 2))
        for frames in [list(product(range(kinds), repeat=units))]
        for whole in [{f: frozenset(_samples(f, size)) for f in frames}]
        for joined in [frozenset().union(*whole.values())]
        for case in ((kinds > 1, samples, joined) for samples in whole.values())
    )
)

_samples = lambda frame, size: (
    tuple((j, frame[j], answer) for j, answer in zip(chosen, answers, strict=True))
    for chosen in combinations(range(len(frame)), size)
    for answers in product((0, 1), repeat=size)
)

fewer = lambda one, whole: all(unit_values(one, i) < unit_values(whole, i) for i in {r[0] for s in one for r in s})
as_many = lambda one, whole: all(unit_values(one, i) == unit_values(whole, i) for i in {r[0] for s in one for r in s})

state("survey.invariants.possible-values", _SECTION)(
    """For example, treating the frame as invariant implies that neighboring datasets must come from the same fixed
    frame. This enforces restrictions on the possible values r of D_i.""",
    every(in_one_frame, lambda tells, one, whole: fewer(one, whole) if tells else as_many(one, whole)),
    mutant("fewer, whatever the frame has", fewer),
    mutant("the same, whatever the frame has", as_many),
    reading="""of the sample, whose records have the frame's variables: fewer values wherever the frame has a variable
    that can differ, and the same where it has none""",
)

# a mechanism keeps a budget on the data sets of each frame alone, their frame variables
of_one_frame = lambda p, x: {y for y in p if [r[0] for r in y] == [r[0] for r in x]}
frame_invariant = lambda p, g: all(kept_on(p, of_one_frame(p, x), g) for x in p)
frame_agnostic = lambda p, g: kept_on(p, set(p), g)

augmented = cases(
    "mechanisms on augmented frames of two units, each with a frame variable and the answer that it would give, 0 or "
    "1: a simple random sample of one gives its answer, flipped with probability 2/5 or 1/4, so that b = e^epsilon is "
    "5/4 or 2; the frame is published, or not",
    "b told p",
)(
    lambda: (
        ((1 + g) / 2, told, {x: _answered(x, g / (1 + g), told=told) for x in product(records, repeat=2)})
        for records in [[(variable, answer) for variable in (0, 1) for answer in (0, 1)]]
        for g, told in product((Fraction(3, 2), Fraction(3)), (True, False))
    )
)


def _answered(frame: tuple[tuple[int, int], ...], truth: Fraction, *, told: bool) -> dict[Any, Fraction]:
    """The law of a sampled unit's noisy answer, with the frame's variables or without."""
    published = tuple(variable for variable, _ in frame) if told else ()
    ones = sum((truth if answer else 1 - truth for _, answer in frame), Fraction(0)) / len(frame)
    return {(published, 1): ones, (published, 0): 1 - ones}


different = lambda p, b: frame_invariant(p, b) and not frame_agnostic(p, b)
differ_at_less = lambda b, told, p: not told or (frame_invariant(p, (b + 1) / 2) and not frame_agnostic(p, (b + 1) / 2))

state("survey.invariants.same-budget", _SECTION)(
    """As a consequence two data release mechanisms that start at the same level, for example, D_0^fr and use the same
    privacy loss budget epsilon, will offer different privacy guarantees, if one of them is frame-invariant while the
    other is frame-agnostic.""",
    every(augmented, lambda b, told, p: not told or different(p, b)),
    mutant("(b + 1)/2 for b", differ_at_less),
    mutant("whether the frame is published or not", different),
    reading="""on augmented frames, where D_0^fr starts: some mechanisms meet the frame-invariant specification and not
    the frame-agnostic one of the same budget. Definition 6.3.3 defines frame-invariance from the sample level on; that
    it makes sense here is settings.augmented-frame""",
)

staged = cases(
    "data sets of three binary records, each from a stage of its own; mechanisms of two outcomes whose odds each "
    "record changes by the factor 1 or 4; the universes that fix the first k stages, k = 0, 1, 2, the next one having "
    "the factor c; e^epsilon is 2 or 4",
    "p g k c",
)(
    lambda: (
        (kernel, g, k, factors[k])
        for factors in product((1, 4), repeat=3)
        for odds in [
            {x: Fraction(prod(c**r for c, r in zip(factors, x, strict=True))) for x in product((0, 1), repeat=3)}
        ]
        for kernel in [{x: {0: 1 / (1 + o), 1: o / (1 + o)} for x, o in odds.items()}]
        for k, g in product(range(3), (Fraction(2), Fraction(4)))
    )
)

kept_where_fixed = lambda p, g, stages: all(kept_on(p, {y for y in p if y[:stages] == x[:stages]}, g) for x in p)
kept_by_fixing = lambda p, g, k: kept_where_fixed(p, g, k + 1) and not kept_where_fixed(p, g, k)

state("survey.invariants.shrinking", _SECTION)(
    """On the other hand, shrinkingn the data univeres D in script-D will implicitly reduce the privacy guarantees even
    if the privacy loss parameter is held constant.""",
    *[some(staged, lambda p, g, k, stage: k == stage and kept_by_fixing(p, g, k), stage=stage) for stage in (0, 1, 2)],
    mutant("where what is fixed has no influence", some(staged, lambda p, g, k, c: c == 1 and kept_by_fixing(p, g, k))),
    reading="""at each stage that is fixed more, mechanisms meet the specification that did not; that none ceases to is
    settings.later-invariants""",
)

# K: by sample, a tuple of (unit, record); what is lost by one record, of any unit, or with the units known
lost_at_all = lambda K: max(multiplicative(K[s], K[t]) for s in K for t in K if hamming(s, t) == 1)
lost_by_known = lambda K: max(multiplicative(K[s], K[t]) for s in K for t in K if changed_units(s, t) == 1)


def _samples_with_units(gamma: Fraction, *, by_unit: bool) -> Any:
    """A noisy count of two of three units' records; or randomised response on whether unit 0 is in the sample."""
    samples = [tuple(zip(s, x, strict=True)) for s in combinations(range(3), 2) for x in product((0, 1), repeat=2)]
    kernel = noisy_count(2, gamma)
    told = {True: {1: gamma / (1 + gamma), 0: 1 / (1 + gamma)}, False: {1: 1 / (1 + gamma), 0: gamma / (1 + gamma)}}
    return {s: told[s[0][0] == 0] if by_unit else kernel[tuple(record for _, record in s)] for s in samples}


_told = lambda what, *kinds: cases(
    f"two of three units with records 0 and 1 respond; e^epsilon = 3/2, 3; {what}", "K g"
)(lambda: ((_samples_with_units(g, by_unit=kind), g) for g in (Fraction(3, 2), Fraction(3)) for kind in kinds))
released_counts = _told("a noisy count", False)
of_samples = _told("a noisy count, or whether the first unit responds, by randomised response", False, True)

state("survey.levels.participants-known", "dissertation, section 6.4.2")(
    """Interestingly, this scenario offers the same privacy guarantees as the more restrictive assumption that the
    attacker knows who participated in the survey.""",
    every(of_samples, lambda K, g: lost_at_all(K) == g and lost_by_known(K) <= g),
    mutant("the same of each mechanism", lambda K, g: lost_by_known(K) == g),
    every(released_counts, lambda K, g: lost_by_known(K) == g),
    mutant("the mechanism starts at the frame", lambda K, g: lost_by_known(K) <= 1 + 2 / 3 * (g - 1)),
    reading="""the scenario is that the responding sample is the input, a set of records with their units; a guarantee
    is what an epsilon-DP mechanism owes: e^epsilon at most, which some mechanism spends. So it is given who
    participated too, where at the level of the frame more than e^epsilon' may be lost. A mechanism that tells who
    responds does lose more to an attacker who does not know it yet""",
)

# records that imputation copies from donors, and what it means to protect the data after it: section 7.2.2

_LATER_INVARIANTS = "dissertation, section 7.2.2"

# d has the place of the donor of each missing record; a hot deck has a law of completed data for each data set
with_donated = lambda x, d: x + [x[j] for j in d]
after_deck = lambda deck, T: {
    x: {t: sum(deck[x][z] * get(T[z], t, 0) for z in deck[x]) for t in releases(T)} for x in deck
}

donated = cases(
    "2 or 3 respondents with answers 0 and 1, 1 to 3 missing records, and all choices of a donor for each", "x y i d"
)(
    lambda: (
        case
        for size, missing in product((2, 3), (1, 2, 3))
        for x, i in product(product((0, 1), repeat=size), range(size))
        for y in [(*x[:i], 1 - x[i], *x[i + 1 :])]
        for case in ((x, y, i, donors) for donors in combinations_with_replacement(range(size), missing))
    )
)

changed_with_donated = lambda x, d, y, more: hamming_ordered(with_donated(x, d), with_donated(y, d)) == 1 + more

state("survey.donors.records", _LATER_INVARIANTS)(
    """This means an individual survey respondent can contribute to multiple records in the post-imputation dataset.
    This complicates the appropriate definition of neighboring datasets, … In the post-imputation dataset, changing a
    single record does not correspond to changing the data of one entity.""",
    every(donated, lambda x, y, i, d: changed_with_donated(x, d, y, count(d, i))),
    mutant("one record", lambda x, y, d: changed_with_donated(x, d, y, 0)),
    reading="a respondent's change changes their record and every copy of it",
)


def _deck(respondents: int, missing: int) -> dict[Any, dict[Any, Fraction]]:
    """The law of the answers after imputation by a hot deck of one class, for all answers of the respondents."""
    found = {}
    for answers in vectors(respondents):
        records = {i: (answer,) for i, answer in enumerate((*answers, *(None,) * missing))}
        law = exact_law(hot_deck, unit_data(records), variable=0, donor_class=lambda _: "all")
        found[answers] = {tuple(record[0] for _, record in data): law.numeric(data) for data in law}
    return found


decks = cases(
    "1 to 3 respondents in one class with 1 to 3 missing records, 4 units in all at most; each missing record takes "
    "the answer of a donor drawn uniformly; noisy counts of the completed data, e^epsilon = 3/2 and 3",
    "m k g deck T",
)(
    lambda: (
        (respondents, missing, g, _deck(respondents, missing), kernel)
        for respondents, missing in product((1, 2, 3), (1, 2, 3))
        for whole in [respondents + missing]
        if whole <= 4
        for g in (Fraction(3, 2), Fraction(3))
        for kernel in [{x: law for x, law in noisy_count(whole, g).items() if len(x) == whole}]
    )
)

state("survey.donors.weaker", _LATER_INVARIANTS)(
    """Hence, naively applying DP to the post-imputation dataset will not provide a donor record with the expected level
    of protection; that is, the privacy guarantees for a donor record will be weaker than those for a post-imputed
    record.""",
    every(decks, lambda g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) > g),
    mutant(
        "the copies only", lambda m, k, g, deck, T: m > 1 or (loss_of(T) == g and loss_of(after_deck(deck, T)) == g**k)
    ),
    mutant("the expected level", lambda g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) <= g),
    every(decks, lambda m, k, g, deck, T: m > 1 or (loss_of(T) == g and loss_of(after_deck(deck, T)) == g ** (1 + k))),
    reading="""of a mechanism that loses epsilon at a record after imputation, as a noisy count; where the class has one
    donor of k copies, (1 + k) epsilon""",
)


@cases(
    "80 fixed random mechanisms on completed data of 2 respondents and 1 or 2 missing records whose donors are drawn "
    "uniformly, with two outcomes in sixths",
    "m k deck T",
)
def any_mechanism() -> Iterator[tuple[Any, ...]]:
    chosen = random.Random(74)  # noqa: S311 fixed cases, not secrets
    laws = [law for law in laws_of(2, 6) if len(law) == 2]
    made = {missing: _deck(2, missing) for missing in (1, 2)}
    for number in range(80):
        missing = 1 + number % 2
        yield 2, missing, made[missing], {x: chosen.choice(laws) for x in vectors(2 + missing)}


bound_of_draws = lambda g, k, size: g * (1 + (g - 1) / size) ** k
loses_by_draws = lambda m, k, g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) == g * (1 + (g - 1) / m) ** k
within_draws = lambda m, k, deck, T: all(loss_of(after_deck(deck, T)) <= bound_of_draws(g, k, m) for g in [loss_of(T)])

own("survey.donors.drawn", _LATER_INVARIANTS)(
    """Where k missing records each take the answer of a donor drawn uniformly from m respondents, a mechanism on the
    completed data with budget epsilon loses no more than e^epsilon (1 + (e^epsilon - 1)/m)^k for a respondent, and a
    noisy count loses that: the first factor for the respondent's own record, one for each copy that may be theirs.""",
    every(decks, loses_by_draws),
    mutant(
        "m + 1 donors",
        lambda m, k, g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) == g * (1 + (g - 1) / (m + 1)) ** k,
    ),
    every(any_mechanism, within_draws),
    mutant("no factor for copies", lambda deck, T: loss_of(after_deck(deck, T)) <= loss_of(T)),
)

coded = cases(
    "noisy counts of two and three coded answers, e^epsilon = 3/2 and 3: answers a, b and c, coded as 1, 0 and 0",
    "g code T",
)(
    lambda: (
        (g, {x: tuple(int(r == "a") for r in x) for x in vectors(size, ("a", "b", "c"))}, kernel)
        for size, g in product((2, 3), (Fraction(3, 2), Fraction(3)))
        for kernel in [{x: law for x, law in noisy_count(size, g).items() if len(x) == size}]
    )
)

state("survey.levels.processed-data", _LATER_INVARIANTS)(
    """If the DP mechanism takes the processed data as input, then the DP guarantees apply to the processed data and do
    not necessarily carry over to the responding sample data. In order to have guarantees for the responding sample, the
    statistical agency must show that the pipeline from the responding sample to the survey outputs (considered as a
    data-release mechanism) also satisfies DP.""",
    every(coded, lambda g, code, T: loss_of(T) == g and loss_of({x: T[code[x]] for x in code}) <= g),
    every(decks, lambda g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) > g),
    mutant("under imputation too", lambda g, deck, T: loss_of(T) == g and loss_of(after_deck(deck, T)) <= g),
    mutant(
        "nor where records are coded",
        every(coded, lambda g, code, T: loss_of(T) == g and loss_of({x: T[code[x]] for x in code}) > g),
    ),
    reading="they carry over where each record is coded by itself, and do not where records are imputed from others",
)
