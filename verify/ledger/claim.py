"""A claim: what a source prints, or what this project states itself, with everything that speaks for and against it."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from stirred.verify.evidence.finding import EngineError, Evidence

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+")

GRADES: Mapping[str, str] = {
    "misprint": "the same source shows what was meant",
    "incomplete": "a hypothesis is missing that holds where the source uses it, or that it states elsewhere",
    "false": "false under every reading that the authors can have meant",
}
"""The grades of REFUTED."""


@dataclass(frozen=True)
class Grade:
    """How a printed statement fails, with the reason in a few words."""

    word: str
    reason: str

    def __post_init__(self) -> None:
        if self.word not in GRADES or not self.reason:
            raise EngineError(f"a grade must be one of {', '.join(GRADES)}, with a reason; got {self.word!r}")


@dataclass(frozen=True)
class Sentence:
    """An expression in the language of cases that is true of named cases: what a certificate can list."""

    says: str
    scope: str
    names: tuple[str, ...]
    cases: Iterable[tuple[Any, ...]]


class UnlistedError(Exception):
    """What a check has found does not come down to sentences, or not of each case."""


@dataclass(frozen=True)
class Query:
    """SMT-LIB text that no values in its scope satisfy: what a certificate can give to another solver."""

    text: str
    scope: str


@dataclass(frozen=True)
class ComparedCases:
    """What a check compares of which cases: what changing the cases, or the sentence, takes.

    Attributes:
        claimed: a property of a case, or an expression in the language of cases.
        constants: what a mutant changes.
        of_some: whether it is to hold of some case, not of every one.
    """

    names: tuple[str, ...]
    cases: Iterable[tuple[Any, ...]]
    claimed: Callable[..., Any] | str
    constants: Mapping[str, Any]
    of_some: bool = False


@dataclass(frozen=True)
class Check:
    """What an engine looks at: a statement over named cases, a query, printed rows, or theorems.

    Attributes:
        place: where it is written, as file::name; empty where the claim's own entry says all of it.
        theorems: the Coq theorems that it names.
        expression: what it compares, where that is an expression in the language of cases.
        shown: what its verdict comes down to where it supports the claim, for a certificate; None where that is nothing
            that can be listed, and UnlistedError where that is found out on the way.
        compared: what it compares of cases, where it does.
        identity: why it holds of other cases too, so that no change of them makes it fail, and says something still.
        changed: the same check of a changed statement: see `Mutation`; None where nothing can be changed alone.
    """

    run: Callable[[], Evidence]
    place: str = ""
    theorems: tuple[str, ...] = ()
    expression: str = ""
    shown: Callable[[], Iterable[Sentence | Query]] | None = None
    compared: ComparedCases | None = None
    identity: str = ""
    changed: Callable[[Any], "Check"] | None = None


@dataclass(frozen=True)
class Mutation:
    """A mutant, as it stands after the check that it changes.

    Attributes:
        what: what was changed, in words.
        to: other cases, another sentence or other constants for the check before it; or a whole check.
    """

    what: str
    to: Any


@dataclass(frozen=True)
class Statement:
    """What a claim says, and of whom: all of it but its checks.

    Attributes:
        id: words that stay the same for ever, such as `psa.budget.theorem`.
        sources: documents and numbers that print it in the same words, such as `article, Theorem 1`; for a statement
            of this project, where it comes from.
        statement: the printed words, formulas in plain text; or this project's own.
        is_printed: whether the words are the sources'.
        reading: what is encoded, where the words leave a choice, and why.
        repairs: the id of the printed claim that this one repairs.
        grade: of a printed claim that does not hold.
    """

    id: str
    sources: tuple[str, ...]
    statement: str
    is_printed: bool = True
    reading: str = ""
    repairs: str | None = None
    grade: Grade | None = None

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise EngineError(f"id must be dotted lower-case words such as 'psa.budget.theorem'; got {self.id!r}")
        if not self.statement or (self.is_printed and not self.sources):
            raise EngineError(f"{self.id} must have words, and a source where they are printed")

    @property
    def source(self) -> str:
        """The sources as one text; for a statement of this project also what it repairs."""
        named = "; ".join(self.sources)
        if self.is_printed:
            return named
        how = "repairing " if self.repairs else "from "
        return f"stirred, {how}{named}" if named else "stirred"


@dataclass(frozen=True)
class Claim(Statement):
    """A statement with its checks, the mutants that they refute, by what was changed, and theorems that refute it."""

    checks: tuple[Check, ...] = ()
    mutants: Mapping[str, Check] = field(default_factory=dict)
    refuted_by: tuple[str, ...] = ()

    def stated(self) -> Statement:
        """The statement alone, which other processes can be sent."""
        return Statement(**{part.name: getattr(self, part.name) for part in fields(Statement)})
