"""Smaller by the data that are compared: domains, multiverses, input premetrics and copied records."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from stirred.spec.algebra.recording import lipschitz_factor
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.audit.weakening.detector import (
    Detection,
    Detector,
    ExaminedClaim,
    ExaminedPair,
    data_sets,
    newly,
    shown,
)
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.laws.claim.five_blocks import universes_text

_CUT = "the budget is for data cut to the smaller domain beforehand, as by top-coding (dissertation, section 4.3)"


def _shrunk(pair: ExaminedPair) -> Iterator[Detection]:
    if not pair.differs_in("domain"):
        return
    yield from _left_out(pair) if pair.claims.is_part else _recorded_as_one(pair)


def _left_out(pair: ExaminedPair) -> Iterator[Detection]:
    """Where the claimed domain is a part of the honest one."""
    kept = set(pair.claimed.flavor.domain)
    points = pair.honest.flavor.domain.points
    first = next(x for x in points if x not in kept)
    yield Detection(
        f"{len(points) - len(kept)} of {counted(len(points), 'data set')} left out, x = {first} the first; the "
        f"smallest budget goes from {shown(pair.corner())} to {shown(pair.corner('domain'))}",
        _CUT,
    )


def _recorded_as_one(pair: ExaminedPair) -> Iterator[Detection]:
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
        _CUT,
    )


DOMAIN = Detector("shrunk domain", in_pair=_shrunk)


def stretched(honest: ExaminedClaim, claimed: ExaminedClaim) -> tuple[Fraction, Fraction, tuple[Any, Any]] | None:
    """The smallest and the largest factor by which distances grow, and the first pair with the largest one.

    Over the pairs that the first claim compares, at a positive distance there and a finite one in the second. None
    where there are none.
    """
    factors: dict[Fraction, tuple[Any, Any]] = {}
    for x, y, one in honest.compared:
        other = claimed.distance(x, y)
        if one and other is not None:
            factors.setdefault(Fraction(other) / Fraction(one), (x, y))
    if not factors:
        return None
    largest = max(factors)
    return min(factors), largest, factors[largest]


def _finer(pair: ExaminedPair) -> Iterator[Detection]:
    honest, claimed = pair.honest, pair.claimed_on_honest
    if claimed is None or not pair.differs_in("input_premetric") or pair.claims.recording is not None:
        return
    factors = stretched(honest, claimed)
    if factors is None or factors[1] <= 1 or factors[0] == factors[1]:
        return
    _, most, (x, y) = factors
    ours, theirs = honest.flavor.input_premetric, claimed.flavor.input_premetric
    back = lipschitz_factor(theirs, ours, [(a, b) for a, b, _ in honest.compared])
    loss = honest.flavor.output_premetric.distance(honest.laws[x], honest.laws[y])
    yield Detection(
        f"one {ours.resolution} counts as up to {most} units ({theirs.resolution}): {data_sets(x, y)} are at the "
        f"distances {ours(x, y)} and {theirs(x, y)}, with D_Pr = {loss}; d_claimed <= {most} * d_honest, d_honest "
        f"<= {'infinity' if back is None else back} * d_claimed; the smallest budget goes from {shown(pair.corner())} "
        f"to {shown(pair.corner('input_premetric'))}",
        f"the budget is for one {theirs.resolution}: one {ours.resolution} may lose up to {most} times as much "
        "(dissertation, Proposition 2.4.15)",
    )


UNITS = Detector("finer units", in_pair=_finer)


def _copied(pair: ExaminedPair) -> Iterator[Detection]:
    """Where the recorded data are farther apart than what was there to be recorded."""
    recording, honest, claimed = pair.claims.recording, pair.honest, pair.claimed_on_honest
    if recording is None or claimed is None:
        return
    factors = stretched(honest, claimed)
    if factors is None or factors[1] <= 1:
        return
    _, most, (x, y) = factors
    d, recorded = honest.flavor.input_premetric, claimed.flavor.input_premetric
    farther = sum((claimed.distance(a, b) or 0) > n for a, b, n in honest.compared if n is not None)
    own, before = pair.claimed.own_loss, honest.own_loss
    losses = "" if own is None or before is None else f"; it needs {shown(own)} as recorded, {shown(before)} before"
    yield Detection(
        f"{data_sets(x, y)} at the distance {d(x, y)} become {recording(x)} and {recording(y)} at the "
        f"distance {recorded(x, y)}; {farther} of {len(honest.compared)} compared pairs move apart, by "
        f"a factor of up to {most}{losses}",
        f"a change of one contributor's data changes several records, as where a missing record is copied from a "
        f"donor: a contributor may lose up to {most} times the budget of a record (dissertation, Proposition 2.4.15)",
    )


DONORS = Detector("copied records", in_pair=_copied)


_INSIDE = (
    "whatever distinguishes universes may be released exactly: the budget only counts what remains inside them "
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
    yield Detection(found, _INSIDE)


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
        _INSIDE,
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
    yield Detection(found, "nothing is claimed about these data sets: a mechanism may release them exactly")


COVERAGE = Detector("uncovered data sets", _uncovered, newly(_uncovered))


_HIDDEN = (
    "whatever distinguishes such data sets is an unlisted invariant, and may be released exactly "
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
        f"no two compared data sets are closer than {nearest}, the distance of {data_sets(x, y)}{needed}",
        f"the budget is for a unit smaller than any change of the data: the smallest change may lose {nearest} times "
        "the number",
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
