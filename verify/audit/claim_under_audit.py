"""A claim under audit: its blocks as objects, and what was exhausted at each setting of its mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from stirred.verify.audit.claim_exhaustion import Exhaustion, exhaust
from stirred.verify.claim.claim import Case, PrivacyClaim
from stirred.verify.engines.universe_pairs import BlockPairs
from stirred.verify.engines.workload import UNLIMITED, Workload
from stirred.verify.evidence.finding import Evidence

__all__ = ["ClaimUnderAudit", "under_audit"]


@dataclass(frozen=True)
class ClaimUnderAudit:
    """What the auditor's questions are about.

    Attributes:
        built: the claim with its blocks.
        tried: each setting of the mechanism with its exhaustive audit, None where it cannot be exhausted; empty for a
            claim of printed numbers only.
        pairs: of its data sets, where they were listed.
        parts: what decides each claim that its account refers to, by its id.
    """

    built: PrivacyClaim
    tried: tuple[tuple[Case, Exhaustion | None], ...]
    pairs: BlockPairs | None = None
    parts: Mapping[str, Evidence] = field(default_factory=dict)


def under_audit(
    built: PrivacyClaim,
    workload: Workload = UNLIMITED,
    *,
    parts: Mapping[str, Evidence] | None = None,
) -> ClaimUnderAudit:
    """The claim after its mechanism was exhausted at each of its settings.

    Args:
        built: the claim.
        workload: is told how far the work is, and limits it.
        parts: what decides each claim that its account refers to.

    Raises:
        InputError: the mechanism fails on a data set.
        EngineError: an exact computation disagrees with its independent value.
    """
    pairs = None if built.data is None else BlockPairs(built.data, workload)
    if built.is_about_numbers_only:
        return ClaimUnderAudit(built, (), pairs, parts or {})
    tried = tuple((case, exhaust(built, case, pairs=pairs, workload=workload)) for case in built.cases)
    return ClaimUnderAudit(built, tried, pairs, parts or {})
