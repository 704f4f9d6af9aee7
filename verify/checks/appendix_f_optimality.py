"""Evidence for article, Theorem 4: how far Theorem 1's budget is from the smallest one, and the bound f on that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import factorial

from mechanisms.permutation_counts import derangements, moved_counts, psa_law
from spec.domain import FiniteDomain
from spec.enclosure import Enclosure
from spec.input_premetric import hamming_of_tables
from spec.loss import Loss
from spec.multiverse import Universe, induced
from spec.output_premetrics import Multiplicative
from spec.permutation_swapping import Margins, largest_stratum, odds, psa_budget
from spec.specification import Flavor, Specification
from spec.tables import Table, column_margins, contingency_tables, row_margins
from verify.engines.exhaustive import check_specification
from verify.engines.printed_number import formula_value
from verify.engines.solver import decide
from verify.engines.swapping.budget_sweep import one_stratum, stratum_loss
from verify.engines.swapping.disjoint_tables import shifted_pair
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_F = "ln((b + 1)**2/(b*(b - 1))*(1 + exp(1)/(2*u))/(1 - exp(1)/(2*w)))/2"
_RATES = (Fraction(0), Fraction(1, 20), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20), Fraction(1))


def _f(b: int) -> Enclosure:
    """An enclosure of f(b), b ≥ 2."""
    return formula_value("f", _F, _f_values(b))


def _f_values(b: int) -> dict[str, Fraction]:
    return {"b": Fraction(b), "u": Fraction(factorial(b - 2)), "w": Fraction(factorial(b))}


def _allowed(b: int, rate: Fraction) -> Enclosure:
    """What Theorem 4 allows the difference to be."""
    zero = Enclosure(Fraction(0), Fraction(0))
    return _f(b) if b > 0 and 0 < rate < 1 and odds(rate) ** 2 < b + 1 else zero


def _difference(margins: Margins, rate: Fraction) -> Enclosure | None:
    """ε^(1) − ε^(inf) on one universe; None where both are infinite, or only ε^(1) is."""
    first, smallest = psa_budget(largest_stratum([margins]), rate), stratum_loss(*margins, rate)
    if first.is_infinite or smallest.is_infinite:
        return None
    if first == smallest:
        return Enclosure(Fraction(0), Fraction(0))
    upper, lower = first.epsilon(digits=30), smallest.epsilon(digits=30)
    return Enclosure(upper.lower - lower.upper, upper.upper - lower.lower)


def _close(universes: Sequence[Margins], *, everywhere: bool, scope: str) -> Evidence:
    """Whether on some universe, or on all, the difference is within Theorem 4's bound at every rate tried."""
    for rate in _RATES:
        failing = []
        for margins in universes:
            b = largest_stratum([margins])
            difference, allowed = _difference(margins, rate), _allowed(b, rate)
            if difference is None or difference.lower > allowed.upper:
                failing.append((margins, b, difference))
        if len(failing) == len(universes) or (failing and everywhere):
            margins, b, difference = next((f for f in failing if f[2] is not None), failing[0])
            if difference is None:
                continue
            loss = stratum_loss(*margins, rate)
            note = f"margins {margins}, p = {rate}: eps^(inf) = {loss}, eps^(1) - eps^(inf) = {difference.text()}"
            claimed = f"ln(first) - ln(smallest)/d <= {_F}"
            gamma = psa_budget(b, rate).gamma or 0
            values = {"first": gamma, "smallest": loss.gamma or 0, "d": loss.distance, **_f_values(b)}
            return Evidence(Verdict.REFUTED, scope, note, formula_witness(claimed, note=note, **values))
    return Evidence(Verdict.DECIDED, scope, "eps^(1) = eps^(inf) = 0 where b = 0: the one table has one law")


def _together(root: int) -> Evidence:
    """Whether the PSA satisfies the flavor on many universes with each one's own smallest budget, divided by root."""
    rate = Fraction(1, 20)
    scope = "all 2 by 2 tables with 1 to 4 records, their margins invariant, p = 1/20"
    cells = product(range(5), repeat=4)
    points = tuple(((a, b), (c, d)) for a, b, c, d in cells if 1 <= a + b + c + d <= 4)
    domain = FiniteDomain(points, "two-way tables")
    multiverse = induced(domain, row_margins, column_margins)
    flavor = Flavor(domain, multiverse, hamming_of_tables("record"), Multiplicative())
    budgets: dict[Universe, Loss] = {}
    for universe in multiverse:
        table = min(universe)
        loss = stratum_loss(row_margins(table), column_margins(table), rate)
        budgets[universe] = Loss(loss.gamma, loss.distance * root)
    laws = {point: psa_law(point, rate) for point in points}
    return check_specification(laws, Specification(flavor, budgets), scope)


@checks("psa.optimality.infimum")
def together() -> Evidence:
    """Each universe's smallest budget, all at once: the universes are disjoint."""
    return _together(1)


@refutes("psa.optimality.infimum", "half of the smallest budgets")
def together_halved() -> Evidence:
    """The mutant with smaller budgets."""
    return _together(2)


_TRIVIAL: Margins = ((1,), (1,))


@checks("psa.optimality.theorem")
def theorem() -> Evidence:
    """Theorem 4 as printed: the existence is trivial, at every p, through universes with b = 0."""
    scope = (
        "all p in [0, 1]: the universe of one record, with b = 0 (the existence is trivial); on universes with b > 0 "
        "and p in {0, 1} the difference is of two infinities"
    )
    if len(contingency_tables(*_TRIVIAL)) != 1 or largest_stratum([_TRIVIAL]) != 0:
        return Evidence(Verdict.OPEN, scope, "the universe of one record is not trivial")
    return _close([_TRIVIAL], everywhere=False, scope=scope)


@refutes("psa.optimality.theorem", "every universe for some universe")
def theorem_everywhere() -> Evidence:
    """The mutant with the other quantifier."""
    universes = [u for n in (1, 2) for u in one_stratum(n, 2)]
    return _close(universes, everywhere=True, scope="universes of one stratum of one or two records")


def _halves(b: int) -> tuple[int, ...]:
    """Margins of total b with (18) and at least two ones."""
    units = 2 if b % 2 == 0 else 3
    return ((b - units) // 2,) * 2 + (1,) * units


def _too_far(b: int, categories: int) -> Evidence | None:
    """The universe closest to eps^(1) at p = 1/2 among all with so many categories, where it is not close enough.

    The loss of a universe is the largest of its strata's, and each has at most b records.
    """
    rate = Fraction(1, 2)
    margins = max(
        (margins for n in range(1, b + 1) for margins in one_stratum(n, categories)),
        key=lambda margins: stratum_loss(*margins, rate),
    )
    scope = f"b = {b}, every stratum of up to {b} records and {categories} categories a side, p = {rate}"
    loss = stratum_loss(*margins, rate)
    note = f"b = {b}: the largest loss is eps^(inf) = {loss}, with margins {margins}"
    gap = psa_budget(b, rate).epsilon(digits=30).lower - loss.epsilon(digits=30).upper
    if gap <= _f(b).upper:
        return None
    claimed = f"ln((b + 1)*(1 - p)/p) - ln(smallest)/d <= {_F}"
    values = {"p": rate, "smallest": loss.gamma or 0, "d": loss.distance, **_f_values(b)}
    return Evidence(Verdict.REFUTED, scope, note, formula_witness(claimed, note=note, **values))


def _bounded_everywhere(factor: Fraction, *, categories: int = 5) -> Evidence:
    """Whether (b+1)²·d(b−2)/d(b) ≤ factor·e^(2f(b)) where the proof's triple of tables exists."""
    scope = "b from 4 to 24, the universe with margins (k, k, 1, 1) or (k, k, 1, 1, 1) on both sides, all p at once"
    for b in range(4, 25):
        margins = _halves(b)
        if len(margins) > categories:
            return _too_far(b, categories) or Evidence(Verdict.OPEN, scope, f"b = {b}: p = 1/2 settles nothing")
        pair = shifted_pair(margins[:-2], margins[:-2])
        if pair is None or not _has_ratio(pair, b):
            return Evidence(Verdict.OPEN, scope, f"b = {b}: the proof's triple was not found")
        exact = (b + 1) ** 2 * Fraction(derangements(b - 2), derangements(b))
        allowed = formula_value("e^(2f)", _F.removeprefix("ln(").removesuffix(")/2"), _f_values(b))
        if exact > factor * allowed.upper:
            claimed = "(b + 1)**2*derangements(b - 2)/derangements(b) <= factor*" + _F.removeprefix("ln").removesuffix(
                "/2"
            )
            witness = formula_witness(claimed, note=f"b = {b}", factor=factor, **_f_values(b))
            return Evidence(Verdict.REFUTED, scope, f"b = {b}", witness)
        if exact > factor * allowed.lower:
            return Evidence(Verdict.OPEN, scope, f"b = {b}: the enclosure is too wide")
    return Evidence(Verdict.ENCLOSED, scope, "eps^(inf) >= 0.5 ln[d(b)/d(b-2)] - ln o by x, x', z with ratio (20)")


def _has_ratio(rest: tuple[Table, Table], b: int) -> bool:
    """Whether all permutations from x to z move b − 2 records, all from x' to z move b, and they are equally many."""
    width = len(rest[0][0])
    blank = (0,) * width

    def with_units(table: Table, first: tuple[int, int], second: tuple[int, int]) -> Table:
        return (*((*row, 0, 0) for row in table), (*blank, *first), (*blank, *second))

    x, z = (with_units(table, (1, 0), (0, 1)) for table in rest)
    x_prime = with_units(rest[0], (0, 1), (1, 0))
    near, far = moved_counts(x, z), moved_counts(x_prime, z)
    return near[b - 2] == far[b] > 0 and sum(near) == near[b - 2] and sum(far) == far[b]


@checks("psa.optimality.every-size")
def every_size() -> Evidence:
    """Theorem 4's bound at every b."""
    return _bounded_everywhere(Fraction(1))


@refutes("psa.optimality.every-size", "a bound of f(b) - 1/2")
def every_size_closer() -> Evidence:
    """The mutant with a bound that is smaller by about one half: e^(−1) is below 2/5."""
    return _bounded_everywhere(Fraction(2, 5))


@refutes("psa.optimality.every-size", "four categories for odd b too")
def every_size_with_four_categories() -> Evidence:
    """The mutant with Theorem 4's own hypothesis, at b = 5."""
    return _bounded_everywhere(Fraction(1), categories=4)


def _shape(*changes: tuple[str, str], claimed: str) -> Evidence:
    scope = "all integers b >= 2: with u = (b-2)! any real u >= 1, any real b >= 2, any e in (2.7, 2.8)"
    note = "g(b) = e^(2f(b)) with u in place of (b-2)!"
    return decide("optimality.bound-function", scope, claimed=claimed, note=note, changes=changes)


@checks("optimality.bound-function")
def shape() -> Evidence:
    """F is positive and decreasing."""
    return _shape(claimed="g > 1")


@refutes("optimality.bound-function", "f(b) > ln(1.5)/2")
def shape_above() -> Evidence:
    """The mutant with a positive lower bound."""
    return _shape(("(> g 1)", "(> g 1.5)"), claimed="g > 1.5")


def _limit(*changes: tuple[str, str], claimed: str) -> Evidence:
    scope = "all integers b >= 7: f(b) <= (g(b) - 1)/2 <= 4/b, by induction on b for (b-2)! >= b^2; any e in (2.7, 2.8)"
    note = "g(b) = e^(2f(b)), u = (b-2)!"
    return decide("optimality.bound-function-limit", scope, claimed=claimed, note=note, changes=changes)


@checks("optimality.bound-function-limit")
def limit() -> Evidence:
    """F converges to zero."""
    return _limit(claimed="b*(g - 1) <= 8")


@refutes("optimality.bound-function-limit", "f(b) <= 1/b")
def limit_faster() -> Evidence:
    """The mutant with a faster rate."""
    return _limit(("(- g 1)) 8)", "(- g 1)) 2)"), claimed="b*(g - 1) <= 2")


def _values(bounds: Iterable[tuple[int, str]], scope: str) -> Evidence:
    for b, text in bounds:
        value, bound = _f(b), Fraction(text)
        if value.lower > bound:
            witness = formula_witness(f"{_F} <= {text}", note="u = (b-2)!, w = b!", **_f_values(b))
            return Evidence(Verdict.REFUTED, scope, f"f({b}) = {value.text(7)}", witness)
        if value.upper > bound:
            return Evidence(Verdict.OPEN, scope, f"the enclosure of f({b}) is too wide")
    shown = ", ".join(f"f({b}) = {_f(b).text(7)}" for b, _ in bounds)
    return Evidence(Verdict.ENCLOSED, scope, shown)


@checks("optimality.bound-value.printed")
def value_printed() -> Evidence:
    """F(10) against 0.148."""
    return _values(((10, "0.148"),), "b = 10")


@checks("optimality.bound-value")
def value() -> Evidence:
    """F(10) against 0.149 and f(11) against 0.148."""
    return _values(((10, "0.149"), (11, "0.148")), "b = 10 and b = 11; f decreases (optimality.bound-function)")


@refutes("optimality.bound-value", "0.148 at b = 10")
def value_mutant() -> Evidence:
    """The mutant is the printed bound."""
    return _values(((10, "0.148"), (11, "0.148")), "b = 10 and b = 11")


def _nearest(first: int) -> Evidence:
    """Whether ⌊k!/e + 1/2⌋ = d(k), with 1/e between two partial sums of its alternating series."""
    scope = f"{first} <= k <= 100, 1/e enclosed between rational partial sums"
    for k in range(first, 101):
        terms = [Fraction((-1) ** j, factorial(j)) for j in range(k + 22)]
        ends = sorted((sum(terms[:-1], Fraction(0)), sum(terms, Fraction(0))))
        low, high = ((factorial(k) * end + Fraction(1, 2)).__floor__() for end in ends)
        if low != high:
            return Evidence(Verdict.OPEN, scope, f"k = {k}: the enclosure of 1/e is too wide")
        if low != derangements(k):
            note = f"k = {k}: floor is {low}, d(k) = {derangements(k)}"
            witness = formula_witness("derangements(k) == floor(factorial(k)/exp(1) + 1/2)", note=note, k=k)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("derangements.nearest-integer.printed")
def nearest_printed() -> Evidence:
    """The identity as used: at b = 2 the proof of Theorem 4 needs k = 0."""
    return _nearest(0)


@checks("derangements.nearest-integer")
def nearest() -> Evidence:
    """The identity for k ≥ 1."""
    return _nearest(1)


@refutes("derangements.nearest-integer", "k >= 0")
def nearest_mutant() -> Evidence:
    """The mutant is the printed identity."""
    return _nearest(0)


def _weak_form(universes: Sequence[Margins], *, everywhere: bool) -> Evidence:
    """ε^(1) − D_Mult(P_x, P_x) < 1/100 at x' = x on some universe, or on all."""
    scope = "all delta > 0 and all p in [0, 1]: the universe of one record, x' = x, where both are 0 (b = 0)"
    for margins in universes:
        b = largest_stratum([margins])
        budget = psa_budget(b, Fraction(1, 2))
        if budget.is_zero and not everywhere:
            return Evidence(
                Verdict.DECIDED, scope, "the existence is trivial; d_HamS(x, x') does not divide D_Mult as printed"
            )
        if not budget.is_zero:
            note = f"margins {margins}, p = 1/2, x' = x: eps^(1) = {budget}, D_Mult = 0"
            witness = formula_witness("ln(gamma) < 1/100", note=note, gamma=budget.gamma or 0)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.OPEN, scope, "every universe tried has b = 0")


@checks("psa.optimality.weak-form")
def weak_form() -> Evidence:
    """The closing sentence of the appendix, as printed."""
    return _weak_form([_TRIVIAL], everywhere=False)


@refutes("psa.optimality.weak-form", "every universe for some universe, at x' = x")
def weak_form_everywhere() -> Evidence:
    """The mutant with the other quantifier."""
    return _weak_form([_TRIVIAL, ((1, 1), (1, 1))], everywhere=True)


def _depends(*, equal: bool) -> Evidence:
    """Whether two universes with one b have one loss (equal), or two universes with one b have two losses."""
    rate = Fraction(1, 2)
    scope = "universes of one stratum with 2 to 4 records and four categories a side, p = 1/2"
    for n in range(2, 5):
        universes = [u for u in one_stratum(n, 4) if largest_stratum([u]) == n]
        losses = {stratum_loss(*u, rate): u for u in universes}
        if len(losses) > 1 and equal:
            first, second = sorted(losses)[:2]
            note = f"b = {n}: loss {first} with margins {losses[first]}, {second} with {losses[second]}"
            witness = formula_witness(
                "first**d == second**c",
                note=note,
                first=first.gamma or 0,
                second=second.gamma or 0,
                c=first.distance,
                d=second.distance,
            )
            return Evidence(Verdict.REFUTED, scope, note, witness)
        if len(losses) > 1:
            return Evidence(Verdict.EXHAUSTED, scope, f"b = {n}: {', '.join(map(str, sorted(losses)))}")
    return Evidence(Verdict.OPEN, scope, "no two universes differ")


@checks("psa.optimality.not-tight")
def not_tight() -> Evidence:
    """Two universes with the same b and p have different smallest budgets."""
    return _depends(equal=False)


@refutes("psa.optimality.not-tight", "the smallest budget is a function of p and b")
def function_of_b() -> Evidence:
    """The mutant is the opposite."""
    return _depends(equal=True)
