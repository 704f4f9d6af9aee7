"""Circuits: the simplest changes between tables of equal margins, enough to decide a loss spread over d_HamS.

A circuit takes one record from each of ℓ cells (h₁, s₁), …, (h_ℓ, s_ℓ) and puts one into each of (h₁, s₂), …,
(h_ℓ, s₁), with distinct rows and distinct columns; it keeps all margins and changes ℓ records.

Lemma. For x, x' with equal margins there are tables x = x₀, x₁, …, x_m = x' of these margins, each a circuit away
from the one before it, with d_HamS(x, x') = Σ d_HamS(x_{i−1}, x_i). So a loss bound ln P_x(z) − ln P_x'(z) ≤
ε·d_HamS(x, x') holds on all pairs iff it holds on the pairs that one circuit separates; ℓ ≤ min(rows, columns).

Proved in Coq: `circuit_chains` and `circuits_decide` of table_circuits.v.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations

from stirred.spec.blocks.tables import Table

Circuit = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
"""The cells that lose one record each, and the cells that gain one each."""


@cache
def circuits(height: int, width: int) -> tuple[Circuit, ...]:
    """All circuits of tables with so many rows and columns, shortest first.

    >>> len(circuits(2, 2)), len(circuits(2, 3)), len(circuits(3, 3))
    (2, 6, 30)
    """
    found = []
    for length in range(2, min(height, width) + 1):
        for rows in combinations(range(height), length):
            for order in permutations(rows[1:]):
                down = (rows[0], *order)
                for across in permutations(range(width), length):
                    onward = across[1:] + across[:1]
                    found.append((tuple(zip(down, across, strict=True)), tuple(zip(down, onward, strict=True))))
    return tuple(found)


def circuit_steps(tables: Sequence[Table]) -> tuple[tuple[int, int, int], ...]:
    """The pairs (i, j, ℓ) of positions of tables that one circuit separates, ℓ = d_HamS; both orders of each pair.

    >>> circuit_steps((((0, 1), (1, 0)), ((1, 0), (0, 1))))
    ((0, 1, 2), (1, 0, 2))
    """
    position = {table: index for index, table in enumerate(tables)}
    steps = []
    for table, index in position.items():
        for taken, given in circuits(len(table), len(table[0])):
            if all(table[h][s] for h, s in taken):
                cells = [list(row) for row in table]
                for h, s in taken:
                    cells[h][s] -= 1
                for h, s in given:
                    cells[h][s] += 1
                other = position.get(tuple(map(tuple, cells)))
                if other is not None:
                    steps.append((index, other, len(taken)))
    return tuple(steps)
