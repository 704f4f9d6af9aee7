"""`stirred swap` of households: persons who are carried along, targeted swapping, and claims that audit decides."""

import csv
import json
import random
import re
import tomllib
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from stirred.verify.cli.main import main

PLACES = ("region", "area")
COLUMNS = ("--match", "size", "--swap", *PLACES)
PERSONS = ("--persons", "persons.csv", "--by", "hid", "--persons-output", "people.csv")
PSA = (*COLUMNS, "--hold", "tenure", "--swap-rate", "20%", "--microdata", "out.csv")
TARGETED = ("--method", "targeted", *COLUMNS, "--similar", "tenure", "--similar", "size", "--microdata", "out.csv")
RISK = ("--risk", "age", "sex", "--k-anonymity", "3", "--swap-rate", "5%")


def rows(name):
    with Path(name).open(newline="") as file:
        return list(csv.DictReader(file))


def write(name, header, lines):
    with Path(name).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(lines)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """300 households in 4 regions of 3 areas, and their persons, one household without any."""
    monkeypatch.chdir(tmp_path)
    rng = random.Random(4)  # noqa: S311 fixed data
    homes, persons = [], []
    for hid in range(300):
        area, size = rng.randrange(12), rng.choice([1, 1, 2, 3])
        homes.append([hid, area // 3, area, size, rng.choice(["own", "rent"])])
        for _ in range(size if hid else 0):
            persons.append([len(persons), hid, area, rng.randrange(6), rng.choice("mf")])
    write("homes.csv", ["hid", *PLACES, "size", "tenure"], homes)
    write("persons.csv", ["pid", "hid", "area", "age", "sex"], persons)
    return tmp_path


def swap(capsys, *arguments, homes="homes.csv"):
    status = main(["swap", homes, *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def check_persons():
    """Each person has the area of the household and is else as before; returns how many moved."""
    home = {row["hid"]: row["area"] for row in rows("out.csv")}
    before, after = rows("persons.csv"), rows("people.csv")
    assert [{**row, "area": ""} for row in before] == [{**row, "area": ""} for row in after]
    assert all(row["area"] == home[row["hid"]] for row in after)
    return sum(one["area"] != other["area"] for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize("method", [PSA, ("--method", "fibre-noise", *PSA[:-4], "--epsilon", "2", *PSA[-2:])], ids=str)
def test_persons_move_with_their_household(capsys, method):
    status, out, _ = swap(capsys, *method, *PERSONS, "--claim", "c.toml")
    assert status == 0
    assert "people.csv: " in out
    assert "resolution: household" in out
    assert check_persons() > 0
    said = json.loads(Path("people.csv.manifest.json").read_text())
    assert (said["by"], said["households"], said["randomness"]) == ("hid", "out.csv", "operating system")
    assert main(["audit", "c.toml"]) == 0


def test_a_risk_of_persons_asks_for_their_file(capsys):
    risk = ("--risk", "age", "--swap-rate", "5%")
    assert swap(capsys, *TARGETED, *risk)[2] == (
        "stirred: homes.csv: must have the column 'age'; the first has hid, region, area, size, tenure: for columns of "
        "persons name their file, --persons and --by\n"
    )


class TestAuditOfPersons:
    @staticmethod
    def audited(capsys, *more, after="people.csv"):
        files = ("--data", "homes.csv", "out.csv", "--persons", "persons.csv", after)
        status = main(["audit", "c.toml", *files, *more])
        return status, *capsys.readouterr()

    @pytest.fixture(autouse=True)
    def claim(self, capsys):
        assert swap(capsys, *PSA, *PERSONS, "--claim", "c.toml")[0] == 0

    def test_they_are_the_same_and_lie_with_their_household(self, capsys):
        status, out, _ = self.audited(capsys)
        assert status == 3
        assert "record by record, persons.csv and people.csv have the same values of pid, hid, age, sex" in out
        assert "each person of people.csv lies where the household does in out.csv" in out

    @pytest.mark.parametrize(
        ("column", "words"),
        [
            (
                "age",
                "people.csv cannot be an outcome of the swap: it has another value of age in 1 record (the first is",
            ),
            ("area", "people.csv cannot be an outcome of the swap: people.csv: line 2: a household must lie in one"),
        ],
    )
    def test_another_value_is_refuted(self, capsys, column, words):
        first, *others = rows("people.csv")
        changed = [{**first, column: str((int(first[column]) + 1) % 6)}, *others]
        write("changed.csv", list(first), [list(row.values()) for row in changed])
        status, out, _ = self.audited(capsys, after="changed.csv")
        assert (status, words.replace("people", "changed") in out) == (1, True)

    def test_a_column_of_theirs_that_stays_and_tells_the_region_is_named(self, capsys):
        home = {row["hid"]: row["region"] for row in rows("homes.csv")}
        for name in ("persons.csv", "people.csv"):
            table = rows(name)
            write(name, [*table[0], "district"], [[*row.values(), home[row["hid"]]] for row in table])
        out = self.audited(capsys)[1]
        assert "in homes.csv, district of persons determines region in all of 299 records that share a value" in out

    @pytest.mark.parametrize(
        ("drop", "words"),
        [
            ("hid", "must share one column with homes.csv that is another"),
            ("area", "must have a column that is swapped"),
        ],
    )
    def test_persons_without_an_id_or_a_place_are_refused(self, capsys, drop, words):
        for name in ("persons.csv", "people.csv"):
            table = [{key: value for key, value in row.items() if key != drop} for row in rows(name)]
            write(name, list(table[0]), [list(row.values()) for row in table])
        status, out, err = self.audited(capsys)
        assert (status, out, words in err, err.count("\n")) == (2, "", True, 1)

    def test_they_need_both_files_of_households(self, capsys):
        assert main(["audit", "c.toml", "--data", "homes.csv", "--persons", "persons.csv", "people.csv"]) == 2
        assert "--persons requires --data RECORDS SWAPPED" in capsys.readouterr().err

    @pytest.mark.parametrize("given", [("homes.csv", "out.csv", "none.csv"), ("homes.csv", "none.csv")])
    def test_nothing_is_printed_where_a_file_is_missing(self, capsys, given):
        assert main(["audit", "c.toml", "--data", *given]) == 2
        assert capsys.readouterr() == ("", "stirred: none.csv: cannot be read: No such file or directory\n")


def test_persons_move_with_their_household_in_pairs(capsys):
    write("blocks.csv", ["area", "tract", "x", "y"], [[area, area // 3, area, 0] for area in range(12)])
    pairs = ("--method", "pairs-2010", "--geography", "blocks.csv", "--match", "size", "--swap", "area")
    status, out, err = swap(
        capsys, *pairs, "--flags", "tenure", "--swap-rate", "10%", "--microdata", "out.csv", *PERSONS
    )
    assert (status, "people.csv: " in out) == (0, True)
    assert "area determines region, which stays" in err
    assert check_persons() > 0


def test_persons_move_with_their_household_in_parquet(capsys):
    for name in ("homes", "persons"):
        pq.write_table(pyarrow.csv.read_csv(f"{name}.csv"), f"{name}.parquet")
    more = ("--persons", "persons.parquet", "--by", "hid", "--persons-output", "people.parquet")
    status, _, err = swap(capsys, *PSA[:-1], "out.parquet", *more, homes="homes.parquet")
    assert (status, err) == (0, "")
    assert pq.read_schema("people.parquet").remove_metadata() == pq.read_schema("persons.parquet").remove_metadata()
    home = dict(zip(*(pq.read_table("out.parquet")[name].to_pylist() for name in ("hid", "area")), strict=True))
    people = pq.read_table("people.parquet")
    assert [home[hid] for hid in people["hid"].to_pylist()] == people["area"].to_pylist()


@pytest.mark.parametrize("method", [("--swap-rate", "20%"), ("--method", "targeted", *RISK)], ids=str)
def test_a_coarser_place_that_persons_keep_marks_who_moved(capsys, method):
    persons = [{**row, "zone": int(row["area"]) // 3, "sex": "f"} for row in rows("persons.csv")]
    write("persons.csv", [*persons[0]], [one.values() for one in persons])
    homes = [{name: row[name] for name in ("hid", "area", "size", "tenure")} for row in rows("homes.csv")]
    write("homes.csv", [*homes[0]], [one.values() for one in homes])
    asked = ("--match", "size", "--swap", "area", *method, "--microdata", "out.csv", *PERSONS, "--report", "r.html")
    status, _, err = swap(capsys, *asked)
    said = "area determines zone of persons, which stays, in all 12 groups of records that share a value: a record"
    assert status == 0
    assert said in err
    assert said in Path("r.html").read_text()
    assert "sex" not in err.replace(said, "")


def test_targeted_swapping_keeps_what_all_profiles_have(capsys):
    status, out, err = swap(capsys, *TARGETED, *RISK, *PERSONS, "--no-donor", "none.csv", "--claim", "t.toml")
    assert status == 0, err
    assert check_persons() > 0
    before, after = rows("homes.csv"), rows("out.csv")
    kept = [name for name in before[0] if name not in PLACES]
    assert [[row[name] for name in kept] for row in before] == [[row[name] for name in kept] for row in after]
    counted = [sorted((row["size"], row["region"], row["area"]) for row in table) for table in (before, after)]
    assert counted[0] == counted[1]
    assert "line by line, but those of region x area, and counts of size x region x area" in out
    assert len(rows("none.csv")) == int(err.split("no donor was left for ")[1].split()[0] if "no donor" in err else 0)
    assert json.loads(Path("out.csv.manifest.json").read_text())["budget"]["epsilon"] == "infinite"
    assert main(["audit", "t.toml"]) == 0
    assert "bounds nothing, so that every mechanism satisfies it" in capsys.readouterr().out


def test_a_household_at_risk_is_always_swapped(capsys):
    # by the rarest of its persons in its region, where it is at risk there, else in its area
    assert swap(capsys, *TARGETED, *RISK[:-1], "0", *PERSONS, "--no-donor", "none.csv")[0] == 0
    before = {row["hid"]: row for row in rows("homes.csv")}
    moved = {row["hid"] for row in rows("out.csv") if row["area"] != before[row["hid"]]["area"]}
    without = {row["hid"] for row in rows("none.csv")}
    counts: dict[object, int] = {}
    for level in PLACES:
        for row in rows("persons.csv"):
            key = (level, before[row["hid"]][level], row["age"], row["sex"])
            counts[key] = counts.get(key, 0) + 1
    at_risk = {
        row["hid"]
        for row in rows("persons.csv")
        for level in PLACES
        if counts[level, before[row["hid"]][level], row["age"], row["sex"]] < 3
    }
    assert len(at_risk) > 20
    assert at_risk <= moved | without


def mechanism(name):
    return tomllib.loads(Path(name).read_text())["mechanism"]


def test_a_claim_states_the_risk_that_was_given(capsys):
    words = ("--risk-column", "hid", "--risk-above", "250.5", "--swap-rate", "0", "--claim", "t.toml")
    status, out, err = swap(capsys, *TARGETED, *words)
    assert (status, "households at risk are swapped for certain" in out, "no --" in err) == (0, True, False)
    said = mechanism("t.toml")
    assert (said["risk_column"], said["risk_above"], said["swap_rate"]) == ("hid", "501/2", "0")
    assert not {"risk", "k_anonymity"} & said.keys()
    assert main(["audit", "t.toml"]) == 0
    audited = capsys.readouterr().out
    assert "targeted-swapping with risk_column = hid, risk_above = 501/2, swap_rate = 0 " in audited
    assert swap(capsys, *TARGETED, *RISK, *PERSONS, "--claim", "t.toml")[0] == 0
    assert main(["audit", "t.toml"]) == 0
    assert '"age x sex", k_anonymity = 3, swap_rate = 1/20 ' in capsys.readouterr().out


def test_a_claim_states_that_rates_differ_by_place(capsys):
    rates = ["5%", ".05", "1/10"]
    write("rates.csv", [*PLACES, "rate"], [[area // 3, area, rates[area % 3]] for area in range(12)])
    status, out, _ = swap(capsys, *TARGETED, "--rates", "rates.csv", "--claim", "t.toml")
    assert (status, "infinite (swap rate by place, at most 1/10)" in out) == (0, True)
    assert mechanism("t.toml")["swap_rate"] == "by place, at most 1/10"
    assert main(["audit", "t.toml"]) == 0
    assert 'swap_rate = "by place, at most 1/10"' in capsys.readouterr().out


MATCHED = "stirred: no --risk: risk is counted by the --match columns, size"
NONE_AT_RISK = "stirred: no --k-anonymity: K = 0, so no household is at risk; risk only orders the draws"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), [MATCHED, NONE_AT_RISK]),
        (("--k-anonymity", "2"), [MATCHED]),
        (("--risk", "tenure"), [NONE_AT_RISK]),
        (("--risk", "tenure", "--k-anonymity", "2"), []),
    ],
    ids=str,
)
def test_what_is_taken_of_risk_is_said(capsys, options, said):
    status, out, err = swap(capsys, *TARGETED, "--swap-rate", "5%", *options)
    assert (status, [line for line in err.splitlines() if line.startswith("stirred: no --")]) == (0, said)
    assert ("households at risk are swapped for certain" in out) == ("--k-anonymity" in options)
    assert "the swap rate fixes how many begin a swap (stirred verify targeted.causes)" in out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('risk_above = "250"', ""), "mechanism.risk_above: missing key"),
        (('risk_above = "250"', 'risk_above = "-1"'), "mechanism.risk_above must be"),
        (('risk_column = "hid"', ""), "exactly one of k_anonymity, risk_column must be given; got none"),
        (('risk_column = "hid"', "k_anonymity = 2"), "mechanism.risk_above requires risk_column"),
        (('risk_column = "hid"', 'risk_column = "hid"\nk_anonymity = 2'), "got k_anonymity and risk_column"),
        (('risk_column = "hid"', 'risk_column = "hid"\nrisk = ["age"]'), "cannot be combined with risk_column"),
        (('swap_rate = "0"', 'swap_rate = "by place, at most 6/5"'), "mechanism.swap_rate must be"),
        (('swap_rate = "0"', 'swap_rate = "by place"'), "mechanism.swap_rate must be"),
    ],
    ids=str,
)
def test_a_rule_that_cannot_be_is_refused_in_a_claim(capsys, change, message):
    words = ("--risk-column", "hid", "--risk-above", "250", "--swap-rate", "0", "--claim", "t.toml")
    assert swap(capsys, *TARGETED, *words)[0] == 0
    replaced("t.toml", *change)
    assert main(["audit", "t.toml"]) == 2
    assert message in capsys.readouterr().err


def test_files_of_another_method_are_not_compared(capsys):
    assert swap(capsys, *TARGETED, "--swap-rate", "5%", "--claim", "t.toml")[0] == 0
    assert main(["audit", "t.toml", "--data", "homes.csv", "out.csv"]) == 2
    assert "got none (--data compares files of the PSA only)\n" in capsys.readouterr().err


def test_rates_by_place_hold_in_their_places(capsys):
    write("rates.csv", [*PLACES, "rate"], [[area // 3, area, "1" if area == 5 else "0"] for area in range(12)])
    assert swap(capsys, *TARGETED, "--rates", "rates.csv")[0] == 0
    pairs = list(zip(rows("homes.csv"), rows("out.csv"), strict=True))
    moved = [one for one, other in pairs if one["area"] != other["area"]]
    own = sum(row["area"] == "5" for row in rows("homes.csv"))
    begun = sum(row["area"] == "5" for row in moved)
    assert begun in (own // 2, own - own // 2)
    assert len(moved) == 2 * begun  # each household of area 5 with one of another area


def test_a_risk_that_is_given_is_exact(capsys):
    write("homes.csv", ["hid", *PLACES, "size", "tenure", "r"], [[i, i % 2, i % 2, 1, "own", "0.1"] for i in range(4)])
    words = ("--risk-column", "r", "--swap-rate", "0", "--risk-above")
    assert swap(capsys, *TARGETED, *words, "0.1")[1].startswith("out.csv: 4 records, 0 pairs")
    assert swap(capsys, *TARGETED, *words, "0.0999999999999999999")[1].startswith("out.csv: 4 records, 2 pairs")


def test_places_without_a_name_are_refused_or_a_category(capsys):
    write("homes.csv", ["hid", *PLACES, "size", "tenure"], [[i, i % 2, ["", 1][i % 2], 1, "own"] for i in range(4)])
    words = (*TARGETED, "--swap-rate", "1/2")
    status, _, err = swap(capsys, *words)
    assert (status, "nulls (in CSV, empty fields): area 2" in err) == (2, True)
    assert swap(capsys, *words, "--nulls", "category")[1].startswith("out.csv: 4 records, 1 pair swapped")


def replaced(name, old, new):
    text = Path(name).read_text()
    assert old in text
    Path(name).write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("persons.csv", "\n3,", "\n3,999,0,1,m\n3,"), "line 5: hid must be that of a household of homes.csv"),
        (("persons.csv", ",hid,", ",id,"), "persons.csv: must have the column 'hid'"),
        (("homes.csv", "\n1,", "\n0,"), "got '0' twice"),
        (("homes.csv", "hid,", "id,"), "homes.csv: "),
    ],
)
@pytest.mark.parametrize("method", [PSA, (*TARGETED, "--swap-rate", "5%")], ids=["psa", "targeted"])
def test_persons_without_one_household_are_refused(capsys, tmp_path, change, message, method):
    replaced(*change)
    there = sorted(tmp_path.iterdir())
    status, out, err = swap(capsys, *method, *PERSONS)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert sorted(tmp_path.iterdir()) == there


def test_a_household_whose_persons_lie_in_two_places_is_refused(capsys, tmp_path):
    lines = Path("persons.csv").read_text().splitlines()
    pid, hid, area, *rest = lines[7].split(",")
    lines[7] = ",".join([pid, hid, str(int(area) + 1), *rest])
    Path("persons.csv").write_text("\n".join(lines) + "\n")
    there = sorted(tmp_path.iterdir())
    for method in (PSA, (*TARGETED, "--swap-rate", "5%")):
        status, out, err = swap(capsys, *method, *PERSONS)
        assert (status, out) == (2, "")
        assert err == (
            f"stirred: persons.csv: line 8: a household must lie in one place; hid '{hid}' has area = "
            f"'{int(area) + 1}' here and '{area}' in homes.csv\n"
        )
    assert sorted(tmp_path.iterdir()) == there


def test_persons_alone_are_refused_with_the_remedy(capsys):
    words = ("--swap", "area", "--swap-rate", "1/2", "--microdata", "out.csv")
    status, _, err = swap(capsys, *words, homes="persons.csv")
    assert status == 2
    assert "hid determines area in groups of few records, as the id of a household does" in err
    assert "--persons persons.csv --by hid" in err
    status, _, err = swap(capsys, *words, "--id", "hid", homes="persons.csv")
    assert status == 2
    assert "--persons FILE --by hid" in err
    assert not Path("out.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*PSA[:-2], *PERSONS), "persons are carried along only with --microdata"),
        ((*PSA, "--by", "hid"), "persons are carried along only with --persons, --persons-output"),
        ((*PSA, *PERSONS, "--memory", "2GB"), "--persons cannot be combined with --memory"),
        ((*PSA, *PERSONS, "--id", "tenure"), "--id and --by must be one column; got tenure and hid"),
        ((*PSA, *PERSONS[:-1], "out.csv"), "must be different files"),
        ((*PSA, *PERSONS[:-1], "persons.csv"), "must not be the file of records"),
        ((*PSA, "--carry", "tenure"), "--method psa cannot be combined with --carry"),
        ((*PSA, "--id-prefix", "a b"), "--id-prefix must be"),
        ((*TARGETED,), "requires either --swap-rate or --rates"),
        ((*TARGETED, *RISK, "--risk-column", "size"), "--k-anonymity cannot be combined with --risk-column"),
        ((*TARGETED, "--swap-rate", "5%", "--risk-column", "tenure"), "--risk-column requires --risk-above"),
        ((*TARGETED, "--swap-rate", "5%", "--risk-above", "1"), "--risk-above requires --risk-column"),
        (
            (*TARGETED, "--swap-rate", "5%", "--risk-column", "tenure", "--risk-above", "1"),
            "homes.csv: tenure must be a number of at least 0 for each household; got 'own'",
        ),
        ((*TARGETED, "--swap-rate", "120%"), "--swap-rate must be between 0 and 1; got 6/5"),
        ((*TARGETED, *RISK), "homes.csv: must have the column 'age'"),
        ((*TARGETED, "--swap-rate", "5%", "--similar", "income"), "homes.csv: must have the column 'income'"),
        ((*TARGETED, "--swap-rate", "5%", "--carry", "size"), "the column 'size' must have one role; it has two"),
        ((*TARGETED, "--swap-rate", "5%", "--hold", "size"), "the column 'size' must have one role; it has two"),
        ((*TARGETED, "--swap-rate", "5%", "--hold", "x"), "must have the column 'x'"),
        ((*TARGETED, "--swap-rate", "5%", "--output", "t.csv"), "--method targeted cannot be combined with --output"),
        ((*TARGETED, "--swap-rate", "5%", "--claim", "out.csv"), "--claim and --microdata must be different files"),
        ((*TARGETED, "--swap-rate", "5%", "--k-anonymity", "-1"), "--k-anonymity must be"),
        ((*TARGETED, "--rates", "rates.csv"), "must have a rate for every place of a household; "),
        ((*TARGETED, "--rates", "twice.csv"), "each place must have one rate; 0 / 0 has two"),
        ((*TARGETED, "--rates", "much.csv"), "rate of 0 / 0 must be"),
        ((*TARGETED, "--rates", "more.csv"), "more.csv: each place must be that of a household; 0 / 99 is not"),
    ],
    ids=str,
)
def test_what_cannot_be_is_one_line_and_nothing_is_written(capsys, tmp_path, arguments, message):
    write("rates.csv", [*PLACES, "rate"], [[0, 0, "0.1"]])
    write("twice.csv", [*PLACES, "rate"], [[0, 0, "0.1"], [0, 0, "0.1"]])
    write("much.csv", [*PLACES, "rate"], [[0, 0, "1.5"]])
    write("more.csv", [*PLACES, "rate"], [*([area // 3, area, "0.1"] for area in range(12)), [0, 99, "0.1"]])
    there = {path: path.read_bytes() for path in tmp_path.iterdir()}
    status, out, err = swap(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert message in err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == there


def test_the_report_tabulates_only_what_is_held_and_not_what_moves_with_places(capsys):
    named = (*TARGETED, "--swap-rate", "5%", "--report", "r.html")
    for hold, shown in ((), {"hid", "tenure", "size"}), (("--hold", "tenure"), {"tenure", "size"}):
        assert swap(capsys, *named, *hold)[0] == 0
        groups = Path("r.html").read_text().split("<h3>How many moved, by group")[1].split("<h3>")[0]
        assert {*re.findall(r"<t[hd][^>]*>(hid|tenure|size) ", groups)} == shown
    assert swap(capsys, *named[:2], *COLUMNS, "--carry", "tenure", "--hold", "hid", *PSA[-2:], *named[-4:])[0] == 0
    done = Path("r.html").read_text().split("What was done")[1]
    assert ("have another region x area" in done, "tenure" in done) == (True, False)


def test_pairs_flag_no_id_and_refuse_missing_values(capsys):
    write("blocks.csv", ["area", "tract", "x", "y"], [[area, area % 5, area, area % 3] for area in range(12)])
    pairs = ("--method", "pairs-2010", "--geography", "blocks.csv", "--match", "size", "--swap", "area", *PSA[-2:])
    named = (*pairs, "--swap-rate", "10%", *PERSONS, "--claim", "c.toml")
    assert swap(capsys, *named)[0] == 0
    assert 'flags = [ "region", "size", "tenure", ]' in " ".join(Path("c.toml").read_text().split())
    Path("homes.csv").write_text(Path("homes.csv").read_text().replace("own", "", 3))
    assert "nulls (in CSV, empty fields): tenure 3; --nulls category" in swap(capsys, *named)[2]
    assert [swap(capsys, *named, *more)[0] for more in (("--nulls", "category"), ("--flags", "size"))] == [0, 0]


def test_two_swaps_are_audited_in_one_run(capsys):
    assert swap(capsys, *PSA, "--claim", "april 2026.toml")[0] == 0
    assert swap(capsys, *TARGETED, "--swap-rate", "5%", "--claim", "b.toml", "--id-prefix", "office.b")[0] == 0
    assert main(["audit", "april 2026.toml", "b.toml"]) == 0
    out = capsys.readouterr().out
    assert "april-2026.release: ENCLOSED" in out
    assert "office.b.release: EXHAUSTED" in out
    assert "2 claims: 2 hold" in out


def test_a_finite_budget_of_targeted_swapping_is_not_shown(capsys):
    assert swap(capsys, *TARGETED, "--swap-rate", "5%", "--claim", "t.toml")[0] == 0
    replaced("t.toml", '"infinite"', '"40"')
    assert main(["audit", "t.toml"]) == 3
    assert "not shown: targeted-swapping has no finite budget" in capsys.readouterr().out


SMALL = """
id = "small.targeted"
statement = "Targeted swapping of three households."
domain = {{ schema = {{ area = [0, 1], kind = [0, 1] }}, records = 3, order = "unordered" }}
multiverse = {{ invariants = [["area"], ["kind"]] }}
input_premetric = {{ name = "hamming_unordered", resolution = "household" }}
output_premetric = {{ name = "{measure}" }}
budget = {{ {budget} }}
mechanism = {{ name = "targeted-swapping", {columns}, k_anonymity = 2, swap_rate = "1/2" }}
"""
OWN = 'hierarchy = ["area"], similar = [[]], risk = ["kind"]'


@pytest.mark.parametrize(
    ("measure", "budget", "columns", "status"),
    [
        ("multiplicative", 'epsilon = "9"', OWN, 1),
        ('approximate_multiplicative", delta = "1/2', 'epsilon = "9"', OWN, 0),  # targeted.delta: 1/2 at k = 2, n = 3
        ('approximate_multiplicative", delta = "0.499', 'epsilon = "9"', OWN, 1),
        ("multiplicative", 'epsilon = "9"', f"{OWN}, risk_above = 1", 2),
        ("multiplicative", 'epsilon = "9"', 'hierarchy = [], similar = [[]], risk = ["kind"]', 2),
        ("multiplicative", 'epsilon = "9"', 'hierarchy = ["area"], similar = [], risk = ["kind"]', 2),
        ("multiplicative", 'epsilon = "9"', 'hierarchy = ["area"], similar = [["x"]], risk = ["kind"]', 2),
        ("multiplicative", 'epsilon = "9"', 'hierarchy = ["area"], similar = ["kind"], risk = ["kind"]', 2),
    ],
)
def test_a_claim_on_a_small_domain_has_its_exact_law(capsys, measure, budget, columns, status):
    Path("small.toml").write_text(SMALL.format(measure=measure, budget=budget, columns=columns))
    assert main(["audit", "small.toml"]) == status, capsys.readouterr()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("k_anonymity = 2", 'risk_column = "kind", risk_above = 1', "risk_column belongs to a domain in words"),
        ('swap_rate = "1/2"', 'swap_rate = "by place, at most 1/2"', "swap_rate must be one number, where"),
    ],
)
def test_rules_with_columns_of_a_file_belong_to_a_domain_in_words(capsys, old, new, message):
    text = SMALL.format(measure="multiplicative", budget='epsilon = "9"', columns=OWN)
    assert old in text
    Path("small.toml").write_text(text.replace(old, new))
    assert main(["audit", "small.toml"]) == 2
    assert message in capsys.readouterr().err


class TestCompare:
    @pytest.fixture
    def claims(self, capsys):
        """Two designs of the PSA, the second of which matches one of the places; fibre noise; targeted swapping."""
        for name, arguments in {
            "a": PSA,
            "b": ("--match", "size", "region", "--swap", "area", *PSA[5:]),
            "noise": ("--method", "fibre-noise", *PSA[:-4], "--epsilon", "2", *PSA[-2:]),
            "targeted": (*TARGETED, "--swap-rate", "5%"),
            "other": ("--match", "tenure", "--swap", *PLACES, "--hold", "size", *PSA[7:]),
        }.items():
            assert swap(capsys, *arguments, "--claim", f"{name}.toml")[0] == 0, name

    @staticmethod
    def compared(capsys, *names):
        status = main(["compare", *(f"{name}.toml" for name in names)])
        lines = capsys.readouterr().out.splitlines()
        return status, {line.split(": ")[0].removeprefix("compare."): line for line in lines}

    def test_finer_strata_keep_more(self, capsys, claims):
        status, found = self.compared(capsys, "a", "b")
        assert status == 0
        assert "region differs in role; a.release: matching size, holding tenure" in found["roles"]
        assert "each universe of b.release lies in one of a.release" in found["universes"]
        assert "b.release states the smaller one" in found["budgets"]
        assert found["order"].startswith("compare.order: OPEN: neither")
        assert {"budget.a.release", "budget.b.release"} < set(found)

    def test_what_is_larger_and_costs_less_implies_the_other(self, capsys, claims):
        replaced("b.toml", 'printed = "', 'epsilon = "40" # "')
        replaced("b.toml", 'by = "psa.budget.theorem"', "")
        assert "whatever satisfies a.release satisfies b.release" in self.compared(capsys, "a", "b")[1]["order"]
        assert "whatever satisfies a.release satisfies b.release" in self.compared(capsys, "b", "a")[1]["order"]

    def test_one_flavor_and_two_mechanisms(self, capsys, claims):
        _, found = self.compared(capsys, "noise", "a")
        assert "their universes are one" in found["universes"]
        assert "whatever satisfies noise.release satisfies a.release" in found["order"]

    def test_other_strata_are_not_compared(self, capsys, claims):
        found = self.compared(capsys, "a", "other")[1]
        assert "neither keeps all that the other keeps" in found["universes"]

    def test_no_budget_is_larger_than_an_infinite_one(self, capsys, claims):
        status, found = self.compared(capsys, "a", "targeted")
        assert status == 0
        assert "a.release states the smaller one" in found["budgets"]

    def test_lines_are_kept_by_each_method_that_releases_them(self, capsys, claims):
        replaced("a.toml", 'resolution = "record"', 'resolution = "household"')
        replaced("a.toml", 'resolution = "record"', 'resolution = "household"')  # the mechanism's
        _, found = self.compared(capsys, "targeted", "a")
        assert "both keep the same counts exactly: their universes are one" in found["universes"]
        assert "whatever satisfies a.release satisfies targeted.release" in found["order"]

    def test_other_units_are_not_ordered(self, capsys, claims):
        replaced("noise.toml", 'resolution = "record"', 'resolution = "person"')
        assert "the premetrics or the units differ" in self.compared(capsys, "noise", "a")[1]["order"]

    def test_a_budget_that_is_not_shown_is_undecided(self, capsys, claims):
        replaced("noise.toml", 'epsilon = "2"', 'epsilon = "1.9"')
        assert self.compared(capsys, "noise", "a")[0] == 3

    @pytest.mark.parametrize(
        ("named", "got"),
        [
            (("noise.toml", "small.toml"), "small.targeted"),
            (("small.toml", "noise.toml"), "small.targeted"),
            (("noise.toml", "a.toml", "--recording", "map.toml"), "--recording"),
        ],
    )
    def test_another_kind_of_claim_and_a_recording_are_refused(self, capsys, claims, named, got):
        Path("small.toml").write_text(SMALL.format(measure="multiplicative", budget='epsilon = "9"', columns=OWN))
        Path("map.toml").write_text("images = [[0, 0]]\n")
        assert main(["compare", *named]) == 2
        said = "noise.release: a swap of records in words is compared with another swap of records in words"
        assert capsys.readouterr().err == f"stirred: {said}; got {got}\n"

    def test_columns_without_roles_are_refused(self, capsys, claims):
        for role in ("matching", "holding", "swapping"):
            text = Path("noise.toml").read_text()
            Path("noise.toml").write_text(re.sub(rf"{role} = \[[^\]]*\]\n", "", text))
        assert main(["compare", "noise.toml", "a.toml"]) == 2
        assert "must name the columns by their role" in capsys.readouterr().err
