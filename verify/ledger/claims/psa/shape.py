"""How the budget (7) varies: with b and p (article, section 3.6), and with the swap key (section 3.5 and C.1)."""

from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.spec.blocks.tables import contingency_tables
from stirred.spec.flavors.permutation_swapping import largest_stratum, odds, swapping_invariants
from stirred.spec.numbers.rational_function import SYMBOL
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import (
    cases,
    every,
    failure,
    incomplete,
    misprint,
    mutant,
    own,
    query,
    settled,
    state,
    theorem,
)
from stirred.verify.ledger.claims.psa.budget import swept
from stirred.verify.ledger.claims.psa.cases import (
    CATEGORIES,
    SECTION_3_6,
    changed_query,
    is_enough,
    kernel,
    largest_mixed,
    of_one_stratum,
    psa_budget,
)
from stirred.verify.ledger.engines.budget_sweep import one_stratum
from stirred.verify.ledger.words import hamming_ordered, multiplicative, same_records, table_distance

# the shape of the budget (7) in b and p: article, section 3.6

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

_without_mixed = cases("p = 0, 1/20, ..., 1 and e^eps = 11/10, 12/10, ..., 5", "p gamma")(
    lambda: product((Fraction(i, 20) for i in range(21)), (Fraction(i, 10) for i in range(11, 51)))
)

own("psa.budget.two-rates.none", "article, section 3.6")(
    "At b = 0 no swap rate has a budget (7) of eps > 0: that two rates achieve every eps > eps^(b) needs b > 0.",
    every(_without_mixed, lambda p, gamma, b: psa_budget(b, p) != gamma, b=0),
    mutant("b = 2", {"b": 2}),
    theorem("psa_privacy.psa_budget_two_rates_refuted"),
)

squares_and_rates = cases("b + 1 = r^2 for 2 <= r <= 12; p = i/50 for 0 < i < 50 and p = r/(r + 1)", "b r p")(
    lambda: (
        (r**2 - 1, r, p) for r in range(2, 13) for p in (*(Fraction(i, 50) for i in range(1, 50)), Fraction(r, r + 1))
    )
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

attained_at_both = cases("2 <= b < c <= 10, eps = ln(gamma) with an integer gamma <= 10 that both attain", "b c gamma")(
    lambda: ((b, c, g) for b, c, g in product(range(2, 11), repeat=3) if b < c and g**2 >= c + 1)
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

one_of_two = cases("two records that share no category, p = 1/2", "b p laws")(
    lambda: [(2, Fraction(1, 2), kernel(((1, 1), (1, 1)), Fraction(1, 2)))]
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
_above = lambda scope, universes, rates: cases(scope, "p laws")(
    lambda: (
        (p, kernel(*u, p))
        for u, p in product(universes(), map(Fraction, rates.split()))
        if len(contingency_tables(*u[0])) > 1 and odds(p) ** 2 > sum(u[0][0]) + 1
    )
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

answers = cases("1 to 3 binary answers, all flip probabilities in (0, 1) at once", "x y")(
    lambda: (pair for n in (1, 2, 3) for pair in product(product((0, 1), repeat=n), repeat=2))
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

# the swap key: what the budget (7) becomes with more or fewer matching variables (article, section 3.5 and C.1)

# each stratum of a coarser key as two strata of a finer one; the variable that the coarser key lacks stays in V_Hold:
# the rows of the two are the rows of the one, and either may have no records
finer = lambda x: [t for pair in x for t in pair]
coarser = lambda x: [pair[0] + pair[1] for pair in x]
parts = lambda x, i, j: [(r[i], r[j]) for r in x]
_RATES = tuple(map(Fraction, ("1/25", "1/20", "1/2", "19/20")))
_LOW_RATES = _RATES[:3]
_padded = lambda table, width: tuple((*row, *(0,) * (width - len(row))) for row in table)
_TABLES = [_padded(t, 3) for n in (1, 2, 3) for m in one_stratum(n, 3) for t in contingency_tables(*m)]
merged_strata = cases("two strata of up to 3 records each, or one alone, with three categories a side, merged", "x")(
    lambda: (((t, u),) for t, u in (*product(_TABLES, repeat=2), *product(_TABLES, [()])))
)

_PARTS = [(), *(_padded(contingency_tables(*m)[0], 2) for n in (1, 2) for m in one_stratum(n, 2))]
_SPLITS = [(t, u) for t, u in product(_PARTS, repeat=2) if t or u]
_split = lambda scope, every_stratum: cases(
    f"one or two strata, each of up to 2 + 2 records, two categories a side; where b > 0{scope}", "x"
)(
    lambda: (
        chosen
        for n in (1, 2)
        for chosen in combinations_with_replacement(_SPLITS, n)
        for counted in [[pair for pair in chosen if largest_stratum(swapping_invariants([pair[0] + pair[1]]))]]
        if counted and not (every_stratum and any(() in pair for pair in counted))
    )
)
finer_keys = _split("", False)
splitting_keys = _split(" and each stratum with two distinct records is split", True)

# how b and the budget with the finer key stand to those with the coarser one
finer_key_at_most = lambda x, rates: (
    largest_mixed(finer(x)) <= largest_mixed(coarser(x))
    and all(psa_budget(largest_mixed(finer(x)), p) <= psa_budget(largest_mixed(coarser(x)), p) for p in rates)
)

_AT_MOST = [
    every(merged_strata, finer_key_at_most, rates=_RATES),
    theorem("psa_remarks.coarser_matching", "psa_remarks.coarser_budget", within=CATEGORIES),
]

finer_key_at_least = lambda x, rates: (
    largest_mixed(finer(x)) >= largest_mixed(coarser(x))
    and all(psa_budget(largest_mixed(finer(x)), p) >= psa_budget(largest_mixed(coarser(x)), p) for p in rates)
)

state("psa.coarser-matching", "article, section 3.5")(
    "… which - as we use a coarser swap key - is an upper bound for the actual b of the 2010 Census.",
    *_AT_MOST,
    mutant("a lower bound for an upper bound", every(merged_strata, finer_key_at_least, rates=_RATES)),
    reading="""for any data set and any two keys of which one has fewer variables, the others staying in V_Hold: the b
    of the coarser is at least that of the finer, and so is the budget (7)""",
)

strictly_with_any_finer_key = lambda x, rates: (
    largest_mixed(finer(x)) < largest_mixed(coarser(x))
    and all(psa_budget(largest_mixed(finer(x)), p) < psa_budget(largest_mixed(coarser(x)), p) for p in rates)
)

state("psa.coarser-matching.smaller.printed", "article, section 3.5")(
    """… using the actual 2010 swap key would decrease the value of b and hence result in a smaller value of eps.""",
    every(finer_keys, finer_key_at_most, rates=_RATES),
    *_AT_MOST,
    mutant("strictly, with any finer key", every(finer_keys, strictly_with_any_finer_key, rates=_LOW_RATES)),
    reading="""not increase, for any data set: the 2010 data are not part of the sources; where it decreases is a claim
    of its own""",
)

own("psa.coarser-matching.smaller", "article, section 3.5")(
    """If a finer swap key splits every stratum that has b > 0 records and at least two distinct ones, then it decreases
    b, and for 0 < p <= 1/2 the budget (7).""",
    every(splitting_keys, strictly_with_any_finer_key, rates=_LOW_RATES),
    mutant("any finer key", finer_keys),
)

_RECORDS = [x for n in (1, 2, 3) for x in combinations_with_replacement(list(product((0, 1), repeat=3)), n)]
_key = lambda x, is_finer: (sorted((k, h) for k, h, _ in x), sorted((k if is_finer else 0, s) for k, _, s in x))
_in_one_universe = lambda universe: cases(
    f"data sets of up to 3 records with two values of each variable: the first of a {universe} universe, another", "x y"
)(
    lambda: (
        (first, x)
        for known in [dict[str, Any]()]
        for x in _RECORDS
        for first in [known.setdefault(str(_key(x, universe == "finer")), x)]
        if first != x
    )
)
holding = lambda x, y: same_records(parts(x, 0, 1), parts(y, 0, 1)) and same_records(parts(x, 2, 2), parts(y, 2, 2))
matching = lambda x, y: same_records(parts(x, 0, 1), parts(y, 0, 1)) and same_records(parts(x, 0, 2), parts(y, 0, 2))
_SIMILARITY_3 = ("article, Appendix C.1, similarity (3)", "dissertation, section B.6.1, similarity 3")

state("psa.swap-key.conservative", *_SIMILARITY_3)(
    """By excluding a matching variable, the PSA from Section 3.5 has fewer invariants and its … budget … eps is a
    conservative estimate, compared to a PSA implementation that mirrored … the 2010 DAS matching variables.""",
    every(_in_one_universe("finer"), holding),
    every(merged_strata, finer_key_at_most, rates=_RATES),
    mutant("the same invariants", every(_in_one_universe("coarser"), matching)),
    mutant("not less than the estimate", finer_key_at_least),
    theorem(
        *("psa_remarks.coarser_invariants", "psa_remarks.coarser_matching", "psa_remarks.coarser_budget"),
        within=CATEGORIES,
    ),
    reading="""the variable stays in V_Hold: its invariants follow from those of the finer key, and b and (7) are at
    least those of the finer key""",
)

same_size = lambda x, y: (x[0], x[1] + x[2]) == (y[0], y[1] + y[2])
_HOUSEHOLDS = [(s, a, c) for s, a, c in product((0, 1), range(4), range(4)) if 1 <= a + c <= 3]
households = cases(
    "two households, each a state, a number of adults and one of children, up to 3 persons, two states", "x y"
)(lambda: product(_HOUSEHOLDS, repeat=2))

state("psa.swap-key.printed", *_SIMILARITY_3)(
    """… the matching variables of the PSA implementation in Section 3.5 are the household's state and counts of adults
    and children …""",
    every(households, lambda x, y: same_size(x, y) == (x == y)),
    reading="they divide households as those of section 3.5 do, which are the household's size and state",
    grade=misprint("section 3.5 leaves the count of voting age persons out: its key is size and state"),
)

own("psa.swap-key", "article, Appendix C.1, similarity (3)")(
    """The swap key of section 3.5, the household's state and size, is coarser than its state and counts of adults and
    children.""",
    every(households, lambda x, y: same_size(x, y) or x != y),
    mutant("finer", lambda x, y: not same_size(x, y) or x == y),
    repairs="psa.swap-key.printed",
)

# what the PSA can make of each data set where it swaps a variable along: s is the pair of it and s
_swapped_along = lambda what, place: cases(
    f"every output on up to 3 records with two values of m, h and s, {what} swapped along; p = 1/2", "z"
)(
    lambda: (
        [r for r, _ in z]
        for x in _RECORDS
        for paired in [tuple((m, h, ((m, h)[place], s)) for m, h, s in x)]
        for z in exact_law(permutation_swapping, paired, swap_rate=Fraction(1, 2))
    )
)
_SIMILARITY_4 = ("article, Appendix C.1, similarity (4)", "dissertation, section B.6.1, similarity 4")

state("psa.swap-key.matching-swapped", *_SIMILARITY_4)(
    "matching variables can always be swapped since swapping them does not change the data.",
    every(_swapped_along("the matching variable", 0), lambda z: all(m == s[0] for m, h, s in z)),
    mutant(
        "a variable that is held",
        every(_swapped_along("the variable that is held", 1), lambda z: all(h == s[0] for m, h, s in z)),
    ),
    reading="where the PSA swaps the matching variable along with s, every record has its own value of it afterwards",
)
