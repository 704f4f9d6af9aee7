"""The study's pictures: errors by county, rural counties, variance, entropy and regression."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.verify.pictures.rendering import GREYS
from stirred.verify.studies.picture import box_plots, logarithmic, means_of_runs, runs_in_words
from stirred.verify.studies.study import Row
from stirred.verify.studies.swapping.household_shares import RACES
from stirred.verify.studies.swapping.privacy_pictures import privacy, side_by_side
from stirred.verify.studies.swapping.racial_entropy import REMOVALS_FIRST
from stirred.verify.studies.swapping.releases import (
    PAIRS,
    PAIRS_HIGH_VARIANCE,
    PSA,
    REDISTRICTING,
    TOPDOWN,
    TOYDOWN,
    Method,
)
from stirred.verify.studies.swapping.side_by_side import each_run, means_by_value, rows_by_run

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
    before = _before(rows, _ENTROPY, "")
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


def _before(rows: Sequence[Row], statistic: str, of: str) -> Fraction:
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
            before = _before(rows, _SLOPE, of)
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
