"""The probability that independent geometric draws satisfy bounds on their differences, exact.

A zone is a set of integer vectors given by constraints x_i − x_j ≤ c, as clocks have them; the node ORIGIN stands for
0, so that a bound x_i ≤ c is a constraint too. Draws that constraints tie to each other are one; where the others are
linked without a cycle, one after the other is summed away in closed form (`reading.elimination`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from operator import itemgetter
from typing import Any, Protocol

from stirred.spec.arguments import InputError
from stirred.spec.laws.exponential_polynomial import PiecewiseExponential
from stirred.spec.laws.law import Probability

ORIGIN = -1

_MOST_REMEMBERED = 2_000
"""Cuts of a choice whose probabilities are kept: more of them take much memory."""

_ROUNDS = 3

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
    place = {draw: index for index, draw in enumerate(_order(laws, zone))} | {ORIGIN: ORIGIN}
    constraints = tuple(sorted((place[i], place[j], c) for (i, j), c in zone.items()))
    return _mass(tuple(laws[draw] for draw in place if draw != ORIGIN), constraints)


def _order(laws: Mapping[int, Geometric], zone: Zone) -> list[int]:
    """The draws in an order that their laws and constraints decide, as far as they do: others may take their places."""
    colours = {draw: hash(law) for draw, law in laws.items()} | {ORIGIN: 0}
    for _ in range(_ROUNDS):
        met: dict[int, list[tuple[int, int, int]]] = {draw: [] for draw in colours}
        for (i, j), c in zone.items():
            met[i].append((1, c, colours[j]))
            met[j].append((-1, c, colours[i]))
        colours = {draw: hash((colours[draw], *sorted(met[draw]))) for draw in colours}
    return sorted(laws, key=lambda draw: (colours[draw], draw))


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
    whole = zone_mass(dict(laws), dict(zone))  # known from the choice before
    steps = [whole, *tails, Fraction(0)]
    shares = [(steps[k] - steps[k + 1]) / whole for k in range(len(cuts) + 1)]
    possible = tuple(place for place, share in enumerate(shares) if share)
    return possible, tuple(shares[place] for place in possible)


@lru_cache(maxsize=1_024)
def extreme_steps(
    laws: tuple[Geometric, ...], constants: tuple[Fraction, ...], sign: int
) -> tuple[Steps, Sequence[Zone]]:
    """Which of several draws, each plus a constant, is the first largest, or smallest where the sign is −1.

    Returns:
        The outcomes, as in `zone_steps`, and for each place the zone of the draws where it is that one.

    Raises:
        ArithmeticError: the probabilities do not add up to 1.
    """
    zones = []
    for k, own in enumerate(constants):
        gaps = [sign * (own - c) for c in constants]
        bounds = [ceil(gap) - 1 if j < k else floor(gap) for j, gap in enumerate(gaps)]
        others = [(j, bound) for j, bound in enumerate(bounds) if j != k]
        zones.append({(j, k) if sign > 0 else (k, j): bound for j, bound in others})
    masses = [zone_mass(dict(enumerate(laws)), zone) for zone in zones]
    if sum(masses) != 1:
        raise ArithmeticError(f"the probabilities of an extreme add up to {sum(masses)}")
    possible = tuple(k for k, mass in enumerate(masses) if mass)
    return (possible, tuple(masses[k] for k in possible)), zones


_MASSES: dict[tuple[tuple[Geometric, ...], tuple[tuple[int, int, int], ...]], Probability] = {}
"""Of draws under constraints (i, j, c), as far as they were computed."""

_MOST_MASSES = 65_536


def told_masses(known: int) -> list[Any]:
    """What this process has computed after so many, as texts and integers, but for open parameters."""
    return [
        ([(str(law.ratio), law.is_two_sided, law.is_reflected) for law in laws], constraints)
        for laws, constraints in [*_MASSES][known:]
        if all(isinstance(law.ratio, Fraction) for law in laws)
    ]


def learn_masses(given: Iterable[Any]) -> int:
    """Compute once more what a copy of this process has told; returns how many are known."""
    for laws, constraints in given:
        _mass(tuple(Geometric(Fraction(ratio), *sides) for ratio, *sides in laws), tuple(map(tuple, constraints)))
    return len(_MASSES)


def _mass(laws: tuple[Geometric, ...], constraints: tuple[tuple[int, int, int], ...]) -> Probability:
    key = laws, constraints
    if key not in _MASSES:
        if len(_MASSES) >= _MOST_MASSES:
            _MASSES.clear()
        _MASSES[key] = _computed(*key)
    return _MASSES[key]


def _computed(laws: tuple[Geometric, ...], constraints: tuple[tuple[int, int, int], ...]) -> Probability:
    from stirred.mechanisms.reading.elimination import (  # noqa: PLC0415 slow to import; most code draws no geometric noise
        Elimination,
        TiedError,
        form_of,
    )
    from stirred.mechanisms.reading.integer_algebra import IntegerAlgebra  # noqa: PLC0415 as above

    closed = closure(dict(enumerate(laws)), {(i, j): c for i, j, c in constraints})
    if closed is None:
        return Fraction(0)
    tied = {ORIGIN: (ORIGIN, 0)}  # x_j = x_i + by, for the first draw i that the constraints tie j to
    for j in range(len(laws)):
        equal = (i for i in range(j) if {(i, j), (j, i)} <= closed.keys() and closed[i, j] == -closed[j, i])
        tied[j] = next(((i, closed[j, i]) for i in equal), (j, 0))
    densities: Any = [(((tied[j][0], Fraction(1)),), law.masses().shifted(tied[j][1])) for j, law in enumerate(laws)]
    conditions = []
    for i, j, c in constraints:
        (first, up), (second, down) = tied[i], tied[j]
        terms = {} if first == second else {first: Fraction(1), second: Fraction(-1)}
        terms.pop(ORIGIN, None)
        conditions.append((form_of(terms), Fraction(c - up + down)))
    elimination = Elimination(IntegerAlgebra(()))
    try:
        found: Probability = elimination.integral(elimination.integrand(densities, conditions)).get(0, Fraction(0))
    except TiedError:
        raise InputError(
            "unbounded: these comparisons link three draws or more in a cycle, and their probability is not known "
            "in closed form; clamp one of the draws first"
        ) from None
    return found


def closure(laws: Mapping[int, Bounded], zone: Zone) -> dict[tuple[int, int], int] | None:
    """All constraints that these imply by adding them up, the least ones; None where they contradict each other."""
    lows = {(ORIGIN, node): -law.least for node, law in laws.items() if law.least is not None}
    highs = {(node, ORIGIN): law.greatest for node, law in laws.items() if law.greatest is not None}
    found: dict[tuple[int, int], int] = {}
    bounds = (*lows.items(), *highs.items(), *zone.items())
    return found if all(tighten(found, *pair, bound) for pair, bound in bounds) else None


def tighten(closed: dict[tuple[int, int], int], i: int, j: int, bound: int) -> bool:
    """Add x_i − x_j ≤ bound, and what follows, to all implied constraints; False where they contradict it."""
    if bound + closed.get((j, i), -bound) < 0:
        return False
    if bound < closed.get((i, j), bound + 1):
        into = [(i, bound), *((node, c + bound) for (node, end), c in closed.items() if end == i)]
        out = [(j, 0), *((node, c) for (start, node), c in closed.items() if start == j)]
        for first, c in into:
            for second, d in out:
                if first != second:
                    closed[first, second] = min(c + d, closed.get((first, second), c + d))
    return True
