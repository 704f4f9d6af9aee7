"""Noise before the swap, and perturbed cells after it: article, section 6.2."""

from fractions import Fraction
from itertools import combinations, product

from stirred.mechanisms.swapping.variants import cell_key_after_swapping, noise_before_swapping, one_more_or_less
from stirred.spec.blocks.tables import column_margins, margins_of_size, row_margins
from stirred.verify.engines.swapping.variant_loss import laws_of_tables, laws_on_universe, small_universes
from stirred.verify.ledger import cases, every, mutant, own
from stirred.verify.ledger.claims.psa.cases import kernel, needs, no_more
from stirred.verify.ledger.claims.swapping_variants.losses import RATES, common_support

_EXTENDS = "article, section 6.2"
_RATE = Fraction(1, 3)
# all tables with these row margins
_tables_with_rows = lambda rows, columns: tuple(
    product(*([line for line in product(range(n + 1), repeat=columns) if sum(line) == n] for n in rows))
)
noisy = cases(
    "one stratum, n <= 2 records, 2 or 3 swapping categories; r = 1/5, 1/2 and p = 0, 1/3, 1",
    "laws k r",
    lambda: (
        (laws_of_tables(noise_before_swapping, _tables_with_rows(row, k), **given), k, r)
        for rows in [[one for n in (1, 2) for one in margins_of_size(n, 2)]]
        for row, k, r, p in product(rows, (2, 3), (Fraction(1, 5), Fraction(1, 2)), (0, _RATE, 1))
        for given in [{"categories": range(k), "replace_rate": r, "swap_rate": p}]
    ),
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
    f"one stratum, n <= 3 records, at most 3 x 3 categories; {_CHANGED}; p = 1/20, 1/2, 19/20",
    "laws psa",
    lambda: (
        (laws, kernel(margins, p))
        for margins, p in product(small_universes(3), RATES)
        for laws in [laws_on_universe(cell_key_after_swapping, margins, perturbation=one_more_or_less, swap_rate=p)]
    ),
)

own("psa.variants.cell-key.after", _EXTENDS)(
    """The PSA followed by cell-key perturbation satisfies the PSA's flavor with the PSA's smallest budget on each
    universe of the swapping invariants.""",
    every(perturbed, lambda laws, psa, share: no_more(laws, psa, share), share=1),
    mutant("half of the PSA's smallest budget", {"share": 2}),
)

# the laws on the data sets of so many universes of one size together
_unions = lambda scope, universes: cases(
    f"one stratum, n <= 3 records, 2 x 2 categories, some perhaps empty; {_CHANGED}; p = 1/3; {scope}",
    "laws",
    lambda: (
        {x: laws[x] for one in chosen for x in grid if margins[x] == one}
        for size in range(1, 4)
        for grid in [tuple(((a, b), (c, d)) for ((a, b, c, d),) in _tables_with_rows((size,), 4))]
        for laws in [laws_of_tables(cell_key_after_swapping, grid, perturbation=one_more_or_less, swap_rate=_RATE)]
        for margins in [{x: (row_margins(x), column_margins(x)) for x in grid}]
        for chosen in combinations(dict.fromkeys(margins.values()), universes)
    ),
)

own("psa.variants.cell-key.invariants", _EXTENDS)(
    """Cell-key perturbation that keeps empty cells empty and adds -1, 0 or 1 to each other count, each with
    positive probability, does not remove the need for the PSA's invariants: for 0 < p < 1 and on the union of two
    universes of one stratum with the same number of records and different margins, no finite budget holds under
    d_HamS and D_Mult.""",
    every(_unions("every two universes of one size", 2), lambda laws: not common_support(laws)),
    mutant("equal margins", _unions("every universe", 1)),
)
