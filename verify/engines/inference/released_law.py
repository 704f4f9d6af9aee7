"""The law of what is released when the data are random: bounds that hold for every model on given data sets.

For a model with law P_θ on data sets, P(T = t | θ) = Σ_x P_θ(x) P_x(t). With S the data sets that are possible at the
release t_0 and d_*(x_*) = max over S of d(x, x_*), the dissertation prints the bounds

    l(t) = max over x_* in S of γ^-d_* P_x*(t),   u(t) = min over x_* in S of γ^d_* P_x*(t).

The lower one lacks a factor P_θ(S), the probability that the data are possible at all. Where the mechanism is known the
sharpest bounds for all models on S are min and max over S of P_x(t): models that are sure of one data set attain them.

Source: dissertation, Theorems 5.4.1 and 5.6.2.
"""

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from stirred.spec.arguments import Exact, InputError, exact, probability, shown
from stirred.spec.blocks.input_premetric import Distance
from stirred.spec.laws.law import Law

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class ReleasedLaw(Generic[T]):
    """Bounds of P(T ∈ A | θ), for all models whose law has its support among some data sets.

    Attributes:
        gamma: e^ε, at least 1: a budget that the mechanism satisfies on them.
        distance: d, finite between any two of them.
        mass: a lower bound of the probability, under the model, of these data sets.
    """

    laws: Mapping[T, Law[Any]]
    gamma: Exact
    distance: Callable[[T, T], Distance]
    mass: Exact = 1

    def __post_init__(self) -> None:
        probability("mass", self.mass)
        if exact("gamma", self.gamma) < 1:
            raise InputError(f"gamma must be at least 1; got {shown(self.gamma)}")
        if not self.laws:
            raise InputError("there must be a data set that is possible")

    def farthest(self, x: T) -> int:
        """d_*: the largest distance of a possible data set from one of them."""
        found = [self.distance(y, x) for y in self.laws]
        if any(d is None for d in found):
            raise InputError(f"the possible data sets must be connected; {x!r} is at an infinite distance from one")
        if any(Fraction(d).denominator != 1 for d in found if d is not None):
            raise InputError("distances must be integers: a power of gamma is exact for those only")
        return max(int(d) for d in found if d is not None)

    def printed(self, outcomes: Collection[Any]) -> tuple[Fraction, Fraction]:
        """The sums of l and of u over an event, the lower one with the factor that the printed one lacks.

        >>> coin = {0: Law({0: Fraction(3, 4), 1: Fraction(1, 4)}), 1: Law({0: Fraction(1, 4), 1: Fraction(3, 4)})}
        >>> ReleasedLaw(coin, 3, lambda x, y: abs(x - y)).printed([0])
        (Fraction(1, 4), Fraction(3, 4))
        """
        factors = {x: Fraction(self.gamma) ** self.farthest(x) for x in self.laws}
        low = sum((max(self.laws[x].numeric(t) / factors[x] for x in self.laws) for t in outcomes), Fraction(0))
        high = sum((min(self.laws[x].numeric(t) * factors[x] for x in self.laws) for t in outcomes), Fraction(0))
        return Fraction(self.mass) * low, min(Fraction(1), high)

    def sharpest(self, outcomes: Collection[Any]) -> tuple[Fraction, Fraction]:
        """The smallest and the largest probability of an event that models attain on these data sets, times the mass.

        The upper end leaves out what the other data sets add, as the theorem does on T_0, where they release nothing.
        """
        found = [sum((law.numeric(t) for t in outcomes), Fraction(0)) for law in self.laws.values()]
        return Fraction(self.mass) * min(found), max(found)
