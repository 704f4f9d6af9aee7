"""The first stage of the check of the proofs, which needs neither make nor Coq, and what `make check` runs there."""

import re
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
    assert "build check check-all definitions:" in lines
    assert recipes[0] == "\t@python3 -m checking $@"
    assert lines.index(recipes[0]) == lines.index("build check check-all definitions:") + 1
    assert recipes[1] == "\t@./tests"
    assert all(recipe.startswith("\t@rm -") for recipe in recipes[2:])


def test_the_axioms_that_a_theorem_may_rest_on_are_those_of_the_classical_reals():
    text = (PROOFS / "checking" / "axioms.py").read_text(encoding="utf-8")
    listed = text.split("CLASSICAL_REALS = frozenset(", 1)[1].split(")", 1)[0]
    assert set(re.findall(r'"(.*?)"', listed)) == {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
    assert "_ALLOWED: Mapping[int, frozenset[str]] = {1: frozenset(), 2: CLASSICAL_REALS}\n" in text


def test_what_fills_a_premise_without_a_value_is_short_and_known():
    text = (PROOFS / "checking" / "inhabitants.v").read_text(encoding="utf-8")
    elsewhere, itself = re.findall(r"::=\s+lazymatch .*? with\s+(.*?)\s+end\.", text, re.S)
    assert re.findall(r"(\w+) => idtac", elsewhere) == ["rcfType"]
    assert set(re.findall(r"@(\w+) => idtac", itself)) == {
        "approximate_exp_le",
        "audited",
        "exponential",
        "has_budget",
        "has_sizes_budget",
        "unbounded_dp",
    }
