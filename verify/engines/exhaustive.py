"""The exhaustive engine: Equation (1) on every pair of every universe of a finite flavor, in exact arithmetic.

`violations` compares every pair, one after another; all else goes through `ComparedLaws`, which compares equal pairs of
laws once, and in large universes, where the output premetric has the triangle inequality, only pairs that bound the
others.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from stirred.mechanisms.interpreters.exact_law import DEFAULT_CHOICE_BUDGET, exact_law
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import Distance
from stirred.spec.blocks.multiverse import Universe
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.budgets.loss import ZERO, Loss
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import OutputPremetric, RealValued, shown_curve
from stirred.spec.output_premetrics.base import mass
from stirred.verify.engines.comparison import ComparedLaws, Laws, check_total, simplicity
from stirred.verify.engines.likelihood import approximate_law, check_against, check_ratio, contained
from stirred.verify.engines.real_check import check_real_comparison
from stirred.verify.engines.zcdp.renyi_check import check_renyi_comparison
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness, event_witness


@dataclass(frozen=True)
class UniverseLoss:
    """The smallest budget of one universe, and where it is attained.

    Attributes:
        worst: the pair (x, x') that needs it; None where no pair needs any.
        event: for loss-valued premetrics, an event that shows it.
    """

    universe: Universe
    budget: Any
    worst: tuple[Any, Any] | None
    event: tuple[Hashable, ...] = ()


@dataclass(frozen=True)
class Violation:
    """A pair of data sets where Equation (1) fails: D_Pr[P_x, P_x'] > ε_D·d_𝒳(x, x')."""

    first: Any
    second: Any
    distance: Distance
    value: Any
    bound: Any
    budget: Any


def mechanism_laws(
    mechanism: Callable[..., Any],
    domain: FiniteDomain,
    *,
    choice_budget: int = DEFAULT_CHOICE_BUDGET,
    cross_check: bool = True,
    **parameters: Any,
) -> dict[Any, Law[Any]]:
    """The exact law of a mechanism on every data set of a domain, each compared with its 60-digit value.

    A mechanism is this whole function, never a law alone: a constant chosen by looking at the data has one harmless
    law for every data set.
    """
    laws: dict[Any, Law[Any]] = {}
    for point in domain:
        with contained(f"on the data set {point!r}"):
            law = laws[point] = exact_law(mechanism, point, choice_budget=choice_budget, **parameters)
            if cross_check:
                for outcome in law:
                    law.numeric(outcome)
                check_against(law, approximate_law(mechanism, point, **parameters), "law")
    return laws


def universe_losses(laws: Laws, flavor: Flavor) -> tuple[UniverseLoss, ...]:
    """The smallest budget of every universe, with the nearest pair that needs it, the first of those.

    Source: dissertation, Definition 2.4.5.
    """
    return compared_losses(ComparedLaws(laws, flavor))


def compared_losses(comparison: ComparedLaws) -> tuple[UniverseLoss, ...]:
    """`universe_losses` of laws that are compared already."""
    return tuple(_universe_loss(comparison, universe) for universe in comparison.flavor.multiverse)


def _universe_loss(comparison: ComparedLaws, universe: Universe) -> UniverseLoss:
    budget, worst = comparison.largest_need((universe,))
    if worst is None:
        return UniverseLoss(universe, budget, None)
    p, q = (comparison.laws[point] for point in worst)
    return UniverseLoss(universe, budget, worst, _cross_checked_event(comparison.flavor.output_premetric, p, q))


def smallest_budget(laws: Laws, flavor: Flavor) -> tuple[Any, tuple[Any, Any] | None]:
    """The smallest budget that covers every universe, with the nearest pair that needs it; None where none does."""
    return ComparedLaws(laws, flavor).largest_need(flavor.multiverse)


def _cross_checked_event(measure: OutputPremetric, p: Law[Any], q: Law[Any]) -> tuple[Hashable, ...]:
    """An event that shows the distance of two laws; the ratio of its likelihoods is compared with `mpmath`."""
    event = measure.attaining_event(p, q)
    if event and measure.has_losses and not measure.parameters:
        check_ratio(mass(p, event), mass(q, event), measure.distance(p, q), f"loss at {event!r}")
    return event


def ordered_pairs(laws: Laws, specification: Specification) -> list[tuple[Any, Any, Distance, Any]]:
    """The pairs (x, x', d, ε_D) that Equation (1) compares: fewest records first, then distance, then domain order."""
    flavor = specification.flavor
    check_total(laws, flavor.domain)
    distance = flavor.input_premetric
    pairs = []
    for universe in flavor.multiverse:
        budget = specification.budgets[universe]
        points = flavor.domain.ordered(universe)
        pairs += [(x, y, distance(x, y), budget) for x in points for y in points if x != y]
    return sorted(pairs, key=lambda pair: simplicity(flavor, *pair[:3]))


def violations(laws: Laws, specification: Specification) -> Iterator[Violation]:
    """The pairs that violate Equation (1), smallest first: fewest records, smallest distance, then domain order."""
    measure = specification.flavor.output_premetric
    for x, y, d, budget in ordered_pairs(laws, specification):
        bound = measure.bound(budget, d)
        value = measure.distance(laws[x], laws[y])
        if not measure.at_most(value, bound):
            yield Violation(x, y, d, value, bound, budget)


def check_specification(laws: Laws, specification: Specification, scope: str) -> Evidence:
    """EXHAUSTED where every pair of every universe satisfies Equation (1), else REFUTED with the smallest witness.

    For premetrics that are enclosed rather than computed, the verdict is ENCLOSED instead of EXHAUSTED, or OPEN.
    """
    return check_comparison(ComparedLaws(laws, specification.flavor), specification, scope)


def check_comparison(comparison: ComparedLaws, specification: Specification, scope: str) -> Evidence:
    """`check_specification` of laws that are compared already."""
    measure = comparison.flavor.output_premetric
    if isinstance(measure, RealValued):
        return check_real_comparison(comparison, specification, scope)
    if not measure.is_exact:
        return check_renyi_comparison(comparison, specification, scope)
    found = comparison.first_violation(specification)
    if found is None:
        return Evidence(Verdict.EXHAUSTED, scope, comparison.checked_pairs())
    x, y, distance, universe = found
    budget, laws = specification.budgets[universe], comparison.laws
    value, bound = measure.distance(laws[x], laws[y]), measure.bound(budget, distance)
    first = Violation(x, y, distance, value, bound, budget)
    return Evidence(Verdict.REFUTED, scope, _sentence(first), loss_witness(laws, measure, first))


def _sentence(violation: Violation) -> str:
    value, bound = (shown_curve(one) if isinstance(one, tuple) else one for one in (violation.value, violation.bound))
    return f"x = {violation.first}, x' = {violation.second}, d = {violation.distance}: D_Pr = {value} exceeds {bound}"


def loss_witness(laws: Laws, measure: OutputPremetric, violation: Violation) -> Witness:
    """The violation as a JSON object that `verify.evidence.certificates.replay` re-checks."""
    if violation.distance is None:
        raise EngineError("a pair at an infinite distance is not constrained")
    p, q = laws[violation.first], laws[violation.second]
    found = measure.exceeding_event(p, q, violation.bound)
    if found is None:
        raise EngineError(f"a violation for {measure.described()} has no event that shows it")
    swapped, claimed = found.is_swapped, violation.budget if isinstance(violation.budget, Loss) else ZERO
    x, y = (violation.second, violation.first) if swapped else (violation.first, violation.second)
    return event_witness(
        (q, p) if swapped else (p, q),
        found.event,
        distance=violation.distance,
        claimed=claimed,
        delta=found.delta,
        x=x,
        x_prime=y,
    )
