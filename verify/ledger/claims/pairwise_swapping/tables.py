"""The printed tables of the swapping study: sums, captions, and what the text says of their numbers."""

from fractions import Fraction
from itertools import combinations, product

from stirred.verify.ledger import cases, every, misprint, mutant, own, some, state

# the printed tables of the swapping study: what their captions and the text around them say of their numbers

APPENDIX_B = "swapping study, Appendix B (Which Races are Being Swapped for Which?)"

numbers = lambda text: tuple(map(Fraction, text.split()))

_TABLE_3 = {
    "W": numbers("67.6 27.1 0.2 1.2 0.1 3.1 0.6 5.5"),
    "B": numbers("49.6 46.2 0.2 1.0 0.1 2.3 0.6 6.6"),
    "AI/AN": numbers("77.0 19.9 0.6 0.5 0.0 1.1 0.9 2.0"),
    "AS": numbers("69.2 23.1 0.1 5.5 0.0 1.5 0.6 3.2"),
    "H/PI": numbers("70.7 24.9 0.7 0.5 0.3 2.8 0.0 1.4"),
    "OTH": numbers("64.4 26.1 0.3 0.7 0.0 7.8 0.6 2.9"),
    "2+": numbers("71.3 25.6 0.5 0.7 0.0 1.0 0.8 2.0"),
    "Multiple Races": numbers("70.3 26.1 0.3 1.0 0.0 1.8 0.5 5.3"),
}
"""Partners by the race of the target, 10% swap rate: W, B, AI/AN, AS, H/PI, OTH, 2+, Multiple Races."""

_TABLE_7 = {
    "W": numbers("65.0 29.1 0.1 1.4 0.0 3.5 0.9 10.4"),
    "B": numbers("42.9 50.9 0.1 1.6 0.1 3.6 0.8 8.5"),
    "AI/AN": numbers("67.5 28.5 0.7 0.1 0.0 1.5 1.6 3.2"),
    "AS": numbers("67.0 26.5 0.0 2.5 0.0 3.2 0.7 3.1"),
    "H/PI": numbers("66.0 28.9 0.0 1.0 0.0 3.6 0.5 2.1"),
    "OTH": numbers("58.3 32.1 0.5 0.5 0.0 7.7 0.8 5.1"),
    "2+": numbers("65.5 30.5 0.5 0.5 0.0 2.2 0.8 3.7"),
    "Multiple Races": numbers("66.1 29.4 0.5 0.9 0.1 2.5 0.6 7.3"),
}
"""The same at the 2% swap rate."""

_TARGETS = numbers("21.2 10.4 4.3 5.4 0.6 10.3 8.8 39.0")
_TARGETS_6 = numbers("21.2 10.4 4.3 5.4 0.6 10.3 8.8 39.0")
"""The row "% of targets" of Table 6 (2%); before it, that of Table 2 (10%)."""

partner_rows = cases("the eight rows of Table 3 and of Table 7", "table target row")(
    lambda: ((table, target, row) for table, rows in ((3, _TABLE_3), (7, _TABLE_7)) for target, row in rows.items())
)

HALF_UNIT = Fraction(1, 20)

row_sums_to_100 = lambda row, columns, half_unit: abs(sum(row[:columns]) - 100) <= columns * half_unit

state("pairwise.tables.partner-rows.printed", "swapping study, Table 3", "swapping study, Table 7")(
    """Each row shows the distribution of the race of the partner household for that particular type of target household
    (each row is normalized to sum to 100).""",
    every(partner_rows, row_sums_to_100, columns=8, half_unit=HALF_UNIT),
    reading="within half a unit of the last printed digit for each of the eight entries",
    grade=misprint("the entries without the last column, households of multiple races, sum to 100 in every row"),
)

own("pairwise.tables.partner-rows", "swapping study, Table 3", "swapping study, Table 7")(
    """In Tables 3 and 7 the first seven entries of every row sum to 100, within half a unit of the last digit for each
    entry; the column of households of multiple races comes on top.""",
    every(partner_rows, row_sums_to_100, columns=7, half_unit=HALF_UNIT),
    mutant("the first six", {"columns": 6}),
    repairs="pairwise.tables.partner-rows.printed",
)

same_numbers = lambda first, second: all(a == b for a, b in zip(first, second))

targets_twice = cases("the row of targets of Table 2 and of Table 6, and 100 of each", "first second")(
    lambda: [((*_TARGETS, sum(_TARGETS)), (*_TARGETS_6, Fraction(100)))]
)

state("pairwise.tables.target-rows.printed", APPENDIX_B, "swapping study, Table 6")(
    "Corresponding tables for a 2% swap rate in Alabama are Tables 6 and 7 in Appendix C.",
    every(targets_twice, lambda first, second: not same_numbers(first, second)),
    reading="""Table 6 has the targets of another run than Table 2: two runs do not agree in all eight shares to the
    last digit, as those of Tables 3 and 7 and of Table 5 do not. Of Table 7: pairwise.tables.partners.printed""",
    grade=misprint(
        "Table 6 repeats the targets of Table 2, which belong to the 10% rate: with the rows of Table 3 they make its "
        "row of partners"
    ),
)

own("pairwise.tables.target-rows", "swapping study, Table 2", "swapping study, Table 6")(
    """Table 2, for the 10% swap rate, and Table 6, for the 2% swap rate, print one and the same distribution of targets
    by race, which sums to 100: a misprint of the study, so that those of the 2% rate are not printed.""",
    every(targets_twice, same_numbers),
    mutant(
        "Tables 3 and 7 print one row of partners of white targets",
        cases("the first row of Table 3 and of Table 7", "first second")(lambda: [(_TABLE_3["W"], _TABLE_7["W"])]),
    ),
    repairs="pairwise.tables.target-rows.printed",
    reading="that Table 2 is the one in its place: pairwise.tables.partners",
)

_TABLE_1 = {
    "AL": numbers("0.598 0.603 0.624"),
    "WI": numbers("0.431 0.434 0.447"),
    "TX": numbers("0.807 0.810 0.819"),
    "NV": numbers("0.997 0.999 1.006"),
    "VT": numbers("0.232 0.233 0.241"),
}
"""Average tract entropy before swapping, after 2% and after 10%."""

entropies = cases("the five states of Table 1", "name before at_2 at_10")(
    lambda: ((name, *row) for name, row in _TABLE_1.items())
)

state("pairwise.tables.entropy", "swapping study, Table 1", "swapping study, section 4.4")(
    """The average entropy increases from unswapped data to swapped data at a 2% rate and again from swapped data at a
    2% rate to swapped data at a 10% rate. Table 9 shows the average entropy of tracts before and after swapping.""",
    every(entropies, lambda before, at_2, at_10: before < at_2 < at_10),
    mutant("by the same amount again", lambda before, at_2, at_10: before < at_2 < at_10 <= 2 * at_2 - before),
    reading="in each printed state; that these are the entropies of data is not checked",
)

_STATES = "AL TX WI VT NV"
_TABLE_4 = (
    numbers("1.15536 0.21892 0.62777 0.76887 0.8588 1.03619"),
    numbers("1.63866 0.32916 1.04552 1.24336 1.40136 1.74628"),
    numbers("1.06293 0.19732 0.57016 0.65949 0.69759 0.74886"),
    numbers("0.87533 0.12685 0.34582 0.34762 0.35103 0.38097"),
    numbers("2.01754 0.4715 1.49084 1.7347 1.90895 2.29154"),
)
"""Mean absolute error of TopDown, and of swapping at 2, 10, 15, 20 and 40%, by state."""

state_errors = cases("the five states of Table 4", "name topdown swapping")(
    lambda: ((name, row[0], row[1:]) for name, row in zip(_STATES.split(), _TABLE_4, strict=True))
)

own("pairwise.tables.mean-absolute-error", "swapping study, Table 4")(
    """In every state of Table 4 the mean absolute error of swapping grows with the swap rate and is below that of
    TopDown at 2, 10, 15 and 20%; at 40% it is above it in TX and NV only.""",
    every(state_errors, lambda swapping: all(a < b for a, b in zip(swapping, swapping[1:]))),
    every(state_errors, lambda topdown, swapping, rates: all(error < topdown for error in swapping[:rates]), rates=4),
    mutant("below it at 40% too", {"rates": 5}),
    every(
        state_errors,
        lambda name, topdown, swapping, above: (swapping[4] > topdown) == (name in above),
        above=("TX", "NV"),
    ),
    mutant("above it in NV only", {"above": ("NV",)}),
)

_ROW_OF_PARTNERS = numbers("64.3 26.6 0.3 1.1 0.0 2.5 0.6 4.4")
"""The last row, "% of partners", of Table 3 and of Table 7."""

# the partners of all targets: the rows, each made to sum to 1, weighted by the percentages of targets; with
# every entry off by e: entry k up and the seven others down, or the other way round
partners_up = lambda targets, rows, k, e: sum(
    (t + e) * (row[k] + e) / (sum(row) - 6 * e) for t, row in zip(targets, rows)
)
partners_down = lambda targets, rows, k, e: sum(
    (t - e) * (row[k] - e) / (sum(row) + 6 * e) for t, row in zip(targets, rows)
)
_partners = lambda table, targets, rows: cases(
    f"the eight columns of Table {table} with the targets of Table {targets}", "targets rows partners k"
)(lambda: ((_TARGETS, tuple(rows.values()), _ROW_OF_PARTNERS, k) for k in range(8)))
mean_of_rows = lambda targets, rows, k, half_unit, partners: (
    partners_down(targets, rows, k, half_unit) <= partners[k] + half_unit
    and partners[k] - half_unit <= partners_up(targets, rows, k, half_unit)
)

_PARTNERS_3, _PARTNERS_7 = _partners(3, 2, _TABLE_3), _partners(7, 6, _TABLE_7)

state("pairwise.tables.partners.printed", "swapping study, Table 7")(
    """Each row shows the distribution of the race of the partner household for that particular type of target household
    …. For reference, below is distribution of the household races among all households and among the households
    selected as partners.""",
    every(_PARTNERS_7, mean_of_rows, half_unit=HALF_UNIT),
    reading="""Table 7, for the 2% swap rate, with the targets of Table 6: the partners of all targets are those of each
    type of target in the proportion of the targets; within half a unit of the last digit for every entry""",
    grade=misprint("the row is that of Table 3, for the 10% swap rate, and is the mean of the rows there"),
)

own("pairwise.tables.partners", "swapping study, Table 3", "swapping study, Table 2")(
    """In Table 3, for the 10% swap rate, the row of all partners is the mean of the rows by type of target, each made
    to sum to 100, weighted by the targets of Table 2; every entry within half a unit of the last digit.""",
    every(_PARTNERS_3, mean_of_rows, half_unit=HALF_UNIT),
    mutant("the rows of Table 7", _PARTNERS_7),
    repairs="pairwise.tables.partners.printed",
)

_ALL_HOUSEHOLDS = numbers("70.8 23.9 0.3 0.7 0.0 1.1 0.6 2.5")
household_races = cases(
    "the races of Table 2 and Table 6, those of one race in order of frequency", "race share target"
)(lambda: zip(_TABLE_3, _ALL_HOUSEHOLDS, _TARGETS, strict=True))

over = lambda target, share, race, common: (target > share) == (race not in common)

state("pairwise.tables.targets-by-race", APPENDIX_B, "swapping study, Table 2")(
    """Looking at Table 2, households with multiple races are strongly over-represented among the swap targets. Also,
    households with uncommon races are slightly over-represented among the swap targets.""",
    every(household_races, over, common=("W", "B")),
    mutant("B is over-represented too", {"common": ("W",)}),
    every(
        household_races,
        lambda race, share, target, factor, multiple, of_all: (
            race == "Multiple Races" or target - share < factor * (multiple - of_all)
        ),
        factor=Fraction(1, 3),
        multiple=_TARGETS[7],
        of_all=_ALL_HOUSEHOLDS[7],
    ),
    reading="""uncommon: every race but W and B, whose shares of all households are below 2%; strongly and slightly are
    of percentage points, in which the one is over three times each of the others""",
)

# of targets of a race: their share, partners of the same race, the sum of the row; and that race among all
_DIAGONAL = [
    (target, row[k], sum(row), _ROW_OF_PARTNERS[k])
    for k, (target, row) in enumerate(zip(_TARGETS, _TABLE_3.values(), strict=True))
]
_diagonal = lambda races, listed: cases(f"{races} of Table 3, with the targets of Table 2", "rows")(lambda: listed)
elevated = lambda e, rows, factor: (
    sum((t - e) * (same - e) / (total + 6 * e) for t, same, total, among in rows)
    > factor * sum((t + e) * (among + e) / (998 / 10 - 6 * e) for t, same, total, among in rows)
)

state("pairwise.tables.diagonal", APPENDIX_B, "swapping study, Table 3")(
    """After considering the first two effects, we observe households have an elevated likelihood of being swapped with
    a household with the same race. This is visible in the relatively large numbers on the diagonal of Table 3.""",
    every(_diagonal("the seven races but W", [[row] for row in _DIAGONAL[1:]]), elevated, e=HALF_UNIT, factor=1),
    mutant("of W too", _diagonal("the eight races", [[row] for row in _DIAGONAL])),
    every(_diagonal("the eight races", [_DIAGONAL]), elevated, e=HALF_UNIT, factor=1),
    mutant("twice as large", {"factor": 2}),
    reading="""of all targets, and of those of each race but W: the share of partners of the same race is above that
    race's share of all partners, whatever the digits that are not printed, both as shares of their rows (which sum
    to more than 100, pairwise.tables.partner-rows). For W, two thirds of the partners, the two are equal within the
    digits""",
)

# by the race of the target: partners of another race, of all partners those of one, and all households
_by_race = cases("the rows of Table 3 for each race", "target own row partners households")(
    lambda: (
        (target, own, row, _ROW_OF_PARTNERS, _ALL_HOUSEHOLDS) for own, (target, row) in enumerate(_TABLE_3.items())
    )
)
farthest = lambda first, second: max(abs(a - b) for a, b in zip(first, second))
of_another = lambda row, own: [100 * row[k] / (sum(row) - row[own]) for k in range(len(row)) if k != own]
is_similar = lambda own, row, partners, households, times: (
    farthest(of_another(row, own), of_another(partners, own)) <= times * farthest(partners, households)
)

state("pairwise.tables.partners-by-race", APPENDIX_B, "swapping study, Table 3")(
    """Looking at Table 3, the distribution of partners for any particular type of target is similar to the race
    distribution among all partner households, which in turn is similar to the overall race distribution across all
    households.""",
    every(_by_race, is_similar, times=2),
    mutant("as similar as to all households", {"times": 1}),
    reading="""of partners of another race than the target, as the third observation, after the first two effects, sets
    the target's own race apart: 46.2% of B targets have B partners, of all targets 26.6%. Similar: no share is farther
    off, in percentage points, than twice as far as any share of all partners is from that of all households, 6.5,
    which the sentence calls similar, too""",
)

involved = cases("households of multiple races, of targets and of partners, Tables 2 and 3", "share of_all")(
    lambda: ((row[-1], _ALL_HOUSEHOLDS[-1]) for row in (_TARGETS, _ROW_OF_PARTNERS))
)

state(
    "pairwise.tables.mixed-races", "swapping study, section 4.4", "swapping study, Table 2", "swapping study, Table 3"
)(
    """One reflection of this is that mixed race households are over-represented among the households involved in
    swapping.""",
    every(involved, lambda share, of_all, times: share > times * of_all, times=1),
    mutant("twice among partners too", {"times": 2}),
    reading="among targets and among partners",
)

# the printed tables of the swapping study by size of household: sums, and what the text says of them

column_sums_to_100 = lambda column, half_unit: abs(sum(column) - 100) <= len(column) * half_unit

_SIZES = numbers(" ".join(map(str, (*range(1, 17), 36))))
_BY_SIZE = (
    numbers("26.32 35.59 15.20 14.14 5.34 1.84 0.63 0.24 0.26 0.07 0.05 0.04 0.01 0.26 0.00 0.00 0.00"),
    numbers("5.69 15.69 20.73 21.73 14.32 8.12 5.30 2.71 2.27 1.33 0.90 0.66 0.14 0.42 0.00 0.00 0.00"),
    numbers("12.26 22.12 17.65 16.44 11.13 8.12 5.31 2.34 1.65 0.68 0.45 0.43 0.10 1.32 0.00 0.00 0.00"),
)
"""Table 5: all households, those swapped at 2% and at 10%."""

columns_of_sizes = cases("the three columns of Table 5", "column")(lambda: _BY_SIZE)

state("pairwise.tables.sizes-sum", "swapping study, Table 5")(
    """The distribution over household sizes for the state, the swapped households under a 2% swap rate, and the swapped
    households under a 10% swap rate.""",
    every(columns_of_sizes, column_sums_to_100, half_unit=Fraction(1, 200)),
    mutant("without rounding", {"half_unit": Fraction(0)}),
    reading="each column sums to 100, within half a unit of the last digit for each entry",
)

sizes_of_homes = cases("the sizes of Table 5 with a share above 0.00%", "size share at_2 at_10")(
    lambda: ((int(size), *row) for size, *row in zip(_SIZES, *_BY_SIZE, strict=True) if row[0])
)

over_represented = lambda size, share, at_2, at_10, least_size: size < least_size or min(at_2, at_10) > share

state("pairwise.tables.larger-households", "swapping study, Appendix B (Household Size)", "swapping study, Table 5")(
    """Consistent with this, we observe that larger (more uncommon) household sizes are over-represented among the
    swapped households.""",
    every(sizes_of_homes, over_represented, least_size=3),
    mutant("of two or more", {"least_size": 2}),
    every(
        sizes_of_homes,
        lambda size, share, at_2, at_10, least_size: size >= least_size or max(at_2, at_10) < share,
        least_size=3,
    ),
    reading="larger: of three persons or more; the others are under-represented; at both swap rates",
)

state("pairwise.tables.two-persons", "swapping study, Appendix B (Household Size)", "swapping study, Table 5")(
    """For example, 2 person households are the most common household size in Alabama, making up 35.59% of households.
    However, they make up only 15.69% of the swapped households under a 2% swap rate and 22.12% of the swapped
    households under a 10% swap rate.""",
    every(
        sizes_of_homes,
        lambda size, share, at_2, at_10, persons, most, printed: (
            share <= most and (size != persons or [share, at_2, at_10] == printed)
        ),
        persons=2,
        most=Fraction("35.59"),
        printed=list(numbers("35.59 15.69 22.12")),
    ),
    mutant("of 1 person", {"persons": 1}),
)

_TABLE_8 = (
    ("W", "26 39 14 13 5 1 0 0 0 0 0 0 0 0 0 0 0"),
    ("B", "29 27 17 15 6 2 1 0 0 0 0 0 0 1 0 0 0"),
    ("AI/AN", "40 24 14 13 5 2 1 0 0 0 0 0 0 0 0 0 0"),
    ("AS", "23 25 18 19 7 3 1 1 0 1 2 0 0 0 0 0 0"),
    ("H/PI", "30 24 8 12 20 3 2 0 2 0 0 0 0 0 0 0 0"),
    ("OTH", "15 13 13 17 15 10 4 0 14 0 0 0 0 0 0 0 0"),
    ("2+", "44 23 12 10 5 2 1 2 0 0 0 0 0 0 0 0 0"),
    ("Multiple Races", "0 27 23 21 13 8 4 2 1 1 1 1 0 0 0 0 0"),
)
"""Percentages by household size, for each race."""

sizes_by_race = cases("the eight columns of Table 8", "race column")(
    lambda: ((race, numbers(text)) for race, text in _TABLE_8)
)

single_persons = cases("any two columns of Table 8, the first line", "first second")(
    lambda: combinations([numbers(text)[0] for _, text in _TABLE_8], 2)
)

state("pairwise.tables.sizes-by-race", "swapping study, Table 8", APPENDIX_B)(
    """The distribution over household sizes for each race (where houses with multiple races present are all in the
    “Multiple Races” column). This illustrates a correlation between household size and majority race.""",
    every(sizes_by_race, column_sums_to_100, half_unit=Fraction(1, 2)),
    mutant("printed to a tenth", {"half_unit": HALF_UNIT}),
    every(sizes_by_race, lambda race, column: race != "Multiple Races" or column[0] == 0),
    some(single_persons, lambda first, second: abs(first - second) > 1),
    reading="""each column sums to 100, within half a unit for each entry; no household of one person has several races;
    correlation: the shares of households of one person differ between races by more than rounding""",
)

# households counted by size, in rows, and by race
sized = cases("households of two sizes and two or three races, at most 3 of each kind, some of each size", "rows")(
    lambda: (
        rows
        for races in (2, 3)
        for rows in product(product(range(4 if races == 2 else 3), repeat=races), repeat=2)
        if all(map(sum, rows))
    )
)
of_one_race = lambda row: sum(k**2 for k in row) / sum(row) ** 2
all_sizes = lambda rows: [sum(row[k] for row in rows) for k in range(len(rows[0]))]
chance_by_size = lambda rows: sum(sum(row) * of_one_race(row) for row in rows) / sum(all_sizes(rows))
is_correlated = lambda rows: any(a * sum(rows[1]) != b * sum(rows[0]) for a, b in zip(rows[0], rows[1]))

state("pairwise.partners.same-size", APPENDIX_B)(
    """Such a correlation would mean that swap partners, which necessarily have the same size, are more likely to have
    the same race.""",
    every(sized, lambda rows: (chance_by_size(rows) > of_one_race(all_sizes(rows))) == is_correlated(rows)),
    mutant("less likely", lambda rows: (chance_by_size(rows) < of_one_race(all_sizes(rows))) == is_correlated(rows)),
    reading="""of two households drawn at random from those of one size, and from all; correlated: the shares of the
    races differ between sizes""",
)

large_homes = cases("sizes of 6 or more in Table 5: all households, swapped at 2%, at 10%", "printed row")(
    lambda: ((printed, row[5:]) for printed, row in zip(numbers("3.41 21.85 20.39"), _BY_SIZE, strict=True))
)

sum_of_large_sizes = lambda printed, row, first, half_unit: (
    abs(printed - sum(row[first:])) <= (len(row) + 1) * half_unit
)

state("pairwise.tables.large-households", "swapping study, Table 5", "swapping study, Appendix B (Household Size)")(
    """In contrast, 3.41% of all households in Alabama are of size 6 or greater, but these households make up 21.85% of
    the households swapped at a 2% swap rate and 20.39% of the households swapped at a 10% swap rate.""",
    every(large_homes, sum_of_large_sizes, first=0, half_unit=Fraction(1, 200)),
    mutant("of size 7 or greater", {"first": 1}),
    reading="""each is the sum of the rows of Table 5 from size 6 on, within half a unit of the last digit for each
    number""",
)
