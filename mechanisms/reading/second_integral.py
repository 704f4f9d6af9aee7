"""The probability of a region once more, by quadrature: to notice a fault of the elimination.

One draw after another is fixed at the nodes of Gauss and Legendre, the one first that leaves the smallest parts: what
is left falls apart, and a draw that is alone has its distribution function. Between the values at which something bends
the integrand is smooth. Nothing is shared with `elimination` and `pieces` but the conditions, as they were given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import erfc
from typing import Any

import flint
import numpy as np
from numpy.polynomial.legendre import leggauss  # here, as each copy of a process would load it

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.rows import LinearRow
from stirred.spec.numbers.ball import ball_of, precision
from stirred.spec.numbers.reals.real import Number

Row = tuple[Mapping[int, Any], Any]
"""Coefficients, and the bound or an array of bounds: Σ c·z ≤ bound."""


class DisagreementError(ArithmeticError):
    """Two ways to compute a probability differ."""


class TooManyNodesError(ArithmeticError):
    """The quadrature would take long."""


@dataclass(frozen=True)
class QuadratureRule:
    """How finely is integrated.

    Attributes:
        bits: of the numbers; None for doubles.
        nodes: of each panel.
        far: beyond which no draw is looked for.
        step: how long a panel is, over the sum of the rates.
        most: how many values the integrand may have.
        tolerance: within which two values of a region are the same where every bend is known.
    """

    bits: int | None = None
    nodes: int = 14
    far: int = 40
    step: int = 5
    most: int = 40_000
    tolerance: float = 1e-10

    def number(self, value: Number) -> Any:
        """As this rule computes with it."""
        if self.bits is not None:
            return ball_of(value) if isinstance(value, Fraction) else value.ball()
        return float(value) if isinstance(value, Fraction) else float(value.enclosure().lower)


DOUBLES = QuadratureRule()
FINE = QuadratureRule(bits=120, nodes=34, far=75, most=200_000, tolerance=1e-25)
ROUGH = QuadratureRule(nodes=5, far=18, step=8, most=200_000, tolerance=1e-4)
_BITS = 53
_FEWER = 2
"""Nodes that a rule has more than the one that its error is seen by, where not every bend is known."""


def check(
    laws: Mapping[int, BaseLaw],
    rows: Sequence[LinearRow],
    probability: Number,
    rules: Sequence[QuadratureRule] = (DOUBLES, ROUGH),
) -> bool:
    """Whether a probability was looked at by quadrature, by the first rule that is not too long.

    Raises:
        DisagreementError: it is another one.
    """
    for rule in rules:
        with suppress(TooManyNodesError), precision(rule.bits or _BITS):
            found, is_smooth = integral(laws, rows, rule)
            rougher = found if is_smooth else integral(laws, rows, replace(rule, nodes=rule.nodes - _FEWER))[0]
            exact = rule.number(probability)
            if not abs(found - exact) <= rule.tolerance + 20 * abs(found - rougher):
                raise DisagreementError(
                    f"the probability of a path is {float(exact):.12g}, and {float(found):.12g} by quadrature: please "
                    "report it"
                )
            return True
    return False


def integral(
    laws: Mapping[int, BaseLaw], rows: Sequence[LinearRow], rule: QuadratureRule = DOUBLES
) -> tuple[Any, bool]:
    """The probability that draws meet conditions, and whether all bends were known.

    Raises:
        TooManyNodesError: it would take long.
    """
    with precision(rule.bits or _BITS):
        dtype = float if rule.bits is None else object
        given = [
            ({draw: rule.number(c) for draw, c in row.form}, np.array([rule.number(row.bound)], dtype=dtype))
            for row in rows
        ]
        quadrature = _Quadrature(laws, rule)
        found = quadrature.mass(frozenset(laws), given, 1)
        return found[0], quadrature.is_smooth


class _Quadrature:
    def __init__(self, laws: Mapping[int, BaseLaw], rule: QuadratureRule) -> None:
        self._laws = laws
        self._rule = rule
        self._nodes, self._weights = _nodes(rule.nodes, rule.bits)
        self.is_smooth = True

    def mass(self, draws: frozenset[int], rows: Sequence[Row], size: int) -> Any:
        """The probability, for each of the bounds."""
        found: Any = 1
        for group, tied in _parts(draws, rows):
            found = found * (self._fixed(group, tied, size) if len(group) > 1 else self._alone(min(group), tied, size))
        return found

    def _alone(self, draw: int, rows: Sequence[Row], size: int) -> Any:
        low, high = self._ends(draw, rows, size)
        law = self._laws[draw]
        return np.where((low < high).astype(bool), _below(law, high) - _below(law, low), high * 0)

    def _ends(self, draw: int, rows: Sequence[Row], size: int) -> tuple[Any, Any]:
        """Between which values a draw lies, by conditions on it alone."""
        support = [None if end is None else self._rule.number(end) for end in self._laws[draw].support]
        far = self._rule.number(Fraction(self._rule.far))
        dtype = float if self._rule.bits is None else object
        low = np.full(size, -far if support[0] is None else support[0], dtype=dtype)
        high = np.full(size, far if support[1] is None else support[1], dtype=dtype)
        for terms, bound in rows:
            if terms.keys() == {draw}:
                end, is_upper = bound / terms[draw], terms[draw] > 0
                high, low = (np.minimum(high, end), low) if is_upper else (high, np.maximum(low, end))
        return low, np.maximum(low, high)

    def _fixed(self, group: frozenset[int], rows: Sequence[Row], size: int) -> Any:
        """The integral over a draw of what is left when it is fixed."""
        pivot = min(sorted(group), key=lambda one: (_largest(group - {one}, rows), one))
        self.is_smooth = self.is_smooth and _is_tree(group, rows)
        low, high = self._ends(pivot, rows, size)
        z, weights = self._panels(low, high, self._bends(pivot, rows, frozenset()), _rate(pivot, rows))
        count = z.shape[1]
        left = []
        for terms, bound in rows:
            others = {one: c for one, c in terms.items() if one != pivot}
            if others:
                shifted = np.broadcast_to(bound, (size,))[:, None] - terms.get(pivot, 0) * z
                left.append((others, shifted.reshape(-1)))
        inner = self.mass(group - {pivot}, left, size * count)
        return (weights * _density(self._laws[pivot], z) * np.reshape(inner, z.shape)).sum(axis=1)

    def _panels(self, low: Any, high: Any, bends: Sequence[Any], rate: float) -> tuple[Any, Any]:
        """Nodes between two ends and their weights: panels end where the integrand bends."""
        pieces = max(2, int(2 * self._rule.far * rate / self._rule.step) + 1)
        if low.size * (pieces + len(bends)) * len(self._nodes) > self._rule.most:
            raise TooManyNodesError
        steps = low[:, None] + (high - low)[:, None] * _shares(pieces, self._rule)
        inside = [np.broadcast_to(np.minimum(np.maximum(bend, low), high), low.shape)[:, None] for bend in bends]
        cuts = np.sort(np.concatenate([steps, *inside], axis=1), axis=1)
        middle, half = (cuts[:, 1:] + cuts[:, :-1]) / 2, (cuts[:, 1:] - cuts[:, :-1]) / 2
        z = middle[:, :, None] + half[:, :, None] * self._nodes
        weights = half[:, :, None] * self._weights
        return z.reshape(len(low), -1), weights.reshape(len(low), -1)

    def _bends(self, draw: int, rows: Sequence[Row], seen: frozenset[int]) -> list[Any]:
        """Where a function of a draw may bend, that is left when those not seen are integrated out."""
        known = [one for one in rows if draw in one[0] and seen.isdisjoint(one[0])]
        ends = (0, 1) if self._laws[draw] is BaseLaw.UNIFORM else (0,)
        found = [self._rule.number(Fraction(end)) for end in ends]
        for terms, bound in known:
            others = [one for one in terms if one != draw]
            left = [one for one in rows if one[0].keys() != terms.keys()]
            places = [self._bends(one, left, seen | {draw} | {*others} - {one}) for one in others]
            for values in product(*places):
                rest = sum((terms[one] * value for one, value in zip(others, values, strict=True)), 0 * bound)
                found.append((bound - rest) / terms[draw])
        for (terms, bound), (other, limit) in combinations(known, 2):
            if len(terms) == 2 and terms.keys() == other.keys():
                ((one, c), (d, e)) = (
                    next((one, c) for one, c in terms.items() if one != draw),
                    (terms[draw], other[draw]),
                )
                slope = d - e * c / other[one]
                if slope != 0:
                    found.append((bound - limit * c / other[one]) / slope)
        return found


def _parts(draws: frozenset[int], rows: Sequence[Row]) -> Iterator[tuple[frozenset[int], list[Row]]]:
    """Draws that conditions tie, and the conditions."""
    left = set(draws)
    while left:
        group, tied = {min(left)}, list[Row]()
        while near := [one for one in rows if not group.isdisjoint(one[0]) and not any(one is two for two in tied)]:
            tied += near
            group.update(*(one[0] for one in near))
        left -= group
        yield frozenset(group), tied


def _largest(draws: frozenset[int], rows: Sequence[Row]) -> int:
    """How many draws the largest part has that is left of conditions on these."""
    inner = [({one: c for one, c in terms.items() if one in draws}, bound) for terms, bound in rows]
    return max(len(group) for group, _ in _parts(draws, [one for one in inner if one[0]]))


def _is_tree(draws: frozenset[int], rows: Sequence[Row]) -> bool:
    edges = dict.fromkeys([tuple(sorted(terms)) for terms, _ in rows])
    return sum(len(edge) - 1 for edge in edges) == len(draws) - 1


def _rate(pivot: int, rows: Sequence[Row]) -> float:
    """How steep the logarithm of the integrand may be, about."""
    steepest = 1.0
    for terms, _ in rows:
        if pivot in terms:
            steepest += max((abs(float(terms[pivot] / c)) for one, c in terms.items() if one != pivot), default=0)
    return steepest


def _below(law: BaseLaw, z: Any) -> Any:
    """The distribution function."""
    match law:
        case BaseLaw.UNIFORM:
            return z
        case BaseLaw.EXPONENTIAL:
            return 1 - np.exp(-z)
        case BaseLaw.LAPLACE:
            tail = np.exp(-abs(z)) / 2
            return np.where((z < 0).astype(bool), tail, 1 - tail)
        case BaseLaw.LOGISTIC:
            return 1 / (1 + np.exp(-z))
        case BaseLaw.GUMBEL:
            return np.exp(-np.exp(-z))
    return _NORMAL_BELOW(z).astype(z.dtype)


def _density(law: BaseLaw, z: Any) -> Any:
    match law:
        case BaseLaw.UNIFORM:
            return 1 + 0 * z
        case BaseLaw.EXPONENTIAL:
            return np.exp(-z)
        case BaseLaw.LAPLACE:
            return np.exp(-abs(z)) / 2
        case BaseLaw.LOGISTIC:
            return np.exp(-abs(z)) / (1 + np.exp(-abs(z))) ** 2
        case BaseLaw.GUMBEL:
            return np.exp(-z - np.exp(-z))
    return np.exp(-z * z / 2) / ((2 * np.pi) ** 0.5 if z.dtype == float else (2 * flint.arb.pi()).sqrt())


def _normal_below(z: Any) -> Any:
    return (-z / flint.arb(2).sqrt()).erfc() / 2 if isinstance(z, flint.arb) else erfc(-z / 2**0.5) / 2


_NORMAL_BELOW = np.frompyfunc(_normal_below, 1, 1)


@lru_cache(maxsize=64)
def _shares(pieces: int, rule: QuadratureRule) -> Any:
    """0, 1/pieces, …, 1."""
    return np.array([rule.number(Fraction(i, pieces)) for i in range(pieces + 1)])


@lru_cache(maxsize=8)
def _nodes(count: int, bits: int | None) -> tuple[Any, Any]:
    """Those of Gauss and Legendre on [−1, 1], and their weights."""
    if bits is None:
        return leggauss(count)
    pairs = [flint.arb.legendre_p_root(count, k, True) for k in range(count)]
    return tuple(np.array(one, dtype=object) for one in zip(*pairs, strict=True))  # type: ignore[return-value]
