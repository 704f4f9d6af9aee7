"""The smallest δ that a mechanism needs at an ε, and its whole privacy curve."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.api.audits import laws_of
from stirred.verify.api.blocks import Blocks, Invariants
from stirred.verify.api.budget import Budget, read_budget
from stirred.verify.api.build import StatedClaim, merged_parameters
from stirred.verify.api.distance import DistanceFunction
from stirred.verify.api.names import DistanceName
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.smallest_delta import DeltaCurves, delta_curves, needed_delta
from stirred.verify.evidence.process_control.workload import working
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits


def smallest_delta(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    epsilon: Budget,
    invariants: Invariants = (),
    generator: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> Fraction | Enclosure:
    """The smallest δ with which a mechanism is (ε, δ)-private at this ε, over all pairs in all universes.

    At distance d it asks for P(E) ≤ e^(ε·d)·P'(E) + δ.

    Args:
        mechanism: as for `smallest_budget`, and so are all arguments that are not listed here.
        data_sets: the domain.
        distance: the input premetric.
        epsilon: ε: a decimal text, "ln 3", an exact number or a `Loss`.
        invariants: what is the same all over a universe.
        generator: "numpy", "random" or "source", where the mechanism is not annotated.
        limits: choices on one data set, and seconds.
        parameters: of the mechanism, by name: for those that are called as an argument of ours, such as epsilon.
        **named: its other parameters.

    Returns:
        A `Fraction` where e^(ε·d) is rational at every distance, else an enclosure.

    Raises:
        InputError: as `smallest_budget`.

    >>> def answer(data, source, *, flip):
    ...     return 1 - data if source.bernoulli(flip) else data
    >>> smallest_delta(answer, data_sets=[0, 1], distance="absolute_difference", epsilon="ln 2", flip="1/4")
    Fraction(1, 4)
    """
    claim = Blocks(data_sets=data_sets, distance=distance, invariants=invariants, generator=generator)
    stated = StatedClaim(claim, merged_parameters(parameters, named), limits)
    budget = read_budget(epsilon, None, None, Multiplicative())
    if budget is None:
        raise InputError("epsilon must be given: a decimal text, 'ln 3', an exact number or a Loss")
    exact = budget.loss if budget.epsilon is None else budget.epsilon.value
    with working("the smallest delta", limits.seconds):
        laws, flavor = laws_of(mechanism, stated)
        return needed_delta(ComparedLaws(laws, flavor), Fraction(0) if exact is None else exact).delta


def privacy_curve(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    invariants: Invariants = (),
    generator: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> DeltaCurves:
    """The smallest δ at every ε: for each distance a curve that is exact and piecewise linear in γ = e^(ε·d).

    The arguments are those of `smallest_delta`; `.lines()` has the pieces in words.

    Raises:
        InputError: as `smallest_budget`.

    >>> def answer(data, source, *, flip):
    ...     return 1 - data if source.bernoulli(flip) else data
    >>> privacy_curve(answer, data_sets=[0, 1], distance="absolute_difference", flip="1/4").lines()[0]
    'delta = (3 - e^epsilon)/4 for 1 <= e^epsilon <= 3'
    """
    claim = Blocks(data_sets=data_sets, distance=distance, invariants=invariants, generator=generator)
    stated = StatedClaim(claim, merged_parameters(parameters, named), limits)
    with working("the curve", limits.seconds):
        laws, flavor = laws_of(mechanism, stated)
        return delta_curves(ComparedLaws(laws, flavor))
