"""The Permutation Swapping Algorithm (PSA): article, Algorithm 1, line by line."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError, probability
from stirred.spec.blocks.tables import Table, check_table
from stirred.spec.laws.law import Law, Probability
from stirred.spec.numbers.rational_function import RationalFunction

_MAX_FOLLOWED = 9

SwapRecord = tuple[Hashable, Hashable, Hashable]
"""One record (m, h, s): its matching, its non-matching holding, and its swapping category."""

SaturatedTable = tuple[tuple[SwapRecord, int], ...]
"""The fully saturated contingency table [n_mhs]: the positive counts, in a fixed order."""


def saturated_table(records: Sequence[SwapRecord]) -> SaturatedTable:
    """C(Z) = [n_mhs]: how many records take each value (m, h, s)."""
    return tuple(sorted(Counter(records).items(), key=repr))


def permutation_swapping(
    records: Sequence[SwapRecord], source: Source, *, swap_rate: Probability | int
) -> SaturatedTable:
    """Swap the swapping variable inside each matching stratum, by a random permutation of selected records.

    Each record of a stratum is selected independently with probability p; if exactly one is selected, all are
    deselected and selection begins again; the selected records' swapping values are then permuted by a uniform
    derangement. Strata of fewer than two records are left as they are.

    Args:
        swap_rate: p in [0, 1].

    Source: article, Algorithm 1 (the comments give its line numbers).
    """
    swapped = list(records)  # 1
    for stratum in strata(records).values():  # 2
        if len(stratum) < 2:  # 3
            continue
        selected = source.attempt(partial(_select, stratum, swap_rate))  # 6-14
        moves = source.attempt(partial(derangement, selected))  # 15
        for record, other in zip(selected, moves, strict=True):  # 17
            matching, holding, _ = records[record]
            swapped[record] = (matching, holding, records[other][2])
    return saturated_table(swapped)  # 20


def strata(records: Sequence[SwapRecord]) -> Mapping[Hashable, Sequence[int]]:
    """The places of the records of each matching stratum."""
    found: dict[Hashable, list[int]] = {}
    for index, (matching, _, _) in enumerate(records):
        found.setdefault(matching, []).append(index)
    return found


def _select(stratum: Sequence[int], swap_rate: Probability | int, source: Source) -> tuple[int, ...]:
    selected = tuple(record for record in stratum if source.bernoulli(swap_rate))
    if len(selected) == 1:
        source.restart()
    return selected


def derangement(selected: Sequence[int], source: Source) -> tuple[int, ...]:
    """A uniform derangement of the selected records; an attempt that restarts at a fixed point."""
    order = source.permutation(len(selected))
    if any(position == image for position, image in enumerate(order)):
        source.restart()
    return tuple(selected[image] for image in order)


def table_records(table: Table) -> tuple[SwapRecord, ...]:
    """The records of one stratum with this table of counts, cell by cell."""
    return tuple(
        (0, row, column) for row, cells in enumerate(table) for column, count in enumerate(cells) for _ in range(count)
    )


def psa_law_by_choices(table: Sequence[Sequence[int]], swap_rate: Probability | int) -> Law[Table]:
    """The law of `psa_law` by following every choice of the program: the reference that counting is held against.

    Args:
        table: the counts of the input, rows by holding and columns by swapping category; at most 9 records.

    Source: article, Algorithm 1.

    >>> from fractions import Fraction
    >>> psa_law_by_choices([[1, 0], [0, 1]], Fraction(1, 2))[((0, 1), (1, 0))]
    Fraction(1, 2)
    """
    checked = check_table("table", table)
    rate: Any = swap_rate if isinstance(swap_rate, RationalFunction) else probability("swap_rate", swap_rate)
    size = sum(map(sum, checked))
    if size > _MAX_FOLLOWED:
        raise InputError(f"table must hold at most {_MAX_FOLLOWED} records for every choice to be followed; got {size}")
    shape = (len(checked), len(checked[0]))
    law = exact_law(permutation_swapping, table_records(checked), swap_rate=rate)
    return law.push(lambda output: _two_way(output, shape))


def _two_way(output: SaturatedTable, shape: tuple[int, int]) -> Table:
    cells = [[0] * shape[1] for _ in range(shape[0])]
    for (_, row, column), count in output:
        if not (isinstance(row, int) and isinstance(column, int)):
            raise InputError(f"a two-way table has integer categories; got {row!r} and {column!r}")
        cells[row][column] = count
    return tuple(map(tuple, cells))
