"""Supports of laws on a topological space: the dissertation's Appendix C.1."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any

from verify.engines.zcdp.renyi_grid import laws_of
from verify.ledger import cases, define, every, state

define(
    {
        # of a law p on three points, by the closed sets of the space
        "is_sure(p, c)": "probability(p, c) == 1",
        "closed_support(p, closed)": "set(x for x in range(3) if all(x in c for c in closed if is_sure(p, c)))",
    }
)


def _topologies() -> Iterator[frozenset[frozenset[int]]]:
    """The closed sets of all 29 topologies on three points."""
    points = frozenset(range(3))
    proper = [frozenset(c) for size in (1, 2) for c in combinations(range(3), size)]
    for chosen in chain.from_iterable(combinations(proper, count) for count in range(len(proper) + 1)):
        closed = frozenset({frozenset(), points, *chosen})
        if all(a & b in closed and a | b in closed for a in closed for b in closed):
            yield closed


@cases("all 29 topologies on three points, all laws in thirds", "closed p")
def spaces() -> Iterator[tuple[Any, ...]]:
    for closed in _topologies():
        yield from ((closed, law) for law in laws_of(3, 3))


state(
    "supports.outside",
    *("dissertation, (C.1)", "dissertation, (C.2)"),
    printed="Denote the support of P_theta by supp(P_theta) = (the intersection of) {S subset X closed and Borel "
    "measurable | P_theta(S) = 1}. … We assume that (X, tau_X) and (T, tau_T) are second countable … to ensure that "
    "P_theta(E_1) = P_x(E_2) = 0, for any measurable E_1 subset supp(P_theta)^c and E_2 subset supp(P_x)^c.",
    reading="on finite spaces, all of which are second countable; subsets of a set of probability 0 follow",
    checks=[
        every(spaces, "probability(p, set(range(3)) - closed_support(p, closed)) == 0"),
        every(spaces, "closed_support(p, closed) in closed"),
    ],
    mutants={
        "the points of positive probability": every(spaces, "closed_support(p, closed) == set(p)"),
        "closed sets of probability above 0": every(
            spaces,
            "probability(p, set(x for x in range(3) if any(x not in c for c in closed if probability(p, c) > 0))) == 0",
        ),
    },
)
