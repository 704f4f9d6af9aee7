"""What every published record is to the auditor, and what a module must have that reads one of its formats."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, Self

from stirred.verify.claim.five_blocks import FiveBlocks


class PublishedRecord(Protocol):
    """A record or setting after validation."""

    @property
    def path(self) -> Path:
        """Its file."""

    @property
    def id(self) -> str:
        """The name that it is reported under."""

    @property
    def title(self) -> str:
        """What it is of."""

    @property
    def statement(self) -> str:
        """What it states, in one sentence."""

    @property
    def blocks(self) -> FiveBlocks:
        """What it states, says in words only, and leaves out."""

    def beside(self, others: Sequence[Self], /) -> Self:
        """This record with what the others of its kind in the same run say of it."""


class Format(Protocol):
    """A module that reads one format; `verify.records.record_audit` lists them.

    Attributes:
        NAME: what a file of this format is called.
        FORM: the form of its text: "yaml", "ini" or "json".
        KEYS: the keys by which it is known, in words.
    """

    @property
    def NAME(self) -> str: ...  # noqa: N802 a constant of the module

    @property
    def FORM(self) -> str: ...  # noqa: N802

    @property
    def KEYS(self) -> str: ...  # noqa: N802

    def recognizes(self, content: Any) -> bool:
        """Whether a parsed text has these keys."""

    def read(self, path: Path, content: Any) -> PublishedRecord:
        """The record in a parsed text.

        Raises:
            InputError: it is malformed; the message names the file and the key.
        """
