"""Premetrics on finitely many laws, given as tables, and the flavors on two data sets that they are tried with.

A law is the tuple of its probabilities in a unit 1/n, which is the same for all laws on one space; a function f of the
outcome is the tuple of its values. A flavor is {X} on X = {x, x'} with d(x, x') and d(x', x); T has the laws P and Q.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from spec.law import Law
from spec.output_premetric import Multiplicative, total_variation
from verify.ledger.words import define

Weights = tuple[int, ...]
Value = Fraction | int | None
"""A distance; None is oo."""
Both = tuple[Value, Value]
"""D(P, Q) and D(Q, P)."""
Map = tuple[int, ...]
Flavor = tuple[Value, Value]
"""d(x, x') and d(x', x)."""

define(
    {
        "pushed(p, f, n)": "[sum(a for a, s in zip(p, f) if s == t) for t in range(n)]",
        "joined(p, r)": "[a * b for a in p for b in r]",
        "kept(there, back, a, b, e)": "there <= e * a and back <= e * b",
        "stays(there, back, after, after_back, flavors, budgets)": """all(kept(after, after_back, a, b, e)
            for a, b in flavors for e in budgets if kept(there, back, a, b, e))""",
    }
)


@dataclass(frozen=True)
class World:
    """A premetric on some laws.

    Attributes:
        name: of the premetric.
        distances: D(P, Q) for different laws on one space; oo where there is none.
        laws: those that mechanisms have.
        budgets: those that are tried.
    """

    name: str
    distances: Mapping[tuple[Weights, Weights], Value] = field(repr=False)
    laws: tuple[Weights, ...]
    budgets: tuple[Value, ...]

    def both(self, p: Weights, q: Weights) -> Both:
        """D(P, Q) and D(Q, P)."""
        return (0, 0) if p == q else (self.distances.get((p, q)), self.distances.get((q, p)))

    def case(self, flavors: Sequence[Flavor]) -> dict[str, Any]:
        """What a witness of a failure carries."""
        parts = {"d": self.distances, "laws": self.laws, "flavors": tuple(flavors), "budgets": self.budgets}
        return {"note": f"D_Pr = {self.name}", **parts}


def _quotient(value: Fraction | int, scale: int) -> Fraction | int:
    found = Fraction(value, scale)
    return found.numerator if found.denominator == 1 else found


def _budgets(values: Iterable[Value]) -> tuple[Value, ...]:
    """0, oo and all smallest budgets: each distance of laws over each distance of data sets."""
    found = {_quotient(v, s) for v in (0, *values) if v is not None for s in _SCALES}
    return (*sorted(found), None)


def at_most(left: Value, right: Value) -> bool:
    """Left <= right."""
    return right is None or (left is not None and left <= right)


def times(budget: Value, distance: Value) -> Value:
    """The product with 0 x oo = oo."""
    return None if budget is None or distance is None else budget * distance


def plus(first: Value, second: Value) -> Value:
    """The sum."""
    return None if first is None or second is None else first + second


def kept(both: Both, flavor: Flavor, budget: Value) -> bool:
    """Whether T with these D(P, Q), D(Q, P) satisfies a flavor with a budget."""
    return at_most(both[0], times(budget, flavor[0])) and at_most(both[1], times(budget, flavor[1]))


@cache
def _stays(flavors: tuple[Flavor, ...], budgets: tuple[Value, ...]) -> Callable[[Both, Both], bool]:
    @cache
    def stays(before: Both, after: Both) -> bool:
        tried = product(flavors, budgets)
        return all(kept(after, flavor, budget) for flavor, budget in tried if kept(before, flavor, budget))

    return stays


def immune(world: World, changes: Iterable[tuple[Both, Both]], flavors: tuple[Flavor, ...]) -> bool:
    """Whether what satisfies a flavor with a budget does so after each change of D both ways."""
    stays = _stays(flavors, world.budgets)
    return all(stays(before, after) for before, after in changes)


@cache
def _sums(flavors: tuple[Flavor, ...], budgets: tuple[Value, ...]) -> Callable[[Both, Both, Both], bool]:
    @cache
    def sums(first: Both, second: Both, both: Both) -> bool:
        return all(
            kept(both, flavor, plus(e, g))
            for flavor in flavors
            for e, g in product(*([e for e in budgets if kept(one, flavor, e)] for one in (first, second)))
        )

    return sums


def closed(world: World, joints: Iterable[tuple[Both, Both, Both]], flavors: tuple[Flavor, ...]) -> bool:
    """Whether (T_1, T_2) satisfies each flavor with the sum of budgets with which T_1 and T_2 do."""
    sums = _sums(flavors, world.budgets)
    return all(sums(*joint) for joint in joints)


def pushed(p: Weights, f: Map, outcomes: int) -> Weights:
    """The law of f."""
    found = [0] * outcomes
    for a, t in zip(p, f, strict=True):
        found[t] += a
    return tuple(found)


def joined(p: Weights, r: Weights) -> Weights:
    """The law of two independent draws."""
    return tuple(a * b for a in p for b in r)


_SCALES = (1, 2, 4)
_ENDS: tuple[Value, ...] = (0, *_SCALES, None)
FLAVORS: tuple[Flavor, ...] = tuple((d, e) for d in _ENDS for e in _ENDS)
EQUAL: tuple[Flavor, ...] = tuple((d, d) for d in _ENDS)
SHOWN_FLAVORS = "{X} of two data sets with d(x, x'), d(x', x) in {0, 1, 2, 4, oo}, all smallest budgets"


def weights(outcomes: int, parts: int, unit: int = 0) -> tuple[Weights, ...]:
    """All laws on so many outcomes with a denominator, in a unit that is a part of its own."""
    counts = (one for one in product(range(parts + 1), repeat=outcomes) if sum(one) == parts)
    return tuple(tuple(n * (unit or parts) // parts for n in one) for one in counts)


def _law(p: Weights) -> Law[int]:
    return Law({t: Fraction(a, sum(p)) for t, a in enumerate(p)})


def _gamma_minus_one(p: Law[int], q: Law[int]) -> Value:
    gamma = Multiplicative().distance(p, q).gamma
    return None if gamma is None else gamma - 1


_NAMED: Mapping[str, Callable[[Law[int], Law[int]], Value]] = {
    "D_TV": total_variation,
    "D_TV^2": lambda p, q: total_variation(p, q) ** 2,
    "e^D_Mult - 1": _gamma_minus_one,
    "outcomes times D_TV": lambda p, q: len({*p, *q}) * total_variation(p, q),
    "2 - D_TV of different laws": lambda p, q: 2 - total_variation(p, q),
    "0": lambda _, __: Fraction(0),
}
_ONE_SIDED = "D_TV where P has no more outcomes than Q"
NAMED = tuple(_NAMED)
"""Premetrics that have the properties of section 2.5, and premetrics that lack them."""


def one_sided(laws: tuple[Weights, ...], among: Iterable[Weights] = ()) -> World:
    """A premetric that is not symmetric."""
    return _world(
        _ONE_SIDED, lambda p, q: total_variation(p, q) if len(p) <= len(q) else Fraction(0), laws, among or laws
    )


def named(laws: tuple[Weights, ...], among: Iterable[Weights] = ()) -> Iterator[World]:
    """The named premetrics on some laws, with their distances among those too that these become."""
    return (_world(name, measured, laws, among or laws) for name, measured in _NAMED.items())


def _world(
    name: str, measured: Callable[[Law[int], Law[int]], Value], laws: tuple[Weights, ...], among: Iterable[Weights]
) -> World:
    listed = [(p, _law(p)) for p in among]
    pairs = permutations(listed, 2)
    found = {(p, q): measured(a, b) for (p, a), (q, b) in pairs if len(p) == len(q)}
    return World(name, found, laws, _budgets(found[pair] for pair in permutations(laws, 2)))


def tables(
    entries: Sequence[Sequence[tuple[Weights, Weights]]], values: Sequence[Value], laws: tuple[Weights, ...]
) -> Iterator[World]:
    """All premetrics with these values, equal on the pairs that one entry lists."""
    budgets = _budgets(values)
    for chosen in product(values, repeat=len(entries)):
        found = {pair: v for pairs, v in zip(entries, chosen, strict=True) for pair in pairs}
        yield World("a table", found, laws, budgets)
