"""Bounds on the density of privatised data, and on predicted densities, that are wider than need be."""

from fractions import Fraction

from stirred.verify.ledger import cases, every, false, misprint, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.inference.models import (
    FINITE,
    all_outcomes,
    d_connected,
    lower_density,
    no_other_gives,
    plausible,
    released_share,
    responses,
    smallest_gamma,
    upper_density,
)
from stirred.verify.ledger.claims.inference.privatised_data import small_modelled
from stirred.verify.ledger.language_names import get, oo, subsets
from stirred.verify.ledger.words import distance, probability

# The d-connected S with supp(x | t_0, theta) subset S subset [supp(x | t_0, theta)].
larger_supports = lambda p, d, w, t0: (
    [
        s
        for a in subsets(p)
        for s in [a | plausible(p, w, t0)]
        if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s) and d_connected(d, s)
    ]
)
holds_for_larger_supports = lambda p, d, w, t0, power: all(
    probability(w, s) * lower_density(p, d, s, gamma**power, t)
    <= released_share(p, w, t)
    <= upper_density(p, d, s, gamma**power, t)
    for s in larger_supports(p, d, w, t0)
    for t in no_other_gives(p, s, w)
    for gamma in [smallest_gamma(p, d)]
)

own("privatised.density.wider", "dissertation, section 5.4, after Theorem 5.4.1")(
    """The repaired theorem holds too where supp(x | t_0, theta) is replaced by any S with supp(x | t_0, theta) subset S
    subset [supp(x | t_0, theta)], in the definitions of T_0, l, u and d_* and in the factor.""",
    every(small_modelled, holds_for_larger_supports, power=1),
    mutant("e^0 for e^epsilon", {"power": 0}),
    theorem("privatised_data.privatised_upper", "privatised_data.privatised_interval", within=FINITE),
    repairs="privatised.density.any-support",
)

density_exists_on = lambda p, w, t0, d, where: all(
    all(released_share(p, w, t) == sum(get(w, x, 0) * get(p[x], t, 0) for x in s) for t in where)
    for s in larger_supports(p, d, w, t0)
)

known_bits = cases(
    "randomised response with gamma = 3 on one or two bits; all bits are known to be 1; t_0 = 0, 00",
    "p d w t0",
    lambda: (
        case
        for p, d in [responses((1, 2))]
        for case in ((p, d, {(1,): Fraction(1, 2), (1, 1): Fraction(1, 2)}, t0) for t0 in ((0,), (0, 0)))
    ),
)

gains_an_outcome = lambda p, d, w, t0: any(
    no_other_gives(p, plausible(p, w, t0), w) < no_other_gives(p, s, w) for s in larger_supports(p, d, w, t0)
)

state(
    "privatised.density.larger",
    "dissertation, section 5.4, after Theorem 5.4.1",
    "dissertation, section 5.6, after Theorem 5.6.2",
)(
    """This demonstrates that the density p(t | theta) exists on a larger T_0, although the resulting bounds l and u on
    p(t | theta) may be wider.""",
    every(known_bits, gains_an_outcome),
    reading="""larger: for some S of the sentence before T_0 has an outcome more, as is offered for bounds that may be
    wider; section 5.6 has it of the prior predictive density, whose law is that of the mixed model""",
    grade=false(
        "for a finite epsilon data sets at a finite distance have one support, so that those of S that can release t "
        "could release t_0 as well: T_0 is the same for every S, whatever the model and the mechanism"
    ),
)

lower_bound_somewhere_wider = lambda p, d, w, t0: any(
    lower_density(p, d, s, gamma, t) < lower_density(p, d, plausible(p, w, t0), gamma, t)
    for s in larger_supports(p, d, w, t0)
    for t in no_other_gives(p, plausible(p, w, t0), w)
    for gamma in [smallest_gamma(p, d)]
)
bounds_are_wider = lambda p, d, w, t0: all(
    lower_density(p, d, s, gamma, t) < lower_density(p, d, plausible(p, w, t0), gamma, t)
    and upper_density(p, d, plausible(p, w, t0), gamma, t) < upper_density(p, d, s, gamma, t)
    for s in larger_supports(p, d, w, t0)
    for t in no_other_gives(p, plausible(p, w, t0), w)
    for gamma in [smallest_gamma(p, d)]
)
gains_none_for_any_s = lambda p, w, t0: all(
    len(no_other_gives(p, a | plausible(p, w, t0), w)) == len(no_other_gives(p, plausible(p, w, t0), w))
    for a in subsets(p)
)
gains_no_outcome = lambda p, d, w, t0: all(
    no_other_gives(p, plausible(p, w, t0), w) == no_other_gives(p, s, w) for s in larger_supports(p, d, w, t0)
)
exists_within = lambda p, d, w, t0: density_exists_on(p, w, t0, d, no_other_gives(p, plausible(p, w, t0), w))

own("privatised.density.larger.never", "dissertation, section 5.4, after Theorem 5.4.1")(
    """T_0 is the same for every S with supp(x | t_0, theta) subset S subset [supp(x | t_0, theta)], so that no outcome
    is gained; the density exists on it, and for some S the resulting bounds are wider.""",
    every(small_modelled, gains_no_outcome),
    mutant("for every S that has supp(x | t_0, theta)", gains_none_for_any_s),
    mutant("T for T_0", lambda p, d, w, t0: density_exists_on(p, w, t0, d, all_outcomes(p))),
    mutant("are wider for may be wider", bounds_are_wider),
    every(small_modelled, exists_within),
    some(small_modelled, lower_bound_somewhere_wider),
    repairs="privatised.density.larger",
    reading="""for a finite epsilon data sets at a finite distance have the same possible outputs, so that those of S
    that P_theta gives are in supp(x | t_0, theta)""",
)

all_bounds_together = lambda w, p, d, power, t0: (
    all(
        max(probability(w, s) * lower_density(p, d, s, gamma**power, t) for s in larger_supports(p, d, w, t0))
        <= released_share(p, w, t)
        <= min(upper_density(p, d, s, gamma**power, t) for s in larger_supports(p, d, w, t0))
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )
    or not d_connected(d, plausible(p, w, t0))
)
bounds_are_nowhere_narrower = lambda p, d, w, t0: all(
    lower_density(p, d, s, gamma, t) <= lower_density(p, d, plausible(p, w, t0), gamma, t)
    and upper_density(p, d, plausible(p, w, t0), gamma, t) <= upper_density(p, d, s, gamma, t)
    for s in larger_supports(p, d, w, t0)
    for t in no_other_gives(p, plausible(p, w, t0), w)
    for gamma in [smallest_gamma(p, d)]
)

state("predicted.density.wider.printed", "dissertation, section 5.6, after Theorem 5.6.2")(
    """In this way, one can obtain bounds l(t) and u(t) on the prior predictive density p(t) which apply for a larger
    subspace T_0, although these bounds will be wider.""",
    every(small_modelled, bounds_are_nowhere_narrower),
    reading="""wider: nowhere narrower; that T_0 is larger is privatised.density.larger; a prior predictive law is that
    of the mixed model""",
    grade=misprint(
        "section 5.4 says of the same step that they may be wider; a data set between those of supp(x | t_0) is nearer "
        "to each of them than they are to one another, and its density bounds p(t) more closely"
    ),
)

lower_bound_somewhere_narrower = lambda p, d, w, t0: any(
    lower_density(p, d, s, gamma, t) > lower_density(p, d, plausible(p, w, t0), gamma, t)
    for s in larger_supports(p, d, w, t0)
    for t in no_other_gives(p, plausible(p, w, t0), w)
    for gamma in [smallest_gamma(p, d)]
)

own("predicted.density.wider", "dissertation, section 5.6, after Theorem 5.6.2")(
    """The bounds for S may be wider than those for supp(x | t_0), and may be narrower; with the factor P_theta(S) all
    of them hold, so that the largest lower and the smallest upper one over all S do.""",
    some(small_modelled, lower_bound_somewhere_wider),
    some(small_modelled, lower_bound_somewhere_narrower),
    every(small_modelled, all_bounds_together, power=1),
    mutant("never narrower", every(small_modelled, bounds_are_nowhere_narrower)),
    mutant("e^0 for e^epsilon", {"power": 0}),
    repairs="predicted.density.wider.printed",
)
