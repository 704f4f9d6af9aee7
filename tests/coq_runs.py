"""What `coqc` computes of the compiled theories: first `make -C proofs`."""

import subprocess
from pathlib import Path

THEORIES = Path(__file__).parents[1] / "proofs" / "theories"


def spaced(numbers):
    return " ".join(map(str, numbers))


def compiled(tmp_path, text):
    """What `coqc` prints of a file over the theories; it must accept it."""
    assert list(THEORIES.glob("*/*.vo")), "first: make -C proofs"
    (tmp_path / "Asked.v").write_text(text, encoding="utf-8")
    flags = ["-q", "-w", "-notation-overridden,-ambiguous-paths", "-Q", str(THEORIES), "Stirred"]
    done = subprocess.run(["coqc", *flags, "Asked.v"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def coq_computes(tmp_path, theory, asked):
    """Hold booleans of a theory to their values."""
    head = "From Coq Require Import NArith.\nFrom mathcomp Require Import all_ssreflect.\n"
    head += f"From Stirred Require Import {theory}.\n"
    lines = [
        f"Example a{place} : {expression} = {str(value).lower()}. Proof. by vm_compute. Qed."
        for place, (expression, value) in enumerate(asked)
    ]
    compiled(tmp_path, head + "\n".join(lines) + "\n")
