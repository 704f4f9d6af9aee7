"""Rows that are two nested families of sums, as a network: every sum is an arc, and its parts flow through it.

Two sets of variables nest where one holds the other or they have nothing in common. Where the rows of a problem are
sums over sets that fall into two families, sets of one family nesting, the problem is one of flows: the first family is
a tree from the root down, the second one a tree up to it, and each variable is an arc from the smallest set of the
first family that it is in to that of the second one. Variables of which only one value is possible are constants.
"""

from dataclasses import dataclass, field

import numpy as np

from stirred.mechanisms.fast.unit_pieces import OPEN, Integers, Squares

ROOT = 0
"""The node of no set."""


@dataclass(frozen=True)
class SumRow:
    """A row whose value is sign·(sum of the set) + constant, less the column of a form where it is that of one.

    Attributes:
        sign: 1 or −1.
        constant: what the fixed variables add.
        form: the column that has this value; None for a constraint.
    """

    row: int
    sign: int
    constant: int
    form: int | None


@dataclass(frozen=True)
class Network:
    """Arcs that circulate: of each variable, then of each set.

    Attributes:
        tail, head: of each arc.
        low, high: the smallest and largest flow; ±2^62 where there is none.
        weight, pull: the cost of a flow x is W·x² − 2B·x.
        size: the number of variables.
        rows: by set, the rows that are its sum.
        constant: the rows in which no variable is open.
    """

    nodes: int
    tail: Integers
    head: Integers
    low: Integers
    high: Integers
    weight: Integers
    pull: Integers
    size: int
    rows: tuple[tuple[SumRow, ...], ...]
    constant: tuple[SumRow, ...]


@dataclass
class _Family:
    """Sets that nest, the larger ones first."""

    smallest: Integers
    """By variable, the number of the smallest set that it is in; −1 for none."""

    parents: dict[int, int] = field(default_factory=dict)

    def around(self, variables: Integers) -> int | None:
        """The smallest set that holds all of these variables; None where one holds a part of them."""
        found = int(self.smallest[variables[0]])
        return found if np.all(self.smallest[variables] == found) else None

    def add(self, number: int, variables: Integers, around: int) -> None:
        """A set within that one."""
        self.parents[number] = around
        self.smallest[variables] = number


def network_of(squares: Squares) -> Network | None:
    """The network of a problem; None where its rows are no two nested families of sums, or plainly cannot be met."""
    rows, constant = [], []
    size, is_fixed = squares.size, squares.low == squares.high
    columns = np.repeat(np.arange(len(squares.weight)), np.diff(squares.starts))
    order = np.argsort(squares.rows, kind="stable")
    ends = np.searchsorted(squares.rows[order], np.arange(len(squares.lower) + 1))
    columns, entries = columns[order], squares.entries[order]
    for row in range(len(squares.lower)):
        own, factors = columns[ends[row] : ends[row + 1]], entries[ends[row] : ends[row + 1]]
        form = int(own[-1]) if len(own) and own[-1] >= size else None
        if form is not None:
            own, factors = own[:-1], factors[:-1]
        fixed = is_fixed[own]
        added = int(squares.low[own[fixed]] @ factors[fixed]) if fixed.any() else 0
        own, factors = own[~fixed], factors[~fixed]
        if not len(own):
            if form is None and not squares.lower[row] <= added <= squares.upper[row]:
                return None
            constant.append(SumRow(row, 1, added, form))
            continue
        sign = int(factors[0])
        if abs(sign) != 1 or np.any(factors != sign):
            return None
        rows.append((own, SumRow(row, sign, added, form)))
    return _of_sets(squares, rows, tuple(constant))


def _of_sets(squares: Squares, rows: list[tuple[Integers, SumRow]], constant: tuple[SumRow, ...]) -> Network | None:
    families = [_Family(np.full(squares.size, -1)) for _ in range(2)]
    sizes: list[int] = []
    places: list[tuple[int, int]] = []  # family and parent of each set
    members: list[list[SumRow]] = []
    for own, one in sorted(rows, key=lambda row: -len(row[0])):
        around = [family.around(own) for family in families]
        equal = next((found for found in around if found is not None and found >= 0 and sizes[found] == len(own)), None)
        if equal is not None:
            members[equal].append(one)
            continue
        chosen = _preferred(around)
        if chosen is None:
            return None
        number, outer = len(sizes), around[chosen]
        families[chosen].add(number, own, -1 if outer is None else outer)
        sizes.append(len(own))
        places.append((chosen, -1 if outer is None else outer))
        members.append([one])
    return _arcs(squares, families, places, tuple(map(tuple, members)), constant)


def _preferred(around: list[int | None]) -> int | None:
    """The family that a set goes to: one in which it is within another set, rather than beside all."""
    possible = [place for place, outer in enumerate(around) if outer is not None]
    return next((place for place in possible if around[place] != -1), possible[0] if possible else None)


def _arcs(
    squares: Squares,
    families: list[_Family],
    places: list[tuple[int, int]],
    members: tuple[tuple[SumRow, ...], ...],
    constant: tuple[SumRow, ...],
) -> Network | None:
    size, sets = squares.size, len(places)
    low, high = np.full(size + sets, -OPEN), np.full(size + sets, OPEN)
    weight, pull = np.zeros(size + sets, dtype=np.int64), np.zeros(size + sets, dtype=np.int64)
    low[:size], high[:size] = squares.low[:size], squares.high[:size]
    weight[:size], pull[:size] = squares.weight[:size], squares.pull[:size]
    tail, head = np.zeros(size + sets, dtype=np.int64), np.zeros(size + sets, dtype=np.int64)
    tail[:size], head[:size] = families[0].smallest + 1, families[1].smallest + 1
    is_fixed = low[:size] == high[:size]
    tail[:size][is_fixed] = head[:size][is_fixed] = ROOT  # their part of each sum is a constant there
    for number, (family, outer) in enumerate(places):
        arc = size + number
        tail[arc], head[arc] = (outer + 1, number + 1) if family == 0 else (number + 1, outer + 1)
        for one in members[number]:
            if one.form is not None:
                weight[arc] += squares.weight[one.form]
                pull[arc] += one.sign * (squares.pull[one.form] - squares.weight[one.form] * one.constant)
                continue
            lower, upper = int(squares.lower[one.row]), int(squares.upper[one.row])
            least = None if lower == -OPEN else lower - one.constant
            most = None if upper == OPEN else upper - one.constant
            if one.sign < 0:
                least, most = (None if most is None else -most), (None if least is None else -least)
            low[arc] = low[arc] if least is None else max(low[arc], least)
            high[arc] = high[arc] if most is None else min(high[arc], most)
    if np.any(low > high):
        return None
    return Network(sets + 1, tail, head, low, high, weight, pull, size, members, constant)
