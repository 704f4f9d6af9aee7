"""The printed tables of the swapping study by size of household: sums, and what the text says of them."""

from fractions import Fraction
from itertools import combinations

from stirred.verify.ledger import cases, every, mutant, some, state
from stirred.verify.ledger.claims.pairwise_swapping.tables import APPENDIX_B, HALF_UNIT, numbers

column_sums_to_100 = lambda column, half_unit: abs(sum(column) - 100) <= len(column) * half_unit

_SIZES = numbers(" ".join(map(str, (*range(1, 17), 36))))
_BY_SIZE = (
    numbers("26.32 35.59 15.20 14.14 5.34 1.84 0.63 0.24 0.26 0.07 0.05 0.04 0.01 0.26 0.00 0.00 0.00"),
    numbers("5.69 15.69 20.73 21.73 14.32 8.12 5.30 2.71 2.27 1.33 0.90 0.66 0.14 0.42 0.00 0.00 0.00"),
    numbers("12.26 22.12 17.65 16.44 11.13 8.12 5.31 2.34 1.65 0.68 0.45 0.43 0.10 1.32 0.00 0.00 0.00"),
)
"""Table 5: all households, those swapped at 2% and at 10%."""

columns_of_sizes = cases("the three columns of Table 5", "column", lambda: _BY_SIZE)

state("pairwise.tables.sizes-sum", "swapping study, Table 5")(
    """The distribution over household sizes for the state, the swapped households under a 2% swap rate, and the swapped
    households under a 10% swap rate.""",
    every(columns_of_sizes, column_sums_to_100, half_unit=Fraction(1, 200)),
    mutant("without rounding", {"half_unit": Fraction(0)}),
    reading="each column sums to 100, within half a unit of the last digit for each entry",
)

sizes_of_homes = cases(
    "the sizes of Table 5 with a share above 0.00%",
    "size share at_2 at_10",
    lambda: ((int(size), *row) for size, *row in zip(_SIZES, *_BY_SIZE, strict=True) if row[0]),
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

sizes_by_race = cases(
    "the eight columns of Table 8", "race column", lambda: ((race, numbers(text)) for race, text in _TABLE_8)
)

single_persons = cases(
    "any two columns of Table 8, the first line",
    "first second",
    lambda: combinations([numbers(text)[0] for _, text in _TABLE_8], 2),
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

large_homes = cases(
    "sizes of 6 or more in Table 5: all households, swapped at 2%, at 10%",
    "printed row",
    lambda: ((printed, row[5:]) for printed, row in zip(numbers("3.41 21.85 20.39"), _BY_SIZE, strict=True)),
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
