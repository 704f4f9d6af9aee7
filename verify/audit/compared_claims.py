"""Two claims about one mechanism, side by side: their blocks on each other's domains, and the mechanism's kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.domain import FiniteDomain
from stirred.spec.input_premetric import InputPremetric, pull_back
from stirred.spec.law import Law
from stirred.spec.multiverse import Multiverse
from stirred.spec.open_parameter import open_parameter
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, OutputPremetric, TotalVariation
from stirred.spec.recording import RecordingMap
from stirred.spec.specification import InputBlocks
from stirred.verify.audit.audited_laws import audited_laws
from stirred.verify.audit.claim_blocks import BuiltClaim, Case, build_claim
from stirred.verify.audit.claim_budget import ClaimedBudget
from stirred.verify.audit.claim_domain import freeze, refuse_tables
from stirred.verify.audit.claim_file import AuditClaim, read_claims, read_toml
from stirred.verify.audit.claim_table import Block
from stirred.verify.audit.partial_laws import refuse_partial
from stirred.verify.engines.algebra.corners import BLOCKS, CLAIMED, HONEST, Side
from stirred.verify.laws.foreign import Limits

__all__ = ["ComparedClaims", "read_claim", "read_recording"]

_MAX_PAIRS = 100_000
"""The most pairs whose constraints are laid side by side."""

_MEASURES = (Multiplicative, ApproximateMultiplicative, TotalVariation)


@dataclass(frozen=True)
class ComparedClaims:
    """Two claims about one mechanism.

    Attributes:
        honest: the first claim, with everything built.
        claimed: the second one.
        recording: the map from the honest domain to the claimed one; None where the domains are one set.
        is_part: whether the claimed domain lies inside the honest one and `recording` was not given.
        sides: for "H" and "C" the domain with the laws on it and all blocks as they read there.
        differing: the blocks in which the claims differ.
        changed: data sets on which the two kernels differ.
    """

    honest: BuiltClaim
    claimed: BuiltClaim
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
    def build(
        cls, honest: AuditClaim, claimed: AuditClaim, images: Mapping[Any, Any] | None, limits: Limits
    ) -> ComparedClaims:
        """Both claims, laid side by side.

        Args:
            honest: the first claim.
            claimed: the second one.
            images: a recording map from the honest domain to the claimed one, where the claimed one is no part of it.
            limits: under which the mechanisms run.

        Raises:
            InputError: a claim states no finite flavor or no mechanism, its output premetric has no exact distances,
                or the domains differ and no recording map joins them.
        """
        first, second = build_claim(honest, limits), build_claim(claimed, limits)
        return cls.of_built(first, second, images, lambda: _moved(second, first, limits), limits)

    @classmethod
    def of_built(
        cls,
        first: BuiltClaim,
        second: BuiltClaim,
        images: Mapping[Any, Any] | None,
        moved: Callable[[], tuple[Multiverse | None, InputPremetric | None]],
        limits: Limits,
    ) -> ComparedClaims:
        """Two claims that are built already, laid side by side.

        Args:
            first: the honest one.
            second: the claimed one.
            images: as for `build`.
            moved: the claimed multiverse and input premetric as they read on the honest domain, where the claimed
                domain is a part of it; None for what has no meaning there.
            limits: under which the mechanisms run.

        Raises:
            InputError: as `build`.
        """
        h, c = _finite(first), _finite(second)
        for built in (first, second):
            _measure(built)
        is_one_domain = set(h.domain) == set(c.domain)
        recording, is_part = None, False
        if images is not None:
            stray = next((x for x in images if x not in h.domain), None)
            if stray is not None:
                raise InputError(f"--recording must map data sets of {first.claim.id} only; {stray!r} is not one")
            recording = RecordingMap(h.domain, c.domain, images)
        elif not is_one_domain:
            stray = next((x for x in c.domain if x not in h.domain), None)
            if stray is not None:
                raise InputError(
                    f"{second.claim.id}: its domain must lie inside that of {first.claim.id}, or "
                    f"--recording must give a map from the one to the other; {stray!r} is in the second only"
                )
            is_part = True
        laws = {HONEST: _laws(first, limits, {})}
        one_mechanism = _runs_as(first) == _runs_as(second)
        laws[CLAIMED] = _laws(second, limits, laws[HONEST] if one_mechanism else {})
        sides = _sides((first, second), recording, laws, moved if is_part else None)
        join: Callable[[Any], Any] = (lambda x: x) if recording is None else recording
        shared = c.domain if is_part else h.domain
        changed = tuple(x for x in shared if laws[HONEST][x] != laws[CLAIMED][join(x)])
        differing = _differing((first, second), sides, has_recording=images is not None)
        return cls(first, second, recording, is_part, sides, differing, changed)


def read_claim(path: str) -> AuditClaim:
    """The one claim of a file.

    Raises:
        InputError: the file is malformed, or holds several claims.
    """
    claims = read_claims([path])
    if len(claims) != 1:
        raise InputError(f"{path}: must hold one claim to be compared; it holds {len(claims)}")
    return claims[0]


def read_recording(path: str) -> dict[Any, Any]:
    """A recording map from a TOML file: images = [[x, φ(x)], …].

    Raises:
        InputError: the file is malformed, or a data set is listed twice.
    """
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


def _finite(built: BuiltClaim) -> InputBlocks:
    mechanism = built.mechanism
    if built.pufferfish is not None:
        raise InputError(f"{built.claim.id}: must be about data sets to be compared; its domain is beliefs about them")
    if built.data is None or mechanism is None or (built.program is None and mechanism.function is None):
        missing = next(
            (name for name in ("domain", "multiverse", "input_premetric") if name not in built.claim.blocks), None
        )
        needed = f"the block {missing!r}" if missing else "a schema or listed data sets, and a mechanism that runs"
        raise InputError(f"{built.claim.id}: must state a finite flavor and a mechanism to be compared; give {needed}")
    pairs = sum(len(universe) * (len(universe) - 1) // 2 for universe in built.data.multiverse)
    if pairs > _MAX_PAIRS:
        raise InputError(
            f"{built.claim.id}: must have at most {_MAX_PAIRS} pairs of data sets that share a universe to be compared "
            f"with another claim; it has {pairs}: use fewer records or values, or smaller universes"
        )
    return built.data


def _measure(built: BuiltClaim) -> OutputPremetric:
    measure = built.output_premetric
    if not isinstance(measure, _MEASURES):
        name = "none" if measure is None else repr(measure.name)
        raise InputError(
            f"{built.claim.id}: output_premetric must be multiplicative, approximate_multiplicative or total_variation "
            f"to be compared exactly; got {name}"
        )
    return measure


def _case(built: BuiltClaim) -> Case:
    """The one setting of the mechanism that a claim is compared at."""
    if len(built.cases) != 1:
        raise InputError(f"{built.claim.id}: must be about one swap rate to be compared; got {len(built.cases)}")
    if (opened := open_parameter(built.cases[0].setting)) is not None:
        raise InputError(f"{built.claim.id}: must have a number for every parameter to be compared; got {opened}")
    return built.cases[0]


def _runs_as(built: BuiltClaim) -> tuple[Any, Any]:
    """What runs, as a function and its parameters."""
    function = None if built.mechanism is None else built.mechanism.function
    return built.program if function is None else function.identity, _case(built).setting


def _laws(built: BuiltClaim, limits: Limits, known: Mapping[Any, Law[Any]]) -> dict[Any, Law[Any]]:
    """The laws on a domain; those already known of the same mechanism are not followed again."""
    domain, mechanism = _finite(built).domain, built.mechanism
    if mechanism is None:
        raise InputError(f"{built.claim.id}: must name a mechanism that runs")
    new = [x for x in domain if x not in known]
    if not new:
        return {x: known[x] for x in domain}
    setting = _case(built).setting
    audited = audited_laws(mechanism, setting, built.program, new, limits, is_ordered=built.is_ordered)
    found = audited.exact(mechanism.place)
    refuse_partial(found, mechanism.place)
    return {x: known[x] if x in known else found[x] for x in domain}


def _sides(
    claims: tuple[BuiltClaim, BuiltClaim],
    recording: RecordingMap | None,
    laws: Mapping[str, Mapping[Any, Law[Any]]],
    moved: Callable[[], tuple[Multiverse | None, InputPremetric | None]] | None,
) -> dict[str, Side]:
    """Both flavors' blocks on both domains; the claimed ones are moved where the claimed domain is a part."""
    first, second = claims
    h, c = _finite(first), _finite(second)
    if recording is None and moved is None:
        multiverses = {HONEST: h.multiverse, CLAIMED: c.multiverse}
        premetrics = {HONEST: h.input_premetric, CLAIMED: c.input_premetric}
        return {
            HONEST: Side(h.domain, laws[HONEST], multiverses, premetrics),
            CLAIMED: Side(h.domain, laws[CLAIMED], multiverses, premetrics),
        }
    on_honest: tuple[dict[str, Multiverse], dict[str, InputPremetric]] = (
        {HONEST: h.multiverse},
        {HONEST: h.input_premetric},
    )
    on_claimed = {CLAIMED: c.multiverse}, {CLAIMED: c.input_premetric}
    if recording is not None:
        preimages = dict.fromkeys(recording.preimage(universe) for universe in c.multiverse)
        on_honest[0][CLAIMED] = Multiverse(universe for universe in preimages if universe)
        seen = c.input_premetric
        on_honest[1][CLAIMED] = pull_back(seen, recording, name=seen.name, resolution=seen.resolution)
    elif moved is not None:
        multiverse, premetric = moved()
        if multiverse is not None:
            on_honest[0][CLAIMED] = multiverse
        if premetric is not None:
            on_honest[1][CLAIMED] = premetric
    if all(x in h.domain for x in c.domain):
        on_claimed[0][HONEST] = h.multiverse.restricted_to(c.domain)
        on_claimed[1][HONEST] = h.input_premetric
    return {
        HONEST: Side(h.domain, laws[HONEST], *on_honest),
        CLAIMED: Side(c.domain, laws[CLAIMED], *on_claimed),
    }


_ANYTHING: Mapping[str, Any] = {"invariants": []}


def _moved(one: BuiltClaim, other: BuiltClaim, limits: Limits) -> tuple[Multiverse | None, InputPremetric | None]:
    """A claim's multiverse and input premetric as they read on the other claim's domain; None without a meaning."""
    domain = other.claim.blocks["domain"]
    place = one.claim.blocks["multiverse"].place
    by_multiverse = {
        "domain": domain,
        "multiverse": one.claim.blocks["multiverse"],
        "input_premetric": other.claim.blocks["input_premetric"],
    }
    by_premetric = {
        "domain": domain,
        "multiverse": Block(place, _ANYTHING),
        "input_premetric": one.claim.blocks["input_premetric"],
    }
    multiverse = _built_on(one.claim, by_multiverse, limits)
    premetric = _built_on(one.claim, by_premetric, limits)
    return (
        None if multiverse is None else multiverse.multiverse,
        None if premetric is None else premetric.input_premetric,
    )


def _built_on(claim: AuditClaim, blocks: Mapping[str, Block], limits: Limits) -> InputBlocks | None:
    try:
        return build_claim(replace(claim, blocks=blocks), limits).data
    except InputError:
        return None


def _differing(
    claims: tuple[BuiltClaim, BuiltClaim], sides: Mapping[str, Side], *, has_recording: bool
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
        or not _agree(side.domain, h.input_premetric, side.input_premetrics[CLAIMED]),
        "output_premetric": first.output_premetric != second.output_premetric,
    }
    return tuple(name for name in BLOCKS if differs[name])


def _agree(domain: FiniteDomain, one: InputPremetric, other: InputPremetric) -> bool:
    return all(one(x, y) == other(x, y) for x in domain for y in domain)
