"""Outcomes with numbers that are drawn: their values, where they are finitely many, or their laws as texts.

A rounded number with exponential tails is a middle part, value by value, and tails "K + discrete_geometric(α)", since
what is left of an exponential draw beyond a bound is one again. A real number is "c + laplace(b)", and so on. Each leaf
must have draws of its own: then the leaves are independent given the path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.mechanisms.draws.released_leaf import ReleasedLeaf
from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.drawn_numbers import DrawnNumbers
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.refusal import Refusal
from stirred.mechanisms.reading.symbols import Drawn, DrawnArray, Linear, Stepped

_DIGITS = 40
_NAMES = {law: law.name.lower() for law in BaseLaw}
_MEMORYLESS = (BaseLaw.EXPONENTIAL, BaseLaw.LAPLACE)


class Releasing:
    """Replaces the drawn numbers of an outcome.

    Args:
        drawn: those of its path.
        refuse: makes a refusal of a sentence.
    """

    def __init__(self, drawn: DrawnNumbers, refuse: Callable[[str], Refusal]) -> None:
        self._drawn = drawn
        self._refuse = refuse
        self._used: set[int] = set()
        self._separated: dict[int, Linear] = {}

    def __call__(self, value: Any) -> Any:
        """The outcome with `ReleasedLeaf`, or numbers, in the place of numbers that are drawn.

        Real numbers that share draws are replaced by as many that do not, where they are such linear combinations of
        them that these tell what they are: prefix sums by their differences.
        """
        leaves = list(_linear_leaves(value))
        draws = sorted({draw for leaf in leaves for draw in leaf.terms})
        if len(leaves) != len(draws) or len(leaves) == sum(len(leaf.terms) for leaf in leaves):
            return self._replaced(value)
        rows = _inverted(leaves, draws)
        if rows is None:
            return self._replaced(value)
        self._separated = dict(zip(map(id, leaves), rows, strict=True))
        told = ", ".join(f"[{', '.join(_shown(leaf.terms.get(draw, Exact(0))) for draw in draws)}]" for leaf in leaves)
        return f"combinations [{told}] of", self._replaced(value)

    def _replaced(self, value: Any) -> Any:
        if isinstance(value, Linear):
            return self._real(self._separated.get(id(value), value))
        if isinstance(value, Stepped):
            return self._integer(value)
        if isinstance(value, DrawnArray):
            cells = [self._replaced(one) for one in value.cells.ravel()]
            if not any(isinstance(one, ReleasedLeaf) for one in cells):
                return np.array(cells, dtype=value.dtype).reshape(value.cells.shape)
            made = np.empty(len(cells), dtype=object)
            made[:] = cells
            return made.reshape(value.cells.shape).tolist()
        if type(value) in (list, tuple):
            return type(value)(map(self._replaced, value))
        if type(value) is dict:
            return {self._replaced(key): self._replaced(one) for key, one in value.items()}
        return value

    def _take(self, number: Linear) -> None:
        """Note that a leaf has these draws to itself."""
        for draw in number.terms:
            is_tied = any(draw in row.draws and len(row.draws) > 1 for row in self._drawn.region.rows)
            if draw in self._used or is_tied:
                raise self._refuse(
                    "a number is released whose draw is compared with another draw, or released twice: release what "
                    "was decided, or use --sampled"
                )
        self._used |= number.terms.keys()

    def _integer(self, stepped: Stepped) -> Any:
        drawn = self._drawn
        low, high = drawn.steps(stepped)
        if low is not None and high is not None:
            return drawn.settled(stepped, "a released number")
        (draw, coefficient), *others = stepped.number.terms.items()
        is_scaled = abs(stepped.scale) != 1 or stepped.unit != 1
        if others or is_scaled or drawn.region.laws[draw] not in _MEMORYLESS:
            raise self._refuse("a rounded number with infinitely many values is released: clamp it")
        if not issubclass(stepped.kind, (int, np.integer)):
            raise self._refuse("a float that is rounded, with infinitely many values, is released: write int(…)")
        self._take(stepped.number)
        centre = (stepped.number.shift / stepped.width).floor()
        first, last = centre - 2, centre + 2  # the tails begin where the draw is on one side of its centre
        while drawn.top(stepped, first - 1) < stepped.number.shift:
            first += 1
        while drawn.top(stepped, last) > stepped.number.shift:
            last -= 1
        first = high + 1 if high is not None else first if low is None else max(first, low)
        last = low - 1 if low is not None else last if high is None else min(last, high)
        parts = [] if low is not None else [drawn.up_to(stepped, last)]
        parts += [drawn.part(stepped, k) for k in range(last + 1, first)]
        parts += [] if high is not None else [drawn.beyond(stepped, first)]
        chosen = drawn.decide(parts, "a released number")
        k = last + chosen + (low is not None)
        is_lower, is_upper = low is None and chosen == 0, high is None and chosen == len(parts) - 1
        if not (is_lower or is_upper):
            return drawn.value(stepped, k)
        ratio = (-stepped.width / abs(coefficient)).exp()
        if _shown(ratio).startswith("in("):
            raise self._refuse("rounded noise whose scale is no rational number is released without bound: clamp it")
        is_up = is_upper == (stepped.scale > 0)
        start = stepped.scale * k + stepped.shift
        return _leaf(start, "discrete_geometric" if is_up else "discrete_reflected_geometric", _shown(ratio), stepped)

    def _real(self, number: Linear) -> ReleasedLeaf:
        self._take(number)
        laws = {self._drawn.region.laws[draw] for draw in number.terms}
        if laws == {BaseLaw.NORMAL} and not self._is_bounded(number):
            return _leaf(number.shift, "normal", _shown(sum((c * c for c in number.terms.values()), Exact(0))), number)
        is_difference = len(number.terms) == 2 and sum(number.terms.values(), Exact(0)) == 0
        if laws == {BaseLaw.EXPONENTIAL} and is_difference and not self._is_bounded(number):
            return _leaf(number.shift, "laplace", _shown(abs(next(iter(number.terms.values())))), number)
        if len(number.terms) != 1:
            raise self._refuse("a released number is a sum of several draws: release the parts, or use --sampled")
        ((_, scale),), (law,) = number.terms.items(), laws
        if not self._is_bounded(number):
            return self._of_law(law, number, number.shift, scale)
        low, high = self._drawn.range_of(number)
        if law is BaseLaw.UNIFORM and low is not None and high is not None:
            return _leaf(low, "uniform", _shown(high - low), number)
        if law in _MEMORYLESS and (low is None) != (high is None):
            end = low if low is not None else high
            outwards = abs(scale) if low is not None else -abs(scale)
            if law is BaseLaw.EXPONENTIAL or (end - number.shift) * outwards >= 0:
                return self._of_law(BaseLaw.EXPONENTIAL, number, end, outwards)
        raise self._refuse("a released number was compared before: release what was decided, or use --sampled")

    def _is_bounded(self, number: Linear) -> bool:
        return any(draw in row.draws for row in self._drawn.region.rows for draw in number.terms)

    def _of_law(self, law: BaseLaw, number: Linear, centre: Any, scale: Exact) -> ReleasedLeaf:
        if scale < 0 and law is BaseLaw.UNIFORM:
            centre = centre + scale
        is_falling = scale < 0 and law in (BaseLaw.EXPONENTIAL, BaseLaw.GUMBEL)
        return _leaf(centre, _NAMES[law], _shown(abs(scale)), number, "-" if is_falling else "+")


def _linear_leaves(value: Any) -> Iterator[Linear]:
    """The real numbers of an outcome that are drawn, in order."""
    if isinstance(value, Linear):
        yield value
    elif isinstance(value, DrawnArray):
        yield from (one for one in value.cells.ravel() if isinstance(one, Linear))
    elif type(value) in (list, tuple):
        for one in value:
            yield from _linear_leaves(one)
    elif type(value) is dict:
        for pair in value.items():
            yield from _linear_leaves(pair)


def _inverted(leaves: Sequence[Linear], draws: Sequence[int]) -> list[Linear] | None:
    """Numbers Z + shift, one for each draw, that are linear combinations of these; None where there are none."""
    rows = [([leaf.terms.get(draw, Exact(0)) for draw in draws], leaf.shift) for leaf in leaves]
    for place in range(len(draws)):
        pivot = next((one for one in range(place, len(rows)) if rows[one][0][place] != 0), None)
        if pivot is None:
            return None
        rows[place], rows[pivot] = rows[pivot], rows[place]
        scale = rows[place][0][place]
        rows[place] = [one / scale for one in rows[place][0]], rows[place][1] / scale
        for other in range(len(rows)):
            factor = rows[other][0][place]
            if other != place and factor != 0:
                terms = [a - factor * b for a, b in zip(rows[other][0], rows[place][0], strict=True)]
                rows[other] = terms, rows[other][1] - factor * rows[place][1]
    pairs = zip(draws, leaves, rows, strict=True)
    return [Linear({draw: Exact(1)}, shift, leaf.kind) for draw, leaf, (_, shift) in pairs]


def _leaf(centre: Any, name: str, parameter: str, number: Drawn, sign: str = "+") -> ReleasedLeaf:
    return ReleasedLeaf(f"{_shown(Exact(0) + centre)} {sign} {name}({parameter})", number.kind.__name__)


def _shown(exact: Exact) -> str:
    """A number as a text: a fraction, a power of e, or its ends."""
    number = exact.number
    if isinstance(number, Fraction):
        return str(number)
    logarithm = exact.log().number
    if isinstance(logarithm, Fraction):
        return f"exp({logarithm})"
    ends = number.enclosure(_DIGITS)
    return f"in({ends.lower}, {ends.upper})"
