"""`stirred init` writes files that work as they are, and overwrites nothing."""

import subprocess
import sys

import pytest

from stirred.verify.cli import main
from stirred.verify.commands.init import FILES


def test_what_it_writes_holds(tmp_path, capsys):
    folder = tmp_path / "new" / "folder"
    assert main(["init", str(folder)]) == 0
    assert {path.name for path in folder.iterdir()} == set(FILES)
    assert capsys.readouterr().out.splitlines()[:3] == [str(folder / name) for name in FILES]
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


def test_in_the_current_folder_no_other_is_entered(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("next: ")]
    assert "cd" not in line.split()


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_overwritten(name, tmp_path, capsys):
    (tmp_path / name).write_text("mine")
    assert main(["init", str(tmp_path)]) == 2
    assert "exists, and is not overwritten; nothing was written" in capsys.readouterr().err
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_a_link_to_nowhere_is_not_followed(tmp_path, capsys):
    (tmp_path / "coins.py").symlink_to(tmp_path / "elsewhere")
    assert main(["init", str(tmp_path)]) == 2
    assert "exists" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["coins.py"]


def test_a_folder_that_is_a_file_is_refused(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["init", str(tmp_path / "file" / "inside")]) == 2
    assert "cannot be written" in capsys.readouterr().err
