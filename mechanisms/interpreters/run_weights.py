"""Weights as `interpreters.run_lister` knows them: checked once for each object, or number, that stands for them."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.source import Weight, check_weights

_MOST_OBJECTS = 64
"""That weights are recognised by."""

ANY = object()
"""In the place of an object that a program chose by where it may stand for other weights when it is met again."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """Checked weights: their number among the distinct ones, their outcomes that are possible, what stands for them."""

    weights: tuple[Weight, ...]
    number: int
    possible: tuple[int, ...]
    asked: object


class RunRows:
    """The distinct weights of a program's choices, numbered as they are met."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[Weight, ...], int] = {}
        self._by_object: dict[int, RunRow] = {}
        self._by_numbers: dict[Hashable, RunRow] = {}

    def row(self, asked: Any, given: Callable[[Any], Sequence[Weight | int]]) -> RunRow:
        """The weights that an object stands for."""
        known = self._by_object.get(id(asked))
        if known is not None:  # it holds the object, so that no other has its address
            return known
        numbers = _numbers(asked)
        known = self._by_numbers.get(numbers)  # none is known by None
        if known is None:
            known = self._checked(given(asked), asked if numbers is not None and type(asked) is not list else ANY)
            if numbers is not None:
                self._by_numbers[numbers] = known
        if known.asked is asked:
            if len(self._by_object) == _MOST_OBJECTS:
                self._by_object.clear()
            self._by_object[id(asked)] = known
        return known

    def _checked(self, given: Sequence[Weight | int], asked: object) -> RunRow:
        weights = check_weights(given)
        number = self.numbers.setdefault(weights, len(self.numbers))
        return RunRow(weights, number, tuple(place for place, weight in enumerate(weights) if weight), asked)


def _numbers(asked: object) -> Hashable:
    """What is left of a number, a list or a tuple of numbers without their identity; None where it is something else.

    Whole numbers are hashed faster than fractions. A list is no tuple: it can be another one later.
    """
    if type(asked) is int or type(asked) is Fraction:
        return asked.numerator, asked.denominator
    if type(asked) is not list and type(asked) is not tuple:
        return None
    flat: list[object] = [type(asked)]
    for one in asked:
        if type(one) is not Fraction and type(one) is not int:
            return None
        flat += one.numerator, one.denominator
    return tuple(flat)
