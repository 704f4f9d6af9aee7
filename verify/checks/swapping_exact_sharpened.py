"""Evidence for the sharpened budget of the PSA, √(d(b)/d(b−2)) for b + 1: that it suffices, and that it is needed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from mechanisms.permutation_counts import derangements
from spec.tables import Table
from verify.checks.swapping_exact import ODDS, RANGE, RATES, below, squared, universes, value_at
from verify.engines.swapping.loss import universe_loss
from verify.engines.swapping.polynomials import Branch, OddsBudget, likelihood_polynomial
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes


def _sharpened(b: int) -> OddsBudget:
    return (Branch((derangements(b),), (0, 0, derangements(b - 2)), 2), *ODDS)


@checks("psa.exact.sharpened")
def sharpened() -> Evidence:
    """√(d(b)/d(b−2)) for b + 1: the bound proved in `verify.engines.swapping.bounds`."""
    return below(universes(range(4, 6), rows=4, columns=4), _sharpened, "4 <= " + RANGE.format(5))


def _extreme_tables(b: int) -> tuple[Table, Table, Table]:
    """(x, x', z): x and z share two single records alone, which are exchanged in x'."""
    if b % 2 == 0:
        m = (b - 2) // 2
        first: list[list[int]] = [[m, 0], [0, m]]
        last = [[0, m], [m, 0]]
    else:
        m = (b - 3) // 2
        first = [[m, 0, 0], [0, m, 0], [0, 0, 1]]
        last = [[0, m - 1, 1], [m, 0, 0], [0, 1, 0]]
    return _beside(first, (1, 0)), _beside(first, (0, 1)), _beside(last, (1, 0))


def _beside(block: list[list[int]], pair: tuple[int, int]) -> Table:
    """The block with two more rows and columns that hold one record each."""
    empty = (0,) * len(block)
    return (*((*row, 0, 0) for row in block), (*empty, *pair), (*empty, *pair[::-1]))


def _attained(scale: Fraction) -> Evidence:
    """Whether the ratio of the extreme tables is at least scale·d(b)/d(b−2)/o², for all o: it is a multiple of 1/o²."""
    scope = "4 <= b <= 16; all p in (0, 1)"
    for b in range(4, 17):
        x, x_prime, z = _extreme_tables(b)
        high, low = likelihood_polynomial(x, z), likelihood_polynomial(x_prime, z)
        if {k for k, c in enumerate(high) if c} != {b - 2} or {k for k, c in enumerate(low) if c} != {b}:
            raise EngineError(f"the tables for b = {b} must share two records and none")
        ratio = Fraction(high[b - 2], low[b])
        if ratio < scale * derangements(b) / derangements(b - 2):
            witness = formula_witness(
                "ratio * derangements(b-2) >= scale * derangements(b)", ratio=ratio, scale=scale, b=b
            )
            return Evidence(Verdict.REFUTED, scope, f"b = {b}: the ratio is {ratio}/o^2", witness)
    return Evidence(Verdict.EXHAUSTED, scope, "one triple for each b, at distance 2")


@checks("psa.exact.sharpened.attained")
def sharpened_attained() -> Evidence:
    """All permutations behind x → z move b − 2 records, those behind x' → z all b, and there are as many of both."""
    return _attained(Fraction(1))


@refutes("psa.exact.sharpened.attained", "1.01 times the bound is attained")
def more_attained() -> Evidence:
    """The mutant with a larger value."""
    return _attained(Fraction(101, 100))


def _smallest(budget: Callable[[int], OddsBudget]) -> Evidence:
    """Whether the largest loss over all universes of one stratum of b records is the budget."""
    scope = "b = 2, 4 records in one stratum, all margins; p = 1/20, 1/2, 19/20"
    for b, rate in product((2, 4), RATES):
        losses = {margins: universe_loss(*margins, rate) for margins in universes([b], rows=b, columns=b)}
        worst = max(losses, key=losses.__getitem__)
        claimed = value_at(budget(b), rate / (1 - rate))
        if losses[worst] != claimed:
            values = {name: squared(loss) for name, loss in (("loss", losses[worst]), ("budget", claimed))}
            note = f"b = {b}, p = {rate}: e^(2 eps), attained with margins {worst[0]} and {worst[1]}"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("loss == budget", note=note, **values))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.exact.sharpened.smallest")
def sharpened_smallest() -> Evidence:
    """No universe needs more, and one needs as much."""
    return _smallest(_sharpened)


@refutes("psa.exact.sharpened.smallest", "b^2 for d(b)/d(b-2)")
def sharpened_larger() -> Evidence:
    """The mutant with b/o, which no universe needs."""
    return _smallest(lambda b: (Branch((b**2,), (0, 0, 1), 2), *ODDS))


@refutes("psa.exact.sharpened", "(b-1)^2 for d(b)/d(b-2)")
def sharpened_too_far() -> Evidence:
    """The mutant with (b−1)/o, on the smallest universe that attains the bound."""
    return below(
        [((2, 2, 1, 1), (2, 2, 1, 1))],
        lambda b: (Branch(((b - 1) ** 2,), (0, 0, 1), 2), *ODDS),
        "b = 6, margins (2, 2, 1, 1) on both sides",
    )
