"""What one look shows of a claim: two laws that every budget of the mechanism covers, but for a stated probability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from stirred.spec.arguments import shown
from stirred.spec.loss import Loss
from stirred.verify.audit.exhaustion import Exhaustion
from stirred.verify.claim.budget import ClaimedBudget
from stirred.verify.claim.budget_cover import loss_bounds
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.sampled.looks import Look
from stirred.verify.sampled.pairs import Pair

__all__ = ["SampledBound"]

_DIGITS = 4


@dataclass(frozen=True)
class SampledBound(Exhaustion):
    """What one look shows: two laws that every budget of the mechanism covers, but for a stated probability.

    Attributes:
        bound: the exhaustive audit of the two laws.
        pair: the two data sets, that under which the event is likely first.
        look: the counts.
        about: the number of looks, seed, confidence and so on, as a witness keeps them.
    """

    bound: Exhaustion
    pair: Pair
    look: Look
    about: Mapping[str, Any]
    settles = Verdict.OPEN

    @property
    def finding(self) -> Evidence:
        return Evidence(Verdict.OPEN, self.scope, f"draws show that {self._least}, and no more; they never show less")

    @property
    def needed(self) -> str:
        return f"{self._least}, at confidence {self.about['confidence']}"

    @property
    def _least(self) -> str:
        """The bound in words."""
        least = self.bound.smallest
        if isinstance(least, Loss):
            return f"epsilon >= {_rounded_down(least.epsilon().lower)}"
        if isinstance(least, tuple) or least is None:
            return f"the power is >= {_rounded_down(self.look.p)} at level {_rounded_up(self.look.q)}"
        name = "rho^2" if hasattr(least, "lower") else "epsilon"
        return f"{name} >= {_rounded_down(getattr(least, 'lower', least))}"

    def test(self, budget: ClaimedBudget) -> Evidence:
        """REFUTED with the two laws as its witness, else OPEN."""
        tested = self.bound.test(budget)
        look, pair = self.look, self.pair
        counts = (
            f"{look.inside} and {look.inside_prime} of {look.draws} draws each under x = {_named(pair.x)} and "
            f"x' = {_named(pair.x_prime)}, d = {pair.distance}, lie in E = {{{look.event}}}"
        )
        if tested.verdict is not Verdict.REFUTED or tested.witness is None:
            detail = (
                f"not refuted with {look.draws} draws: {self._least}, as the claimed {budget.text} allows; {counts}"
            )
            return Evidence(Verdict.OPEN, self.scope, detail)
        ends = f"P[E | x] >= {_rounded_down(look.p)} and P[E | x'] <= {_rounded_up(look.q)}"
        detail = (
            f"sampled: {counts}; so {ends}, and {self._least}{self._delta(budget)}: above the claimed {budget.text}"
        )
        return Evidence(Verdict.REFUTED, self.scope, detail, {**tested.witness, "sampled": dict(self.about)})

    def _delta(self, budget: ClaimedBudget) -> str:
        """By how much δ would have to be larger at the claimed ε."""
        least = self.delta(budget)
        return "" if least is None else f" (or delta >= {_rounded_down(least)} at the claimed epsilon)"

    def delta(self, budget: ClaimedBudget) -> Fraction | None:
        """A δ that it needs at least at the claimed ε: p − e^(ε·d)·q; None where none above 0, or no ε is claimed."""
        if not isinstance(self.bound.smallest, Loss):
            return None
        high = [bound for _, bound in loss_bounds(budget)][-1].times(self.pair.distance)
        if high.gamma is None:
            return None
        ratio = high.ratio(48)
        least = None if ratio is None else self.look.p - ratio.upper * self.look.q
        return least if least is not None and least > 0 else None


def _named(data: Any) -> str:
    """A data set; one that is known by its text, as it is."""
    return data if isinstance(data, str) else shown(data)


def _rounded_down(value: Fraction) -> str:
    scale = 10**_DIGITS
    whole, part = divmod(floor(value * scale), scale)
    return f"{whole}.{part:0{_DIGITS}}"


def _rounded_up(value: Fraction) -> str:
    scale = 10**_DIGITS
    whole, part = divmod(ceil(value * scale), scale)
    return f"{whole}.{part:0{_DIGITS}}"
