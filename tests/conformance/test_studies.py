"""What every study must do: one class, and one subclass for each study with a small call of it."""

import csv
import io
import re
import shutil
import sys
from contextlib import redirect_stdout
from fractions import Fraction
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

import pytest

from stirred.spec.numbers.enclosure import log
from stirred.verify.cli.commands.study import STUDIES
from stirred.verify.cli.main import main
from stirred.verify.products.studies.study import KeptDraws


def stop_after(monkeypatch, draws):
    """Interrupt the next run after so many draws."""
    keep, kept = KeptDraws.keep, []

    def keep_some(self, draw, rows):
        if len(kept) == draws:
            raise KeyboardInterrupt
        kept.append(draw)
        keep(self, draw, rows)

    monkeypatch.setattr(KeptDraws, "keep", keep_some)


class Done(NamedTuple):
    """A study that was carried out: its folder and what it printed."""

    folder: Path
    out: str

    @property
    def findings(self):
        return [line for line in self.out.splitlines() if line.startswith("study.")]

    def rows(self, name):
        with (self.folder / name).open(newline="") as file:
            return list(csv.DictReader(file))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Options:
    """A study as a person calls it: what it refuses."""

    name = ""
    small: tuple[str, ...] = ()
    """Options that make it short."""
    changed: tuple[str, ...] = ()
    """Options that give other draws."""
    setting = ""
    """What then differs, as the refusal names it."""
    refused: tuple[tuple[tuple[str, ...], str], ...] = ()
    """Options that are bad, and what is then said."""
    needs: tuple[tuple[str, str], ...] = ()
    """Modules that look for a library, and the library."""

    @classmethod
    def run(cls, folder: Path, *more: str) -> int:
        return main(["study", cls.name, *cls.small, "--jobs", "1", *more, "--output", str(folder)])

    @pytest.mark.parametrize("jobs", ["0", "-1"])
    def test_processes_are_at_least_one(self, tmp_path, capsys, jobs):
        assert self.run(tmp_path / "out", "--jobs", jobs) == 2
        assert capsys.readouterr().err == f"stirred: --jobs must be at least 1; got {jobs}\n"
        assert not (tmp_path / "out").exists()

    def test_without_matplotlib_nothing_is_drawn(self, tmp_path, monkeypatch, capsys):
        monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
        assert self.run(tmp_path / "out") == 2
        assert capsys.readouterr().err == "stirred: a study needs matplotlib: pip install matplotlib\n"
        assert not (tmp_path / "out").exists()

    def test_bad_options_are_refused_before_anything_is_written(self, tmp_path, capsys):
        for options, message in self.refused:
            assert self.run(tmp_path / "out", *options) == 2
            assert message in capsys.readouterr().err
            assert not (tmp_path / "out").exists()

    def test_a_library_that_is_missing_is_named(self, tmp_path, monkeypatch, capsys):
        for module, library in self.needs:
            with monkeypatch.context() as patched:
                patched.setattr(f"stirred.verify.products.studies.{module}.find_spec", lambda name: None)
                assert self.run(tmp_path / "out") == 2
            assert capsys.readouterr().err.endswith(f" needs {library}: pip install {library}\n")
            assert not (tmp_path / "out").exists()

    def test_a_folder_that_cannot_be_is_refused(self, tmp_path, capsys):
        (tmp_path / "file").write_text("")
        for folder in ("file", "missing/out"):
            assert self.run(tmp_path / folder) == 2
            assert capsys.readouterr().err.count("\n") == 1


class Conformance(Options):
    """A study that is carried out."""

    @pytest.fixture(scope="class")
    @classmethod
    def done(cls, tmp_path_factory):
        """The small call, carried out once; no test changes its folder."""
        folder = tmp_path_factory.mktemp(cls.name) / "out"
        with redirect_stdout(io.StringIO()) as out:
            assert cls.run(folder) == 0
        return Done(folder, out.getvalue())

    def test_it_writes_a_table_and_pictures_and_lists_them(self, done):
        written = contents(done.folder).keys() - {"draws.jsonl"}
        assert f"{self.name}.csv" in written
        assert {name.rpartition(".")[2] for name in written} == {"csv", "svg", "png"}
        assert all(f"{done.folder / name}: written" in done.out for name in written)
        assert all(line.startswith(f"study.{self.name}") for line in done.out.splitlines() if "[" in line)
        assert done.rows(f"{self.name}.csv")

    def test_the_same_call_writes_the_same_bytes_with_any_number_of_processes(self, done, tmp_path):
        assert self.run(tmp_path / "two", "--jobs", "2") == 0
        assert contents(tmp_path / "two") == contents(done.folder)

    def test_a_run_that_was_interrupted_goes_on(self, done, tmp_path, monkeypatch, capsys):
        with monkeypatch.context() as patched:
            stop_after(patched, 1)
            assert self.run(tmp_path / "cut") == 2
        assert {path.name for path in (tmp_path / "cut").iterdir()} == {"draws.jsonl"}
        kept = (tmp_path / "cut" / "draws.jsonl").read_bytes()
        (tmp_path / "cut" / "draws.jsonl").write_bytes(kept + b'["half a dr')  # as a killed process leaves it
        assert self.run(tmp_path / "cut") == 0
        assert contents(tmp_path / "cut") == contents(done.folder)
        assert (tmp_path / "cut" / "draws.jsonl").read_bytes().startswith(kept)

    def test_draws_with_another_setting_are_refused_in_one_line(self, done, tmp_path, capsys):
        shutil.copytree(done.folder, tmp_path / "out")
        assert self.run(tmp_path / "out", *self.changed) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert f"holds draws with {self.setting} = " in err
        assert contents(tmp_path / "out") == contents(done.folder)

    def test_pictures_have_no_colour_and_no_date(self, done):
        for picture in done.folder.glob("*.svg"):
            text = picture.read_text()
            colours = re.findall(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b", text)
            assert colours
            assert {len(set(parts)) for parts in colours} == {1}, picture.name
            assert "dc:date" not in text


def at_night(test):
    """The same test of a study that takes long."""
    return pytest.mark.nightly(FunctionType(test.__code__, test.__globals__, test.__name__))


class TestPsa(Conformance):
    name = "psa"
    small = ("--1940", "--runs", "3", "--swap-rates", "1/100", "1/2")
    changed = ("--seed", "7")
    setting = "seed"

    def test_statistics_are_sampled_with_their_number_and_seed(self, done):
        lines = done.findings
        assert len(lines) == 2
        assert all(": SAMPLED: " in line and "3 runs" in line and "seed 1940" in line for line in lines)


def files(folder):
    """Two towns of 60 homes each, matched by size; a file in which the margins determine everything; and a bad one."""
    homes = [(size, tenure, town) for size in "12" for town in "AB" for tenure in ("own", "own", "rent") * 10]
    (folder / "homes.csv").write_text("size,tenure,town\n" + "".join(f"{','.join(home)}\n" for home in homes))
    (folder / "fixed.csv").write_text("size,tenure,town\n" + "".join(f"{n},own,A\n{n},own,B\n" for n in range(20)))
    return folder


class TestPsaOfAFile(Conformance):
    name = "psa"
    changed = ("--runs", "3")
    setting = "runs"

    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def homes(cls, tmp_path_factory):
        path = files(tmp_path_factory.mktemp("data")) / "homes.csv"
        cls.small = (str(path), "--match", "size", "--swap", "town", "--runs", "2", "--swap-rates", "1/2", "1")

    def test_other_data_are_refused_too(self, done, tmp_path, capsys):
        shutil.copytree(done.folder, tmp_path / "out")
        (tmp_path / "homes.csv").write_text(Path(self.small[0]).read_text().replace("1,own,A", "1,rent,A", 1))
        words = ["study", "psa", str(tmp_path / "homes.csv"), *self.small[1:], "--output", str(tmp_path / "out")]
        assert main(words) == 2
        assert "holds draws with data = " in capsys.readouterr().err

    def test_strata_are_swapped_apart(self, done):
        rows = done.rows("psa.csv")
        assert [row["records_moved"] for row in rows if row["swap_rate"] == "1"] == ["120", "120"]
        errors = [Fraction(row["mape_percent"]) for row in rows]
        assert min(errors) >= 0
        assert 0 < max(errors) < 100

    def test_what_the_margins_determine_has_no_error_and_is_pictured(self, tmp_path, capsys):
        fixed = Path(self.small[0]).parent / "fixed.csv"
        assert main(["study", "psa", str(fixed), *self.small[1:], "--jobs", "1", "--output", str(tmp_path)]) == 0
        assert "error 0.000% (median), from 0.000% to 0.000%" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ([], "study psa requires a file or --1940, and not both"),
            (["FILE", "--1940"], "study psa requires a file or --1940, and not both"),
            (["--1940", "--match", "size"], "--1940 cannot be combined with --match"),
            (["FILE"], "--swap must name at least one column; got none"),
            (["FILE", "--swap", "county"], "must have the column 'county'"),
            (["--1940", "--runs", "0"], "--runs must be at least 1; got 0"),
            (["--1940", "--swap-rates", "2"], "--swap-rates must be between 0 and 1"),
            (["--1940", "--swap-rates", "1/2", "0.5"], "--swap-rates has duplicates"),
        ],
    )
    def test_bad_input_is_one_line_and_writes_nothing(self, tmp_path, capsys, arguments, message):
        given = [self.small[0] if each == "FILE" else each for each in arguments]
        assert main(["study", "psa", *given, "--output", str(tmp_path / "out")]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert message in err
        assert not (tmp_path / "out").exists()


class TestBudgets(Conformance):
    name = "budgets"
    small = ("--largest", "20")
    changed = ("--swap-rate", "1/3")
    setting = "swap_rate"

    def test_the_budgets_are_in_order_and_the_printed_one_is_that_of_the_article(self, done):
        rows = done.rows("budgets.csv")
        assert {row["universe"] for row in rows} == {"balanced", "one tenth", "one record", "two records"}
        for row in rows:
            found = [Fraction(row[kind]) for kind in ("exact", "certified", "sharp", "printed")]
            assert found == sorted(found)
            assert row["printed"] == log(int(row["n"]) + 1, digits=30).text(8)  # at p = 1/2


class TestSwappingOptions(Options):
    name = "swapping"
    small = ("--households", "2000", "--runs", "1")
    changed = ("--runs", "2")
    setting = "runs"
    refused = (
        (("--households", "1999"), "--households must be at least 2000; got 1999"),
        (("--runs", "0"), "--runs must be at least 1; got 0"),
        (("--seed", "-1"), "--seed must be at least 0; got -1"),
    )
    needs = (("swapping.study", "scipy"), ("topdown.release", "highspy"))


@pytest.mark.nightly
class TestSwapping(Conformance, TestSwappingOptions):
    def test_statistics_are_sampled_with_their_number_and_seed(self, done):
        lines = done.findings
        assert len(lines) == 21
        assert all(": SAMPLED: " in line and "1 pairs of runs" in line and "seed 2010" in line for line in lines)


class TestTopDown(Conformance):
    name = "topdown"
    small = ("--populations", "segregated", "--households", "2000", "--runs", "2", "--rho-squared", "0.1")
    changed = ("--rho-squared", "1")
    setting = "rho^2"
    refused = (
        (("--households", "1999"), "--households must be at least 2000; got 1999"),
        (("--runs", "0"), "--runs must be at least 1; got 0"),
        (("--seed", "-1"), "--seed must be at least 0; got -1"),
        (("--rho-squared", "0"), "--rho-squared must be positive, with at most four decimals; got 0"),
        (("--rho-squared", "1/3"), "--rho-squared must be positive, with at most four decimals; got 1/3"),
        (("--rho-squared", "1", "1.0"), "--rho-squared has duplicates"),
        (("--populations", "texas"), "argument --populations: invalid choice: 'texas'"),
    )
    needs = (("topdown.release", "highspy"),)
    test_the_same_call_writes_the_same_bytes_with_any_number_of_processes = at_night(
        Conformance.test_the_same_call_writes_the_same_bytes_with_any_number_of_processes
    )
    test_a_run_that_was_interrupted_goes_on = at_night(Conformance.test_a_run_that_was_interrupted_goes_on)

    def test_the_budget_is_exact_and_the_noise_is_that_of_the_design(self, done):
        rows = done.rows("topdown.csv")
        # the two query groups of four levels have an eighth of rho^2 each, and a replaced person changes two answers
        assert {(row["rho^2"], Fraction(row["sigma^2"])) for row in rows} == {("0.1", 80)}

    def test_statistics_are_sampled_with_their_number_and_seed(self, done):
        lines = done.findings
        assert len(lines) == 4
        assert all(": SAMPLED: " in line and "2 pairs of runs" in line and "seed 2020" in line for line in lines)


class TestPrice(Conformance):
    name = "price"
    small = ("--runs", "1", "--households", "2000", "--largest", "8")
    changed = ("--seed", "7")
    setting = "seed"
    refused = (
        (("--households", "1999"), "--households must be at least 2000; got 1999"),
        (("--runs", "0"), "--runs must be at least 1; got 0"),
        (("--largest", "7"), "--largest must be at least 8; got 7"),
    )
    test_the_same_call_writes_the_same_bytes_with_any_number_of_processes = at_night(
        Conformance.test_the_same_call_writes_the_same_bytes_with_any_number_of_processes
    )
    test_a_run_that_was_interrupted_goes_on = at_night(Conformance.test_a_run_that_was_interrupted_goes_on)

    def test_noise_on_a_line_is_exact_and_changes_less_than_the_psa_at_its_loss(self, done):
        rows = [row for row in done.rows("price.csv") if row["data"] == "line" and row["swap_rate"] == "1/2"]
        assert {row["method"]: row["value"] for row in rows} == {"PSA": "0.453793", "fibre noise": "0.283244"}
        assert any("price.line.p=1/2: EXHAUSTED: " in line for line in done.findings)

    def test_both_methods_have_one_budget_in_each_set_of_data(self, done):
        found = {}
        for row in done.rows("price.csv"):
            found.setdefault((row["data"], row["n"], row["swap_rate"]), set()).add(row["epsilon"])
        assert {len(budgets) for budgets in found.values()} == {1}


def test_every_study_is_held_to_it():
    tried = {one.name for one in Conformance.__subclasses__()}
    assert tried == {study.name for study in STUDIES}


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_its_help_has_examples(study, capsys):
    with pytest.raises(SystemExit):
        main(["study", study.name, "--help"])
    out = " ".join(capsys.readouterr().out.replace("\\\n", " ").split())
    assert study.examples
    assert all(" ".join(line.split()) in out for line in study.examples)
