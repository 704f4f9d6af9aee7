"""What a budget lets someone learn, at each setting of a claim's mechanism, and how a report shows it."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.numbers.open_parameter import open_parameter
from stirred.spec.output_premetrics import Curve, Multiplicative
from stirred.verify.audit.exhaust.found import claimed_laws
from stirred.verify.audit.inference.learned import (
    Asked,
    Attained,
    Conjecture,
    Inference,
    Interval,
    Limit,
    attained_distances,
    posterior_limit,
)
from stirred.verify.audit.inference.universe_inference import MOST_OUTCOMES, UniverseInference
from stirred.verify.engines.inference.belief_limits import BeliefLimits
from stirred.verify.engines.inference.posterior import posterior_region, sharpest_posterior_region
from stirred.verify.engines.inference.power import (
    power_bounds,
    power_curve,
    printed_power_curve,
    roc_region,
    sharpest_power,
    smallest_power,
)
from stirred.verify.evidence.reports.learned_page import FINEST, Learned, Panel, outward
from stirred.verify.evidence.reports.lines import shortened
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import claimed_epsilon
from stirred.verify.laws.claim.claim import Case, PrivacyClaim, claim_vacuity

MOST = 256
"""Data sets whose pairs are all compared."""

_MULTIPLES = (1, 2, 3)
"""Of the least distance: what is asked about where the data sets are not listed."""

_UNIT = 10**12
_OUTSIDE = "this mechanism is outside of the bounds at {}: it does not meet the budget"
_PRINTED_ONLY = "the pictures of tests have the printed bounds alone, which the sharpest do not exceed"
_SHOWN = 10
_MOST_BITS = 200_000
_MOST_ENTRIES = 250_000
"""Of the linear programs for pairs of beliefs: about ten seconds."""


def infer(built: PrivacyClaim, case: Case, asked: Asked, conjecture: Conjecture | None = None) -> Inference:
    """The bounds that a claim's budget implies at one setting of its mechanism, beside the mechanism's own numbers.

    Args:
        built: the claim.
        case: the setting with its budget.
        asked: level, prior probability and distances.
        conjecture: an event of the claim's data sets.

    Raises:
        InputError: the budget is none of pure differential privacy or infinite, a distance is no integer, a conjecture
            is asked of data sets that are not listed, the claim compares none, or the mechanism fails.
    """
    place = built.id
    if built.output_premetric != Multiplicative():
        raise InputError(f"{place}: output_premetric must be 'multiplicative' for bounds on what is learned")
    gamma = _gamma(place, case.budget)
    vacuity = claim_vacuity(built)
    if vacuity.is_vacuous:
        raise InputError(f"{place}: must compare data sets to bound what is learned; it is {vacuity}")
    is_listed = built.data is not None and len(built.data.domain) <= MOST and not asked.distances
    if not is_listed or built.data is None:
        if conjecture is not None:
            raise InputError(f"{place}: --event needs data sets that are listed, at most {MOST}, and no --distance")
        return _by_budget(built, case, asked, gamma, attained_distances(built))
    within = UniverseInference(built.data, gamma, asked, _laws(built, case), _beliefs(built, gamma))
    rows = (*within.by_distance(), *(within.of(conjecture) if conjecture else ()))
    outside = [one.name for one in rows if one.exact and not _is_within(one.exact, one.sharpest)]
    step = None if within.beliefs is not None else within.step
    notes = (*_notes(built, within, step), *(_OUTSIDE.format(name) for name in outside[:1]))
    rows = rows if outside else (*rows, *within.releases())
    return Inference(
        place,
        _words(case.budget),
        gamma,
        asked,
        rows,
        notes,
        _curves(gamma, within.distances, step),
    )


def _notes(built: PrivacyClaim, within: UniverseInference, step: int | None) -> Iterator[str]:
    if built.pufferfish is not None:
        yield (
            "what is told apart are beliefs: an attacker's law of the data, given a conjecture or its rival"
            + (
                ""
                if within.beliefs
                else "; they are too many for the sharpest bounds, and those of their distances stand"
            )
        )
    if built.invariants:
        yield "two data sets of one universe: across universes nothing is bounded"
    if not within.distances:
        yield "no two data sets share a universe: nothing is bounded"
    elif step is None and any(within.distances):
        yield _PRINTED_ONLY
    if within.laws is None:
        yield "the laws of the mechanism are not listed: the budget's bounds alone"
    if len(within.outcomes) > MOST_OUTCOMES:
        yield f"{len(within.outcomes)} outcomes, which are not shown one by one"


def _beliefs(built: PrivacyClaim, gamma: Fraction) -> BeliefLimits | None:
    """The limits between the beliefs of a Pufferfish claim; None for data sets, and where they are too many."""
    if built.pufferfish is None or built.data is None:
        return None
    names = tuple(built.data.domain)
    beliefs = [built.pufferfish.beliefs[name] for name in names]
    steps = [(names.index(one), names.index(other)) for one, other in sorted(built.pufferfish.steps)]
    points = len({x for belief in beliefs for x in belief})
    if len(names) ** 2 * (points + len(steps)) ** 2 > _MOST_ENTRIES:
        return None
    return BeliefLimits(beliefs, steps, gamma)


def _is_within(inner: Interval, outer: Interval) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _curves(gamma: Fraction, distances: Sequence[int], step: int | None) -> Mapping[int, tuple[Curve, Curve]]:
    """The curves of the smallest and the largest distance; where steps of one length lead there, the sharpest too.

    They are never below what a universe allows: a step of length s may change a probability by γ^s, and where steps
    differ the printed bounds stand for the sharpest.
    """
    ends = dict.fromkeys((*distances[:1], *distances[-1:]))
    printed = {d: printed_power_curve(gamma, d) for d in ends}
    return {d: (curve, power_curve(gamma**step, d // step) if step else curve) for d, curve in printed.items()}


def _words(budget: ClaimedBudget | None) -> str:
    return "" if budget is None else budget.text


def _gamma(place: str, budget: ClaimedBudget | None) -> Fraction:
    """e^ε of the claimed budget, rounded up to twelve decimals unless the budget is the logarithm of a rational."""
    if budget is None or (budget.epsilon is None and budget.loss is None):
        raise InputError(f"{place}: budget must be stated in numbers: epsilon or gamma")
    if budget.loss is not None and budget.loss.gamma is None:
        raise InputError(f"{place}: budget must be finite: an infinite epsilon limits nothing that is learned")
    if budget.loss is not None and budget.loss.gamma is not None and budget.loss.distance == 1:
        return budget.loss.gamma
    return Fraction(ceil(exponential(claimed_epsilon(budget).upper, digits=30).upper * _UNIT), _UNIT)


def _laws(built: PrivacyClaim, case: Case) -> Mapping[Any, Law[Any]] | None:
    """The exact laws of the mechanism; None where they are not listed."""
    mechanism = built.mechanism
    if mechanism is None or mechanism.function is None or built.data is None:
        return None
    if open_parameter(case.setting) is not None:
        return None
    found = claimed_laws(built, case.setting)
    return None if found.is_released or found.is_nearby else found.laws


def _by_budget(built: PrivacyClaim, case: Case, asked: Asked, gamma: Fraction, attained: Attained) -> Inference:
    distances = asked.distances or attained.seen[:3] or tuple(attained.least * k for k in _MULTIPLES)
    if gamma.numerator.bit_length() * max(distances) > _MOST_BITS:
        raise InputError(f"{built.id}: --distance must be smaller for so large a budget; got {max(distances)}")
    if not asked.distances and attained.is_all and not attained.seen:
        raise InputError(f"{built.id}: has no two data sets of one universe at a distance that is an integer")
    for d in distances:
        if attained.excludes(d):
            raise InputError(
                f"{built.id}: --distance must be that of two data sets of one universe, {_possible(attained)}; got {d}"
            )
    is_path = built.data is not None and _has_paths(built.data)
    rows = [_power(asked, gamma, d, sharpest_power if is_path else None) for d in distances]
    rows += [posterior_limit(asked, gamma, d) for d in distances]
    notes = ["from the budget alone, for two data sets of one universe at a distance from each other"]
    if not is_path:
        notes.append("no data sets between them are known, so the printed bounds of the power are the sharpest")
    if attained.least > 1:
        notes.append(f"what is invariant keeps two data sets of one universe at least {attained.least} apart")
    if not set(distances) <= set(attained.seen):
        notes.append("the data sets are not all compared: whether two of them are at these distances is not known")
    curves = _curves(gamma, distances, 1 if is_path else None)
    return Inference(built.id, _words(case.budget), gamma, asked, tuple(rows), tuple(notes), curves)


def _possible(attained: Attained) -> str:
    """The distances that may be asked about, in words."""
    if not attained.is_all:
        return f"at least {attained.least}"
    return f"one of {', '.join(map(str, attained.seen[:_SHOWN]))}{', …' if len(attained.seen) > _SHOWN else ''}"


def _has_paths(data: InputBlocks) -> bool:
    """Whether steps of length 1 through data sets of its universe join every two that are at a finite distance."""
    metric = data.input_premetric
    if metric.relation is None or metric.is_local:
        return False
    return all(metric.relation.is_complete(data.domain.ordered(universe)) for universe in data.multiverse)


def _power(asked: Asked, gamma: Fraction, d: int, sharpest: Any) -> Limit:
    printed = power_bounds(asked.alpha, gamma, d)
    sharp = printed if sharpest is None else (smallest_power(asked.alpha, gamma, d), sharpest(asked.alpha, gamma, d))
    return Limit(f"power.{d}", f"power of a test of size {asked.alpha}, distance {d}", printed, sharp)


_LONGEST = 72
_KINDS = ("printed", "sharpest")


def learned_from(built: PrivacyClaim) -> tuple[Learned, ...]:
    """What the budget of a claim lets someone learn, at each setting of its mechanism; nothing where none is bounded.

    Raises:
        EngineError: an exact computation disagrees with its independent value.
    """
    found = []
    for case in built.cases:
        try:
            found.append(as_learned(infer(built.with_listed_tables(MOST), case, Asked())))
        except InputError:  # no budget of pure differential privacy, an infinite one, or a mechanism that fails
            continue
    return tuple(found)


def as_learned(inference: Inference) -> Learned:
    """The bounds rounded outward, and the pictures for the smallest and the largest distance."""
    powers = tuple(
        Panel(f"tests, distance {d}", "false positive rate", "true positive rate", roc_region(one), roc_region(sharp))
        for d, (one, sharp) in inference.curves.items()
    )
    posteriors = tuple(_posterior(inference.gamma, d) for d in inference.curves)
    rows = tuple(_row(inference.name, one) for one in inference.limits)
    return Learned(inference.budget, rows, inference.notes, powers + posteriors)


def _row(name: str, limit: Limit) -> tuple[str, str, str, str, str]:
    exact = "not listed" if limit.exact is None else outward(*limit.exact)
    return (
        f"{name}.{limit.name}",
        shortened(limit.what, _LONGEST),
        outward(*limit.printed),
        outward(*limit.sharpest),
        exact,
    )


def _posterior(gamma: Fraction, d: int) -> Panel:
    regions = posterior_region(gamma, d), sharpest_posterior_region(gamma, d, FINEST)
    return Panel(f"posteriors, distance {d}", "prior", "posterior", *regions)


def as_json(inference: Inference) -> dict[str, Any]:
    """The bounds with exact fractions."""
    return {
        "id": inference.name,
        "budget": inference.budget,
        "gamma": str(inference.gamma),
        "alpha": str(inference.asked.alpha),
        "prior": str(inference.asked.share),
        "limits": [
            {
                "name": one.name,
                "what": one.what,
                "printed": _texts(one.printed),
                "sharpest": _texts(one.sharpest),
                "exact": None if one.exact is None else _texts(one.exact),
            }
            for one in inference.limits
        ],
        "roc": {
            str(d): {
                "printed": [_texts(v) for v in roc_region(one)],
                "sharpest": [_texts(v) for v in roc_region(sharp)],
            }
            for d, (one, sharp) in inference.curves.items()
        },
        "notes": list(inference.notes),
    }


def _texts(numbers: Interval) -> list[str]:
    return [str(number) for number in numbers]
