"""A "constant" that is chosen from the data: no randomness on any one data set, and another value on another one."""

from __future__ import annotations

from collections.abc import Iterator

from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedClaim, ExaminedPair, data_sets, shown
from stirred.verify.audit.weakening.determined import is_determined
from stirred.verify.engines.algebra.corners import CLAIMED, HONEST
from stirred.verify.reports.lines import counted

__all__ = ["CONSTANT"]

_MEANING = (
    "a constant that is fixed beforehand loses nothing; one that is chosen from the data releases what it is chosen by "
    "(dissertation, section 4.3)"
)


def _peeking(claim: ExaminedClaim) -> Iterator[Detection]:
    """Where every law is a point mass, and not one for all."""
    points, laws = claim.flavor.domain.points, claim.laws
    values = {x: next(iter(laws[x])) for x in points}
    if any(len(laws[x]) > 1 for x in points) or len(set(values.values())) == 1 or is_determined(claim):
        return
    x = points[0]
    y = next(other for other in points if values[other] != values[x])
    own = claim.own_loss
    needed = "" if own is None else f"; the smallest budget is {shown(own, with_pair=False)}"
    yield Detection(
        f"the output is certain on each data set, and has {counted(len(set(values.values())), 'value')} on "
        f"{counted(len(points), 'data set')}: {values[x]} on x, {values[y]} on x', {data_sets(x, y)}{needed}",
        _MEANING,
    )


def _taken_from_the_data(pair: ExaminedPair) -> Iterator[Detection]:
    """Where the claimed law is one for all data sets, and the honest one on some of them only."""
    joined = pair.joined
    claimed = joined[0][1]
    same = [number for number, (honest, _) in enumerate(joined) if honest == claimed]
    if any(other != claimed for _, other in joined) or not same or len(same) == len(joined):
        return
    domain = pair.claims.sides[CLAIMED if pair.claims.is_part else HONEST].domain
    x = domain.points[same[0]]
    number = next(k for k in range(len(joined)) if k not in same)
    value = Multiplicative().distance(joined[same[0]][0], joined[number][0])
    before = pair.honest.own_loss
    needs = "" if before is None else f", and needs {shown(before)}"
    yield Detection(
        f"the claimed law is one for all {counted(len(joined), 'data set')}: the honest law on {len(same)} of them, "
        f"x = {x} the first; the honest one differs on others, as on x' = {domain.points[number]} "
        f"(D_Mult = {value}){needs}",
        _MEANING,
    )


CONSTANT = Detector("constant from the data", _peeking, _taken_from_the_data)
