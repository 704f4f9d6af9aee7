"""The picture of `stirred derive mechanism --plot`: the smallest δ at every ε."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import exp, log
from typing import Any

from verify.engines.smallest_delta import DeltaCurves
from verify.studies.picture import GREYS, write_picture

__all__ = ["plot_delta"]

_POINTS = 200
_DASHES = ("-", "--", "-.", ":")


def plot_delta(path: str, curves: Sequence[tuple[str, DeltaCurves]]) -> None:
    """Draw the smallest δ at every ε of some claims, with the likelihood ratios at which a curve bends.

    Raises:
        InputError: matplotlib is not installed, the suffix is neither .svg nor .png, or the file cannot be written.
    """
    write_picture("--plot", path, partial(_drawn, curves))


def _drawn(curves: Sequence[tuple[str, DeltaCurves]], figure: Any) -> None:
    figure.set_size_inches(7, 5)
    axes = figure.subplots()
    bends = [_bends(one) for _, one in curves]
    end = 1.2 * max((ends[-1] for ends in bends if ends), default=0) or 1.0
    for place, ((name, one), marks) in enumerate(zip(curves, bends, strict=True)):
        tone = GREYS[place // len(_DASHES) % len(GREYS)]
        places = sorted({*marks, *(end * k / _POINTS for k in range(_POINTS + 1))})
        axes.plot(places, [_delta(one, x) for x in places], _DASHES[place % len(_DASHES)], color=tone, label=name)
        axes.plot(marks, [_delta(one, x) for x in marks], "D", mfc="white", mec=tone, ms=5, clip_on=False, zorder=3)
    axes.set(xlabel="ε", ylabel="δ", xlim=(0, end), ylim=(0, None))
    axes.set_title("the smallest δ; diamonds: likelihood ratios", fontsize="medium")
    axes.legend(fontsize="small")


def _bends(curves: DeltaCurves) -> list[float]:
    """The ε at which the curve of some distance has a likelihood ratio."""
    pieces = ((d, piece) for d, curve in curves.by_distance.items() if d for piece in curve.pieces())
    return sorted({log(piece.low) / d for d, piece in pieces})


def _delta(curves: DeltaCurves, epsilon: float) -> float:
    """The smallest δ at ε, for display."""
    gammas = ((curve, max(Fraction(1), Fraction(exp(epsilon * d)))) for d, curve in curves.by_distance.items())
    return float(max((curve.delta(gamma) for curve, gamma in gammas), default=0))
