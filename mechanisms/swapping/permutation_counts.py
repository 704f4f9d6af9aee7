"""Exact likelihoods of the PSA by counting permutations instead of listing them.

Inside one stratum of n records the PSA draws a permutation that moves exactly k records with probability
w_k = p^k (1−p)^(n−k) / (d(k)·(1 − n·p·(1−p)^(n−1))), where d(k) counts the permutations of k points without a fixed
point. So P_x(z) = Σ_k N_k(x→z)·w_k, where N_k(x→z) counts the permutations that move exactly k records of x and
produce the table z.

Counting: choose which records stay in place, φ_hs of them in cell (h, s); the others can be permuted to z in
Π_h r'_h! · Π_s c'_s! / Π_hs (z_hs − φ_hs)! ways, where r', c' are the margins of x − φ. That depends on φ through
its column sums only, once each row is summed out; inclusion and exclusion then gives N_k.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, product
from math import comb, factorial, prod
from typing import Any

import flint

from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord, saturated_table, strata
from stirred.spec.arguments import Exact, InputError, probability
from stirred.spec.blocks.tables import Table, check_table, column_margins, contingency_tables, row_margins
from stirred.spec.laws.law import Law, Probability
from stirred.spec.numbers.rational_function import RationalFunction

_MAX_RECORDS = 1_000


@cache
def derangements(k: int) -> int:
    """d(k): the permutations of k points without a fixed point; d(0) = 1, d(1) = 0, d(k) = k·d(k−1) + (−1)^k.

    Source: article, (13).

    >>> [derangements(k) for k in range(7)]
    [1, 0, 1, 2, 9, 44, 265]
    """
    count = 1
    for j in range(1, k + 1):
        count = j * count + (-1) ** j
    return count


def moved_counts(x: Table, z: Table) -> tuple[int, ...]:
    """N_k(x→z) for k = 0, …, n: permutations of x's n records that move exactly k of them and give the table z.

    >>> moved_counts(((1, 0), (0, 1)), ((0, 1), (1, 0)))
    (0, 0, 1)
    """
    if row_margins(x) != row_margins(z) or column_margins(x) != column_margins(z):
        raise InputError(f"x and z must have the same margins; got {x} and {z}")
    if len(x[0]) == 2:
        return _two_column_counts(x, z)
    if len(x) == 2:
        return _two_column_counts(tuple(zip(*x, strict=True)), tuple(zip(*z, strict=True)))
    columns = column_margins(x)
    context = _context(len(columns))
    states = context.constant(1)
    for row, target in zip(x, z, strict=True):
        states *= context.from_dict(_row_options(row, target))
    staying = [0] * (sum(columns) + 1)
    for used, ways in states.to_dict().items():
        staying[int(sum(used))] += int(ways) * prod(factorial(c - int(u)) for c, u in zip(columns, used, strict=True))
    cells = prod(factorial(cell) for row in z for cell in row)
    return tuple(count // cells for count in _exactly(staying))


@cache
def _context(columns: int) -> Any:
    return flint.fmpz_mpoly_ctx.get([f"u{column}" for column in range(columns)], "lex")


def _row_options(row: tuple[int, ...], target: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """For each vector φ_h of records of one row that stay: Π C(x, φ)·z!/(z−φ)!·(r − |φ|)!."""
    total = sum(row)
    options = {}
    for kept in product(*(range(min(a, b) + 1) for a, b in zip(row, target, strict=True))):
        weight = factorial(total - sum(kept))
        for a, b, k in zip(row, target, kept, strict=True):
            weight *= comb(a, k) * (factorial(b) // factorial(b - k))
        options[kept] = weight
    return options


def _two_column_counts(x: Table, z: Table) -> tuple[int, ...]:
    """N_k(x→z) for two columns: how many positions keep column 1 decides how many keep column 2.

    An assignment of columns to positions gives z in Π_h Σ_e C(x_h1, e)·C(x_h2, z_h1 − e) ways, e positions of row h
    keeping column 1; the number of permutations behind each depends on the total α of the e alone.
    """
    first = sum(row[0] for row in x)
    second = sum(row[1] for row in x)
    counts = flint.fmpz_poly([])
    for kept, ways in enumerate(column_assignments(x, z)):
        if ways:
            counts += ways * _by_moved(first, second, kept)
    found = [int(count) for count in counts.coeffs()]
    return (*found, *([0] * (first + second + 1 - len(found))))


@lru_cache(maxsize=10_000)
def _by_moved(first: int, second: int, kept: int) -> Any:
    """`assignment_counts` as the coefficients of a polynomial."""
    return flint.fmpz_poly(list(assignment_counts(first, second, kept)))


def column_assignments(x: Table, z: Table) -> list[int]:
    """For tables of two columns, the assignments of columns to positions that turn x into z, by how many keep column 1.

    >>> column_assignments(((1, 1), (1, 1)), ((1, 1), (1, 1)))
    [1, 2, 1]
    """
    assignments = flint.fmpz_poly([1])
    for (a, b), (target, _) in zip(x, z, strict=True):
        assignments *= _of_row(a, b, target)
    return [int(ways) for ways in assignments.coeffs()]


@lru_cache(maxsize=20_000)
def _of_row(a: int, b: int, target: int) -> Any:
    """The polynomial with the coefficients C(a, e)·C(b, target − e) for e = 0, 1, …, min(a, target)."""
    return flint.fmpz_poly(
        [comb(a, e) * comb(b, target - e) if target - e <= b else 0 for e in range(min(a, target) + 1)]
    )


@lru_cache(maxsize=10_000)
def assignment_counts(first: int, second: int, kept: int) -> tuple[int, ...]:
    """For k = 0, …, n the permutations that move exactly k records and give one assignment of columns to positions.

    Args:
        first: n_·1, the records of column 1.
        second: n_·2.
        kept: how many positions keep column 1.

    >>> assignment_counts(1, 1, 0)
    (0, 0, 1)
    """
    staying = flint.fmpz_poly([1])
    for margin, same in ((first, kept), (second, second - first + kept)):
        staying *= flint.fmpz_poly([comb(same, u) * factorial(margin - u) for u in range(same + 1)])
    return _exactly([int(count) for count in staying.coeffs()] + [0] * (first + second - staying.degree()))


def _exactly(at_least: list[int]) -> tuple[int, ...]:
    """Inclusion and exclusion: from Σ_j y^j·(ways to choose j fixed points) to the number that moves exactly k.

    The first is the generating function of exact counts at 1 + y.
    """
    exact = flint.fmpz_poly(at_least)(flint.fmpz_poly([-1, 1])).coeffs()
    counts = [int(count) for count in exact] + [0] * (len(at_least) - len(exact))
    return tuple(reversed(counts))


def _weights(size: int, p: Any) -> tuple[Any, ...]:
    if size < 2:
        return (Fraction(1),) + (Fraction(0),) * size
    accepted = 1 - size * p * (1 - p) ** (size - 1)
    return tuple(
        Fraction(0) if k == 1 else p**k * (1 - p) ** (size - k) / (derangements(k) * accepted) for k in range(size + 1)
    )


def move_weights(size: int, swap_rate: Exact) -> tuple[Fraction, ...]:
    """w_k for k = 0, …, n: the probability of each single permutation that moves k of the n records of a stratum.

    Source: article, Appendix E (the display before (14)).

    >>> move_weights(2, Fraction(1, 2))
    (Fraction(1, 2), Fraction(0, 1), Fraction(1, 2))
    """
    return _weights(size, probability("swap_rate", swap_rate))


def likelihood(x: Table, z: Table, swap_rate: Exact) -> Fraction:
    """P_x(C(Z) = z): the exact probability that the PSA turns the table x of one stratum into z."""
    counts = moved_counts(x, z)
    return sum((n * w for n, w in zip(counts, move_weights(len(counts) - 1, swap_rate), strict=True)), Fraction(0))


def psa_law(table: Sequence[Sequence[int]], swap_rate: Probability | int) -> Law[Table]:
    """The exact law of the PSA's output table for one stratum, by counting permutations.

    It is the law of the program `permutation_swapping`, which `psa_law_by_choices` follows choice by choice.

    Args:
        table: the counts of the input, rows by holding and columns by swapping category.
        swap_rate: p in [0, 1], exact; or `spec.SYMBOL`, which leaves p in (0, 1) open.

    Returns:
        A law on tables of the same shape and margins; its probabilities are `Fraction`s, or rational functions of p.

    Source: article, Algorithm 1 and Appendix E.

    >>> psa_law([[1, 0], [0, 1]], Fraction(1, 2))[((0, 1), (1, 0))]
    Fraction(1, 2)
    """
    checked = check_table("table", table)
    size = sum(map(sum, checked))
    if size > _MAX_RECORDS:
        raise InputError(f"table must hold at most {_MAX_RECORDS} records for its law to be counted; got {size}")
    rate = swap_rate if isinstance(swap_rate, RationalFunction) else probability("swap_rate", swap_rate)
    weights = _weights(size, rate)
    return Law(
        {
            z: sum((n * w for n, w in zip(moved_counts(checked, z), weights, strict=True) if n), Fraction(0))
            for z in contingency_tables(row_margins(checked), column_margins(checked))
        }
    )


def swapped_law(records: Sequence[SwapRecord], *, swap_rate: Probability | int) -> Law[SaturatedTable]:
    """The law of `permutation_swapping` on records, by counting: the product of `psa_law` over the strata.

    >>> swapped_law([(0, 0, "a"), (0, 1, "b")], swap_rate=Fraction(1, 3)).probabilities
    (Fraction(1, 5), Fraction(4, 5))
    """
    law: Mapping[tuple[SwapRecord, ...], Any] = {(): Fraction(1)}
    for places in strata(records).values():
        of = [records[place] for place in places]
        rows, columns = (dict.fromkeys(record[part] for record in of) for part in (1, 2))
        table = [[sum(record[1:] == (row, column) for record in of) for column in columns] for row in rows]
        counted = psa_law(table, swap_rate)
        cells = [(of[0][0], row, column) for row in rows for column in columns]
        moved = {
            tuple(cell for cell, count in zip(cells, chain.from_iterable(z), strict=True) for _ in range(count)): mass
            for z, mass in counted.items()
        }
        law = {(*before, *after): p * q for before, p in law.items() for after, q in moved.items()}
    return Law({saturated_table(moved): mass for moved, mass in law.items()})
