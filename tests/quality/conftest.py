"""A folder in which the program is started; and how many mutants of sentences were refuted, under a run's results."""

from collections import Counter

import pytest
from claim_texts import SOUND

COUNTED = ("checks", "refuted", "survivors", "outside")
"""What `test_listed_checks.py` counts of each claim."""


def pytest_terminal_summary(terminalreporter):
    """The totals of all processes."""
    totals = Counter()
    for report in (one for ended in ("passed", "failed") for one in terminalreporter.getreports(ended)):
        totals += Counter({name: count for name, count in report.user_properties if name in COUNTED})
    if totals:
        terminalreporter.write_line(
            f"mutants of the sentences of {totals['checks']} checks: {totals['refuted']} refuted by their cases, "
            f"{totals['survivors']} true of them, {totals['outside']} without a value there"
        )


@pytest.fixture
def folder(tmp_path):
    """A folder with records, a claim, and a claim that is refuted."""
    (tmp_path / "records.csv").write_text("a,b\nx,1\ny,2\ny,2\n")
    (tmp_path / "claim.toml").write_text(SOUND)
    (tmp_path / "refuted.toml").write_text(
        'id = "n"\nstatement = "s"\n[[numbers]]\nwhat = "x"\nprinted = "3"\nformula = "1 + 1"\n'
    )
    return tmp_path
