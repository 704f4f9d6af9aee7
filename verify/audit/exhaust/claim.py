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
    claimed,
    claimed_laws,
    likely_laws,
)
from stirred.verify.audit.exhaust.nearby import Standing, exhaust_nearby
from stirred.verify.audit.exhaust.parameter import exhaust_over_parameter, exhaust_powers_of_e
from stirred.verify.audit.exhaust.real_noise import exhaust_reals
from stirred.verify.audit.exhaust.released import BY_ENDS, exhaust_released, finite_equivalent
from stirred.verify.audit.exhaust.tails import exhaust_unlike
from stirred.verify.audit.refutation import neighbors_only, worst_pair
from stirred.verify.engines.comparison import ComparedLaws, CrossingCurvesError, Laws
from stirred.verify.engines.exhaustive import UniverseLoss, check_comparison, compared_losses
from stirred.verify.engines.exponential_law import ExponentialLaws
from stirred.verify.engines.law_pairs import NumberedLaws
from stirred.verify.engines.nearby_law import LOG_ERROR, laws_at_exponential
from stirred.verify.engines.real_check import enclosed_need, settled_by
from stirred.verify.engines.real_noise.leaves import are_real
from stirred.verify.engines.swapping.loss import WitnessedLoss, universe_loss
from stirred.verify.engines.universe_pairs import BlockPairs
from stirred.verify.engines.zcdp.renyi_check import smallest_compared_budget
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.agreed_laws import ForeignLaws
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import loss_bounds
from stirred.verify.laws.claim.claim import Case, PrivacyClaim
from stirred.verify.laws.claim.premetrics import OwnPremetric
from stirred.verify.laws.messages import REAL

__all__ = ["ClaimUnderAudit", "Exhaustion", "exhaust", "exhaust_laws", "under_audit"]


class _OfLosses(Exhaustion):
    """With a loss as its smallest budget: a claimed ε is decided between bounds that close in on it."""

    def test(self, budget: ClaimedBudget) -> Evidence:
        for low, high in loss_bounds(budget):
            if self.smallest <= low:
                return Evidence(Verdict.EXHAUSTED, self.scope, self._beside(budget, "≥"))
            if self.smallest > high:
                return self._refuted(high, budget, self._beside(budget, "<"))
        return Evidence(Verdict.OPEN, self.scope, f"{claimed(budget)} and required {self.smallest} agree to 48 digits")

    @abstractmethod
    def _refuted(self, bound: Any, budget: ClaimedBudget, sentence: str) -> Evidence:
        """The refutation at the pair that needs most of every budget up to a bound, of finitely many digits."""


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

    def _detail(self, budget: ClaimedBudget, found: Evidence) -> str:
        if found.verdict.is_settled_for:
            return self._beside(budget, "≥")
        if found.verdict is Verdict.REFUTED:
            return f"{self._beside(budget, '<')}; {found.detail}"
        return f"{claimed(budget)}; required {self._number}; {found.detail}"


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
        number = None if budget.epsilon is None else budget.epsilon.value
        if measure.at_most(self.smallest, number):
            return Evidence(Verdict.EXHAUSTED, self.scope, self._beside(budget, "≥"))
        return self._refuted(number, budget, self._beside(budget, "<"))

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
        return replace(found, detail=self._detail(budget, found))


@dataclass(frozen=True)
class _OfReals(_OfComparison):
    """By distances that are reals."""

    verdict: Verdict

    @property
    def finding(self) -> Evidence:
        return replace(super().finding, verdict=self.verdict)

    def test(self, budget: ClaimedBudget) -> Evidence:
        number = budget.mu or budget.epsilon
        found = self._checked(budget.loss if number is None else number.value)
        return replace(found, detail=self._detail(budget, found))


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
        is_refuted = found.verdict is Verdict.REFUTED
        return replace(
            found, detail=f"{claimed(budget)}{f'; {found.detail}' if is_refuted else ' ≥ the curve of every pair'}"
        )


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


def exhaust(built: PrivacyClaim, case: Case, *, pairs: BlockPairs | None = None) -> Exhaustion | None:
    """The smallest budget of a claim at one setting of its mechanism.

    None where a part that is needed is not a finite object, or has no engine.
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
            raise InputError(f"{built.symmetry.place} requires a number for every parameter; got {opened}")
        return exhaust_over_parameter(
            built, case, opened, at=lambda setting: exhaust(built, replace(case, setting=setting))
        )
    audited = claimed_laws(built, case.setting, may_be_partial=True)
    found = _exhausted(built, case, audited, pairs)
    return replace(found, arithmetic=audited.numbers)


def _exhausted(built: PrivacyClaim, case: Case, audited: ForeignLaws, pairs: BlockPairs | None) -> Exhaustion:
    """The smallest budget by the laws of all data sets."""
    mechanism, flavor = built.mechanism, built.flavor
    if mechanism is None or flavor is None:
        raise EngineError("laws are compared under a flavor")
    measure = flavor.output_premetric
    compared = (
        f"every pair in {counted(len(flavor.multiverse), 'universe')}, {len(flavor.domain)} {flavor.domain.name}, "
        f"{measure.described()}, {flavor.input_premetric.name}"
    )
    assumed = "; ".join(part for part in (mechanism.described(case.setting), audited.assumed) if part)
    if are_real(set().union(*audited.laws.values())):
        _refuse_symmetry(built, "released real numbers")
        is_asked = getattr(mechanism.function, "numerics", None) == REAL
        return exhaust_reals(audited, flavor, f"{compared}; {assumed}", mechanism.place, is_asked=is_asked)
    standing = _standing(audited)
    if (found := _of_reals_drawn(built, case, audited, standing)) is not None:
        return found
    if audited.is_released:
        _refuse_symmetry(built, "released unbounded noise")
        ends = finite_equivalent(audited.laws, measure, mechanism.place)
        if ends is None:
            return exhaust_released(audited.laws, flavor, f"{compared}; {assumed}", mechanism.place)
        audited, compared = replace(audited, laws=ends, tree=None), f"{compared}; {BY_ENDS}"
    if isinstance(measure, OwnPremetric):
        _refuse_symmetry(built, "an output premetric that distinguishes outputs")
        own = measure.tabulated(audited.exact(mechanism.place), flavor)
        flavor = replace(flavor, output_premetric=own)
        compared = f"{compared}; the output premetric is a function, asked for on the laws that occur"
    listed = BlockPairs(flavor) if pairs is None else pairs
    known = audited.laws if standing is None else standing.laws
    numbered = NumberedLaws(known)

    def under(
        measure: OutputPremetric, compared_by: type[ComparedLaws] = ComparedLaws, laws: Laws = known
    ) -> Exhaustion:
        comparison = compared_by(
            laws,
            replace(flavor, output_premetric=measure),
            pairs=listed,
            symmetry=built.symmetry,
            numbered=numbered if laws is known else None,
        )
        said = "; ".join(part for part in (compared, comparison.left_out(), assumed) if part)
        return exhaust_laws(comparison, said, audited.tree)

    if standing is not None:
        return exhaust_nearby(flavor, listed, under, standing, mechanism.place)
    measure, found = flavor.output_premetric, under(flavor.output_premetric)
    if not audited.are_of_doubles:
        return found
    kept = audited.laws if isinstance(measure, OwnPremetric) else likely_laws(audited.laws)
    likely = partial(under, measure, laws=kept)
    return OfDoubles(found.smallest, found.where, found.scope, found, under, likely, measure)


def _of_reals_drawn(
    built: PrivacyClaim, case: Case, audited: ForeignLaws, standing: Standing | None
) -> Exhaustion | None:
    """The audit of laws whose tails are unlike, or that are made of powers of e under D_Mult; None for others."""
    mechanism, flavor = built.mechanism, built.flavor
    if mechanism is None or flavor is None or (audited.unlike is None and audited.exponent is None):
        return None
    described = mechanism.described(case.setting)
    if audited.unlike is not None:
        _refuse_symmetry(built, "released unbounded noise")
        scope = "; ".join(part for part in (described, audited.assumed) if part)
        return exhaust_unlike(audited, audited.unlike, flavor, scope, mechanism.place)
    _refuse_symmetry(built, "probabilities that are made of powers of e")
    if flavor.output_premetric != Multiplicative():
        return None
    return exhaust_powers_of_e(built, audited, described, standing)


def _standing(audited: ForeignLaws) -> Standing | None:
    """The rational laws that stand for those of a mechanism; None where they are rational themselves."""
    if audited.exponent is not None:
        laws = laws_at_exponential(audited.laws, audited.exponent)
        return Standing(laws, LOG_ERROR, exact=ExponentialLaws(audited.laws, audited.exponent, laws))
    if audited.log_error is not None:
        return Standing(audited.laws, audited.log_error, are_unsure=audited.are_enclosed)
    return None


def _refuse_symmetry(built: PrivacyClaim, what: str) -> None:
    """Refuse a declared symmetry, which would not be used."""
    if built.symmetry is not None:
        raise InputError(f"{built.symmetry.place} cannot be combined with {what}")


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
        tried: each setting of the mechanism with its exhaustive audit, None where it cannot be exhausted; empty for a
            claim of printed numbers only.
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
    """The claim after its mechanism was exhausted at each of its settings."""
    pairs = None if built.data is None else BlockPairs(built.data)
    if built.is_about_numbers_only:
        return ClaimUnderAudit(built, (), pairs, parts or {})
    tried = tuple((case, exhaust(built, case, pairs=pairs)) for case in built.cases)
    return ClaimUnderAudit(built, tried, pairs, parts or {})
