"""The shape of the budget (7) in b and p: article, section 3.6."""

from fractions import Fraction
from functools import cache, partial
from itertools import product

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.spec.blocks.tables import contingency_tables
from stirred.spec.flavors.permutation_swapping import odds
from stirred.spec.numbers.rational_function import SYMBOL
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, incomplete, mutant, own, query, settled, state, theorem
from stirred.verify.ledger.claims.psa.budget import swept
from stirred.verify.ledger.claims.psa.cases import (
    SECTION_3_6,
    changed_query,
    is_enough,
    kernel,
    of_one_stratum,
    psa_budget,
)
from stirred.verify.ledger.words import hamming_ordered, multiplicative, table_distance

_MINIMUM = ("psa.budget.minimum", "all real b >= 2, all p in (0, 1); at p in {0, 1} the budget is infinite")

state("psa.budget.minimum", *SECTION_3_6, "slides, Permutation Swapping")(
    """… for each b, there exists a smallest eps, call it eps^(b) … The minimum budget eps^(b) = ln(b+1)/2 is achieved
    by the swap rate p^(b) = sqrt(b+1)/(sqrt(b+1)+1).""",
    query(*_MINIMUM),
    theorem("psa_privacy.psa_budget_min"),
    mutant(
        "ln(b+2)/2",
        changed_query(
            *(_MINIMUM, "gamma**2 >= b + 2", "gamma = e^epsilon"),
            *("(>= (* gamma gamma) (+ b 1)) (=", "(>= (* gamma gamma) (+ b 2)) (="),
        ),
    ),
    reading="the budget (7) over all p, for b >= 2, as in Figure 2, which the sentence describes",
)

_EQUAL_TOO = ("(assert (< b c))", "(assert (<= b c))")
_INCREASES = (
    "psa.budget.minimum-increases",
    "all real 2 <= b < c, with the minimum ln(b+1)/2 of psa.budget.minimum; b = 1 cannot occur, at b = 0 it is 0",
)

state("psa.budget.minimum-increases", *SECTION_3_6)(
    "Importantly, the larger the b, the larger the minimum possible budget eps^(b).",
    query(*_INCREASES),
    mutant(
        "b = c allowed",
        changed_query(_INCREASES, "b + 1 < c + 1", "e^(2 eps) of the minimum budgets at b and at c", *_EQUAL_TOO),
    ),
)

_TWO_RATES = ("psa.budget.two-rates", "all real b >= 2, all gamma = e^eps above sqrt(b+1), all p in (0, 1)")

state("psa.budget.two-rates", *SECTION_3_6, "slides, Permutation Swapping")(
    "… for every b and every budget eps > eps^(b), two different swap rates can achieve that budget eps …",
    query(*_TWO_RATES),
    theorem("psa_privacy.psa_budget_two_rates"),
    mutant(
        "eps >= eps^(b)",
        changed_query(
            *(_TWO_RATES, "(b + 1)/gamma < gamma", "the odds of the two rates"),
            *("(assert (> (* gamma gamma) (+ b 1)))", "(assert (>= (* gamma gamma) (+ b 1)))"),
        ),
    ),
    reading="exactly two rates achieve (7) = eps, for b >= 2, as in Figure 2, which the sentence describes",
)

_without_mixed = cases(
    "p = 0, 1/20, ..., 1 and e^eps = 11/10, 12/10, ..., 5",
    "p gamma",
    lambda: product((Fraction(i, 20) for i in range(21)), (Fraction(i, 10) for i in range(11, 51))),
)

own("psa.budget.two-rates.none", "article, section 3.6")(
    "At b = 0 no swap rate has a budget (7) of eps > 0: that two rates achieve every eps > eps^(b) needs b > 0.",
    every(_without_mixed, lambda p, gamma, b: psa_budget(b, p) != gamma, b=0),
    mutant("b = 2", {"b": 2}),
    theorem("psa_privacy.psa_budget_two_rates_refuted"),
)

squares_and_rates = cases(
    "b + 1 = r^2 for 2 <= r <= 12; p = i/50 for 0 < i < 50 and p = r/(r + 1)",
    "b r p",
    lambda: (
        (r**2 - 1, r, p) for r in range(2, 13) for p in (*(Fraction(i, 50) for i in range(1, 50)), Fraction(r, r + 1))
    ),
)

is_threshold_rate = lambda p, r, b, more: (
    (p <= r / (r + 1)) == ((p / (1 - p)) ** 2 <= b + more)
    and (p != r / (r + 1) or (b + more) / (p / (1 - p)) == p / (1 - p))
)

own("psa.budget.threshold", "article, Theorem 1 and (7)")(
    """For b > 0 and 0 < p < 1, p <= sqrt(b+1)/(sqrt(b+1)+1) if and only if o^2 <= b + 1; where both are equal, the two
    forms ln(b+1) - ln o and ln o of (7), which both apply, agree.""",
    every(squares_and_rates, is_threshold_rate, more=1),
    mutant("b for b + 1", {"more": 0}),
    theorem("psa_privacy.psa_budget_threshold", "psa_privacy.psa_budget_meet"),
)

rates_of = lambda b, gamma: [(b + 1) / (b + 1 + gamma), gamma / (1 + gamma)]

attained_at_both = cases(
    "2 <= b < c <= 10, eps = ln(gamma) with an integer gamma <= 10 that both attain",
    "b c gamma",
    lambda: ((b, c, g) for b, c, g in product(range(2, 11), repeat=3) if b < c and g**2 >= c + 1),
)
_ODDS = "odds: the smallest with budget ln(gamma) at b, and any with a budget of at most ln(gamma) at c"
_LARGER = (
    "psa.budget.larger-stratum.printed",
    "all real 2 <= b < c, every eps = ln(gamma) that c attains, all p in (0, 1); the smallest rate for each",
)

state("psa.budget.larger-stratum.printed", *SECTION_3_6)(
    "… for a larger b, a higher p is needed to achieve the same eps.",
    query(*_LARGER),
    every(attained_at_both, lambda b, c, gamma: min(rates_of(b, gamma)) < min(rates_of(c, gamma))),
    mutant("b = c allowed", changed_query(_LARGER, "(b + 1)/gamma < q", _ODDS, *_EQUAL_TOO)),
    mutant("every rate for the smallest", lambda b, c, gamma: max(rates_of(b, gamma)) < min(rates_of(c, gamma))),
    theorem("psa_remarks.larger_stratum"),
    reading="""what is needed is the smallest rate with a budget of at most eps; of the two rates that achieve eps the
    higher one is the same for every b""",
)

one_of_two = cases(
    "two records that share no category, p = 1/2",
    "b p laws",
    lambda: [(2, Fraction(1, 2), kernel(((1, 1), (1, 1)), Fraction(1, 2)))],
)

state("psa.budget.necessary.printed", *SECTION_3_6)(
    """This ratio r is upper bounded by (b+1)^d_HamS(x, x'), which means eps must be at least ln(b+1) - ln p +
    ln(1-p).""",
    every(one_of_two, lambda b, p, laws: not is_enough(laws, b * (1 - p) / p)),
    reading="""eps must be: no smaller budget is one of the PSA on universes with this b, as the sentence explains
    why 'some PLBs are not attainable for a fixed b'. Of (7) itself, which is the larger of two numbers, that it is
    at least the one would say nothing. The bound on r, which is no lower bound on eps, is
    derangements.distance-ratio.printed""",
    grade=incomplete("b + 1 <= o^2, where (7) is ln o; for smaller p less is enough, at most ln(max{b/o, o})"),
    refuted_by=["psa_sharp.printed_budget_not_smallest"],
)

# the laws of those universes with two tables whose p^(b) is below p
_above = lambda scope, universes, rates: cases(
    scope,
    "p laws",
    lambda: (
        (p, kernel(*u, p))
        for u, p in product(universes(), map(Fraction, rates.split()))
        if len(contingency_tables(*u[0])) > 1 and odds(p) ** 2 > sum(u[0][0]) + 1
    ),
)
_LARGE = "3/4 9/10 19/20 99/100"
_UNITS = _above(
    "one stratum of 2 to 4 records, all margins 1; those of p = 2/3, 3/4, 9/10, 99/100 above p^(b)",
    lambda: ((((1,) * n, (1,) * n),) for n in range(2, 5)),
    "2/3 3/4 9/10 99/100",
)
_ANY = _above(
    "one stratum of 2 or 3 records, p = 3/4, 9/10, 19/20, 99/100 above p^(b)", lambda: of_one_stratum(2, 3, 4), _LARGE
)

at_other = lambda laws, times, p: (
    is_enough(laws, times * p / (1 - p))
    and any(
        laws[x][y] == (times * p / (1 - p)) ** table_distance(x, y) * laws[y][y] for x in laws for y in laws if x != y
    )
)

state("psa.budget.large-rates.printed", *SECTION_3_6)(
    """… for large p (i.e., p > p^(b)) the ratio r is dominated by the odds o = p/(1-p), in which case [ln P(z|x) - ln
    P(z|x')]/d_HamS(x, x') is maximized when d_HamS(x', z) is as small as possible. This results in eps = ln o …""",
    every(_UNITS, at_other, times=1),
    mutant("ln(2 o)", {"times": 2}),
    mutant("in every universe", _ANY),
    swept(lambda b, p: odds(p) if odds(p) ** 2 > b + 1 else None, _LARGE, 5),
    reading="""over all universes with this b, of which eps = (7) speaks, the maximum is ln o, attained at some z = x':
    in universes whose records share no category; in another one the maximum may be less, and elsewhere""",
)

answers = cases(
    "1 to 3 binary answers, all flip probabilities in (0, 1) at once",
    "x y",
    lambda: (pair for n in (1, 2, 3) for pair in product(product((0, 1), repeat=n), repeat=2)),
)
_flipped = cache(lambda x: exact_law(randomized_response, x, flip_probability=SYMBOL))
loss_of_flips = lambda p, q, rate, times, x, y: (
    multiplicative(p, q) == max(rate / (1 - rate), (1 - rate) / rate) ** (times * hamming_ordered(x, y))
)
powers_of_odds = lambda p, q, rate, x, y: all(
    p[z] == q[z] * (rate / (1 - rate)) ** (hamming_ordered(x, z) - hamming_ordered(y, z)) for z in p
)
loss_and_powers = lambda p, q, rate, times, x, y: (
    loss_of_flips(p, q, rate, times, x, y) and powers_of_odds(p, q, rate, x, y)
)


def odds_of_flips(x: tuple[int, ...], y: tuple[int, ...], *, times: int) -> Witness | None:
    """Likelihood ratios are powers of o from -times*d to times*d, both attained, for all flip probabilities."""
    o, distance = SYMBOL / (1 - SYMBOL), sum(a != b for a, b in zip(x, y, strict=True))
    p, q = _flipped(x), _flipped(y)
    ratios = {p[z] / q[z] for z in p}
    powers = [o**k for k in range(-times * distance, times * distance + 1)]
    case = lambda rate: {"x": x, "y": y, "p": p.at(rate), "q": q.at(rate), "rate": rate, "times": times}
    if not (ratios <= set(powers) and {powers[0], powers[-1]} <= ratios):
        return failure(loss_of_flips, **case(Fraction(3, 4)))
    points = 2 * len(x) + 1  # sides without fractions are polynomials of degree 2*len(x) in the rate
    for i in range(1, points + 1):
        settled(True, loss_and_powers, partial(case, Fraction(i, points + 1)))
    return None


state("randomized-response.loss", *SECTION_3_6)(
    """… the randomized response mechanism, where a large probability p_RR > 0.5 of flipping the binary confidential
    answer inadvertently preserves statistical information, thereby achieving the same budget eps = |ln o_RR| as 1 -
    p_RR.""",
    every(answers, odds_of_flips, times=1),
    mutant("2 |ln o|", {"times": 2}),
)
