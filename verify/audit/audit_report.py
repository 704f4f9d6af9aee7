"""What an audit found as a result that every format shows, each answer with the line of the claim file it is about."""

from __future__ import annotations

import hashlib
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.audit.audit import AuditRecord
from stirred.verify.audit.claim_blocks import BuiltClaim
from stirred.verify.audit.plain_refutation import plain_sentence
from stirred.verify.audit.question import Answer
from stirred.verify.files.bounded_file import MAX_BYTES, read_bounded, read_text
from stirred.verify.files.toml_lines import KeyPath, key_lines
from stirred.verify.reports.provenance import shown_path
from stirred.verify.reports.report import Finding, Place, Question, Result

__all__ = ["ClaimPlaces", "audit_result"]

_KEYS: dict[str, tuple[KeyPath, ...]] = {
    "words": (("statement",),),
    "vacuity": (("multiverse",), ("domain",)),
    "account": (("account",),),
    "numbers": (("budget", "printed"), ("budget", "converted"), ("budget", "by"), ("budget",), ("account",)),
    "mechanism": (("mechanism",),),
    "budget": (
        *(("budget", key) for key in ("epsilon", "gamma", "rho_squared", "curve", "printed", "by")),
        ("budget",),
        ("account", "total"),
        ("account",),
    ),
    "weakening": (("budget",),),
    "data": (("mechanism",),),
    "file": (("mechanism", "swap_rate"),),
    "records": (("mechanism", "holding"), ("mechanism",)),
    "invariants": (("multiverse",),),
    "stratum": (("mechanism", "largest_stratum"),),
    "universe": (("budget",),),
    "determined": (("multiverse",),),
    "meaning": (("budget",),),
}
"""The keys that an answer is about, the first that the claim has; else its id."""


class ClaimPlaces:
    """The file of a claim or record, and the lines of a claim's keys in it."""

    def __init__(self, path: Path, built: BuiltClaim | None = None) -> None:
        self._path = path
        self._table: KeyPath = () if built is None else built.claim.table
        self._numbers = () if built is None else tuple(number.what for number in built.claim.numbers)
        self._lines = {} if built is None else _lines(path)
        function = None if built is None or built.mechanism is None else built.mechanism.function
        self._module = None if function is None else function.file

    def of(self, question: str, sentence: str) -> Place:
        """Where an answer with this sentence belongs; the file's first line where no key is known."""
        listed = [("numbers", i) for i, what in enumerate(self._numbers) if sentence.startswith(f"{what}: ")]
        for key in (*(listed if question == "numbers" else ()), *_KEYS.get(question, ()), ("id",)):
            line = self._lines.get((*self._table, *key))
            if line is not None:
                return Place(self._file, line)
        return Place(self._file)

    @property
    def _file(self) -> str:
        return shown_path(self._path)

    def files(self) -> tuple[tuple[str, str], ...]:
        """The files that the audit reads, each with its SHA-256: the claim or record, and the mechanism's module."""
        paths = [self._path, *([] if self._module is None else [self._module])]
        return tuple((shown_path(path), digest) for path in paths if (digest := _digest(path)) is not None)


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(read_bounded(path, MAX_BYTES)).hexdigest()
    except InputError:
        return None


def _lines(path: Path) -> dict[KeyPath, int]:
    try:
        return key_lines(read_text(path))
    except InputError:  # a pipe was read already, and a file may be gone by now
        return {}


def audit_result(record: AuditRecord, places: ClaimPlaces, questions: tuple[Question, ...] = ()) -> Result:
    """The answers as findings, under the verdict on the claim.

    Args:
        record: what the audit found.
        places: of the claim's file.
        questions: its five blocks.
    """
    verdict = Finding(
        record.id,
        "claim",
        record.verdict,
        f"({record.source}) {record.sentence}",
        record.scope,
        place=places.of(record.decider.question, record.decider.evidence.detail),
    )
    return Result(
        verdict,
        tuple(_finding(record, answer, places) for answer in record.answers),
        source=record.source,
        statement=record.statement,
        claimed=record.claimed,
        needed=record.needed,
        because=record.sentence,
        means=plain_sentence(record.decider.evidence.witness),
        questions=questions,
        assumptions=_assumptions(record),
        files=(*places.files(), *record.data),
    )


def _assumptions(record: AuditRecord) -> tuple[str, ...]:
    """The scopes of the answers that decide, each once, then what the claim does not cover."""
    scopes = dict.fromkeys(answer.evidence.scope for answer in record.answers if answer.decides)
    outside = [answer.evidence.detail for answer in record.answers if answer.question == "outside"]
    return (*(f"Shown for: {scope}" for scope in scopes), *(f"Not covered: {one}" for one in outside))


def _finding(record: AuditRecord, answer: Answer, places: ClaimPlaces) -> Finding:
    evidence = answer.evidence
    return Finding(
        f"{record.id}.{answer.question}",
        answer.question,
        evidence.verdict,
        evidence.detail,
        evidence.scope,
        evidence.witness,
        answer.decides,
        places.of(answer.question, evidence.detail),
        is_remark=answer.is_remark,
    )
