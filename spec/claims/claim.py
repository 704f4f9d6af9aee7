"""A claim: a statement of the sources as printed, or a repaired one, under a stable word id."""

from __future__ import annotations

import re
from dataclasses import dataclass

from spec.arguments import InputError

__all__ = ["Claim"]

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+")


@dataclass(frozen=True)
class Claim:
    """A statement that evidence can attach to.

    Attributes:
        id: words that stay the same for ever, such as `psa.budget.theorem`.
        source: document and number, such as `article, Theorem 1`; for a statement of this project, `stirred`
            and what it grew from, such as `stirred, repairing article, section 3.3`.
        statement: the statement as printed, in plain text, with its quantifiers, hypotheses and edge cases.
        repairs: the id of the printed claim, false or incomplete, that this one repairs.

    Raises:
        InputError: the id is not made of dotted lower-case words, or source or statement is empty.
    """

    id: str
    source: str
    statement: str
    repairs: str | None = None

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise InputError(f"id must be dotted lower-case words such as 'psa.budget.theorem'; got {self.id!r}")
        if not self.source or not self.statement:
            raise InputError(f"a claim must have a source and a statement; {self.id} lacks one")
