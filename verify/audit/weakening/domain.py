"""A shrunk domain: data sets that are left out, or recorded as others, before the mechanism sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedPair, data_sets, shown
from stirred.verify.reports.lines import counted

__all__ = ["DOMAIN"]

_MEANING = (
    "the budget is for data that were cut to the smaller domain before, as by top-coding (dissertation, section 4.3)"
)


def _shrunk(pair: ExaminedPair) -> Iterator[Detection]:
    if not pair.differs_in("domain"):
        return
    yield from _left_out(pair) if pair.claims.is_part else _merged(pair)


def _left_out(pair: ExaminedPair) -> Iterator[Detection]:
    """Where the claimed domain is a part of the honest one."""
    kept = set(pair.claimed.flavor.domain)
    points = pair.honest.flavor.domain.points
    first = next(x for x in points if x not in kept)
    yield Detection(
        f"{len(points) - len(kept)} of {counted(len(points), 'data set')} left out, x = {first} the first; the "
        f"smallest budget goes from {shown(pair.corner())} to {shown(pair.corner('domain'))}",
        _MEANING,
    )


def _merged(pair: ExaminedPair) -> Iterator[Detection]:
    """Where several data sets that the honest release tells apart are recorded as one."""
    recording, honest = pair.claims.recording, pair.honest
    if recording is None:
        return
    images = Counter(recording(x) for x in honest.flavor.domain)
    lost = [(x, y) for x, y, _ in honest.compared if recording(x) == recording(y)]
    told = [(x, y) for x, y in lost if honest.laws[x] != honest.laws[y]]
    if not told:
        return
    x, y = told[0]
    own, before = pair.claimed.own_loss, honest.own_loss
    losses = (
        "" if own is None or before is None else f"; the recorded data need {shown(own)}, the others {shown(before)}"
    )
    yield Detection(
        f"{counted(len(honest.flavor.domain), 'data set')} recorded as {len(images)}; {len(lost)} of "
        f"{counted(len(honest.compared), 'compared pair')} become one, such as {data_sets(x, y)}, where the honest "
        f"release has D_Mult = {Multiplicative().distance(honest.laws[x], honest.laws[y])}{losses}",
        _MEANING,
    )


DOMAIN = Detector("shrunk domain", in_pair=_shrunk)
