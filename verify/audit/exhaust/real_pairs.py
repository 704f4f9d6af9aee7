"""What two data sets need whose laws are of released real numbers, under each output premetric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.reading.exact import Exact
from stirred.spec.blocks.specification import Flavor
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import decimal_text, exponential, least_enough
from stirred.spec.numbers.reals.radical_sum import RadicalSum
from stirred.spec.numbers.reals.real import EnclosedReal, Number, larger, order
from stirred.spec.output_premetrics import (
    ApproximateMultiplicative,
    GaussianTradeoff,
    Multiplicative,
    NormalizedRenyi,
    OutputPremetric,
    TotalVariation,
)
from stirred.verify.engines.real_noise.events import RealEvent, best, enclosed, part_events
from stirred.verify.engines.real_noise.named import UnknownError, are_same, moved_squared
from stirred.verify.engines.real_noise.parts import LawPart, part_excess, part_ratio, parts
from stirred.verify.engines.real_noise.quasi_polynomial import TouchingError
from stirred.verify.laws.claim.budget import MAX_EPSILON

_DIGITS = 40
_WIDTH = Fraction(1, 10**10)
_NUDGES = Fraction(1, 10**20), Fraction(1, 10**12)


@dataclass(frozen=True)
class RealPair:
    """Two data sets at a finite distance whose laws differ, in parts."""

    x: Any
    x_prime: Any
    distance: Fraction
    parts: tuple[LawPart, ...]

    @property
    def where(self) -> str:
        return f"x = {self.x}, x' = {self.x_prime}"

    def ratio(self) -> Number | None:
        """Sup P/P′; None for ∞."""
        largest: Number = Fraction(1)
        unknown: UnknownError | None = None
        for part in self.parts:
            try:
                found = part_ratio(part)
            except UnknownError as error:
                unknown = error
                continue
            if found is None:
                return None
            largest = larger(largest, found)
        if unknown is not None:
            raise unknown
        return largest

    def excess(self, gamma: Fraction) -> Number:
        """E_γ(P‖P′)."""
        found: Number = sum((Exact(part_excess(part, gamma)) for part in self.parts), Exact(0)).number
        return found

    def moved_squared(self) -> Number | None:
        """The largest Σ m²/v of normal noise over the parts, which are as probable under both; None for ∞."""
        if any(not part.first or not part.second for part in self.parts):
            return None
        largest: Number = Fraction(0)
        for part in self.parts:
            if any(isinstance(mass, EnclosedReal) for mass in part.masses) or not are_same(*part.masses):
                raise UnknownError("released noise beside choices that depend on the data")
            if part.kept:
                if part.pairs is None:
                    raise part.unknown()
                largest = larger(largest, moved_squared(part.pairs))
        return largest

    def events(self, gamma: Fraction) -> list[RealEvent]:
        """Disjoint events that show E_γ > 0, as far as they are found."""
        return best((event for part in self.parts for event in part_events(part, gamma)), gamma)


def pairs_of(
    mixed: Mapping[Any, Mapping[str, Any]], laws: Mapping[Any, Law[str]], flavor: Flavor, place: str
) -> Iterator[RealPair]:
    """The pairs at a finite distance whose laws differ, one of each kind."""
    known: dict[tuple[tuple[str, str], ...], int] = {}
    keys = {x: tuple((text, str(law[text])) for text in sorted(law)) for x, law in laws.items()}
    names = {x: known.setdefault(key, len(known)) for x, key in keys.items()}
    seen: set[tuple[int, int, Fraction]] = set()
    for universe in flavor.multiverse:
        points = flavor.domain.ordered(universe)
        for x in points:
            for y in points:
                d = flavor.input_premetric(x, y)
                if d is None or names[x] == names[y] or (names[x], names[y], Fraction(d)) in seen:
                    continue
                seen.add((names[x], names[y], Fraction(d)))
                yield RealPair(x, y, Fraction(d), tuple(parts(mixed[x], mixed[y], place)))


def _pure(_: OutputPremetric, pair: RealPair) -> Number | None:
    largest = pair.ratio()
    if largest is None:
        return None
    return _over(Exact(largest).log().number, pair.distance)


def _approximate(measure: OutputPremetric, pair: RealPair) -> Number | None:
    delta: Fraction = measure.parameters["delta"]

    def is_enough(epsilon: Fraction) -> bool:
        power = exponential(epsilon * pair.distance, digits=_DIGITS)
        if enclosed(_excess_near(pair, power.lower, -1)).upper <= delta:
            return True
        if enclosed(_excess_near(pair, power.upper, 1)).lower > delta:
            return False
        raise UnknownError(f"a curve that is delta = {delta} at epsilon = {decimal_text(epsilon, 6)}, or nearly so")

    if not pair.distance:
        return None if not is_enough(Fraction(0)) else Fraction(0)
    if not any(_holds(is_enough, Fraction(1 << k) / pair.distance) for k in range(0, 8, 2)):
        try:
            if not is_enough(Fraction(2 * MAX_EPSILON) / max(pair.distance, Fraction(1))):
                return None
        except UnknownError:
            raise UnknownError(
                f"a curve that no epsilon is known to bring to delta = {delta}, nor to miss it"
            ) from None
    return EnclosedReal(least_enough(is_enough, _WIDTH))


def _holds(is_enough: Callable[[Fraction], bool], epsilon: Fraction) -> bool:
    """Whether an ε is known to be enough."""
    with suppress(UnknownError):
        return is_enough(epsilon)
    return False


def _excess_near(pair: RealPair, gamma: Fraction, side: int) -> Number:
    """E_γ, or where P and γ·P′ touch that of a γ nearby, on the side where it bounds this one."""
    for nudge in (0, *_NUDGES):
        with suppress(TouchingError):
            return pair.excess(gamma * (1 + side * nudge))
    raise UnknownError("densities that touch, or nearly so")


def _variation(_: OutputPremetric, pair: RealPair) -> Number | None:
    return _over(pair.excess(Fraction(1)), pair.distance)


def _concentrated(_: OutputPremetric, pair: RealPair) -> Number | None:
    moved = pair.moved_squared()
    return None if moved is None else _over((Exact(moved) / 2).number, pair.distance**2)


def _gaussian(_: OutputPremetric, pair: RealPair) -> Number | None:
    if len(pair.parts) > 1:
        raise UnknownError("several outcomes beside normal noise")
    moved = pair.moved_squared()
    if moved is None:
        return None
    root = RadicalSum({moved: Fraction(1)}, 2).value if isinstance(moved, Fraction) else Exact(moved).sqrt().number
    return _over(root, pair.distance)


def _over(value: Number, distance: Fraction) -> Number | None:
    """The smallest budget ε with value ≤ ε·distance."""
    if not distance:
        return None if order(value, Fraction(0)) > 0 else Fraction(0)
    return value / distance if isinstance(value, Fraction) else value.times(1 / distance)


NEEDS: Mapping[type[OutputPremetric], Callable[[OutputPremetric, RealPair], Number | None]] = {
    Multiplicative: _pure,
    ApproximateMultiplicative: _approximate,
    TotalVariation: _variation,
    NormalizedRenyi: _concentrated,
    GaussianTradeoff: _gaussian,
}
"""By the output premetric: the smallest budget of a pair, None for ∞; `UnknownError` where it is not known."""
