"""The data sets that could have led to a release, and how far they are apart: what bounds on inference rest on."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, TypeVar

from stirred.spec.arguments import InputError
from stirred.spec.blocks.input_premetric import Distance, InputPremetric
from stirred.spec.laws.law import Law

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class PlausibleData(Generic[T]):
    """supp(x | t₀, θ) with its distances, on finite sets of data sets and outputs.

    Attributes:
        model: P_θ, the law of the data.
        laws: P_x for every data set x that the model has.
        released: t₀.
        premetric: d.

    Raises:
        InputError: a data set of the model has no law, or none of them can release t₀.

    Source: dissertation, section 5.4 and Appendix C.1, with the discrete topology.

    >>> from stirred.spec.blocks.input_premetric import hamming_ordered
    >>> told = {(0,): Law({"one": 1}), (1,): Law({"one": 1}), (0, 1): Law({"two": 1})}
    >>> found = PlausibleData(Law(dict.fromkeys(told, Fraction(1, 3))), told, "one", hamming_ordered("person"))
    >>> found.data_sets, found.outcomes, found.mass, found.diameter
    (((0,), (1,)), ('one',), Fraction(2, 3), Fraction(1, 1))
    """

    model: Law[T]
    laws: Mapping[T, Law[Any]]
    released: Any
    premetric: InputPremetric

    def __post_init__(self) -> None:
        for x in self.model:
            if x not in self.laws:
                raise InputError(f"laws must have every data set of the model; {x!r} has none")
        if not self.data_sets:
            raise InputError(f"some data set of the model must be able to release {self.released!r}; none is")

    def _able_to_release(self, outcome: Any) -> tuple[T, ...]:
        return tuple(x for x in self.model if self.laws[x].numeric(outcome))

    @cached_property
    def data_sets(self) -> tuple[T, ...]:
        """supp(x | t₀, θ): those that the model has and that can release t₀."""
        return self._able_to_release(self.released)

    @cached_property
    def outcomes(self) -> tuple[Any, ...]:
        """T₀: what the model can release, and no data set of it that cannot release t₀."""
        possible = dict.fromkeys(t for x in self.model for t in self.laws[x])
        return tuple(t for t in possible if set(self._able_to_release(t)) <= set(self.data_sets))

    @property
    def mass(self) -> Fraction:
        """P_θ(supp(x | t₀, θ)), the factor that the printed lower bounds lack."""
        return sum((self.model.numeric(x) for x in self.data_sets), Fraction(0))

    def farthest(self, x: T) -> Distance:
        """d_*: the largest distance of a plausible data set from x; None for ∞."""
        return _largest(self.premetric(other, x) for other in self.data_sets)

    @cached_property
    def diameter(self) -> Distance:
        """d_**: the largest distance of two plausible data sets; None for ∞."""
        return _largest(self.farthest(x) for x in self.data_sets)

    @property
    def is_connected(self) -> bool:
        """Whether all plausible data sets are at finite distances, as the bounds ask for."""
        return self.diameter is not None


def _largest(distances: Any) -> Distance:
    found = list(distances)
    return None if None in found else max(found)
