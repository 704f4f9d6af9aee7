"""The smallest budget of the PSA that depends on b and p alone: how it varies with both, and where it is beaten."""

from fractions import Fraction
from itertools import product
from math import factorial

from stirred.mechanisms.swapping.permutation_counts import derangements
from stirred.spec.blocks.tables import table_distance
from stirred.verify.ledger import cases, every, found_by, mutant, own, theorem
from stirred.verify.ledger.claims.psa.cases import CATEGORIES, is_enough, kernel, needs, psa_budget, unbounded
from stirred.verify.ledger.claims.psa_exact.every_rate import (
    AT_SIX,
    RANGE,
    SIX,
    all_margins,
    attains,
    below,
    below_at_all_rates,
    universes,
)
from stirred.verify.ledger.engines.polynomials import Branch

removed_ratio = lambda b: derangements(b) / derangements(b - 2)

# e^(2 eps) by the square of the odds, b other than 3; e^(6 eps) by the odds, every b >= 2
sharp_square = lambda b, u: max(u, removed_ratio(b) / u)
sharp_sixth = lambda b, o: max(o**6, 4 / o**6, 8 / o**3) if b == 3 else sharp_square(b, o**2) ** 3
_THREE = "at b = 3 the smallest e^eps is max{o, 2^(1/3)/o, sqrt(2/o)}, else max{o, sqrt(d(b)/d(b-2))/o}"
_ODDS = tuple(map(Fraction, ("1/19", "1/4", "1/2", "1", "3/2", "2", "3", "9/2", "19")))
_SHOWN = "o = " + ", ".join(map(str, _ODDS))
_sizes = lambda first: cases(f"{first} <= b <= 20, {_SHOWN}", "b o", lambda: product(range(first, 21), _ODDS))
_pairs = cases(
    f"2 <= b <= c <= 20, {_SHOWN}",
    "b c o",
    lambda: ((b, c, o) for b, c, o in product(range(2, 21), range(2, 21), _ODDS) if b <= c),
)

of_three = all_margins("every universe of 3 records in one stratum", (3,), "1/20 1/3 1/2 19/20")

own("psa.exact.sharpened.three", "article, Theorem 3")(
    """For b = 3 and all p in (0, 1), e^eps = max{o, 2^(1/3)/o, sqrt(2/o)} is the smallest budget of the PSA, over all
    universes with largest stratum b of all domains, that depends on b and p alone.""",
    every(of_three, lambda o, laws: attains([(ratio**6, d) for u in laws for ratio, d in needs(u)], sharp_sixth(3, o))),
    mutant(
        "without sqrt(2/o)",
        lambda o, laws: attains([(ratio**6, d) for u in laws for ratio, d in needs(u)], max(o**6, 4 / o**6)),
    ),
    theorem("psa_sharp.psa_sharp", within=CATEGORIES),
    reading="by e^(6 eps), which is rational",
)

own("psa.exact.sharpened.monotone", "article, section 3.3")(
    """At every p in (0, 1) the smallest budget of the PSA that depends on b and p alone does not decrease with b, for b
    >= 2.""",
    every(_pairs, lambda b, c, o: sharp_sixth(b, o) <= sharp_sixth(c, o)),
    mutant("it increases", lambda b, c, o: b == c or sharp_sixth(b, o) < sharp_sixth(c, o)),
    theorem("psa_sharp.sharp_budget_mono", "psa_sharp.psa_sharp", within=CATEGORIES),
    reading=_THREE,
)

own("psa.exact.sharpened.minimum", "article, section 3.6")(
    """The smallest budget of the PSA that depends on b and p alone is at least (1/4) ln(d(b)/d(b-2)) at every p in (0,
    1), for b = 2 and b >= 4, and at least (1/3) ln 2 for b = 3.""",
    every(_sizes(2), lambda b, o: sharp_sixth(b, o) ** 2 >= (16 if b == 3 else removed_ratio(b) ** 3)),
    mutant("the printed minimum", lambda b, o: sharp_sixth(b, o) >= (b + 1) ** 3),
    theorem("psa_sharp.sharp_budget_min", "psa_sharp.psa_sharp", within=CATEGORIES),
    reading=_THREE,
)

_squares = cases(
    "b = 2 and 4 <= b <= 20; o^2 = " + ", ".join(map(str, _ODDS)), "b u", lambda: product((2, *range(4, 21)), _ODDS)
)

own("psa.exact.sharpened.two-rates", "article, section 3.6")(
    """For b = 2 and b >= 4 the smallest budget of the PSA that depends on b and p alone is the same at odds o and o' =
    sqrt(d(b)/d(b-2))/o.""",
    every(_squares, lambda b, u: sharp_square(b, u) == sharp_square(b, removed_ratio(b) / u)),
    mutant("o' = (b+1)/o", lambda b, u: sharp_square(b, u) == sharp_square(b, (b + 1) ** 2 / u)),
    theorem("psa_sharp.sharp_budget_dual", "psa_sharp.psa_sharp", within=CATEGORIES),
    reading="u = o^2, of which e^(2 eps) is a rational function",
)

sharp_at_least = lambda b, o, less: sharp_sixth(b, o) >= max(o, (b - less) / o) ** 6

own("psa.exact.sharpened.at-least", "article, Theorem 3")(
    """For b >= 4 and p in (0, 1) a budget of the PSA that depends on b and p alone is at least ln o and at least
    ln(b-1) - ln o.""",
    every(_sizes(4), lambda b, o: sharp_at_least(b, o, 1)),
    mutant("b for b - 1", lambda b, o: sharp_at_least(b, o, 0)),
    theorem("psa_sharp.sharp_budget_bounds", "psa_sharp.psa_sharp", within=CATEGORIES),
)
_over_odds = lambda numerator: (Branch((numerator,), (0, 1)), Branch((0, 1), (1,)))

own("psa.exact.improved", "article, Theorem 1")(
    """For b >= 2 and all p in (0, 1), e^eps = max{b/o, o} is a budget of the PSA in every universe with largest stratum
    b: b for the printed b + 1.""",
    theorem("psa_sharp.psa_privacy_improved", within=CATEGORIES),
    below_at_all_rates(universes(2, 5), _over_odds, RANGE.format(5)),
    mutant("b - 1 for b", found_by(below, [SIX], lambda n: _over_odds(n - 1), AT_SIX)),
)

own("psa.exact.printed-smallest", "article, Theorem 1 and (7)", "article, section 3.6")(
    """For b >= 2 and 0 < p < 1 the printed budget (7) is the smallest one that depends on b and p alone if and only if
    b + 1 <= o^2, that is p >= sqrt(b+1)/(sqrt(b+1)+1).""",
    every(_sizes(2), lambda b, o: (psa_budget(b, o / (1 + o)) ** 6 <= sharp_sixth(b, o)) == (b + 1 <= o**2)),
    mutant("b - 1 <= o^2", lambda b, o: (psa_budget(b, o / (1 + o)) ** 6 <= sharp_sixth(b, o)) == (b - 1 <= o**2)),
    theorem("psa_sharp.psa_budget_sharp_iff", "psa_sharp.psa_sharp", within=CATEGORIES),
    theorem("psa_sharp.printed_budget_not_smallest", within="b = 2, p = 1/2, where 0 is enough"),
    repairs="psa.budget.necessary.printed",
    reading=_THREE,
)

_distinct = lambda *rates: cases(
    f"universes of 2, 3 and 4 records that share no category, p = {', '.join(map(str, rates))}",
    "laws",
    lambda: (kernel(((1,) * b, (1,) * b), p) for b, p in product((2, 3, 4), rates)),
)

own("psa.exact.degenerate", "article, Theorem 3 (A)")(
    """At p = 0 and at p = 1 no finite eps is a budget of the PSA in the universe of b >= 2 records that share no
    category.""",
    every(_distinct(Fraction(0), Fraction(1)), lambda laws: unbounded(laws)),
    mutant("p = 1/2 too", _distinct(Fraction(0), Fraction(1, 2))),
    theorem("psa_sharp.psa_degenerate_infinite"),
)

small_odds = cases(
    "one stratum of 2 to 4 records, at most 4 x 4 categories; eta = 1/10 and 1, o = eta/n!^2",
    "laws most eta o",
    lambda: (
        (laws, max(table_distance(x, y) or 0 for x, y in product(laws, repeat=2)), eta, o)
        for (rows, columns), eta in product(universes(2, 4), (Fraction(1, 10), Fraction(1)))
        for o in [eta / factorial(sum(rows)) ** 2]
        for laws in [kernel((rows, columns), o / (1 + o))]
    ),
)

enough_at_small_odds = lambda laws, share, eta, most, o: is_enough(laws, share * (1 + eta) * (most + 1) / o)

own("psa.exact.small-odds", "article, Theorem 4 and its closing remark")(
    """In a universe of one stratum of n >= 2 records whose data sets differ in at most D records, e^eps = (1 + eta)(D +
    1)/o is a budget of the PSA where o <= 1 and n!^2 o <= eta: for small rates D takes the place of b.""",
    every(small_odds, enough_at_small_odds, share=1),
    mutant("half of it", {"share": Fraction(1, 2)}),
    theorem("optimality_refuted.small_odds_budget", within=CATEGORIES),
)
