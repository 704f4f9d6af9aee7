"""P-tables: what the cell key method adds to a count, by the count and the key of its cell."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, groupby, pairwise
from math import lcm

from stirred.spec.arguments import InputError, integer, positive_integer, shown
from stirred.spec.laws.law import Law


@dataclass(frozen=True)
class PTableRow:
    """What is added to one count: change c_j for the keys from end e_{j−1} (0 for the first) to e_j − 1.

    The key of a cell is uniform, so a change has the share of its keys as its probability.

    Attributes:
        ends: e_1 < e_2 < …; the last is the number of keys.
        changes: c_1, c_2, …; neighbours differ.

    >>> PTableRow.of([(1, -1), (2, 0), (1, 1)]).law
    Law({-1: Fraction(1, 4), 0: Fraction(1, 2), 1: Fraction(1, 4)})
    """

    ends: tuple[int, ...]
    changes: tuple[int, ...]

    @staticmethod
    def of(widths: Iterable[tuple[int, int]]) -> PTableRow:
        """The row of pairs (number of keys, change), in the order of the keys."""
        runs = [
            (sum(width for width, _ in run), change)
            for change, run in groupby((one for one in widths if one[0]), lambda one: one[1])
        ]
        return PTableRow(tuple(accumulate(width for width, _ in runs)), tuple(change for _, change in runs))

    def change(self, key: int) -> int:
        """What is added where the cell has this key."""
        return self.changes[bisect_right(self.ends, key)]

    @cached_property
    def numbers(self) -> dict[int, int]:
        """For each change its number of keys, by rising changes."""
        found: dict[int, int] = {}
        for (low, high), change in zip(pairwise((0, *self.ends)), self.changes, strict=True):
            found[change] = found.get(change, 0) + high - low
        return dict(sorted(found.items()))

    @cached_property
    def law(self) -> Law[int]:
        """The law of what is added."""
        return Law({change: Fraction(keys, self.ends[-1]) for change, keys in self.numbers.items()})

    @property
    def bias(self) -> Fraction:
        """The mean of what is added."""
        return sum((change * self.law.numeric(change) for change in self.law), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """The variance of what is added."""
        return sum((change**2 * self.law.numeric(change) for change in self.law), Fraction(0)) - self.bias**2


@dataclass(frozen=True)
class PTable:
    """A row for every count: those of a table, of which the last are used again for larger counts.

    Args:
        rows: for the counts 0, 1, …
        keys: K; the key of a record, and of a cell, is one of 0, …, K − 1.
        reused: how many of the last rows are used for larger counts, in turn.
        phase: a count that is used for the first of these: any other is as many rows after it, modulo `reused`.
        name: what it is called.

    Raises:
        InputError: where a row has not K keys, or makes a count negative.
    """

    rows: tuple[PTableRow, ...]
    keys: int
    reused: int = 1
    phase: int = 0
    name: str = field(default="p-table", compare=False)

    def __post_init__(self) -> None:
        positive_integer("keys", self.keys)
        if not 1 <= self.reused <= len(self.rows):
            raise InputError(f"reused must be 1 to the number of rows, {len(self.rows)}; got {shown(self.reused)}")
        for count, row in enumerate(self.rows):
            if not row.ends or row.ends[-1] != self.keys:
                raise InputError(f"the row of count {count} must have {self.keys} keys; got {row.ends[-1:] or 0}")
        for count in range(self.first + self.reused):  # the smallest that each row is used for are among these
            if count + min(self.row(count).changes) < 0:
                least = min(self.row(count).changes)
                raise InputError(f"the row of count {count} must not change it by less than -{count}; got {least}")

    @property
    def first(self) -> int:
        """The first count for which a row is used that others are used for."""
        return len(self.rows) - self.reused

    def row(self, count: int) -> PTableRow:
        """The row of a count of at least 0."""
        if integer("count", count, minimum=0) < self.first:
            return self.rows[count]
        return self.rows[self.first + (count - self.phase) % self.reused]

    def law(self, count: int) -> Law[int]:
        """The law of what is released of a count."""
        return self.row(count).law.push(lambda change: count + change)

    @property
    def zeros_stay(self) -> bool:
        """Whether 0 is released for 0 only by chance of other counts: an empty cell is never changed."""
        return self.rows[0].changes == (0,)

    def reordered(self, orders: Sequence[Sequence[int]]) -> PTable:
        """The same laws with other keys: the key k of the row of count n has what orders[n][k] had."""
        rows = (
            PTableRow.of((1, row.change(key)) for key in order) for row, order in zip(self.rows, orders, strict=True)
        )
        return replace(self, rows=tuple(rows))

    def __str__(self) -> str:
        return f"{self.name} ({self.keys} keys)"


def p_table(laws: Sequence[Law[int]], *, name: str = "p-table") -> PTable:
    """The table of some rows' laws with as few keys as it needs, each in the order of its changes; the last is reused.

    >>> print(p_table([Law({0: Fraction(1)}), Law({-1: Fraction(1, 4), 0: Fraction(1, 2), 1: Fraction(1, 4)})]))
    p-table (4 keys)
    """
    keys = lcm(*(mass.denominator for law in laws for mass in map(law.numeric, law)))
    rows = (PTableRow.of((int(keys * law.numeric(change)), change) for change in sorted(law)) for law in laws)
    return PTable(tuple(rows), keys, name=name)
