"""The chapter's two mechanisms, exactly: Laplace noise with its picture, and randomized response."""

from fractions import Fraction
from itertools import product

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.spec.laws.law import Law
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import argued, cases, every, mutant, own, some, state
from stirred.verify.ledger.language_names import exp, ln, oo
from stirred.verify.ledger.words import hamming_ordered, multiplicative

# the Laplace density times 2b at a point t, with the root e^(eps/(4 sensitivity)) and centers and t in quarters
laplace_at = lambda root, center, t: prod_over([1 / root ** abs(a - b) for a, b in zip(center, t)])
prod_over = lambda v: v[0] if len(v) == 1 else v[0] * v[1]
distance_of_sums = lambda x, y: sum(abs(a - b) for a, b in zip(x, y))
laplace_height = lambda epsilon, away: epsilon / 2 * exp(0 - epsilon * away)

# randomized response
is_private_response = lambda laws, gamma: all(
    len(x) != len(y) or multiplicative(laws[x], laws[y]) <= gamma ** hamming_ordered(x, y) for x in laws for y in laws
)
needs_all_of = lambda laws, gamma: all(
    len(x) != len(y) or multiplicative(laws[x], laws[y]) == gamma ** hamming_ordered(x, y) for x in laws for y in laws
)
marginal_at = lambda law, i, b: sum(law[t] for t in law if t[i] == b)
factors = lambda law, n: all(law[t] == all_factors([marginal_at(law, i, t[i]) for i in range(n)]) for t in law)
all_factors = lambda v: 1 if len(v) == 0 else v[0] if len(v) == 1 else v[0] * all_factors(v[1:])
reported = lambda law, i, b, earlier: (
    sum(law[t] for t in law if t[i] == b and t[:i] == earlier) / sum(law[t] for t in law if t[:i] == earlier)
)

_ROOTS = (Fraction(5, 4), Fraction(2))
laplace_points = cases(
    "k = 1, 2 queries with answers at distance at most the sensitivity 1, on a grid of quarters from -2 to 3; "
    "e^(eps/4) = 5/4, 2",
    "root x y t",
)(
    lambda: (
        *((root, (0,), (y,), (t,)) for root, y, t in product(_ROOTS, (0, 2, 4), range(-8, 13))),
        *product(_ROOTS, [(0, 0)], ((4, 0), (2, 2), (0, 4), (-2, 2)), product(range(-8, 13, 3), repeat=2)),
    )
)

laplace_within = lambda root, x, y, t, fourths: (
    laplace_at(root, x, t) >= laplace_at(root, y, t) / root**fourths
    and laplace_at(root, y, t) >= laplace_at(root, x, t) / root**fourths
)
ratio_is_attained = lambda root, x, y, t: (
    distance_of_sums(x, y) == 4 and laplace_at(root, x, t) == laplace_at(root, y, t) / root**4
)

state("interval.laplace.private", "dissertation, Example 5.2.2", "dissertation, (5.4)")(
    """Specifically, define M(x, L) = q(x) + bL, where b = Delta(q)/eps and L (the seed) is a k-vector of i.i.d. Laplace
    random variables with density f(z) = 0.5 exp(-|z|). When d(x, x') = 1, P_x(S_1 x ... x S_k) >= exp(-Delta(q)/b)
    P_x'(S_1 x ... x S_k) = exp(-eps) P_x'(S_1 x ... x S_k). We will see in Theorem 5.3.5 that this suffices to prove
    that M is eps-DP.""",
    every(laplace_points, lambda root, x, y, t: laplace_within(root, x, y, t, 4)),
    mutant("eps/2 for eps", lambda root, x, y, t: laplace_within(root, x, y, t, 2)),
    some(laplace_points, ratio_is_attained),
    reading="of the densities at points, which is the statement for all events; ||q(x) - q(x')||_1 <= Delta(q) = 1",
)

figure = cases("q(x) = 0, q(x') = 1; e^(eps/4) = 5/4, 3/2, 2; t in quarters from -3 to 4", "root t")(
    lambda: product(map(Fraction, ("5/4", "3/2", "2")), range(-12, 17))
)

largest_ratio_up_to = lambda end, t, root: t > end or laplace_at(root, [0], [t]) == root**4 * laplace_at(root, [4], [t])
least_ratio_from = lambda start, t, root: (
    t < start or laplace_at(root, [0], [t]) == laplace_at(root, [4], [t]) / root**4
)

state("interval.laplace.figure", "dissertation, Figure 5.1")(
    """The datasets x and x' are chosen so that d(x, x') = 1 and q(x') - q(x) = Delta(q) = 1. The annotations 0.05 and
    0.05 exp(eps) are demonstrative of the property: p_x(t) = e^eps p_x'(t) for all t <= q(x) and p_x(t) = e^-eps
    p_x'(t) for all t >= q(x'). (In this illustration, eps = 2 and k = 1.)""",
    every(figure, lambda root, t: largest_ratio_up_to(0, t, root)),
    mutant("t <= q(x')", lambda root, t: largest_ratio_up_to(4, t, root)),
    mutant("t >= q(x)", lambda root, t: least_ratio_from(0, t, root)),
    every(figure, lambda root, t: least_ratio_from(4, t, root)),
    argued(
        "all eps and all t",
        proof="p_x(t)/p_x'(t) = exp(eps (|t - q(x')| - |t - q(x)|)), and the difference is 1 for t <= q(x), -1 "
        "for t >= q(x').",
    ),
    reading="""for other values of eps too, whose e^(eps/4) is rational; eps = 2 is not among them, and the equations
    are of powers of e^eps alone""",
)

heights = cases("eps = 2; the point (ln 20 - 2)/2 left of q(x), which is a point of the picture", "epsilon")(
    lambda: iter([Fraction(2)])
)

nearly = lambda a, b: a - 1 / 10**9 < b < a + 1 / 10**9
has_heights = lambda epsilon, away, lower: (
    away > 0
    and nearly(lower, laplace_height(epsilon, away + 1))
    and nearly(exp(2) * lower, laplace_height(epsilon, away))
)

own("interval.laplace.figure.heights", "dissertation, Figure 5.1")(
    """The heights 0.05 and 0.05 exp(eps) of Figure 5.1 are those of p_x' and p_x at t = q(x) - (ln 20 - 2)/2: they are
    at one point, and left of q(x).""",
    every(heights, lambda epsilon: has_heights(epsilon, (ln(20) - 2) / 2, 1 / 20), verdict=Verdict.ENCLOSED),
    mutant("0.04 for 0.05", lambda epsilon: has_heights(epsilon, (ln(20) - 2) / 2, 1 / 25)),
    reading="to nine digits",
)

_GAMMAS = tuple(map(Fraction, ("3/2", "2", "4")))

_responses = lambda gamma, most: {
    x: exact_law(randomized_response, x, flip_probability=1 / (gamma + 1))
    for n in range(most + 1)
    for x in product((0, 1), repeat=n)
}

responses = cases("randomized response on all binary data sets of up to 3 records, e^eps = 3/2, 2, 4", "laws gamma")(
    lambda: ((_responses(gamma, 3), gamma) for gamma in _GAMMAS)
)

state("interval.randomized-response.private", "dissertation, Example 5.2.3")(
    """the randomised response mechanism M flips each bit x_i with probability p = (exp eps + 1)^-1. [...] This
    mechanism is eps-DP when d = d_Ham.""",
    every(responses, lambda laws, gamma: is_private_response(laws, gamma)),
    mutant("a smaller budget", lambda laws, gamma: is_private_response(laws, (1 + gamma) / 2)),
)

own("interval.randomized-response.tight", "dissertation, Example 5.2.3")(
    """Randomized response spends all of its budget at every pair of data sets of one size: D_Mult(P_x, P_x') = eps
    d_Ham(x, x'); under d_Delta no eps is enough, since the output shows the number of records.""",
    every(responses, lambda laws, gamma: needs_all_of(laws, gamma)),
    mutant("2 eps", lambda laws, gamma: needs_all_of(laws, gamma**2)),
    every(
        responses,
        lambda laws: all(len(x) == len(y) or multiplicative(laws[x], laws[y]) == oo for x in laws for y in laws),
    ),
)

all_factor = lambda laws: all(factors(laws[x], len(x)) for x in laws)

# a central mechanism: randomized response on the two records in an order that a fair coin chooses
_exchanged = lambda laws: {
    x: Law({t: (laws[x].numeric(t) + laws[x[::-1]].numeric(t)) / 2 for t in {**laws[x], **laws[x[::-1]]}})
    for x in product((0, 1), repeat=2)
}

central = cases(
    "randomized response on two records in an order that a fair coin chooses, e^eps = 3/2, 2, 4", "laws gamma"
)(lambda: ((_exchanged(_responses(gamma, 2)), gamma) for gamma in _GAMMAS))

state("interval.randomized-response.local", "dissertation, Example 5.2.3")(
    """In the non-interactive setting, this requirement implies that P_x(T in .) must factor as a product measure prod
    over i of P_(x_i)(T_i in .), where n = |x| is the number of records in x. [...] (And hence, the probability P_x of a
    central privacy mechanism need not be factorizable.)""",
    every(responses, all_factor),
    mutant("central mechanisms factor", central),
    some(central, lambda laws, gamma: is_private_response(laws, gamma) and not all_factor(laws)),
    reading="randomized response factors; an eps-DP mechanism that shuffles first does not",
)

# two respondents: the second one answers by randomized response if the first answer was 0, by a fair coin else
_following = lambda flip: {
    x: Law(
        {(a, b): _said(a, x[0], flip) * (Fraction(1, 2) if a else _said(b, x[1], flip)) for a in (0, 1) for b in (0, 1)}
    )
    for x in product((0, 1), repeat=2)
}
_said = lambda answer, bit, flip: 1 - flip if answer == bit else flip

interactive = cases(
    "two respondents, of whom the second tosses a fair coin after the first answer 1, e^eps = 3/2, 2, 4", "laws gamma"
)(lambda: ((_following(1 / (gamma + 1)), gamma) for gamma in _GAMMAS))

is_interactive_private = lambda laws, gamma: (
    is_private_response(laws, gamma)
    and (
        all(
            reported(laws[x], 1, b, [a]) == reported(laws[y], 1, b, [a])
            for x in laws
            for y in laws
            if x[1] == y[1]
            for a in [0, 1]
            for b in [0, 1]
        )
    )
)

state("interval.randomized-response.interactive", "dissertation, Example 5.2.3")(
    """the local interactive model of DP has the weaker condition that the distribution of user i's response T_i cannot
    depend on x_j for j != i (like in the non-interactive setting) but that this distribution can depend on the previous
    users' responses T_j for j < i.""",
    every(interactive, is_interactive_private),
    mutant("as strong as the non-interactive condition", all_factor),
    every(interactive, lambda laws: not all_factor(laws)),
    reading="given the previous responses; weaker: an interactive mechanism that is eps-DP need not factor",
)
