"""What claims about variants compare: the laws of all tables of one universe.

On a finite universe D_Mult allows a finite budget iff all laws have common support, for any two tables of a universe
are at a finite distance and only equal ones at 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from spec.law import Law
from spec.loss import Loss
from spec.tables import Table
from verify.engines.swapping.variant_loss import laws_on_universe, loss_of_laws, small_universes
from verify.evidence.witness import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import Cases, cases
from verify.ledger.words import define

__all__ = ["RATES", "Laws", "exceeded", "laws_of"]

Laws = Mapping[Table, Law[Any]]

RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))

define({"common_support(laws)": "len(set({z for z in laws[x] if laws[x][z] > 0} for x in laws)) == 1"})


def exceeded(laws: Laws, budget: Loss, claimed: str, **case: Any) -> Witness | None:
    """The failure where the laws of a universe need more than a budget.

    Args:
        laws: by data set.
        budget: the claimed one.
        claimed: that P_x(z) is within it, in x, y, z, p = P_x, q = P_y and the names of the case.
        **case: what the budget is made of.
    """
    found = loss_of_laws(laws)
    if found.worst is None or found.loss <= budget:
        return None
    x, y, z, _ = found.worst
    return failure(claimed, x=x, y=y, z=z, p=laws[x], q=laws[y], **case)


def laws_of(program: Callable[..., Any], records: int, parts: int = 3, *, setting: str, **parameters: Any) -> Cases:
    """The laws of a program on every universe of one stratum with up to so many records and categories."""
    scope = f"one stratum, n <= {records} records, at most {parts} x {parts} categories; {setting}"
    return cases(scope, "laws")(
        lambda: (laws_on_universe(program, margins, **parameters) for margins in small_universes(records, parts))
    )
