"""The exhaustive audit of laws that stand for irrational ones: by a claim a little stronger and one a little weaker.

Why the moved claims decide the claim itself is said in `verify.engines.nearby_law`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import (
    ApproximateMultiplicative,
    Multiplicative,
    NormalizedRenyi,
    OutputPremetric,
    TotalVariation,
)
from stirred.verify.audit.exhaust.found import Exhaustion
from stirred.verify.claim.budget import ClaimedBudget
from stirred.verify.engines.nearby_law import LOG_ERROR, renyi_margin
from stirred.verify.engines.universe_pairs import BlockPairs
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict

_FACTOR = 1 + 2 * LOG_ERROR  # above e^λ


@dataclass(frozen=True)
class _Nearby(Exhaustion):
    """Between the audit under a δ that is a little smaller and one that is a little larger; both are one without δ."""

    settles: ClassVar[Verdict] = Verdict.ENCLOSED
    stronger: Exhaustion
    weaker: Exhaustion
    between: Exhaustion
    measure: OutputPremetric
    nearest: Fraction

    @property
    def _number(self) -> str:
        return "infinite" if self.smallest is None else self.smallest.relation().removeprefix("= ")

    @property
    def needed(self) -> str:
        letter = "rho^2" if isinstance(self.measure, NormalizedRenyi) else "epsilon"
        number = "= infinite" if self.smallest is None else self.smallest.relation()
        return f"{letter} {number}{', by ' if self.where else ''}{self.where}"

    def test(self, budget: ClaimedBudget) -> Evidence:
        if budget.loss is not None and budget.loss.is_infinite:
            return self._met(budget)
        less, more = (_moved(budget, self.measure, self.nearest, sign) for sign in (-1, 1))
        if less is not None and self.stronger.test(less).verdict.is_settled_for:
            return self._met(budget)
        if more is not None and self.weaker.test(more).verdict is Verdict.REFUTED:
            return replace(self.between.test(budget), scope=self.scope)
        detail = f"the claimed {budget.text} and the smallest budget {self._number} are too close to tell"
        return Evidence(Verdict.OPEN, self.scope, detail)

    def _met(self, budget: ClaimedBudget) -> Evidence:
        sentence = f"met: the claimed {budget.text} covers the smallest budget {self._number}"
        return Evidence(Verdict.ENCLOSED, self.scope, sentence)


def _moved(budget: ClaimedBudget, measure: OutputPremetric, nearest: Fraction, sign: int) -> ClaimedBudget | None:
    """The budget, a little smaller or larger; None where none is left."""
    if budget.loss is not None and budget.loss.gamma is not None:
        root = budget.loss.distance
        gamma = budget.loss.gamma * (1 + sign * 8 * root * LOG_ERROR / nearest)
        return replace(budget, loss=Loss(gamma, root)) if gamma >= 1 else None
    if budget.epsilon is not None:
        epsilon = budget.epsilon.value + sign * 4 * LOG_ERROR / nearest
        return replace(budget, epsilon=replace(budget.epsilon, value=epsilon)) if epsilon >= 0 else None
    if budget.rho_squared is not None and isinstance(measure, NormalizedRenyi):
        rho2 = budget.rho_squared.value
        value = rho2 + sign * renyi_margin(rho2 * nearest**2) / nearest**2
        return replace(budget, rho_squared=replace(budget.rho_squared, value=value)) if value >= 0 else None
    return budget


def nearest_distance(flavor: Flavor, pairs: BlockPairs) -> Fraction:
    """The least distance above 0 of two data sets of a universe, at most 1."""
    listed = (pairs.of(universe) for universe in flavor.multiverse)
    distances = {d for one in listed for place in range(len(one.points)) for _, d in one.row(place)}
    return Fraction(min([1, *(d for d in distances if d)]))


def exhaust_nearby(
    measure: OutputPremetric, nearest: Fraction, under: Callable[[OutputPremetric], Exhaustion], place: str
) -> Exhaustion:
    """The audit of laws that stand for irrational ones.

    Args:
        measure: the output premetric.
        nearest: the least distance above 0 of two data sets, at most 1.
        under: the exhaustive audit of the laws that stand for them, under an output premetric.
        place: of the mechanism, for messages.

    Raises:
        InputError: the output premetric is another one than D_Mult, D_Mult^δ, D_TV and D_NoR.
    """
    if not isinstance(measure, (Multiplicative, ApproximateMultiplicative, TotalVariation, NormalizedRenyi)):
        raise InputError(
            f"{place}: {measure.name!r} of a discrete Gaussian is not enclosed here; state multiplicative, "
            "approximate_multiplicative, total_variation or normalized_renyi"
        )
    between = stronger = weaker = under(measure)
    if isinstance(measure, ApproximateMultiplicative):
        stronger = under(ApproximateMultiplicative(measure.delta / _FACTOR))
        weaker = under(ApproximateMultiplicative(min(measure.delta * _FACTOR, (1 + measure.delta) / 2)))
    low, high = _ends(weaker), _ends(stronger)
    smallest = None
    if low is not None and high is not None:
        margin = 4 * LOG_ERROR / nearest
        if isinstance(measure, NormalizedRenyi):
            margin = renyi_margin(high.upper * nearest**2) / nearest**2
        smallest = Enclosure(max(low.lower - margin, Fraction(0)), high.upper + margin)
    scope = f"{stronger.scope}; probabilities of the discrete Gaussian enclosed to a relative 2^-256"
    return _Nearby(smallest, between.where, scope, stronger, weaker, between, measure, nearest)


def _ends(found: Exhaustion) -> Enclosure | None:
    """The smallest budget as a number; None where it is infinite."""
    smallest = found.smallest
    if isinstance(smallest, Loss):
        return None if smallest.is_infinite else smallest.epsilon(90)
    return smallest if smallest is None or isinstance(smallest, Enclosure) else Enclosure(smallest, smallest)
