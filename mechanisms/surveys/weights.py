"""Survey weights: design weights, adjustment for non-response, and estimates of totals and means with them, exact."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from stirred.mechanisms.surveys.frames import checked_units, grouped
from stirred.spec.arguments import Exact, InputError, exact, integer, positive_integer, sampling_rate, shown
from stirred.spec.surveys.unit_data import UnitData

Weights = tuple[tuple[Any, Fraction], ...]
"""Pairs (unit, weight) in the order of the units: a `UnitData` whose records are numbers."""


def design_weights(sample: UnitData, inclusion: Mapping[Any, Fraction]) -> Weights:
    """w_i = 1/π_i for the units of a sample.

    Args:
        inclusion: π_i by unit, as `mechanisms.surveys.inclusion` has it for the frame: the weights depend on the frame.

    Source: dissertation, section 6.2.4.

    >>> design_weights((("a", 7), ("c", 8)), {"a": Fraction(1, 2), "b": Fraction(0), "c": Fraction(1, 3)})
    (('a', Fraction(2, 1)), ('c', Fraction(3, 1)))
    """
    for unit in checked_units("sample", sample):
        if unit not in inclusion:
            raise InputError(f"inclusion must have a probability for every unit of the sample; {unit!r} has none")
    return tuple(
        (unit, 1 / sampling_rate(f"the inclusion probability of {unit!r}", inclusion[unit])) for unit, _ in sample
    )


def response_weights(
    weights: Weights, responding: UnitData, *, sample: UnitData, response_class: Callable[[Any], Hashable]
) -> Weights:
    """w_i·n_c/r_c for the units that responded, of whose class c there are r_c among n_c in the sample.

    r_c/n_c estimates the propensity to respond, so that the weights of the sample are those of the responding units.

    Args:
        response_class: the class of a record, from variables that are known of all units of the sample.

    Source: dissertation, section 6.2.4 (w^NR = 1/p^R, the response probabilities being estimated).
    """
    given = positive_weights(weights, sample)
    classes = grouped("response_class", sample, response_class)
    answered = grouped("response_class", responding, response_class)
    for one, members in answered.items():
        for unit in members:
            if unit not in classes.get(one, ()):
                raise InputError(f"responding must be of the sample, class by class; {unit!r} of class {one!r} is not")
    for one in classes:
        if one not in answered:
            raise InputError(f"every response class must have a responding unit; class {one!r} has none")
    sizes = {one: len(members) for one, members in classes.items()}
    return class_weights(tuple(given.items()), responding, sizes=sizes, response_class=response_class)


def class_weights(
    weights: Weights, responding: UnitData, *, sizes: Mapping[Any, int], response_class: Callable[[Any], Hashable]
) -> Weights:
    """w_i·n_c/r_c for the units that responded, where only the sizes of the classes in the sample are known.

    Args:
        weights: of the units that responded, positive.
        sizes: n_c for every class of the responding sample.
        response_class: the class of a record, which has r_c units there.

    Source: dissertation, section 6.2.4 (w^NR = 1/p^R, the response probabilities being estimated).

    >>> class_weights((("a", 2), ("b", 3)), (("a", 0), ("b", 0)), sizes={0: 4}, response_class=lambda record: record)
    (('a', Fraction(4, 1)), ('b', Fraction(6, 1)))
    """
    given = positive_weights(weights, responding)
    factors: dict[Any, Fraction] = {}
    for one, members in grouped("response_class", responding, response_class).items():
        if one not in sizes or integer(f"the size of class {one!r}", sizes[one]) < len(members):
            raise InputError(f"sizes must have {len(members)} or more for class {one!r}; got {sizes.get(one)}")
        factors |= dict.fromkeys(members, Fraction(sizes[one], len(members)))
    return tuple((unit, given[unit] * factors[unit]) for unit, _ in responding)


def weights_of(weights: Weights, data: UnitData) -> dict[Any, Fraction]:
    """The weight of each unit of a data set."""
    checked_units("weights", weights)
    given = dict(weights)
    for unit in checked_units("data", data):
        if unit not in given:
            raise InputError(f"weights must have one for every unit of the data; {unit!r} has none")
    return {
        unit: weight if type(weight := given[unit]) is Fraction else exact(f"the weight of unit {unit!r}", weight)
        for unit, _ in data
    }


def positive_weights(weights: Weights, data: UnitData) -> dict[Any, Fraction]:
    """The weight of each unit of a data set, all positive, as an adjustment requires it."""
    found = weights_of(weights, data)
    for unit, weight in found.items():
        if weight <= 0:
            raise InputError(f"the weight of unit {unit!r} must be positive to be adjusted; got {shown(weight)}")
    return found


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
