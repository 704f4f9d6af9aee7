"""Densities of one real number that are Σ c·t^k·e^(a·t) piece by piece, as released Laplace noise has on a path."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from stirred.spec.arguments import InputError
from stirred.spec.numbers.ball import Ball, ball_of
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient

Coefficient = Fraction | ExponentialQuotient

DensityTerms = Mapping[tuple[int, Fraction], Coefficient]
"""c by (k, a): Σ c·t^k·e^(a·t)."""

_SUM = r"\(([-0-9/: ]*)\)"
_QUOTIENT = re.compile(rf"e{_SUM}/{_SUM}")


@dataclass(frozen=True)
class PiecewiseDensity:
    """A density t -> Σ c·t^k·e^(a·t), piecewise; equal densities have equal texts.

    Its text has one piece after another, from −∞ on, with "; cut: " between them. A piece has terms "k a c", with
    ", " between them; a piece where the density is 0 has none. c is a fraction, or "e(r:q r:q)/(r:q)", which is
    Σ q·e^r over Σ q·e^r. In an output it stands as `density('…')`, in the place of the number that is released.

    Attributes:
        cuts: where one piece ends and the next begins, increasing.
        terms: of each piece: one more than cuts. Neighbours differ, and no c is 0.

    >>> exponential = PiecewiseDensity((Fraction(0),), ({}, {(0, Fraction(-1)): Fraction(1)}))
    >>> exponential.text()
    "density('; 0: 0 -1 1')"
    >>> PiecewiseDensity.read("; 0: 0 -1 1") == exponential
    True
    """

    cuts: tuple[Fraction, ...]
    terms: tuple[DensityTerms, ...]

    def __post_init__(self) -> None:
        if len(self.terms) != len(self.cuts) + 1 or list(self.cuts) != sorted(set(self.cuts)):
            raise InputError("a density must have one piece more than cuts, which increase")

    def at(self, point: Fraction) -> Ball:
        """The density at a point, from the right at a cut, in the present precision."""
        piece = self.terms[bisect_right(self.cuts, point)]
        parts = (_ball(c) * ball_of(point**k) * ball_of(a * point).exp() for (k, a), c in piece.items())
        return sum(parts, ball_of(Fraction(0)))

    def text(self) -> str:
        """As an output shows it."""
        shown = [", ".join(f"{k} {a} {_shown(c)}" for (k, a), c in sorted(piece.items())) for piece in self.terms]
        cut = [f"; {cut}: {piece}" for cut, piece in zip(self.cuts, shown[1:], strict=True)]
        return f"density({''.join([shown[0], *cut])!r})"

    @staticmethod
    def read(text: str) -> PiecewiseDensity:
        """The density of a text, that is of what stands in `density('…')`.

        Raises:
            InputError: it is no such text.
        """
        try:
            first, *others = text.split("; ")
            pairs = [one.split(":", 1) for one in others]
            return PiecewiseDensity(
                tuple(Fraction(cut) for cut, _ in pairs), tuple(map(_piece, (first, *(piece for _, piece in pairs))))
            )
        except (ValueError, ZeroDivisionError):
            raise InputError(f"a density must be written as pieces of terms 'k a c'; got {text!r}") from None


def _piece(text: str) -> dict[tuple[int, Fraction], Coefficient]:
    rows = (one.split(maxsplit=2) for one in text.split(",") if one.strip())
    return {(int(k), Fraction(a)): _coefficient(c) for k, a, c in rows}


def _coefficient(text: str) -> Coefficient:
    found = _QUOTIENT.fullmatch(text)
    if found is None:
        return Fraction(text)
    sums = ((one.split(":") for one in part.split()) for part in found.groups())
    return ExponentialQuotient(*({Fraction(r): Fraction(c) for r, c in part} for part in sums))


def _shown(c: Coefficient) -> str:
    if isinstance(c, Fraction):
        return str(c)
    above, below = (" ".join(f"{r}:{q}" for r, q in part.items()) for part in (c.above, c.below))
    return f"e({above})/({below})"


def _ball(c: Coefficient) -> Ball:
    return ball_of(c) if isinstance(c, Fraction) else c.ball()
