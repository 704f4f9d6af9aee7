"""The swapping invariants of the article's examples: the censuses of 2010, 2020 and 1940."""

from collections import Counter
from functools import cache
from itertools import product

from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, misprint, mutant, own, settled, some, state
from stirred.verify.ledger.claims.swapping.data_sets import data_sets, inside_strata, swapped_records
from stirred.verify.ledger.words import count

tallied = lambda rows: {(a, count(rows, a)) for a in rows}
households_by_block = lambda x: tallied([(m[2], s) for m, h, s in x])
adults_by_block = lambda x: tallied([(m[2], s) for m, h, s in x for k in range(m[0])])
children_by_block = lambda x: tallied([(m[2], s) for m, h, s in x for k in range(m[1] - m[0])])
characteristics_by_county = lambda x: tallied([(m, h) for m, h, s in x])
characteristics_by_tract = lambda x: tallied([(m[2], s[0], h) for m, h, s in x])
characteristics_by_block = lambda x: tallied([(m[2], s, h) for m, h, s in x])
tabulated = lambda x, tables: (
    [
        tallied([[unit[i] for i in columns] for unit in x if all(unit[i] == value for i, value in only)])
        for columns, only in tables
    ]
)
universes_of = lambda points, tables: len({tabulated(x, tables) for x in points})

# a household is ((adults, persons, V_g), characteristics, (tract, block))
_HOUSEHOLDS = tuple(product(((1, 1, "A"), (1, 2, "A"), (2, 2, "B")), (0, 1), (("t", 1), ("t", 2), ("u", 3))))
households = cases(
    "three kinds of households, two characteristics, three blocks in two tracts, up to 3 households",
    "x g",
    lambda: ((x, g) for x in data_sets(3, _HOUSEHOLDS) for g in inside_strata(x)),
)
decennial_2010 = lambda x, g: (
    households_by_block(x) == households_by_block(swapped_records(x, g))
    and adults_by_block(x) == adults_by_block(swapped_records(x, g))
    and children_by_block(x) == children_by_block(swapped_records(x, g))
    and characteristics_by_county(x) == characteristics_by_county(swapped_records(x, g))
)

_EXAMPLE_2 = ("article, Example 2 (continued)", "dissertation, Example 3.2.1 (continued)")

state("swapping.invariants.decennial-2010", *_EXAMPLE_2)(
    """In the 2010 U.S. Census DAS, the number of adults, children, and households in each block are invariant. (This is
    the n_m.s margin.) The counts of all the person and household characteristics inside each V_g are also invariant.
    (This is the n_mh. margin.)""",
    every(households, decennial_2010),
    mutant(
        "characteristics invariant inside each block",
        lambda x, g: characteristics_by_block(x) == characteristics_by_block(swapped_records(x, g)),
    ),
    reading="""the 2010 DAS as Example 2 simplifies it: V_Match the numbers of adults and of persons of a household and
    V_g, V_Swap the geographies under V_g, all other variables holding""",
)

perturbed_at_both = lambda x, g: (
    characteristics_by_tract(x) != characteristics_by_tract(swapped_records(x, g))
    and characteristics_by_block(x) != characteristics_by_block(swapped_records(x, g))
)

state("swapping.invariants.decennial-2010.perturbed", *_EXAMPLE_2)(
    """For example, if V_g is the county, then the aggregate characteristics at the county level remain unchanged by
    swapping, but these aggregates at the block and tract level are perturbed.""",
    every(households, lambda x, g: characteristics_by_county(x) == characteristics_by_county(swapped_records(x, g))),
    mutant(
        "unchanged at the tract level",
        lambda x, g: characteristics_by_tract(x) == characteristics_by_tract(swapped_records(x, g)),
    ),
    some(households, perturbed_at_both),
    reading="perturbed: some swap changes them, at both levels",
)

_VARIABLES = ("state", "block", "group quarters", "occupied", "age")
_STATE, _BLOCK, _QUARTERS, _OCCUPIED, _AGE = range(5)
"""The variables of a housing unit or group quarters; the age is that of a person who lives there."""
Columns = tuple[int, ...]
Tables = tuple[tuple[Columns, tuple[tuple[int, int], ...]], ...]
"""Tables of counts: the variables that each classifies by, and the values of variables that it is restricted to."""

_CENSUS: Tables = (
    ((_STATE,), ((_OCCUPIED, 1),)),
    ((_STATE, _BLOCK), ((_QUARTERS, 0),)),
    ((_STATE, _BLOCK), ((_QUARTERS, 1), (_OCCUPIED, 1))),
)
"""People by state, housing units by block, occupied group quarters by block."""

_ALL_BUT_AGE: Tables = (((_STATE, _BLOCK, _QUARTERS, _OCCUPIED), ()), ((_AGE,), ()))
_AGES: Tables = (((_AGE,), ()),)
_ALL, _OF_OCCUPIED, _FEW = tuple(range(5)), (_STATE, _BLOCK, _QUARTERS, _AGE), (_BLOCK, _QUARTERS, _AGE)
choices = cases(
    "units with five binary variables (state, block, group quarters or housing, occupied by a person, age), up to 2 "
    "units; every partition into holding and swapping and every set of matching variables",
    "swapping",
    lambda: (
        ((hold, ()), (linked, ()))
        for roles in product("mhs", repeat=len(_VARIABLES))
        for hold, linked in [(tuple(i for i, role in enumerate(roles) if role in kinds) for kinds in ("mh", "ms"))]
        if hold and "s" in roles
    ),
)

# the data sets of up to two units in which these variables vary, the others being 1; their tables; how many universes
_points = cache(lambda free: tuple(data_sets(2, tuple(product(*((0, 1) if i in free else (1,) for i in _ALL))))))
_kept = lambda only, free: ([u for u in x if all(u[i] == v for i, v in only)] for x in _points(free))
_tallied = cache(
    lambda columns, only, free: tuple(
        frozenset(Counter(tuple(u[i] for i in columns) for u in units).items()) for units in _kept(only, free)
    )
)
_universes = cache(lambda tables, free: len(set(zip(*(_tallied(*table, free) for table in tables), strict=True))))
are_other_universes = lambda points, census, swapping: (
    len({universes_of(points, tables) for tables in (census, swapping, census + swapping)}) > 1
)


def other_universes(swapping: Tables, *, census: Tables, free: Columns) -> Witness | None:
    """The invariants of the census and those of swapping do not divide the data sets into the same universes."""
    is_so = len({_universes(tables, free) for tables in (census, swapping, (*census, *swapping))}) > 1
    case = {"points": _points(free), "census": census, "swapping": swapping, "note": ", ".join(_VARIABLES)}
    return settled(is_so, are_other_universes, lambda: case)


state("swapping.invariants.topdown", "article, Example 3", "dissertation, Example 3.2.3")(
    """We cannot design a swapping algorithm that preserves these—and only these—invariants. In other words, the 2020
    U.S. Census invariants do not correspond to any swapping invariants c_Swap, regardless of the choice of V_Match,
    V_Swap and V_Hold.""",
    every(choices, other_universes, census=_CENSUS, free=_ALL),
    mutant(
        "the units of each block by all but age invariant, and those of each age",
        {"census": _ALL_BUT_AGE, "free": _FEW},
    ),
    reading="""invariants correspond if they divide the data sets into the same universes; blocks have housing units and
    group quarters of one person each""",
)

_TDA = cases(
    "the invariants of the 2020 TopDown Algorithm, units that differ in block, quarters and age",
    "points census ages",
    lambda: [(_points(_FEW), _CENSUS, _AGES)],
)

ages_kept_by = lambda points, census, ages: universes_of(points, census) == universes_of(points, census + ages)


def ages_kept(invariants: Tables, *, free: Columns) -> Witness | None:
    """Data sets with the same invariants have as many units of each age."""
    is_so = _universes(invariants, free) == _universes((*invariants, *_AGES), free)
    return settled(is_so, ages_kept_by, lambda: {"points": _points(free), "census": invariants, "ages": _AGES})


state("swapping.invariants.ages", "article, Example 3", "dissertation, Example 3.2.3")(
    """For example, the number of 25- to 34-year-old people in the United States is not invariant under the 2020 TDA,
    but it must necessarily be invariant under any swapping algorithm.""",
    some(_TDA, lambda points, census, ages: not ages_kept_by(points, census, ages)),
    every(choices, ages_kept, free=_OF_OCCUPIED),
    mutant("the invariants of the 2020 TDA", every(_TDA, ages_kept_by)),
    reading="whatever variables of the records are matching, holding and swapping; one person in every unit",
)

dwellings = cases(
    "two household sizes, two kinds of ownership, three counties: every count different",
    "n sizes tenures counties",
    lambda: (
        ({dwelling: 2**i for i, dwelling in enumerate(product(*kinds))}, *kinds)
        for kinds in [(("1 person", "2 persons"), ("owned", "rented"), ("Barnstable", "Berkshire", "Bristol"))]
    ),
)

# dwellings by size and tenure, by size and county, by county and by tenure; n_m.s, n_mh., and their sums over m
dwellings_counted = lambda n, sizes, tenures, counties: (
    [
        [sum(n[d] for d in n if (d[0], d[1]) == kind) for kind in product(sizes, tenures)],
        [sum(n[d] for d in n if (d[0], d[2]) == kind) for kind in product(sizes, counties)],
        [sum(n[d] for d in n if d[2] == county) for county in counties],
        [sum(n[d] for d in n if d[1] == tenure) for tenure in tenures],
    ]
)
n_m_s = lambda n, sizes, tenures, counties: [sum(n[m, h, s] for h in tenures) for m in sizes for s in counties]
n_mh = lambda n, sizes, tenures, counties: [sum(n[m, h, s] for s in counties) for m in sizes for h in tenures]
sums_of_n_m_s = lambda n, sizes, tenures, counties: [
    sum(sum(n[m, h, s] for h in tenures) for m in sizes) for s in counties
]
sums_of_n_mh = lambda n, sizes, tenures, counties: [
    sum(sum(n[m, h, s] for s in counties) for m in sizes) for h in tenures
]
demonstration_printed = lambda n, sizes, tenures, counties: (
    dwellings_counted(n, sizes, tenures, counties)
    == [
        n_m_s(n, sizes, tenures, counties),
        n_mh(n, sizes, tenures, counties),
        sums_of_n_mh(n, sizes, tenures, counties),
        sums_of_n_m_s(n, sizes, tenures, counties),
    ]
)

_SECTION_3_4 = ("article, section 3.4", "dissertation, section 3.2.4 (the first two sentences)")

state("swapping.invariants.demonstration.printed", *_SECTION_3_4)(
    """The invariants c_Swap induced by this swapping scheme include 1) the total number of owned versus rented
    dwellings at each of the household sizes at the state level, and 2) the total number of dwellings at each of the
    household sizes at the county level. In our notation, these are the n_m.s's and the n_mh.'s, respectively. … The row
    margin of either table is the county-level total dwellings and is invariant due to n_.h. = sum_m n_mh. . The column
    margin is the total number of owned versus rented dwellings in Massachusetts and is invariant due to n_..s = sum_m
    n_m.s.""",
    every(dwellings, demonstration_printed),
    reading="s is a value of V_Swap, the county, and h of V_Hold \\ V_Match, the ownership, as in Proposition 4",
    grade=misprint("h and s are exchanged: V_Swap is the county there, yet h is called the county indicator below"),
)

demonstration = lambda n, sizes, tenures, counties: (
    dwellings_counted(n, sizes, tenures, counties)
    == [
        n_mh(n, sizes, tenures, counties),
        n_m_s(n, sizes, tenures, counties),
        sums_of_n_m_s(n, sizes, tenures, counties),
        sums_of_n_mh(n, sizes, tenures, counties),
    ]
)

own("swapping.invariants.demonstration", "article, section 3.4", "slides, The invariants are")(
    "With V_Swap the county and V_Hold \\ V_Match the ownership, owned versus rented dwellings by household size "
    "are the n_mh.'s and dwellings by household size and county are the n_m.s's; the county totals are "
    "n_..s = sum_m n_m.s and the totals by ownership are n_.h. = sum_m n_mh. .",
    every(dwellings, demonstration),
    mutant("the names as printed", demonstration_printed),
    repairs="swapping.invariants.demonstration.printed",
)
