"""The auditor: what can be said of a claim, in the order in which an auditor asks.

Each question stands in `verify.audit.questions` and is a line of `QUESTIONS`. The verdict of a claim is the weakest
of the answers that decide it; `vacuity`, `delta`, `weakening`, `size` and `outside` say what the claim means: only the
first decides, where a claim compares nothing. `words` decides where the claim's own words differ from its blocks.
"""

import json
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from stirred.verify.audit.certificate import Certificate, NoCertificateError, certificates
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit, under_audit
from stirred.verify.audit.question import Answer, AuditQuestion, asked
from stirred.verify.audit.questions import (
    ACCOUNT,
    BUDGET,
    COMPLETE,
    DATA,
    DELTA,
    MECHANISM,
    NUMBERS,
    OUTSIDE,
    SIZE,
    VACUITY,
    WEAKENING,
)
from stirred.verify.audit.refutation import with_stated_claim
from stirred.verify.audit.words import WORDS
from stirred.verify.evidence.certificates.replay import WitnessError, replay
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.process_control.workload import working
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.five_blocks import claimant_words, own_sentence

QUESTIONS: tuple[AuditQuestion[ClaimUnderAudit], ...] = (
    COMPLETE,
    VACUITY,
    ACCOUNT,
    NUMBERS,
    MECHANISM,
    BUDGET,
    DELTA,
    WEAKENING,
    SIZE,
    OUTSIDE,
    WORDS,
    DATA,
)
"""What is asked of a claim, in this order."""


@dataclass(frozen=True)
class AuditRecord:
    """A claim with the auditor's answers, in order.

    Attributes:
        answers: in the order in which an auditor asks.
        claimed: the budget of each setting in words, where one is stated.
        needed: the smallest budget of each setting, with the pair that needs it, where it was computed.
        certificates: what an independent checker can check again, one for each setting, where they were asked for.
        uncertified: why there is none, where they were asked for.
        data: the files of records that it was compared with, each with its SHA-256.
        audited: the program's own sentence of what is audited, made from the blocks.
        words: what the claimant says of it, which is not checked.
    """

    id: str
    source: str
    statement: str
    answers: tuple[Answer, ...]
    claimed: str = ""
    needed: str = ""
    certificates: tuple[Certificate, ...] = ()
    uncertified: str = ""
    data: tuple[tuple[str, str], ...] = ()
    audited: str = ""
    words: str = ""

    @cached_property
    def weakest(self) -> Answer:
        """The weakest answer that decides the claim: the first where it fails, the last where everything holds."""
        deciding = [answer for answer in self.answers if answer.decides]
        lowest = min(answer.evidence.verdict for answer in deciding)
        tied = [answer for answer in deciding if answer.evidence.verdict is lowest]
        return tied[-1] if lowest.is_settled_for else tied[0]

    @property
    def verdict(self) -> Verdict:
        """The verdict on the claim."""
        return self.weakest.evidence.verdict

    @property
    def decider(self) -> Answer:
        """The answer that says why: the weakest, but where all holds that on the budget, not on printed numbers."""
        if not self.verdict.is_settled_for or self.weakest.question == "budget":
            return self.weakest
        for question in ("budget", "mechanism", "account"):
            if found := self._deciding(question):
                return found[-1]
        return self.weakest

    @property
    def numbers(self) -> str:
        """In which numbers the verdict holds, where it is not those that the mechanism computes with."""
        return self.decider.evidence.numbers

    @property
    def scope(self) -> str:
        """The scope of the verdict."""
        numbers = sum(answer.question == "numbers" for answer in self.answers)
        if self.decider.question == "numbers" and self.verdict.is_settled_for and numbers > 1:
            return f"the {numbers} printed numbers, each recomputed and compared at its printed precision"
        sums = self._deciding("account") if self.decider.question == "budget" else []
        return "; ".join(answer.evidence.scope for answer in (*sums, self.decider))

    @property
    def sentence(self) -> str:
        """What decides the verdict, and how many printed numbers agree."""
        printed = self._printed_numbers
        if self.decider.question == "numbers" and self.verdict.is_settled_for:
            return printed
        if not self.verdict.is_settled_for:
            kind = "undecided: " if self.verdict is Verdict.OPEN else ""
            return f"{printed}{'; ' if printed else ''}{kind}{self.decider.evidence.detail}"
        theorems = [a.evidence.detail for a in self._deciding("mechanism") if a.evidence.verdict is Verdict.PROVED]
        others = len(self._deciding("budget")) - 1
        more = f", and so at {'the other setting' if others == 1 else f'{others} other settings'}" if others > 0 else ""
        return "; ".join(part for part in (*theorems[:1], f"{self.decider.evidence.detail}{more}", printed) if part)

    def _deciding(self, question: str) -> list[Answer]:
        return [answer for answer in self.answers if answer.question == question and answer.decides]

    @property
    def _printed_numbers(self) -> str:
        """How many printed numbers agree, and how many agree in another way."""
        numbers = self._deciding("numbers")
        if not numbers:
            return ""
        agreeing = sum(answer.evidence.verdict.is_settled_for for answer in numbers)
        others = Counter(answer.evidence.agrees for answer in numbers if answer.evidence.agrees)
        is_one = 1 in (agreeing, len(numbers))
        said = f"{agreeing} of {counted(len(numbers), 'printed number')} {'agrees' if is_one else 'agree'}"
        return "".join((said, *(f", {count} more {how}" for how, count in others.items())))

    @property
    def witness(self) -> Witness | None:
        """The first counterexample."""
        return next((a.evidence.witness for a in self.answers if a.evidence.witness is not None), None)

    def as_json(self) -> dict[str, Any]:
        """The record as `--json` prints it."""
        return {
            "id": self.id,
            "source": self.source,
            "statement": self.statement,
            **({"audited": self.audited} if self.audited else {}),
            "verdict": self.verdict.name,
            **({"numbers": self.numbers} if self.numbers else {}),
            "scope": self.scope,
            "detail": self.sentence,
            "witness": self.witness,
            "findings": [
                {
                    "id": f"{self.id}.{answer.question}",
                    "verdict": answer.evidence.verdict.name,
                    "detail": answer.evidence.detail,
                    "scope": answer.evidence.scope,
                    "decides": answer.decides,
                    "witness": answer.evidence.witness,
                }
                for answer in self.answers
            ],
            **({"data": [{"file": file, "sha256": digest} for file, digest in self.data]} if self.data else {}),
        }


def audit(
    built: PrivacyClaim, *, is_certified: bool = False, known: dict[str, AuditRecord] | None = None
) -> AuditRecord:
    """The answers about one claim; those that its account refers to are audited before it."""
    run = {} if known is None else known
    if built.id in run:
        return run[built.id]
    records = {name: audit(part, is_certified=is_certified, known=run) for name, part in built.parts.items()}
    parts = {name: record.weakest.evidence for name, record in records.items()}
    what = f"the audit of {built.id}"
    with working(what, built.limits.seconds):
        under = under_audit(built, parts=parts)
        record = answered(under)
        run[built.id] = _certified(record, under) if is_certified else record
    return run[built.id]


def _certified(record: AuditRecord, under: ClaimUnderAudit) -> AuditRecord:
    """The record with certificates that say what it says; without where it is undecided, or refuted by other things."""
    if record.verdict is Verdict.OPEN:
        return replace(record, uncertified=f"the claim is {record.sentence}")
    try:
        found = certificates(under)
    except NoCertificateError as error:
        return replace(record, uncertified=str(error))
    if record.verdict is Verdict.REFUTED and all(one["verdict"] == {"met": True} for one in found):
        return replace(record, uncertified=f"the claim is refuted, although its budget is met: {record.sentence}")
    return replace(record, certificates=found)


def answered(under: ClaimUnderAudit) -> AuditRecord:
    """The answers about a claim whose mechanism was exhausted; advice as far as the time allows."""
    built = under.built
    answers = asked(QUESTIONS, under)
    claimed = "; ".join(case.budget.text for case in built.cases if case.budget is not None)
    needed = "; ".join(one.needed for _, one in under.tried if one is not None)
    record = AuditRecord(built.id, built.source, built.statement, answers, claimed, needed)
    words = "" if built.file is None else claimant_words(built)
    return replaying(replace(record, audited=own_sentence(built), words=words))


def replaying(record: AuditRecord) -> AuditRecord:
    """The record whose witnesses name the claim that they refute, each re-checked as a reader would, from its JSON."""
    answers = tuple(
        replace(answer, evidence=with_stated_claim(answer.evidence, record.id, record.statement))
        for answer in record.answers
    )
    for answer in answers:
        if answer.evidence.witness is not None:
            try:
                replay(json.loads(json.dumps(answer.evidence.witness)))
            except WitnessError as error:
                raise EngineError(f"{record.id}: a witness does not replay: {error}") from None
    return replace(record, answers=answers)
