"""The printed tables of the swapping study: what their captions and the text around them say of their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import misprint, state


def _numbers(text: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, text.split()))


_TABLE_3 = {
    "W": _numbers("67.6 27.1 0.2 1.2 0.1 3.1 0.6 5.5"),
    "B": _numbers("49.6 46.2 0.2 1.0 0.1 2.3 0.6 6.6"),
    "AI/AN": _numbers("77.0 19.9 0.6 0.5 0.0 1.1 0.9 2.0"),
    "AS": _numbers("69.2 23.1 0.1 5.5 0.0 1.5 0.6 3.2"),
    "H/PI": _numbers("70.7 24.9 0.7 0.5 0.3 2.8 0.0 1.4"),
    "OTH": _numbers("64.4 26.1 0.3 0.7 0.0 7.8 0.6 2.9"),
    "2+": _numbers("71.3 25.6 0.5 0.7 0.0 1.0 0.8 2.0"),
    "Multiple Races": _numbers("70.3 26.1 0.3 1.0 0.0 1.8 0.5 5.3"),
}
"""Partners by the race of the target, 10% swap rate: W, B, AI/AN, AS, H/PI, OTH, 2+, Multiple Races."""

_TABLE_7 = {
    "W": _numbers("65.0 29.1 0.1 1.4 0.0 3.5 0.9 10.4"),
    "B": _numbers("42.9 50.9 0.1 1.6 0.1 3.6 0.8 8.5"),
    "AI/AN": _numbers("67.5 28.5 0.7 0.1 0.0 1.5 1.6 3.2"),
    "AS": _numbers("67.0 26.5 0.0 2.5 0.0 3.2 0.7 3.1"),
    "H/PI": _numbers("66.0 28.9 0.0 1.0 0.0 3.6 0.5 2.1"),
    "OTH": _numbers("58.3 32.1 0.5 0.5 0.0 7.7 0.8 5.1"),
    "2+": _numbers("65.5 30.5 0.5 0.5 0.0 2.2 0.8 3.7"),
    "Multiple Races": _numbers("66.1 29.4 0.5 0.9 0.1 2.5 0.6 7.3"),
}
"""The same at the 2% swap rate."""

_TARGETS = {"2": _numbers("21.2 10.4 4.3 5.4 0.6 10.3 8.8 39.0"), "6": _numbers("21.2 10.4 4.3 5.4 0.6 10.3 8.8 39.0")}
"""The row "% of targets" of Table 2 (10%) and of Table 6 (2%)."""


@cases("the eight rows of Table 3 and of Table 7", "table target row")
def partner_rows() -> Iterator[tuple[int, str, tuple[Fraction, ...]]]:
    for table, rows in ((3, _TABLE_3), (7, _TABLE_7)):
        for target, row in rows.items():
            yield table, target, row


_HALF_UNIT = Fraction(1, 20)
_SUM = "abs(sum(row[:columns]) - 100) <= columns*half_unit"

state(
    "pairwise.tables.partner-rows.printed",
    *("swapping study, Table 3", "swapping study, Table 7"),
    printed="Each row shows the distribution of the race of the partner household for that particular type of target "
    "household (each row is normalized to sum to 100).",
    reading="within half a unit of the last printed digit for each of the eight entries",
    grade=misprint("the entries without the last column, households of multiple races, sum to 100 in every row"),
    checks=[every(partner_rows, _SUM, columns=8, half_unit=_HALF_UNIT)],
)

state(
    "pairwise.tables.partner-rows",
    *("swapping study, Table 3", "swapping study, Table 7"),
    claim="In Tables 3 and 7 the first seven entries of every row sum to 100, within half a unit of the last digit for "
    "each entry; the column of households of multiple races comes on top.",
    repairs="pairwise.tables.partner-rows.printed",
    checks=[every(partner_rows, _SUM, columns=7, half_unit=_HALF_UNIT)],
    mutants={"the first six": every(partner_rows, _SUM, columns=6, half_unit=_HALF_UNIT)},
)

_SAME = "all(a == b for a, b in zip(first, second))"
targets_twice = cases("the row of targets of Table 2 and of Table 6, and 100 of each", "first second")(
    lambda: [((*_TARGETS["2"], sum(_TARGETS["2"])), (*_TARGETS["6"], Fraction(100)))]
)
partners_twice = cases("the first row of Table 3 and of Table 7", "first second")(
    lambda: [(_TABLE_3["W"], _TABLE_7["W"])]
)

state(
    "pairwise.tables.target-rows",
    *("swapping study, Table 2", "swapping study, Table 6"),
    claim="Table 2, for the 10% swap rate, and Table 6, for the 2% swap rate, print one and the same distribution of "
    "targets by race, which sums to 100.",
    checks=[every(targets_twice, _SAME)],
    mutants={"Tables 3 and 7 print one row of partners of white targets": every(partners_twice, _SAME)},
)

_TABLE_1 = {
    "AL": _numbers("0.598 0.603 0.624"),
    "WI": _numbers("0.431 0.434 0.447"),
    "TX": _numbers("0.807 0.810 0.819"),
    "NV": _numbers("0.997 0.999 1.006"),
    "VT": _numbers("0.232 0.233 0.241"),
}
"""Average tract entropy before swapping, after 2% and after 10%."""

entropies = cases("the five states of Table 1", "name before at_2 at_10")(
    lambda: ((name, *row) for name, row in _TABLE_1.items())
)

state(
    "pairwise.tables.entropy",
    *("swapping study, Table 1", "swapping study, section 4.4"),
    printed="The average entropy increases from unswapped data to swapped data at a 2% rate and again from swapped "
    "data at a 2% rate to swapped data at a 10% rate. Table 9 shows the average entropy of tracts before and after "
    "swapping.",
    reading="in each printed state; that these are the entropies of data is not checked",
    checks=[every(entropies, "before < at_2 < at_10")],
    mutants={"by the same amount again": every(entropies, "before < at_2 < at_10 <= 2*at_2 - before")},
)

_TABLE_5 = (
    _numbers("1.84 0.63 0.24 0.26 0.07 0.05 0.04 0.01 0.26 0.00 0.00 0.00"),
    _numbers("8.12 5.30 2.71 2.27 1.33 0.90 0.66 0.14 0.42 0.00 0.00 0.00"),
    _numbers("8.12 5.31 2.34 1.65 0.68 0.45 0.43 0.10 1.32 0.00 0.00 0.00"),
)
"""Sizes 6 to 16 and 36: of all households, of those swapped at 2% and at 10%."""

large_homes = cases("sizes of 6 or more in Table 5: all households, swapped at 2%, at 10%", "printed row")(
    lambda: zip(_numbers("3.41 21.85 20.39"), _TABLE_5, strict=True)
)
_LARGE = "abs(printed - sum(row[first:])) <= (len(row) + 1)*half_unit"

state(
    "pairwise.tables.large-households",
    *("swapping study, Table 5", "swapping study, Appendix B (Household Size)"),
    printed="In contrast, 3.41% of all households in Alabama are of size 6 or greater, but these households make up "
    "21.85% of the households swapped at a 2% swap rate and 20.39% of the households swapped at a 10% swap rate.",
    reading="each is the sum of the rows of Table 5 from size 6 on, within half a unit of the last digit for each "
    "number",
    checks=[every(large_homes, _LARGE, first=0, half_unit=Fraction(1, 200))],
    mutants={"of size 7 or greater": every(large_homes, _LARGE, first=1, half_unit=Fraction(1, 200))},
)
