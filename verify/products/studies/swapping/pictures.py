"""The study's table as curves through means, and its pictures: errors, rural counties, variance, entropy, regression.

The budgets are of different flavors (`products.studies.swapping.releases`): equal numbers are not equal protection.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from textwrap import fill
from typing import Any

from stirred.verify.evidence.pictures.rendering import GREYS, box_plots, logarithmic, means_of_runs, runs_in_words
from stirred.verify.products.studies.study import Row, mean_of, percent_text, runs_by
from stirred.verify.products.studies.swapping.race_counts import RACES, REMOVALS_FIRST
from stirred.verify.products.studies.swapping.releases import (
    PAIRS,
    PAIRS_HIGH_VARIANCE,
    PSA,
    REDISTRICTING,
    TOPDOWN,
    TOYDOWN,
    Method,
)

ERROR = ("mean absolute error", "block")
"""The error that methods are compared by: of persons by block and race (swapping study, Table 4)."""

SCALES = ("epsilon", "rho^2")
"""The columns of the table that hold a budget."""

Curve = Sequence[tuple[Fraction, Fraction]]
"""Points (budget, error) or (value, error), by increasing first coordinate."""


def each_run(rows: Sequence[Row], method: str, statistic: str, of: str) -> dict[Fraction, list[Fraction]]:
    """A statistic of every run, for each value of the method's parameter."""
    return runs_by(rows, "value of parameter", {"method": method, "statistic": statistic, "of": of})


def means_by_value(rows: Sequence[Row], method: str, statistic: str, of: str) -> dict[Fraction, Fraction]:
    """The mean over the runs of a statistic, for each value of the method's parameter."""
    return {value: mean_of(measured) for value, measured in each_run(rows, method, statistic, of).items()}


def rows_by_run(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each run, of all methods."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row["run"]:
            found.setdefault(row["run"], []).append(row)
    return list(found.values())


def budgets_by_value(rows: Sequence[Row], method: Method, scale: str) -> dict[Fraction, Fraction]:
    """The finite budgets of a method's values."""
    return {
        Fraction(row["value of parameter"]): Fraction(row[scale])
        for row in rows
        if row["method"] == method.name and row[scale] != "infinite"
    }


def curve_of(rows: Sequence[Row], method: Method, scale: str) -> Curve:
    """(budget, mean error) for each value that has a finite budget, by increasing budget."""
    errors, budgets = means_by_value(rows, method.name, *ERROR), budgets_by_value(rows, method, scale)
    return sorted((budgets[value], error) for value, error in errors.items() if value in budgets)


def budget_at(rows: Sequence[Row], scale: str, method: Method, error: Fraction) -> Fraction | None:
    """The budget at which a method has this error; None where no value tried reaches it."""
    return crossing(curve_of(rows, method, scale), error)


def error_at(rows: Sequence[Row], scale: str, method: Method, budget: Fraction) -> Fraction | None:
    """The mean error at this budget; None beyond the budgets of the values tried."""
    return crossing([(error, at) for at, error in curve_of(rows, method, scale)], budget)


def crossing(curve: Curve, level: Fraction) -> Fraction | None:
    """The first coordinate at which the straight lines between the points first reach a level; None if they don't.

    >>> crossing([(Fraction(1), Fraction(8)), (Fraction(3), Fraction(4))], Fraction(5))
    Fraction(5, 2)
    """
    return next(_crossings(curve, level), None)


def _crossings(curve: Curve, level: Fraction) -> Iterator[Fraction]:
    for (x, y), (next_x, next_y) in pairwise(curve):
        if min(y, next_y) <= level <= max(y, next_y):
            yield x if y == next_y else x + (next_x - x) * (level - y) / (next_y - y)


_MARKS = ((PSA, GREYS[0], "s", "-"), (TOYDOWN, GREYS[1], "o", "--"), (TOPDOWN, GREYS[0], "^", "-."))
_AXES = {"epsilon": "ε (TopDown: at δ = 10⁻¹⁰)", "rho^2": "ρ² (PSA, ToyDown: what their ε gives)"}
_ERROR = "mean absolute error by block and race"
_FLAVORS = "each method's number is of its own flavor (legend): equal numbers are not equal protection"
_WIDTH = 62

_Values = Mapping[tuple[Method, int], Sequence[Fraction]]
"""By method and level: what all runs together give, then what each run gives alone."""


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
            mean = float(mean_of(measured))
            level = axes.axhline(mean, linestyle=":", color=GREYS[2], zorder=0)
            axes.axhspan(float(min(measured)), float(max(measured)), color=GREYS[3], alpha=0.4, linewidth=0, zorder=-1)
            axes.annotate(percent_text(rate), (1.01, mean), xycoords=("axes fraction", "data"), va="center")
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
        names = [f"2010-style at {percent_text(rate)}:\nerror {float(error):.2f}" for rate, error in errors.items()]
        levels = [list(means_by_value(some, PAIRS.name, *ERROR).values()) for some in (rows, *runs)]
        _lines(left, names, _values((rows, *runs), levels, partial(_budget_at, scale)))
        left.set(title=f"the {label} that each method's own flavor needs for this error\n(2010-style: infinite)")
        left.set(xlabel=_AXES[scale])
        budgets = budgets_by_value(rows, PSA, scale)
        names = [f"PSA at {percent_text(rate)}:\n{label} = {float(budget):.2f}" for rate, budget in budgets.items()]
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


_PANELS: tuple[tuple[str, Method, Fraction], ...] = (
    ("2010-style swapping, 2%", PAIRS, Fraction(1, 50)),
    ("2010-style swapping, 10%", PAIRS, Fraction(1, 10)),
    ("ToyDown, ε = 3.26", TOYDOWN, Fraction("3.26")),
    ("TopDown, ρ² = 2.56", TOPDOWN, REDISTRICTING),
)
"""The panels A, B and C of the study's Figures 2 and 3, and TopDown at the ρ² of the redistricting file."""

_ENTROPY = "mean racial entropy of tracts"
_SLOPE = "slope of ecological regression"


def _measured(rows: Sequence[Row], method: Method, value: Fraction, statistic: str) -> dict[str, list[Fraction]]:
    """What the statistic was in each run, by what it is of."""
    found: dict[str, list[Fraction]] = {}
    for row in rows:
        here = row["method"] == method.name and row["statistic"] == statistic
        if here and Fraction(row["value of parameter"]) == value:
            found.setdefault(row["of"], []).append(Fraction(row["measured"]))
    return found


def _by_last_word(measured: Mapping[str, Sequence[Fraction]]) -> dict[str, list[Fraction]]:
    """Races in their order, each with the numbers of all counties and runs."""
    return {
        race: [number for name, numbers in measured.items() if name.endswith(f", {race}") for number in numbers]
        for race in RACES
    }


def _counties(figure: Any, rows: Sequence[Row]) -> None:
    """Errors of county counts by race above, relative errors below."""
    figure.set_size_inches(13, 7)
    upper, lower = figure.subplots(2, len(_PANELS))
    for above, below, (title, method, value) in zip(upper, lower, _PANELS, strict=True):
        box_plots(above, _by_last_word(_measured(rows, method, value, "error")))
        box_plots(below, _by_last_word(_measured(rows, method, value, "relative error")))
        above.set(title=title)
        below.set(ylim=(0, 2))
        for axes in (above, below):
            axes.tick_params(axis="x", rotation=60)
    upper[0].set(ylabel="error: county count before − after\n(scales differ)")
    lower[0].set(ylabel="relative error: 2·after/(before + after)\n(1 where nothing changed)")


def _variance(figure: Any, rows: Sequence[Row]) -> None:
    """Lines through the means, bars from the least to the greatest run; levels for ToyDown and TopDown."""
    figure.set_size_inches(7, 4.5)
    axes = figure.subplots()
    for method, tone, mark in ((PAIRS, GREYS[0], "o"), (PAIRS_HIGH_VARIANCE, GREYS[1], "s")):
        runs = each_run(rows, method.name, "variance estimate", "block")
        places = [float(100 * rate) for rate in runs]
        means_of_runs(axes, places, list(runs.values()), f"{mark}-", color=tone, label=method.label)
    for (title, method, value), line in zip(_PANELS[2:], (":", "--"), strict=True):
        noisy = means_by_value(rows, method.name, "variance estimate", "block")[value]
        axes.axhline(float(noisy), linestyle=line, color=GREYS[0], label=title)
    axes.set(xlabel="swap rate (%)", ylabel="variance of persons by block and race", ylim=(0, None))
    axes.set_title(runs_in_words(len(rows_by_run(rows)), "pair of runs"), fontsize="small")
    axes.legend()


def _entropy(steps: Any, rates: Any, budgets: Any, rows: Sequence[Row]) -> None:
    """The steps at 10%, in turn, and the whole effect at each rate and at each budget."""
    before = of_state(rows, _ENTROPY)
    tenth = Fraction(1, 10)
    in_turn = [_measured(rows, PAIRS, tenth, f"{_ENTROPY}, in turn")[step.value] for step in REMOVALS_FIRST]
    means_of_runs(steps, range(5), [[before], *in_turn], "o-", color=GREYS[0])
    steps.set_xticks(range(5), ["before", *(step.name.lower().replace("_", "\n") for step in REMOVALS_FIRST)])
    steps.set(ylabel=_ENTROPY, title="2010-style swapping at 10%, step by step")
    for axes, method, tone, mark in (
        (rates, PAIRS, GREYS[0], "o-"),
        (rates, PSA, GREYS[1], "s--"),
        (budgets, TOYDOWN, GREYS[1], "o--"),
        (budgets, TOPDOWN, GREYS[0], "^-"),
    ):
        runs = each_run(rows, method.name, _ENTROPY, "")
        if axes is rates:
            runs = {Fraction(0): [before], **runs}
        places = [float(value * (100 if axes is rates else 1)) for value in runs]
        means_of_runs(axes, places, list(runs.values()), mark, color=tone, label=method.label)
    budgets.axhline(float(before), color=GREYS[2], linewidth=1, zorder=0, label="before")
    rates.set(xlabel="swap rate (%)", title="after swapping")
    budgets.set(xlabel="ε of ToyDown, ρ² of TopDown", title="after noise")
    logarithmic(budgets, "x")
    for axes in (rates, budgets):
        axes.legend()


def of_state(rows: Sequence[Row], statistic: str, of: str = "") -> Fraction:
    """A statistic of the state before anything is released."""
    return next(
        Fraction(row["measured"])
        for row in rows
        if row["method"] == "none" and (row["statistic"], row["of"]) == (statistic, of)
    )


def _regression(panels: Sequence[Any], rows: Sequence[Row]) -> None:
    """The slope of each method divided by that of the unswapped data."""
    methods = ((PAIRS, "swap rate (%)"), (TOYDOWN, "ε"), (TOPDOWN, "ρ²"))
    for axes, (method, label) in zip(panels, methods, strict=True):
        for weighting, tone, mark in (("unweighted", GREYS[0], "o-"), ("weighted", GREYS[1], "s--")):
            of = f"B, {weighting}"
            before = of_state(rows, _SLOPE, of)
            runs = each_run(rows, method.name, _SLOPE, of)
            places = [float(value * (100 if method is PAIRS else 1)) for value in runs]
            shares = [[one / before for one in each] for each in runs.values()]
            means_of_runs(axes, places, shares, mark, color=tone, label=weighting)
        axes.axhline(1, color=GREYS[2], linewidth=1, zorder=0)
        axes.set(xlabel=label, title=method.label)
        if method is not PAIRS:
            logarithmic(axes, "x")
        axes.legend()
    panels[0].set(ylabel="slope of ecological regression / slope before")


def _rural(figure: Any, rows: Sequence[Row]) -> None:
    """Count ratios of counties by rural-urban class, races that lead no tract together; the axis as in the study."""
    figure.set_size_inches(13, 4)
    panels = figure.subplots(1, len(_PANELS))
    for axes, (title, method, value) in zip(panels, _PANELS, strict=True):
        groups: dict[str, list[Fraction]] = {}
        for name, ratios in _measured(rows, method, value, "count ratio").items():
            _, rural_urban, race = name.split(", ")
            if race not in ("W", "B"):
                groups.setdefault(rural_urban.removeprefix("class "), []).extend(ratios)
        box_plots(axes, dict(sorted(groups.items())))
        axes.set(title=title, ylim=(0, 2), xlabel="1 very urban, 9 very rural")
    panels[0].set(ylabel="county count after / before\n(races other than W and B)")


def _directions(figure: Any, rows: Sequence[Row]) -> None:
    figure.set_size_inches(13, 8)
    figure.suptitle(runs_in_words(len(rows_by_run(rows))), fontsize="small")
    upper, lower = figure.subplots(2, 3)
    steps, rates, budgets = upper
    _entropy(steps, rates, budgets, rows)
    _regression(lower, rows)


PICTURES: Mapping[str, Callable[[Any, Sequence[Row]], None]] = {
    "counties": _counties,
    "rural": _rural,
    "directions": _directions,
    "variance": _variance,
    "budget": privacy,
    "side_by_side": side_by_side,
}
"""By the name of the file: Figures 2, 3; 7; 5, 6, 20, 21; 4 and 9 of the study; then error against budget."""
