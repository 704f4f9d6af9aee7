"""Claimed budgets of the PSA against its exact loss on every small universe, with the smallest violation."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement

from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.spec.blocks.tables import Table, contingency_tables, margins_of_size, table_distance
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import Margins
from stirred.spec.laws.law import Law, product
from stirred.verify.engines.swapping.loss import WitnessedLoss, universe_loss
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness, event_witness

Budget = Callable[[Sequence[Margins], Fraction], Fraction | None]
"""A claimed e^ε as a function of the strata's margins and the swap rate; None for ε = ∞."""


@lru_cache(maxsize=4096)
def stratum_loss(rows: tuple[int, ...], columns: tuple[int, ...], swap_rate: Fraction) -> WitnessedLoss:
    """The exact loss of one stratum's universe, kept for the claims that share it."""
    return universe_loss(rows, columns, swap_rate)


def one_stratum(records: int, categories: int) -> Iterator[Margins]:
    """The margins of every universe of one stratum with so many records, up to the names of categories.

    Rows and columns may be exchanged as well: P_x(z) and the distances do not change under transposition.
    """
    yield from combinations_with_replacement(margins_of_size(records, categories), 2)


def several_strata(sizes: Sequence[int], categories: int) -> Iterator[tuple[Margins, ...]]:
    """The margins of every universe with strata of these sizes, up to the names of categories."""
    universes: list[tuple[Margins, ...]] = [()]
    for size in sizes:
        universes = [(*known, margins) for known in universes for margins in one_stratum(size, categories)]
    yield from universes


def exceeds(loss: Loss, gamma: Fraction | None, distance: int | None = None) -> bool:
    """Whether a loss ε = ln(γ)/d is above the claimed budget ln(gamma); a claimed None is ∞."""
    if gamma is None:
        return False
    if loss.gamma is None:
        return True
    return loss.gamma > gamma ** (distance or loss.distance)


@dataclass(frozen=True)
class _Violation:
    """P_x(z) > gamma^distance · P_x'(z) in one stratum of a universe; the other strata agree."""

    distance: int
    strata: tuple[Margins, ...]
    stratum: int
    rate: Fraction
    x: Table
    x_prime: Table
    z: Table
    gamma: Fraction

    @property
    def order(self) -> tuple[object, ...]:
        return (self.distance, self.strata, self.stratum, self.x, self.x_prime, self.z, self.rate)


def _violations(strata: tuple[Margins, ...], stratum: int, rate: Fraction, gamma: Fraction) -> list[_Violation]:
    """The violations at the smallest distance that has any."""
    tables = contingency_tables(*strata[stratum])
    laws = [psa_law(table, rate) for table in tables]
    pairs: dict[int, list[tuple[int, int]]] = {}
    for i, x in enumerate(tables):
        for j, y in enumerate(tables):
            if i != j:
                pairs.setdefault(table_distance(x, y) or 0, []).append((i, j))
    for distance, close in sorted(pairs.items()):
        bound = gamma**distance
        found = [
            _Violation(distance, strata, stratum, rate, tables[i], tables[j], z, gamma)
            for i, j in close
            for z in laws[i]
            if laws[i].numeric(z) > bound * laws[j].numeric(z)
        ]
        if found:
            return found
    return []


def _witness(violation: _Violation) -> Witness:
    """Both full laws: of the one stratum, or of all strata together."""
    others: Law[tuple[Table, ...]] = Law({(): 1})
    fixed: list[Table] = []
    for position, margins in enumerate(violation.strata):
        if position == violation.stratum:
            continue
        first = contingency_tables(*margins)[0]
        fixed.append(first)
        others = product(others, psa_law(first, violation.rate)).push(lambda pair: (*pair[0], pair[1]))
    common = max(others, key=others.numeric)
    first_law, second_law = (
        product(psa_law(table, violation.rate), others).push(lambda pair: (pair[0], *pair[1]))
        for table in (violation.x, violation.x_prime)
    )
    return event_witness(
        (first_law, second_law),
        [(violation.z, *common)],
        distance=violation.distance,
        claimed=Loss(violation.gamma),
        x=(violation.x, *fixed),
        x_prime=(violation.x_prime, *fixed),
        note=f"strata in turn, the one that changes first; swap rate {violation.rate}",
    )


def check_budget(
    budget: Budget,
    universes: Callable[[int], Iterable[tuple[Margins, ...]]],
    records: Iterable[int],
    rates: Sequence[Fraction],
    scope: str,
) -> Evidence:
    """EXHAUSTED where no universe's exact loss exceeds the claimed budget, else REFUTED with the smallest violation.

    The loss of a universe with several strata is the largest of its strata's losses: strata are independent, their
    distances add, and two data sets that differ in one stratum alone are among those compared.

    `universes` gives those of a number of records, as margins of their strata; records ascend.

    Evidence; a refutation has the fewest records, then the smallest distance, then comes first in lexicographic order.
    """
    checked = 0
    for size in records:
        found: list[_Violation] = []
        for strata in universes(size):
            for rate in rates:
                gamma = budget(strata, rate)
                checked += 1
                for position, margins in enumerate(strata):
                    if gamma is not None and exceeds(stratum_loss(*margins, rate), gamma):
                        found += _violations(strata, position, rate, gamma)
        if found:
            worst = min(found, key=lambda violation: violation.order)
            sentence = (
                f"{size} records, strata {worst.strata}, p = {worst.rate}: x = {worst.x}, x' = {worst.x_prime} at "
                f"distance {worst.distance}, z = {worst.z}, claimed gamma = {worst.gamma}"
            )
            return Evidence(Verdict.REFUTED, scope, sentence, _witness(worst))
    if not checked:
        raise EngineError("a sweep must have at least one universe")
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} universes and rates")
