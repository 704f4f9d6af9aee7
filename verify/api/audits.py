"""The audit of a mechanism from Python, by the engines of `stirred audit`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, overload

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import OutputPremetric
from stirred.verify.api.blocks import Blocks, Invariants, Output
from stirred.verify.api.budget import Budget
from stirred.verify.api.build import StatedClaim, built_claim, merged_parameters
from stirred.verify.api.distance import DistanceFunction
from stirred.verify.api.names import CurveName, DistanceName, FractionName, LossName, RealName, RhoName
from stirred.verify.api.result import AuditResult, NotSatisfiedError, PowerCurve
from stirred.verify.api.stated import MET, place_of
from stirred.verify.audit.audit import answered
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit, Exhaustion, exhaust
from stirred.verify.audit.libraries.claiming_object import library_object
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.process_control.workload import working
from stirred.verify.laws.claim.claim import PrivacyClaim, claim_vacuity
from stirred.verify.laws.claim.five_blocks import five_blocks
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits

Number = str | int | Fraction


@overload
def smallest_budget(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    invariants: Invariants = (),
    output: LossName = "pure",
    delta: Number | None = None,
    symmetry: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> Loss: ...


@overload
def smallest_budget(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    output: RhoName,
    invariants: Invariants = (),
    delta: None = None,
    symmetry: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> Enclosure | None: ...


@overload
def smallest_budget(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    output: FractionName,
    invariants: Invariants = (),
    delta: None = None,
    symmetry: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> Fraction | None: ...


@overload
def smallest_budget(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    output: CurveName | RealName | OutputPremetric | Callable[[Any, Any], Any],
    invariants: Invariants = (),
    delta: None = None,
    symmetry: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> Any: ...


def smallest_budget(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    invariants: Invariants = (),
    output: Output = "pure",
    delta: Number | None = None,
    symmetry: Sequence[str] = (),
    generator: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> Any:
    """The smallest budget that a mechanism satisfies: exact, by comparing every pair of every universe.

    Args:
        mechanism: a function of a data set, a generator of randomness (a `Source`, a `numpy.random.Generator` or a
            `random.Random`, as it is annotated) and its parameters.
        data_sets: any finite iterable, or a domain.
        distance: the name of an input premetric, or a function of two data sets (None for ∞).
        invariants: data sets on which these functions agree share a universe; unless given, all do.
        output: "pure", "approximate" (with delta), "zcdp", "total-variation", "tradeoff", "gdp", "kl", "chi-squared" or
            "hellinger" (its square); an output premetric of `stirred.spec`; or a function of two laws (None for ∞).
        delta: δ, a text such as "1/100" or an exact number; it makes the pure output premetric approximate.
        symmetry: what may be exchanged in all data sets at once without another law but for the outputs' names:
            "records" (of ordered data sets), "values" of records; it is checked, then fewer pairs are compared.
        generator: "numpy", "random" or "source", where the mechanism is not annotated.
        limits: choices on one data set, and seconds.
        parameters: of the mechanism, by name: for those that are called as an argument of ours, such as epsilon.
        **named: the other parameters; a text that reads as a number is given as an exact `Fraction`.

    Returns:
        A `Loss` for pure and approximate privacy; for pure privacy with a parameter that is `SYMBOL`, "symbol" or
        "symbol in [1/4, 1/2]", a `LossFunction` of it (a `SplitLossFunction` where the mechanism's code tells its
        values apart by comparing them), and with "exp(-1)" an enclosure in nats. For zCDP an enclosure of Bun and
        Steinke's ρ; for the total variation distance a `Fraction`; for trade-off functions a curve; for the others a
        `Fraction` or a `Real`, which prints itself and has an `enclosure`.
        Where no finite one is enough, it is `INFINITE` for pure and approximate privacy, whatever is left open, and
        None for the others; a curve is None, too, where those of two pairs cross.

    Raises:
        InputError: an argument is malformed, or the mechanism fails on a data set, draws on something else than its
            data and its source, or remembers its calls; or no two data sets are compared, so that there is none.

    >>> def answer(data, source, *, flip):
    ...     return 1 - data if source.bernoulli(flip) else data
    >>> print(smallest_budget(answer, data_sets=[0, 1], distance="absolute_difference", flip="1/4"))
    ln(3) ≈ 1.09861
    """
    claim = Blocks(
        data_sets=data_sets,
        distance=distance,
        invariants=invariants,
        output=output,
        delta=delta,
        symmetry=symmetry,
        generator=generator,
    )
    stated = StatedClaim(claim, merged_parameters(parameters, named), limits)
    with working("the audit", limits.seconds):
        built, found = _exhausted(mechanism, stated)
        _refuse_vacuous(built)
    return _smallest(built, found)


def audit(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    invariants: Invariants = (),
    output: Output = "pure",
    delta: Number | None = None,
    epsilon: Budget | None = None,
    rho: Number | None = None,
    mu: Number | None = None,
    curve: Sequence[Sequence[Any]] | None = None,
    symmetry: Sequence[str] = (),
    generator: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> AuditResult:
    """The auditor's answers about a mechanism, as `stirred audit` gives them about a claim file.

    Args:
        mechanism: as for `smallest_budget`, and so are all arguments that are not listed here.
        data_sets: the domain.
        distance: the input premetric.
        invariants: what is the same all over a universe.
        output: the output premetric.
        delta: δ.
        epsilon: the claimed budget: a decimal text, "ln 3", an exact number or a `Loss`.
        rho: the claimed budget for zCDP.
        mu: the claimed budget for Gaussian privacy.
        curve: the claimed budget for trade-off functions.
        symmetry: what may be exchanged in all data sets at once.
        generator: "numpy", "random" or "source", where the mechanism is not annotated.
        limits: choices on one data set, and seconds.
        parameters: of the mechanism, by name.
        **named: its other parameters.

    Raises:
        InputError: as `smallest_budget`.

    >>> def answer(data, source, *, flip):
    ...     return 1 - data if source.bernoulli(flip) else data
    >>> found = audit(answer, data_sets=[0, 1], distance="absolute_difference", epsilon="1", flip="1/4")
    >>> found.verdict.name, str(found.smallest), found.because.rpartition(": ")[2]
    ('REFUTED', 'ln(3) ≈ 1.09861', "P[E | x] = 3/4 > e^1 * 1/4 = e^1 * P[E | x'] (0.75 > 0.679571)")
    """
    if library_object(mechanism) is not None:
        raise InputError(
            "mechanism must be code that takes its randomness as an argument; got an object of a library that draws "
            "its own: write stirred.estimate(…), which draws from it"
        )
    claim = Blocks(
        data_sets=data_sets,
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
    )
    return audit_of(mechanism, StatedClaim(claim, merged_parameters(parameters, named), limits))


def assert_satisfies(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    invariants: Invariants = (),
    output: Output = "pure",
    delta: Number | None = None,
    epsilon: Budget | None = None,
    rho: Number | None = None,
    mu: Number | None = None,
    curve: Sequence[Sequence[Any]] | None = None,
    symmetry: Sequence[str] = (),
    generator: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> AuditResult:
    """Fail unless a mechanism is shown to satisfy its claim; the arguments are those of `audit`.

    Raises:
        NotSatisfiedError: an `AssertionError` that shows the worst pair, an event, and the inequality in numbers.
        InputError: as `smallest_budget`; or no budget is claimed.
    """
    __tracebackhide__ = True
    if epsilon is None and rho is None and mu is None and curve is None:
        raise InputError("epsilon must be given: a decimal text, 'ln 3', an exact number or a Loss")
    claim = Blocks(
        data_sets=data_sets,
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
    )
    return shown(lambda: audit_of(mechanism, StatedClaim(claim, merged_parameters(parameters, named), limits)))


def shown(ask: Callable[[], AuditResult]) -> AuditResult:
    """The result of an audit that shows its claim; what is raised has no frames of ours above it in pytest.

    Raises:
        NotSatisfiedError: the claim is not shown.
        InputError: the audit raised it.
    """
    __tracebackhide__ = True
    try:
        found = ask()
    except InputError as error:
        raise InputError(str(error)) from None
    if not found.holds:
        raise NotSatisfiedError(found)
    return found


def audit_of(mechanism: Callable[..., Any], stated: StatedClaim) -> AuditResult:
    """The audit of a mechanism and a claim that are put together already; see `audit`."""
    MET.update(place_of(mechanism, stated.budget))
    with working("the audit", stated.limits.seconds):
        built, found = _exhausted(mechanism, stated)
        (case,) = built.cases
        record = answered(ClaimUnderAudit(built, ((case, found),)))
    claimed = "" if case.budget is None else case.budget.text
    name = built.id if built.mechanism is None else built.mechanism.described(case.setting)
    return AuditResult(record, _smallest(built, found), five_blocks(built), claimed, name)


def laws_of(mechanism: Callable[..., Any], stated: StatedClaim) -> tuple[Mapping[Any, Law[Any]], Flavor]:
    """The exact laws of a mechanism on all data sets, and the first four blocks.

    Raises:
        InputError: they are not exact and finite, or as `smallest_budget`.
    """
    built, found = _exhausted(mechanism, stated)
    _refuse_vacuous(built)
    if found.laws is None or built.flavor is None:
        raise InputError(f"mechanism must have exact finite laws; those of {built.id} are enclosed or open")
    return found.laws, built.flavor


def _smallest(built: PrivacyClaim, found: Exhaustion) -> Any:
    """The smallest budget; an infinite loss is the same one, whatever is left open."""
    measure = built.output_premetric
    is_infinite = found.smallest is None or getattr(found.smallest, "is_infinite", False)
    if is_infinite and measure is not None and measure.has_losses:
        return INFINITE
    return PowerCurve(found.smallest) if isinstance(found.smallest, tuple) else found.smallest


def _refuse_vacuous(built: PrivacyClaim) -> None:
    """Refuse to give a number where none says anything."""
    vacuity = claim_vacuity(built)
    if vacuity.is_vacuous:
        raise InputError(f"data_sets must have two that share a universe at a finite distance; the claim is {vacuity}")


def _exhausted(mechanism: Callable[..., Any], stated: StatedClaim) -> tuple[PrivacyClaim, Exhaustion]:
    built = built_claim(mechanism, stated)
    (case,) = built.cases
    found = exhaust(built, case)
    if found is None:
        raise EngineError("a mechanism on a finite domain must be exhausted")
    return built, found
