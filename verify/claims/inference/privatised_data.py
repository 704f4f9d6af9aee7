"""The law of what is released when the data are random: the dissertation's bounds, and what they lack."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.claims.inference.models import FINITE, modelled, responses
from stirred.verify.ledger import cases, define, every, incomplete, misprint, some, state, theorem

_S = "plausible(p, w, t0)"
_INSIDE = f"for t in no_other_gives(p, {_S}, w) for gamma in [smallest_gamma(p, d)]"
_UPPER = (
    f"not d_connected(d, {_S}) or "
    f"all(released_share(p, w, t) <= upper_density(p, d, {_S}, gamma ** power, t) {_INSIDE})"
)
_LOWER = (
    f"not d_connected(d, {_S}) or "
    f"all({{factor}} * lower_density(p, d, {_S}, gamma ** power, t) <= released_share(p, w, t) {_INSIDE})"
)
_POSSIBLE = f"probability(w, {_S})"

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
    checks=[every(modelled, f"({_UPPER}) and ({_LOWER.format(factor='1')})", power=1)],
)

state(
    "privatised.density.repaired",
    *("dissertation, Theorem 5.4.1", "dissertation, (5.7)"),
    claim="Under the premises of Theorem 5.4.1, P_theta(supp(x | t_0, theta)) l(t) <= p(t | theta) <= u(t) on T_0; "
    "where P_theta(supp(x | t_0, theta)) = 1 these are the printed bounds.",
    repairs="privatised.density",
    checks=[
        every(modelled, _UPPER, power=1),
        every(modelled, _LOWER.format(factor=_POSSIBLE), power=1),
        every(modelled, f"{_POSSIBLE} < 1 or {_LOWER.format(factor='1')}", power=1),
        theorem(
            "privatised_data.privatised_upper",
            "privatised_data.privatised_interval",
            "privatised_data.privatised_lower",
            within=FINITE,
        ),
    ],
    mutants={
        "e^0 for e^epsilon in u": every(modelled, _UPPER, power=0),
        "e^0 for e^epsilon in l": every(modelled, _LOWER.format(factor=_POSSIBLE), power=0),
        "the factor only where it is below 1/2": every(
            modelled, _LOWER.format(factor=f"({_POSSIBLE} if {_POSSIBLE} < 1/2 else 1)"), power=1
        ),
    },
)

_SHARP = (
    f"all(min(get(p[x], t, 0) for x in {_S}) * {_POSSIBLE} <= released_share(p, w, t) <= "
    f"max(get(p[x], t, 0) for x in {_S}) * share {_INSIDE})"
)
_SHARPER = (
    f"not d_connected(d, {_S}) or all(lower_density(p, d, {_S}, gamma, t) {{}} min(get(p[x], t, 0) for x in {_S}) and "
    f"max(get(p[x], t, 0) for x in {_S}) {{}} upper_density(p, d, {_S}, gamma, t) {_INSIDE})"
)
_SHARP_WITHIN = (
    f"not d_connected(d, {_S}) or all(lower_density(p, d, {_S}, gamma, t) <= {_POSSIBLE} * min(get(p[x], t, 0) for x "
    f"in {_S}) {_INSIDE})"
)
_POINTS = f"all(released_share(p, {{x: 1}}, t) == p[x][t] for x in {_S} for t in p[x])"

state(
    "privatised.density.sharpest",
    "dissertation, Theorem 5.4.1",
    claim="With S = supp(x | t_0, theta), p(t | theta) on T_0 is between P_theta(S) min over S of p_x(t) and max over "
    "S of p_x(t). Models that are sure of one data set attain both, so that for a known mechanism nothing sharper "
    "holds for all models on S; where P_theta(S) = 1 these bounds are nowhere outside the printed ones.",
    checks=[
        every(modelled, _SHARP, share=1),
        every(modelled, _SHARPER.format("<=", "<=")),
        every(modelled, _POINTS),
    ],
    mutants={
        "P_theta(S)/2 for 1 above": every(modelled, _SHARP, share=Fraction(1, 2)),
        "strictly inside everywhere": every(modelled, _SHARPER.format("<", "<")),
        "within the printed ones whatever P_theta(S) is": every(modelled, _SHARP_WITHIN),
    },
)

_WIDER = (
    "all(not d_connected(d, s) or all({factor} * lower_density(p, d, s, gamma ** power, t) <= "
    "released_share(p, w, t) <= upper_density(p, d, s, gamma ** power, t) for t in no_other_gives(p, s, w) for gamma "
    "in [smallest_gamma(p, d)]) "
    f"for a in subsets(p) for s in [a | {_S}] if all(any(distance(d, x, y) < oo for y in {_S}) for x in s))"
)
_OF_ANY = "probability(w, s)"


@cases("as for the theorem, on three data sets", "p d w t0")
def small_modelled() -> Iterator[tuple[Any, ...]]:
    yield from (case for case in modelled if len(case[0]) == 3)


state(
    "privatised.density.any-support",
    *("dissertation, section 5.4, after Theorem 5.4.1", "dissertation, section 5.6, after Theorem 5.6.2"),
    printed="one may replace supp(x | t_0, theta) with any measurable S satisfying supp(x | t_0, theta) subset S "
    "subset [supp(x | t_0, theta)]. … Theorem 5.4.1 holds with this new T_0, provided that supp(x | t_0, theta) is "
    "replaced by S in the definitions of l, u and d_*.",
    reading="as for Theorem 5.4.1; S is connected; a prior predictive law is that of the mixed model",
    grade=incomplete("as for Theorem 5.4.1, which it generalises: that P_theta(S) = 1"),
    checks=[every(small_modelled, _WIDER.replace("{factor}", "1"), power=1)],
)

state(
    "privatised.density.wider",
    "dissertation, section 5.4, after Theorem 5.4.1",
    claim="The repaired theorem holds too where supp(x | t_0, theta) is replaced by any S with supp(x | t_0, theta) "
    "subset S subset [supp(x | t_0, theta)], in the definitions of T_0, l, u and d_* and in the factor.",
    repairs="privatised.density.any-support",
    checks=[
        every(small_modelled, _WIDER.replace("{factor}", _OF_ANY), power=1),
        theorem("privatised_data.privatised_upper", "privatised_data.privatised_interval", within=FINITE),
    ],
    mutants={"e^0 for e^epsilon": every(small_modelled, _WIDER.replace("{factor}", _OF_ANY), power=0)},
)

_BETWEEN = (
    f"for a in subsets(p) for s in [a | {_S}] if all(any(distance(d, x, y) < oo for y in {_S}) for x in s) "
    "and d_connected(d, s)"
)
_T_0 = f"all(no_other_gives(p, {_S}, w) {{than}} no_other_gives(p, s, w) {_BETWEEN})"
_EXISTS = (
    f"all(all(released_share(p, w, t) == sum(get(w, x, 0) * get(p[x], t, 0) for x in s) for t in {{where}}) {_BETWEEN})"
)
_SAME_OR_WIDER = (
    f"all(lower_density(p, d, s, gamma, t) {{below}} lower_density(p, d, {_S}, gamma, t) and upper_density(p, d, "
    f"{_S}, gamma, t) {{below}} upper_density(p, d, s, gamma, t) {_BETWEEN} {_INSIDE})"
)
_SOMEWHERE = f"any(lower_density(p, d, s, gamma, t) {{than}} lower_density(p, d, {_S}, gamma, t) {_BETWEEN} {_INSIDE})"

state(
    "privatised.density.larger",
    "dissertation, section 5.4, after Theorem 5.4.1",
    printed="This demonstrates that the density p(t | theta) exists on a larger T_0, although the resulting bounds l "
    "and u on p(t | theta) may be wider.",
    reading="T_0 for the S of the sentence before; larger: it has at least the outcomes of that for supp(x | t_0, "
    "theta), as such words are read throughout, since the passage names no S for which it has more; wider: for some S",
    checks=[
        every(small_modelled, _T_0.format(than="<=")),
        every(small_modelled, _EXISTS.format(where="no_other_gives(p, s, w)")),
        some(small_modelled, _SOMEWHERE.format(than="<")),
    ],
    mutants={
        "for every S": every(
            small_modelled, f"all(no_other_gives(p, {_S}, w) <= no_other_gives(p, a, w) for a in subsets(p))"
        ),
        "T for T_0": every(small_modelled, _EXISTS.format(where="all_outcomes(p)")),
        "are wider for may be wider": every(small_modelled, _SAME_OR_WIDER.format(below="<")),
    },
)

state(
    "privatised.density.larger.never",
    "dissertation, section 5.4, after Theorem 5.4.1",
    claim="T_0 is the same for every S with supp(x | t_0, theta) subset S subset [supp(x | t_0, theta)], so that no "
    "outcome is gained.",
    reading="for a finite epsilon data sets at a finite distance have the same possible outputs, so that those of S "
    "that P_theta gives are in supp(x | t_0, theta)",
    checks=[every(small_modelled, _T_0.format(than="=="))],
    mutants={
        "for every S that has supp(x | t_0, theta)": every(
            small_modelled,
            f"all(len(no_other_gives(p, a | {_S}, w)) == len(no_other_gives(p, {_S}, w)) for a in subsets(p))",
        )
    },
)

_TIGHTEST = (
    f"all(max(probability(w, s) * lower_density(p, d, s, gamma ** power, t) {_BETWEEN}) <= released_share(p, w, t) <= "
    f"min(upper_density(p, d, s, gamma ** power, t) {_BETWEEN}) {_INSIDE}) or not d_connected(d, {_S})"
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
    checks=[every(small_modelled, _SAME_OR_WIDER.format(below="<="))],
)

state(
    "predicted.density.wider",
    "dissertation, section 5.6, after Theorem 5.6.2",
    repairs="predicted.density.wider.printed",
    claim="The bounds for S may be wider than those for supp(x | t_0), and may be narrower; with the factor P_theta(S) "
    "all of them hold, so that the largest lower and the smallest upper one over all S do.",
    checks=[
        some(small_modelled, _SOMEWHERE.format(than="<")),
        some(small_modelled, _SOMEWHERE.format(than=">")),
        every(small_modelled, _TIGHTEST, power=1),
    ],
    mutants={
        "never narrower": every(small_modelled, _SAME_OR_WIDER.format(below="<=")),
        "e^0 for e^epsilon": every(small_modelled, _TIGHTEST, power=0),
    },
)

state(
    "privatised.lemmas",
    *("dissertation, Lemma C.6.1", "dissertation, Lemma C.6.2"),
    printed="If x is in supp_0(x | t_0)^c and in supp(P_theta), then P_x(T_0) = 0. … The integral of P_x(T_0) "
    "dP_theta(x) over supp(x | t_0, theta)^c is 0.",
    checks=[
        every(
            modelled,
            f"all(probability(p[x], no_other_gives(p, {_S}, w)) == 0 for x in model_support(w) - can_release(p, t0))",
        ),
        every(modelled, f"sum(w[x] * probability(p[x], no_other_gives(p, {_S}, w)) for x in set(w) - {_S}) == 0"),
    ],
    mutants={
        "T for T_0": every(
            modelled, "all(probability(p[x], all_outcomes(p)) == 0 for x in model_support(w) - can_release(p, t0))"
        )
    },
)

_INTEGRATED = f"all(released_share(p, w, t) == sum(w[x] * get(p[x], t, 0) for x in {_S}) for t in {{where}})"

state(
    "privatised.exists",
    *("dissertation, Lemma C.6.3", "dissertation, Lemma C.6.4", "dissertation, (C.26)"),
    printed="a density p(t | theta) for P(T in . | theta) exists in T_0 in the sense that P(T in S intersect T_0 | "
    "theta) = (the integral over S intersect T_0 of) p(t | theta) dnu(t), for all S in F",
    reading="for the p(t | theta) that the proof defines, the integral of p_x(t) dP_theta(x) over supp(x | t_0, theta)",
    checks=[every(modelled, _INTEGRATED.format(where=f"no_other_gives(p, {_S}, w)"))],
    mutants={"T for T_0": every(modelled, _INTEGRATED.format(where="all_outcomes(p)"))},
)

_ANCHORED = (
    f"not d_connected(d, {_S}) or all({{factor}} * get(p[x], t, 0) / gamma ** far <= released_share(p, w, t) <= "
    f"get(p[x], t, 0) * gamma ** far for x in {_S} for far in [max(0, d_farthest(d, {_S}, x) - {{less}})] {_INSIDE})"
)

state(
    "privatised.anchor",
    *("dissertation, Lemma C.6.3", "dissertation, (C.24)", "dissertation, Lemma C.6.4", "dissertation, (C.27)"),
    printed="this density satisfies p(t | theta) in p_x*(t) exp(+- epsilon d_*), for every t in T_0 and every x_* in "
    "supp(x | t_0, theta), where d_* = sup over x in supp(x | t_0, theta) of d(x, x_*).",
    reading="as for Theorem 5.4.1; a prior predictive law is that of the mixed model, and its lemma the same",
    grade=incomplete("as for Theorem 5.4.1, the factor P_theta(supp(x | t_0, theta)) of the lower bound"),
    checks=[every(modelled, _ANCHORED.format(factor="1", less=0))],
)

state(
    "privatised.anchor.repaired",
    *("dissertation, Lemma C.6.3", "dissertation, (C.24)", "dissertation, Lemma C.6.4", "dissertation, (C.27)"),
    claim="P_theta(supp(x | t_0, theta)) exp(-epsilon d_*) p_x*(t) <= p(t | theta) <= exp(epsilon d_*) p_x*(t) for "
    "every t in T_0 and every x_* in supp(x | t_0, theta).",
    repairs="privatised.anchor",
    checks=[every(modelled, _ANCHORED.format(factor=_POSSIBLE, less=0))],
    mutants={
        "d_* - 1 for d_*": every(modelled, _ANCHORED.format(factor=_POSSIBLE, less=1)),
    },
)

define(
    {
        "d_component(d, points, x)": "set(y for y in points if distance(d, x, y) < oo)",
        "with_component(p, d)": "{x: {(d_component(d, p, x), t): p[x][t] for t in p[x]} for x in p}",
    }
)
_AUGMENTED = "for q in [with_component(p, d)]"

state(
    "privatised.connected",
    *("dissertation, Remark 5.4.2", "dissertation, section 5.6, after Assumption 5.6.1"),
    printed="we can always augment the data-release mechanism M so that this assumption is satisfied without "
    "increasing M's privacy loss epsilon. Specifically, the (deterministic) mechanism x -> [x] (which publishes the "
    "connected component [x] of the observed data x) is trivially epsilon-DP with epsilon = 0. Publishing [x] "
    "alongside M(x, U) ensures that supp(x | t, theta) is always connected, for all t and theta.",
    checks=[
        every(modelled, f"all(smallest_gamma(q, d) == smallest_gamma(p, d) {_AUGMENTED})"),
        every(modelled, "smallest_gamma({x: {d_component(d, p, x): 1} for x in p}, d) == 1"),
        every(modelled, f"all(d_connected(d, plausible(q, w, t)) {_AUGMENTED} for t in all_outcomes(q))"),
    ],
    mutants={
        "without [x]": every(modelled, "all(d_connected(d, plausible(p, w, t)) for t in all_outcomes(p))"),
        "x for [x]": every(modelled, "smallest_gamma({x: {x: 1} for x in p}, d) == 1"),
    },
)

define({"is_of_size(t, w)": "all(len(x) == len(t) for x in model_support(w))"})


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


_LOCAL = "{where}1 / (gamma + 1) ** len(t) <= released_share(p, w, t) <= (gamma / (gamma + {one})) ** len(t)"

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
    checks=[every(surveys, _LOCAL.format(where="", one=1))],
)

state(
    "privatised.responses.repaired",
    *("dissertation, Example 5.4.4", "dissertation, (5.8)"),
    claim="(5.8) holds where the model is sure of |t|; both bounds are attained by models sure of one data set, t and "
    "its complement.",
    repairs="privatised.responses",
    checks=[
        every(surveys, _LOCAL.format(where="not is_of_size(t, w) or ", one=1)),
        every(surveys, "released_share(p, {t: 1}, t) == (gamma / (gamma + 1)) ** len(t)"),
        every(surveys, "released_share(p, {tuple([1 - a for a in t]): 1}, t) == 1 / (gamma + 1) ** len(t)"),
    ],
    mutants={"gamma + 2 for gamma + 1 above": every(surveys, _LOCAL.format(where="not is_of_size(t, w) or ", one=2))},
)
