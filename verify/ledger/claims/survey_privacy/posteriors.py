"""What an attacker infers of a record, against a world in which that record is drawn again: section 6.5.1."""

from fractions import Fraction
from itertools import combinations, product

from stirred.verify.ledger import cases, every, mutant, own, state, theorem
from stirred.verify.ledger.claims.survey_privacy.words import (
    asked,
    attacked,
    loss_of,
    posterior_ratio,
    predicted,
    printed_denominator,
    printed_numerator,
    ratios_within,
    record_given,
    rest_share,
    rests,
    size_of,
)
from stirred.verify.ledger.language_names import oo

_SECTION = "dissertation, section 6.5.1"

collections = cases(
    "all collections of one to three data sets of two or three units of four",
    "collection",
    lambda: (
        case
        for listed in [[frozenset(units) for size in (2, 3) for units in combinations(range(4), size)]]
        for size in (1, 2, 3)
        for case in combinations(listed, size)
    ),
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
    lambda: (
        (w, g, {("r", "b"): w, ("q", "b"): 1 - w}, {("r", "b"): {0: high, 1: low}, ("q", "b"): {0: low, 1: high}})
        for shares in [(Fraction(1, 1000), Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))]
        for w, g in product(shares, (Fraction(3, 2), Fraction(2), Fraction(5)))
        for high, low in [(g / (g + 1), 1 / (g + 1))]
    ),
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
