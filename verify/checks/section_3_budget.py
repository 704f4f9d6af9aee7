"""Evidence for article, Theorem 1 and what section 3.3 says around it: the PSA's budget on every small universe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

from mechanisms.permutation_counts import psa_law
from mechanisms.permutation_swapping import SaturatedTable, SwapRecord, permutation_swapping
from mechanisms.source import Source
from spec import law
from spec.permutation_swapping import Margins, largest_stratum, odds, psa_budget, swapping_flavor
from spec.specification import Specification
from spec.tables import Table, contingency_tables, table_distance
from verify.engines.exhaustive import check_specification, mechanism_laws
from verify.engines.solver import decide
from verify.engines.swapping.budget_sweep import (
    Budget,
    check_budget,
    exceeds,
    one_stratum,
    several_strata,
    stratum_loss,
)
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_THEOREM = "psa.budget.theorem"
_RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20))


def _gamma(size: int, rate: Fraction) -> Fraction | None:
    """e^ε of (7)."""
    return psa_budget(size, rate).gamma


def _theorem(strata: Sequence[Margins], rate: Fraction) -> Fraction | None:
    return _gamma(largest_stratum(strata), rate)


def _single(records: int) -> Iterator[tuple[Margins, ...]]:
    return ((margins,) for margins in one_stratum(records, 4))


def _single_sweep(budget: Budget, rates: Sequence[Fraction] = _RATES) -> Evidence:
    named = ", ".join(map(str, rates))
    scope = f"every universe of one stratum with up to 6 records and four categories a side, p in {{{named}}}"
    return check_budget(budget, _single, range(1, 7), rates, scope)


@checks(_THEOREM)
def theorem_one_stratum() -> Evidence:
    """Theorem 1 with 0 < p < 1, the case b = 0 included."""
    return _single_sweep(_theorem)


@checks(_THEOREM)
def theorem_at_the_ends() -> Evidence:
    """Theorem 1 at p = 0 and p = 1: a finite budget is claimed for b = 0 only."""
    return _single_sweep(_theorem, (Fraction(0), Fraction(1)))


def _changed(formula: Callable[[int, Fraction], Fraction]) -> Budget:
    """A budget that changes (7) where 0 < p < 1 and b > 0."""

    def budget(strata: Sequence[Margins], rate: Fraction) -> Fraction | None:
        size = largest_stratum(strata)
        return _gamma(size, rate) if size == 0 or rate in (0, 1) else formula(size, rate)

    return budget


@refutes(_THEOREM, "b - 1 for b + 1")
def with_b_minus_one() -> Evidence:
    """The mutant with a smaller constant; the threshold moves with it."""

    def formula(b: int, p: Fraction) -> Fraction:
        o = odds(p)
        return (b - 1) / o if o * o <= b - 1 else o

    return _single_sweep(_changed(formula))


@refutes(_THEOREM, "ln(b + 1) without - ln o at p < 1/2")
def without_odds() -> Evidence:
    """The mutant without the odds at small swap rates."""
    return _single_sweep(_changed(lambda b, p: Fraction(b + 1) if p < Fraction(1, 2) else _gamma(b, p) or Fraction(0)))


@refutes(_THEOREM, "the upper branch ln o below its threshold")
def with_upper_branch() -> Evidence:
    """The mutant that uses ln o at every swap rate from one half."""
    return _single_sweep(_changed(lambda b, p: odds(p) if p >= Fraction(1, 2) else _gamma(b, p) or Fraction(0)))


@refutes(_THEOREM, "p for o")
def with_rate_for_odds() -> Evidence:
    """The mutant with p in place of o: a budget is never negative, so ln p counts as 0; the threshold stays."""

    def formula(b: int, p: Fraction) -> Fraction:
        return (b + 1) / p if odds(p) ** 2 <= b + 1 else Fraction(1)

    return _single_sweep(_changed(formula))


@refutes(_THEOREM, "the smallest stratum for the largest")
def with_smallest_stratum() -> Evidence:
    """The mutant that takes the minimum over the strata with two distinct records."""

    def budget(strata: Sequence[Margins], rate: Fraction) -> Fraction | None:
        sizes = [size for size in (largest_stratum([margins]) for margins in strata) if size]
        return _gamma(min(sizes, default=0), rate)

    def two_strata(records: int) -> Iterator[tuple[Margins, ...]]:
        for first in range(1, records // 2 + 1):
            yield from several_strata((first, records - first), 4)

    scope = "every universe of two strata with up to 7 records in all and four categories a side, p = 1/2"
    return check_budget(budget, two_strata, range(2, 8), (Fraction(1, 2),), scope)


def _product_exceeds(strata: Sequence[Margins], rate: Fraction, gamma: Fraction | None) -> tuple[Table, ...] | None:
    """An output where the product laws of two data sets violate the claimed budget, compared pair by pair."""
    if gamma is None:
        return None
    tables = [contingency_tables(*margins) for margins in strata]
    laws = {x: psa_law(x, rate) for stratum in tables for x in stratum}
    points = list(product(*tables))
    joint = {x: law.product(laws[x[0]], laws[x[1]]) for x in points}
    for x, y in product(points, points):
        distance = sum(table_distance(a, b) or 0 for a, b in zip(x, y, strict=True))
        bound = gamma**distance
        for z in joint[x]:
            if joint[x].numeric(z) > bound * joint[y].numeric(z):
                return z
    return None


@checks(_THEOREM)
def theorem_two_strata() -> Evidence:
    """Theorem 1 on two strata, from the product of their laws, and that the loss is the largest of the strata's."""
    scope = "every universe of two strata with up to 3 records each, p in {1/20, 1/2, 3/4, 19/20}, product laws"
    checked = 0
    for sizes in combinations_with_replacement((1, 2, 3), 2):
        for strata in several_strata(sizes, 3):
            for rate in _RATES:
                gamma = _theorem(strata, rate)
                expected = any(exceeds(stratum_loss(*margins, rate), gamma) for margins in strata)
                found = _product_exceeds(strata, rate, gamma)
                if expected != (found is not None):
                    raise EngineError(f"the product laws on {strata} disagree with the strata's losses at p = {rate}")
                if found is not None:
                    return check_budget(_theorem, lambda _: [strata], (sum(sizes),), (rate,), scope)  # noqa: B023
                checked += 1
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} universes and rates")


def _swap_tables(strata: Sequence[Table], source: Source, *, swap_rate: Fraction) -> SaturatedTable:
    """The PSA's program on a data set given as its strata's tables."""
    records: list[SwapRecord] = [
        (m, h, s)
        for m, table in enumerate(strata)
        for h, row in enumerate(table)
        for s, count in enumerate(row)
        for _ in range(count)
    ]
    return permutation_swapping(records, source, swap_rate=swap_rate)


@checks(_THEOREM)
def theorem_from_the_program() -> Evidence:
    """Theorem 1 from Algorithm 1 itself, choice by choice, on a universe of two strata."""
    margins: tuple[Margins, ...] = (((1, 1), (1, 1)), ((2, 1), (1, 1, 1)))
    flavor = swapping_flavor(margins)
    scope = f"the program permutation_swapping on the universe {margins} of two strata, p = 1/20 and 3/4"
    evidence = Evidence(Verdict.OPEN, scope)
    for rate in (Fraction(1, 20), Fraction(3, 4)):
        laws = mechanism_laws(_swap_tables, flavor.domain, swap_rate=rate)
        budget = psa_budget(largest_stratum(margins), rate)
        evidence = check_specification(laws, Specification.constant(flavor, budget), scope)
        if evidence.verdict is Verdict.REFUTED:
            break
    return evidence


def _sketch(factor: Callable[[int], int]) -> Evidence:
    def budget(strata: Sequence[Margins], rate: Fraction) -> Fraction | None:
        size = largest_stratum(strata)
        return factor(size) / odds(rate) if size else None

    scope = (
        "every universe of one stratum with b > 0, up to 5 records and four categories a side, p in {1/20, 1/4, 1/2}"
    )
    return check_budget(budget, _single, range(2, 6), (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2)), scope)


@checks("psa.budget.sketch")
def sketch() -> Evidence:
    """Inequality (8)."""
    return _sketch(lambda b: b + 1)


@refutes("psa.budget.sketch", "- ln o for ln(b + 1) - ln o")
def sketch_without_derangements() -> Evidence:
    """The mutant that forgets the derangement numbers."""
    return _sketch(lambda _: 1)


def _monotone(*changes: tuple[str, str], relation: str) -> Evidence:
    scope = (
        "all b < c, each 0 or at least 2, and all p in (0, 1); at p in {0, 1} the budget is 0 at b = 0, else infinite"
    )
    claimed = f"budget_b {relation} budget_c"
    return decide("psa.budget.monotone", scope, claimed=claimed, note="e^epsilon at b and at c", changes=changes)


@checks("psa.budget.monotone")
def monotone() -> Evidence:
    """(7) does not decrease in b."""
    return _monotone(relation="<=")


@refutes("psa.budget.monotone", "strictly increasing")
def strictly_monotone() -> Evidence:
    """The mutant fails above the threshold, where ln o does not depend on b."""
    return _monotone(("(not (<= budget_b", "(not (< budget_b"), relation="<")


def _moved(order: Sequence[int]) -> int:
    return sum(i != image for i, image in enumerate(order))


def _compositions(slack: int) -> Evidence:
    """|k_σ' − k_σ| ≤ k − slack for both orders of composition."""
    scope = "all permutations sigma and all derangements rho of k records, among up to 5 records, either order"
    for n in range(6):
        for sigma, rho in product(permutations(range(n)), repeat=2):
            k, moved = _moved(rho), _moved(sigma)
            for composed in (tuple(sigma[i] for i in rho), tuple(rho[i] for i in sigma)):
                after = _moved(composed)
                if abs(after - moved) > max(0, k - slack):
                    note = f"sigma = {sigma}, rho = {rho}"
                    claimed = f"(after - moved)**2 <= (k - {slack})**2"
                    witness = formula_witness(claimed, note=note, after=after, moved=moved, k=k)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.sketch.moved-records")
def moved_records() -> Evidence:
    """(9)."""
    return _compositions(0)


@refutes("psa.sketch.moved-records", "k - 1 for k")
def fewer_moved_records() -> Evidence:
    """The mutant with a smaller bound."""
    return _compositions(1)


def _constant_on_universes(number: Callable[[Sequence[Table]], int], name: str) -> Evidence:
    """Whether a number that data sets have, found from the records, is one number for each universe."""
    scope = (
        "every universe of one stratum with up to 6 records and three categories a side, and of two with up to 3 each"
    )
    universes: list[tuple[Margins, ...]] = [(m,) for n in range(1, 7) for m in one_stratum(n, 3)]
    universes += [u for sizes in combinations_with_replacement((1, 2, 3), 2) for u in several_strata(sizes, 3)]
    for strata in universes:
        values: dict[int, tuple[Table, ...]] = {}
        for point in product(*(contingency_tables(*margins) for margins in strata)):
            values.setdefault(number(point), point)
        if len(values) > 1:
            (first, x), (second, y) = list(values.items())[:2]
            note = f"{name} of x = {x} and of x' = {y}, in one universe"
            witness = formula_witness("first == second", note=note, first=first, second=second)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _distinct(table: Table) -> int:
    return sum(1 for row in table for count in row if count)


@checks("psa.budget.universe-function", "psa.budget.reportable")
def budget_of_universe() -> Evidence:
    """Remark 1: b, found from the records as Theorem 1 defines it, is constant on every universe.

    So a mechanism that reports b, or ε at a fixed p, has one law on every universe, and loss 0.
    """
    return _constant_on_universes(
        lambda point: max([0, *(sum(map(sum, table)) for table in point if _distinct(table) > 1)]), "b"
    )


@refutes("psa.budget.universe-function", "the number of distinct records for b")
@refutes("psa.budget.reportable", "the number of distinct records reported")
def distinct_records_of_universe() -> Evidence:
    """The mutant: how many distinct records there are is no function of the universe."""
    return _constant_on_universes(lambda point: sum(map(_distinct, point)), "the number of distinct records")
