"""What Coq computes with the program that `moved_counts.v` proves to be the PSA's law, against ours.

Coq evaluates its N_k and d(k) here, so first `make -C proofs`; the theorem says that
P_x(C(Z) = z) is Σ_k N_k·p^k(1−p)^(n−k)/((1 − n·p·(1−p)^(n−1))·d(k)), as `from_coq` writes it.
"""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from coq_runs import compiled

from stirred.mechanisms.permutation_counts import derangements, moved_counts, psa_law
from stirred.spec.loss import ZERO, Loss
from stirred.spec.tables import Table, contingency_tables
from stirred.verify.engines.swapping.loss import universe_loss

RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(4, 5))
FEW = range(2, 5)
MORE = range(5, 7)
CATEGORIES = 4
HEAD = """\
From mathcomp Require Import all_ssreflect.
From Stirred Require Import derangement moved_counts.
Set Printing Width 1000000.
Set Printing Depth 1000000.
"""

Margins = tuple[int, ...]
Counted = dict[tuple[Table, Table], tuple[int, ...]]


def evaluated(terms: Sequence[str]) -> list[list]:
    """The lists that Coq computes."""
    with tempfile.TemporaryDirectory() as folder:
        said = compiled(Path(folder), HEAD + "\n".join(f"Eval vm_compute in {term}." for term in terms) + "\n")
    values = [" ".join(each.split()).rsplit(" : ", 1)[0] for each in said.split("     = ")[1:]]
    return [ast.literal_eval(value.replace("[::", "[").replace(";", ",")) for value in values]


def as_list(numbers: Margins) -> str:
    return f"[:: {'; '.join(map(str, numbers))}]"


def as_table(records: Sequence[tuple[int, int]], rows: Margins, columns: Margins) -> Table:
    return tuple(tuple(records.count((h, s)) for s in range(len(columns))) for h in range(len(rows)))


@cache
def coq_derangements() -> tuple[int, ...]:
    return tuple(evaluated(["[seq der_rec k | k <- iota 0 7]"])[0])


@cache
def counted_by_coq(sizes: range) -> dict[tuple[Margins, Margins], Counted]:
    """The counts between each two tables of every universe of one stratum of these numbers of records."""
    pairs = [pair for n in sizes for pair in product([*margins(n, CATEGORIES, n)], repeat=2)]
    terms = [f"counted {as_list(rows)} {as_list(columns)}" for rows, columns in pairs]
    return {
        (rows, columns): {
            (as_table(x, rows, columns), as_table(z, rows, columns)): tuple(counts) for x, z, counts in triples
        }
        for (rows, columns), triples in zip(pairs, evaluated(terms), strict=True)
    }


def margins(total: int, parts: int, largest: int) -> Iterator[Margins]:
    if total == 0:
        yield ()
    elif parts:
        for first in range(min(total, largest), 0, -1):
            for rest in margins(total - first, parts - 1, first):
                yield (first, *rest)


def from_coq(counts: tuple[int, ...], p: Fraction) -> Fraction:
    n, d = len(counts) - 1, coq_derangements()
    accepted = 1 - n * p * (1 - p) ** (n - 1)
    return sum((c * p**k * (1 - p) ** (n - k) / (accepted * d[k]) for k, c in enumerate(counts) if c), Fraction(0))


by_size = pytest.mark.parametrize("sizes", [FEW, pytest.param(MORE, marks=pytest.mark.nightly)])


def test_derangements_are_those_of_coq() -> None:
    assert coq_derangements() == tuple(derangements(k) for k in range(7))


@by_size
def test_moved_counts_between_any_two_tables_are_those_of_coq(sizes: range) -> None:
    for (rows, columns), counted in counted_by_coq(sizes).items():
        assert counted.keys() == set(product(contingency_tables(rows, columns), repeat=2))
        for (x, z), counts in counted.items():
            assert moved_counts(x, z) == counts


@by_size
@pytest.mark.parametrize("p", RATES)
def test_the_law_is_that_of_coq(p: Fraction, sizes: range) -> None:
    for (rows, columns), counted in counted_by_coq(sizes).items():
        for x in contingency_tables(rows, columns):
            law = psa_law(x, p)
            assert {z: law[z] for z in law.support} == {
                z: from_coq(counts, p) for (start, z), counts in counted.items() if start == x
            }


@by_size
@pytest.mark.parametrize("p", RATES)
def test_the_loss_of_a_universe_is_that_of_coqs_counts(p: Fraction, sizes: range) -> None:
    for (rows, columns), counted in counted_by_coq(sizes).items():
        masses = {pair: from_coq(counts, p) for pair, counts in counted.items()}
        tables = contingency_tables(rows, columns)
        worst = ZERO
        for x, other, z in product(tables, repeat=3):
            if x != other and (ratio := masses[x, z] / masses[other, z]) > 1:
                worst = max(worst, Loss(ratio, distance(x, other)))
        assert universe_loss(rows, columns, p) == worst


def distance(x: Table, other: Table) -> int:
    return sum(max(0, a - b) for row, there in zip(x, other, strict=True) for a, b in zip(row, there, strict=True))
