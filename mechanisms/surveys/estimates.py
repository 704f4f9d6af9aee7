"""Estimates of totals and means of the population from weighted data, exactly."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from stirred.mechanisms.surveys.weights import Weights, weights_of
from stirred.spec.arguments import Exact, InputError, exact, positive_integer
from stirred.spec.surveys.unit_data import UnitData

Variable = Callable[[Any], Exact]
"""The value x of a record."""


def horvitz_thompson_total(data: UnitData, weights: Weights, *, variable: Variable) -> Fraction:
    """t̂ = Σ w_i·x_i; with the design weights of a design whose inclusion probabilities are all positive, E t̂ = t.

    Source: Horvitz and Thompson (1952); dissertation, section 6.4.5.

    >>> horvitz_thompson_total((("a", 7), ("c", 8)), (("a", Fraction(2)), ("c", Fraction(3))), variable=lambda x: x)
    Fraction(38, 1)
    """
    given = weights_of(weights, data)
    return _sum((given[unit], _value(unit, variable(record))) for unit, record in data)


def _value(unit: Any, value: Exact) -> Fraction | int:
    """A value that is exact; the unit is named where it is not."""
    return value if type(value) in _EXACT else exact(f"the value of unit {unit!r}", value)


_EXACT = (int, Fraction)


def _sum(products: Iterable[tuple[Fraction, Fraction | int]]) -> Fraction:
    """The sum of some products, with one division for each of their denominators."""
    sums: defaultdict[int, int] = defaultdict(int)
    for first, second in products:
        sums[first.denominator * second.denominator] += first.numerator * second.numerator
    return sum((Fraction(whole, part) for part, whole in sums.items()), Fraction(0))


def horvitz_thompson_mean(data: UnitData, weights: Weights, *, variable: Variable, population_size: int) -> Fraction:
    """μ̂ = Σ w_i·x_i/N, for a population whose size is known.

    Source: dissertation, section 7.4.
    """
    number = positive_integer("population_size", population_size)
    return horvitz_thompson_total(data, weights, variable=variable) / number


def weighted_mean(data: UnitData, weights: Weights, *, variable: Variable) -> Fraction:
    """Σ w_i·x_i/Σ w_i, for a population whose size is not known (Hájek 1971). It is biased in general."""
    total = _sum((weight, 1) for weight in weights_of(weights, data).values())
    if not total:
        raise InputError("weights must not sum to 0")
    return horvitz_thompson_total(data, weights, variable=variable) / total
