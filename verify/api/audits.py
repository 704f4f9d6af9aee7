"""What Python asks about a mechanism: smallest budget, audit, assertion, smallest δ and privacy curve."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal, overload

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import Multiplicative, OutputPremetric
from stirred.verify.api.blocks import (
    BlockArguments,
    CurveName,
    DistanceFunction,
    DistanceName,
    FractionName,
    Invariants,
    LossName,
    Output,
    RealName,
    RhoName,
)
from stirred.verify.api.budget import Budget, read_budget
from stirred.verify.api.build import StatedClaim, built_claim, merged_parameters
from stirred.verify.api.result import AuditResult, NotSatisfiedError, PowerCurve
from stirred.verify.api.stated import MET, place_of
from stirred.verify.audit.audit import answered
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit, Exhaustion, exhaust
from stirred.verify.audit.exhaust.parameter import OverParameter
from stirred.verify.audit.libraries.claiming_object import library_object
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.loss_function import LossFunction
from stirred.verify.engines.loss_in_epsilon import OPENED, EpsilonFormulas, LossOfEpsilon
from stirred.verify.engines.smallest_delta import DeltaCurves, delta_curves, needed_delta
from stirred.verify.engines.variation_function import VariationFunction
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
    output: FractionName,
    invariants: Invariants = (),
    delta: None = None,
    symmetry: Sequence[str] = (),
    generator: str | None = None,
    numerics: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: None = None,
    **named: Literal["symbol"],
) -> VariationFunction: ...


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
    generator: str | None = None,
    numerics: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Loss: ...


@overload
def smallest_budget(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    invariants: Invariants = (),
    output: LossName = "pure",
    delta: None = None,
    symmetry: Sequence[str] = (),
    generator: str | None = None,
    numerics: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: None = None,
    **named: Literal["symbol"],
) -> LossFunction: ...


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
    generator: str | None = None,
    numerics: str | None = None,
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
    generator: str | None = None,
    numerics: str | None = None,
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
    generator: str | None = None,
    numerics: str | None = None,
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
    generator: str | None = None,
    numerics: str | None = None,
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
    numerics: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> Any:
    """The smallest budget that a mechanism satisfies, exact, from every pair in every universe.

    Args:
        mechanism: a function of a data set, a source of randomness (annotated as `Source`, `numpy.random.Generator` or
            `random.Random`) and its parameters.
        data_sets: any finite iterable, or a domain.
        distance: the name of an input premetric, or a function of two data sets (None for ∞).
        invariants: functions; data sets on which they agree share a universe. Default: none, one universe.
        output: "pure", "approximate" (with delta), "zcdp", "total-variation", "tradeoff", "gdp", "kl", "chi-squared" or
            "hellinger" (its square); an output premetric of `stirred.spec`; or a function of two laws (None for ∞).
        delta: δ, a text such as "1/100" or an exact number; it makes the pure output premetric approximate.
        symmetry: exchanges that permute outcomes only, "records" (of ordered data sets) or "values" of records: they
            are checked, and then fewer pairs are compared.
        generator: "numpy", "random" or "source", if the mechanism is not annotated.
        numerics: "real" to ask about real numbers where digits of a double are released, "double" to ask what the
            doubles do.
        limits: choices per data set, and seconds.
        parameters: the mechanism's parameters by name, needed for names that this function takes, such as epsilon.
        **named: its other parameters; a text that reads as a number is passed as an exact `Fraction`.

    Returns:
        A `Loss` for pure and approximate privacy. With a parameter that is `SYMBOL`, "symbol" or "symbol in [1/4, 1/2]"
        a `LossFunction` of it for pure and approximate privacy, a `VariationFunction` for total variation (a
        `SplitLossFunction` if the mechanism compares its value); with parameters such as "1/(1 + exp(epsilon))" a
        `LossOfEpsilon`; for pure privacy with "exp(-1)" an enclosure in nats. For zCDP an enclosure of Bun and
        Steinke's ρ; for total variation a `Fraction`; for trade-off functions a curve; else a `Fraction` or a `Real`,
        which has an `enclosure`.
        If no finite budget is enough: `INFINITE` for pure and approximate privacy, None for the others. A curve is None
        too if those of two pairs cross.

    Raises:
        InputError: an argument is malformed; the mechanism fails on a data set, depends on more than its data and its
            source, or keeps state; or no two data sets are compared.

    >>> def answer(data, source, *, flip):
    ...     return 1 - data if source.bernoulli(flip) else data
    >>> print(smallest_budget(answer, data_sets=[0, 1], distance="absolute_difference", flip="1/4"))
    ln(3) ≈ 1.09861
    """
    claim = BlockArguments(
        data_sets=data_sets,
        distance=distance,
        invariants=invariants,
        output=output,
        delta=delta,
        symmetry=symmetry,
        generator=generator,
        numerics=numerics,
    )
    setting = merged_parameters(parameters, named)
    formulas = EpsilonFormulas.of(setting)
    if formulas is not None:
        setting = {name: value for name, value in setting.items() if name not in formulas.by_name} | {OPENED: "symbol"}
        mechanism = formulas.opened(mechanism)
    stated = StatedClaim(claim, setting, limits)
    with working("the audit", limits.seconds):
        built, found = _exhausted(mechanism, stated)
        if found.reservation:
            raise InputError(f"mechanism: {found.reservation}")
        _refuse_vacuous(built)
    smallest = _smallest(built, found)
    return smallest if formulas is None or smallest == INFINITE else LossOfEpsilon(smallest, formulas.parts)


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
    numerics: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> AuditResult:
    """Audit a mechanism against a claim, as `stirred audit` does for a claim file.

    The arguments are those of `smallest_budget`, and the claimed budget: `epsilon` (a decimal text, "ln 3", an exact
    number or a `Loss`), `rho` for zCDP, `mu` for Gaussian privacy, or the `curve` of a trade-off function.

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
            "mechanism must take its randomness as an argument; this library object generates its own: use "
            "stirred.estimate(…), which samples it"
        )
    claim = BlockArguments(
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
        numerics=numerics,
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
    numerics: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> AuditResult:
    """Assert that a mechanism is shown to satisfy its claim; the arguments are those of `audit`.

    Raises:
        NotSatisfiedError: an `AssertionError` with the worst pair, an event, and the violated inequality.
        InputError: as `smallest_budget`; or no budget is claimed.
    """
    __tracebackhide__ = True
    if epsilon is None and rho is None and mu is None and curve is None:
        raise InputError("epsilon must be given: a decimal text, 'ln 3', an exact number or a Loss")
    claim = BlockArguments(
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
        numerics=numerics,
    )
    return shown(lambda: audit_of(mechanism, StatedClaim(claim, merged_parameters(parameters, named), limits)))


def smallest_delta(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    epsilon: Budget,
    invariants: Invariants = (),
    generator: str | None = None,
    numerics: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> Fraction | Enclosure | VariationFunction:
    """The smallest δ at which a mechanism is (ε, δ)-private: P(E) ≤ e^(ε·d)·P'(E) + δ for every pair at distance d.

    The arguments are those of `smallest_budget`, and `epsilon`: a decimal text, "ln 3", an exact number or a `Loss`.

    Returns:
        A `Fraction` if e^(ε·d) is rational at every distance, else an enclosure. With a parameter that is "symbol" a
        `VariationFunction` of it.

    Raises:
        InputError: as `smallest_budget`; or a parameter is left open and e^(ε·d) is irrational.

    >>> def answer(data, source, *, flip):
    ...     return 1 - data if source.bernoulli(flip) else data
    >>> smallest_delta(answer, data_sets=[0, 1], distance="absolute_difference", epsilon="ln 2", flip="1/4")
    Fraction(1, 4)
    """
    claim = BlockArguments(
        data_sets=data_sets, distance=distance, invariants=invariants, generator=generator, numerics=numerics
    )
    stated = StatedClaim(claim, merged_parameters(parameters, named), limits)
    budget = read_budget(epsilon, None, None, Multiplicative())
    if budget is None:
        raise InputError("epsilon must be given: a decimal text, 'ln 3', an exact number or a Loss")
    exact = budget.loss if budget.epsilon is None else budget.epsilon.value
    with working("the smallest delta", limits.seconds):
        number = Fraction(0) if exact is None else exact
        built, found = _exhausted_for_events(mechanism, stated)
        if isinstance(found, OverParameter) and built.flavor is not None:
            return found.smallest_delta(built.flavor, number)
        laws, flavor, log_error = _finite_laws(built, found)
        return needed_delta(ComparedLaws(laws, flavor), number, log_error=log_error).delta


def privacy_curve(
    mechanism: Callable[..., Any],
    *,
    data_sets: FiniteDomain | Iterable[Any],
    distance: DistanceName | DistanceFunction,
    invariants: Invariants = (),
    generator: str | None = None,
    numerics: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> DeltaCurves:
    """The smallest δ at every ε: for each distance an exact curve, piecewise linear in γ = e^(ε·d).

    The arguments are those of `smallest_budget`; `.lines()` has the pieces in words.

    Raises:
        InputError: as `smallest_budget`.

    >>> def answer(data, source, *, flip):
    ...     return 1 - data if source.bernoulli(flip) else data
    >>> privacy_curve(answer, data_sets=[0, 1], distance="absolute_difference", flip="1/4").lines()[0]
    'delta = (3 - e^epsilon)/4 for 1 <= e^epsilon <= 3'
    """
    claim = BlockArguments(
        data_sets=data_sets, distance=distance, invariants=invariants, generator=generator, numerics=numerics
    )
    stated = StatedClaim(claim, merged_parameters(parameters, named), limits)
    with working("the curve", limits.seconds):
        laws, flavor, log_error = laws_of(mechanism, stated)
        return delta_curves(ComparedLaws(laws, flavor), log_error=log_error)


def shown(ask: Callable[[], AuditResult]) -> AuditResult:
    """The result of an audit that shows its claim, or an error; pytest hides our frames above it."""
    __tracebackhide__ = True
    try:
        found = ask()
    except InputError as error:
        raise InputError(str(error)) from None
    if not found.holds:
        raise NotSatisfiedError(found)
    return found


def audit_of(mechanism: Callable[..., Any], stated: StatedClaim) -> AuditResult:
    """`audit` of a claim that is put together already."""
    MET.update(place_of(mechanism, stated.budget))
    with working("the audit", stated.limits.seconds):
        built, found = _exhausted(mechanism, stated)
        (case,) = built.cases
        record = answered(ClaimUnderAudit(built, ((case, found),)))
    claimed = "" if case.budget is None else case.budget.text
    name = built.id if built.mechanism is None else built.mechanism.described(case.setting)
    return AuditResult(record, _smallest(built, found), five_blocks(built), claimed, name)


def laws_of(mechanism: Callable[..., Any], stated: StatedClaim) -> tuple[Mapping[Any, Law[Any]], Flavor, Fraction]:
    """The laws of a mechanism on all data sets, the first four blocks, and λ, up to which rational laws stand for them.

    They are refused if they are infinite, or functions of what was left open.
    """
    return _finite_laws(*_exhausted_for_events(mechanism, stated))


def _exhausted_for_events(mechanism: Callable[..., Any], stated: StatedClaim) -> tuple[PrivacyClaim, Exhaustion]:
    """An audit whose laws decide events: of unbounded noise and open parameters under (ε, δ), which keeps them."""
    built, found = _exhausted(mechanism, stated)
    if found.laws is None and found.nearby is None:
        of_events = replace(stated.claim, output="approximate", delta=Fraction(1, 2))
        built, found = _exhausted(mechanism, replace(stated, claim=of_events))
    _refuse_vacuous(built)
    return built, found


def _finite_laws(built: PrivacyClaim, found: Exhaustion) -> tuple[Mapping[Any, Law[Any]], Flavor, Fraction]:
    laws, log_error = (found.laws, Fraction(0)) if found.nearby is None else found.nearby
    if laws is None or built.flavor is None:
        raise InputError(f"mechanism must have finite laws; those of {built.id} are infinite or open")
    return laws, built.flavor, log_error


def _smallest(built: PrivacyClaim, found: Exhaustion) -> Any:
    """The smallest budget, with one `INFINITE` for every kind of infinite loss."""
    measure = built.output_premetric
    is_infinite = found.smallest is None or getattr(found.smallest, "is_infinite", False)
    if is_infinite and measure is not None and measure.has_losses:
        return INFINITE
    return PowerCurve(found.smallest) if isinstance(found.smallest, tuple) else found.smallest


def _refuse_vacuous(built: PrivacyClaim) -> None:
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
