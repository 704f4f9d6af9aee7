"""For the tests of the pytest plugin: a project of a user's own."""

import pytest
from plugin_project import COINS


@pytest.fixture
def project(tmp_path):
    """A folder with a mechanism."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "coins.py").write_text(COINS)
    return folder
