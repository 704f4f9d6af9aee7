"""Every transcript is what its commands print; `python tests/transcripts.py` writes them anew."""

import pytest
from transcripts import FOLDER, replayed


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_session_is_as_it_was(path, tmp_path):
    text = path.read_text(encoding="utf-8")
    assert replayed(text, tmp_path) == text
