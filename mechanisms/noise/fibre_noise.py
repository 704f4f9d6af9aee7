"""Fibre noise: geometric noise on the tables with given margins, which is exact, always ends, and keeps every margin.

The free cells of a table are those outside the last row and the last column, where rows and columns are taken in the
order of their margins, the largest last. Row by row, cell by cell, each free cell is released with two-sided geometric
noise, clamped to what its margins and the cells released before it allow; the last column and the last row follow.
On two rows and two columns it is the geometric mechanism, clamped at the ends of the line of tables.

Budget. The range of a cell is a function of the margins and of cells that are released, so each cell is a clamped
geometric mechanism with a public range, and a function of unbounded geometric noise with P(z)/P'(z) ≤ α^−|x−x'|. So
P_x(z)/P_x'(z) ≤ α^−Σ|x_hs − x'_hs| over the free cells. All cells together differ by 2·d_HamS(x, x'), those outside
the free ones by what the margins force: the sum over the free cells is at most κ·d_HamS(x, x'), κ = `sensitivity`.
So α = e^(−ε/κ) has the budget ε. Each table of the universe has positive probability from each other one.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord, saturated_table
from stirred.spec.arguments import open_probability
from stirred.spec.blocks.tables import Table, check_table, column_margins, contingency_tables, row_margins
from stirred.spec.laws.law import Law


def sensitivity(rows: int, columns: int) -> Fraction:
    """κ: the most that the free cells of two tables with the same margins differ by, over their distance d_HamS.

    Args:
        rows: how many rows have a positive margin.
        columns: how many columns have.

    Returns:
        1/2 for two rows and two columns, 1 if one side has two, 2 otherwise; 0 where the margins determine the table.

    >>> [str(sensitivity(*shape)) for shape in ((1, 5), (2, 2), (2, 7), (3, 3))]
    ['0', '1/2', '1', '2']
    """
    small, large = sorted((rows, columns))
    if small < 2:
        return Fraction(0)
    return Fraction(1, 2) if large == 2 else Fraction(1) if small == 2 else Fraction(2)


def margin_order(margins: Sequence[int]) -> tuple[int, ...]:
    """The categories with a positive margin, in the order of their margins, of equal ones the first first.

    >>> margin_order((3, 0, 1, 3))
    (2, 0, 3)
    """
    return tuple(sorted((i for i, margin in enumerate(margins) if margin), key=lambda i: margins[i]))


def noisy_table(table: Table, source: Source, *, ratio: Fraction) -> Table:
    """A table with the margins of x, drawn by fibre noise: loss at most κ·ln(1/α) for each unit of d_HamS.

    Args:
        table: x, rows by holding and columns by swapping category.
        ratio: α in (0, 1).

    Source: of the noise, Ghosh, Roughgarden, Sundararajan (2012); the composition over the fibre is this project's.
    """
    alpha = open_probability("ratio", ratio)
    cells = [[0] * len(table[0]) for _ in table]
    left = list(column_margins(table))
    rows, columns = margin_order(row_margins(table)), margin_order(left)
    for h in rows[:-1]:
        rest, beyond = sum(table[h]), sum(left)
        for s in columns[:-1]:
            beyond -= left[s]
            low, high = max(0, rest - beyond), min(rest, left[s])
            drawn = low
            if low < high:
                drawn = source.clamp(table[h][s] + source.discrete_laplace(alpha), low, high)
            cells[h][s] = drawn
            rest -= drawn
            left[s] -= drawn
        if columns:
            cells[h][columns[-1]] = rest
            left[columns[-1]] -= rest
    if rows:
        cells[rows[-1]] = left
    return tuple(map(tuple, cells))


def cell_ranges(table: Table) -> Iterator[tuple[int, int, int, int]]:
    """Of each free cell its row, its column and the range that it has where this table is released.

    >>> list(cell_ranges(((1, 2), (2, 1))))
    [(0, 0, 0, 3)]
    """
    left = list(column_margins(table))
    rows, columns = margin_order(row_margins(table)), margin_order(left)
    for h in rows[:-1]:
        rest, beyond = sum(table[h]), sum(left)
        for s in columns[:-1]:
            beyond -= left[s]
            yield h, s, max(0, rest - beyond), min(rest, left[s])
            rest -= table[h][s]
            left[s] -= table[h][s]
        left[columns[-1]] -= rest


def fibre_law(table: Sequence[Sequence[int]], ratio: Fraction) -> Law[Table]:
    """The exact law of `noisy_table`: a product over the free cells.

    Args:
        table: x, the counts of one stratum.
        ratio: α in (0, 1), exact.

    >>> fibre_law([[1, 0], [0, 1]], Fraction(1, 3))[((0, 1), (1, 0))]
    Fraction(1, 4)
    """
    x, alpha = check_table("table", table), open_probability("ratio", ratio)
    tables = contingency_tables(row_margins(x), column_margins(x))
    return Law({z: _likelihood(x, z, alpha) for z in tables})


def _likelihood(x: Table, z: Table, alpha: Fraction) -> Fraction:
    """P_x(z)."""
    likelihood = Fraction(1)
    for h, s, low, high in cell_ranges(z):
        if low < high:
            at_low = 1 - _tail(low + 1 - x[h][s], alpha)
            at_high = _tail(high - x[h][s], alpha)
            drawn = z[h][s]
            inside = (1 - alpha) / (1 + alpha) * alpha ** abs(drawn - x[h][s])
            likelihood *= at_low if drawn == low else at_high if drawn == high else inside
    return likelihood


def _tail(k: int, alpha: Fraction) -> Fraction:
    """P(X ≥ k) of two-sided geometric noise."""
    return alpha**k / (1 + alpha) if k > 0 else 1 - alpha ** (1 - k) / (1 + alpha)


def fibre_noise(records: Sequence[SwapRecord], source: Source, *, root: Fraction) -> SaturatedTable:
    """The saturated table of the records, each stratum with fibre noise of its own: budget ε with e^(−ε/2) = root.

    Args:
        root: e^(−ε/2) in (0, 1), exact: a stratum has α = root^(2/κ), by how many categories it has.

    Source: this project, stirred verify price.fibre.
    """
    noise = open_probability("root", root)
    strata: dict[Any, list[SwapRecord]] = {}
    for record in records:
        strata.setdefault(record[0], []).append(record)
    released: list[SwapRecord] = []
    for matching, members in strata.items():
        held, given = (sorted({record[place] for record in members}, key=repr) for place in (1, 2))
        table = tuple(tuple(members.count((matching, h, s)) for s in given) for h in held)
        kappa = sensitivity(len(held), len(given))
        if kappa:
            table = noisy_table(table, source, ratio=noise ** int(2 / kappa))
        released += [
            (matching, h, s)
            for h, row in zip(held, table, strict=True)
            for s, count in zip(given, row, strict=True)
            for _ in range(count)
        ]
    return saturated_table(released)
