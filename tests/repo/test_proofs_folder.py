"""The first stage of the check of the proofs, which needs neither make nor Coq, and what `make check` runs there."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stirred.verify.evidence.theorems import STATEMENTS
from stirred.verify.proofs.checking.statements import restated

PROOFS = Path(__file__).parents[2] / "proofs"
PORTED = sorted((PROOFS / "mathcomp2").iterdir(), key=lambda path: path.name)


def test_the_folder_of_the_proofs_holds_nothing_that_the_check_does_not_read():
    done = subprocess.run(["./check", "source"], cwd=PROOFS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_so_does_the_folder_for_mathcomp_2(tmp_path):
    """Laid out as `proofs/debian13` does it, which compiles it too."""
    assert 'cp mathcomp2/*.v "$folder/proofs/theories/audit"\n' in (PROOFS / "debian13").read_text(encoding="utf-8")
    ported = tmp_path / "proofs"
    shutil.copytree(PROOFS, ported, ignore=shutil.ignore_patterns("*.vo*", "*.glob", "*.aux", "__pycache__"))
    for path in PORTED:
        shutil.copyfile(path, ported / "theories" / "audit" / path.name)
    done = subprocess.run(["./check", "source"], cwd=ported, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def imported(path):
    """The parts of MathComp that a theory asks for."""
    text = path.read_text(encoding="utf-8")
    return {
        name
        for names in re.findall(r"^From mathcomp Require Import\s([\w\s]+)\.$", text, re.M)
        for name in names.split()
    }


def test_a_theory_loads_of_mathcomp_what_it_uses():
    """All of the algebra is there for Archimedean fields only: it takes each file a quarter of a second."""
    theories = list((PROOFS / "theories").rglob("*.v"))
    assert [path.name for path in theories if "all_fingroup" in imported(path)] == []
    everything = {path for path in theories if "all_algebra" in imported(path)}
    assert everything
    assert [path.name for path in everything if "archi" not in path.read_text(encoding="utf-8")] == []


def choice_functions(path):
    """The only definition of a file for one MathComp that statements name, but for the field itself."""
    return re.search(r"^Record choice_of_reals\b.*?^\}\.$", path.read_text(encoding="utf-8"), re.M | re.S)[0]


@pytest.mark.parametrize("path", PORTED, ids=lambda path: path.name)
def test_what_stands_in_for_a_theory_defines_choice_functions_as_it_does(path):
    assert choice_functions(path) == choice_functions(PROOFS / "theories" / "audit" / path.name)


def test_make_check_is_the_check_and_takes_no_flag():
    """A makefile can't be checked by what it calls."""
    lines = (PROOFS / "Makefile").read_text(encoding="utf-8").splitlines()
    recipes = [line for line in lines if line.startswith("\t") or "=" in line or "include" in line]
    target = "build check check-all check-port definitions:"
    assert target in lines
    assert recipes[0] == "\t@./check $@"
    assert lines.index(recipes[0]) == lines.index(target) + 1
    assert recipes[1] == "\t@./tests"
    assert all(recipe.startswith("\t@rm -") for recipe in recipes[2:])
    assert (PROOFS / "check").read_text(encoding="utf-8").startswith("#!/usr/bin/env -S python3 -I -B\n")


def test_the_axioms_that_a_theorem_may_rest_on_are_those_of_the_classical_reals():
    text = (PROOFS / "checking" / "axioms.py").read_text(encoding="utf-8")
    listed = text.split("CLASSICAL_REALS = frozenset(", 1)[1].split(")", 1)[0]
    assert set(re.findall(r'"(.*?)"', listed)) == {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
    assert re.findall(r"^ +\((.*?)\),(?:  #.*)?$", text, re.M) == [
        "frozenset(), pages[1]",
        "CLASSICAL_REALS | {CHOICE}, pages[2]",
        'CLASSICAL_REALS, {name: f"@{homes[name]}" for name in pages[2]}',
    ]


def test_what_fills_a_premise_without_a_value_is_short_and_known():
    text = (PROOFS / "checking" / "inhabitants.v").read_text(encoding="utf-8")
    elsewhere, shown, itself, inside = (
        re.findall(r"@?(\w+) => idtac", found)
        for found in re.findall(r"::=\s+lazymatch .*? with\s+(.*?)\s+end\.", text, re.S)
    )
    assert elsewhere == ["rcfType"]
    assert sorted(itself) == [
        "approximate_exp_le",
        "audited",
        "exponential",
        "has_budget",
        "has_sizes_budget",
        "unbounded_dp",
    ]
    assert (len(shown), len(inside)) == (16, 47)
    assert inside == sorted(set(inside))
    assert set(inside) <= {one.name for one in restated(STATEMENTS)}


STATED = r"^\s*(Lemma|Theorem|Example|Definition|Fixpoint) ([\w']+)"
LISTED = r"^\(\* Headline (theorems|lemmas) +\*\)\n((?:\(\*   .*\*\)\n)+)"


def test_headers_list_what_their_theories_state_in_one_style():
    """`names == what they say`, under a title that says whether theorems are among them."""
    titled = 0
    for path in sorted((PROOFS / "theories").rglob("*.v")):
        text = path.read_text(encoding="ascii")
        kinds = {name: kind for kind, name in re.findall(STATED, text, re.M)}
        listed = re.findall(LISTED, text, re.M)
        assert len(listed) == text.count("Headline"), path.name
        for title, entries in listed:
            lines = "\n".join(line[2:-2].rstrip() for line in entries.splitlines())
            named = [entry.partition(" ==") for entry in re.split(r"\n   (?=\S)", f"\n{lines}")[1:]]
            assert all(separator for _, separator, _ in named), (path.name, named)
            names = [name for each, _, _ in named for name in re.split(r",\s+", each.strip())]
            assert set(names) <= set(kinds), path.name
            assert (title == "theorems") == any(kinds[name] in ("Theorem", "Example") for name in names), path.name
            titled += 1
    assert titled > 100


LONG = """
tables_replaced_attained swap_rate1_no_budget psa_le_small limit_attained balances_large naturals_certify orbit_fall
exchange_exists one_loose_le orbit_mass kept_sum_ge single_record_budgets pufferfish_density_ratio mult_closure_decides
tv_closure_decides pure_renyi_bound renyi_triangle
"""
"""Proofs above 45 lines: no step of theirs has a name."""


def test_a_proof_above_45_lines_is_known():
    found = set()
    for path in (PROOFS / "theories").rglob("*.v"):
        before, *proofs = re.split(r"^Proof\.", path.read_text(encoding="ascii"), flags=re.M)
        for proof in proofs:
            if re.split(r"\b(?:Qed|Defined)\.", proof)[0].count("\n") >= 45:
                found.add(re.findall(STATED, before, re.M)[-1][1])
            before = proof
    assert found == set(LONG.split())


SUMMARY = """\
CONTEXT SUMMARY
===============

{theory}* Axioms: <none>

* Constants/Inductives relying on type-in-type: <none>

* Constants/Inductives relying on unsafe (co)fixpoints: <none>

* Inductives whose positivity is assumed: <none>
"""


@pytest.mark.parametrize(
    ("theory", "accepted"),
    [
        (["Set is predicative"], True),
        (["Set is predicative", "Rewrite rules are not allowed"], True),
        (["Set is predicative", "Rewrite rules are allowed (subject reduction might be broken)"], False),
        (["Set is impredicative", "Set is predicative"], False),
        (["Rewrite rules are not allowed"], False),
        ([], False),
    ],
)
def test_the_kernel_rests_on_the_theory_of_either_coq_alone(tmp_path, theory, accepted):
    summary = SUMMARY.format(theory="".join(f"* Theory: {line}\n  \n" for line in theory))
    (tmp_path / "coqchk").write_text(f"#!/bin/sh\n/bin/cat <<'END'\n{summary}END\n", encoding="utf-8")
    (tmp_path / "coqchk").chmod(0o755)
    asked = "from checking import kernel, layout; print(kernel.check_kernel(layout.ROOT, libraries=False))"
    environment = {"PATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=PROOFS, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode == 0) == accepted
    assert ("kernel: coqchk accepts" in done.stdout) if accepted else ("coqchk: Theory: " in done.stderr)
