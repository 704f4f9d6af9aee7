"""The probability that independent geometric draws satisfy bounds on their differences, exact.

A zone is a set of integer vectors given by constraints x_i − x_j ≤ c, as clocks have them; the node ORIGIN stands for
0, so that a bound x_i ≤ c is a constraint too. Constraints that others imply are left out; where the rest links the
draws without a cycle, one after the other is summed away in closed form.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import Protocol

from stirred.spec.arguments import InputError
from stirred.spec.laws.exponential_polynomial import PiecewiseExponential
from stirred.spec.laws.law import Probability

ORIGIN = -1

_MOST_REMEMBERED = 2_000
"""Cuts of a choice whose probabilities are kept: more of them take much memory."""

Zone = Mapping[tuple[int, int], int]
"""The least c of the constraints x_i − x_j ≤ c, by (i, j)."""


class Bounded(Protocol):
    """A law of which the least and the greatest value are known, None where there is none."""

    @property
    def least(self) -> int | None: ...

    @property
    def greatest(self) -> int | None: ...


@dataclass(frozen=True)
class Geometric:
    """The law of one draw: P(k) = (1−α)·α^k for k ≥ 0, or P(k) = (1−α)/(1+α)·α^|k| for every integer k.

    Attributes:
        ratio: α in (0, 1), or a rational function of the open parameter.
        is_two_sided: whether negative values are possible.
        is_reflected: whether it is the law of −k instead.
    """

    ratio: Probability
    is_two_sided: bool
    is_reflected: bool = False

    @property
    def least(self) -> int | None:
        """The least value, None where there is none."""
        return None if self.is_two_sided or self.is_reflected else 0

    @property
    def greatest(self) -> int | None:
        """The greatest value, None where there is none."""
        return None if self.is_two_sided or not self.is_reflected else 0

    def masses(self) -> PiecewiseExponential:
        """The probability of every integer.

        >>> Geometric(Fraction(1, 2), is_two_sided=True).masses()(-1)
        Fraction(1, 6)
        """
        alpha = self.ratio
        if self.is_two_sided:
            scale = (1 - alpha) / (1 + alpha)
            return PiecewiseExponential((0,), ({1 / alpha: (scale,)}, {alpha: (scale,)}))
        found = PiecewiseExponential((0,), ({}, {alpha: (1 - alpha,)}))
        return found.reflected() if self.is_reflected else found


def zone_mass(laws: Mapping[int, Geometric], zone: Zone) -> Probability:
    """The probability that independent draws with these laws lie in the zone.

    >>> fair = Geometric(Fraction(1, 2), is_two_sided=True)
    >>> zone_mass({0: fair, 1: fair}, {(0, 1): -1})  # x_0 < x_1
    Fraction(11, 27)
    """
    names = sorted(laws)
    place = {name: index for index, name in enumerate(names)} | {ORIGIN: ORIGIN}
    constraints = tuple(sorted((place[i], place[j], c) for (i, j), c in zone.items()))
    return _mass(tuple(laws[name] for name in names), constraints)


Steps = tuple[tuple[int, ...], tuple[Probability, ...]]
"""The outcomes of a choice that have positive probability, and these probabilities."""


def zone_steps(laws: Mapping[int, Geometric], zone: Zone, i: int, j: int, cuts: range) -> Steps:
    """How many of the cuts x_j − x_i reaches, given that the draws lie in a zone.

    One n-way choice is n runs of a program, which all ask for the same probabilities: the last ones are kept, and are
    the same object each time.

    Args:
        laws: of the draws that the constraints of i and j link.
        i: a draw, or ORIGIN.
        cuts: at least one, increasing.

    >>> zone_steps({0: Geometric(Fraction(1, 2), is_two_sided=False)}, {}, ORIGIN, 0, range(1, 3))
    ((0, 1, 2), (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)))
    """
    steps = _steps if len(cuts) <= _MOST_REMEMBERED else _steps.__wrapped__
    return steps(tuple(sorted(laws.items(), key=itemgetter(0))), tuple(sorted(zone.items())), i, j, cuts)


@lru_cache(maxsize=128)
def _steps(
    laws: tuple[tuple[int, Geometric], ...], zone: tuple[tuple[tuple[int, int], int], ...], i: int, j: int, cuts: range
) -> Steps:
    def mass(first: int, second: int, bound: int) -> Probability:
        known = dict(zone)
        known[first, second] = min(bound, known.get((first, second), bound))
        return zone_mass(dict(laws), known)

    tails = [mass(i, j, -cut) for cut in cuts]
    whole = mass(j, i, cuts[0] - 1) + tails[0]
    steps = [whole, *tails, Fraction(0)]
    shares = [(steps[k] - steps[k + 1]) / whole for k in range(len(cuts) + 1)]
    possible = tuple(place for place, share in enumerate(shares) if share)
    return possible, tuple(shares[place] for place in possible)


@lru_cache(maxsize=65536)
def _mass(laws: tuple[Geometric, ...], constraints: tuple[tuple[int, int, int], ...]) -> Probability:
    numbered = dict(enumerate(laws))
    closed = _closure(numbered, {(i, j): c for i, j, c in constraints})
    if closed is None:
        return Fraction(0)
    weights: dict[int, PiecewiseExponential] = {}
    owner: dict[int, tuple[int, int]] = {}  # x_j = x_i + by, for the first draw i that the constraints tie j to
    for j, law in numbered.items():
        ties = ((i, closed[j, i]) for i in range(j) if {(i, j), (j, i)} <= closed.keys() and not _slack(closed, i, j))
        i, by = owner[j] = next(ties, (j, 0))
        masses = law.masses().shifted(by)
        weights[i] = masses if i == j else weights[i] * masses
    for node, function in weights.items():
        low, high = closed.get((ORIGIN, node)), closed.get((node, ORIGIN))
        weights[node] = function.restricted(None if low is None else -low, high)
    links: dict[tuple[int, int], int] = {}
    for i, j, c in constraints:
        if ORIGIN not in (i, j) and owner[i][0] != owner[j][0]:
            _tighten(links, (owner[i][0], owner[j][0]), c - owner[i][1] + owner[j][1])
    return _summed(weights, _reduced(numbered, links, closed))


def _summed(weights: dict[int, PiecewiseExponential], links: Zone) -> Probability:
    """Σ of the product of the weights over all integer vectors that satisfy the links; it empties the weights."""
    total: Probability = Fraction(1)
    while weights:
        total = total * _rooted(min(weights), None, weights, links).total()
    return total


def _rooted(
    node: int, parent: int | None, weights: dict[int, PiecewiseExponential], links: Zone
) -> PiecewiseExponential:
    """X ↦ the sum over the draws linked to this one, but for its parent, where its own value is x."""
    found = weights.pop(node)
    for other in sorted({i + j - node for i, j in links if node in (i, j)} - {parent}):
        if other not in weights:
            raise InputError(
                "unbounded: these comparisons link three draws or more in a cycle, and their probability is not known "
                "in closed form; clamp one of the draws first"
            )
        sums = _rooted(other, node, weights, links).upper_sums()
        # x − y ≤ above and y − x ≤ below, so y runs from x − above to x + below
        above, below = links.get((node, other)), links.get((other, node))
        start = PiecewiseExponential.power(Fraction(1), 0, sums.limit(0)) if above is None else sums.shifted(-above)
        found = found * (start if below is None else start - sums.shifted(below + 1))
    return found


def implied(laws: Mapping[int, Bounded], zone: Zone, i: int, j: int) -> int | None:
    """The least c for which the constraints imply x_i − x_j ≤ c by adding them up; None where there is none."""
    closed = _closure(laws, zone)
    return None if closed is None else closed.get((i, j))


def _closure(laws: Mapping[int, Bounded], zone: Zone) -> dict[tuple[int, int], int] | None:
    """All implied constraints; None where they contradict each other (Floyd and Warshall)."""
    found = dict(zone)
    for node, law in laws.items():
        if law.least is not None:
            _tighten(found, (ORIGIN, node), -law.least)
        if law.greatest is not None:
            _tighten(found, (node, ORIGIN), law.greatest)
    nodes = [ORIGIN, *laws]
    for middle in nodes:
        into = [(i, found[i, middle]) for i in nodes if (i, middle) in found]
        out = [(j, found[middle, j]) for j in nodes if (middle, j) in found]
        for i, first in into:
            for j, second in out:
                _tighten(found, (i, j), first + second)
    if any(found.pop((node, node), 0) < 0 for node in nodes):
        return None
    return found


def _slack(closed: Zone, i: int, j: int) -> int:
    """In how many other ways x_i − x_j may be chosen."""
    return closed[i, j] + closed[j, i]


def _tighten(zone: dict[tuple[int, int], int], pair: tuple[int, int], bound: int) -> None:
    zone[pair] = min(bound, zone.get(pair, bound))


def _reduced(laws: Mapping[int, Geometric], links: Zone, closed: Zone) -> Zone:
    """The constraints between draws without those that the bounds of single draws and the others imply."""
    bounds = {pair: c for pair, c in closed.items() if ORIGIN in pair}
    kept = dict(links)
    for pair, bound in sorted(links.items(), reverse=True):
        others: Iterable[tuple[tuple[int, int], int]] = ((p, c) for p, c in kept.items() if p != pair)
        rest = implied(laws, dict(others) | bounds, *pair)
        if rest is not None and rest <= bound:
            del kept[pair]
    return kept
