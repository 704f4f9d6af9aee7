"""What swapping costs over all tables: the PSA draws them towards independence, by an exact formula."""

from fractions import Fraction
from itertools import product

from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.spec.blocks.tables import contingency_tables
from stirred.verify.engines.swapping.variant_loss import small_universes
from stirred.verify.ledger import cases, every, mutant, own, theorem
from stirred.verify.ledger.claims.price.fibre_noise import GROWN
from stirred.verify.ledger.claims.psa.cases import CATEGORIES
from stirred.verify.ledger.claims.psa_exact.universes import chance_to_move
from stirred.verify.ledger.words import column_margins, row_margins

_RATES = tuple(map(Fraction, ("1/20", "1/2", "19/20")))
mean_cell = lambda law, h, s: sum([law[z] * z[h][s] for z in law])
at_independence = lambda x, h, s, n: row_margins(x)[h] * column_margins(x)[s] / n
shrinking = lambda n, p: chance_to_move(n, p) * n / (n - 1)

_laws = cases(
    "one stratum of n <= 6 records, at most 3 x 3 categories, all x, all cells; p = 1/20, 1/2, 19/20", "law x n p"
)(
    lambda: (
        (dict(psa_law(x, p)), x, sum(rows), p)
        for (rows, columns), p in product(small_universes(6), _RATES)
        for x in contingency_tables(rows, columns)
    )
)

own("price.bias", GROWN)(
    """In one stratum of n >= 2 records, with any categories and for all p, the mean of a cell of the PSA's output
    is x_hs - mu*n/(n-1)*(x_hs - x_h.*x_.s/n), where x_hs is that cell of the input, x_h. and x_.s its margins, and
    mu the probability that a record moves, p*(1-(1-p)^(n-1))/(1-n*p*(1-p)^(n-1)): the PSA draws each table towards
    independence.""",
    theorem("mean_table.mean_table", within=CATEGORIES),
    every(
        _laws,
        lambda law, x, n, p: all(
            mean_cell(law, h, s) == x[h][s] - shrinking(n, p) * (x[h][s] - at_independence(x, h, s, n))
            for h in range(len(x))
            for s in range(len(x[0]))
        ),
    ),
    mutant(
        "without n/(n-1)",
        lambda law, x, n, p: all(
            mean_cell(law, h, s) == x[h][s] - chance_to_move(n, p) * (x[h][s] - at_independence(x, h, s, n))
            for h in range(len(x))
            for s in range(len(x[0]))
        ),
    ),
)

lines = cases("margins (m, m) on both sides, n = 2*m <= 20; p = 1/10, 1/2, 3/4, where n*p >= 1", "laws m p")(
    lambda: (
        (
            [{z[0][0]: q for z, q in psa_law(x, p).items()} for x in sorted(contingency_tables((m, m), (m, m)))],
            m,
            p,
        )
        for m, p in product(range(1, 11), map(Fraction, ("1/10", "1/2", "3/4")))
        if 2 * m * p >= 1
    )
)
change_over_tables = lambda laws: sum([law[z] * abs(z - x) for x, law in enumerate(laws) for z in law]) / len(laws)

own("price.all-tables", GROWN)(
    """In the universe with margins (m, m) on both sides, n = 2*m, and over a uniform prior on its m + 1 tables, the
    mean change of a cell by the PSA is at least mu*n/(n-1)*n/8, mu being the probability that a record moves; this is
    at least p*n/8 if n*p >= 1.""",
    theorem("mean_table.uniform_change", "mean_table.half_rate", within=CATEGORIES),
    every(
        lines,
        lambda laws, m, p: change_over_tables(laws) >= shrinking(2 * m, p) * 2 * m / 8 >= p * 2 * m / 8,
    ),
    mutant("a quarter for an eighth", lambda laws, m, p: change_over_tables(laws) >= shrinking(2 * m, p) * 2 * m / 4),
)
