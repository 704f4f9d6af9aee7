"""Finite measures on finite spaces, and D_Mult between them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Generic, TypeVar

from stirred.spec.arguments import Exact, InputError, nonnegative, shown
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Multiplicative
from stirred.spec.output_premetrics.base import Masses

T = TypeVar("T", bound=Hashable)


class FiniteMeasure(Mapping[T, Fraction], Generic[T]):
    """A measure μ on a finite space: a mapping from every outcome to its mass μ({t}) ≥ 0; the masses sum to anything.

    Outcomes of mass 0 stay: they belong to the space. On a finite space with all events measurable the σ-finite
    measures are these.

    Source: dissertation, Definition 5.3.1 (Ω, the σ-finite measures).

    >>> FiniteMeasure({"a": 2, "b": 0})("ab"), FiniteMeasure({"a": 2, "b": 0}).support
    (Fraction(2, 1), ('a',))
    """

    __slots__ = ("_mass",)

    def __init__(self, mass: Mapping[T, Exact]) -> None:
        if not mass:
            raise InputError("a measure must have at least one outcome; got none")
        self._mass = {outcome: nonnegative(f"mass of {outcome!r}", value) for outcome, value in mass.items()}

    @classmethod
    def of(cls, law: Law[T], outcomes: Iterable[T] = ()) -> FiniteMeasure[T]:
        """A law as a measure, on its support and further outcomes."""
        return cls({t: law.numeric(t) for t in dict.fromkeys((*law, *outcomes))})

    def __getitem__(self, outcome: T) -> Fraction:
        return self._mass[outcome]

    def __iter__(self) -> Iterator[T]:
        return iter(self._mass)

    def __len__(self) -> int:
        return len(self._mass)

    def __repr__(self) -> str:
        return f"FiniteMeasure({{{', '.join(f'{t!r}: {mass}' for t, mass in self._mass.items())}}})"

    def __hash__(self) -> int:
        return hash(frozenset(self._mass.items()))

    def __call__(self, event: Iterable[T]) -> Fraction:
        """μ(S), for an event given by its outcomes."""
        chosen = set(event)
        if not chosen <= set(self._mass):
            raise InputError(
                f"an event must have outcomes of the space; got {sorted(chosen - set(self._mass), key=repr)}"
            )
        return sum((self._mass[t] for t in chosen), Fraction(0))

    @property
    def total(self) -> Fraction:
        """μ(T)."""
        return sum(self._mass.values(), Fraction(0))

    @property
    def support(self) -> tuple[T, ...]:
        """The outcomes of positive mass."""
        return tuple(t for t, mass in self._mass.items() if mass)

    def times(self, factor: Exact) -> FiniteMeasure[T]:
        """c·μ for c ≥ 0."""
        scale = nonnegative("factor", factor)
        return FiniteMeasure({t: scale * mass for t, mass in self._mass.items()})

    def is_below(self, other: FiniteMeasure[T]) -> bool:
        """μ ≤ ν: μ(S) ≤ ν(S) for all S, which the outcomes alone decide."""
        same_space(self, other)
        return all(mass <= other[t] for t, mass in self._mass.items())

    def law(self) -> Law[T]:
        """The measure as a law."""
        if self.total != 1:
            raise InputError(f"a law must have total mass 1; got {shown(self.total)}")
        return Law(self._mass)


def same_space(first: FiniteMeasure[T], second: FiniteMeasure[T]) -> None:
    """Refuse two measures on different spaces."""
    if apart := set(first) ^ set(second):
        raise InputError(f"two measures must be on one space; only one has the outcomes {sorted(apart, key=repr)}")


def shared_masses(first: FiniteMeasure[T], second: FiniteMeasure[T]) -> Masses:
    """The masses of two measures over one denominator."""
    same_space(first, second)
    scale = lcm(*{mass.denominator for one in (first, second) for mass in one.values()})
    return [(int(first[t] * scale), int(second[t] * scale)) for t in first]


def multiplicative_distance(first: FiniteMeasure[T], second: FiniteMeasure[T]) -> Loss:
    """D_Mult(μ, ν) = sup_S |ln μ(S)/ν(S)| with 0/0 = 1, on measures.

    It is 0 where both are zero and infinite where their supports differ.

    Source: dissertation, Definition 5.2.1 and Proposition 10.

    >>> multiplicative_distance(FiniteMeasure({0: 1, 1: 1}), FiniteMeasure({0: 2, 1: 3}))
    <Loss ln(3) ≈ 1.09861>
    """
    return Multiplicative().distance_of(shared_masses(first, second))
