"""`stirred swap`: the specification that it states, what it writes, what it refuses and what it warns of.

A refused `stirred swap --memory` leaves nothing that its own advice trips over; one that is killed goes on.
"""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from stirred.mechanisms.tables import streaming
from stirred.spec import InputError
from stirred.verify.cli.main import main
from stirred.verify.products.swap.on_one_machine import swap_here
from stirred.verify.products.swap.request import SwapRequest

RECORDS = "size,tenure,county\n" + "".join(
    f"{size},{tenure},{county}\n"
    for size, tenure, county, count in [(2, "own", "A", 2), (2, "rent", "B", 1), (3, "own", "A", 1)]
    for _ in range(count)
)


@pytest.fixture
def homes(tmp_path: Path) -> Path:
    path = tmp_path / "homes.csv"
    path.write_text(RECORDS)
    return path


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_a_swap_needs_no_command_line(capsys, homes, tmp_path):
    asked = SwapRequest(str(homes), ["county"], Fraction(1, 2), match=["size"], output=str(tmp_path / "o.csv"), seed=1)
    done = swap_here(asked)
    seeded, fixed = done.warnings()
    assert (done.facts.records, done.facts.is_vacuous, [*done.written]) == (4, False, [asked.output])
    assert (seeded[:19], fixed[:21]) == ("swapped with a seed", "1 of 4 records stand ")
    assert "epsilon = ln(4)" in done.specification.text()
    assert capsys.readouterr() == ("", "")
    with pytest.raises(InputError, match="must not be the file of records"):
        swap_here(replace(asked, output=asked.file))
    with pytest.raises(InputError, match="--swap-rate must stand without --epsilon"):
        replace(asked, epsilon=Fraction(1))


class TestSwap:
    def test_the_certified_budget_of_the_universe_stands_beside_the_printed_one(self, capsys, homes):
        arguments = ["swap", str(homes), "--match", "size", "--swap", "county", "--swap-rate", "1/2", "--certify"]
        status, out, _ = run(capsys, *arguments)
        assert status == 0
        assert out.splitlines()[-1].endswith(
            "epsilon = ln(4) ≈ 1.38629 (b = 3, p = 1/2; article, Theorem 1); with these counts at most "
            "ln(4/3)/2 ≈ 0.143841 (exact: one category holds one record)"
        )
        assert "with these counts" not in run(capsys, *arguments[:-2], "1", "--certify")[1]

    def test_without_output_states_the_specification_only(self, capsys, homes):
        status, out, _ = run(capsys, "swap", str(homes), "--match", "size", "--swap", "county", "--swap-rate", "1/2")
        assert status == 0
        assert "epsilon = ln(4) ≈ 1.38629 (b = 3, p = 1/2; article, Theorem 1)" in out
        assert "2 strata here, of which 1 are wholly determined" in out

    def test_output_keeps_both_margins(self, capsys, homes, tmp_path):
        target = tmp_path / "swapped.csv"
        arguments = [
            "--match",
            "size",
            "--swap",
            "county",
            "--swap-rate",
            "1/2",
            "--output",
            str(target),
            "--seed",
            "7",
        ]
        status, out, err = run(capsys, "swap", str(homes), *arguments)
        assert status == 0
        assert "4 records" in out
        assert "whoever knows it can undo the swap" in err
        rows = [line.split(",") for line in target.read_text().splitlines()[1:]]
        assert sum(int(row[-1]) for row in rows) == 4
        assert sum(int(row[-1]) for row in rows if row[:2] == ["2", "own"]) == 2
        assert sum(int(row[-1]) for row in rows if row[0] == "2" and row[2] == "B") == 1

    def test_count_column_stands_for_repeated_lines(self, capsys, homes, tmp_path):
        cells = tmp_path / "cells.csv"
        cells.write_text("size,tenure,county,n\n2,own,A,2\n2,rent,B,1\n3,own,A,1\n")
        arguments = ["--match", "size", "--swap", "county", "--swap-rate", "1/2"]
        assert (
            run(capsys, "swap", str(cells), "--count", "n", *arguments)[1]
            == run(capsys, "swap", str(homes), *arguments)[1]
        )

    @pytest.mark.parametrize(
        ("content", "extra", "message"),
        [
            ("", [], "must have a header line; the file is empty"),
            ("a,county\n", [], "must hold at least one record; got none"),
            ("a,county\n1\n", [], "line 2 must have 2 fields; got 1"),
            ("a,b\n1,2\n", [], "line 1 must have the column 'county'; it has a, b"),
            ("county\nA\n", [], "must have a column besides county"),
            ("a,count,county\n1,2,A\n", [], "line 1: the column 'count' must be renamed, or be --count"),
            (
                "a,county,n\n1,A,-3\n",
                ["--count", "n"],
                "line 2, column 'n': must be an integer of at least 0; got '-3'",
            ),
            (
                "a,county,n\n" + f"1,A,{'9' * 18}\n" * 10,
                ["--count", "n"],
                "must hold at most 2^63 - 1 records in all; here are 9999999999999999990",
            ),
            (f"a,county,n\n1,A,{'9' * 5000}\n", ["--count", "n"], f"at least 0; got '{'9' * 30}…'"),
        ],
    )
    def test_bad_files_are_named_in_one_line_and_nothing_is_written(self, capsys, tmp_path, content, extra, message):
        path, target = tmp_path / "in.csv", tmp_path / "out.csv"
        path.write_text(content)
        arguments = ["--swap", "county", "--swap-rate", "1/2", "--output", str(target), *extra]
        status, out, err = run(capsys, "swap", str(path), *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert message in err
        assert not target.exists()

    @pytest.mark.parametrize("rate", ["1.5", "-1/2", "half", "1/0"])
    def test_swap_rate_must_be_an_exact_probability(self, capsys, homes, rate):
        status, _, err = run(capsys, "swap", str(homes), "--swap", "county", f"--swap-rate={rate}")
        assert status == 2
        assert err.startswith("stirred: --swap-rate must be ")

    def test_the_records_are_never_written_over(self, capsys, homes):
        before = homes.read_text()
        arguments = ["swap", str(homes), "--match", "size", "--swap", "county", "--swap-rate", "1/2"]
        status, out, err = run(capsys, *arguments, "--output", str(homes.parent / "." / homes.name))
        assert (status, out) == (2, "")
        assert err.startswith("stirred: --output must not be the file of records; got ")
        assert homes.read_text() == before

    @pytest.mark.parametrize(("rate", "how"), [("0", "no record moves"), ("1", "every record moves")])
    def test_nothing_is_released_where_the_loss_is_infinite(self, capsys, homes, tmp_path, rate, how):
        target = tmp_path / "out.csv"
        arguments = ["swap", str(homes), "--match", "size", "--swap", "county", "--swap-rate", rate]
        status, out, err = run(capsys, *arguments, "--output", str(target))
        assert (status, out, target.exists()) == (2, "", False)
        assert f"got {rate}, where {how} and the loss is infinite" in err
        assert "epsilon = infinite" in run(capsys, *arguments)[1]

    @pytest.mark.parametrize(
        "records",
        [
            "2,own,A 2,own,A 3,rent,B",  # one holding category in each stratum
            "2,own,A 2,rent,A 3,rent,B",  # one swapping category in each
            "2,own,A",
        ],
    )
    def test_what_the_invariants_determine_is_not_released_unasked(self, capsys, tmp_path, records):
        path, target = tmp_path / "in.csv", tmp_path / "out.csv"
        path.write_text("size,tenure,county\n" + records.replace(" ", "\n") + "\n")
        arguments = ["swap", str(path), "--match", "size", "--swap", "county", "--swap-rate", "1/2"]
        status, out, err = run(capsys, *arguments, "--output", str(target))
        assert (status, out, target.exists(), err.count("\n")) == (2, "", False, 1)
        assert "here the invariants determine the data in each of" in err
        status, _, err = run(capsys, *arguments)
        assert (status, err.splitlines()[0]) == (
            3,
            "stirred: the invariants determine the data: no record can change, whatever the budget",
        )
        status, out, err = run(capsys, *arguments, "--claim", str(target))
        assert (status, out, target.exists(), err.count("\n")) == (2, "", False, 1)
        assert "--claim must come with data that the invariants leave open; it would be vacuous, so every" in err
        status, out, err = run(capsys, *arguments, "--output", str(target), "--allow-determined")
        assert status == 3
        assert "of these counts vacuous, so every mechanism satisfies it: 1 universe, trivial" in out
        assert "the invariants determine the data" in err
        written = [line.split(",") for line in target.read_text().splitlines()[1:]]
        assert sorted(",".join(row[:3]) for row in written for _ in range(int(row[3]))) == sorted(records.split())

    def test_what_cannot_change_and_what_identifies_is_said(self, capsys, homes, tmp_path):
        arguments = ["--match", "size", "--swap", "county", "--swap-rate", "1/2"]
        _, _, err = run(capsys, "swap", str(homes), *arguments)
        assert err == "stirred: 1 of 4 records stand in strata that the invariants determine: they cannot change\n"
        path = tmp_path / "in.csv"
        path.write_text("name,tenure,county\na,own,A\nb,rent,B\nc,rent,A\n")
        _, _, err = run(capsys, "swap", str(path), "--swap", "county", "--swap-rate", "1/2")
        assert err == (
            "stirred: the column 'name' has another value in each of 3 records: it identifies them, and its values are "
            "released exactly\n"
        )
        path.write_text("name,county,n\na,A,2\nb,B,1\n")
        assert run(capsys, "swap", str(path), "--swap", "county", "--count", "n", "--swap-rate", "1/2")[2] == ""

    def test_lines_are_those_of_the_file(self, capsys, tmp_path):
        path = tmp_path / "in.csv"
        path.write_text('a,county\n"1\n2",A\n3\n')
        status, _, err = run(capsys, "swap", str(path), "--swap", "county", "--swap-rate", "1/2")
        assert (status, err) == (2, f"stirred: {path}: line 4 must have 2 fields; got 1\n")

    def test_missing_file_and_directory_are_one_line(self, capsys, tmp_path):
        for path in (tmp_path / "absent.csv", tmp_path):
            status, _, err = run(capsys, "swap", str(path), "--swap", "county", "--swap-rate", "1/2")
            assert status == 2
            assert err.startswith((f"stirred: {path}: cannot be read: ", f"stirred: {path}: is a directory; "))


LINES = "id,size,tenure,county\n" + "".join(
    f"r{n},{n % 3},{'own' if n % 5 else 'rent'},{'ABC'[n % 7 % 3]}\n" for n in range(400)
)

PARTS = ("--memory", "1GB", "--buckets", "8", "--seed", "5")  # the strata lie in three of the buckets
SWAP = ("--match", "size", "--swap", "county", "--swap-rate", "1/2")


@pytest.fixture
def other_homes(tmp_path):
    path = tmp_path / "homes.csv"
    path.write_text(LINES)
    return path


@pytest.fixture
def swap_homes(capsys, tmp_path):
    def started(file, *arguments):
        status = main(["swap", str(file), *arguments, "--output", str(tmp_path / "out.csv")])
        return status, capsys.readouterr().err

    return started


def test_more_buckets_is_what_was_advised_and_what_works(swap_homes, other_homes, tmp_path):
    status, message = swap_homes(other_homes, *SWAP, "--memory", "64MB")
    assert status == 2
    assert "take more --buckets (now 1)" in message
    assert list(tmp_path.iterdir()) == [other_homes]
    assert swap_homes(other_homes, *SWAP, "--memory", "201MB", "--buckets", "8")[0] == 0


NULLS = LINES + "last,1,,A\n"
TWICE = LINES + "r1,1,own,A\n"
DETERMINED = "size,tenure,county\n" + "1,own,A\n" * 3 + "2,own,A\n2,own,B\n"


@pytest.mark.parametrize(
    ("lines", "refused", "advised"),
    [
        (LINES, ("--memory", "1GB", "--buckets", "1024"), ("--memory", "1GB", "--buckets", "512")),
        (LINES, ("--memory", "1GB", "--swap-rate", "1"), ("--memory", "1GB")),
        (NULLS, ("--memory", "1GB"), ("--memory", "1GB", "--nulls", "category")),
        (TWICE, ("--memory", "1GB", "--id", "id"), ("--memory", "1GB")),
        (DETERMINED, ("--memory", "1GB"), ("--memory", "1GB", "--allow-determined")),
        (DETERMINED, ("--memory", "1GB"), ("--memory", "1GB", "--match", "tenure")),
    ],
)
def test_whatever_is_refused_the_advice_works(swap_homes, tmp_path, lines, refused, advised):
    path = tmp_path / "in.csv"
    path.write_text(lines)
    assert swap_homes(path, *SWAP, *refused)[0] == 2
    assert list(tmp_path.iterdir()) == [path]
    status, message = swap_homes(path, *SWAP, *advised)
    assert status == (3 if "--allow-determined" in advised else 0), message  # it is vacuous
    assert not (tmp_path / "out.csv.parts").exists()


class TestAKilledRun:
    @pytest.fixture
    def killed(self, swap_homes, other_homes, monkeypatch):
        """Some of its buckets are swapped."""
        swapped = streaming.PartsRun._swap_bucket

        def dies(self, bucket, *arguments):
            if self.folder.has_swapped:
                raise KeyboardInterrupt
            swapped(self, bucket, *arguments)

        with monkeypatch.context() as patched:
            patched.setattr(streaming.PartsRun, "_swap_bucket", dies)
            patched.setattr(streaming.os, "cpu_count", lambda: 1)  # one after the other
            swap_homes(other_homes, *SWAP, *PARTS)
        return other_homes.with_name("out.csv.parts")

    def test_goes_on(self, swap_homes, other_homes, killed):
        assert len(list(killed.glob("bucket-*"))) == 1
        assert swap_homes(other_homes, *SWAP, *PARTS)[0] == 0
        assert not killed.exists()

    def test_keeps_what_it_swapped_where_less_memory_is_given(self, swap_homes, other_homes, killed):
        status, message = swap_homes(other_homes, *SWAP, *PARTS[2:], "--memory", "64MB")
        assert status == 2
        assert "take more --buckets" not in message
        assert f"{killed} has what an earlier run swapped, and the same command goes on with it" in message
        assert len(list(killed.glob("bucket-*"))) == 1
        assert swap_homes(other_homes, *SWAP, *PARTS)[0] == 0
