"""The study's pictures: errors by county, variance, entropy, regression, rural counties, error against budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verify.studies.picture import GREYS, box_plots
from verify.studies.study import Row
from verify.studies.swapping.findings import ERROR, budgets_by_value
from verify.studies.swapping.household_shares import RACES
from verify.studies.swapping.racial_entropy import REMOVALS_FIRST
from verify.studies.swapping.releases import PAIRS, PAIRS_HIGH_VARIANCE, PSA, TOYDOWN, Method
from verify.studies.swapping.side_by_side import curve_of, mean_of, means_by_value

__all__ = ["PICTURES"]

_PANELS: tuple[tuple[str, Method, Fraction], ...] = (
    ("swapped, 2%", PAIRS, Fraction(1, 50)),
    ("swapped, 10%", PAIRS, Fraction(1, 10)),
    ("ToyDown, ε = 3.26", TOYDOWN, Fraction("3.26")),
)
"""The panels A, B and C of the study's Figures 2 and 3."""

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
    figure.set_size_inches(11, 7)
    lines = figure.subplots(2, len(_PANELS))
    for line, (statistic, label) in zip(lines, (("error", "error"), ("relative error", "relative error")), strict=True):
        for axes, (title, method, value) in zip(line, _PANELS, strict=True):
            box_plots(axes, _by_last_word(_measured(rows, method, value, statistic)))
            axes.set(title=title, ylabel=f"{label} of county counts")
            axes.tick_params(axis="x", rotation=60)


def _variance(axes: Any, rows: Sequence[Row]) -> None:
    """Lines through the means, bars from the least to the greatest run; dotted for ToyDown at ε = 3.26."""
    for method, tone, mark in ((PAIRS, GREYS[0], "o"), (PAIRS_HIGH_VARIANCE, GREYS[1], "s")):
        means = means_by_value(rows, method.name, "variance estimate", "block")
        runs = {rate: _measured(rows, method, rate, "variance estimate")["block"] for rate in means}
        middle = [float(mean) for mean in means.values()]
        bars = [
            [float(means[rate] - min(each)) for rate, each in runs.items()],
            [float(max(each) - means[rate]) for rate, each in runs.items()],
        ]
        axes.errorbar(
            [float(100 * rate) for rate in means], middle, bars, fmt=f"{mark}-", color=tone, label=method.name
        )
    noisy = means_by_value(rows, TOYDOWN.name, "variance estimate", "block")[Fraction("3.26")]
    axes.axhline(float(noisy), linestyle=":", color=GREYS[0], label="ToyDown, ε = 3.26")
    axes.set(xlabel="swap rate (%)", ylabel="variance of persons by block and race", ylim=(0, None))
    axes.legend()


def _entropy(steps: Any, rates: Any, rows: Sequence[Row]) -> None:
    """The steps at 10%, in turn, and the whole effect at each rate."""
    before = _before(rows, _ENTROPY, "")
    tenth = Fraction(1, 10)
    in_turn = [mean_of(_measured(rows, PAIRS, tenth, f"{_ENTROPY}, in turn")[step.value]) for step in REMOVALS_FIRST]
    steps.plot(range(5), [float(each) for each in (before, *in_turn)], "o-", color=GREYS[0])
    steps.set_xticks(range(5), ["before", *(step.name.lower().replace("_", "\n") for step in REMOVALS_FIRST)])
    steps.set(ylabel="mean racial entropy of tracts", title="2010-style swapping at 10%")
    for method, tone, mark in ((PAIRS, GREYS[0], "o-"), (PSA, GREYS[1], "s--")):
        means = {Fraction(0): before, **means_by_value(rows, method.name, _ENTROPY, "")}
        rates.plot(
            [float(100 * rate) for rate in means],
            [float(mean) for mean in means.values()],
            mark,
            color=tone,
            label=method.name,
        )
    rates.set(xlabel="swap rate (%)", title="after swapping")
    rates.legend()


def _before(rows: Sequence[Row], statistic: str, of: str) -> Fraction:
    return next(
        Fraction(row["measured"])
        for row in rows
        if row["method"] == "none" and (row["statistic"], row["of"]) == (statistic, of)
    )


def _regression(both: Sequence[Any], rows: Sequence[Row]) -> None:
    """The slope of each method divided by that of the unswapped data."""
    for axes, (method, label) in zip(both, ((PAIRS, "swap rate (%)"), (TOYDOWN, "ε of ToyDown")), strict=True):
        for weighting, tone, mark in (("unweighted", GREYS[0], "o-"), ("weighted", GREYS[1], "s--")):
            of = f"B, {weighting}"
            before = _before(rows, _SLOPE, of)
            means = means_by_value(rows, method.name, _SLOPE, of)
            places = [float(value * (100 if method is PAIRS else 1)) for value in means]
            axes.plot(places, [float(mean / before) for mean in means.values()], mark, color=tone, label=weighting)
        axes.axhline(1, color=GREYS[2], linewidth=1, zorder=0)
        axes.set(xlabel=label, ylabel="slope / slope before")
        axes.legend()


def _rural(figure: Any, rows: Sequence[Row]) -> None:
    """Count ratios of counties by rural-urban class, races that lead no tract together; the axis as in the study."""
    figure.set_size_inches(11, 4)
    for axes, (title, method, value) in zip(figure.subplots(1, len(_PANELS)), _PANELS, strict=True):
        groups: dict[str, list[Fraction]] = {}
        for name, ratios in _measured(rows, method, value, "count ratio").items():
            _, rural_urban, race = name.split(", ")
            if race not in ("W", "B"):
                groups.setdefault(rural_urban.removeprefix("class "), []).extend(ratios)
        box_plots(axes, dict(sorted(groups.items())))
        axes.set(title=title, ylim=(0, 2), xlabel="1 very urban, 9 very rural", ylabel="count after / before")


def _privacy(axes: Any, rows: Sequence[Row]) -> None:
    """Error against budget; 2010-style swapping has an error and no budget, so it is a level."""
    for method, tone, mark in ((PSA, GREYS[0], "s-"), (TOYDOWN, GREYS[1], "o--")):
        curve = curve_of(means_by_value(rows, method.name, *ERROR), budgets_by_value(rows, method))
        axes.plot([float(x) for x, _ in curve], [float(y) for _, y in curve], mark, color=tone, label=method.name)
    for rate, error in means_by_value(rows, PAIRS.name, *ERROR).items():
        axes.axhline(float(error), linestyle=":", color=GREYS[2])
        axes.annotate(f"2010-style, {float(100 * rate):g}%: no finite ε", (0, float(error)), va="bottom", fontsize=8)
    axes.set(xlabel="ε (households for the PSA, persons for ToyDown)", ylabel="mean absolute error by block and race")
    axes.legend()


def _directions(figure: Any, rows: Sequence[Row]) -> None:
    figure.set_size_inches(10, 8)
    upper, lower = figure.subplots(2, 2)
    _entropy(upper[0], upper[1], rows)
    _regression(lower, rows)


def _budget(figure: Any, rows: Sequence[Row]) -> None:
    figure.set_size_inches(11, 4.5)
    left, right = figure.subplots(1, 2)
    _variance(left, rows)
    _privacy(right, rows)


PICTURES: Mapping[str, Callable[[Any, Sequence[Row]], None]] = {
    "counties": _counties,
    "rural": _rural,
    "directions": _directions,
    "budget": _budget,
}
"""By the name of the file: Figures 2, 3; 7; 5, 6, 20, 21; 4 and 9 of the study, and error against budget."""
