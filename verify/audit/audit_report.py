"""What an audit found as a result that every format shows, each answer with the line of the claim file it is about."""

from __future__ import annotations

from pathlib import Path

from spec.arguments import InputError
from verify.audit.audit import Answer, AuditRecord
from verify.audit.claim_file import AuditClaim
from verify.outside.bounded_file import read_text
from verify.outside.toml_lines import KeyPath, key_lines
from verify.reports.report import Finding, Place, Question, Result

__all__ = ["ClaimPlaces", "audit_result"]

_KEYS: dict[str, tuple[KeyPath, ...]] = {
    "vacuity": (("multiverse",), ("domain",)),
    "account": (("account",),),
    "numbers": (("numbers", 0), ("budget", "printed"), ("budget", "by"), ("budget",), ("account",)),
    "mechanism": (("mechanism",),),
    "budget": (
        *(("budget", key) for key in ("epsilon", "gamma", "rho_squared", "curve", "printed", "by")),
        ("budget",),
        ("account", "total"),
        ("account",),
    ),
}
"""The keys that an answer is about, the first that the claim has; else its id."""


class ClaimPlaces:
    """The file of a claim or record, and the lines of a claim's keys in it."""

    def __init__(self, path: Path, claim: AuditClaim | None = None) -> None:
        self._path = path
        self._table: KeyPath = () if claim is None else claim.table
        self._lines = {} if claim is None else _lines(path)

    def of(self, question: str) -> Place:
        """Where an answer belongs; the file's first line where no key is known."""
        for key in (*_KEYS.get(question, ()), ("id",)):
            line = self._lines.get((*self._table, *key))
            if line is not None:
                return Place(self._file, line)
        return Place(self._file)

    @property
    def _file(self) -> str:
        """The path from the current folder where the file lies in it, as an annotation must name it."""
        whole = self._path.resolve()
        here = Path.cwd()
        return (whole.relative_to(here) if whole.is_relative_to(here) else whole).as_posix()


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
        place=places.of(record.weakest.question),
    )
    return Result(
        verdict,
        tuple(_finding(record, answer, places) for answer in record.answers),
        source=record.source,
        statement=record.statement,
        claimed=record.claimed,
        needed=record.needed,
        because=record.sentence,
        questions=questions,
    )


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
        places.of(answer.question),
    )
