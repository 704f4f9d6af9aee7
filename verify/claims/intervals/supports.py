"""Supports of laws by closed sets: what lies outside has probability 0, and what the discrete topology would do."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import verify.claims.multiverse.sigma_algebras  # noqa: F401 its words are used here
from verify.engines.zcdp.renyi_grid import laws_of
from verify.ledger import argued, cases, define, every, incomplete, state

define(
    {
        "closed_sets(opens, T)": "set(T - s for s in opens)",
        "measurable_closed(opens, T)": "[s for s in closed_sets(opens, T) if s in borel_sets(T, opens)]",
        "support_by(p, sets, T, least)": "set(t for t in T if all(t in s for s in sets if probability(p, s) >= least))",
        "null_outside(p, opens, T, least)": """all(probability(p, e) == 0 for e in borel_sets(T, opens)
            if len(e & support_by(p, measurable_closed(opens, T), T, least)) == 0)""",
    }
)

_THREE = frozenset(range(3))


def topologies() -> Iterator[frozenset[frozenset[int]]]:
    """The 29 topologies on three points."""
    middle = [frozenset(s) for size in (1, 2) for s in combinations(range(3), size)]
    for chosen in product((False, True), repeat=len(middle)):
        opens = {frozenset(), _THREE, *(s for s, kept in zip(middle, chosen, strict=True) if kept)}
        if all(a | b in opens and a & b in opens for a, b in product(opens, repeat=2)):
            yield frozenset(opens)


spaces = cases("the 29 topologies on three points with their Borel sets, all laws in halves", "opens T p")(
    lambda: ((opens, _THREE, p) for opens, p in product(topologies(), laws_of(3, 2)))
)
_OUTSIDE = "null_outside(p, opens, T, {})"

state(
    "interval.support.outside",
    "dissertation, (C.1)",
    "dissertation, (C.2)",
    printed="supp(P_theta) is the intersection of all closed and Borel measurable S with P_theta(S) = 1. (C.1) We "
    "assume that (X, tau_X) and (T, tau_T) are second countable (that is, there exist countable bases for tau_X and "
    "tau_T) to ensure that P_theta(E_1) = P_x(E_2) = 0, (C.2) for any measurable E_1 within supp(P_theta)^c and E_2 "
    "within supp(P_x)^c.",
    reading="finite spaces, all of which are second countable",
    checks=[every(spaces, _OUTSIDE.format(1))],
    mutants={"probability 1/2 for 1": every(spaces, _OUTSIDE.format("1 / 2"))},
)

with_atoms = cases(
    "laws on the uncountable X = [0, 1]: atoms of these masses, the rest of the mass uniform; the points 0, 1/2, 1",
    "atoms x",
)(
    lambda: (
        (atoms, x)
        for atoms, x in product(
            ({Fraction(0): Fraction(1)}, {Fraction(1, 2): Fraction(1, 3)}, {}), map(Fraction, ("0", "1/2", "1"))
        )
    )
)

state(
    "interval.support.discrete",
    "dissertation, section C.1, footnote 1",
    printed="If X is uncountable, then P_theta({x}) = 0. Yet {x}^c is closed under the discrete topology, and hence x "
    "not in supp(P_theta). This argument applies for all x in X; thus supp(P_theta) = empty.",
    reading="of every law P_theta on an uncountable X; its atoms are the case",
    grade=incomplete("that P_theta has no atoms: an uncountable X does not keep a law from sitting on one point"),
    checks=[every(with_atoms, "get(atoms, x, 0) == 0")],
)

state(
    "interval.support.discrete.repaired",
    "dissertation, section C.1, footnote 1",
    claim="Under the discrete topology the intersection of all sets of probability 1 is the set of atoms: empty iff "
    "there are none.",
    repairs="interval.support.discrete",
    checks=[
        every(
            cases("all laws in sixths on three outcomes under the discrete topology", "p")(lambda: laws_of(3, 6)),
            "support_by(p, subsets(set(range(3))), set(range(3)), 1) == set(t for t in p if p[t] > 0)",
        ),
        argued(
            "all sets X whose one-point sets are events",
            proof="The complement of {x} is closed, and has probability 1 iff x is no atom; an atom is in each set of "
            "probability 1.",
        ),
    ],
    mutants={
        "of probability 2/3": every(
            cases("all laws in sixths on three outcomes under the discrete topology", "p")(lambda: laws_of(3, 6)),
            "support_by(p, subsets(set(range(3))), set(range(3)), 2 / 3) == set(t for t in p if p[t] > 0)",
        )
    },
)
