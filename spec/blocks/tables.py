"""Two-way contingency tables of counts: margins, enumeration by margins, distance, size without enumeration."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice
from math import comb

from stirred.spec.arguments import InputError, integer

_MAX_FILLS = 1_000_000
"""Margins whose row or column alone can be filled in more ways are not counted: their tables are too many."""

_MAX_MARGINS = 300
"""More positive margins than these are not counted with: the recursion goes as deep as there are margins."""

_MAX_CELLS = 3_000_000
"""Cells of the rows that a count has filled, after which it is given up."""

_MAX_TABLES = 1_000_000

Table = tuple[tuple[int, ...], ...]
"""Counts of records by (row, column) = (holding category, swapping category)."""


def check_table(name: str, table: object) -> Table:
    """The table as a tuple of tuples of non-negative ints, rectangular and with at least one cell."""
    if not isinstance(table, Sequence) or isinstance(table, str) or not table:
        raise InputError(f"{name} must be a sequence of rows of counts; got {table!r}")
    rows = []
    for row in table:
        if not isinstance(row, Sequence) or isinstance(row, str) or not row:
            raise InputError(f"{name} must be a sequence of rows of counts; got the row {row!r}")
        rows.append(tuple(integer(f"{name}: a count", cell, minimum=0) for cell in row))
    if len({len(row) for row in rows}) != 1:
        raise InputError(f"{name} must have rows of one length; got lengths {[len(row) for row in rows]}")
    return tuple(rows)


def row_margins(table: Table) -> tuple[int, ...]:
    """The sums over each row: n_h· of article, Proposition 4, inside one stratum."""
    return tuple(map(sum, table))


def column_margins(table: Table) -> tuple[int, ...]:
    """The sums over each column: n_·s of article, Proposition 4, inside one stratum."""
    return tuple(map(sum, zip(*table, strict=True)))


def _check_margins(rows: Sequence[int], columns: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    for name, margins in (("rows", rows), ("columns", columns)):
        if not isinstance(margins, Sequence) or not margins:
            raise InputError(f"{name} must be a sequence of at least one margin; got {margins!r}")
        for margin in margins:
            integer(f"{name}: a margin", margin, minimum=0)
    if sum(rows) != sum(columns):
        raise InputError(f"rows and columns must have the same total; got {sum(rows)} and {sum(columns)}")
    return tuple(rows), tuple(columns)


def contingency_tables(rows: Sequence[int], columns: Sequence[int]) -> tuple[Table, ...]:
    """All tables of non-negative counts with these margins, in lexicographic order.

    This is one universe of the multiverse that the swapping invariants induce, for one stratum.

    Args:
        columns: column margins, ints ≥ 0, with the same total.

    Source: article, Example 1 and Definition 2.

    >>> contingency_tables((1, 1), (1, 1))
    (((0, 1), (1, 0)), ((1, 0), (0, 1)))
    """
    found = tuple(islice(_tables(*_check_margins(rows, columns)), _MAX_TABLES + 1))
    if len(found) > _MAX_TABLES:
        raise TooManyTablesError(
            f"rows and columns must have at most {_MAX_TABLES} tables to be listed; they have more: "
            "count_tables counts them where it can",
            len(found),
        )
    return found


def _tables(rows: tuple[int, ...], columns: tuple[int, ...]) -> Iterator[Table]:
    if len(rows) == 1:
        yield (columns,)
        return
    for first in _compositions_below(rows[0], columns):
        rest = tuple(c - f for c, f in zip(columns, first, strict=True))
        for tail in _tables(rows[1:], rest):
            yield (first, *tail)


def _compositions_below(total: int, bounds: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The vectors of this total that stay below the bounds, in lexicographic order."""
    if len(bounds) == 1:
        if total <= bounds[0]:
            yield (total,)
        return
    others = sum(bounds[1:])
    for head in range(max(0, total - others), min(total, bounds[0]) + 1):
        for tail in _compositions_below(total - head, bounds[1:]):
            yield (head, *tail)


class TooManyTablesError(InputError):
    """Sound margins whose tables are too many for what is asked; `least` is a number of tables that they have."""

    def __init__(self, message: str, least: int) -> None:
        super().__init__(message)
        self.least = least


def count_tables(rows: Sequence[int], columns: Sequence[int]) -> int:
    """The number of tables with these margins, counted without listing them.

    >>> count_tables((10, 10), (10, 10))
    11
    """
    checked_rows, checked_columns = _check_margins(rows, columns)
    rows, columns = (tuple(sorted(filter(None, margins))) for margins in (checked_rows, checked_columns))
    if not rows:
        return 1
    least = max([_fills(row, columns) for row in set(rows)] + [_fills(column, rows) for column in set(columns)])
    if least > _MAX_FILLS:
        raise TooManyTablesError(
            f"rows and columns must have at most {_MAX_FILLS} tables to be counted; they have at least {least}", least
        )
    if len(rows) + len(columns) > _MAX_MARGINS:
        raise TooManyTablesError(
            f"rows and columns must have at most {_MAX_MARGINS} positive margins for their tables to be counted; "
            f"they have {len(rows) + len(columns)}",
            least,
        )
    return _Count(least).tables(rows, columns)


def _fills(total: int, bounds: tuple[int, ...]) -> int:
    """How many vectors of this total stay below the bounds, by inclusion and exclusion; each extends to a table.

    Of more than ten bounds the ten largest are used, with the others at 0: then it is a number from below.
    """
    largest = sorted(bounds, reverse=True)[:10]
    subsets = chain.from_iterable(combinations(largest, k) for k in range(len(largest) + 1))
    rests = ((len(chosen), total - sum(chosen) - len(chosen)) for chosen in subsets)
    return sum((-1) ** k * comb(rest + len(largest) - 1, len(largest) - 1) for k, rest in rests if rest >= 0)


class _Count:
    """Counts the tables of sorted positive margins row by row; equal remainders are counted once."""

    def __init__(self, least: int) -> None:
        self.least = least
        self.cells = 0
        self.known: dict[tuple[int, tuple[int, ...]], int] = {}

    def tables(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
        if len(rows) == 1 or len(columns) == 1:
            return 1
        if (key := (len(rows), columns)) not in self.known:
            total = 0
            for first in _compositions_below(rows[0], columns):
                self.cells += len(columns)
                if self.cells > _MAX_CELLS:
                    raise TooManyTablesError(
                        f"rows and columns must have fewer tables to be counted; they have at least {self.least}",
                        self.least,
                    )
                rest = (c - f for c, f in zip(columns, first, strict=True) if c > f)
                total += self.tables(rows[1:], tuple(sorted(rest)))
            self.known[key] = total
        return self.known[key]


def table_distance(first: Table, second: Table) -> int | None:
    """Half the ℓ₁ distance of two tables with equal totals: the records that differ; None (∞) where totals differ.

    Source: article, (5), (10) and Lemma 2.

    >>> table_distance(((1, 0), (0, 1)), ((0, 1), (1, 0)))
    2
    """
    shapes = [[len(row) for row in table] for table in (first, second)]
    if shapes[0] != shapes[1]:
        raise InputError(f"tables must have the same rows and columns to be compared; got {first!r} and {second!r}")
    if sum(map(sum, first)) != sum(map(sum, second)):
        return None
    return sum(max(0, a - b) for r, s in zip(first, second, strict=True) for a, b in zip(r, s, strict=True))


def margins_of_size(total: int, parts: int) -> tuple[tuple[int, ...], ...]:
    """All margins of a total with between 1 and `parts` positive parts, up to order (partitions, largest first).

    >>> margins_of_size(3, 2)
    ((3,), (2, 1))
    """
    integer("total", total, minimum=1)
    integer("parts", parts, minimum=1)

    def split(rest: int, largest: int, slots: int) -> Iterator[tuple[int, ...]]:
        if rest == 0:
            yield ()
        elif slots:
            for head in range(min(rest, largest), 0, -1):
                for tail in split(rest - head, head, slots - 1):
                    yield (head, *tail)

    return tuple(split(total, total, parts))
