"""Finite probability laws with exact probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from fractions import Fraction
from typing import Generic, TypeVar, cast

from stirred.spec.arguments import InputError, exact
from stirred.spec.numbers.rational_function import RationalFunction

Probability = Fraction | RationalFunction
"""An exact probability: a number, or a rational function of the open parameter p in (0, 1)."""

_ZERO = Fraction(0)

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


class Law(Mapping[T, Probability], Generic[T]):
    """A probability law on finitely many outcomes: a mapping from outcome to probability that sums to exactly 1.

    Outcomes of probability 0 are dropped; `law[t]` is 0 for an outcome that is not in the support. A rational function
    of p is not tested for its sign on (0, 1): `at` does that at a point.

    >>> coin = Law({"heads": Fraction(1, 3), "tails": Fraction(2, 3)})
    >>> coin["heads"], coin["edge"]
    (Fraction(1, 3), Fraction(0, 1))
    """

    __slots__ = ("_mass", "_probabilities")
    _probabilities: tuple[Probability, ...]

    def __init__(self, mass: Mapping[T, Probability | int]) -> None:
        given = dict(mass.items())
        times = Counter(map(id, given.values()))  # in large laws many outcomes share one number
        objects = dict(zip(map(id, given.values()), given.items(), strict=True))
        numbers = {one: _number(outcome, value) for one, (outcome, value) in objects.items()}
        if all(number is objects[one][1] and number for one, number in numbers.items()):
            self._mass = cast("dict[T, Probability]", given)
        else:
            self._mass = {outcome: number for outcome, value in given.items() if (number := numbers[id(value)])}
        numerators: dict[int, int] = {}  # by denominator: a sum of many fractions is slow
        rest: Probability = Fraction(0)
        for one, number in numbers.items():
            if isinstance(number, RationalFunction):
                rest = rest + number * times[one]
            else:
                bottom = number.denominator
                numerators[bottom] = numerators.get(bottom, 0) + number.numerator * times[one]
        total = sum((Fraction(top, bottom) for bottom, top in numerators.items()), rest)
        if total != 1:
            raise InputError(f"probabilities must sum to exactly 1; got {total}")

    @property
    def support(self) -> tuple[T, ...]:
        """The outcomes of positive probability."""
        return tuple(self._mass)

    @property
    def probabilities(self) -> tuple[Probability, ...]:
        """Those of the support, in its order: the same tuple each time, which a choice by it is recognised by.

        >>> Law({"heads": Fraction(1, 3), "tails": Fraction(2, 3)}).probabilities
        (Fraction(1, 3), Fraction(2, 3))
        """
        try:
            return self._probabilities
        except AttributeError:
            self._probabilities = tuple(self._mass.values())
            return self._probabilities

    def __getitem__(self, outcome: T) -> Probability:
        return self._mass.get(outcome, _ZERO)

    def __iter__(self) -> Iterator[T]:
        return iter(self._mass)

    def items(self) -> ItemsView[T, Probability]:
        return self._mass.items()

    def keys(self) -> KeysView[T]:
        return self._mass.keys()

    def values(self) -> ValuesView[Probability]:
        return self._mass.values()

    def __len__(self) -> int:
        return len(self._mass)

    def __contains__(self, outcome: object) -> bool:
        return outcome in self._mass

    def __eq__(self, other: object) -> bool:
        return self._mass == other._mass if isinstance(other, Law) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._mass.items()))

    def __repr__(self) -> str:
        return f"Law({self._mass!r})"

    def numeric(self, outcome: T) -> Fraction:
        """The probability of an outcome as a number."""
        value = self[outcome]
        if isinstance(value, RationalFunction):
            raise InputError("the law has an open parameter; evaluate it with law.at(p) first")
        return value

    def at(self, value: Fraction) -> Law[T]:
        """The law at one value of the open parameter."""
        return Law({t: q(value) if isinstance(q, RationalFunction) else q for t, q in self._mass.items()})

    def event(self, outcomes: Callable[[T], bool]) -> Probability:
        """The probability of the event that the predicate describes."""
        return sum((q for t, q in self._mass.items() if outcomes(t)), Fraction(0))

    def push(self, function: Callable[[T], U]) -> Law[U]:
        """The law of a function of the outcome (post-processing without randomness)."""
        mass: dict[U, Probability] = {}
        for outcome, q in self._mass.items():
            image = function(outcome)
            mass[image] = mass.get(image, Fraction(0)) + q
        return Law(mass)

    def bind(self, kernel: Callable[[T], Law[U]]) -> Law[U]:
        """The mixture of the kernel's laws (post-processing by a randomised function)."""
        mass: dict[U, Probability] = {}
        for outcome, q in self._mass.items():
            for image, r in kernel(outcome).items():
                mass[image] = mass.get(image, Fraction(0)) + q * r
        return Law(mass)


def _number(outcome: object, value: Probability | int) -> Probability:
    """A value as a probability; the sign of a rational function is not known."""
    if isinstance(value, RationalFunction):
        return value
    number = value if type(value) is Fraction else exact(f"probability of {outcome!r}", value)
    if number.numerator < 0:
        raise InputError(f"probability of {outcome!r} must be non-negative; got {number}")
    return number


def point_mass(outcome: T) -> Law[T]:
    """The law that puts probability 1 on one outcome."""
    return Law({outcome: Fraction(1)})


def uniform_law(outcomes: tuple[T, ...]) -> Law[T]:
    """The uniform law on distinct outcomes."""
    if not outcomes or len(set(outcomes)) != len(outcomes):
        raise InputError(f"outcomes must be distinct and at least one; got {len(outcomes)}")
    return Law(dict.fromkeys(outcomes, cast("Probability", Fraction(1, len(outcomes)))))


def product(first: Law[T], second: Law[U]) -> Law[tuple[T, U]]:
    """The law of two independent draws (fresh composition)."""
    return Law({(t, u): q * r for t, q in first.items() for u, r in second.items()})
