"""The exact loss of one mechanism under every mixture of two flavors' blocks: up to sixteen corners.

A corner takes each of domain, multiverse, input premetric and output premetric from the honest or from the claimed
flavor. Distances of laws are computed once for each pair of data sets, and compared as ranks after that.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations, product
from math import lcm
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import Distance, InputPremetric
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import BLOCKS as FIVE_BLOCKS
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, OutputPremetric, TotalVariation
from stirred.verify.evidence.finding import EngineError

# Distances of many laws in integers: what `spec.output_premetrics` computes pair by pair, fast enough for many pairs.
#
# Each law is a list of integer weights over all outcomes with its sum. D_Mult is the largest ratio, found by cross-
# multiplication. D_Mult^δ is the root of the convex function γ ↦ E_γ − δ, found by Newton's method from γ = 1: on a
# piecewise-linear function it is exact and ends after finitely many steps.


class IntegerDistances:
    """The distances between the laws of a mechanism, by the positions of the data sets."""

    def __init__(self, laws: Sequence[Law[Any]], measure: OutputPremetric) -> None:
        if type(measure) not in _DISTANCES:
            raise InputError(f"output_premetric must have exact distances to be compared; got {measure.name!r}")
        self._distance = _DISTANCES[type(measure)]
        self.delta = measure.parameters.get("delta", Fraction(0))
        outcomes = tuple(dict.fromkeys(t for law in laws for t in law))
        scale = lcm(*(law.numeric(t).denominator for law in laws for t in law))
        self.weights = [[int(law.numeric(t) * scale) for t in outcomes] for law in laws]
        self.total = scale

    def between(self, i: int, j: int) -> Any:
        """D_Pr(P_i, P_j), in the type of the premetric's bounds."""
        return self._distance(self.weights[i], self.weights[j], self)


def _largest_ratio(first: Sequence[int], second: Sequence[int]) -> Loss:
    high, low = 1, 1
    for a, b in zip(first, second, strict=True):
        top, bottom = (a, b) if a > b else (b, a)
        if top * low > high * bottom:
            if bottom == 0:
                return INFINITE
            high, low = top, bottom
    return Loss(Fraction(high, low)) if high > low else ZERO


def _least_gamma(first: Sequence[int], second: Sequence[int], delta: Fraction) -> Loss:
    """The smallest γ ≥ 1 with Σ (a − γb)⁺ ≤ δ, by Newton's method from the left."""
    top, bottom = 1, 1
    while True:
        mass = reference = 0
        for a, b in zip(first, second, strict=True):
            if a * bottom > top * b:
                mass += a
                reference += b
        # E_γ ≤ δ at γ = top/bottom
        if (mass * bottom - top * reference) * delta.denominator <= delta.numerator * bottom:
            return Loss(Fraction(top, bottom))
        if reference == 0:
            return INFINITE
        gamma = (mass - delta) / reference
        top, bottom = gamma.numerator, gamma.denominator


_DISTANCES: Mapping[type[OutputPremetric], Callable[[Sequence[int], Sequence[int], IntegerDistances], Any]] = {
    Multiplicative: lambda first, second, _: _largest_ratio(first, second),
    ApproximateMultiplicative: lambda first, second, of: max(
        _least_gamma(first, second, of.delta * of.total), _least_gamma(second, first, of.delta * of.total)
    ),
    TotalVariation: lambda first, second, of: Fraction(
        sum(abs(a - b) for a, b in zip(first, second, strict=True)), 2 * of.total
    ),
}
"""How the distance of two laws follows from their weights."""


def by_size(value: Any) -> tuple[bool, Fraction]:
    """A key that sorts exact distances: finite ones by size, then ∞.

    >>> by_size(Loss(Fraction(2))) < by_size(INFINITE)
    True
    """
    number = value.gamma if isinstance(value, Loss) else value
    return (True, Fraction(0)) if number is None else (False, number)


BLOCKS = FIVE_BLOCKS[:4]
"""The four blocks of a flavor, in the order of a corner's letters."""

HONEST, CLAIMED = "H", "C"

Laws = Mapping[Any, Law[Any]]


@dataclass(frozen=True)
class Side:
    """What one domain gives: its data sets, the mechanism's laws there, and both flavors' blocks as they read there.

    Attributes:
        multiverses: by the flavor they come from, "H" or "C"; one that has no meaning on this domain is left out.
    """

    domain: FiniteDomain
    laws: Laws
    multiverses: Mapping[str, Multiverse]
    input_premetrics: Mapping[str, InputPremetric]


@dataclass(frozen=True)
class Corner:
    """One mixture.

    Attributes:
        name: four letters, H or C for each block of `BLOCKS`.
        budget: the smallest budget that covers every universe; None for an undefined mixture (`is_defined`).
        pair: two data sets that need it; None where nothing needs any.
    """

    name: str
    budget: Any
    pair: tuple[Any, Any] | None
    is_defined: bool = True


class _Pairs:
    """The ranks of D_Pr[P_x, P_x'] over all pairs of a side's data sets, for a symmetric output premetric."""

    def __init__(self, side: Side, measure: OutputPremetric) -> None:
        self.measure = measure
        points = side.domain.points
        laws = list(dict.fromkeys(side.laws[x] for x in points))
        place = {law: number for number, law in enumerate(laws)}
        distances = IntegerDistances(laws, measure)
        known = {(i, j): distances.between(i, j) for i, j in combinations(range(len(laws)), 2)}
        zero = distances.between(0, 0)
        self.values: list[Any] = sorted(dict.fromkeys((zero, *known.values())), key=by_size)
        rank_of = {value: rank for rank, value in enumerate(self.values)}
        ranks = {pair: rank_of[value] for pair, value in known.items()}
        at = [place[side.laws[x]] for x in points]
        self.ranks = {
            (i, j): 0 if at[i] == at[j] else ranks[min(at[i], at[j]), max(at[i], at[j])]
            for i, j in combinations(range(len(points)), 2)
        }


def corner_losses(
    sides: Mapping[str, Side],
    measures: Mapping[str, OutputPremetric],
    differing: Sequence[str],
    *,
    only: str | None = None,
) -> dict[str, Corner]:
    """The corners, by name; blocks that do not differ are taken from the honest flavor; with `only`, that corner."""
    choices = [(HONEST, CLAIMED) if name in differing else (HONEST,) for name in BLOCKS]
    ranked: dict[tuple[str, str], _Pairs] = {}
    distances: dict[tuple[str, str], dict[tuple[int, int], Distance]] = {}
    found = {}
    for letters in product(*choices):
        name = "".join(letters)
        if only not in (None, name):
            continue
        on, multiverse, premetric, measure = letters
        side = sides[on]
        if multiverse not in side.multiverses or premetric not in side.input_premetrics:
            found[name] = Corner(name, None, None, is_defined=False)
            continue
        if (on, measure) not in ranked:
            ranked[on, measure] = _Pairs(side, measures[measure])
        if (on, premetric) not in distances:
            distances[on, premetric] = _distances(side.domain, side.input_premetrics[premetric])
        budget, pair = _loss(side, side.multiverses[multiverse], ranked[on, measure], distances[on, premetric])
        found[name] = Corner(name, budget, pair)
    return found


def _distances(domain: FiniteDomain, premetric: InputPremetric) -> dict[tuple[int, int], Distance]:
    """The smaller of {d(x, x'), d(x', x)} for each pair: with a symmetric D_Pr the smaller one binds."""
    found: dict[tuple[int, int], Distance] = {}
    for (i, x), (j, y) in combinations(enumerate(domain), 2):
        both = [d for d in (premetric(x, y), premetric(y, x)) if d is not None]
        found[i, j] = min(both) if both else None
    return found


def _loss(
    side: Side, multiverse: Multiverse, pairs: _Pairs, distances: Mapping[tuple[int, int], Distance]
) -> tuple[Any, tuple[Any, Any] | None]:
    """The largest smallest budget over all pairs that share a universe."""
    worst: dict[Distance, tuple[int, tuple[int, int]]] = {}
    for pair in _compared(side.domain, multiverse):
        rank, distance = pairs.ranks[pair], distances[pair]
        if distance is not None and rank and (distance not in worst or rank > worst[distance][0]):
            worst[distance] = rank, pair
    measure = pairs.measure
    budget, where = measure.smallest_budget(pairs.values[0], 1), None
    for distance, (rank, pair) in worst.items():
        needed = measure.smallest_budget(pairs.values[rank], distance)
        if not measure.at_most(needed, budget):
            budget, where = needed, pair
    if where is None:
        return budget, None
    x, y = (side.domain.points[i] for i in where)
    value = measure.distance(side.laws[x], side.laws[y])
    if value != pairs.values[pairs.ranks[where]]:
        raise EngineError("two computations of a distance of laws disagree")
    return budget, (x, y)


def _compared(domain: FiniteDomain, multiverse: Multiverse) -> Iterator[tuple[int, int]]:
    """The pairs (i, j), i < j, of data sets that share a universe, each once where universes do not overlap."""
    for universe in multiverse:
        yield from combinations(sorted(map(domain.index, universe)), 2)


def average_changes(budgets: Mapping[frozenset[str], Fraction], blocks: Sequence[str]) -> dict[str, Fraction]:
    """What each block contributes to the change, averaged over all orders in which the blocks can be exchanged.

    >>> average_changes({frozenset(): Fraction(3), frozenset({"domain"}): Fraction(1)}, ["domain"])
    {'domain': Fraction(-2, 1)}
    """
    orders = list(permutations(blocks))
    totals = dict.fromkeys(blocks, Fraction(0))
    for order in orders:
        exchanged: frozenset[str] = frozenset()
        for block in order:
            following = exchanged | {block}
            totals[block] += budgets[following] - budgets[exchanged]
            exchanged = following
    return {block: total / len(orders) for block, total in totals.items()}
