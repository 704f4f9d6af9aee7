"""The weighted mechanism: a table of the universe with probability w(z)·e^(−ε·d_HamS(x, z)), where weights w exist.

The weights solve Σ_z w(z)·e^(−ε·d(x, z)) = 1 for all x. Where all are ≥ 0 this is a mechanism, and its budget is ε by
the triangle inequality alone. No mechanism with the budget has a larger Σ_x P_x(x), which is Σ_z w(z): over a uniform
prior none is less likely to change the table. On a line of tables it is the clamped geometric mechanism. (Σ_z w(z) is
what geometry calls the magnitude of the universe with the metric ε·d.)

Proved in Coq: `weighted_release` and `clamped_geometric` of weighted_release.v.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import flint

from stirred.spec.blocks.tables import Table, table_distance
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.enclosure import exponential
from stirred.verify.engines.algebra.linear_program import fraction, rational


@dataclass(frozen=True)
class WeightedFibre:
    """A weighted mechanism.

    Attributes:
        weights: w(z).
        mechanism: P_x(z), for each x and in it for each z.
        is_exact: whether its budget is ε itself, not a number just below it that makes e^(−ε·d) rational.
    """

    weights: tuple[Fraction, ...]
    mechanism: tuple[tuple[Fraction, ...], ...]
    is_exact: bool


def power_of(budget: Loss, distance: int, *, above: bool) -> Fraction:
    """e^(ε·d), or a number above or below it where it is irrational.

    >>> power_of(Loss(9, 2), 2, above=True)
    Fraction(9, 1)
    """
    steps = Fraction(distance) / budget.distance
    if budget.gamma is not None and steps.denominator == 1:
        return budget.gamma**steps.numerator
    spread = budget.times(distance).epsilon()
    return exponential(spread.upper).upper if above else max(Fraction(1), exponential(spread.lower).lower)


def weighted_fibre(tables: Sequence[Table], budget: Loss) -> WeightedFibre | None:
    """The weighted mechanism of a universe; None where a weight is negative, or the weights are not determined.

    Args:
        tables: the universe, at least two tables of the same margins.
        budget: ε, positive and finite.

    >>> found = weighted_fibre((((0, 1), (1, 0)), ((1, 0), (0, 1))), Loss(3, 2))
    >>> [str(weight) for weight in found.weights], str(found.mechanism[0][0])
    (['3/4', '3/4'], '3/4')
    """
    distances = [[table_distance(x, z) or 0 for z in tables] for x in tables]
    unit = gcd(*(d for row in distances for d in row))
    factor = power_of(budget, unit, above=False)
    kernel = [[factor ** -(d // unit) for d in row] for row in distances]
    weights = solved(kernel, [Fraction(1)] * len(tables))
    if weights is None or min(weights) < 0:
        return None
    mechanism = tuple(tuple(w * k for w, k in zip(weights, row, strict=True)) for row in kernel)
    return WeightedFibre(weights, mechanism, factor == power_of(budget, unit, above=True))


def solved(matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
    """The solution of a square system of linear equations; None where it has not exactly one.

    >>> solved([[Fraction(2)]], [Fraction(1)])
    (Fraction(1, 2),)
    """
    size = len(right)
    left = flint.fmpq_mat(size, size, [rational(value) for row in matrix for value in row])
    try:
        found = left.solve(flint.fmpq_mat(size, 1, list(map(rational, right))))
    except ZeroDivisionError:
        return None
    return tuple(fraction(found[i, 0]) for i in range(size))
