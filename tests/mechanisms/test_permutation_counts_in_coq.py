"""What Coq computes with the program that `moved_counts.v` proves to be the PSA's law, against ours.

`proofs/counts.txt` holds Coq's N_k and d(k), which the check of the proofs computes anew; the theorem says that
P_x(C(Z) = z) is Σ_k N_k·p^k(1−p)^(n−k)/((1 − n·p·(1−p)^(n−1))·d(k)), as `from_coq` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from stirred.mechanisms.permutation_counts import derangements, moved_counts, psa_law
from stirred.spec.loss import ZERO, Loss
from stirred.spec.tables import Table, contingency_tables
from stirred.verify.engines.swapping.loss import universe_loss

COUNTS = Path(__file__).resolve().parents[2] / "proofs" / "counts.txt"
RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(4, 5))

Margins = tuple[int, ...]
Counted = dict[tuple[Table, Table], tuple[int, ...]]


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def as_table(text: str) -> Table:
    return tuple(tuple(map(int, row)) for row in text.split("/"))


@cache
def committed() -> tuple[tuple[int, ...], dict[tuple[Margins, Margins], Counted]]:
    first, *lines = COUNTS.read_text(encoding="utf-8").splitlines()
    universes: dict[tuple[Margins, Margins], Counted] = {}
    for line in lines:
        if " by " in line:
            rows, columns = map(numbers, line.split(" by "))
            universes[rows, columns] = {}
        else:
            tables, counts = line.split(": ")
            x, z = map(as_table, tables.split(" -> "))
            universes[rows, columns][x, z] = numbers(counts)
    return numbers(first.removeprefix("derangements: ")), universes


def margins(total: int, parts: int, largest: int) -> Iterator[Margins]:
    if total == 0:
        yield ()
    elif parts:
        for first in range(min(total, largest), 0, -1):
            for rest in margins(total - first, parts - 1, first):
                yield (first, *rest)


def from_coq(counts: tuple[int, ...], p: Fraction) -> Fraction:
    n, d = len(counts) - 1, committed()[0]
    accepted = 1 - n * p * (1 - p) ** (n - 1)
    return sum((c * p**k * (1 - p) ** (n - k) / (accepted * d[k]) for k, c in enumerate(counts) if c), Fraction(0))


def test_every_pair_of_tables_with_two_to_six_records_in_up_to_four_categories_is_counted() -> None:
    expected = {pair for n in range(2, 7) for pair in product([*margins(n, 4, n)], repeat=2)}
    assert committed()[1].keys() == expected
    for (rows, columns), counted in committed()[1].items():
        assert counted.keys() == set(product(contingency_tables(rows, columns), repeat=2))


def test_derangements_are_those_of_coq() -> None:
    assert committed()[0] == tuple(derangements(k) for k in range(7))


def test_moved_counts_are_those_of_coq() -> None:
    for counted in committed()[1].values():
        for (x, z), counts in counted.items():
            assert moved_counts(x, z) == counts


@pytest.mark.parametrize("p", RATES)
def test_the_law_is_that_of_coq(p: Fraction) -> None:
    for (rows, columns), counted in committed()[1].items():
        for x in contingency_tables(rows, columns):
            law = psa_law(x, p)
            assert {z: law[z] for z in law.support} == {
                z: from_coq(counts, p) for (start, z), counts in counted.items() if start == x
            }


@pytest.mark.parametrize("p", RATES)
def test_the_loss_of_a_universe_is_that_of_coqs_counts(p: Fraction) -> None:
    for (rows, columns), counted in committed()[1].items():
        masses = {pair: from_coq(counts, p) for pair, counts in counted.items()}
        tables = contingency_tables(rows, columns)
        worst = ZERO
        for x, other, z in product(tables, repeat=3):
            if x != other and (ratio := masses[x, z] / masses[other, z]) > 1:
                worst = max(worst, Loss(ratio, distance(x, other)))
        assert universe_loss(rows, columns, p) == worst


def distance(x: Table, other: Table) -> int:
    return sum(max(0, a - b) for row, there in zip(x, other, strict=True) for a, b in zip(row, there, strict=True))
