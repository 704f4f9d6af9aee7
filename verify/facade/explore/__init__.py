"""From a specification with symbols to a formula with its conditions, or to a counterexample.

    closed_form         a formula for exact numbers or losses at every size, guessed from some and tested at others
    smallest_budget     the same for the smallest budget of a mechanism, by the size of its data sets
    Specification       a specification whose budget is a formula: transform it, convert it, ask what implies it
    at_most             whether one formula is at most another for all values of their symbols
    budgets, rates, sizes   symbols of sympy: at least 0; above 0, for probabilities and ratios; whole and above 0

A formula is EXHAUSTED up to the sizes that were compared, an inequality DECIDED where a solver shows it for all values.
"""

from typing import TYPE_CHECKING

from stirred.spec.first_use import on_first_use

if TYPE_CHECKING:
    from stirred.explore.asked import Specification, budgets, rates, sizes, smallest_budget
    from stirred.verify.formulas.closed_forms import ClosedForm, closed_form
    from stirred.verify.formulas.order import OrderAnswer, at_most

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

_HOMES = {
    "stirred.verify.formulas.closed_forms": ("ClosedForm", "closed_form"),
    "stirred.verify.formulas.order": ("OrderAnswer", "at_most"),
    "stirred.explore.asked": ("Specification", "budgets", "rates", "sizes", "smallest_budget"),
}

if not TYPE_CHECKING:  # a type checker knows the names above, and refuses others
    __getattr__ = on_first_use(globals(), _HOMES)


def __dir__() -> list[str]:
    return __all__
