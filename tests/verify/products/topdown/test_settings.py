"""The settings of `stirred run topdown`: what is read, what is named as not used, and what is refused."""

import json
import re
from fractions import Fraction

import pytest
from topdown_town import changed, run

from stirred.mechanisms.das.topdown.design import Tie, Weights
from stirred.mechanisms.das.topdown.strategies import STRATEGIES
from stirred.spec.arguments import InputError
from stirred.verify.cli.main import main
from stirred.verify.products.topdown.dhc_example import published_text
from stirred.verify.products.topdown.files import read_schema, read_tables
from stirred.verify.products.topdown.settings import design_of, read_settings

INVARIANT = "theInvariants.State = tot\n"


def design(town, *others):
    """The design that the settings of the example give, with other files behind them."""
    schema = read_schema(str(town / "schema.toml"))
    settings = read_settings([str(town / "settings.ini"), *map(str, others)])
    tables = read_tables(str(town / "data"), schema)
    return design_of(
        settings, schema.schema, tables.geography, place="data", weights=Weights.PRECISION, tie=Tie.SMALLEST
    )


def appended(town, text):
    """Write lines at the end of the settings, whose last section is [constraints]."""
    with (town / "settings.ini").open("a") as file:
        file.write(f"{text}\n")


def kept(town):
    return [one.name for one in design(town).invariants if "State" in one.name]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("theInvariant.State = votingage", "theInvariant.State: unknown key; did you mean 'theInvariants.State'?"),
        ("theInvariants.Stat = votingage", "theInvariants.Stat: unknown key; did you mean 'theInvariants.State'?"),
        ("theInvariantsState = votingage", "theInvariantsState: unknown key; did you mean 'theInvariants.State'?"),
        ("theInvariants.States = votingage", "unknown key; did you mean 'theInvariants.State'?"),
        ("theInvariants. State = votingage", "unknown key; did you mean 'theInvariants.State'?"),
        ("theInvariants_State = votingage", "unknown key; did you mean 'theInvariants.State'?"),
        ("theInvariants: State = votingage", "theInvariants: unknown key; did you mean"),
        ("invariants.State = votingage", "unknown key; did you mean 'theInvariants.State'?"),
        ("theInvariants.Region = votingage", "theInvariants.Region: unknown key; did you mean"),
        ("global_scale = 1", "global_scale: belongs to [budget]; it is not read in [constraints]"),
        ("zzz = 1", "zzz: unknown key; known: "),
        ("theInvariants.County = votingages", "votingages: unknown query 'votingages'"),
        ("theInvariants.County = gqhh_vec", "gqhh_vec: unknown query 'gqhh_vec'; did you mean 'gqhh_vect'?"),
        ("theInvariants.County = Tot", "Tot: unknown query 'Tot'; did you mean 'tot'?"),
        ("theInvariants.County = tot,", "must have names with commas between them, each once; got 'tot,'"),
        ("theInvariants.County =", "must have names with commas between them, each once; got ''"),
        ("theInvariants.County = tot, tot", "must have names with commas between them, each once"),
        ("theInvariants.County = tot # all", "theInvariants.County: must have no comment behind its value"),
        ("theInvariants.County = tot ; all", "theInvariants.County: must have no comment behind its value"),
        ("theInvariants.state = votingage", "theInvariants.state is set twice, to 'tot' and 'votingage'"),
        ("minimalSchema = hhgq\n theInvariants.County = tot", "would continue the value of minimalSchema"),
        (
            "minimalSchema = hhgq\n theInvariants.County: tot",
            "must not hold another key; it holds 'theInvariants.County:",
        ),
        ("minimalSchema = hhgq\n [budget]", "would continue the value of minimalSchema; take the blank away"),
        ("[constraint]\ntheInvariants.County = tot", "[constraint]: unknown section; did you mean [constraints]?"),
        ("[Constraints]\ntheInvariants.County = tot", "[Constraints]: unknown section; did you mean [constraints]?"),
        ("[zzz]\nx = 1", "[zzz]: unknown section; those that are read are [budget]"),
        ("[writer]\ntheInvariants.County = tot", "belongs to [constraints]; it is not read in [writer]"),
        ("[writer]\ntheInvariant.County = tot", "did you mean [constraints] theInvariants.County?"),
        (
            "[DEFAULT]\nschema = PL94_2020_SCHEMA",
            "schema: is read in [schema], which this file has not; write it there",
        ),
        ("[DEFAULT]\nINCLUD = x", "INCLUD: unknown key; did you mean 'INCLUDE'?"),
        (
            "[budget]\nprivacy_framework = pure_dp",
            "privacy_framework must be zcdp: budgets are rho^2 of zCDP; got 'pure_dp'",
        ),
        ("[budget]\nprivacy_framework = zcd", "privacy_framework must be zcdp"),
        ("[budget]\nzero_error_geolevels = US", "zero_error_geolevels must be empty: every level is measured"),
        ("[budget]\nepsilon_budget_total = 4", "epsilon_budget_total must be empty: the total is rho^2"),
        ("[budget]\nonly_dyadic_rationals = True", "only_dyadic_rationals must be False"),
        ("[budget]\nstrategy = x", "strategy must not stand beside [queries]: both give the shares of queries"),
        ("[engine]\nengine = programs.engine.bottomup_engine.BottomUpEngine", "engine must be programs.engine.topdown"),
        ("[engine]\npostprocess_only = on", "postprocess_only must be False: noise is drawn"),
        ("[engine]\naian_sum_constraints = True", "aian_sum_constraints must be False"),
        ("[geodict]\ngeo_bottomlevel = County", "geo_bottomlevel must be empty or Block, of geolevel_names"),
        ("[geodict]\ngeo_toplevel = State", "geo_toplevel must be empty or US, of geolevel_names"),
        ("[geodict]\nspine = opt_spin", "unknown spine 'opt_spin'; did you mean 'opt_spine'?"),
        ("[schema]\nschema = PL94_2020_SCHEM", "unknown schema 'PL94_2020_SCHEM'; did you mean 'PL94_2020_SCHEMA'?"),
        (
            "[schema]\nschema = PL94_2020_SCHEMA",
            "the schema must have the attributes hhgq, votingage, hispanic, cenrace",
        ),
        ("[reader]\nprivacy_table = Person", "[reader] Person.histogram: missing key"),
        (
            "[reader]\nprivacy_table = Person\nPerson.histogram = hhgq hispanic",
            "Person.histogram: the schema must have the attributes hhgq, hispanic; it has hhgq, votingage, hispanic",
        ),
        (
            "[reader]\nprivacy_table = Person\nPerson.histogram = hhgq votingage hispanic\nhhgq.legal = 0-7",
            "hhgq.legal: hhgq must have 8 values; the schema has 3",
        ),
    ],
)
def test_what_would_be_dropped_is_refused(town, line, words):
    appended(town, line)
    with pytest.raises(InputError) as refused:
        design(town)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("line", "also"),
    [
        ("theInvariants.State = votingage", ["minor (State)", "adult (State)"]),
        ("THEINVARIANTS.STATE: votingage", ["minor (State)", "adult (State)"]),
        ("theinvariants.state = tot, hispanic", ["total (State)", "no (State)", "yes (State)"]),
    ],
)
def test_the_design_has_the_invariants_that_the_settings_name(town, line, also):
    assert kept(town) == ["total (State)"]
    changed(town, "settings.ini", INVARIANT, f"{line}\n")
    assert kept(town) == also


def test_a_limit_that_the_schema_does_not_have_is_not_taken_for_kept(town):
    changed(town, "schema.toml", 'least = { prison = 1, "nursing home" = 1 }\n', "")
    with pytest.raises(InputError, match=r"hhgq_total_lb: the schema has no units\.least"):
        design(town)


def test_what_is_not_used_is_named_once_and_changes_nothing(capsys, town):
    status, before, _, output = run(capsys, town, "--seed", 4)
    (output / "persons.parquet").rename(town / "before")
    more = "[budget]\nquery_ordering = nonsense\n[gurobi]\nThreads = 4\nnew_option = 1\n[writer]\noutput_path = x\n"
    appended(town, more)
    status, after, errors, output = run(capsys, town, "--seed", 4, output="again")
    assert status == 0
    assert before.replace(str(town.parent / "released"), str(town.parent / "again")) == after
    assert (output / "persons.parquet").read_bytes() == (town / "before").read_bytes()
    named = "[budget] query_ordering; [gurobi] new_option, Threads; [writer] output_path"
    assert f"stirred: settings not used: {named}\n" in errors
    listed = json.loads((output / "manifest.json").read_text())["settings_not_used"]
    assert listed == ["[budget] query_ordering", "[gurobi] new_option", "[gurobi] Threads", "[writer] output_path"]


def test_what_an_earlier_file_sets_otherwise_is_named(town):
    later, first = town / "later.ini", town / "settings.ini"
    later.write_text("[budget]\nglobal_scale = 1\nstrategy = x\n[constraints]\ntheInvariants.State = votingage\n")
    found = read_settings([str(first), str(later)])
    assert found.kept == read_settings([str(first)]).kept
    assert found.unused == (
        f"[budget] global_scale of {later}: {first} sets it",
        f"[budget] strategy of {later}: {first} sets [queries]",
        f"[constraints] theInvariants.State of {later}: {first} sets it",
    )


def test_of_a_strategy_and_queries_the_first_file_counts(town):
    name = "ProductionCandidate20210527US_mult8_add02_dsepJune3"
    first, later = town / "first.ini", town / "settings.ini"
    first.write_text(f"[budget]\nstrategy = {name}\n")
    found = read_settings([str(first), str(later)])
    assert {level: dict(found.queries[level]) for level in found.levels} == {
        level: dict(STRATEGIES[name][level]) for level in found.levels
    }
    assert f"[queries] County of {later}: {first} sets a strategy" in found.unused


def test_an_earlier_release_with_an_unknown_key_is_refused(capsys, town):
    *_, output = run(capsys, town)
    text = (output / "specification.toml").read_text()
    (output / "specification.toml").write_text(text.replace("[budget]", "[budget]\nrho_squard = 1"))
    status, _, errors, _ = run(capsys, town, "--earlier", output, "--reproduce", "County=total", output="second")
    assert status == 2
    assert re.search(r"specification.toml: budget.rho_squard: unknown key; did you mean 'rho_squared'\?", errors)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("theInvariant.State = votingage", "did you mean [constraints] theInvariants.State?"),
        ("[constraint]\nx = 1", "[constraint]: unknown section; did you mean [constraints]?"),
        ("[writer]\nglobal_scale = 1", "belongs to [budget]; it is not read in [writer]"),
    ],
)
def test_an_audit_of_settings_refuses_what_is_misspelt(capsys, town, line, words):
    appended(town, line)
    assert main(["audit", str(town / "settings.ini")]) == 2
    assert words in capsys.readouterr().err


def test_an_audit_gives_no_budget_of_another_framework_or_of_a_strategy(capsys, town):
    changed(town, "settings.ini", "[budget]\n", "[budget]\nprivacy_framework = pure_dp\n")
    assert main(["audit", str(town / "settings.ini"), "--format", "text"]) == 3
    said = capsys.readouterr().out
    assert "not read: privacy_framework = pure_dp" in said
    assert "rho^2 =" not in said
    changed(town, "settings.ini", "privacy_framework = pure_dp\n", "")
    changed(town, "settings.ini", "geolevel_names = Block,County,State,US", "geolevel_names =")
    assert main(["audit", str(town / "settings.ini"), "--format", "text"]) == 3
    said = capsys.readouterr().out
    assert "geolevel_names is empty: levels and budgets are the strategy's" in said
    assert "rho^2 =" not in said


@pytest.mark.parametrize(
    ("name", "strategy", "rho_squared"),
    [
        ("dhc_person_US.ini", "test_strategy_dhcp", "49622/10000"),
        ("dhc_unit_US.ini", "test_strategy_dhch", "77005/10000"),
    ],
)
def test_a_strategy_without_the_nation_leaves_out_what_is_kept_there(tmp_path, name, strategy, rho_squared):
    """The settings of Puerto Rico begin at its own level, and still say what the nation keeps."""
    text = published_text(name)
    assert f"= {strategy}_2022" in text
    (tmp_path / "pr.ini").write_text(text.replace(f"= {strategy}_2022", f"= {strategy}_pr_2022"))
    settings = read_settings([str(tmp_path / "pr.ini")])
    assert (settings.levels[0], len(settings.levels)) == ("State", 7)
    assert settings.rho_squared == Fraction(rho_squared)
    assert {level for _, level, _ in settings.rules} == {"State", "Block"}
    assert "[constraints] theConstraints.US: the strategy has no such level" in settings.unused
    other = (tmp_path / "pr.ini").read_text().replace("theconstraints.us", "theConstraints.USA")
    (tmp_path / "pr.ini").write_text(other)
    with pytest.raises(InputError, match=r"theConstraints\.USA: unknown key"):
        read_settings([str(tmp_path / "pr.ini")])
