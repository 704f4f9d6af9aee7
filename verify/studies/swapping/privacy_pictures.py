"""Error against budget: the curves of all methods, their budgets at equal error, and errors at an equal number.

The budgets are of different flavors: unit, invariants and measure differ, and the legend says how. An equal number is
no equal protection, and every picture says so.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from textwrap import fill
from typing import Any

from stirred.verify.pictures.rendering import GREYS
from stirred.verify.studies.picture import logarithmic, means_of_runs, runs_in_words
from stirred.verify.studies.study import Row
from stirred.verify.studies.swapping.releases import PAIRS, PSA, TOPDOWN, TOYDOWN, Method
from stirred.verify.studies.swapping.side_by_side import (
    ERROR,
    SCALES,
    budget_at,
    budgets_by_value,
    each_run,
    error_at,
    means_by_value,
    rows_by_run,
)

_MARKS = ((PSA, GREYS[0], "s", "-"), (TOYDOWN, GREYS[1], "o", "--"), (TOPDOWN, GREYS[0], "^", "-."))
_AXES = {"epsilon": "ε (TopDown: at δ = 10⁻¹⁰)", "rho^2": "ρ² (PSA, ToyDown: what their ε gives)"}
_ERROR = "mean absolute error by block and race"
_FLAVORS = "each method's number is of its own flavor (legend): equal numbers are not equal protection"
_WIDTH = 62

_Values = Mapping[tuple[Method, int], Sequence[Fraction]]
"""By method and level: what all runs together give, then what each run gives alone."""


def _percent(rate: Fraction) -> str:
    return f"{float(100 * rate):g}%"


def privacy(figure: Any, rows: Sequence[Row]) -> None:
    """Error against budget on both scales; 2010-style swapping has an error and no budget, so it is a level."""
    figure.set_size_inches(12, 6)
    for axes, scale in zip(figure.subplots(1, 2, sharey=True), SCALES, strict=True):
        for method, tone, mark, line in _MARKS:
            budgets, errors = budgets_by_value(rows, method, scale), each_run(rows, method.name, *ERROR)
            curve = sorted((budgets[value], runs) for value, runs in errors.items() if value in budgets)
            places, runs = [float(budget) for budget, _ in curve], [each for _, each in curve]
            means_of_runs(axes, places, runs, mark + line, color=tone, label=_flavor(method))
        axes.set(xlabel=_AXES[scale])
        logarithmic(axes, "xy")
        for rate, measured in each_run(rows, PAIRS.name, *ERROR).items():
            mean = float(sum(measured, Fraction()) / len(measured))
            level = axes.axhline(mean, linestyle=":", color=GREYS[2], zorder=0)
            axes.axhspan(float(min(measured)), float(max(measured)), color=GREYS[3], alpha=0.4, linewidth=0, zorder=-1)
            axes.annotate(_percent(rate), (1.01, mean), xycoords=("axes fraction", "data"), va="center")
        level.set_label("2010-style swapping at these rates (bands: its runs): no finite budget")
    figure.axes[0].set(ylabel=_ERROR)
    _words(figure, runs_in_words(len(rows_by_run(rows))))


def _flavor(method: Method) -> str:
    """The method with what its number is about."""
    return fill(f"{method.label}: {method.protects}", _WIDTH)


def _words(figure: Any, marks_and_bars: str) -> None:
    """A caption, and one legend below all panels, which have the same marks."""
    figure.suptitle(f"{_FLAVORS}\n{marks_and_bars}", fontsize="medium")
    marks, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(marks, labels, loc="outside lower center", ncols=2, fontsize="small")


def side_by_side(figure: Any, rows: Sequence[Row]) -> None:
    """On each scale, left the budgets at the errors of 2010-style swapping, right the errors at the PSA's numbers."""
    figure.set_size_inches(12, 9)
    errors, runs = means_by_value(rows, PAIRS.name, *ERROR), rows_by_run(rows)
    for (left, right), scale in zip(figure.subplots(2, 2), SCALES, strict=True):
        label = _AXES[scale].partition(" ")[0]
        names = [f"2010-style at {_percent(rate)}:\nerror {float(error):.2f}" for rate, error in errors.items()]
        levels = [list(means_by_value(some, PAIRS.name, *ERROR).values()) for some in (rows, *runs)]
        _lines(left, names, _values((rows, *runs), levels, partial(_budget_at, scale)))
        left.set(title=f"the {label} that each method's own flavor needs for this error\n(2010-style: infinite)")
        left.set(xlabel=_AXES[scale])
        budgets = budgets_by_value(rows, PSA, scale)
        names = [f"PSA at {_percent(rate)}:\n{label} = {float(budget):.2f}" for rate, budget in budgets.items()]
        levels = [list(budgets.values())] * (1 + len(runs))
        _lines(right, names, _values((rows, *runs), levels, partial(_error_at, scale)))
        right.set(title=f"error where the number {label} is the same\n(of different flavors)", xlabel=_ERROR)
    number = len(runs)
    read = (
        "off the line through the means of its runs" if number > 1 else "off the line through its one run, so no bars"
    )
    bars = f"; bars: off each of the {number} runs alone, where it gets there" if number > 1 else ""
    _words(figure, f"each value is read {read}{bars}")


def _budget_at(scale: str, rows: Sequence[Row], method: Method, error: Fraction) -> Fraction | None:
    return budget_at(rows, scale, method, error)


def _error_at(scale: str, rows: Sequence[Row], method: Method, budget: Fraction) -> Fraction | None:
    return error_at(rows, scale, method, budget)


def _values(
    tables: Sequence[Sequence[Row]],
    levels: Sequence[Sequence[Fraction]],
    value: Callable[[Sequence[Row], Method, Fraction], Fraction | None],
) -> _Values:
    """The value of each method at each level: of the first table, which has all runs, and of each one after it."""
    found: dict[tuple[Method, int], list[Fraction]] = {}
    for method, *_ in _MARKS:
        for place in range(len(levels[0])):
            each = [value(rows, method, own[place]) for rows, own in zip(tables, levels, strict=True)]
            if each[0] is not None:
                found[method, place] = [number for number in each if number is not None]
    return found


def _lines(axes: Any, names: Sequence[str], values: _Values) -> None:
    """A line for each level, with the value of each method that has one, and a bar over its runs."""
    for number, (method, tone, mark, _) in enumerate(_MARKS):
        mine = [(place + (number - 1) / 8, each) for (one, place), each in values.items() if one is method]
        middle = [float(each[0]) for _, each in mine]
        ends = [[float(each[0] - min(each)) for _, each in mine], [float(max(each) - each[0]) for _, each in mine]]
        style = {"fmt": mark, "color": tone, "markersize": 6, "capsize": 3, "label": _flavor(method)}
        axes.errorbar(middle, [place for place, _ in mine], xerr=ends, **style)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    logarithmic(axes, "x")
    axes.grid(axis="y", color=GREYS[3], linewidth=1)
    axes.set_axisbelow(True)
