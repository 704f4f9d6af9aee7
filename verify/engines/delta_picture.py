"""The smallest δ at every ε: as a picture, with the likelihood ratios at which it bends, and for sympy."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import log
from typing import Any

from stirred.spec.budgets.privacy_curve import PrivacyCurve
from stirred.spec.numbers.enclosure import exponential
from stirred.verify.pictures.rendering import GREYS, monotone_points

Curves = Mapping[Fraction, PrivacyCurve]
"""The largest δ of the pairs at each distance d, as a function of γ = e^(ε·d)."""

_FINEST = 1_200
"""Parts of the picture's width and height that nobody tells apart."""

_DIGITS = 20
_DASHES = ("-", "--", "-.", ":")


def draw_deltas(curves: Sequence[tuple[str, Curves]], figure: Any) -> None:
    """Draw the smallest δ at every ε of some mechanisms, each with its name, into an empty figure."""
    figure.set_size_inches(7, 5)
    axes = figure.subplots()
    bends = [_bends(one) for _, one in curves]
    end = 1.2 * max((ends[-1] for ends in bends if ends), default=0) or 1.0
    for place, ((name, one), marks) in enumerate(zip(curves, bends, strict=True)):
        tone = GREYS[place // len(_DASHES) % len(GREYS)]
        axes.plot(*zip(*delta_line(one, end), strict=True), _DASHES[place % len(_DASHES)], color=tone, label=name)
        axes.plot(marks, [_delta(one, x) for x in marks], "D", mfc="white", mec=tone, ms=5, clip_on=False, zorder=3)
    axes.set(xlabel="ε", ylabel="δ", xlim=(0, end), ylim=(0, None))
    axes.set_title("the smallest δ; diamonds: likelihood ratios", fontsize="medium")
    axes.legend(fontsize="small")


def delta_line(curves: Curves, end: float) -> list[tuple[float, float]]:
    """Points (ε, δ) from ε = 0 to an end, the bends among them; lines between them are the curve to the eye.

    Between two points that are more than a 1200th of the width apart δ falls by at most a 1200th of what it is at 0.
    """
    places = sorted({0.0, end, *(x for x in _bends(curves) if x < end)})
    height = _delta(curves, 0.0) / _FINEST

    def middle(a: float, b: float) -> float | None:
        return (a + b) / 2 if b - a > end / _FINEST else None

    parts = [monotone_points(partial(_delta, curves), a, b, middle, height) for a, b in pairwise(places)]
    return [*parts[0], *(point for part in parts[1:] for point in part[1:])]


def _bends(curves: Curves) -> list[float]:
    """The ε at which the curve of some distance has a likelihood ratio."""
    pieces = ((d, piece.low) for d, curve in curves.items() if d for piece in curve.pieces())
    return sorted({(log(low.numerator) - log(low.denominator)) / d for d, low in pieces})


def _delta(curves: Curves, epsilon: float) -> float:
    """The smallest δ at ε, for display: e^(ε·d) is rounded down, so that δ is not too small."""
    gammas = (
        (curve, max(Fraction(1), exponential(Fraction(epsilon) * d, digits=_DIGITS).lower))
        for d, curve in curves.items()
    )
    return float(max((curve.delta(gamma) for curve, gamma in gammas), default=0))


def delta_cases(curves: Curves) -> Any:
    """The smallest δ as an expression of sympy in a positive symbol ε: the largest over the vertices of every curve."""
    import sympy as sp  # noqa: PLC0415 slow to import

    epsilon = sp.Symbol("epsilon", positive=True)

    def value(d: Fraction, level: Fraction, power: Fraction) -> Any:
        number = sp.Rational(*level.as_integer_ratio())
        return sp.Rational(*power.as_integer_ratio()) - number * sp.exp(epsilon * sp.Rational(*d.as_integer_ratio()))

    values = [value(d, *vertex) for d, curve in curves.items() for vertex in curve.vertices]
    return sp.Max(0, *values)
