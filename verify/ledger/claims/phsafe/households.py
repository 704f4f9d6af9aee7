"""Households: how many one record can change, how persons and units are linked, and how many rows a join has."""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, product

from stirred.mechanisms.das.phsafe import BasePerson, RaceEth, derived_tables, truncate_and_join
from stirred.mechanisms.das.phsafe.algorithms import ORDERS
from stirred.mechanisms.das.phsafe.records import Relationship, Tenure
from stirred.verify.ledger import cases, every, mutant, state
from stirred.verify.ledger.language_names import get

_MOVERS = [
    BasePerson("01", mafid, age, RaceEth(("A",)), relationship, "male", tenure)
    for mafid in (1, 2, 3)
    for age, relationship, tenure in (
        (40, Relationship.HOUSEHOLDER, Tenure.RENTED),
        (30, Relationship.NONRELATIVE, Tenure.MORTGAGE),
    )
]


def _properties(base: Sequence[BasePerson]) -> Mapping[int, str]:
    """Every household by its MAFID: its unit and its persons."""
    persons, units = derived_tables(base)
    return {
        unit.mafid: f"{unit.tenure}, {unit.status}, {sorted(p.age for p in persons if p.mafid == unit.mafid)}"
        for unit in units
    }


moves = cases(
    "up to 3 persons of two kinds in three MAFIDs, one record replaced by any other",
    "x y",
    lambda: (
        (_properties(base), _properties((*base[:i], *base[i + 1 :], new)))
        for size in range(1, 4)
        for base in combinations_with_replacement(_MOVERS, size)
        for i, new in product(range(size), _MOVERS)
    ),
)

changed_households = lambda x, y: sum(1 for h in set(x) | set(y) if get(x, h, "") != get(y, h, ""))

state("phsafe.change.two-households", "PHSafe, section 2.5")(
    """… changing the values of one person's record, including which household they belong to, can change the properties
    of at most two households, and consequently manifest a large change in the output statistics.""",
    every(moves, lambda x, y: changed_households(x, y) <= 2),
    mutant("one household", lambda x, y: changed_households(x, y) <= 1),
)

unit_numbers = cases(
    "up to 3 persons of two kinds in three MAFIDs: the MAFIDs of persons and of units",
    "persons units",
    lambda: (
        ([p.mafid for p in persons], [u.mafid for u in units])
        for size in range(4)
        for persons, units in map(derived_tables, combinations_with_replacement(_MOVERS, size))
    ),
)

state("phsafe.units.primary-key", "PHSafe, section 3.1.1", "PHSafe, section 3.1.2")(
    """MAFID is a foreign key that links a person record to a household record. … MAFID is a primary key that uniquely
    identifies the household.""",
    every(unit_numbers, lambda persons, units: len(set(units)) == len(units) and set(persons) == set(units)),
    mutant("of persons too", lambda persons: len(set(persons)) == len(persons)),
    reading="of dataframes that are functions of the base person dataframe (section 5)",
)

_joins = lambda *, truncates=True: (
    (tau, [row.unit.mafid for row in rows])
    for tau, size in product((1, 2, 3), range(6))
    for base in combinations_with_replacement(_MOVERS[:4], size)
    for rows in [truncate_and_join(*derived_tables(base), tau if truncates else size + 1, ORDERS["hash"])]
)
within_threshold = lambda mafids, tau: all(sum(1 for b in mafids if b == a) <= tau for a in mafids)

state("phsafe.join.threshold", "PHSafe, section 3.2")(
    """The person_df and unit_df are inner joined on MAFID. The join internally enforces a truncation threshold that
    limits the number of people within a household to an input threshold …""",
    every(cases("up to 5 persons of two kinds in two MAFIDs; tau = 1, 2, 3", "tau mafids", _joins), within_threshold),
    mutant("not truncated", cases("not truncated", "tau mafids", lambda: _joins(truncates=False))),
)
