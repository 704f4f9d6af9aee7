"""Laws with released real numbers, pair by pair: what stands around the numbers splits both laws into parts.

Outcomes that differ in what stands around their numbers are disjoint. Within a part the law is a mixture of products of
independent densities; numbers that have one law throughout tell nothing and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import flint

from stirred.mechanisms.reading.exact import Exact
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Law
from stirred.spec.laws.piecewise_density import PiecewiseDensity
from stirred.spec.numbers.ball import Ball, ball_of, ends_of, precision
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.real import EnclosedReal, Number, order
from stirred.verify.engines.real_noise.leaves import RealLeaf, parted
from stirred.verify.engines.real_noise.mixture import excess, largest_ratio, mixture
from stirred.verify.engines.real_noise.moved_laplace import excess_of_moved, moves
from stirred.verify.engines.real_noise.named import UnknownError, moved_squared, ratio

Leaves = tuple[RealLeaf, ...]
Mixture = Mapping[Leaves, Number]
"""Masses by the laws of independent numbers."""

_Side = tuple[tuple[Leaves, Number], ...]

_BITS, _DIGITS = 256, 70
_COMBINED = re.compile(r"\('combinations \[[^']*\] of', (.*)\)", re.DOTALL)


def mixtures(law: Law[str], exponent: Fraction | None, log_error: Fraction | None) -> dict[str, dict[Leaves, Number]]:
    """The mixtures of a law by what stands around the numbers.

    Args:
        law: probabilities are rational, or functions of e^−exponent.
        exponent: q, where they are.
        log_error: λ, where they stand for numbers that differ by a factor of e^λ at most.
    """
    found: dict[str, dict[Leaves, Number]] = {}
    for text, mass in law.items():
        skeleton, leaves = parted(text)
        found.setdefault(skeleton, {})[leaves] = Fraction(1) if len(law) == 1 else _number(mass, exponent, log_error)
    return found


def _number(mass: Fraction | RationalFunction, exponent: Fraction | None, log_error: Fraction | None) -> Number:
    if isinstance(mass, RationalFunction):
        return ExponentialQuotient.of(mass, exponent or Fraction(1)).value
    if log_error:
        return EnclosedReal(Enclosure(mass * (1 - 2 * log_error), mass * (1 + 2 * log_error)))
    return Fraction(mass)


@dataclass(frozen=True)
class LawPart:
    """The outcomes of two laws that have the same around their numbers.

    Attributes:
        skeleton: what stands around them.
        kept: the places of the numbers whose laws differ.
        first, second: mixtures of these alone.
    """

    skeleton: str
    kept: tuple[int, ...]
    first: Mixture
    second: Mixture

    @cached_property
    def masses(self) -> tuple[Number, Number]:
        """The probability of the part under both."""
        return _total(self.first), _total(self.second)

    @cached_property
    def pairs(self) -> list[tuple[RealLeaf, RealLeaf]] | None:
        """The two laws of each number, where these are independent under both laws; else None."""
        if len(self.first) != 1 or len(self.second) != 1:
            return None
        return list(zip(*(next(iter(one)) for one in (self.first, self.second)), strict=True))

    @property
    def densities(self) -> tuple[PiecewiseDensity, PiecewiseDensity] | None:
        """The two weighted densities, of one number that has them in closed form; else None."""
        if len(self.kept) != 1:
            return None
        first, second = map(_mixed, self._sides)
        return None if first is None or second is None else (first, second)

    @property
    def _sides(self) -> tuple[_Side, _Side]:
        return tuple(self.first.items()), tuple(self.second.items())

    @property
    def largest_ratio(self) -> Number | None:
        """Sup P/P′ where both densities are known; None for ∞."""
        return _largest_ratio(*self._sides)

    def unknown(self) -> UnknownError:
        """Why nothing is known of the part."""
        if self.pairs is None and len(self.kept) > 1:
            return UnknownError(f"a mixture of laws of {len(self.kept)} numbers together")
        leaf = next(leaf for leaves in (*self.first, *self.second) for leaf in leaves)
        what = "a mixture" if self.pairs is None else f"{len(self.kept)} numbers" if len(self.kept) > 1 else "a number"
        return UnknownError(f"{what} with laws such as {leaf}")


@lru_cache(maxsize=4096)
def _mixed(side: _Side) -> PiecewiseDensity | None:
    """The weighted density of one number; None where it has none in closed form."""
    found = [(mass, leaf.density) for (leaf,), mass in side]
    if any(density is None or isinstance(mass, EnclosedReal) for mass, density in found):
        return None
    return mixture(found)  # type: ignore[arg-type]


@lru_cache(maxsize=4096)
def _largest_ratio(first: _Side, second: _Side) -> Number | None:
    """Pairs of data sets that differ elsewhere ask for the same."""
    one, other = map(_mixed, (first, second))
    return largest_ratio(one, other)  # type: ignore[arg-type]


def parts(first: Mapping[str, Mixture], second: Mapping[str, Mixture], place: str) -> Iterator[LawPart]:
    """The parts of two laws.

    Raises:
        InputError: the numbers of two outcomes are different combinations of independent ones.
    """
    check_combinations({*first, *second}, place)
    for skeleton in dict.fromkeys((*first, *second)):
        one, other = first.get(skeleton, {}), second.get(skeleton, {})
        everything = [*one, *other]
        kept = tuple(
            index
            for index in range(len(everything[0]))
            if not one or not other or len({leaves[index] for leaves in everything}) > 1
        )
        yield LawPart(skeleton, kept, _marginal(one, kept), _marginal(other, kept))


def check_combinations(skeletons: Iterable[str], place: str) -> None:
    """Refuse released numbers that are told by independent ones in several ways: their laws have atoms in common.

    Args:
        skeletons: what stands around them.
        place: for messages.
    """
    told: dict[str, str] = {}
    for skeleton in skeletons:
        found = _COMBINED.fullmatch(skeleton)
        if told.setdefault(found[1] if found else skeleton, skeleton) != skeleton:
            raise InputError(
                f"{place}: released numbers are combined of independent ones in several ways: release them alike on "
                "all data sets, or use --sampled"
            )


def _marginal(mixed: Mixture, kept: tuple[int, ...]) -> Mixture:
    found: dict[Leaves, Number] = {}
    for leaves, mass in mixed.items():
        key = tuple(leaves[index] for index in kept)
        found[key] = (Exact(found.get(key, Fraction(0))) + Exact(mass)).number
    return found


def _total(mixed: Mixture) -> Number:
    return sum(map(Exact, mixed.values()), Exact(0)).number


def part_ratio(part: LawPart) -> Number | None:
    """Sup P/P′ over the part; None for ∞.

    Raises:
        UnknownError: it is not known.
    """
    if not part.first:
        return Fraction(0)
    if not part.second:
        return None
    if part.densities is not None:
        return part.largest_ratio
    if part.pairs is None:
        raise part.unknown()
    unknown: UnknownError | None = None
    found: Exact = Exact(part.masses[0]) / Exact(part.masses[1])
    for one, other in part.pairs:
        try:
            factor = ratio(one, other)
        except UnknownError as error:
            unknown = error
            continue
        if factor is None:
            return None
        found = found * Exact(factor)
    if unknown is not None:
        raise unknown
    return found.number


def part_excess(part: LawPart, gamma: Fraction) -> Number:
    """∫ (P − γ·P′)⁺ over the part.

    Raises:
        UnknownError: it is not known.
    """
    mass, other = part.masses
    if not part.kept or not part.first or not part.second:
        found: Exact = Exact(mass) - Exact(other) * gamma
        return found.number if found > 0 else Fraction(0)
    if part.densities is not None:
        return excess(*part.densities, gamma)
    if part.pairs is None:
        raise part.unknown()
    if all({one.kind, two.kind} == {"normal"} for one, two in part.pairs):
        moved = moved_squared(part.pairs)
        ratio_of_masses = Exact(other) / Exact(mass)
        found = Exact(_normal_excess(moved, (ratio_of_masses * gamma).log().number)) * Exact(mass)
        return found.number
    largest = part_ratio(part)
    if largest is not None and order(largest, gamma) <= 0:
        return Fraction(0)
    shifts = moves(part.pairs)
    if shifts is None:
        raise part.unknown()
    log_gamma = (Exact(other) * gamma / Exact(mass)).log().number
    ends = Enclosure(log_gamma, log_gamma) if isinstance(log_gamma, Fraction) else log_gamma.enclosure(_DIGITS)
    found = Exact(excess_of_moved(shifts, ends)) * Exact(mass)
    return found.number


def _normal_excess(moved: Number, log_gamma: Number) -> Number:
    """E_γ of N(μ, 1) against N(0, 1), of μ² and ln γ: Φ(μ/2 − ln γ/μ) − γ·Φ(−μ/2 − ln γ/μ).

    Source: Dong, Roth and Su (2022), Corollary 2.13, which holds for every γ > 0.
    """
    with precision(_BITS):
        mu, c = _ball(moved).sqrt(), _ball(log_gamma)
        ends = ends_of(_normal(mu / 2 - c / mu) - c.exp() * _normal(-mu / 2 - c / mu))
    if ends is None:
        raise UnknownError("normal noise whose curve is not enclosed")
    return EnclosedReal(Enclosure(*ends))


def _ball(number: Number) -> Ball:
    return ball_of(number) if isinstance(number, Fraction) else number.ball()


def _normal(x: Ball) -> Ball:
    return (-x / flint.arb(2).sqrt()).erfc() / 2
