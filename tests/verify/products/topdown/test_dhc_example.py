"""The published settings for persons and units of the DHC: what they count, spend and keep, and made populations.

A run is on a smaller schema.
"""

import csv
import io
import json
import tomllib
from fractions import Fraction
from math import prod

import pytest
import tomli_w

from stirred.mechanisms.das.topdown.algorithm import check_edits
from stirred.mechanisms.das.topdown.design import Tie, Weights
from stirred.mechanisms.das.topdown.geography import Geography
from stirred.mechanisms.das.topdown.strategies import DHC_STRATEGIES
from stirred.verify.audit.records.published import TOTALS
from stirred.verify.cli.main import main
from stirred.verify.products.topdown.dhc_example import dhc_persons, dhc_units
from stirred.verify.products.topdown.earlier import EarlierRelease
from stirred.verify.products.topdown.files import read_schema, read_tables
from stirred.verify.products.topdown.settings import design_of, read_settings
from stirred.verify.products.topdown.specification import specification

RACES = ("white", "black", "white black")
AGES = tuple(map(str, [*range(0, 116, 4), 15, 17, 18, 19, 21, 22, 66, 90]))
PL94 = "hhgq * votingage * hispanic * cenrace"


def smaller(schema):
    """The schema with some of the ages and races."""
    kept = {"age": set(AGES), "cenrace": set(RACES)}

    def some(of, values):
        return [value for value in values if value in kept.get(of, values)]

    schema["attributes"] = {of: some(of, values) for of, values in schema["attributes"].items()}
    for recode in schema["recodes"].values():
        groups = {name: some(recode["of"], values) for name, values in recode["groups"].items()}
        recode["groups"] = {name: values for name, values in groups.items() if values}
    for rule in schema["rules"]:
        rule["where"] = {of: some(of, values) for of, values in rule["where"].items()}
    return schema


def nearest_of(value, known):
    return value if value in known else known[len(value) % len(known)]


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The example on the smaller schema; ages that it has not become near ones, races some of its own."""
    folder = tmp_path_factory.mktemp("dhc") / "us"
    files = dict(dhc_persons(tracts=1))
    files["schema.toml"] = tomli_w.dumps(smaller(tomllib.loads(files["schema.toml"])))
    rows = list(csv.DictReader(io.StringIO(files["data/persons.csv"])))
    for row in rows:
        row["age"] = min(AGES, key=lambda age: (abs(int(age) - int(row["age"])), age))
        row["cenrace"] = nearest_of(row["cenrace"], RACES)
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    files["data/persons.csv"] = "\n".join(lines) + "\n"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder, rows


def test_the_schema_has_the_published_cells_and_queries(tmp_path):
    assert main(["run", "topdown", "--init", str(tmp_path / "us"), "--example", "dhc"]) == 0
    schema = read_schema(str(tmp_path / "us" / "schema.toml")).schema
    assert (schema.records, len(schema.unit_types), len(schema.rules)) == (1_227_744, 25, 32)
    strategy = DHC_STRATEGIES["test_strategy_dhcp_20220922_exp_iteration_23_1"]
    sizes = {query: len(schema.marginal(query)) for query in strategy.rho_squared["US"]}
    assert sizes == {
        "age_18_64_116 * relgq_4_groups": 3 * 4,
        "age_18_64_116 * sex": 3 * 2,
        "age_38_groups * sex": 38 * 2,
        "hispanic * sex": 4,
        "sex * relgq_4_groups": 8,
        "gq_constr_groups * age_10_groups": 60,
        "popSehsdTargetsRelship": 19,
        "hispanic * sex * age_40_groups * relship_and_eight_level_GQ * cenrace": 2 * 2 * 40 * 25 * 63,
        "relgq * age_40_groups * hispanic * cenrace * sex": 42 * 40 * 2 * 63 * 2,
        "detailed": 1_227_744,
    }
    zeros = sum(prod(map(len, edit.row.block())) for edit in schema.edits if edit.name.startswith("relgq"))
    assert zeros == sum(2 * 2 * 63 * len(rule.where["age"]) for rule in schema.rules)


def test_the_redistricting_data_of_the_example_count_the_same_persons_and_units():
    files = dhc_persons()
    schema = tomllib.loads(files["schema.toml"])
    major = {value: name for name, of in schema["recodes"]["hhgq"]["groups"].items() for value in of}
    major |= {"household": "household"}
    tables = {name: list(csv.DictReader(io.StringIO(files[name]))) for name in files if name.endswith(".csv")}
    for old, new in zip(tables["redistricting/data/persons.csv"], tables["data/persons.csv"], strict=True):
        age = "adult" if int(new["age"]) >= 18 else "minor"
        assert old == {"hhgq": major[new["relgq"]], "votingage": age} | {
            name: new[name] for name in ("block", "hispanic", "cenrace")
        }
    for old, new in zip(tables["redistricting/data/units.csv"], tables["data/units.csv"], strict=True):
        assert old == {"block": new["block"], "hhgq": major[new["facility"]]}
    levels = [
        Geography({row["node"]: row["parent"] or None for row in tables[f"{name}data/geography.csv"]}).levels
        for name in ("redistricting/", "")
    ]
    assert [*levels[0]] == [of for number, of in enumerate(levels[1]) if number not in (3, 4)]


def test_levels_and_budgets_are_those_of_the_strategy(example):
    settings = read_settings([str(example[0] / "dhc_person_US.ini")])
    assert settings.rho_squared == Fraction(49622, 10000)
    assert settings.levels[0] == "US"
    assert settings.levels[-1] == "Block"
    assert sum(settings.shares) == 1
    spent = settings.rho_squared * settings.shares[1] * settings.queries["State"]["gq_constr_groups * age_10_groups"]
    assert spent == Fraction(999, 2500)
    assert any(one.startswith("[budget] global_scale: test_strategy_dhcp") for one in settings.unused)


def test_a_run_keeps_facilities_and_the_earlier_release(capsys, tmp_path, example):
    folder, rows = example
    schema = tomllib.loads((folder / "schema.toml").read_text())
    major = {value: name for name, of in schema["recodes"]["hhgq"]["groups"].items() for value in of}
    earlier = tmp_path / "earlier"
    earlier.mkdir()
    cells = [
        (row["block"], major[row["relgq"]], int(row["age"]) >= 18, row["hispanic"], row["cenrace"]) for row in rows
    ]
    lines = [f"{block},{of},{'adult' if adult else 'minor'},{yes},{race}" for block, of, adult, yes, race in cells]
    (earlier / "persons.csv").write_text("block,hhgq,votingage,hispanic,cenrace\n" + "\n".join(lines) + "\n")
    claim = {
        "id": "topdown.release", "statement": "The release satisfies rho^2 = 1.",
        "domain": {"description": "some persons"}, "multiverse": {"invariants": []},
        "input_premetric": {"name": "hamming_unordered", "resolution": "person"},
        "output_premetric": {"name": "normalized_renyi"}, "budget": {"rho_squared": "1"},
        "mechanism": {"name": "composition", "parts": {"level-0": "1"}},
    }  # fmt: skip
    (earlier / "specification.toml").write_text(tomli_w.dumps(claim))
    given = ["--settings", folder / "dhc_person_US.ini", "--schema", folder / "schema.toml", "--data", folder / "data"]
    command = ["run", "topdown", *map(str, given), "--output", str(tmp_path / "released"), "--estimate", "rounded"]
    command += ["--format", "csv", "--workers", "1", "--seed", "7"]
    assert main(command) == 2
    assert f"pl94 requires --earlier and --reproduce 'Block={PL94}'" in capsys.readouterr().err
    assert main([*command, "--earlier", str(earlier), "--reproduce", f"Block={PL94}"]) == 0
    assert "rho^2 = 29811/5000" in capsys.readouterr().out  # 4.9622 and 1
    with (tmp_path / "released" / "persons.csv").open() as file:
        found = list(csv.DictReader(file))
    again = [
        (row["block"], major[row["relgq"]], int(row["age"]) >= 18, row["hispanic"], row["cenrace"]) for row in found
    ]
    assert sorted(again) == sorted(cells)
    assert [row["age"] for row in found] != [row["age"] for row in rows]
    units = csv.DictReader(io.StringIO((folder / "data" / "units.csv").read_text()))
    quarters = {(row["block"], row["facility"]) for row in units if row["facility"] != "household"}
    assert {(row["block"], row["relgq"]) for row in found if row["relgq"].startswith("GQ")} == quarters
    manifest = json.loads((tmp_path / "released" / "manifest.json").read_text())
    assert manifest["rho_squared"] == {"person": "24811/5000"}


H1 = "h1"


@pytest.fixture(scope="module")
def units(tmp_path_factory):
    """The folder with both runs, and the schema and settings of the second one."""
    folder = tmp_path_factory.mktemp("units")
    for name, text in dhc_units(tracts=1).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder, read_schema(str(folder / "schema.toml")), read_settings([str(folder / "dhc_unit_US.ini")])


@pytest.fixture(scope="module")
def design(units):
    folder, schema, settings = units
    tables = read_tables(str(folder / "data"), schema)
    options = {"place": tables.place, "weights": Weights.PRECISION, "tie": Tie.SMALLEST, "reproduced": [f"Block={H1}"]}
    return design_of(settings, schema.schema, tables.geography, **options), tables


def test_the_schema_of_units_has_the_published_cells_and_queries(units):
    _, schema, settings = units
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


def test_every_type_of_household_is_in_one_group_of_each_coarser_version(units):
    _, schema, _ = units
    for name, recode in schema.schema.recodes.items():
        grouped = [value for group in recode.groups.values() for value in group]
        known = schema.schema.columns[recode.of]
        quarters = {value for value in known if value.startswith("GQ")}
        of_homes = set(known) - (quarters if name in (H1, "tot_hu") else set())
        assert set(grouped) == of_homes, name
    couples = schema.schema.recodes["coupled_hh_type"].groups
    assert all(name in value for name, group in couples.items() for value in group)


def test_the_budget_is_that_of_table_3(units):
    """Table 3 prints 7.70 for households; what the strategy has in all is 7.7005."""
    _, _, settings = units
    assert settings.rho_squared == Fraction(77005, 10000)
    (published,) = (one for one in TOTALS if one.product == "DHC household")
    assert published.rho_squared.text == "7.70"
    assert round(settings.rho_squared, 2) == Fraction("7.70")
    spent = settings.rho_squared * settings.shares[1] * settings.queries["State"]["tenvacgq"]
    assert spent == Fraction(3216, 10000)


def test_the_whole_that_table_4_has_is_the_sum_of_the_runs(units, design):
    """Table 4 prints 15.29 for PL and DHC: 2.63 of the redistricting data, and 4.96 and 7.70 of the DHC."""
    _, schema, settings = units
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


def test_structural_zeros_close_the_published_cells(units, design):
    _, schema, settings = units
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


def test_the_made_units_obey_every_rule_and_are_the_earlier_ones(units, design):
    folder, schema, _ = units
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
