"""D_Mult beside the density-ratio metric: bounds both ways for laws, one way for measures, and when they are met."""

from fractions import Fraction

from stirred.verify.ledger import argued, cases, every, misprint, mutant, own, some, state
from stirred.verify.ledger.claims.intervals.density_ratio import half_of_laws, laws_odds
from stirred.verify.ledger.claims.intervals.measures import (
    MASSES,
    by_events,
    finite_pairs,
    half_by_positive,
    odds_distance,
    random_triples,
    tuples_of_measures,
)
from stirred.verify.ledger.claims.zcdp.divergences import but_for_names
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import is_law, multiplicative, probability, same_law

# densities of pieces a + b x on intervals from s to t
piece_integral = lambda a, b, s, t: a * (t - s) + b * (t**2 - s**2) / 2
overlap = lambda piece, s, t: [max(piece[0], s), max(piece[0], s, min(piece[1], t))]
mass_between = lambda f, s, t: sum(
    piece_integral(piece[2], piece[3], ends[0], ends[1]) for piece in f for ends in [overlap(piece, s, t)]
)

law_pairs = cases(
    "all pairs of laws on three outcomes in sixths, but for the outcomes' names", "p q", lambda: but_for_names(3, 6)
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
swapped = cases("the P, Q of the text on {-1, 1}", "p q", lambda: iter([_SWAPPED]))

state("interval.equivalent.second-tight", "dissertation, Proposition 13, the second inequality's equality")(
    """To see that the second inequality in (C.13) is tight, define P, Q on {-1, 1} by P(-1) = Q(1) = 1/3 and P(1) =
    Q(-1) = 2/3. Then d_DR(P, Q) = 2 ln 2 = 2 D_Mult(P, Q).""",
    every(swapped, lambda p, q: odds_distance(p, q) == 4 == by_events(p, q) ** 2),
    mutant("ln 2 for 2 ln 2", lambda p, q: odds_distance(p, q) == 2 == by_events(p, q) ** 2),
)

_P = {1: Fraction(9, 10), **dict.fromkeys(range(2, 10), Fraction(1, 80))}
_AS_PRINTED = {1: Fraction(1, 5), 10: Fraction(1, 10), **dict.fromkeys(range(2, 10), Fraction(1, 10))}
_REPAIRED = {1: Fraction(1, 5), **dict.fromkeys(range(2, 10), Fraction(1, 10))}
as_printed = cases(
    "the Q of the text, with the first of the two values that it prints at 1", "q", lambda: iter([_AS_PRINTED])
)
on_nine = cases("the P of the text, and its Q with 1/10 at 2, ..., 9", "p q", lambda: iter([(_P, _REPAIRED)]))

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
    "P = (2 d, 1 - 2 d), Q = (d, 1 - d) with d = 4^-n, and P = (1/3, 2/3), Q = (2/3, 1/3); n = 2, ..., 20",
    "p q n r",
    lambda: (
        ({0: 2 * d, 1: 1 - 2 * d}, {0: d, 1: 1 - d}, n, _SWAPPED)
        for n, d in ((n, Fraction(1, 4**n)) for n in range(2, 21))
    ),
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

_multiples = cases(
    "mu = (1, 1), nu = c mu, c = 2, ..., 30", "mu nu c", lambda: (({0: 1, 1: 1}, {0: c, 1: c}, c) for c in range(2, 31))
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
