"""What PHSafe tabulates: iterations, population groups, bases, averages, and what its runs leave out or derive."""

from itertools import chain, combinations, product

from stirred.mechanisms.das.phsafe import RaceEth
from stirred.mechanisms.das.phsafe.records import ITERATIONS
from stirred.verify.ledger import cases, every, misprint, mutant, own, query, state

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
    "all 63 sets of major races, Hispanic or Latino or not, the three iteration levels",
    "races hispanic level",
    lambda: product(_RACES, (False, True), _ITERATION_LEVELS),
)
asians = cases(
    "an Asian alone, Hispanic or Latino; all iterations",
    "races hispanic level",
    lambda: [(("D",), True, tuple("*ABCDEFGHI"))],
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
    lambda: product(_RACES, (False, True), _ITERATION_LEVELS, (("the nation",), ("CA",))),
)

state("phsafe.groups.at-most-one", "PHSafe, section 2.3")(
    """A person or household is associated with at most one population group in the set that comprises a population
    group level.""",
    every(located, lambda races, hispanic, level, places: len(groups_of(level, places, races, hispanic)) <= 1),
    mutant(
        "two states",
        cases("a person in two states", "races hispanic level places", lambda: [(("A",), False, ("*",), ("CA", "TX"))]),
    ),
    reading="a record has one StateID (section 3.1)",
)

texan_groups = lambda races, hispanic: groups_of(["H", "I"], ["Texas"], races, hispanic)

state("phsafe.groups.texas", "PHSafe, section 2.3")(
    """For example, a household in Texas may be associated with H or I but not both, since a householder cannot be both
    Hispanic or Latino and not Hispanic or Latino. Assuming the householder is Hispanic or Latino, the household would
    be associated with the (Texas, H) population group in the (State, H-I) population group level.""",
    every(
        cases("all householders in Texas", "races hispanic", lambda: product(_RACES, (False, True))),
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
        cases("that householder", "races hispanic level", lambda: [(("E",), False, ("H", "I"))]),
        lambda races, hispanic, level: iterations_of(level, races, hispanic) == [],
    ),
    mutant(
        "White for Native Hawaiian", cases("White alone", "races hispanic level", lambda: [(("A",), False, ("H", "I"))])
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
        cases(
            "that householder; the six population group levels",
            "races hispanic levels places",
            lambda: [(("E",), False, _ITERATION_LEVELS, ("nation", "CA"))],
        ),
        lambda races, hispanic, levels, places: all_groups(races, hispanic, levels, places) == _CALIFORNIAN,
    ),
    mutant(
        "(CA, I) too", lambda races, hispanic, levels, places: all_groups(races, hispanic, levels, places) == _AND_I
    ),
)

ages = cases("own children of every age under 18", "age", lambda: range(18))

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

program = cases(
    "all 63 sets of major races, Hispanic or Latino or not: by the program",
    "races hispanic level found",
    lambda: (
        (races, hispanic, level, [] if found is None else [found])
        for races, hispanic, level in product(_RACES, (False, True), _ITERATION_LEVELS)
        for found in [ITERATIONS[_LEVEL_NAMES[level]][1](RaceEth(races, is_hispanic=hispanic))]
    ),
)

own("phsafe.iterations.program", "PHSafe, section 2.2")(
    """The reference program's iterations are those of the paper's list for every set of major races and both
    ethnicities.""",
    every(program, lambda races, hispanic, level, found: found == iterations_of(level, races, hispanic)),
    mutant("I for every White alone", lambda races, level, found: found == iterations_of(level, races, False)),
)
