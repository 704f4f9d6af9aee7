"""What premetrics have in common whose distances are real numbers: Kullback-Leibler, Rényi, Hellinger, χ², Gaussian.

One more of them is a class with its name, what it says of itself, and `distance`: see `chi_squared`.
"""

from abc import abstractmethod
from collections.abc import Hashable
from fractions import Fraction
from typing import Any, ClassVar, NoReturn

from stirred.spec.arguments import Distance, InputError, nonnegative
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.reals.real import Number, Real, order
from stirred.spec.output_premetrics.base import Composition, OutputPremetric


def real_bound(budget: Number | Loss | int | None) -> Number | None:
    """A budget as a real number: a loss is its ε in nats, None and an infinite loss are ∞."""
    if isinstance(budget, Loss):
        return None if budget.gamma is None else budget.real()
    return budget if budget is None or isinstance(budget, Real) else nonnegative("budget", budget)


class RealValued(OutputPremetric):
    """Distances and budgets are rationals or reals known by enclosures, with None for ∞.

    Attributes:
        budgets: epsilon, in the unit of the distance, and for logarithms gamma = e^epsilon too.
        is_rational: whether all distances of finite laws are rational.
    """

    is_exact = False
    is_rational: ClassVar[bool] = False
    is_infinite_at_total_variation_one = True
    is_immune_to_post_processing = True
    is_symmetric = False
    has_triangle_inequality = False
    composition = Composition.ADDITIVE
    budgets: ClassVar[tuple[str, ...]] = ("epsilon", "gamma")

    @abstractmethod
    def distance(self, p: Law[Any], q: Law[Any]) -> Number | None:
        """D(P, Q), exact; None for ∞."""

    def formula(self, pairs: int) -> str:
        """D(P, Q) as a text in p0, q0, p1, q1, … that replaying a witness computes; empty where there is none.

        Args:
            pairs: how many outcomes there are; each has p > 0.
        """
        del pairs
        return ""

    @property
    def zero(self) -> Fraction:
        return Fraction(0)

    @property
    def no_bound(self) -> None:
        return None

    def bound(self, budget: Number | Loss | None, distance: Distance) -> Number | None:
        checked = real_bound(budget)
        if checked is None or distance is None:
            return None
        return _scaled(checked, Fraction(distance))

    def smallest_budget(self, value: Number | None, distance: Distance) -> Number | None:
        if distance is None or value is None:
            return Fraction(0) if distance is None else None
        if distance == 0:
            return None if order(value, Fraction(0)) else Fraction(0)
        return _scaled(value, 1 / Fraction(distance))

    def at_most(self, value: Number | None, bound: Number | None) -> bool:
        """Whether value ≤ bound."""
        return bound is None or (value is not None and order(value, bound) <= 0)

    def add(self, *_: Any) -> NoReturn:
        """No sums along a path are needed: where there is a triangle inequality, its bounds are compared one by one."""
        raise InputError(f"output_premetric must have bounds that add as exact numbers; got {self.name!r}")

    def composed_bound(self, first: Number | None, second: Number | None) -> Number | None:
        """The sum."""
        return None if first is None or second is None else self._sum(first, second)

    def _rational(self, *bounds: Number) -> tuple[Fraction, ...]:
        found = tuple(bound for bound in bounds if isinstance(bound, Fraction))
        if len(found) < len(bounds):
            shown = " and ".join(map(str, bounds))
            raise InputError(f"bounds of {self.name!r} must be rational to combine; got {shown}")
        return found

    def _sum(self, first: Number, second: Number) -> Number:
        if isinstance(first, Fraction) and isinstance(second, Fraction):
            return first + second
        both = ((first, second), (second, first))  # one kind of number may know how to add what the other does not
        sums = (one.plus(other) for one, other in both if isinstance(one, Real))
        found = next((one for one in sums if one is not None), None)
        if found is None:
            raise InputError(f"bounds of {self.name!r} must add as exact numbers; got {first} and {second}")
        return found

    def composed_with(self, other: OutputPremetric) -> OutputPremetric:
        return self if other == self else super().composed_with(other)

    def attaining_event(self, *_: Law[Any]) -> tuple[Hashable, ...]:
        """None: no one event shows a divergence."""
        return ()

    def exceeding_event(self, *_: Any) -> None:
        """None: the divergence itself exceeds the bound."""

    def event_form(self, *_: Any) -> None:
        """None: no one γ decides."""


def _scaled(number: Number, factor: Fraction) -> Number:
    if isinstance(number, Fraction):
        return number * factor
    return number.times(factor) if factor else Fraction(0)
