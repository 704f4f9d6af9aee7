"""A pure loss as a function of a mechanism's own ε: its parameters are rational functions of e^ε.

The mechanism is run with x = e^(−ε/k) left open, so that its loss is an exact function of x, and ε is put back.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from math import lcm
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss, read_loss
from stirred.spec.numbers.factored_quotient import reduced_power
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.shown_table import ShownFormula
from stirred.verify.engines.formulas.read_formula import read_formula
from stirred.verify.engines.loss_cases import LossByCases, LossPiece

OPENED = "exp_minus_epsilon"
"""The name of x as a parameter."""


@dataclass(frozen=True)
class EpsilonFormulas:
    """The parameters that are formulas of ε, as rational functions of x = e^(−ε/k)."""

    by_name: Mapping[str, RationalFunction]
    parts: int

    @staticmethod
    def of(parameters: Mapping[str, Any]) -> EpsilonFormulas | None:
        """Those among the parameters of a mechanism; None where there are none.

        Raises:
            InputError: a formula is no rational function of e^epsilon or of a root of it.

        >>> found = EpsilonFormulas.of({"flip": "1/(1 + exp(epsilon))", "size": 3})
        >>> found.by_name["flip"].integer_parts()
        ((0, 1), (1, 1))
        """
        given = {name: read_formula(v) if isinstance(v, str) else v for name, v in parameters.items() if _is_one(v)}
        if not given:
            return None
        import sympy as sp  # noqa: PLC0415 slow to import

        x = sp.Symbol("x", positive=True)
        powers = [one.args[0] for formula in given.values() for one in sp.expand(formula).atoms(sp.exp)]
        factors = [
            sp.cancel(power / next(iter(power.free_symbols))) for power in powers if len(power.free_symbols) == 1
        ]
        parts = lcm(1, *(int(one.q) for one in factors if one.is_Rational))
        return EpsilonFormulas({name: _in_x(name, one, x, parts) for name, one in given.items()}, parts)

    def opened(self, mechanism: Callable[..., Any]) -> Callable[..., Any]:
        """The mechanism with x as its parameter."""
        signature = inspect.signature(mechanism)

        @wraps(mechanism)
        def run(*given: Any, **named: Any) -> Any:
            x = named.pop(OPENED)
            return mechanism(*given, **named, **{name: _value(f, x) for name, f in self.by_name.items()})

        kept = [one for name, one in signature.parameters.items() if name not in self.by_name]
        opened = inspect.Parameter(OPENED, inspect.Parameter.KEYWORD_ONLY)
        last = [one for one in kept if one.kind is inspect.Parameter.VAR_KEYWORD]
        kept = [one for one in kept if one not in last]
        run.__signature__ = signature.replace(parameters=[*kept, opened, *last])  # type: ignore[attr-defined]
        return run


def _is_one(value: Any) -> bool:
    if isinstance(value, str):
        return "epsilon" in value
    return any(getattr(one, "name", "") == "epsilon" for one in getattr(value, "free_symbols", ()))


def _in_x(name: str, formula: Any, x: Any, parts: int) -> RationalFunction:
    import sympy as sp  # noqa: PLC0415 slow to import

    def power(exponent: Any) -> Any:
        factor, rest = exponent.as_coeff_Mul()
        return x ** (-factor * parts) if getattr(rest, "name", "") == "epsilon" else sp.exp(exponent)

    found = sp.together(sp.expand(formula).replace(sp.exp, power))
    top, bottom = sp.fraction(found)
    try:
        sides = [sp.Poly(part, x, domain="QQ") for part in (top, bottom)]
    except (sp.PolynomialError, sp.CoercionFailed):
        raise InputError(f"{name} must be a rational function of exp(epsilon) alone; got {formula}") from None
    scale = lcm(*(int(c.q) for side in sides for c in side.all_coeffs()))
    return RationalFunction(*([int(c * scale) for c in reversed(side.all_coeffs())] for side in sides))


def _value(function: RationalFunction, x: Any) -> Any:
    above, below = ([*reversed(part)] for part in function.integer_parts())
    values = []
    for coefficients in (above, below):
        value: Any = 0
        for c in coefficients:
            value = value * x + c
        values.append(value)
    return values[0] / values[1]


@dataclass(frozen=True, repr=False)
class LossOfEpsilon(ShownFormula):
    """The smallest budget as a function of the mechanism's ε > 0; called, it gives a `Loss`, or a distance.

    Attributes:
        function: the budget as a function of x = e^(−ε/parts).
    """

    function: LossByCases
    parts: int

    def __repr__(self) -> str:
        return f"<LossOfEpsilon {self}>"

    def __str__(self) -> str:
        """The formula, as sympy writes it."""
        return str(self.to_sympy())

    def to_latex(self) -> str:
        """The formula as LaTeX."""
        import sympy as sp  # noqa: PLC0415 slow to import

        return str(sp.latex(self.to_sympy(), symbol_names=dict.fromkeys(self.to_sympy().free_symbols, r"\varepsilon")))

    def at(self, epsilon: Loss | str) -> Any:
        """The budget at ε = ln(γ), with γ and its root of the formula rational.

        Raises:
            InputError: ε is no such logarithm, or is 0.
        """
        loss = read_loss("epsilon", epsilon)
        gamma = None
        if isinstance(loss, Loss) and loss.gamma is not None:
            gamma, over = reduced_power(loss.gamma, loss.distance * self.parts)
        if gamma is None or gamma == 1 or over != 1:
            power = f"e^(epsilon/{self.parts})" if self.parts > 1 else "e^epsilon"
            raise InputError(
                f"epsilon must be a logarithm, such as 'ln 3', with {power} above 1 and rational; got {epsilon}"
            )
        return self.function.at(1 / gamma)

    __call__ = at

    def to_sympy(self) -> Any:
        """The formula in a positive symbol epsilon; by cases where it changes its form."""
        import sympy as sp  # noqa: PLC0415 slow to import

        epsilon = sp.Symbol("epsilon", positive=True)
        pieces = [piece for part in self.function.intervals() for piece in part.pieces]
        x = sp.Symbol(OPENED, positive=True)
        if len(pieces) > 1:
            return self.function.to_sympy().subs(x, sp.exp(-epsilon / self.parts))
        found, power = pieces[0].to_sympy(x), sp.exp(-epsilon / self.parts)
        return simplest_loss(found, x, power) if isinstance(pieces[0], LossPiece) else sp.simplify(found.subs(x, power))


def simplest_loss(loss: Any, x: Any, power: Any) -> Any:
    """A loss in x as an expression in ε, where x is a power of e^ε."""
    import sympy as sp  # noqa: PLC0415 slow to import

    return sp.expand_log(sp.log(sp.powsimp(sp.simplify(sp.exp(loss).subs(x, power)))))
