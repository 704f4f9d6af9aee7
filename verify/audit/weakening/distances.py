"""Distances that hide what is not protected: infinite ones between data sets of one universe, and rescaled ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedClaim, ExaminedPair, data_sets, shown
from stirred.verify.audit.weakening.units import stretched
from stirred.verify.reports.lines import counted

__all__ = ["HIDDEN", "RESCALED"]

_HIDDEN = (
    "what tells such data sets apart is an invariant that no list names: it may be released exactly "
    "(dissertation, Proposition A.3.3)"
)


def _hidden(claim: ExaminedClaim) -> Iterator[Detection]:
    """Pairs of one universe that no path of finite distances joins."""
    place = {x: number for number, one in enumerate(claim.comparable) for x in one}
    multiverse, points = claim.flavor.multiverse, claim.flavor.domain.points
    together = [(x, y) for x, y in combinations(points, 2) if multiverse.compares(x, y)]
    apart = [(x, y) for x, y in together if place[x] != place[y]]
    if not apart:
        return
    x, y = apart[0]
    value = Multiplicative().distance(claim.laws[x], claim.laws[y])
    yield Detection(
        f"{len(apart)} of {counted(len(together), 'pair')} that share a universe are at infinite distance, and no path "
        f"of finite ones joins them: {data_sets(x, y)} the first, with D_Mult = {value}",
        _HIDDEN,
    )


def _newly_hidden(pair: ExaminedPair) -> Iterator[Detection]:
    """Pairs that the honest claim compares and the claimed distances part."""
    honest, claimed = pair.honest, pair.claimed_on_honest
    if claimed is None or not pair.differs_in("input_premetric"):
        return
    parted = [(x, y) for x, y, _ in honest.compared if claimed.distance(x, y) is None]
    if not parted:
        return
    yield Detection(
        f"{len(parted)} of {counted(len(honest.compared), 'compared pair')} are at infinite distance in the "
        f"claimed file, {data_sets(*parted[0])} the first; the smallest budget goes from {shown(pair.corner())} to "
        f"{shown(pair.corner('input_premetric'))}",
        _HIDDEN,
    )


HIDDEN = Detector("hidden invariants", _hidden, _newly_hidden)


def _coarse_steps(claim: ExaminedClaim) -> Iterator[Detection]:
    """Where no two compared data sets are as near as one unit."""
    steps = [(n, x, y) for x, y, n in claim.compared if n]
    if not steps:
        return
    nearest, x, y = min(steps, key=lambda step: step[0])
    own = claim.own_loss if nearest > 1 else None
    if nearest <= 1 or (own is not None and own.pair is None):
        return
    needed = "" if own is None else f"; the smallest budget for one unit is {shown(own)}"
    yield Detection(
        f"no two data sets that are compared are nearer than {nearest}, as {data_sets(x, y)} are{needed}",
        f"the budget is for a unit that no change of the data is as small as: the smallest one may lose {nearest} "
        "times the number",
    )


def _scaled(pair: ExaminedPair) -> Iterator[Detection]:
    """Where every distance is the same multiple of the honest one."""
    claimed = pair.claimed_on_honest
    if claimed is None or not pair.differs_in("input_premetric") or pair.claims.recording is not None:
        return
    factors = stretched(pair.honest, claimed)
    if factors is None or factors[0] != factors[1] or factors[1] <= 1:
        return
    yield Detection(
        f"every finite distance is {factors[1]} times the honest one; the smallest budget goes from "
        f"{shown(pair.corner())} to {shown(pair.corner('input_premetric'))}",
        f"the same release in another unit of measurement: the number is {factors[1]} times smaller, the loss is not",
    )


RESCALED = Detector("rescaled distances", _coarse_steps, _scaled)
