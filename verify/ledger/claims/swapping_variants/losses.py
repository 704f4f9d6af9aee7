"""What claims about variants compare: the laws of all tables of one universe.

On a finite universe D_Mult allows a finite budget iff all laws have common support, for any two tables of a universe
are at a finite distance and only equal ones at 0.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from stirred.verify.engines.swapping.variant_loss import laws_on_universe, small_universes
from stirred.verify.ledger import Cases, cases

RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
common_support = lambda laws: len({{z for z in laws[x] if laws[x][z] > 0} for x in laws}) == 1


def laws_of(program: Callable[..., Any], records: int, parts: int = 3, *, setting: str, **parameters: Any) -> Cases:
    """The laws of a program on every universe of one stratum with up to so many records and categories."""
    scope = f"one stratum, n <= {records} records, at most {parts} x {parts} categories; {setting}"
    return cases(
        scope,
        "laws",
        lambda: (laws_on_universe(program, margins, **parameters) for margins in small_universes(records, parts)),
    )
