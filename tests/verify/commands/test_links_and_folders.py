"""What is no file, wherever a file is named: one line that names it, status 2, and nothing written."""

import shlex
import shutil
from pathlib import Path

import pytest

from stirred.verify import claims
from stirred.verify.cli import main

SETTINGS = Path(claims.__file__).parent / "phsafe" / "phsafe_us.json"
HOMES = "id,size,tenure,county\n" + "".join(f"{n},{n % 2},{'or'[n % 3 % 2]},{'ABC'[n % 3]}\n" for n in range(40))
CLAIM = """
id = "c"
statement = "1 + 1 = 2"
[[numbers]]
what = "w"
printed = "2"
formula = "1 + 1"
"""
SWAP = "--match size --swap county --swap-rate 1/2"

READ = (
    "audit BAD",
    "audit c.toml --against BAD",
    "show BAD",
    "compare BAD c.toml",
    "infer BAD",
    "survey BAD",
    "check BAD",
    "replay BAD",
    f"swap BAD {SWAP} --output o.csv",
    f"swap BAD {SWAP} --output o.csv --memory 1GB",
    f"swap homes.csv --method pairs-2010 {SWAP} --geography BAD --microdata o.csv",
    "run survey --settings BAD --data homes.csv --output o.csv",
    "run survey --settings survey.toml --data BAD --output o.csv",
    "run topdown --settings BAD --schema town/schema.toml --data town/data --output o",
    "run topdown --settings town/settings.ini --schema BAD --data town/data --output o",
    "run topdown --settings town/settings.ini --schema town/schema.toml --data BAD --output o",
    "run phsafe --settings BAD --data town --output o",
    "run phsafe --settings us.json --data BAD --output o",
    "study psa BAD --match size --hold tenure --swap county --output o",
)
WRITTEN = (
    "audit c.toml --html BAD",
    "show c.toml --coq BAD",
    f"swap homes.csv {SWAP} --output BAD",
    f"swap homes.csv {SWAP} --microdata BAD",
    f"swap homes.csv {SWAP} --output o.csv --claim BAD",
    f"swap homes.csv {SWAP} --output o.csv --memory 1GB --work BAD",
    "run topdown --settings town/settings.ini --schema town/schema.toml --data town/data --output BAD",
    "run phsafe --settings us.json --data town --output BAD",
)


@pytest.fixture
def place(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "homes.csv").write_text(HOMES)
    (tmp_path / "c.toml").write_text(CLAIM)
    shutil.copy(SETTINGS, tmp_path / "us.json")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "there").symlink_to("back")
    (tmp_path / "back").symlink_to("there")
    main(["run", "topdown", "--init", "town"])
    capsys.readouterr()
    main(["run", "survey", "--example"])
    (tmp_path / "survey.toml").write_text(capsys.readouterr().out)
    return tmp_path


def said(place, capsys, command, name):
    """What a command says of a name that is no file."""
    before = sorted(path.name for path in place.iterdir())
    status = main(shlex.split(command.replace("BAD", name)))
    captured = capsys.readouterr()
    assert (status, captured.out) == (2, "")
    assert sorted(path.name for path in place.iterdir()) == before
    (line,) = captured.err.splitlines()
    assert "engine failure" not in line
    assert "Traceback" not in line
    return line


@pytest.mark.parametrize("name", ["loop", "there"])
@pytest.mark.parametrize("command", READ)
def test_a_link_to_itself_cannot_be_read(place, capsys, command, name):
    assert name in said(place, capsys, command, name)


@pytest.mark.parametrize("name", ["loop", "there"])
@pytest.mark.parametrize("command", WRITTEN)
def test_nor_written_and_it_stays(place, capsys, command, name):
    line = said(place, capsys, command, name)
    assert name in line or "--output" in line
    assert (place / name).is_symlink()


@pytest.mark.parametrize("command", READ)
def test_a_folder_is_no_file(place, capsys, command):
    (place / "folder").mkdir()
    assert "folder" in said(place, capsys, command, "folder")


@pytest.mark.parametrize("command", [one for one in READ if "town" not in one])
def test_nor_is_a_device(place, capsys, command):
    assert "/dev/null" in said(place, capsys, command, "/dev/null")
