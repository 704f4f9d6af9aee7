"""The program starts in any folder, and the wheel holds all of it."""

import os
import subprocess
import sys
import sysconfig
import tomllib

import pytest
from started import ENVIRONMENT, ROOT, linked


def package_of(folder, names):
    """The package that is installed from a folder."""
    if folder in names:
        return names[folder]
    parent, _, name = folder.rpartition("/")
    return f"{package_of(parent, names)}.{name}"


class TestFolders:
    FOREIGN = ("spec", "verify", "stirred", "mechanisms", "argparse", "pickle", "random", "sympy")

    @pytest.fixture
    def foreign(self, tmp_path):
        """A folder with modules of other people that say so when they are loaded."""
        place = tmp_path / "foreign"
        place.mkdir()
        for name in self.FOREIGN:
            (place / f"{name}.py").write_text(f"open('loaded-{name}', 'w')\nraise SystemExit(97)\n")
        return place

    @pytest.fixture
    def installed(self, tmp_path):
        """Where the packages lie as an installation puts them."""
        return {**os.environ, "PYTHONPATH": str(linked(ROOT, tmp_path / "site"))}

    def test_stirred_starts_in_any_folder(self, foreign, installed):
        (foreign / "stirred.py").unlink()  # python -m itself takes it
        command = [sys.executable, "-m", "stirred", "verify", "derangements", "--jobs", "2"]
        done = subprocess.run(command, cwd=foreign, env=installed, capture_output=True, text=True, check=False)
        assert " claims: " in done.stdout.splitlines()[-1], done.stderr
        assert [path.name for path in foreign.iterdir() if path.name.startswith("loaded")] == []

    def test_so_does_the_module_of_the_command_line(self, foreign, installed):
        (foreign / "stirred.py").unlink()
        command = [sys.executable, "-m", "stirred.verify.cli", "derive", "psa", "--largest-stratum", "10"]
        done = subprocess.run(command, cwd=foreign, env=installed, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert [path.name for path in foreign.iterdir() if path.name.startswith("loaded")] == []

    def test_the_wheel_holds_every_package(self):
        setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
        folders = {
            path.parent.relative_to(ROOT).as_posix()
            for package in ("spec", "mechanisms", "verify")
            for path in (ROOT / package).rglob("__init__.py")
        }
        moved = setuptools["package-dir"]
        rooms = {f"stirred.{room}": room for room in ("spec", "mechanisms", "verify")}
        assert moved == {"stirred": "verify/facade", **rooms, "stirred.verify.proofs": "proofs"}
        names = {folder: name for name, folder in moved.items()}
        assert set(setuptools["packages"]) == {package_of(path, names) for path in (*folders, "proofs")}


@pytest.mark.parametrize("place", [".venv", "tools/env"])
def test_a_mechanism_beside_its_environment_is_audited(tmp_path, place):
    """The installation lies below the claim's folder, as in a project with a `.venv`, and is no code of its user."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / place)], check=True)
    (site,) = (tmp_path / place).glob("lib/python3*/site-packages")
    site.rmdir()
    site.symlink_to(sysconfig.get_path("purelib"))
    for command in (["init", "."], ["audit", "majority.toml"]):
        done = subprocess.run(
            [str(tmp_path / place / "bin" / "python"), "-m", "stirred.verify.cli", *command],
            cwd=tmp_path,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert "1 hold" in done.stdout
