"""An attacker who looks for any record of the sample, under designs other than simple random samples."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from stirred.verify.ledger import cases, every, incomplete, mutant, own, state
from stirred.verify.ledger.claims.survey_privacy.journalists import (
    NAMES,
    SCOPE,
    attackers,
    first_unit_ratio,
    ratio_above_if_amplified,
    reaching,
)
from stirred.verify.ledger.claims.survey_privacy.words import (
    Design,
    known,
    loss_of,
    loss_of_unit,
    neighbor_loss,
    noisy_count,
    poisson,
    ratios_within,
    releases,
    sampled,
    simple_random,
    survey,
    surveys,
    vectors,
)
from stirred.verify.ledger.language_names import get

_SECTION = "dissertation, section 6.5.1"


def _poisson_given(units: int, size: int) -> Design:
    """Poisson samples of units with unequal rates, given their size."""
    shares = poisson(tuple(Fraction(i + 1, units + 1) for i in range(units)))
    whole = sum(share for s, share in shares.items() if len(s) == size)
    return {s: share / whole for s, share in shares.items() if len(s) == size}


def _replaced(units: int, size: int) -> Design:
    draws = list(product(range(units), repeat=size))
    return dict.fromkeys(draws, Fraction(1, len(draws)))


_likelier = lambda samples, drawn: cases(
    SCOPE.format(samples, "the likelier one"), NAMES, lambda: attackers(is_highest=True, drawn=drawn)
)
by_poisson = _likelier("Poisson samples, given their size,", _poisson_given)
by_replacement = _likelier("draws with replacement", _replaced)

replaced = cases(
    "two draws with replacement of 2 and 3 units; noisy counts with e^epsilon = 3/2, 3 and 15/4",
    "n g frames design T",
    lambda: (
        (units, g, vectors(units), _replaced(units, 2), {x: law for x, law in noisy_count(2, g).items() if len(x) == 2})
        for units, g in product((2, 3), (Fraction(3, 2), Fraction(3), Fraction(15, 4)))
    ),
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
    """Where no unit is twice in the sample, its size is fixed, every set of so many units may be drawn, and T sees a
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
    lambda: (
        (g, vectors(units), selected(units, size), kernel)
        for size, units in combinations(range(1, 5), 2)
        for g, selected in product((Fraction(3, 2), Fraction(3)), (simple_random, _poisson_given))
        for kernel in [{x: law for x, law in noisy_count(size, g).items() if len(x) == size}]
    ),
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
