"""The weights that a program chooses by, checked once for each object that stands for them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mechanisms.source import Weight, check_weights

__all__ = ["CHANGING", "Row", "WeightRows"]

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
        self._kept: deque[Row] = deque(maxlen=_MOST_KEPT)

    def row(self, asked: object, given: Callable[[], Sequence[Weight | int]]) -> Row:
        """The weights of a choice.

        Args:
            asked: the object that the program chooses by.
            given: the weights that it stands for.

        Raises:
            InputError: they are inexact, or do not sum to 1.
        """
        for known in self._kept:
            if known.asked is asked:
                return known
        weights = check_weights(given())
        number = self.numbers.setdefault(weights, len(self.numbers))
        possible = tuple(index for index, weight in enumerate(weights) if weight)
        row = Row(weights, number, possible, asked if _is_unchanging(asked) else CHANGING)
        if row.asked is asked:
            self._kept.appendleft(row)
        return row


def _is_unchanging(asked: object) -> bool:
    """Whether an object is the same weights for ever: a number, or a tuple of numbers."""
    kinds = map(type, asked) if type(asked) is tuple else (type(asked),)
    return all(kind is Fraction or kind is int for kind in kinds)
