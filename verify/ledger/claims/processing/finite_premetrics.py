"""Premetrics on finitely many laws, given as tables, and the flavors on two data sets that they are tried with.

A law is the tuple of its probabilities in a unit 1/n, which is the same for all laws on one space. A function is the
tuple of its values at the outcomes t, or at (t, u) in this order, where u is a fair coin. A flavor is {X} on
X = {x, x'} with d(x, x') and d(x', x); T has the laws P and Q.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Multiplicative, total_variation
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import settled
from stirred.verify.ledger.words import distance

Weights = tuple[int, ...]
Map = tuple[int, ...]
Value = Fraction | int | None
"""A distance; None is oo."""
Both = tuple[Value, Value]
"""D(P, Q) and D(Q, P)."""
Flavor = tuple[Value, Value]
"""d(x, x') and d(x', x)."""

pushed_on = lambda p, f, n: [sum(a for a, s in zip(p, f) if s == t) for t in range(n)]
joint_of = lambda p, r: [a * b for a in p for b in r]
with_coin = lambda p: joint_of(p, [1, 1])
image_by = lambda p, f: (
    pushed_on(p, f, len(p)) if len(f) == len(p) else [a / 2 for a in pushed_on(with_coin(p), f, len(p))]
)
both_d = lambda d, p, q: [distance(d, p, q), distance(d, q, p)]
obeyed = lambda v, a, b, e: v[0] <= e * a and v[1] <= e * b
stays_within = lambda v, w, flavors, budgets: all(
    obeyed(w, a, b, e) for a, b in flavors for e in budgets if obeyed(v, a, b, e)
)
is_immune = lambda d, laws, maps, flavors, budgets: all(
    stays_within(both_d(d, p, q), both_d(d, image_by(p, f), image_by(q, f)), flavors, budgets)
    for p in laws
    for q in laws
    for f in maps
)
never_grows = lambda d, laws, maps: all(
    distance(d, image_by(p, f), image_by(q, f)) <= distance(d, p, q) for p in laws for q in laws for f in maps
)


@dataclass(frozen=True)
class World:
    """A premetric on some laws.

    Attributes:
        name: of the premetric.
        distances: D(P, Q) for different laws on one space.
        laws: those that mechanisms have.
        budgets: 0, oo, and the smallest budgets of mechanisms.
    """

    name: str
    distances: Mapping[tuple[Weights, Weights], Value] = field(repr=False)
    laws: tuple[Weights, ...]
    budgets: tuple[Value, ...]

    def both(self, p: Weights, q: Weights) -> Both:
        """D(P, Q) and D(Q, P)."""
        return (0, 0) if p == q else (self.distances[p, q], self.distances[q, p])

    def case(self, flavors: Sequence[Flavor], **more: Any) -> dict[str, Any]:
        """What a witness of a failure carries: of the budgets those that are smallest ones for some flavor."""
        scales = {scale for flavor in flavors for scale in flavor if scale}
        values = [v for v in (self.distances[pair] for pair in permutations(self.laws, 2)) if v is not None]
        smallest = {0, None, *(Fraction(v) / scale for v in values for scale in scales)}
        budgets = tuple(e for e in self.budgets if e in smallest)
        parts = {"d": self.distances, "laws": self.laws, "flavors": tuple(flavors), "budgets": budgets}
        return {"note": f"D_Pr = {self.name}", **parts, **more}


# of distances, where None is oo
at_most = lambda left, right: right is None or (left is not None and left <= right)
plus = lambda first, second: None if first is None or second is None else first + second
_scaled = lambda first, second: None if first is None or second is None else first * second
# whether T with these D(P, Q), D(Q, P) satisfies a flavor with a budget, where 0 x oo = oo
obeys = lambda both, flavor, budget: all(at_most(one, _scaled(budget, d)) for one, d in zip(both, flavor))
_stays = cache(
    lambda before, after, flavors, budgets: all(
        obeys(after, *one) for one in product(flavors, budgets) if obeys(before, *one)
    )
)
# whether what satisfies a flavor with a budget does so after each change of D both ways
immune = lambda world, changes, flavors: all(_stays(*change, flavors, world.budgets) for change in changes)
# the law of two independent draws, and one with a fair coin beside it
outer_product = lambda p, r: tuple(a * b for a in p for b in r)
beside_coin = lambda p: outer_product(p, (1, 1))


def pushed(p: Weights, f: Map, outcomes: int) -> Weights:
    """The law of f."""
    found = [0] * outcomes
    for a, t in zip(p, f, strict=True):
        found[t] += a
    return tuple(found)


_ON_THREE = ((0, 0, 1, 1, 2, 2), (0, 1, 1, 1, 2, 2), (0, 0, 1, 2, 2, 2), (0, 1, 0, 1, 0, 1), (0, 0, 0, 0, 1, 1))
"""The outcome, one outcome halved, another halved, the coin alone, a merge."""


@cache
def maps_of(kind: str, outcomes: int) -> tuple[Map, ...]:
    """All functions of the outcome, the injective ones, or randomised ones: all for two outcomes, five for three."""
    functions = tuple(product(range(outcomes), repeat=outcomes))
    if kind == "randomised":
        return tuple(product(range(2), repeat=4)) if outcomes == 2 else (*functions, *_ON_THREE)
    return functions if kind == "functions" else tuple(f for f in functions if len({*f}) == outcomes)


# the law of a function, which may be randomised
image_under = lambda p, f: (
    pushed(p, f, len(p)) if len(f) == len(p) else tuple(a // 2 for a in pushed(beside_coin(p), f, len(p)))
)


@cache
def moves(laws: tuple[Weights, ...], maps: tuple[Map, ...]) -> tuple[tuple[Weights, ...], ...]:
    """P, Q and their different images."""
    found = {(p, q, image_under(p, f), image_under(q, f)) for p, q in permutations(laws, 2) for f in maps}
    return tuple(move for move in found if move[2] != move[3])


# D both ways before and after functions of a kind
changes = lambda world, kind: (
    (world.both(p, q), world.both(r, s)) for p, q, r, s in moves(world.laws, maps_of(kind, len(world.laws[0])))
)
# whether no function of a kind increases D: (2.11), or (A.5) with a fair coin for Q
does_not_grow = lambda world, kind: all(at_most(after, before) for (before, _), (after, _) in changes(world, kind))


def immune_iff_processed(world: World, *, flavors: tuple[Flavor, ...], immune_to: str, tried: str) -> Witness | None:
    """All flavors are immune to the functions of one kind iff D grows by none of another, or the same, kind."""
    maps, others = (maps_of(kind, len(world.laws[0])) for kind in (immune_to, tried))
    return settled(
        immune(world, changes(world, immune_to), flavors) == does_not_grow(world, tried),
        lambda d, laws, maps, flavors, budgets, tried: (
            is_immune(d, laws, maps, flavors, budgets) == never_grows(d, laws, tried)
        ),
        lambda: world.case(flavors, maps=maps, tried=others),
    )


FLAVORS: tuple[Flavor, ...] = tuple((d, e) for d, e in product((0, 1, 2, 4, None), (0, 1, 2, 4, None)))
SHOWN_FLAVORS = "{X} of two data sets with d(x, x'), d(x', x) in {0, 1, 2, 4, oo}, all smallest budgets"


def weights(outcomes: int, parts: int, unit: int = 0) -> tuple[Weights, ...]:
    """All laws on so many outcomes with a denominator, in a unit that is a part of its own."""
    counts = (one for one in product(range(parts + 1), repeat=outcomes) if sum(one) == parts)
    return tuple(tuple(n * (unit or parts) // parts for n in one) for one in counts)


HALVES = weights(2, 2, 4)
THREE = weights(3, 2, 12)
LAWS = tuple(dict.fromkeys((*THREE, *(p for p in weights(3, 3, 12) if min(p) == 0))))
SHOWN_LAWS = "laws on three outcomes in halves and, with two outcomes, in thirds"

_gamma = lambda p, q: Multiplicative().distance(p, q).gamma

_NAMED: Mapping[str, Callable[[Law[int], Law[int]], Value]] = {
    "D_TV": total_variation,
    "D_TV^2": lambda p, q: total_variation(p, q) ** 2,
    "e^D_Mult - 1": lambda p, q: plus(_gamma(p, q), -1),
    "outcomes times D_TV": lambda p, q: len({*p, *q}) * total_variation(p, q),
    "2 - D_TV of different laws": lambda p, q: 2 - total_variation(p, q),
    "0": lambda _, __: 0,
    "D_TV where P has no more outcomes than Q": lambda p, q: total_variation(p, q) if len(p) <= len(q) else 0,
}
NAMED = tuple(_NAMED)[:-1]
"""Premetrics that have the properties of section 2.5, and premetrics that lack them."""
ONE_SIDED = tuple(_NAMED)[-1:]
"""A premetric that is not symmetric."""


def named(laws: tuple[Weights, ...], others: Iterable[Weights] = (), names: Sequence[str] = NAMED) -> Iterator[World]:
    """The named premetrics on some laws and on those that these become."""
    listed = [(p, Law({t: Fraction(a, sum(p)) for t, a in enumerate(p)})) for p in dict.fromkeys((*laws, *others))]
    for name in names:
        pairs = permutations(listed, 2)
        found = {(p, q): _NAMED[name](a, b) for (p, a), (q, b) in pairs if len(p) == len(q)}
        yield World(name, found, laws, _budgets(found[pair] for pair in permutations(laws, 2)))


def _budgets(values: Iterable[Value]) -> tuple[Value, ...]:
    found = {Fraction(v) / s for v in (0, *values) if v is not None for s in (1, 2, 4)}
    return (*(e.numerator if e.denominator == 1 else e for e in sorted(found)), None)


def tables(
    entries: Iterable[Iterable[tuple[Weights, Weights]]], values: Sequence[Value], laws: tuple[Weights, ...]
) -> Iterator[World]:
    """All premetrics with these values, equal on the pairs that one entry lists."""
    listed, budgets = list(map(tuple, entries)), _budgets(values)
    for chosen in product(values, repeat=len(listed)):
        found = {pair: v for pairs, v in zip(listed, chosen, strict=True) for pair in pairs}
        yield World("a table", found, laws, budgets)
