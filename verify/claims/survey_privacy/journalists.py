"""An attacker who looks for any record of the sample: the journalist of section 6.5.1."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from stirred.verify.claims.survey_privacy.words import (
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
from stirred.verify.engines.zcdp.renyi_grid import laws_of
from stirred.verify.ledger import cases, every, incomplete, misprint, state
from stirred.verify.ledger.language_names import get

_SECTION = "dissertation, section 6.5.1"
_PLACES = "unit i of the sample is the i-th that was drawn, in the frame's order"

# the attacker's posterior of the sample's i-th record, from the joint law of frame, sample and release


def sample_posterior(a, design, T, i, r, t):
    return [
        sum(j[k] for k in j if drawn(k[0], k[1])[i] == r) / sum(j[k] for k in j)
        for j in [{(f, s): a[f] * design[s] * get(T[drawn(f, s)], t, 0) for f in a for s in design}]
    ][0]


@cases("those of the surveys above with samples of fixed size", "a frames design T")
def of_fixed_size() -> Iterator[tuple[Any, ...]]:
    for a, frames, design, kernel in surveyed.listed():
        if len({len(s) for s in design}) == 1:
            yield a, frames, design, kernel


def line_of_journalists(T, a, design, record):
    return all(
        posterior_ratio(b, T, i, r, t)
        == sum(
            rest_share(b, i, rest)
            * record_given(b, i, r, rest)
            * sum(record_given(b, i, q, rest) * T[restored(rest, i, record)][t] for q in believed_records(b, i))
            for rest in rests(b, i)
        )
        / printed_denominator(b, T, i, r, t)
        for b in [sampled(a, design)]
        for i in range(size_of(b))
        for r, t in asked(b, T, i)
    )


def second_line(a, design, T):
    return all(
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


state(
    "survey.journalist.second-line",
    _SECTION,
    printed="= [sum over s^- of P_A(s^-) P_A(S_i = r | s^-) sum over r' of P_A(S_i = r' | s^-) P_{s^- u {r'}}(T = t)] "
    "/ [sum over s^- of P_A(s^-) P_A(S_i = r | s^-) sum over r' of P_A(S_i = r' | s^-) P_{s^- u {r'}}(T = t)]",
    reading=f"of the ratio of posteriors, the line before, as the text at hand has it; {_PLACES}",
    grade=misprint("the numerator has P_{s^- u {r}}, as in the line after it: as printed the ratio would always be 1"),
    checks=[every(of_fixed_size, second_line)],
)

# a design for each frame


def released_by(designs, T):
    return {f: survey_law(f, designs[f], T) for f in designs}


def with_unit(designs, i):
    return {f: design_given(designs[f], i) for f in designs}


def without_unit(designs, i):
    return {f: normed({s: designs[f][s] for s in designs[f] if i not in s}) for f in designs}


@cases(f"{surveys.scope}; one design for all frames", "i designs T")
def units() -> Iterator[tuple[Any, ...]]:
    for frames, design, kernel in surveys:
        yield from ((i, dict.fromkeys(frames, design), kernel) for i in range(len(frames[0])))


@cases(
    "a noisy count, e^epsilon = 3, of one of three units, the first one's record says which other one", "i designs T"
)
def chosen_by_a_record() -> Iterator[tuple[Any, ...]]:
    kernel = {x: law for x, law in noisy_count(1, Fraction(3)).items() if len(x) == 1}
    yield 0, {f: {(2 if f[0] else 1,): Fraction(1)} for f in vectors(3)}, kernel


def inside(designs, i, T, part):
    return loss_of_unit(released_by(with_unit(designs, i), T), i) >= part


def out(designs, i, T):
    return loss_of_unit(released_by(without_unit(designs, i), T), i) == 1


state(
    "survey.journalist.influence",
    _SECTION,
    printed="In this situation, it makes sense for the journalist to focus on a record that is in the sample, since "
    "these records have the most influence on the data-release mechanism's output.",
    reading="where the design does not depend on the records: given that a unit is in the sample, its record has at "
    "least the influence that it has when this is not known, and given that it is not in the sample, none at all",
    checks=[
        every(units, lambda i, designs, T: inside(designs, i, T, loss_of_unit(released_by(designs, T), i))),
        every(units, lambda i, designs, T: all(i in s for f in designs for s in designs[f]) or out(designs, i, T)),
    ],
    mutants={
        "as much as in a mechanism on samples": every(units, lambda i, designs, T: inside(designs, i, T, loss_of(T))),
        "where a record says who else is drawn": every(chosen_by_a_record, out),
    },
)


def interval_of_journalists(a, design, T, less):
    return ratios_within(sampled(a, design), T, (loss_of(T) + less) / (1 + less))


def interval(a, design, T):
    return all(
        sample_posterior(a, design, T, i, r, t) == record_posterior(b, T, i, r, t)
        for b in [sampled(a, design)]
        for i in range(size_of(b))
        for r, t in asked(b, T, i)
    )


def interval_holds(a, design, T):
    return all(
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


state(
    "survey.journalist.interval",
    _SECTION,
    printed="P_A(S_i = r | T'(F*) = t) / P_A(S_i = r | T(psample[F*]) = t) … >= e^-epsilon. … Analogous working shows "
    "that this posterior-to-posterior ratio is bounded above by e^epsilon",
    reading=f"{_PLACES}; T(psample[F*]), for T'(psample[F*]) as in the subsection before: T of the sample with that "
    "record drawn again, given its others, as the lines after it have it; epsilon the smallest",
    checks=[
        every(of_fixed_size, interval),
        every(of_fixed_size, interval_holds),
        every(of_fixed_size, interval_of_journalists, less=0),
    ],
    mutants={"(e^epsilon + 1)/2 for e^epsilon": every(of_fixed_size, interval_of_journalists, less=1)},
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


def _attackers(*, is_highest: bool, drawn: Callable[[int, int], Design] = simple_random) -> Iterator[tuple[Any, ...]]:
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


_SCOPE = (
    "{} of 1 to 3 of 2 to 4 units; noisy counts and flipped majorities with "
    "e^epsilon = 3/2 and 3, 30 random mechanisms of the number of records 1; where the bound is achieved at two "
    "records of the first unit and others' records: {} has there the probability w = 1/1000 or 1/20, the others' "
    "records stand after it, and all units before have the other record"
)
_NAMES = "g w r t a frames design T"
_SIMPLE = "simple random samples without replacement"
reaching = cases(_SCOPE.format(_SIMPLE, "the likelier one"), _NAMES)(lambda: _attackers(is_highest=True))
reaching_below = cases(_SCOPE.format(_SIMPLE, "the less likely one"), _NAMES)(lambda: _attackers(is_highest=False))


def ratio_of_journalists(a, design, T, r, t):
    return posterior_ratio(sampled(a, design), T, 0, r, t)


state(
    "survey.journalist.achieved",
    _SECTION,
    printed="As in the previous subsection, if T is optimal then the above inequality is achieved for some choice of "
    "t, r and i. … and moreover, this bound is achieved when T is optimal.",
    reading=f"T sees a set of records; simple random samples; {_PLACES}; achieved by the attacker at hand, who "
    "believes "
    "P_A: t, r and i are chosen, the attacker is not",
    grade=incomplete("that attackers find r less and less likely; none attains the bound (survey.posteriors.sharpest)"),
    checks=[
        every(
            reaching,
            lambda g, r, t, a, design, T: loss_of(T) == g and posterior_ratio(sampled(a, design), T, 0, r, t) == g,
        )
    ],
)


def achieved_repaired(g, w, r, t, a, design, T):
    return loss_of(T) == g and posterior_ratio(sampled(a, design), T, 0, r, t) >= g / (1 + len(design) * w * (g - 1))


def achieved_repaired_holds(g, w, r, t, a, design, T):
    return loss_of(T) == g and posterior_ratio(sampled(a, design), T, 0, r, t) <= 1 / (g - len(design) * w * (g - 1))


state(
    "survey.journalist.achieved.repaired",
    _SECTION,
    repairs="survey.journalist.achieved",
    claim="If T is optimal and sees a set of records, with simple random samples the bounds are approached, for some "
    "t, "
    "r and i, by attackers who find r less and less likely: the ratio is at least e^epsilon/(1 + c w (e^epsilon - 1)), "
    "or at most 1/(e^epsilon - c w (e^epsilon - 1)), for the probability w of r and the number c of samples.",
    checks=[
        every(reaching, achieved_repaired),
        every(reaching_below, achieved_repaired_holds),
    ],
    mutants={
        "by an attacker": every(
            reaching,
            lambda g, r, t, a, design, T: loss_of(T) == g and posterior_ratio(sampled(a, design), T, 0, r, t) == g,
        )
    },
)


def above_of_journalists(frames, design, T, w, a, r, t, part):
    return (
        not loss_of(survey(frames, design, T)) < loss_of(T)
        or w > 1 / 1000
        or posterior_ratio(sampled(a, design), T, 0, r, t) > part
    )


def a_frame_record_s_ratio(w, frames, design, T):
    return (
        not loss_of(survey(frames, design, T)) < loss_of(T)
        or w > 1 / 1000
        or loss_of_unit(survey(frames, design, T), 0) > loss_of(survey(frames, design, T))
    )


state(
    "survey.journalist.not-amplified",
    _SECTION,
    printed="In fact, we will see in Subsection 6.5.1 that whenever there is privacy amplification due to sampling, a "
    "sample record's posterior-to-posterior ratio is not bounded within [e^-epsilon, e^epsilon] for an epsilon-DP "
    "mechanism at the frame-level. … Hence, as in the previous subsection, the additional privacy protection due to "
    "amplification from sampling is lost when the attacker targets an arbitrary record in the sample. That is, a "
    "sample record is not protected by the mechanism T' at the nominal privacy level epsilon' of T', but only at the "
    "privacy level epsilon.",
    reading="the first sentence's epsilon is the later ones' epsilon': the smallest budget of T', at the frame level; "
    f"simple random samples, mechanisms on sets of records; {_PLACES}",
    checks=[
        every(
            reaching,
            lambda w, r, t, a, frames, design, T: above_of_journalists(
                frames, design, T, w, a, r, t, loss_of(survey(frames, design, T))
            ),
        )
    ],
    mutants={
        "a frame record's ratio": every(reaching, a_frame_record_s_ratio),
        "not at the level epsilon either": every(
            reaching,
            lambda w, r, t, a, frames, design, T: above_of_journalists(frames, design, T, w, a, r, t, loss_of(T)),
        ),
    },
)


def _poisson_given(units: int, size: int) -> Design:
    """Poisson samples of units with unequal rates, given their size."""
    shares = poisson(tuple(Fraction(i + 1, units + 1) for i in range(units)))
    whole = sum(share for s, share in shares.items() if len(s) == size)
    return {s: share / whole for s, share in shares.items() if len(s) == size}


def _replaced(units: int, size: int) -> Design:
    """Draws with replacement, in order."""
    draws = list(product(range(units), repeat=size))
    return dict.fromkeys(draws, Fraction(1, len(draws)))


by_poisson = cases(_SCOPE.format("Poisson samples, given their size,", "the likelier one"), _NAMES)(
    lambda: _attackers(is_highest=True, drawn=_poisson_given)
)
by_replacement = cases(_SCOPE.format("draws with replacement", "the likelier one"), _NAMES)(
    lambda: _attackers(is_highest=True, drawn=_replaced)
)


@cases(
    "two draws with replacement of 2 and 3 units; noisy counts with e^epsilon = 3/2, 3 and 15/4", "n g frames design T"
)
def replaced() -> Iterator[tuple[Any, ...]]:
    for units, g in product((2, 3), (Fraction(3, 2), Fraction(3), Fraction(15, 4))):
        kernel = {x: law for x, law in noisy_count(2, g).items() if len(x) == 2}
        yield units, g, vectors(units), _replaced(units, 2), kernel


@cases(f"{replaced.scope}; 20 fixed random attackers each", "n a design T")
def replaced_attacked() -> Iterator[tuple[Any, ...]]:
    chosen = random.Random(69)  # noqa: S311 fixed cases, not secrets
    for units, _, frames, design, kernel in replaced:
        for _ in range(20):
            weights = [chosen.choice((0, 0, 1, 3, 40, 1000)) for _ in frames[1:]]
            whole = 1 + sum(weights)
            yield units, {f: Fraction(w, whole) for f, w in zip(frames, (1, *weights), strict=True)}, design, kernel


# (6.2) of one of two binary records: the probability of r at the other given r, of r given r, of r given 1 - r


def pair_ratio(T, r, t, other, given_r, given_not):
    return (other * T[r, r][t] + (1 - other) * T[r, 1 - r][t]) / (
        other * (given_r * T[r, r][t] + (1 - given_r) * T[1 - r, r][t])
        + (1 - other) * (given_not * T[r, 1 - r][t] + (1 - given_not) * T[1 - r, 1 - r][t])
    )


# its largest value, or its inverse's, where a record is at the other draw too with probability 1/n or more: at
# an end of each interval, since it is a ratio of linear functions of each of the three probabilities


def largest_pair_ratio(T, n):
    return max(
        max(q, 1 / q)
        for r in [0, 1]
        for t in releases(T)
        for other in [1 / n, 1]
        for given_r in [1 / n, 1]
        for given_not in [0, 1 - 1 / n]
        for q in [pair_ratio(T, r, t, other, given_r, given_not)]
    )


def frame(frames, design, T):
    return loss_of(survey(frames, design, T))


def same_again(n, a, design, part):
    return all(
        n * get(b, [r, r], 0) >= part * sum(b[v] for v in b if v[0] == r) for b in [sampled(a, design)] for r in [0, 1]
    )


state(
    "survey.journalist.any-sampling",
    _SECTION,
    printed="Note that this result and the accompanying discussion applies more generally beyond the context of survey "
    "sampling. They holds for any DP mechanism T' which employs amplification by sampling.",
    reading="the result: wherever T' has a smaller budget than T, some attacker's ratio of a record of the sample is "
    "outside of [e^-epsilon', e^epsilon']; tried where records are drawn with replacement, as gradient descent may do",
    grade=incomplete(
        "that no unit is twice in the sample, as the units 1, …, n of the passage are not. Of two draws with "
        "replacement from N units, each record is the other one too with probability 1/N, whoever attacks: a noisy "
        "count of them, with N = 3 and e^epsilon = 15/4, has e^epsilon' = 529/144, and every ratio of a record of the "
        "sample is within [204/743, 743/204]"
    ),
    checks=[
        every(
            replaced,
            lambda n, frames, design, T: (
                frame(frames, design, T) >= loss_of(T) or largest_pair_ratio(T, n) > frame(frames, design, T)
            ),
        )
    ],
)


def with_replacement(n, g, frames, design, T):
    return (
        n < 3 or g < 15 / 4 or largest_pair_ratio(T, n) == 743 / 204 < 529 / 144 == loss_of(survey(frames, design, T))
    )


state(
    "survey.journalist.with-replacement",
    _SECTION,
    claim="Of two draws with replacement from N units, a record of the sample is at the other draw too with "
    "probability at least 1/N, for every attacker. With noisy counts, N = 3 and e^epsilon = 15/4, the ratios of a "
    "sample record are therefore within [204/743, 743/204], and so at the level e^epsilon' = 529/144 of T'.",
    checks=[
        every(replaced_attacked, lambda n, a, design: same_again(n, a, design, 1)),
        every(
            replaced_attacked, lambda n, a, design, T: ratios_within(sampled(a, design), T, largest_pair_ratio(T, n))
        ),
        every(replaced, with_replacement),
    ],
    mutants={
        "at least 2/N": every(replaced_attacked, lambda n, a, design: same_again(n, a, design, 2)),
        "from 2N units": every(
            replaced_attacked,
            lambda n, a, design, T: ratios_within(sampled(a, design), T, largest_pair_ratio(T, n / 2)),
        ),
        "whatever e^epsilon": every(
            replaced, lambda n, frames, design, T: n < 3 or largest_pair_ratio(T, n) <= frame(frames, design, T)
        ),
    },
)


def at_least_of_journalists(T, g, a, design, r, t, w):
    return loss_of(T) == g and ratio_of_journalists(a, design, T, r, t) >= g / (w * g + 1 - w)


state(
    "survey.journalist.any-sampling.repaired",
    _SECTION,
    claim="Where no unit is twice in the sample, its size is fixed, every set of so many units may be drawn, and T "
    "sees a set of records, an attacker who gives a record the probability w has a ratio of at least e^epsilon/(w "
    "e^epsilon + 1 - w) at a record of the sample. So whenever epsilon' < epsilon, some sample record is not protected "
    "at the level epsilon' of T'. Simple random samples without replacement are such, and Poisson samples given their "
    "size.",
    repairs="survey.journalist.any-sampling",
    checks=[
        every(reaching, at_least_of_journalists),
        every(by_poisson, at_least_of_journalists),
        every(
            by_poisson,
            lambda w, r, t, a, frames, design, T: above_of_journalists(
                frames, design, T, w, a, r, t, frame(frames, design, T)
            ),
        ),
    ],
    mutants={
        "draws with replacement": every(by_replacement, at_least_of_journalists),
        "e^epsilon itself": every(
            by_poisson, lambda g, r, t, a, design, T: ratio_of_journalists(a, design, T, r, t) >= g
        ),
    },
)

state(
    "survey.neighbor.with-replacement",
    _SECTION,
    claim="Where a unit may be drawn more than once, e^epsilon is no bound for an attacker who knows that it was "
    "drawn: it may be several records of the sample. So it is with noisy counts of two draws with replacement, where "
    "e^(2 epsilon) is one.",
    checks=[
        every(replaced, lambda g, frames, design, T: loss_of(T) == g and g < neighbor_loss(frames, design, T) <= g**2)
    ],
    mutants={
        "e^epsilon is a bound": every(replaced, lambda g, frames, design, T: neighbor_loss(frames, design, T) <= g)
    },
)


@cases(
    "noisy counts of simple random samples and of Poisson samples given their size, of 1 to 3 of 2 to 4 units, "
    "e^epsilon = 3/2 and 3",
    "g frames design T",
)
def of_counts() -> Iterator[tuple[Any, ...]]:
    for size, units in combinations(range(1, 5), 2):
        for g, drawn in product((Fraction(3, 2), Fraction(3)), (simple_random, _poisson_given)):
            kernel = {x: law for x, law in noisy_count(size, g).items() if len(x) == size}
            yield g, vectors(units), drawn(units, size), kernel


def amplification(frames, design, T):
    return loss_of(survey(frames, design, T)) < loss_of(T) and neighbor_loss(frames, design, T) == loss_of(T)


state(
    "survey.threats.amplification",
    "dissertation, section 6.6",
    printed="privacy amplification is only achievable if the nosy neighbor and the journalist scenario discussed in "
    "Sections 6.5.1 and 6.5.1 are unrealistic threat models",
    reading="amplification as in Theorem 6.4.1, which a design has for every epsilon-DP mechanism: against either "
    "attacker some mechanism has none, though others have (survey.neighbor.not-amplified); samples of a fixed size in "
    "which no unit is twice (survey.journalist.any-sampling)",
    checks=[
        every(of_counts, amplification),
        every(reaching, at_least_of_journalists),
        every(by_poisson, at_least_of_journalists),
    ],
    mutants={
        "whatever the mechanism": every(
            surveys,
            lambda frames, design, T: (
                frame(frames, design, T) >= loss_of(T) or neighbor_loss(frames, design, T) == loss_of(T)
            ),
        ),
        "another scenario: the attacker knows another unit of the sample": every(
            of_counts, lambda frames, design, T: loss_of_unit(known(frames, design, T, 1), 0) == loss_of(T)
        ),
    },
)
