"""What is no file, wherever a file is named: one line that names it, status 2, and nothing written.

Links to themselves, folders, devices, names of nothing, bytes that are no text.
"""

import shlex
import shutil
from pathlib import Path

import pytest

from stirred.verify.cli.main import main
from stirred.verify.ledger import claims

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
    "compare BAD BAD",
    "compare c.toml c.toml --recording BAD",
    "verify derangements.ratio-bound --against BAD",
    "site pages --records BAD",
    "infer BAD",
    "survey BAD",
    "check BAD",
    "replay BAD",
    f"swap BAD {SWAP} --output o.csv",
    f"swap BAD {SWAP} --output o.csv --memory 1GB",
    f"swap BAD --method pairs-2010 {SWAP} --geography homes.csv --microdata o.csv",
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
    (tmp_path / "hollow").mkdir()
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\0\x80")
    main(["run", "topdown", "--init", "town"])
    capsys.readouterr()
    main(["run", "survey", "--example"])
    (tmp_path / "survey.toml").write_text(capsys.readouterr().out)
    return tmp_path


def said(place, capsys, command, name):
    """What a command says of a name that is no file."""
    before = sorted(path.name for path in place.iterdir())
    status = main([name if word == "BAD" else word for word in shlex.split(command)])
    captured = capsys.readouterr()
    assert (status, captured.out) == (2, "")
    assert sorted(path.name for path in place.iterdir()) == before
    (line,) = captured.err.splitlines()
    assert "\0" in name or "engine failure" not in line  # no command line can hold that name
    assert "Traceback" not in line
    return line


@pytest.mark.parametrize("name", ["loop", "there", "hollow", "absent", "bytes", "a\0b", ""], ids=ascii)
@pytest.mark.parametrize("command", READ)
def test_what_cannot_be_read_is_one_line_of_every_command(place, capsys, command, name):
    line = said(place, capsys, command, name)
    assert name in line or "\0" in name


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null", "/dev/full"])
@pytest.mark.parametrize("command", [one for one in READ if "town" not in one])
def test_devices_are_refused_by_every_command(place, capsys, command, name):
    line = said(place, capsys, command, name)
    assert f"{name}: must be a " in line
    assert (
        "regular file or a pipe; it is a device" in line
        or "folder with geo, units and persons; it is not a folder" in line
    )


@pytest.mark.parametrize("name", ["loop", "there"])
@pytest.mark.parametrize("command", WRITTEN)
def test_a_link_to_itself_cannot_be_written_and_stays(place, capsys, command, name):
    line = said(place, capsys, command, name)
    assert name in line or "--output" in line
    assert (place / name).is_symlink()
