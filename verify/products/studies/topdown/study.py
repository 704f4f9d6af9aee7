"""What the TopDown Algorithm does to counts: error by level, the bias of non-negativity, variance; and the pictures."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words, random_words
from stirred.spec.arguments import Exact, InputError, integer, parse_exact, positive_integer
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.pictures.rendering import GREYS, logarithmic, means_of_runs, runs_in_words
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.massachusetts_1940 import dwellings
from stirred.verify.products.fields import check_list
from stirred.verify.products.studies.study import Row, Study, StudyPlan, rounded_text, seed_of
from stirred.verify.products.studies.swapping.race_counts import race_counts
from stirred.verify.products.studies.swapping.synthetic_state import synthetic_state
from stirred.verify.products.studies.topdown.release import (
    COUNT_CLASSES,
    DESIGN,
    KINDS,
    LEVELS,
    TOTAL,
    Population,
    budget_text,
    budgets_of,
    cells_of,
    each_run,
    mean_over_runs,
    measures,
    noise_variance,
    populations_of,
    require_solvers,
    runs_of,
)

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


def _error_by_level(figure: Any, rows: Sequence[Row]) -> None:
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


def _bias_by_count(figure: Any, rows: Sequence[Row]) -> None:
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


def _variance_by_budget(figure: Any, rows: Sequence[Row]) -> None:
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
    "error": _error_by_level,
    "bias": _bias_by_count,
    "variance": _variance_by_budget,
}
"""By the name of the file."""


# What the table of the study of TopDown shows, in sentences: each sampled, with the number of runs and the seed.


def findings(rows: Sequence[Row], scope: str) -> dict[str, Evidence]:
    """All that is shown, each with its name."""
    sentences = {}
    for population in populations_of(rows):
        for of in (KINDS, TOTAL):
            sentences[f"{population}.error.{of}"] = _errors(rows, population, of)
        for rho_squared in budgets_of(rows):
            sentences[f"{population}.bias.{budget_text(rho_squared)}"] = _bias(rows, population, rho_squared)
        sentences[f"{population}.variance"] = _variances(rows, population)
    return {f"topdown.{name}": Evidence(Verdict.SAMPLED, scope, text) for name, text in sentences.items()}


def _text(number: Fraction) -> str:
    return rounded_text(number, 3)


def _errors(rows: Sequence[Row], population: str, of: str) -> str:
    parts = []
    for rho_squared in budgets_of(rows):
        levels = []
        for level in LEVELS:
            noise, error = (
                mean_over_runs(rows, population, f"mean absolute {what}", level, of)[rho_squared]
                for what in ("noise", "error")
            )
            levels.append(f"{level} {_text(noise)} and {_text(error)}")
        parts.append(f"rho^2 {budget_text(rho_squared)}: {', '.join(levels)}")
    return f"mean absolute noise that went in and error that came out, of {of}: {'; '.join(parts)}; design: {DESIGN}"


def _bias(rows: Sequence[Row], population: str, rho_squared: Fraction) -> str:
    parts = []
    statistic = "mean error by true count"
    for name in COUNT_CLASSES:
        means = mean_over_runs(rows, population, statistic, LEVELS[-1], name)
        if means:
            cells = cells_of(rows, population, statistic, LEVELS[-1], name)
            mean = means[rho_squared]
            parts.append(f"{'+' if mean > 0 else ''}{_text(mean)} at {name} ({cells} counts)")
    return f"mean error of block counts, released minus true, by true count, rho^2 {budget_text(rho_squared)}: " + (
        ", ".join(parts)
    )


def _variances(rows: Sequence[Row], population: str) -> str:
    parts = []
    for rho_squared in budgets_of(rows):
        levels = [
            f"{level} {_text(mean_over_runs(rows, population, 'variance', level, KINDS)[rho_squared])}"
            for level in LEVELS
        ]
        noise = _text(noise_variance(rows, rho_squared))
        parts.append(f"rho^2 {budget_text(rho_squared)}: noise {noise}, {', '.join(levels)}")
    return f"variance of released {KINDS}, beside sigma^2 of the noise: {'; '.join(parts)}"


# The populations of the study of TopDown, each the same for the same seed on every machine.
#
# One has the sizes of article, Table 1: the dwellings of Massachusetts in 1940 by county and tenure, divided here
# into tracts and blocks in which one tenure prevails; most counts are large. The other is the synthetic state of the
# study of swapping, with persons by race in segregated tracts; most of its counts are 0 or small.

Codes = NDArray[np.int64]

_DWELLINGS_OF_TRACT = 8_000
_BLOCKS_OF_TRACT = 16


def segregated(households: int, seed: int) -> Population:
    """Persons by block and race of a synthetic state, with one housing unit for each household."""
    state = synthetic_state(households, seed)
    blocks = len(state.tract)
    counts = race_counts(state.block, state.persons, blocks)
    parents = (state.tract, state.county, np.zeros_like(state.rural_urban))
    return Population(counts, parents, np.bincount(state.block, minlength=blocks))


def massachusetts(seed: int) -> Population:
    """Dwellings by block and tenure, whose counties have exactly the counts of article, Table 1.

    >>> massachusetts(1).levels[0].tolist()
    [[435805, 708619]]
    """
    words = random_words(integer("seed", seed, minimum=0))
    by_county: dict[object, list[int]] = {}
    for (_, _, name), number in dwellings().items():
        by_county.setdefault(name, []).append(number)
    tracts = [1 + sum(numbers) // _DWELLINGS_OF_TRACT for numbers in by_county.values()]
    counts = [
        _divided(numbers, _BLOCKS_OF_TRACT * number, words)
        for numbers, number in zip(by_county.values(), tracts, strict=True)
    ]
    county = np.repeat(np.arange(len(tracts)), tracts)
    tract = np.repeat(np.arange(len(county)), _BLOCKS_OF_TRACT)
    return Population(np.concatenate(counts), (tract, county, np.zeros(len(tracts), dtype=np.int64)))


def _divided(numbers: list[int], blocks: int, words: Words) -> Codes:
    """The two numbers divided among blocks: large and small ones, one of the two prevailing in each."""
    size = (1 + (words(blocks) % np.uint64(30)).astype(np.int64)) ** 2
    lead = 60 + (words(blocks) % np.uint64(40)).astype(np.int64)
    first = np.where(words(blocks) % np.uint64(2) == 0, lead, 100 - lead)
    columns = []
    for number, share in zip(numbers, (first, 100 - first), strict=True):
        ends = np.cumsum(size * share)
        columns.append(np.diff(number * ends // ends[-1], prepend=0))
    return np.column_stack(columns)


RHO_SQUARED = ("0.1", "0.5", "2.56", "4.96", "15")
"""With those of the person queries of the redistricting file and of the DHC: article, Table 3."""

POPULATIONS = ("segregated", "massachusetts")


def _budgets(given: Sequence[str | Exact]) -> list[Fraction]:
    check_list("--rho-squared", given)
    budgets = sorted(parse_exact("--rho-squared", text) for text in given)
    for budget in budgets:
        if budget <= 0 or (budget * 10**4).denominator != 1:
            raise InputError(f"--rho-squared must be positive, with at most four decimals; got {budget}")
    if len(set(budgets)) != len(budgets):
        raise InputError("--rho-squared has duplicates")
    return budgets


def _plan(
    *,
    populations: Sequence[str] = POPULATIONS,
    households: int = 20_000,
    rho_squared: Sequence[str | Exact] = RHO_SQUARED,
    runs: int = 3,
    seed: int = 2020,
) -> StudyPlan:
    require_solvers("the study of TopDown")
    integer("--households", households, minimum=2_000)
    positive_integer("--runs", runs)
    integer("--seed", seed, minimum=0)
    budgets = _budgets(rho_squared)
    check_list("--populations", populations)
    if unknown := set(populations) - set(POPULATIONS):
        raise InputError(f"--populations must be among {', '.join(POPULATIONS)}; got {', '.join(sorted(unknown))}")
    names = [name for name in POPULATIONS if name in populations]
    draws = {
        f"{name}, rho^2 {budget_text(budget)}, run {run}": (name, budget, run)
        for name in names
        for budget in budgets
        for run in range(1, runs + 1)
    }
    sources: Mapping[str, Callable[[], Population]] = {
        "segregated": cache(partial(segregated, households, seed)),
        "massachusetts": cache(partial(massachusetts, seed)),
    }

    def draw(name: str) -> list[Row]:
        population, budget, run = draws[name]
        return _rows(population, sources[population](), budget, run, seed_of(seed, name))

    of = {"segregated": f"a synthetic state of {households} households", "massachusetts": "Massachusetts in 1940"}
    scope = f"{' and '.join(of[name] for name in names)}, {runs} pairs of runs at each budget, seed {seed}"
    return StudyPlan(
        {
            "populations": names,
            "households": households,
            "rho^2": [budget_text(budget) for budget in budgets],
            "runs": runs,
            "seed": seed,
        },
        tuple(draws),
        draw,
        lambda rows: findings(rows, scope),
        PICTURES,
    )


def _rows(name: str, population: Population, budget: Fraction, run: int, seed: int) -> list[Row]:
    design = population.design(budget)
    start = {
        "population": name,
        "rho^2": budget_text(design.spent("person")),
        "sigma^2": rounded_text(design.variance(0, design.groups[0]), 6),
        "run": str(run),
    }
    both = [population.release(budget, seed_of(seed, half)) for half in ("first", "second")]
    columns = ("statistic", "level", "of", "counts", "measured")
    return [{**start, **dict(zip(columns, map(str, measure), strict=True))} for measure in measures(population, both)]


TOPDOWN = Study(
    "topdown",
    "error by level, the bias of non-negativity and variance against rho^2 of the TopDown Algorithm",
    "Release two populations by the TopDown Algorithm (article, Algorithm 2): a synthetic state with persons by race "
    "in segregated tracts, most counts of which are small, and the dwellings of Massachusetts in 1940 by county and "
    "tenure (article, Table 1), divided into blocks in which one tenure prevails. The design: "
    f"{DESIGN}; kept are the population of the state and, of the synthetic state, the housing units of each block. "
    "Measured are the noise that went in and the error that came out at each level, the mean error of block counts by "
    "true count, and the variance over two runs. One line of the table for each statistic of each pair of runs.",
    _plan,
    (
        "stirred study topdown --output topdown",
        "stirred study topdown --populations segregated --rho-squared 0.1 1 10 --runs 5 --seed 7 --output segregated",
    ),
)
