"""What the cell key method gives away: exact privacy curves of one count, and of two cells with their total.

The rows of a p-table are finitely many, so that the curve of one count is one for every count. The key of a total is
the sum of its cells' keys modulo K: what is released of it is tied to what is released of them, by the order in which
keys have changes.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from stirred.spec.arguments import Exact
from stirred.spec.budgets.privacy_curve import PrivacyCurve
from stirred.spec.laws.law import Law
from stirred.spec.laws.p_table import PTable, PTableRow
from stirred.spec.numbers.enclosure import Enclosure, exponential
from stirred.spec.output_premetrics import tradeoff_curve
from stirred.verify.engines.smallest_delta import delta_text

_EPSILONS = (0, 1, 2)
"""The ε at which curves are shown."""

_LONGEST = 10**6
_LISTED = 1_024
"""Up to so many keys, all pairs of them are listed."""


@dataclass(frozen=True)
class CountCurve:
    """The smallest δ at every ε for one count, where one record is added or removed.

    Attributes:
        curve: the largest of all pairs of counts n, n + 1.
        curves: by n, each with the first n that has it; every larger n has one of these.
    """

    curve: PrivacyCurve
    curves: dict[int, PrivacyCurve]

    def worst(self, gamma: Exact) -> int:
        """The first n whose counts n, n + 1 need the most at γ = e^ε."""
        return max(self.curves, key=lambda n: (self.curves[n].delta(gamma), -n))

    def worst_at(self, epsilon: int) -> int:
        """The same at ε; of pairs whose enclosures overlap, one that is shown to need at least as much at its ends."""
        found = {n: curve.delta_at(epsilon) for n, curve in self.curves.items()}
        return max(found, key=lambda n: (found[n].lower, found[n].upper, -n))

    @property
    def last(self) -> tuple[Fraction, Fraction]:
        """(γ, δ) from which on δ is constant."""
        piece = self.curve.pieces()[-1]
        return piece.low, piece.power


def count_curve(table: PTable, *, least: int = 0) -> CountCurve:
    """The curve of one count of at least `least`, noised by its row.

    >>> from stirred.spec.laws.p_table import p_table
    >>> thirds = Law(dict.fromkeys((-1, 0, 1), Fraction(1, 3)))
    >>> print(count_curve(p_table([Law({0: Fraction(1)}), thirds])).curve.pieces()[0].text())
    delta = 2/3 for e^epsilon >= 1
    """
    found: dict[tuple[tuple[int, int], ...], int] = {}
    for count in range(least, max(table.first, least) + table.reused):
        found.setdefault(tuple(_vertices(table.row(count).numbers, table.row(count + 1).numbers)), count)
    curves = {
        count: PrivacyCurve.of((Fraction(level, table.keys), Fraction(power, table.keys)) for level, power in vertices)
        for vertices, count in found.items()
    }
    whole = PrivacyCurve.of(vertex for curve in curves.values() for vertex in curve.vertices)
    return CountCurve(whole, curves)


def _vertices(row: Mapping[int, int], more: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """The vertices of the trade-off functions of two neighbouring counts, both ways, in numbers of keys."""
    both = [(row.get(change, 0), more.get(change - 1, 0)) for change in {*row, *(change + 1 for change in more)}]
    for masses in (both, [(q, p) for p, q in both]):
        level = power = 0
        for p, q in sorted(masses, key=lambda one: (not one[1], Fraction(one[0], one[1] or 1)), reverse=True):
            level, power = level + q, power + p
            yield level, power


def curve_text(counts: CountCurve) -> str:
    """The smallest δ at some ε and beyond the last likelihood ratio, with the counts that need it."""
    gamma, end = counts.last
    below = [one for one in _EPSILONS if exponential(one).upper < gamma]
    pairs = [f"counts {low} and {low + 1}" for low in (*map(counts.worst_at, below), counts.worst(gamma + 1))]
    if gamma == 1:
        return f"delta {shown_delta(end)} at every epsilon, from {pairs[-1]}"
    shown = [
        *(f"{shown_delta(counts.curve.delta_at(one))} at epsilon = {one}" for one in below),
        f"{shown_delta(end)} from e^epsilon {Enclosure(gamma, gamma).relation()} on",
    ]
    if len({*pairs}) == 1:
        return f"delta {', '.join(shown)}, from {pairs[0]}"
    return f"delta {', '.join(f'{one} ({pair})' for one, pair in zip(shown, pairs, strict=True))}"


def shown_delta(delta: Fraction | Enclosure) -> str:
    """A δ with the sign that is true of it, as a fraction where that is short."""
    if isinstance(delta, Fraction) and delta.denominator <= _LONGEST:
        return f"= {delta_text(delta)}"
    return (Enclosure(delta, delta) if isinstance(delta, Fraction) else delta).relation()


def ends_text(curve: PrivacyCurve) -> str:
    """The smallest δ at ε = 1, and the one that no ε has less than."""
    low, least = (shown_delta(delta) for delta in (curve.delta_at(1), curve.vertices[0][1]))
    return f"{low} at epsilon = 1 and {least} however large epsilon is"


def pair_curve(p: Law[Any], q: Law[Any]) -> PrivacyCurve:
    """The curve of two laws, in both directions."""
    return PrivacyCurve.of((*tradeoff_curve(p, q), *tradeoff_curve(q, p)))


def moved_record_curve(table: PTable, counts: tuple[int, int], *, with_total: bool = True) -> PrivacyCurve:
    """The curve of two cells, with their total or alone, where one record moves from the first to the second.

    The keys of the two cells are independent; other cells and tables are not released.
    """
    (one, other), law = counts, cells_law if with_total else _product_law
    return pair_curve(law(table, (one, other)), law(table, (one - 1, other + 1)))


def _product_law(table: PTable, counts: tuple[int, int]) -> Law[tuple[int, ...]]:
    first, second = map(table.law, counts)
    return Law({(t, u): p * q for t, p in first.items() for u, q in second.items()})


def cells_law(table: PTable, counts: tuple[int, int]) -> Law[tuple[int, ...]]:
    """The law of what is released of two cells and their total: of the K² pairs of keys, those with each outcome."""
    rows = tuple(map(table.row, (*counts, sum(counts))))
    pairs = _listed_pairs(rows, table.keys) if table.keys <= _LISTED else _counted_pairs(rows, table.keys)
    mass: dict[tuple[int, ...], int] = {}
    for changes, number in pairs:
        mass[changes] = mass.get(changes, 0) + number
    one, other = counts
    total = table.keys**2
    return Law({(one + a, other + b, one + other + c): Fraction(n, total) for (a, b, c), n in mass.items()})


Rows = tuple[PTableRow, ...]
Outcomes = Iterator[tuple[tuple[int, ...], int]]


def _listed_pairs(rows: Rows, keys: int) -> Outcomes:
    """The changes of both cells and of the total, with the number of pairs of keys, by listing all pairs."""
    import numpy as np  # noqa: PLC0415 slow to load, and most tables are counted

    tables = [np.repeat(row.changes, np.diff((0, *row.ends))) for row in rows]
    low = min(int(changes.min()) for changes in tables)
    size = 1 + max(int(changes.max()) for changes in tables) - low
    one, other, total = (changes - low for changes in tables)
    key = np.arange(keys)
    codes = (one[:, None] * size + other) * size + total[(key[:, None] + key) % keys]
    numbers = np.bincount(codes.ravel(), minlength=size**3)
    for code in np.flatnonzero(numbers).tolist():
        changes = (code // size**2 + low, code // size % size + low, code % size + low)
        yield changes, int(numbers[code])


def _counted_pairs(rows: Rows, keys: int) -> Outcomes:
    """The same for any number of keys: lattice points below the lines k + m = t of a rectangle of keys."""
    total = rows[2]
    ends, changes = (*total.ends, *(keys + end for end in total.ends)), total.changes * 2
    runs = [list(zip(pairwise((0, *row.ends)), row.changes, strict=True)) for row in rows[:2]]
    for ((a, b), one), ((c, d), other) in product(*runs):

        def below(t: int, corners: tuple[int, ...] = (a + c, b + c, a + d, b + d)) -> int:
            first, second, third, fourth = (max(t - corner, 0) for corner in corners)
            return (first * (first + 1) - second * (second + 1) - third * (third + 1) + fourth * (fourth + 1)) // 2

        place, known = bisect_right(ends, a + c), 0
        while known < (b - a) * (d - c):
            found = below(ends[place])
            yield (one, other, changes[place]), found - known
            place, known = place + 1, found
