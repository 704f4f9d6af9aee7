"""Which records swap, at which rates, and noise before or after the swap: article, Appendix C.1 and section 6.2."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_counts import derangements, move_weights, psa_law
from stirred.mechanisms.swapping.permutation_swapping import table_records
from stirred.mechanisms.swapping.variants import (
    cell_key_after_swapping,
    noise_before_swapping,
    one_more_or_less,
    swapping_with_rates_by_place,
    swapping_with_rates_by_value,
)
from stirred.spec.blocks.tables import column_margins, contingency_tables, margins_of_size, row_margins
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import Margins, largest_stratum, odds
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.engines.swapping.variant_loss import laws_of_tables, laws_on_universe, small_universes
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, mutant, own, settled, some, state, unless
from stirred.verify.ledger.claims.psa.cases import Laws, is_enough, kernel, needs, no_more, psa_budget
from stirred.verify.ledger.claims.swapping_variants.reach import RATES, common_support, laws_of
from stirred.verify.ledger.language_names import get, items
from stirred.verify.ledger.words import hamming

# which records swap: the swap rate of the PSA, swap rates of records, and imputed records left in place

selection_law = lambda n, p: [comb(n, k) * p**k * (1 - p) ** (n - k) * (0 if k == 1 else 1) for k in range(n + 1)]
selection_moment = lambda n, p, a: sum(k**a * w for k, w in enumerate(selection_law(n, p))) / sum(selection_law(n, p))
number_of_records = lambda strata: sum(n * c for n, c in items(strata))
mean_rate = lambda strata, p: sum(c * selection_moment(n, p, 1) for n, c in items(strata)) / number_of_records(strata)
number_variance = lambda n, p: selection_moment(n, p, 2) - selection_moment(n, p, 1) ** 2
rate_variance = lambda strata, p: (
    sum(c * number_variance(n, p) for n, c in items(strata)) / number_of_records(strata) ** 2
)

_C2, _B6 = "article, Appendix C.2", "dissertation, section B.6.2"
_CHANCES = tuple(map(Fraction, ("1/100", "1/20", "1/10", "1/2")))


@cache
def _moments(size: int, rate: Fraction) -> tuple[Fraction, Fraction]:
    """The mean and the variance of the number of swapped records of a stratum: binomial, drawn again where it is 1."""
    single = size * rate * (1 - rate) ** (size - 1)
    mean = (size * rate - single) / (1 - single)
    square = (size * rate * (1 - rate) + (size * rate) ** 2 - single) / (1 - single)
    return mean, square - mean**2


small_strata = cases("one stratum of 2 to 6 records, p = 1/100, 1/20, 1/10, 1/2", "n p weights")(
    lambda: ((n, p, move_weights(n, p)) for n, p in product(range(2, 7), _CHANCES))
)
many_records = cases(
    "n = 1000 and 1500 records in one stratum, 2000 in two equal ones, and in one with three of two records beside it; "
    "p = 1/100, 1/20, 1/10, 1/2; exact moments",
    "strata p",
)(lambda: product(({1000: 1}, {1500: 1}, {1000: 2}, {1994: 1, 2: 3}), _CHANCES))
_strata_of_two = lambda number: cases(f"{number} strata of two records, p = 1/100", "strata p")(
    lambda: [({2: number}, _CHANCES[0])]
)
claimed = lambda strata, p: (
    abs(mean_rate(strata, p) - p) <= p / 100
    and abs(rate_variance(strata, p) - p * (1 - p) / number_of_records(strata))
    <= p * (1 - p) / number_of_records(strata) / 50
)
mean_is_moment = lambda n, p, weights: (
    sum(k * comb(n, k) * derangements(k) * weights[k] for k in range(n + 1)) == selection_moment(n, p, 1)
)


def near(strata: Mapping[int, int], p: Fraction) -> Witness | None:
    """The mean of the swap rate is within 1% of p, and its variance within 2% of p(1-p)/n, in strata by size."""
    n = sum(size * number for size, number in strata.items())
    mean, variance = (sum(c * _moments(size, p)[k] for size, c in strata.items()) / n ** (k + 1) for k in (0, 1))
    usual = p * (1 - p) / n
    is_near = abs(mean - p) <= p / 100 and abs(variance - usual) <= usual / 50
    return settled(is_near, claimed, lambda: {"strata": strata, "p": p})


state("psa.swap-rate.controlled", "article, Appendix C.1, similarity (2)", "dissertation, section B.6.1, similarity 2")(
    """An implementer of the PSA cannot precisely fix the swap rate—but only the expected swap rate (via the parameter
    p). However, when the number of records n is large, the swap rate is typically very close to p, since its variance
    is approximately p(1-p)/n ~ 0.""",
    every(small_strata, mean_is_moment),
    every(many_records, near),
    mutant("n = 2 among them", _strata_of_two(1)),
    mutant("as many strata as pairs of records", _strata_of_two(500)),
    reading="""n grows with the matching strata fixed, as for the PSA of section 3.5, which is compared: the mean is
    within 1% of p, and the variance, which is not 0, within 2% of p(1-p)/n""",
)

# a swap rate for each cell of the table; the laws on the data sets of up to 3 records, and those on their reorderings
_by_value = lambda *rates: lambda record: rates[int(str(record[1]) + str(record[2]), 3) % len(rates)]
_of_cells = lambda *rates: laws_of(
    swapping_with_rates_by_value, 4, setting=f"rates {', '.join(map(str, rates))} by category", rate=_by_value(*rates)
)
_reordered = lambda program, rates, given: cases(
    f"n <= 3 records of one stratum, two categories of each kind, in all orders; rates {rates}", "x y p q"
)(
    lambda: (
        (x, y, laws[x], laws[y])
        for n in (2, 3)
        for margins in product(margins_of_size(n, 2), repeat=2)
        for x in map(table_records, contingency_tables(*margins))
        for laws in [{y: exact_law(program, y, **given(n)) for y in permutations(x)}]
        for y in laws
    )
)
alike_reordered = lambda p, gamma, x, y, q: all(p[z] <= gamma ** hamming(x, y) * get(q, z, 0) for z in p)
_BY_PLACE = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))

state(
    "psa.variants.rates.printed", f"{_C2}, Variable Swapping Probabilities", f"{_B6}, Variable Swapping Probabilities"
)(
    """… we can modify the PSA to use a different swapping probability p_i for each record i. As long as these
    probabilities are uniformly bounded away from zero and one (so that p_i^(-1) and (1 - p_i)^(-1) are bounded away
    from infinity), this modification will satisfy the same DP flavor as the original PSA (with a finite budget).""",
    every(_of_cells(*RATES), lambda laws: common_support(laws)),
    mutant("a rate of 0 for some categories", _of_cells(Fraction(0), Fraction(1, 2))),
    every(
        _reordered(swapping_with_rates_by_value, "by category", lambda _: {"rate": _by_value(*RATES)}),
        alike_reordered,
        gamma=10**6,
    ),
    mutant(
        "p_i by the place of record i",
        _reordered(swapping_with_rates_by_place, "1/2, 1/4, 1/4 by place", lambda n: {"rates": _BY_PLACE[:n]}),
    ),
    reading="""p_i is the record's, as in the 2010 DAS, which the extension is to mirror: a function of its values; a
    reordering moves it along. By its place in x, Lemma 4, on which the proof rests, would fail at distance 0""",
)

imputed = cases(
    "n <= 5 records in one stratum, at most 3 x 3 categories, one holding category imputed; p = 1/20, 1/2, 19/20",
    "margins row held p",
)(
    lambda: (
        case
        for size in range(3, 6)
        for rows, columns in product(margins_of_size(size, 3), repeat=2)
        if len(rows) > 1 and len(columns) > 1
        for row in range(len(rows))
        for held in [{table[row] for table in contingency_tables(rows, columns)}]
        for case in (((rows, columns), row, *rest) for rest in product(sorted(held), RATES))
    )
)


def _free(margins: Margins, row: int, held: tuple[int, ...]) -> Margins:
    """The margins of the records that are not imputed."""
    rows, columns = margins
    return rows[:row] + rows[row + 1 :], tuple(c - h for c, h in zip(columns, held, strict=True))


def _left_in_place(margins: Margins, row: int, held: tuple[int, ...], p: Fraction) -> Laws:
    """The laws on the tables whose imputed row is this one, of the PSA on the other rows."""
    whole = lambda part: (*part[:row], held, *part[row:])
    return {whole(part): psa_law(part, p).push(whole) for part in contingency_tables(*_free(margins, row, held))}


left_in_place = cases(imputed.scope, "left psa")(
    lambda: ((_left_in_place(*case), kernel(case[0], case[3])) for case in imputed)
)


def within_seven(
    margins: Margins, row: int, held: tuple[int, ...], p: Fraction, *, two_branches: bool
) -> Witness | None:
    """(7) at the number of records that are not imputed, or its lower branch, holds and is at most (7) at b."""
    free = _free(margins, row, held)
    size, bound = largest_stratum([free]), odds(p) if two_branches else Fraction(1)
    is_so = universe_loss(*free, p) <= Loss(max(bound, (size + 1) / odds(p)))
    failed = settled(
        is_so,
        lambda left, n, p: is_enough(left, max((n + 1) * (1 - p) / p, p / (1 - p) if two_branches else 1)),
        lambda: {"left": _left_in_place(margins, row, held, p), "n": size, "p": p},
    )
    return failed or unless(lambda n, b, p: psa_budget(n, p) <= psa_budget(b, p), n=size, b=sum(margins[0]), p=p)


state(
    "psa.variants.imputed.printed",
    *(f"{section}, Prohibiting Imputed Records From Being Swapped" for section in (_C2, _B6)),
)(
    """We can modify the PSA so that p_i = 0 for all records i that are imputed. Suppose that the records that are
    imputed are constant. If the PSA satisfies eps_D-DP(X_CEF, D_cSwap, d_HamS^hh, D_Mult), then this modification would
    satisfy eps'_D-DP(X_CEF, D_cSwap, d'_X, D_Mult), where d'_X(x, x') = d_HamS^hh(x, x') if x, x' do not differ on any
    imputed record, oo otherwise, and eps'_D <= eps_D since the maximum stratum size b is reduced when the imputed
    records are removed.""",
    every(imputed, within_seven, two_branches=True),
    mutant("ln(b+1) - ln o at all p", {"two_branches": False}),
    reading="""eps_D is budget (7), as the reason given shows: 'since the maximum stratum size b is reduced'. A smaller
    budget of one universe need not do (psa.variants.imputed.smaller)""",
)

needs_more = lambda left, psa: not no_more(left, psa, 1)

own("psa.variants.imputed.smaller", _C2)(
    """A budget of the PSA below (7), of one universe, may be too small for the PSA that leaves imputed records in
    place.""",
    some(left_in_place, needs_more),
    mutant("on every universe", every(left_in_place, needs_more)),
)

# noise before the swap, and perturbed cells after it: article, section 6.2

_EXTENDS = "article, section 6.2"
_RATE = Fraction(1, 3)
# all tables with these row margins
_tables_with_rows = lambda rows, columns: tuple(
    product(*([line for line in product(range(n + 1), repeat=columns) if sum(line) == n] for n in rows))
)
noisy = cases("one stratum, n <= 2 records, 2 or 3 swapping categories; r = 1/5, 1/2 and p = 0, 1/3, 1", "laws k r")(
    lambda: (
        (laws_of_tables(noise_before_swapping, _tables_with_rows(row, k), **given), k, r)
        for rows in [[one for n in (1, 2) for one in margins_of_size(n, 2)]]
        for row, k, r, p in product(rows, (2, 3), (Fraction(1, 5), Fraction(1, 2)), (0, _RATE, 1))
        for given in [{"categories": range(k), "replace_rate": r, "swap_rate": p}]
    )
)

noise_first = lambda share, k, r, laws: all(ratio**share <= (1 + k * (1 - r) / r) ** d for ratio, d in needs(laws))

own("psa.variants.noise-before", _EXTENDS)(
    """If each swapping value is replaced, with probability r in (0, 1), by a uniform one of k categories before the
    PSA, then for each p the mechanism satisfies, on each universe given by n_mh. alone, d_HamS and D_Mult with budget
    ln(1 + k(1 - r)/r).""",
    every(noisy, noise_first, share=1),
    mutant("half of the budget", {"share": 2}),
)

_CHANGED = "counts changed by at most one"
perturbed = cases(
    f"one stratum, n <= 3 records, at most 3 x 3 categories; {_CHANGED}; p = 1/20, 1/2, 19/20", "laws psa"
)(
    lambda: (
        (laws, kernel(margins, p))
        for margins, p in product(small_universes(3), RATES)
        for laws in [laws_on_universe(cell_key_after_swapping, margins, perturbation=one_more_or_less, swap_rate=p)]
    )
)

own("psa.variants.cell-key.after", _EXTENDS)(
    """The PSA followed by cell-key perturbation satisfies the PSA's flavor with the PSA's smallest budget on each
    universe of the swapping invariants.""",
    every(perturbed, lambda laws, psa, share: no_more(laws, psa, share), share=1),
    mutant("half of the PSA's smallest budget", {"share": 2}),
)

# the laws on the data sets of so many universes of one size together
_unions = lambda scope, universes: cases(
    f"one stratum, n <= 3 records, 2 x 2 categories, some perhaps empty; {_CHANGED}; p = 1/3; {scope}", "laws"
)(
    lambda: (
        {x: laws[x] for one in chosen for x in grid if margins[x] == one}
        for size in range(1, 4)
        for grid in [tuple(((a, b), (c, d)) for ((a, b, c, d),) in _tables_with_rows((size,), 4))]
        for laws in [laws_of_tables(cell_key_after_swapping, grid, perturbation=one_more_or_less, swap_rate=_RATE)]
        for margins in [{x: (row_margins(x), column_margins(x)) for x in grid}]
        for chosen in combinations(dict.fromkeys(margins.values()), universes)
    )
)

own("psa.variants.cell-key.invariants", _EXTENDS)(
    """Cell-key perturbation that keeps empty cells empty and adds -1, 0 or 1 to each other count, each with
    positive probability, does not remove the need for the PSA's invariants: for 0 < p < 1 and on the union of two
    universes of one stratum with the same number of records and different margins, no finite budget holds under
    d_HamS and D_Mult.""",
    every(_unions("every two universes of one size", 2), lambda laws: not common_support(laws)),
    mutant("equal margins", _unions("every universe", 1)),
)
