"""The first stage of the check of the proofs, which needs neither make nor Coq, and what `make check` runs there."""

import subprocess
import sys
from pathlib import Path

PROOFS = Path(__file__).parents[2] / "proofs"


def test_the_folder_of_the_proofs_holds_nothing_that_the_check_does_not_read():
    command = [sys.executable, "-m", "checking", "source"]
    done = subprocess.run(command, cwd=PROOFS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_make_check_is_the_check_and_takes_no_flag():
    """A makefile can't be checked by what it calls."""
    lines = (PROOFS / "Makefile").read_text(encoding="utf-8").splitlines()
    recipes = [line for line in lines if line.startswith("\t") or "=" in line or "include" in line]
    assert "build check statements:" in lines
    assert recipes[0] == "\t@python3 -m checking $@"
    assert lines.index(recipes[0]) == lines.index("build check statements:") + 1
    assert recipes[1] == "\t@./tests"
    assert all(recipe.startswith("\t@rm -") for recipe in recipes[2:])


def test_the_premises_of_every_theorem_are_met_by_a_checked_instance():
    """Otherwise a theorem may say nothing; `make check` holds these lines to the theories."""
    lines = (PROOFS / "statements.txt").read_text(encoding="utf-8").splitlines()
    instances = [line for line in lines if line.startswith("instance:")]
    assert len(instances) == sum(line.startswith(("Theorem ", "Example ")) for line in lines) > 200
    assert "instance: none" not in instances
