"""What claims about variants compare: the laws of all tables of one universe.

On a finite universe D_Mult allows a finite budget iff all laws have common support, for any two tables of a universe
are at a finite distance and only equal ones at 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from spec.law import Law
from spec.loss import Loss
from spec.permutation_swapping import Margins
from spec.tables import Table
from verify.evidence import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import Cases, cases
from verify.ledger.words import define
from verify.swapping.variant_loss import loss_of_laws, small_universes

__all__ = ["RATES", "Laws", "common_support", "exceeded", "supported", "universes"]

Laws = Mapping[Table, Law[Any]]

RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))

define({"common_support(laws)": "all(get(laws[y], z, 0) > 0 for x in laws for y in laws for z in laws[x])"})


def common_support(laws: Laws) -> bool:
    """Whether every output is possible from every data set."""
    return len({frozenset(law) for law in laws.values()}) == 1


def supported(laws: Laws) -> Witness | None:
    """Some finite budget holds: all laws have common support."""
    return None if common_support(laws) else failure("common_support(laws)", laws=laws)


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


def universes(records: int, parts: int = 3) -> Cases:
    """The universes of one stratum with up to so many records, by their margins."""
    scope = f"one stratum, n <= {records} records, at most {parts} x {parts} categories"

    @cases(scope, "margins")
    def listed() -> Iterator[Margins]:
        return small_universes(records, parts)

    return listed
