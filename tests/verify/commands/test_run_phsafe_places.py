"""`stirred run phsafe --each-place --states-of-geo`: places as the published program takes them, and what that costs.

The expected counts are made as that program reads its files: rows of geo outside the states left out, persons and units
joined with geo, units joined with the places of housing units again, and units that are not alone dropped from joins.
"""

import csv
import tomllib
from collections import Counter

import pytest
from published_files import GEO, settings

MORE = """\
2,100000001,29,055,450200,4069,1,1,1,99999,9999
2,100000002,06,055,450200,4069,1,1,1,99999,9999
4,100000006,44,055,450200,4069,1,1,1,99999,9999
"""
"""One unit in both states, one with a second place outside them, and one that is group quarters elsewhere."""


@pytest.fixture
def crowded(phsafe):
    (phsafe.data / "geo.csv").write_text(GEO + MORE)
    return phsafe


def counts(out, table):
    """The counts, by region, iteration and cell."""
    with (out / table / f"{table}.csv").open(newline="") as file:
        return {
            f"{region}{code}{cell}": int(n)
            for region, _, code, cell, n, *_ in list(csv.reader(file, delimiter="|"))[1:]
        }


def found(out, table):
    return {key: count for key, count in counts(out, table).items() if count}


def rows(folder, name):
    return list(csv.DictReader((folder / f"{name}.csv").read_text().splitlines()))


def joined(folder, states):
    """Units with a state each, and the persons that are counted with theirs."""
    geo = [row for row in rows(folder, "geo") if row["TABBLKST"] in states]
    read = {
        name: [row for row in rows(folder, name) for place in geo if place["MAFID"] == row["MAFID"]]
        for name in ("units", "persons")
    }
    units = [
        (unit, place["TABBLKST"])
        for unit in read["units"]
        for place in geo
        if place["MAFID"] == unit["MAFID"] and place["RTYPE"] == "2"
    ]
    times = Counter(unit["MAFID"] for unit, _ in units)
    alone = {unit["MAFID"]: (unit, state) for unit, state in units if times[unit["MAFID"]] == 1}
    return units, [(one, *alone[one["MAFID"]]) for one in read["persons"] if one["MAFID"] in alone]


def test_units_count_for_each_pair_and_their_persons_are_dropped(crowded):
    crowded(settings(), "--each-place")
    units, persons = joined(crowded.data, ("44", "29"))
    occupied = Counter(state for unit, state in units if unit["RTYPE"] == "2" and unit["HHT"] != "0")
    families = Counter(state for unit, state in units if unit["HHT"] in "123")
    housed = Counter((state, 2 + (int(one["QAGE"]) > 17)) for one, _, state in persons if one["RTYPE"] == "3")
    assert occupied == {"44": 5, "29": 2}  # twice in either state, the other unit, and the one of two rows
    assert families == {"44": 2, "29": 2}
    assert housed == {("44", 3): 1}
    of_all = {key: count for key, count in found(crowded.out, "PH1_denom").items() if "*" in key}
    assert of_all == {"1*1": sum(occupied.values()), **{f"{state}*1": n for state, n in occupied.items()}}
    assert found(crowded.out, "PH5_denom")["29*1"] == families["29"]
    by_age = {key: count for key, count in found(crowded.out, "PH1_num").items() if "*" in key}
    assert by_age == {"1*3": 1, **{f"{state}*{cell}": count for (state, cell), count in housed.items()}}


def test_without_the_option_no_unit_of_two_places_counts(crowded):
    crowded(settings())
    assert found(crowded.out, "PH1_denom") == {"1*1": 2, "44*1": 2, "1A1": 2, "44A1": 2, "1I1": 2, "44I1": 2}
    assert found(crowded.out, "PH1_num") == {}


@pytest.mark.parametrize(("privacy", "key", "factor"), [("zcdp", "rho_squared", 16), ("puredp", "epsilon", 4)])
def test_the_runs_that_count_units_spend_as_often_as_one_counts(crowded, tmp_path, privacy, key, factor):
    claim = tmp_path / "claim.toml"
    chosen = settings(0.5, privacy_defn=privacy)
    captured = crowded(chosen, "--each-place", "--seed", 1, "--claim", claim)
    account = tomllib.loads(claim.read_text())["account"]
    spent = {one["name"]: float(one[key]) for one in account["releases"]}
    # levels of half each: 6 where there are iterations; a unit in both states makes 2 * 2 pairs
    assert spent["PH1_num"] == 3
    assert [spent[f"PH{number}_denom"] for number in (1, 5, 8)] == [3 * factor] * 3
    total = 14 + 9 * factor  # PH1_num, PH3, PH4 and PH7, PH2 and PH6; three of units
    assert float(account["total"]) == total
    assert f"= {total} (the sum over 46 levels, those of units times {factor}, since geo has up to 4" in captured.out
    assert "once for each pair of rows that geo has" in account["domain"]
    assert "replaced" not in captured.out


def test_where_geo_names_each_once_nothing_more_is_spent(phsafe):
    captured = phsafe(settings(0.5), "--each-place", "--seed", 1)
    assert "rho^2 = 23 (the sum over 46 levels; PHSafe, Theorems 1 and 2; twice that for replaced" in captured.out


def test_states_without_a_place_have_no_groups(crowded):
    crowded(settings(state_filter=["44", "30", "29"]), "--states-of-geo")
    assert {key[:2] for key in counts(crowded.out, "PH3")} - {"1*", *(f"1{one}" for one in "ABCDEFGHI")} == {"44", "29"}


def test_some_state_must_have_a_place(phsafe):
    (line,) = phsafe(settings(state_filter=["30"]), "--states-of-geo", status=2)
    assert "geo must have a housing unit's place in a state of state_filter" in line


@pytest.mark.parametrize("option", ["--each-place", "--states-of-geo"])
def test_exact_counts_have_neither_option(phsafe, option):
    (line,) = phsafe(settings(), "--non-private", option, status=2)
    assert f"{option} must stand without --non-private" in line
