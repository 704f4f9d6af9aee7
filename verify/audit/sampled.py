"""The audit of a claim by draws from its mechanism: REFUTED but for a stated probability, or OPEN; never met."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, shown
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import decimal_text
from stirred.spec.numbers.open_parameter import open_parameter
from stirred.verify.audit.audit import AuditRecord, answered
from stirred.verify.audit.black_box.black_boxes import BlackBox, Called, Imported
from stirred.verify.audit.black_box.commands import Command
from stirred.verify.audit.black_box.interim_analyses import KeptLooks, Look, Plan, looks, run_key
from stirred.verify.audit.black_box.pairs import Pair, chosen_pairs
from stirred.verify.audit.black_box.sampling import Sampling, look_sizes
from stirred.verify.audit.black_box.workers import Drawers, OutOfTimeError, chunk_seed
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit, exhaust_laws
from stirred.verify.audit.exhaust.found import Exhaustion
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.process_control.workload import UNLIMITED
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.catalogue import LibraryFunction
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import loss_bounds
from stirred.verify.laws.claim.claim import Case, PrivacyClaim
from stirred.verify.laws.foreign import ForeignFunction
from stirred.verify.laws.local import LocalFunction

_ROUNDED = 4


@dataclass(frozen=True)
class SampledBound(Exhaustion):
    """What one look shows: two laws that every budget of the mechanism covers, but for a stated probability.

    Attributes:
        bound: the exhaustive audit of the two laws.
        about: the number of looks, seed, confidence and so on, as a witness keeps them.
    """

    bound: Exhaustion
    pair: Pair
    look: Look
    about: Mapping[str, Any]
    settles = Verdict.OPEN

    @property
    def finding(self) -> Evidence:
        return Evidence(Verdict.OPEN, self.scope, f"draws show that {self._least}, and no more; they never show less")

    @property
    def needed(self) -> str:
        return f"{self._least}, at confidence {self.about['confidence']}"

    @property
    def _least(self) -> str:
        least = self.bound.smallest
        if isinstance(least, Loss):
            return f"epsilon >= {_rounded_down(least.epsilon().lower)}"
        if isinstance(least, tuple) or least is None:
            return f"the power is >= {_rounded_down(self.look.p)} at level {_rounded_up(self.look.q)}"
        name = "rho^2" if hasattr(least, "lower") else "epsilon"
        return f"{name} >= {_rounded_down(getattr(least, 'lower', least))}"

    def test(self, budget: ClaimedBudget) -> Evidence:
        """REFUTED with the two laws as its witness, else OPEN."""
        tested = self.bound.test(budget)
        look, pair = self.look, self.pair
        counts = (
            f"{look.inside} and {look.inside_prime} of {look.draws} draws each under x = {_named(pair.x)} and "
            f"x' = {_named(pair.x_prime)}, d = {pair.distance}, lie in E = {{{look.event}}}"
        )
        if tested.verdict is not Verdict.REFUTED or tested.witness is None:
            detail = (
                f"not refuted with {look.draws} draws: {self._least}, as the claimed {budget.text} allows; {counts}"
            )
            return Evidence(Verdict.OPEN, self.scope, detail)
        ends = f"P[E | x] >= {_rounded_down(look.p)} and P[E | x'] <= {_rounded_up(look.q)}"
        detail = (
            f"sampled: {counts}; so {ends}, and {self._least}{self._delta(budget)}: above the claimed {budget.text}"
        )
        return Evidence(Verdict.REFUTED, self.scope, detail, {**tested.witness, "sampled": dict(self.about)})

    def _delta(self, budget: ClaimedBudget) -> str:
        """By how much δ would have to be larger at the claimed ε."""
        least = self.delta(budget)
        return "" if least is None else f" (or delta >= {_rounded_down(least)} at the claimed epsilon)"

    def delta(self, budget: ClaimedBudget) -> Fraction | None:
        """A δ that it needs at least at the claimed ε: p − e^(ε·d)·q; None where none above 0, or no ε is claimed."""
        if not isinstance(self.bound.smallest, Loss):
            return None
        high = [bound for _, bound in loss_bounds(budget)][-1].times(self.pair.distance)
        if high.gamma is None:
            return None
        ratio = high.ratio(48)
        least = None if ratio is None else self.look.p - ratio.upper * self.look.q
        return least if least is not None and least > 0 else None


def _named(data: Any) -> str:
    """A data set; one that is known by its text, as it is."""
    return data if isinstance(data, str) else shown(data)


def _rounded_down(value: Fraction) -> str:
    scale = 10**_ROUNDED
    whole, part = divmod(floor(value * scale), scale)
    return f"{whole}.{part:0{_ROUNDED}}"


def _rounded_up(value: Fraction) -> str:
    scale = 10**_ROUNDED
    whole, part = divmod(ceil(value * scale), scale)
    return f"{whole}.{part:0{_ROUNDED}}"


_MOST_PAIRS = 64
_MOST_TABLES = 2_000
_DIGITS = 30


@dataclass(frozen=True)
class SampledAudit:
    """What draws show of a claim.

    Attributes:
        found: of each setting of the mechanism, what its looks show; None where no look was finished.
    """

    record: AuditRecord
    found: tuple[SampledBound | None, ...]
    looks: tuple[tuple[Look, ...], ...]


def audit_sampled(
    built: PrivacyClaim,
    sampling: Sampling,
    *,
    box: BlackBox | None = None,
    objects: Mapping[Any, Any] | None = None,
) -> SampledAudit:
    """What draws show of a claim, at each setting of its mechanism; a setting ends with the look that refutes it.

    A box is drawn from in place of the claim's own mechanism, and given the objects that stand for its data sets.
    """
    built = built.with_listed_tables(_MOST_TABLES)
    _check(built)
    kept = None if sampling.resume is None else KeptLooks(sampling.resume, _key(built, sampling))
    deadline = time.monotonic() + sampling.seconds
    done = []
    for number, case in enumerate(built.cases):
        asked = _Asked(built, case, number, sampling, box or _black_box(built, case, sampling.generator), objects or {})
        done.append(tuple(_looked(asked, kept, deadline)))
        if not done[-1]:
            raise InputError(
                f"{built.id}: no look was finished within {sampling.seconds} s: raise --seconds, or see whether "
                "the mechanism answers"
            )
    found = tuple(_best(several) for several in done)
    under = ClaimUnderAudit(built, tuple(zip(built.cases, found, strict=True)))
    return SampledAudit(answered(under), found, tuple(tuple(one.look for one in several) for several in done))


def _check(built: PrivacyClaim) -> None:
    place = built.id
    if built.mechanism is None:
        raise InputError(f"{place}: a claim that is sampled must name its mechanism")
    if built.pufferfish is not None:
        raise InputError(f"{place}: beliefs have no draws: a claim that is sampled must be about data sets")
    if built.data is None or built.output_premetric is None:
        raise InputError(f"{place}: a claim that is sampled must list its data sets and name both premetrics")
    if not built.output_premetric.is_immune_to_post_processing:
        raise InputError(f"{place}: an event bounds only output premetrics that are immune to post-processing")
    for case in built.cases:
        if (opened := open_parameter(case.setting)) is not None:
            raise InputError(
                f"{place}: a mechanism that is sampled must have a number for each parameter; got {opened}"
            )


def _key(built: PrivacyClaim, sampling: Sampling) -> str:
    points = () if built.data is None else built.data.domain.points
    said = (points, built.invariants, built.input_premetric) if built.file is None else built.file.text
    return run_key(built.id, *said, sampling.draws, sampling.confidence, sampling.seed, sampling.digits)


def _black_box(built: PrivacyClaim, case: Case, default: str | None) -> BlackBox:
    """The claim's mechanism at one setting."""
    mechanism = built.mechanism
    if mechanism is None:
        raise InputError(f"{built.id}: a claim that is sampled must name its mechanism")
    place, setting = mechanism.place, case.setting
    if mechanism.command:
        folder = Path() if built.file is None else built.file.directory
        return Command(f"{place}.command", mechanism.command, folder, setting)
    function = mechanism.function
    if isinstance(function, ForeignFunction):
        return Imported(function.where, function.reference, function.directory, setting, function.generator, default)
    if isinstance(function, LocalFunction):
        return Called(function.function, setting, generator=function.generator, default=default)
    if not isinstance(function, LibraryFunction):
        raise InputError(f"{place}: {mechanism.name!r} has no program to draw from")
    return Called(function, setting, mechanism.name)


@dataclass(frozen=True)
class _Asked:
    built: PrivacyClaim
    case: Case
    number: int
    sampling: Sampling
    box: BlackBox
    objects: Mapping[Any, Any]

    def handed(self, point: Any) -> Any:
        """A data set as the claim's function is given it."""
        function = None if self.built.mechanism is None else self.built.mechanism.function
        return point if function is None else function.handed(point)


def _looked(asked: _Asked, kept: KeptLooks | None, deadline: Any) -> Iterator[SampledBound]:
    """The looks of one setting, until one refutes its budget or the time is up."""
    built, sampling = asked.built, asked.sampling
    if built.data is None or built.output_premetric is None or sampling.seed is None:
        return
    pairs = chosen_pairs(built.data, _MOST_PAIRS)
    if not pairs:
        raise InputError(f"{built.id}: no two data sets are compared, so that there is nothing to sample")
    points = list(dict.fromkeys(point for pair in pairs for point in (pair.x, pair.x_prime)))
    places = {point: place for place, point in enumerate(points)}
    given = [asked.objects.get(point, asked.handed(point)) for point in points]
    sizes, error = look_sizes(sampling.draws), (1 - sampling.confidence) / len(built.cases)
    seed = chunk_seed(sampling.seed, asked.number, "setting", 0)
    known = () if kept is None else kept.known(asked.number)
    done: list[Look] = list(known)
    listed = [(places[pair.x], places[pair.x_prime], pair.distance) for pair in pairs]
    try:
        with Drawers(asked.box, given, seed=seed, jobs=sampling.jobs, deadline=deadline) as drawers:
            if kept is not None:
                kept.check_fresh(drawers)
            plan = Plan(built.output_premetric, sizes, error, sampling.digits, _told(built.id))
            for look in looks(drawers, listed, plan, known):
                if look.number >= len(done):
                    done.append(look)
                    if kept is not None:
                        kept.keep(asked.number, done)
                found = _sampled(asked, look, points, len(sizes))
                yield found
                if asked.case.budget is not None and found.test(asked.case.budget).verdict is Verdict.REFUTED:
                    return
    except OutOfTimeError:
        return


def _told(name: str) -> Any:
    def tell(doing: str, done: int, total: int) -> None:
        with UNLIMITED.part(f"{name}: {doing}", total) as part:
            part.advance(done)

    return tell


def _sampled(asked: _Asked, look: Look, points: Sequence[Any], planned: int) -> SampledBound:
    """What one look shows, with the two laws that its ends give."""
    built, sampling = asked.built, asked.sampling
    if built.data is None or built.output_premetric is None or built.mechanism is None:
        raise InputError(f"{built.id}: a claim that is sampled must list its data sets")
    x, y, metric = points[look.x], points[look.x_prime], built.data.input_premetric
    q = look.q if look.p > look.q else look.p  # they show nothing
    laws = {point: Law({"in E": end, "not in E": 1 - end}) for point, end in ((x, look.p), (y, q))}
    flavor = Flavor(FiniteDomain((x, y)), Multiverse([(x, y)]), metric, built.output_premetric)
    distances = [Fraction(d) for d in (metric(x, y), metric(y, x)) if d is not None]
    described = built.mechanism.described(asked.case.setting)
    confidence = decimal_text(sampling.confidence, _DIGITS)
    rounded = "" if sampling.digits is None else f"; outputs rounded to {sampling.digits} digits first"
    scope = (
        f"sampled, confidence {confidence}, by exact binomial ends (Clopper and Pearson); look {look.number + 1} of "
        f"{planned}, seed {sampling.seed}{rounded}; {described}, if its draws are independent"
    )
    about = {
        "confidence": confidence,
        "seed": sampling.seed,
        **{name: value for name, value in look.record().items() if name != "left"},
    }
    bound = exhaust_laws(ComparedLaws(laws, flavor), scope)
    return SampledBound(bound.smallest, "", scope, bound, Pair(x, y, min(distances)), look, about)


def _best(several: Sequence[SampledBound]) -> SampledBound:
    """The last look, which refutes where any does; else the one that shows most, where that is known."""
    last = several[-1]
    best = last
    for one in several[:-1]:
        smallest, known = one.smallest, best.smallest
        if isinstance(smallest, Loss) and isinstance(known, Loss) and smallest > known:
            best = one
    return best
