"""`stirred init`, `guide`, `show` and `run … --init`: what they write and print holds, and its next command runs."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from started import ENVIRONMENT, STIRRED

from stirred.spec import InputError
from stirred.verify.cli.commands.init import FILES, write_example
from stirred.verify.cli.guide import pages
from stirred.verify.cli.main import main

FIXTURES = Path(__file__).parents[2] / "audit" / "records" / "fixtures"


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("library_loans.yaml", ("in prose: ",)),
        ("unfamiliar_release.yaml", ("not stated", "not read as a number: epsilon = '1 to 8, by query'")),
        ("safetab_p.json", ("not stated", "US: rho^2 = 618/125 = 4.944, the sum of 3 budgets; Puerto Rico: ")),
        ("phsafe_us.json", ("privacy_defn = zcdp",)),
        ("town_default.ini", ("invariants by level: Town: tot", "for one replaced record: rho^2 = 4")),
        ("town_person.ini", ("not stated; its shares: Town 1/3, District 2/3",)),
    ],
)
def test_a_published_record_is_shown_as_what_it_states(capsys, name, lines):
    assert main(["show", str(FIXTURES / name)]) == 0
    out = capsys.readouterr().out
    assert f"({name})\ndomain " in out
    for line in lines:
        assert line in out


def test_json_has_every_specification(capsys):
    assert main(["show", "--json", str(FIXTURES / "phsafe_us.json")]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["id"], record["statement"]) == ("phsafe_us", "budgets of PHSafe as run")


def test_what_it_writes_holds(tmp_path, capsys):
    folder = tmp_path / "new" / "folder"
    assert main(["init", str(folder)]) == 0
    assert {path.name for path in folder.iterdir()} == set(FILES)
    capsys.readouterr()
    assert main(["audit", str(folder / "majority.toml")]) == 0
    assert "coins.majority: EXHAUSTED" in capsys.readouterr().out
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
        cwd=tmp_path,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in done.stdout, done.stdout


@pytest.mark.parametrize(("place", "said"), [("bin", "&& stirred audit"), ("elsewhere", "elsewhere/stirred audit")])
def test_the_next_command_is_one_that_is_found(place, said, tmp_path, capsys, monkeypatch):
    for folder in ("bin", "elsewhere"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "stirred").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / place / "stirred"), "init"])
    assert main(["init", str(tmp_path / "new")]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("next: ")]
    assert said in line


def test_without_a_topic_it_lists_all_with_a_line_each(capsys):
    assert main(["guide"]) == 0
    listed = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert listed == [[topic, one.summary] for topic, one in pages().items()]
    assert all(re.fullmatch(r"[A-Z].*\.", summary) for _, summary in listed)


@pytest.mark.parametrize("topic", pages())
def test_a_topic_prints_its_page(capsys, topic):
    assert main(["guide", topic]) == 0
    assert capsys.readouterr().out == pages()[topic].text


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


@pytest.mark.parametrize("program", ["phsafe", "survey"])
def test_the_former_name_of_output_is_not_shown(program, capsys):
    with pytest.raises(SystemExit):
        main(["run", program, "--help"])
    shown = capsys.readouterr().out
    assert "--output " in shown
    assert "--out " not in shown
