"""The exact loss of any swapping mechanism on one small universe, from the laws of its program; a table of variants."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.broken.disjoint_pairs import disjoint_pairs
from stirred.mechanisms.broken.fixed_number_of_swaps import fixed_number_of_swaps
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SwapRecord, permutation_swapping, table_records
from stirred.mechanisms.swapping.variants import (
    capped_swapping,
    cell_key_after_swapping,
    noise_before_swapping,
    nonuniform_swapping,
    nonvacuous_swapping,
    one_more_or_less,
    probabilistic_matching,
    swapping_with_rates_by_value,
    swapping_without_imputed_records,
)
from stirred.spec.blocks.tables import Table, contingency_tables, margins_of_size, row_margins, table_distance
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.flavors.permutation_swapping import Margins
from stirred.spec.laws.law import Law


@dataclass(frozen=True)
class VariantLoss:
    """The smallest budget that the laws of one universe allow, and where it is needed.

    Attributes:
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


UNIVERSES: tuple[Margins, ...] = (
    ((1, 1), (1, 1)),
    ((2, 1), (2, 1)),
    ((2, 1), (1, 1, 1)),
    ((1, 1, 1), (1, 1, 1)),
    ((2, 2), (2, 2)),
)
RATES = (Fraction(1, 20), Fraction(1, 2))

Program = Callable[[tuple[SwapRecord, ...], Source, Fraction, int], Any]
"""A variant on records at a swap rate, with so many swapping categories."""


@dataclass(frozen=True)
class VariantRow:
    """One line of the table.

    Attributes:
        universe: the margins that the data sets share; "any" for those that they need not share.
    """

    variant: str
    universe: str
    swap_rate: Fraction
    found: VariantLoss
    psa: VariantLoss


@dataclass(frozen=True)
class _Variant:
    name: str
    run: Program
    any_columns: bool = False
    stratum_by_row: bool = False
    first_row_imputed: bool = False


def _place(value: object) -> int:
    return int(str(value))


def _rate_by_row(rate: Fraction) -> Callable[[SwapRecord], Fraction]:
    return lambda record: rate if _place(record[1]) == 0 else rate / 2


def _favour_the_next(record: SwapRecord, other: SwapRecord) -> int:
    return 2 if _place(other[2]) == (_place(record[1]) + 1) % 3 else 1


_VARIANTS = (
    _Variant(
        "rates p in the first row, p/2 in others",
        lambda x, source, p, _: swapping_with_rates_by_value(x, source, rate=_rate_by_row(p)),
    ),
    _Variant(
        "nonuniform derangements, weights 2 and 1",
        lambda x, source, p, _: nonuniform_swapping(x, source, weight=_favour_the_next, swap_rate=p),
    ),
    _Variant(
        "first row imputed, never swapped",
        lambda x, source, p, _: swapping_without_imputed_records(
            x, source, imputed=lambda record: record[1] == 0, swap_rate=p
        ),
        first_row_imputed=True,
    ),
    _Variant("no vacuous swaps", lambda x, source, p, _: nonvacuous_swapping(x, source, swap_rate=p)),
    _Variant("at most 2 records moved", lambda x, source, p, _: capped_swapping(x, source, cap=2, swap_rate=p)),
    _Variant("exactly 1 swap (p not used)", lambda x, source, *_: fixed_number_of_swaps(x, source, swaps=1)),
    _Variant("disjoint pairs", lambda x, source, p, _: disjoint_pairs(x, source, swap_rate=p)),
    _Variant(
        "matching across strata, alpha = 1/10",
        lambda x, source, p, _: probabilistic_matching(x, source, across=Fraction(1, 10), swap_rate=p),
        stratum_by_row=True,
    ),
    _Variant(
        "noise before the swap, r = 1/2",
        lambda x, source, p, columns: noise_before_swapping(
            x, source, categories=range(columns), replace_rate=Fraction(1, 2), swap_rate=p
        ),
        any_columns=True,
    ),
    _Variant(
        "cell key after the swap, -1 to +1",
        lambda x, source, p, _: cell_key_after_swapping(x, source, perturbation=one_more_or_less, swap_rate=p),
    ),
    _Variant(
        "the same, column margins not shared",
        lambda x, source, p, _: cell_key_after_swapping(x, source, perturbation=one_more_or_less, swap_rate=p),
        any_columns=True,
    ),
)


def variant_rows() -> Iterator[VariantRow]:
    """All lines: each variant on each universe at each rate.

    Variants whose data sets share no column margins are shown for (1, 1) alone, and the first row is imputed only
    where two rows are left. With matching across strata each row is a stratum.
    """
    for variant in _VARIANTS:
        for margins, rate in product(UNIVERSES, RATES):
            if variant.any_columns and margins != UNIVERSES[0]:
                continue
            if variant.first_row_imputed and len(margins[0]) < 3:
                continue
            yield _row(variant, margins, rate)


def _row(variant: _Variant, margins: Margins, rate: Fraction) -> VariantRow:
    rows, columns = margins
    tables = _all_tables(rows, len(columns)) if variant.any_columns else contingency_tables(rows, columns)
    inputs = {table: _records(table, stratum_by_row=variant.stratum_by_row) for table in tables}
    distance = _same_first_row if variant.first_row_imputed else table_distance

    def program(records: tuple[SwapRecord, ...], source: Source) -> Any:
        return variant.run(records, source, rate, len(columns))

    laws = {table: exact_law(program, records) for table, records in inputs.items()}
    psa = {table: exact_law(permutation_swapping, records, swap_rate=rate) for table, records in inputs.items()}
    universe = f"{rows} x {'any' if variant.any_columns else columns}"
    return VariantRow(variant.name, universe, rate, loss_of_laws(laws, distance), loss_of_laws(psa))


def _records(table: Table, *, stratum_by_row: bool) -> tuple[SwapRecord, ...]:
    return tuple((row if stratum_by_row else 0, row, column) for _, row, column in table_records(table))


def _same_first_row(first: Table, second: Table) -> int | None:
    """The premetric d' of article, Appendix C.2: d_HamS, and ∞ between tables that differ on an imputed record."""
    return table_distance(first, second) if first[0] == second[0] else None


def _all_tables(rows: tuple[int, ...], columns: int) -> tuple[Table, ...]:
    cells = product(range(max(rows) + 1), repeat=columns)
    lines = tuple(cells)
    return tuple(table for table in product(lines, repeat=len(rows)) if row_margins(table) == rows)
