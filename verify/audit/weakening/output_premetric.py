"""A weaker output premetric: D_Mult beside it, and the mass of what it leaves out."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from stirred.spec.loss import Loss
from stirred.spec.output_premetrics import OUTPUT_PREMETRICS, Multiplicative
from stirred.spec.output_premetrics.base import mass
from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedClaim, ExaminedPair, data_sets, shown
from stirred.verify.engines.algebra.corners import Corner

__all__ = ["PREMETRIC"]

_MEANINGS = {
    "approximate_multiplicative": "of every event a part of probability up to delta is outside the bound, whatever its "
    "ratio",
    "total_variation": "the bound is on differences of probabilities: what happens on one data set may be impossible "
    "on the other",
    "normalized_renyi": "the bound is on Renyi divergences, which may be small where single outcomes tell much",
    **dict.fromkeys(
        ("tradeoff", "gaussian"), "the bound is on tests: at small levels it may allow what D_Mult rules out"
    ),
    "renyi": "the bound is on a Renyi divergence, which may be small where single outcomes tell much",
    "kullback_leibler": "the bound is on a mean of logarithms of ratios: rare outcomes may tell much",
    "chi_squared": "the bound is on a mean of squares: rare outcomes may tell much",
    "squared_hellinger": "the bound is on differences of probabilities: what happens on one data set may be impossible "
    "on the other",
}
_SHOWN = 3


def _weaker(claim: ExaminedClaim) -> Iterator[Detection]:
    """D_Mult under the other blocks of the claim, where its own output premetric is another one that is known here."""
    measure = claim.flavor.output_premetric
    if measure == Multiplicative() or measure.name not in OUTPUT_PREMETRICS:
        return
    own, pure = claim.own_loss, claim.loss(output_premetric=Multiplicative())
    if pure is None or (own is not None and own.budget == pure.budget):
        return
    needs = "" if own is None else f" needs {shown(own, with_pair=False)}"
    yield Detection(
        f"{measure.described()}{needs}; multiplicative needs {shown(pure)}{_outside(claim, own, pure)}",
        f"{_MEANINGS.get(measure.name, 'the bound is not on ratios of probabilities')} (dissertation, section 4.3)",
    )


def _outside(claim: ExaminedClaim, own: Corner | None, pure: Corner) -> str:
    """The event at which D_Mult is infinite with its largest mass, else where it exceeds the claim's own bound."""
    laws = claim.laws
    if isinstance(pure.budget, Loss) and pure.budget.is_infinite:
        worst = max(
            ((_only(laws[x], laws[y]), x, y) for a, b, _ in claim.compared for x, y in ((a, b), (b, a))),
            key=lambda found: mass(laws[found[1]], found[0]),
        )
        event, x, y = worst
        if not event:
            return ""
        return f"; {_named(event)} has probability {mass(laws[x], event)} on x and 0 on x', {data_sets(x, y)}"
    if own is None or pure.pair is None or not isinstance(own.budget, Loss):
        return ""
    x, y = pure.pair
    bound = own.budget.times(claim.distance(x, y))
    found = Multiplicative().exceeding_event(laws[x], laws[y], bound)
    if found is None:
        return ""
    if found.is_swapped:
        x, y = y, x
    event = tuple(t for t in laws[x] if _ratio(laws[x].numeric(t), laws[y].numeric(t), bound))
    both = mass(laws[x], event), mass(laws[y], event)
    return f"; the ratio exceeds the bound at {_named(event)}, of probability {both[0]} on x and {both[1]} on x'"


def _only(p: Any, q: Any) -> tuple[Hashable, ...]:
    return tuple(t for t in p if q.numeric(t) == 0)


def _ratio(p: Fraction, q: Fraction, bound: Loss) -> bool:
    return p > q and (q == 0 or not Loss(p / q) <= bound)


def _named(event: tuple[Hashable, ...]) -> str:
    names = ", ".join(str(t) for t in event[:_SHOWN])
    return f"the event {{{names}{', …' if len(event) > _SHOWN else ''}}}"


def _weaker_than_honest(pair: ExaminedPair) -> Iterator[Detection]:
    if pair.differs_in("output_premetric"):
        measure = pair.claimed.flavor.output_premetric
        yield from _weaker(replace(pair.honest, flavor=replace(pair.honest.flavor, output_premetric=measure)))


PREMETRIC = Detector("weaker output premetric", _weaker, _weaker_than_honest)
