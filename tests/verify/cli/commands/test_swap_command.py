"""`stirred swap`: margins that are kept, advice that works, and runs that are killed; see `transcripts/swap.txt`."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from stirred.mechanisms.tables import streaming
from stirred.spec import InputError
from stirred.verify.cli.commands.options import parse_rate
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
    assert (seeded[:19], fixed[:19]) == ("swapped with a seed", "1 of 4 records are ")
    assert "epsilon = ln(4)" in done.specification.text()
    assert capsys.readouterr() == ("", "")
    with pytest.raises(InputError, match="must not be the file of records"):
        swap_here(replace(asked, output=asked.file))
    with pytest.raises(InputError, match="--swap-rate cannot be combined with --epsilon"):
        replace(asked, epsilon=Fraction(1))


class TestSwap:
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


def test_the_number_of_buckets_that_a_memory_needs_is_said_and_works(swap_homes, other_homes, monkeypatch, tmp_path):
    monkeypatch.setattr(streaming, "_BYTES_OF_A_RECORD", 2**19)
    status, message = swap_homes(other_homes, *SWAP, "--memory", "300MB", "--buckets", "1")
    (said,) = re.findall(r"take --buckets (\d+) \(now 1\)", message)
    assert status == 2
    assert list(tmp_path.iterdir()) == [other_homes]
    assert swap_homes(other_homes, *SWAP, "--memory", "300MB", "--buckets", str(int(said) // 2))[0] == 2
    assert swap_homes(other_homes, *SWAP, "--memory", "300MB", "--buckets", said)[0] == 0
    for memory, words in (("210MB", "allow more, or match more columns\n"), ("50MB", "allow more\n")):
        message = swap_homes(other_homes, *SWAP, "--memory", memory)[1]
        assert "whatever --buckets: 200000000 for the process itself and " in message
        assert message.endswith(words)


@pytest.mark.parametrize("text", ["5%", "5 %", ".05", "0.05", "1/20"])
def test_a_rate_is_exact_however_it_is_written(text):
    assert parse_rate("--swap-rate", text) == Fraction(1, 20)


@pytest.mark.parametrize("text", ["5 5%", "%", ".", "5%%", "1/20%x", "-.05x", "..5"])
def test_what_is_no_rate_is_refused(text):
    with pytest.raises(InputError, match="--swap-rate must be"):
        parse_rate("--swap-rate", text)


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
        assert "take --buckets" not in message
        assert f"{killed} has what an earlier run swapped, and the same command goes on with it" in message
        assert len(list(killed.glob("bucket-*"))) == 1
        assert swap_homes(other_homes, *SWAP, *PARTS)[0] == 0


@pytest.mark.parametrize("mark", [";", "\t"])
def test_a_file_with_another_separator_is_read_as_one_with_commas(tmp_path, mark, capsys):
    rows = [["size", "tenure", "county"], *([str(n % 3), "own, or “rent”", f"0{n % 2}"] for n in range(30))]
    outs = []
    for separator in (",", mark):
        file = tmp_path / "homes.csv"
        file.write_text("".join(separator.join(f'"{one}"' for one in row) + "\n" for row in rows), encoding="utf-8")
        out = tmp_path / "out.csv"
        swapped = ["--match", "size", "--swap", "county", "--swap-rate", "1/2", "--seed", "5", "--microdata", str(out)]
        assert main(["swap", str(file), *swapped]) == 0, capsys.readouterr().err
        outs.append(out.read_text(encoding="utf-8"))
    assert outs[0] == outs[1]
    file.write_text(mark.join(rows[0]) + "\n1\n", encoding="utf-8")
    assert main(["swap", str(file), *swapped]) == 2
    assert "line 2 must have 3 fields; got 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("coding", "head", "named"),
    [
        ("latin-1", "tenure", "in another encoding"),  # the last line has an accent
        ("latin-1", "état", "in another encoding"),
        ("utf-16", "tenure", "UTF-16"),
    ],
)
def test_another_encoding_is_named_with_what_to_do(tmp_path, coding, head, named, capsys):
    file = tmp_path / "homes.csv"
    file.write_bytes("\n".join([f"size,{head},county", *["1,own,a"] * 20_000, "1,loué,b"]).encode(coding))
    assert main(["swap", str(file), "--match", "size", "--swap", "county", "--swap-rate", "5%"]) == 2
    remedy = "save it as UTF-8 (in Excel, as CSV UTF-8)"
    assert capsys.readouterr().err == f"stirred: {file}: must be CSV in UTF-8; it is {named}: {remedy}\n"
