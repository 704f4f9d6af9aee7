"""A loss by cases of its parameter, for other programs: as an expression of sympy, and as a picture."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Protocol

from stirred.spec.arguments import InputError
from stirred.spec.numbers.algebraic_number import AlgebraicNumber
from stirred.verify.engines.loss_piece import LossPiece
from stirred.verify.pictures.rendering import GREYS, Picture, picture_of

_TITLE = "the smallest budget ε"
_PARTS = 400
"""Parts of an interval between whose ends a picture is straight."""


class LossPart(Protocol):
    """A part of a parameter's interval, with the pieces of the loss in it."""

    @property
    def is_closed(self) -> bool:
        """Whether its ends belong to it."""

    @property
    def pieces(self) -> tuple[LossPiece, ...]:
        """In order."""


def sympy_cases(symbol: str, parts: Sequence[LossPart]) -> Any:
    """The loss as an expression of sympy, by cases, in a positive symbol of the parameter's name."""
    import sympy as sp  # noqa: PLC0415 slow to import

    p = sp.Symbol(symbol, positive=True)
    rows = []
    for part in parts:
        last = len(part.pieces) - 1
        for place, piece in enumerate(part.pieces):
            value, low, high = piece.to_sympy(p), _as_sympy(piece.low), _as_sympy(piece.high)
            if piece.low == piece.high:
                rows.append((value, sp.Eq(p, low)))
                continue
            above = p >= low if place or part.is_closed else p > low
            below = p <= high if place < last or part.is_closed else p < high
            rows.append((value, sp.And(above, below)))
    return sp.Piecewise(*rows)


def _as_sympy(number: AlgebraicNumber) -> Any:
    import sympy as sp  # noqa: PLC0415 slow to import

    if number.rational is not None:
        return sp.Rational(*number.rational.as_integer_ratio())
    x = sp.Symbol("x")
    return sp.rootof(sum(c * x**place for place, c in enumerate(number.polynomial)), x, number.index)


def loss_picture(symbol: str, parts: Sequence[LossPart]) -> Picture:
    """The loss against its parameter, where it is finite.

    Raises:
        InputError: matplotlib is not installed, or no loss is finite.
    """
    return picture_of(_TITLE, partial(draw_loss, symbol, parts))


def draw_loss(symbol: str, parts: Sequence[LossPart], figure: Any) -> None:
    """Draw the loss against its parameter, where it is finite, into an empty figure.

    Raises:
        InputError: no loss is finite.
    """
    lines = [_points(piece) for part in parts for piece in part.pieces if piece.below]
    if not lines:
        raise InputError("a loss must be finite somewhere to be drawn; it is infinite")
    figure.set_size_inches(7, 4)
    axes = figure.subplots()
    for place, points in enumerate(lines):
        style = "o" if len(points) == 1 else ("-", "--", "-.", ":")[place % 4]
        axes.plot(*zip(*points, strict=True), style, color=GREYS[0])
    axes.set(xlabel=symbol, ylabel="ε", ylim=(0, None))
    axes.set_title(_TITLE, fontsize="medium")


def _points(piece: LossPiece) -> list[tuple[float, float]]:
    """Points of one piece: more of them near its ends, where a loss may be steep, and none at an end that is a pole."""
    ends = [number.enclosure(digits=20) for number in (piece.low, piece.high)]
    if piece.low == piece.high:
        return [(float(ends[0].lower), float(piece.at(ends[0].lower)))]
    low, high = ends[0].upper, ends[1].lower
    near = [Fraction(1, _PARTS * 2**k) for k in range(5, 0, -1)]
    shares = [*near, *(Fraction(k, _PARTS) for k in range(1, _PARTS)), *(1 - share for share in reversed(near))]
    places = [low + (high - low) * share for share in shares]
    return [(float(place), float(piece.at(place))) for place in places]
