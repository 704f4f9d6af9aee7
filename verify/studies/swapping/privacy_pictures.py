"""Error against budget: the curves of all methods, privacy at equal error, and error at equal privacy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from verify.studies.picture import GREYS, logarithmic
from verify.studies.study import Row
from verify.studies.swapping.releases import PAIRS, PSA, TOPDOWN, TOYDOWN, Method
from verify.studies.swapping.side_by_side import (
    ERROR,
    SCALES,
    budget_at,
    budgets_by_value,
    curve_of,
    error_at,
    means_by_value,
)

__all__ = ["privacy", "side_by_side"]

_MARKS = ((PSA, GREYS[0], "s", "-"), (TOYDOWN, GREYS[1], "o", "--"), (TOPDOWN, GREYS[0], "^", "-."))
_UNITS = {PSA.name: "PSA (households)", TOYDOWN.name: "ToyDown (persons)", TOPDOWN.name: "TopDown (persons)"}
_AXES = {"epsilon": "ε (TopDown: at δ = 10⁻¹⁰)", "rho^2": "ρ² (PSA, ToyDown: what their ε gives)"}
_ERROR = "mean absolute error by block and race"


def _percent(rate: Fraction) -> str:
    return f"{float(100 * rate):g}%"


def privacy(figure: Any, rows: Sequence[Row]) -> None:
    """Error against budget on both scales; 2010-style swapping has an error and no budget, so it is a level."""
    figure.set_size_inches(12, 5)
    for axes, scale in zip(figure.subplots(1, 2, sharey=True), SCALES, strict=True):
        for method, tone, mark, line in _MARKS:
            curve = curve_of(rows, method, scale)
            axes.plot(
                [float(budget) for budget, _ in curve],
                [float(error) for _, error in curve],
                mark + line,
                color=tone,
                label=_UNITS[method.name],
            )
        axes.set(xlabel=_AXES[scale])
        logarithmic(axes, "xy")
        for rate, error in means_by_value(rows, PAIRS.name, *ERROR).items():
            level = axes.axhline(float(error), linestyle=":", color=GREYS[2], zorder=0)
            axes.annotate(_percent(rate), (1.01, float(error)), xycoords=("axes fraction", "data"), va="center")
        level.set_label("2010-style swapping at these rates: no finite budget")
    figure.axes[0].set(ylabel=_ERROR)
    _legend(figure)


def _legend(figure: Any) -> None:
    """One legend below all panels, which have the same marks."""
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(_MARKS) + 1)


def side_by_side(figure: Any, rows: Sequence[Row]) -> None:
    """On each scale, left the budgets at the errors of 2010-style swapping, right the errors at the PSA's budgets."""
    figure.set_size_inches(12, 8)
    errors = means_by_value(rows, PAIRS.name, *ERROR)
    for (left, right), scale in zip(figure.subplots(2, 2), SCALES, strict=True):
        label = _AXES[scale].partition(" ")[0]
        names = [f"2010-style at {_percent(rate)}:\nerror {float(error):.2f}" for rate, error in errors.items()]
        _lines(left, names, list(errors.values()), partial(budget_at, rows, scale))
        left.set(title=f"{label} at equal error; that of 2010-style swapping is infinite", xlabel=_AXES[scale])
        budgets = budgets_by_value(rows, PSA, scale)
        names = [f"PSA at {_percent(rate)}:\n{label} = {float(budget):.2f}" for rate, budget in budgets.items()]
        _lines(right, names, list(budgets.values()), partial(error_at, rows, scale))
        right.set(title=f"error at equal {label}", xlabel=_ERROR)
    _legend(figure)


def _lines(
    axes: Any, names: Sequence[str], levels: Sequence[Fraction], value: Callable[[Method, Fraction], Fraction | None]
) -> None:
    """A line for each level, with the value of each method that has one."""
    for method, tone, mark, _ in _MARKS:
        found = [(value(method, level), place) for place, level in enumerate(levels)]
        points = [(float(number), place) for number, place in found if number is not None]
        axes.plot(
            [x for x, _ in points], [y for _, y in points], mark, color=tone, markersize=8, label=_UNITS[method.name]
        )
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    logarithmic(axes, "x")
    axes.grid(axis="y", color=GREYS[3], linewidth=1)
    axes.set_axisbelow(True)
