"""A shattered multiverse: pairs that are no longer compared, because universes are small or leave data sets out."""

from __future__ import annotations

from collections.abc import Iterator

from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedClaim, ExaminedPair, newly, shown
from stirred.verify.claim.five_blocks import universes_text
from stirred.verify.reports.lines import counted

__all__ = ["COVERAGE", "SHATTERED"]

_MEANING = (
    "what tells universes apart may be released exactly, and the budget counts only what is left inside them "
    "(dissertation, section 4.3)"
)


def _shattered(claim: ExaminedClaim) -> Iterator[Detection]:
    multiverse = claim.flavor.multiverse
    covered = multiverse.covered()
    lost = [(x, y) for x, y, _ in claim.near if not multiverse.compares(x, y) and x in covered and y in covered]
    if not lost:
        return
    own, whole = claim.own_loss, claim.loss_of_all()
    found = f"{universes_text(multiverse)}; {len(lost)} of {counted(len(claim.near), 'pair')} at a finite distance lost"
    if own is not None and whole is not None:
        found += f"; the smallest budget is {shown(own, with_pair=False)}, and {shown(whole)} in one universe"
    yield Detection(found, _MEANING)


def _more_shattered(pair: ExaminedPair) -> Iterator[Detection]:
    honest, claimed = pair.honest, pair.claimed_on_honest
    if claimed is None or not pair.differs_in("multiverse"):
        return
    ours, theirs = honest.flavor.multiverse, claimed.flavor.multiverse
    lost = [(x, y) for x, y, _ in honest.compared if not theirs.compares(x, y)]
    if not lost:
        return
    before, after = pair.corner(), pair.corner("multiverse")
    yield Detection(
        f"honest: {universes_text(ours)}; claimed: {universes_text(theirs)}; {len(lost)} of "
        f"{counted(len(honest.compared), 'pair')} lost; the smallest budget goes from {shown(before)} to "
        f"{shown(after)}",
        _MEANING,
    )


SHATTERED = Detector("shattered multiverse", _shattered, _more_shattered)


def _uncovered(claim: ExaminedClaim) -> Iterator[Detection]:
    covered = claim.flavor.multiverse.covered()
    left_out = [x for x in claim.flavor.domain if x not in covered]
    if not left_out:
        return
    size = counted(len(claim.flavor.domain), "data set")
    found = f"{len(left_out)} of {size} in no universe, x = {left_out[0]} the first"
    own, whole = claim.own_loss, claim.loss_of_all()
    if own is not None and whole is not None:
        found += f"; the smallest budget is {shown(own, with_pair=False)}, and {shown(whole)} with all of them compared"
    yield Detection(found, "nothing is claimed about these data sets: a mechanism may release them as they are")


COVERAGE = Detector("uncovered data sets", _uncovered, newly(_uncovered))
