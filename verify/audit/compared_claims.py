"""Two claims about one mechanism, side by side: blocks on each other's domains, laws, and budgets that carry over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

from stirred.spec.algebra.recording import RecordingMap
from stirred.spec.arguments import InputError
from stirred.spec.blocks.input_premetric import InputPremetric, pull_back
from stirred.spec.blocks.multiverse import Multiverse, Universe, induced
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.open_parameter import open_parameter
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, OutputPremetric, TotalVariation
from stirred.verify.audit.refutation import worst_pair
from stirred.verify.engines.algebra.corners import BLOCKS, CLAIMED, HONEST, Corner, Side, corner_losses
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.reports.report import Bar
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.agreed_laws import refuse_partial
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import loss_bounds
from stirred.verify.laws.claim.claim import Case, PrivacyClaim, listed_vacuity
from stirred.verify.laws.claim.domain import DomainKind, freeze, refuse_tables
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.claim.text import read_toml
from stirred.verify.laws.foreign import AuditedFunction

_MAX_PAIRS = 100_000
"""The most pairs whose constraints are laid side by side."""

_MEASURES = (Multiplicative, ApproximateMultiplicative, TotalVariation)


@dataclass(frozen=True)
class ComparedClaims:
    """Two claims about one mechanism.

    Attributes:
        recording: the map from the honest domain to the claimed one; None where the domains are one set.
        is_part: whether the claimed domain lies inside the honest one and `recording` was not given.
        sides: for "H" and "C" the domain with the laws on it and all blocks as they read there.
        changed: data sets on which the two kernels differ.
    """

    honest: PrivacyClaim
    claimed: PrivacyClaim
    recording: RecordingMap | None
    is_part: bool
    sides: Mapping[str, Side]
    differing: tuple[str, ...]
    changed: tuple[Any, ...]

    @property
    def measures(self) -> Mapping[str, OutputPremetric]:
        """The two output premetrics."""
        return {HONEST: _measure(self.honest), CLAIMED: _measure(self.claimed)}

    @property
    def budgets(self) -> Mapping[str, ClaimedBudget | None]:
        """The two budgets."""
        return {HONEST: _case(self.honest).budget, CLAIMED: _case(self.claimed).budget}

    @classmethod
    def of(cls, first: PrivacyClaim, second: PrivacyClaim, images: Mapping[Any, Any] | None = None) -> ComparedClaims:
        """Two claims, laid side by side."""
        h, c = _finite(first), _finite(second)
        for built in (first, second):
            _measure(built)
        recording, is_part = None, False
        if images is not None:
            stray = next((x for x in images if x not in h.domain), None)
            if stray is not None:
                raise InputError(f"--recording must map data sets of {first.id} only; {stray!r} is not one")
            recording = RecordingMap(h.domain, c.domain, images)
        elif set(h.domain) != set(c.domain):
            stray = next((x for x in c.domain if x not in h.domain), None)
            if stray is not None:
                raise InputError(
                    f"{second.id}: its domain must lie inside that of {first.id}, or "
                    f"--recording must give a map from the one to the other; {stray!r} is in the second only"
                )
            is_part = True
        laws = {HONEST: _laws(first, {})}
        one_mechanism = _runs_as(first) == _runs_as(second)
        laws[CLAIMED] = _laws(second, laws[HONEST] if one_mechanism else {})
        sides = _sides((first, second), recording, laws, is_part=is_part)
        join: Callable[[Any], Any] = (lambda x: x) if recording is None else recording
        shared = c.domain if is_part else h.domain
        changed = tuple(x for x in shared if laws[HONEST][x] != laws[CLAIMED][join(x)])
        differing = _differing((first, second), sides, has_recording=images is not None)
        return cls(first, second, recording, is_part, sides, differing, changed)


def read_recording(path: str) -> dict[Any, Any]:
    """A recording map from a TOML file: images = [[x, φ(x)], …]."""
    block = Block(f"{path}:", read_toml(Path(path))).only(("images",))
    images: dict[Any, Any] = {}
    for index, row in enumerate(block.array("images")):
        if not isinstance(row, list) or len(row) != 2:
            raise InputError(f"{block.where('images')}[{index}] must be [data set, its image]; got {row!r}")
        point, image = freeze(row[0]), freeze(row[1])
        refuse_tables(f"{block.where('images')}[{index}]", (point, image))
        if point in images:
            raise InputError(f"{block.where('images')}[{index}]: {point!r} is listed twice")
        images[point] = image
    return images


def _finite(built: PrivacyClaim) -> InputBlocks:
    mechanism = built.mechanism
    if built.pufferfish is not None:
        raise InputError(f"{built.id}: must be about data sets to be compared; its domain is beliefs about them")
    if built.data is None or mechanism is None or mechanism.function is None:
        missing = next((name for name in ("domain", "multiverse", "input_premetric") if name not in built.words), None)
        needed = f"the block {missing!r}" if missing else "a schema or listed data sets, and a mechanism that runs"
        raise InputError(f"{built.id}: must state a finite flavor and a mechanism to be compared; give {needed}")
    pairs = sum(len(universe) * (len(universe) - 1) // 2 for universe in built.data.multiverse)
    if pairs > _MAX_PAIRS:
        raise InputError(
            f"{built.id}: must have at most {_MAX_PAIRS} pairs of data sets that share a universe to be compared "
            f"with another claim; it has {pairs}: use fewer records or values, or smaller universes"
        )
    return built.data


def _measure(built: PrivacyClaim) -> OutputPremetric:
    measure = built.output_premetric
    if not isinstance(measure, _MEASURES):
        name = "none" if measure is None else repr(measure.name)
        raise InputError(
            f"{built.id}: output_premetric must be multiplicative, approximate_multiplicative or total_variation "
            f"to be compared exactly; got {name}"
        )
    return measure


def _case(built: PrivacyClaim) -> Case:
    """The one setting of the mechanism that a claim is compared at."""
    if len(built.cases) != 1:
        raise InputError(f"{built.id}: must be about one swap rate to be compared; got {len(built.cases)}")
    if (opened := open_parameter(built.cases[0].setting)) is not None:
        raise InputError(f"{built.id}: must have a number for every parameter to be compared; got {opened}")
    return built.cases[0]


def _runs_as(built: PrivacyClaim) -> tuple[Any, Any]:
    return _function(built).identity, _case(built).setting


def _function(built: PrivacyClaim) -> AuditedFunction:
    if built.mechanism is None or built.mechanism.function is None:
        raise InputError(f"{built.id}: must name a mechanism that runs")
    return built.mechanism.function


def _laws(built: PrivacyClaim, known: Mapping[Any, Law[Any]]) -> dict[Any, Law[Any]]:
    """The laws on a domain; those already known of the same mechanism are not followed again."""
    domain, mechanism, kind = _finite(built).domain, built.mechanism, built.kind
    new = [x for x in domain if x not in known]
    if not new or mechanism is None or kind is None:
        return {x: known[x] for x in domain}
    audited = _function(built).laws(new, _case(built).setting, is_ordered=kind.order_matters)
    found = audited.exact(mechanism.place)
    refuse_partial(found, mechanism.place)
    return {x: known[x] if x in known else found[x] for x in domain}


def _sides(
    claims: tuple[PrivacyClaim, PrivacyClaim],
    recording: RecordingMap | None,
    laws: Mapping[str, Mapping[Any, Law[Any]]],
    *,
    is_part: bool,
) -> dict[str, Side]:
    """Both flavors' blocks on both domains; the claimed ones are moved where the claimed domain is a part."""
    first, second = claims
    h, c = _finite(first), _finite(second)
    is_inside = all(x in h.domain for x in c.domain)
    on_honest, on_claimed = {HONEST: h.multiverse}, {CLAIMED: c.multiverse}
    if recording is not None:
        preimages = dict.fromkeys(recording.preimage(universe) for universe in c.multiverse)
        on_honest[CLAIMED] = Multiverse(universe for universe in preimages if universe)
    elif not is_part:
        on_honest[CLAIMED] = c.multiverse
    else:
        with suppress(InputError):
            if first.kind is not None and (read := second.multiverse_on(first.kind)) is not None:
                on_honest[CLAIMED] = read
    if is_inside:
        on_claimed[HONEST] = h.multiverse.restricted_to(c.domain)
    honest, claimed = _universes(on_honest), _universes(on_claimed)
    ours = _premetric_on(first, first.kind, (*honest, *claimed) if is_inside else honest)
    images = () if recording is None else [frozenset(map(recording, universe)) for universe in h.multiverse]
    theirs = _premetric_on(second, second.kind, (*claimed, *images))
    premetrics = {HONEST: ours}
    if recording is not None:
        premetrics[CLAIMED] = pull_back(theirs, recording, name=theirs.name, resolution=theirs.resolution)
    elif not is_part:
        premetrics[CLAIMED] = theirs
    else:
        with suppress(InputError):
            premetrics[CLAIMED] = _premetric_on(second, first.kind, (*honest, *claimed))
    recorded = {CLAIMED: theirs, HONEST: ours} if is_inside else {CLAIMED: theirs}
    honest_side = Side(h.domain, laws[HONEST], on_honest, premetrics)
    return {HONEST: honest_side, CLAIMED: Side(c.domain, laws[CLAIMED], on_claimed, recorded)}


def _universes(multiverses: Mapping[str, Multiverse]) -> tuple[Universe, ...]:
    return tuple(universe for one in multiverses.values() for universe in one)


def _premetric_on(built: PrivacyClaim, kind: DomainKind | None, universes: Iterable[Universe]) -> InputPremetric:
    """A claim's input premetric on a domain, known wherever either claim compares: a function is asked for its values.

    It is asked on the whole domain, or on the pairs of these universes where it has no value elsewhere.
    """
    data = _finite(built)
    if kind is None:
        return data.input_premetric
    if kind.size**2 <= _MAX_PAIRS:
        with suppress(InputError):
            return built.premetric_on(kind, induced(kind.listed())) or data.input_premetric
    try:
        return built.premetric_on(kind, Multiverse(dict.fromkeys(universes))) or data.input_premetric
    except InputError as error:
        raise InputError(f"{built.id}: input_premetric must be known wherever either claim compares: {error}") from None


def _differing(
    claims: tuple[PrivacyClaim, PrivacyClaim], sides: Mapping[str, Side], *, has_recording: bool
) -> tuple[str, ...]:
    """The blocks in which the claims differ as objects, on the honest domain."""
    first, second = claims
    h, c = _finite(first), _finite(second)
    side = sides[HONEST]
    differs = {
        "domain": has_recording or set(h.domain) != set(c.domain),
        "multiverse": CLAIMED not in side.multiverses or set(side.multiverses[CLAIMED]) != set(h.multiverse),
        "input_premetric": CLAIMED not in side.input_premetrics
        or h.input_premetric.resolution != c.input_premetric.resolution  # one number, and another granularity
        or not _agree(side, () if has_recording else c.multiverse),
        "output_premetric": first.output_premetric != second.output_premetric,
    }
    return tuple(name for name in BLOCKS if differs[name])


def _agree(side: Side, more: Iterable[Universe]) -> bool:
    """Whether the two input premetrics are one wherever either claim compares."""
    one, other = side.input_premetrics[HONEST], side.input_premetrics[CLAIMED]
    universes = dict.fromkeys((*_universes(side.multiverses), *more))
    return all(one(x, y) == other(x, y) for universe in universes for x, y in permutations(universe, 2))


def transferred(claims: ComparedClaims, corner: Corner, scope: str) -> Evidence:
    """Whether the budget of the claimed file covers the loss under the honest blocks: a drop refutes it."""
    budget, measures = claims.budgets[CLAIMED], claims.measures
    if budget is None:
        return Evidence(Verdict.OPEN, scope, "the claimed file states no budget")
    if measures[HONEST].budgets != measures[CLAIMED].budgets:
        return Evidence(Verdict.OPEN, scope, "the budgets of the two output premetrics have different units")
    found = budget_met(claims, budget, corner, HONEST, scope)
    return Evidence(found.verdict, found.scope, f"under the honest blocks, {found.detail}", found.witness)


def budget_met(claims: ComparedClaims, budget: ClaimedBudget, corner: Corner, letter: str, scope: str) -> Evidence:
    """EXHAUSTED where the budget covers the corner's loss, REFUTED with the pair that needs more, else OPEN.

    It is OPEN too where that file's blocks compare nothing.
    """
    measure, side = claims.measures[letter], claims.sides[letter]
    vacuity = listed_vacuity(InputBlocks(side.domain, side.multiverses[letter], side.input_premetrics[letter]))
    if vacuity.is_vacuous:
        return vacuity.evidence(scope)
    for low, high in loss_bounds(budget) if measure.has_losses else _rational(budget):
        if measure.at_most(corner.budget, low):
            return Evidence(Verdict.EXHAUSTED, scope, f"the stated budget covers {_loss_text(corner.budget)}")
        if not measure.at_most(corner.budget, high):
            return _exceeded(claims, budget, corner, letter, bound=high, scope=scope)
    return Evidence(Verdict.OPEN, scope, "the stated budget and the exact loss agree to 48 digits")


def _rational(budget: ClaimedBudget) -> Iterator[tuple[Any, Any]]:
    number = None if budget.epsilon is None else budget.epsilon.value
    yield number, number


def _loss_text(value: Any) -> str:
    return "an infinite loss" if value is None else f"the exact loss {value}"


def _exceeded(
    claims: ComparedClaims, budget: ClaimedBudget, corner: Corner, letter: str, *, bound: Any, scope: str
) -> Evidence:
    side = claims.sides[letter]
    if corner.pair is None:
        raise EngineError("a loss above a budget must have a pair that needs it")
    worst = worst_pair(side.laws, claims.measures[letter], corner.pair, side.input_premetrics[letter])
    stated = f"{bound}" if isinstance(bound, Loss) else f"epsilon = {bound}"
    sentence = f"the stated budget, at most {stated}, is below {_loss_text(corner.budget)}"
    return Evidence(Verdict.REFUTED, scope, f"{sentence}; {worst.sentence(bound, budget)}", worst.witness(bound))


def shown(value: Any) -> str:
    """A budget as a person reads it."""
    return "infinite" if value is None else str(value)


def reading(corner: Corner) -> str:
    """The budget of a corner as a person reads it."""
    return shown(corner.budget) if corner.is_defined else "undefined"


def middle(budget: Loss) -> Fraction:
    """A finite budget in nats, to thirty digits."""
    enclosure = budget.epsilon(digits=30)
    return (enclosure.lower + enclosure.upper) / 2


def bars(claims: ComparedClaims, corners: Mapping[str, Corner]) -> tuple[Bar, ...]:
    """The corners as bars, in order."""
    return tuple(Bar(name, _label(claims, name), reading(one), _height(one)) for name, one in corners.items())


def _label(claims: ComparedClaims, name: str) -> str:
    """The blocks that are the claimed ones."""
    pairs = zip(BLOCKS, name, strict=True)
    exchanged = [block for block, letter in pairs if letter == CLAIMED and block in claims.differing]
    if not exchanged:
        return "all blocks honest"
    if len(exchanged) == len(claims.differing):
        return "all blocks as claimed"
    return f"{' and '.join(block.replace('_', ' ') for block in exchanged)} as claimed"


def _height(corner: Corner) -> Fraction | None:
    """The budget as a number to draw; losses in nats."""
    budget = corner.budget
    if not corner.is_defined or budget is None or (isinstance(budget, Loss) and budget.is_infinite):
        return None
    return middle(budget) if isinstance(budget, Loss) else Fraction(budget)


def with_and_without_invariants(built: PrivacyClaim) -> tuple[Bar, ...]:
    """What the mechanism needs under the claim's invariants, and without any: nothing where that is not to be had."""
    if not built.invariants or built.data is None or built.kind is None:
        return ()
    everything = induced(built.data.domain)
    try:
        premetric = built.premetric_on(built.kind, everything)
        if premetric is None:
            return ()
        data = replace(built.data, multiverse=everything, input_premetric=premetric)
        claims = ComparedClaims.of(replace(built, invariants=(), data=data), built)
    except InputError:  # no finite flavor, no mechanism that runs, several settings, or no exact output premetric
        return ()
    if not claims.differing:
        return ()
    labels = ("without invariants", "with the invariants of the claim")
    found = bars(claims, corner_losses(claims.sides, claims.measures, claims.differing))
    return tuple(replace(bar, label=label) for bar, label in zip(found, labels, strict=True))
