"""D_Mult beside the density-ratio metric and other distorting functions: bounds both ways, and what each guarantees."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import argued, cases, every, incomplete, misprint, mutant, own, some, state
from stirred.verify.ledger.claims.intervals.density_ratio import (
    constant_odds,
    half_of_laws,
    laws_odds,
    on_space,
    same_support,
)
from stirred.verify.ledger.claims.intervals.lipschitz import is_lipschitz, on_graphs, on_metrics
from stirred.verify.ledger.claims.intervals.measure_intervals import is_between
from stirred.verify.ledger.claims.intervals.measures import (
    MASSES,
    by_events,
    finite_pairs,
    half_by_positive,
    mutual,
    odds_distance,
    random_triples,
    scaled,
    tuples_of_measures,
)
from stirred.verify.ledger.claims.zcdp.divergences import but_for_names, divergence_sum, dominates
from stirred.verify.ledger.language_names import ln, oo
from stirred.verify.ledger.words import distance, is_law, multiplicative, probability, same_law, total_variation

# D_Mult beside the density-ratio metric: bounds both ways for laws, one way for measures, and when they are met

# densities of pieces a + b x on intervals from s to t
piece_integral = lambda a, b, s, t: a * (t - s) + b * (t**2 - s**2) / 2
overlap = lambda piece, s, t: [max(piece[0], s), max(piece[0], s, min(piece[1], t))]
mass_between = lambda f, s, t: sum(
    piece_integral(piece[2], piece[3], ends[0], ends[1]) for piece in f for ends in [overlap(piece, s, t)]
)

law_pairs = cases("all pairs of laws on three outcomes in sixths, but for the outcomes' names", "p q")(
    lambda: but_for_names(3, 6)
)

odds_within = lambda p, q, power: (
    multiplicative(p, q) <= laws_odds(p, q)
    and (laws_odds(p, q) == oo or laws_odds(p, q) <= multiplicative(p, q) ** power)
)
odds_below_three_halves = lambda p, q: laws_odds(p, q) == oo or laws_odds(p, q) ** 2 <= multiplicative(p, q) ** 3
odds_above_three_halves = lambda p, q: laws_odds(p, q) == oo or multiplicative(p, q) ** 3 <= laws_odds(p, q) ** 2

state(
    "interval.equivalent.bounds",
    "dissertation, (5.3)",
    "dissertation, Proposition 13",
    "dissertation, (C.13)",
    "dissertation, section 5.2, footnote 3",
)(
    "Let P, Q in Omega_1 be probability measures on (T, F). Then D_Mult(P, Q) <= d_DR(P, Q) <= 2 D_Mult(P, Q).",
    every(law_pairs, lambda p, q: odds_within(p, q, 2)),
    mutant("d_DR <= D_Mult", lambda p, q: odds_within(p, q, 1)),
    mutant("d_DR <= 3/2 D_Mult", odds_below_three_halves),
    mutant("3/2 D_Mult <= d_DR", odds_above_three_halves),
    every(law_pairs, lambda p, q: (multiplicative(p, q) == oo) == (laws_odds(p, q) == oo)),
)

state("interval.equivalent.halves", "dissertation, (C.14)", "dissertation, (C.15)", "dissertation, (C.16)")(
    """we may assume that P != Q. Then [...] sup over S of ln P(S)/Q(S) > 0. (C.14) Symmetrically, sup over S of ln
    Q(S)/P(S) > 0. (C.15) Thus, D_Mult(P, Q) = max(sup over S of ln P(S)/Q(S), sup over S of ln Q(S)/P(S)) <= sup over S
    of ln P(S)/Q(S) + sup over S of ln Q(S)/P(S) = d_DR(P, Q). (C.16)""",
    every(law_pairs, lambda p, q: same_law(p, q) or min(half_of_laws(p, q), half_of_laws(q, p)) > 1),
    mutant("above ln 2", lambda p, q: same_law(p, q) or min(half_of_laws(p, q), half_of_laws(q, p)) > 2),
    every(law_pairs, lambda p, q: multiplicative(p, q) == max(half_of_laws(p, q), half_of_laws(q, p))),
)

state("interval.equivalent.strict", "dissertation, Proposition 13")(
    """for each of the two inequalities in (C.13): there exist P, Q in Omega_1 such that the inequality is strict""",
    some(law_pairs, lambda p, q: laws_odds(p, q) < oo and multiplicative(p, q) < laws_odds(p, q)),
    mutant(
        "on two outcomes, D_Mult > d_DR", lambda p, q: laws_odds(p, q) < oo and multiplicative(p, q) > laws_odds(p, q)
    ),
    some(law_pairs, lambda p, q: laws_odds(p, q) < oo and laws_odds(p, q) < multiplicative(p, q) ** 2),
)

_pieces = lambda *rows: tuple(tuple(map(Fraction, row)) for row in rows)

_G = _pieces((-1, 0, "2/3", "2/3"), (0, 1, "2/3", "0"))
near_the_ends = cases(
    "the densities f, g of the text; the events [-1, -1 + 1/n) and (1 - 1/n, 1], n = 1, ..., 40", "f g n"
)(lambda: ((_pieces((-1, 0, "2/3", "0"), (0, 1, "2/3", "-2/3")), _G, n) for n in range(1, 41)))

ratios_near_ends = lambda f, g, n, times: (
    mass_between(f, 0 - 1, 1) == 1
    and mass_between(g, 0 - 1, 1) == 1
    and mass_between(g, 1 - 1 / n, 1) / mass_between(f, 1 - 1 / n, 1) == times * n
    and mass_between(f, 0 - 1, 1 / n - 1) / mass_between(g, 0 - 1, 1 / n - 1) == times * n
)

state("interval.equivalent.first-tight", "dissertation, Proposition 13, the first inequality's equality")(
    """To see that the first inequality is tight, define the probability P on [-1, 1] by the density f(x) = 2/3 if x in
    [-1, 0], 2/3 (1 - x) if x in (0, 1], and Q by g(x) = 2/3 (1 + x) if x in [-1, 0], 2/3 if x in (0, 1], Then D_Mult(P,
    Q) = d_DR(P, Q) = oo.""",
    every(near_the_ends, lambda f, g, n: ratios_near_ends(f, g, n, 2)),
    mutant("the ratio n for 2 n", lambda f, g, n: ratios_near_ends(f, g, n, 1)),
    argued(
        "all n",
        proof="""For 0 < h <= 1: Q((1-h, 1])/P((1-h, 1]) = (2h/3)/(h^2/3) = 2/h, and by symmetry P/Q is 2/h at [-1,
        -1+h). Both suprema of Proposition 12 are oo, so that D_Mult = d_DR = oo; f and g are 0 at one point only.""",
    ),
    reading="""the ratio of P and Q at (1 - 1/n, 1] and at [-1, -1 + 1/n) grows beyond all bounds with n, either way;
    each density is positive but at one point""",
)

is_strict = lambda p, q: (
    multiplicative(p, q) == 1 or multiplicative(p, q) == oo or multiplicative(p, q) < laws_odds(p, q)
)
is_strict_doubled = lambda p, q: (
    multiplicative(p, q) == 1 or multiplicative(p, q) == oo or multiplicative(p, q) ** 2 < laws_odds(p, q)
)

state("interval.equivalent.first-strict", "dissertation, Proposition 13, its proof")(
    """if 0 < D_Mult(P, Q) < oo, then the inequality in (C.16) will be strict and thus D_Mult(P, Q) < d_DR(P, Q).""",
    every(law_pairs, is_strict),
    mutant("2 D_Mult < d_DR", is_strict_doubled),
    reading="so that on a finite set the first inequality is an equality for P = Q and for other supports alone",
)

_SWAPPED = {-1: Fraction(1, 3), 1: Fraction(2, 3)}, {-1: Fraction(2, 3), 1: Fraction(1, 3)}
swapped = cases("the P, Q of the text on {-1, 1}", "p q")(lambda: iter([_SWAPPED]))

state("interval.equivalent.second-tight", "dissertation, Proposition 13, the second inequality's equality")(
    """To see that the second inequality in (C.13) is tight, define P, Q on {-1, 1} by P(-1) = Q(1) = 1/3 and P(1) =
    Q(-1) = 2/3. Then d_DR(P, Q) = 2 ln 2 = 2 D_Mult(P, Q).""",
    every(swapped, lambda p, q: odds_distance(p, q) == 4 == by_events(p, q) ** 2),
    mutant("ln 2 for 2 ln 2", lambda p, q: odds_distance(p, q) == 2 == by_events(p, q) ** 2),
)

_P = {1: Fraction(9, 10), **dict.fromkeys(range(2, 10), Fraction(1, 80))}
_AS_PRINTED = {1: Fraction(1, 5), 10: Fraction(1, 10), **dict.fromkeys(range(2, 10), Fraction(1, 10))}
_REPAIRED = {1: Fraction(1, 5), **dict.fromkeys(range(2, 10), Fraction(1, 10))}
as_printed = cases("the Q of the text, with the first of the two values that it prints at 1", "q")(
    lambda: iter([_AS_PRINTED])
)
on_nine = cases("the P of the text, and its Q with 1/10 at 2, ..., 9", "p q")(lambda: iter([(_P, _REPAIRED)]))

is_example_on_nine = lambda p, q, loss: (
    is_law(p) and is_law(q) and odds_distance(p, q) == 36 and by_events(p, q) == loss and by_events(p, q) ** 2 > 36
)

state("interval.equivalent.nine-outcomes", "dissertation, Proposition 13, its last example")(
    """Define P, Q on {1, 2, ..., 9} by P(1) = 9/10; P(x) = 1/80 for x = 2, 3, ..., 9; Q(1) = 1/5; and Q(x) = 1/10; for
    x = 1, 2, ..., 10. Then d_DR(P, Q) = ln 36 < 2 ln 8 = 2 D_Mult(P, Q).""",
    every(as_printed, lambda q: is_law(q) and set(q) == set(range(1, 10))),
    reading="Q is a law on {1, ..., 9}",
    grade=misprint("2, 3, ..., 9 for 1, 2, ..., 10, as P has it: Q has two values at 1, and 10 is no outcome"),
)

own("interval.equivalent.nine-outcomes.repaired", "dissertation, Proposition 13, its last example")(
    "With Q(x) = 1/10 for x = 2, ..., 9: d_DR(P, Q) = ln 36 < 2 ln 8 = 2 D_Mult(P, Q).",
    every(on_nine, lambda p, q: is_example_on_nine(p, q, 8)),
    mutant("ln 9 for ln 8", lambda p, q: is_example_on_nine(p, q, 9)),
    repairs="interval.equivalent.nine-outcomes",
)

near_one = cases(
    "P = (2 d, 1 - 2 d), Q = (d, 1 - d) with d = 4^-n, and P = (1/3, 2/3), Q = (2/3, 1/3); n = 2, ..., 20", "p q n r"
)(
    lambda: (
        ({0: 2 * d, 1: 1 - 2 * d}, {0: d, 1: 1 - d}, n, _SWAPPED)
        for n, d in ((n, Fraction(1, 4**n)) for n in range(2, 21))
    )
)

is_twice = lambda p, q: odds_distance(p, q) == by_events(p, q) ** 2
bounded_or_twice = lambda p, q, n, r: odds_distance(p, q) ** n >= by_events(p, q) ** (n + 1) and is_twice(r[0], r[1])

own("interval.equivalent.best-constants", "dissertation, Proposition 13")(
    """The constants 1 and 2 of (C.13) are the best ones even for laws on two outcomes at finite distances: d_DR < (1 +
    1/n) D_Mult occurs for every n, and d_DR = 2 D_Mult occurs; on a finite set at a finite positive distance, the first
    inequality is never an equality.""",
    every(near_one, lambda p, q, n, r: odds_distance(p, q) ** n < by_events(p, q) ** (n + 1) and is_twice(r[0], r[1])),
    mutant("(1 + 1/n) D_Mult <= d_DR", bounded_or_twice),
    argued("all n", proof="d_DR - D_Mult = ln (1 - d)/(1 - 2 d) tends to 0 as d does, while D_Mult = ln 2."),
)

_multiples = cases("mu = (1, 1), nu = c mu, c = 2, ..., 30", "mu nu c")(
    lambda: (({0: 1, 1: 1}, {0: c, 1: c}, c) for c in range(2, 31))
)

at_most_power = lambda mu, nu, power: odds_distance(mu, nu) == oo or odds_distance(mu, nu) <= by_events(mu, nu) ** power
second_holds = lambda mu, nu: at_most_power(mu, nu, 2) and (odds_distance(mu, nu) < oo or by_events(mu, nu) == oo)

state("interval.equivalent.measures", "dissertation, Proposition 13", "dissertation, section C.5.4")(
    """when the probabilities P and Q are replaced by measures mu, nu in Omega, the first inequality of (C.13) does not
    hold (even up to a non-zero multiplicative constant), but the second does.""",
    every(_multiples, lambda mu, nu, c: odds_distance(mu, nu) == 1 and by_events(mu, nu) == c),
    mutant("d_DR > 0 in (C.7)", lambda mu, nu: odds_distance(mu, nu) > 1),
    every(finite_pairs, second_holds),
    mutant("d_DR <= D_Mult", lambda mu, nu: at_most_power(mu, nu, 1)),
    every(random_triples, lambda mu, nu: at_most_power(mu, nu, 2)),
    reading="no c > 0 has c D_Mult <= d_DR on Omega; d_DR <= 2 D_Mult, where D_Mult = oo if d_DR = oo",
)

state("interval.equivalent.measures.proof", "dissertation, Proposition 13, its proof")(
    "the second inequality. d_DR(mu, nu) <= D_Mult(mu, nu), does hold for any mu, nu in Omega",
    every(finite_pairs, lambda mu, nu: at_most_power(mu, nu, 1)),
    grade=misprint("2 D_Mult for D_Mult: it is the second inequality of (C.13)"),
)

_changed = cases(
    "mu = (1, 1), nu = (a, 2): nu is changed on E = {0} so that mu(E) < nu(E) < 2 mu(E), in quarters", "mu nu"
)(lambda: (({0: 1, 1: 1}, {0: Fraction(a, 4), 1: 2}) for a in (5, 6, 7)))

state("interval.equivalent.measures.between", "dissertation, Proposition 13, its proof")(
    """It is easy to modify this example to construct mu and nu such that 0 < d_DR(mu, nu) < D_Mult(mu, nu). Simply
    change nu on some E != T so that 0 < mu(E) < nu(E) < 2 mu(E) while still maintaining nu(E') = 2 mu(E') > 0 on some
    other E'.""",
    every(_changed, lambda mu, nu: odds_distance(mu, nu) > 1 and odds_distance(mu, nu) < by_events(mu, nu)),
    mutant("on all of T, by one factor", every(_multiples, lambda mu, nu: odds_distance(mu, nu) > 1)),
    reading="E is one outcome: with two, nu may be changed so that d_DR > D_Mult",
)

_positive_measures = cases(
    "all pairs of measures with masses 1, 2, 3 on three outcomes, but for the outcomes' names", "mu nu"
)(lambda: tuples_of_measures(3, MASSES[1:], 2))

twice_iff_halves_agree = lambda mu, nu: is_twice(mu, nu) == (half_by_positive(mu, nu) == half_by_positive(nu, mu))
twice_iff_totals_agree = lambda mu, nu: is_twice(mu, nu) == (probability(mu, set(mu)) == probability(nu, set(nu)))

own("interval.equivalent.when-doubled", "dissertation, Proposition 13")(
    """For finite measures that are mutually absolutely continuous, at a finite D_Mult, d_DR = 2 D_Mult iff sup ln mu/nu
    = sup ln nu/mu.""",
    every(_positive_measures, twice_iff_halves_agree),
    mutant("iff the totals are equal", twice_iff_totals_agree),
)

# Indistinguishability: what pure DP guarantees at every outcome, and which other distorting functions do

halving = lambda t: (1 / 2) ** (t + 1)
by_thirds = lambda t: 2 / 3 * (1 / 3) ** t
ratio_within = lambda mu, nu, a, b: mutual(mu, nu) and all(a * mu[t] <= nu[t] and nu[t] <= b * mu[t] for t in mu)
all_possible_alike = lambda laws, d: all(
    (laws[x][t] > 0) == (laws[y][t] > 0) for x in laws for y in laws if distance(d, x, y) < oo for t in laws[x]
)
all_mutual = lambda laws, d: all(mutual(laws[x], laws[y]) for x in laws for y in laws if distance(d, x, y) < oo)
alike_everywhere = lambda laws, d: all_mutual(laws, d) and all_possible_alike(laws, d)
alike_without_connection = lambda laws, d, root: (
    not is_lipschitz(laws, d, root)
    or all((laws[x][t] > 0) == (laws[y][t] > 0) for x in laws for y in laws for t in laws[x])
)

state("interval.indistinguishable.alike", "dissertation, Remark 5.3.7")(
    """It implies that, for an eps-DP mechanism, all connected P_x are mutually absolutely continuous. Further, for all
    connected x, x' in X and all t in T, either p_x(t) and p_x'(t) are both zero or both non-zero. In intuitive terms,
    this means that if any x is plausible after observing T = t (i.e. p_x(t) > 0) then all its connections x' in [x] are
    also plausible.""",
    every(on_graphs, lambda laws, d, root: not is_lipschitz(laws, d, root) or alike_everywhere(laws, d)),
    mutant("unconnected data sets too", alike_without_connection),
    mutant("without eps-DP", lambda laws, d: all_mutual(laws, d)),
    every(on_metrics, lambda laws, d, root: not is_lipschitz(laws, d, root) or alike_everywhere(laws, d)),
    reading="discrete T; eps < oo",
)

_ENDS = tuple(product(map(Fraction, ("1/3", "1/2", "1")), map(Fraction, ("1", "3/2", "3"))))
bounded = cases(f"{finite_pairs.scope}; a = 1/3, 1/2, 1 and b = 1, 3/2, 3", "mu nu a b")(
    lambda: ((*pair, *ends) for pair, ends in product(finite_pairs, _ENDS))
)

state("interval.indistinguishable.bounded", "dissertation, Remark 5.3.7")(
    """p_x(t)/p_x'(t) is bounded away from zero and infinity, which is equivalent to P_x' in I(a P_x, b P_x) for some 0
    < a <= 1 <= b < oo. Yet Lemma 5.3.4 states that P_x' in I(a P_x, b P_x) only if D_Mult(P_x, P_x') <= max(-ln a, ln
    b).""",
    every(bounded, lambda mu, nu, a, b: is_between(nu, scaled(mu, a), scaled(mu, b)) == ratio_within(mu, nu, a, b)),
    mutant(
        "bounded from above alone",
        lambda mu, nu, a, b: is_between(nu, scaled(mu, a), scaled(mu, b)) == all(nu[t] <= b * mu[t] for t in mu),
    ),
    mutant(
        "min(-ln a, ln b)", lambda mu, nu, a, b: not ratio_within(mu, nu, a, b) or by_events(mu, nu) <= min(1 / a, b)
    ),
    every(bounded, lambda mu, nu, a, b: not ratio_within(mu, nu, a, b) or by_events(mu, nu) <= max(1 / a, b)),
    reading="the ratio is in [1/b, 1/a] where p_x or p_x' is positive; of measures, laws among them",
)

bounds = cases(
    "P(t) = 2^-(t+1), Q(t) = 2/3 3^-t on T = {0, 1, ...}, both positive everywhere; bounds 10, ..., 10^6; outcomes up "
    "to 40",
    "b",
)(lambda: (10**k for k in range(1, 7)))

state("interval.indistinguishable.categorical", "dissertation, Remark 5.3.7")(
    """Indeed, this categorical notion of indistinguishability requires that p_x(t)/p_x'(t) is bounded away from zero
    and infinity, which is equivalent to P_x' in I(a P_x, b P_x) for some 0 < a <= 1 <= b < oo.""",
    some(bounds, lambda b: all(halving(t) <= b * by_thirds(t) for t in range(41))),
    reading="""the categorical notion is that of the sentences before it: at each t both densities are zero or both are
    not""",
    grade=incomplete(
        "that T is finite, or that the notion is the quantified one of (5.5) at some level, as the remark begins: two "
        "geometric laws are positive on the same outcomes, and their ratio is unbounded"
    ),
)

laws_of_three = cases("all pairs of laws on three outcomes in quarters, but for the outcomes' names", "p q")(
    lambda: but_for_names(3, 4)
)

own("interval.indistinguishable.categorical.repaired", "dissertation, Remark 5.3.7")(
    """On a finite T two laws are positive on the same outcomes iff their ratio is bounded away from zero and infinity,
    that is iff D_Mult < oo.""",
    every(laws_of_three, lambda p, q: same_support(p, q) == (multiplicative(p, q) < oo)),
    mutant("P << Q alone", lambda p, q: dominates(q, p) == (multiplicative(p, q) < oo)),
    repairs="interval.indistinguishable.categorical",
)

_COINS = tuple({0: Fraction(1, 2**k), 1: 1 - Fraction(1, 2**k)} for k in range(1, 9))
_PAIRS = tuple((p, q) for p in (_COINS[0],) for q in _COINS)
_NEAR = tuple({0: Fraction(1, 2) + Fraction(1, 2**k), 1: Fraction(1, 2) - Fraction(1, 2**k)} for k in range(2, 10))
_SQUARES = cases(
    "coins 2^-1, ..., 2^-8 and 1/2 + 2^-2, ..., 1/2 + 2^-9 beside a fair one; alpha = 1, ..., 4", "alpha pairs"
)(lambda: ((alpha, (*_PAIRS, *((_COINS[0], q) for q in _NEAR))) for alpha in range(1, 5)))

squares_bound_or_dominate = lambda alpha, pairs: (
    not all(ln(by_events(p, q)) ** 2 > 1 or by_events(p, q) <= 3 for p, q in pairs)
    or all(ln(by_events(p, q)) <= alpha * ln(by_events(p, q)) ** 2 for p, q in pairs)
)

state("interval.indistinguishable.only-multiplicative", "dissertation, Remark 5.3.7")(
    """This argument demonstrates that the Lipschitz condition (5.2) with another distorting function d_DIST in place of
    D_Mult will not ensure indistinguishability (except in the trivial case where alpha d_DIST >= D_Mult for some
    constant alpha).""",
    some(_SQUARES, squares_bound_or_dominate),
    reading="with d_DIST = D_Mult^2, which bounds the ratio at every eps and distance; here by 3 where it is at most 1",
    grade=incomplete(
        "the exception is wider, and holds for none of the variants that the text names: that D_Mult is bounded on "
        "each ball, as it is for its powers, and for d_COR and radii below 1"
    ),
)

in_eighths = cases("all pairs of laws on three outcomes in eighths, but for their names", "p q")(
    lambda: but_for_names(3, 8)
)
bounded_by_odds = lambda p, q, power: (
    multiplicative(p, q) == oo
    or multiplicative(p, q) ** power * (1 - constant_odds(on_space(p, 3), on_space(q, 3))) <= 1
)

own("interval.indistinguishable.only-multiplicative.repaired", "dissertation, Remark 5.3.7")(
    """For a distorting function d_DIST the condition d_DIST(P_x, P_x') <= r ensures a bound on D_Mult(P_x, P_x') iff
    D_Mult is bounded on {(P, Q) : d_DIST(P, Q) <= r}; for d_COR and r < 1 the bound -ln(1 - r) holds, although no alpha
    has alpha d_COR >= D_Mult.""",
    every(in_eighths, lambda p, q: bounded_by_odds(p, q, 1)),
    mutant("-1/2 ln(1 - r)", lambda p, q: bounded_by_odds(p, q, 2)),
    argued(
        "all laws",
        proof="""The first sentence is the definition of a bound. d_COR = 1 - e^-d_DR and D_Mult <= d_DR (Proposition
        13) give D_Mult <= -ln(1 - d_COR). d_COR <= 1, while D_Mult takes arbitrarily large finite values.""",
    ),
    repairs="interval.indistinguishable.only-multiplicative",
)

exponents = cases(
    "the coins 4^-k and 8^-k, k = 2, ..., 20, and the pairs (1 - delta, delta, 0), (1 - delta, 0, delta), delta = 4^-k",
    "k",
)(lambda: iter(range(2, 21)))

coin_at = lambda share: {0: share, 1: 1 - share}
one_way = lambda k: {0: 1 - (1 / 4) ** k, 1: (1 / 4) ** k}
other_way = lambda k: {0: 1 - (1 / 4) ** k, 2: (1 / 4) ** k}
renyi_bounded = lambda p, q: divergence_sum(p, q, 2) <= 3 and divergence_sum(q, p, 2) <= 3
have_small_budgets = lambda k, ratio: (
    renyi_bounded(coin_at((1 / 4) ** k), coin_at((1 / 8) ** k))
    and multiplicative(coin_at((1 / 4) ** k), coin_at((1 / 8) ** k)) == 2**k
    and total_variation(one_way(k), other_way(k)) == (1 / 4) ** k
    and multiplicative(one_way(k), other_way(k)) == ratio
)

state("interval.indistinguishable.variants", "dissertation, Remark 5.3.7")(
    """This is why common variants of pure eps-DP - such as (eps, delta)-DP (Dwork et al., 2006a), zero-concentrated DP
    (Dwork and Rothblum, 2016; Bun and Steinke, 2016) and Renyi DP (Mironov, 2017) (which, as described in Remark 5.3.6,
    all replace D_Mult with another distorting function d_DIST) - do not guarantee this strong notion of privacy""",
    every(exponents, lambda k: have_small_budgets(k, oo)),
    mutant("a finite ratio under (0, delta)-DP", lambda k: have_small_budgets(k, 4**k)),
    argued(
        "zCDP",
        proof="""Adding N(0, 1/(2 rho)) to a query with two values at distance 1 satisfies rho-zCDP (Bun and Steinke),
        and the ratio of the two densities takes every positive value. A finite D_alpha(P || Q) with alpha > 1 needs P
        << Q.""",
    ),
    reading="""the notion as the remark has come to put it, a bounded ratio of densities (for the categorical one see
    interval.indistinguishable.categorical), here by a function of the budget; of Renyi DP order 2, e^D_2 <= 3; for zCDP
    see the proof. Mutual absolute continuity alone is guaranteed by zCDP and, both ways, by Renyi DP of an order above
    1""",
)
