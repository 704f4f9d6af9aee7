"""The PSA's exact loss in single universes: what decides it, closed forms, and certified budgets for large strata."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import floor
from typing import Any

from stirred.mechanisms.swapping.permutation_counts import move_weights, moved_counts, psa_law
from stirred.spec.blocks.tables import Table, contingency_tables, margins_of_size, table_distance
from stirred.spec.budgets.loss import Loss
from stirred.verify.claims.psa.cases import CATEGORIES
from stirred.verify.claims.psa.polynomials import is_nonnegative
from stirred.verify.claims.psa_exact.every_rate import GROWN, named_sign, universes
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.swapping.balanced_rows import balanced_budget, balanced_certificates
from stirred.verify.engines.swapping.circuits import circuit_steps
from stirred.verify.engines.swapping.loss import representatives, universe_loss
from stirred.verify.engines.swapping.moved_mass import concentrated_certificate
from stirred.verify.engines.swapping.polynomials import Branch, SwapRatio, decide_ratio, likelihood_polynomial
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Check, argued, cases, every, failure, printed, settled, state, theorem
from stirred.verify.ledger.language_names import ln
from stirred.verify.ledger.words import likelihood_ratio
from stirred.verify.ledger.words import table_distance as table_distance_word

_RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
_SHOWN = "p = 1/20, 1/2, 19/20"


def chance_to_move(n, p):
    return p * (1 - (1 - p) ** (n - 1)) / (1 - n * p * (1 - p) ** (n - 1))


def chance_to_come(c, n, mu):
    return mu * c / (n - 1)


def chance_to_stay(c, n, mu):
    return 1 - mu + mu * (c - 1) / (n - 1)


def within_known(mass, steps, x, y):
    return any(
        (mass[x] / mass[y]) ** table_distance_word(u, v) <= (mass[u] / mass[v]) ** table_distance_word(x, y)
        for u, v in steps
    )


@cases(f"one stratum of n <= 5 records, at most 4 x 4 categories, all x, x', z; {_SHOWN}", "tables steps z rate")
def outputs() -> Iterator[tuple[tuple[Table, ...], tuple[tuple[int, int, int], ...], Table, Fraction]]:
    for rows, columns in universes(2, 5):
        tables = contingency_tables(rows, columns)
        steps = circuit_steps(tables)
        yield from ((tables, steps, z, rate) for z in representatives(tables, rows, columns) for rate in _RATES)


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
            return failure(
                lambda mass, steps, x, y: within_known(mass, steps, x, y), mass=mass, steps=near, x=x, y=y, note=note
            )

    return settled(
        True,
        lambda mass, steps, best: best in steps and all(within_known(mass, [best], x, y) for x in mass for y in mass),
        lambda: {"mass": mass, "steps": near, "best": tuple(tables[i] for i in best)},
    )


state(
    "psa.exact.circuits",
    GROWN,
    claim="In every universe of one stratum and for every swap rate, the smallest budget of the PSA is the largest (ln "
    "P_x(z) - ln P_x'(z))/d_HamS(x, x') over the x, x' that one circuit separates: x' arises from x by passing on the "
    "swapping categories of l records with different holding and different swapping categories in a circle, 2 <= l <= "
    "min(|H|, |S|) (the largest of none is 0, and no z counts where both probabilities are 0).",
    checks=[
        theorem(
            *("table_circuits.circuits_decide", "table_circuits.psa_circuits"),
            *("table_circuits.circuit_chains", "table_circuits.circuit_changes"),
            within=CATEGORIES,
        ),
        every(outputs, circuits_decide),
    ],
    mutants={"l = 2 only: exchanges of two records": every(outputs, circuits_decide, longest=2)},
)


@cases("n <= 12, at most 4 columns, rows (1, n-1), all x, z; n + 1 values of p, which settle all p", "law x z n p")
def single_records() -> Iterator[tuple[Any, ...]]:
    """Both sides, times 1 − n·p·(1−p)^(n−1), are polynomials in p of degree at most n, equal at n + 1 points."""
    for n in range(2, 13):
        for columns in margins_of_size(n, 4):
            for x, z in product(contingency_tables((1, n - 1), columns), repeat=2):
                rates = (Fraction(k, n + 2) for k in range(1, n + 2))
                yield from (({z: _probability(x, z, p)}, x, z, n, p) for p in rates)


def same_of_universes(x, z):
    return 1 if x[0] == z[0] else 0


def single_law(law, z, x, n, others, p):
    """By the columns s and t of the single record: mu*c_t/(n-1), or 1 - mu + mu*(c_s-1)/(n-1) where t = s."""
    return all(
        law[z]
        == mu * (sum((a + b) * k for a, b, k in zip(x[0], x[1], z[0])) - same_of_universes(x, z)) / (n - others)
        + same_of_universes(x, z) * (1 - mu)
        for mu in [chance_to_move(n, p)]
    )


@cases(f"n <= 8, at most 4 columns, rows (1, n-1); {_SHOWN}", "laws columns n p")
def single_universes() -> Iterator[tuple[Any, ...]]:
    for columns, p in product([side for n in range(2, 9) for side in margins_of_size(n, 4) if len(side) > 1], _RATES):
        laws = [psa_law(x, p) for x in contingency_tables((1, sum(columns) - 1), columns)]
        yield laws, columns, sum(columns), p


def stay_over_come(columns, n, mu):
    return [chance_to_stay(c, n, mu) / chance_to_come(c, n, mu) for c in columns]


def come_over_stay(columns, n, mu):
    return [chance_to_come(c, n, mu) / chance_to_stay(c, n, mu) for c in columns]


def largest_ratio_of_laws(laws):
    return max(likelihood_ratio(u, v) for u in laws for v in laws)


def single_record_loss(laws, columns, n, p):
    return all(
        largest_ratio_of_laws(laws) == max([1] + stay_over_come(columns, n, mu) + come_over_stay(columns, n, mu))
        for mu in [chance_to_move(n, p)]
    )


def single_record_loss_by_staying(laws, columns, n, p):
    return largest_ratio_of_laws(laws) == max([1] + stay_over_come(columns, n, chance_to_move(n, p)))


state(
    "psa.exact.single-record",
    GROWN,
    claim="In a universe of one stratum of n >= 2 records, let one holding category hold one record and one other the "
    "rest, and let at least two swapping categories hold records: c_s > 0 of them in s. Then for all p in (0, 1) the "
    "loss is (1/2) ln of the largest of q_s/r_s and r_s/q_s over these swapping categories s, with q_s = 1 - mu + "
    "mu(c_s-1)/(n-1), r_s = mu*c_s/(n-1) and mu = p(1-(1-p)^(n-1))/(1-n*p*(1-p)^(n-1)).",
    checks=[
        theorem(
            "single_record.single_record_loss",
            "single_record.single_record_budgets",
            "single_record.single_record_law",
            within=CATEGORIES,
        ),
        every(single_records, single_law, others=1),
        every(single_universes, single_record_loss),
    ],
    mutants={
        "n for n-1 in the law": every(single_records, single_law, others=0),
        "q_s/r_s alone, without r_s/q_s": every(single_universes, single_record_loss_by_staying),
    },
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

    return failure(
        lambda x, n, rate, divisor, p, q: divisor * p[x] >= n * (n - 1) * (1 - rate) ** 2 * q[x],
        x=x,
        n=n,
        rate=rate,
        divisor=divisor,
        p=psa_law(x, rate),
        q=psa_law(y, rate),
    )


state(
    "psa.exact.three-categories",
    GROWN,
    claim="In the universe with row and column margins (n-2, 1, 1), n >= 4, the loss of the PSA is at least (1/2) "
    "ln(n(n-1)) + ln(1-p) - ln 2 for all p in (0, 1): three categories on both sides suffice for the printed growth "
    "ln n.",
    checks=[
        theorem("three_categories.three_categories", "three_categories.three_categories_universe", within=CATEGORIES),
        every(three_categories, grows, verdict=Verdict.EXHAUSTED),
    ],
    mutants={"without - ln 2": every(three_categories, grows, divisor=1)},
)


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


def below_of_universes(r, stated, less):
    return ln(r) / 2 <= stated - less


state(
    "psa.exact.massachusetts.households",
    "article, section 3.4 and Table 2",
    claim="In every universe with two categories and strata of up to b = 264,331 households, as of two tenures, the "
    "PSA satisfies budgets below 8.61, 7.75, 7.37 and 6.26 at p = 1%, 5%, 10% and 50%, where (7) gives 17.08, 15.43, "
    "14.68 and 12.48.",
    reading="the certificates of Coq; those that moved_mass finds, which Coq's checker accepts too, come to 8.60, "
    "7.75, 7.37 and 6.25",
    checks=[
        theorem("budget_numbers.households_below", within=_IN_NATS),
        theorem("checked_budget.households_budget", "checked_budget.checked_pure_dp", within=CATEGORIES),
        every(proved_bounds, below_of_universes, less=0),
        households(_STATED),
        _seven("264331", _PRINTED, "b = 264,331"),
    ],
    mutants={
        "certificates of moved_mass lower by 1/2": households({"1/100": "8.10"}),
        "budgets lower by 1/100": every(proved_bounds, below_of_universes, less=Fraction(1, 100)),
    },
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

state(
    "psa.exact.massachusetts.dwellings",
    "article, section 3.4 and Table 1",
    claim="If the table of 1,144,424 dwellings, 435,805 owned and 708,619 rented, is one stratum, the PSA at p = 50% "
    "satisfies a budget below 1.472, whatever the counties' totals; (7) gives 13.95.",
    checks=[
        theorem("budget_numbers.dwellings_below", within=_IN_NATS),
        theorem("checked_budget.dwellings_budget", "checked_budget.sizes_are_met", *_BY_SIZES, within=CATEGORIES),
        two_large(DWELLINGS, "1/2", "1.472"),
        _seven("1144424", {"1/2": "13.95"}, "b = 1,144,424 at p = 50%"),
    ],
    mutants={
        "1.471 for 1.472": two_large(DWELLINGS, "1/2", "1.471"),
        "the 708,619 rented ones alone for (7)": _seven("708619", {"1/2": "13.95"}, "b = 708,619 at p = 50%"),
    },
)

state(
    "psa.exact.two-large",
    GROWN,
    claim="In every universe of one stratum with two holding categories of 500,000 records each the PSA at p = 75% "
    "satisfies a budget below 0.511; (7) gives 12.72.",
    checks=[
        theorem("budget_numbers.halves_below", within=_IN_NATS),
        theorem("checked_budget.halves_budget", *_BY_SIZES, within=CATEGORIES),
        two_large(HALVES, "3/4", "0.511"),
        _seven("1000000", {"3/4": "12.72"}, "b = 1,000,000 at p = 75%"),
    ],
    mutants={
        "0.5108 for 0.511": two_large(HALVES, "3/4", "0.5108"),
        "500,000 records for (7)": _seven("500000", {"3/4": "12.72"}, "b = 500,000 at p = 75%"),
    },
)


def threshold(n1, n2, o):
    return (n1 + n2) / (2 + o)


def limit(n1, n2, c):
    return n1 * n2 / ((n1 - c) * (n2 - c))


def _large() -> Iterator[tuple[int, int, Fraction, Fraction]]:
    for (first, second), odds in product([(1, 1), (2, 3), (1, 2)], map(Fraction, ("1", "3/2", "3"))):
        if (2 + odds) * first > first + second:
            sizes = first * 10**9, second * 10**9
            yield *sizes, odds, min(one.quotient for one in balanced_certificates(*sizes, odds))


large = cases("rows of 10^9 to 2*10^9 records, o = 1, 3/2, 3, and the bound r of e^(2 eps) found", "n1 n2 o r")(_large)


def near_of_universes(r, more, n1, n2, o):
    return r <= (1 + more) * limit(n1, n2, threshold(n1, n2, o))


state(
    "psa.exact.limit",
    GROWN,
    claim="Fix rational p in (0, 1) and n1, n2 above c = n/(2+o), where n = n1 + n2 and o = p/(1-p). Each eps > (1/2) "
    "ln(n1*n2/((n1-c)*(n2-c))) has an N such that eps is a budget of the PSA in every universe in which each stratum "
    "has N or more records, in two holding or in two swapping categories whose sizes have a quotient between n1/n2 and "
    "n2/n1.",
    checks=[
        theorem(
            *("balanced_limit.balanced_limit_pure_dp", "balanced_limit.near_equal_pure_dp"),
            *("balanced_limit.balances_large", "balanced_budget.balanced_pure_dp"),
            within=CATEGORIES,
        ),
        every(large, near_of_universes, more=Fraction(1, 50)),
        every(
            large,
            lambda n1, n2, o: all(
                limit(n1, n2, c) == 1 + (1 + o) * c**2 / ((n1 - c) * (n2 - c)) for c in {threshold(n1, n2, o)}
            ),
        ),
    ],
    mutants={"below the limit": every(large, near_of_universes, more=0)},
)

_TWO_HUNDRED = {"1": (100, 80), "3/2": (100, 80), "3": (100, 66)}


@cases("two rows and columns of 200 records in all, o = 1, 3/2, 3, and r <= e^(2 eps) of the exact loss", "n1 n2 o r")
def reached() -> Iterator[tuple[int, int, Fraction, Fraction]]:
    for odds, smaller in _TWO_HUNDRED.items():
        for first in smaller:
            sizes, o = (first, 200 - first), Fraction(odds)
            loss = universe_loss(sizes, sizes, o / (1 + o))
            if loss.gamma is None or loss.distance != 2:
                raise EngineError(f"the loss of {sizes} must be needed at distance 2")
            yield *sizes, o, Fraction(floor(loss.gamma * 10**6), 10**6)


def nearly_of_universes(r, less, n1, n2, o):
    return r >= (1 - less) * limit(n1, n2, threshold(n1, n2, o))


state(
    "psa.exact.limit.attained",
    GROWN,
    claim="No smaller eps than in psa.exact.limit will do: fix p in (0, 1), and n1, n2 above c = n/(2+o), where n = n1 "
    "+ n2 and o = p/(1-p). Each eps < (1/2) ln(n1*n2/((n1-c)*(n2-c))) has a K such that eps is no budget of the PSA in "
    "the universe of one stratum with two rows and two columns of k*n1 and k*n2 records, k >= K.",
    checks=[
        theorem("balanced_attained.limit_attained", within=CATEGORIES),
        every(reached, nearly_of_universes, less=Fraction(1, 10)),
    ],
    mutants={"a tenth above the limit": every(reached, nearly_of_universes, less=Fraction(-1, 10))},
)

state(
    "psa.exact.large-rates",
    GROWN,
    claim="Fix p in (0, 1) and t > 0. In all universes of one stratum in which each holding category that occurs has "
    "more than (1-p+t)*n of the n records, the loss of the PSA is at most a number that depends on p and t alone, "
    "whatever the swapping categories; of H equal holding categories this asks for p > 1 - 1/H.",
    checks=[
        argued(
            "all p in (0, 1), all t > 0",
            proof="""Given the output, permutations that move less than a fixed share of the records of a row have an
            exponentially small share of the likelihood, since to move one more multiplies it by at least a/(a+1) times
            o*(n_h - a)/k > 1. So an exchange of two records costs at most a constant, and two data sets at distance d
            are at most d exchanges apart (8. of verify.engines.swapping.balanced_rows).""",
        )
    ],
)
