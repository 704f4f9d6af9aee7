"""The law of what is released when the data are random: the dissertation's bounds, and what they lack."""

from fractions import Fraction

from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.claims.inference.models import (
    FINITE,
    d_connected,
    lower_density,
    modelled,
    no_other_gives,
    plausible,
    released_share,
    smallest_gamma,
    upper_density,
)
from stirred.verify.ledger.language_names import get, oo, subsets
from stirred.verify.ledger.words import distance, probability

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

small_modelled = cases(
    "as for the theorem, on three data sets", "p d w t0", lambda: (case for case in modelled if len(case[0]) == 3)
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
