"""Fibre noise: its budget on every shape of universe, and the line, where it is the clamped geometric mechanism."""

from fractions import Fraction
from itertools import product

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.fibre_noise import fibre_law, fibre_noise, noisy_table, sensitivity
from stirred.spec.blocks.tables import contingency_tables
from stirred.verify.engines.swapping.variant_loss import small_universes
from stirred.verify.ledger import cases, every, mutant, own, theorem
from stirred.verify.ledger.claims.psa.cases import needs
from stirred.verify.ledger.engines.budget_sweep import several_strata
from stirred.verify.ledger.words import likelihood_ratio, table_distance

_RATIOS = (Fraction(1, 9), Fraction(1, 2), Fraction(9, 10))
_SHOWN = "alpha = 1/9, 1/2, 9/10"
GROWN = "article, Appendix B and Algorithm 1"

# budgets in halves of ln(1/alpha): the ratio of a pair against alpha^(-share*d/2)
noise_is_enough = lambda laws, alpha, share: all(ratio**2 * alpha ** (share * d) <= 1 for ratio, d in needs(laws))
noise_is_attained = lambda laws, alpha, share: any(ratio**2 * alpha ** (share * d) == 1 for ratio, d in needs(laws))
clamped_line = lambda x, z, m, alpha: alpha ** abs(z - x) * (1 if z in (0, m) else 1 - alpha) / (1 + alpha)
_laws = lambda tables, alpha: {x: fibre_law(x, alpha) for x in tables}

_fibres = lambda scope, universes: cases(
    f"{scope}; {_SHOWN}",
    "laws alpha share",
    lambda: (
        (_laws(contingency_tables(rows, columns), alpha), alpha, int(2 * sensitivity(len(rows), len(columns))))
        for (rows, columns), alpha in product(universes, _RATIOS)
    ),
)
small_fibres = _fibres("one stratum, n <= 6 records, at most 3 x 3 categories", list(small_universes(6)))
fibres_of_each_shape = _fibres(
    "margins (2, 2), (2, 2, 2) and (3, 3) against each other as far as totals agree",
    (((2, 2), (2, 2)), ((3, 3), (2, 2, 2)), ((2, 2, 2), (2, 2, 2))),
)

followed = cases(
    "one stratum, n <= 4 records, at most 3 x 3 categories; alpha = 1/3; every choice followed",
    "law followed",
    lambda: (
        (fibre_law(x, alpha), exact_law(noisy_table, x, ratio=alpha))
        for rows, columns in small_universes(4)
        for x in contingency_tables(rows, columns)
        for alpha in [Fraction(1, 3)]
    ),
)

two_strata = cases(
    "two strata of 2 and 3 records, at most 3 categories; e^(-eps/2) = 1/2",
    "laws",
    lambda: (
        {x: exact_law(fibre_noise, _records(x), root=Fraction(1, 2)) for x in product(*sides)}
        for universe in several_strata((2, 3), 3)
        for sides in [[contingency_tables(*margins) for margins in universe]]
    ),
)

_records = lambda x: tuple(
    (m, h, s) for m, t in enumerate(x) for h, row in enumerate(t) for s, n in enumerate(row) for _ in range(n)
)
strata_at_half_the_budget = lambda laws: all(
    likelihood_ratio(laws[x], laws[y]) <= 2 ** sum(table_distance(t, u) for t, u in zip(x, y))
    for x in laws
    for y in laws
)
of_strata = lambda laws: all(
    likelihood_ratio(laws[x], laws[y]) <= 4 ** sum(table_distance(t, u) for t, u in zip(x, y))
    for x in laws
    for y in laws
)

own("price.fibre.budget", GROWN)(
    """Fibre noise with ratio alpha, on a universe of one stratum, has the budget kappa*ln(1/alpha): kappa = 1/2 for two
    rows and two columns, 1 if only one side has two, 2 otherwise. So alpha = e^(-eps/kappa) has the budget eps, in
    universes of several strata too.""",
    every(small_fibres, lambda laws, alpha, share: noise_is_enough(laws, alpha, share)),
    every(fibres_of_each_shape, lambda laws, alpha, share: noise_is_attained(laws, alpha, share)),
    mutant(
        "half of kappa",
        lambda laws, alpha, share: all(ratio**4 * alpha ** (share * d) <= 1 for ratio, d in needs(laws)),
    ),
    every(followed, lambda law, followed: law == followed),
    every(two_strata, of_strata),
    mutant("e^(eps/2)", strata_at_half_the_budget),
    reading="share = 2*kappa; a universe of each shape attains its kappa, so that no smaller one will do for the shape",
)

lines = cases(
    "margins (m, m) on both sides, m <= 6, and the law of the line 0, ..., m; alpha = 1/9, 1/2, 9/10",
    "law x m alpha",
    lambda: (
        ({z[0][0]: law.numeric(z) for z in law}, x[0][0], m, alpha)
        for m, alpha in product(range(1, 7), _RATIOS)
        for x in contingency_tables((m, m), (m, m))
        for law in [fibre_law(x, alpha)]
    ),
)

line_laws = cases(
    f"margins (m, m) on both sides, m <= 6; {_SHOWN}",
    "laws alpha",
    lambda: ((_laws(contingency_tables((m, m), (m, m)), alpha), alpha) for m, alpha in product(range(1, 7), _RATIOS)),
)

own("price.fibre.line", GROWN)(
    """On the points 0, ..., n+1 with the distance 2*|i - j| the geometric mechanism with ratio alpha, clamped at both
    ends, has the loss (1/2)*ln(1/alpha), for every n and every alpha in (0, 1).""",
    theorem("weighted_release.clamped_geometric", within="every length"),
    every(lines, lambda law, x, m, alpha: all(law[z] == clamped_line(x, z, m, alpha) for z in law)),
    every(
        line_laws,
        lambda laws, alpha: (
            max([1] + [ratio for ratio, d in needs(laws) if d == 2]) * alpha == 1 and noise_is_enough(laws, alpha, 1)
        ),
    ),
    mutant("a quarter of ln(1/alpha)", lambda laws, alpha: all(ratio**4 * alpha**d <= 1 for ratio, d in needs(laws))),
    mutant(
        "truncated and renormalised",
        every(
            lines,
            lambda law, x, alpha: all(
                law[z] == alpha ** abs(z - x) / sum(alpha ** abs(t - x) for t in law) for z in law
            ),
        ),
    ),
    reading="""tables of two rows and two columns with given margins are such points under d_HamS, and fibre noise is
    this mechanism on them: compared for margins (m, m), m <= 6""",
)
