"""The inputs of the TopDown Algorithm beside the data: cells, queries, budgets, invariants and edit constraints.

Every choice that article, Algorithm 2 leaves open is an attribute here, with one default:

- weights of the squares in the loss: `weights`, 1/σ² of each query by default;
- which of several nearest data sets is taken: `tie`, the lexicographically smallest by default, in the order of the
  sibling nodes and then of the cells;
- the split of ρ² over levels and query groups: `level_shares` and `QueryGroup.share`, which sum to exactly 1;
- the order: levels from the root down, all children of one node at once, persons and households together;
- rounding: none, since the nearest data set is sought among integers.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import islice

import numpy as np

from stirred.mechanisms.das.topdown.cell_names import CellNames
from stirred.mechanisms.das.topdown.geography import Geography
from stirred.mechanisms.das.topdown.integers import Cells, Partition, SparseCounts, at, nonzero
from stirred.mechanisms.das.topdown.nearest import Terms
from stirred.spec.arguments import InputError, exact, positive

Counts = Sequence[int]
"""One count for every cell, at one node; or the coefficients of a linear form of these."""


def form_values(rows: Sequence[Counts], several: Sequence[Counts]) -> Cells:
    """The values of linear forms of the cells: a line for each of several nodes, a column for each form.

    >>> form_values([(1, 1), (0, -2)], [(3, 0), (1, 4), (0, 0)]).tolist()
    [[3, 0], [5, -8], [0, 0]]
    """
    found = np.zeros((len(several), len(rows)), dtype=np.int64)
    counted = [nonzero(counts) for counts in several]
    cells = np.unique(np.concatenate([own for own, _ in counted])) if counted else np.zeros(0, dtype=np.int64)
    coefficients = [at(row, cells) for row in rows]
    places = [np.flatnonzero(of_row) for of_row in coefficients]
    columns = np.repeat(np.arange(len(rows)), list(map(len, places)))
    flat, entries = (
        np.concatenate([np.zeros(0, dtype=np.int64), *parts])
        for parts in (places, [of_row[own] for of_row, own in zip(coefficients, places, strict=True)])
    )
    order = np.argsort(flat, kind="stable")
    columns, entries, starts = columns[order], entries[order], np.searchsorted(flat[order], np.arange(len(cells) + 1))
    for line, (own, counts) in zip(found, counted, strict=True):
        where = np.searchsorted(cells, own)
        lengths = starts[where + 1] - starts[where]
        terms = np.arange(lengths.sum()) + np.repeat(starts[where] - np.cumsum(lengths) + lengths, lengths)
        np.add.at(line, columns[terms], entries[terms] * np.repeat(counts, lengths))
    return found


class Weights(Enum):
    """What the squared differences of a query are multiplied by in the loss."""

    PRECISION = "1/sigma^2 of the query's noise"
    EQUAL = "1"


class Tie(Enum):
    """Which of several nearest data sets is taken, sibling by sibling and cell by cell."""

    SMALLEST = "the lexicographically smallest"
    LARGEST = "the lexicographically largest"


@dataclass(frozen=True)
class QueryGroup:
    """Linear queries that are measured with one noise scale at each node of a level.

    Attributes:
        part: the part of the data that it is about, such as "person"; it draws on the budget of that part.
        rows: for each query its coefficient for each cell.
        share: the fraction of the part's budget at a level; or one for each level, 0 where it is not asked.
    """

    name: str
    part: str
    rows: Sequence[Counts]
    share: Fraction | tuple[Fraction, ...]

    def share_at(self, level: int) -> Fraction:
        """The fraction of the part's budget at this level."""
        return self.share[level] if isinstance(self.share, tuple) else self.share

    def columns(self, cells: Cells) -> tuple[Cells, Cells, Cells]:
        """What the queries have to do with some cells: places among these, queries, and coefficients."""
        if isinstance(self.rows, Partition):
            queries = self.rows.of(cells)
            places = np.flatnonzero(queries >= 0)
            return places, queries[places], np.ones(len(places), dtype=np.int64)
        entries = self._matrix[:, cells]
        queries, places = np.nonzero(entries)
        return places, queries, entries[queries, places]

    @cached_property
    def _matrix(self) -> Cells:
        return np.array(self.rows, dtype=np.int64)

    def answers(self, level: int, counts: Counts) -> Cells:
        """The values of the queries that are asked at this level."""
        if not self.share_at(level):
            return np.zeros(0, dtype=np.int64)
        cells, values = nonzero(counts)
        places, queries, entries = self.columns(cells)
        found = np.zeros(len(self.rows), dtype=np.int64)
        np.add.at(found, queries, entries * values[places])
        return found

    def terms_within(self, level: int, cells: Cells) -> dict[int, Terms]:
        """By query that is asked at this level, its form of these cells, numbered from 0, where it has one of them."""
        if not self.share_at(level):
            return {}
        places, queries, entries = self.columns(cells)
        order = np.lexsort((places, queries))
        pairs = list(zip(places[order].tolist(), entries[order].tolist(), strict=True))
        asked, starts = np.unique(queries[order], return_index=True)
        ends = np.append(starts[1:], len(pairs))[: len(starts)].tolist()
        return {
            query: tuple(pairs[start:end])
            for query, start, end in zip(asked.tolist(), starts.tolist(), ends, strict=True)
        }

    @cached_property
    def squared_sensitivity(self) -> int:
        """Δ₂² where one record of the part is replaced, its node included.

        A record that leaves one node for another changes the queries of both, each by a column, so by 2·max ‖column‖²
        at most; one that changes its cell alone changes them by the difference of two columns.
        """
        if isinstance(self.rows, Partition):
            return 2  # each cell is in one query at most, with the coefficient 1
        columns = set(zip(*self.rows, strict=True))
        moved: int = 2 * max(sum(entry**2 for entry in column) for column in columns)
        if all(entry >= 0 for column in columns for entry in column):
            return moved  # the difference of two columns is no longer than the two together
        changed: int = max(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) for p in columns for q in columns)
        return max(moved, changed)


@dataclass(frozen=True)
class KeptTotal:
    """A linear total that is kept exactly at every node of a level.

    Attributes:
        level: of the nodes, 0 at the root.
        row: its coefficient for each cell.
    """

    name: str
    level: int
    row: Counts


@dataclass(frozen=True)
class EditConstraint:
    """Σ row·cells ≤ bound in every leaf, for every data set that can occur.

    A structural zero of a cell is the row that is 1 there with the bound 0.
    """

    name: str
    row: Counts
    bound: int = 0


def closes(edit: EditConstraint) -> bool:
    """Whether an edit constraint leaves 0 to each of its cells."""
    return edit.bound <= 0 and bool(np.all(nonzero(edit.row)[1] > 0))


def _check_shares(what: str, shares: Sequence[Fraction], *, may_be_zero: bool = False) -> None:
    for share in shares:
        if exact(f"a share of {what}", share) < 0 or (share == 0 and not may_be_zero):
            condition = "not be negative" if may_be_zero else "be positive"
            raise InputError(f"shares of {what} must {condition}; got {share}")
    if sum(shares) != 1:
        raise InputError(f"shares of {what} must sum to exactly 1; got {sum(shares)}")


@dataclass(frozen=True)
class Design:
    """What is measured, with which budget, and what is kept.

    Attributes:
        cells: the part of the data that each cell counts, by the cell's name, such as "person" or "household".
        invariants: c_TDA, as linear totals.
        edits: the edit constraints and structural zeroes of c_TDA⁺.
        level_shares: the fraction of every part's budget for each level, from the root down.
        weights: of the squares in the loss.
        tie: which of several nearest data sets is taken.
    """

    geography: Geography
    cells: Mapping[str, str]
    groups: tuple[QueryGroup, ...]
    invariants: tuple[KeptTotal, ...]
    edits: tuple[EditConstraint, ...]
    level_shares: tuple[Fraction, ...]
    rho_squared: Mapping[str, Fraction]
    weights: Weights = Weights.PRECISION
    tie: Tie = Tie.SMALLEST

    def __post_init__(self) -> None:
        if len(self.level_shares) != len(self.geography.levels):
            levels = len(self.geography.levels)
            raise InputError(f"level_shares must be one for each of {levels} levels; got {len(self.level_shares)}")
        _check_shares("the levels", self.level_shares)
        for part, budget in self.rho_squared.items():
            positive(f"rho_squared of {part}", budget)
            self._check_shares_of_queries(part)
        for group in self.groups:
            if group.part not in self.rho_squared:
                raise InputError(f"query group {group.name}: part must have a budget; got {group.part!r}")
            if isinstance(group.rows, Partition):
                self._check_partition(group.name, group.part, group.rows)
                continue
            for row in group.rows:
                self._check_row(f"query group {group.name}", row)
                wrong = [
                    cell
                    for (cell, part), entry in zip(self.cells.items(), row, strict=True)
                    if entry and part != group.part
                ]
                if wrong:
                    raise InputError(f"query group {group.name}: cells must be of part {group.part!r}; got {wrong}")
        for invariant in self.invariants:
            self._check_row(f"invariant {invariant.name}", invariant.row)
            if not 0 <= invariant.level < len(self.geography.levels):
                raise InputError(
                    f"invariant {invariant.name}: level must be one of the geography; got {invariant.level}"
                )
        for edit in self.edits:
            self._check_row(f"edit constraint {edit.name}", edit.row)

    def _check_shares_of_queries(self, part: str) -> None:
        groups, levels = [group for group in self.groups if group.part == part], len(self.geography.levels)
        by_level = any(isinstance(group.share, tuple) for group in groups)
        for group in groups:
            if isinstance(group.share, tuple) and len(group.share) != levels:
                raise InputError(
                    f"query group {group.name}: share must be one for each of {levels} levels; got {len(group.share)}"
                )
        for level in range(levels if by_level else 1):
            what = f"the queries of {part}{f' at level {level}' if by_level else ''}"
            _check_shares(what, [group.share_at(level) for group in groups], may_be_zero=by_level)

    def _check_row(self, what: str, row: Counts) -> None:
        if len(row) != len(self.cells):
            raise InputError(f"{what}: a row must have one entry for each of {len(self.cells)} cells; got {len(row)}")

    def _check_partition(self, name: str, part: str, rows: Partition) -> None:
        if rows.size != len(self.cells):
            raise InputError(f"query group {name}: a row must have one entry for each of {len(self.cells)} cells")
        first = self.cell_name(rows.first)
        of = self.cells.part_of(rows.first) if isinstance(self.cells, CellNames) else self.cells[first]
        if of != part:
            raise InputError(f"query group {name}: cells must be of part {part!r}; got {first!r}")

    def cell_name(self, cell: int) -> str:
        """The name of a cell, by its number."""
        return self.cells.name(cell) if isinstance(self.cells, CellNames) else next(islice(self.cells, cell, None))

    @cached_property
    def open_cells(self) -> Cells:
        """The cells that no structural zero closes: the others have 0 in every data set that can occur."""
        is_open = np.ones(len(self.cells), dtype=np.bool_)
        for edit in filter(closes, self.edits):
            is_open[nonzero(edit.row)[0]] = False
        return np.flatnonzero(is_open)

    def row(self, *cells: str) -> Counts:
        """The row that counts these cells."""
        return tuple(int(cell in cells) for cell in self.cells)

    def variance(self, level: int, group: QueryGroup) -> Fraction:
        """σ² = Δ₂²/(2·ρ²·share of the level·share of the group): what spends exactly that share under D_NoR."""
        if not group.share_at(level):
            raise InputError(f"query group {group.name}: must be asked at level {level}; its share is 0")
        budget = self.rho_squared[group.part] * self.level_shares[level] * group.share_at(level)
        return group.squared_sensitivity / (2 * budget)

    def spent(self, part: str) -> Fraction:
        """ρ² = Σ Δ₂²/(2σ²) over the levels and query groups of a part, from the noise scales that are used."""
        return sum(
            (
                group.squared_sensitivity / (2 * self.variance(level, group))
                for level in range(len(self.geography.levels))
                for group in self.groups
                if group.part == part and group.share_at(level)
            ),
            Fraction(0),
        )

    def histograms(self, data: Iterable[tuple[str, str]]) -> dict[str, Counts]:
        """The counts of every node, of records (leaf, cell)."""
        counted = Counter(data)
        leaves = set(self.geography.leaves)
        for leaf, cell in counted:
            if leaf not in leaves or cell not in self.cells:
                raise InputError(f"a record must name a leaf of the geography and a cell; got {(leaf, cell)!r}")
        numbers = {cell: number for number, cell in enumerate(self.cells)}
        found: dict[str, dict[int, int]] = {leaf: {} for leaf in self.geography.leaves}
        for (leaf, cell), count in counted.items():
            found[leaf][numbers[cell]] = count
        return self.summed({leaf: SparseCounts.from_pairs(len(numbers), of) for leaf, of in found.items()})

    def summed(self, leaves: Mapping[str, Counts]) -> dict[str, Counts]:
        """The counts of every node, of those of the leaves."""
        found = dict(leaves)
        for level in reversed(self.geography.levels[:-1]):
            for node in level:
                children = [found[child] for child in self.geography.children(node)]
                found[node] = SparseCounts.sum_of(len(self.cells), children)
        return found
