"""From a specification with symbols to a formula with its conditions, or a counterexample.

    closed_form             a formula for exact numbers or losses, guessed from some sizes and tested at others
    smallest_budget         the same for the smallest budget of a mechanism, by the size of its data sets
    Specification           a specification whose budget is a formula: transform, convert and compare it
    at_most                 whether one formula is at most another for all values of their symbols
    budgets, rates, sizes   sympy symbols: non-negative; positive, for probabilities and ratios; positive integers

A formula is EXHAUSTED for the sizes compared; an inequality is DECIDED if a solver shows it for all values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.budgets.loss import Loss
from stirred.spec.output_premetrics import Renyi
from stirred.verify.api.audits import smallest_budget as smallest_budget_of
from stirred.verify.api.result import AuditResult
from stirred.verify.api.specification import Blocks
from stirred.verify.engines.formulas.closed_forms import ClosedForm, Sizes, closed_form
from stirred.verify.engines.formulas.order import OrderAnswer, at_most
from stirred.verify.engines.formulas.symbolic_specification import SymbolicSpecification
from stirred.verify.engines.loss_in_epsilon import LossOfEpsilon, simplest_loss

__all__ = [
    "ClosedForm",
    "OrderAnswer",
    "Specification",
    "at_most",
    "budgets",
    "closed_form",
    "rates",
    "sizes",
    "smallest_budget",
]


class SymbolicBlocks(SymbolicSpecification):
    """Five blocks of which the budget is a formula: to transform, convert, compose, compare, check and write.

    Attributes:
        budget: a real expression of sympy or its text, exact: ε in nats, ρ of zCDP, or μ; at least 0.
        output: "pure", "zcdp", "approximate", "gdp", "total-variation", or "renyi" at an `order`.
        delta: δ of "approximate", from 0 to 1.
        unit: what the input premetric counts.
        domain: who is eligible, each part by its name.
        invariants: what is the same all over a universe.
        where: inequalities that the symbols satisfy.
        step: the distance between neighbours.
        order: of "renyi".
        steps: the conversions that led here.

    >>> print(SymbolicBlocks("ln 3", unit="person").convert("total-variation").budget.evalf(2))
    0.50
    """

    @classmethod
    def of(cls, blocks: Blocks) -> SymbolicBlocks:
        """Blocks whose domain, invariants and distance go by what they are called.

        Raises:
            InputError: the budget is none, infinite, or a curve.

        >>> print(SymbolicBlocks.of(Blocks(data_sets=(0, 1), distance="absolute_difference", epsilon="ln 3")))
        epsilon = log(3) (pure) for each unit of absolute_difference
        """
        stated, budget = blocks.stated, blocks.exact_budget
        measure = blocks.output_premetric
        names = {kind: output for output, kind in _NAMES.items()}
        if measure.name not in names or budget is None or isinstance(budget, tuple):
            raise InputError(f"budget must be a number of {', '.join(_NAMES)}; got {stated.budget.text}")
        named = stated.multiverse.text.removeprefix("invariant: ").split(", ")
        return cls(
            budget,
            names[measure.name],
            getattr(measure, "delta", 0),
            f"unit of {stated.input_premetric.text}",
            (stated.domain.text,),
            tuple(named) if blocks.invariants else (),
            order=getattr(measure, "order", None),
        )

    def blocks(
        self, *, data_sets: FiniteDomain | Iterable[Any], distance: Any, invariants: Any = (), **more: Any
    ) -> Blocks:
        """Blocks with this budget, which has no symbol left, on data sets that are listed.

        Raises:
            InputError: a symbol is left, or the budget is no exact number and no logarithm.
        """
        if left := sorted(map(str, self.budget.free_symbols | self.delta.free_symbols)):
            raise InputError(f"budget must be a number; give {', '.join(left)} by `at`")
        rational = self.budget.is_Rational
        number = Fraction(*map(int, self.budget.as_numer_denom())) if rational else Loss.from_sympy(self.budget)
        output: Any = Renyi(Fraction(*map(int, self.order.as_numer_denom()))) if self.order is not None else self.output
        name = {"zcdp": "rho", "gdp": "mu"}.get(self.output, "epsilon")
        delta: dict[str, Any] = (
            {"delta": Fraction(*map(int, self.delta.as_numer_denom()))} if self.output == "approximate" else {}
        )
        given: dict[str, Any] = {"data_sets": data_sets, "distance": distance, "invariants": invariants, name: number}
        return Blocks(**given, output=output, **delta, **more)

    def check(self, mechanism: Callable[..., Any], *, data_sets: Any, distance: Any, **named: Any) -> AuditResult:
        """An audit of a mechanism against these blocks on data sets that are listed; invariants by `blocks`."""
        return self.blocks(data_sets=data_sets, distance=distance).check(mechanism, **named)

    def to_toml(self, name: str = "claim") -> str:
        """The blocks as a claim file, in words, with the budget where it is a number."""
        import tomli_w  # noqa: PLC0415 slow to import

        domain, multiverse, unit, _, budget = (row.value for row in self._rows()[:5])
        measure = {"name": _NAMES[self.output], **({"delta": str(self.delta)} if self.output == "approximate" else {})}
        key = {"zcdp": "rho_squared", "gdp": "mu"}.get(self.output, "epsilon")
        stated = {key: re.sub(r"\blog\b", "ln", str(self.budget))} if not self.budget.free_symbols else {}
        return tomli_w.dumps(
            {
                "id": name,
                "statement": f"The mechanism satisfies {budget} for {unit}.",
                "domain": {"description": domain},
                "multiverse": {"description": multiverse},
                "input_premetric": {"description": unit},
                "output_premetric": measure,
                "budget": stated or {"description": budget},
            }
        )


Specification = SymbolicBlocks

_NAMES = {
    "pure": "multiplicative",
    "approximate": "approximate_multiplicative",
    "zcdp": "normalized_renyi",
    "gdp": "gaussian",
    "total-variation": "total_variation",
    "renyi": "renyi",
}
"""Our names of output premetrics, and those of a claim file."""


def budgets(names: str) -> Any:
    """Non-negative symbols for budgets, one for each name.

    >>> budgets("epsilon").is_nonnegative
    True
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    return sp.symbols(names, nonnegative=True)


def rates(names: str) -> Any:
    """Positive symbols for probabilities and ratios; state upper bounds by `where`.

    >>> rates("p q")
    (p, q)
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    return sp.symbols(names, positive=True)


def sizes(names: str) -> Any:
    """Positive integer symbols.

    >>> sizes("n").is_integer
    True
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    return sp.symbols(names, positive=True, integer=True)


def smallest_budget(
    mechanism: Callable[..., Any],
    *,
    data_sets: Callable[..., FiniteDomain | Iterable[Any]],
    sizes: Sizes,
    beyond: Sizes,
    symbol: str = "p",
    parameters: Callable[..., Mapping[str, Any]] | None = None,
    where: Callable[..., bool] | None = None,
    **blocks: Any,
) -> ClosedForm:
    """The smallest budget of a mechanism as a formula of the size of its data sets.

    Each size is computed exactly, for all values of an open parameter at once; then a formula is guessed and tested.

    Args:
        mechanism: as for `stirred.smallest_budget`.
        data_sets: a function of the sizes by name, such as `lambda n: range(n)`.
        sizes: the sizes to guess from: {"n": range(2, 7)}.
        beyond: the sizes to test at: {"n": (7, 8)}.
        symbol: the open parameter's name.
        parameters: the mechanism's, as a function of the sizes; formulas of e^epsilon give a formula in epsilon, too.
        where: which combinations of sizes exist.
        **blocks: the other arguments of `stirred.smallest_budget`: distance, output, the mechanism's parameters.

    Raises:
        InputError: as `stirred.smallest_budget` and `closed_form`.

    >>> def answer(data, source, *, flip):
    ...     return 1 - data if source.bernoulli(flip) else data
    >>> found = smallest_budget(
    ...     answer, data_sets=lambda n: [0, 1], sizes={"n": (2, 3, 4)}, beyond={"n": (5,)}, symbol="flip",
    ...     parameters=lambda n: {"flip": f"1/{n + 1}"}, distance="absolute_difference",
    ... )
    >>> found.expression
    log(n)
    """
    parts: set[int] = set()

    def value(**point: int) -> Any:
        given = {} if parameters is None else dict(parameters(**point))
        found = smallest_budget_of(mechanism, data_sets=data_sets(**point), **blocks, parameters=given)
        if not isinstance(found, LossOfEpsilon):
            return found
        parts.add(found.parts)
        return found.function

    found = closed_form(value, sizes, beyond, symbol=symbol, where=where)
    if not parts or found.expression is None:
        return found
    import sympy as sp  # noqa: PLC0415 slow to import

    power = sp.exp(-sp.Symbol("epsilon", positive=True) / parts.pop())
    return replace(found, expression=simplest_loss(found.expression, sp.Symbol(symbol, positive=True), power))


def __dir__() -> list[str]:
    return __all__
