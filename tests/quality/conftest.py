"""A folder in which the program is started."""

import pytest
from claim_texts import SOUND


@pytest.fixture
def folder(tmp_path):
    """A folder with records, a claim, and a claim that is refuted."""
    (tmp_path / "records.csv").write_text("a,b\nx,1\ny,2\ny,2\n")
    (tmp_path / "claim.toml").write_text(SOUND)
    (tmp_path / "refuted.toml").write_text(
        'id = "n"\nstatement = "s"\n[[numbers]]\nwhat = "x"\nprinted = "3"\nformula = "1 + 1"\n'
    )
    return tmp_path
