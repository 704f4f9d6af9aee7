"""A release that is a function of what is invariant: no loss, whatever it tells."""

from __future__ import annotations

from collections.abc import Iterator

from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedClaim, data_sets, newly
from stirred.verify.reports.lines import counted

__all__ = ["DETERMINED", "is_determined"]


def is_determined(claim: ExaminedClaim) -> bool:
    """Whether the laws differ, but never inside a class of comparable data sets, of which some has two or more."""
    laws = claim.laws
    classes = claim.comparable
    return (
        len({laws[x] for x in claim.flavor.domain}) > 1
        and any(len(one) > 1 for one in classes)
        and all(len({laws[x] for x in one}) == 1 for one in classes)
    )


def _determined(claim: ExaminedClaim) -> Iterator[Detection]:
    if not is_determined(claim):
        return
    laws, points = claim.laws, claim.flavor.domain.points
    x = points[0]
    y = next(other for other in points if laws[other] != laws[x])
    yield Detection(
        f"{counted(len({laws[p] for p in points}), 'different law')} on {counted(len(points), 'data set')}, and one "
        f"law in each of {len(claim.comparable)} classes of comparable ones; {data_sets(x, y)}, not comparable, "
        f"have D_Mult = {Multiplicative().distance(laws[x], laws[y])}",
        "the release depends on what is invariant only: its loss is 0 whatever it tells of the data "
        "(dissertation, Proposition A.2.1)",
    )


DETERMINED = Detector("determined by invariants", _determined, newly(_determined))
