"""A trade-off curve as a notebook shows it: the vertices in short, the picture, LaTeX and sympy."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.pictures.rendering import GREYS, Picture, picture_of

_TITLE = "the largest power of a test, by its level"


def short(number: Fraction) -> str:
    """A number as a notebook shows it: a fraction of few digits as it is, else rounded, with the sign that says so.

    >>> short(Fraction(3, 8)), short(Fraction(123456789, 987654321))
    ('3/8', '≈ 0.125000')
    """
    text = str(number)
    return text if len(text) <= 12 else Enclosure(number, number).relation()


class PowerCurve(ShownTable, tuple[tuple[Fraction, Fraction], ...]):
    """A trade-off function by its vertices (level, power), straight between them: a tuple, with ways to show it.

    >>> PowerCurve([(Fraction(0), Fraction(0)), (Fraction(1, 4), Fraction(3, 4)), (Fraction(1), Fraction(1))])[1]
    (Fraction(1, 4), Fraction(3, 4))
    """

    __slots__ = ()

    _title = _TITLE

    def _rows(self) -> list[TableRow]:
        return [
            TableRow(
                f"level {short(level)}",
                f"power {short(power)}",
                exact="" if short(level) == str(level) and short(power) == str(power) else f"({level}, {power})",
            )
            for level, power in self
        ]

    def to_sympy(self) -> Any:
        """The power as an expression of sympy, by cases, in a symbol alpha for the level."""
        import sympy as sp  # noqa: PLC0415 slow to import

        alpha = sp.Symbol("alpha", nonnegative=True)
        points = [tuple(sp.Rational(*n.as_integer_ratio()) for n in vertex) for vertex in self]
        rows = [(f + (g - f) / (b - a) * (alpha - a), alpha <= b) for (a, f), (b, g) in pairwise(points) if b > a]
        return sp.Piecewise(*rows)

    def plot(self) -> Picture:
        """The power against the level, above the power of guessing.

        Raises:
            InputError: matplotlib is not installed.
        """

        def draw(figure: Any) -> None:
            figure.set_size_inches(5, 5)
            axes = figure.subplots()
            axes.plot(*zip(*self, strict=True), "-", color=GREYS[0], label="this mechanism")
            axes.plot([0, 1], [0, 1], ":", color=GREYS[2], label="guessing")
            axes.set(xlabel="level", ylabel="power", xlim=(0, 1), ylim=(0, 1))
            axes.set_title(_TITLE, fontsize="medium")
            axes.legend(fontsize="small")

        return picture_of(_TITLE, draw)
