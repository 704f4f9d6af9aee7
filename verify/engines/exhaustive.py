"""The exhaustive engine: Equation (1) on every pair of every universe of a finite flavor, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

from mechanisms.exact_law import DEFAULT_CHOICE_BUDGET, exact_law
from spec.arguments import InputError
from spec.domain import FiniteDomain
from spec.input_premetric import Distance
from spec.law import Law
from spec.loss import ZERO, Loss
from spec.multiverse import Universe
from spec.output_premetrics import OutputPremetric, shown_curve
from spec.output_premetrics.base import mass
from spec.specification import Flavor, Specification
from verify.engines.containment import contained
from verify.engines.likelihood import approximate_law, check_against, check_ratio
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, event_witness

__all__ = [
    "CrossingCurvesError",
    "UniverseLoss",
    "Violation",
    "check_specification",
    "loss_witness",
    "mechanism_laws",
    "ordered_pairs",
    "smallest_budget",
    "universe_losses",
    "violations",
]

Laws = Mapping[Any, Law[Any]]


class CrossingCurvesError(InputError):
    """The trade-off curves of two pairs cross and none is above both, so that no pair needs most."""


@dataclass(frozen=True)
class UniverseLoss:
    """The smallest budget of one universe, and where it is attained.

    Attributes:
        universe: the data sets.
        budget: the smallest ε_D that Equation (1) allows there.
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

    Raises:
        InputError: the mechanism fails on a data set, or leaves a parameter open that is to be cross-checked; the
            message names the data set.
        EngineError: an exact law disagrees with its independent value.
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


def _check_total(laws: Laws, domain: FiniteDomain) -> None:
    for point in domain:
        if point not in laws:
            raise InputError(f"a mechanism must have a law for every data set of the domain; {point!r} has none")
    for point in laws:
        if point not in domain:
            raise InputError(f"a mechanism must have laws for the data sets of the domain alone; {point!r} is not one")


def universe_losses(laws: Laws, flavor: Flavor) -> tuple[UniverseLoss, ...]:
    """The smallest budget of every universe, with the first pair (in the domain's order) that needs it.

    Raises:
        InputError: a data set has no law, a law is for no data set of the domain, or the trade-off curves of two pairs
            of a universe cross, and no other one is above both.

    Source: dissertation, Definition 2.4.5.
    """
    _check_total(laws, flavor.domain)
    return tuple(_universe_loss(laws, flavor, universe) for universe in flavor.multiverse)


def _ordered(flavor: Flavor, universe: Universe) -> list[Any]:
    return sorted(universe, key=flavor.domain.index)


def smallest_budget(laws: Laws, flavor: Flavor) -> tuple[Any, tuple[Any, Any] | None]:
    """The smallest budget that covers every universe, with the first pair that needs it; None where no pair needs any.

    Raises:
        InputError: as `universe_losses`; here the curves of one pair may cross others if a third one is above all.
    """
    _check_total(laws, flavor.domain)
    return _largest_need(laws, flavor, flavor.multiverse)


def _universe_loss(laws: Laws, flavor: Flavor, universe: Universe) -> UniverseLoss:
    budget, worst = _largest_need(laws, flavor, (universe,))
    if worst is None:
        return UniverseLoss(universe, budget, None)
    event = _cross_checked_event(flavor.output_premetric, laws[worst[0]], laws[worst[1]])
    return UniverseLoss(universe, budget, worst, event)


def _largest_need(laws: Laws, flavor: Flavor, universes: Iterable[Universe]) -> tuple[Any, tuple[Any, Any] | None]:
    """The largest of the smallest budgets of all pairs.

    Curves are ordered in part only. The largest one, where it is among them, is kept from where it is met; so it is
    enough that those which were given up are at most the last one.
    """
    measure, distance = flavor.output_premetric, flavor.input_premetric
    budget: Any = measure.zero
    worst: tuple[Any, Any] | None = None
    given_up = []
    for universe in universes:
        points = _ordered(flavor, universe)
        for x, y in permutations(points, 2):
            needed = measure.smallest_budget(measure.distance(laws[x], laws[y]), distance(x, y))
            if measure.at_most(needed, budget):
                continue
            given_up.append((budget, worst))
            budget, worst = needed, (x, y)
    for other, pair in given_up:
        if not measure.at_most(other, budget):
            raise CrossingCurvesError(f"one budget must be the largest; those of {pair} and {worst} cross")
    return budget, worst


def _cross_checked_event(measure: OutputPremetric, p: Law[Any], q: Law[Any]) -> tuple[Hashable, ...]:
    """An event that shows the distance of two laws; the ratio of its likelihoods is compared with `mpmath`."""
    event = measure.attaining_event(p, q)
    if event and measure.has_losses and not measure.parameters:
        check_ratio(mass(p, event), mass(q, event), measure.distance(p, q), f"loss at {event!r}")
    return event


def ordered_pairs(laws: Laws, specification: Specification) -> list[tuple[Any, Any, Distance, Any]]:
    """The pairs (x, x', d, ε_D) that Equation (1) compares: fewest records first, then distance, then domain order.

    Raises:
        InputError: a data set of the domain has no law, or a law is for no data set of the domain.
    """
    flavor = specification.flavor
    _check_total(laws, flavor.domain)
    distance = flavor.input_premetric
    pairs = []
    for universe in flavor.multiverse:
        budget = specification.budgets[universe]
        points = _ordered(flavor, universe)
        pairs += [(x, y, distance(x, y), budget) for x in points for y in points if x != y]
    return sorted(pairs, key=lambda pair: _simplicity(flavor, *pair[:3]))


def violations(laws: Laws, specification: Specification) -> Iterator[Violation]:
    """The pairs that violate Equation (1), smallest first: fewest records, smallest distance, then domain order."""
    measure = specification.flavor.output_premetric
    for x, y, d, budget in ordered_pairs(laws, specification):
        bound = measure.bound(budget, d)
        value = measure.distance(laws[x], laws[y])
        if not measure.at_most(value, bound):
            yield Violation(x, y, d, value, bound, budget)


def _simplicity(flavor: Flavor, x: Any, y: Any, d: Distance) -> tuple[int, bool, int | Fraction, int, int]:
    return flavor.domain.count_records(x), d is None, d or 0, flavor.domain.index(x), flavor.domain.index(y)


def check_specification(laws: Laws, specification: Specification, scope: str) -> Evidence:
    """EXHAUSTED where every pair of every universe satisfies Equation (1), else REFUTED with the smallest witness.

    For D_NoR, which is enclosed rather than computed, the verdict is ENCLOSED instead of EXHAUSTED, or OPEN.
    """
    if not specification.flavor.output_premetric.is_exact:
        from verify.engines.zcdp.renyi_check import check_renyi_specification  # noqa: PLC0415 it uses this module

        return check_renyi_specification(laws, specification, scope)
    first = next(violations(laws, specification), None)
    pairs = specification.flavor.multiverse.compared_pairs()
    if first is None:
        return Evidence(Verdict.EXHAUSTED, scope, f"{pairs} pairs checked")
    witness = loss_witness(laws, specification.flavor.output_premetric, first)
    return Evidence(Verdict.REFUTED, scope, _sentence(first), witness)


def _sentence(violation: Violation) -> str:
    value, bound = (shown_curve(one) if isinstance(one, tuple) else one for one in (violation.value, violation.bound))
    return f"x = {violation.first}, x' = {violation.second}, d = {violation.distance}: D_Pr = {value} exceeds {bound}"


def loss_witness(laws: Laws, measure: OutputPremetric, violation: Violation) -> Witness:
    """The violation as a JSON object that `verify.certificates.replay` re-checks.

    Raises:
        EngineError: no single event shows the violation, or the pair is at an infinite distance.
    """
    if violation.distance is None:
        raise EngineError("nothing is asked of a pair at an infinite distance")
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
