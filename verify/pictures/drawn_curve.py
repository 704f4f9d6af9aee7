"""Where a curve is computed so that straight lines between the points are a picture of it."""

from collections.abc import Callable
from typing import TypeVar

X = TypeVar("X")
Y = TypeVar("Y", int, float)


def monotone_points(
    value: Callable[[X], Y], start: X, end: X, middle: Callable[[X, X], X | None], height: Y
) -> list[tuple[X, Y]]:
    """Points of a monotone curve, from each to the next a step of at most `height` or with no place between.

    A monotone curve and the line between two of its points lie in the box of which these are corners: so the line is
    nowhere further from the curve than the box is high, or wide.

    Args:
        value: the curve, which never rises or never falls from start to end.
        start: its first place.
        end: its last one.
        middle: a place between two; None where they are near enough.
        height: how high a box may be.

    >>> monotone_points(lambda x: x * x, 0, 8, lambda a, b: (a + b) // 2 if b - a > 1 else None, 20)
    [(0, 0), (4, 16), (6, 36), (7, 49), (8, 64)]
    """
    found = [(start, value(start))]
    waiting = [(end, value(end))]
    while waiting:
        (a, y), (b, z) = found[-1], waiting[-1]
        place = middle(a, b) if abs(z - y) > height else None
        if place is None:
            found.append(waiting.pop())
        else:
            waiting.append((place, value(place)))
    return found
