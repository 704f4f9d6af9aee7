"""The PSA's exact loss in single universes: what decides it, closed forms, and certified budgets for large strata."""

from fractions import Fraction
from functools import cache, partial
from itertools import product

from stirred.mechanisms.swapping.permutation_counts import move_weights, moved_counts, psa_law
from stirred.spec.blocks.tables import Table, contingency_tables, margins_of_size, table_distance
from stirred.spec.budgets.loss import Loss
from stirred.verify.engines.swapping.circuits import circuit_steps
from stirred.verify.engines.swapping.loss import representatives
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, mutant, own, settled, theorem
from stirred.verify.ledger.claims.psa.cases import CATEGORIES, is_nonnegative
from stirred.verify.ledger.claims.psa_exact.every_rate import GROWN, named_sign, universes
from stirred.verify.ledger.engines.polynomials import Branch, SwapRatio, decide_ratio, likelihood_polynomial
from stirred.verify.ledger.words import likelihood_ratio
from stirred.verify.ledger.words import table_distance as table_distance_word

_RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
_SHOWN = "p = 1/20, 1/2, 19/20"
chance_to_move = lambda n, p: p * (1 - (1 - p) ** (n - 1)) / (1 - n * p * (1 - p) ** (n - 1))
chance_to_come = lambda c, n, mu: mu * c / (n - 1)
chance_to_stay = lambda c, n, mu: 1 - mu + mu * (c - 1) / (n - 1)
within_known = lambda mass, steps, x, y: any(
    (mass[x] / mass[y]) ** table_distance_word(u, v) <= (mass[u] / mass[v]) ** table_distance_word(x, y)
    for u, v in steps
)

outputs = cases(
    f"one stratum of n <= 5 records, at most 4 x 4 categories, all x, x', z; {_SHOWN}",
    "tables steps z rate",
    lambda: (
        case
        for rows, columns in universes(2, 5)
        for tables in [contingency_tables(rows, columns)]
        for steps in [circuit_steps(tables)]
        for case in ((tables, steps, z, rate) for z in representatives(tables, rows, columns) for rate in _RATES)
    ),
)

_weights, _counts = cache(move_weights), cache(moved_counts)


def _probability(x: Table, z: Table, p: Fraction) -> Fraction:
    """P_x(z), as `likelihood` gives it, of which counts and weights are kept."""
    counts = _counts(x, z)
    return sum((n * w for n, w in zip(counts, _weights(len(counts) - 1, p), strict=True)), Fraction(0))


def circuits_decide(
    tables: tuple[Table, ...], steps: tuple[tuple[int, int, int], ...], z: Table, rate: Fraction, *, longest: int = 10
) -> Witness | None:
    """No pair of tables needs more at z than those that one circuit, of at most so many records, separates."""
    masses = [_probability(x, z, rate) for x in tables]
    tried = [(i, j, d) for i, j, d in steps if d <= longest]
    needed = {(i, j): Loss(max(Fraction(1), masses[i] / masses[j]), d) for i, j, d in tried}
    best = max(needed, key=needed.__getitem__)
    known = needed[best]
    mass, near = dict(zip(tables, masses, strict=True)), {(tables[u], tables[v]) for u, v, _ in tried}
    for (i, x), (j, y) in product(enumerate(tables), repeat=2):
        if masses[i] > masses[j] and Loss(masses[i] / masses[j], table_distance(x, y) or 1) > known:
            note = f"the probabilities of z = {z} by data set"
            says = lambda mass, steps, x, y: within_known(mass, steps, x, y)
            return failure(says, mass=mass, steps=near, x=x, y=y, note=note)
    return settled(
        True,
        lambda mass, steps, best: best in steps and all(within_known(mass, [best], x, y) for x in mass for y in mass),
        lambda: {"mass": mass, "steps": near, "best": tuple(tables[i] for i in best)},
    )


own("psa.exact.circuits", GROWN)(
    """In every universe of one stratum and for every swap rate, the smallest budget of the PSA is the largest (ln
    P_x(z) - ln P_x'(z))/d_HamS(x, x') over the x, x' that one circuit separates: x' arises from x by passing on the
    swapping categories of l records with different holding and different swapping categories in a circle, 2 <= l <=
    min(|H|, |S|) (the largest of none is 0, and no z counts where both probabilities are 0).""",
    theorem(
        *("table_circuits.circuits_decide", "table_circuits.psa_circuits"),
        *("table_circuits.circuit_chains", "table_circuits.circuit_changes"),
        within=CATEGORIES,
    ),
    every(outputs, circuits_decide),
    mutant("l = 2 only: exchanges of two records", {"longest": 2}),
)

# both sides, times 1 - n*p*(1-p)^(n-1), are polynomials in p of degree at most n, equal at n + 1 points
single_records = cases(
    "n <= 12, at most 4 columns, rows (1, n-1), all x, z; n + 1 values of p, which settle all p",
    "law x z n p",
    lambda: (
        ({z: _probability(x, z, p)}, x, z, n, p)
        for n in range(2, 13)
        for columns in margins_of_size(n, 4)
        for x, z in product(contingency_tables((1, n - 1), columns), repeat=2)
        for p in (Fraction(k, n + 2) for k in range(1, n + 2))
    ),
)
same_first_row = lambda x, z: 1 if x[0] == z[0] else 0

# By the columns s and t of the single record: mu*c_t/(n-1), or 1 - mu + mu*(c_s-1)/(n-1) where t = s.
single_law = lambda law, z, x, n, others, p: all(
    law[z]
    == mu * (sum((a + b) * k for a, b, k in zip(x[0], x[1], z[0])) - same_first_row(x, z)) / (n - others)
    + same_first_row(x, z) * (1 - mu)
    for mu in [chance_to_move(n, p)]
)

single_universes = cases(
    f"n <= 8, at most 4 columns, rows (1, n-1); {_SHOWN}",
    "laws columns n p",
    lambda: (
        (laws, columns, sum(columns), p)
        for columns, p in product(
            [side for n in range(2, 9) for side in margins_of_size(n, 4) if len(side) > 1], _RATES
        )
        for laws in [[psa_law(x, p) for x in contingency_tables((1, sum(columns) - 1), columns)]]
    ),
)

stay_over_come = lambda columns, n, mu: [chance_to_stay(c, n, mu) / chance_to_come(c, n, mu) for c in columns]
come_over_stay = lambda columns, n, mu: [chance_to_come(c, n, mu) / chance_to_stay(c, n, mu) for c in columns]
largest_ratio_of_laws = lambda laws: max(likelihood_ratio(u, v) for u in laws for v in laws)
single_record_loss = lambda laws, columns, n, p: all(
    largest_ratio_of_laws(laws) == max([1] + stay_over_come(columns, n, mu) + come_over_stay(columns, n, mu))
    for mu in [chance_to_move(n, p)]
)

own("psa.exact.single-record", GROWN)(
    """In a universe of one stratum of n >= 2 records, let one holding category hold one record and one other the rest,
    and let at least two swapping categories hold records: c_s > 0 of them in s. Then for all p in (0, 1) the loss is
    (1/2) ln of the largest of q_s/r_s and r_s/q_s over these swapping categories s, with q_s = 1 - mu +
    mu(c_s-1)/(n-1), r_s = mu*c_s/(n-1) and mu = p(1-(1-p)^(n-1))/(1-n*p*(1-p)^(n-1)).""",
    theorem(
        "single_record.single_record_loss",
        "single_record.single_record_budgets",
        "single_record.single_record_law",
        within=CATEGORIES,
    ),
    every(single_records, single_law, others=1),
    mutant("n for n-1 in the law", {"others": 0}),
    every(single_universes, single_record_loss),
    mutant(
        "q_s/r_s alone, without r_s/q_s",
        lambda laws, columns, n, p: (
            largest_ratio_of_laws(laws) == max([1] + stay_over_come(columns, n, chance_to_move(n, p)))
        ),
    ),
)

three_categories = cases(
    "4 <= n <= 16: x has its single records in their own row and column, y has exchanged them; all p in (0, 1)",
    "n x y",
    lambda: ((n, ((n - 2, 0, 0), (0, 1, 0), (0, 0, 1)), ((n - 2, 0, 0), (0, 0, 1), (0, 1, 0))) for n in range(4, 17)),
)


def grows(n: int, x: Table, y: Table, *, divisor: int = 4) -> Witness | None:
    """P_x(x)/P_y(x) >= n(n-1)(1-p)^2/divisor for all p."""
    inverse = SwapRatio(likelihood_polynomial(y, x), likelihood_polynomial(x, x), 2, (y, x, x))
    found = decide_ratio(inverse, (Branch((divisor, 2 * divisor, divisor), (n * (n - 1),), 2),))
    if not isinstance(found, Fraction):
        for one in found:
            settled(True, is_nonnegative, partial(named_sign, one))
        return None
    rate = found / (1 + found)
    says = lambda x, n, rate, divisor, p, q: divisor * p[x] >= n * (n - 1) * (1 - rate) ** 2 * q[x]
    return failure(says, x=x, n=n, rate=rate, divisor=divisor, p=psa_law(x, rate), q=psa_law(y, rate))


own("psa.exact.three-categories", GROWN)(
    """In the universe with row and column margins (n-2, 1, 1), n >= 4, the loss of the PSA is at least (1/2) ln(n(n-1))
    + ln(1-p) - ln 2 for all p in (0, 1): three categories on both sides suffice for the printed growth ln n.""",
    theorem("three_categories.three_categories", "three_categories.three_categories_universe", within=CATEGORIES),
    every(three_categories, grows, verdict=Verdict.EXHAUSTED),
    mutant("without - ln 2", {"divisor": 1}),
)
