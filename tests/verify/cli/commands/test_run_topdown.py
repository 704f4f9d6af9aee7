"""`stirred run topdown` on files: what it writes, and what it refuses."""

import json
import re
from collections import Counter

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq
import pytest
from topdown_town import changed, lines, run

from stirred.mechanisms.das.topdown.strategies import STRATEGIES
from stirred.mechanisms.fast import unit_pieces
from stirred.verify.cli.main import main
from stirred.verify.products.topdown.examples import EXAMPLES
from stirred.verify.products.topdown.files import read_schema, read_tables
from stirred.verify.products.topdown.release import CheckedRun, TopDownRequest
from stirred.verify.products.topdown.run import run_topdown


@pytest.fixture
def command(capsys, town):
    """What `run` needs, where a test has more parameters."""
    return capsys, town


def state_of(block):
    return block.split(" ")[0]


def test_a_run_needs_no_command_line(capsys, town):
    files = [str(town / name) for name in ("schema.toml", "data")]
    asked = TopDownRequest([str(town / "settings.ini")], *files, str(town.parent / "asked"), format="csv", seed=1)
    records = run_topdown(CheckedRun.of(asked))
    assert capsys.readouterr() == ("", "")
    *_, output = run(capsys, town, "--format", "csv", "--seed", 1)
    assert lines(town.parent / "asked" / "persons.csv") == lines(output / "persons.csv")
    assert records == len(lines(output / "persons.csv"))


class TestRelease:
    def test_invariants_and_rules_hold_and_the_specification_says_so(self, capsys, town):
        status, out, _, output = run(capsys, town, "--format", "csv", "--seed", 1)
        assert status == 0
        before, after = lines(town / "data" / "persons.csv"), lines(output / "persons.csv")
        assert after != before
        assert list(after[0]) == list(before[0])
        by_state = [Counter(state_of(person["block"]) for person in people) for people in (before, after)]
        assert by_state[0] == by_state[1]
        units = Counter((unit["block"], unit["hhgq"]) for unit in lines(town / "data" / "units.csv"))
        persons = Counter((person["block"], person["hhgq"]) for person in after)
        assert all(units[place] for place in persons)
        assert all(persons[place] for place in units if place[1] == "prison")
        assert "rho^2 = 293764/114921" in out  # (542/339)^2
        assert "units of type prison (Block)" in out
        manifest = json.loads((output / "manifest.json").read_text())
        assert manifest["file"]["rows"] == len(after)
        assert manifest["randomness"] == "seed, not for a release"
        assert manifest["nodes"] == [1, 2, 3, 12]
        assert not list(town.parent.glob("*.parts"))

    def test_the_claim_file_is_audited_and_its_parts_add_up(self, capsys, town):
        *_, output = run(capsys, town)
        assert main(["audit", str(output / "specification.toml"), "--format", "text"]) == 3
        found = capsys.readouterr().out
        assert "topdown.release.numbers: EXHAUSTED" in found
        assert "units of type prison (Block)" in found

    def test_formats_and_processes_change_nothing(self, capsys, town):
        *_, output = run(capsys, town, "--seed", 5)
        first = pq.read_table(output / "persons.parquet").to_pylist()
        for name in ("persons", "units", "geography"):
            text = {column: pa.string() for column in ("block", "hhgq", "votingage", "hispanic", "node", "parent")}
            table = arrow_csv.read_csv(
                town / "data" / f"{name}.csv",
                convert_options=arrow_csv.ConvertOptions(column_types=text, strings_can_be_null=True),
            )
            pq.write_table(table, town / "data" / f"{name}.parquet")
            (town / "data" / f"{name}.csv").unlink()
        output.rename(town.parent / "first")
        status, *_ = run(capsys, town, "--seed", 5, "--workers", 2)
        assert status == 0
        assert pq.read_table(output / "persons.parquet").to_pylist() == first

    def test_without_a_seed_two_runs_differ(self, capsys, town):
        found = []
        for number in range(2):
            status, _, errors, output = run(capsys, town, "--format", "csv")
            assert (status, errors) == (0, "")
            found.append((output / "persons.csv").read_text())
            output.rename(town.parent / str(number))
        assert found[0] != found[1]

    def test_options_that_the_article_leaves_open_are_named_in_the_manifest(self, capsys, town):
        options = ["--estimate", "rounded", "--weights", "equal", "--ties", "largest"]
        status, _, _, output = run(capsys, town, *options)
        manifest = json.loads((output / "manifest.json").read_text())
        assert status == 0
        assert (
            manifest["estimate"] == "a solution in least squares among real numbers, rounded; not the nearest integers"
        )
        assert manifest["not_as_published"][0].startswith("one least-squares problem for each parent, not the passes")
        assert (manifest["weights"], manifest["ties"]) == ("1", "the lexicographically largest")

    def test_published_settings_and_their_strategy_drive_a_run(self, capsys, town):
        """The keys of the published redistricting files, on a small schema; their levels are the six of the tree."""
        (town / "us.ini").write_text(
            "[DEFAULT]\nINCLUDE = person_default.ini\n"
            "[geodict]\ngeolevel_names = Block,Block_Group,Tract,County,State,US\n"
            "[budget]\ngeolevel_budget_prop = 104/4099, 1440/4099, 447/4099, 687/4099, 1256/4099, 165/4099\n"
            "strategy = ProductionCandidate20210527US_mult8_add02_dsepJune3\n"
            "[constraints]\ntheConstraints.State = hhgq_total_lb, hhgq_total_ub\ntheConstraints.US = total\n"
        )
        (town / "default.ini").write_text(
            "[budget]\ndp_mechanism =discrete_gaussian_mechanism\nglobal_scale = 339/542\n"
            "[constraints]\ntheInvariants.Block = gqhh_vect, gqhh_tot\ntheInvariants.State = tot\n"
            "theConstraints.Block = hhgq_total_lb, hhgq_total_ub, nurse_nva_0\n"
        )
        schema = (town / "schema.toml").read_text()
        (town / "schema.toml").write_text(schema.replace("hispanic = [", 'cenrace = ["one", "two"]\nhispanic = ['))
        persons = lines(town / "data" / "persons.csv")
        with (town / "data" / "persons.csv").open("w") as file:
            file.write("block,hhgq,votingage,hispanic,cenrace\n")
            for number, person in enumerate(persons):
                file.write(",".join([*person.values(), "one" if number % 3 else "two"]) + "\n")
        tree = ["US,", "north,US", "south,US"]
        for county in ("north 1", "north 2", "south 1"):
            tree += [f"{county},{state_of(county)}", f"{county} t,{county}", f"{county} g,{county} t"]
            tree += [f"{county}.{block},{county} g" for block in range(4)]
        (town / "data" / "geography.csv").write_text("node,parent\n" + "\n".join(tree) + "\n")
        status, out, errors, output = run(
            capsys, town, "--settings", town / "us.ini", town / "default.ini", "--format", "csv"
        )
        assert (status, errors) == (0, "stirred: settings not used: [DEFAULT] INCLUDE\n")
        assert json.loads((output / "manifest.json").read_text())["settings_not_used"] == ["[DEFAULT] INCLUDE"]
        assert "104/4099, 1440/4099, 447/4099, 687/4099, 1256/4099, 165/4099 of it by level" in out
        assert Counter(state_of(one["block"]) for one in lines(output / "persons.csv")) == Counter(
            state_of(one["block"]) for one in persons
        )


class TestBadInput:
    @pytest.mark.parametrize(
        ("file", "old", "new", "words"),
        [
            (
                "settings.ini",
                "1/10, 3/10",
                "2/10, 3/10",
                r"settings.ini: \[budget\] geolevel_budget_prop: .*sum to exactly 1; got 11/10",
            ),
            (
                "settings.ini",
                "1/10, 3/10, ",
                "",
                r"geolevel_budget_prop must have one share for each of 4 levels; got 2",
            ),
            (
                "settings.ini",
                "County = total: 5/10",
                "County = total: 4/10",
                r"\[queries\] County: shares must sum to exactly 1; got 9/10",
            ),
            (
                "settings.ini",
                "County = total",
                "County = totl",
                r"settings.ini: \[queries\] County: level County: totl: unknown query 'totl'.*'total'",
            ),
            ("settings.ini", "County = ", "Countie = ", r"\[queries\] Countie: unknown key; .*County"),
            (
                "settings.ini",
                "hhgq: 1/10, votingage * hispanic",
                "hhgq: 1/10, votingage * race",
                r"level Block: votingage \* race: unknown query .*'race' is no attribute or recode",
            ),
            (
                "settings.ini",
                "hhgq: 1/10, votingage",
                "hhgq 1/10, votingage",
                r"Block must be 'query: share, query: share, …'; got 'hhgq 1/10'",
            ),
            ("settings.ini", "global_scale = 339/542", "global_scale = 0.1e", r"global_scale"),
            ("settings.ini", "global_scale = 339/542", "global_scale = 0", r"global_scale must be positive"),
            (
                "settings.ini",
                "discrete_gaussian_mechanism",
                "geometric_mechanism",
                r"dp_mechanism must be discrete_gaussian_mechanism; got 'geometric_mechanism'",
            ),
            (
                "settings.ini",
                "theInvariants.State = tot",
                "theInvariants.State = races",
                r"theInvariants.State: races: unknown query 'races'",
            ),
            (
                "settings.ini",
                "theInvariants.State",
                "theInvariants.Stat",
                r"theInvariants.Stat: unknown key; .*theInvariants.State",
            ),
            (
                "settings.ini",
                "nurse_nva_0",
                "nurse_0",
                r"theConstraints.Block: level Block: unknown constraint 'nurse_0'; .*nurse_nva_0",
            ),
            (
                "settings.ini",
                "geolevel_names = Block,County,State,US",
                "geolevel_names = Block,State,US",
                r"\[queries\] County: unknown key; known: US, State, Block",
            ),
            (
                "schema.toml",
                '"no", "yes"',
                '"no", "no"',
                r"schema.toml: attributes.hispanic must not name anything twice",
            ),
            ("schema.toml", 'of = "hhgq"', 'of = "hhgg"', r"recode hhinstlevels: unknown attribute 'hhgg'"),
            (
                "schema.toml",
                'votingage = ["minor"] }',
                'votingage = ["miner"] }',
                r"rule nurse_nva_0: votingage has no value 'miner'",
            ),
            ("schema.toml", "record =", "records =", r"schema.toml: records: unknown key"),
            (
                "data/persons.csv",
                "household,minor",
                "houseboat,minor",
                r"persons.csv: line 2: hhgq must be a value of the schema; got 'houseboat'; one of household",
            ),
            (
                "data/persons.csv",
                "north 1.0,household,minor",
                "west 1.0,household,minor",
                r"persons.csv: line 2: block must be a value of the schema; got 'west 1.0'",
            ),
            (
                "schema.toml",
                "most = { household = 99999",
                "most = { household = 99999999999",
                r"schema.toml: units.most.household must be at most 1000000000; got 99999999999",
            ),
            ("data/persons.csv", "block,hhgq", "block,kind", r"persons.csv: must have a column 'hhgq'"),
            (
                "data/persons.csv",
                "north 1.0,household,minor",
                "north 1.0,nursing home,minor",
                r"level Block: nurse_nva_0 of north 1.0: the data must be at most 0; got 1",
            ),
            (
                "data/units.csv",
                "north 1.3,prison\n",
                "",
                r"at most 99999 in each unit of type prison of north 1.3: the data must be at most 0; got 5",
            ),
            (
                "data/geography.csv",
                "north 1,north",
                "north 1,nort",
                r"geography.csv: the parent of every node must be a node; node 'north 1' has 'nort'",
            ),
            (
                "data/geography.csv",
                "north,nation",
                "north,north 1",
                r"geography.csv: every node must descend from the root 'nation'; 'north' is in or under a cycle",
            ),
            (
                "data/geography.csv",
                "north,nation",
                "north,nation\nnorth,south",
                r"geography.csv: line 4: duplicate node 'north'",
            ),
            ("data/geography.csv", "south,nation", "south,", r"geography.csv: a geography must have exactly one root"),
        ],
    )
    def test_one_line_says_what_is_wrong_and_nothing_is_written(self, command, file, old, new, words):
        capsys, town = command
        changed(town, file, old, new)
        before = sorted(path.name for path in town.parent.iterdir())
        status, out, errors, _ = run(capsys, town)
        assert status == 2
        assert out == ""
        assert re.search(words, errors), errors
        assert errors.count("\n") == 1
        assert sorted(path.name for path in town.parent.iterdir()) == before

    def test_a_solver_that_stops_early_ends_the_run_with_level_and_node(self, capsys, town, monkeypatch):
        monkeypatch.setitem(unit_pieces._OPTIONS, "simplex_iteration_limit", 0)
        monkeypatch.setitem(unit_pieces._OPTIONS, "presolve", "off")
        status, _, errors, output = run(capsys, town)
        assert status == 2
        assert errors == "stirred: level 0, nation: HiGHS must finish; it stopped with: Iteration limit reached\n"
        assert not output.exists()

    def test_an_output_that_exists_is_not_touched(self, capsys, town):
        (town.parent / "released").mkdir()
        (town.parent / "released" / "mine").write_text("mine")
        status, _, errors, _ = run(capsys, town)
        assert status == 2
        assert "--output must be a new folder" in errors
        assert (town.parent / "released" / "mine").read_text() == "mine"

    def test_a_missing_table_is_named(self, capsys, town):
        (town / "data" / "units.csv").unlink()
        assert "must have units.csv or units.parquet; it has neither" in run(capsys, town)[2]

    def test_a_table_that_stands_twice_is_refused(self, capsys, town):
        (town / "data" / "persons.parquet").write_bytes(b"")
        errors = run(capsys, town)[2]
        assert errors.endswith("data: must have one table persons; it has persons.csv and persons.parquet\n")

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            (["--engine", "spark", "--workers", "2"], "--workers and --engine spark cannot be combined"),
            (["--master", "yarn"], "--master requires --engine spark"),
            (["--workers", "0"], "--workers must be at least 1; got 0"),
        ],
    )
    def test_options_that_do_not_go_together_are_refused(self, command, options, words):
        capsys, town = command
        assert run(capsys, town, *options)[:3] == (2, "", f"stirred: {words}\n")

    def test_the_published_settings_know_every_name_of_their_example(self, tmp_path):
        assert main(["run", "topdown", "--init", str(tmp_path / "us"), "--example", "redistricting"]) == 0
        file = read_schema(str(tmp_path / "us" / "schema.toml"))
        assert file.schema.records == 8 * 2 * 2 * 63
        (strategy,) = STRATEGIES.values()
        sizes = {query: len(file.schema.rows(query)) for level in strategy.values() for query in level}
        assert sizes["votingage * hispanic * cenrace"] == 252
        assert sizes["hhinstlevels"] == 3
        tables = read_tables(str(tmp_path / "us" / "data"), file)
        assert [len(level) for level in tables.geography.levels] == [1, 2, 4, 4, 8, 32]
        assert file.schema.edits
        assert sum(map(sum, tables.histograms.values())) == 1617 + 514

    def test_the_example_is_written_once(self, capsys, tmp_path):
        assert main(["run", "topdown", "--init", str(tmp_path / "new")]) == 0
        text = EXAMPLES["town"]()["data/persons.csv"]
        assert (tmp_path / "new" / "data" / "persons.csv").read_text() == text
        assert main(["run", "topdown", "--init", str(tmp_path / "new")]) == 2
        assert "exists, and is not overwritten; nothing was written" in capsys.readouterr().err
        assert main(["run", "topdown"]) == 2
        assert "--settings must be given, or --init alone" in capsys.readouterr().err
