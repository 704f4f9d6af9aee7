"""The exact loss of any swapping mechanism on one small universe, from the laws of its program."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_swapping import table_records
from stirred.spec.blocks.tables import Table, contingency_tables, margins_of_size, table_distance
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.flavors.permutation_swapping import Margins
from stirred.spec.laws.law import Law


@dataclass(frozen=True)
class VariantLoss:
    """The smallest budget that the laws of one universe allow, and where it is needed.

    Attributes:
        loss: ε_D, `INFINITE` where no finite budget holds.
        laws: the law of each data set.
        worst: (x, x', z, d) with P_x(z) ≥ e^(ε·d)·P_x'(z), or P_x(z) > 0 = P_x'(z); None where the loss is 0.
    """

    loss: Loss
    laws: Mapping[Any, Law[Any]] = field(repr=False)
    worst: tuple[Any, Any, Any, int] | None


def loss_of_laws(
    laws: Mapping[Any, Law[Any]], distance: Callable[[Any, Any], int | None] = table_distance
) -> VariantLoss:
    """The maximum over x, x', z of ln(P_x(z)/P_x'(z))/d(x, x'), exact; the nearest pair that attains it is kept.

    Pairs at distance ∞ (None) need no budget; a positive loss at distance 0 is covered by none.

    Args:
        laws: the law of each data set of the universe.
        distance: the input premetric, by default d_HamS of two tables.

    Source: dissertation, Definition 2.4.5.
    """
    pairs = [(d, i, j) for i in laws for j in laws if i != j and (d := distance(i, j)) is not None]
    best, worst = ZERO, None
    for d, x, y in sorted(pairs, key=lambda pair: pair[0]):
        ratio, output = _largest_ratio(laws[x], laws[y])
        needed = (INFINITE if ratio is None else Loss(ratio)).over(d)
        if needed > best:
            best, worst = needed, (x, y, output, d)
    return VariantLoss(best, laws, worst)


def _largest_ratio(first: Law[Any], second: Law[Any]) -> tuple[Fraction | None, Any]:
    largest, where = Fraction(1), None
    for output in first:
        high, low = first.numeric(output), second.numeric(output)
        if high and not low:
            return None, output
        if high > largest * low:
            largest, where = high / low, output
    return largest, where


def laws_of_tables(
    mechanism: Callable[..., Any], tables: tuple[Table, ...], **parameters: Any
) -> dict[Table, Law[Any]]:
    """The exact law of a program on each table, its rows the holding and its columns the swapping categories."""
    return {table: exact_law(mechanism, table_records(table), **parameters) for table in tables}


def laws_on_universe(mechanism: Callable[..., Any], margins: Margins, **parameters: Any) -> dict[Table, Law[Any]]:
    """The exact law of a program on each table of the universe with these margins, one stratum."""
    return laws_of_tables(mechanism, contingency_tables(*margins), **parameters)


def small_universes(largest: int, parts: int = 3) -> Iterator[Margins]:
    """The margins of up to `largest` records with 2 to `parts` categories of each kind, up to order, fewest first."""
    for size in range(2, largest + 1):
        for rows in margins_of_size(size, parts):
            for columns in margins_of_size(size, parts):
                if len(rows) > 1 and len(columns) > 1:
                    yield rows, columns
