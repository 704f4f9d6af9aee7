"""The largest of several numbers: one choice, whose probabilities depend on how far apart the numbers are.

Where each number has a draw of its own, data sets that differ in the order of their numbers, or by a shift of all, have
one formula: it is computed for the numbers in order, and the draws take each other's places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.region import Halfspace, Region, at_least, at_most
from stirred.mechanisms.reading.symbols import Linear, plus

_LAWS = tuple(BaseLaw)

_Number = tuple[BaseLaw, Fraction, Fraction]
"""scale·Z + shift, where Z is a draw of its own, as (law of Z, scale, shift)."""

Parts = Sequence[tuple[Exact, Region]]

_MOST = 500
_DIVIDED: dict[tuple[_Number, ...], Parts] = {}


def divided_by_largest(region: Region, cells: Sequence[Linear]) -> Parts:
    """For each number the probability that it is the largest, and where the draws lie then.

    Raises:
        ArithmeticError: the structure is too hard.
    """
    numbers = _alone(region, cells)
    if numbers is None:
        return region.divided(_winners(cells))
    order = sorted(range(len(numbers)), key=lambda k: (_LAWS.index(numbers[k][0]), *numbers[k][1:]))
    least = min(shift for *_, shift in numbers)
    parts = _in_order(tuple((law, scale, shift - least) for law, scale, shift in (numbers[k] for k in order)))
    labels = [next(iter(cells[k].terms)) for k in order]
    found = {k: (share, one.relabelled(labels)) for k, (share, one) in zip(order, parts, strict=True)}
    return [found[k] for k in range(len(cells))]


def _alone(region: Region, cells: Sequence[Linear]) -> list[_Number] | None:
    """The numbers, where each has a draw of its own, and there are no other draws and no conditions."""
    draws = sorted(draw for one in cells for draw in one.terms)
    if region.rows or draws != [*range(len(region.laws))] or any(len(one.terms) != 1 for one in cells):
        return None
    found = []
    for one in cells:
        ((draw, scale),) = one.terms.items()
        if not isinstance(scale.number, Fraction) or not isinstance(one.shift.number, Fraction):
            return None
        found.append((region.laws[draw], scale.number, one.shift.number))
    return found


def _in_order(numbers: tuple[_Number, ...]) -> Parts:
    if numbers not in _DIVIDED:
        region = Region(tuple(law for law, *_ in numbers))
        cells = [Linear({draw: Exact(scale)}, Exact(shift)) for draw, (_, scale, shift) in enumerate(numbers)]
        found = region.divided(_winners(cells))
        if len(_DIVIDED) >= _MOST:
            _DIVIDED.clear()
        _DIVIDED[numbers] = found
    return _DIVIDED[numbers]


def told_maxima() -> list[Any]:
    """The numbers that this process has divided by which is the largest, as integers: see `known_components`."""
    return [
        [(_LAWS.index(law), *scale.as_integer_ratio(), *shift.as_integer_ratio()) for law, scale, shift in numbers]
        for numbers in _DIVIDED
    ]


def learn_maxima(given: Iterable[Any]) -> None:
    """Know from now on what a copy has told."""
    for one in given:
        _in_order(tuple((_LAWS[law], Fraction(a, b), Fraction(p, q)) for law, a, b, p, q in one))


def _winners(cells: Sequence[Linear]) -> list[list[Halfspace]]:
    """For each number the conditions that it is the largest."""
    gaps = {(j, k): plus(cells[j], cells[k], -1) for j, k in combinations(range(len(cells)), 2)}
    zero = Exact(0)
    return [
        [at_most(gaps[j, k], zero) if j < k else at_least(gaps[k, j], zero) for j in range(len(cells)) if j != k]
        for k in range(len(cells))
    ]
