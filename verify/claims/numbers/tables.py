"""Tables 3 to 5 of the article as data, read from the published claim files, and the budget (7) as a word.

The numbers themselves stand in `verify/claims/published`, which `stirred audit` reads too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.audit.published import rows
from verify.engines.number_table import PrintedRow
from verify.ledger.words import define

__all__ = ["RATES", "SCHEMES", "TABLE_5", "TableEntry", "entries", "table_5"]

# e^epsilon by (7), at swap rates between 0 and 1: its two branches cross where the second begins
define({"budget_of_swapping(b, p)": "1 if b == 0 else max((b + 1)*(1 - p)/p, p/(1 - p))"})

SCHEMES = ("state", "state-size", "county", "county-size", "block-group", "block-group-size")
"""V_Match in Table 5, from coarse to fine; the one after each geography is crossed with household size."""

RATES = (Fraction(1, 20), Fraction(1, 2))
"""The swap rates of Table 5."""


@dataclass(frozen=True)
class TableEntry:
    """A budget of Table 5: its scheme, b, the swap rate, and ε as printed."""

    scheme: str
    b: int
    p: Fraction
    printed: Fraction


def table_5(changed: Mapping[str, str] | None = None) -> tuple[PrintedRow, ...]:
    """The twelve budgets with their formula, at 5% and 50% for each scheme; `changed` as for `rows`."""
    return tuple(row for scheme in SCHEMES for row in rows(f"psa-2020.{scheme}", changed))


def entries(table: tuple[PrintedRow, ...]) -> tuple[TableEntry, ...]:
    """The rows of `table_5` as numbers."""
    return tuple(
        TableEntry(SCHEMES[i // 2], int(row.inputs["b"].value), row.inputs["p"].value, row.printed.value)
        for i, row in enumerate(table)
    )


TABLE_5 = entries(table_5())
