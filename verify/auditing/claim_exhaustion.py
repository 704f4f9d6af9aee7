"""The exhaustive audit of a claim on its finite domain: the smallest budget, and the test of the claimed one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from mechanisms.permutation_counts import psa_law
from spec.enclosure import exponential
from spec.law import Law
from spec.loss import INFINITE, ZERO, Loss
from spec.output_premetric import (
    Multiplicative,
    NormalizedRenyi,
    TotalVariation,
    Tradeoff,
    shown_curve,
)
from spec.specification import Flavor, Specification
from spec.tables import table_distance
from verify.auditing.claim_blocks import BuiltClaim
from verify.auditing.claim_budget import ClaimedBudget
from verify.auditing.claim_mechanism import ClaimedMechanism
from verify.auditing.user_mechanism import DEFAULT_CHOICES, guarded_laws
from verify.evidence import EngineError, Evidence
from verify.exhaustive import (
    CrossingCurvesError,
    UniverseLoss,
    Violation,
    check_specification,
    loss_witness,
    universe_losses,
)
from verify.report import counted
from verify.swapping.loss import WitnessedLoss, universe_loss
from verify.verdict import Verdict
from verify.zcdp.renyi_check import smallest_renyi_budget

__all__ = ["Exhaustion", "exhaust", "loss_bounds"]


def loss_bounds(budget: ClaimedBudget) -> Iterator[tuple[Loss, Loss]]:
    """Losses just below and just above the claimed budget, closer and closer; equal where e^ε is rational.

    A smaller loss than the first meets the budget, a larger one than the second exceeds it. Their gammas are decimals,
    so that a witness is exact although e^ε is not.

    """
    if budget.is_infinite or budget.gamma is not None:
        exactly = INFINITE if budget.gamma is None else Loss(budget.gamma)
        yield exactly, exactly
        return
    epsilon = budget.epsilons[0].value
    if epsilon == 0:
        yield ZERO, ZERO
        return
    for digits in (6, 12, 24, 48):
        power = exponential(epsilon, digits=digits + 10)
        unit = 10**digits
        low, high = Fraction(floor(power.lower * unit), unit), Fraction(ceil(power.upper * unit), unit)
        yield Loss(max(low, Fraction(1))), Loss(high)


@dataclass(frozen=True)
class Exhaustion(ABC):
    """The smallest budget of a mechanism on a finite domain, found by comparing every pair in every universe.

    Attributes:
        smallest: the smallest budget that covers every universe.
        where: the pair of data sets that needs it, in words.
        scope: what was compared.
    """

    smallest: Any
    where: str
    scope: str

    @property
    def finding(self) -> Evidence:
        """The smallest budget as evidence."""
        place = f", needed by {self.where}" if self.where else ""
        return Evidence(Verdict.EXHAUSTED, self.scope, f"the smallest budget is {self.smallest}{place}")

    @abstractmethod
    def test(self, budget: ClaimedBudget) -> Evidence:
        """Whether the claimed budget is met: settled, or REFUTED with a witness; else OPEN."""


class _OfLosses(Exhaustion):
    """With a loss as its smallest budget: a claimed ε is decided between bounds that close in on it."""

    def test(self, budget: ClaimedBudget) -> Evidence:
        shown = _shown(budget)
        for low, high in loss_bounds(budget):
            if self.smallest <= low:
                return Evidence(
                    Verdict.EXHAUSTED,
                    self.scope,
                    f"met: the claimed {shown} covers the smallest budget {self.smallest}",
                )
            if self.smallest > high:
                return self._refuted(
                    high, f"exceeded: the claimed {shown} is below the smallest budget {self.smallest}"
                )
        return Evidence(Verdict.OPEN, self.scope, f"{self.smallest} and {shown} agree to 48 digits")

    @abstractmethod
    def _refuted(self, bound: Loss, sentence: str) -> Evidence:
        """The refutation of every budget up to a bound."""


def _shown(budget: ClaimedBudget) -> str:
    if budget.is_infinite:
        return "epsilon = infinite"
    return f"gamma = {budget.gamma}" if budget.gamma is not None else f"epsilon = {budget.epsilons[0].text}"


@dataclass(frozen=True)
class _OfLaws(_OfLosses):
    """By the laws of every data set."""

    laws: dict[Any, Law[Any]]
    flavor: Flavor

    def test(self, budget: ClaimedBudget) -> Evidence:
        if not isinstance(self.flavor.output_premetric, TotalVariation):
            return super().test(budget)
        claimed = None if budget.is_infinite else budget.epsilons[0].value
        sentence = f"the claimed {_shown(budget)}; the smallest budget is {self._number}"
        return self._checked(claimed, sentence)

    @property
    def _number(self) -> str:
        return "infinite" if self.smallest is None else str(self.smallest)

    def _refuted(self, bound: Loss, sentence: str) -> Evidence:
        return self._checked(bound, sentence)

    def _checked(self, budget: Any, sentence: str) -> Evidence:
        found = check_specification(self.laws, Specification.constant(self.flavor, budget), self.scope)
        detail = f"{sentence}; {found.detail}" if found.verdict is Verdict.REFUTED else f"met: {sentence}"
        return Evidence(found.verdict, found.scope, detail, found.witness)


@dataclass(frozen=True)
class _OfEnclosures(Exhaustion):
    """By enclosures of D_NoR² on every pair; budgets are ρ²."""

    laws: dict[Any, Law[Any]]
    flavor: Flavor

    @property
    def _number(self) -> str:
        return "infinite" if self.smallest is None else self.smallest.text()

    @property
    def finding(self) -> Evidence:
        return Evidence(Verdict.ENCLOSED, self.scope, f"the smallest budget is rho^2 = {self._number}")

    def test(self, budget: ClaimedBudget) -> Evidence:
        if budget.rho_squared is None:
            return Evidence(Verdict.OPEN, self.scope, "no rho_squared is stated")
        claimed = budget.rho_squared
        found = check_specification(self.laws, Specification.constant(self.flavor, claimed.value), self.scope)
        sentence = f"the claimed rho^2 = {claimed.text}; the smallest is {self._number}"
        detail = f"met: {sentence}" if found.verdict is Verdict.ENCLOSED else f"{sentence}; {found.detail}"
        return Evidence(found.verdict, found.scope, detail, found.witness)


@dataclass(frozen=True)
class _OfCurves(Exhaustion):
    """By the trade-off curves of every pair; two of them may cross, and then no curve is the smallest budget."""

    laws: dict[Any, Law[Any]]
    flavor: Flavor

    @property
    def finding(self) -> Evidence:
        return Evidence(Verdict.EXHAUSTED, self.scope, self.where)

    def test(self, budget: ClaimedBudget) -> Evidence:
        if budget.curve is None:
            return Evidence(Verdict.OPEN, self.scope, "no curve is stated")
        found = check_specification(self.laws, Specification.constant(self.flavor, budget.curve), self.scope)
        shown = f"the claimed curve {shown_curve(budget.curve)}"
        detail = f"{shown}; {found.detail}" if found.verdict is Verdict.REFUTED else f"met: {shown} is nowhere passed"
        return Evidence(found.verdict, found.scope, detail, found.witness)


@dataclass(frozen=True)
class _OfStrata(_OfLosses):
    """By the likelihoods of permutation swapping, stratum by stratum."""

    worst: WitnessedLoss
    swap_rate: Fraction

    def _refuted(self, bound: Loss, sentence: str) -> Evidence:
        if self.worst.witness is None:
            raise EngineError("a positive loss has no witness")
        x, y, _ = self.worst.witness
        distance = table_distance(x, y)
        laws = {point: psa_law(point, self.swap_rate) for point in (x, y)}
        measure = Multiplicative()
        value = measure.distance(laws[x], laws[y])
        violation = Violation(x, y, distance, value, bound.times(distance), bound)
        detail = f"{sentence}; x = {x}, x' = {y}, d = {distance}: D_Pr = {value}"
        witness = {**loss_witness(laws, measure, violation), "swap_rate": str(self.swap_rate)}
        return Evidence(Verdict.REFUTED, self.scope, detail, witness)


def exhaust(built: BuiltClaim, choices: int = DEFAULT_CHOICES) -> Exhaustion | None:
    """The exhaustive audit of a claim; None where a part that it needs is not a finite object, or has no engine.

    Raises:
        InputError: the mechanism fails on a data set.
        EngineError: an exact computation disagrees with its independent value.
    """
    mechanism = built.mechanism
    if mechanism is None:
        return None
    if built.swapping_margins is not None:
        return _exhaust_strata(built, mechanism)
    finite = built.finite
    if finite is None or finite.mechanism is None or finite.output_premetric is None:
        return None
    laws = guarded_laws(mechanism.place, finite.mechanism, finite.domain, choices=choices, **mechanism.parameters)
    flavor = Flavor(finite.domain, finite.multiverse, finite.input_premetric, finite.output_premetric)
    scope = (
        f"every pair in {counted(len(finite.multiverse), 'universe')}, {len(finite.domain)} {finite.domain.name}, "
        f"{flavor.output_premetric.name}, {flavor.input_premetric.name}; {mechanism.described}"
    )
    if isinstance(flavor.output_premetric, NormalizedRenyi):
        return _OfEnclosures(smallest_renyi_budget(laws, flavor), "", scope, laws, flavor)
    if isinstance(flavor.output_premetric, Tradeoff):
        return _OfCurves(None, _largest_curve(laws, flavor), scope, laws, flavor)
    losses = universe_losses(laws, flavor)
    if not losses:
        return _OfLaws(_least(flavor), "", scope, laws, flavor)
    worst = _worst(losses, flavor)
    where = "" if worst.worst is None else f"x = {worst.worst[0]}, x' = {worst.worst[1]}"
    return _OfLaws(worst.budget, where, scope, laws, flavor)


def _largest_curve(laws: dict[Any, Law[Any]], flavor: Flavor) -> str:
    try:
        losses = universe_losses(laws, flavor)
        worst = _worst(losses, flavor) if losses else None
    except CrossingCurvesError:
        return "the curves of two pairs cross, so no curve is the smallest budget"
    if worst is not None and not all(flavor.output_premetric.at_most(loss.budget, worst.budget) for loss in losses):
        return "the curves of two universes cross, so no curve is the smallest budget"
    if worst is None or worst.worst is None:
        return "the smallest budget is the diagonal (0, 0) (1, 1)"
    x, y = worst.worst
    return f"the smallest budget is the curve {shown_curve(worst.budget)}, needed by x = {x}, x' = {y}"


def _least(flavor: Flavor) -> Any:
    return Fraction(0) if isinstance(flavor.output_premetric, TotalVariation) else ZERO


def _worst(losses: tuple[UniverseLoss, ...], flavor: Flavor) -> UniverseLoss:
    worst = losses[0]
    for loss in losses[1:]:
        if not flavor.output_premetric.at_most(loss.budget, worst.budget):
            worst = loss
    return worst


def _exhaust_strata(built: BuiltClaim, mechanism: ClaimedMechanism) -> Exhaustion:
    margins = built.swapping_margins or ()
    rate = mechanism.swap_rates[0]
    losses = [universe_loss(rows, columns, rate) for rows, columns in margins]
    worst = max(losses)
    place = losses.index(worst)
    where = "" if worst.witness is None else f"x = {worst.witness[0]}, x' = {worst.witness[1]} in stratum {place}"
    size = "the data sets" if built.kind is None else f"{built.kind.size_text} data sets"
    strata = "1 stratum" if len(margins) == 1 else f"{len(margins)} strata"
    scope = f"every pair of {size} with these margins in {strata}, p = {rate}, by counting permutations"
    return _OfStrata(worst, where, scope, worst, rate)
