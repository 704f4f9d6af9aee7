"""One claim, record or table that is to be audited."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from stirred.verify.audit.audit import AuditRecord
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.claim.five_blocks import FiveBlocks
from stirred.verify.running.time_limit import time_limit


@dataclass(frozen=True)
class Task:
    """A claim or record that is to be audited.

    Attributes:
        name: what it is called while it runs.
        audit: does it.
        path: its file.
        built: the claim; None for a published record.
        blocks: its five blocks, none where it has only numbers.
    """

    name: str
    audit: Callable[[], AuditRecord]
    path: Path
    built: PrivacyClaim | None
    blocks: FiveBlocks | None


def limited(seconds: int, name: str, task: Callable[[], AuditRecord]) -> AuditRecord:
    """The result of an audit, stopped when its time is up."""
    with time_limit(seconds, f"the audit of {name}"):
        return task()
