"""Budgets that hold for all swap rates at once, decided as inequalities between polynomials in the odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from mechanisms.permutation_counts import derangements, psa_law
from spec.loss import Loss
from spec.permutation_swapping import Margins
from spec.tables import margins_of_size
from verify.evidence import EngineError, Evidence
from verify.ledger.failures import failure
from verify.ledger.quantifiers import found_by
from verify.ledger.statement import state
from verify.ledger.theorems import theorem
from verify.swapping.polynomials import Branch, OddsBudget, SwapRatio, decide_ratio, printed_budget, universe_ratios
from verify.verdict import Verdict

__all__ = ["CATEGORIES", "GROWN", "ODDS", "RANGE", "below", "universes"]

GROWN = "article, Theorem 4 and its closing remark"
CATEGORIES = "finitely many categories"
RANGE = "n <= {} records in one stratum, at most 4 x 4 categories, all x, x', z; all p in (0, 1)"
ODDS: OddsBudget = (Branch((0, 0, 1), (1,), 2),)


def universes(sizes: Iterable[int], *, rows: int = 4, columns: int = 4) -> Iterator[Margins]:
    """The universes with at least two tables, up to the names of categories, and transposition where it applies."""
    for size in sizes:
        for down in margins_of_size(size, rows):
            for across in margins_of_size(size, columns):
                if len(down) > 1 and len(across) > 1 and (rows != columns or down >= across):
                    yield down, across


def value_at(budget: OddsBudget, odds: Fraction) -> Loss:
    """A budget at given odds; its branches have one root."""
    values = [_at(branch.numerator, odds) / _at(branch.denominator, odds) for branch in budget]
    return Loss(max(*values, Fraction(1)), budget[0].root)


def _at(polynomial: tuple[int, ...], odds: Fraction) -> Fraction:
    return sum((c * odds**k for k, c in enumerate(polynomial)), Fraction(0))


def _shown(branch: Branch, power: int) -> str:
    """The branch raised to a power, in the odds o."""
    over, under = (
        " + ".join(f"{c}*o**{k}" for k, c in enumerate(part) if c) for part in (branch.numerator, branch.denominator)
    )
    return f"(({over})/({under}))**{power}"


def below(
    listed: Callable[[], Iterable[Margins]],
    budget: Callable[[int], OddsBudget],
    scope: str,
    *,
    largest_odds: Fraction | None = None,
) -> Evidence:
    """Whether all ratios of all universes stay below a budget for all swap rates, by certified polynomial signs."""
    checked = certificates = 0
    for rows, columns in listed():
        claimed = budget(sum(rows))
        for ratio in universe_ratios(rows, columns):
            found = decide_ratio(ratio, claimed, largest_odds=largest_odds)
            if isinstance(found, Fraction):
                (x, y, z), rate = ratio.triple, found / (1 + found)
                root, d = claimed[0].root, "table_distance(x, y)"
                largest = "max(" + ", ".join(_shown(branch, 1) for branch in claimed) + ")"
                witness = failure(
                    f"(p[z]/q[z])**{root} <= {largest}**{d}",
                    x=x,
                    y=y,
                    z=z,
                    p=psa_law(x, rate),
                    q=psa_law(y, rate),
                    o=found,
                )
                return Evidence(Verdict.REFUTED, scope, f"margins {rows} and {columns}, p = {rate}", witness)
            checked += 1
            certificates += len(found)
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} ratios, {certificates} sign certificates re-checked")


def _up_to_six() -> Iterator[Margins]:
    return universes(range(2, 7))


state(
    "psa.exact.all-rates",
    "article, Theorem 1 and (7)",
    claim="For all p in (0, 1) at once, with o = p/(1-p): in one stratum of b >= 2 records, P_x(z) <= max{(b+1)/o, "
    "o}^d(x, x') * P_x'(z) for all x, x', z of the universe.",
    checks=[
        theorem("psa_privacy.psa_privacy", "psa_privacy.psa_budget_max", within=CATEGORIES),
        found_by(below, _up_to_six, printed_budget, RANGE.format(6)),
    ],
    mutants={
        "(b+1)/2 for b+1": found_by(
            below, _up_to_six, lambda n: (Branch((n + 1,), (0, 2)), Branch((0, 1), (1,))), RANGE.format(6)
        )
    },
)

_TWO_ROWS = "one stratum of {} <= n <= 8 records, two rows, at most 4 columns, all x, x', z; all p in (0, 1)"


def _two_rows(least: int) -> Callable[[], Iterator[Margins]]:
    return lambda: universes(range(least, 9), rows=2)


def _two_categories(divisor: int) -> Callable[[int], OddsBudget]:
    return lambda n: (Branch((2 * n + 1, 2 * n - 2), (0, 0, 2 * divisor), 2), *ODDS)


state(
    "psa.exact.two-categories",
    GROWN,
    claim="If a universe of one stratum of n >= 3 records has two holding categories or two swapping categories, then "
    "for all p in (0, 1) eps = (1/2) ln max{o^2, (n+1/2)/o^2 + (n-1)/o} is a budget of the PSA: (1/2) ln n where the "
    "printed one has ln n.",
    checks=[
        theorem(
            "two_categories.two_category_privacy",
            "two_categories.two_category_type_privacy",
            "two_categories.two_category_pure_dp",
            "two_categories.two_category_sqrt",
            "two_category_budget.two_category_le_theorem1",
            within=CATEGORIES,
        ),
        found_by(below, _two_rows(3), _two_categories(1), _TWO_ROWS.format(3)),
    ],
    mutants={"half of the second term": found_by(below, _two_rows(3), _two_categories(2), _TWO_ROWS.format(3))},
)

_HALF = _TWO_ROWS.format(2) + "; and margins (1, n-1) on both sides, n <= 20"
_TWICE = Branch((4, 4, 1), (0, 0, 1), 2)


def _half_universes() -> Iterator[Margins]:
    yield from universes(range(2, 9), rows=2)
    for n in range(9, 21):
        yield (n - 1, 1), (n - 1, 1)


state(
    "psa.exact.half",
    GROWN,
    claim="Conjectured: if a universe of one stratum of n >= 2 records has two holding or two swapping categories, "
    "then for all p in (0, 1) eps = (1/2) ln max{(n+1)/o, (1+2/o)^2, o^2} is a budget of the PSA: half of the printed "
    "budget ln(n+1) - ln o, as soon as n + 1 >= (o+2)^2/o and n + 1 >= o^3.",
    checks=[found_by(below, _half_universes, lambda n: (Branch((n + 1,), (0, 1), 2), _TWICE, *ODDS), _HALF)],
    mutants={"without (n+1)/o": found_by(below, _half_universes, lambda _: (_TWICE, *ODDS), _HALF)},
)


def _balanced_form(n: int) -> Branch:
    m, common = n // 2, derangements(n - 1) * derangements(n - 2)
    two, one = derangements(n) * derangements(n - 1), (n - 2) * derangements(n) * derangements(n - 2)
    return Branch((two, one, (m - 1) ** 2 * common), (0, 0, m * m * common), 2)


def balanced(largest_odds: Fraction | None) -> Evidence:
    """Whether the closed form is the loss of the universes with all margins n/2."""
    rates = "all p in (0, 1)" if largest_odds is None else "all p in (0, 1/2]"
    scope = f"even n, 4 <= n <= 16, {rates}"
    for n in range(4, 17, 2):
        margins, form = (n // 2, n // 2), _balanced_form(n)
        one = (form, Branch((1,), (1,), 2))
        found = below(lambda m=margins: [(m, m)], lambda _, one=one: one, scope, largest_odds=largest_odds)  # type: ignore[misc]
        if found.verdict is Verdict.REFUTED:
            return found
        if not any(_is_form(ratio, form) for ratio in universe_ratios(margins, margins)):
            raise EngineError(f"the closed form is attained by no triple at n = {n}")
    return Evidence(Verdict.EXHAUSTED, scope, "no ratio is larger, and one is equal identically in o")


def _is_form(ratio: SwapRatio, form: Branch) -> bool:
    points = map(Fraction, range(1, 2 * len(ratio.high) + 4))
    return all(ratio.at(o) == _at(form.numerator, o) / _at(form.denominator, o) for o in points)


state(
    "psa.exact.balanced",
    GROWN,
    claim="In the universe with row and column margins (m, m), m >= 2, n = 2m, the loss of the PSA for 0 < p <= 1/2 is "
    "(1/2) ln of (d(n)/d(n-2)/o^2 + (n-2)*d(n)/d(n-1)/o + (m-1)^2)/m^2; as m grows it tends to ln(1 + 2/o) = "
    "ln((2-p)/p): it stays bounded.",
    checks=[found_by(balanced, Fraction(1))],
    mutants={"for all p in (0, 1)": found_by(balanced, None)},
)
