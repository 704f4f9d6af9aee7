"""A claim on the mechanism itself, in the style of Hypothesis: a decorator, and its check."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.verify.api.audits import audit_of, shown
from stirred.verify.api.blocks import BlockArguments, DistanceFunction, DistanceName, Invariants, Output
from stirred.verify.api.budget import Budget
from stirred.verify.api.build import StatedClaim, merged_parameters
from stirred.verify.api.result import AuditResult
from stirred.verify.api.stated import CLAIMS, STATED, place_of, stated_claims
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits

F = TypeVar("F", bound=Callable[..., Any])


def satisfies(
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    invariants: Invariants = (),
    output: Output = "pure",
    delta: str | int | Fraction | None = None,
    epsilon: Budget | None = None,
    rho: str | int | Fraction | None = None,
    mu: str | int | Fraction | None = None,
    curve: Sequence[Sequence[Any]] | None = None,
    symmetry: Sequence[str] = (),
    generator: str | None = None,
    numerics: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> Callable[[F], F]:
    """State a claim on a mechanism, which is returned unchanged; it may carry several.

    `check` checks them, and so does pytest if the plugin collects the mechanism. The arguments are those of `audit`.

    Raises:
        InputError: no budget is claimed.

    >>> @satisfies(data_sets=(0, 1), distance="absolute_difference", epsilon="ln 3", flip="1/4")
    ... def answer(data, source, *, flip):
    ...     return 1 - data if source.bernoulli(flip) else data
    >>> [found.verdict.name for found in check(answer)]
    ['EXHAUSTED']
    """
    if epsilon is None and rho is None and mu is None and curve is None:
        raise InputError("epsilon must be given: a decimal text, 'ln 3', an exact number or a Loss")
    setting = merged_parameters(parameters, named)
    listed = data_sets if isinstance(data_sets, FiniteDomain) else tuple(data_sets)
    claim = BlockArguments(
        data_sets=listed,
        distance=distance,
        invariants=invariants,
        output=output,
        delta=delta,
        epsilon=epsilon,
        rho=rho,
        mu=mu,
        curve=curve,
        symmetry=symmetry,
        generator=generator,
        numerics=numerics,
    )

    def mark(mechanism: F) -> F:
        stated = (StatedClaim(claim, setting, limits), *stated_claims(mechanism))
        try:
            setattr(mechanism, CLAIMS, stated)
        except AttributeError:
            raise InputError(f"mechanism must be a function to carry a claim; got {mechanism!r}") from None
        STATED.update(place_of(mechanism, stated[0].budget))
        return mechanism

    return mark


def check(mechanism: Callable[..., Any]) -> tuple[AuditResult, ...]:
    """Check every claim that a mechanism carries; one result for each.

    Raises:
        NotSatisfiedError: an `AssertionError` for the first claim that is not shown, with pair, event and inequality.
        InputError: the mechanism carries no claim, or a malformed one.
    """
    __tracebackhide__ = True
    claims = stated_claims(mechanism)
    if not claims:
        raise InputError(f"mechanism must carry a claim, as @stirred.satisfies(…) gives it; got {mechanism!r}")
    found = []
    for stated in claims:  # no frame of a comprehension stands between a test and its failure
        found.append(check_stated(mechanism, stated))
    return tuple(found)


def check_stated(mechanism: Callable[..., Any], stated: StatedClaim) -> AuditResult:
    """Check one claim that a mechanism carries."""
    __tracebackhide__ = True
    return shown(lambda: audit_of(mechanism, stated))
