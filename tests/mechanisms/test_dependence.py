"""Columns that determine what is swapped: found where they do, and not where chance or the strata make it look so."""

import random

import pyarrow as pa
import pytest

from stirred.mechanisms.tables import dependence
from stirred.mechanisms.tables.dependence import dependences


def table(rows, names):
    return pa.table({name: [row[place] for row in rows] for place, name in enumerate(names)})


def households(seed=0, broken=0):
    """1000 households of 1 to 6 persons: sex, household, age, and a value that all of a household have."""
    draws = random.Random(seed)  # noqa: S311 test data
    rows = [
        [draws.choice("MF"), home, draws.randrange(90), value]
        for home in range(1000)
        for value in [draws.choice("ab")]
        for _ in range(1 + draws.randrange(6))
    ]
    for row in rows[:: len(rows) // broken] if broken else ():
        row[3] = "c"
    return table(rows, ["sex", "home", "age", "urban"])


def asked(records, matching=("sex",), kept=("home", "age"), swapping=("urban",), **more):
    return dependences(records, matching, kept, swapping, **more)


def test_a_household_that_determines_its_persons_value_is_found():
    (one,) = asked(households())
    assert (one.columns, one.swapped, one.mixed) == (("home",), ("urban",), 0)
    assert one.is_vacuous(("urban",))
    assert one.sentence.startswith(f"home determines urban in all of {one.records} records that share a value, of ")
    assert one.sentence.endswith(": whoever has the release undoes the swap")


def test_a_look_at_the_first_records_rules_out_no_column_that_determines(monkeypatch):
    monkeypatch.setattr(dependence, "LOOKED_AT", 10)
    assert [one.columns for one in asked(households())] == [("home",)]


@pytest.mark.parametrize("place", [lambda home, age: [home, age], lambda home, age: {"home": home, "age": age}])
def test_a_column_of_lists_or_structures_may_determine_it_too(place):
    records = households()
    places = [place(home, home % 5) for home in records["home"].to_pylist()]
    nested = records.drop_columns("home").append_column("place", pa.array(places))
    assert [one.columns for one in asked(nested, kept=("place", "age"))] == [("place",)]


def test_what_determines_nearly_is_found_and_decides_nothing():
    (one,) = asked(households(broken=5))
    assert (one.columns, one.mixed > 0) == (("home",), True)
    assert not one.is_vacuous(("urban",))
    assert "undoes most of the swap" in one.sentence
    assert not asked(households(broken=200))


def test_a_pair_of_columns_is_asked_about_together():
    rows = [("m", a, b, (a + b) % 7) for a in range(7) for b in range(7) for _ in range(9)]
    found = dependences(table(rows, ["m", "a", "b", "s"]), ("m",), ("a", "b"), ("s",))
    assert [one.columns for one in found] == [("a", "b")]
    assert found[0].sentence.startswith("a x b determines s in all of 441 records:")


def test_a_matching_and_a_held_column_may_determine_it_together():
    rows = [(m, h, (m + h) % 5) for m in range(5) for h in range(5) for _ in range(9)]
    found = dependences(table(rows, ["m", "h", "s"]), ("m",), ("h",), ("s",))
    assert [one.columns for one in found] == [("m", "h")]


def test_counts_weigh_their_lines():
    rows = [(1, tract, tract // 5, 50) for tract in range(20)]
    records = table(rows, ["m", "tract", "area", "n"])
    (one,) = dependences(records, ("m",), ("tract",), ("area",), "n")
    assert (one.columns, one.records) == (("tract",), 1000)
    assert not dependences(records, ("m",), ("tract",), ("area",))  # lines of one record each: no group of two


HONEST = {
    "an identifying column": ([("m", i, i % 5) for i in range(500)], ("h",)),
    "groups of two that agree by chance": ([("m", i // 2, (i * i) % 11 % 2) for i in range(20)], ("h",)),
    "one group": ([("m", "x", i % 3) for i in range(300)], ("h",)),
    "strata of one value": ([(i % 9, i % 2, i % 9) for i in range(900)], ("h",)),
    "a value that nearly all have": ([("m", i // 2, int(i % 5000 == 0)) for i in range(20_000)], ("h",)),
    "independent values": ([("m", i % 40, random.Random(i).randrange(5)) for i in range(5000)], ("h",)),  # noqa: S311 test data
    "nulls instead of a household": ([("m", None if i % 2 else i, i % 3) for i in range(600)], ("h",)),
    "lists": ([("m", [i % 40], random.Random(i).randrange(5)) for i in range(5000)], ("h",)),  # noqa: S311 test data
    "nothing": ([], ("h",)),
}


@pytest.mark.parametrize("name", HONEST)
def test_no_other_column_is_accused(name):
    rows, kept = HONEST[name]
    assert dependences(table(rows, ["m", *kept, "s"]), ("m",), kept, ("s",)) == ()


def test_of_several_swapped_columns_one_alone_does_not_make_the_swap_vacuous():
    draws = random.Random(2)  # noqa: S311 test data
    rows = [("m", h, h % 4, draws.randrange(6)) for h in range(40) for _ in range(30)]
    (one,) = dependences(table(rows, ["m", "h", "s", "t"]), ("m",), ("h",), ("s", "t"))
    assert one.swapped == ("s",)
    assert not one.is_vacuous(("s", "t"))
    rows = [("m", h, h % 4, h % 3) for h in range(40) for _ in range(30)]
    (one,) = dependences(table(rows, ["m", "h", "s", "t"]), ("m",), ("h",), ("s", "t"))
    assert one.is_vacuous(("s", "t"))


def test_a_column_that_determines_beside_the_matching_variables_is_found():
    draws = random.Random(3)  # noqa: S311 test data
    rows = []
    for _ in range(4000):
        state, county, race = draws.randrange(4), draws.randrange(10), draws.choice("abc")
        rows.append([state, county, race, (7 * state + 3 * county) % 11])
    (one,) = asked(table(rows, ["state", "county", "race", "area"]), ("state",), ("county", "race"), ("area",))
    assert (one.columns, one.mixed) == (("state", "county"), 0)
    more = [f"c{place}" for place in range(12)]  # too many columns for pairs of them
    wide = table([[*row, *([0] * 12)] for row in rows], ["state", "county", "race", "area", *more])
    (one,) = asked(wide, ("state",), ("county", "race", *more), ("area",))
    assert one.columns == ("state", "county")


def wards(broken=0):
    """4000 households in 20 wards, four to a district, some of them in another district than their ward."""
    draws = random.Random(6)  # noqa: S311 test data
    rows = [[draws.randrange(3), draws.choice("abc"), draws.randrange(20)] for _ in range(4000)]
    return table(
        [[*row, row[2] // 4 if place >= broken else 9] for place, row in enumerate(rows)],
        ["size", "tenure", "ward", "district"],
    )


def test_a_held_column_that_an_area_determines_marks_who_moved():
    (one,) = asked(wards(), ("size",), ("tenure", "district"), ("ward",))
    assert (one.columns, one.swapped, one.mixed, one.groups) == (("ward",), ("district",), 0, 20)
    assert not one.is_vacuous(("ward",))
    assert one.sentence.startswith("ward determines district, which stays, in all 20 groups of records that share")
    assert "a record whose values do not go together has moved" in one.sentence
    assert asked(wards(), ("size", "district"), ("tenure",), ("ward",)) == ()
    assert asked(wards(), ("size",), ("tenure",), ("district", "ward")) == ()
    assert asked(wards(broken=40), ("size",), ("tenure", "district"), ("ward",)) == ()


def test_an_area_may_determine_a_held_column_beside_the_matching_variables():
    rows = [[size, ward, (ward // 4 + size) % 5] for size in range(3) for ward in range(20) for _ in range(9)]
    (one,) = asked(table(rows, ["size", "ward", "zone"]), ("size",), ("zone",), ("ward",))
    assert (one.columns, one.swapped) == (("ward", "size"), ("zone",))
    nulls = [[size, ward, None if size == 1 or ward == 3 else zone] for size, ward, zone in rows]
    (one,) = asked(table(nulls, ["size", "ward", "zone"]), ("size",), ("zone",), ("ward",))
    assert (one.columns, one.groups) == (("ward", "size"), 2 * 19)


def ordered(broken=0, seed=5):
    """6000 records sorted by county, some of them exchanged with a neighbour."""
    draws = random.Random(seed)  # noqa: S311 test data
    rows = sorted([draws.randrange(5), draws.choice("abc"), draws.randrange(8)] for _ in range(6000))
    for place in draws.sample(range(5000), broken):
        rows[place], rows[place + 700] = rows[place + 700], rows[place]
    return table([[size, race, county] for county, race, size in rows], ["size", "race", "county"])


def test_lines_that_are_sorted_by_what_is_swapped_determine_it():
    (one,) = asked(ordered(), ("size",), ("race",), ("county",), lines=True)
    assert one.is_vacuous(("county",))
    assert one.sentence.startswith("the place of the lines determines county in all of 6000 records: whoever")


def test_lines_that_are_nearly_sorted_are_found_and_decide_nothing():
    (one,) = asked(ordered(broken=2), ("size",), ("race",), ("county",), lines=True)
    assert one.mixed
    assert not one.is_vacuous(("county",))
    assert "groups of records that are neighbours, 8 at a time" in one.sentence


def test_lines_are_not_asked_about_where_their_order_is_not_released():
    assert asked(ordered(), ("size",), ("race",), ("county",)) == ()


@pytest.mark.parametrize("seed", range(20))
def test_lines_in_random_order_or_sorted_by_the_stratum_are_no_dependence(seed):
    draws = random.Random(seed)  # noqa: S311 test data
    rows = [[draws.randrange(4), draws.choice("abc"), draws.randrange(5)] for _ in range(2000)]
    names = ["size", "race", "county"]
    assert asked(table(rows, names), ("size",), ("race",), ("county",), lines=True) == ()
    assert (
        asked(table(sorted(rows, key=lambda row: row[:2]), names), ("size",), ("race",), ("county",), lines=True) == ()
    )
    alike = sorted([size, race, size] for size, race, _ in rows)  # the stratum has the value already
    assert asked(table(alike, names), ("size",), ("race",), ("county",), lines=True) == ()
