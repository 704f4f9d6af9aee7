"""The picture of `stirred derive psa --plot`: article, Figure 2, and what may stand in place of the printed budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import log
from typing import Any

from spec.loss import Loss
from spec.permutation_swapping import psa_budget
from verify.engines.swapping.bounds import certified_budget, certified_two_category_budget, sharpened_budget
from verify.engines.swapping.loss import universe_loss
from verify.studies.picture import GREYS, write_picture

__all__ = ["plot_psa"]

_STRATA = (2, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 11_000_000)
_DASHES = ("-", "--", "-.", ":")
_RATES = tuple(Fraction(k, 500) for k in range(1, 500)) + tuple(1 - Fraction(k, 10**5) for k in range(199, 4, -2))
_FEW_RATES = tuple(Fraction(k, 20) for k in range(1, 20))
_SMALL, _LARGE = 10, 264_331
"""The b of article, section 3.6, and the largest stratum of its Table 2."""

_Budget = Callable[[Fraction], Loss]
"""A budget as a function of the swap rate."""


def plot_psa(path: str) -> None:
    """Draw three panels with the budget ε against the swap rate p into an SVG or PNG file.

    Left, as article, Figure 2: (7) for several b, the smallest budget of each b marked. The others, for b = 10 and for
    the largest stratum of the 1940 demonstration: (7) beside the sharp budget in b and p, that of all universes of two
    categories, and those of single universes, exact for b = 10 and certified for the larger one.

    Raises:
        InputError: matplotlib is not installed, the suffix is neither .svg nor .png, or the file cannot be written.
    """
    write_picture("--plot", path, _panels)


def _panels(figure: Any) -> None:
    figure.set_size_inches(13, 5)
    budgets, small, large = figure.subplots(1, 3, sharey=True)
    _figure_2(budgets)
    _beside(small, _SMALL)
    half = (_SMALL // 2, _SMALL - _SMALL // 2)
    for margins, mark in ((half, "o"), ((1, _SMALL - 1), "s")):
        _marks(small, mark, f"exact: {_named(margins)}", partial(universe_loss, margins, margins))
    _beside(large, _LARGE)
    half = (_LARGE // 2, _LARGE - _LARGE // 2)
    _marks(large, "o", f"certified: {_named(half)}", partial(certified_budget, half, half))
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
    _curve(axes, "-.", GREYS[1], label, partial(certified_two_category_budget, b), rates=_FEW_RATES)
    axes.set_title(f"b = {b:,}", fontsize="medium", pad=10)


def _curve(
    axes: Any, dashes: str, tone: str, label: str, budget: _Budget, *, rates: Sequence[Fraction] = _RATES
) -> None:
    points = [float(budget(rate)) for rate in rates], [float(rate) for rate in rates]
    axes.plot(*points, dashes, color=tone, label=label, linewidth=1.6)


def _marks(axes: Any, mark: str, label: str, budget: _Budget) -> None:
    points = [float(budget(rate)) for rate in _FEW_RATES], [float(rate) for rate in _FEW_RATES]
    axes.plot(*points, mark, ms=4, mfc="white", mec=GREYS[0], label=label)
