"""Attackers: tests of a hypothesis on released data and their power, dependent records, nuisance parameters."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.noise.fibre_noise import fibre_law
from stirred.verify.engines.inference.power import attaining_laws, sharpest_power
from stirred.verify.evidence.finding import EngineError
from stirred.verify.ledger import argued, cases, every, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.inference.models import (
    FINITE,
    all_outcomes,
    d_connected,
    mechanisms,
    model_support,
    released_share,
    responses,
    second_posterior,
    smallest_gamma,
    tested,
)
from stirred.verify.ledger.engines.power_program import PowerProgram
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, subsets
from stirred.verify.ledger.words import distance, multiplicative, probability

# tests of a hypothesis on released data: the printed bounds of their power, and the sharpest one

hypotheses_apart = lambda d, w, v: max(distance(d, x, y) for x in model_support(w) for y in model_support(v))
both_supported = lambda w, v: model_support(w) | model_support(v)
released_event = lambda p, w, r: sum(w[x] * probability(p[x], r) for x in w)

_SMALL = "as for Theorem 5.4.1, without randomised response on data sets of two sizes"

small_tested = cases(f"{_SMALL}; all pairs of four models", "p d w v")(
    lambda: (case for case in tested if len(case[0]) <= 4)
)

small_mechanisms = cases(_SMALL, "p d")(lambda: (case for case in mechanisms if len(case[0]) <= 4))

with_1_for_d_connected_or_not = lambda p, d, w, v: all(
    b <= a * g
    for g in [smallest_gamma(p, d)]
    for r in subsets(all_outcomes(p))
    for a in [released_event(p, w, r)]
    for b in [released_event(p, v, r)]
)
level_power_bounded_a_step_nearer = lambda p, d, w, v: (
    not d_connected(d, both_supported(w, v))
    or all(
        b <= a * g
        for g in [smallest_gamma(p, d) ** max(0, hypotheses_apart(d, w, v) - 1)]
        for r in subsets(all_outcomes(p))
        for a in [released_event(p, w, r)]
        for b in [released_event(p, v, r)]
    )
)
level_power_bounded = lambda p, d, w, v: (
    not d_connected(d, both_supported(w, v))
    or all(
        b <= a * g
        for g in [smallest_gamma(p, d) ** hypotheses_apart(d, w, v)]
        for r in subsets(all_outcomes(p))
        for a in [released_event(p, w, r)]
        for b in [released_event(p, v, r)]
    )
)

state("testing.level", "dissertation, Theorem 5.5.1", "dissertation, (5.9)")(
    """Consider testing H_0: theta = theta_0 versus H_1: theta = theta_1 for some theta_0 != theta_1 in Theta. Let S_i =
    supp(P_theta_i) and suppose that S_0 union S_1 is d-connected. In the private setting where the observed data T is
    the output of an epsilon-DP mechanism, the power of any level-alpha test is bounded above by alpha exp(d_** epsilon)
    where d_** = sup over x in S_0, x' in S_1 of d(x, x').""",
    every(small_tested, level_power_bounded),
    mutant("d_** - 1 for d_**", level_power_bounded_a_step_nearer),
    mutant("1 for d_**, connected or not", with_1_for_d_connected_or_not),
    theorem("power.models_near", "power.model_power_upper", within=FINITE),
    reading="all rejection regions R, each at its own size; a test at random is a mixture of these",
)

alpha_1_10_for_alpha_a_level = lambda p, d, w, v: (
    not d_connected(d, both_supported(w, v))
    or all(
        max((a + 1 / 10) / g, 1 - g * (1 - a)) <= b <= min(a * g, 1 - (1 - a) / g)
        for g in [smallest_gamma(p, d) ** hypotheses_apart(d, w, v)]
        for r in subsets(all_outcomes(p))
        for a in [released_event(p, w, r)]
        for b in [released_event(p, v, r)]
    )
)
size_power_bounded_a_step_nearer = lambda p, d, w, v: (
    not d_connected(d, both_supported(w, v))
    or all(
        max(a / g, 1 - g * (1 - a)) <= b <= min(a * g, 1 - (1 - a) / g)
        for g in [smallest_gamma(p, d) ** max(0, hypotheses_apart(d, w, v) - 1)]
        for r in subsets(all_outcomes(p))
        for a in [released_event(p, w, r)]
        for b in [released_event(p, v, r)]
    )
)
size_power_bounded = lambda p, d, w, v: (
    not d_connected(d, both_supported(w, v))
    or all(
        max(a / g, 1 - g * (1 - a)) <= b <= min(a * g, 1 - (1 - a) / g)
        for g in [smallest_gamma(p, d) ** hypotheses_apart(d, w, v)]
        for r in subsets(all_outcomes(p))
        for a in [released_event(p, w, r)]
        for b in [released_event(p, v, r)]
    )
)

state("testing.size", "dissertation, Corollary 5.5.2", "dissertation, (5.10)")(
    """Under the set-up of Theorem 5.5.1, the power 1 - beta of any size-alpha test is bounded by the inequalities:
    max(alpha e^(-d_** epsilon), 1 - e^(d_** epsilon) [1 - alpha]) <= 1 - beta <= min(alpha e^(d_** epsilon), 1 -
    e^(-d_** epsilon) [1 - alpha]).""",
    every(small_tested, size_power_bounded),
    mutant("d_** - 1 for d_**", size_power_bounded_a_step_nearer),
    mutant("alpha - 1/10 for alpha, a level only", alpha_1_10_for_alpha_a_level),
    theorem("power.model_power_interval", "power.randomised_power_interval", within=FINITE),
    reading="a test of size alpha has P(T in R | theta_0) = alpha, as in the proof",
)

# the smallest of the d + 1 lines of verify.engines.inference.power.sharpest_power
path_power = lambda a, g, d: min(1 - g ** (k - d) + g ** (2 * k - d) * a for k in range(d + 1))

_LEVELS = tuple(Fraction(k, 20) for k in (0, 1, 2, 4, 7, 10, 13, 17, 20))
_GAMMAS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(11, 5), Fraction(5))

attained = cases(
    f"{'alpha = 0, 1/20, 1/10, 1/5, 7/20, 1/2, 13/20, 17/20, 1; gamma = 1, 3/2, 2, 11/5, 5'}; d up to 5", "a g d p"
)(lambda: ((a, g, d, tuple(attaining_laws(a, g, d))) for a, g, d in product(_LEVELS, _GAMMAS, range(6))))

_EDGES = {"path": ([(0, 1), (1, 2)], (0, 2), 2), "square": ([(0, 1), (1, 2), (2, 3), (3, 0)], (0, 2), 2)}
_EDGES |= {"edge": ([(0, 1)], (0, 1), 1), "longer path": ([(0, 1), (1, 2), (2, 3)], (0, 3), 3)}

# the constraints of verify.ledger.engines.power_program by name, at the unknown P_z(u); u = 0 rejects
power_coefficient = lambda c, z, u, g: (
    (1 if (z, u) == (c[1], c[3]) else 0) - (g if (z, u) == (c[2], c[3]) else 0)
    if c[0] == "step"
    else (c[2] if z == c[1] else 0)
    if c[0] == "law"
    else (-1 if (z, u) == (c[1], c[2]) else 0)
    if c[0] == "least"
    else (1 if (z, u) == (c[1], 0) else 0)
)
power_limit = lambda c, a: c[2] if c[0] == "law" else a if c[0] == "level" else 0


@cases(
    "alpha = 1/20, 1/5, 1/2, 17/20 and gamma as before; all mechanisms with 3 outcomes on paths of 1, 2 and 3 steps "
    "and on a square, by the multipliers of a linear program",
    "a g d edges ends multipliers",
)
def programs() -> Iterator[tuple[Any, ...]]:
    for (edges, ends, d), a, g in product(_EDGES.values(), _LEVELS[1:-1:2], _GAMMAS[1:]):
        program = PowerProgram(edges, ends, 3, a, g)
        found = program.limited_by(sharpest_power(a, g, d)).multipliers
        if found is None:
            raise EngineError("a mechanism has more power than the sharpest bound")
        yield a, g, d, edges, ends, {name: m for name, m in zip(program.constraints, found, strict=True) if m}


combined = lambda multipliers, edges, ends, g, a, d: (
    all(
        multipliers[c] > 0
        and (c[0] != "step" or (c[1], c[2]) in edges or (c[2], c[1]) in edges)
        and (c[0] != "level" or c[1] == ends[0])
        for c in multipliers
    )
    and all(
        sum(multipliers[c] * power_coefficient(c, z, u, g) for c in multipliers) == (1 if (z, u) == (ends[1], 0) else 0)
        for z in range(4)
        for u in range(3)
    )
    and sum(multipliers[c] * power_limit(c, a) for c in multipliers) <= path_power(a, g, d)
)
sharpest = lambda a, g, d, p: (
    all(p[i][t] <= g * get(p[i + step], t, 0) for i in range(d) for t in p[i] for step in [1])
    and all(p[i + 1][t] <= g * get(p[i], t, 0) for i in range(d) for t in p[i + 1])
    and get(p[0], 1, 0) == a
)

own("testing.sharpest", "dissertation, Theorem 5.5.1", "dissertation, Corollary 5.5.2")(
    """With f(a) = min(e^epsilon a, 1 - e^(-epsilon) (1 - a)), the largest power of a level-alpha test of x against x'
    at distance d in a path metric is f applied d times to alpha, min over k of 1 - e^((k - d) epsilon) + e^((2k - d)
    epsilon) alpha. The mechanism that rejects at z with probability f applied min(d(x, z), d) times to alpha attains
    it. It is at most the upper end of (5.10), equal to it for d <= 1, and below it for some alpha where d >= 2 and
    epsilon > 0.""",
    every(attained, sharpest),
    mutant("the printed bound is attained", lambda a, g, d, p: get(p[d], 1, 0) == min(a * g**d, 1 - (1 - a) / g**d)),
    every(attained, lambda a, g, d, p: get(p[d], 1, 0) == path_power(a, g, d)),
    every(programs, lambda a, g, d, edges, ends, multipliers: combined(multipliers, edges, ends, g, a, d)),
    mutant("d - 1 steps", lambda a, g, d, edges, ends, multipliers: combined(multipliers, edges, ends, g, a, d - 1)),
    every(attained, lambda a, g, d: path_power(a, g, d) <= min(a * g**d, 1 - (1 - a) / g**d)),
    every(attained, lambda a, g, d: d > 1 or path_power(a, g, d) == min(a * g**d, 1 - (1 - a) / g**d)),
    some(attained, lambda a, g, d: d > 1 and path_power(a, g, d) < min(a * g**d, 1 - (1 - a) / g**d)),
)

own("testing.sharpest.iterated", "dissertation, Theorem 5.5.1", "dissertation, Corollary 5.5.2")(
    """With f(a) = min(e^epsilon a, 1 - e^(-epsilon) (1 - a)), the largest power of a level-alpha test of x against x'
    at distance d in a path metric is f applied d times to alpha. The mechanism that rejects at z with probability f
    applied min(d(x, z), d) times to alpha attains it. It is at most the upper end of (5.10), equal to it for d <= 1,
    and below it for some alpha where d = 2 and epsilon > 0.""",
    every(attained, sharpest),
    mutant("the printed bound is attained", lambda a, g, d, p: get(p[d], 1, 0) == min(a * g**d, 1 - (1 - a) / g**d)),
    theorem(
        "power.path_power",
        "power_attained.sharpest_power_attained",
        "power_attained.ladder_pure",
        "power_attained.power_max_attained",
        "power_attained.printed_power_attained",
        "power.iterated_power_le",
        "power.iterated_power_small",
        "power.iterated_power_lt",
        "power.printed_power_unattained",
        "power.iterated_power",
        within=FINITE,
    ),
)

pairs_of_laws = cases("all pairs of laws in sixths on three outcomes; gamma = 1, 3/2, 2, 11/5, 5", "p q g")(
    lambda: (case for laws in [[dict(law) for law in laws_of(3, 6)]] for case in product(laws, laws, _GAMMAS))
)

characterises = lambda p, q, g: (
    (multiplicative(p, q) <= g)
    == all(
        max(probability(p, r) / g, 1 - g * (1 - probability(p, r)))
        <= probability(q, r)
        <= min(g * probability(p, r), 1 - (1 - probability(p, r)) / g)
        for r in subsets(range(3))
    )
)
bounded_above_alone = lambda p, q, g: (
    (multiplicative(p, q) <= g) == all(probability(q, r) <= g * probability(p, r) for r in subsets(range(3)))
)

own("testing.characterises", "dissertation, Corollary 5.5.2")(
    """Two laws are within epsilon of each other, D_Mult(P, Q) <= epsilon, if and only if every test of one against the
    other has its power within (5.10), d_** = 1, at its size. A pair (a, b) of size and power is that of a test between
    two such laws if and only if it is in this region.""",
    every(pairs_of_laws, characterises),
    mutant("the upper bound g a alone", bounded_above_alone),
    theorem("power.mult_le_iff_power", "power_attained.roc_region", within="finite spaces"),
)

d_x_y_1_for_d = lambda p, d: all(
    all(
        probability(p[y], r) <= probability(p[x], r) * smallest_gamma(p, d) ** (d[x, y] - 1)
        for r in subsets(all_outcomes(p))
    )
    for x, y in d
)
records = lambda p, d: all(
    hypotheses_apart(d, {x: 1}, {y: 1}) == distance(d, x, y)
    and all(
        probability(p[y], r) <= probability(p[x], r) * smallest_gamma(p, d) ** distance(d, x, y)
        for r in subsets(all_outcomes(p))
    )
    for x, y in d
)

state("testing.records", "dissertation, section 5.5, after Theorem 5.5.1")(
    """By taking Theta subset X and setting P_theta as degenerate point masses, we recover the set-up of an
    attacker's hypothesis test. Thus, Theorem 5.5.1 is applicable to both the attacker testing x … and the analyst
    testing theta""",
    every(
        small_mechanisms,
        records,
        identity="of point masses d_** is the distance, and group privacy bounds the rest, for all mechanisms",
    ),
    mutant("d(x, y) - 1 for d_**", d_x_y_1_for_d),
    reading="point masses on two data sets are such models, and d_** is then the distance of the two",
)

# what chapters 2 and 5 of the dissertation say in passing on attackers: dependent records, and nuisance parameters

clamped = lambda x, low, high: max(low, min(high, x))
reach_of = lambda values: max(abs(a - b) for a in values for b in values)

# randomised response of so many records that are copies of one answer, and the two models of that answer
_TENTH = Fraction(1, 10)
_copies = lambda *sizes: cases(
    f"randomised response, e^eps = 3 and 3/2, of {', '.join(map(str, sizes))} equal records; prior 1/10", "p d w v q"
)(
    lambda: (
        (*responses((n,), flip), {(0,) * n: Fraction(1)}, {(1,) * n: Fraction(1)}, Fraction(1, 10))
        for n, flip in product(sizes, map(Fraction, ("1/4", "2/5")))
    )
)
more = lambda p, v, w, q, d: any(
    released_share(p, v, t) > gamma * released_share(p, w, t) and second_posterior(p, w, v, q, t) > gamma * q
    for t in all_outcomes(p)
    for gamma in [smallest_gamma(p, d)]
)

# the number of members of a household that have the target's trait, all or none, with clamped noise: e^eps = 1/alpha
_alike = lambda *sizes: cases(
    f"a count of {', '.join(map(str, sizes))} alike members, clamped geometric noise, alpha = 3/4 and 7/8; prior 1/2",
    "p m alpha",
)(
    lambda: (
        (
            {
                x: {
                    t: fibre_law(((x, m - x), (m - x, x)), alpha).numeric(((t, m - t), (m - t, t)))
                    for t in range(m + 1)
                }
                for x in (0, m)
            },
            m,
            alpha,
        )
        for m, alpha in product(sizes, (Fraction(3, 4), Fraction(7, 8)))
    )
)
guessed_more = lambda p, m, alpha: sum(max(p[0][t], p[m][t]) for t in range(m + 1)) / 2 > 1 / alpha / 2

# f: the chance of a yes for the target's trait (2: the target did not contribute) and that of a relative
posterior_with_target = lambda prior, f, v: (
    sum(prior[x] * f[x] for x in prior if x[0] == v) / sum(prior[x] * f[x] for x in prior)
)
without_target = lambda prior, f, v: posterior_with_target(prior, {x: f[2, x[1]] for x in prior}, v)
gained_at_most = lambda prior, f, gamma, power: all(
    posterior_with_target(prior, f, v) <= gamma**power * without_target(prior, f, v) for v in (0, 1)
)
_answers = lambda scope, priors, traits: cases(scope, "prior f gamma")(
    lambda: (
        (prior, f, Fraction(3))
        for prior, bits in product(priors, product((1, 3), repeat=3 * len(traits)))
        for f in [dict(zip(product(range(3), traits), (Fraction(bit, 4) for bit in bits), strict=True))]
    )
)
_PRIORS = [
    {x: Fraction(w, sum(weights)) for x, w in zip(product((0, 1), repeat=2), weights, strict=True)}
    for weights in ((9, 0, 0, 1), (99, 0, 0, 1), (1, 1, 1, 1), (8, 1, 1, 8))
]
with_relative = _answers(
    "a yes or no on the traits of the target and of a relative, any function of them, by randomised response, e^eps = "
    "3; priors under which the two are alike, independent, or often alike",
    _PRIORS,
    (0, 1),
)
alone_asked = _answers("the same with no relative", [{(0, 0): 1 - q, (1, 0): q} for q in (_TENTH, _TENTH**2)], (0,))

state("testing.strong-adversary", "dissertation, section 2.3.2")(
    """In fact, regardless of how one measures the adversary's knowledge-gain from observing a DP output T (e.g.
    according to the power of the adversary's hypothesis test relative to its size; or the increase in their posterior
    relative to their prior, or relative to a counterfactual posterior where the target unit did not contribute to the
    data; or their improvement in reconstructing the target unit's record …), a GSA assumption is necessary to ensure
    that pure epsilon-DP bounds the attacker's knowledge-gain by the nominal level exp(epsilon).""",
    every(_copies(2, 3), more),
    mutant("no other record depends on the target's", _copies(1)),
    every(_alike(3, 4), guessed_more),
    mutant("of a household of one", _alike(1)),
    some(with_relative, lambda prior, f, gamma: not gained_at_most(prior, f, gamma, 1)),
    mutant("no relative", alone_asked),
    reading="""without one, where the target's record is also another unit's, as in a family, each of the four exceeds
    exp(epsilon) of some mechanism: power over size; posterior over prior; the chance to guess the record, over that
    before; the posterior over that where the target did not contribute, for which see testing.counterfactual""",
)

own("testing.counterfactual", "dissertation, section 2.3.2")(
    """Whatever the prior, with no assumption on other units, the posterior of the target's record is at most
    exp(2*epsilon) times that where the target did not contribute to the data: of this measure a GSA assumption is
    needed for the factor 2 alone.""",
    every(with_relative, lambda prior, f, gamma, power: gained_at_most(prior, f, gamma, power), power=2),
    mutant("exp(epsilon)", {"power": 1}),
    argued(
        "all mechanisms with finitely many outcomes, all priors",
        proof="""A posterior is the prior times P(t | x) over the mean of P(t | x), each of which the target's
            contribution changes by a factor within exp(epsilon) of 1: Kasiviswanathan and Smith (2014).""",
    ),
    reading="the target's record and its absence are neighbours",
)

# one bit x, and two processes p and q that draw an answer to it; t is an answer that either can give
_flipped = lambda flip: {x: {x: 1 - flip, 1 - x: flip} for x in (0, 1)}
one_answer = cases("one bit, released by randomised response with e^eps = 3, and as it is; either answer", "p q x t")(
    lambda: ((_flipped(Fraction(1, 4)), {x: {x: Fraction(1)} for x in (0, 1)}, t, t) for t in (1, 0))
)
one_law = cases("one bit, flipped with 1/4 and once more with 1/4 or 1/10, and flipped once, as often", "p q x t")(
    lambda: (
        ({x: {t: sum(first[x][s] * again[s][t] for s in (0, 1)) for t in (0, 1)} for x in (0, 1)}, both, x, t)
        for second, x, t in product((Fraction(1, 4), Fraction(1, 10)), (0, 1), (0, 1))
        for first, again, both in [(_flipped(Fraction(1, 4)), _flipped(second), _flipped((1 + 2 * second) / 4))]
    )
)
as_private = lambda p, q, x, t: p[x][t] * q[x][t] == 0 or multiplicative(p[0], p[1]) == multiplicative(q[0], q[1])

state("mechanism.output-or-process", "dissertation, Remark 8.4.3")(
    "Differential privacy is a property of the output rather than the process through which it is generated.",
    every(one_law, lambda p, q, x, t: p[x][t] == q[x][t] and as_private(p, q, x, t)),
    mutant("of one output", every(one_answer, as_private)),
    reading="""the output as it is drawn: two processes with the same laws given each data set are as private. So
    section 7.1, 'a property of the mechanism generating the output', and Definition 8.4.1, which speaks of its laws;
    of one output that is shared it would not hold""",
)

_model = lambda value, m, others, weights: {
    (*(value,) * m, *rest): Fraction(n, sum(weights)) for rest, n in zip(others, weights, strict=True)
}
# models of the first m records, x or x' in all of them, with a law of the others that is alike under both or reversed
_nuisance = lambda *, alike: cases(
    "randomised response with e^eps = 3 of two or three bits, the first or two of them tested; weights 0, 1, 3 of "
    "the others",
    "p d w v m",
)(
    lambda: (
        (p, d, _model(0, m, others, weights), _model(1, m, others, weights if alike else weights[::-1]), m)
        for n, m in ((2, 1), (3, 1), (3, 2))
        for p, d in [responses((n,))]
        for others in [tuple(product((0, 1), repeat=n - m))]
        for weights in product((1, 0, 3), repeat=len(others))
        if any(weights)
    )
)
power = lambda p, v, w, d, m, steps_left_out: all(
    released_share(p, v, t) <= gamma ** (m - steps_left_out) * released_share(p, w, t)
    for t in all_outcomes(p)
    for gamma in [smallest_gamma(p, d)]
)

state("testing.nuisance", "dissertation, section 5.5, footnote 6")(
    """Without loss of generality, suppose x_m+1:n are nuisance parameters when testing x_1:m against x'_1:m. By
    assigning a probability on x_m+1:n satisfying pi(x_m+1:n | x_1:m) = pi(x_m+1:n | x'_1:m), the nuisance parameters
    can be integrated out in (5.9). This gives the same power bound alpha exp(d_** epsilon), except now with d_** = sup
    over x_m+1:n of d([x_1:m, x_m+1:n], [x'_1:m, x_m+1:n]), which is typically equal to m, as before.""",
    every(_nuisance(alike=True), power, steps_left_out=0),
    mutant("d_** = m - 1", {"steps_left_out": 1}),
    mutant("another law of the nuisance parameters under x'", _nuisance(alike=False)),
    reading="every test is so bounded iff every outcome is; d = d_Ham, so that d_** = m",
)

_POINTS = tuple({x: Fraction(1)} for x in range(3))
released_exactly = cases("three data sets, released as they are; all models that are sure of one", "p models")(
    lambda: [({x: {x: Fraction(1)} for x in range(3)}, _POINTS)]
)
released_with_noise = cases("three data sets, one of them or another given with probabilities 1/2 and 1/4", "p models")(
    lambda: [({x: {t: Fraction(1 + (t == x), 4) for t in range(3)} for x in range(3)}, _POINTS)]
)

trivial = lambda p, models: all(
    any(released_share(p, w, t) == 0 for w in models) and any(released_share(p, w, t) == 1 for w in models)
    for t in all_outcomes(p)
)

state("predicted.density.private-alone", "dissertation, section 5.6, after Theorem 5.6.2")(
    """Non-trivial bounds on p(t) are not possible in general; in this case they are a consequence of the data T being
    epsilon-DP.""",
    every(released_exactly, trivial),
    mutant("a private mechanism", released_with_noise),
    reading="for a mechanism that is not private p(t) may be 0 and may be 1 at each t; the bounds are Theorem 5.6.2's",
)

ends = cases("a_0 < a_1 from 0 to 6; statistics from -3 to 10", "low high")(
    lambda: ((low, high) for low in range(6) for high in range(low + 1, 7))
)

reach_is_reduced = lambda low, high: (
    reach_of([clamped(x, low, high) for x in range(-3, 11)]) == high - low < reach_of(range(-3, 11))
)
reach_is_reduced_from_below = lambda low, high: (
    reach_of([clamped(x, low, 100) for x in range(-3, 11)]) == high - low < reach_of(range(-3, 11))
)

state("figures.count.clamped", "dissertation, Example 5.6.5", "dissertation, section 4.3")(
    "Under clamping, the sensitivity is reduced to Delta(q) = a_1 - a_0.",
    every(ends, reach_is_reduced),
    mutant("clamped from below alone", reach_is_reduced_from_below),
    reading="any value may change to any other one, as a count of one record may; without clamping there is no bound",
)
