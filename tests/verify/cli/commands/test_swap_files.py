"""`stirred swap` on files: what it writes, what it refuses, and how it ends when something ends it."""

import json
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest
from started import ENVIRONMENT
from tiers import few

from stirred.mechanisms.tables import run_folder
from stirred.verify.cli.main import main
from stirred.verify.products.swap import on_one_machine

ROOT = Path(__file__).resolve().parents[4]
LINES = "id,size,tenure,county\n" + "".join(
    f"r{n},{n % 3},{'own' if n % 5 else 'rent'},{'ABC'[n % 7 % 3]}\n" for n in range(400)
)
SWAP = ["--match", "size", "--swap", "county", "--swap-rate", "1/2"]


@pytest.fixture
def homes(tmp_path):
    path = tmp_path / "homes.csv"
    path.write_text(LINES)
    return path


def run(capsys, *arguments):
    status = main(["swap", *map(str, arguments)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def started(*arguments, **options):
    """The command in a process of its own."""
    code = "import sys; from stirred.verify.cli.main import main; sys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", code, "swap", *map(str, arguments)],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def rows(path):
    return [line.split(",") for line in path.read_text().splitlines()]


class TestMicrodata:
    def test_records_keep_all_but_the_swapped_values_in_their_order(self, capsys, homes, tmp_path):
        target = tmp_path / "out.csv"
        status, out, _ = run(capsys, homes, *SWAP, "--id", "id", "--microdata", target, "--seed", 1)
        assert (status, out.splitlines()[0]) == (0, f"{target}: 400 records")
        before, after = rows(homes), rows(target)
        assert [row[:3] for row in after] == [row[:3] for row in before]
        assert after != before
        assert sorted((row[1], row[3]) for row in after) == sorted((row[1], row[3]) for row in before)

    def test_the_specification_takes_each_line_as_a_holding_category(self, capsys, tmp_path):
        path = tmp_path / "in.csv"
        path.write_text("size,tenure,county\n" + "2,own,A\n" * 9 + "3,own,A\n3,rent,B\n")
        table = run(capsys, path, *SWAP, "--output", tmp_path / "t.csv")[1]
        records = run(capsys, path, *SWAP, "--microdata", tmp_path / "m.csv")[1]
        assert "(b = 2, p = 1/2; article, Theorem 1)" in table  # nine equal records are one data set
        assert "(b = 9, p = 1/2; article, Theorem 1)" in records
        assert "every value of each record, line by line, but those of county" in records

    def test_both_outputs_are_of_one_draw(self, capsys, homes, tmp_path):
        targets = ["--output", tmp_path / "t.csv", "--microdata", tmp_path / "m.csv"]
        assert run(capsys, homes, *SWAP, "--id", "id", *targets)[0] == 0
        records = rows(tmp_path / "m.csv")[1:]
        cells = {tuple(row[:3]): int(row[3]) for row in rows(tmp_path / "t.csv")[1:]}
        assert cells == {cell: [row[1:] for row in records].count(list(cell)) for cell in cells}
        assert sum(cells.values()) == 400


class TestTheSpecification:
    def test_is_a_claim_file_that_the_auditor_accepts(self, capsys, homes, tmp_path):
        claim = tmp_path / "swap.toml"
        status, out, _ = run(capsys, homes, *SWAP, "--id", "id", "--resolution", "household", "--claim", claim)
        assert status == 0
        assert "(b = 134, p = 1/2; article, Theorem 1)" in out
        assert main(["audit", str(claim), "--format", "text"]) == 0
        audited = capsys.readouterr().out
        assert "swap.release.budget: PROVED: claimed budget is (7) itself, ln(135)" in audited
        assert "1 claim: 1 hold, 0 refuted, 0 undecided" in audited

    def test_says_how_many_strata_are_one_record(self, capsys, tmp_path):
        path = tmp_path / "in.csv"
        path.write_text("size,tenure,county\n1,own,A\n2,own,A\n2,rent,B\n3,own,A\n3,own,B\n")
        out = run(capsys, path, *SWAP)[1]
        assert "3 strata here, of which 2 are wholly determined by them (3 records; 1 strata are one record)" in out

    def test_says_the_sharp_budget_for_b_and_p(self, capsys, homes):
        out = run(capsys, homes, *SWAP, "--id", "id")[1]
        assert "ln(135) ≈ 4.90527 (b = 134, p = 1/2; article, Theorem 1); ≈ 4.8" in out

    def test_is_that_of_the_same_records_in_parts(self, capsys, homes, tmp_path):
        one = run(capsys, homes, *SWAP, "--output", tmp_path / "a.csv", "--seed", 1, "--buckets", 4, "--certify")
        parts = ["--memory", "1GB"]
        two = run(
            capsys, homes, *SWAP, "--output", tmp_path / "b.csv", "--seed", 1, "--buckets", 4, "--certify", *parts
        )
        assert (one[0], two[0]) == (0, 0)
        assert one[1].splitlines()[1:] == two[1].splitlines()[1:]
        assert "with these counts at most" in one[1]
        assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()
        assert not (tmp_path / "b.csv.parts").exists()


class TestTheCheaperPath:
    """Large Parquet is swapped in parts unless it is to be held in memory; CSV is not."""

    @pytest.fixture
    def folders(self, monkeypatch, tmp_path):
        """Which folders of parts were made."""
        made = []
        begin = run_folder.RunFolder.__init__

        def noted(self, path, *others):
            made.append(path)
            begin(self, path, *others)

        monkeypatch.setattr(run_folder.RunFolder, "__init__", noted)
        monkeypatch.setattr(on_one_machine, "_MANY", 400)
        return made

    @pytest.mark.parametrize("options", [[], ["--memory", "all"], ["--buckets", "1024"]])
    def test_gives_the_same_records(self, capsys, homes, folders, options):
        source, target, other = (homes.with_name(name) for name in ("in.parquet", "a.csv", "b.csv"))
        pq.write_table(pc.read_csv(homes), source)
        assert run(capsys, source, *SWAP, "--microdata", target, "--seed", 3, *options)[0] == 0
        assert folders == ([] if options else [f"{target}.parts"])
        assert not list(homes.parent.glob("*.parts"))
        how = options if "--buckets" in options else []
        assert run(capsys, source, *SWAP, "--microdata", other, "--seed", 3, "--memory", "all", *how)[0] == 0
        assert target.read_text() == other.read_text()

    def test_is_memory_for_csv(self, capsys, homes, tmp_path, folders):
        assert run(capsys, homes, *SWAP, "--microdata", tmp_path / "a.csv")[0] == 0
        assert not folders

    def test_fewer_records_stay_in_memory(self, capsys, homes, tmp_path, folders, monkeypatch):
        monkeypatch.setattr(on_one_machine, "_MANY", 401)
        pq.write_table(pc.read_csv(homes), tmp_path / "in.parquet")
        assert run(capsys, tmp_path / "in.parquet", *SWAP, "--output", tmp_path / "a.csv")[0] == 0
        assert not folders


def test_the_manifest_stands_beside_the_file_without_the_seed(capsys, homes, tmp_path):
    target = tmp_path / "out.parquet"
    run(capsys, homes, *SWAP, "--output", target, "--seed", 123456789)
    text = (tmp_path / "out.parquet.manifest.json").read_text()
    manifest = json.loads(text)
    assert "123456789" not in text
    assert manifest["file"]["bytes"] == target.stat().st_size
    assert manifest["file"]["rows"] == pq.read_metadata(target).num_rows
    assert (manifest["records"], manifest["strata"], manifest["budget"]["b"]) == (400, 3, 134)


class TestBadInput:
    @pytest.mark.parametrize(
        ("extra", "message"),
        [
            (["--hold", "rooms"], "must have the column 'rooms'"),
            (["--hold", "county"], "the column 'county' must have one role; it has two"),
            (["--id", "size"], "the column 'size' must have one role; it has two"),
            (["--buckets", "3"], "buckets must be a power of two"),
            (["--memory", "2"], "--memory must be a whole number of kB, MB, GB or TB, such as 2GB; got '2'"),
            (["--memory", "1kB"], "--memory must be at least"),
        ],
    )
    def test_one_line_and_nothing_written(self, capsys, homes, tmp_path, extra, message):
        target = tmp_path / "sub"
        target.mkdir()
        status, out, err = run(capsys, homes, *SWAP, "--output", target / "out.csv", *extra)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert message in err
        assert {path.name for path in target.iterdir()} <= {"out.csv.parts"}

    def test_outputs_are_other_files(self, capsys, homes, tmp_path):
        status, _, err = run(capsys, homes, *SWAP, "--microdata", homes)
        assert (status, err) == (2, f"stirred: --microdata must not be the file of records; got {homes}\n")
        same = tmp_path / "o.csv"
        status, _, err = run(capsys, homes, *SWAP, "--microdata", same, "--output", same)
        assert (status, err) == (2, f"stirred: --output and --microdata must be different files; got {same}\n")
        beside = f"{same}.manifest.json"
        status, _, err = run(capsys, homes, *SWAP, "--output", same, "--microdata", beside)
        assert (status, err) == (
            2,
            f"stirred: --microdata and --output's manifest must be different files; got {beside}\n",
        )
        records = homes.rename(beside)
        status, _, err = run(capsys, records, *SWAP, "--output", same)
        assert (status, err) == (2, f"stirred: --output's manifest must not be the file of records; got {beside}\n")
        records.rename(homes)
        (tmp_path / "data").mkdir()
        pq.write_table(pa.table({"a": [1], "size": ["1"], "county": ["A"]}), tmp_path / "data" / "p.parquet")
        status, _, err = run(capsys, tmp_path / "data", *SWAP, "--output", tmp_path / "data" / "q.parquet")
        assert (status, "--output must not be the file of records" in err) == (2, True)

    def test_nulls_are_counted_and_may_be_a_category(self, capsys, tmp_path):
        path = tmp_path / "in.csv"
        path.write_text("size,tenure,county\n2,own,A\n2,,B\n2,rent,\n2,,A\n")
        status, _, err = run(capsys, path, *SWAP)
        assert (status, "(in CSV, empty fields): tenure 2, county 1; --nulls category" in err) == (2, True)
        assert run(capsys, path, *SWAP, "--nulls", "category")[0] == 0

    def test_no_permission(self, capsys, homes, tmp_path, monkeypatch):
        import tempfile  # noqa: PLC0415

        def refuse(*_, **__):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(tempfile, "mkstemp", refuse)
        target = tmp_path / "out.csv"
        status, _, err = run(capsys, homes, *SWAP, "--output", target)
        assert (status, err) == (2, f"stirred: {target}: cannot be written: Permission denied\n")

    def test_a_damaged_parquet_file(self, capsys, tmp_path):
        path = tmp_path / "in.parquet"
        path.write_bytes(b"PAR1" + b"x" * 50)
        status, _, err = run(capsys, path, *SWAP)
        assert (status, err.count("\n")) == (2, 1)
        assert err.startswith(f"stirred: {path}: must be Parquet: ")


@pytest.mark.parametrize("parts", [[], ["--memory", "1GB"]])
def test_a_full_disk_leaves_nothing_half_written(homes, tmp_path, parts):
    homes.write_text(LINES + "".join(f"s{n},{n % 9},own,{n}\n" for n in range(3000)))
    target = tmp_path / "out"
    target.mkdir()
    (target / "t.csv").write_text("before")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    process = started(homes, *SWAP, "--microdata", target / "t.csv", *parts, preexec_fn=limit)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)
    assert "cannot be written: " in err
    assert (target / "t.csv").read_text() == "before"
    assert {path.name for path in target.iterdir()} <= {"t.csv", "t.csv.parts"}


@pytest.mark.parametrize("number", few([signal.SIGKILL, signal.SIGTERM]))
def test_a_run_that_is_ended_goes_on_with_the_same_draw(capsys, tmp_path, number):
    path, whole, target = tmp_path / "in.csv", tmp_path / "whole.csv", tmp_path / "out.csv"
    path.write_text(
        "id,size,tenure,county\n" + "".join(f"{n},{n * 7919 % 9973},{n % 5},{n % 11}\n" for n in range(20_000))
    )
    arguments = [path, *SWAP, "--hold", "tenure", "--seed", 5, "--buckets", 128, "--memory", "1GB", "--microdata"]
    assert run(capsys, *arguments, whole)[0] == 0
    process = started(*arguments, target)
    parts = tmp_path / "out.csv.parts"
    end = time.monotonic() + 60
    while len(list(parts.glob("bucket-*.arrow"))) < 3:
        if process.poll() is not None or time.monotonic() > end:
            break
        time.sleep(0.001)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == -number
    assert not target.exists()
    assert not list(tmp_path.glob(".out*"))
    kept = len(list(parts.glob("bucket-*.arrow")))
    assert 3 <= kept < 128
    assert run(capsys, *arguments, target)[0] == 0
    assert target.read_bytes() == whole.read_bytes()
    assert not parts.exists()
