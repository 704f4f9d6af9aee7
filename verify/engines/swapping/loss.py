"""The exact loss of the PSA on one universe: the smallest budget, with the tables that need it.

The numbers d(k) of derangements have few common divisors, so that an exact likelihood of n records needs about n²·ln n
digits. With two columns it is Σ_α ways(α)·W(α), where α positions keep column 1
(`mechanisms.swapping.permutation_counts`); each W(α) is enclosed once to `_BITS` bits, and a likelihood is then a short
sum between whole numbers that are near.

Source: article, Appendix E (the likelihood); the enclosure is of this project.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import factorial, lcm, prod
from operator import mul

from stirred.mechanisms.swapping.permutation_counts import (
    assignment_counts,
    column_assignments,
    move_weights,
    moved_counts,
)
from stirred.spec.arguments import Exact, InputError, probability
from stirred.spec.blocks.tables import Table, TooManyTablesError, column_margins, contingency_tables, count_tables
from stirred.spec.budgets.loss import ZERO, Loss
from stirred.verify.engines.likelihood import check_ratio
from stirred.verify.engines.swapping.circuits import circuit_steps

_BITS = 256
"""How many leading bits of the smallest number are kept."""


class MassBounds:
    """The likelihoods P_x(z) for weights w_k, all in one unit: exact, and between near whole numbers.

    >>> from stirred.mechanisms.swapping.permutation_counts import move_weights
    >>> masses = MassBounds(move_weights(2, Fraction(1, 4)))
    >>> x, z = ((1, 0), (0, 1)), ((0, 1), (1, 0))
    >>> Fraction(masses.exact(x, z), masses.exact(x, x))
    Fraction(1, 9)
    >>> low, high = masses.within(x, z)
    >>> low <= high <= low + low // 2**200
    True
    """

    def __init__(self, weights: Sequence[Fraction]) -> None:
        self._weights = tuple(weights)
        scale = lcm(*(weight.denominator for weight in self._weights))
        self._integers = tuple(int(weight * scale) for weight in self._weights)
        self._of_columns: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}

    def exact(self, x: Table, z: Table) -> int:
        """P_x(z) in a unit that is the same for all x and z."""
        return sum(n * w for n, w in zip(moved_counts(x, z), self._integers, strict=True) if n)

    def within(self, x: Table, z: Table) -> tuple[int, int]:
        """P_x(z) from below and above, in another unit; both are 0 where it is 0, and equal where it is counted."""
        if len(x[0]) != 2:
            if len(x) != 2:
                mass = self.exact(x, z)
                return mass, mass
            x, z = tuple(zip(*x, strict=True)), tuple(zip(*z, strict=True))
        low, high = self._enclosed(column_margins(x))
        ways = column_assignments(x, z)
        return sum(map(mul, ways, low)), sum(map(mul, ways, high))

    def _enclosed(self, columns: tuple[int, ...]) -> tuple[list[int], list[int]]:
        """W(α) from below and from above for all α."""
        if columns not in self._of_columns:
            first, second = columns
            places = range(max(0, first - second), first + 1)
            least = min(weight for weight in self._weights if weight)
            shift = _BITS + (least.denominator // least.numerator).bit_length()
            floors = [(weight.numerator << shift) // weight.denominator for weight in self._weights]
            above = [floor + (weight != 0) for floor, weight in zip(floors, self._weights, strict=True)]
            counts = [assignment_counts(first, second, kept) for kept in places]
            sides = [[sum(n * w for n, w in zip(one, side, strict=True)) for one in counts] for side in (floors, above)]
            spare = min(one.bit_length() for one in sides[0] if one) - _BITS  # above 0: each has a weight in it
            unused = [0] * places.start
            low = unused + [one >> spare for one in sides[0]]
            high = unused + [-(-one >> spare) for one in sides[1]]
            self._of_columns[columns] = low, high
        return self._of_columns[columns]


MAX_TABLES = 3_000
"""The largest universe that is compared table by table."""

_MAX_MINUTES = 10
_MAX_RELABELLINGS = 1_000

Triple = tuple[Table, Table, Table]


@dataclass(frozen=True, eq=False)
class WitnessedLoss(Loss):
    """A loss with the tables that attain it.

    Attributes:
        witness: (x, x', z) with P_x(z)/P_x'(z) = e^(ε·d(x, x')), or P_x(z) > 0 = P_x'(z) for an infinite loss; None
            for the loss 0.
    """

    witness: Triple | None = field(default=None, kw_only=True)

    __hash__ = Loss.__hash__


def universe_loss(rows: Sequence[int], columns: Sequence[int], swap_rate: Exact) -> WitnessedLoss:
    """ε_D^(inf): the smallest budget under which the PSA satisfies its flavor on the universe with these margins.

    The maximum over all x, x', z of ln(P_x(z)/P_x'(z))/d_HamS(x, x'), by exact counting over the pairs that one
    circuit separates (`verify.engines.swapping.circuits`; they attain the maximum) and over one z of each class under
    relabelling of categories with equal margins. The universe is one stratum; the loss of several strata is the
    largest of theirs, since strata are independent and their distances add.

    The loss with `.witness` = (x, x', z), a triple that attains it with the lexicographically first z and, for this z,
    the smallest distance.

    Source: article, Theorem 4 (ε_D^(inf)).

    >>> universe_loss((1, 1), (1, 1), Fraction(3, 4)) == Loss(3)
    True
    """
    p = probability("swap_rate", swap_rate)
    size = _counted(rows, columns)
    if size == 1:
        return WitnessedLoss(Fraction(1))
    _refuse_long(rows, columns, size)
    tables = contingency_tables(rows, columns)
    bounds = MassBounds(move_weights(sum(rows), p))
    steps = circuit_steps(tables)
    worst: tuple[Loss, Triple | None] = (ZERO, None)
    for z in representatives(tables, rows, columns):
        worst = _worst_at(z, tables, bounds, steps, worst)
    loss, triple = worst
    if triple is None:
        return WitnessedLoss(Fraction(1))
    return WitnessedLoss(loss.gamma, loss.distance, witness=triple)


def _counted(rows: Sequence[int], columns: Sequence[int]) -> int:
    """How many tables the universe has."""
    size = count_tables(rows, columns)
    if sum(rows) == 0:
        raise InputError("a stratum must have at least one record; got margins of total 0")
    if size > MAX_TABLES:
        raise TooManyTablesError(
            f"the universe must have at most {MAX_TABLES} tables for its exact loss; it has {size}: "
            "stirred.verify.engines.swapping.bounds.certified_budget is an upper bound",
            size,
        )
    return size


def _refuse_long(rows: Sequence[int], columns: Sequence[int], size: int) -> None:
    """Refuse a universe whose likelihoods would take too long."""
    minutes = _rough_minutes(rows, columns, size)
    if minutes > _MAX_MINUTES:
        raise TooManyTablesError(
            f"the universe must take at most about {_MAX_MINUTES} minutes for its exact loss; {size} tables of "
            f"{sum(rows)} records would take about {minutes}: "
            "stirred.verify.engines.swapping.bounds.certified_budget is an upper bound",
            size,
        )


def _rough_minutes(rows: Sequence[int], columns: Sequence[int], size: int) -> int:
    """A rough measure of the likelihoods' cost, from nanoseconds for each, without regard to symmetry."""
    states = min(prod(margin + 1 for margin in margins) for margins in (rows, columns))
    each = 5 * sum(rows) ** 2 + 20 * size if min(len(rows), len(columns)) == 2 else 10_000 * states
    return size * size * each // 60_000_000_000


def _worst_at(
    z: Table,
    tables: tuple[Table, ...],
    bounds: MassBounds,
    steps: tuple[tuple[int, int, int], ...],
    worst: tuple[Loss, Triple | None],
) -> tuple[Loss, Triple | None]:
    """The worst of what is known and of all ratios at the output z."""
    near = [bounds.within(x, z) for x in tables]
    exact = cache(lambda i: bounds.exact(tables[i], z))
    for distance, pairs in sorted(_largest(near, steps).items()):
        if not any(_is_above(near[i][1], near[j][0], distance, worst[0]) for i, j in pairs):
            continue
        first, *others = pairs
        for pair in others if near[first[1]][1] else ():
            if exact(pair[0]) * exact(first[1]) > exact(first[0]) * exact(pair[1]):
                first = pair
        i, j = first
        high, low = exact(i), exact(j)
        if _is_above(high, low, distance, worst[0]):  # and so above 1
            gamma = Fraction(high, low) if low else None
            check_ratio(Fraction(high), Fraction(low), Loss(gamma), "universe loss")
            worst = Loss(gamma, distance), (tables[i], tables[j], z)
    return worst


def _largest(
    near: Sequence[tuple[int, int]], steps: tuple[tuple[int, int, int], ...]
) -> Mapping[int, list[tuple[int, int]]]:
    """For each distance the pairs whose ratio may be above 1 and the largest: those that no other is surely above."""
    above = [step for step in steps if near[step[0]][1] > near[step[1]][0]]
    best: dict[int, tuple[int, int]] = {}
    for i, j, distance in above:
        a, b = best.setdefault(distance, (i, j))
        if near[i][0] * near[b][1] > near[a][0] * near[j][1]:
            best[distance] = i, j
    pairs: dict[int, list[tuple[int, int]]] = {}
    for i, j, distance in above:
        a, b = best[distance]
        if near[i][1] * near[b][1] >= near[a][0] * near[j][0]:
            pairs.setdefault(distance, []).append((i, j))
    return pairs


def _is_above(high: int, low: int, distance: int, loss: Loss) -> bool:
    """Whether ln(high/low)/distance is above a loss: in whole numbers, whose common divisors would take longer."""
    if loss.gamma is None:
        return False
    spread = Fraction(distance, loss.distance)
    over, under = loss.gamma.as_integer_ratio()
    is_above: bool = (
        high**spread.denominator * under**spread.numerator > low**spread.denominator * over**spread.numerator
    )
    return is_above


def _relabellings(margins: Sequence[int]) -> list[tuple[int, ...]]:
    """The permutations that keep the margins; the identity alone where there are too many to be of use."""
    orders = prod(factorial(margins.count(margin)) for margin in set(margins))
    if orders > _MAX_RELABELLINGS:
        return [tuple(range(len(margins)))]
    groups = [[i for i, other in enumerate(margins) if other == margin] for margin in sorted(set(margins))]
    found = []
    for images in product(*map(permutations, groups)):
        moved = {i: j for group, image in zip(groups, images, strict=True) for i, j in zip(group, image, strict=True)}
        found.append(tuple(moved[i] for i in range(len(margins))))
    return found


def representatives(tables: tuple[Table, ...], rows: Sequence[int], columns: Sequence[int]) -> tuple[Table, ...]:
    """One output table of each class under relabelling of categories with equal margins (the loss does not change)."""
    row_moves, column_moves = _relabellings(rows), _relabellings(columns)
    seen: set[Table] = set()
    kept: list[Table] = []
    for table in tables:
        if table in seen:
            continue
        kept.append(table)
        seen.update(
            tuple(tuple(table[i][j] for j in across) for i in down) for down in row_moves for across in column_moves
        )
    return tuple(kept)
