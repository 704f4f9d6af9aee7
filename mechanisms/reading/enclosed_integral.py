"""Probabilities of several draws that are only enclosed: one integral with a proved error.

The draws must form a star: one that the others are compared with, each a draw of any law, or a sum of normal draws that
nothing else is asked of. Given the first the others are independent, and lie between ends with the probability that a
distribution function says. Between the values at which one bends the integrand is analytic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import flint

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.elimination import Inequality
from stirred.spec.numbers.ball import ball_of, box_of, ends_of, precision
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.real import EnclosedReal

_BITS = 160
_FAR = {BaseLaw.NORMAL: 20, BaseLaw.GUMBEL: 200, BaseLaw.LOGISTIC: 200, BaseLaw.LAPLACE: 200, BaseLaw.EXPONENTIAL: 200}
_BEYOND = Fraction(1, 1 << 280)
"""At least P(|Z| > far) for each law: 2·e^−200."""

_KINKS = {BaseLaw.UNIFORM: (0, 1), BaseLaw.EXPONENTIAL: (0,), BaseLaw.LAPLACE: (0,)}

_Line = tuple[Fraction, Fraction]
"""(σ, τ): σ·x + τ."""


class NoStarError(ArithmeticError):
    """Draws are tied otherwise."""


@dataclass
class _Leaf:
    """What is compared with the centre x of a star.

    Attributes:
        variance: what it is divided by the root of.
        lows: lines below it.
        highs: lines above it.
    """

    law: BaseLaw
    variance: Fraction = Fraction(1)
    lows: list[_Line] = field(default_factory=list)
    highs: list[_Line] = field(default_factory=list)

    def cuts(self) -> set[Fraction]:
        """Where the ends between which it lies change, or pass a kink of its law."""
        lines = [*self.lows, *self.highs]
        kinks = [(Fraction(0), Fraction(kink)) for kink in _KINKS.get(self.law, ())]
        pairs = [*combinations(lines, 2), *((line, kink) for line in lines for kink in kinks)]
        return {(one[1] - other[1]) / (other[0] - one[0]) for one, other in pairs if one[0] != other[0]}

    def ends(self, x: Fraction) -> tuple[_Line | None, _Line | None]:
        """The lines that it lies between near x."""

        def at(line: _Line) -> Fraction:
            return line[0] * x + line[1]

        return max(self.lows, key=at, default=None), min(self.highs, key=at, default=None)


def enclosed_mass(laws: Sequence[BaseLaw], conditions: Sequence[Inequality], error: Fraction) -> EnclosedReal:
    """The probability that draws meet conditions, which may be off by an error.

    Raises:
        NoStarError: they form no star.
    """
    with precision(_BITS):
        for centre in (None, *range(len(laws))):
            star = _star(laws, conditions, centre)
            if star is not None:
                found, off = _integral(None if centre is None else laws[centre], *star), error + _BEYOND
                ends = ends_of(found + box_of(-off, off))
                if ends is None:
                    raise ArithmeticError("an integral of normal, Gumbel or logistic draws is not enclosed")
                low = max(ends[0], Fraction(0))
                return EnclosedReal(Enclosure(low, max(low, min(ends[1], Fraction(1)))))
    names = sorted({law.name.lower() for law in laws})
    raise NoStarError(
        f"{len(laws)} draws of {', '.join(names)} noise are tied by {len(conditions)} conditions that form no star "
        "around one of them: their probability is not enclosed"
    )


def _star(
    laws: Sequence[BaseLaw], conditions: Sequence[Inequality], centre: int | None
) -> tuple[list[_Leaf], list[tuple[Fraction, bool]]] | None:
    """The leaves of the star around a draw, and its own ends; None where it is no star.

    Where there is no centre one condition is all that there is.
    """
    found: dict[frozenset[int], tuple[_Leaf, dict[int, Fraction]]] = {}
    ends: list[tuple[Fraction, bool]] = []
    for form, bound in conditions:
        terms = dict(form)
        of_centre = terms.pop(centre, Fraction(0)) if centre is not None else Fraction(0)
        if not terms:
            ends.append((bound / of_centre, of_centre > 0))
            continue
        first, *others = terms
        group = frozenset(terms)
        if others and any(laws[draw] is not BaseLaw.NORMAL for draw in group):
            return None
        scale = terms[first]
        ratios = {draw: c / scale for draw, c in terms.items()}
        leaf, known = found.setdefault(
            group, (_Leaf(laws[first], sum((c * c for c in ratios.values()), Fraction(0))), ratios)
        )
        if known != ratios:
            return None
        (leaf.highs if scale > 0 else leaf.lows).append((-of_centre / scale, bound / scale))
    if sum(map(len, found)) != len(frozenset[int]().union(*found)) or (centre is None and len(found) > 1):
        return None
    return [leaf for leaf, _ in found.values()], ends


def _integral(centre: BaseLaw | None, leaves: Sequence[_Leaf], own: Sequence[tuple[Fraction, bool]]) -> Any:
    if centre is None:
        share = _share(leaves[0], Fraction(0))
        return flint.arb(0) if share is None else share(flint.acb(0)).real
    low, high = centre.support
    far = Fraction(_FAR.get(centre, 0))
    least = max([-far if low is None else low, *(end for end, is_upper in own if not is_upper)])
    most = min([far if high is None else high, *(end for end, is_upper in own if is_upper)])
    cuts = {least, Fraction(0), most, *(cut for leaf in leaves for cut in leaf.cuts())}
    found = flint.arb(0)
    for start, end in pairwise(sorted(cut for cut in cuts if least <= cut <= most)):
        middle = (start + end) / 2
        shares = [_share(leaf, middle) for leaf in leaves]
        if None in shares:
            continue

        def integrand(x: Any, _: bool, shares: Sequence[Any] = shares, middle: Fraction = middle) -> Any:
            value = _density(centre, x, middle)
            for share in shares:
                value = value * share(x)
            return value

        found += flint.acb.integral(integrand, flint.acb(ball_of(start)), flint.acb(ball_of(end))).real
    return found


def _share(leaf: _Leaf, middle: Fraction) -> Any:
    """The probability that a leaf is between its ends, as a function of a complex number near x; None where it is 0."""
    low, high = leaf.ends(middle)
    if low is not None and high is not None and low[0] * middle + low[1] >= high[0] * middle + high[1]:
        return None
    root = ball_of(leaf.variance).sqrt()

    def below(line: _Line | None, other: int) -> Any:
        if line is None:
            return lambda _: other
        slope, shift = ball_of(line[0]) / root, ball_of(line[1]) / root
        place = line[0] * middle + line[1]
        return lambda x: _below(leaf.law, slope * x + shift, place)

    lower, upper = below(low, 0), below(high, 1)
    return lambda x: upper(x) - lower(x)


def _below(law: BaseLaw, z: Any, place: Fraction) -> Any:
    """The distribution function of a complex number, on the branch of a real place."""
    match law:
        case BaseLaw.UNIFORM:
            return z if 0 < place < 1 else flint.acb(int(place >= 1))
        case BaseLaw.EXPONENTIAL:
            return 1 - (-z).exp() if place > 0 else flint.acb(0)
        case BaseLaw.LAPLACE:
            return 1 - (-z).exp() / 2 if place > 0 else z.exp() / 2
        case BaseLaw.LOGISTIC:
            return 1 / (1 + (-z).exp())
        case BaseLaw.GUMBEL:
            return (-(-z).exp()).exp()
    return (-z / flint.arb(2).sqrt()).erfc() / 2


def _density(law: BaseLaw, x: Any, place: Fraction) -> Any:
    match law:
        case BaseLaw.UNIFORM:
            return flint.acb(1)
        case BaseLaw.EXPONENTIAL:
            return (-x).exp()
        case BaseLaw.LAPLACE:
            return (-x if place > 0 else x).exp() / 2
        case BaseLaw.LOGISTIC:
            falling = (-x if place > 0 else x).exp()
            return falling / (1 + falling) ** 2
        case BaseLaw.GUMBEL:
            return (-x - (-x).exp()).exp()
    return (-x * x / 2).exp() / (2 * flint.arb.pi()).sqrt()
