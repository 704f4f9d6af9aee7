"""A pure loss by cases of its parameter: each case as a person writes it; all as an expression of sympy and a picture.

A case is where one likelihood ratio is the largest: it is factored, without powers to spare.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Protocol

from stirred.spec.arguments import Exact, InputError
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.numbers.algebraic_number import AlgebraicNumber, between
from stirred.spec.numbers.factored_quotient import FactoredQuotient
from stirred.spec.numbers.polynomial_text import latex_cases
from stirred.verify.engines.sign_certificate import Polynomial, evaluate_polynomial
from stirred.verify.evidence.pictures.rendering import GREYS, Picture, picture_of


@dataclass(frozen=True)
class LossPiece:
    """Where one ratio is the largest.

    Attributes:
        above: e^(ε·distance) is above/below, polynomials that are positive inside the piece, lowest degree first; where
            the loss is infinite both are empty.
        pair: (x, x'); None where the loss is 0.
        outcome: t, with P_x(t)/P_x'(t) = above/below.
    """

    low: AlgebraicNumber
    high: AlgebraicNumber
    above: Polynomial
    below: Polynomial
    distance: Fraction
    pair: tuple[Any, Any] | None
    outcome: Hashable

    @cached_property
    def written(self) -> tuple[FactoredQuotient, Fraction]:
        """Q and d with ε = ln(Q)/d, factored, with the smallest d that an exact root gives."""
        inside = self.low.rational if self.low == self.high else between(self.low, self.high)
        quotient = FactoredQuotient.of(self.above, self.below, inside or Fraction(0))
        return quotient.reduced(self.distance)

    def text(self, symbol: str) -> str:
        """ε as a person reads it.

        >>> ends = AlgebraicNumber.of(0), AlgebraicNumber.of(Fraction(1, 2))
        >>> LossPiece(*ends, (1, -1), (0, 1), Fraction(2), None, 0).text("p")
        'ln((1 - p)/p)/2'
        >>> LossPiece(*ends, (1, -2, 1), (0, 0, 1), Fraction(2), None, 0).text("p")
        'ln((1 - p)/p)'
        """
        if not self.below:
            return "infinite"
        if self.above == self.below:
            return "0"
        quotient, over = self.written
        times, divisor = over.denominator, over.numerator
        scale = "" if over == 1 else f"/{divisor if times == 1 else f'({over})'}"
        return f"ln({quotient.text(symbol)}){scale}"

    def latex(self, symbol: str) -> str:
        """ε as LaTeX."""
        if not self.below:
            return r"\infty"
        if self.above == self.below:
            return "0"
        quotient, over = self.written
        scale = AlgebraicNumber.of(1 / over).to_latex()
        body = quotient.text(symbol, latex=True)
        return rf"{'' if scale == '1' else scale}\ln {body if body.startswith(chr(92)) else f'({body})'}"

    def at(self, point: Fraction) -> Loss:
        """The loss at one value of the parameter in the piece."""
        if not self.below:
            return INFINITE
        above, below = (evaluate_polynomial(part, point) for part in (self.above, self.below))
        return Loss(above / below).over(self.distance) if above > below else ZERO

    def to_sympy(self, symbol: Any) -> Any:
        """ε as an expression of sympy in a symbol."""
        import sympy as sp  # noqa: PLC0415 slow to import

        if not self.below:
            return sp.oo
        quotient, over = self.written
        product = sp.Rational(*quotient.constant.as_integer_ratio())
        for factor, exponent in quotient.factors:
            product *= sum(c * symbol**place for place, c in enumerate(factor)) ** exponent
        return sp.log(product) / sp.Rational(*over.as_integer_ratio())


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

    def latex_rows(self) -> list[str]:
        """Each piece as a row of LaTeX's cases."""


class LossByCases(ABC):
    """A pure loss as a function of a parameter, by cases: as LaTeX, as an expression of sympy, as a picture."""

    symbol: str

    @abstractmethod
    def intervals(self) -> tuple[LossPart, ...]:
        """In order."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    @abstractmethod
    def at(self, p: Exact | str) -> Loss:
        """The loss at one value of the parameter."""

    def __call__(self, p: Exact | str) -> Loss:
        """As `at`."""
        return self.at(p)

    @property
    def latex_symbol(self) -> str:
        """The parameter's name as LaTeX."""
        escaped = self.symbol.replace("_", r"\_")
        return escaped if len(escaped) == 1 else rf"\mathit{{{escaped}}}"

    def latex(self) -> str:
        """The cases as LaTeX."""
        return latex_cases([row for part in self.intervals() for row in part.latex_rows()])

    def to_latex(self) -> str:
        """The function as an equation of LaTeX."""
        return f"\\varepsilon({self.latex_symbol}) = {self.latex()}"

    def _repr_latex_(self) -> str:
        return f"${self.to_latex()}$"

    def to_sympy(self) -> Any:
        """The function as an expression of sympy, by cases, in a positive symbol of the parameter's name."""
        return sympy_cases(self.symbol, self.intervals())

    def plot(self) -> Picture:
        """The loss against the parameter."""
        return picture_of(_TITLE, partial(draw_loss, self.symbol, self.intervals()))


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


def draw_loss(symbol: str, parts: Sequence[LossPart], figure: Any) -> None:
    """Draw the loss against its parameter, where it is finite, into an empty figure."""
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
