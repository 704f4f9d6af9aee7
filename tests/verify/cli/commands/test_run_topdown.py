"""`stirred run topdown`: what it writes; `transcripts/run-topdown.txt` shows what it refuses."""

import json
from collections import Counter

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq
from topdown_town import lines, run

from stirred.mechanisms.das.topdown.strategies import STRATEGIES
from stirred.mechanisms.fast import unit_pieces
from stirred.verify.cli.main import main
from stirred.verify.products.topdown.files import read_schema, read_tables
from stirred.verify.products.topdown.release import CheckedRun, TopDownRequest
from stirred.verify.products.topdown.run import run_topdown


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
    def test_a_solver_that_stops_early_ends_the_run_with_level_and_node(self, capsys, town, monkeypatch):
        monkeypatch.setitem(unit_pieces._OPTIONS, "simplex_iteration_limit", 0)
        monkeypatch.setitem(unit_pieces._OPTIONS, "presolve", "off")
        status, _, errors, output = run(capsys, town)
        assert status == 2
        assert errors == "stirred: level 0, nation: HiGHS did not finish: Iteration limit reached\n"
        assert not output.exists()

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
