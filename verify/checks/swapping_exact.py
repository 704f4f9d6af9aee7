"""Evidence for the claims about the PSA's exact loss, decided for all swap rates at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from mechanisms.permutation_counts import derangements, likelihood, move_weights, moved_counts, psa_law
from spec.loss import Loss
from spec.permutation_swapping import Margins
from spec.tables import Table, contingency_tables, margins_of_size, table_distance
from verify.engines.swapping.bounds import single_record_loss
from verify.engines.swapping.circuits import circuit_steps
from verify.engines.swapping.loss import representatives, universe_loss
from verify.engines.swapping.polynomials import (
    Branch,
    OddsBudget,
    SwapRatio,
    decide_ratio,
    likelihood_polynomial,
    printed_budget,
    universe_ratios,
)
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, event_witness, formula_witness
from verify.ledger import checks, refutes

__all__ = ["ODDS", "RANGE", "RATES", "below", "squared", "universes", "value_at"]

RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
ODDS: OddsBudget = (Branch((0, 0, 1), (1,), 2),)


def universes(sizes: Iterable[int], *, rows: int, columns: int) -> Iterator[Margins]:
    """The universes with at least two tables, up to the names of categories, and transposition where it applies."""
    for size in sizes:
        for down in margins_of_size(size, rows):
            for across in margins_of_size(size, columns):
                if len(down) > 1 and len(across) > 1 and (rows != columns or down >= across):
                    yield down, across


def _loss_witness(triple: tuple[Table, Table, Table], distance: int, rate: Fraction, budget: Loss) -> Witness:
    """P_x(z) > e^(ε·d)·P_x'(z), with both laws, for `verify.certificates.replay`."""
    x, x_prime, z = triple
    laws = psa_law(x, rate), psa_law(x_prime, rate)
    return event_witness(laws, [z], distance=distance, claimed=budget, x=x, x_prime=x_prime, swap_rate=rate)


def value_at(budget: OddsBudget, odds: Fraction) -> Loss:
    """A budget at given odds; its branches have one root."""
    values = [_at(branch.numerator, odds) / _at(branch.denominator, odds) for branch in budget]
    return Loss(max(*values, Fraction(1)), budget[0].root)


def _at(polynomial: tuple[int, ...], odds: Fraction) -> Fraction:
    return sum((c * odds**k for k, c in enumerate(polynomial)), Fraction(0))


def below(
    universes: Iterable[Margins],
    budget: Callable[[int], OddsBudget],
    scope: str,
    largest_odds: Fraction | None = None,
) -> Evidence:
    """Whether all ratios of all universes stay below a budget for all swap rates, by certified polynomial signs."""
    checked = certificates = 0
    for rows, columns in universes:
        claimed = budget(sum(rows))
        for ratio in universe_ratios(rows, columns):
            found = decide_ratio(ratio, claimed, largest_odds=largest_odds)
            if isinstance(found, Fraction):
                rate = found / (1 + found)
                witness = _loss_witness(ratio.triple, ratio.distance, rate, value_at(claimed, found))
                return Evidence(Verdict.REFUTED, scope, f"margins {rows} and {columns}, p = {rate}", witness)
            checked += 1
            certificates += len(found)
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} ratios, {certificates} sign certificates re-checked")


def _circuits(longest: int | None) -> Evidence:
    """Whether the pairs that circuits of some length separate decide the loss of every small universe."""
    scope = "one stratum of n <= 5 records, at most 4 x 4 categories; p = 1/20, 1/2, 19/20"
    for rows, columns in universes(range(2, 6), rows=4, columns=4):
        tables = contingency_tables(rows, columns)
        steps = [(i, j, d) for i, j, d in circuit_steps(tables) if longest is None or d <= longest]
        for z in representatives(tables, rows, columns):
            counts = [moved_counts(x, z) for x in tables]
            for rate in RATES:
                weights = move_weights(sum(rows), rate)
                masses = [sum((n * w for n, w in zip(row, weights, strict=True)), Fraction(0)) for row in counts]
                known = max(Loss(max(Fraction(1), masses[i] / masses[j]), d) for i, j, d in steps)
                for i, x in enumerate(tables):
                    for j, y in enumerate(tables):
                        distance = table_distance(x, y) or 0
                        if i != j and masses[i] > masses[j] and Loss(masses[i] / masses[j], distance) > known:
                            witness = _loss_witness((x, y, z), distance, rate, known)
                            return Evidence(Verdict.REFUTED, scope, f"margins {rows} and {columns}", witness)
    return Evidence(Verdict.EXHAUSTED, scope, "all pairs of tables against the pairs one circuit apart")


@checks("psa.exact.circuits")
def circuits_decide() -> Evidence:
    """All circuits."""
    return _circuits(None)


@refutes("psa.exact.circuits", "l = 2 only: exchanges of two records")
def exchanges_decide() -> Evidence:
    """The mutant with exchanges alone."""
    return _circuits(2)


def squared(loss: Loss) -> Fraction:
    """e^(2ε) of a loss at distance 1 or 2."""
    return Fraction(loss.gamma or 0) ** (2 // loss.distance)


RANGE = "n <= {} records in one stratum, at most 4 x 4 categories, all x, x', z; all p in (0, 1)"


@checks("psa.exact.all-rates")
def all_rates() -> Evidence:
    """Budget (7), n ≤ 6; the nightly tests go to n ≤ 8."""
    return below(universes(range(2, 7), rows=4, columns=4), printed_budget, RANGE.format(6))


@refutes("psa.exact.all-rates", "(b+1)/2 for b+1")
def all_rates_halved() -> Evidence:
    """The mutant with half of the constant."""
    return below(
        universes(range(2, 7), rows=4, columns=4),
        lambda n: (Branch((n + 1,), (0, 2)), Branch((0, 1), (1,))),
        RANGE.format(6),
    )


_TWO_ROWS = "one stratum of {} <= n <= 8 records, two rows, at most 4 columns, all x, x', z; all p in (0, 1)"


def _two_categories(divisor: int) -> Callable[[int], OddsBudget]:
    return lambda n: (Branch((2 * n + 1, 2 * n - 2), (0, 0, 2 * divisor), 2), *ODDS)


@checks("psa.exact.two-categories")
def two_categories() -> Evidence:
    """The bound proved in `verify.engines.swapping.bounds`."""
    return below(universes(range(3, 9), rows=2, columns=4), _two_categories(1), _TWO_ROWS.format(3))


@refutes("psa.exact.two-categories", "half of the second term")
def two_categories_halved() -> Evidence:
    """The mutant with half of e^(2ε)."""
    return below(universes(range(3, 9), rows=2, columns=4), _two_categories(2), _TWO_ROWS.format(3))


_HALF = _TWO_ROWS.format(2) + "; and margins (1, n-1) on both sides, n <= 20"


def _half_universes() -> Iterator[Margins]:
    yield from universes(range(2, 9), rows=2, columns=4)
    for n in range(9, 21):
        yield (n - 1, 1), (n - 1, 1)


@checks("psa.exact.half")
def half() -> Evidence:
    """Conjectured from the balanced and the single-record universes; no proof for all n is known."""
    return below(
        _half_universes(), lambda n: (Branch((n + 1,), (0, 1), 2), Branch((4, 4, 1), (0, 0, 1), 2), *ODDS), _HALF
    )


@refutes("psa.exact.half", "without (n+1)/o")
def bounded_in_all() -> Evidence:
    """The mutant that would stay bounded in n."""
    return below(_half_universes(), lambda _: (Branch((4, 4, 1), (0, 0, 1), 2), *ODDS), _HALF)


def _single_record(others: Callable[[int], int]) -> Evidence:
    """Whether the printed closed form is the law, for all p, and its maximum the loss."""
    scope = "n <= 12, at most 4 columns, rows (1, n-1); n + 1 values of p, which settle all p"
    for n in range(2, 13):
        for columns in margins_of_size(n, 4):
            tables = contingency_tables((1, n - 1), columns)
            for rate in (Fraction(k, n + 2) for k in range(1, n + 2)):
                moves = rate * (1 - (1 - rate) ** (n - 1)) / (1 - n * rate * (1 - rate) ** (n - 1))
                for x in tables:
                    for z in tables:
                        here, there = x[0].index(1), z[0].index(1)
                        comes = moves * Fraction(columns[there] - (here == there), others(n))
                        claimed = comes + (1 - moves if here == there else 0)
                        exact = likelihood(x, z, rate)
                        if exact != claimed:
                            witness = formula_witness("law == form", law=exact, form=claimed)
                            return Evidence(Verdict.REFUTED, scope, f"n = {n}, p = {rate}", witness)
    return Evidence(Verdict.EXHAUSTED, scope, "the law of the single record's column, of which the loss is a maximum")


@checks("psa.exact.single-record")
def single_record() -> Evidence:
    """Both sides, times 1 − n·p·(1−p)^(n−1), are polynomials in p of degree at most n, equal at n + 1 points."""
    return _single_record(lambda n: n - 1)


@refutes("psa.exact.single-record", "n for n-1 in the law")
def single_record_with_n() -> Evidence:
    """The mutant that lets a moved record stay."""
    return _single_record(lambda n: n)


def _single_record_maximum(*, both_ways: bool) -> Evidence:
    """Whether the largest quotient of that law, over all categories of two or more, is the loss of the universe."""
    scope = "n <= 8, at most 4 columns, rows (1, n-1); p = 1/20, 1/2, 19/20"
    for n in range(2, 9):
        for columns in (margins for margins in margins_of_size(n, 4) if len(margins) > 1):
            for rate in (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20)):
                loss = universe_loss((1, n - 1), columns, rate)
                claimed = single_record_loss(columns, rate)
                if not both_ways:
                    moves = rate * (1 - (1 - rate) ** (n - 1)) / (1 - n * rate * (1 - rate) ** (n - 1))
                    stays = [Fraction(1), *(((1 - moves) * (n - 1) + moves * (c - 1)) / (moves * c) for c in columns)]
                    claimed = Loss(max(stays), 2)
                if loss != claimed:
                    exact, form = squared(loss), squared(claimed)
                    witness = formula_witness("loss == form", note="both are e^(2 eps)", loss=exact, form=form)
                    return Evidence(Verdict.REFUTED, scope, f"n = {n}, columns {columns}, p = {rate}", witness)
    return Evidence(Verdict.EXHAUSTED, scope, "the stated maximum is the loss of the universe")


@checks("psa.exact.single-record")
def single_record_maximum() -> Evidence:
    """The closed form of `verify.engines.swapping.bounds` beside the loss by counting."""
    return _single_record_maximum(both_ways=True)


@refutes("psa.exact.single-record", "q_s/r_s alone, without r_s/q_s")
def single_record_one_way() -> Evidence:
    """The mutant that forgets the record that comes more often than it stays."""
    return _single_record_maximum(both_ways=False)


def _three_categories(divisor: int) -> Evidence:
    """Whether the triple of the proof has a ratio of at least n(n−1)(1−p)²/divisor for all p."""
    scope = "4 <= n <= 16; all p in (0, 1)"
    for n in range(4, 17):
        margins = (n - 2, 1, 1)
        x = ((n - 2, 0, 0), (0, 1, 0), (0, 0, 1))
        y = ((n - 2, 0, 0), (0, 0, 1), (0, 1, 0))
        ratio = SwapRatio(likelihood_polynomial(x, x), likelihood_polynomial(y, x), 2, (x, y, x))
        inverse = SwapRatio(ratio.low, ratio.high, 2, (y, x, x))
        bound = (Branch((divisor, 2 * divisor, divisor), (n * (n - 1),), 2),)
        found = decide_ratio(inverse, bound)
        if isinstance(found, Fraction):
            witness = formula_witness(
                f"ratio >= n*(n-1)*(1-p)**2/{divisor}", ratio=ratio.at(found), n=n, p=found / (1 + found)
            )
            return Evidence(Verdict.REFUTED, scope, f"margins {margins}, p = {found / (1 + found)}", witness)
    return Evidence(Verdict.EXHAUSTED, scope, "x = z with both single records in their own row and column")


@checks("psa.exact.three-categories")
def three_categories() -> Evidence:
    """The lower bound proved in `verify.engines.swapping.bounds`."""
    return _three_categories(4)


@refutes("psa.exact.three-categories", "without - ln 2")
def three_categories_without() -> Evidence:
    """The mutant with n(n−1)(1−p)²."""
    return _three_categories(1)


def _balanced_form(n: int) -> Branch:
    m = n // 2
    two, one = derangements(n) * derangements(n - 1), (n - 2) * derangements(n) * derangements(n - 2)
    common = derangements(n - 1) * derangements(n - 2)
    return Branch((two, one, (m - 1) ** 2 * common), (0, 0, m * m * common), 2)


def _balanced(largest_odds: Fraction | None) -> Evidence:
    """Whether the closed form is the loss of the universes with all margins n/2."""
    rates = "all p in (0, 1)" if largest_odds is None else "all p in (0, 1/2]"
    scope = f"even n, 4 <= n <= 16, {rates}"
    for n in range(4, 17, 2):
        margins = (n // 2, n // 2)
        form = _balanced_form(n)
        found = below([(margins, margins)], lambda n: (_balanced_form(n), Branch((1,), (1,), 2)), scope, largest_odds)
        if found.verdict is Verdict.REFUTED:
            return found
        if not any(_is_form(ratio, form) for ratio in universe_ratios(margins, margins)):
            raise EngineError(f"the closed form is attained by no triple at n = {n}")
    return Evidence(Verdict.EXHAUSTED, scope, "no ratio is larger, and one is equal identically in o")


def _is_form(ratio: SwapRatio, form: Branch) -> bool:
    points = range(1, 2 * len(ratio.high) + 4)
    return all(
        ratio.at(Fraction(o)) == _at(form.numerator, Fraction(o)) / _at(form.denominator, Fraction(o)) for o in points
    )


@checks("psa.exact.balanced")
def balanced() -> Evidence:
    """The closed form; it tends to (1 + 2/o)² since d(n)/d(n−2) ~ n² and d(n)/d(n−1) ~ n."""
    return _balanced(Fraction(1))


@refutes("psa.exact.balanced", "for all p in (0, 1)")
def balanced_at_all_rates() -> Evidence:
    """The mutant without the restriction to p ≤ 1/2."""
    return _balanced(None)
