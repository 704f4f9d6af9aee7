"""Questions and answers of an audit: whatever is audited, a claim or a published record, is asked one after another."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.process_control.time_limit import TimeIsUpError, time_limit
from stirred.verify.evidence.process_control.workload import seconds_left
from stirred.verify.evidence.verdict import Verdict

Subject = TypeVar("Subject")


@dataclass(frozen=True)
class Answer:
    """One answer of the auditor.

    Attributes:
        decides: whether the verdict on the whole depends on it.
        is_remark: whether a reader should see it although it decides nothing.
        is_fact: whether it neither supports a claim nor refutes one.
    """

    question: str
    evidence: Evidence
    decides: bool = True
    is_remark: bool = False
    is_fact: bool = False


@dataclass(frozen=True)
class AuditQuestion(Generic[Subject]):
    """What the auditor asks of a claim or of a record.

    Attributes:
        beside: another word, for what stands beside an answer.
        is_advice: whether it decides nothing: it is asked after all others, and left open where the time does not
            allow it.
    """

    name: str
    answers: Callable[[Subject], Iterable[Answer]]
    beside: str = ""
    is_advice: bool = False


def asked(questions: Sequence[AuditQuestion[Subject]], subject: Subject) -> tuple[Answer, ...]:
    """Every answer about one claim or record, question by question; advice is looked for last.

    Advice may take half of the time that is left, so that its absence is no failure.
    """
    found = {one.name: tuple(one.answers(subject)) for one in questions if not one.is_advice}
    found.update((one.name, _advised(one, subject)) for one in questions if one.is_advice)
    return tuple(answer for question in questions for answer in found[question.name])


def _advised(question: AuditQuestion[Subject], subject: Subject) -> tuple[Answer, ...]:
    left = seconds_left()
    if left is None:
        return tuple(question.answers(subject))
    if left > 0:
        with suppress(TimeIsUpError), time_limit(left / 2, question.name):
            return tuple(question.answers(subject))
    late = "not searched within the time limit; it decides nothing; raise --seconds"
    return (Answer(question.name, Evidence(Verdict.OPEN, "advice", late), decides=False),)
