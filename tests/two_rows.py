"""Permutations of small tables by what they produce, and how many records of each row they move."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations, product
from math import comb, factorial, perm, prod

from stirred.spec.tables import contingency_tables

UNIVERSES = [((2, 3), (2, 3)), ((3, 3), (3, 3)), ((2, 4), (2, 2, 2)), ((1, 5), (3, 3))]

TABLES = [
    (((8, 0), (0, 8)), ((8, 0), (0, 8))),
    (((3, 5), (5, 3)), ((4, 4), (4, 4))),
    (((4, 1), (6, 9)), ((3, 2), (7, 8))),
    (((2, 0), (8, 12)), ((2, 0), (8, 12))),
    (((1, 4), (14, 1)), ((4, 1), (11, 4))),
    (((7, 1), (0, 14)), ((7, 1), (0, 14))),
]
"""Pairs x, z of larger tables, whose permutations are counted."""


def records(table):
    return [(h, s) for h, row in enumerate(table) for s, count in enumerate(row) for _ in range(count)]


def output(held, g, shape):
    cells = [[0] * shape[1] for _ in range(shape[0])]
    for place, token in enumerate(g):
        cells[held[place][0]][held[token][1]] += 1
    return tuple(map(tuple, cells))


def moved(held, g, row):
    return sum(token != place and held[place][0] == row for place, token in enumerate(g))


def producing(rows, columns):
    """Each data set, two records of it that differ in row and column, and the permutations that produce each output."""
    for x in contingency_tables(rows, columns):
        held = records(x)
        by_output = defaultdict(list)
        for g in permutations(range(len(held))):
            by_output[output(held, g, (len(rows), len(columns)))].append(g)
        for i, (h, s) in enumerate(held):
            for j, (other_h, other_s) in enumerate(held):
                if (h, other_h) == (0, 1) and s != other_s:
                    for group in by_output.values():
                        yield held, group, i, j


def counts_by_row(x, z):
    """C(a, b): the permutations that turn x into z and move a records of row 1 and b of row 2, by counting."""
    rows, columns = [sum(row) for row in x], [sum(column) for column in zip(*x, strict=True)]
    kept = Counter()
    for f in product(*(range(min(p, q) + 1) for xs, zs in zip(x, z, strict=True) for p, q in zip(xs, zs, strict=True))):
        ways = prod(comb(p, k) * perm(q, k) for p, q, k in zip((*x[0], *x[1]), (*z[0], *z[1]), f, strict=True))
        fixed = f[0] + f[1], f[2] + f[3]
        used = f[0] + f[2], f[1] + f[3]
        kept[fixed] += ways * prod(factorial(m - k) for m, k in zip((*rows, *columns), (*fixed, *used), strict=True))
    cells = prod(factorial(cell) for row in z for cell in row)
    return Counter(
        {
            (rows[0] - g, rows[1] - h): sum(
                (-1) ** (i + j + g + h) * comb(i, g) * comb(j, h) * ways for (i, j), ways in kept.items()
            )
            // cells
            for g in range(rows[0] + 1)
            for h in range(rows[1] + 1)
        }
    )
