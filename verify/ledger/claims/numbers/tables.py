"""Table 5 of the article as data, read from the published claim files, and comparisons of printed numbers.

The numbers themselves stand in `verify/laws/claim/published`, which `stirred audit` reads too.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.printed_number import Printed
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.claim_numbers import rows
from stirred.verify.ledger import Cases, Check, every

# e^epsilon by (7), at swap rates between 0 and 1: its two branches cross where the second begins
budget_of_swapping = lambda b, p: 1 if b == 0 else max((b + 1) * (1 - p) / p, p / (1 - p))

SCHEMES = ("state", "state-size", "county", "county-size", "block-group", "block-group-size")
"""V_Match in Table 5, from coarse to fine; the one after each geography is crossed with household size."""

RATES = (Fraction(1, 20), Fraction(1, 2))
"""The swap rates of Table 5."""


class TableEntry(NamedTuple):
    """A budget of Table 5: its scheme, b, the swap rate, and ε as printed."""

    scheme: str
    b: int
    p: Fraction
    printed: Fraction


def table_5(changed: Mapping[str, str] | None = None) -> tuple[PrintedRow, ...]:
    """The twelve budgets with their formula, at 5% and 50% for each scheme; `changed` as for `rows`."""
    return tuple(row for scheme in SCHEMES for row in rows(f"psa-2020.{scheme}", changed))


TABLE_5 = tuple(
    TableEntry(SCHEMES[i // 2], int(row.inputs["b"].value), row.inputs["p"].value, row.printed.value)
    for i, row in enumerate(table_5())
)


def compared(scope: str, claimed: Callable[..., Any], *, verdict: Verdict = Verdict.EXHAUSTED, **numbers: Any) -> Check:
    """Whether a sentence holds of some numbers: printed ones taken exactly, decimals, or exact ones."""
    exact = {name: Fraction(number) if isinstance(number, str) else number for name, number in numbers.items()}
    values: dict[str, Any] = {
        name: number.value if isinstance(number, Printed) else number for name, number in exact.items()
    }
    return every(Cases(scope, (), lambda: [()]), claimed, verdict=verdict, **values)
