"""What swapping costs: the table of balanced universes, fibre noise, the floor of all mechanisms."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.fibre_noise import fibre_law, fibre_noise, noisy_table, sensitivity
from stirred.mechanisms.swapping.permutation_counts import derangements, psa_law
from stirred.spec.blocks.tables import contingency_tables
from stirred.spec.budgets.loss import Loss
from stirred.verify.engines.swapping.floor import ERRORS, ReleaseProblem, line_multipliers, weighted_fibre
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.engines.swapping.variant_loss import small_universes
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import argued, cases, every, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.psa.cases import needs
from stirred.verify.ledger.engines.budget_sweep import several_strata
from stirred.verify.ledger.language_names import ln
from stirred.verify.ledger.words import likelihood_ratio, table_distance

# fibre noise: its budget on every shape of universe, and the line, where it is the clamped geometric mechanism

_RATIOS = (Fraction(1, 9), Fraction(1, 2), Fraction(9, 10))
_SHOWN = "alpha = 1/9, 1/2, 9/10"
GROWN = "article, Appendix B and Algorithm 1"

# budgets in halves of ln(1/alpha): the ratio of a pair against alpha^(-share*d/2)
noise_is_enough = lambda laws, alpha, share: all(ratio**2 * alpha ** (share * d) <= 1 for ratio, d in needs(laws))
noise_is_attained = lambda laws, alpha, share: any(ratio**2 * alpha ** (share * d) == 1 for ratio, d in needs(laws))
clamped_line = lambda x, z, m, alpha: alpha ** abs(z - x) * (1 if z in (0, m) else 1 - alpha) / (1 + alpha)
_laws = lambda tables, alpha: {x: fibre_law(x, alpha) for x in tables}

_fibres = lambda scope, universes: cases(f"{scope}; {_SHOWN}", "laws alpha share")(
    lambda: (
        (_laws(contingency_tables(rows, columns), alpha), alpha, int(2 * sensitivity(len(rows), len(columns))))
        for (rows, columns), alpha in product(universes, _RATIOS)
    )
)
small_fibres = _fibres("one stratum, n <= 6 records, at most 3 x 3 categories", list(small_universes(6)))
fibres_of_each_shape = _fibres(
    "margins (2, 2), (2, 2, 2) and (3, 3) against each other as far as totals agree",
    (((2, 2), (2, 2)), ((3, 3), (2, 2, 2)), ((2, 2, 2), (2, 2, 2))),
)

followed = cases(
    "one stratum, n <= 4 records, at most 3 x 3 categories; alpha = 1/3; every choice followed", "law followed"
)(
    lambda: (
        (fibre_law(x, alpha), exact_law(noisy_table, x, ratio=alpha))
        for rows, columns in small_universes(4)
        for x in contingency_tables(rows, columns)
        for alpha in [Fraction(1, 3)]
    )
)

two_strata = cases("two strata of 2 and 3 records, at most 3 categories; e^(-eps/2) = 1/2", "laws")(
    lambda: (
        {x: exact_law(fibre_noise, _records(x), root=Fraction(1, 2)) for x in product(*sides)}
        for universe in several_strata((2, 3), 3)
        for sides in [[contingency_tables(*margins) for margins in universe]]
    )
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
    theorem("fibre_noise.fibre_noise_private", within="the law of each cell as it is followed here"),
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
    "margins (m, m) on both sides, m <= 6, and the law of the line 0, ..., m; alpha = 1/9, 1/2, 9/10", "law x m alpha"
)(
    lambda: (
        ({z[0][0]: law.numeric(z) for z in law}, x[0][0], m, alpha)
        for m, alpha in product(range(1, 7), _RATIOS)
        for x in contingency_tables((m, m), (m, m))
        for law in [fibre_law(x, alpha)]
    )
)

line_laws = cases(f"margins (m, m) on both sides, m <= 6; {_SHOWN}", "laws alpha")(
    lambda: ((_laws(contingency_tables((m, m), (m, m)), alpha), alpha) for m, alpha in product(range(1, 7), _RATIOS))
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

# what swapping costs: the table of balanced universes, the floor of all mechanisms, and where each is attained

_HALF, _TENTH = Fraction(1, 2), Fraction(1, 10)

_TABLE: Mapping[tuple[Fraction, int], tuple[str, str, str]] = {
    (_HALF, 8): ("0.977", "0.454", "0.283"),
    (_HALF, 16): ("1.041", "0.654", "0.253"),
    (_HALF, 32): ("1.070", "0.950", "0.238"),
    (_HALF, 48): ("1.080", "1.174", "0.234"),
    (_TENTH, 8): ("2.870", "0.0957", "0.0064"),
    (_TENTH, 16): ("2.909", "0.244", "0.0060"),
    (_TENTH, 32): ("2.927", "0.405", "0.0057"),
    (_TENTH, 48): ("2.933", "0.516", "0.0057"),
}
"""By p and n: the PSA's loss, its mean change of a cell from the middle of the line, and that of fibre noise."""

_balanced_loss = cache(universe_loss)

_middle = lambda n: ((n // 4, n // 4), (n // 4, n // 4))
_mean_change = lambda law, x: sum((Fraction(q) * abs(z[0][0] - x[0][0]) for z, q in law.items()), Fraction(0))
_half_unit = lambda text: Fraction(1, 2 * 10 ** len(text.partition(".")[2]))

# e^(2ε) of the PSA's exact loss, the two mean changes from the middle, and what stands in the table
balanced_table = cases(
    "margins (n/2, n/2) on both sides, n = 8, 16, 32, 48; p = 1/2 and 1/10", "n o gamma swap noise stated half_units"
)(
    lambda: (
        (n, p / (1 - p), gamma, *changes, tuple(map(Fraction, stated)), tuple(map(_half_unit, stated)))
        for (p, n), stated in _TABLE.items()
        for x in [_middle(n)]
        for gamma in [Fraction(_balanced_loss((n // 2, n // 2), (n // 2, n // 2), p).gamma or 0)]
        for changes in [[_mean_change(law, x) for law in (psa_law(x, p), fibre_law(x, 1 / gamma))]]
    )
)

balanced_gamma = lambda n, o: (
    (
        derangements(n) / derangements(n - 2) / o**2
        + (n - 2) * derangements(n) / derangements(n - 1) / o
        + (n / 2 - 1) ** 2
    )
    / (n / 2) ** 2
)
middle_noise = lambda a, c: 2 * a * (1 - a**c) / (1 - a**2)


def _mean_by_receivers(n: int, p: Fraction) -> Fraction:
    """E|Z − x| from the middle, by the numbers selected of each cell and those that receive each value."""
    c, q = n // 4, 1 - p
    weight = lambda kept: p ** sum(kept) * q ** (n - sum(kept)) * prod(comb(c, one) for one in kept)
    means = (weight(kept) * _mean_received(kept) for kept in product(range(c + 1), repeat=4) if sum(kept) != 1)
    return sum(means, Fraction(0)) / (1 - n * p * q ** (n - 1))


@cache
def _mean_received(kept: tuple[int, int, int, int]) -> Fraction:
    a, b, c, d = kept
    ones, twos = a + c, b + d
    mass, moved = Fraction(0), Fraction(0)
    for i, j, k in product(range(a + 1), range(b + 1), range(c + 1)):  # who of a, b and c receives the first value
        last = ones - i - j - k
        if 0 <= last <= d:
            stay = _no_fixed_point(i + k, ones) * _no_fixed_point(b - j + d - last, twos)
            share = comb(a, i) * comb(b, j) * comb(c, k) * comb(d, last) * stay
            mass += share
            moved += share * abs(i + j - a)
    return moved / mass


def _no_fixed_point(both: int, count: int) -> Fraction:
    """The share of bijections of `count` elements that fix none of the `both` that lie on both sides."""
    total, factor = Fraction(0), Fraction(1)
    for j in range(both + 1):
        total += factor * (-1) ** j * comb(both, j)
        factor /= max(count - j, 1)
    return total


own("price.table", GROWN)(
    """In the universes of one stratum with margins (n/2, n/2) on both sides, n = 8, 16, 32, 48, the PSA has at p = 1/2
    the loss 0.977, 1.041, 1.070, 1.080 and changes a cell of the middle table by 0.454, 0.654, 0.950, 1.174 in the
    mean, where the clamped geometric mechanism with the same invariants and loss changes it by 0.283, 0.253, 0.238,
    0.234; at p = 1/10 by 0.0957, 0.244, 0.405, 0.516 and 0.0064, 0.0060, 0.0057, 0.0057, at the losses 2.870, 2.909,
    2.927, 2.933.""",
    every(
        balanced_table,
        lambda gamma, swap, noise, stated, half_units: all(
            abs(v - s) <= h for v, s, h in zip([ln(gamma) / 2, swap, noise], stated, half_units)
        ),
        verdict=Verdict.ENCLOSED,
    ),
    mutant("neighbours at d_HamS = 1", lambda gamma, stated, half_units: abs(ln(gamma) - stated[0]) <= half_units[0]),
    mutant("noise that is not clamped", lambda gamma, noise: noise == 2 * (1 / gamma) / (1 - gamma**-2)),
    every(balanced_table, lambda n, o, gamma: gamma == balanced_gamma(n, o)),
    every(balanced_table, lambda n, gamma, noise: noise == middle_noise(1 / gamma, n // 4)),
    every(
        cases(
            "the middle of the line, n = 8, 12; p = 1/2, 1/10; by permutations, and by selected records and receivers",
            "a b",
        )(
            lambda: (
                (_mean_change(psa_law(x, p), x), _mean_by_receivers(n, p))
                for n, p in product((8, 12), (_HALF, _TENTH))
                for x in [_middle(n)]
            )
        ),
        lambda a, b: a == b,
    ),
    reading="""exact, each number to its last decimal; derived twice: the loss by the closed form of psa.exact.balanced,
    the change by noise in closed form, that by the PSA at n = 8 and 12 by selected records and receivers too""",
)


def _line_case(m: int, alpha: Fraction, error: str) -> tuple[Any, ...]:
    """The line's costs, the clamped geometric law, the multipliers v_xy(z) that fit it, and e^(2ε)."""
    problem = ReleaseProblem.of((m, m), (m, m), Loss(1 / alpha, 2), error)
    tables = sorted(problem.tables)
    laws = [fibre_law(x, alpha) for x in tables]
    law = tuple(tuple(one.numeric(z) for z in tables) for one in laws)
    costs = tuple(tuple(ERRORS[error](x, z) / len(tables) for z in tables) for x in tables)
    found = line_multipliers(law, costs, 1 / alpha)
    return costs, law, {pair: tuple(many) for pair, many in found.items()}, 1 / alpha


reduced = lambda costs, v, g, x, z: (
    costs[x][z] + sum(v[p][z] for p in v if p[0] == x) - g * sum(v[p][z] for p in v if p[1] == x)
)
least_error = lambda costs, v, g: sum(
    min([reduced(costs, v, g, x, z) for z in range(len(costs))]) for x in range(len(costs))
)
error_of = lambda costs, law: sum(c * q for row, line in zip(costs, law) for c, q in zip(row, line))
is_remapped = lambda costs, law: any(
    sum(law[x][z] * (costs[x][t] - costs[x][z]) for x in range(len(costs))) < 0
    for z in range(len(costs))
    for t in range(len(costs))
)

_NAMES = "costs law v g"
_lines = lambda words, error, *ratios: cases(
    f"lines of 2 to 9 tables, uniform prior; {words}; alpha = {', '.join(ratios)}", _NAMES
)(lambda: (_line_case(m, Fraction(alpha), error) for m, alpha in product(range(1, 9), ratios)))
changed_lines = _lines("the probability of a change", "changed", "1/9", "1/2", "9/10")
absolute_lines = _lines("the mean change of a cell", "absolute", "1/9", "1/3", "1/2")
squared_lines = _lines("the mean squared change of a cell", "squared", "1/9", "1/3")
beyond_lines = cases("lines of 9 tables: absolute at alpha = 3/5, squared at alpha = 1/2", _NAMES)(
    lambda: [_line_case(8, Fraction(3, 5), "absolute"), _line_case(8, _HALF, "squared")]
)

multipliers_prove_floor = lambda costs, law, v, g: (
    all(one >= 0 for p in v for one in v[p]) and least_error(costs, v, g) == error_of(costs, law)
)

own("price.floor.lines", GROWN)(
    """On a line of N >= 2 tables (two rows, two columns) and over a uniform prior no mechanism with the same invariants
    and budget (1/2)*ln(1/alpha) has a smaller mean error c(|z - x|) than the clamped geometric mechanism, if c(0) = 0,
    c does not decrease, and alpha*(c(1) - c(0)) + … + alpha^m*(c(m) - c(m-1)) <= c(1) for every m: for every N so for
    the probability of a change at every alpha, for the mean change of a cell at alpha <= 1/2, for its mean square at
    alpha <= 1/3.""",
    theorem("weighted_release.line_floor", "weighted_release.line_floor_errors", within="every length"),
    every(changed_lines, multipliers_prove_floor),
    mutant("at alpha = 3/5 and 1/2", beyond_lines),
    every(absolute_lines, multipliers_prove_floor),
    every(squared_lines, multipliers_prove_floor),
    every(changed_lines, lambda costs, law: not is_remapped(costs, law)),
    mutant("at alpha = 3/5 and 1/2, by readings", beyond_lines),
    every(absolute_lines, lambda costs, law: not is_remapped(costs, law)),
    every(squared_lines, lambda costs, law: not is_remapped(costs, law)),
    reading="""in cases, lines of 2 to 9 tables: multipliers of the constraints that prove it, exact; and, derived in
    another way, no output read as another one has a smaller error, which universal optimality makes enough""",
)

own("price.floor.beyond", GROWN)(
    """At larger alpha the clamped geometric mechanism itself is not the best for each error: on a line of 9 tables at
    alpha = 3/5 for the mean change of a cell, and at alpha = 1/2 for its mean square, to read an output near an end as
    its neighbour has a smaller error at the same budget.""",
    every(beyond_lines, lambda costs, law: is_remapped(costs, law)),
    mutant("for the probability of a change too", changed_lines),
)

own("price.floor.changed", GROWN)(
    """On N >= 2 points with the distance 2*|i - j| no mechanism with the budget (1/2)*ln(1/alpha) leaves the point
    unchanged, over a uniform prior, with a larger probability than the clamped geometric mechanism with ratio alpha;
    for every N and alpha.""",
    theorem("weighted_release.clamped_geometric", within="every length"),
    every(
        changed_lines,
        lambda costs, law, g: error_of(costs, law) == 1 - (2 + (len(law) - 2) * (1 - 1 / g)) / (1 + 1 / g) / len(law),
    ),
    mutant("without the ends", lambda costs, law, g: error_of(costs, law) == 1 - (1 - 1 / g) / (1 + 1 / g)),
    reading="tables of two rows and two columns with given margins are such points under d_HamS",
)

weighted_universes = cases(
    "one stratum, n <= 6 records, at most 3 x 3 categories, with weights >= 0; e^(2 eps) = 4, 9", "laws weights beta"
)(
    lambda: (
        (laws, dict(zip(tables, found.weights, strict=True)), Fraction(1, root))
        for (rows, columns), root in product(small_universes(6), (2, 3))
        for tables in [contingency_tables(rows, columns)]
        if len(tables) > 1 and (found := weighted_fibre(tables, Loss(Fraction(root)))) is not None
        for laws in [{x: dict(zip(tables, row, strict=True)) for x, row in zip(tables, found.mechanism, strict=True)}]
    )
)

budget = lambda laws, beta: all(
    laws[x][z] * beta ** table_distance(x, y) <= laws[y][z] for x in laws for y in laws for z in laws
)
half_the_budget = lambda laws, beta: all(
    laws[x][z] ** 2 * beta ** table_distance(x, y) <= laws[y][z] ** 2 for x in laws for y in laws for z in laws
)

own("price.weighting", GROWN)(
    """Let d be a metric on finitely many points, and weights w >= 0 have sum_z w(z)*e^(-eps*d(x, z)) = 1 for all x.
    Then P_x(z) = w(z)*e^(-eps*d(x, z)) is a mechanism with the budget eps, and no mechanism with this budget leaves the
    point unchanged, over a uniform prior, with a larger probability.""",
    theorem("weighted_release.weighted_release", within="finitely many points"),
    every(weighted_universes, lambda laws: all(sum(laws[x][z] for z in laws) == 1 for x in laws)),
    mutant("the budget eps/2", half_the_budget),
    every(weighted_universes, budget),
    every(weighted_universes, lambda laws, weights: sum(laws[x][x] for x in laws) == sum(weights[z] for z in laws)),
    reading="by e^(-eps*d), a kernel with the triangle inequality; in cases: the tables of a universe under d_HamS",
)

own("price.limit", GROWN)(
    """In the universes of margins (m, m) on both sides, n = 2m, as m grows and p in (0, 1/2] stays, the PSA changes a
    cell of the middle table by sqrt(n*p*(2-p)/(8*pi)) on average, up to a factor that tends to 1, and the clamped
    geometric mechanism with its loss by 2*a/(1-a^2) in the limit, a = (p/(2-p))^2: at the middle table, the price of
    swapping grows like sqrt(n).""",
    argued(
        "all p in (0, 1/2]",
        proof="""Given the numbers k_hs that are selected of each cell, which are independent and binomial but
            for an event of vanishing probability, the first row receives the first value as often as a hypergeometric
            law has it, but for the condition that no record keeps its own value, which changes its mean and its
            variance by a vanishing share. So Z - x has the variance n*p/16 of that law, and the variance n*p*(1-p)/16
            of its mean less k_11, which is (k_12 + k_21 - k_11 - k_22)/4 but for a vanishing share; both are
            asymptotically normal and independent, and the mean of |N(0, s^2)| is s*sqrt(2/pi). By psa.exact.balanced
            the loss tends to ln(1 + 2/o) = ln((2-p)/p), and noise from the middle of a long line changes a cell by
            2*a/(1-a^2).""",
    ),
)

# variances of a cell's published count, at every table of a universe, and the losses as e^(2 eps)
_variances = lambda laws: tuple(
    sum(Fraction(q) * (z[0][0] - middle) ** 2 for z, q in law.items())
    for law in laws
    for middle in [sum(Fraction(q) * z[0][0] for z, q in law.items())]
)
_noise_and = lambda scope, others: cases(scope, "variances other_variances gamma other_gamma")(
    lambda: (
        (_variances([fibre_law(x, 1 / gamma) for x in tables]), *other(tables), gamma, other_gamma)
        for m in (6, 4)
        for tables in [contingency_tables((m, m), (m, m))]
        for gamma in map(Fraction, (5, 6))
        for other, other_gamma in others(m)
    )
)
noise_and_psa = _noise_and(
    "margins (m, m) on both sides, m = 6 and 4: geometric noise clamped at both ends, alpha = 1/5 and 1/6, and the PSA "
    "at p = 1/2",
    lambda m: [
        (
            lambda tables: [_variances([psa_law(x, _HALF) for x in tables])],
            Fraction(_balanced_loss((m, m), (m, m), _HALF).gamma or 0),
        )
    ],
)
two_noises = _noise_and(
    "the same universes: clamped geometric noise, alpha = 1/5 and 1/6, and alpha = 1/2, 1/3, 1/5, 1/9",
    lambda _: [
        (lambda tables, g=g: [_variances([fibre_law(x, 1 / g) for x in tables])], g)
        for g in map(Fraction, (2, 3, 5, 9))
    ],
)
is_ordered = lambda variances, other_variances, gamma, other_gamma: all(
    (a < b) == (gamma > other_gamma) for a, b in zip(variances, other_variances)
)

state("pairwise.variance.less-private", "swapping study, section 4.3")(
    """Given the connection between variance and privacy described above, these observations suggest that our swapping
    algorithm with realistic swap rates likely has lower variance, and therefore lower privacy, than TopDown.""",
    every(two_noises, is_ordered),
    mutant("noise and the PSA", noise_and_psa),
    reading="""the inference, not the finding on their data. The connection: privacy needs noise, and the variance says
    how much there is. So it is of noise of one kind, where the lower variance everywhere has the larger loss; see
    pairwise.variance.two-kinds. In the PSA's flavor their swapping has no finite budget (pairwise.guarantee)""",
)

own("pairwise.variance.two-kinds", "swapping study, section 4.3")(
    """Of mechanisms of different kinds variance alone does not order losses: there are geometric noise on a line of
    tables, clamped at both ends, and the PSA on the same tables, where the noise has the lower variance of the cell
    everywhere, and the smaller loss.""",
    some(
        noise_and_psa,
        lambda variances, other_variances, gamma, other_gamma: (
            all(a < b for a, b in zip(variances, other_variances)) and gamma < other_gamma
        ),
    ),
    mutant("two noises", two_noises),
)
