"""Symbolic forms (sympy): Equation (1), and the PSA's budget in b and p with what a person asks of it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from stirred.spec.arguments import Exact, InputError, exact, integer, shown
from stirred.spec.numbers.enclosure import log

b = sp.Symbol("b", integer=True, positive=True)
"""The largest stratum."""

p = sp.Symbol("p", positive=True)
"""The swap rate."""

_epsilon, _distance, _output = (
    sp.Symbol(r"\varepsilon_{\mathcal{D}}"),
    sp.Symbol(r"d_{\mathcal{X}}(x, x')"),
    sp.Symbol(r"D_{\Pr}[\mathsf{P}_x, \mathsf{P}_{x'}]"),
)

EQUATION_ONE = sp.Le(_output, _epsilon * _distance, evaluate=False)
"""Equation (1): D_Pr[P_x, P_x'] ≤ ε_D·d_𝒳(x, x'), for all universes D and all x, x' in D."""


def _number(name: str, value: object) -> Any:
    if isinstance(value, sp.Expr):
        if value.has(sp.Float):
            raise InputError(f"{name} must be exact; got {value!r}: use sympy.Rational or a symbol")
        return value
    number = exact(name, value)
    return sp.Rational(number.numerator, number.denominator)


@dataclass(frozen=True)
class PSABudget:
    """The PSA's budget (7) for b ≥ 2 as an expression in b and p, with what a person asks of it.

    Attributes:
        largest_stratum: b as an int ≥ 2, or the symbol `b`.

    Source: article, (7) and section 3.6.

    >>> PSABudget(10).minimum()
    (log(11)/2, sqrt(11)/(1 + sqrt(11)))
    >>> PSABudget(10).rates(3)
    (11/(11 + exp(3)), exp(3)/(1 + exp(3)))
    """

    largest_stratum: Any = b

    def __post_init__(self) -> None:
        if self.largest_stratum != b:
            integer("largest_stratum", self.largest_stratum, minimum=2)

    @property
    def _size(self) -> Any:
        return sp.sympify(self.largest_stratum)

    @property
    def threshold(self) -> Any:
        """The swap rate √(b+1)/(√(b+1)+1) at which the two branches meet."""
        side = sp.sqrt(self._size + 1)
        return side / (side + 1)

    @property
    def expression(self) -> Any:
        """ε as a piecewise expression in p on (0, 1)."""
        log_odds = sp.log(p / (1 - p))
        return sp.Piecewise((sp.log(self._size + 1) - log_odds, p <= self.threshold), (log_odds, p < 1))

    def at(self, swap_rate: Exact) -> Any:
        """ε at one swap rate in (0, 1), exact."""
        rate = _number("swap_rate", swap_rate)
        if sp.sympify(rate > 0) != sp.true or sp.sympify(rate < 1) != sp.true:
            at_end = ": there the loss is infinite, as two records show that are swapped never, or always"
            why = at_end if rate in (0, 1) else ""
            raise InputError(f"swap_rate must be between 0 and 1, exclusive; got {shown(swap_rate)}{why}")
        return sp.simplify(self.expression.subs(p, rate))

    def minimum(self) -> tuple[Any, Any]:
        """The smallest budget over all swap rates, ln(b+1)/2, and the one rate that attains it."""
        return sp.log(self._size + 1) / 2, self.threshold

    def rates(self, epsilon: Any) -> tuple[Any, ...]:
        """Every swap rate with exactly this budget: two above the minimum, one at it, none below.

        The lower rate is (b+1)/(b+1+e^ε), the upper one e^ε/(1+e^ε).

        Args:
            epsilon: ε as an exact number or an exact sympy expression.
        """
        target = _number("epsilon", epsilon)
        if target is sp.nan or target.is_finite is False or target.is_negative:
            raise InputError(f"epsilon must be non-negative and finite; got {shown(epsilon)}")
        smallest, at_smallest = self.minimum()
        if target.is_Rational and self._size.is_Integer:
            above = _exceeds_half_log(fraction(target), int(self._size) + 1)
        elif sp.simplify(target - smallest) == 0:
            return (at_smallest,)
        else:
            compared = sp.sympify(target > smallest)
            if compared not in (sp.true, sp.false):
                raise InputError(f"epsilon must be comparable with {smallest}; got {epsilon!r}")
            above = compared == sp.true
        if not above:
            return ()
        gamma = sp.exp(target)
        return ((self._size + 1) / (self._size + 1 + gamma), gamma / (1 + gamma))

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle \varepsilon = {sp.latex(self.expression)}$"


def _exceeds_half_log(number: Fraction, value: int) -> bool:
    """Whether a rational exceeds ½·ln(value), for an int ≥ 2: they are never equal (Lindemann)."""
    digits = 20
    while True:
        half = log(value, digits=digits)
        if 2 * number > half.upper:
            return True
        if 2 * number < half.lower:
            return False
        digits *= 2


def fraction(expression: Any) -> Fraction:
    """A rational sympy number as a `Fraction`."""
    rational = sp.Rational(expression)
    return Fraction(int(rational.p), int(rational.q))
