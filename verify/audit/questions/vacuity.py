"""Are any data sets compared at all? Where none are, every mechanism satisfies the claim."""

from __future__ import annotations

from collections.abc import Iterator

from verify.audit.claim_under_audit import ClaimUnderAudit
from verify.audit.question import Answer, AuditQuestion
from verify.engines.universe_pairs import BlockPairs
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.reports.lines import counted

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    built = claim.built
    if built.claim.is_about_numbers_only:
        return
    if built.swapping_margins is not None and built.kind is not None:
        size = built.kind.size
        universes, singletons, pairs = 1, int(size == 1), size * (size - 1) // 2
    elif built.data is not None:
        multiverse, listed = built.data.multiverse, claim.pairs or BlockPairs(built.data)
        universes, singletons, pairs = len(multiverse), multiverse.singletons(), listed.count()
    else:
        scope = "a domain or multiverse in words cannot be listed"
        detail = "not decidable: which data sets share a universe is not given as a finite list"
        yield Answer("vacuity", Evidence(Verdict.OPEN, scope, detail), decides=False)
        return
    points = "0 data sets" if built.kind is None else f"{built.kind.size_text} data sets"
    if built.pufferfish is not None:
        points = counted(len(built.pufferfish.domain), "belief")
    scope = f"every pair of the {points}"
    detail = (
        f"{counted(universes, 'universe')}, {singletons} of one data set only; "
        f"{counted(pairs, 'pair')} compared at a finite distance"
    )
    if built.pufferfish is not None and built.data is not None:
        parts = len(built.data.components())
        detail += f"; {counted(parts, 'part')} of the graph, which no path joins" if parts > 1 else ""
    if pairs == 0:
        vacuous = f"vacuous, so every mechanism satisfies it: {detail}"
        yield Answer("vacuity", Evidence(Verdict.OPEN, scope, vacuous))
    else:
        yield Answer("vacuity", Evidence(Verdict.EXHAUSTED, scope, f"not vacuous: {detail}"), decides=False)


QUESTION = AuditQuestion("vacuity", _answers)
