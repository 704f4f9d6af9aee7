"""Releases of the example, each made once and copied for whoever changes it."""

import shutil

import pytest
from released_town import release, written_town


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The example and its release."""
    town = written_town(tmp_path_factory.mktemp("made"))
    return town, release(town)


@pytest.fixture
def folder(made, tmp_path):
    """A copy of the release."""
    return shutil.copytree(made[1], tmp_path / "released")
