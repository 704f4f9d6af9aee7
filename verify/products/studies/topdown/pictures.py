"""The pictures of the study of TopDown: error by level, bias by true count, variance against ρ²."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.pictures.rendering import GREYS
from stirred.verify.products.studies.picture import logarithmic, means_of_runs, runs_in_words
from stirred.verify.products.studies.study import Row
from stirred.verify.products.studies.topdown.measures import (
    COUNT_CLASSES,
    KINDS,
    budget_text,
    budgets_of,
    cells_of,
    each_run,
    noise_variance,
    populations_of,
    runs_of,
)
from stirred.verify.products.studies.topdown.release import LEVELS

_MARKS = ("o", "s", "^")


def _shown(rows: Sequence[Row]) -> list[tuple[Fraction, str, str]]:
    """The least, the middle and the greatest ρ², each with a tone and a mark."""
    budgets = budgets_of(rows)
    some = sorted({budgets[0], budgets[len(budgets) // 2], budgets[-1]})
    return list(zip(some, GREYS, _MARKS, strict=False))


def _panels(figure: Any, rows: Sequence[Row]) -> list[tuple[str, Any]]:
    populations = populations_of(rows)
    figure.set_size_inches(5.5 * len(populations), 5)
    figure.suptitle(runs_in_words(runs_of(rows), "pair of runs"), fontsize="small")
    panels = figure.subplots(1, len(populations), squeeze=False)[0]
    for axes, population in zip(panels, populations, strict=True):
        axes.set(title=population)
    return list(zip(populations, panels, strict=True))


def _errors(figure: Any, rows: Sequence[Row]) -> None:
    """The noise that went in and the error that came out, from the state down to blocks."""
    for population, axes in _panels(figure, rows):
        for rho_squared, tone, mark in _shown(rows):
            for what, line, face in (("noise", ":", "white"), ("error", "-", tone)):
                means_of_runs(
                    axes,
                    LEVELS,
                    [
                        each_run(rows, population, f"mean absolute {what}", level, KINDS)[rho_squared]
                        for level in LEVELS
                    ],
                    mark + line,
                    color=tone,
                    markerfacecolor=face,
                    label=f"{'noise in' if what == 'noise' else 'error out'}, ρ² = {budget_text(rho_squared)}",
                )
        axes.set(ylabel="mean absolute noise or error of a count")
        logarithmic(axes, "y")
    marks, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(marks, labels, loc="outside lower center", ncols=len(_MARKS), fontsize=8)


def _bias(figure: Any, rows: Sequence[Row]) -> None:
    """The mean of released minus true block counts, by true count; how many counts there are stands below."""
    statistic = "mean error by true count"
    for population, axes in _panels(figure, rows):
        cells = [cells_of(rows, population, statistic, LEVELS[-1], name) for name in COUNT_CLASSES]
        names = [name for name, number in zip(COUNT_CLASSES, cells, strict=True) if number]
        for rho_squared, tone, mark in _shown(rows):
            means_of_runs(
                axes,
                range(len(names)),
                [each_run(rows, population, statistic, LEVELS[-1], name)[rho_squared] for name in names],
                f"{mark}-",
                color=tone,
                label=f"ρ² = {budget_text(rho_squared)}",
            )
        labels = [f"{name}\n({number})" for name, number in zip(COUNT_CLASSES, cells, strict=True) if number]
        axes.set_xticks(range(len(names)), labels, rotation=60, fontsize=8)
        axes.axhline(0, color=GREYS[2], linewidth=1, zorder=0)
        axes.set(xlabel="true count of a block (how many counts)", ylabel="mean of released − true")
        axes.legend()


def _variance(figure: Any, rows: Sequence[Row]) -> None:
    """The variance of released counts at each level against ρ², beside the variance of the noise."""
    budgets = budgets_of(rows)
    places = [float(rho_squared) for rho_squared in budgets]
    for population, axes in _panels(figure, rows):
        noise = [float(noise_variance(rows, rho_squared)) for rho_squared in budgets]
        axes.plot(places, noise, "x:", color=GREYS[0], label="σ² of the noise")
        for level, tone, mark in zip(LEVELS[1:], GREYS, _MARKS, strict=False):
            variances = each_run(rows, population, "variance", level, KINDS)
            means_of_runs(
                axes,
                places,
                [variances[rho_squared] for rho_squared in budgets],
                f"{mark}-",
                color=tone,
                label=f"released, {level}",
            )
        axes.set(xlabel="ρ²", ylabel="variance of a count")
        logarithmic(axes, "xy")
        axes.legend(fontsize=8)


PICTURES: Mapping[str, Callable[[Any, Sequence[Row]], None]] = {
    "error": _errors,
    "bias": _bias,
    "variance": _variance,
}
"""By the name of the file."""
