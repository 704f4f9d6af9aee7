"""Files beside the records before a swap: none is met, raw ones are refuted, and honest ones never are."""

import csv
import json
import random
from collections import Counter
from fractions import Fraction

import pyarrow.csv
import pyarrow.parquet
import pytest

from stirred.verify.cli.main import main

COLUMNS = ("id", "size", "tenure", "county")
ROLES = ("--match", "size", "--swap", "county", "--hold", "tenure")


def homes(number=1200, seed=0):
    draws = random.Random(seed)  # noqa: S311 test data
    return [
        (f"r{n}", draws.randrange(4), draws.choice(("own", "rent", "free")), draws.choice("ABCDE"))
        for n in range(number)
    ]


def write(path, rows, names=COLUMNS):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([names, *rows])
    return path


def read(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))[1:]


def swap(folder, rate="1/2", *more, source="homes.csv", claim="claim.toml", out=("--microdata", "out.csv")):
    paths = (out[0], folder / out[1], "--claim", folder / claim)
    return main(["swap", *map(str, (folder / source, *ROLES, "--swap-rate", rate, *paths, *more))])


@pytest.fixture
def made(tmp_path, capsys):
    write(tmp_path / "homes.csv", homes())
    assert swap(tmp_path, "1/2", "--seed", "1") == 0
    capsys.readouterr()
    (tmp_path / "out.csv.manifest.json").unlink()
    return tmp_path


@pytest.fixture
def audit(capsys):
    def audited(*arguments):
        status = main(["audit", *map(str, arguments), "--json"])
        (record,) = json.loads(capsys.readouterr().out)
        findings = {}
        for finding in record["findings"]:
            findings.setdefault(finding["id"].rsplit(".", 1)[1], []).append(finding)
        return status, record, findings

    return audited


def audited(audit, folder, released, original="homes.csv", claim="claim.toml"):
    return audit(folder / claim, "--data", folder / original, folder / released)


class TestIsNeverMet:
    def test_with_the_original_and_without(self, made, audit):
        for arguments in (("--data", made / "homes.csv", made / "out.csv"), (made / "out.csv",)):
            status, record, findings = audit(made / "claim.toml", *arguments)
            assert status == 3
            (drawn,) = findings["drawn"]
            assert (drawn["verdict"], drawn["decides"]) == ("OPEN", True)
            assert "assumed: drawn by the PSA at p = 1/2, which no file can show" in record["detail"]
            assert "out.csv has no manifest to tie it to a run" in record["detail"]

    def test_a_manifest_is_only_a_statement(self, tmp_path, audit, capsys):
        write(tmp_path / "homes.csv", homes())
        swap(tmp_path)
        capsys.readouterr()
        for arguments in ((tmp_path / "claim.toml",), ()):
            status, record, _ = audit(*arguments, "--data", tmp_path / "homes.csv", tmp_path / "out.csv")
            assert status == 3
            assert "assumed: drawn by the PSA at p = 1/2" in record["detail"]
            assert "tie it to a run" not in record["detail"]

    def test_a_claim_beside_the_original_alone_is_about_its_universe(self, made, audit):
        status, _, findings = audit(made / "claim.toml", "--data", made / "homes.csv")
        assert status == 0
        assert "drawn" not in findings


def one_exchanged(rows):
    """The first two records of one stratum and two counties exchange them."""
    found = [list(row) for row in rows]
    first = found[0]
    other = next(row for row in found if row[1] == first[1] and row[3] != first[3])
    first[3], other[3] = other[3], first[3]
    return found


def one_stratum(rows, swapped):
    return [after if int(before[1]) == 0 else before for before, after in zip(rows, swapped, strict=True)]


class TestFilesThatWereNotSwapped:
    def refuted(self, audit, folder, released="raw.csv", **more):
        status, record, findings = audited(audit, folder, released, **more)
        assert (status, record["verdict"]) == (1, "REFUTED")
        (drawn,) = findings["drawn"]
        assert drawn["verdict"] == "REFUTED"
        assert drawn["detail"].startswith("SAMPLED: ")
        values = {name: Fraction(one) for name, one in drawn["witness"]["values"].items()}
        if "moved" in values:
            assert values["moved"] < values.get("least", 0) or values["moved"] > values.get("greatest", 10**9)
        else:
            assert values["probability"] < Fraction(1, 2 * 10**9)
        return record["detail"]

    def test_the_original_itself(self, made, audit):
        detail = self.refuted(audit, made, "homes.csv")
        assert "0 of 1200 records have another county than before, so that the file is the input itself" in detail
        assert "the probability of so few is at most 10^-" in detail

    def test_one_with_two_records_exchanged(self, made, audit):
        write(made / "raw.csv", one_exchanged(homes()))
        assert "2 of 1200 records" in self.refuted(audit, made)

    def test_one_with_one_stratum_swapped(self, made, audit):
        write(made / "raw.csv", one_stratum(homes(), read(made / "out.csv")))
        self.refuted(audit, made)

    def test_one_swapped_at_another_rate(self, made, audit, capsys):
        assert swap(made, "1/1000", claim="other.toml", out=("--microdata", "raw.csv")) == 0
        (made / "raw.csv.manifest.json").unlink()
        capsys.readouterr()
        self.refuted(audit, made)
        assert "so many is at most" in self.refuted(audit, made, "out.csv", claim="other.toml")

    def test_one_swapped_twice(self, tmp_path, audit, capsys):
        write(tmp_path / "homes.csv", homes(4000))
        assert swap(tmp_path) == 0
        assert swap(tmp_path, source="out.csv", claim="other.toml", out=("--microdata", "raw.csv")) == 0
        capsys.readouterr()
        assert "so many is at most" in self.refuted(audit, tmp_path)

    def test_the_table_of_few_strata_can_be_the_same_by_chance(self, made, audit):
        counts = Counter(row[1:] for row in homes())
        write(made / "raw.csv", [(*cell, number) for cell, number in counts.items()], (*COLUMNS[1:], "count"))
        status, record, _ = audited(audit, made, "raw.csv")
        assert status == 3
        assert "by the counts at least 0 of 1200 records" in record["detail"]

    def test_the_table_of_many_strata(self, tmp_path, audit, capsys):
        draws = random.Random(4)  # noqa: S311 test data
        rows = [(f"r{n}", n % 60, draws.choice(("own", "rent")), draws.choice("AB")) for n in range(2400)]
        write(tmp_path / "homes.csv", rows)
        assert swap(tmp_path, "1/2", "--seed", "1", out=("--output", "out.csv")) == 0
        capsys.readouterr()
        (tmp_path / "out.csv.manifest.json").unlink()
        assert audited(audit, tmp_path, "out.csv")[0] == 3
        counts = Counter(row[1:] for row in rows)
        table = [(*cell, number) for cell, number in counts.items()]
        write(tmp_path / "raw.csv", table, (*COLUMNS[1:], "count"))
        detail = self.refuted(audit, tmp_path)
        assert "60 of 60 strata that a swap can change have all counts as before" in detail
        first = [row for row in table if row[0] == 0]
        rest = [row for row in read(tmp_path / "out.csv") if row[0] == "0"]
        write(tmp_path / "raw.csv", [*rest, *(row for row in table if row not in first)], (*COLUMNS[1:], "count"))
        self.refuted(audit, tmp_path)


class TestFilesThatAreNotLinked:
    def test_shuffled_lines_are_no_pass(self, made, audit):
        for name in ("homes.csv", "out.csv"):
            rows = read(made / name)
            random.Random(3).shuffle(rows)  # noqa: S311 test data
            write(made / "raw.csv", rows)
            status, _, findings = audited(audit, made, "raw.csv")
            assert status == 3
            assert "by the counts at least" in findings["drawn"][0]["detail"]

    def test_too_many_by_the_counts_are_refuted(self, tmp_path, audit, capsys):
        rows = [(f"r{n}", 0, "own" if n < 600 else "rent", "A" if n < 600 else "B") for n in range(1200)]
        write(tmp_path / "homes.csv", rows)
        assert swap(tmp_path, "1/100", "--seed", "1") == 3  # tenure determines county
        (tmp_path / "out.csv.manifest.json").unlink()
        capsys.readouterr()
        others = [(*row[:3], "AB"[row[3] == "A"]) for row in rows][::-1]
        write(tmp_path / "raw.csv", others)
        status, record, _ = audited(audit, tmp_path, "raw.csv")
        assert status == 1
        assert "by the counts at least 1200 of 1200 records have another county than before" in record["detail"]

    def test_a_column_written_otherwise_moves_nobody(self, made, audit):
        for name in ("homes.csv", "out.csv"):
            rows = [(row[0], f"{row[1]}.0", row[2], row[3]) for row in read(made / name)]
            write(made / "raw.csv", rows)
            status, _, findings = audited(audit, made, "raw.csv")
            assert (status, findings["drawn"][0]["verdict"]) == (3, "OPEN")


class TestHonestFilesAreNotAccused:
    @pytest.mark.parametrize("rate", ["1/1000", "1/20", "1/2", "99/100"])
    @pytest.mark.parametrize("out", [("--microdata", "out.csv"), ("--output", "out.csv")])
    def test_at_any_rate(self, tmp_path, audit, capsys, rate, out):
        write(tmp_path / "homes.csv", homes(600))
        assert swap(tmp_path, rate, out=out) == 0
        capsys.readouterr()
        status, _, findings = audited(audit, tmp_path, "out.csv")
        assert (status, findings["drawn"][0]["verdict"]) == (3, "OPEN")

    @pytest.mark.parametrize("number", range(4, 11))
    def test_of_a_few_records(self, tmp_path, audit, capsys, number):
        rows = [(f"r{n}", 0 if n < 4 else n % 3, "own" if n % 2 else "rent", "AB"[n // 2 % 2]) for n in range(number)]
        write(tmp_path / "homes.csv", rows)
        assert swap(tmp_path, "1/10", "--seed", "2") == 0
        capsys.readouterr()
        status, _, findings = audited(audit, tmp_path, "out.csv")
        assert (status, findings["drawn"][0]["verdict"]) == (3, "OPEN")

    def test_whose_strata_are_mostly_of_one_county(self, tmp_path, audit, capsys):
        rows = [(f"r{n}", n % 50, "own" if n % 4 else "rent", "AB"[n % 50 == 0 and n % 100 == 0]) for n in range(2000)]
        rows[50] = (*rows[50][:3], "B")
        write(tmp_path / "homes.csv", rows)
        swap(tmp_path, "1/2", "--seed", "2")
        capsys.readouterr()
        status, _, findings = audited(audit, tmp_path, "out.csv")
        assert (status, findings["drawn"][0]["verdict"]) == (3, "OPEN")

    def test_in_parquet_beside_csv(self, made, audit):
        table = pyarrow.csv.read_csv(made / "out.csv")
        pyarrow.parquet.write_table(table, made / "out.parquet")
        status, _, findings = audited(audit, made, "out.parquet")
        assert (status, findings["drawn"][0]["verdict"]) == (3, "OPEN")


KEPT = (
    *(("2020-01-01", "2020-01-01 00:00:00"), ("2020-01-01", "2020-01-01T00:00"), ("2020-01-01T00:00Z", "2020-01-01")),
    *(("2020-01-01 12:30:00", "2020-01-01T12:30"), ("2020-01-01 12:30:10.5", "2020-01-01T12:30:10.500000+00:00")),
    *(("", "NA"), ("", "nan"), ("", "null"), ("", "None"), ("NA", "NaN"), ("NULL", "N/A"), ("", " "), ("0.5", ".50")),
    *(("own", "own "), ("own", " own"), ("5", " 5.0"), ("true", "1"), ("true", "True"), ("True", "t"), ("TRUE", "T")),
    *(("f", "FALSE"), ("false", "0"), ("f", "0.0")),
)
"""What a program writes as it is, and as another does."""


class TestValuesWrittenOtherwise:
    @pytest.fixture
    def swapped(self, tmp_path, capsys):
        def made(texts, *more):
            draws = random.Random(8)  # noqa: S311 test data
            rows = [(f"r{n}", draws.choice(("0", "1")), draws.choice(texts), draws.choice("ABC")) for n in range(400)]
            write(tmp_path / "homes.csv", rows)
            assert swap(tmp_path, "1/2", "--seed", "1", "--nulls", "category", *more) == 0
            (tmp_path / "out.csv.manifest.json").unlink()
            capsys.readouterr()
            return read(tmp_path / "out.csv")

        return made

    @pytest.mark.parametrize(("before", "after"), KEPT)
    def test_is_named_and_links_nobody(self, tmp_path, audit, swapped, before, after):
        rows = [(*row[:2], after if row[2] == before else row[2], row[3]) for row in swapped((before, "other"))]
        write(tmp_path / "raw.csv", rows)
        random.Random(3).shuffle(rows)  # noqa: S311 test data
        write(tmp_path / "shuffled.csv", rows)
        for name, said in {"raw": "values of tenure are written otherwise", "shuffled": "in another order"}.items():
            status, record, findings = audited(audit, tmp_path, f"{name}.csv")
            assert (status, record["verdict"]) == (3, "OPEN")
            assert said in findings["records"][0]["detail"]
            assert "another county" not in findings["drawn"][0]["detail"]

    @pytest.mark.parametrize("place", [1, 2, 3])
    def test_in_any_role(self, tmp_path, audit, swapped, place):
        rows = swapped(("own", "rent"))
        for name, time in {"homes": "", "raw": "T00:00:00"}.items():
            dated = [(*row[:place], f"2020-01-0{len(row[place])}{time}", *row[place + 1 :]) for row in rows]
            write(tmp_path / f"{name}.csv", dated)
        _, _, findings = audited(audit, tmp_path, "raw.csv")
        assert {one["verdict"] for one in findings["records"] + findings["invariants"]} <= {"OPEN", "EXHAUSTED"}

    @pytest.mark.parametrize("place", [1, 2])
    def test_each_value_as_another_one(self, tmp_path, audit, swapped, place):
        codes = {"0": "zero", "1": "one", "own": "O", "rent": "R"}
        rows = [(*row[:place], codes[row[place]], *row[place + 1 :]) for row in swapped(("own", "rent"))]
        write(tmp_path / "raw.csv", rows)
        status, _, findings = audited(audit, tmp_path, "raw.csv")
        assert status == 3
        assert f"values of {COLUMNS[place]} are written otherwise" in findings["records"][0]["detail"]

    @pytest.mark.parametrize(
        "codes",
        [
            {"own": "X", "rent": "X"},  # two become one
            {"own": "rent", "rent": "own"},  # each stands as one that there was
            {"own": "rent"},
            {"2020-01-01": "2020-01-01 00:00:01", "2020-01-02": "2020-01-01 00:00:01"},
            {"true": "0", "false": "1"},
            {"": "x", "x": "NA"},
        ],
    )
    def test_other_values_are_refuted(self, tmp_path, audit, swapped, codes):
        rows = swapped((*codes, "rent"))
        write(tmp_path / "raw.csv", [(*row[:2], codes.get(row[2], row[2]), row[3]) for row in rows])
        status, record, _ = audited(audit, tmp_path, "raw.csv")
        assert status == 1
        assert "another value of tenure" in record["detail"]

    def test_one_value_as_two_or_one_record_alone_is_refuted(self, tmp_path, audit, swapped):
        rows = swapped(("own", "rent"))
        for name, changed in {"two": range(0, 400, 2), "one": [7]}.items():
            other = [(*row[:2], "new" if n in changed else row[2], row[3]) for n, row in enumerate(rows)]
            write(tmp_path / f"{name}.csv", other)
            assert audited(audit, tmp_path, f"{name}.csv")[0] == 1

    def test_other_values_of_a_column_of_its_own_are_refuted(self, tmp_path, audit, swapped):
        write(tmp_path / "raw.csv", [(f"x{row[0]}", *row[1:]) for row in swapped(("own", "rent"))])
        assert audited(audit, tmp_path, "raw.csv")[0] == 1


class TestAColumnThatDeterminesWhatIsSwapped:
    @pytest.fixture
    def nested(self, tmp_path):
        draws = random.Random(5)  # noqa: S311 test data
        tracts = [draws.randrange(20) for _ in range(1000)]
        rows = [(f"r{n}", n % 3, f"t{tract}", "ABCD"[tract // 5]) for n, tract in enumerate(tracts)]
        write(tmp_path / "homes.csv", rows)
        return tmp_path

    @pytest.mark.parametrize("more", [(), ("--memory", "500MB"), ("--method", "fibre-noise")])
    def test_swap_says_so_and_writes(self, nested, capsys, more):
        setting = ("--epsilon", "1") if "fibre-noise" in more else ("--swap-rate", "1/10")
        paths = ("--microdata", nested / "out.csv")
        assert main(["swap", *map(str, (nested / "homes.csv", *ROLES, *setting, *paths, *more))]) == 3
        said = capsys.readouterr().err
        assert "tenure determines county in all of 1000 records: whoever has the release undoes the swap" in said
        assert (nested / "out.csv").exists()

    def test_audit_asks_it_of_the_original(self, nested, audit, capsys):
        assert swap(nested, "1/10") == 3
        capsys.readouterr()
        status, record, findings = audited(audit, nested, "out.csv")
        assert status == 3
        assert (
            "tenure determines county in all of 1000 records: whoever has the release undoes the swap"
            in (record["detail"])
        )
        assert findings["undone"][0]["decides"]
        assert audit(nested / "claim.toml", "--data", nested / "homes.csv")[0] == 3

    @pytest.mark.parametrize("is_of_lines", [True, False])
    def test_of_the_original_alone_columns_that_stay_with_their_lines_are_asked_about(
        self, tmp_path, audit, capsys, is_of_lines
    ):
        draws = random.Random(7)  # noqa: S311 test data
        tracts = [draws.randrange(20) for _ in range(1000)]
        rows = [(n % 3, draws.choice("ab"), "ABCD"[tract // 5], f"t{tract}") for n, tract in enumerate(tracts)]
        write(tmp_path / "homes.csv", rows, ("size", "tenure", "county", "tract"))
        out = ("--microdata" if is_of_lines else "--output", "out.csv")
        assert swap(tmp_path, "1/10", out=out) == (3 if is_of_lines else 0)
        capsys.readouterr()
        status, _, findings = audit(tmp_path / "claim.toml", "--data", tmp_path / "homes.csv")
        (undone,) = findings["undone"]
        assert (status, undone["decides"]) == ((3, True) if is_of_lines else (0, False))
        assert "where its records themselves are released, tract determines county in all of 1000" in undone["detail"]

    def test_of_a_released_file_alone_it_is_not_known(self, nested, audit, capsys):
        swap(nested, "1/10")
        capsys.readouterr()
        _, _, findings = audit(nested / "claim.toml", nested / "out.csv")
        assert "that needs the records before the swap" in findings["undone"][-1]["detail"]
