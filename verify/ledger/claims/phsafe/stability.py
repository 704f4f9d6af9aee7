"""How far one person's record changes what PHSafe joins and counts: Lemma 6, Theorems 1 to 4, households."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product

from stirred.mechanisms.das.phsafe import BasePerson, RaceEth, Settings, derived_tables, truncate_and_join
from stirred.mechanisms.das.phsafe.algorithms import ORDERS
from stirred.mechanisms.das.phsafe.records import Relationship, Tenure
from stirred.verify.ledger import cases, every, mutant, own, state, theorem
from stirred.verify.ledger.engines.phsafe.stability import RuleDomain, household_counts
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import symmetric_difference

# how far one person's record changes what PHSafe joins and counts: Lemma 6 and Theorems 1 to 4

_WHITE, _HISPANIC = RaceEth(("A",)), RaceEth(("B",), is_hispanic=True)
KINDS = [
    BasePerson("", 0, 40, _WHITE, Relationship.HOUSEHOLDER, "male", Tenure.MORTGAGE),
    BasePerson("", 0, 41, _HISPANIC, Relationship.HOUSEHOLDER, "female", Tenure.RENTED),
    BasePerson("", 0, 5, _WHITE, Relationship.OWN_CHILD, "male", Tenure.MORTGAGE),
    BasePerson("", 0, 40, _WHITE, Relationship.OPPOSITE_SEX_SPOUSE, "female", Tenure.MORTGAGE),
    BasePerson("", 0, 40, _HISPANIC, Relationship.NONRELATIVE, "female", Tenure.RENTED),
]
_MOST = 3
_LEVELS = [f"{geography}_{iterations}" for geography in ("usa", "state") for iterations in ("*", "A-G", "H,I")]


households = lambda tau: RuleDomain(KINDS, tau + 1, ("01",))
# of what is known of households by their persons: before and after a person is added
one_more = lambda known: (
    (before, known[after])
    for (place, chosen, units), before in known.items()
    for kind in range(len(KINDS))
    for after in [(place, tuple(sorted((*chosen, kind))), units)]
    if after in known
)
# a joined row by what sets the rows of the households apart
_shown = lambda person, unit: (
    f"{person and (person.age, str(person.relationship))}, {unit.tenure}, {unit.status}, {unit.is_family}"
)
_rows = lambda data, tau: [
    _shown(row.person, row.unit) for row in truncate_and_join(data[0], data[1], tau, ORDERS["hash"])
]


def _counted(tables: tuple[str, ...], largest: int, geographies: str) -> Iterator[tuple[int, list[int], list[int]]]:
    """For every threshold, run and level, each pair of counts of a household before and after a person is added."""
    for tau, table in product(range(1, largest + 1), tables):
        thresholds = {} if table.endswith("denom") else {table: tau}
        levels = [level for level in _LEVELS if level.startswith(geographies)]
        settings = Settings({table: dict.fromkeys(levels, 1)}, thresholds, ("01",))
        for counts in household_counts(households(tau), settings).values():
            yield from ((tau, list(before), list(after)) for before, after in dict.fromkeys(one_more(counts)))


def _replaced(tables: tuple[str, ...], largest: int) -> Iterator[tuple[int, list[int], list[int]]]:
    """The counts of two households before and after a person of the one goes and another comes to the other."""
    for table in tables:
        listed = defaultdict(list)
        for tau, before, after in _counted((table,), largest, "usa_A-G"):
            listed[tau, len(before)].append((before, after))
        for (tau, _), pairs in listed.items():
            for (fewer, more), (before, after) in product(pairs, repeat=2):
                yield tau, [a + b for a, b in zip(more, before)], [a + b for a, b in zip(fewer, after)]


def _by_joined(tables: tuple[str, ...], fewer: int) -> Iterator[tuple[str, list[int], list[int]]]:
    """Households with the same joined rows, where the persons are truncated to so many fewer: the counts of a level."""
    for tau, table in product((1, 2), tables):
        rows = {
            name: repr(sorted(map(repr, truncate_and_join(*data, tau - fewer, ORDERS["hash"]))))
            for name, data in households(tau).of_one_mafid()
        }
        settings = Settings({table: dict.fromkeys(_LEVELS, 1)}, {table: tau}, ("01",))
        for counts in household_counts(households(tau), settings).values():
            first: dict[str, tuple[int, ...]] = {}
            for name, vector in counts.items():
                yield table, list(first.setdefault(rows[name], vector)), list(vector)


_UP_TO = "households of up to {} persons of five kinds, whose unit follows from them{}"
_pairs = lambda most, more, listed: cases(_UP_TO.format(most, more), "tau x y")(listed)
_same_rows = lambda fewer: cases(
    _UP_TO.format(
        "tau + 1", ", each with the first that has the same joined rows; PH1_num, PH4, every level; tau = 1, 2"
    ),
    "table x y",
)(lambda: _by_joined(("PH1_num", "PH4"), fewer))
_NUM, _DENOM = ("PH1_num", "PH3", "PH4", "PH7"), ("PH1_denom", "PH5_denom", "PH8_denom")
_SHOWN = "; PH1_denom, PH5_denom and PH8_denom"
JOINED = _pairs(
    4,
    "; tau = 1, 2, 3",
    lambda: (
        (tau, before, after)
        for tau in range(1, _MOST + 1)
        for rows in [{name: _rows(data, tau) for name, data in households(_MOST).of_one_mafid()}]
        for before, after in one_more(rows)
    ),
)
ADDED = _pairs("tau + 1", "; PH1_num, PH3, PH4 and PH7, every level; tau = 1, 2, 3", lambda: _counted(_NUM, _MOST, ""))
UNITS_ADDED = _pairs(2, f"{_SHOWN}, every level", lambda: _counted(_DENOM, 1, ""))
REPLACED = cases(f"two {_UP_TO.format('tau + 1', '; PH1_num, PH4 and PH7 in (Nation, A-G); tau = 1, 2')}", "tau x y")(
    lambda: _replaced(("PH1_num", "PH4", "PH7"), 2)
)
UNITS_REPLACED = cases(f"two {_UP_TO.format(2, _SHOWN)} in (Nation, A-G)", "tau x y")(lambda: _replaced(_DENOM, 1))

_READING = (
    "for one level and rho_i = 1, to which it comes down as levels add up (Lemma 4): integers x and y with discrete "
    "Gaussian noise are sum (x - y)^2/(2 sigma^2) apart, with sigma^2 = Delta^2/(2 rho_i); persons name a MAFID, and a "
    "unit follows from those of its MAFID"
)
_LAWS = "discrete laws, any number of levels and cells; persons 1-stable and units 2-stable in the base records"

stable_join = lambda x, y, tau, more: symmetric_difference(x, y) <= 2 * tau + more
joined_loss_within = lambda x, y, tau, more, budget: (
    sum((a - b) ** 2 for a, b in zip(x, y)) / (2 * tau + more) ** 2 <= budget
)
unit_loss_within = lambda x, y, delta, budget: sum((a - b) ** 2 for a, b in zip(x, y)) / delta**2 <= budget

state("phsafe.stability.truncate-and-join", "PHSafe, Lemma 6")(
    "Algorithm 3 is a (2 tau + 2)-stable transformation.",
    every(JOINED, stable_join, more=2),
    mutant("2 tau - 1", {"more": -1}),
    theorem("joined.truncate_and_join_stable"),
    reading="""of the base person dataframe, as its proof has it; between neighbours, from which it follows for all
    pairs along a path""",
)

own("phsafe.stability.truncate-and-join.sharp", "PHSafe, Lemma 6")(
    "Where the unit follows from the persons of its MAFID, Algorithm 3 is 2 tau-stable between neighbours.",
    every(JOINED, stable_join, more=0),
    mutant("2 tau - 1", {"more": -1}),
    theorem("joined.households_stable"),
)

state("phsafe.privacy.decomposed", "PHSafe, Theorem 1 (its proof)", "PHSafe, Theorem 3 (its proof)")(
    """We can decompose the algorithm M into a transformation function T followed by a sequential composition of omega
    zCDP mechanisms M_1, ..., M_omega that take as input the joined dataframes output by T and output the statistics for
    population group level i.""",
    every(_same_rows(0), lambda x, y: x == y),
    mutant("joined with tau - 1 for tau", _same_rows(1)),
    reading="""what is counted at each level, to which noise of its own is added, is a function of the joined rows; of
    Algorithm 2 the same words say so of the rows of units, from which it counts alone""",
)

state("phsafe.privacy.join", "PHSafe, Theorem 1")(
    """Algorithm 1 satisfies rho = sum_{i in [1, omega]} rho_i-zCDP, where omega is the number of population group
    levels.""",
    every(ADDED, joined_loss_within, more=2, budget=1),
    mutant("Delta = 2 tau - 1", {"more": -1}),
    theorem("release.join_run_zcdp", within=_LAWS),
    reading=_READING,
)

state("phsafe.privacy.units", "PHSafe, Theorem 2")(
    """Algorithm 2 is rho = sum_{i in [1, omega]} rho_i-zCDP, where omega is the number of population group levels.""",
    every(UNITS_ADDED, unit_loss_within, delta=2, budget=1),
    mutant("Delta = 1", {"delta": 1}),
    theorem("release.units_run_zcdp", within=_LAWS),
    reading=_READING,
)

state("phsafe.privacy.join.bounded", "PHSafe, Theorem 3")(
    "Algorithm 1 satisfies bounded rho = sum_{i in [1, omega]} 2 rho_i-zCDP.",
    every(REPLACED, joined_loss_within, more=2, budget=2),
    mutant("Delta = 2 tau - 1", {"more": -1}),
    reading=f"{_READING}; were both data frames free, a person and two units replaced would need all of it, and more "
    "where MAFIDs of units may repeat",
)

state("phsafe.privacy.units.bounded", "PHSafe, Theorem 4")(
    "Algorithm 2 satisfies bounded rho = sum_{i in [1, omega]} 2 rho_i-zCDP.",
    every(UNITS_REPLACED, unit_loss_within, delta=2, budget=2),
    mutant("rho_i for 2 rho_i", {"budget": 1}),
    reading=_READING,
)

# Households: how many one record can change, how persons and units are linked, and how many rows a join has

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


moves = cases("up to 3 persons of two kinds in three MAFIDs, one record replaced by any other", "x y")(
    lambda: (
        (_properties(base), _properties((*base[:i], *base[i + 1 :], new)))
        for size in range(1, 4)
        for base in combinations_with_replacement(_MOVERS, size)
        for i, new in product(range(size), _MOVERS)
    )
)

changed_households = lambda x, y: sum(1 for h in set(x) | set(y) if get(x, h, "") != get(y, h, ""))

state("phsafe.change.two-households", "PHSafe, section 2.5")(
    """… changing the values of one person's record, including which household they belong to, can change the properties
    of at most two households, and consequently manifest a large change in the output statistics.""",
    every(moves, lambda x, y: changed_households(x, y) <= 2),
    mutant("one household", lambda x, y: changed_households(x, y) <= 1),
)

unit_numbers = cases(
    "up to 3 persons of two kinds in three MAFIDs: the MAFIDs of persons and of units", "persons units"
)(
    lambda: (
        ([p.mafid for p in persons], [u.mafid for u in units])
        for size in range(4)
        for persons, units in map(derived_tables, combinations_with_replacement(_MOVERS, size))
    )
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
    every(cases("up to 5 persons of two kinds in two MAFIDs; tau = 1, 2, 3", "tau mafids")(_joins), within_threshold),
    mutant("not truncated", cases("not truncated", "tau mafids")(lambda: _joins(truncates=False))),
)
