"""`stirred run phsafe`: exact counts without noise, resumed runs, claims that an audit confirms, and bad input."""

import csv
import json
import shutil
from fractions import Fraction

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from synthetic_households import HEADERS

from mechanisms.phsafe.run_settings import LEVELS
from verify.cli import main
from verify.commands import phsafe_tables, run_phsafe

TAUS = {"PH1_num": 5, "PH2": 5, "PH3": 5, "PH4": 5, "PH6": 5, "PH7": 5}
TABLES = [*LEVELS, "PH5_num", "PH8_num"]
PERSONS = """\
RTYPE,MAFID,QAGE,CENHISP,CENRACE,RELSHIP
3,100000001,44,1,01,20
3,100000001,45,2,02,23
3,100000001,5,2,08,26
3,100000002,30,1,04,20
5,100000003,81,1,01,37
3,100000004,20,1,01,20
3,100000005,20,1,01,20
"""
UNITS = """\
RTYPE,MAFID,FINAL_POP,NPF,HHSPAN,HHRACE,TEN,HHT,HHT2,CPLT
2,100000001,3,3,1,01,1,1,01,2
2,100000002,1,0,1,04,4,6,05,5
4,100000003,1,0,0,00,0,0,00,0
2,100000004,1,0,1,01,3,4,09,5
2,100000004,1,0,1,01,3,4,09,5
2,100000006,0,0,0,00,0,0,00,0
"""
GEO = "".join(
    f"{row}\n"
    for row in (
        ",".join(HEADERS["geo"]),
        "2,100000001,44,055,450200,4069,1,1,1,99999,9999",
        "2,100000002,44,055,450200,4069,1,1,1,99999,9999",
        "4,100000003,44,055,450200,4069,1,1,1,99999,9999",
        "2,100000004,44,055,450200,4069,1,1,1,99999,9999",
        "2,100000005,44,055,450200,4069,1,1,1,99999,9999",
        "2,100000006,29,055,450200,4069,1,1,1,99999,9999",
    )
)


def settings(budget=float("inf"), **changes):
    return {
        "privacy_budget": {table: dict.fromkeys(levels, budget) for table, levels in LEVELS.items()},
        "tau": dict(TAUS),
        "state_filter": ["44", "29"],
        "reader": "csv",
        "privacy_defn": "zcdp",
        **changes,
    }


@pytest.fixture
def given(tmp_path, capsys):
    """A folder of data and settings, with a function that runs the command on them."""
    data = tmp_path / "data"
    data.mkdir()
    for name, text in (("geo", GEO), ("units", UNITS), ("persons", PERSONS)):
        (data / f"{name}.csv").write_text(text)

    def run(chosen, *options, status=0):
        file = tmp_path / "settings.json"
        file.write_text(chosen if isinstance(chosen, str) else json.dumps(chosen))
        words = ["run", "phsafe", "--settings", str(file), "--data", str(data), "--out", str(tmp_path / "out")]
        assert main([*words, *map(str, options)]) == status
        captured = capsys.readouterr()
        if status:
            assert not list(tmp_path.glob("out*"))
            lines = captured.err.splitlines()
            assert not captured.out
            return lines
        return captured

    run.data, run.out = data, tmp_path / "out"
    return run


def counts(out, table):
    """The counts that are not 0, by everything before them in their rows."""
    with (out / table / f"{table}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="|"))
    cell = f"{table.upper()}_DATA_CELL"
    keys = ["REGION_ID", "REGION_TYPE", *(["ITERATION_CODE"] if "ITERATION_CODE" in rows[0] else []), cell]
    assert list(rows[0]) == [*keys, "COUNT", "NOISE_DISTRIBUTION", "VARIANCE"]
    return {"".join((row["REGION_ID"], *(row[key] for key in keys[2:]))): int(row["COUNT"]) for row in rows}


def found(out, table):
    return {key: count for key, count in counts(out, table).items() if count}


def in_both(*cells):
    """The same counts in the nation and in state 44."""
    return {f"{region}{cell}": count for region in ("1", "44") for cell, count in cells}


class TestCounts:
    def test_without_noise_counts_are_exact(self, given):
        captured = given(settings())
        assert found(given.out, "PH1_num") == in_both(
            *(("*2", 1), ("*3", 3), ("A2", 1), ("A3", 2), ("D3", 1), ("I2", 1), ("I3", 2)),
        )
        # the MAFID that stands twice has two rows of units, though no persons
        assert found(given.out, "PH1_denom") == in_both(("*1", 4), ("A1", 3), ("D1", 1), ("I1", 3))
        assert found(given.out, "PH2") == in_both(("4", 3), ("12", 1))
        assert found(given.out, "PH3") == in_both(("*4", 1), ("G4", 1), ("H4", 1))
        assert found(given.out, "PH4") == in_both(("*2", 1), ("*3", 2), ("A2", 1), ("A3", 2), ("I2", 1), ("I3", 2))
        assert found(given.out, "PH5_num") == found(given.out, "PH4")
        assert found(given.out, "PH5_denom") == in_both(("*1", 1), ("A1", 1), ("I1", 1))
        assert found(given.out, "PH6") == in_both(("4", 1))
        assert found(given.out, "PH7") == in_both(("*2", 3), ("*4", 1), ("A2", 3), ("D4", 1), ("I2", 3))
        assert found(given.out, "PH8_num") == in_both(("*2", 3), ("*3", 1), ("A2", 3), ("D3", 1), ("I2", 3))
        assert found(given.out, "PH8_denom") == in_both(
            *(("*2", 1), ("*3", 3), ("A2", 1), ("A3", 2), ("D3", 1), ("I2", 1), ("I3", 2)),
        )
        assert sorted(path.name for path in given.out.iterdir()) == sorted(TABLES)
        assert "rho^2 = infinite" in captured.out
        assert "no release" in captured.err

    def test_every_cell_of_every_state_stands_there(self, given):
        given(settings())
        # one nation and two states, ten iterations; 2 + 1 + 7 + 2 + 2 + 1 + 3 + 2 + 2 cells; PH2 and PH6 have one
        sizes = {table: len(counts(given.out, table)) for table in TABLES}
        assert sum(sizes.values()) == 30 * 22 + 3 * (8 + 16)
        assert sizes["PH3"] == 210

    def test_noise_has_the_stated_variance_beside_it(self, given):
        given(settings(0.5), "--seed", 1)
        with (given.out / "PH3" / "PH3.csv").open() as file:
            rows = [line.rstrip().split("|") for line in file][1:]
        # sigma^2 = (2*5 + 2)^2 / (2*0.5)
        assert {tuple(row[5:]) for row in rows} == {("Discrete Gaussian", "144")}
        values = [int(row[4]) for row in rows]
        assert min(values) < -12
        manifest = json.loads((given.out / "PH3" / "_manifest.json").read_text())
        assert manifest["levels"]["usa_*"] == {"budget": "0.5", "scale": "144"}
        assert manifest["file"]["rows"] == 210
        assert manifest["randomness"] == "seed, not for a release"

    def test_pure_noise_is_two_sided_geometric(self, given):
        captured = given(settings(0.5, privacy_defn="puredp"), "--seed", 1)
        with (given.out / "PH1_denom" / "PH1_denom.csv").open() as file:
            rows = [line.rstrip().split("|") for line in file][1:]
        # 2 e^(-1/4) / (1 - e^(-1/4))^2 = 1 / (2 sinh(1/8)^2) = 31.833852…, with t = 2/0.5
        assert {row[5] for row in rows} == {"Two-Sided Geometric"}
        assert {row[6][:8] for row in rows} == {"31.83385"}
        assert "epsilon = 23 (the sum over 46 levels" in captured.out

    def test_a_level_without_budget_is_not_released(self, given):
        chosen = settings(0)
        chosen["privacy_budget"]["PH1_num"]["usa_H,I"] = 1
        given(chosen)
        assert [path.name for path in given.out.iterdir()] == ["PH1_num"]
        assert sorted(counts(given.out, "PH1_num")) == ["1H2", "1H3", "1I2", "1I3"]

    def test_puerto_rico_has_no_nation(self, given):
        chosen = settings(1, state_filter=["72"])
        for levels in chosen["privacy_budget"].values():
            levels.update({level: 0 for level in levels if level.startswith("usa")})
        given(chosen)
        assert {key[:2] for key in counts(given.out, "PH1_num")} == {"72"}

    def test_two_runs_differ_and_two_with_one_seed_do_not(self, given):
        texts = []
        for options in ((), (), ("--seed", 5), ("--seed", 5)):
            given(settings(0.01), *options)
            texts.append((given.out / "PH7" / "PH7.csv").read_text())
            shutil.rmtree(given.out)
        assert texts[0] != texts[1]
        assert texts[2] == texts[3]

    def test_parquet_and_folders_of_parts_are_read_alike(self, given, tmp_path):
        given(settings())
        before = {table: counts(given.out, table) for table in TABLES}
        shutil.rmtree(given.out)
        (given.data / "persons").mkdir()
        header, *lines = PERSONS.splitlines(keepends=True)
        (given.data / "persons.csv").unlink()
        (given.data / "persons" / "1.csv").write_text("\ufeff" + header + "".join(lines[:3]))
        turned = [",".join(reversed([*line.rstrip().split(","), "note", "note"])) for line in (header, *lines[3:])]
        (given.data / "persons" / "2.csv").write_text("\r\n".join(turned))
        rows = [line.split(",") for line in UNITS.splitlines()]
        columns = dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True))
        columns["MAFID"] = list(map(int, columns["MAFID"]))
        pq.write_table(pa.table(columns), given.data / "units.parquet")
        (given.data / "units.csv").unlink()
        given(settings())
        assert {table: counts(given.out, table) for table in TABLES} == before


class TestRelease:
    def test_the_claim_is_confirmed_by_an_audit(self, given, tmp_path, capsys):
        claim = tmp_path / "claim.toml"
        captured = given(settings(0.01), "--claim", claim)
        assert "rho^2 = 0.46 (the sum over 46 levels; PHSafe, Theorems 1 and 2" in captured.out
        assert main(["audit", str(claim)]) == 0
        assert "PH1_num 0.06" in capsys.readouterr().out

    def test_an_interrupted_run_goes_on_with_the_same_noise(self, given, monkeypatch, tmp_path):
        made = run_phsafe.make_table
        drawn = []

        def interrupted(folder, table, *others):
            if len(drawn) == 4:
                raise KeyboardInterrupt
            drawn.append(table)
            made(folder, table, *others)

        monkeypatch.setattr(run_phsafe, "make_table", interrupted)
        work = tmp_path / "work"
        file = tmp_path / "settings.json"
        file.write_text(json.dumps(settings(0.01)))
        words = ["run", "phsafe", "--settings", file, "--data", given.data, "--out", given.out, "--work", work]
        assert main([str(word) for word in words]) == 2
        assert not given.out.exists()
        assert work.stat().st_mode & 0o077 == 0
        kept = {path.name: path.read_text() for path in work.glob("tables/*/*.csv")}
        key = (work / "key").read_bytes()
        assert sorted(kept) == sorted(f"{table}.csv" for table in drawn)
        monkeypatch.setattr(run_phsafe, "make_table", made)
        given(settings(0.01), "--work", work)
        assert {name: (given.out / name[:-4] / name).read_text() for name in kept} == kept
        assert not work.exists()
        assert key.hex() not in "".join(path.read_text() for path in given.out.glob("*/*"))

    def test_a_run_that_ends_between_a_table_and_what_is_derived_of_it_goes_on(self, given, monkeypatch, tmp_path):
        whole, work = phsafe_tables.write_whole, tmp_path / "work"
        kept = []

        def ending(path, content):
            if path.endswith("PH7.csv"):
                kept.append((work / "tables" / "PH8_num" / "PH8_num.csv").read_text())
                raise KeyboardInterrupt
            whole(path, content)

        file = tmp_path / "settings.json"
        file.write_text(json.dumps(settings(0.01)))
        words = ["run", "phsafe", "--settings", file, "--data", given.data, "--out", given.out, "--work", work]
        with monkeypatch.context() as patched:
            patched.setattr(phsafe_tables, "write_whole", ending)
            assert main([str(word) for word in words]) == 2
        given(settings(0.01), "--work", work)
        assert (given.out / "PH8_num" / "PH8_num.csv").read_text() == kept[0]
        assert sorted(path.name for path in given.out.iterdir()) == sorted(TABLES)

    def test_other_settings_do_not_go_on_with_a_run(self, given, monkeypatch, tmp_path, capsys):
        monkeypatch.setattr(run_phsafe, "make_table", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        file = tmp_path / "settings.json"
        words = ["run", "phsafe", "--settings", str(file), "--data", str(given.data), "--out", str(given.out)]
        for budget in (0.01, 0.02):
            file.write_text(json.dumps(settings(budget)))
            assert main(words) == 2
        assert "must be the folder of the same run" in capsys.readouterr().err

    def test_a_release_is_not_written_over(self, given, capsys):
        given(settings(0.01))
        words = ["--settings", str(given.out.parent / "settings.json"), "--data", str(given.data)]
        assert main(["run", "phsafe", *words, "--out", str(given.out)]) == 2
        assert "one release is drawn once" in capsys.readouterr().err

    def test_nothing_beside_the_counts_tells_of_the_records(self, given):
        given(settings(0.01))
        first = [json.loads(path.read_text()) for path in sorted(given.out.glob("*/_manifest.json"))]
        shutil.rmtree(given.out)
        (given.data / "persons.csv").write_text(PERSONS.splitlines()[0] + "\n")
        given(settings(0.01))
        others = [json.loads(path.read_text()) for path in sorted(given.out.glob("*/_manifest.json"))]
        for one in (*first, *others):
            del one["file"]["bytes"], one["file"]["crc32"]
        assert first == others


def without(key, of=None):
    chosen = settings(0.01)
    del (chosen if of is None else chosen[of])[key]
    return chosen


def changed(table, level, budget):
    chosen = settings(0.01)
    chosen["privacy_budget"].setdefault(table, {})[level] = budget
    return chosen


BAD_SETTINGS = {
    "no JSON": ("{", "line 1: invalid JSON"),
    "no object": ("[]", "must be a JSON object of settings; got an array"),
    "no budgets": (without("privacy_budget"), "privacy_budget: missing key"),
    "no definition": (without("privacy_defn"), "privacy_defn: missing key"),
    "a table is missing": (without("PH3", "privacy_budget"), "privacy_budget: must have each table; PH3 missing"),
    "a table is unknown": (changed("PH9", "usa_*", 1), "privacy_budget.PH9: unknown table; did you mean"),
    "a threshold is missing": (without("PH7", "tau"), "tau: must have each table; PH7 missing"),
    "a threshold is unknown": (settings(1, tau={**TAUS, "PH1_denom": 3}), "tau.PH1_denom: unknown table"),
    "a threshold is 0": (settings(1, tau={**TAUS, "PH7": 0}), "tau.PH7 must be at least 1; got 0"),
    "a threshold is no integer": (settings(1, tau={**TAUS, "PH7": 1.5}), "tau.PH7 must be an integer; got 1.5"),
    "a level is unknown": (
        changed("PH7", "county_*", 1),
        "privacy_budget.PH7.county_*: unknown population group level",
    ),
    "a level that the table has not": (changed("PH2", "usa_A-G", 1), "privacy_budget.PH2.usa_A-G: unknown"),
    "a budget is negative": (changed("PH7", "usa_*", -1), "privacy_budget.PH7.usa_* must be non-negative; got -1"),
    "a budget is a text": (changed("PH7", "usa_*", "1"), "privacy_budget.PH7.usa_* must be a number; got '1'"),
    "a budget is tiny": (changed("PH7", "usa_*", 1e-9), "privacy_budget.PH7.usa_*: sigma_squared must be at most"),
    "all budgets are 0": (settings(0), "privacy_budget must have a budget above 0; it has none"),
    "no states": (settings(1, state_filter=[]), "state_filter must have at least one state"),
    "a state that is none": (settings(1, state_filter=["03"]), "state_filter must have FIPS codes of states"),
    "states that are numbers": (settings(1, state_filter=[44]), "state_filter must be an array of FIPS codes as texts"),
    "Puerto Rico beside a state": (
        settings(1, state_filter=["72", "01"]),
        "state_filter must have Puerto Rico (72) alone",
    ),
    "a nation of Puerto Rico": (settings(1, state_filter=["72"]), "must be 0 where state_filter is Puerto Rico"),
    "another total": (settings(1, total_budget=45), "total_budget must be the sum of all budgets, 46; got 45"),
}


@pytest.mark.parametrize("case", BAD_SETTINGS)
def test_bad_settings_are_refused_in_one_line(case, given):
    chosen, message = BAD_SETTINGS[case]
    (line,) = given(chosen, status=2)
    assert "settings.json: " in line
    assert message in line


def test_help_has_examples(capsys):
    for words in (["run", "--help"], ["run", "phsafe", "--help"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
    assert "stirred run phsafe --settings phsafe_us.json" in capsys.readouterr().out


def test_a_total_that_is_right_is_taken(given):
    given(settings(1, total_budget=46), "--total", Fraction(46))


def replaced(name, old, new):
    def change(data):
        text = (data / name).read_text()
        assert old in text
        (data / name).write_text(text.replace(old, new, 1))

    return change


def mixed_parts(data):
    (data / "persons").mkdir()
    for number, kind in ((1, pa.string()), (2, pa.int64())):
        values = {name: ["1"] for name in HEADERS["persons"]}
        table = pa.table({name: pa.array(column).cast(kind) for name, column in values.items()})
        pq.write_table(table, data / "persons" / f"{number}.parquet")
    (data / "persons.csv").unlink()


def mixed_kinds(data):
    (data / "persons").mkdir()
    shutil.copy(data / "persons.csv", data / "persons" / "1.csv")
    (data / "persons" / "2.parquet").write_bytes(b"PAR1")
    (data / "persons.csv").unlink()


def emptied(data):
    shutil.rmtree(data)


BAD_DATA = {
    "no folder": (emptied, "data: must be a folder with geo, units and persons"),
    "a file is missing": (lambda data: (data / "units.csv").unlink(), "it has none of them"),
    "a file twice": (
        lambda data: shutil.copy(data / "units.csv", data / "units.parquet"),
        "units.csv and units.parquet",
    ),
    "an empty file": (lambda data: (data / "geo.csv").write_text(""), "geo.csv: must have a header line; it has none"),
    "a column is missing": (replaced("units.csv", "HHRACE", "RACE"), "units.csv: the header must have the columns"),
    "a column twice": (replaced("persons.csv", "CENHISP", "QAGE"), "QAGE is there twice"),
    "the columns of another file": (
        lambda data: shutil.copy(data / "geo.csv", data / "persons.csv"),
        "persons.csv: the header must have the columns RTYPE, MAFID, QAGE, CENHISP, CENRACE, RELSHIP; QAGE is missing",
    ),
    "a negative age": (replaced("persons.csv", ",45,", ",-45,"), "persons.csv: row 2: QAGE must be one of 0 to 115"),
    "an age with a fraction": (replaced("persons.csv", ",45,", ",45.5,"), "row 2: QAGE must be one of 0 to 115"),
    "an age with a zero before it": (replaced("persons.csv", ",45,", ",045,"), "row 2: QAGE must be one of 0 to 115"),
    "no age": (replaced("persons.csv", ",45,", ",,"), "persons.csv: row 2: QAGE must be one of 0 to 115"),
    "a race without its zero": (replaced("persons.csv", ",02,", ",2,"), "row 2: CENRACE must be one of 01 to 63"),
    "a MAFID that is none": (replaced("units.csv", "100000002", "1e8"), "units.csv: row 2: MAFID must be a positive"),
    "an unknown tenure": (
        replaced("units.csv", ",1,1,01,2", ",7,1,01,2"),
        "units.csv: row 1: TEN must be one of 0 to 4",
    ),
    "a state of three digits": (replaced("geo.csv", "1,44,", "1,444,"), "geo.csv: row 1: TABBLKST must be two digits"),
    "a line with a field less": (replaced("persons.csv", ",01,20", ",20"), "persons.csv: line 2 must be CSV"),
    "another encoding": (
        lambda data: (data / "persons.csv").write_bytes(PERSONS.replace("26", "\xff").encode("latin-1")),
        "persons.csv: line 4 must be CSV in UTF-8",
    ),
    "no Parquet": (
        lambda data: (data / "geo.csv").rename(data / "geo.parquet"),
        "geo.parquet: must be Parquet",
    ),
    "parts of two schemas": (
        mixed_parts,
        "persons: its files must have one schema; the column 'RTYPE' is bigint in 2.parquet and varchar in 1.parquet",
    ),
    "parts of two kinds": (mixed_kinds, "persons: must have CSV files or Parquet files; it has both"),
}
SECRET = ("45", "1e8", "444", "100000")


@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_data_are_refused_in_one_line_that_shows_no_value(case, given):
    change, message = BAD_DATA[case]
    change(given.data)
    (line,) = given(settings(0.01), status=2)
    assert message in line
    assert not any(secret in line.partition("data/")[2] for secret in SECRET)


def test_confidential_values_are_shown_where_that_is_asked_for(given):
    BAD_DATA["a negative age"][0](given.data)
    notice, line = given(settings(0.01), "--debug-confidential", status=2)
    assert "messages may show values of confidential records" in notice
    assert line.endswith("persons.csv: row 2: QAGE must be one of 0 to 115; got '-45'")


def test_a_folder_with_the_signs_of_a_pattern_is_read_as_it_is_named(given):
    odd = given.data.with_name("a[1]'*")
    given.data.rename(odd)
    assert main(["run", "phsafe", "--settings", "x", "--data", str(odd), "--out", "y"]) == 2
    given.data.symlink_to(odd)
    given(settings())


def test_targets_in_the_data_are_refused(given, capsys):
    file = given.data.parent / "settings.json"
    file.write_text(json.dumps(settings(1)))
    words = ["run", "phsafe", "--settings", str(file), "--data", str(given.data)]
    assert main([*words, "--out", str(given.data / "out")]) == 2
    assert "must lie apart from the data" in capsys.readouterr().err
    assert main([*words, "--out", str(given.out), "--claim", str(given.out / "a.toml")]) == 2
    assert "must lie apart from the tables" in capsys.readouterr().err


def test_the_group_is_named_where_duckdb_is_missing(given, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    (line,) = given(settings(0.01), status=2)
    assert line.endswith("PHSafe on files needs duckdb: pip install 'stirred[phsafe]'")


def test_data_that_change_meanwhile_are_refused(given, monkeypatch):
    made = run_phsafe.make_table

    def changing(*arguments):
        (given.data / "persons.csv").write_text(PERSONS + PERSONS.splitlines()[1] + "\n")
        made(*arguments)

    monkeypatch.setattr(run_phsafe, "make_table", changing)
    (line,) = given(settings(0.01), status=2)
    assert line.endswith("must not change while it is read; it has")
