"""What a command found, in the one form that every format renders: results, each with its findings in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

from stirred.spec.shown_table import TableRow
from stirred.verify.evidence.reports.figures_page import Figures
from stirred.verify.evidence.reports.learned_page import Learned
from stirred.verify.evidence.reports.markup import COLORS
from stirred.verify.evidence.reports.provenance import made_at
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness

PASS, FAIL, UNDECIDED = "PASS", "FAIL", "UNDECIDED"

NOTE = "NOTE"
"""What stands for a verdict where a finding is neither good nor bad for a claim."""


ABOVE = "size"
"""The kind of findings that stand above the verdict."""


def outcome(verdict: Verdict) -> str:
    """PASS where the verdict supports the claim within its scope, FAIL where it is REFUTED, else UNDECIDED.

    >>> outcome(Verdict.EXHAUSTED), outcome(Verdict.REFUTED), outcome(Verdict.SAMPLED)
    ('PASS', 'FAIL', 'UNDECIDED')
    """
    if verdict is Verdict.REFUTED:
        return FAIL
    return PASS if verdict.is_settled_for else UNDECIDED


def strength(verdict: Verdict, numbers: str) -> str:
    """The verdict, and in which numbers it holds where these are not the mechanism's own.

    >>> strength(Verdict.EXHAUSTED, "real numbers")
    'EXHAUSTED, real numbers'
    """
    return f"{verdict.name}, {numbers}" if numbers else verdict.name


@dataclass(frozen=True)
class Place:
    """Where a finding belongs: a file, as a reader would name it from the current folder, and a line from 1."""

    file: str
    line: int = 1


@dataclass(frozen=True)
class Finding:
    """One finding.

    Attributes:
        name: its id, unique enough to grep for.
        decides: whether the verdict on the claim depends on it.
        place: the file and the line that it is about; None where there is none.
        is_remark: whether a reader should see it although it decides nothing.
        numbers: in which numbers it holds, "real numbers"; empty where in those that are computed with.
        is_fact: whether it says what is so, and neither supports a claim nor refutes one; its verdict is then how the
            fact was shown.
    """

    name: str
    rule: str
    verdict: Verdict
    sentence: str
    scope: str
    witness: Witness | None = None
    decides: bool = True
    place: Place | None = None
    notes: tuple[str, ...] = ()
    is_remark: bool = False
    is_fact: bool = False
    related: tuple[Place, ...] = ()
    numbers: str = ""

    @property
    def strength(self) -> str:
        """The verdict, and in which numbers it holds."""
        return strength(self.verdict, self.numbers)

    @property
    def word(self) -> str:
        """The verdict, or NOTE for a fact."""
        return NOTE if self.is_fact else self.verdict.name

    @property
    def outcome(self) -> str:
        """PASS, FAIL or UNDECIDED, or NOTE for a fact."""
        return NOTE if self.is_fact else outcome(self.verdict)

    @property
    def fails(self) -> bool:
        """Whether a reader must act: it refutes, or leaves undecided what decides the claim."""
        return self.verdict is Verdict.REFUTED or (self.decides and not self.verdict.is_settled_for)


@dataclass(frozen=True)
class Question:
    """One block of a specification: its name, the question that it answers, and the claim's answer."""

    block: str
    question: str
    answer: str


@dataclass(frozen=True)
class Safe:
    """One of the Five Safes, and what a specification says of it.

    Attributes:
        name: people, projects, settings, data or outputs.
    """

    name: str
    question: str
    is_spoken_of: bool
    blocks: tuple[str, ...]
    silent: str


@dataclass(frozen=True)
class Bar:
    """The smallest budget under one mixture of two claims' blocks.

    Attributes:
        name: four letters, H (honest) or C (claimed), for domain, multiverse, input and output premetric.
        budget: in words; "undefined" where the blocks have no meaning together.
        height: the budget as an exact number to draw; None where it is infinite or undefined.
    """

    name: str
    label: str
    budget: str
    height: Fraction | None = None


@dataclass(frozen=True)
class Result:
    """The verdict on one claim, with the findings that lead to it.

    Attributes:
        verdict: the verdict as a finding under the claim's own name.
        needed: what the mechanism needs, where it was computed, with the pair that needs it.
        because: the sentence of the verdict without its source; the verdict's own where empty.
        means: what a refutation means, in one plain sentence; empty where there is none.
        picture: the budgets under mixtures of two claims' blocks, where there are two to compare.
        learned: what the budget lets someone learn, for each setting of the mechanism where that is bounded.
        figures: of a swapped file, what the swap did to it.
        lead: what of that a reader should know first.
        assumptions: what the verdict holds for, and what it does not cover.
        files: those that were read, each with its SHA-256.
        audited: the program's own sentence of what is audited; empty where the statement is one.
        words: what the claimant says of it, which is not checked.
    """

    verdict: Finding
    findings: tuple[Finding, ...] = ()
    source: str = ""
    statement: str = ""
    claimed: str = ""
    needed: str = ""
    because: str = ""
    means: str = ""
    questions: tuple[Question, ...] = ()
    picture: tuple[Bar, ...] = ()
    learned: tuple[Learned, ...] = ()
    figures: tuple[Figures, ...] = ()
    lead: tuple[str, ...] = ()
    safes: tuple[Safe, ...] = ()
    assumptions: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    audited: str = ""
    words: str = ""

    @property
    def beneath(self) -> tuple[tuple[str, str], ...]:
        """What stands under the verdict, each with its label: the program's own sentence, then the claimant's words."""
        words = f"the claimant's words, not checked: {self.words}" if self.words else ""
        return tuple((label, text) for label, text in (("audited", self.audited), ("words", words)) if text)

    @property
    def above(self) -> tuple[str, ...]:
        """What stands above the verdict: that the domain is too small to show what larger ones need."""
        return tuple(f"note: {finding.sentence}" for finding in self.findings if finding.rule == ABOVE)

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """The findings that lead to the verdict, or the verdict itself where it stands alone."""
        return self.findings or (self.verdict,)


@dataclass(frozen=True)
class Report:
    """What a command found.

    Attributes:
        command: the command line that does it again.
        is_full: whether the text shows the findings that hold too.
        claims: the five blocks of those two, by the name of each.
        not_audited: why other claims and files that were asked for could not be audited.
    """

    title: str
    command: str
    results: Sequence[Result]
    counts: str
    records: Sequence[Mapping[str, Any]]
    is_full: bool = True
    picture: tuple[Bar, ...] = ()
    claims: tuple[tuple[str, tuple[Question, ...]], ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    not_audited: tuple[str, ...] = ()
    made: datetime = field(default_factory=made_at)


def verdict_row(verdict: Verdict, question: str, numbers: str = "") -> TableRow:
    """A verdict as the first row of a table that a notebook shows: the word, in its colour.

    >>> verdict_row(Verdict.REFUTED, "is the claim met?").value
    'FAIL (REFUTED)'
    """
    word = outcome(verdict)
    return TableRow("verdict", f"{word} ({strength(verdict, numbers)})", question, colors=COLORS[word.lower()])
