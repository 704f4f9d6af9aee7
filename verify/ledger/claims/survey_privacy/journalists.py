"""An attacker who looks for any record of the sample: the journalist of section 6.5.1, under every design."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, state
from stirred.verify.ledger.claims.survey_privacy.words import (
    Design,
    asked,
    believed_records,
    design_given,
    drawn,
    flipped_majority,
    known,
    loss_of,
    loss_of_unit,
    neighbor_loss,
    noisy_count,
    normed,
    poisson,
    posterior_ratio,
    printed_denominator,
    ratios_within,
    record_given,
    record_posterior,
    releases,
    rest_share,
    restored,
    rests,
    sampled,
    simple_random,
    size_of,
    survey,
    survey_law,
    surveyed,
    surveys,
    vectors,
)
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get

# an attacker who looks for any record of the sample: the journalist of section 6.5.1

_SECTION = "dissertation, section 6.5.1"
_PLACES = "unit i of the sample is the i-th that was drawn, in the frame's order"

# the attacker's posterior of the sample's i-th record, from the joint law of frame, sample and release
sample_posterior = lambda a, design, T, i, r, t: [
    sum(j[k] for k in j if drawn(k[0], k[1])[i] == r) / sum(j[k] for k in j)
    for j in [{(f, s): a[f] * design[s] * get(T[drawn(f, s)], t, 0) for f in a for s in design}]
][0]

of_fixed_size = cases("those of the surveys above with samples of fixed size", "a frames design T")(
    lambda: (
        (a, frames, design, kernel)
        for a, frames, design, kernel in surveyed.listed()
        if len({len(s) for s in design}) == 1
    )
)

second_line = lambda a, design, T: all(
    posterior_ratio(b, T, i, r, t)
    == sum(
        rest_share(b, i, rest)
        * record_given(b, i, r, rest)
        * sum(record_given(b, i, q, rest) * T[restored(rest, i, q)][t] for q in believed_records(b, i))
        for rest in rests(b, i)
    )
    / printed_denominator(b, T, i, r, t)
    for b in [sampled(a, design)]
    for i in range(size_of(b))
    for r, t in asked(b, T, i)
)

state("survey.journalist.second-line", _SECTION)(
    """= [sum over s^- of P_A(s^-) P_A(S_i = r | s^-) sum over r' of P_A(S_i = r' | s^-) P_{s^- u {r'}}(T = t)] / [sum
    over s^- of P_A(s^-) P_A(S_i = r | s^-) sum over r' of P_A(S_i = r' | s^-) P_{s^- u {r'}}(T = t)]""",
    every(of_fixed_size, second_line),
    reading=f"of the ratio of posteriors, the line before, as the text at hand has it; {_PLACES}",
    grade=misprint("the numerator has P_{s^- u {r}}, as in the line after it: as printed the ratio would always be 1"),
)

# a design for each frame
released_by = lambda designs, T: {f: survey_law(f, designs[f], T) for f in designs}
with_unit = lambda designs, i: {f: design_given(designs[f], i) for f in designs}
without_unit = lambda designs, i: {f: normed({s: designs[f][s] for s in designs[f] if i not in s}) for f in designs}

units = cases(f"{surveys.scope}; a census of 2 units; one design for all frames", "i designs T")(
    lambda: (
        case
        for census in [(vectors(2), {(0, 1): Fraction(1)}, {x: noisy_count(2, Fraction(3))[x] for x in vectors(2)})]
        for frames, design, kernel in (*surveys, census)
        for case in ((i, dict.fromkeys(frames, design), kernel) for i in range(len(frames[0])))
    )
)
chosen_by_a_record = cases(
    "a noisy count, e^epsilon = 3, of one of three units, the first one's record says which other one", "i designs T"
)(
    lambda: (
        (0, {f: {(2 if f[0] else 1,): Fraction(1)} for f in vectors(3)}, kernel)
        for kernel in [{x: law for x, law in noisy_count(1, Fraction(3)).items() if len(x) == 1}]
    )
)

loses_as_much_inside = lambda designs, i, T, loss: loss_of_unit(released_by(with_unit(designs, i), T), i) >= loss
out = lambda designs, i, T: loss_of_unit(released_by(without_unit(designs, i), T), i) == 1
as_much_as_on_samples = lambda i, designs, T: loses_as_much_inside(designs, i, T, loss_of(T))

state("survey.journalist.influence", _SECTION)(
    """In this situation, it makes sense for the journalist to focus on a record that is in the sample, since these
    records have the most influence on the data-release mechanism's output.""",
    every(units, lambda i, designs, T: loses_as_much_inside(designs, i, T, loss_of_unit(released_by(designs, T), i))),
    mutant("as much as in a mechanism on samples", as_much_as_on_samples),
    every(units, lambda i, designs, T: all(i in s for f in designs for s in designs[f]) or out(designs, i, T)),
    mutant("where a record says who else is drawn", every(chosen_by_a_record, out)),
    reading="""where the design does not depend on the records: given that a unit is in the sample, its record has at
    least the influence that it has when this is not known, and given that it is not in the sample, none at all""",
)

ratios_in_interval = lambda a, design, T, less: ratios_within(sampled(a, design), T, (loss_of(T) + less) / (1 + less))
ratios_as_displayed = lambda a, design, T: all(
    posterior_ratio(b, T, i, r, t)
    == sum(
        rest_share(b, i, rest)
        * record_given(b, i, r, rest)
        * sum(record_given(b, i, q, rest) * T[restored(rest, i, r)][t] for q in believed_records(b, i))
        for rest in rests(b, i)
    )
    / printed_denominator(b, T, i, r, t)
    for b in [sampled(a, design)]
    for i in range(size_of(b))
    for r, t in asked(b, T, i)
)
interval = lambda a, design, T: all(
    sample_posterior(a, design, T, i, r, t) == record_posterior(b, T, i, r, t)
    for b in [sampled(a, design)]
    for i in range(size_of(b))
    for r, t in asked(b, T, i)
)

state("survey.journalist.interval", _SECTION)(
    """P_A(S_i = r | T'(F*) = t) / P_A(S_i = r | T(psample[F*]) = t) … >= e^-epsilon. … Analogous working shows that
    this posterior-to-posterior ratio is bounded above by e^epsilon""",
    every(of_fixed_size, interval),
    every(of_fixed_size, ratios_as_displayed),
    every(of_fixed_size, ratios_in_interval, less=0),
    mutant("(e^epsilon + 1)/2 for e^epsilon", {"less": 1}),
    reading=f"{_PLACES}; T(psample[F*]), for T'(psample[F*]) as in the subsection before: T of the sample with that "
    "record drawn again, given its others, as the lines after it have it; epsilon the smallest",
)


def _unordered() -> Iterator[tuple[int, int, dict[Any, Any]]]:
    """Mechanisms of binary samples that see no order, on samples of so many of so many units."""
    for size, units in combinations(range(1, 5), 2):
        for made, gamma in product((noisy_count, flipped_majority), (Fraction(3, 2), Fraction(3))):
            yield size, units, {x: law for x, law in made(size, gamma).items() if len(x) == size}
    chosen = random.Random(67)  # noqa: S311 fixed cases, not secrets
    laws = [law for law in laws_of(2, 6) if len(law) == 2]
    for size, units in ((2, 3), (2, 4), (3, 4)):
        for _ in range(10):
            by_count = [chosen.choice(laws) for _ in range(size + 1)]
            yield size, units, {x: by_count[sum(map(bool, x))] for x in vectors(size)}


def attackers(*, is_highest: bool, drawn: Callable[[int, int], Design] = simple_random) -> Iterator[tuple[Any, ...]]:
    """Where the bound is achieved: those who find the record that makes the output likely, or unlikely, rare."""
    for size, units, kernel in _unordered():
        found = [(law[t] / kernel[(1 - x[0], *x[1:])][t], x, t) for x, law in kernel.items() for t in law]
        gamma, (record, *others), outcome = max(found, key=lambda one: one[0])
        rare = record if is_highest else 1 - record
        before = (1 - rare,) * (units - size)
        for w in (Fraction(1, 1000), Fraction(1, 20)):
            prior = {(*before, rare, *others): w, (*before, 1 - rare, *others): 1 - w}
            if gamma > 1:
                yield gamma, w, rare, outcome, prior, vectors(units), drawn(units, size), kernel


SCOPE = (
    "{} of 1 to 3 of 2 to 4 units; noisy counts and flipped majorities with "
    "e^epsilon = 3/2 and 3, 30 random mechanisms of the number of records 1; where the bound is achieved at two "
    "records of the first unit and others' records: {} has there the probability w = 1/1000 or 1/20, the others' "
    "records stand after it, and all units before have the other record"
)
NAMES = "g w r t a frames design T"
_SIMPLE = "simple random samples without replacement"
reaching = cases(SCOPE.format(_SIMPLE, "the likelier one"), NAMES)(lambda: attackers(is_highest=True))
reaching_below = cases(SCOPE.format(_SIMPLE, "the less likely one"), NAMES)(lambda: attackers(is_highest=False))

first_unit_ratio = lambda a, design, T, r, t: posterior_ratio(sampled(a, design), T, 0, r, t)
attained = lambda g, r, t, a, design, T: loss_of(T) == g and posterior_ratio(sampled(a, design), T, 0, r, t) == g

state("survey.journalist.achieved", _SECTION)(
    """As in the previous subsection, if T is optimal then the above inequality is achieved for some choice of t, r and
    i. … and moreover, this bound is achieved when T is optimal.""",
    every(reaching, attained),
    reading=f"T sees a set of records; simple random samples; {_PLACES}; achieved by the attacker at hand, who "
    "believes P_A: t, r and i are chosen, the attacker is not",
    grade=incomplete("that attackers find r less and less likely; none attains the bound (survey.posteriors.sharpest)"),
)

approached_above = lambda g, w, r, t, a, design, T: (
    loss_of(T) == g and posterior_ratio(sampled(a, design), T, 0, r, t) >= g / (1 + len(design) * w * (g - 1))
)
approached_below = lambda g, w, r, t, a, design, T: (
    loss_of(T) == g and posterior_ratio(sampled(a, design), T, 0, r, t) <= 1 / (g - len(design) * w * (g - 1))
)

own("survey.journalist.achieved.repaired", _SECTION)(
    """If T is optimal and sees a set of records, with simple random samples the bounds are approached, for some t, r
    and i, by attackers who find r less and less likely: the ratio is at least e^epsilon/(1 + c w (e^epsilon - 1)), or
    at most 1/(e^epsilon - c w (e^epsilon - 1)), for the probability w of r and the number c of samples.""",
    every(reaching, approached_above),
    mutant("by an attacker", attained),
    every(reaching_below, approached_below),
    repairs="survey.journalist.achieved",
)

ratio_above_if_amplified = lambda frames, design, T, w, a, r, t, bound: (
    not loss_of(survey(frames, design, T)) < loss_of(T)
    or w > 1 / 1000
    or posterior_ratio(sampled(a, design), T, 0, r, t) > bound
)
frame_ratio_above_if_amplified = lambda w, frames, design, T: (
    not loss_of(survey(frames, design, T)) < loss_of(T)
    or w > 1 / 1000
    or loss_of_unit(survey(frames, design, T), 0) > loss_of(survey(frames, design, T))
)
ratio_above_frame_level = lambda w, r, t, a, frames, design, T: ratio_above_if_amplified(
    frames, design, T, w, a, r, t, loss_of(survey(frames, design, T))
)

state("survey.journalist.not-amplified", _SECTION)(
    """In fact, we will see in Subsection 6.5.1 that whenever there is privacy amplification due to sampling, a
    sample record's posterior-to-posterior ratio is not bounded within [e^-epsilon, e^epsilon] for an epsilon-DP
    mechanism at the frame-level. … Hence, as in the previous subsection, the additional privacy protection due to
    amplification from sampling is lost when the attacker targets an arbitrary record in the sample. That is, a
    sample record is not protected by the mechanism T' at the nominal privacy level epsilon' of T', but only at the
    privacy level epsilon.""",
    every(reaching, ratio_above_frame_level),
    mutant("a frame record's ratio", frame_ratio_above_if_amplified),
    mutant(
        "not at the level epsilon either",
        lambda w, r, t, a, frames, design, T: ratio_above_if_amplified(frames, design, T, w, a, r, t, loss_of(T)),
    ),
    reading="the first sentence's epsilon is the later ones' epsilon': the smallest budget of T', at the frame level; "
    f"simple random samples, mechanisms on sets of records; {_PLACES}",
)

# an attacker who looks for any record of the sample, under designs other than simple random samples


def _poisson_given(units: int, size: int) -> Design:
    """Poisson samples of units with unequal rates, given their size."""
    shares = poisson(tuple(Fraction(i + 1, units + 1) for i in range(units)))
    whole = sum(share for s, share in shares.items() if len(s) == size)
    return {s: share / whole for s, share in shares.items() if len(s) == size}


def _replaced(units: int, size: int) -> Design:
    draws = list(product(range(units), repeat=size))
    return dict.fromkeys(draws, Fraction(1, len(draws)))


_likelier = lambda samples, drawn: cases(SCOPE.format(samples, "the likelier one"), NAMES)(
    lambda: attackers(is_highest=True, drawn=drawn)
)
by_poisson = _likelier("Poisson samples, given their size,", _poisson_given)
by_replacement = _likelier("draws with replacement", _replaced)

replaced = cases(
    "two draws with replacement of 2 and 3 units; noisy counts with e^epsilon = 3/2, 3 and 15/4", "n g frames design T"
)(
    lambda: (
        (units, g, vectors(units), _replaced(units, 2), {x: law for x, law in noisy_count(2, g).items() if len(x) == 2})
        for units, g in product((2, 3), (Fraction(3, 2), Fraction(3), Fraction(15, 4)))
    )
)


@cases(f"{replaced.scope}; 20 fixed random attackers each", "n a design T")
def replaced_attacked() -> Iterator[tuple[Any, ...]]:
    chosen = random.Random(69)  # noqa: S311 fixed cases, not secrets
    for units, _, frames, design, kernel in replaced:
        for _ in range(20):
            weights = [chosen.choice((0, 0, 1, 3, 40, 1000)) for _ in frames[1:]]
            whole = 1 + sum(weights)
            yield units, {f: Fraction(w, whole) for f, w in zip(frames, (1, *weights), strict=True)}, design, kernel


# (6.2) of one of two binary records: the probability of r at the other given r, of r given r, of r given 1 - r
pair_ratio = lambda T, r, t, share, given_r, given_not: (
    (share * T[r, r][t] + (1 - share) * T[r, 1 - r][t])
    / (
        share * (given_r * T[r, r][t] + (1 - given_r) * T[1 - r, r][t])
        + (1 - share) * (given_not * T[r, 1 - r][t] + (1 - given_not) * T[1 - r, 1 - r][t])
    )
)

# its largest value, or its inverse's, where a record is at the other draw too with probability 1/n or more: at
# an end of each interval, since it is a ratio of linear functions of each of the three probabilities
largest_pair_ratio = lambda T, n: max(
    max(q, 1 / q)
    for r in [0, 1]
    for t in releases(T)
    for other in [1 / n, 1]
    for given_r in [1 / n, 1]
    for given_not in [0, 1 - 1 / n]
    for q in [pair_ratio(T, r, t, other, given_r, given_not)]
)
frame = lambda frames, design, T: loss_of(survey(frames, design, T))
same_record_again = lambda n, a, design, factor: all(
    n * get(b, [r, r], 0) >= factor * sum(b[v] for v in b if v[0] == r) for b in [sampled(a, design)] for r in [0, 1]
)
unsafe_if_amplified = lambda n, frames, design, T: (
    frame(frames, design, T) >= loss_of(T) or largest_pair_ratio(T, n) > frame(frames, design, T)
)

state("survey.journalist.any-sampling", _SECTION)(
    """Note that this result and the accompanying discussion applies more generally beyond the context of survey
    sampling. They holds for any DP mechanism T' which employs amplification by sampling.""",
    every(replaced, unsafe_if_amplified),
    reading="""the result: wherever T' has a smaller budget than T, some attacker's ratio of a record of the sample is
    outside of [e^-epsilon', e^epsilon']; tried where records are drawn with replacement, as gradient descent may do""",
    grade=incomplete(
        "that no unit is twice in the sample, as the units 1, …, n of the passage are not. Of two draws with "
        "replacement from N units, each record is the other one too with probability 1/N, whoever attacks: a noisy "
        "count of them, with N = 3 and e^epsilon = 15/4, has e^epsilon' = 529/144, and every ratio of a record of the "
        "sample is within [204/743, 743/204]"
    ),
)

with_replacement = lambda n, g, frames, design, T: (
    n < 3 or g < 15 / 4 or largest_pair_ratio(T, n) == 743 / 204 < 529 / 144 == loss_of(survey(frames, design, T))
)
pairs_within_frame = lambda n, frames, design, T: n < 3 or largest_pair_ratio(T, n) <= frame(frames, design, T)

own("survey.journalist.with-replacement", _SECTION)(
    """Of two draws with replacement from N units, a record of the sample is at the other draw too with probability at
    least 1/N, for every attacker. With noisy counts, N = 3 and e^epsilon = 15/4, the ratios of a sample record are
    therefore within [204/743, 743/204], and so at the level e^epsilon' = 529/144 of T'.""",
    every(replaced_attacked, lambda n, a, design: same_record_again(n, a, design, 1)),
    mutant("at least 2/N", lambda n, a, design: same_record_again(n, a, design, 2)),
    mutant("from 2N units", lambda n, a, design, T: ratios_within(sampled(a, design), T, largest_pair_ratio(T, n / 2))),
    every(replaced_attacked, lambda n, a, design, T: ratios_within(sampled(a, design), T, largest_pair_ratio(T, n))),
    every(replaced, with_replacement),
    mutant("whatever e^epsilon", pairs_within_frame),
)

reaches_at_prior = lambda T, g, a, design, r, t, w: (
    loss_of(T) == g and first_unit_ratio(a, design, T, r, t) >= g / (w * g + 1 - w)
)
above_frame_level = lambda w, r, t, a, frames, design, T: ratio_above_if_amplified(
    frames, design, T, w, a, r, t, frame(frames, design, T)
)

own("survey.journalist.any-sampling.repaired", _SECTION)(
    """Where no unit is twice in the sample, its size is fixed, every set of that many units may be drawn, and T sees a
    set of records, an attacker who gives a record the probability w has a ratio of at least e^epsilon/(w e^epsilon + 1
    - w) at a record of the sample. So whenever epsilon' < epsilon, some sample record is not protected at the level
    epsilon' of T'. Simple random samples without replacement are such, and Poisson samples given their size.""",
    every(reaching, reaches_at_prior),
    mutant("draws with replacement", by_replacement),
    every(by_poisson, reaches_at_prior),
    mutant("e^epsilon itself", lambda g, r, t, a, design, T: first_unit_ratio(a, design, T, r, t) >= g),
    every(by_poisson, above_frame_level),
    repairs="survey.journalist.any-sampling",
)

own("survey.neighbor.with-replacement", _SECTION)(
    """Where a unit may be drawn more than once, e^epsilon is no bound for an attacker who knows that it was drawn: it
    may be several records of the sample. So it is with noisy counts of two draws with replacement, where e^(2 epsilon)
    is one.""",
    every(replaced, lambda g, frames, design, T: loss_of(T) == g and g < neighbor_loss(frames, design, T) <= g**2),
    mutant("e^epsilon is a bound", lambda g, frames, design, T: neighbor_loss(frames, design, T) <= g),
)

of_counts = cases(
    "noisy counts of simple random samples and of Poisson samples given their size, of 1 to 3 of 2 to 4 units, "
    "e^epsilon = 3/2 and 3",
    "g frames design T",
)(
    lambda: (
        (g, vectors(units), selected(units, size), kernel)
        for size, units in combinations(range(1, 5), 2)
        for g, selected in product((Fraction(3, 2), Fraction(3)), (simple_random, _poisson_given))
        for kernel in [{x: law for x, law in noisy_count(size, g).items() if len(x) == size}]
    )
)

amplified_but_known = lambda frames, design, T: (
    loss_of(survey(frames, design, T)) < loss_of(T) and neighbor_loss(frames, design, T) == loss_of(T)
)
known_as_on_samples = lambda frames, design, T: (
    frame(frames, design, T) >= loss_of(T) or neighbor_loss(frames, design, T) == loss_of(T)
)

state("survey.threats.amplification", "dissertation, section 6.6")(
    """privacy amplification is only achievable if the nosy neighbor and the journalist scenario discussed in Sections
    6.5.1 and 6.5.1 are unrealistic threat models""",
    every(of_counts, amplified_but_known),
    mutant("whatever the mechanism", every(surveys, known_as_on_samples)),
    mutant(
        "another scenario: the attacker knows another unit of the sample",
        lambda frames, design, T: loss_of_unit(known(frames, design, T, 1), 0) == loss_of(T),
    ),
    every(reaching, reaches_at_prior),
    every(by_poisson, reaches_at_prior),
    reading="""amplification as in Theorem 6.4.1, which a design has for every epsilon-DP mechanism: against either
    attacker some mechanism has none, though others have (survey.neighbor.not-amplified); samples of a fixed size in
    which no unit is twice (survey.journalist.any-sampling)""",
)
