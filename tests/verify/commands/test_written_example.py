"""Examples in new folders: the command that is printed runs as it stands, and writes no line but its findings."""

import shlex
import subprocess
import sys

import pytest
from started import ENVIRONMENT, STIRRED

from stirred.spec import InputError
from stirred.verify.cli import main
from stirred.verify.commands.written_example import write_example

WRITTEN = {
    "phsafe": {"phsafe_us.json", "data/geo.csv", "data/units.csv", "data/persons.csv"},
    "topdown": {"settings.ini", "schema.toml", "data/geography.csv", "data/persons.csv", "data/units.csv"},
    "topdown --example redistricting": {
        *("pl94_person_US.ini", "pl94_person_default.ini", "schema.toml"),
        *("data/geography.csv", "data/persons.csv", "data/units.csv"),
    },
    "topdown --example dhc": {
        *("dhc_person_US.ini", "schema.toml", *("data/geography.csv", "data/persons.csv", "data/units.csv")),
        *(f"redistricting/{file}" for file in ("pl94_person_US.ini", "pl94_person_default.ini", "schema.toml")),
        *(f"redistricting/data/{table}.csv" for table in ("geography", "persons", "units")),
    },
}
BLOCKS = ("domain", "multiverse", "input premetric", "output premetric", "budget")


@pytest.mark.parametrize(
    "program",
    [pytest.param(one, marks=[pytest.mark.nightly] if "--example" in one else []) for one in WRITTEN],
)
def test_the_next_command_runs_as_printed(program, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, *more = program.split()
    assert main(["run", name, "--init", "new folder", *more]) == 0
    said = capsys.readouterr().out.splitlines()
    next_ones = [line for line in said if ": stirred " in line]
    assert {*said} - {*next_ones} == {f"new folder/{file}" for file in WRITTEN[program]}
    assert [line.split(":")[0] for line in next_ones] == ["next", "then"][: len(next_ones)]
    for line in next_ones:
        command = shlex.split(line.partition(": stirred ")[2])
        done = subprocess.run(
            [*STIRRED, *command], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, timeout=600,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        assert [line.startswith(block) for line, block in zip(lines[-5:], BLOCKS, strict=True)] == [True] * 5
        assert all(line.startswith(("released", "earlier")) for line in lines[:-5])  # no banner of a solver
    assert (tmp_path / "released").is_dir()


@pytest.mark.parametrize("program", WRITTEN)
def test_its_settings_are_read_and_its_data_are_checked(program, tmp_path, capsys, monkeypatch):
    """The same command as far as it goes without drawing: the folder of its output cannot be made."""
    monkeypatch.chdir(tmp_path)
    name, *more = program.split()
    assert main(["run", name, "--init", "new", *more]) == 0
    said = capsys.readouterr().out.splitlines()
    command = next(shlex.split(line.removeprefix("next: stirred ")) for line in said if line.startswith("next: "))
    place = command.index("--output") + 1 if "--output" in command else len(command) - 1
    assert main([*command[:place], "none/released", *command[place + 1 :]]) == 2
    assert "none" in capsys.readouterr().err
    assert all((tmp_path / "new" / file).read_text() for file in WRITTEN[program])


def test_the_made_households_agree_on_their_mafids(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "phsafe", "--init", "new"]) == 0
    command = shlex.split(capsys.readouterr().out.splitlines()[-1].removeprefix("next: stirred "))
    assert main([*command, "--validate", "--out", "elsewhere"]) == 0  # --out is --output
    assert capsys.readouterr().out.startswith("elsewhere/PH1_denom: written\n")


def test_a_folder_that_exists_is_left_alone(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("there", "link"):
        with pytest.raises(InputError, match="exists, and is not overwritten; nothing was written"):
            write_example(str(tmp_path / name), {"a": "text"}, "run")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "there"]


def test_what_cannot_be_written_is_taken_away(tmp_path):
    with pytest.raises(InputError, match=r"cannot be written: .*; nothing was written"):
        write_example(str(tmp_path / "new"), {"a": "text", "a/b": "a file is no folder"}, "run")
    assert not (tmp_path / "new").exists()


def test_the_command_names_a_program_that_is_not_on_the_path(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "bin" / "stirred")])
    write_example(str(tmp_path / "new"), {"a": "text"}, "run {}/a")
    assert capsys.readouterr().out.splitlines()[-1] == f"next: {tmp_path}/bin/stirred run {tmp_path}/new/a"


@pytest.mark.parametrize(("program", "also"), [("phsafe", "--init"), ("survey", "--example")])
def test_output_is_asked_for_by_its_name(program, also, capsys):
    assert main(["run", program, "--settings", "a", "--data", "b"]) == 2
    assert capsys.readouterr().err == f"stirred: --output must be given, or {also} alone\n"
    with pytest.raises(SystemExit):
        main(["run", program, "--help"])
    shown = capsys.readouterr().out
    assert "--output " in shown
    assert "--out " not in shown
