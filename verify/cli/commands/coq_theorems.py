"""The Coq files of `stirred prove --coq`: what of them `coqc` accepts, and what a claim leaves."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from stirred.verify.audit.coqc import missing_for_coq, refused_by_coqc
from stirred.verify.evidence.certificates.printable import one_line, printable
from stirred.verify.evidence.certificates.standard_streams import say
from stirred.verify.evidence.files.atomic import take_away, write_whole
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.text import read_toml
from stirred.verify.laws.foreign import DEFAULT_LIMITS
from stirred.verify.laws.sandbox.within_limits import LimitError
from stirred.verify.prove.answer import ProveResult
from stirred.verify.prove.claim_file import read_every_size
from stirred.verify.prove.coq_program import NotInCoqError
from stirred.verify.prove.coq_proof import CoqProof, coq_file
from stirred.verify.prove.proving import proof_of

_MEMORY = 4 << 30


class CoqTheorems:
    """The theorems of one file.

    Args:
        path: the file.
        seconds: the limit on the clock for each theorem.
    """

    def __init__(self, path: str, seconds: int) -> None:
        self._path, self._seconds = path, seconds
        self._modules: list[str] = []

    def tried(self, result: ProveResult) -> ProveResult:
        """The result, PROVED where `coqc` accepts its theorem; why there is no theorem is said."""
        if result.verdict is not Verdict.DECIDED or result.certificate is None:
            return self._without(result, "it is not decided")
        try:
            module = CoqProof(result.certificate).module()
            is_there = missing_for_coq() is None
            text = coq_file([module])
            refused = refused_by_coqc(text, seconds=self._seconds, memory=_MEMORY) if is_there else None
        except (LimitError, NotInCoqError) as error:
            refused = str(error)
        if refused is not None:
            return self._without(result, refused)
        self._modules.append(module)
        return replace(result, verdict=Verdict.PROVED) if is_there else result

    def _without(self, result: ProveResult, why: str) -> ProveResult:
        say(one_line(f"{printable(self._path)}: no theorem on {printable(result.stated.name)}: {why}"))
        return result

    def write(self) -> None:
        """Write the file, or take away what an earlier run left there."""
        if not self._modules:
            take_away(self._path)
            return
        write_whole(self._path, coq_file(self._modules))
        missing = missing_for_coq()
        why = "" if missing is None else f"not checked, for it needs {missing}; "
        checked = f"stirred check {printable(self._path)} --claim CLAIM --coqc"
        say(one_line(f"{printable(self._path)}: {why}to check it again: {checked}"))


def is_every_size(path: str) -> bool:
    """Whether a claim file is one of `stirred prove`."""
    return read_toml(Path(path)).get("records") == "any"


def file_of_claims(paths: Iterable[str]) -> str | None:
    """The Coq file that `stirred prove --coq` writes of claims; None where it writes no theorem."""
    modules = []
    for path in paths:
        proof = proof_of(read_every_size(path, DEFAULT_LIMITS).stated, explains=False)
        try:
            modules += [CoqProof(proof.certificate).module()] if proof.is_met and proof.certificate is not None else []
        except NotInCoqError:
            continue
    return coq_file(modules) if modules else None
