"""A smallest budget by cases of a parameter: each as a person writes it; all as an expression of sympy and a picture.

A case is where one formula is the largest: for a pure loss the logarithm of one likelihood ratio, factored, without
powers to spare.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from stirred.spec.arguments import Exact, InputError, parse_exact, probability
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.numbers.algebraic_number import AlgebraicNumber, between
from stirred.spec.numbers.factored_quotient import FactoredQuotient
from stirred.spec.numbers.polynomial_text import latex_cases
from stirred.verify.engines.sign_certificate import Polynomial, evaluate_polynomial
from stirred.verify.engines.sign_decision import decide_nonnegative
from stirred.verify.evidence.pictures.rendering import GREYS, Picture, picture_of


@dataclass(frozen=True)
class BudgetPiece(ABC):
    """Where a smallest budget has one formula, made of a quotient of polynomials.

    Attributes:
        above: above/below is the quotient, polynomials that are positive inside the piece, lowest degree first; where
            the budget is infinite both are empty.
        distance: d(x, x'), by which the formula divides.
        pair: (x, x'); None where the budget is 0.
        outcome: one outcome that decides, or None.
    """

    low: AlgebraicNumber
    high: AlgebraicNumber
    above: Polynomial
    below: Polynomial
    distance: Fraction
    pair: tuple[Any, Any] | None
    outcome: Hashable

    @property
    def is_zero(self) -> bool:
        """Whether the budget is 0 in all of the piece."""
        return bool(self.below) and self.above == self.below

    def text(self, symbol: str) -> str:
        """The budget as a person reads it."""
        return "infinite" if not self.below else "0" if self.is_zero else self._text(symbol)

    def latex(self, symbol: str) -> str:
        """The budget as LaTeX."""
        return r"\infty" if not self.below else "0" if self.is_zero else self._latex(symbol)

    @abstractmethod
    def at(self, point: Fraction) -> Any:
        """The budget at one value of the parameter in the piece."""

    def to_sympy(self, symbol: Any) -> Any:
        """The budget as an expression of sympy in a symbol."""
        import sympy as sp  # noqa: PLC0415 slow to import

        if not self.below:
            return sp.oo
        quotient, over = self.written
        product = sp.Rational(*quotient.constant.as_integer_ratio())
        for factor, exponent in quotient.factors:
            product *= sum(c * symbol**place for place, c in enumerate(factor)) ** exponent
        return self._scaled(product, sp.Rational(*over.as_integer_ratio()))

    @cached_property
    def written(self) -> tuple[FactoredQuotient, Fraction]:
        """The quotient, factored, and what the formula divides by."""
        inside = self.low.rational if self.low == self.high else between(self.low, self.high)
        return self._reduced(FactoredQuotient.of(self.above, self.below, inside or Fraction(0)))

    @abstractmethod
    def _reduced(self, quotient: FactoredQuotient) -> tuple[FactoredQuotient, Fraction]: ...

    @abstractmethod
    def _scaled(self, quotient: Any, over: Any) -> Any: ...

    @abstractmethod
    def _text(self, symbol: str) -> str: ...

    @abstractmethod
    def _latex(self, symbol: str) -> str: ...


@dataclass(frozen=True)
class LossPiece(BudgetPiece):
    """Where one ratio is the largest: e^(ε·distance) is above/below = P_x(t)/P_x'(t) for the outcome t.

    >>> ends = AlgebraicNumber.of(0), AlgebraicNumber.of(Fraction(1, 2))
    >>> LossPiece(*ends, (1, -1), (0, 1), Fraction(2), None, 0).text("p")
    'ln((1 - p)/p)/2'
    >>> LossPiece(*ends, (1, -2, 1), (0, 0, 1), Fraction(2), None, 0).text("p")
    'ln((1 - p)/p)'
    """

    def at(self, point: Fraction) -> Loss:
        if not self.below:
            return INFINITE
        above, below = (evaluate_polynomial(part, point) for part in (self.above, self.below))
        return Loss(above / below).over(self.distance) if above > below else ZERO

    def _reduced(self, quotient: FactoredQuotient) -> tuple[FactoredQuotient, Fraction]:
        """With the smallest distance that an exact root gives."""
        return quotient.reduced(self.distance)

    def _scaled(self, quotient: Any, over: Any) -> Any:
        import sympy as sp  # noqa: PLC0415 slow to import

        return sp.log(quotient) / over

    def _text(self, symbol: str) -> str:
        quotient, over = self.written
        times, divisor = over.denominator, over.numerator
        scale = "" if over == 1 else f"/{divisor if times == 1 else f'({over})'}"
        return f"ln({quotient.text(symbol)}){scale}"

    def _latex(self, symbol: str) -> str:
        quotient, over = self.written
        scale = AlgebraicNumber.of(1 / over).to_latex()
        body = quotient.text(symbol, latex=True)
        return rf"{'' if scale == '1' else scale}\ln {body if body.startswith(chr(92)) else f'({body})'}"


_TITLES = {"varepsilon": "the smallest budget ε", "delta": "the smallest δ"}
_PARTS = 400
"""Parts of an interval between whose ends a picture is straight."""


class LossByCases(ABC):
    """A smallest budget as a function of a parameter, by cases: as LaTeX, as an expression of sympy, as a picture.

    Attributes:
        quantity: what it is a function for, by its letter in LaTeX: ε, or δ.
    """

    symbol: str
    quantity: str = "varepsilon"

    @abstractmethod
    def intervals(self) -> tuple[OnInterval, ...]:
        """In order."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    @abstractmethod
    def at(self, p: Exact | str) -> Any:
        """The budget at one value of the parameter."""

    @abstractmethod
    def exceeding(self, budget: Any) -> Fraction | None:
        """A value of the parameter where more than a budget is needed; None: there is none in the interval."""

    def __call__(self, p: Exact | str) -> Any:
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
        return f"\\{self.quantity}({self.latex_symbol}) = {self.latex()}"

    def _repr_latex_(self) -> str:
        return f"${self.to_latex()}$"

    def to_sympy(self) -> Any:
        """The function as an expression of sympy, by cases, in a positive symbol of the parameter's name."""
        return sympy_cases(self.symbol, self.intervals())

    def plot(self) -> Picture:
        """The function against its parameter."""
        return picture_of(_TITLES[self.quantity], partial(draw_loss, self))


@dataclass(frozen=True, repr=False)
class OnInterval(LossByCases):
    """The smallest budget for every p in an interval.

    Attributes:
        pieces: in order; together they cover the interval.
    """

    symbol: str
    low: Fraction
    high: Fraction
    is_closed: bool
    pieces: tuple[BudgetPiece, ...]

    @property
    def breakpoints(self) -> tuple[AlgebraicNumber, ...]:
        """Where one piece ends and the next one begins."""
        return tuple(piece.low for piece in self.pieces[1:])

    @property
    def is_infinite(self) -> bool:
        """Whether no finite budget holds anywhere."""
        return not any(piece.below for piece in self.pieces)

    def at(self, p: Exact | str) -> Any:
        """The budget at one value of the parameter in the interval."""
        point = probability(self.symbol, parse_exact(self.symbol, p))
        if not self.low <= point <= self.high or (point in (self.low, self.high) and not self.is_closed):
            among = "inclusive" if self.is_closed else "exclusive"
            raise InputError(f"{self.symbol} must be between {self.low} and {self.high}, {among}; got {point}")
        here = AlgebraicNumber.of(point)
        place = next(place for place, piece in enumerate(self.pieces) if here <= piece.high)
        if here == self.pieces[place].high and self._is_open_above(place):
            place += 1
        return self.pieces[place].at(point)

    def _is_open_above(self, place: int) -> bool:
        """Whether a piece is infinite up to its end, where the next one is not."""
        return place < len(self.pieces) - 1 and not self.pieces[place].below and bool(self.pieces[place + 1].below)

    def __str__(self) -> str:
        """Each piece with its interval."""
        return "; ".join(
            f"{piece.text(self.symbol)} "
            + (
                f"at {self.symbol} = {piece.low}"
                if piece.low == piece.high
                else f"for {piece.low} {first} {self.symbol} {second} {piece.high}"
            )
            for piece, first, second in self.with_signs("<=")
        )

    def intervals(self) -> tuple[OnInterval]:
        return (self,)

    def latex_rows(self) -> list[str]:
        """Each case as a row of LaTeX."""
        name = self.latex_symbol
        return [
            f"{piece.latex(name)} & "
            + (
                f"{name} = {piece.low.to_latex()}"
                if piece.low == piece.high
                else f"{piece.low.to_latex()} {first} {name} {second} {piece.high.to_latex()}"
            )
            for piece, first, second in self.with_signs(r"\le")
        ]

    def with_signs(self, at_most: str) -> list[tuple[BudgetPiece, str, str]]:
        """Each piece with the signs that its ends are compared by; at a breakpoint two finite ones have one value."""
        last = len(self.pieces) - 1
        return [
            (
                piece,
                at_most if (self._is_open_above(index - 1) if index else self.is_closed) else "<",
                at_most if (not self._is_open_above(index) if index < last else self.is_closed) else "<",
            )
            for index, piece in enumerate(self.pieces)
        ]

    def above(
        self, top: Any, bottom: Any, bound: Fraction, around: tuple[Fraction, Fraction] | None = None
    ) -> Fraction | None:
        """A value of the parameter where a quotient of two polynomials of flint is above a number."""
        low, high = around or (self.low, self.high)
        difference = bound.numerator * bottom - bound.denominator * top
        found = decide_nonnegative(tuple(int(c) for c in difference.coeffs()) or (0,), low, high)
        if isinstance(found, Fraction):
            return found if self.is_closed else _inside(difference, found, low, high)
        found.check()
        return None


def _inside(difference: Any, point: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """A point of the open interval where the polynomial is negative, given one of the closed interval."""
    polynomial = tuple(int(c) for c in difference.coeffs())
    found = point if low < point < high else (low + high) / 2
    while evaluate_polynomial(polynomial, found) >= 0:
        found = (found + point) / 2
    return found


def sympy_cases(symbol: str, parts: Sequence[OnInterval]) -> Any:
    """The loss as an expression of sympy, by cases, in a positive symbol of the parameter's name."""
    import sympy as sp  # noqa: PLC0415 slow to import

    p = sp.Symbol(symbol, positive=True)
    rows = []
    for part in parts:
        for place, (piece, _, below_sign) in enumerate(part.with_signs("<=")):
            value, low, high = piece.to_sympy(p), _as_sympy(piece.low), _as_sympy(piece.high)
            if piece.low == piece.high:
                rows.append((value, sp.Eq(p, low)))
                continue
            above = p >= low if place or part.is_closed else p > low
            rows.append((value, sp.And(above, p <= high if below_sign == "<=" else p < high)))
    return sp.Piecewise(*rows)


def _as_sympy(number: AlgebraicNumber) -> Any:
    import sympy as sp  # noqa: PLC0415 slow to import

    if number.rational is not None:
        return sp.Rational(*number.rational.as_integer_ratio())
    x = sp.Symbol("x")
    return sp.rootof(sum(c * x**place for place, c in enumerate(number.polynomial)), x, number.index)


def draw_loss(function: LossByCases, figure: Any) -> None:
    """Draw a function against its parameter, where it is finite, into an empty figure."""
    title = _TITLES[function.quantity]
    lines = [_points(piece) for part in function.intervals() for piece in part.pieces if piece.below]
    if not lines:
        raise InputError("a loss must be finite somewhere to be drawn; it is infinite")
    figure.set_size_inches(7, 4)
    axes = figure.subplots()
    for place, points in enumerate(lines):
        style = "o" if len(points) == 1 else ("-", "--", "-.", ":")[place % 4]
        axes.plot(*zip(*points, strict=True), style, color=GREYS[0])
    axes.set(xlabel=function.symbol, ylabel=title[-1], ylim=(0, None))
    axes.set_title(title, fontsize="medium")


def _points(piece: BudgetPiece) -> list[tuple[float, float]]:
    """Points of one piece: more of them near its ends, where a loss may be steep, and none at an end that is a pole."""
    ends = [number.enclosure(digits=20) for number in (piece.low, piece.high)]
    if piece.low == piece.high:
        return [(float(ends[0].lower), float(piece.at(ends[0].lower)))]
    low, high = ends[0].upper, ends[1].lower
    near = [Fraction(1, _PARTS * 2**k) for k in range(5, 0, -1)]
    shares = [*near, *(Fraction(k, _PARTS) for k in range(1, _PARTS)), *(1 - share for share in reversed(near))]
    places = [low + (high - low) * share for share in shares]
    return [(float(place), float(piece.at(place))) for place in places]
