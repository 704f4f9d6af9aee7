"""The law of what is released when the data are random: its density, the printed bounds, and sharper ones."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, false, incomplete, misprint, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.inference.models import (
    FINITE,
    all_outcomes,
    can_release,
    d_connected,
    d_farthest,
    lower_density,
    model_support,
    modelled,
    no_other_gives,
    plausible,
    released_share,
    responses,
    smallest_gamma,
    upper_density,
)
from stirred.verify.ledger.language_names import get, oo, subsets
from stirred.verify.ledger.words import distance, probability

# the law of what is released when the data are random: the dissertation's bounds, and what they lack

below_upper_density = lambda d, p, w, t0, power: (
    not d_connected(d, plausible(p, w, t0))
    or all(
        released_share(p, w, t) <= upper_density(p, d, plausible(p, w, t0), gamma**power, t)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )
)
above_lower_density = lambda d, p, w, t0, power, factor: (
    not d_connected(d, plausible(p, w, t0))
    or all(
        factor * lower_density(p, d, plausible(p, w, t0), gamma**power, t) <= released_share(p, w, t)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )
)
possible = lambda w, p, t0: probability(w, plausible(p, w, t0))
within_both_densities = lambda p, d, w, t0, power: (
    below_upper_density(d, p, w, t0, power) and above_lower_density(d, p, w, t0, power, 1)
)

state("privatised.density", "dissertation, Theorem 5.4.1", "dissertation, (5.7)", "dissertation, (C.25)")(
    """Let M be an epsilon-DP mechanism. Fix some t_0 in T and suppose that supp(x | t_0, theta) is d-connected. Define
    T_0 = {t in T | supp(x | t, theta) subset supp(x | t_0, theta)}. Then, there exist measures L and U on (T, F) with
    densities l and u satisfying l(t) = ess sup over x_* in supp(x | t_0, theta) of exp(-epsilon d_*) p_x*(t) and u(t) =
    ess inf over x_* of exp(epsilon d_*) p_x*(t) for all t in T_0, where d_* = sup over x in supp(x | t_0, theta) of
    d(x, x_*). Furthermore, the privatised data probability P(T in . | theta) is bounded by L and U on T_0""",
    every(modelled, within_both_densities, power=1),
    reading="""on finite sets with the discrete topology; epsilon the smallest. The proof of the lower bound needs that
    the data are in supp(x | t_0, theta) with probability 1, as in section 5.9""",
    grade=incomplete(
        "that P_theta(supp(x | t_0, theta)) = 1: else the lower bound lacks this factor, as where the number of "
        "records is random and released"
    ),
    refuted_by=["privatised_data.privatised_lower_refuted"],
)

density_repaired = lambda p, d, w, t0, power: (
    probability(w, plausible(p, w, t0)) < 1
    or not d_connected(d, plausible(p, w, t0))
    or all(
        lower_density(p, d, plausible(p, w, t0), gamma**power, t) <= released_share(p, w, t)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )
)
the_factor_only_where_it_is_below = lambda p, d, w, t0, power: above_lower_density(
    d, p, w, t0, power, possible(w, p, t0) if possible(w, p, t0) < 1 / 2 else 1
)

own("privatised.density.repaired", "dissertation, Theorem 5.4.1", "dissertation, (5.7)")(
    """Under the premises of Theorem 5.4.1, P_theta(supp(x | t_0, theta)) l(t) <= p(t | theta) <= u(t) on T_0; where
    P_theta(supp(x | t_0, theta)) = 1 these are the printed bounds.""",
    every(modelled, below_upper_density, power=1),
    mutant("e^0 for e^epsilon in u", {"power": 0}),
    every(modelled, lambda p, d, w, t0, power: above_lower_density(d, p, w, t0, power, possible(w, p, t0)), power=1),
    mutant("e^0 for e^epsilon in l", {"power": 0}),
    mutant("the factor only where it is below 1/2", the_factor_only_where_it_is_below),
    every(modelled, density_repaired, power=1),
    theorem(
        "privatised_data.privatised_upper",
        "privatised_data.privatised_interval",
        "privatised_data.privatised_lower",
        within=FINITE,
    ),
    repairs="privatised.density",
)

sharp = lambda p, w, t0, share, d: all(
    min(get(p[x], t, 0) for x in plausible(p, w, t0)) * possible(w, p, t0)
    <= released_share(p, w, t)
    <= max(get(p[x], t, 0) for x in plausible(p, w, t0)) * share
    for t in no_other_gives(p, plausible(p, w, t0), w)
    for gamma in [smallest_gamma(p, d)]
)
within_the_printed_ones_whatever_p_theta = lambda p, d, w, t0: (
    not d_connected(d, plausible(p, w, t0))
    or all(
        lower_density(p, d, plausible(p, w, t0), gamma, t)
        <= probability(w, plausible(p, w, t0)) * min(get(p[x], t, 0) for x in plausible(p, w, t0))
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )
)
strictly_inside_everywhere = lambda p, d, w, t0: (
    not d_connected(d, plausible(p, w, t0))
    or all(
        lower_density(p, d, plausible(p, w, t0), gamma, t) < min(get(p[x], t, 0) for x in plausible(p, w, t0))
        and max(get(p[x], t, 0) for x in plausible(p, w, t0)) < upper_density(p, d, plausible(p, w, t0), gamma, t)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )
)
sharpest = lambda p, d, w, t0: (
    not d_connected(d, plausible(p, w, t0))
    or all(
        lower_density(p, d, plausible(p, w, t0), gamma, t) <= min(get(p[x], t, 0) for x in plausible(p, w, t0))
        and max(get(p[x], t, 0) for x in plausible(p, w, t0)) <= upper_density(p, d, plausible(p, w, t0), gamma, t)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )
)

own("privatised.density.sharpest", "dissertation, Theorem 5.4.1")(
    """With S = supp(x | t_0, theta), p(t | theta) on T_0 is between P_theta(S) min over S of p_x(t) and max over S of
    p_x(t). Models that are sure of one data set attain both, so that for a known mechanism nothing sharper holds for
    all models on S; where P_theta(S) = 1 these bounds are nowhere outside the printed ones.""",
    every(modelled, sharp, share=1),
    mutant("P_theta(S)/2 for 1 above", {"share": Fraction(1, 2)}),
    every(modelled, sharpest),
    mutant("strictly inside everywhere", strictly_inside_everywhere),
    mutant("within the printed ones whatever P_theta(S) is", within_the_printed_ones_whatever_p_theta),
    every(
        modelled,
        lambda p, w, t0: all(released_share(p, {x: 1}, t) == p[x][t] for x in plausible(p, w, t0) for t in p[x]),
    ),
)

small_modelled = cases("as for the theorem, on three data sets", "p d w t0")(
    lambda: (case for case in modelled if len(case[0]) == 3)
)

any_support = lambda p, d, w, t0, power: all(
    not d_connected(d, s)
    or all(
        lower_density(p, d, s, gamma**power, t) <= released_share(p, w, t) <= upper_density(p, d, s, gamma**power, t)
        for t in no_other_gives(p, s, w)
        for gamma in [smallest_gamma(p, d)]
    )
    for a in subsets(p)
    for s in [a | plausible(p, w, t0)]
    if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s)
)

state(
    "privatised.density.any-support",
    "dissertation, section 5.4, after Theorem 5.4.1",
    "dissertation, section 5.6, after Theorem 5.6.2",
)(
    """one may replace supp(x | t_0, theta) with any measurable S satisfying supp(x | t_0, theta) subset S subset
    [supp(x | t_0, theta)]. … Theorem 5.4.1 holds with this new T_0, provided that supp(x | t_0, theta) is replaced by S
    in the definitions of l, u and d_*.""",
    every(small_modelled, any_support, power=1),
    reading="as for Theorem 5.4.1; S is connected; a prior predictive law is that of the mixed model",
    grade=incomplete("as for Theorem 5.4.1, which it generalises: that P_theta(S) = 1"),
)

# lemmas on privatised data: when their density exists, what anchors it, and what responses say

integral_outside_is_0 = lambda p, w, t0: (
    sum(w[x] * probability(p[x], no_other_gives(p, plausible(p, w, t0), w)) for x in set(w) - plausible(p, w, t0)) == 0
)
excluded_never_release = lambda p, w, t0: all(
    probability(p[x], no_other_gives(p, plausible(p, w, t0), w)) == 0 for x in model_support(w) - can_release(p, t0)
)

state("privatised.lemmas", "dissertation, Lemma C.6.1", "dissertation, Lemma C.6.2")(
    """If x is in supp_0(x | t_0)^c and in supp(P_theta), then P_x(T_0) = 0. … The integral of P_x(T_0) dP_theta(x) over
    supp(x | t_0, theta)^c is 0.""",
    every(modelled, excluded_never_release),
    mutant(
        "T for T_0",
        lambda p, w, t0: all(probability(p[x], all_outcomes(p)) == 0 for x in model_support(w) - can_release(p, t0)),
    ),
    every(modelled, integral_outside_is_0),
)

integrated = lambda p, w, t0, where: all(
    released_share(p, w, t) == sum(w[x] * get(p[x], t, 0) for x in plausible(p, w, t0)) for t in where
)

state("privatised.exists", "dissertation, Lemma C.6.3", "dissertation, Lemma C.6.4", "dissertation, (C.26)")(
    """a density p(t | theta) for P(T in . | theta) exists in T_0 in the sense that P(T in S intersect T_0 | theta) =
    (the integral over S intersect T_0 of) p(t | theta) dnu(t), for all S in F""",
    every(modelled, lambda p, w, t0: integrated(p, w, t0, no_other_gives(p, plausible(p, w, t0), w))),
    mutant("T for T_0", lambda p, w, t0: integrated(p, w, t0, all_outcomes(p))),
    reading="for the p(t | theta) that the proof defines, the integral of p_x(t) dP_theta(x) over supp(x | t_0, theta)",
)

anchored = lambda d, p, w, t0, factor, steps_left_out: (
    not d_connected(d, plausible(p, w, t0))
    or all(
        factor * get(p[x], t, 0) / gamma**far <= released_share(p, w, t) <= get(p[x], t, 0) * gamma**far
        for x in plausible(p, w, t0)
        for far in [max(0, d_farthest(d, plausible(p, w, t0), x) - steps_left_out)]
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )
)
_LEMMAS = ("dissertation, Lemma C.6.3", "dissertation, (C.24)", "dissertation, Lemma C.6.4", "dissertation, (C.27)")

state("privatised.anchor", *_LEMMAS)(
    """this density satisfies p(t | theta) in p_x*(t) exp(+- epsilon d_*), for every t in T_0 and every x_* in supp(x |
    t_0, theta), where d_* = sup over x in supp(x | t_0, theta) of d(x, x_*).""",
    every(modelled, lambda p, d, w, t0: anchored(d, p, w, t0, 1, 0)),
    reading="as for Theorem 5.4.1; a prior predictive law is that of the mixed model, and its lemma the same",
    grade=incomplete("as for Theorem 5.4.1, the factor P_theta(supp(x | t_0, theta)) of the lower bound"),
)

own("privatised.anchor.repaired", *_LEMMAS)(
    """P_theta(supp(x | t_0, theta)) exp(-epsilon d_*) p_x*(t) <= p(t | theta) <= exp(epsilon d_*) p_x*(t) for every t
    in T_0 and every x_* in supp(x | t_0, theta).""",
    every(modelled, lambda p, d, w, t0: anchored(d, p, w, t0, possible(w, p, t0), 0)),
    mutant("d_* - 1 for d_*", lambda p, d, w, t0: anchored(d, p, w, t0, possible(w, p, t0), 1)),
    repairs="privatised.anchor",
)

d_component = lambda d, points, x: {y for y in points if distance(d, x, y) < oo}
with_component = lambda p, d: {x: {(d_component(d, p, x), t): p[x][t] for t in p[x]} for x in p}
connected_with_component = lambda p, d, w: all(
    d_connected(d, plausible(q, w, t)) for q in [with_component(p, d)] for t in all_outcomes(q)
)

state("privatised.connected", "dissertation, Remark 5.4.2", "dissertation, section 5.6, after Assumption 5.6.1")(
    """we can always augment the data-release mechanism M so that this assumption is satisfied without increasing M's
    privacy loss epsilon. Specifically, the (deterministic) mechanism x -> [x] (which publishes the connected component
    [x] of the observed data x) is trivially epsilon-DP with epsilon = 0. Publishing [x] alongside M(x, U) ensures that
    supp(x | t, theta) is always connected, for all t and theta.""",
    every(modelled, lambda p, d: all(smallest_gamma(q, d) == smallest_gamma(p, d) for q in [with_component(p, d)])),
    mutant("without [x]", lambda p, d, w: all(d_connected(d, plausible(p, w, t)) for t in all_outcomes(p))),
    mutant("x for [x]", lambda p, d: smallest_gamma({x: {x: 1} for x in p}, d) == 1),
    every(modelled, lambda p, d: smallest_gamma({x: {d_component(d, p, x): 1} for x in p}, d) == 1),
    every(modelled, connected_with_component),
)

is_of_size = lambda t, w: all(len(x) == len(t) for x in model_support(w))

surveys = cases(
    "randomised response with flip probabilities 1/3, 1/4 and 2/5, data sets of one or two bits and of two or three; "
    "models of random size and of single data sets; all t",
    "p gamma w t",
)(
    lambda: (
        (p, (1 - flip) / flip, w, t)
        for sizes, flip in product(((1, 2), (2, 3)), (Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)))
        for p, _ in [responses(sizes, flip)]
        for models in [[{x: Fraction(1, len(p)) for x in p}, *({x: Fraction(1)} for x in p)]]
        for w, t in product(models, p)
    )
)

state("privatised.responses", "dissertation, Example 5.4.4", "dissertation, (5.8)")(
    """Applying this result to the randomised response mechanism (Example 5.2.3), min p_x_i(t_i) = (exp epsilon + 1)^-1
    and max p_x_i(t_i) = e^epsilon (exp epsilon + 1)^-1, so that 1/(exp epsilon + 1)^|t| <= p(t | theta) <= exp(|t|
    epsilon)/(exp epsilon + 1)^|t|.""",
    every(
        surveys,
        lambda p, gamma, w, t: 1 / (gamma + 1) ** len(t) <= released_share(p, w, t) <= (gamma / (gamma + 1)) ** len(t),
    ),
    reading="on the data universe of Example 5.2.3, binary data sets of every size",
    grade=incomplete(
        "that the model is sure of the number of records |t|; else p(t | theta) has its probability as factor"
    ),
)

response_within_at_size = lambda p, gamma, w, t: (
    not is_of_size(t, w) or 1 / (gamma + 1) ** len(t) <= released_share(p, w, t) <= (gamma / (gamma + 1)) ** len(t)
)
response_within_less_at_size = lambda p, gamma, w, t: (
    not is_of_size(t, w) or 1 / (gamma + 1) ** len(t) <= released_share(p, w, t) <= (gamma / (gamma + 2)) ** len(t)
)
complement_attains = lambda p, gamma, t: (
    released_share(p, {tuple([1 - a for a in t]): 1}, t) == 1 / (gamma + 1) ** len(t)
)

own("privatised.responses.repaired", "dissertation, Example 5.4.4", "dissertation, (5.8)")(
    """(5.8) holds where the model is sure of |t|; both bounds are attained by models sure of one data set, t and its
    complement.""",
    every(surveys, response_within_at_size),
    mutant("gamma + 2 for gamma + 1 above", response_within_less_at_size),
    every(surveys, lambda p, gamma, t: released_share(p, {t: 1}, t) == (gamma / (gamma + 1)) ** len(t)),
    every(surveys, complement_attains),
    repairs="privatised.responses",
)

# bounds on the density of privatised data, and on predicted densities, that are wider than need be

# the d-connected S with supp(x | t_0, theta) subset S subset [supp(x | t_0, theta)].
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
    "randomised response with gamma = 3 on one or two bits; all bits are known to be 1; t_0 = 0, 00", "p d w t0"
)(
    lambda: (
        case
        for p, d in [responses((1, 2))]
        for case in ((p, d, {(1,): Fraction(1, 2), (1, 1): Fraction(1, 2)}, t0) for t0 in ((0,), (0, 0)))
    )
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
