"""Questions and answers of an audit: whatever is audited, a claim or a published record, is asked one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from stirred.verify.evidence.finding import Evidence

__all__ = ["Answer", "AuditQuestion", "asked"]

Subject = TypeVar("Subject")


@dataclass(frozen=True)
class Answer:
    """One answer of the auditor.

    Attributes:
        question: the name of the question.
        evidence: the verdict, with its sentence as the detail.
        decides: whether the verdict on the whole depends on it.
        is_remark: whether a reader should see it although it decides nothing.
    """

    question: str
    evidence: Evidence
    decides: bool = True
    is_remark: bool = False


@dataclass(frozen=True)
class AuditQuestion(Generic[Subject]):
    """What the auditor asks of a claim or of a record.

    Attributes:
        name: one word, which its answers carry.
        answers: none where there is nothing to say, else one or more, in order.
        beside: another word, for what stands beside an answer.
    """

    name: str
    answers: Callable[[Subject], Iterable[Answer]]
    beside: str = ""


def asked(questions: Sequence[AuditQuestion[Subject]], subject: Subject) -> tuple[Answer, ...]:
    """Every answer about one claim or record, question by question."""
    return tuple(answer for question in questions for answer in question.answers(subject))
