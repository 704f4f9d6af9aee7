"""The smallest budget of the PSA by b and p alone: bounds for all swap rates at once, and how it varies.

The sharpened one has √(d(b)/d(b−2)) for the b + 1 of Theorem 1: it suffices, and it is needed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import chain, product
from math import factorial
from typing import Any

from stirred.mechanisms.swapping.permutation_counts import derangements, psa_law
from stirred.spec.blocks.tables import margins_of_size, table_distance
from stirred.spec.flavors.permutation_swapping import Margins
from stirred.verify.engines.sign_certificate import SignCertificate
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Cases, Check, Sentence, cases, every, failure, found_by, mutant, own, theorem
from stirred.verify.ledger.claims.psa.bounds import extreme_triple
from stirred.verify.ledger.claims.psa.cases import (
    CATEGORIES,
    is_enough,
    is_nonnegative,
    kernel,
    needs,
    psa_budget,
    times,
    unbounded,
)
from stirred.verify.ledger.engines.mean_budget import MeanBudget, decide_universe, exchange_budget
from stirred.verify.ledger.engines.polynomials import (
    Branch,
    OddsBudget,
    SwapRatio,
    decide_ratio,
    printed_budget,
    universe_ratios,
)
from stirred.verify.ledger.functions import text_of
from stirred.verify.ledger.words import table_distance as table_distance_word

# budgets that hold for all swap rates at once, decided as inequalities between polynomials in the odds

polynomial_at = lambda coefficients, o: sum(c * o**k for k, c in enumerate(coefficients))
largest_branch = lambda branches, o: max(polynomial_at(over, o) / polynomial_at(under, o) for over, under in branches)
attains = lambda pairs, bound: all(a <= bound**d for a, d in pairs) and any(a == bound**d for a, d in pairs)
GROWN = "article, Theorem 4 and its closing remark"
RANGE = "n <= {} records in one stratum, at most 4 x 4 categories, all x, x', z; all p in (0, 1)"
SIX: Margins = ((2, 2, 1, 1), (2, 2, 1, 1))
AT_SIX = "b = 6, margins (2, 2, 1, 1) on both sides"
ODDS: OddsBudget = (Branch((0, 0, 1), (1,), 2),)


def named_sign(one: SignCertificate) -> dict[str, Any]:
    """What the names of `is_nonnegative` stand for."""
    return {"p": one.polynomial, "c": one.scale, "square": one.square, "rest": one.rest, "cells": one.cells}


def universes(first: int, last: int, *, rows: int = 4, columns: int = 4) -> tuple[Margins, ...]:
    """The universes with at least two tables, up to the names of categories, and transposition where it applies."""
    sides = (product(margins_of_size(n, rows), margins_of_size(n, columns)) for n in range(first, last + 1))
    several = ((down, across) for down, across in chain.from_iterable(sides) if len(down) > 1 and len(across) > 1)
    return tuple((down, across) for down, across in several if rows != columns or down >= across)


def _at(polynomial: tuple[int, ...], odds: Fraction) -> Fraction:
    return sum((c * odds**k for k, c in enumerate(polynomial)), Fraction(0))


def below(
    listed: Iterable[Margins], budget: Callable[[int], OddsBudget], scope: str, *, largest_odds: Fraction | None = None
) -> Evidence:
    """Whether all ratios of all universes stay below a budget for all swap rates, by certified polynomial signs."""
    checked = certificates = 0
    for rows, columns in listed:
        claimed = budget(sum(rows))
        for ratio in universe_ratios(rows, columns):
            found = decide_ratio(ratio, claimed, largest_odds=largest_odds)
            if isinstance(found, Fraction):
                return _refuted((rows, columns), ratio, found, claimed, scope)
            checked += 1
            certificates += len(found)
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} ratios, {certificates} sign certificates re-checked")


def _refuted(margins: Margins, ratio: SwapRatio, odds: Fraction, claimed: OddsBudget, scope: str) -> Evidence:
    """A ratio above a budget."""
    (x, y, z), rate = ratio.triple, odds / (1 + odds)
    root, branches = claimed[0].root, tuple((tuple(one.numerator), tuple(one.denominator)) for one in claimed)
    says = lambda x, y, z, p, q, o: (p[z] / q[z]) ** root <= largest_branch(branches, o) ** table_distance_word(x, y)
    witness = failure(says, x=x, y=y, z=z, p=psa_law(x, rate), q=psa_law(y, rate), o=odds)
    return Evidence(Verdict.REFUTED, scope, f"margins {margins[0]} and {margins[1]}, p = {rate}", witness)


def together_below(listed: Iterable[Margins], budget: Callable[[int], MeanBudget], scope: str) -> Evidence:
    """The same, with the ratios of a universe decided together: for universes with very many."""
    ratios = alone = 0
    for rows, columns in listed:
        claimed = budget(sum(rows))
        found = decide_universe(rows, columns, claimed)
        if found.above is not None:
            return _refuted((rows, columns), *found.above, claimed.branches, scope)
        ratios += found.ratios
        alone += found.one_by_one
    return Evidence(Verdict.EXHAUSTED, scope, f"{ratios} ratios, {alone} of them one by one")


def below_at_all_rates(listed: Sequence[Margins], budget: Callable[[int], OddsBudget], scope: str) -> Check:
    """Whether all ratios of all universes stay below a budget for all swap rates; shown by the polynomials' signs."""
    check = found_by(below, listed, budget, scope)
    return replace(check, shown=lambda: [signs(listed, budget, scope)])


def signs(
    listed: Sequence[Margins], budget: Callable[[int], OddsBudget], scope: str, *, largest_odds: Fraction | None = None
) -> Sentence:
    """What `below` comes down to where it supports a claim."""

    def cases_of() -> Iterator[tuple[Any, ...]]:
        for rows, columns in listed:
            for ratio in universe_ratios(rows, columns):
                found = decide_ratio(ratio, budget(sum(rows)), largest_odds=largest_odds)
                for one in found if isinstance(found, tuple) else ():
                    yield tuple(named_sign(one).values())

    within = f"polynomials in the odds; where they are not negative on their cells, the budget is met: {scope}"
    return Sentence(text_of(is_nonnegative), within, ("p", "c", "square", "rest", "cells"), cases_of())


own("psa.exact.all-rates", "article, Theorem 1 and (7)")(
    """For all p in (0, 1) at once, with o = p/(1-p): in one stratum of b >= 2 records, P_x(z) <= max{(b+1)/o, o}^d(x,
    x') * P_x'(z) for all x, x', z of the universe.""",
    theorem("psa_privacy.psa_privacy", "psa_privacy.psa_budget_max", within=CATEGORIES),
    below_at_all_rates(universes(2, 6), printed_budget, RANGE.format(6)),
    mutant(
        "(b+1)/2 for b+1",
        found_by(below, universes(2, 6), lambda n: (Branch((n + 1,), (0, 2)), Branch((0, 1), (1,))), RANGE.format(6)),
    ),
)

_sharpened = lambda b: (Branch((derangements(b),), (0, 0, derangements(b - 2)), 2), *ODDS)
_one_less = lambda b: (Branch(((b - 1) ** 2,), (0, 0, 1), 2), *ODDS)

own("psa.exact.sharpened", "article, Theorem 1")(
    """For b >= 4 and all p in (0, 1), e^eps = max{sqrt(d(b)/d(b-2))/o, o} is a budget of the PSA in every universe with
    largest stratum b, where d(k) counts derangements; it is never above the printed max{(b+1)/o, o}.""",
    theorem(
        *("psa_sharp.psa_sharp_pure_dp", "psa_sharp.sharp_le_psa_budget", "psa_sharp.sharp_budget_sqrt"),
        within=CATEGORIES,
    ),
    below_at_all_rates(universes(4, 5), _sharpened, "4 <= " + RANGE.format(5)),
    mutant("(b-1)^2 for d(b)/d(b-2)", found_by(below, [SIX], _one_less, AT_SIX)),
)


def attained(b: int, *, scale: Fraction = Fraction(1)) -> Witness | None:
    """P_x(z)/P_y(z) >= scale*d(b)/d(b-2)/o^2 for all odds o, where it is d(b)/d(b-2)/o^2 for scale 1."""
    x, y, z = extreme_triple(b)
    if scale <= 1:
        return None
    p, q = (psa_law(one, Fraction(1, 2)) for one in (x, y))
    says = lambda b, z, p, q, scale: p[z] * derangements(b - 2) >= scale * derangements(b) * q[z]
    return failure(says, b=b, z=z, p=p, q=q, scale=scale, note=f"at o = 1, x = {x} and y = {y}")


_TRIPLES = cases("4 <= b <= 100, one triple of tables at distance 2 for each b; all p in (0, 1)", "b")(
    lambda: range(4, 101)
)

own("psa.exact.sharpened.attained", "article, Theorem 3 (C)")(
    """For every b >= 4 there is a universe with largest stratum b in which the PSA's smallest budget has e^eps >=
    sqrt(d(b)/d(b-2))/o for all p in (0, 1), namely that with margins (m, m, 1, 1) or (m, m, 1, 1, 1) on both sides.""",
    theorem("optimality_universes.sharpened_attained", within=CATEGORIES),
    every(_TRIPLES, attained),
    mutant("1.01 times the bound is attained", {"scale": Fraction(101, 100)}),
)


def all_margins(scope: str, sizes: Iterable[int], rates: str) -> Cases:
    """The laws of all universes of b records in one stratum, with the odds o of such swap rates."""
    listed = [(b, Fraction(rate)) for b, rate in product(sizes, rates.split())]
    return cases(f"{scope}; p = {', '.join(rates.split())}", "b o laws")(
        lambda: ((b, p / (1 - p), [kernel(u, p) for u in universes(b, b, rows=b, columns=b)]) for b, p in listed)
    )


_EVEN = all_margins("b = 2, 4 records in one stratum, all margins", (2, 4), "1/20 1/2 19/20")

# no universe of b records needs more than e^(2 eps) = max{square/o^2, o^2}, and one needs as much
smallest_squared = lambda square, o, laws: attains(
    [(ratio**2, d) for u in laws for ratio, d in needs(u)], max(square / o**2, o**2)
)

own("psa.exact.sharpened.smallest", "article, Theorem 3")(
    """For b = 2 and for b >= 4, and all p in (0, 1), e^eps = max{sqrt(d(b)/d(b-2))/o, o} is the smallest budget of the
    PSA, over all universes with largest stratum b of all domains, that depends on b and p alone.""",
    theorem("psa_sharp.psa_sharp", "psa_sharp.sharp_budget_sqrt", within=CATEGORIES),
    every(_EVEN, lambda b, o, laws: smallest_squared(derangements(b) / derangements(b - 2), o, laws)),
    mutant("b^2 for d(b)/d(b-2)", lambda b, o, laws: smallest_squared(b**2, o, laws)),
)

_TWO_ROWS = "one stratum of {} <= n <= {} records, two rows, at most 4 columns, all x, x', z; all p in (0, 1)"
_two_categories = lambda divisor: lambda n: (Branch((2 * n + 1, 2 * n - 2), (0, 0, 2 * divisor), 2), *ODDS)

own("psa.exact.two-categories", GROWN)(
    """If a universe of one stratum of n >= 3 records has two holding categories or two swapping categories, then for
    all p in (0, 1) eps = (1/2) ln max{o^2, (n+1/2)/o^2 + (n-1)/o} is a budget of the PSA: (1/2) ln n where the printed
    one has ln n.""",
    theorem(
        *("two_categories.two_category_privacy", "two_categories.two_category_type_privacy"),
        *("two_categories.two_category_pure_dp", "two_categories.two_category_sqrt"),
        "two_category_budget.two_category_le_psa_budget",
        within=CATEGORIES,
    ),
    below_at_all_rates(universes(3, 8, rows=2), _two_categories(1), _TWO_ROWS.format(3, 8)),
    mutant(
        "half of the second term", found_by(below, universes(3, 8, rows=2), _two_categories(2), _TWO_ROWS.format(3, 8))
    ),
)

_HALF = _TWO_ROWS.format(2, 8) + "; and margins (1, n-1) on both sides, n <= 20"
_HALF_FARTHER = _TWO_ROWS.format(2, 12) + "; and n <= 16, at most 3 columns"
_TWICE = Branch((4, 4, 1), (0, 0, 1), 2)
_HALF_UNIVERSES = (*universes(2, 8, rows=2), *(((n - 1, 1), (n - 1, 1)) for n in range(9, 21)))
_HALF_FARTHER_UNIVERSES = (*universes(2, 12, rows=2), *universes(13, 16, rows=2, columns=3))


@cache
def half_budget(n: int) -> MeanBudget:
    """The budget of psa.exact.half."""
    one = Fraction(1)
    return exchange_budget({-1: Fraction(n + 1)}, {0: one, -1: Fraction(4), -2: Fraction(4)}, {2: one})


_half_without_growth = cache(
    lambda _: exchange_budget({0: Fraction(1), -1: Fraction(4), -2: Fraction(4)}, {2: Fraction(1)})
)

own("psa.exact.half", GROWN)(
    """Conjectured: if a universe of one stratum of n >= 2 records has two holding or two swapping categories, then for
    all p in (0, 1) eps = (1/2) ln max{(n+1)/o, (1+2/o)^2, o^2} is a budget of the PSA: half of the printed budget
    ln(n+1) - ln o, as soon as n + 1 >= (o+2)^2/o and n + 1 >= o^3.""",
    found_by(together_below, _HALF_FARTHER_UNIVERSES, half_budget, _HALF_FARTHER),
    below_at_all_rates(_HALF_UNIVERSES, lambda n: half_budget(n).branches, _HALF),
    mutant("without (n+1)/o", found_by(below, _HALF_UNIVERSES, lambda _: (_TWICE, *ODDS), _HALF)),
    mutant(
        "without (n+1)/o, farther",
        found_by(together_below, _HALF_FARTHER_UNIVERSES, _half_without_growth, _HALF_FARTHER),
    ),
    reading="nightly, without exception: up to three columns for n <= 24 and up to four for n <= 18, all p",
)


def _balanced_form(n: int) -> Branch:
    m, common = n // 2, derangements(n - 1) * derangements(n - 2)
    two, one = derangements(n) * derangements(n - 1), (n - 2) * derangements(n) * derangements(n - 2)
    return Branch((two, one, (m - 1) ** 2 * common), (0, 0, m * m * common), 2)


_balanced_budget = lambda n: (_balanced_form(n), Branch((1,), (1,), 2))
_balanced_universes = lambda last: tuple(((n // 2, n // 2), (n // 2, n // 2)) for n in range(4, last + 1, 2))


def balanced(largest_odds: Fraction | None, *, last: int = 24) -> Evidence:
    """Whether the closed form is the loss of the universes with all margins n/2."""
    listed, scope = _balanced_universes(last), _balanced_scope(largest_odds, last)
    found = below(listed, _balanced_budget, scope, largest_odds=largest_odds)
    if found.verdict is Verdict.REFUTED:
        return found
    for margins in listed:
        _of_form(margins)
    return Evidence(Verdict.EXHAUSTED, scope, "no ratio is larger, and one is equal identically in o")


def _balanced_scope(largest_odds: Fraction | None, last: int = 24) -> str:
    return f"even n, 4 <= n <= {last}, all p in {'(0, 1)' if largest_odds is None else '(0, 1/2]'}"


def _of_form(margins: Margins) -> tuple[Any, ...]:
    """Polynomials of a ratio of a universe that is the closed form at the distance 2, and those of the form."""
    form = _balanced_form(sum(margins[0]))
    for ratio in universe_ratios(*margins):
        if ratio.distance == form.root and _is_form(ratio, form):
            return ratio.high, ratio.low, form.numerator, form.denominator
    raise EngineError(f"the closed form is attained by no triple at n = {sum(margins[0])}")


def _is_form(ratio: SwapRatio, form: Branch) -> bool:
    points = map(Fraction, range(1, 2 * len(ratio.high) + 4))
    return all(ratio.at(o) == _at(form.numerator, o) / _at(form.denominator, o) for o in points)


def _balanced_shown() -> list[Sentence]:
    """The signs of polynomials in the odds, and that a quotient of two is the closed form."""
    one, listed = Fraction(1), _balanced_universes(24)
    scope = _balanced_scope(one)
    equal = (
        text_of(lambda high, low, numerator, denominator: times(high, denominator) == times(numerator, low)),
        f"polynomials in the odds of a ratio at distance 2, and of the closed form: {scope}",
        ("high", "low", "numerator", "denominator"),
    )
    return [signs(listed, _balanced_budget, scope, largest_odds=one), Sentence(*equal, map(_of_form, listed))]


own("psa.exact.balanced", GROWN)(
    """In the universe with row and column margins (m, m), m >= 2, n = 2m, the loss of the PSA for 0 < p <= 1/2 is (1/2)
    ln of (d(n)/d(n-2)/o^2 + (n-2)*d(n)/d(n-1)/o + (m-1)^2)/m^2; as m grows it tends to ln(1 + 2/o) = ln((2-p)/p): it
    stays bounded.""",
    replace(found_by(balanced, Fraction(1)), shown=_balanced_shown),
    mutant("for all p in (0, 1)", found_by(balanced, None)),
    reading="nightly, without exception: n <= 40",
)

# the smallest budget of the PSA that depends on b and p alone: how it varies with both, and where it is beaten

removed_ratio = lambda b: derangements(b) / derangements(b - 2)

# e^(2 eps) by the square of the odds, b other than 3; e^(6 eps) by the odds, every b >= 2
sharp_square = lambda b, u: max(u, removed_ratio(b) / u)
sharp_sixth = lambda b, o: max(o**6, 4 / o**6, 8 / o**3) if b == 3 else sharp_square(b, o**2) ** 3
_THREE = "at b = 3 the smallest e^eps is max{o, 2^(1/3)/o, sqrt(2/o)}, else max{o, sqrt(d(b)/d(b-2))/o}"
_ODDS = tuple(map(Fraction, ("1/19", "1/4", "1/2", "1", "3/2", "2", "3", "9/2", "19")))
_SHOWN = "o = " + ", ".join(map(str, _ODDS))
_sizes = lambda first: cases(f"{first} <= b <= 20, {_SHOWN}", "b o")(lambda: product(range(first, 21), _ODDS))
_pairs = cases(f"2 <= b <= c <= 20, {_SHOWN}", "b c o")(
    lambda: ((b, c, o) for b, c, o in product(range(2, 21), range(2, 21), _ODDS) if b <= c)
)

of_three = all_margins("every universe of 3 records in one stratum", (3,), "1/20 1/3 1/2 19/20")

own("psa.exact.sharpened.three", "article, Theorem 3")(
    """For b = 3 and all p in (0, 1), e^eps = max{o, 2^(1/3)/o, sqrt(2/o)} is the smallest budget of the PSA, over all
    universes with largest stratum b of all domains, that depends on b and p alone.""",
    every(of_three, lambda o, laws: attains([(ratio**6, d) for u in laws for ratio, d in needs(u)], sharp_sixth(3, o))),
    mutant(
        "without sqrt(2/o)",
        lambda o, laws: attains([(ratio**6, d) for u in laws for ratio, d in needs(u)], max(o**6, 4 / o**6)),
    ),
    theorem("psa_sharp.psa_sharp", within=CATEGORIES),
    reading="by e^(6 eps), which is rational",
)

own("psa.exact.sharpened.monotone", "article, section 3.3")(
    """At every p in (0, 1) the smallest budget of the PSA that depends on b and p alone does not decrease with b, for b
    >= 2.""",
    every(_pairs, lambda b, c, o: sharp_sixth(b, o) <= sharp_sixth(c, o)),
    mutant("it increases", lambda b, c, o: b == c or sharp_sixth(b, o) < sharp_sixth(c, o)),
    theorem("psa_sharp.sharp_budget_mono", "psa_sharp.psa_sharp", within=CATEGORIES),
    reading=_THREE,
)

own("psa.exact.sharpened.minimum", "article, section 3.6")(
    """The smallest budget of the PSA that depends on b and p alone is at least (1/4) ln(d(b)/d(b-2)) at every p in (0,
    1), for b = 2 and b >= 4, and at least (1/3) ln 2 for b = 3.""",
    every(_sizes(2), lambda b, o: sharp_sixth(b, o) ** 2 >= (16 if b == 3 else removed_ratio(b) ** 3)),
    mutant("the printed minimum", lambda b, o: sharp_sixth(b, o) >= (b + 1) ** 3),
    theorem("psa_sharp.sharp_budget_min", "psa_sharp.psa_sharp", within=CATEGORIES),
    reading=_THREE,
)

_squares = cases("b = 2 and 4 <= b <= 20; o^2 = " + ", ".join(map(str, _ODDS)), "b u")(
    lambda: product((2, *range(4, 21)), _ODDS)
)

own("psa.exact.sharpened.two-rates", "article, section 3.6")(
    """For b = 2 and b >= 4 the smallest budget of the PSA that depends on b and p alone is the same at odds o and o' =
    sqrt(d(b)/d(b-2))/o.""",
    every(_squares, lambda b, u: sharp_square(b, u) == sharp_square(b, removed_ratio(b) / u)),
    mutant("o' = (b+1)/o", lambda b, u: sharp_square(b, u) == sharp_square(b, (b + 1) ** 2 / u)),
    theorem("psa_sharp.sharp_budget_dual", "psa_sharp.psa_sharp", within=CATEGORIES),
    reading="u = o^2, of which e^(2 eps) is a rational function",
)

sharp_at_least = lambda b, o, less: sharp_sixth(b, o) >= max(o, (b - less) / o) ** 6

own("psa.exact.sharpened.at-least", "article, Theorem 3")(
    """For b >= 4 and p in (0, 1) a budget of the PSA that depends on b and p alone is at least ln o and at least
    ln(b-1) - ln o.""",
    every(_sizes(4), lambda b, o: sharp_at_least(b, o, 1)),
    mutant("b for b - 1", lambda b, o: sharp_at_least(b, o, 0)),
    theorem("psa_sharp.sharp_budget_bounds", "psa_sharp.psa_sharp", within=CATEGORIES),
)
_over_odds = lambda numerator: (Branch((numerator,), (0, 1)), Branch((0, 1), (1,)))

own("psa.exact.improved", "article, Theorem 1")(
    """For b >= 2 and all p in (0, 1), e^eps = max{b/o, o} is a budget of the PSA in every universe with largest stratum
    b: b for the printed b + 1.""",
    theorem("psa_sharp.psa_privacy_improved", within=CATEGORIES),
    below_at_all_rates(universes(2, 5), _over_odds, RANGE.format(5)),
    mutant("b - 1 for b", found_by(below, [SIX], lambda n: _over_odds(n - 1), AT_SIX)),
)

own("psa.exact.printed-smallest", "article, Theorem 1 and (7)", "article, section 3.6")(
    """For b >= 2 and 0 < p < 1 the printed budget (7) is the smallest one that depends on b and p alone if and only if
    b + 1 <= o^2, that is p >= sqrt(b+1)/(sqrt(b+1)+1).""",
    every(_sizes(2), lambda b, o: (psa_budget(b, o / (1 + o)) ** 6 <= sharp_sixth(b, o)) == (b + 1 <= o**2)),
    mutant("b - 1 <= o^2", lambda b, o: (psa_budget(b, o / (1 + o)) ** 6 <= sharp_sixth(b, o)) == (b - 1 <= o**2)),
    theorem("psa_sharp.psa_budget_sharp_iff", "psa_sharp.psa_sharp", within=CATEGORIES),
    theorem("psa_sharp.printed_budget_not_smallest", within="b = 2, p = 1/2, where 0 is enough"),
    repairs="psa.budget.necessary.printed",
    reading=_THREE,
)

_distinct = lambda *rates: cases(
    f"universes of 2, 3 and 4 records that share no category, p = {', '.join(map(str, rates))}", "laws"
)(lambda: (kernel(((1,) * b, (1,) * b), p) for b, p in product((2, 3, 4), rates)))

own("psa.exact.degenerate", "article, Theorem 3 (A)")(
    """At p = 0 and at p = 1 no finite eps is a budget of the PSA in the universe of b >= 2 records that share no
    category.""",
    every(_distinct(Fraction(0), Fraction(1)), lambda laws: unbounded(laws)),
    mutant("p = 1/2 too", _distinct(Fraction(0), Fraction(1, 2))),
    theorem("psa_sharp.psa_degenerate_infinite"),
)

small_odds = cases(
    "one stratum of 2 to 4 records, at most 4 x 4 categories; eta = 1/10 and 1, o = eta/n!^2", "laws most eta o"
)(
    lambda: (
        (laws, max(table_distance(x, y) or 0 for x, y in product(laws, repeat=2)), eta, o)
        for (rows, columns), eta in product(universes(2, 4), (Fraction(1, 10), Fraction(1)))
        for o in [eta / factorial(sum(rows)) ** 2]
        for laws in [kernel((rows, columns), o / (1 + o))]
    )
)

own("psa.exact.small-odds", "article, Theorem 4 and its closing remark")(
    """In a universe of one stratum of n >= 2 records whose data sets differ in at most D records, e^eps = (1 + eta)(D +
    1)/o is a budget of the PSA where o <= 1 and n!^2 o <= eta: for small rates D takes the place of b.""",
    every(small_odds, lambda laws, share, eta, most, o: is_enough(laws, share * (1 + eta) * (most + 1) / o), share=1),
    mutant("half of it", {"share": Fraction(1, 2)}),
    theorem("optimality_refuted.small_odds_budget", within=CATEGORIES),
)
