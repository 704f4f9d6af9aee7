"""Pairs of tables with the same margins and no occupied cell in common: what Lemma 8 of the article is about."""

from itertools import combinations, islice, permutations

from stirred.spec.blocks.tables import Table, contingency_tables, table_distance

_ORDERS = 1_000


def shifted_pair(rows: tuple[int, ...], columns: tuple[int, ...]) -> tuple[Table, Table] | None:
    """Two tables without a common occupied cell, found by laying out records in a circle; None where that finds none.

    The records' row categories stand in order, the column categories beside them in order but shifted; two shifts
    give a pair. The orders of the columns are tried in turn, up to a limit, so None does not mean that there is none.
    """
    by_row = [h for h, count in enumerate(rows) for _ in range(count)]
    for order in islice(permutations(range(len(columns))), _ORDERS):
        by_column = [s for s in order for _ in range(columns[s])]
        cells = []
        for shift in range(len(by_row)):
            moved = by_column[shift:] + by_column[:shift]
            cells.append((frozenset(zip(by_row, moved, strict=True)), moved))
        for (first, one), (second, other) in combinations(cells, 2):
            if first.isdisjoint(second):
                return _table(by_row, one, rows, columns), _table(by_row, other, rows, columns)
    return None


def _table(by_row: list[int], by_column: list[int], rows: tuple[int, ...], columns: tuple[int, ...]) -> Table:
    cells = [[0] * len(columns) for _ in rows]
    for h, s in zip(by_row, by_column, strict=True):
        cells[h][s] += 1
    return tuple(map(tuple, cells))


def largest_distance(rows: tuple[int, ...], columns: tuple[int, ...]) -> tuple[int, Table, Table]:
    """The largest distance between two tables with these margins, by listing all pairs, with the first such pair."""
    tables = contingency_tables(rows, columns)
    best = (0, tables[0], tables[0])
    for x, z in combinations(tables, 2):
        distance = table_distance(x, z) or 0
        if distance > best[0]:
            best = distance, x, z
    return best


def disjoint_pair(rows: tuple[int, ...], columns: tuple[int, ...]) -> tuple[Table, Table] | None:
    """Two tables with these margins and no occupied cell in common, or None where there are none.

    >>> disjoint_pair((1, 1), (1, 1))
    (((1, 0), (0, 1)), ((0, 1), (1, 0)))
    >>> disjoint_pair((3, 3), (2, 2, 2)) is None
    True
    """
    found = shifted_pair(rows, columns)
    if found is not None:
        return found
    distance, x, z = largest_distance(rows, columns)
    return (x, z) if distance == sum(rows) else None
