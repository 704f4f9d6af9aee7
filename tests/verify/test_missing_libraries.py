"""Where an optional library is missing, the one command that needs it says so in one line; all others work."""

import subprocess
import sys

import pytest

WITHOUT = """
import sys
NAMES = "clarabel cvc5 duckdb griffe highspy jinja2 latex2mathml markupsafe matplotlib ortools"
NAMES += " pandas py4j pyarrow pyspark scipy"
for name in NAMES.split():
    sys.modules[name] = None  # what an import of it raises is what it raises where it is not installed
from stirred.verify.cli import main
sys.exit(main())
"""


def without(*arguments, folder):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "library"),
    [
        (("swap", "homes.csv", "--swap", "county", "--swap-rate", "1/2"), "pyarrow"),
        (("study", "psa", "--output", "figure"), "matplotlib"),
        (("derive", "psa", "--plot", "psa.svg"), "matplotlib"),
        (("site", "pages"), "griffelib Jinja2 latex2mathml markdown-it-py Pygments"),
        (("verify", "derangements.recurrence", "--open"), "griffelib Jinja2 latex2mathml markdown-it-py Pygments"),
        (("run", "phsafe", "--init", "made"), None),
        (("site", "--help"), None),
        (("run", "topdown", "--init", "town"), None),
        (("init",), None),
        (("--help",), None),
        (("swap", "--help"), None),
        (("run", "phsafe", "--help"), None),
        (("completion", "bash"), None),
    ],
)
def test_a_command_needs_its_own_libraries_only(tmp_path, arguments, library):
    (tmp_path / "homes.csv").write_text("size,county\n1,a\n1,b\n")
    done = without(*arguments, folder=tmp_path)
    if library is None:
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"pip install {library}" in done.stderr
