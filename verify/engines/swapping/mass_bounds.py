"""Likelihoods of the PSA between whole numbers that are near, where exact ones have very many digits.

The numbers d(k) of derangements have few common divisors, so that an exact likelihood of n records needs about n²·ln n
digits. With two columns it is Σ_α ways(α)·W(α), where α positions keep column 1
(`mechanisms.swapping.permutation_counts`); each W(α) is enclosed once to `_BITS` bits, and a likelihood is then a short
sum.

Source: article, Appendix E (the likelihood); the enclosure is of this project.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from operator import mul

from stirred.mechanisms.swapping.permutation_counts import assignment_counts, column_assignments, moved_counts
from stirred.spec.blocks.tables import Table, column_margins

_BITS = 256
"""How many leading bits of the smallest number are kept."""


class MassBounds:
    """The likelihoods P_x(z) for weights w_k, all in one unit: exact, and between near whole numbers.

    >>> from stirred.mechanisms.swapping.permutation_counts import move_weights
    >>> masses = MassBounds(move_weights(2, Fraction(1, 4)))
    >>> x, z = ((1, 0), (0, 1)), ((0, 1), (1, 0))
    >>> Fraction(masses.exact(x, z), masses.exact(x, x))
    Fraction(1, 9)
    >>> low, high = masses.within(x, z)
    >>> low <= high <= low + low // 2**200
    True
    """

    def __init__(self, weights: Sequence[Fraction]) -> None:
        self._weights = tuple(weights)
        scale = lcm(*(weight.denominator for weight in self._weights))
        self._integers = tuple(int(weight * scale) for weight in self._weights)
        self._of_columns: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}

    def exact(self, x: Table, z: Table) -> int:
        """P_x(z) in a unit that is the same for all x and z."""
        return sum(n * w for n, w in zip(moved_counts(x, z), self._integers, strict=True) if n)

    def within(self, x: Table, z: Table) -> tuple[int, int]:
        """P_x(z) from below and above, in another unit; both are 0 where it is 0, and equal where it is counted."""
        if len(x[0]) != 2:
            if len(x) != 2:
                mass = self.exact(x, z)
                return mass, mass
            x, z = tuple(zip(*x, strict=True)), tuple(zip(*z, strict=True))
        low, high = self._enclosed(column_margins(x))
        ways = column_assignments(x, z)
        return sum(map(mul, ways, low)), sum(map(mul, ways, high))

    def _enclosed(self, columns: tuple[int, ...]) -> tuple[list[int], list[int]]:
        """W(α) from below and from above for all α."""
        if columns not in self._of_columns:
            first, second = columns
            places = range(max(0, first - second), first + 1)
            least = min(weight for weight in self._weights if weight)
            shift = _BITS + (least.denominator // least.numerator).bit_length()
            floors = [(weight.numerator << shift) // weight.denominator for weight in self._weights]
            above = [floor + (weight != 0) for floor, weight in zip(floors, self._weights, strict=True)]
            counts = [assignment_counts(first, second, kept) for kept in places]
            sides = [[sum(n * w for n, w in zip(one, side, strict=True)) for one in counts] for side in (floors, above)]
            spare = min(one.bit_length() for one in sides[0] if one) - _BITS  # above 0: each has a weight in it
            unused = [0] * places.start
            low = unused + [one >> spare for one in sides[0]]
            high = unused + [-(-one >> spare) for one in sides[1]]
            self._of_columns[columns] = low, high
        return self._of_columns[columns]
