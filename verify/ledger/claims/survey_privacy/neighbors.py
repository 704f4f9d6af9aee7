"""What an attacker infers of a record, and of a unit known to be in the sample: the nosy neighbor of section 6.5.1."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.claims.survey_privacy.words import (
    asked,
    attacked,
    drawn,
    flipped_majority,
    known,
    loss_of,
    loss_of_unit,
    neighbor_loss,
    noisy_count,
    normed,
    others_of,
    poisson,
    posterior_ratio,
    predicted,
    printed_denominator,
    printed_numerator,
    ratios_within,
    record_given,
    record_posterior,
    releases,
    rest_share,
    restored,
    rests,
    simple_random,
    size_of,
    survey,
    survey_law,
    surveyed,
    surveys,
    vectors,
)
from stirred.verify.ledger.language_names import get, oo

# what an attacker infers of a record, against a world in which that record is drawn again: section 6.5.1

_SECTION = "dissertation, section 6.5.1"

collections = cases("all collections of one to three data sets of two or three units of four", "collection")(
    lambda: (
        case
        for listed in [[frozenset(units) for size in (2, 3) for units in combinations(range(4), size)]]
        for size in (1, 2, 3)
        for case in combinations(listed, size)
    )
)

units_defined_iff = lambda collection, is_defined: (
    all(i in units for units in collection for i in {j for other in collection for j in other}) == is_defined
)
units_defined_by_number = lambda collection: (
    all(i in units for units in collection for i in {j for other in collection for j in other})
    == (len({len(units) for units in collection}) == 1)
)

state("survey.posteriors.fixed-units", _SECTION)(
    """The goal of the attacker is to infer information about the record D_i of a single unit i in U^R(D) in the
    input dataset D. For this to be well-defined, we must assume that the units of D are fixed (that is, U(D) is a
    fixed set).""",
    every(collections, lambda collection: units_defined_iff(collection, (len(set(collection)) == 1))),
    mutant("a fixed number of units", units_defined_by_number),
    reading="D_i is defined for every possible data set and every unit that one of them has",
)

ratio_is_quotient_by_prior = lambda a, p: all(
    posterior_ratio(a, p, i, r, t)
    == printed_numerator(a, p, i, r, t)
    / sum(rest_share(a, i, rest) * record_given(a, i, r, rest) * predicted(a, p, t) for rest in rests(a, i))
    for i in range(size_of(a))
    for r, t in asked(a, p, i)
)
ratio_is_quotient = lambda a, p: all(
    posterior_ratio(a, p, i, r, t) == printed_numerator(a, p, i, r, t) / printed_denominator(a, p, i, r, t)
    for i in range(size_of(a))
    for r, t in asked(a, p, i)
)

state("survey.posteriors.identity", _SECTION, "dissertation, (6.2)")(
    """As shown in Kifer et al. (2022) the ratio of these two posteriors is given by P_A(D_i = r | T(D) = t) / P_A(D_i =
    r | T(psample[D]) = t) = [sum over d^- of P_A(d^-) P_A(r | d^-) P_{d^- u {r}}(T = t)] / [sum over d^- of P_A(d^-)
    P_A(r | d^-) sum over r' of P_A(r' | d^-) P_{d^- u {r'}}(T = t)].""",
    every(attacked, ratio_is_quotient),
    mutant("psample[D] is drawn from the prior as a whole", ratio_is_quotient_by_prior),
    theorem("posterior_to_posterior.posterior_ratio", "posterior_to_posterior.psample_prior", within="finite spaces"),
    reading="""D and psample[D] have the same records but for unit i's, which are independent given the others';
    wherever the second posterior is positive""",
)

state("survey.posteriors.interval", _SECTION)(
    """For epsilon-DP, e^-epsilon <= P_{d^- u {r}}(T = t) / P_{d^- u {r'}}(T = t) <= e^epsilon, and hence the ratio of
    posteriors (6.2) is bounded between e^-epsilon and e^epsilon, for all possible values r of D_i (see Theorem 7.1 in
    Kifer et al. (2022)).""",
    every(attacked, lambda a, p, less: ratios_within(a, p, (loss_of(p) + less) / (1 + less)), less=0),
    mutant("(e^epsilon + 1)/2 for e^epsilon", {"less": 1}),
    theorem(
        "posterior_to_posterior.posterior_to_posterior",
        "posterior_to_posterior.posterior_to_posterior_record",
        within="finite spaces",
    ),
    reading="""bounded epsilon-DP, all data sets of these units in one universe; every attacker, the records dependent
    or not; epsilon the smallest""",
)

sharp = cases(
    "two data sets of two units that differ in the first, with records r and q; prior probabilities 1/1000 to 9/10 of "
    "r; e^epsilon = 3/2, 2, 5; an output with probability e^epsilon/(e^epsilon + 1) and 1/(e^epsilon + 1)",
    "w g a p",
)(
    lambda: (
        (w, g, {("r", "b"): w, ("q", "b"): 1 - w}, {("r", "b"): {0: high, 1: low}, ("q", "b"): {0: low, 1: high}})
        for shares in [(Fraction(1, 1000), Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))]
        for w, g in product(shares, (Fraction(3, 2), Fraction(2), Fraction(5)))
        for high, low in [(g / (g + 1), 1 / (g + 1))]
    )
)

twice_the_prior = lambda a, p: all(
    1 / (w + (1 - w) * g) <= q <= g / (2 * w * g + 1 - 2 * w)
    for g in [loss_of(p)]
    if g < oo
    for i in range(size_of(a))
    for r, t in asked(a, p, i)
    for w in [min(s for rest in rests(a, i) for s in [record_given(a, i, r, rest)] if s > 0)]
    for q in [posterior_ratio(a, p, i, r, t)]
)
sharpest = lambda a, p: all(
    1 / (w + (1 - w) * g) <= q <= g / (w * g + 1 - w)
    for g in [loss_of(p)]
    if g < oo
    for i in range(size_of(a))
    for r, t in asked(a, p, i)
    for w in [min(s for rest in rests(a, i) for s in [record_given(a, i, r, rest)] if s > 0)]
    for q in [posterior_ratio(a, p, i, r, t)]
)
inside = lambda g, a, p: all(1 / g < q < g for r, t in asked(a, p, 0) for q in [posterior_ratio(a, p, 0, r, t)])

own("survey.posteriors.sharpest", _SECTION, "dissertation, (6.2)")(
    """If w > 0 is the smallest positive probability that the attacker gives to r given the other units' records, the
    ratio (6.2) is from 1/(w + (1 - w) e^epsilon) to e^epsilon/(w e^epsilon + 1 - w), and both are attained. So for
    epsilon > 0 no attacker attains e^-epsilon or e^epsilon; those who find r less and less likely approach them.""",
    every(attacked, sharpest),
    mutant("twice the prior", twice_the_prior),
    every(sharp, lambda w, g, a, p: posterior_ratio(a, p, 0, "r", 0) == g / (w * g + 1 - w)),
    mutant("e^epsilon is attained", lambda g, a, p: posterior_ratio(a, p, 0, "r", 0) == g),
    every(sharp, lambda w, g, a, p: posterior_ratio(a, p, 0, "r", 1) == 1 / (w + (1 - w) * g)),
    every(sharp, inside),
)

# attackers who know that a unit is in the sample: the nosy neighbor of section 6.5.1

_GIVEN = (
    "the design does not depend on the records: tau is written without the frame here, in P(S(f) = S) = tau(S), not "
    "as tau_f of sections 6.4.4 and 6.4.5"
)

# the attacker's posterior of unit i's record, from the joint law of frame, sample and release
neighbor_posterior = lambda a, design, T, i, r, t: [
    sum(j[f, s] for f, s in j if f[i] == r) / sum(j[f, s] for f, s in j)
    for j in [{(f, s): a[f] * design[s] * get(T[drawn(f, s)], t, 0) for f in a for s in design if i in s}]
][0]
neighbor_ratios_in_interval = lambda T, less, frames, design, a: all(
    1 / g <= q <= g
    for g in [(loss_of(T) + less) / (1 + less)]
    for i in range(size_of(frames))
    for p in [known(frames, design, T, i)]
    for r, t in asked(a, p, i)
    for q in [posterior_ratio(a, p, i, r, t)]
)
interval = lambda a, frames, design, T: all(
    neighbor_posterior(a, design, T, i, r, t) == record_posterior(a, p, i, r, t)
    for i in range(size_of(frames))
    for p in [known(frames, design, T, i)]
    for r, t in asked(a, p, i)
)

state("survey.neighbor.interval", _SECTION)(
    """Conditioning on the fact that unit i is included in the sample, the lower bound of the posterior-to-posterior
    ratio under the assumption that T is epsilon-DP is … >= … = e^-epsilon. … Using a similar argument, the upper bound
    of the ratio is e^epsilon.""",
    every(surveyed, interval),
    every(surveyed, neighbor_ratios_in_interval, less=0),
    mutant("(e^epsilon + 1)/2 for e^epsilon", {"less": 1}),
    reading=f"{_GIVEN} (survey.neighbor.data-dependent-design shows the other designs); the attacker's prior on "
    "frames is that given i in S; epsilon the smallest",
)

optimal = cases(
    "simple random samples without replacement: counts with clamped geometric noise of 1 of 2 and 3 of 4 units, then "
    "the flipped majority of 3 of 4; e^epsilon = 3",
    "g frames design T",
)(
    lambda: (
        (Fraction(3), vectors(units), simple_random(units, size), kernel)
        for made, size, units in ((noisy_count, 1, 2), (noisy_count, 3, 4), (flipped_majority, 3, 4))
        for kernel in [{x: law for x, law in made(size, Fraction(3)).items() if len(x) == size}]
    )
)

state("survey.neighbor.achieved", _SECTION)(
    """Whenever the mechanism T is optimal (i.e. it achieves the bound P_s(T = t)/P_s'(T = t) = epsilon for some s, s'
    with d(s, s') = 1), the above inequality is achieved for some choice r and i.""",
    every(optimal, lambda g, frames, design, T: loss_of(T) != g or neighbor_loss(frames, design, T) == g),
    reading="""the bound is e^epsilon, where the passage has epsilon; achieved, if only in the limit of attackers who
    find r less and less likely: no attacker attains it""",
    grade=incomplete(
        "that one output achieves the bound at every sample that has i, as the lowest value of a noisy count does. "
        "Where it does so for some samples only, the attacker averages over who else is in the sample: with the "
        "flipped majority of 3 of 4 units and e^epsilon = 3 every ratio is at most 7/3"
    ),
)

counted = cases(
    "noisy counts of simple random samples of 1 to 3 of 2 to 4 units, e^epsilon = 3/2 and 3; attackers who know all "
    "records but the first unit's, which is 1 with probability 1/1000, 1/2 or 9/10",
    "g w a design T",
)(
    lambda: (
        (g, w, prior, simple_random(units, size), {x: law for x, law in noisy_count(size, g).items() if len(x) == size})
        for shares in [(Fraction(1, 1000), Fraction(1, 2), Fraction(9, 10))]
        for g, w, (size, units) in product((Fraction(3, 2), Fraction(3)), shares, combinations(range(1, 5), 2))
        for rest in [tuple(i % 2 for i in range(units - 1))]
        for prior in [{(1, *rest): w, (0, *rest): 1 - w}]
    )
)

near_upper = lambda g, w, a, design, T: (
    posterior_ratio(a, known(a, design, T, 0), 0, 1, max(t for x in T for t in T[x])) == g / (w * g + 1 - w)
)
attained_below = lambda g, a, design, T: posterior_ratio(a, known(a, design, T, 0), 0, 1, 0) == 1 / g
near_lower = lambda g, w, a, design, T: posterior_ratio(a, known(a, design, T, 0), 0, 1, 0) == 1 / (w + (1 - w) * g)

own("survey.neighbor.achieved.repaired", _SECTION)(
    """Where one output has P_s(T = t) = e^epsilon P_s'(T = t) at every sample s with unit i, s' having another record
    of i, an attacker who knows all other records and gives r the probability w and that record the rest has the ratio
    e^epsilon/(w e^epsilon + 1 - w), or with r and it exchanged 1/(w + (1 - w) e^epsilon), knowing no more than that i
    is in the sample. So the bounds are approached, and attained by no attacker.""",
    every(counted, near_upper),
    mutant("the bound is attained", attained_below),
    mutant(
        "the record of the other end not exchanged",
        lambda g, w, a, design, T: posterior_ratio(a, known(a, design, T, 0), 0, 1, 0) == 1 / ((1 - w) + w * g),
    ),
    every(counted, near_lower),
    every(counted, lambda g, a, design, T: posterior_ratio(a, known(a, design, T, 0), 0, 1, 0) > 1 / g),
    repairs="survey.neighbor.achieved",
)

not_amplified = lambda frames, design, T: (
    not loss_of(survey(frames, design, T)) < loss_of(T)
    or loss_of(survey(frames, design, T)) < neighbor_loss(frames, design, T) == loss_of(T)
)

state("survey.neighbor.not-amplified", _SECTION)(
    """Thus, while the data release mechanism T' satisfies epsilon'-DP for epsilon' < epsilon, the
    posterior-to-posterior protection provided by T' when the attacker knows i in U^R(S) is not bounded within the
    interval [e^-epsilon', e^epsilon'] but only in the interval [e^-epsilon, e^epsilon]. That is, the protection due to
    privacy amplification from sampling is lost: T' provides the same level of protection as T when the attacker knows
    the unit i is in the sample.""",
    every(optimal, not_amplified),
    reading=f"T is optimal, as in the sentence before; {_GIVEN}; epsilon' and epsilon are the smallest budgets of T' "
    "and T; over all attackers and units",
    grade=incomplete(
        "that one output achieves the bound at every sample that has i, as for survey.neighbor.achieved, of which this "
        "is the conclusion: with the flipped majority of 3 of 4 units and e^epsilon = 3 every ratio is at most 7/3. "
        "Where only the epsilon' of Theorem 6.4.1 is meant, not even the first half holds (survey.neighbor.nominal), "
        "nor where the size of the sample is random (survey.neighbor.random-size)"
    ),
)

# some output has the ratio e^epsilon for two records, whichever of the sample's records and whatever the others
reached_at_all_places = lambda T: any(
    all(
        T[restored(rest, i, r)][t] == loss_of(T) * T[restored(rest, i, q)][t]
        for i in range(size_of(T))
        for rest in {others_of(x, i) for x in T if i < len(x)}
    )
    for t in releases(T)
    for r in [0, 1]
    for q in [1 - r]
)
not_all = lambda T: not reached_at_all_places(T)

of_fixed_size = cases("those of the surveys above with samples of fixed size", "frames design T")(
    lambda: (case for case in surveys if len({len(s) for s in case[1]}) == 1)
)

knower_of_another_loses_more = lambda frames, design, T: (
    not_all(T)
    or not loss_of(survey(frames, design, T)) < loss_of(T)
    or loss_of(survey(frames, design, T)) < loss_of_unit(known(frames, design, T, 0), 1) == loss_of(T)
)
not_amplified_repaired = lambda frames, design, T: (
    not_all(T)
    or not loss_of(survey(frames, design, T)) < loss_of(T)
    or loss_of(survey(frames, design, T)) < neighbor_loss(frames, design, T) == loss_of(T)
)
not_at_frame_level = lambda frames, design, T: (
    not loss_of(survey(frames, design, T)) < loss_of(T)
    or loss_of(survey(frames, design, T)) < neighbor_loss(frames, design, T) <= loss_of(T)
)

own("survey.neighbor.not-amplified.repaired", _SECTION)(
    """Where no unit is certain to be in the sample and one output has P_s(T = t) = e^epsilon P_s'(T = t) for two
    records of a unit at every sample that has it, epsilon finite, the ratios of those who know that i is in the sample
    are bounded in [e^-epsilon, e^epsilon] and in no smaller interval. Of samples of a fixed size, [e^-epsilon',
    e^epsilon'] does not bound them whatever T is, for the smallest epsilon' if it is finite and not 0.""",
    every(surveys, not_amplified_repaired),
    mutant("it has so at some sample", not_amplified),
    mutant("of those who know that another unit is in the sample", knower_of_another_loses_more),
    every(of_fixed_size, not_at_frame_level),
    reading=_GIVEN,
    repairs="survey.neighbor.not-amplified",
)

# the laws of samples of a size, with the size beside each output
_by_size = lambda whole, size: {
    x: {(size, t): share for t, share in law.items()} for x, law in whole.items() if len(x) == size
}


@cases(
    "Bernoulli samples of 4 units at rate 1/2 whose size is published: of 3 the flipped majority, e^epsilon = 3, of 4 "
    "whether all records are 0, flipped with probability 3/10, of others nothing",
    "frames design T",
)
def of_random_size() -> Iterator[tuple[Any, ...]]:
    kernel: dict[Any, Any] = {x: {(n, 0): Fraction(1)} for n in range(3) for x in vectors(n)}
    kernel.update(_by_size(dict(flipped_majority(3, Fraction(3))), 3))
    told = {int(one): {int(one): Fraction(7, 10), 1 - int(one): Fraction(3, 10)} for one in (False, True)}
    kernel.update(_by_size({x: told[int(any(x))] for x in vectors(4)}, 4))
    yield vectors(4), poisson((Fraction(1, 2),) * 4), kernel


random_size = lambda frames, design, T: all(
    of_frame < loss_of(T) and loss_of_unit(known(frames, design, T, 0), 0) == of_frame
    for of_frame in [loss_of(survey(frames, design, T))]
)
known_as_on_samples = lambda frames, design, T: (
    loss_of(survey(frames, design, T)) < loss_of(T) and neighbor_loss(frames, design, T) == loss_of(T)
)
known_as_in_frames = lambda frames, design, T: (
    not loss_of(survey(frames, design, T)) < loss_of(T)
    or neighbor_loss(frames, design, T) == loss_of(survey(frames, design, T))
)

own("survey.neighbor.random-size", _SECTION)(
    """Where the size of the sample is random and published, T' may lose less than T and still hold an attacker who
    knows that i is in the sample to its smaller budget: its largest loss is then that of samples that have every
    unit.""",
    every(of_random_size, random_size),
    mutant("the mechanism's on samples", known_as_on_samples),
    mutant("whatever T publishes", every(surveys, known_as_in_frames)),
)

majority = cases(
    "the flipped majority of a simple random sample of 3 of 4 units, e^epsilon = 3", "g rate frames design T"
)(
    lambda: (
        (Fraction(3), Fraction(3, 4), vectors(4), simple_random(4, 3), kernel)
        for kernel in [{x: law for x, law in flipped_majority(3, Fraction(3)).items() if len(x) == 3}]
    )
)

below_nominal_level = lambda g, rate, frames, design, T: (
    loss_of(T) == g and neighbor_loss(frames, design, T) < 5 / 2 == 1 + rate * (g - 1)
)

own("survey.neighbor.nominal", _SECTION)(
    """With the epsilon' of Theorem 6.4.1 in place of the smallest one, an attacker who knows that i is in the sample
    may be held within [e^-epsilon', e^epsilon'] all the same: of the flipped majority of 3 of 4 units, with e^epsilon =
    3, by 7/3, where e^epsilon' = 5/2.""",
    every(majority, below_nominal_level),
    mutant(
        "above e^epsilon'",
        lambda g, rate, frames, design, T: loss_of(T) == g and neighbor_loss(frames, design, T) > 1 + rate * (g - 1),
    ),
    every(majority, lambda g, frames, design, T: neighbor_loss(frames, design, T) == g - 2 / 3),
)

# a record is a size and an answer; the first unit and one of the others, drawn one after the other by size
pair_shares = lambda f: (
    {
        (0, j): f[0][0] * f[j][0] / total / (total - f[0][0]) + f[j][0] * f[0][0] / total / (total - f[j][0])
        for total in [sum(r[0] for r in f)]
        for j in range(1, len(f))
    }
)
known_by_size = lambda frames, T: {f: survey_law(f, normed(pair_shares(f)), T) for f in frames}

by_size = cases(
    "two of three units drawn one after the other with probability proportional to size, 1 or 3, the first unit known "
    "to be in the sample; the count of answers 1 with clamped geometric noise, e^epsilon = 3/2",
    "g frames T",
)(
    lambda: (
        (Fraction(3, 2), tuple(product(records, repeat=3)), kernel)
        for counts, records in [(noisy_count(2, Fraction(3, 2)), tuple(product((1, 3), (0, 1))))]
        for kernel in [{x: counts[tuple(answer for _, answer in x)] for x in product(records, repeat=2)}]
    )
)

loses_more_by_size = lambda T, g, known: loss_of(T) == g and loss_of_unit(known, 0) > g

own("survey.neighbor.data-dependent-design", _SECTION)(
    """Where the design depends on the records, e^epsilon is no bound for an attacker who knows that i is in the
    sample: i's record then changes who else is in it. So it is under draws of two units with probability
    proportional to size.""",
    every(by_size, lambda g, frames, T: loses_more_by_size(T, g, known_by_size(frames, T))),
    mutant(
        "one design for all frames",
        lambda g, frames, T: loses_more_by_size(T, g, survey(frames, {(0, 1): 1 / 4, (0, 2): 3 / 4}, T)),
    ),
)
