"""The law of what is released when the data are random: the dissertation's bounds, and what they lack."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.claims.inference.models import (
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
from stirred.verify.ledger import cases, every, incomplete, misprint, some, state, theorem
from stirred.verify.ledger.language_names import get, oo, subsets
from stirred.verify.ledger.words import distance, probability


def s_of_privatised_data(p, w, t0):
    return plausible(p, w, t0)


def upper(d, p, w, t0, power):
    return not d_connected(d, s_of_privatised_data(p, w, t0)) or all(
        released_share(p, w, t) <= upper_density(p, d, s_of_privatised_data(p, w, t0), gamma**power, t)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )


def lower_of_privatised_data(d, p, w, t0, power, factor):
    return not d_connected(d, plausible(p, w, t0)) or all(
        factor * lower_density(p, d, plausible(p, w, t0), gamma**power, t) <= released_share(p, w, t)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )


def possible(w, p, t0):
    return probability(w, s_of_privatised_data(p, w, t0))


state(
    "privatised.density",
    *("dissertation, Theorem 5.4.1", "dissertation, (5.7)", "dissertation, (C.25)"),
    printed="Let M be an epsilon-DP mechanism. Fix some t_0 in T and suppose that supp(x | t_0, theta) is d-connected. "
    "Define T_0 = {t in T | supp(x | t, theta) subset supp(x | t_0, theta)}. Then, there exist measures L and U on (T, "
    "F) with densities l and u satisfying l(t) = ess sup over x_* in supp(x | t_0, theta) of exp(-epsilon d_*) p_x*(t) "
    "and u(t) = ess inf over x_* of exp(epsilon d_*) p_x*(t) for all t in T_0, where d_* = sup over x in supp(x | t_0, "
    "theta) of d(x, x_*). Furthermore, the privatised data probability P(T in . | theta) is bounded by L and U on T_0",
    reading="on finite sets with the discrete topology; epsilon the smallest. The proof of the lower bound needs that "
    "the data are in supp(x | t_0, theta) with probability 1, as in section 5.9",
    grade=incomplete(
        "that P_theta(supp(x | t_0, theta)) = 1: else the lower bound lacks this factor, as where the number of "
        "records is random and released"
    ),
    refuted_by=["privatised_data.privatised_lower_refuted"],
    checks=[
        every(
            modelled,
            lambda p, d, w, t0, power: (
                (upper(d, p, w, t0, power)) and (lower_of_privatised_data(d, p, w, t0, power, 1))
            ),
            power=1,
        )
    ],
)


def density_repaired(p, d, w, t0, power):
    return (
        probability(w, plausible(p, w, t0)) < 1
        or not d_connected(d, plausible(p, w, t0))
        or all(
            1 * lower_density(p, d, plausible(p, w, t0), gamma**power, t) <= released_share(p, w, t)
            for t in no_other_gives(p, plausible(p, w, t0), w)
            for gamma in [smallest_gamma(p, d)]
        )
    )


def the_factor_only_where_it_is_below(p, d, w, t0, power):
    return lower_of_privatised_data(d, p, w, t0, power, (possible(w, p, t0) if possible(w, p, t0) < 1 / 2 else 1))


state(
    "privatised.density.repaired",
    *("dissertation, Theorem 5.4.1", "dissertation, (5.7)"),
    claim="Under the premises of Theorem 5.4.1, P_theta(supp(x | t_0, theta)) l(t) <= p(t | theta) <= u(t) on T_0; "
    "where P_theta(supp(x | t_0, theta)) = 1 these are the printed bounds.",
    repairs="privatised.density",
    checks=[
        every(modelled, upper, power=1),
        every(
            modelled,
            lambda p, d, w, t0, power: lower_of_privatised_data(d, p, w, t0, power, possible(w, p, t0)),
            power=1,
        ),
        every(modelled, density_repaired, power=1),
        theorem(
            "privatised_data.privatised_upper",
            "privatised_data.privatised_interval",
            "privatised_data.privatised_lower",
            within=FINITE,
        ),
    ],
    mutants={
        "e^0 for e^epsilon in u": every(modelled, upper, power=0),
        "e^0 for e^epsilon in l": every(
            modelled,
            lambda p, d, w, t0, power: lower_of_privatised_data(d, p, w, t0, power, possible(w, p, t0)),
            power=0,
        ),
        "the factor only where it is below 1/2": every(modelled, the_factor_only_where_it_is_below, power=1),
    },
)


def sharp(p, w, t0, share, d):
    return all(
        min(get(p[x], t, 0) for x in s_of_privatised_data(p, w, t0)) * possible(w, p, t0)
        <= released_share(p, w, t)
        <= max(get(p[x], t, 0) for x in s_of_privatised_data(p, w, t0)) * share
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )


def sharpest(p, d, w, t0):
    return not d_connected(d, plausible(p, w, t0)) or all(
        lower_density(p, d, plausible(p, w, t0), gamma, t) <= min(get(p[x], t, 0) for x in plausible(p, w, t0))
        and max(get(p[x], t, 0) for x in plausible(p, w, t0)) <= upper_density(p, d, plausible(p, w, t0), gamma, t)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )


def strictly_inside_everywhere(p, d, w, t0):
    return not d_connected(d, plausible(p, w, t0)) or all(
        lower_density(p, d, plausible(p, w, t0), gamma, t) < min(get(p[x], t, 0) for x in plausible(p, w, t0))
        and max(get(p[x], t, 0) for x in plausible(p, w, t0)) < upper_density(p, d, plausible(p, w, t0), gamma, t)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )


def within_the_printed_ones_whatever_p_theta(p, d, w, t0):
    return not d_connected(d, plausible(p, w, t0)) or all(
        lower_density(p, d, plausible(p, w, t0), gamma, t)
        <= probability(w, plausible(p, w, t0)) * min(get(p[x], t, 0) for x in plausible(p, w, t0))
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )


state(
    "privatised.density.sharpest",
    "dissertation, Theorem 5.4.1",
    claim="With S = supp(x | t_0, theta), p(t | theta) on T_0 is between P_theta(S) min over S of p_x(t) and max over "
    "S of p_x(t). Models that are sure of one data set attain both, so that for a known mechanism nothing sharper "
    "holds for all models on S; where P_theta(S) = 1 these bounds are nowhere outside the printed ones.",
    checks=[
        every(modelled, sharp, share=1),
        every(modelled, sharpest),
        every(
            modelled,
            lambda p, w, t0: all(released_share(p, {x: 1}, t) == p[x][t] for x in plausible(p, w, t0) for t in p[x]),
        ),
    ],
    mutants={
        "P_theta(S)/2 for 1 above": every(modelled, sharp, share=Fraction(1, 2)),
        "strictly inside everywhere": every(modelled, strictly_inside_everywhere),
        "within the printed ones whatever P_theta(S) is": every(modelled, within_the_printed_ones_whatever_p_theta),
    },
)


@cases("as for the theorem, on three data sets", "p d w t0")
def small_modelled() -> Iterator[tuple[Any, ...]]:
    yield from (case for case in modelled if len(case[0]) == 3)


def any_support(p, d, w, t0, power):
    return all(
        not d_connected(d, s)
        or all(
            1 * lower_density(p, d, s, gamma**power, t)
            <= released_share(p, w, t)
            <= upper_density(p, d, s, gamma**power, t)
            for t in no_other_gives(p, s, w)
            for gamma in [smallest_gamma(p, d)]
        )
        for a in subsets(p)
        for s in [a | plausible(p, w, t0)]
        if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s)
    )


state(
    "privatised.density.any-support",
    *("dissertation, section 5.4, after Theorem 5.4.1", "dissertation, section 5.6, after Theorem 5.6.2"),
    printed="one may replace supp(x | t_0, theta) with any measurable S satisfying supp(x | t_0, theta) subset S "
    "subset [supp(x | t_0, theta)]. … Theorem 5.4.1 holds with this new T_0, provided that supp(x | t_0, theta) is "
    "replaced by S in the definitions of l, u and d_*.",
    reading="as for Theorem 5.4.1; S is connected; a prior predictive law is that of the mixed model",
    grade=incomplete("as for Theorem 5.4.1, which it generalises: that P_theta(S) = 1"),
    checks=[every(small_modelled, any_support, power=1)],
)


def wider(p, d, w, t0, power):
    return all(
        not d_connected(d, s)
        or all(
            probability(w, s) * lower_density(p, d, s, gamma**power, t)
            <= released_share(p, w, t)
            <= upper_density(p, d, s, gamma**power, t)
            for t in no_other_gives(p, s, w)
            for gamma in [smallest_gamma(p, d)]
        )
        for a in subsets(p)
        for s in [a | plausible(p, w, t0)]
        if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s)
    )


state(
    "privatised.density.wider",
    "dissertation, section 5.4, after Theorem 5.4.1",
    claim="The repaired theorem holds too where supp(x | t_0, theta) is replaced by any S with supp(x | t_0, theta) "
    "subset S subset [supp(x | t_0, theta)], in the definitions of T_0, l, u and d_* and in the factor.",
    repairs="privatised.density.any-support",
    checks=[
        every(small_modelled, wider, power=1),
        theorem("privatised_data.privatised_upper", "privatised_data.privatised_interval", within=FINITE),
    ],
    mutants={"e^0 for e^epsilon": every(small_modelled, wider, power=0)},
)


def exists(p, w, t0, d, where):
    return all(
        all(released_share(p, w, t) == sum(get(w, x, 0) * get(p[x], t, 0) for x in s) for t in where)
        for a in subsets(p)
        for s in [a | plausible(p, w, t0)]
        if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s) and d_connected(d, s)
    )


def larger(p, d, w, t0):
    return all(
        no_other_gives(p, plausible(p, w, t0), w) <= no_other_gives(p, s, w)
        for a in subsets(p)
        for s in [a | plausible(p, w, t0)]
        if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s) and d_connected(d, s)
    )


def larger_holds(p, d, w, t0):
    return all(
        all(released_share(p, w, t) == sum(get(w, x, 0) * get(p[x], t, 0) for x in s) for t in no_other_gives(p, s, w))
        for a in subsets(p)
        for s in [a | plausible(p, w, t0)]
        if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s) and d_connected(d, s)
    )


def larger_holds_2(p, d, w, t0):
    return any(
        lower_density(p, d, s, gamma, t) < lower_density(p, d, plausible(p, w, t0), gamma, t)
        for a in subsets(p)
        for s in [a | plausible(p, w, t0)]
        if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s) and d_connected(d, s)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )


def for_every_s(p, w, t0):
    return all(no_other_gives(p, s_of_privatised_data(p, w, t0), w) <= no_other_gives(p, a, w) for a in subsets(p))


def are_wider_for_may_be_wider(p, d, w, t0):
    return all(
        lower_density(p, d, s, gamma, t) < lower_density(p, d, plausible(p, w, t0), gamma, t)
        and upper_density(p, d, plausible(p, w, t0), gamma, t) < upper_density(p, d, s, gamma, t)
        for a in subsets(p)
        for s in [a | plausible(p, w, t0)]
        if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s) and d_connected(d, s)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )


state(
    "privatised.density.larger",
    "dissertation, section 5.4, after Theorem 5.4.1",
    printed="This demonstrates that the density p(t | theta) exists on a larger T_0, although the resulting bounds l "
    "and u on p(t | theta) may be wider.",
    reading="T_0 for the S of the sentence before; larger: it has at least the outcomes of that for supp(x | t_0, "
    "theta), as such words are read throughout, since the passage names no S for which it has more; wider: for some S",
    checks=[
        every(small_modelled, larger),
        every(small_modelled, larger_holds),
        some(small_modelled, larger_holds_2),
    ],
    mutants={
        "for every S": every(small_modelled, for_every_s),
        "T for T_0": every(small_modelled, lambda p, d, w, t0: exists(p, w, t0, d, all_outcomes(p))),
        "are wider for may be wider": every(small_modelled, are_wider_for_may_be_wider),
    },
)


def never(p, d, w, t0):
    return all(
        no_other_gives(p, plausible(p, w, t0), w) == no_other_gives(p, s, w)
        for a in subsets(p)
        for s in [a | plausible(p, w, t0)]
        if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s) and d_connected(d, s)
    )


def for_every_s_that_has_supp_x(p, w, t0):
    return all(
        len(no_other_gives(p, a | s_of_privatised_data(p, w, t0), w))
        == len(no_other_gives(p, s_of_privatised_data(p, w, t0), w))
        for a in subsets(p)
    )


state(
    "privatised.density.larger.never",
    "dissertation, section 5.4, after Theorem 5.4.1",
    claim="T_0 is the same for every S with supp(x | t_0, theta) subset S subset [supp(x | t_0, theta)], so that no "
    "outcome is gained.",
    reading="for a finite epsilon data sets at a finite distance have the same possible outputs, so that those of S "
    "that P_theta gives are in supp(x | t_0, theta)",
    checks=[every(small_modelled, never)],
    mutants={
        "for every S that has supp(x | t_0, theta)": every(
            small_modelled,
            for_every_s_that_has_supp_x,
        )
    },
)


def tightest(w, p, d, power, t0):
    return all(
        max(
            probability(w, s) * lower_density(p, d, s, gamma**power, t)
            for a in subsets(p)
            for s in [a | plausible(p, w, t0)]
            if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s) and d_connected(d, s)
        )
        <= released_share(p, w, t)
        <= min(
            upper_density(p, d, s, gamma**power, t)
            for a in subsets(p)
            for s in [a | plausible(p, w, t0)]
            if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s) and d_connected(d, s)
        )
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    ) or not d_connected(d, s_of_privatised_data(p, w, t0))


def wider_printed(p, d, w, t0):
    return all(
        lower_density(p, d, s, gamma, t) <= lower_density(p, d, plausible(p, w, t0), gamma, t)
        and upper_density(p, d, plausible(p, w, t0), gamma, t) <= upper_density(p, d, s, gamma, t)
        for a in subsets(p)
        for s in [a | plausible(p, w, t0)]
        if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s) and d_connected(d, s)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )


state(
    "predicted.density.wider.printed",
    "dissertation, section 5.6, after Theorem 5.6.2",
    printed="In this way, one can obtain bounds l(t) and u(t) on the prior predictive density p(t) which apply for a "
    "larger subspace T_0, although these bounds will be wider.",
    reading="wider: nowhere narrower; a prior predictive law is that of the mixed model",
    grade=misprint(
        "section 5.4 says of the same step that they may be wider; a data set between those of supp(x | t_0) is nearer "
        "to each of them than they are to one another, and its density bounds p(t) more closely"
    ),
    checks=[every(small_modelled, wider_printed)],
)


def wider_holds(p, d, w, t0):
    return any(
        lower_density(p, d, s, gamma, t) > lower_density(p, d, plausible(p, w, t0), gamma, t)
        for a in subsets(p)
        for s in [a | plausible(p, w, t0)]
        if all(any(distance(d, x, y) < oo for y in plausible(p, w, t0)) for x in s) and d_connected(d, s)
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )


state(
    "predicted.density.wider",
    "dissertation, section 5.6, after Theorem 5.6.2",
    repairs="predicted.density.wider.printed",
    claim="The bounds for S may be wider than those for supp(x | t_0), and may be narrower; with the factor P_theta(S) "
    "all of them hold, so that the largest lower and the smallest upper one over all S do.",
    checks=[
        some(small_modelled, larger_holds_2),
        some(small_modelled, wider_holds),
        every(small_modelled, tightest, power=1),
    ],
    mutants={
        "never narrower": every(small_modelled, wider_printed),
        "e^0 for e^epsilon": every(small_modelled, tightest, power=0),
    },
)


def lemmas(p, w, t0):
    return all(
        probability(p[x], no_other_gives(p, s_of_privatised_data(p, w, t0), w)) == 0
        for x in model_support(w) - can_release(p, t0)
    )


def lemmas_holds(p, w, t0):
    return (
        sum(
            w[x] * probability(p[x], no_other_gives(p, s_of_privatised_data(p, w, t0), w))
            for x in set(w) - s_of_privatised_data(p, w, t0)
        )
        == 0
    )


state(
    "privatised.lemmas",
    *("dissertation, Lemma C.6.1", "dissertation, Lemma C.6.2"),
    printed="If x is in supp_0(x | t_0)^c and in supp(P_theta), then P_x(T_0) = 0. … The integral of P_x(T_0) "
    "dP_theta(x) over supp(x | t_0, theta)^c is 0.",
    checks=[
        every(
            modelled,
            lemmas,
        ),
        every(modelled, lemmas_holds),
    ],
    mutants={
        "T for T_0": every(
            modelled,
            lambda p, w, t0: all(
                probability(p[x], all_outcomes(p)) == 0 for x in model_support(w) - can_release(p, t0)
            ),
        )
    },
)


def integrated(p, w, t0, where):
    return all(released_share(p, w, t) == sum(w[x] * get(p[x], t, 0) for x in plausible(p, w, t0)) for t in where)


state(
    "privatised.exists",
    *("dissertation, Lemma C.6.3", "dissertation, Lemma C.6.4", "dissertation, (C.26)"),
    printed="a density p(t | theta) for P(T in . | theta) exists in T_0 in the sense that P(T in S intersect T_0 | "
    "theta) = (the integral over S intersect T_0 of) p(t | theta) dnu(t), for all S in F",
    reading="for the p(t | theta) that the proof defines, the integral of p_x(t) dP_theta(x) over supp(x | t_0, theta)",
    checks=[
        every(modelled, lambda p, w, t0: integrated(p, w, t0, no_other_gives(p, s_of_privatised_data(p, w, t0), w)))
    ],
    mutants={"T for T_0": every(modelled, lambda p, w, t0: integrated(p, w, t0, all_outcomes(p)))},
)


def anchored(d, p, w, t0, factor, less_):
    return not d_connected(d, plausible(p, w, t0)) or all(
        factor * get(p[x], t, 0) / gamma**far <= released_share(p, w, t) <= get(p[x], t, 0) * gamma**far
        for x in plausible(p, w, t0)
        for far in [max(0, d_farthest(d, plausible(p, w, t0), x) - less_)]
        for t in no_other_gives(p, plausible(p, w, t0), w)
        for gamma in [smallest_gamma(p, d)]
    )


state(
    "privatised.anchor",
    *("dissertation, Lemma C.6.3", "dissertation, (C.24)", "dissertation, Lemma C.6.4", "dissertation, (C.27)"),
    printed="this density satisfies p(t | theta) in p_x*(t) exp(+- epsilon d_*), for every t in T_0 and every x_* in "
    "supp(x | t_0, theta), where d_* = sup over x in supp(x | t_0, theta) of d(x, x_*).",
    reading="as for Theorem 5.4.1; a prior predictive law is that of the mixed model, and its lemma the same",
    grade=incomplete("as for Theorem 5.4.1, the factor P_theta(supp(x | t_0, theta)) of the lower bound"),
    checks=[every(modelled, lambda p, d, w, t0: anchored(d, p, w, t0, 1, 0))],
)

state(
    "privatised.anchor.repaired",
    *("dissertation, Lemma C.6.3", "dissertation, (C.24)", "dissertation, Lemma C.6.4", "dissertation, (C.27)"),
    claim="P_theta(supp(x | t_0, theta)) exp(-epsilon d_*) p_x*(t) <= p(t | theta) <= exp(epsilon d_*) p_x*(t) for "
    "every t in T_0 and every x_* in supp(x | t_0, theta).",
    repairs="privatised.anchor",
    checks=[every(modelled, lambda p, d, w, t0: anchored(d, p, w, t0, possible(w, p, t0), 0))],
    mutants={
        "d_* - 1 for d_*": every(modelled, lambda p, d, w, t0: anchored(d, p, w, t0, possible(w, p, t0), 1)),
    },
)


def d_component(d, points, x):
    return {y for y in points if distance(d, x, y) < oo}


def with_component(p, d):
    return {x: {(d_component(d, p, x), t): p[x][t] for t in p[x]} for x in p}


state(
    "privatised.connected",
    *("dissertation, Remark 5.4.2", "dissertation, section 5.6, after Assumption 5.6.1"),
    printed="we can always augment the data-release mechanism M so that this assumption is satisfied without "
    "increasing M's privacy loss epsilon. Specifically, the (deterministic) mechanism x -> [x] (which publishes the "
    "connected component [x] of the observed data x) is trivially epsilon-DP with epsilon = 0. Publishing [x] "
    "alongside M(x, U) ensures that supp(x | t, theta) is always connected, for all t and theta.",
    checks=[
        every(modelled, lambda p, d: all(smallest_gamma(q, d) == smallest_gamma(p, d) for q in [with_component(p, d)])),
        every(modelled, lambda p, d: smallest_gamma({x: {d_component(d, p, x): 1} for x in p}, d) == 1),
        every(
            modelled,
            lambda p, d, w: all(
                d_connected(d, plausible(q, w, t)) for q in [with_component(p, d)] for t in all_outcomes(q)
            ),
        ),
    ],
    mutants={
        "without [x]": every(
            modelled, lambda p, d, w: all(d_connected(d, plausible(p, w, t)) for t in all_outcomes(p))
        ),
        "x for [x]": every(modelled, lambda p, d: smallest_gamma({x: {x: 1} for x in p}, d) == 1),
    },
)


def is_of_size(t, w):
    return all(len(x) == len(t) for x in model_support(w))


@cases(
    "randomised response with flip probabilities 1/3, 1/4 and 2/5, data sets of one or two bits and of two or three; "
    "models of random size and of single data sets; all t",
    "p gamma w t",
)
def surveys() -> Iterator[tuple[Any, ...]]:
    for sizes, flip in product(((1, 2), (2, 3)), (Fraction(1, 4), Fraction(1, 3), Fraction(2, 5))):
        p, _ = responses(sizes, flip)
        models = [{x: Fraction(1, len(p)) for x in p}, *({x: Fraction(1)} for x in p)]
        for w, t in product(models, p):
            yield p, (1 - flip) / flip, w, t


state(
    "privatised.responses",
    *("dissertation, Example 5.4.4", "dissertation, (5.8)"),
    printed="Applying this result to the randomised response mechanism (Example 5.2.3), min p_x_i(t_i) = (exp epsilon "
    "+ 1)^-1 and max p_x_i(t_i) = e^epsilon (exp epsilon + 1)^-1, so that 1/(exp epsilon + 1)^|t| <= p(t | theta) <= "
    "exp(|t| epsilon)/(exp epsilon + 1)^|t|.",
    reading="on the data universe of Example 5.2.3, binary data sets of every size",
    grade=incomplete(
        "that the model is sure of the number of records |t|; else p(t | theta) has its probability as factor"
    ),
    checks=[
        every(
            surveys,
            lambda p, gamma, w, t: (
                1 / (gamma + 1) ** len(t) <= released_share(p, w, t) <= (gamma / (gamma + 1)) ** len(t)
            ),
        )
    ],
)


def responses_repaired(p, gamma, w, t):
    return not is_of_size(t, w) or 1 / (gamma + 1) ** len(t) <= released_share(p, w, t) <= (gamma / (gamma + 1)) ** len(
        t
    )


def gamma_2_for_gamma_1_above(p, gamma, w, t):
    return not is_of_size(t, w) or 1 / (gamma + 1) ** len(t) <= released_share(p, w, t) <= (gamma / (gamma + 2)) ** len(
        t
    )


state(
    "privatised.responses.repaired",
    *("dissertation, Example 5.4.4", "dissertation, (5.8)"),
    claim="(5.8) holds where the model is sure of |t|; both bounds are attained by models sure of one data set, t and "
    "its complement.",
    repairs="privatised.responses",
    checks=[
        every(surveys, responses_repaired),
        every(surveys, lambda p, gamma, t: released_share(p, {t: 1}, t) == (gamma / (gamma + 1)) ** len(t)),
        every(
            surveys,
            lambda p, gamma, t: released_share(p, {tuple([1 - a for a in t]): 1}, t) == 1 / (gamma + 1) ** len(t),
        ),
    ],
    mutants={"gamma + 2 for gamma + 1 above": every(surveys, gamma_2_for_gamma_1_above)},
)
