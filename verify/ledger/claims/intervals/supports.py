"""The support of a law under the discrete topology, where every set is closed: its atoms."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import argued, cases, every, incomplete, mutant, own, state
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, subsets
from stirred.verify.ledger.words import probability

support_by = lambda p, sets, T, least: {t for t in T if all(t in s for s in sets if probability(p, s) >= least)}

with_atoms = cases(
    "laws on the uncountable X = [0, 1]: atoms of these masses, the rest of the mass uniform; the points 0, 1/2, 1",
    "atoms x",
    lambda: (
        (atoms, x)
        for atoms, x in product(
            ({Fraction(0): Fraction(1)}, {Fraction(1, 2): Fraction(1, 3)}, {}), map(Fraction, ("0", "1/2", "1"))
        )
    ),
)

state("interval.support.discrete", "dissertation, section C.1, footnote 1")(
    """If X is uncountable, then P_theta({x}) = 0. Yet {x}^c is closed under the discrete topology, and hence x not in
    supp(P_theta). This argument applies for all x in X; thus supp(P_theta) = empty.""",
    every(with_atoms, lambda atoms, x: get(atoms, x, 0) == 0),
    reading="of every law P_theta on an uncountable X; its atoms are the case",
    grade=incomplete("that P_theta has no atoms: an uncountable X does not keep a law from sitting on one point"),
)

own("interval.support.discrete.repaired", "dissertation, section C.1, footnote 1")(
    """Under the discrete topology the intersection of all sets of probability 1 is the set of points of positive
    probability: empty iff there are none.""",
    every(
        cases("all laws in sixths on three outcomes under the discrete topology", "p", lambda: laws_of(3, 6)),
        lambda p: support_by(p, subsets(set(range(3))), set(range(3)), 1) == {t for t in p if p[t] > 0},
    ),
    mutant(
        "of probability 2/3",
        lambda p: support_by(p, subsets(set(range(3))), set(range(3)), 2 / 3) == {t for t in p if p[t] > 0},
    ),
    argued(
        "all sets X whose one-point sets are events",
        proof="The complement of {x} is closed, and has probability 1 iff x is no atom; an atom is in each set of "
        "probability 1.",
    ),
    repairs="interval.support.discrete",
)
