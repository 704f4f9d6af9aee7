"""Published records as the auditor's input: which format a file has, and what is said of the record in it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

from stirred.spec.arguments import InputError
from stirred.verify.audit.audit import AuditRecord, replaying
from stirred.verify.audit.question import AuditQuestion, asked
from stirred.verify.audit.records import p_table, phsafe, registry, registry_audit, safetab, setting_audit, topdown
from stirred.verify.audit.records.p_table import PTableRecord
from stirred.verify.audit.records.record_kind import record_kind
from stirred.verify.audit.records.registry import RegistryRecord
from stirred.verify.audit.records.setting import BudgetSetting
from stirred.verify.evidence.files.bounded_file import MAX_BYTES, read_text
from stirred.verify.evidence.files.exact_json import load_json
from stirred.verify.evidence.files.ini_files import load_ini
from stirred.verify.evidence.files.safe_yaml import load_yaml
from stirred.verify.laws.claim.five_blocks import FiveBlocks
from stirred.verify.laws.p_table_file import MAX_BYTES as MOST_OF_A_P_TABLE
from stirred.verify.laws.p_table_file import parse_p_table


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
    """A module that reads one format; `verify.audit.records.record_audit` lists them.

    Attributes:
        NAME: what a file of this format is called.
        FORM: the form of its text: "yaml", "ini", "json" or "p-table".
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
        """The record in a parsed text."""


FORMATS: tuple[Format, ...] = (registry, topdown, phsafe, safetab, p_table)
"""The formats that are read, each a module."""

_LOADERS: Mapping[str, Callable[[str, str], Any]] = {
    "yaml": load_yaml,
    "ini": load_ini,
    "json": load_json,
    "p-table": parse_p_table,
}
"""How a text of each form is parsed."""

_QUESTIONS: Mapping[type, Sequence[AuditQuestion[Any]]] = {
    RegistryRecord: registry_audit.QUESTIONS,
    BudgetSetting: setting_audit.QUESTIONS,
    PTableRecord: p_table.QUESTIONS,
}
"""What is asked of each kind of record."""


def read_records(paths: Sequence[Path]) -> tuple[PublishedRecord, ...]:
    """The records in several files, in order."""
    records = tuple(map(read_record, paths))
    seen: dict[str, Path] = {}
    for record in records:
        if record.id in seen:
            raise InputError(
                f"{record.path}: the name {record.id!r} is used twice; it is also in {seen[record.id]}: rename one"
            )
        seen[record.id] = record.path
    return tuple(
        record.beside([other for other in records if other is not record and type(other) is type(record)])
        for record in records
    )


def read_record(path: Path) -> PublishedRecord:
    """The record in a file, by its extension and content."""
    form = record_kind(path) or "json"
    most = MOST_OF_A_P_TABLE if form == p_table.FORM else MAX_BYTES
    content = _LOADERS[form](str(path), read_text(path, most))
    return _format(path, [one for one in FORMATS if form == one.FORM], content).read(path, content)


def _format(path: Path, candidates: Sequence[Format], content: Any) -> Format:
    """The format of a parsed text; the only one of its form says itself what it lacks."""
    found = candidates if len(candidates) == 1 else [one for one in candidates if one.recognizes(content)]
    if len(found) == 1:
        return found[0]
    if not isinstance(content, dict):
        raise InputError(f"{path}: must be a setting, a JSON object; got {type(content).__name__}")
    first, *others = found or candidates
    if found:
        raise InputError(f"{path}: {first.KEYS}: must not stand beside {others[0].KEYS}")
    known = ", ".join((f"a {first.NAME} has it", *(f"a {one.NAME} has {one.KEYS}" for one in others)))
    keys = ", ".join(map(repr, list(content)[:6])) or "none"
    raise InputError(f"{path}: {first.KEYS}: missing key; {known}; the keys found are {keys}")


def audit_record(record: PublishedRecord) -> AuditRecord:
    """The answers about a record, with every witness replayed."""
    answers = asked(_QUESTIONS[type(record)], record)
    return replaying(AuditRecord(record.id, record.path.name, record.statement, answers))
