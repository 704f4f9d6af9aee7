"""The PSA's exact loss in single universes: what decides it, its growth, and large strata."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import comb, floor

from stirred.mechanisms.swapping.permutation_counts import derangements, move_weights, moved_counts, psa_law
from stirred.spec.blocks.tables import Table, contingency_tables, margins_of_size, table_distance
from stirred.spec.budgets.loss import Loss
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.swapping.balanced_rows import balanced_budget, balanced_certificates
from stirred.verify.engines.swapping.circuits import circuit_steps
from stirred.verify.engines.swapping.loss import representatives, universe_loss
from stirred.verify.engines.swapping.moved_mass import concentrated_certificate
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Check, argued, cases, every, failure, mutant, own, printed, settled, theorem
from stirred.verify.ledger.claims.psa.cases import CATEGORIES, is_nonnegative
from stirred.verify.ledger.claims.psa_exact.every_rate import GROWN, named_sign, universes
from stirred.verify.ledger.engines.polynomials import Branch, SwapRatio, decide_ratio, likelihood_polynomial
from stirred.verify.ledger.language_names import ln
from stirred.verify.ledger.words import likelihood_ratio
from stirred.verify.ledger.words import table_distance as table_distance_word

# universes whose loss grows with the number of records, where each row fills a column of its own

_RATES = tuple(map(Fraction, ("1/20", "1/4", "1/2", "3/4")))


def loss_squared(sizes: tuple[int, int], p: Fraction) -> Fraction:
    """e^(2 eps) of the loss of two rows and columns of such sizes, which must be needed at distance 2."""
    loss = universe_loss(sizes, sizes, p)
    if loss.gamma is None or loss.distance != 2:
        raise EngineError(f"the loss of {sizes} must be needed at distance 2")
    return loss.gamma


two_rows = cases(
    "rows and columns of n1 <= 40 and n2 <= 4 records, p = 1/20, 1/4, 1/2, 3/4; r is e^(2 eps) of the loss", "n1 n2 p r"
)(
    lambda: (
        (n1, n2, p, loss_squared((n1, n2), p))
        for n1, n2, p in product((2, 4, 8, 16, 40), (1, 2, 4), _RATES)
        if n2 < (1 - p) * (n1 + 1) and n2 <= n1
    )
)
small_row = lambda n2, k, r, p, n1: all((c - n2) ** 2 <= k * (c + 1) * r for c in {(1 - p) * (n1 + 1)})

own("psa.exact.threshold", GROWN)(
    """Fix p in (0, 1). In the universe of one stratum with two rows and two columns of n1 >= 2 and n2 >= 1 records,
    where n2 < c = (1-p)(n1+1), each budget eps of the PSA has e^(2 eps) >= (c-n2)^2/(12(c+1)). With o = p/(1-p) and b =
    n1+n2, each eps with e^(2 eps) at least o^2 and (b+1/2)/o^2 + (b-1)/o is a budget: the loss is (1/2) ln n + O(1)
    where n2/n1 stays below 1-p. Where it stays above, the loss stays bounded if p is rational: for s1 <= s2 with s1/s2
    > 1-p there are a budget and an N that serve all n1, n2 >= N with a quotient between s1/s2 and s2/s1.""",
    theorem(
        "lower_halves.short_row_loss",
        "two_categories.two_category_type_privacy",
        "balanced_limit.balanced_limit_pure_dp",
        within=CATEGORIES,
    ),
    every(two_rows, small_row, k=12),
    mutant("half of c + 1 for 12 times", {"k": Fraction(1, 2)}),
)


def mean_quotient(categories: int, records: int, p: Fraction) -> Fraction:
    """P_x(E)/P(E), where P is the mean of P_x' over the exchanges of a record of row A with one of row B.

    In x, each of the categories fills a row and a column, with so many records. E says that the records of A keep
    their column, and those of B theirs. The sums run over how many of A, of B and of the others move.
    """
    others, n, odds = (categories - 2) * records, categories * records, p / (1 - p)
    moves = [comb(records, a) * derangements(a) for a in range(records + 1)]
    mass = [odds**k / derangements(k) if derangements(k) else Fraction(0) for k in range(n + 1)] + [Fraction(0)] * 2
    kept = exchanged = Fraction(0)
    for a, b, e in product(range(records + 1), range(records + 1), range(others + 1)):
        ways, k = moves[a] * moves[b] * comb(others, e) * derangements(e), a + b + e
        still_a, still_b = records - a, records - b
        kept += ways * mass[k]
        once = still_a * b + a * still_b
        exchanged += ways * (a * b * mass[k] + once * mass[k + 1] + still_a * still_b * mass[k + 2])
    return records**2 * kept / exchanged


many_rows = cases(
    "H = 4, 5, 6 rows and columns of m = 1, 2, 4, 8 records; r is the mean quotient of an event", "H m p r"
)(
    lambda: (
        (categories, records, p, mean_quotient(categories, records, p))
        for categories, records, p in product((4, 5, 6), (1, 2, 4, 8), _RATES)
        if (1 - p) * (categories - 2) > 1
    )
)

equal_rows = lambda m, k, r, p, H: all(((c - 1) ** 2 * m) ** 2 <= (k * c) ** 2 * r for c in {(1 - p) * (H - 2)})

own("psa.exact.many-categories", GROWN)(
    """Let 0 < p < 1, o = p/(1-p), c = (1-p)(H-2) > 1 and m >= 1. In the universe of one stratum with H holding and H
    swapping categories of m of the n = H*m records each, max{o, (n+1)/o} is enough as e^eps for the PSA, and each
    budget has e^eps >= (c-1)^2*m/(5c): the loss is ln n + O(1) as n grows, as in (7).""",
    theorem("lower_halves.many_categories", within=CATEGORIES),
    every(many_rows, equal_rows, k=5),
    mutant("1/2 for 5", {"k": Fraction(1, 2)}),
    reading="the quotient of an event's probabilities under two data sets at distance 2 is at most e^(2 eps)",
)

# the PSA's exact loss in single universes: what decides it, closed forms, and certified budgets for large strata

_EDGE_RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
_SHOWN = "p = 1/20, 1/2, 19/20"
chance_to_move = lambda n, p: p * (1 - (1 - p) ** (n - 1)) / (1 - n * p * (1 - p) ** (n - 1))
chance_to_come = lambda c, n, mu: mu * c / (n - 1)
chance_to_stay = lambda c, n, mu: 1 - mu + mu * (c - 1) / (n - 1)
within_known = lambda mass, steps, x, y: any(
    (mass[x] / mass[y]) ** table_distance_word(u, v) <= (mass[u] / mass[v]) ** table_distance_word(x, y)
    for u, v in steps
)

outputs = cases(
    f"one stratum of n <= 5 records, at most 4 x 4 categories, all x, x', z; {_SHOWN}", "tables steps z rate"
)(
    lambda: (
        case
        for rows, columns in universes(2, 5)
        for tables in [contingency_tables(rows, columns)]
        for steps in [circuit_steps(tables)]
        for case in ((tables, steps, z, rate) for z in representatives(tables, rows, columns) for rate in _EDGE_RATES)
    )
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
    "n <= 12, at most 4 columns, rows (1, n-1), all x, z; n + 1 values of p, which settle all p", "law x z n p"
)(
    lambda: (
        ({z: _probability(x, z, p)}, x, z, n, p)
        for n in range(2, 13)
        for columns in margins_of_size(n, 4)
        for x, z in product(contingency_tables((1, n - 1), columns), repeat=2)
        for p in (Fraction(k, n + 2) for k in range(1, n + 2))
    )
)
same_first_row = lambda x, z: 1 if x[0] == z[0] else 0

# by the columns s and t of the single record: mu*c_t/(n-1), or 1 - mu + mu*(c_s-1)/(n-1) where t = s.
single_law = lambda law, z, x, n, others, p: all(
    law[z]
    == mu * (sum((a + b) * k for a, b, k in zip(x[0], x[1], z[0])) - same_first_row(x, z)) / (n - others)
    + same_first_row(x, z) * (1 - mu)
    for mu in [chance_to_move(n, p)]
)

single_universes = cases(f"n <= 8, at most 4 columns, rows (1, n-1); {_SHOWN}", "laws columns n p")(
    lambda: (
        (laws, columns, sum(columns), p)
        for columns, p in product(
            [side for n in range(2, 9) for side in margins_of_size(n, 4) if len(side) > 1], _EDGE_RATES
        )
        for laws in [[psa_law(x, p) for x in contingency_tables((1, sum(columns) - 1), columns)]]
    )
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
    "4 <= n <= 16: x has its single records in their own row and column, y has exchanged them; all p in (0, 1)", "n x y"
)(lambda: ((n, ((n - 2, 0, 0), (0, 1, 0), (0, 0, 1)), ((n - 2, 0, 0), (0, 0, 1), (0, 1, 0))) for n in range(4, 17)))


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

# budgets of the PSA for large strata, certified and proved: Massachusetts, and the limit of two large rows


def households(stated: Mapping[str, str]) -> Check:
    """Whether the certified budgets for strata of up to 264,331 households in two tenures are below stated ones."""
    found = cases("p = 1%, 5%, 10% and 50%; r is what moved_mass certifies", "r stated")(
        lambda: ((_household_bound(rate), Fraction(most)) for rate, most in stated.items())
    )
    return every(found, lambda r, stated: ln(r) / 2 <= stated, verdict=Verdict.ENCLOSED)


def _household_bound(rate: str) -> Fraction:
    found = concentrated_certificate(264_331, Fraction(rate))
    if found is None or not found.is_accepted():
        raise EngineError(f"no certificate closes at p = {rate}")
    return Fraction(found.rn, found.rd)


def _seven(b: str, printed_at: Mapping[str, str], scope: str) -> Check:
    """Whether (7) is as printed, at such swap rates."""
    rows = [
        PrintedRow.of_texts(f"(7) at p = {p}", n, "ln((b + 1)*(1 - p)/p)", {"b": b, "p": p})
        for p, n in printed_at.items()
    ]
    return printed(rows, scope)


_STATED = {"1/100": "8.60", "1/20": "7.75", "1/10": "7.37", "1/2": "6.25"}
_PRINTED = {"1/100": "17.08", "1/20": "15.43", "1/10": "14.68", "1/2": "12.48"}
_PROVED = {"29665960": "8.61", "5358648": "7.75", "2496399": "7.37", "270309": "6.26"}
proved_bounds = cases("the bounds r of e^(2 eps) that Coq proves, at p = 1%, 5%, 10% and 50%", "r stated")(
    lambda: ((int(r), Fraction(stated)) for r, stated in _PROVED.items())
)
_IN_NATS = f"exp and ln of the reals, the probabilities in a field inside them, as rational ones are; {CATEGORIES}"

own("psa.exact.massachusetts.households", "article, section 3.4 and Table 2")(
    """In every universe with two categories and strata of up to b = 264,331 households, as of two tenures, the PSA
    satisfies budgets below 8.61, 7.75, 7.37 and 6.26 at p = 1%, 5%, 10% and 50%, where (7) gives 17.08, 15.43, 14.68
    and 12.48.""",
    theorem("budget_numbers.households_below", within=_IN_NATS),
    theorem("checked_budget.households_budget", "checked_budget.checked_pure_dp", within=CATEGORIES),
    every(proved_bounds, lambda r, stated, less: ln(r) / 2 <= stated - less, less=0),
    mutant("certificates of moved_mass lower by 1/2", households({"1/100": "8.10"})),
    mutant("budgets lower by 1/100", {"less": Fraction(1, 100)}),
    households(_STATED),
    _seven("264331", _PRINTED, "b = 264,331"),
    reading="""the certificates of Coq; those that moved_mass finds, which Coq's checker accepts too, come to 8.60,
    7.75, 7.37 and 6.25""",
)

DWELLINGS, HALVES = (435_805, 708_619), (500_000, 500_000)
_balanced = cache(balanced_budget)


def two_large(rows: tuple[int, int], rate: str, stated: str) -> Check:
    """Whether the certified budget of two categories is below a stated one."""
    scope = "the certificate's arithmetic; that it bounds the loss is a theorem of Coq"
    found = cases(scope, "gamma root stated")(lambda: [(*_large_bound(rows, rate), Fraction(stated))])
    return every(found, lambda gamma, root, stated: ln(gamma) / root <= stated, verdict=Verdict.ENCLOSED)


def _large_bound(rows: tuple[int, int], rate: str) -> tuple[Fraction, int]:
    found = _balanced(*rows, Fraction(rate))
    if found is None or found.gamma is None:
        raise EngineError("no certificate closes")
    return found.gamma, int(found.distance)


_BY_SIZES = ("checked_budget.checked_sizes_pure_dp", "balanced_budget.balanced_pure_dp")

own("psa.exact.massachusetts.dwellings", "article, section 3.4 and Table 1")(
    """If the table of 1,144,424 dwellings, 435,805 owned and 708,619 rented, is one stratum, the PSA at p = 50%
    satisfies a budget below 1.472, whatever the counties' totals; (7) gives 13.95.""",
    theorem("budget_numbers.dwellings_below", within=_IN_NATS),
    theorem("checked_budget.dwellings_budget", "checked_budget.sizes_are_met", *_BY_SIZES, within=CATEGORIES),
    two_large(DWELLINGS, "1/2", "1.472"),
    _seven("1144424", {"1/2": "13.95"}, "b = 1,144,424 at p = 50%"),
    mutant("1.471 for 1.472", two_large(DWELLINGS, "1/2", "1.471")),
    mutant("the 708,619 rented ones alone for (7)", _seven("708619", {"1/2": "13.95"}, "b = 708,619 at p = 50%")),
)

own("psa.exact.two-large", GROWN)(
    """In every universe of one stratum with two holding categories of 500,000 records each the PSA at p = 75% satisfies
    a budget below 0.511; (7) gives 12.72.""",
    theorem("budget_numbers.halves_below", within=_IN_NATS),
    theorem("checked_budget.halves_budget", *_BY_SIZES, within=CATEGORIES),
    two_large(HALVES, "3/4", "0.511"),
    _seven("1000000", {"3/4": "12.72"}, "b = 1,000,000 at p = 75%"),
    mutant("0.5108 for 0.511", two_large(HALVES, "3/4", "0.5108")),
    mutant("500,000 records for (7)", _seven("500000", {"3/4": "12.72"}, "b = 500,000 at p = 75%")),
)

threshold = lambda n1, n2, o: (n1 + n2) / (2 + o)
limit = lambda n1, n2, c: n1 * n2 / ((n1 - c) * (n2 - c))

large = cases("rows of 10^9 to 2*10^9 records, o = 1, 3/2, 3, and the bound r of e^(2 eps) found", "n1 n2 o r")(
    lambda: (
        (n1, n2, odds, min(one.quotient for one in balanced_certificates(n1, n2, odds)))
        for n1, n2 in ((10**9, 10**9), (2 * 10**9, 3 * 10**9), (10**9, 2 * 10**9))
        for odds in map(Fraction, ("1", "3/2", "3"))
        if (2 + odds) * n1 > n1 + n2
    )
)
at_most_limit = lambda r, more, n1, n2, o: r <= (1 + more) * limit(n1, n2, threshold(n1, n2, o))

own("psa.exact.limit", GROWN)(
    """Fix rational p in (0, 1) and n1, n2 above c = n/(2+o), where n = n1 + n2 and o = p/(1-p). Each eps > (1/2)
    ln(n1*n2/((n1-c)*(n2-c))) has an N such that eps is a budget of the PSA in every universe in which each stratum
    has N or more records, in two holding or in two swapping categories whose sizes have a quotient between n1/n2
    and n2/n1.""",
    theorem(
        *("balanced_limit.balanced_limit_pure_dp", "balanced_limit.near_equal_pure_dp"),
        *("balanced_limit.balances_large", "balanced_budget.balanced_pure_dp"),
        within=CATEGORIES,
    ),
    every(large, at_most_limit, more=Fraction(1, 50)),
    mutant("below the limit", {"more": 0}),
    every(
        large,
        lambda n1, n2, o: all(
            limit(n1, n2, c) == 1 + (1 + o) * c**2 / ((n1 - c) * (n2 - c)) for c in {threshold(n1, n2, o)}
        ),
    ),
)

_TWO_HUNDRED = {"1": (100, 80), "3/2": (100, 80), "3": (100, 66)}
reached = cases(
    "two rows and columns of 200 records in all, o = 1, 3/2, 3, and r <= e^(2 eps) of the exact loss", "n1 n2 o r"
)(
    lambda: (
        (n, 200 - n, o, Fraction(floor(loss_squared((n, 200 - n), o / (1 + o)) * 10**6), 10**6))
        for o, smaller in ((Fraction(odds), smaller) for odds, smaller in _TWO_HUNDRED.items())
        for n in smaller
    )
)
at_least_limit = lambda r, less, n1, n2, o: r >= (1 - less) * limit(n1, n2, threshold(n1, n2, o))

own("psa.exact.limit.attained", GROWN)(
    """No smaller eps than in psa.exact.limit will do: fix p in (0, 1), and n1, n2 above c = n/(2+o), where n = n1 + n2
    and o = p/(1-p). Each eps < (1/2) ln(n1*n2/((n1-c)*(n2-c))) has a K such that eps is no budget of the PSA in the
    universe of one stratum with two rows and two columns of k*n1 and k*n2 records, k >= K.""",
    theorem("balanced_attained.limit_attained", within=CATEGORIES),
    every(reached, at_least_limit, less=Fraction(1, 10)),
    mutant("a tenth above the limit", {"less": Fraction(-1, 10)}),
)

own("psa.exact.large-rates", GROWN)(
    """Fix p in (0, 1) and t > 0. In all universes of one stratum in which each holding category that occurs has more
    than (1-p+t)*n of the n records, the loss of the PSA is at most a number that depends on p and t alone, whatever the
    swapping categories; with H equal holding categories this requires p > 1 - 1/H.""",
    argued(
        "all p in (0, 1), all t > 0",
        proof="""Given the output, permutations that move less than a fixed share of the records of a row have an
            exponentially small share of the likelihood, since to move one more multiplies it by at least a/(a+1) times
            o*(n_h - a)/k > 1. So an exchange of two records costs at most a constant, and two data sets at distance d
            are at most d exchanges apart (8. of verify.engines.swapping.balanced_rows).""",
    ),
)
