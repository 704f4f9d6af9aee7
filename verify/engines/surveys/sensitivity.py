"""Sensitivities: the largest change of a query between compared data sets, with the pair that attains it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

from stirred.spec.arguments import Exact, InputError, exact, nonnegative
from stirred.spec.blocks.input_premetric import Distance, InputPremetric
from stirred.spec.blocks.multiverse import Multiverse, Universe
from stirred.verify.evidence.process_control.workload import part

Query = Callable[[Any], Exact | tuple[Exact, ...]]
"""q: a function of the data set with an exact value, or a tuple of exact values of one length."""


@dataclass(frozen=True)
class Sensitivity:
    """A largest change.

    Attributes:
        value: the change, exact; None for ∞.
        pair: two data sets that attain it; None where no two data sets that are compared differ in the query.
    """

    value: Fraction | None
    pair: tuple[Any, Any] | None = None

    def __str__(self) -> str:
        shown = "∞" if self.value is None else str(self.value)
        return shown if self.pair is None else f"{shown} between {self.pair[0]!r} and {self.pair[1]!r}"


def sensitivity(
    query: Query,
    multiverse: Multiverse,
    premetric: InputPremetric,
    budgets: Mapping[Universe, Exact] | None = None,
) -> Sensitivity:
    """Δ_q = sup ‖q(x) − q(x')‖₁/(ε_D·d(x, x')) over all universes D and all x, x' in D; 0/0 = 0, a/0 = ∞, a/∞ = 0.

    Without budgets each ε_D is 1; d need not be symmetric.

    Source: dissertation, Definition 6.4.2, with Δ_q of all universes.

    >>> from stirred.spec import hamming_ordered
    >>> bits = Multiverse([[(0, 0), (0, 1), (1, 0), (1, 1)]])
    >>> print(sensitivity(sum, bits, hamming_ordered("person")))
    1 between (0, 0) and (0, 1)
    """
    changes = _Changes(query)

    def ratios() -> Iterator[_Found]:
        with part("pairs", sum(map(len, multiverse))) as done:
            for universe in multiverse:
                budget, points = _budget(universe, budgets), _in_order(universe)
                for x in points:
                    for y in points:
                        if change := changes(x, y):
                            yield _over(change, budget, premetric(x, y)), (x, y)
                    done.advance()

    return _largest(ratios())


def spread(query: Query, points: Iterable[Any]) -> Sensitivity:
    """The largest ‖q(x) − q(x')‖₁ between any two of these data sets, however far apart they are.

    Source: dissertation, section 6.4.5 (the unadjusted L₁-sensitivity).

    >>> print(spread(sum, [(0, 0), (0, 1), (1, 1)]))
    2 between (0, 0) and (1, 1)
    """
    changes = _Changes(query)
    return _largest((changes(x, y), (x, y)) for x, y in combinations(_in_order(points), 2))


def _norm(one: tuple[Fraction, ...], other: tuple[Fraction, ...]) -> Fraction:
    if len(one) != len(other):
        raise InputError(f"a query must have values of one length; got {len(one)} and {len(other)}")
    return sum((abs(a - b) for a, b in zip(one, other, strict=True)), Fraction(0))


def _vector(value: Exact | tuple[Exact, ...]) -> tuple[Fraction, ...]:
    parts = value if isinstance(value, tuple) else (value,)
    return tuple(exact("a value of the query", part) for part in parts)


@dataclass(frozen=True)
class _Changes:
    """‖q(x) − q(x')‖₁, with q asked once for each data set."""

    query: Query
    values: dict[Any, tuple[Fraction, ...]] = field(default_factory=dict)

    def __call__(self, first: Any, second: Any) -> Fraction:
        return _norm(self.value(first), self.value(second))

    def value(self, point: Any) -> tuple[Fraction, ...]:
        if point not in self.values:
            self.values[point] = _vector(self.query(point))
        return self.values[point]


def _budget(universe: Universe, budgets: Mapping[Universe, Exact] | None) -> Fraction:
    if budgets is None:
        return Fraction(1)
    if universe not in budgets:
        raise InputError(f"budgets must name every universe; the one of {len(universe)} data sets has none")
    return nonnegative("a budget", budgets[universe])


def _over(change: Fraction, budget: Fraction, distance: Distance) -> Fraction | None:
    """a/(ε·d) for a > 0, where 0·∞ = ∞."""
    if distance is None:
        return Fraction(0)
    return change / (budget * distance) if budget * distance else None


_Found = tuple[Fraction | None, tuple[Any, Any]]
"""A change, None for ∞, with its pair."""


def _largest(found: Iterable[_Found]) -> Sensitivity:
    best = Sensitivity(Fraction(0))
    for value, pair in found:
        if best.value is not None and (value is None or value > best.value):
            best = Sensitivity(value, pair)
    return best


def _in_order(points: Iterable[Any]) -> list[Any]:
    """The data sets in an order that does not depend on hashes, so that the pair is always the same one."""
    return sorted(points, key=repr)
