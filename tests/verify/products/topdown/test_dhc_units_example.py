"""The published settings for units of the DHC: what they count, spend and keep, and a made population."""

import csv
import io
import tomllib
from fractions import Fraction
from math import prod

import pytest

from stirred.mechanisms.das.topdown.algorithm import check_edits
from stirred.mechanisms.das.topdown.design import Tie, Weights
from stirred.verify.products.topdown.dhc_example import dhc_units
from stirred.verify.products.topdown.earlier import EarlierRelease
from stirred.verify.products.topdown.files import read_schema, read_tables
from stirred.verify.products.topdown.settings import design_of, read_settings
from stirred.verify.products.topdown.specification import specification
from stirred.verify.records.published import TOTALS

H1 = "h1"


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The folder with both runs, and the schema and settings of the second one."""
    folder = tmp_path_factory.mktemp("units")
    for name, text in dhc_units(tracts=1).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder, read_schema(str(folder / "schema.toml")), read_settings([str(folder / "dhc_unit_US.ini")])


@pytest.fixture(scope="module")
def design(example):
    folder, schema, settings = example
    tables = read_tables(str(folder / "data"), schema)
    options = {"place": tables.place, "weights": Weights.PRECISION, "tie": Tie.SMALLEST, "reproduced": [f"Block={H1}"]}
    return design_of(settings, schema.schema, tables.geography, **options), tables


def test_the_schema_has_the_published_cells_and_queries(example):
    _, schema, settings = example
    assert (schema.schema.shape, schema.schema.records) == ((2, 9, 2, 7, 4, 3, 522), 1_578_528)
    assert len(schema.schema.unit_types) == 4 + 7 + 24
    sizes = {query: len(schema.schema.marginal(query)) for query in settings.queries["US"]}
    assert sizes == {
        "tenvacgq": 35,
        "multig * hisp * hhtenshort_2lev": 2 * 2 * 2,
        "hisp * hhtenshort_2lev": 2 * 2,
        "hisp * hhtenshort_2lev * race": 2 * 2 * 7,
        "partner_type_detailed_own_child_status * sex * hhtenshort_2lev": 12 * 2 * 2,
        "coupled_hh_type * hisp * hhtenshort_2lev": 5 * 2 * 2,
        "sex * hisp * hhtenshort_3lev * race * DetailedCoupleTypeMultGenDetOwnChildSize": 2 * 2 * 3 * 7 * 183,
        "sex * hisp * hhtenshort_3lev * race * hhage * DetailedCoupleTypeMultGenDetOwnChildSize": 2
        * 2
        * 3
        * 7
        * 9
        * 183,
        "hhtenshort_3lev * hhage * DetailedCoupleTypeMultGenDetOwnChildSize": 3 * 9 * 183,
        "detailed": 1_578_528,
    }


def test_every_type_of_household_is_in_one_group_of_each_coarser_version(example):
    _, schema, _ = example
    for name, recode in schema.schema.recodes.items():
        grouped = [value for group in recode.groups.values() for value in group]
        known = schema.schema.columns[recode.of]
        quarters = {value for value in known if value.startswith("GQ")}
        of_homes = set(known) - (quarters if name in (H1, "tot_hu") else set())
        assert set(grouped) == of_homes, name
    couples = schema.schema.recodes["coupled_hh_type"].groups
    assert all(name in value for name, group in couples.items() for value in group)


def test_the_budget_is_that_of_table_3(example):
    """Table 3 prints 7.70 for households; what the strategy has in all is 7.7005."""
    _, _, settings = example
    assert settings.rho_squared == Fraction(77005, 10000)
    (published,) = (one for one in TOTALS if one.product == "DHC household")
    assert published.rho_squared.text == "7.70"
    assert round(settings.rho_squared, 2) == Fraction("7.70")
    spent = settings.rho_squared * settings.shares[1] * settings.queries["State"]["tenvacgq"]
    assert spent == Fraction(3216, 10000)


def test_the_whole_that_table_4_has_is_the_sum_of_the_runs(example, design):
    """Table 4 prints 15.29 for PL and DHC: 2.63 of the redistricting data, and 4.96 and 7.70 of the DHC."""
    _, schema, settings = example
    assert design[0].spent("housing unit") == settings.rho_squared
    earlier = EarlierRelease("some units", Fraction(81, 1156), ("total (Block)",), (), ((H1, "Block"),), ())
    budget = specification(design[0], schema, earlier).budget
    assert f"rho^2 = {settings.rho_squared + Fraction(81, 1156)}:" in str(budget)
    persons = Fraction(49622, 10000) + Fraction(542, 339) ** 2
    (whole,) = (one for one in TOTALS if one.product == "PL and DHC")
    assert whole.rho_squared.text == "15.29"
    assert round(persons + settings.rho_squared + Fraction("0.07"), 2) == Fraction("15.29")


def test_what_is_kept_is_what_the_article_names(design):
    """Housing units and each type of group quarters by block; how many are lived in is the earlier release's."""
    kept = [one.name for one in design[0].invariants]
    assert len(kept) == 1 + 25
    assert kept[:2] == ["housing units (Block)", "housing units (Block)"]
    assert all("GQ" in name for name in kept[2:])
    assert {one.level for one in design[0].invariants} == {7}


def test_structural_zeros_close_the_published_cells(example, design):
    _, schema, settings = example
    named = {name for name, level, _ in settings.rules if level == "Block"}
    assert named == {"h1", "gq_vect", "living_alone", "size2", "size3", "size4", "hh_elderly", "age_child", "owned"}
    rules = schema.schema.rules
    assert len(rules) == 22
    assert all(any(rule.name.startswith(f"{name}_") for name in named) for rule in rules)
    alone = next(rule for rule in rules if rule.name == "living_alone_childalone")
    assert alone.where["hhtype_dhch"] == ("Size 1, not multig, no spouse or partner, living alone, c",)
    closed = {
        rule.name: prod(len(rule.where.get(of, all_)) for of, all_ in schema.schema.attributes.items())
        for rule in rules
    }
    assert closed["hh_elderly_eld3"] == 2 * 2 * 2 * 7 * 3 * 3 * 522
    is_open = design[0].open_cells
    assert 1_578_528 - sum(closed.values()) < (is_open < 1_578_528).sum() < 1_578_528 - closed["hh_elderly_eld3"]


def test_the_made_units_obey_every_rule_and_are_the_earlier_ones(example, design):
    folder, schema, _ = example
    check_edits(design[0], design[1].histograms)
    units = list(csv.DictReader(io.StringIO((folder / "data" / "units.csv").read_text())))
    vacancy = {value: name for name, group in schema.schema.recodes[H1].groups.items() for value in group}
    housing = [(row["block"], vacancy[row["tenvacgq"]]) for row in units if row["tenvacgq"] in vacancy]
    h1 = list(csv.DictReader(io.StringIO((folder / "h1" / "data" / "units.csv").read_text())))
    assert housing == [(row["block"], row["h1"]) for row in h1]
    assert len(housing) < len(units)
    earlier = read_settings([str(folder / "h1" / "h1_unit.ini")])
    assert earlier.rho_squared == Fraction(81, 1156)
    assert tomllib.loads((folder / "h1" / "schema.toml").read_text())["record"] == "housing unit"
