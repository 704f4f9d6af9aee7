"""`stirred check` of a release: what is confirmed, and what is noticed where something was altered.

What checks a release shares no code with what made it.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from released_town import changed, changed_manifest, part, release, rewritten, sealed, written_town

from stirred.verify.cli.main import main
from stirred.verify.products.release_checks import checked
from stirred.verify.products.release_checks.optimality_check import Nearness, NearnessFound


class TestSound:
    def test_a_release_is_confirmed_from_its_folder_alone(self, check, folder):
        out = check.confirmed(folder)
        assert out.splitlines()[0].startswith("R: not compared: that the noise was drawn by the law")
        assert "CONFIRMED: 87 records of the schema, at leaves of the tree, meet all of 86 constraints" in out
        assert "specification.toml has the domain, invariants, resolution, premetrics and mechanism of the other" in out
        assert "the noise spends at most rho^2 = 293764/114921 for one replaced record (hamming_unordered, norm" in out
        assert "the counts of 7 of 7 groups of siblings are nearest" in out  # the root, and 6 nodes with children

    @pytest.mark.parametrize(
        "options", [("--weights", "equal"), ("--ties", "largest"), ("--format", "csv")], ids=lambda one: one[0]
    )
    def test_so_is_one_with_other_options(self, check, tmp_path, options):
        check.confirmed(release(written_town(tmp_path), *options, seed=7))

    def test_what_is_rounded_is_not_said_to_be_near(self, check, tmp_path):
        out = check.confirmed(release(written_town(tmp_path), "--estimate", "rounded"))
        assert "are nearest" not in out
        not_compared = out.partition("CONFIRMED")[0]
        assert "not compared: how near the counts are: the release says that they are rounded" in not_compared

    def test_so_is_a_second_run_and_one_with_totals_between_the_levels(self, check, tmp_path):
        """Totals of counties are no bounds of single classes, so that those above have sums of their own."""
        town = written_town(tmp_path, [("settings.ini", ".State = tot", ".County = tot")])
        first = release(town)
        check.confirmed(first)
        second = release(
            town, "--earlier", first, "--reproduce", "Block=hhgq * votingage", "County=hispanic", output="b"
        )
        out = check.confirmed(second)
        assert "not compared: of the earlier release, that it spends at most rho^2 = 293764/114921" in out
        assert "CONFIRMED: the noise spends at most rho^2 = 293764/114921 for one replaced record" in out
        assert "specification.toml has 587528/114921, 293764/114921 of it for the earlier release" in out

    def test_so_is_one_whose_units_are_those_of_a_recode(self, check, tmp_path):
        """Its groups stand in another order than the values."""
        recode = 'place]\nof = "hhgq"\ngroups = { institution = ["prison", "nursing home"], household = ["household"] }'
        units = 'attribute = "place"\nleast = { institution = 1 }\nmost = { household = 99999, institution = 99999 }'
        schema = written_town(tmp_path) / "schema.toml"
        before, mark, _ = schema.read_text().partition('attribute = "hhgq"\nleast')
        assert mark
        changes = [("data/units.csv", "block,hhgq", "block,place"), ("data/units.csv", "prison", "institution")]
        town = written_town(tmp_path, changes)
        schema.write_text(before.replace("hhinstlevels]", f"{recode}\n[recodes.hhinstlevels]", 1) + units)
        check.confirmed(release(town))

    def test_one_without_measurements_cannot_be_checked(self, check, tmp_path):
        bare = release(written_town(tmp_path), "--no-measurements")
        assert sorted(path.name for path in bare.iterdir()) == [
            "manifest.json",
            "persons.parquet",
            "specification.toml",
        ]
        err = check.unreadable(bare)
        assert err.endswith("must hold measurements; it was released without them (--no-measurements)\n")


def shifted(number, by):
    """A change of the first answer of a row."""

    def change(rows):
        rows[number]["value"][0] += by
        return rows

    return change


def without(column):
    return lambda rows: [{name: value for name, value in row.items() if name != column} for row in rows]


def with_variance(exact, near):
    return lambda rows: [{**row, "exact_variance": exact or row["exact_variance"], "variance": near} for row in rows]


def of_other_names(*names):
    return lambda rows: [row for row in rows if row["query_name"] not in names]


def moved(rows):
    """The first adult of a household in a block is in another block of its county."""
    for row in rows:
        if (row["block"], row["hhgq"]) == ("north 1.1", "household"):
            return [{**one, "block": "north 1.2"} if one is row else one for one in rows]
    raise LookupError


ALTERED = {
    "a measurement": ("County", "DPQuery", shifted(0, 60), "NOT CONFIRMED: the children of north must have the"),
    "a little": ("Block", "DPQuery", shifted(28, 9), "must have the nearest counts; others that meet every"),
    "a row dropped": ("Block", "DPQuery", lambda rows: rows[1:], "hhgq_dpq has no row for 'north 1.0'"),
    "a row twice": ("US", "DPQuery", lambda rows: [*rows, rows[0]], "hhgq_dpq must have one row for 'nation'"),
    "an answer dropped": (
        "US",
        "DPQuery",
        lambda rows: [{**row, "value": row["value"][1:]} for row in rows],
        "must have 3 answers in the shape [3, 1, 1] at 'nation'",
    ),
    "noise that costs more": (
        "US",
        "DPQuery",
        with_variance("1/2", 0.5),
        "US: the noise must spend at most rho^2 = 146882/574605; it spends 6",
    ),
    "another variance": ("US", "DPQuery", with_variance(None, 3.0), "variance must be near to"),
    "an invariant": ("State", "Constraint", shifted(0, 1), "total_con of north: the records must have = "),
    "a bound": ("Block", "Constraint", shifted(0, 50), "of north 1.0: the records must have >= 50; they have"),
    "an invariant dropped": (
        "State",
        "Constraint",
        of_other_names("tot_con", "total_con"),
        "the invariant 'total (State)' of specification.toml is not a constraint of the release",
    ),
    "a rule dropped": (
        "Block",
        "Constraint",
        of_other_names("nurse_nva_0_con"),
        "nurse_nva_0_con must be kept at every leaf, as schema.toml says; it is not",
    ),
    "bounds dropped": (
        "Block",
        "Constraint",
        of_other_names("hhgq_total_lb_con"),
        "hhgq must be bounded at every leaf by its units, as schema.toml says; it is not",
    ),
    "a bound of no units": (
        "Block",
        "Constraint",
        lambda rows: [{**row, "value": [one + (row["sign"] == "<=") for one in row["value"]]} for row in rows],
        "hhgq of north 1.0: household must have the bounds of units with 0 to 99999 records; they are 0 to 199999",
    ),
    "an invariant that says nothing": (
        "State",
        "Constraint",
        lambda rows: [{**row, "value": [None]} for row in rows],
        "must have an answer in each place at 'north'",
    ),
    "another query than its name": (
        "US",
        "DPQuery",
        lambda rows: [{**row, "hispanic": "hispanic"} for row in rows],
        "must be counted by ['hhgq', '*', '*'], as its name says; it is by ['hhgq', '*', 'hispanic']",
    ),
    "a name of another kind": (
        "US",
        "DPQuery",
        lambda rows: [{**row, "query_name": row["query_name"].replace("_dpq", "_con")} for row in rows],
        "hhgq_con must be a name that ends with _dpq",
    ),
}


class TestAltered:
    @pytest.mark.parametrize("altered", ALTERED.values(), ids=ALTERED)
    def test_a_file_that_is_sealed_again_ends_with_status_one(self, check, folder, altered):
        level, kind, change, words = altered
        rewritten(part(folder, level, kind), change)
        sealed(folder)
        assert words in check.refuted(folder)

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (moved, "must have the nearest counts"),
            (
                lambda rows: [{**row, "hhgq": "barracks"} for row in rows],
                "hhgq must be of the schema and the tree; got",
            ),
            (lambda rows: [{**row, "block": "east"} for row in rows], "must be of the schema and the tree; got 'east'"),
            (lambda rows: rows[1:], "total_con of north: the records must have = "),
        ],
        ids=["moved", "another value", "another block", "dropped"],
    )
    def test_so_do_other_records(self, check, folder, change, words):
        rewritten(folder / "persons.parquet", change)
        sealed(folder)
        assert words in check.refuted(folder)

    def test_a_number_that_changes_no_nearest_point_is_noticed_by_its_digest(self, check, folder):
        rewritten(part(folder, "US"), shifted(0, 1))
        out = check.refuted(folder)
        assert out.startswith("R: NOT CONFIRMED: measurements/US.parquet/DPQuery/part-0.parquet must have sha256 '")

    def test_a_further_file_and_a_record_less_are_noticed(self, check, folder):
        rewritten(folder / "persons.parquet", lambda rows: rows[1:])
        assert "persons.parquet must have rows 87, as in manifest.json; it has 86" in check.refuted(folder)
        sealed(folder)
        part(folder, "US").with_name("part-1.parquet").write_bytes(part(folder, "US").read_bytes())
        assert "hhgq_dpq must have one row for 'nation'" in check.refuted(folder)

    @pytest.mark.parametrize("column", ["value", "variance", "exact_variance", "geocode", "hhgq", "query_shape"])
    def test_a_missing_column_ends_with_status_two(self, check, folder, column):
        rewritten(part(folder, "State"), without(column))
        sealed(folder)
        assert f"must have a column '{column}'" in check.unreadable(folder)

    def test_so_do_bytes_that_are_no_text(self, check, folder):
        path = folder / "geography.parquet"
        pq.write_table(pq.read_table(path), path, compression="none", use_dictionary=False, write_statistics=False)
        content = path.read_bytes()
        assert b"north 1.2" in content
        path.write_bytes(content.replace(b"north 1.2", b"north\xff1.2"))
        assert "R: cannot be read: R: must hold files of a release: 'utf-8' codec can't decode" in check.unreadable(
            folder
        )

    @pytest.mark.parametrize("sign", ["<", None])
    def test_so_does_a_sign_that_is_none(self, check, folder, sign):
        rewritten(part(folder, "State", "Constraint"), lambda rows: [{**row, "sign": sign} for row in rows])
        sealed(folder)
        assert f"total_con: sign must be one of =, <=, >=; got {sign!r}" in check.unreadable(folder)

    @pytest.mark.parametrize("name", ["schema.toml", "specification.toml", "manifest.json", "geography.parquet"])
    def test_so_does_a_missing_or_empty_file(self, check, folder, name):
        (folder / name).write_bytes(b"")
        check.unreadable(folder)
        (folder / name).unlink()
        check.unreadable(folder)

    @pytest.mark.parametrize(
        ("key", "value", "words"),
        [
            ("file", {"name": "geography.parquet", "rows": 20}, "must be a file persons.*, as schema.toml says"),
            ("estimate", "near", "estimate must be one of"),
            ("weights", "2", "weights must be one of"),
            ("mechanism", "another", "must be the manifest of a TopDown release"),
            ("file", {"name": "../persons.parquet", "rows": 1}, "must be the manifest of a TopDown release"),
        ],
    )
    def test_so_does_a_manifest_that_says_something_else(self, check, folder, key, value, words):
        changed_manifest(folder, **{key: value})
        assert words in check.unreadable(folder)

    def test_a_folder_that_is_no_release_is_told_how_certificates_are_named(self, check, tmp_path):
        assert (
            "not a release folder (no manifest.json); to check certificates, pass the files: R/*.json"
            in check.unreadable(tmp_path)
        )

    def test_a_release_is_compared_with_no_claim(self, capsys, folder):
        capsys.readouterr()
        assert main(["check", str(folder), "--ledger"]) == 2
        assert "a release is compared with no claim: leave out --claim and --ledger" in capsys.readouterr().err

    def test_a_budget_that_is_too_small_is_noticed(self, check, folder):
        path = folder / "specification.toml"
        text = path.read_text()
        changed(path, ('rho_squared = "293764/114921"', 'rho_squared = "2"'))
        assert "budget.rho_squared must be at least 293764/114921, as its parts; it is 2" in check.refuted(folder)
        path.write_text(text.replace('"total (State)",', ""))
        assert "specification.toml does not name the invariant 'total (State)'" in check.refuted(folder)

    def test_what_is_not_settled_has_a_status_of_its_own(self, check, folder, monkeypatch):
        monkeypatch.setattr(checked, "nearness", lambda question: NearnessFound(Nearness.OPEN))
        out = check.undecided(folder)
        assert "are nearest" not in out  # nothing is confirmed of them
        assert "OPEN: the root, the children of nation, the children of north and others: it is not settled" in out


ROOT = Path(__file__).resolve().parents[4]
MODULES = sorted((ROOT / "verify" / "products" / "release_checks").glob("*.py"))

MAKERS = (
    "stirred.mechanisms.das.topdown",
    "stirred.mechanisms.fast",
    "stirred.verify.products.",
    "stirred.verify.cli.commands",
)
OWN = "stirred.verify.products.release_checks"

CODE = (
    "import sys; from stirred.verify.products.release_checks.checked import checked_release;"
    "print(checked_release(sys.argv[1])[0]);"
    "print(*sorted(name for name in sys.modules if name.startswith('stirred.')))"
)


def made_by(names):
    return [name for name in names if name.startswith(MAKERS) and not name.startswith(OWN)]


def test_no_module_of_the_program_is_loaded_while_a_release_is_checked(folder):
    done = subprocess.run([sys.executable, "-c", CODE, str(folder)], capture_output=True, text=True, check=True)
    status, loaded = done.stdout.splitlines()
    assert status == "0"
    assert "stirred.verify.products.release_checks.optimality_check" in loaded.split()
    assert made_by(loaded.split()) == []


def test_none_is_imported_in_a_function_either():
    imported = [
        node.module
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
    ]
    assert "stirred.verify.products.release_checks.question" in imported
    assert made_by(imported) == []
    assert made_by(["stirred.mechanisms.das.topdown.nearest"])
