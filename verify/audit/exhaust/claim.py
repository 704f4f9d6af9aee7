"""The exhaustive audit of a claim on its finite domain: the smallest budget, and the test of the claimed one."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from stirred.mechanisms.interpreters.choice_tree import ChoiceTree
from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.blocks.tables import table_distance
from stirred.spec.numbers.open_parameter import open_parameter
from stirred.spec.numbers.reals.real import UndecidedOrderError
from stirred.spec.output_premetrics import Multiplicative, OutputPremetric, RealValued, shown_curve
from stirred.verify.audit.exhaust.found import (
    Exhaustion,
    OfDoubles,
    claimed_laws,
    exhaust_nearby,
    likely_laws,
    nearest_distance,
    refuting,
)
from stirred.verify.audit.exhaust.parameter import exhaust_over_parameter
from stirred.verify.audit.exhaust.released import exhaust_released
from stirred.verify.audit.refutation import neighbors_only, worst_pair
from stirred.verify.engines.comparison import ComparedLaws, CrossingCurvesError, Laws
from stirred.verify.engines.exhaustive import UniverseLoss, check_comparison, compared_losses
from stirred.verify.engines.real_check import enclosed_need, settled_by
from stirred.verify.engines.swapping.loss import WitnessedLoss, universe_loss
from stirred.verify.engines.universe_pairs import BlockPairs
from stirred.verify.engines.zcdp.renyi_check import smallest_compared_budget
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import loss_bounds
from stirred.verify.laws.claim.claim import Case, PrivacyClaim
from stirred.verify.laws.claim.own_premetric import OwnPremetric
from stirred.verify.laws.tested_floats import is_partial

__all__ = ["ClaimUnderAudit", "Exhaustion", "exhaust", "exhaust_laws", "under_audit"]


class _OfLosses(Exhaustion):
    """With a loss as its smallest budget: a claimed ε is decided between bounds that close in on it."""

    def test(self, budget: ClaimedBudget) -> Evidence:
        shown = budget.text
        for low, high in loss_bounds(budget):
            if self.smallest <= low:
                return Evidence(
                    Verdict.EXHAUSTED,
                    self.scope,
                    f"met: the claimed {shown} covers the smallest budget {self.smallest}",
                )
            if self.smallest > high:
                sentence = f"exceeded: the claimed {shown} is below the smallest budget {self.smallest}"
                return self._refuted(high, budget, sentence)
        return Evidence(Verdict.OPEN, self.scope, f"{self.smallest} and {shown} agree to 48 digits")

    @abstractmethod
    def _refuted(self, bound: Any, budget: ClaimedBudget, sentence: str) -> Evidence:
        """The refutation of every budget up to a bound, at the pair that needs most.

        Args:
            bound: at least the claimed budget, of finitely many digits.
            budget: the claimed one.
            sentence: by how much it is exceeded.
        """


@dataclass(frozen=True)
class _OfComparison(Exhaustion):
    """By the laws of all data sets, compared pair by pair."""

    comparison: ComparedLaws
    tree: Callable[[Any], ChoiceTree] | None

    @property
    def compared(self) -> ComparedLaws:
        return self.comparison

    @property
    def trees(self) -> Callable[[Any], ChoiceTree] | None:
        return self.tree

    def _checked(self, number: Any) -> Evidence:
        """Whether one number is a budget of every pair."""
        return check_comparison(self.comparison, Specification.constant(self.comparison.flavor, number), self.scope)


@dataclass(frozen=True)
class _OfLaws(_OfComparison, _OfLosses):
    """By the laws of every data set."""

    pair: tuple[Any, Any] | None

    @property
    def needing(self) -> tuple[Any, Any] | None:
        return self.pair

    def test(self, budget: ClaimedBudget) -> Evidence:
        measure = self.comparison.flavor.output_premetric
        if measure.has_losses:
            return super().test(budget)
        claimed = None if budget.epsilon is None else budget.epsilon.value
        sentence = f"the claimed {budget.text}; the smallest budget is {self._number}"
        if measure.at_most(self.smallest, claimed):
            return Evidence(Verdict.EXHAUSTED, self.scope, f"met: {sentence}")
        return self._refuted(claimed, budget, sentence)

    def _refuted(self, bound: Any, budget: ClaimedBudget, sentence: str) -> Evidence:
        if self.pair is None:
            raise EngineError("a budget is exceeded and no pair needs more")
        flavor = self.comparison.flavor
        worst = worst_pair(self.comparison.laws, flavor.output_premetric, self.pair, flavor.input_premetric)
        hint = neighbors_only(worst, flavor.input_premetric)
        detail = f"{sentence}; {worst.sentence(bound, budget)}{hint}"
        return Evidence(Verdict.REFUTED, self.scope, detail, worst.witness(bound))


@dataclass(frozen=True)
class _OfEnclosures(_OfComparison):
    """By enclosures of D_NoR² on every pair; budgets are ρ²."""

    @property
    def _number(self) -> str:
        return "infinite" if self.smallest is None else self.smallest.relation().removeprefix("= ")

    @property
    def finding(self) -> Evidence:
        return Evidence(Verdict.ENCLOSED, self.scope, f"the smallest budget is {self.needed}")

    @property
    def needed(self) -> str:
        return f"rho^2 {'= infinite' if self.smallest is None else self.smallest.relation()}"

    def test(self, budget: ClaimedBudget) -> Evidence:
        if budget.rho_squared is None:
            return Evidence(Verdict.OPEN, self.scope, "no rho_squared is stated")
        found = self._checked(budget.rho_squared.value)
        sentence = f"the claimed {budget.text}; the smallest is {self._number}"
        detail = f"met: {sentence}" if found.verdict is Verdict.ENCLOSED else f"{sentence}; {found.detail}"
        return Evidence(found.verdict, found.scope, detail, found.witness)


@dataclass(frozen=True)
class _OfReals(_OfComparison):
    """By distances that are reals."""

    verdict: Verdict

    @property
    def finding(self) -> Evidence:
        return replace(super().finding, verdict=self.verdict)

    def test(self, budget: ClaimedBudget) -> Evidence:
        number = budget.mu or budget.epsilon
        claimed = budget.loss if number is None else number.value
        found = self._checked(claimed)
        said = f"the claimed {budget.text}; the smallest budget is {self._number}"
        detail = f"met: {said}" if found.verdict.is_settled_for else f"{said}; {found.detail}"
        return replace(found, detail=detail)


@dataclass(frozen=True)
class _OfCurves(_OfComparison):
    """By the trade-off curves of every pair; two of them may cross, and then no curve is the smallest budget."""

    @property
    def finding(self) -> Evidence:
        return Evidence(Verdict.EXHAUSTED, self.scope, self.where)

    @property
    def needed(self) -> str:
        return self.where.removeprefix("the smallest budget is ")

    def test(self, budget: ClaimedBudget) -> Evidence:
        if budget.curve is None:
            return Evidence(Verdict.OPEN, self.scope, "no curve is stated")
        found = self._checked(budget.curve)
        shown = f"the claimed {budget.text}"
        detail = f"{shown}; {found.detail}" if found.verdict is Verdict.REFUTED else f"met: {shown} is nowhere passed"
        return Evidence(found.verdict, found.scope, detail, found.witness)


@dataclass(frozen=True)
class _OfStrata(_OfLosses):
    """By the likelihoods of permutation swapping, stratum by stratum."""

    worst: WitnessedLoss
    swap_rate: Fraction

    def _refuted(self, bound: Any, budget: ClaimedBudget, sentence: str) -> Evidence:
        if self.worst.witness is None:
            raise EngineError("a positive loss has no witness")
        x, y, _ = self.worst.witness
        laws = {point: psa_law(point, self.swap_rate) for point in (x, y)}
        worst = worst_pair(laws, Multiplicative(), (x, y), table_distance)
        witness = worst.witness(bound, swap_rate=str(self.swap_rate))
        return Evidence(Verdict.REFUTED, self.scope, f"{sentence}; {worst.sentence(bound, budget)}", witness)


def exhaust(
    built: PrivacyClaim,
    case: Case,
    *,
    pairs: BlockPairs | None = None,
) -> Exhaustion | None:
    """The exhaustive audit of a claim at one setting of its mechanism.

    Args:
        built: the claim.
        case: the setting.
        pairs: of its data sets, where they are known.

    Returns:
        The smallest budget; None where a part that is needed is not a finite object, or has no engine.

    Raises:
        InputError: the mechanism fails on a data set, or has not the symmetry that is declared.
        EngineError: an exact computation disagrees with its independent value.
    """
    mechanism = built.mechanism
    if mechanism is None:
        return None
    if built.swapping_margins is not None:
        return _exhaust_strata(built, case)
    flavor = built.flavor
    if flavor is None or mechanism.function is None:
        return None
    opened = open_parameter(case.setting)
    if opened is not None:
        if built.symmetry is not None:
            raise InputError(f"{built.symmetry.place} must stand with a number for every parameter; got {opened}")
        return exhaust_over_parameter(
            built, case, opened, at=lambda setting: exhaust(built, replace(case, setting=setting))
        )
    audited = claimed_laws(built, case.setting, may_be_partial=True)
    measure = flavor.output_premetric
    compared = (
        f"every pair in {counted(len(flavor.multiverse), 'universe')}, {len(flavor.domain)} {flavor.domain.name}, "
        f"{measure.described()}, {flavor.input_premetric.name}"
    )
    assumed = "; ".join(part for part in (mechanism.described(case.setting), audited.assumed) if part)
    if audited.is_released:
        if built.symmetry is not None:
            raise InputError(f"{built.symmetry.place} must stand with laws that are listed; here noise is released")
        return exhaust_released(audited.laws, flavor, f"{compared}; {assumed}", mechanism.place)
    if isinstance(measure, OwnPremetric):
        if built.symmetry is not None:
            raise InputError(f"{built.symmetry.place} must stand without an output premetric that tells outputs apart")
        own = measure.tabulated(audited.exact(mechanism.place), flavor)
        flavor = replace(flavor, output_premetric=own)
        compared = f"{compared}; the output premetric is a function, asked for on the laws that occur"
    listed = BlockPairs(flavor) if pairs is None else pairs

    def under(
        measure: OutputPremetric, compared_by: type[ComparedLaws] = ComparedLaws, laws: Laws = audited.laws
    ) -> Exhaustion:
        comparison = compared_by(
            laws,
            replace(flavor, output_premetric=measure),
            pairs=listed,
            symmetry=built.symmetry,
        )
        said = "; ".join(part for part in (compared, comparison.left_out(), assumed) if part)
        return exhaust_laws(comparison, said, audited.tree)

    if is_partial(audited.laws):
        return refuting(under(flavor.output_premetric), flavor.output_premetric, mechanism.place)
    if audited.is_nearby:
        return exhaust_nearby(flavor.output_premetric, nearest_distance(flavor, listed), under, mechanism.place)
    measure, found = flavor.output_premetric, under(flavor.output_premetric)
    if not audited.are_of_doubles:
        return found
    kept = audited.laws if isinstance(measure, OwnPremetric) else likely_laws(audited.laws)
    likely = partial(under, measure, laws=kept)
    return OfDoubles(found.smallest, found.where, found.scope, found, under, likely, measure)


def exhaust_laws(comparison: ComparedLaws, scope: str, tree: Callable[[Any], ChoiceTree] | None = None) -> Exhaustion:
    """The smallest budget of laws that are compared."""
    flavor = comparison.flavor
    measure = flavor.output_premetric
    if isinstance(measure, RealValued):
        return _of_reals(comparison, measure, scope, tree)
    if not measure.is_exact:
        return _OfEnclosures(smallest_compared_budget(comparison), "", scope, comparison, tree)
    if not measure.has_largest_budget:
        return _OfCurves(*_largest_curve(comparison), scope, comparison, tree)
    losses = compared_losses(comparison)
    if not losses:
        return _OfLaws(measure.zero, "", scope, comparison, tree, None)
    worst = _worst(losses, flavor)
    where = "" if worst.worst is None else f"x = {worst.worst[0]}, x' = {worst.worst[1]}"
    return _OfLaws(worst.budget, where, scope, comparison, tree, worst.worst)


def _of_reals(
    comparison: ComparedLaws, measure: RealValued, scope: str, tree: Callable[[Any], ChoiceTree] | None
) -> Exhaustion:
    try:
        budget, worst = comparison.largest_need(comparison.flavor.multiverse)
    except UndecidedOrderError:
        budget, worst = enclosed_need(comparison), None
    where = "" if worst is None else f"x = {worst[0]}, x' = {worst[1]}"
    return _OfReals(budget, where, scope, comparison, tree, settled_by(measure, budget))


def _largest_curve(comparison: ComparedLaws) -> tuple[Any, str]:
    """The smallest budget, None where there is none or it is infinite, and what is said of it."""
    try:
        budget, worst = comparison.largest_need(comparison.flavor.multiverse)
    except CrossingCurvesError:
        return None, "the curves of two pairs cross, so no curve is the smallest budget"
    if worst is None:
        return budget, f"the smallest budget is the diagonal {shown_curve(budget)}"
    x, y = worst
    if budget is None:
        return None, f"the smallest budget is infinite, needed by x = {x}, x' = {y}, whose laws differ at distance 0"
    return budget, f"the smallest budget is the curve {shown_curve(budget)}, needed by x = {x}, x' = {y}"


def _worst(losses: tuple[UniverseLoss, ...], flavor: Flavor) -> UniverseLoss:
    worst = losses[0]
    for loss in losses[1:]:
        if not flavor.output_premetric.at_most(loss.budget, worst.budget):
            worst = loss
    return worst


def _exhaust_strata(built: PrivacyClaim, case: Case) -> Exhaustion:
    margins = built.swapping_margins or ()
    rate: Fraction = case.setting["swap_rate"]
    losses = [universe_loss(rows, columns, rate) for rows, columns in margins]
    worst = max(losses)
    place = losses.index(worst)
    where = "" if worst.witness is None else f"x = {worst.witness[0]}, x' = {worst.witness[1]} in stratum {place}"
    size = "the data sets" if built.kind is None else f"{built.kind.size_text} data sets"
    strata = "1 stratum" if len(margins) == 1 else f"{len(margins)} strata"
    scope = f"every pair of {size} with these margins in {strata}, p = {rate}, by counting permutations"
    return _OfStrata(worst, where, scope, worst, rate)


@dataclass(frozen=True)
class ClaimUnderAudit:
    """What the auditor's questions are about.

    Attributes:
        built: the claim with its blocks.
        tried: each setting of the mechanism with its exhaustive audit, None where it cannot be exhausted; empty for a
            claim of printed numbers only.
        pairs: of its data sets, where they were listed.
        parts: what decides each claim that its account refers to, by its id.
    """

    built: PrivacyClaim
    tried: tuple[tuple[Case, Exhaustion | None], ...]
    pairs: BlockPairs | None = None
    parts: Mapping[str, Evidence] = field(default_factory=dict)


def under_audit(
    built: PrivacyClaim,
    *,
    parts: Mapping[str, Evidence] | None = None,
) -> ClaimUnderAudit:
    """The claim after its mechanism was exhausted at each of its settings.

    Args:
        built: the claim.
        parts: what decides each claim that its account refers to.

    Raises:
        InputError: the mechanism fails on a data set.
        EngineError: an exact computation disagrees with its independent value.
    """
    pairs = None if built.data is None else BlockPairs(built.data)
    if built.is_about_numbers_only:
        return ClaimUnderAudit(built, (), pairs, parts or {})
    tried = tuple((case, exhaust(built, case, pairs=pairs)) for case in built.cases)
    return ClaimUnderAudit(built, tried, pairs, parts or {})
