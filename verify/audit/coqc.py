"""What `coqc` says of a file of `stirred audit --coq` or `prove --coq`: whether it compiles, and on which axioms."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.evidence.theorems import STATEMENTS
from stirred.verify.laws.sandbox.within_limits import LimitError

THEORIES = STATEMENTS.parent / "theories"
CLASSICAL_REALS = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""The axioms that the real numbers of Coq's standard library come with."""

COQ_FLAGS = ("-w", "-notation-overridden,-ambiguous-paths")


def _limit_memory(memory: int) -> None:
    """Limit the address space of this process, in bytes."""
    import resource  # noqa: PLC0415 not on every system

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def missing_for_coq() -> str | None:
    """What is not there to compile a file: `coqc`, or the theories; None where both are."""
    if shutil.which("coqc") is None:
        return "coqc, of Coq 8.16; proofs/install installs it"
    needed = (THEORIES / "audit" / "audited_claim.vo", THEORIES / "alignment" / "pure_distance.vo")
    if not all(path.is_file() for path in needed):
        return f"compiled theories, which make -C proofs makes in a checkout of stirred; none stand in {THEORIES}"
    return None


def require_coq() -> None:
    """Refuse where there is no `coqc`, or where the theories are not compiled."""
    if (missing := missing_for_coq()) is not None:
        raise InputError(f"--coqc requires {missing}")


def refused_by_coqc(text: str, *, seconds: int, memory: int) -> str | None:
    """Why Coq does not hold the theorems of a file; None where it does.

    Args:
        text: the file, which prints the assumptions of each of its theorems at its end.
        seconds: the limit on the clock.
        memory: the limit in bytes.

    Raises:
        LimitError: it takes longer.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "Claim.v").write_text(text, encoding="utf-8")
        command = ["coqc", "-q", *COQ_FLAGS, "-Q", str(THEORIES), "Stirred", "Claim.v"]
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": folder, "LC_ALL": "C.UTF-8"}
        try:
            done = subprocess.run(  # noqa: S603
                command,
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
                preexec_fn=lambda: _limit_memory(memory),
            )
        except subprocess.TimeoutExpired:
            raise LimitError(f"coqc took more than {seconds} s") from None
    if done.returncode:
        return f"coqc refuses it: {' '.join(done.stderr.split())[:500]}"
    asked = len(re.findall(r"^Print Assumptions ", text, re.M))
    _, *answers = re.split(r"^(?:Axioms:|Closed under the global context)$", done.stdout, flags=re.M)
    if len(answers) != asked:
        return f"coqc says of {len(answers)} theorems what they rest on; the file asks {asked} times"
    named = {name for answer in answers for name in re.findall(r"^([A-Za-z_][\w.']*)\s+:\s", answer, re.M)}
    if excess := sorted(named - CLASSICAL_REALS):
        return f"its theorems rest on {', '.join(excess)}"
    return None
