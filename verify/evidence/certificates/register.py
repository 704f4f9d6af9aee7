"""Which refutation stands under an id: a witness is confirmed under its id only as the one that its source gives.

The ledger's are kept by their digests in `ledger_witnesses.json`; `python -m stirred.verify.ledger.pages` writes it.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from stirred.verify.evidence.certificates.exact_number import WitnessError
from stirred.verify.evidence.certificates.printable import printable

LEDGER_FILE = Path(__file__).with_name("ledger_witnesses.json")
"""Every id of the ledger, with the digests of its statement and witness where it is refuted, else null."""


def digest(value: Any) -> str:
    """The SHA-256 of a JSON value, whatever the order of its keys.

    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1}), digest(1) == digest("1")
    (True, False)
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Entry:
    """What a source gives under one id.

    Attributes:
        witnesses: the digests of its witnesses; none where it is not refuted.
        known: the witnesses themselves, where they are at hand: a message says in what another one differs.
    """

    statement: str
    witnesses: Collection[str]
    known: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Register:
    """A source's refutations by id.

    Attributes:
        source: what it is called in messages.
        is_closed: whether an id that it does not have is refused; else it is only not confirmed.
    """

    source: str
    entries: Mapping[str, Entry]
    is_closed: bool = False
    needs_statement: bool = False

    def confirms(self, name: object, record: Mapping[str, Any], witness: Mapping[str, Any]) -> bool:
        """Whether a record's id stands for this statement and witness; False where the source does not know the id."""
        entry = self.entries.get(name) if isinstance(name, str) else None
        if entry is None:
            if self.is_closed:
                raise WitnessError(f"its id must be one of {self.source}")
            return False
        if not entry.witnesses:
            raise WitnessError(f"{self.source} does not refute it")
        if (self.needs_statement or "statement" in record) and digest(record.get("statement")) != entry.statement:
            raise WitnessError(f"its statement must be that of {self.source}")
        if digest(witness) not in entry.witnesses:
            where = f": another {_difference(witness, entry.known[0])}" if entry.known else ""
            raise WitnessError(f"its witness must be that of {self.source}{where}")
        return True


def _difference(one: Mapping[str, Any], other: Mapping[str, Any], place: str = "") -> str:
    """The keys whose values differ."""
    found = []
    for key in sorted({*one, *other}):
        first, second = one.get(key), other.get(key)
        if isinstance(first, dict) and isinstance(second, dict) and first != second:
            found.append(_difference(first, second, f"{place}{key}."))
        elif key not in one or key not in other or digest(first) != digest(second):
            found.append(printable(f"{place}{key}"))
    return ", ".join(found)


@cache
def ledger_register() -> Register:
    """The ledger's refutations."""
    try:
        listed = json.loads(LEDGER_FILE.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WitnessError(f"{LEDGER_FILE} must be the ledger's digests: {error}") from None
    entries = {}
    for name, kept in listed.items():
        entries[name] = Entry("", ()) if kept is None else Entry(kept["statement"], (kept["witness"],))
    return Register("the ledger", entries, needs_statement=True)
