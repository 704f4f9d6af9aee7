"""The sharpened budget of the PSA, √(d(b)/d(b−2)) for b + 1: that it suffices, and that it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from mechanisms.permutation_counts import derangements, psa_law
from spec.loss import Loss
from spec.permutation_swapping import Margins
from spec.tables import Table, contingency_tables
from verify.claims.psa_exact.every_rate import CATEGORIES, ODDS, RANGE, below, universes
from verify.evidence import EngineError, Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every, found_by
from verify.ledger.statement import state
from verify.ledger.theorems import theorem
from verify.swapping.loss import universe_loss
from verify.swapping.polynomials import Branch, OddsBudget, likelihood_polynomial


def _sharpened(b: int) -> OddsBudget:
    return (Branch((derangements(b),), (0, 0, derangements(b - 2)), 2), *ODDS)


def _one_less(b: int) -> OddsBudget:
    return (Branch(((b - 1) ** 2,), (0, 0, 1), 2), *ODDS)


def _four_and_five() -> Iterator[Margins]:
    return universes(range(4, 6))


def _attaining() -> Iterator[Margins]:
    return iter([((2, 2, 1, 1), (2, 2, 1, 1))])


state(
    "psa.exact.sharpened",
    "article, Theorem 1",
    claim="For b >= 4 and all p in (0, 1), e^eps = max{sqrt(d(b)/d(b-2))/o, o} is a budget of the PSA in every "
    "universe with largest stratum b, where d(k) counts derangements; it is never above the printed max{(b+1)/o, o}.",
    checks=[
        theorem(
            "psa_sharp.psa_sharp_pure_dp",
            "psa_sharp.sharp_le_theorem1",
            "psa_sharp.sharp_budget_sqrt",
            within=CATEGORIES,
        ),
        found_by(below, _four_and_five, _sharpened, "4 <= " + RANGE.format(5)),
    ],
    mutants={
        "(b-1)^2 for d(b)/d(b-2)": found_by(below, _attaining, _one_less, "b = 6, margins (2, 2, 1, 1) on both sides")
    },
)


def _beside(block: list[list[int]], pair: tuple[int, int]) -> Table:
    """The block with two more rows and columns that hold one record each."""
    empty = (0,) * len(block)
    return (*((*row, 0, 0) for row in block), (*empty, *pair), (*empty, *pair[::-1]))


@cases("4 <= b <= 16, one triple of tables at distance 2 for each b; all p in (0, 1)", "b x y z")
def extreme_tables() -> Iterator[tuple[int, Table, Table, Table]]:
    """X and z share two single records alone, which are exchanged in y."""
    for b in range(4, 17):
        m, odd = (b - 2) // 2, b % 2
        if odd:
            first: list[list[int]] = [[m - odd + 1, 0, 0], [0, m - odd + 1, 0], [0, 0, 1]]
            last = [[0, m - odd, 1], [m - odd + 1, 0, 0], [0, 1, 0]]
        else:
            first, last = [[m, 0], [0, m]], [[0, m], [m, 0]]
        yield b, _beside(first, (1, 0)), _beside(first, (0, 1)), _beside(last, (1, 0))


def attained(b: int, x: Table, y: Table, z: Table, *, scale: Fraction = Fraction(1)) -> Witness | None:
    """P_x(z)/P_y(z) >= scale*d(b)/d(b-2)/o^2 for all odds o: it is a multiple of 1/o^2."""
    high, low = likelihood_polynomial(x, z), likelihood_polynomial(y, z)
    if {k for k, c in enumerate(high) if c} != {b - 2} or {k for k, c in enumerate(low) if c} != {b}:
        raise EngineError(f"the tables for b = {b} must share two records and none")
    if Fraction(high[b - 2], low[b]) >= scale * derangements(b) / derangements(b - 2):
        return None
    p, q = (psa_law(one, Fraction(1, 2)) for one in (x, y))
    claimed = "p[z]*derangements(b - 2) >= scale*derangements(b)*q[z]"
    return failure(claimed, b=b, z=z, p=p, q=q, scale=scale, note=f"at o = 1, x = {x} and y = {y}")


state(
    "psa.exact.sharpened.attained",
    "article, Theorem 3 (C)",
    claim="For every b >= 4 there is a universe with largest stratum b in which the PSA's smallest budget has e^eps >= "
    "sqrt(d(b)/d(b-2))/o for all p in (0, 1), namely that with margins (m, m, 1, 1) or (m, m, 1, 1, 1) on both sides.",
    checks=[every(extreme_tables, attained)],
    mutants={"1.01 times the bound is attained": every(extreme_tables, attained, scale=Fraction(101, 100))},
)


sizes_and_rates = cases("b = 2, 4 records in one stratum, all margins; p = 1/20, 1/2, 19/20", "b rate")(
    lambda: product((2, 4), (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20)))
)


def smallest(b: int, rate: Fraction, *, square: str = "derangements(b)/derangements(b - 2)") -> Witness | None:
    """No universe of b records needs more than e^(2 eps) = max{square/o^2, o^2}, and one needs as much."""
    listed, o = list(universes([b], rows=b, columns=b)), rate / (1 - rate)
    constant = b * b if square == "b**2" else Fraction(derangements(b), derangements(b - 2))
    if max(universe_loss(*margins, rate) for margins in listed) == Loss(max(constant / o**2, o**2, Fraction(1)), 2):
        return None
    laws = [{x: psa_law(x, rate) for x in contingency_tables(*margins)} for margins in listed]
    needed, bound = "likelihood_ratio(u[x], u[y])**2", f"max({square}/o**2, o**2)**table_distance(x, y)"
    pairs = "for u in universes for x in u for y in u if x != y"
    return failure(f"all({needed} <= {bound} {pairs}) and any({needed} == {bound} {pairs})", b=b, o=o, universes=laws)


state(
    "psa.exact.sharpened.smallest",
    "article, Theorem 3",
    claim="For b = 2 and for b >= 4, and all p in (0, 1), e^eps = max{sqrt(d(b)/d(b-2))/o, o} is the smallest budget "
    "of the PSA, over all universes with largest stratum b of all domains, that depends on b and p alone.",
    checks=[
        theorem("psa_sharp.psa_sharp", "psa_sharp.sharp_budget_sqrt", within=CATEGORIES),
        every(sizes_and_rates, smallest),
    ],
    mutants={"b^2 for d(b)/d(b-2)": every(sizes_and_rates, smallest, square="b**2")},
)
