"""The law interpreter: follows every choice of a mechanism and returns its exact law."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.interpreters.choice_tree import tree_law
from stirred.spec.arguments import positive_integer
from stirred.spec.laws.law import Law

DEFAULT_CHOICE_BUDGET = 5_000_000
"""Choices followed before the interpreter gives up."""

T = TypeVar("T", bound=Hashable)


def exact_law(
    mechanism: Callable[..., T], data: Any, *, choice_budget: int = DEFAULT_CHOICE_BUDGET, **parameters: Any
) -> Law[T]:
    """The exact law of a mechanism's output on one data set.

    Every choice is followed; a rejection loop (`Source.attempt`, `Source.restart`) is summed in closed form: the law
    of its accepted outcomes divided by the probability of acceptance.

    Args:
        mechanism: a function `mechanism(data, source, **parameters)`.
        choice_budget: the number of distinct choices followed before giving up.
        **parameters: exact numbers, or `spec.SYMBOL` to leave one parameter in (0, 1) open.

    >>> exact_law(lambda data, source: data + source.uniform(2), 5)
    Law({5: Fraction(1, 2), 6: Fraction(1, 2)})
    """
    budget = ChoiceBudget(positive_integer("choice_budget", choice_budget))
    return tree_law(follow(lambda source: mechanism(data, source, **parameters), budget))
