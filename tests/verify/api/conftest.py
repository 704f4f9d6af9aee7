"""A project of a user's own for the pytest plugin; and a function that several tests audit is followed once."""

import pytest
from followed_once import followed_once  # noqa: F401 a fixture
from plugin_project import COINS


@pytest.fixture
def project(tmp_path):
    """A folder with a mechanism."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "coins.py").write_text(COINS)
    return folder
