"""Two states of towns whose persons are counted in four cells: what designs of the TopDown Algorithm are tried on."""

from fractions import Fraction

from stirred.mechanisms.das.topdown import Geography, QueryGroup

TOWNS = Geography({"US": None, "A": "US", "B": "US", "a": "A", "b": "A", "c": "B"})
CELLS = dict.fromkeys(("young", "old", "in school", "in prison"), "person")
EACH = tuple(tuple(int(i == j) for j in range(4)) for i in range(4))
KINDS = ((1, 1, 0, 0), (0, 0, 1, 1))
SHARES = (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))
GROUPS = (QueryGroup("kind", "person", KINDS, Fraction(1, 3)), QueryGroup("detailed", "person", EACH, Fraction(2, 3)))
