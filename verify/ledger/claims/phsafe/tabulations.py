"""What PHSafe tabulates and releases: population groups, its nine runs, and counts with noise."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from stirred.mechanisms.das.phsafe import BasePerson, NoisyCount, RaceEth, derived_counts, derived_tables
from stirred.mechanisms.das.phsafe.algorithms import ORDERS, RESIDENCES, counted_rows, group_of
from stirred.mechanisms.das.phsafe.algorithms import groups_of as groups_by_program
from stirred.mechanisms.das.phsafe.records import ITERATIONS, Relationship, Tenure
from stirred.mechanisms.das.phsafe.tabulations import runs
from stirred.mechanisms.noise.discrete_gaussian import discrete_gaussian
from stirred.verify.ledger import cases, every, misprint, mutant, own, query, state
from stirred.verify.ledger.claims.phsafe.table_10 import RELEASE
from stirred.verify.ledger.engines.bounded_law import bounded_law

# what PHSafe tabulates: iterations, population groups, bases, averages, and what its runs leave out or derive

# section 2.2: races are the letters A to F of the major races of a person
is_of = lambda c, races, hispanic: (
    c == "*"
    or (c == "G" and len(races) >= 2)
    or tuple(races) == (c,)
    or (c == "H" and hispanic)
    or (c == "I" and tuple(races) == ("A",) and not hispanic)
)
iterations_of = lambda level, races, hispanic: [c for c in level if is_of(c, races, hispanic)]
groups_of = lambda level, places, races, hispanic: [
    (g, c) for g in places for c in iterations_of(level, races, hispanic)
]

_LETTERS = "ABCDEF"
_RACES = list(chain.from_iterable(combinations(_LETTERS, size) for size in range(1, 7)))
_ITERATION_LEVELS = (("*",), tuple("ABCDEFG"), ("H", "I"))
everyone = cases(
    "all 63 sets of major races, Hispanic or Latino or not, the three iteration levels", "races hispanic level"
)(lambda: product(_RACES, (False, True), _ITERATION_LEVELS))
asians = cases("an Asian alone, Hispanic or Latino; all iterations", "races hispanic level")(
    lambda: [(("D",), True, tuple("*ABCDEFGHI"))]
)

state("phsafe.iterations.exclusive", "PHSafe, section 2.2")(
    """Regardless of whether the iteration is applied to each individual or to the household, the categories within a
    level are mutually exclusive. For example, in the A-G level, an individual or household cannot simultaneously be
    classified as White alone (A) and Black or African American alone (B).""",
    every(everyone, lambda races, hispanic, level: len(iterations_of(level, races, hispanic)) <= 1),
    mutant("all iterations one level", asians),
)

state("phsafe.iterations.across", "PHSafe, section 2.2")(
    """However, individuals or households can be classified in multiple iterations across levels. For example, an
    individual or household can be classified as Unattributed (*), Asian alone (D), and Hispanic or Latino (H).""",
    every(asians, lambda races, hispanic, level: iterations_of(level, races, hispanic) == ["*", "D", "H"]),
    mutant(
        "White alone, not Hispanic or Latino, too",
        lambda races, hispanic, level: iterations_of(level, races, hispanic) == ["*", "D", "H", "I"],
    ),
)

located = cases(
    "all 63 sets of major races, Hispanic or Latino or not, living in California; the six population group levels",
    "races hispanic level places",
)(lambda: product(_RACES, (False, True), _ITERATION_LEVELS, (("the nation",), ("CA",))))

state("phsafe.groups.at-most-one", "PHSafe, section 2.3")(
    """A person or household is associated with at most one population group in the set that comprises a population
    group level.""",
    every(located, lambda races, hispanic, level, places: len(groups_of(level, places, races, hispanic)) <= 1),
    mutant(
        "two states",
        cases("a person in two states", "races hispanic level places")(lambda: [(("A",), False, ("*",), ("CA", "TX"))]),
    ),
    reading="a record has one StateID (section 3.1)",
)

texan_groups = lambda races, hispanic: groups_of(["H", "I"], ["Texas"], races, hispanic)

state("phsafe.groups.texas", "PHSafe, section 2.3")(
    """For example, a household in Texas may be associated with H or I but not both, since a householder cannot be both
    Hispanic or Latino and not Hispanic or Latino. Assuming the householder is Hispanic or Latino, the household would
    be associated with the (Texas, H) population group in the (State, H-I) population group level.""",
    every(
        cases("all householders in Texas", "races hispanic")(lambda: product(_RACES, (False, True))),
        lambda races, hispanic: (
            len(texan_groups(races, hispanic)) <= 1
            and (not hispanic or texan_groups(races, hispanic) == [("Texas", "H")])
        ),
    ),
    mutant("H or I, one of them always", lambda races, hispanic: len(texan_groups(races, hispanic)) == 1),
)

state("phsafe.groups.neither", "PHSafe, section 2.3")(
    """It is also possible for a household to be associated with neither H nor I if, for example, the householder was
    Native Hawaiian and Other Pacific Islander alone and not Hispanic or Latino.""",
    every(
        cases("that householder", "races hispanic level")(lambda: [(("E",), False, ("H", "I"))]),
        lambda races, hispanic, level: iterations_of(level, races, hispanic) == [],
    ),
    mutant(
        "White for Native Hawaiian", cases("White alone", "races hispanic level")(lambda: [(("A",), False, ("H", "I"))])
    ),
)

all_groups = lambda races, hispanic, levels, places: [
    g for place in places for level in levels for g in groups_of(level, [place], races, hispanic)
]

_CALIFORNIAN = (("nation", "*"), ("nation", "E"), ("CA", "*"), ("CA", "E"))
_AND_I = (*_CALIFORNIAN, ("CA", "I"))

state("phsafe.groups.california", "PHSafe, section 2.3")(
    """For example, a Californian household with a Native Hawaiian and Other Pacific Islander alone, not Hispanic or
    Latino householder would be associated with the (nation, *), (nation, E), (CA, *), and (CA, E) population groups
    within the levels (Nation, Unattributed), (Nation, A-G), (State, Unattributed), and (State, A-G), respectively.""",
    every(
        cases("that householder; the six population group levels", "races hispanic levels places")(
            lambda: [(("E",), False, _ITERATION_LEVELS, ("nation", "CA"))]
        ),
        lambda races, hispanic, levels, places: all_groups(races, hispanic, levels, places) == _CALIFORNIAN,
    ),
    mutant(
        "(CA, I) too", lambda races, hispanic, levels, places: all_groups(races, hispanic, levels, places) == _AND_I
    ),
)

ages = cases("own children of every age under 18", "age")(lambda: range(18))

in_one_cell = lambda age, is_in_last: sum([age < 4, age in [4, 5], 6 <= age <= 11, is_in_last]) == 1

state("phsafe.basis.ages", "PHSafe, Table 6")(
    "Universe: Own Children Under 18 Years. … Under 4 years, 4 and 5 years, 6 to 11 years, 12 and 17 years …",
    every(ages, lambda age: in_one_cell(age, age in [12, 17])),
    reading="the ages of a basis: every own child under 18 has exactly one (section 2.4)",
    grade=misprint("12 to 17 years is meant: section 2.4 says that every in-universe person has a category"),
)

own("phsafe.basis.ages.repaired", "PHSafe, Table 6")(
    "Under 4 years, 4 and 5 years, 6 to 11 years and 12 to 17 years have every own child under 18 exactly once.",
    every(ages, lambda age: in_one_cell(age, 12 <= age <= 17)),
    mutant("12 and 17", lambda age: in_one_cell(age, age in [12, 17])),
    repairs="phsafe.basis.ages",
)

_NESTED = ("phsafe.averages.nested", "all numbers of persons and of households or families, these positive")
_TENURE = ("phsafe.averages.tenure", "all positive numbers of persons and of units, by tenure")

state("phsafe.averages.nested", "PHSafe, section 2.4")(
    """The PH1 table shows a hierarchical structure, with the age breakouts nested below the total. This accurately
    implies the nested averages add up to the total average–a consequence of each cell in PH1 sharing the same
    denominator, the total number of households. The PH5 table is similar. The nested averages add up to the total
    average because every cell uses the total number of families as a denominator.""",
    query(*_NESTED),
    mutant(
        "denominators of their own",
        query(
            *_NESTED,
            claimed="children/households + adults/others == (children + adults)/households",
            changes=[("(/ adults households)) (/", "(/ adults others)) (/")],
        ),
    ),
)

state("phsafe.averages.tenure", "PHSafe, section 2.4 and Table 8")(
    """The PH8 table does not share this similarity. Despite displaying a hierarchical structure, the table behaves
    non-hierarchically because each cell uses a different denominator (total number of occupied housing units vs. total
    number of owner occupied housing units vs. total number of renter occupied housing units), which results in the
    total average not equaling the sum of the owner occupied average and the renter occupied average.""",
    query(*_TENURE),
    mutant(
        "nobody in them",
        query(
            *_TENURE,
            claimed="(owners + renters)/(owned + rented) < owners/owned + renters/rented",
            changes=[("(< 0 owners) (< 0 renters)", "(= 0 owners) (= 0 renters)")],
        ),
    ),
    reading="where there are occupied units of both tenures",
)

_LEVEL_NAMES = dict(zip(_ITERATION_LEVELS, ITERATIONS, strict=True))

program = cases("all 63 sets of major races, Hispanic or Latino or not: by the program", "races hispanic level found")(
    lambda: (
        (races, hispanic, level, [] if found is None else [found])
        for races, hispanic, level in product(_RACES, (False, True), _ITERATION_LEVELS)
        for found in [ITERATIONS[_LEVEL_NAMES[level]][1](RaceEth(races, is_hispanic=hispanic))]
    )
)

own("phsafe.iterations.program", "PHSafe, section 2.2")(
    """The reference program's iterations are those of the paper's list for every set of major races and both
    ethnicities.""",
    every(program, lambda races, hispanic, level, found: found == iterations_of(level, races, hispanic)),
    mutant("I for every White alone", lambda races, level, found: found == iterations_of(level, races, False)),
)

# PHSafe's nine runs: whom their filters keep, which cell a row has, and what is derived from the counts of others

_AGES = (0, 3, 4, 5, 6, 11, 12, 13, 17, 18, 40)
_HEADS = [
    BasePerson("01", 1, 40, RaceEth((race,)), Relationship.HOUSEHOLDER, sex, tenure)
    for race, (sex, tenure) in product("AB", (("male", Tenure.MORTGAGE), ("female", Tenure.RENTED)))
]
_OTHERS = [
    BasePerson("01", 1, age, RaceEth(("A",)), relationship, "female", Tenure.RENTED)
    for age, relationship in product(_AGES, Relationship)
    if relationship != Relationship.HOUSEHOLDER
]

_HOMES = [(head, *others) for head in _HEADS for others in ((), *((other,) for other in _OTHERS))]
"""Householders alone, and with one other person."""

_counted_rows = lambda run, members: counted_rows(
    run, *derived_tables(members), RELEASE.thresholds.get(run.name), ORDERS["hash"]
)
# every row that a run counts, of these households
_rows_of_runs = lambda: (
    (run, row) for run, members in product(runs().values(), _HOMES) for row in _counted_rows(run, members)
)

_HOUSEHOLDS = "households of a householder alone or with one other person of 11 ages and every relationship"
counted = cases(f"{_HOUSEHOLDS}: each row in the universe of each of the nine runs", "run cell basis")(
    lambda: ((run.name, run.cell(row), run.cells) for run, row in _rows_of_runs())
)

state("phsafe.basis.exactly-one", "PHSafe, section 2.4")(
    """For a given table, every in-universe person can be assigned to exactly one category of the table's basis. For
    example, with PH4, every person in a family is exclusively either under 18 years or 18 years and over.""",
    every(counted, lambda cell, basis: sum(1 for c in basis if c == cell) == 1),
    mutant("without the last cell", lambda cell, basis: sum(1 for c in basis[:-1] if c == cell) == 1),
    reading='"12 and 17 years" of PH6 being 12 to 17 years (phsafe.basis.ages)',
)

filtered = cases(f"{_HOUSEHOLDS}, run by run: their ages, and whether the filter keeps them", "run kept_of_age")(
    lambda: (
        (run.name, [(one.age, run.person_condition(one.person)) for one in members])
        for run, members in product(runs().values(), _HOMES)
    )
)

state("phsafe.runs.filters", "PHSafe, section 3.2")(
    """Given the inputs described in Section 3.1, no records are removed in the case of PH1_num. However, for tables
    like PH3, the filter would remove people 18 years or over.""",
    every(filtered, lambda run, kept_of_age: run != "PH1_num" or all(kept for age, kept in kept_of_age)),
    mutant("none in PH3", lambda run, kept_of_age: run != "PH3" or all(kept for age, kept in kept_of_age)),
    every(filtered, lambda run, kept_of_age: run != "PH3" or all(kept == (age < 18) for age, kept in kept_of_age)),
)

placed = cases(f"{_HOUSEHOLDS}: the rows of the nine runs, in each level of the run", "group groups cell cells")(
    lambda: (
        (
            group_of(row, level, run, ("01",), RESIDENCES["unit"]) or "",
            groups_by_program(level, ("01",)),
            run.cell(row),
            run.cells,
        )
        for run, row in _rows_of_runs()
        for level in RELEASE.exact_budgets[run.name]
    )
)

state("phsafe.runs.transform", "PHSafe, section 3.2")(
    """Records in the joined dataframe are mapped to at most one population group within the current level. … Next,
    the person is mapped to exactly one basis table cell based on the criteria specified within the table
    specifications.""",
    every(
        placed,
        lambda group, groups, cell, cells: (
            (group == "" or group in groups) and len([c for c in cells if c == cell]) == 1
        ),
    ),
    mutant("exactly one group", lambda group, groups: len([g for g in groups if g == group]) == 1),
    reading="of the program's filters and maps, which are made from the tables' words",
)

_counts_of = lambda run, found: {cell: found.count(cell) for cell in run.cells}
_counts = lambda run, members: _counts_of(runs()[run], list(map(runs()[run].cell, _counted_rows(runs()[run], members))))
_noisy = lambda run, members: [
    NoisyCount(run, "usa_*", ("usa", "*"), cell, rows, Fraction(1)) for cell, rows in _counts(run, members).items()
]
_derived = lambda table, run, members: {
    one.cell: one.value for one in derived_counts(_noisy(run, members)) if one.table == table
}

families = cases(f"{_HOUSEHOLDS}: counts by the cells of PH4, and of PH5_num as it is derived", "x y")(
    lambda: ((_counts("PH4", members), _derived("PH5_num", "PH4", members)) for members in _HOMES)
)
tenures = cases(f"{_HOUSEHOLDS}: persons by tenure of their unit, and PH8_num as it is derived", "x y owned rented")(
    lambda: (
        (
            [str(unit.tenure) for unit in derived_tables(members)[1] for _ in members],
            _derived("PH8_num", "PH7", members),
            [str(tenure) for tenure in Tenure if tenure != Tenure.RENTED],
            str(Tenure.RENTED),
        )
        for members in _HOMES
    )
)

are_counts_by_tenure = lambda y, x, owned, rented: (
    y["owner occupied"] == sum(1 for t in x if t in owned) and y["renter occupied"] == sum(1 for t in x if t == rented)
)

state("phsafe.runs.families", "PHSafe, section 3.2", "PHSafe, section 6.4.1")(
    """We note that PH4 is identical to PH5_num. To avoid redundancy, PHSafe only estimates PH4 and omits PH5_num from
    its processing.""",
    every(families, lambda x, y: x == y),
    mutant("one more", lambda x, y: {c: x[c] + 1 for c in x} == y),
)

state("phsafe.runs.tenure", "PHSafe, section 3.2", "PHSafe, section 6.4.1")(
    """Next, we note that PH8_num is derivable from PH7, since the population in owner occupied units equals the sum of
    the populations in owned with a mortgage or a loan units and owned free and clear units. With this in mind, PHSafe
    opts to not directly estimate PH8_num, but rather to derive its estimates from PH7.""",
    every(tenures, lambda x, y, owned, rented: are_counts_by_tenure(y, x, owned, rented)),
    mutant("owned free and clear alone", lambda x, y, owned, rented: are_counts_by_tenure(y, x, owned[1:], rented)),
    reading="in households within the threshold",
)

state("phsafe.runs.hierarchical", "PHSafe, section 3.2")(
    """Furthermore, we observe that PH8_num and PH8_denom do have hierarchical table structures, despite PH8 behaving
    non-hierarchically. For PH8_num, the population in owner occupied units and the population in renter occupied units
    does sum to the total population in occupied housing units. For PH8_denom, the number of owner occupied units and
    the number of renter occupied units sums to the total count of occupied housing units.""",
    every(tenures, lambda x, y: sum(y[c] for c in y) == len(x)),
    mutant("owners alone", lambda x, y: y["owner occupied"] == len(x)),
    every(
        cases(f"{_HOUSEHOLDS}: PH8_denom, and the unit", "x units")(
            lambda: ((_counts("PH8_denom", members), len(derived_tables(members)[1])) for members in _HOMES)
        ),
        lambda x, units: sum(x[c] for c in x) == units,
    ),
    reading="in households within the threshold",
)

# what PHSafe releases of a count: integers, negative ones too, that need not agree with one another

_LAW = bounded_law(discrete_gaussian(Fraction(4)), 0, cutoff=Fraction(1, 10**6)).lower


def _summed(pairs: Iterable[tuple[Any, Fraction]]) -> Mapping[Any, Fraction]:
    """A law by the masses of its outcomes, which may repeat."""
    law: dict[Any, Fraction] = defaultdict(Fraction)
    for outcome, mass in pairs:
        law[outcome] += mass
    return dict(law)


_outcomes = lambda changed=Fraction: cases(
    "what the program releases a count of 0 as, sigma^2 = 4: outcomes of probability over 10^-6", "law"
)(lambda: [_summed((changed(value), mass) for value, mass in _LAW.items())])

state("phsafe.integrality", "PHSafe, section 2.5")(
    "Integrality: The output statistics must be integers.",
    every(_outcomes(), lambda law: all(v % 1 == 0 for v in law)),
    mutant("halves", _outcomes(lambda value: Fraction(value, 2))),
)

state("phsafe.negativity", "PHSafe, section 2.5")(
    """Negativity and Statistical Postprocessing: The output of the PHSafe algorithm may contain negative counts.""",
    every(_outcomes(), lambda law: any(v < 0 and law[v] > 0 for v in law)),
    mutant("clamped", _outcomes(lambda value: Fraction(max(value, 0)))),
)

two_tables = cases("one true count, released in two tables with noise of their own, sigma^2 = 4", "joint")(
    lambda: [{(v, w): _LAW[v] * _LAW[w] for v, w in product(range(-2, 3), repeat=2)}]
)
one_noise = cases("one noise for both", "joint")(lambda: [{(v, v): mass for v, mass in _LAW.items()}])
nation_and_states = cases("a count of the nation and the sum of those of two states, less the true one", "joint")(
    lambda: [_summed(((n, a + b), _LAW[n] * _LAW[a] * _LAW[b]) for n, a, b in product(range(-2, 3), repeat=3))]
)

may_differ = lambda joint: any(pair[0] != pair[1] and joint[pair] > 0 for pair in joint)

state("phsafe.inconsistency", "PHSafe, section 2.5")(
    """… different counts output by the algorithm need not be consistent with each other. One example of an expected
    inconsistency would be the number of people in households in the United States not equaling the sum of the number of
    people in households across all states. Another example would be different estimates of the same statistic appearing
    in different tables. For example, the population in households in PH2 is not expected to equal the population in
    households in PH7.""",
    every(two_tables, may_differ),
    mutant("one noise for both", one_noise),
    every(nation_and_states, may_differ),
    reading="they differ with positive probability; PH2 and PH7 have the same noise in each level",
)
