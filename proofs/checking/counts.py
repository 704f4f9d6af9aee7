"""``counts.txt``: what the program that the proofs are about computes, for another program to be compared with.

``moved_counts.v`` proves that the law of the PSA in one stratum is Σ_k N_k·w_k with its own computed N_k and d(k).
Coq evaluates them here: d(0), d(1), … on the line ``derangements:``; then, for each universe of one stratum with
2 to 6 records in up to four holding and up to four swapping categories, margins in falling order, the line
``<rows> by <columns>`` and a line ``<x> -> <z>: N_0 … N_n`` for each two of its tables. A table is written row by
row, one digit a cell.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product

from checking.coq import answers, flat
from checking.layout import LIBRARY, ROOT, CheckError, files

_FILE = "counts.txt"
_THEORY = "moved_counts"
_RECORDS = range(2, 7)
_CATEGORIES = 4
_DERANGEMENTS = 7
_PREAMBLE = ("From mathcomp Require Import all_ssreflect.", f"From {LIBRARY} Require Import derangement {_THEORY}.")

Margins = tuple[int, ...]


def counts_texts() -> Mapping[str, str]:
    """What ``counts.txt`` must hold, by its name; nothing where the theories hold no such program.

    Raises:
        CheckError: the file stands there without the program.
    """
    if any(path.stem == _THEORY for path in files()):
        return {_FILE: _counts_text()}
    if (ROOT / _FILE).exists():
        raise CheckError(f"{_FILE}: is there, but no theory {_THEORY}.v that computes it")
    return {}


def _counts_text() -> str:
    """Two shares of the universes at a time."""
    universes = [
        (rows, columns)
        for size in _RECORDS
        for rows, columns in product([*_margins(size, _CATEGORIES, size)], repeat=2)
    ]
    with ThreadPoolExecutor(max_workers=2) as pool:
        shares = list(pool.map(_evaluated, (universes[::2], universes[1::2])))
    blocks = [shares[position % 2][position // 2] for position in range(len(universes))]
    (derangements,) = _evaluate([f"[seq der_rec k | k <- iota 0 {_DERANGEMENTS}]"])
    return "\n".join([f"derangements: {_numbers(derangements)}", *blocks, ""])


def _margins(total: int, parts: int, largest: int) -> Iterator[Margins]:
    """Up to `parts` positive counts in falling order, none above `largest`, with this total."""
    if total == 0:
        yield ()
    elif parts:
        for first in range(min(total, largest), 0, -1):
            for rest in _margins(total - first, parts - 1, first):
                yield (first, *rest)


def _evaluated(universes: Sequence[tuple[Margins, Margins]]) -> list[str]:
    """The block of lines of each universe."""
    found = _evaluate([f"counted {_list(rows)} {_list(columns)}" for rows, columns in universes])
    return [
        "\n".join(
            [
                f"{_numbers(rows)} by {_numbers(columns)}",
                *(
                    f"{_table(x, rows, columns)} -> {_table(z, rows, columns)}: {_numbers(counts)}"
                    for x, z, counts in triples
                ),
            ]
        )
        for (rows, columns), triples in zip(universes, found, strict=True)
    ]


def _evaluate(terms: Sequence[str]) -> list[list]:
    """The lists that Coq computes."""
    printed = answers(_PREAMBLE, [f"Eval vm_compute in {term}." for term in terms])
    values = (flat(each).removeprefix("= ").rsplit(" : ", 1)[0] for each in printed)
    return [ast.literal_eval(value.replace("[::", "[").replace(";", ",")) for value in values]


def _list(numbers: Sequence[int]) -> str:
    return f"[:: {'; '.join(map(str, numbers))}]"


def _numbers(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _table(records: Sequence[tuple[int, int]], rows: Margins, columns: Margins) -> str:
    """The counts of a list of records, one digit each, a stroke between rows."""
    return "/".join("".join(str(records.count((h, s))) for s in range(len(columns))) for h in range(len(rows)))
