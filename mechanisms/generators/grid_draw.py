"""A whole number k that is uniform and not drawn: only what has been asked about it is known."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError

__all__ = ["GeneratorRun", "GridDraw"]


class GeneratorRun:
    """One run of a mechanism against a look-alike of its generator.

    Attributes:
        source: that it draws from.
        refused: what could not be followed; code can catch it and go another way.
        documented: methods whose documented laws were drawn from, in place of the algorithms.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.refused: list[InputError] = []
        self.documented: set[str] = set()

    def refuse(self, sentence: str) -> NoReturn:
        """Raise what cannot be followed, and remember it.

        Raises:
            InputError: always.
        """
        self.refused.append(InputError(sentence))
        raise self.refused[-1]


class GridDraw:
    """k, uniform on low, …, high: narrowed by each question that is answered.

    Attributes:
        low: the least k that is possible.
        high: the greatest one.
        run: that it belongs to.
    """

    __slots__ = ("high", "low", "run")

    def __init__(self, run: GeneratorRun, low: int, high: int) -> None:
        self.run = run
        self.low = low
        self.high = high

    @property
    def is_known(self) -> bool:
        """Whether one k is left."""
        return self.low == self.high

    def reaches(self, cut: int) -> bool:
        """Whether k ≥ cut: one choice, where both answers are possible."""
        if cut <= self.low:
            return True
        if cut > self.high:
            return False
        reached = self.run.source.bernoulli(_share(self.high - cut + 1, self.high - self.low + 1))
        if reached:
            self.low = cut
        else:
            self.high = cut - 1
        return reached

    def placed(self, firsts: Sequence[int]) -> int:
        """In which of the parts that begin at these k it lies, the first at `low`: one choice."""
        if len(firsts) == 1:
            return 0
        ends = (*firsts[1:], self.high + 1)
        place = self.run.source.choose(_shares(tuple(firsts), self.high + 1))
        self.low, self.high = firsts[place], ends[place] - 1
        return place


@lru_cache(maxsize=65536)
def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole)


@lru_cache(maxsize=1024)
def _shares(firsts: tuple[int, ...], end: int) -> tuple[Fraction, ...]:
    ends = (*firsts[1:], end)
    return tuple(Fraction(after - first, end - firsts[0]) for first, after in zip(firsts, ends, strict=True))
