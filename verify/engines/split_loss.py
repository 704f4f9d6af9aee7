"""The pure loss of a mechanism that does something else in some pieces of its open parameter's interval."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import Exact, InputError, probability
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.algebraic_number import AlgebraicNumber
from stirred.spec.numbers.polynomial_text import latex_cases
from stirred.verify.engines.loss_cases import LossPiece, loss_picture, sympy_cases
from stirred.verify.engines.loss_function import LossFunction
from stirred.verify.evidence.pictures.rendering import Picture


def loss_at_value(symbol: str, value: Fraction, loss: Loss) -> LossFunction:
    """The loss at one value of the parameter alone.

    >>> print(loss_at_value("flip", Fraction(1, 4), Loss(3)))
    ln(3) at flip = 1/4
    """
    place, distance = AlgebraicNumber.of(value), Fraction(loss.distance)
    above, below = ((), ()) if loss.gamma is None else ((loss.gamma.numerator,), (loss.gamma.denominator,))
    return LossFunction(symbol, value, value, True, (LossPiece(place, place, above, below, distance, None, None),))


@dataclass(frozen=True, repr=False)
class SplitLossFunction:
    """The smallest pure budget for every p in an interval, where the mechanism's code tells values of p apart.

    Attributes:
        parts: in order, intervals without their ends and single values in turn; together they are the interval.
    """

    parts: tuple[LossFunction, ...]

    @property
    def symbol(self) -> str:
        """The parameter's name."""
        return self.parts[0].symbol

    @property
    def is_infinite(self) -> bool:
        """Whether no finite budget holds anywhere."""
        return all(part.is_infinite for part in self.parts)

    def at(self, p: Exact) -> Loss:
        """The loss at one value of the parameter in the interval."""
        point = probability(self.symbol, p)
        for part in self.parts:
            if part.low < point < part.high or (part.is_closed and part.low == point):
                return part.at(point)
        ends = f"{self.parts[0].low} and {self.parts[-1].high}"
        among = "inclusive" if self.parts[0].is_closed else "exclusive"
        raise InputError(f"{self.symbol} must be between {ends}, {among}; got {point}")

    def exceeding(self, budget: Loss) -> Fraction | None:
        """A value of the parameter where the loss is above the budget; None: there is none in the interval."""
        found = (part.exceeding(budget) for part in self.parts)
        return next((point for point in found if point is not None), None)

    def __repr__(self) -> str:
        return f"<SplitLossFunction {self}>"

    def __str__(self) -> str:
        """Each piece with its interval or value."""
        return "; ".join(map(str, self.parts))

    def latex(self) -> str:
        """The cases as LaTeX."""
        return latex_cases([row for part in self.parts for row in part.latex_rows()])

    def _repr_latex_(self) -> str:
        return f"${self.to_latex()}$"

    def to_latex(self) -> str:
        """The function as an equation of LaTeX."""
        return f"\\varepsilon({self.parts[0].latex_symbol}) = {self.latex()}"

    def to_sympy(self) -> Any:
        """The function as an expression of sympy, by cases, in a positive symbol of the parameter's name."""
        return sympy_cases(self.symbol, self.parts)

    def plot(self) -> Picture:
        """The loss against the parameter."""
        return loss_picture(self.symbol, self.parts)
