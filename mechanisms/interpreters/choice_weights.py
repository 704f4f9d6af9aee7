"""The weights that a program chooses by, checked once for each object that stands for them."""

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from stirred.mechanisms.source import Weight, check_weights

_MOST_KEPT = 16
"""Objects that are recognised when they are met again: the last ones, compared one by one."""

CHANGING = object()
"""Stands for an object that may be other weights when it is met again."""


@dataclass(frozen=True, slots=True)
class Row:
    """The weights of one choice.

    Attributes:
        weights: each in [0, 1]; they sum to 1.
        number: theirs among the distinct weights of a program.
        possible: the outcomes of positive weight.
        asked: the very tuple of weights, or probability, that the program chose by; `CHANGING` where it may change.
    """

    weights: tuple[Weight, ...]
    number: int
    possible: tuple[int, ...]
    asked: object


class WeightRows:
    """The distinct weights of a program's choices, numbered as they are met."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[Weight, ...], int] = {}
        self._possible: list[tuple[int, ...]] = []
        self._by_value: dict[Hashable, Row] = {}
        self._kept: deque[Row] = deque(maxlen=_MOST_KEPT)

    def row(self, asked: Any, given: Callable[[Any], Sequence[Weight | int]]) -> Row:
        """The weights of a choice.

        Args:
            asked: the object that the program chooses by.
            given: says which weights it stands for.
        """
        for known in self._kept:
            if known.asked is asked:
                return known
        value = _value(asked)
        if value is not None and value in self._by_value:
            return self._by_value[value]
        may_change = value is None or type(asked) is list
        row = self._numbered(check_weights(given(asked)), CHANGING if may_change else asked)
        if value is not None:
            self._by_value[value] = row
        if not may_change:
            self._kept.appendleft(row)
        return row

    def possible(self, number: int) -> tuple[int, ...]:
        """The outcomes of positive weight of the weights with some number."""
        return self._possible[number]

    def keep_first(self, count: int) -> None:
        """Forget all but the first so many distinct weights."""
        if count == len(self.numbers):
            return
        self.numbers = dict(islice(self.numbers.items(), count))
        del self._possible[count:]
        self._by_value = {value: row for value, row in self._by_value.items() if row.number < count}
        self._kept = deque((row for row in self._kept if row.number < count), maxlen=_MOST_KEPT)

    def same(self, row: Row) -> Row:
        """A row, as it is numbered now."""
        if row.number < len(self.numbers):
            return row
        return self._numbered(row.weights, row.asked)

    def _numbered(self, weights: tuple[Weight, ...], asked: object) -> Row:
        number = self.numbers.setdefault(weights, len(self.numbers))
        if number == len(self._possible):
            self._possible.append(tuple(index for index, weight in enumerate(weights) if weight))
        return Row(weights, number, self._possible[number], asked)


def _value(asked: object) -> Hashable:
    """The numerators and denominators of a number, or of a tuple or list of numbers as it is now; else None.

    To hash a fraction itself takes longer than to check it. A list is apart from a tuple, which stays what it is.
    """
    if type(asked) is Fraction or type(asked) is int:
        return asked.as_integer_ratio()
    if type(asked) is not tuple and type(asked) is not list:
        return None
    if not all(type(weight) is Fraction or type(weight) is int for weight in asked):
        return None
    return type(asked), tuple([weight.as_integer_ratio() for weight in asked])
