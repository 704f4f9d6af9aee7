"""What draws from any callable show of a budget: native code, libraries, continuous outputs, commands."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.mechanisms.generators.kinds import check_generator
from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.verify.api.blocks import Blocks, Invariants, read_output
from stirred.verify.api.budget import Budget, exact_argument, read_budget
from stirred.verify.api.build import StatedClaim, built_claim, merged_parameters
from stirred.verify.api.distance import DistanceFunction
from stirred.verify.api.names import DistanceName, OutputName
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
    """What draws show: REFUTED, but for a stated probability, or OPEN. A budget is never shown to hold.

    Attributes:
        smallest: a budget that the mechanism needs at least, but for that probability: a `Loss`; for zCDP an enclosure
            whose lower end it is; for the total variation distance a fraction; for trade-off functions a curve.
        looks: the events that were tested, with their counts and exact ends.
        seed: with which the draws are the same again, where the mechanism takes them from it.
        least_delta: a δ that it needs at least at the claimed ε; None where none above 0 is shown.
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
    """What draws show of a mechanism's budget: a lower bound with exact confidence, and whether it refutes a claim.

    Args:
        mechanism: any callable of a data set, or of a data set and a generator, as
            `stirred.verify.audit.black_box.black_boxes` says; the words of a command; a measurement of OpenDP or a
            mechanism of diffprivlib, whose own claim is taken where none is given.
        pairs: data sets of any type that differ by one unit, (x, x') at distance 1 or (x, x', d); unless given, those
            of `data_sets`, or of the library's object.
        data_sets: as for `stirred.audit`, with `distance`.
        distance: the input premetric of these.
        invariants: what is the same all over a universe of these.
        output: the output premetric; unless given that of the budget, or the object's own.
        delta: δ.
        epsilon: the claimed budget.
        rho: the claimed budget for zCDP.
        curve: the claimed budget for trade-off functions.
        d_in: of a measurement of OpenDP, the input distance that its claim is for.
        draws: of the last look, under each of two data sets.
        confidence: of a refutation, and of the bound.
        seed: of all draws; a new one unless given.
        seconds: after which no look is begun.
        jobs: processes, where the mechanism takes its generator.
        digits: significant digits to which numbers of outputs are rounded first.
        resume: a file that keeps the looks.
        generator: "numpy", "random" or "source", where the mechanism is not annotated.
        parameters: of the mechanism, by name, as they are.
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
            raise InputError("pairs must come without data_sets, distance and invariants: it gives all three")
        measured = read_output(measure, delta)
        built, objects = claim_of_pairs(pairs, measured, read_budget(epsilon, rho, curve, measured))
    elif data_sets is None or distance is None:
        raise InputError("pairs must be given, or data_sets with their distance")
    else:
        blocks = Blocks(data_sets=data_sets, distance=distance, invariants=invariants, **claim)  # type: ignore[arg-type]
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
    """Stands for a mechanism whose claim is built before it is drawn from."""
    return data


def _box(mechanism: Any, parameters: Mapping[str, Any], title: str, generator: str | None) -> BlackBox:
    if isinstance(mechanism, (list, tuple)):
        if not mechanism or not all(isinstance(word, str) for word in mechanism):
            raise InputError(f"mechanism must be callable, or the words of a command; got {mechanism!r}")
        return Command("mechanism", tuple(mechanism), Path.cwd(), parameters)
    if not callable(mechanism):
        raise InputError(f"mechanism must be callable, or the words of a command; got {mechanism!r}")
    return Called(mechanism, parameters, title, generator)
