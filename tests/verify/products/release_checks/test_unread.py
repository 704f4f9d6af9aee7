"""`stirred check` of a release: what it does not read is refused, or said not to be compared."""

import json
import shutil

import pytest
from released_town import changed, part, rewritten, sealed, with_column

from stirred.spec.arguments import InputError
from stirred.verify.products.release_checks.records import record_kinds
from stirred.verify.products.topdown.examples import EXAMPLES
from stirred.verify.products.topdown.files import read_schema

SCHEMA = EXAMPLES["town"]()["schema.toml"]


def cheap(rows):
    """Measurements with hardly any noise."""
    return [{**row, "exact_variance": "1/1000000", "variance": 1e-6} for row in rows]


def named(folder, *paths, rows=36):
    """Name files in the manifest, or what they are not."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for path in paths:
        manifest["measurements"][path.relative_to(folder).as_posix()] = {"rows": rows, "sha256": ""}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    sealed(folder)


class TestUnread:
    """What is not read is refused, or said not to be compared."""

    @pytest.mark.parametrize("is_named", [True, False])
    @pytest.mark.parametrize(
        "name",
        [
            "measurements/Address.parquet/DPQuery/part-0.parquet",
            "measurements/Block.parquet/Query/part-0.parquet",
            "measurements/Block.parquet/part-0.parquet",
            "measurements/Block.parquet/DPQuery/_part-1.parquet",
            "measurements/Block.parquet/Constraint/part-1.pq",
            "measurements/part-0.parquet",
        ],
    )
    def test_a_measurement_of_no_level_is_refused(self, check, folder, name, is_named):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(part(folder, "Block"), path)
        rewritten(path, cheap)
        if is_named:
            named(folder, path)
        assert f"R/{name}: must be *.parquet in DPQuery or Constraint of a level of manifest.json" in check.unreadable(
            folder
        )

    @pytest.mark.parametrize("name", ["Address.parquet", "persons.parquet", "manifest.json", "measurements"])
    def test_so_is_one_outside_of_the_measurements(self, check, folder, name):
        if name == "Address.parquet":
            shutil.copy(part(folder, "Block"), folder / name)
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["measurements"][name] = {"rows": 1, "sha256": ""}
        (folder / "manifest.json").write_text(json.dumps(manifest))
        assert f"R/{name}: must be *.parquet in DPQuery" in check.unreadable(folder)

    @pytest.mark.parametrize(
        "name",
        [
            "persons.parquet",
            "geography.parquet",
            "measurements/US.parquet/DPQuery/part-0.parquet",
            "measurements/State.parquet/Constraint/part-0.parquet",
        ],
    )
    @pytest.mark.parametrize("column", ["name", "value2", "Node"])
    def test_a_column_that_nobody_reads_is_refused(self, check, folder, name, column):
        with_column(folder / name, column, 7)
        sealed(folder)
        err = check.unreadable(folder)
        assert f"R/{name.removesuffix('/part-0.parquet')}: must have the columns " in err
        assert f"each once; it has {column!r} besides" in err

    def test_so_is_a_column_that_stands_twice(self, check, folder):
        with_column(folder / "geography.parquet", "parent", "north")
        assert "it has 'parent' besides" in check.unreadable(folder)
        with_column(part(folder, "US"), "sign", "=")
        shutil.copy(folder / "persons.parquet", folder / "geography.parquet")
        assert "must have a column 'node'" in check.unreadable(folder)

    def test_the_sign_of_a_measurement_is_one(self, check, folder):
        with_column(part(folder, "US"), "sign", "=")
        sealed(folder)
        assert "it has 'sign' besides" in check.unreadable(folder)

    def test_files_of_no_release_are_named_as_not_compared(self, check, folder, made):
        names = ["README", "persons.csv", "raw.parquet", "sub/units.parquet"]
        (folder / "sub").mkdir()
        for name in names:
            shutil.copy(folder / "persons.parquet", folder / name)
        (folder / "tract").symlink_to(made[1])
        out = check.confirmed(folder)
        said = ", ".join(map(repr, [*names, "tract"]))
        assert f"R: not compared: files that belong to no release: {said}\n" in out.partition("CONFIRMED")[0]
        for number in range(20):
            (folder / f"A{number}").touch()
        assert " and 5 more\n" in check.confirmed(folder)

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ('"bytes": ', '"bytes": 1', "persons.parquet must have bytes "),
            ('"crc32": "', '"crc32": "0', "persons.parquet must have crc32 "),
            ('"bytes"', '"size"', "persons.parquet must have bytes None"),
            ('"crc32"', '"sha256": "0", "crc32"', "persons.parquet: sha256 must not be there"),
            ('"rows": 36', '"rows": 1', "part-0.parquet must have rows 1, as in manifest.json; it has 36"),
            ('"rows": 36,', "", "part-0.parquet must have rows None"),
            ('"rows": 36', '"noise": "none", "rows": 36', "part-0.parquet: noise must not be there"),
        ],
    )
    def test_what_the_manifest_says_of_a_file_is_compared(self, check, folder, old, new, words):
        changed(folder / "manifest.json", (old, new))
        assert words in check.refuted(folder)

    @pytest.mark.parametrize("old", ['"file": {', '"rho_squared": {'])
    def test_a_key_of_the_manifest_that_stands_twice_is_refused(self, check, folder, old):
        changed(folder / "manifest.json", (old, f'{old.removesuffix("{")}"1/1000", {old}'))
        assert "must be JSON: duplicate key" in check.unreadable(folder)

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ("", 'note = "certified"\n', "note: unknown key"),
            ('= ["prison", "nursing', '= ["household", "prison", "nursing', "each value of hhgq at most once"),
            ("", 'table = "people"\n', "persons.parquet: must be a file people.*, as schema.toml says"),
        ],
    )
    def test_so_is_a_schema_that_no_run_takes(self, check, folder, old, new, words):
        changed(folder / "schema.toml", (old, new))
        assert words in check.unreadable(folder)


INSTITUTION = 'institution = ["prison", "nursing home"]'
NO_SCHEMA = {
    "a number": ('record = "person"', "record = 1", "record must be a non-empty text; got 1"),
    "a value twice": ('["minor", "adult"]', '["minor", "minor"]', "votingage has duplicates"),
    "no value": ('["minor", "adult"]', "[]", "votingage must have at least one value"),
    "a key that nobody reads": ("[attributes]", 'note = "x"\n[attributes]', "note: unknown key"),
    "one of a recode": ('of = "hhgq"', 'of = "hhgq"\nnote = "x"', "note: unknown key"),
    "one of a rule": ("[[rules]]", '[[rules]]\nleast = "x"', "least: unknown key"),
    "one of units": ("[units]", "[units]\nmean = 3", "mean: unknown key"),
    "groups that overlap": (INSTITUTION, INSTITUTION.replace("[", '["household", '), "each value of hhgq at most once"),
    "a whole group again": (INSTITUTION, f'{INSTITUTION}, all = ["prison"]', "each value of hhgq at most once"),
    "a group of no value": (INSTITUTION, 'institution = ["barracks"]', "hhgq has no value 'barracks'"),
    "a recode of no attribute": ('of = "hhgq"', 'of = "hhgr"', "recode hhinstlevels: unknown attribute 'hhgr'"),
    "a recode called as an attribute": ("recodes.hhinstlevels", "recodes.votingage", "must have a unique name"),
    "a recode called as a query": ("recodes.hhinstlevels", "recodes.total", "must have a unique name"),
    "a rule of no value": ('votingage = ["minor"]', 'votingage = ["old"]', "votingage has no value 'old'"),
    "a rule of no attribute": ("where = { hhgq", "where = { hhgr", "rule nurse_nva_0: unknown attribute 'hhgr'"),
    "two rules of one name": (
        "[[rules]]",
        '[[rules]]\nname = "nurse_nva_0"\nwhere = {}\n[[rules]]',
        "must have a name",
    ),
    "units of no type": ("least = { prison", "least = { barracks", "hhgq has no value 'barracks'"),
    "units of no attribute": ('attribute = "hhgq"', 'attribute = "hhgr"', "units: unknown attribute 'hhgr'"),
    "a limit below zero": ("prison = 1,", "prison = -1,", "least.prison must be at least 0"),
    "the column of leaves": ('geography = "block"', 'geography = "hhgq"', "columns other than 'hhgq'"),
    "a table of nodes": ("[attributes]", 'table = "geography"\n[attributes]', "must be small letters, and not 'geogra"),
}


@pytest.mark.parametrize("change", NO_SCHEMA.values(), ids=NO_SCHEMA)
def test_what_is_no_schema_is_refused_in_one_line_as_the_run_refuses_it(tmp_path, change):
    old, new, words = change
    assert old in SCHEMA
    path = tmp_path / "schema.toml"
    path.write_text(SCHEMA.replace(old, new, 1))
    with pytest.raises(InputError, match=words) as found:
        record_kinds(str(path))
    with pytest.raises(InputError) as of_run:
        read_schema(str(path))
    assert str(found.value) == str(of_run.value)
    assert "\n" not in str(found.value)
