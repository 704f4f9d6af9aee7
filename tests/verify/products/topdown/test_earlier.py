"""`stirred run topdown --earlier`: the totals of an earlier release are reproduced, and its budget is added."""

import json
import re
from collections import Counter
from fractions import Fraction

import pytest
from topdown_town import changed, lines, run

from stirred.verify.cli.main import main

OWN = Fraction(542, 339) ** 2


@pytest.fixture
def earlier(capsys, town):
    """The town and an earlier release of it."""
    *_, folder = run(capsys, town, "--format", "csv", "--seed", 1, output="earlier")
    return town, folder


def later(capsys, earlier, *totals, more=("--seed", 2), output="released"):
    town, folder = earlier
    options = ["--format", "csv", "--earlier", folder, "--reproduce", *totals, *more]
    return run(capsys, town, *options, output=output)


def by(folder, *columns):
    return Counter(tuple(person[column] for column in columns) for person in lines(folder / "persons.csv"))


class TestReproduced:
    def test_totals_agree_by_node_and_other_counts_are_new(self, capsys, earlier):
        status, _, _, found = later(capsys, earlier, "Block=hhgq * votingage", "US=detailed")
        assert status == 0
        for columns in (("block", "hhgq", "votingage"), ("hhgq", "votingage", "hispanic")):
            assert by(found, *columns) == by(earlier[1], *columns)
        assert by(found, "block", "hispanic") != by(earlier[1], "block", "hispanic")
        *_, alone = run(capsys, earlier[0], "--format", "csv", "--seed", 2, output="alone")
        assert by(alone, "block", "hhgq", "votingage") != by(found, "block", "hhgq", "votingage")

    def test_a_coarser_version_is_counted_by_its_attribute_or_by_a_column_of_its_own(self, capsys, earlier):
        *_, found = later(capsys, earlier, "Block=hhinstlevels")
        quartered = {"household": "household", "prison": "institution", "nursing home": "institution"}

        def coarse(folder):
            return Counter((one["block"], quartered[one["hhgq"]]) for one in lines(folder / "persons.csv"))

        assert coarse(found) == coarse(earlier[1])
        persons = lines(earlier[1] / "persons.csv")
        text = "".join(f"{one['block']},{quartered[one['hhgq']]}\n" for one in persons)
        (earlier[1] / "persons.csv").write_text(f"block,hhinstlevels\n{text}")
        *_, again = later(capsys, earlier, "Block=hhinstlevels", output="again")
        assert (again / "persons.csv").read_bytes() == (found / "persons.csv").read_bytes()

    def test_the_seed_of_the_earlier_release_gives_other_noise(self, capsys, earlier):
        *_, same = run(capsys, earlier[0], "--format", "csv", "--seed", 1, output="same")
        assert (same / "persons.csv").read_bytes() == (earlier[1] / "persons.csv").read_bytes()
        *_, found = later(capsys, earlier, "US=total", more=("--seed", 1))
        assert by(found, "hhgq", "votingage", "hispanic") != by(earlier[1], "hhgq", "votingage", "hispanic")

    def test_budgets_and_invariants_of_all_runs_are_stated(self, capsys, earlier):
        changed(earlier[0], "settings.ini", "theInvariants.State = tot\n", "")
        _, out, _, second = later(capsys, earlier, "State=total")
        assert f"rho^2 = {2 * OWN}: {OWN} by noise on every query" in out
        assert f"and {OWN} of the earlier release whose totals are reproduced" in out
        assert "total (State)" in out  # kept by the earlier run alone
        manifest = json.loads((second / "manifest.json").read_text())
        assert manifest["earlier"] == {"rho_squared": str(OWN), "reproduced": ["State=total"]}
        _, out, _, third = later(capsys, (earlier[0], second), "US=hispanic", output="third")
        assert f"rho^2 = {3 * OWN}: " in out
        assert main(["audit", str(third / "specification.toml")]) == 3
        assert "topdown.release.numbers: EXHAUSTED" in capsys.readouterr().out

    def test_budgets_add_up_on_the_data_sets_of_both_runs(self, capsys, earlier):
        told = "of these, what the earlier release speaks of: all data sets of person records"
        _, out, *_ = later(capsys, earlier, "State=total")
        assert told not in out
        changed(earlier[1], "specification.toml", "all data sets of person records with", "some data sets with")
        _, out, _, second = later(capsys, earlier, "State=total", output="again")
        assert told.replace("all data sets of person records", "some data sets with block") in out
        assert (
            "of these, what the earlier release speaks of: some data sets"
            in (second / "specification.toml").read_text()
        )


@pytest.fixture
def refused(capsys, earlier):
    """What `later` needs, where a test has more parameters."""
    return capsys, earlier


class TestRefused:
    def test_totals_against_the_invariants_are_named_with_their_factors(self, capsys, earlier):
        text = (earlier[1] / "persons.csv").read_text()
        (earlier[1] / "persons.csv").write_text(text[: text.rstrip().rfind("\n") + 1])
        before = sorted(path.name for path in earlier[0].parent.iterdir())
        status, out, errors, _ = later(capsys, earlier, "US=total", more=())
        assert (status, out) == (2, "")
        assert errors == (
            "stirred: level 0, nation: no data set meets the constraints; these contradict each other: "
            "released total (US) of nation = 86, total (State) of north = 58, total (State) of south = 29 "
            "(with the factors -1, 1, 1 they add up to 0 >= 1)\n"
        )
        assert sorted(path.name for path in earlier[0].parent.iterdir()) == before

    @pytest.mark.parametrize(
        ("file", "old", "new", "words"),
        [
            ("specification.toml", 'rho_squared = "', 'rho_squared = "-', r"budget.rho_squared must be positive"),
            (
                "specification.toml",
                'n = "person"',
                'n = "unit"',
                r"input_premetric.resolution must be person; got unit",
            ),
            ("specification.toml", "normalized_renyi", "multiplicative", r"output_premetric.name: unknown name"),
            (
                "specification.toml",
                "[multiverse]",
                "[multiverses]",
                r"specification.toml: multiverses: unknown key; did you mean .multiverse",
            ),
            ("persons.csv", "hhgq", "kind", r"persons.csv: must have a column 'hhgq'"),
            ("persons.csv", "prison", "jail", r"persons.csv: line \d+: hhgq must be a value of the schema; got 'jail'"),
            ("persons.csv", "north 1.0", "north 9", r"persons.csv: line 2: block must be a value .* got 'north 9'"),
        ],
    )
    def test_a_folder_that_is_no_such_release_is_refused_with_its_place(self, refused, file, old, new, words):
        capsys, earlier = refused
        changed(earlier[1], file, old, new)
        status, out, errors, output = later(capsys, earlier, "Block=hhgq")
        assert (status, out) == (2, "")
        assert re.search(words, errors), errors
        assert errors.count("\n") == 1
        assert not output.exists()

    @pytest.mark.parametrize(
        ("total", "words"),
        [
            ("total", "--reproduce must be LEVEL=QUERY; got 'total'"),
            ("Blok=total", "--reproduce Blok=total: unknown level 'Blok'; did you mean 'Block'?"),
            ("US=race", "--reproduce US=race: unknown query 'race'"),
        ],
    )
    def test_a_total_that_is_not_known_is_refused(self, capsys, earlier, total, words):
        assert words in later(capsys, earlier, total)[2]

    def test_records_that_no_record_of_this_run_can_be_are_refused(self, capsys, earlier):
        kind = '[recodes.kind]\nof = "hhgq"\ngroups = { home = ["household"], other = ["prison", "nursing home"] }\n'
        changed(earlier[0], "schema.toml", "[recodes.hhinstlevels]", f"{kind}[recodes.hhinstlevels]")
        (earlier[1] / "persons.csv").write_text("block,kind,hhinstlevels\nnorth 1.0,home,institution\n")
        errors = later(capsys, earlier, "US=kind * hhinstlevels")[2]
        assert "persons.csv: --reproduce US=kind * hhinstlevels: no record may be home, institution; some are" in errors

    def test_one_of_the_two_options_alone_is_refused(self, capsys, town):
        words = "stirred: --earlier and --reproduce require each other\n"
        assert run(capsys, town, "--earlier", "x")[2] == run(capsys, town, "--reproduce", "US=total")[2] == words
