"""Lemmas on privatised data: when their density exists, what anchors it, and what responses say."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, incomplete, mutant, own, state
from stirred.verify.ledger.claims.inference.models import (
    all_outcomes,
    can_release,
    d_connected,
    d_farthest,
    model_support,
    modelled,
    no_other_gives,
    plausible,
    released_share,
    responses,
    smallest_gamma,
)
from stirred.verify.ledger.claims.inference.privatised_data import possible
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import distance, probability

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
    lambda: (
        (p, (1 - flip) / flip, w, t)
        for sizes, flip in product(((1, 2), (2, 3)), (Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)))
        for p, _ in [responses(sizes, flip)]
        for models in [[{x: Fraction(1, len(p)) for x in p}, *({x: Fraction(1)} for x in p)]]
        for w, t in product(models, p)
    ),
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
