"""Finer units: the same change of the data counts as more units of distance."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from stirred.spec.recording import lipschitz_factor
from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedClaim, ExaminedPair, data_sets, shown

__all__ = ["UNITS", "stretched"]


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
