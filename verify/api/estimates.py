"""Lower bounds on a budget by sampling any callable: native code, libraries, continuous outputs, commands."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.mechanisms.generators.kinds import check_generator
from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.verify.api.blocks import (
    BlockArguments,
    DistanceFunction,
    DistanceName,
    Invariants,
    OutputName,
    read_output,
)
from stirred.verify.api.budget import Budget, exact_argument, read_budget
from stirred.verify.api.build import StatedClaim, built_claim, merged_parameters
from stirred.verify.api.result import AuditResult
from stirred.verify.audit.black_box.black_boxes import BlackBox, Called
from stirred.verify.audit.black_box.commands import Command
from stirred.verify.audit.black_box.interim_analyses import Look
from stirred.verify.audit.black_box.sampling import CONFIDENCE, DRAWS, Sampling
from stirred.verify.audit.libraries.claiming_object import library_object
from stirred.verify.audit.sampled import audit_sampled
from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.laws.claim.five_blocks import five_blocks
from stirred.verify.laws.claim.listed_pairs import about_box, claim_of_pairs
from stirred.verify.laws.foreign import DEFAULT_LIMITS

Number = str | int | Fraction


@dataclass(frozen=True, repr=False)
class Estimate(AuditResult):
    """What samples show at a stated confidence: REFUTED or OPEN. They never show that a budget holds.

    Attributes:
        smallest: a lower bound on the budget: a `Loss`; for zCDP an enclosure whose lower end it is; for total
            variation a fraction; for trade-off functions a curve.
        looks: the tested events, with their counts and exact confidence limits.
        seed: repeats the samples, if the mechanism draws from the generator that it is given.
        least_delta: a lower bound on δ at the claimed ε; None if none above 0 is shown.
    """

    looks: tuple[Look, ...] = field(default=(), repr=False)
    seed: int = 0
    least_delta: Fraction | None = None

    def __repr__(self) -> str:
        """Verdict, mechanism, the claimed budget and the bound on one line."""
        claimed = f", claimed {self.claimed}" if self.claimed else ""
        return f"<Estimate {self.verdict.name}: {self.mechanism}{claimed}, {self.needed}>"

    @property
    def needed(self) -> str:
        """The bound, with its confidence."""
        return one_line(self.record.needed).replace("rho^2 ", "rho ", 1)


def estimate(
    mechanism: Callable[..., Any] | Sequence[str] | object,
    *,
    pairs: Iterable[Sequence[Any]] | None = None,
    data_sets: FiniteDomain | Iterable[Any] | None = None,
    distance: DistanceName | DistanceFunction | None = None,
    invariants: Invariants = (),
    output: OutputName | None = None,
    delta: Number | None = None,
    epsilon: Budget | None = None,
    rho: Number | None = None,
    curve: Sequence[Sequence[Any]] | None = None,
    d_in: Any = 1,
    draws: int = DRAWS,
    confidence: Number = CONFIDENCE,
    seed: int | None = None,
    seconds: int = DEFAULT_LIMITS.seconds,
    jobs: int = 1,
    digits: int | None = None,
    resume: str | None = None,
    generator: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    **named: Any,
) -> Estimate:
    """Sample a mechanism for a lower bound on its budget, with exact confidence, that may refute a claim.

    Args:
        mechanism: any callable of a data set, or of a data set and a generator; the words of a command; an OpenDP
            measurement or a diffprivlib mechanism, whose own claim is the default.
        pairs: data sets of any type, (x, x') at distance 1 or (x, x', d). Default: those of `data_sets`, or of the
            library's object.
        data_sets: as for `stirred.audit`, with `distance`.
        distance: the input premetric of these.
        invariants: their invariants.
        output: the output premetric. Default: that of the budget, or the object's own.
        delta: δ.
        epsilon: the claimed budget.
        rho: the claimed budget for zCDP.
        curve: the claimed budget for trade-off functions.
        d_in: the input distance of an OpenDP measurement's claim.
        draws: samples per data set at the last look.
        confidence: of a refutation, and of the bound.
        seed: default: random.
        seconds: after which no look begins.
        jobs: processes, if the mechanism takes its generator.
        digits: significant digits to which numbers in outputs are rounded first.
        resume: a file that keeps the looks.
        generator: "numpy", "random" or "source", if the mechanism is not annotated.
        parameters: the mechanism's, by name, unchanged.
        **named: its other parameters.

    Raises:
        InputError: an argument is malformed, the mechanism fails, or no look was finished in time.

    >>> def noisy(data, rng):
    ...     return data + rng.normal()
    >>> found = estimate(noisy, pairs=[(0, 3)], epsilon="1", draws=2_000, seed=1)
    >>> found.verdict.name, found.holds
    ('REFUTED', False)
    """
    known = library_object(mechanism, d_in)
    if known is not None:
        mechanism = known.call
        if epsilon is None and rho is None and curve is None:
            epsilon, rho = known.budget.get("epsilon"), known.budget.get("rho")
            delta, output = known.budget.get("delta") if delta is None else delta, output or known.output  # type: ignore[assignment]
        if pairs is None and data_sets is None:
            pairs = known.pairs or None
    given = merged_parameters(parameters, named)
    said = None if generator is None else check_generator("generator", generator)
    box = _box(mechanism, given, "" if known is None else known.title, said)
    sampling = Sampling(draws, exact_argument("confidence", confidence), seed, seconds, jobs, resume, digits)
    measure = output or ("zcdp" if rho is not None else "tradeoff" if curve is not None else "pure")
    claim = {"output": measure, "delta": delta, "epsilon": epsilon, "rho": rho, "curve": curve}
    objects: dict[Any, Any] = {}
    if pairs is not None:
        if data_sets is not None or distance is not None or invariants:
            raise InputError("pairs cannot be combined with data_sets, distance or invariants: it gives all three")
        measured = read_output(measure, delta)
        built, objects = claim_of_pairs(pairs, measured, read_budget(epsilon, rho, curve, measured))
    elif data_sets is None or distance is None:
        raise InputError("pairs, or data_sets and distance, must be given")
    else:
        blocks = BlockArguments(data_sets=data_sets, distance=distance, invariants=invariants, **claim)  # type: ignore[arg-type]
        built = built_claim(_nothing, StatedClaim(blocks, {}))
    built = about_box(built, box.name)
    found = audit_sampled(built, sampling, box=box, objects=objects)
    (shown_,), (taken,), (case,) = found.found, found.looks, built.cases
    return Estimate(
        found.record,
        None if shown_ is None else shown_.smallest,
        five_blocks(built),
        "" if case.budget is None else case.budget.text,
        box.name,
        taken,
        sampling.seed or 0,
        None if shown_ is None or case.budget is None else shown_.delta(case.budget),
    )


def _nothing(data: Any, _: Any) -> Any:
    """Stands for a mechanism whose claim is built before it is sampled."""
    return data


def _box(mechanism: Any, parameters: Mapping[str, Any], title: str, generator: str | None) -> BlackBox:
    if isinstance(mechanism, (list, tuple)):
        if not mechanism or not all(isinstance(word, str) for word in mechanism):
            raise InputError(f"mechanism must be callable, or the words of a command; got {mechanism!r}")
        return Command("mechanism", tuple(mechanism), Path.cwd(), parameters)
    if not callable(mechanism):
        raise InputError(f"mechanism must be callable, or the words of a command; got {mechanism!r}")
    return Called(mechanism, parameters, title, generator)
