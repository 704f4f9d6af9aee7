"""`stirred run phsafe`: exact counts without noise, resumed runs, and claims that an audit confirms.

Without noise `stirred run phsafe` counts what a tally by hand does, person by person. The tally is written from the
Census Bureau's definitions of the codes (RELSHIP, HHT, HHT2, CPLT, TEN and race), and shares nothing with the program:
no truncation (every household fits), no SQL, no cube, no maps to cells.
"""

import csv
import json
import shutil
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
from published_files import PERSONS, TABLES, TAUS, UNITS, settings
from synthetic_households import households, write_tables

from stirred.verify.cli.commands import run_phsafe
from stirred.verify.cli.main import main
from stirred.verify.products.phsafe import tables as phsafe_tables


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
    def test_without_noise_counts_are_exact(self, phsafe):
        captured = phsafe(settings())
        assert found(phsafe.out, "PH1_num") == in_both(
            *(("*2", 1), ("*3", 3), ("A2", 1), ("A3", 2), ("D3", 1), ("I2", 1), ("I3", 2)),
        )
        # the MAFID that stands twice has two rows of units, though no persons
        assert found(phsafe.out, "PH1_denom") == in_both(("*1", 4), ("A1", 3), ("D1", 1), ("I1", 3))
        assert found(phsafe.out, "PH2") == in_both(("4", 3), ("12", 1))
        assert found(phsafe.out, "PH3") == in_both(("*4", 1), ("G4", 1), ("H4", 1))
        assert found(phsafe.out, "PH4") == in_both(("*2", 1), ("*3", 2), ("A2", 1), ("A3", 2), ("I2", 1), ("I3", 2))
        assert found(phsafe.out, "PH5_num") == found(phsafe.out, "PH4")
        assert found(phsafe.out, "PH5_denom") == in_both(("*1", 1), ("A1", 1), ("I1", 1))
        assert found(phsafe.out, "PH6") == in_both(("4", 1))
        assert found(phsafe.out, "PH7") == in_both(("*2", 3), ("*4", 1), ("A2", 3), ("D4", 1), ("I2", 3))
        assert found(phsafe.out, "PH8_num") == in_both(("*2", 3), ("*3", 1), ("A2", 3), ("D3", 1), ("I2", 3))
        assert found(phsafe.out, "PH8_denom") == in_both(
            *(("*2", 1), ("*3", 3), ("A2", 1), ("A3", 2), ("D3", 1), ("I2", 1), ("I3", 2)),
        )
        assert sorted(path.name for path in phsafe.out.iterdir()) == sorted(TABLES)
        assert "rho^2 = infinite" in captured.out
        assert "no release" in captured.err

    def test_every_cell_of_every_state_stands_there(self, phsafe):
        phsafe(settings())
        # one nation and two states, ten iterations; 2 + 1 + 7 + 2 + 2 + 1 + 3 + 2 + 2 cells; PH2 and PH6 have one
        sizes = {table: len(counts(phsafe.out, table)) for table in TABLES}
        assert sum(sizes.values()) == 30 * 22 + 3 * (8 + 16)
        assert sizes["PH3"] == 210

    def test_a_unit_with_a_second_place_outside_the_states_is_dropped(self, phsafe):
        path = phsafe.data / "geo.csv"
        path.write_text(f"{path.read_text()}2,100000002,30,055,450200,4069,1,1,1,99999,9999\n")
        phsafe(settings())
        # without the adult of that unit, who was of race D
        adults, minors = (("*3", 2), ("A3", 2), ("I3", 2)), (("*2", 1), ("A2", 1), ("I2", 1))
        assert found(phsafe.out, "PH1_num") == in_both(*adults, *minors)

    def test_a_state_that_geo_has_no_row_of_has_its_groups(self, phsafe):
        phsafe({**settings(), "state_filter": ["44", "29", "30"]})
        of_state = [key for key in counts(phsafe.out, "PH3") if key.startswith("30")]
        assert len(of_state) == 70  # as many as each other state has

    def test_noise_has_the_stated_variance_beside_it(self, phsafe):
        phsafe(settings(0.5), "--seed", 1)
        with (phsafe.out / "PH3" / "PH3.csv").open() as file:
            rows = [line.rstrip().split("|") for line in file][1:]
        # sigma^2 = (2*5 + 2)^2 / (2*0.5)
        assert {tuple(row[5:]) for row in rows} == {("Discrete Gaussian", "144")}
        values = [int(row[4]) for row in rows]
        assert min(values) < -12
        manifest = json.loads((phsafe.out / "PH3" / "_manifest.json").read_text())
        assert manifest["levels"]["usa_*"] == {"budget": "0.5", "scale": "144"}
        assert manifest["file"]["rows"] == 210
        assert manifest["randomness"] == "seed, not for a release"

    def test_pure_noise_is_two_sided_geometric(self, phsafe):
        captured = phsafe(settings(0.5, privacy_defn="puredp"), "--seed", 1)
        with (phsafe.out / "PH1_denom" / "PH1_denom.csv").open() as file:
            rows = [line.rstrip().split("|") for line in file][1:]
        # 2 e^(-1/4) / (1 - e^(-1/4))^2 = 1 / (2 sinh(1/8)^2) = 31.833852…, with t = 2/0.5
        assert {row[5] for row in rows} == {"Two-Sided Geometric"}
        assert {row[6][:8] for row in rows} == {"31.83385"}
        assert "epsilon = 23 (the sum over 46 levels" in captured.out

    def test_a_level_without_budget_is_not_released(self, phsafe):
        chosen = settings(0)
        chosen["privacy_budget"]["PH1_num"]["usa_H,I"] = 1
        phsafe(chosen)
        assert [path.name for path in phsafe.out.iterdir()] == ["PH1_num"]
        assert sorted(counts(phsafe.out, "PH1_num")) == ["1H2", "1H3", "1I2", "1I3"]

    def test_puerto_rico_has_no_nation(self, phsafe):
        chosen = settings(1, state_filter=["72"])
        for levels in chosen["privacy_budget"].values():
            levels.update({level: 0 for level in levels if level.startswith("usa")})
        phsafe(chosen)
        assert {key[:2] for key in counts(phsafe.out, "PH1_num")} == {"72"}

    def test_two_runs_differ_and_two_with_one_seed_do_not(self, phsafe):
        texts = []
        for options in ((), (), ("--seed", 5), ("--seed", 5)):
            phsafe(settings(0.01), *options)
            texts.append((phsafe.out / "PH7" / "PH7.csv").read_text())
            shutil.rmtree(phsafe.out)
        assert texts[0] != texts[1]
        assert texts[2] == texts[3]

    def test_parquet_and_folders_of_parts_are_read_alike(self, phsafe, tmp_path):
        phsafe(settings())
        before = {table: counts(phsafe.out, table) for table in TABLES}
        shutil.rmtree(phsafe.out)
        (phsafe.data / "persons").mkdir()
        header, *lines = PERSONS.splitlines(keepends=True)
        (phsafe.data / "persons.csv").unlink()
        (phsafe.data / "persons" / "1.csv").write_text("\ufeff" + header + "".join(lines[:3]))
        turned = [",".join(reversed([*line.rstrip().split(","), "note", "note"])) for line in (header, *lines[3:])]
        (phsafe.data / "persons" / "2.csv").write_text("\r\n".join(turned))
        rows = [line.split(",") for line in UNITS.splitlines()]
        columns = dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True))
        columns["MAFID"] = list(map(int, columns["MAFID"]))
        pq.write_table(pa.table(columns), phsafe.data / "units.parquet")
        (phsafe.data / "units.csv").unlink()
        phsafe(settings())
        assert {table: counts(phsafe.out, table) for table in TABLES} == before


class TestRelease:
    def test_the_sum_of_the_claim_is_right_and_an_audit_shows_none_of_its_parts(self, phsafe, tmp_path, capsys):
        claim = tmp_path / "claim.toml"
        captured = phsafe(settings(0.01), "--claim", claim)
        assert "rho^2 = 0.46 (the sum over 46 levels; PHSafe, Theorems 1 and 2" in captured.out
        assert main(["audit", str(claim)]) == 3
        out = capsys.readouterr().out
        assert "undecided: the sum is right; nothing here shows these parts, stated without a mechanism: " in out
        assert "PH1_num 0.06" in out

    def test_an_interrupted_run_goes_on_with_the_same_noise(self, phsafe, monkeypatch, tmp_path):
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
        words = ["run", "phsafe", "--settings", file, "--data", phsafe.data, "--output", phsafe.out, "--work", work]
        assert main([str(word) for word in words]) == 2
        assert not phsafe.out.exists()
        assert work.stat().st_mode & 0o077 == 0
        kept = {path.name: path.read_text() for path in work.glob("tables/*/*.csv")}
        key = (work / "key").read_bytes()
        assert sorted(kept) == sorted(f"{table}.csv" for table in drawn)
        monkeypatch.setattr(run_phsafe, "make_table", made)
        phsafe(settings(0.01), "--work", work)
        assert {name: (phsafe.out / name[:-4] / name).read_text() for name in kept} == kept
        assert not work.exists()
        assert key.hex() not in "".join(path.read_text() for path in phsafe.out.glob("*/*"))

    def test_a_run_that_ends_between_a_table_and_what_is_derived_of_it_goes_on(self, phsafe, monkeypatch, tmp_path):
        whole, work = phsafe_tables.write_whole, tmp_path / "work"
        kept = []

        def ending(path, content):
            if path.endswith("PH7.csv"):
                kept.append((work / "tables" / "PH8_num" / "PH8_num.csv").read_text())
                raise KeyboardInterrupt
            whole(path, content)

        file = tmp_path / "settings.json"
        file.write_text(json.dumps(settings(0.01)))
        words = ["run", "phsafe", "--settings", file, "--data", phsafe.data, "--output", phsafe.out, "--work", work]
        with monkeypatch.context() as patched:
            patched.setattr(phsafe_tables, "write_whole", ending)
            assert main([str(word) for word in words]) == 2
        phsafe(settings(0.01), "--work", work)
        assert (phsafe.out / "PH8_num" / "PH8_num.csv").read_text() == kept[0]
        assert sorted(path.name for path in phsafe.out.iterdir()) == sorted(TABLES)

    def test_other_settings_do_not_go_on_with_a_run(self, phsafe, monkeypatch, tmp_path, capsys):
        monkeypatch.setattr(run_phsafe, "make_table", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        file = tmp_path / "settings.json"
        words = ["run", "phsafe", "--settings", str(file), "--data", str(phsafe.data), "--output", str(phsafe.out)]
        for budget in (0.01, 0.02):
            file.write_text(json.dumps(settings(budget)))
            assert main(words) == 2
        assert "must be the folder of the same run" in capsys.readouterr().err

    def test_a_release_is_not_written_over(self, phsafe, capsys):
        phsafe(settings(0.01))
        words = ["--settings", str(phsafe.out.parent / "settings.json"), "--data", str(phsafe.data)]
        assert main(["run", "phsafe", *words, "--output", str(phsafe.out)]) == 2
        assert "one release is drawn once" in capsys.readouterr().err

    def test_nothing_beside_the_counts_tells_of_the_records(self, phsafe):
        phsafe(settings(0.01))
        first = [json.loads(path.read_text()) for path in sorted(phsafe.out.glob("*/_manifest.json"))]
        shutil.rmtree(phsafe.out)
        (phsafe.data / "persons.csv").write_text(PERSONS.splitlines()[0] + "\n")
        phsafe(settings(0.01))
        others = [json.loads(path.read_text()) for path in sorted(phsafe.out.glob("*/_manifest.json"))]
        for one in (*first, *others):
            del one["file"]["bytes"], one["file"]["crc32"]
        assert first == others


OWN_CHILD = {"25", "26", "27"}
NOT_RELATED = {"20", "21", "22", "23", "24", "34", "35", "36"}
FAMILY = {"20", "21", "23", *map(str, range(25, 34))}
HOUSEHOLD_OF_CHILD = {"01": "married", "03": "cohabiting", "10": "man", "06": "woman"}


def iterations(race, hispanic):
    major = {f"0{one}": "ABCDEF"[one - 1] for one in range(1, 7)}.get(race, "G")
    return ["*", major, *(["H"] if hispanic == "2" else ["I"] if race == "01" else [])]


def couple(unit):
    """The cell of PH2."""
    kind, couple = unit["HHT2"], unit["CPLT"]
    if kind in ("01", "02"):
        return 3 if couple == "1" else 4
    if kind in ("03", "04"):
        return 6 if couple == "3" else 7
    return {"09": 9, "05": 12}.get(kind) or (10 if kind in ("10", "11", "12") else 13)


def child(person, unit):
    """The cell of PH3."""
    relation = person["RELSHIP"]
    if relation in NOT_RELATED:
        return 2
    if relation in OWN_CHILD:
        return {"married": 4, "cohabiting": 5, "man": 6, "woman": 7}[HOUSEHOLD_OF_CHILD[unit["HHT2"]]]
    return 9 if relation == "30" else 10


def tally(folder):
    """Every count that is not 0, by table, region, iteration and cell."""
    read = {
        name: list(csv.DictReader((folder / f"{name}.csv").read_text().splitlines()))
        for name in ("geo", "units", "persons")
    }
    state = {row["MAFID"]: row["TABBLKST"] for row in read["geo"]}
    unit = {row["MAFID"]: row for row in read["units"]}
    found = Counter()

    def add(table, mafid, names, cell):
        for region, name in ((region, name) for region in ("1", state[mafid]) for name in names):
            found[table, region, name, cell] += 1

    for one in read["units"]:
        if one["HHT"] != "0":
            names, mafid = iterations(one["HHRACE"], one["HHSPAN"]), one["MAFID"]
            add("PH1_denom", mafid, names, 1)
            add("PH8_denom", mafid, names, 2 if one["TEN"] in "12" else 3)
            if one["HHT"] in "123":
                add("PH5_denom", mafid, names, 1)
    for one in read["persons"]:
        mafid, age, home = one["MAFID"], int(one["QAGE"]), unit[one["MAFID"]]
        names = iterations(home["HHRACE"], home["HHSPAN"])
        by_age = 2 if age < 18 else 3
        add("PH1_num", mafid, names, by_age)
        add("PH2", mafid, ["*"], couple(home))
        add("PH7", mafid, names, {"1": 2, "2": 3}.get(home["TEN"], 4))
        add("PH8_num", mafid, names, 2 if home["TEN"] in "12" else 3)
        if age < 18:
            add("PH3", mafid, iterations(one["CENRACE"], one["CENHISP"]), child(one, home))
        if one["RELSHIP"] in FAMILY and home["HHT"] in "123":
            add("PH4", mafid, names, by_age)
            add("PH5_num", mafid, names, by_age)
        if age < 18 and one["RELSHIP"] in OWN_CHILD:
            first = {"married": 3, "cohabiting": 8, "man": 13, "woman": 18}[HOUSEHOLD_OF_CHILD[home["HHT2"]]]
            add("PH6", mafid, ["*"], first + (age >= 4) + (age >= 6) + (age >= 12))
    return found


def released(out):
    """Every count that is not 0, as it was written."""
    found = Counter()
    for path in out.glob("*/*.csv"):
        for row in csv.DictReader(path.read_text().splitlines(), delimiter="|"):
            cell = int(row[f"{path.stem.upper()}_DATA_CELL"])
            found[path.stem, row["REGION_ID"], row.get("ITERATION_CODE", "*"), cell] += int(row["COUNT"])
    return +found


def test_every_count_is_that_of_a_tally_by_hand(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    tables = households(400, 1000, seed=11)
    write_tables(tables, data)
    states = sorted(set(tables["geo"]["TABBLKST"].to_pylist()))
    chosen = settings(tau=dict.fromkeys(TAUS, 1000), state_filter=states)
    (tmp_path / "settings.json").write_text(json.dumps(chosen))
    words = ["--settings", tmp_path / "settings.json", "--data", data, "--output", tmp_path / "out", "--validate"]
    assert main(["run", "phsafe", *map(str, words)]) == 0
    expected = tally(data)
    assert {table for table, *_ in expected} == {path.name for path in (tmp_path / "out").iterdir()}
    assert released(tmp_path / "out") == expected
