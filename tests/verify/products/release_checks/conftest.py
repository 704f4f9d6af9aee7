"""Releases of the example, each made once and copied for whoever changes it; and how a test checks one."""

import shutil

import pytest
from released_town import release, written_town

from stirred.verify.cli.main import main


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The example and its release."""
    town = written_town(tmp_path_factory.mktemp("made"))
    return town, release(town)


@pytest.fixture
def folder(made, tmp_path):
    """A copy of the release."""
    return shutil.copytree(made[1], tmp_path / "released")


class Check:
    """`stirred check` of a folder: what it says, with R for the folder."""

    def __init__(self, capsys):
        self._capsys = capsys

    def __call__(self, folder):
        """Exit status, stdout and stderr."""
        self._capsys.readouterr()
        status = main(["check", str(folder)])
        out, err = self._capsys.readouterr()
        return status, out.replace(f"{folder}", "R"), err.replace(f"{folder}", "R")

    def confirmed(self, folder):
        """The lines of a release that is confirmed."""
        status, out, err = self(folder)
        assert (status, err) == (0, ""), out
        return out

    def undecided(self, folder):
        """The lines of a release of which something is open."""
        status, out, err = self(folder)
        assert (status, err) == (3, ""), out
        return out

    def refuted(self, folder):
        """The one line of a release that is not."""
        status, out, err = self(folder)
        assert (status, err, out.count("\n")) == (1, "", 1), out
        assert out.startswith("R: NOT CONFIRMED: ")
        return out

    def unreadable(self, folder):
        """The one line of what is no release."""
        status, out, err = self(folder)
        assert (status, out, err.count("\n")) == (2, "", 1), err
        return err


@pytest.fixture
def check(capsys):
    return Check(capsys)
