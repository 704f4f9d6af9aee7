"""Recording maps: specifications on what was recorded, read as specifications on what was there to be recorded.

A recording map φ: 𝒳 → 𝒴 (imputation, duplication, clipping, top-coding) comes before the release. If T satisfies a
specification on 𝒴, then T ∘ φ satisfies its pull-back on 𝒳, and the Lipschitz factor of φ is the price in the units of
another premetric on 𝒳.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import Distance, InputPremetric, pull_back
from stirred.spec.blocks.multiverse import Multiverse, Universe
from stirred.spec.blocks.specification import Flavor, Specification


@dataclass(frozen=True)
class RecordingMap:
    """A total function φ from one domain to another.

    Attributes:
        domain: 𝒳, what is to be recorded.
        codomain: 𝒴, what is recorded.
        images: φ(x) for each x, or a function.

    Source: dissertation, section 2.4.2 (the recording-processing boundary).
    """

    domain: FiniteDomain
    codomain: FiniteDomain
    images: Mapping[Any, Any] | Callable[[Any], Any]
    _table: Mapping[Any, Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        table: dict[Any, Any] = {}
        for point in self.domain:
            if isinstance(self.images, Mapping):
                if point not in self.images:
                    raise InputError(f"a recording map must be total; {point!r} has no image")
                table[point] = self.images[point]
            else:
                table[point] = self.images(point)
            if table[point] not in self.codomain:
                raise InputError(f"a recording map must stay in its codomain; {point!r} is sent to {table[point]!r}")
        object.__setattr__(self, "_table", table)

    def __call__(self, point: Any) -> Any:
        """φ(x)."""
        return self._table[point]

    def preimage(self, universe: Iterable[Any]) -> Universe:
        """φ⁻¹(D)."""
        inside = frozenset(universe)
        return frozenset(point for point, image in self._table.items() if image in inside)


def inclusion(part: FiniteDomain, whole: FiniteDomain) -> RecordingMap:
    """The recording map of a part of a domain into the whole."""
    return RecordingMap(part, whole, lambda point: point)


def pulled_back(claim: Specification, recording: RecordingMap) -> Specification:
    """The specification of x ↦ T(φ(x)): universes φ⁻¹(D), distances d(φ(x), φ(x')), the same budgets.

    Where several universes have one preimage, it gets the smallest budget; empty preimages are left out.
    """
    flavor = claim.flavor
    if recording.codomain.points != flavor.domain.points:
        raise InputError("recording must end in the domain of the specification; its codomain is another one")
    measure = flavor.output_premetric
    budgets: dict[Universe, Any] = {}
    for universe in flavor.multiverse:
        if preimage := recording.preimage(universe):
            known, budget = budgets.get(preimage, measure.no_bound), claim.budgets[universe]
            budgets[preimage] = known if measure.at_most(known, budget) else budget
    premetric = flavor.input_premetric
    seen_through = pull_back(premetric, recording, name=f"{premetric.name}, recorded", resolution=premetric.resolution)
    return Specification(Flavor(recording.domain, Multiverse(budgets), seen_through, measure), budgets)


def restricted(claim: Specification, part: FiniteDomain) -> Specification:
    """The specification on a part of its domain: universes D ∩ A, the same distances and budgets."""
    return pulled_back(claim, inclusion(part, claim.flavor.domain))


def lipschitz_factor(inner: InputPremetric, outer: InputPremetric, pairs: Iterable[tuple[Any, Any]]) -> Distance:
    """The smallest u with outer(x, x') ≤ u·inner(x, x') at all of these pairs; None where no finite u does.

    With u·0 = 0: a positive `outer` at a distance `inner` = 0 has no finite factor. A pair at inner distance ∞ asks for
    nothing. For a recording map take the pulled-back premetric as `outer`.

    Source: dissertation, Proposition 2.4.15.
    """
    factor = Fraction(0)
    for x, y in pairs:
        small, large = inner(x, y), outer(x, y)
        if small is None or large == 0:
            continue
        if large is None or small == 0:
            return None
        factor = max(factor, Fraction(large) / Fraction(small))
    return factor
