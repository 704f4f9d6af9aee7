"""The picture of `stirred derive psa --plot`: article, Figure 2, and what may stand in place of the printed budget."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import exp, log
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.verify.engines.swapping.bounds import (
    certified_budget,
    certified_two_category_budget,
    sharpened_budget,
)
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.pictures.rendering import GREYS, write_picture

_STRATA = (2, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 11_000_000)
_DASHES = ("-", "--", "-.", ":")
_RATES = tuple(Fraction(k, 500) for k in range(1, 500)) + tuple(1 - Fraction(k, 10**5) for k in range(199, 4, -2))
_FEW_RATES = tuple(Fraction(k, 20) for k in range(1, 20))
_RATES_BY_ODDS = tuple(sorted({Fraction(round(1_000 / (1 + exp(k / 8))), 1_000) for k in range(-45, 46)}))
"""Evenly by the logarithm of the odds, in which certified budgets are nearly straight lines."""
_SMALL, _LARGE, _LEAST = 10, 264_331, 4
"""The b of article, section 3.6, and the largest stratum of its Table 2."""

_Budget = Callable[[Fraction], Loss]
"""A budget as a function of the swap rate."""

_Points = Sequence[tuple[float, float]]


def plot_psa(path: str, largest_stratum: int | None = None) -> None:
    """Draw three panels with the budget ε against the swap rate p into an SVG or PNG file.

    Left, as article, Figure 2: (7) for several b, the smallest budget of each b marked. The others, for b = 10 and for
    the largest stratum of the 1940 demonstration: (7) beside the sharp budget in b and p, that of all universes of two
    categories, and those of single universes, exact for b = 10 and certified for the larger one: where no certificate
    for its margins is found, what holds for any two categories, with a mark of its own.

    Args:
        largest_stratum: b of the right panel, at least 4, from where the sharp budget is proved.
    """
    large = _LARGE if largest_stratum is None else largest_stratum
    if large < _LEAST:
        raise InputError(f"--largest-stratum must be at least {_LEAST} with --plot; got {large}")
    write_picture("--plot", path, partial(_panels, large))


def _panels(most: int, figure: Any) -> None:
    figure.set_size_inches(13, 5)
    budgets, small, large = figure.subplots(1, 3, sharey=True)
    _figure_2(budgets)
    _beside(small, _SMALL)
    half = (_SMALL // 2, _SMALL - _SMALL // 2)
    for margins, mark in ((half, "o"), ((1, _SMALL - 1), "s")):
        _marks(small, mark, f"exact: {_named(margins)}", partial(universe_loss, margins, margins))
    _beside(large, most)
    half = (most // 2, most - most // 2)
    own, of_any = certified_marks(half)
    _points(large, "o", f"certified: {_named(half)}", own)
    _points(
        large,
        "x",
        "the same where no certificate for these counts is found:\nwhat any two categories need at most",
        of_any,
    )
    for axes in (budgets, small, large):
        axes.set(xlabel="budget ε", xlim=(0, None), ylim=(0, 1))
    budgets.set_ylabel("swap rate p")
    for axes in (small, large):
        axes.legend(loc="upper center", bbox_to_anchor=(1 / 2, -1 / 7), fontsize="small")


def _named(margins: Sequence[int]) -> str:
    return f"{' and '.join(f'{margin:,}' for margin in margins)} records on both sides"


def _figure_2(axes: Any) -> None:
    for place, b in enumerate(_STRATA):
        tone = GREYS[0] if place < len(_DASHES) else GREYS[2]
        _curve(axes, _DASHES[place % len(_DASHES)], tone, f"b = {b:,}", partial(psa_budget, b))
        side = (b + 1) ** 0.5
        axes.plot([log(b + 1) / 2], [side / (side + 1)], "D", ms=6, mfc="white", mec=tone, clip_on=False, zorder=3)
    for rate in (1 / 20, 1 / 2):
        axes.axhline(rate, color=GREYS[-1], linestyle=":", linewidth=1, zorder=0)
    axes.set_title("article, (7); diamonds: the smallest for each b", fontsize="medium", pad=10)
    axes.legend(loc="upper center", bbox_to_anchor=(1 / 2, -1 / 7), ncols=3, fontsize="small")


def _beside(axes: Any, b: int) -> None:
    """What b and p allow, and what they allow where every stratum has two categories."""
    _curve(axes, "-", GREYS[0], "printed: article, (7)", partial(psa_budget, b))
    _curve(axes, "--", GREYS[0], "sharp in b and p", partial(sharpened_budget, b))
    label = f"certified: any two categories, up to {b:,} records"
    for place, points in enumerate(certified_lines(b)):
        axes.plot(*zip(*points, strict=True), "-.", color=GREYS[1], label="" if place else label, linewidth=1.6)
    axes.set_title(f"b = {b:,}", fontsize="medium", pad=10)


def _curve(axes: Any, dashes: str, tone: str, label: str, budget: _Budget) -> None:
    points = [float(budget(rate)) for rate in _RATES], [float(rate) for rate in _RATES]
    axes.plot(*points, dashes, color=tone, label=label, linewidth=1.6)


def certified_lines(b: int) -> list[list[tuple[float, float]]]:
    """Points (ε, p) of the certified budget of any two categories, one line for each bound that gives it."""
    found = [(rate, certified_two_category_budget(b, rate)) for rate in _RATES_BY_ODDS]
    by_reason = groupby(found, key=lambda one: one[1].reason)
    return [[(float(budget), float(rate)) for rate, budget in group] for _, group in by_reason]


def certified_marks(margins: tuple[int, ...]) -> tuple[_Points, _Points]:
    """Points (ε, p) of the certified budget of two equal margins: by a certificate of theirs, and by none of theirs."""
    own: list[tuple[float, float]] = []
    of_any: list[tuple[float, float]] = []
    for rate in _FEW_RATES:
        budget = certified_budget(margins, margins, rate)
        is_own = budget < certified_two_category_budget(sum(margins), rate)
        (own if is_own else of_any).append((float(budget), float(rate)))
    return own, of_any


def _marks(axes: Any, mark: str, label: str, budget: _Budget) -> None:
    _points(axes, mark, label, [(float(budget(rate)), float(rate)) for rate in _FEW_RATES])


def _points(axes: Any, mark: str, label: str, points: _Points) -> None:
    if points:
        axes.plot(*zip(*points, strict=True), mark, ms=5, mfc="white", mec=GREYS[0], label=label)
