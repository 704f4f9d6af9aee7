"""Events that show P(E) > γ·P′(E) + δ: intervals of released numbers, with their probabilities.

How an event is found proves nothing; its probabilities do. They are computed exactly, or enclosed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from stirred.mechanisms.reading.exact import Exact
from stirred.spec.laws.piecewise_density import PiecewiseDensity
from stirred.spec.numbers.enclosure import Enclosure, decimal_text
from stirred.spec.numbers.reals.real import EnclosedReal, Number
from stirred.verify.engines.real_noise.leaves import SLOT, RealLeaf
from stirred.verify.engines.real_noise.mixture import mass_between, stretches
from stirred.verify.engines.real_noise.named import UnknownError, are_same, moved_squared, probability, ratio
from stirred.verify.engines.real_noise.parts import LawPart
from stirred.verify.engines.real_noise.quasi_polynomial import End, Interval

_DIGITS = 60
_FARTHEST = 60
_ROUNDING = Fraction(1, 2**40)
_STANDARD = RealLeaf("", "normal")
_PARTS = 64


@dataclass(frozen=True)
class RealEvent:
    """Some outcomes of one part.

    Attributes:
        words: which.
        first, second: their probabilities under both laws.
        blur: by how much these may differ where doubles are drawn, at most.
    """

    words: str
    first: Number
    second: Number
    blur: Fraction = Fraction(0)

    def ends(self) -> tuple[Enclosure, Enclosure]:
        """Both probabilities as enclosures."""
        return enclosed(self.first), enclosed(self.second)

    def margin(self, gamma: Fraction) -> Fraction:
        """P(E) − γ·P′(E), at least."""
        p, q = self.ends()
        return p.lower - gamma * q.upper


def enclosed(number: Number) -> Enclosure:
    """A number between two ends."""
    return Enclosure(number, number) if isinstance(number, Fraction) else number.enclosure(_DIGITS)


def part_events(part: LawPart, gamma: Fraction) -> Iterator[RealEvent]:
    """Events of a part with P(E) > γ·P′(E), disjoint; none where none is found."""
    if not part.kept or not part.second:
        yield RealEvent(part.skeleton, *part.masses)
    elif part.densities is not None:
        for low, high in _intervals(*part.densities, gamma):
            first, second = (mass_between(density, low, high) for density in part.densities)
            blur = sum((_blur(leaf, (low, high)) for (leaf,) in (*part.first, *part.second)), Fraction(0))
            yield RealEvent(_worded(part, {0: (low, high)}), first, second, blur)
    elif part.pairs is not None:
        try:
            yield from _of_product(part, part.pairs, gamma)
        except UnknownError:
            return


def _of_product(part: LawPart, pairs: list[tuple[RealLeaf, RealLeaf]], gamma: Fraction) -> Iterator[RealEvent]:
    """An event of independent numbers: of each an interval in which it is likelier by a factor of its own.

    The factors are shares of the one that is needed; a number whose ratio has no bound takes all of it.
    """
    one, other = (Exact(mass) for mass in part.masses)
    if all({a.kind, b.kind} == {"normal"} and are_same(a.parameter, b.parameter) for a, b in pairs):
        yield _half_space(part, pairs, gamma)
        return
    needed = enclosed((Exact(gamma) * other / one).log().number).upper
    losses = [_loss(*pair) for pair in pairs]
    endless = next((place for place, loss in enumerate(losses) if loss is None), None)
    total = sum((loss for loss in losses if loss is not None), Fraction(0))
    first, second, blur = one, other, Fraction(0)
    chosen: dict[int, tuple[End, End]] = {}
    for place, (pair, loss) in enumerate(zip(pairs, losses, strict=True)):
        if endless is None and loss:
            share = needed * loss / total
            found = _interval(*pair, share + (loss - share) / 1000)
        elif place == endless:
            found = _interval(*pair, needed)
        else:
            continue
        if found is None:
            return
        chosen[place] = found
        first, second = (
            mass * Exact(probability(leaf, *found)) for mass, leaf in zip((first, second), pair, strict=True)
        )
        blur += sum(_blur(leaf, found) for leaf in pair)
    yield RealEvent(_worded(part, chosen), first.number, second.number, blur)


def _loss(one: RealLeaf, other: RealLeaf) -> Fraction | None:
    found = ratio(one, other)
    return None if found is None else enclosed(Exact(found).log().number).lower


def _blur(leaf: RealLeaf, ends: tuple[End, End]) -> Fraction:
    """At most how probable it is that a double lies beyond an end of an interval and its real number does not."""
    total = Fraction(0)
    for end in ends:
        if end is not None:
            near = (abs(end) + max(map(abs, (enclosed(leaf.centre).lower, enclosed(leaf.centre).upper)))) * _ROUNDING
            below, beyond = (enclosed(probability(leaf, None, one)) for one in (end - near, end + near))
            total += beyond.upper - below.lower  # apart, as a sum of two such powers of e is slow
    return total


def _interval(one: RealLeaf, other: RealLeaf, log_gamma: Fraction) -> tuple[End, End] | None:
    """An interval in which one law is likelier than the other by more than a factor; None where none is found."""
    gamma = Exact(log_gamma.limit_denominator(10**9)).exp()
    first, second = one.density, other.density
    if first is not None and second is not None:
        inside = _intervals(first, second, enclosed(gamma.number).upper)
        return max(inside, key=lambda ends: enclosed(mass_between(first, *ends)).upper, default=None)
    gamma = Exact(EnclosedReal(enclosed(gamma.number)))  # a power of e with many digits is slow in exact sums
    reach = max(Fraction(1), abs(enclosed(one.parameter).upper)).limit_denominator(1000)
    start = enclosed(one.centre).lower.limit_denominator(1000)
    found: tuple[End, End] | None = None
    largest = Exact(0)
    for step in range(_FARTHEST):
        for sign in (1, -1):
            end = start + sign * reach * Fraction(2 ** (step // 2), 4)
            ends = (end, None) if sign > 0 else (None, end)
            p, q = (Exact(probability(leaf, *ends)) for leaf in (one, other))
            if enclosed((p - q * gamma).number).lower > enclosed(largest.number).upper:
                found, largest = ends, p - q * gamma
        if found is not None:
            return found
    return None


def _half_space(part: LawPart, pairs: list[tuple[RealLeaf, RealLeaf]], gamma: Fraction) -> RealEvent:
    """Σ a·t at least a number, a = (c − c′)/v: the best test between normal laws. With one number a is ±1."""
    line = [
        (Exact(one.centre) - Exact(other.centre), Exact(one.parameter), Exact(other.centre)) for one, other in pairs
    ]
    moved = Exact(moved_squared(pairs))
    factor = abs(line[0][1] / line[0][0]) if len(line) == 1 else Exact(1)
    masses = [Exact(mass) for mass in part.masses]
    slopes = [shift / v * factor for shift, v, _ in line]
    mean = sum((a * centre for a, (_, _, centre) in zip(slopes, line, strict=True)), Exact(0))
    deviation = moved.sqrt() * factor
    cut = ((Exact(gamma) * masses[1] / masses[0]).log() + moved / 2) * factor
    start = enclosed((mean + cut).number).upper.limit_denominator(10**3)
    least, most = (enclosed(((Exact(start) - mean - gap) / deviation).number) for gap in (Exact(0), moved * factor))
    first, second = (Exact(probability(_STANDARD, end, None)) for end in (most.upper, least.lower))
    near = abs(start) + sum(abs(enclosed((a * c).number).upper) for a, (_, _, c) in zip(slopes, line, strict=True))
    blur = enclosed((Exact(near * _ROUNDING) / deviation).number).upper
    terms = " + ".join(f"{_shown(a)}*{_slot(part, place)}" for place, a in enumerate(slopes))
    words = terms.removeprefix("1*") + f" >= {start}"
    if terms.startswith("-1*") and len(line) == 1:
        words = f"{_slot(part, 0)} <= {-start}"
    return RealEvent(_within(part, words), (first * masses[0]).number, (second * masses[1]).number, 2 * blur)


def _intervals(first: PiecewiseDensity, second: PiecewiseDensity, gamma: Fraction) -> Iterator[tuple[End, End]]:
    """Where first > γ·second, as intervals with short ends that are nearly all of it."""
    found: list[tuple[Interval | None, Interval | None]] = []
    for low, high, _ in stretches(first, second, gamma):
        if found and low is not None and found[-1][1] == low:
            found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    yield from (_short(*one) for one in found)


def _short(low: Interval | None, high: Interval | None) -> tuple[End, End]:
    start, stop = (None if low is None else low[1]), (None if high is None else high[0])
    if start is not None and low is not None and low[0] != low[1]:
        start = simplest(start, start + ((stop - start) if stop is not None else Fraction(1)) / _PARTS)
    if stop is not None and high is not None and high[0] != high[1]:
        stop = simplest(stop - ((stop - start) if start is not None else Fraction(1)) / _PARTS, stop)
    return start, stop


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the least denominator between two.

    >>> simplest(Fraction(314, 100), Fraction(315, 100))
    Fraction(22, 7)
    """
    if low < 0 < high:
        return Fraction(0)
    if high <= 0:
        return -simplest(-high, -low)
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    floor = low.numerator // low.denominator
    return floor + 1 / simplest(1 / (high - floor), 1 / (low - floor))


def _worded(part: LawPart, chosen: dict[int, tuple[End, End]]) -> str:
    said = []
    for place, (low, high) in chosen.items():
        name = _slot(part, place)
        ends = f"{low} <= {name}" if high is not None else f"{name} >= {low}"
        said += [f"{ends if low is not None else name}{f' <= {high}' if high is not None else ''}"]
    return _within(part, " and ".join(said))


def _within(part: LawPart, said: str) -> str:
    """A condition on the numbers, and what stands around them where that is anything."""
    return said if part.skeleton == SLOT else f"{part.skeleton} with {said}"


def _slot(part: LawPart, place: int) -> str:
    index = part.kept[place]
    return SLOT if part.skeleton.count(SLOT) == 1 else f"{SLOT} {index}"


def _shown(number: Exact) -> str:
    value = number.number
    return str(value) if isinstance(value, Fraction) else decimal_text(enclosed(value).lower, 6)


def best(events: Iterable[RealEvent], gamma: Fraction) -> list[RealEvent]:
    """Those that add to P(E) − γ·P′(E)."""
    return [event for event in events if event.margin(gamma) > 0]
