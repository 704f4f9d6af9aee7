"""Weighted totals as integers: what one record can add, and how far one record can move all totals together.

A record with weight w in [0, W] and value y in [a, b] adds c = w·y/u, rounded and kept between A and B, to the total of
its cell, u being the unit of the released totals. Sums of integers are exact, so that no rounding of a sum depends on
other records.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from stirred.spec.arguments import Exact, InputError, exact, integer, positive_integer

_MOST_STEPS = 2**40
"""Beyond it a double no longer holds w·y/u to a thousandth."""


@dataclass(frozen=True)
class WeightedTotal:
    """The bounds of a weighted total.

    Attributes:
        low: a, the smallest value of a record.
        high: b, the largest.
        largest: W > 0, the largest weight.
        unit: u > 0; totals are released as multiples of it.

    Raises:
        InputError: a > b, W or u is not positive, or a record may add more than 2⁴⁰ units.
    """

    low: Fraction
    high: Fraction
    largest: Fraction
    unit: Fraction

    def __post_init__(self) -> None:
        for name in ("low", "high", "largest", "unit"):
            object.__setattr__(self, name, exact(name, getattr(self, name)))
        if self.low > self.high:
            raise InputError(f"low must be at most high, {self.high}; got {self.low}")
        for name in ("largest", "unit"):
            if getattr(self, name) <= 0:
                raise InputError(f"{name} must be positive; got {getattr(self, name)}")
        if max(-self.lowest, self.highest) > _MOST_STEPS:
            raise InputError(f"unit must be so large that a record adds at most 2^40 of them; got {self.unit}")

    @property
    def lowest(self) -> int:
        """A ≤ 0, the least that a record adds, in units."""
        return floor(min(self.largest * self.low, Fraction(0)) / self.unit)

    @property
    def highest(self) -> int:
        """B ≥ 0, the most that a record adds, in units."""
        return ceil(max(self.largest * self.high, Fraction(0)) / self.unit)

    def moved(self, cells: int, donations: int = 0) -> int:
        """Δ: how far all cells' totals move together, in units, where one unit with its record is replaced by another.

        The record itself moves by B − A within its cell, or leaves one and enters another; the 2·donations records
        whose imputed values it can change stay in their cells with their weights.

        Args:
            cells: how many cells there are.
            donations: how often a donor gives its value in sequential hot deck; 0 where nothing is imputed.

        Source: dissertation, sections 6.4.3 and 7.6.

        >>> WeightedTotal(0, 1, 250, 1).moved(cells=1), WeightedTotal(0, 1, 250, 1).moved(cells=2, donations=2)
        (250, 1500)
        """
        width = self.highest - self.lowest
        own = width if positive_integer("cells", cells) == 1 else max(width, 2 * max(-self.lowest, self.highest))
        served = min(width, ceil(self.largest * (self.high - self.low) / self.unit) + 1)
        return own + 2 * integer("donations", donations, minimum=0) * served

    def scale(self, epsilon: Exact, cells: int, donations: int = 0) -> Fraction:
        """The scale t = Δ/ε of discrete Laplace noise on each total, in units: all of them together satisfy ε-DP.

        Raises:
            InputError: ε is inexact or not positive.
        """
        budget = exact("epsilon", epsilon)
        if budget <= 0:
            raise InputError(f"epsilon must be positive; got {budget}")
        return Fraction(max(1, self.moved(cells, donations))) / budget
