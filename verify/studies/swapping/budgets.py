"""The budget of a release on two scales: ε with δ, and ρ² of zero-concentrated privacy; each follows from the other.

A pure ε gives ρ² = ε·tanh(ε/2), the smallest for all laws; ρ² gives ε at δ = 10⁻¹⁰, the δ of the Census Bureau, by the
smallest conversion known (article, Table 3 has a larger one). What is not exact is rounded up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil

from stirred.spec.loss import Loss
from stirred.spec.zcdp import smallest_pure_to_zcdp, smallest_zcdp_to_approximate
from stirred.verify.studies.study import rounded_text

__all__ = ["DELTA", "INFINITE_BUDGET", "Budget", "concentrated", "pure", "pure_in_parts"]

DELTA = Fraction(1, 10**10)
"""Article, Table 3."""

_PLACES = 4


@dataclass(frozen=True)
class Budget:
    """What a release satisfies, on both scales.

    Attributes:
        epsilon: ε; None where no finite one holds.
        delta: the δ beside it, 0 for pure privacy.
        rho_squared: ρ²; None where no finite one holds.
    """

    epsilon: Fraction | None
    delta: Fraction
    rho_squared: Fraction | None

    def columns(self) -> Mapping[str, str]:
        """The budget as columns of the study's table."""
        epsilon, rho_squared = (
            "infinite" if number is None else rounded_text(number, _PLACES)
            for number in (self.epsilon, self.rho_squared)
        )
        return {"epsilon": epsilon, "delta": "1e-10" if self.delta else "0", "rho^2": rho_squared}


INFINITE_BUDGET = Budget(None, Fraction(0), None)


def _rounded_up(number: Fraction) -> Fraction:
    return Fraction(ceil(number * 10**_PLACES), 10**_PLACES)


@cache
def pure(loss: Loss | Fraction) -> Budget:
    """The budget of pure privacy, of a finite loss or an exact ε.

    >>> pure(Fraction(1, 4)).columns()
    {'epsilon': '0.2500', 'delta': '0', 'rho^2': '0.0311'}
    """
    epsilon = loss.epsilon().upper if isinstance(loss, Loss) else loss
    return Budget(_rounded_up(epsilon), Fraction(0), _rounded_up(smallest_pure_to_zcdp(loss).upper))


@cache
def pure_in_parts(epsilon: Fraction, parts: int) -> Budget:
    """The budget of so many independent releases with an equal share of ε each: their ρ² add up.

    >>> pure_in_parts(Fraction(1, 4), 4).columns()
    {'epsilon': '0.2500', 'delta': '0', 'rho^2': '0.0079'}
    """
    rho_squared = parts * smallest_pure_to_zcdp(epsilon / parts).upper
    return Budget(epsilon, Fraction(0), _rounded_up(rho_squared))


@cache
def concentrated(rho_squared: Fraction) -> Budget:
    """The budget of zero-concentrated privacy, of an exact ρ².

    >>> concentrated(Fraction("2.56")).columns()
    {'epsilon': '17.1584', 'delta': '1e-10', 'rho^2': '2.5600'}
    """
    return Budget(_rounded_up(smallest_zcdp_to_approximate(rho_squared, DELTA).upper), DELTA, rho_squared)
