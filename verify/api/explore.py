"""From a specification with symbols to a formula with its conditions, or a counterexample.

    closed_form             a formula for exact numbers or losses, guessed from some sizes and tested at others
    smallest_budget         the same for the smallest budget of a mechanism, by the size of its data sets
    Specification           a specification whose budget is a formula: transform, convert and compare it
    at_most                 whether one formula is at most another for all values of their symbols
    budgets, rates, sizes   sympy symbols: non-negative; positive, for probabilities and ratios; positive integers

A formula is EXHAUSTED for the sizes compared; an inequality is DECIDED if a solver shows it for all values.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from stirred.spec.blocks.domain import FiniteDomain
from stirred.verify.api.audits import smallest_budget as smallest_budget_of
from stirred.verify.engines.formulas.closed_forms import ClosedForm, Sizes, closed_form
from stirred.verify.engines.formulas.order import OrderAnswer, at_most
from stirred.verify.engines.formulas.symbolic_specification import SymbolicSpecification as Specification

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
        parameters: the mechanism's, as a function of the sizes.
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

    def value(**point: int) -> Any:
        given = {} if parameters is None else dict(parameters(**point))
        return smallest_budget_of(mechanism, data_sets=data_sets(**point), **blocks, parameters=given)

    return closed_form(value, sizes, beyond, symbol=symbol, where=where)


def __dir__() -> list[str]:
    return __all__
