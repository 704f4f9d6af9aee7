"""The swapping study's design on a synthetic state, with the PSA, ToyDown and TopDown beside 2010-style swapping."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stirred.spec.arguments import InputError, integer, positive_integer
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.products.studies.study import Row, Study, StudyPlan, percent_text, rounded_text, seed_of
from stirred.verify.products.studies.swapping.pictures import (
    ERROR,
    PICTURES,
    SCALES,
    budget_at,
    budgets_by_value,
    crossing,
    error_at,
    means_by_value,
    of_state,
)
from stirred.verify.products.studies.swapping.race_counts import (
    RACES,
    REMOVALS_FIRST,
    entropy_after_steps,
    errors,
    household_race,
    mean_absolute_error,
    partner_shares,
    percentages,
    race_counts,
    racial_entropy,
    relative_errors,
    variance_estimate,
)
from stirred.verify.products.studies.swapping.releases import (
    METHODS,
    PAIRS,
    PAIRS_HIGH_VARIANCE,
    PSA,
    REDISTRICTING,
    TOPDOWN,
    TOYDOWN,
    Method,
    ReleasedCounts,
)
from stirred.verify.products.studies.swapping.synthetic_state import SyntheticState, synthetic_state
from stirred.verify.products.studies.topdown.release import DESIGN, require_solvers

# Ecological regression: the support of a group for a candidate, read off a line fitted to voting districts.


@dataclass(frozen=True)
class RegressionLine:
    """y = intercept + slope·x, with x the share of a group in a district and y the share of votes for a candidate."""

    intercept: Any
    slope: Any

    @property
    def support(self) -> Any:
        """The line at x = 1: the estimated support of the group in a district of it alone."""
        return self.intercept + self.slope


def ecological_regression(share: ArrayLike, votes: ArrayLike, weights: ArrayLike | None = None) -> RegressionLine:
    """The line that minimises Σ w·(y − intercept − slope·x)².

    slope = Σw·(x − x̄)(y − ȳ)/Σw·(x − x̄)² and intercept = ȳ − slope·x̄ with weighted means x̄ and ȳ.

    x is the share of a group in each district and y that of the votes, as floats, or as Fractions for an exact line;
    w ≥ 0 is a weight, such as the population; without weights every district counts alike.

    Source: swapping study, section 5.1.

    >>> ecological_regression([0, 1, 2], [1, 3, 5], [1, 1, 2]).support.item()
    3.0
    """
    x, y = np.asarray(share), np.asarray(votes)
    w = np.ones(len(x), dtype=np.int64) if weights is None else np.asarray(weights)
    if not len(x) == len(y) == len(w):
        raise InputError(f"share, votes and weights must have one length; got {len(x)}, {len(y)}, {len(w)}")
    if not len(w) or (w < 0).any() or not w.sum():
        raise InputError("weights must be at least 0 and not all 0")
    total = w.sum()
    mean_x, mean_y = (w * x).sum() / total, (w * y).sum() / total
    spread = (w * (x - mean_x) ** 2).sum()
    if not spread:
        raise InputError("share must differ between districts for a line to be fitted")
    slope = (w * (x - mean_x) * (y - mean_y)).sum() / spread
    return RegressionLine(mean_y - slope * mean_x, slope)


Measure = tuple[str, str, str]
"""A statistic, what it is of, and its value."""

Counts = NDArray[Any]

_HOUSEHOLD_RACES = (*RACES, "Multiple Races")
_BLACK = RACES.index("B")


def _decimal(value: Any) -> str:
    return f"{value:.6f}"


def _summed(counts: Counts, region: NDArray[np.int64], regions: int) -> Counts:
    summed = np.zeros((regions, counts.shape[1]), dtype=counts.dtype)
    np.add.at(summed, region, counts)
    return summed


def measures_of_state(state: SyntheticState) -> Iterator[Measure]:
    """The state as it is: its entropy, its regression lines, its households by size and by race."""
    blocks = race_counts(state.block, state.persons, len(state.tract))
    yield from _of_tracts(state, _summed(blocks, state.tract, len(state.county)))
    everyone = np.arange(len(state.block))
    yield from _shares(state, "of all households", everyone)


def measures_of_release(state: SyntheticState, released: ReleasedCounts) -> Iterator[Measure]:
    """Errors by geographic level and by county and race, entropy of tracts, regression lines."""
    blocks: tuple[Counts, Counts] = race_counts(state.block, state.persons, len(state.tract)), released.counts
    tracts = tuple(_summed(one, state.tract, len(state.county)) for one in blocks)
    counties = tuple(_summed(one, state.county, len(state.rural_urban)) for one in tracts)
    for level, (before, after) in (("block", blocks), ("tract", tracts), ("county", counties)):
        yield "mean absolute error", level, _decimal(mean_absolute_error(before, after))
        totals = before.sum(axis=1), after.sum(axis=1)
        yield "mean absolute error of total population", level, _decimal(mean_absolute_error(*totals))
    yield from _of_tracts(state, tracts[1])
    yield from _of_counties(state, *counties)


def _of_tracts(state: SyntheticState, counts: Counts) -> Iterator[Measure]:
    yield "mean racial entropy of tracts", "", _decimal(racial_entropy(counts).mean())
    population = counts.sum(axis=1)
    share = counts[:, _BLACK] / np.maximum(population, 1)
    adults = np.bincount(state.tract[state.block], weights=state.adults, minlength=len(state.county))
    votes = state.votes / adults
    for weighting, weights in (("unweighted", None), ("weighted", population)):
        line = ecological_regression(share, votes, weights)
        yield "slope of ecological regression", f"B, {weighting}", _decimal(line.slope)
        yield "support by ecological regression", f"B, {weighting}", _decimal(line.support)


def _of_counties(state: SyntheticState, before: Counts, after: Counts) -> Iterator[Measure]:
    moved, relative = errors(before, after), relative_errors(before, after)
    for county, rural_urban in enumerate(state.rural_urban.tolist()):
        for place, race in enumerate(RACES):
            name = f"county {county}, class {rural_urban}, {race}"
            yield "error", name, _decimal(moved[county, place])
            yield "relative error", name, _decimal(relative[county, place])
            if before[county, place]:
                yield "count ratio", name, _decimal(after[county, place] / before[county, place])


def measures_of_pairs(state: SyntheticState, pairs: NDArray[np.int64]) -> Iterator[Measure]:
    """Entropy after each step, and who was swapped: by size, by race, and which races for which."""
    means = entropy_after_steps(state.tract[state.block], state.persons, pairs, len(state.county))
    for step, mean in zip(REMOVALS_FIRST, means[1:], strict=True):
        yield "mean racial entropy of tracts, in turn", step.value, _decimal(mean)
    yield from _shares(state, "of swapped households", pairs.ravel())
    yield from _shares(state, "of targets", pairs[:, 0])
    race = household_race(state.persons)
    lines = partner_shares(race, pairs, len(_HOUSEHOLD_RACES))
    for target, line in zip(_HOUSEHOLD_RACES, lines, strict=True):
        for partner, percent in zip(_HOUSEHOLD_RACES, line, strict=True):
            yield "percentage of partners", f"{partner}, of targets of {target}", _decimal(percent)


def _shares(state: SyntheticState, whose: str, among: NDArray[np.int64]) -> Iterator[Measure]:
    sizes = sorted(set(state.size.tolist()))
    for size, percent in zip(sizes, percentages(state.size, among, sizes), strict=True):
        yield f"percentage {whose}", f"size {size}", _decimal(percent)
    races = range(len(_HOUSEHOLD_RACES))
    for name, percent in zip(_HOUSEHOLD_RACES, percentages(household_race(state.persons), among, races), strict=True):
        yield f"percentage {whose}", name, _decimal(percent)


def variance_measure(first: ReleasedCounts, second: ReleasedCounts) -> Measure:
    """V̂ of two runs; the counts of ToyDown are no integers, so theirs is not exact."""
    if first.counts.dtype.kind == "i":
        value = variance_estimate([first.counts, second.counts])
        return "variance estimate", "block", _decimal(value.numerator / value.denominator)
    return "variance estimate", "block", _decimal(np.square(first.counts - second.counts).mean() / 2)


_ENTROPY = "mean racial entropy of tracts"
_SLOPE = "slope of ecological regression"
_FLAVORS = "equal numbers are not equal protection, as the flavors differ: " + "; ".join(
    f"{method.label}: {method.protects.replace(';', ',')}" for method in (PSA, TOYDOWN, TOPDOWN)
)
_TENTH = Fraction(1, 10)
_QUARTER = Fraction(1, 4)


def findings(rows: Sequence[Row], scope: str) -> dict[str, Evidence]:
    """All that is shown, each with its name."""
    sentences = {
        **{f"error.{_greppable(method)}": _errors(rows, method) for method in METHODS},
        "variance": _variances(rows),
        "entropy": _entropy(rows),
        "entropy.steps": _steps(rows),
        "regression": _regression(rows),
        **{f"equal-error.{rate}": sentence for rate, sentence in _equal_error(rows)},
        **{f"equal-number.{rate}": sentence for rate, sentence in _equal_number(rows)},
    }
    return {f"swapping.{name}": Evidence(Verdict.SAMPLED, scope, text) for name, text in sentences.items()}


def _greppable(method: Method) -> str:
    return method.name.replace(",", "").replace(" ", "-").lower()


def _text(number: Fraction, places: int = 3) -> str:
    return rounded_text(number, places)


def _listed(means: Mapping[Fraction, Fraction], method: Method) -> str:
    shown = percent_text if method.parameter == "swap rate" else (lambda value: f"{method.parameter} {_text(value, 2)}")
    return ", ".join(f"{_text(mean)} at {shown(value)}" for value, mean in means.items())


def _errors(rows: Sequence[Row], method: Method) -> str:
    means = means_by_value(rows, method.name, *ERROR)
    design = f"; {DESIGN}" if method is TOPDOWN else ""
    error = f"mean absolute error of persons by block and race: {_listed(means, method)}"
    return f"{error}; budget: {method.protects}{design}"


def _variances(rows: Sequence[Row]) -> str:
    parts = []
    for method in (PAIRS, PAIRS_HIGH_VARIANCE):
        means = means_by_value(rows, method.name, "variance estimate", "block")
        parts.append(f"{method.label}: {_listed(means, method)}")
    noisy = means_by_value(rows, TOPDOWN.name, "variance estimate", "block")[REDISTRICTING]
    parts.append(f"TopDown: {_text(noisy)} at rho^2 {_text(REDISTRICTING, 2)}")
    return "variance of persons by block and race, " + "; ".join(parts)


def _entropy(rows: Sequence[Row]) -> str:
    after = means_by_value(rows, PAIRS.name, _ENTROPY, "")
    return f"mean racial entropy of tracts: {_text(of_state(rows, _ENTROPY))} before swapping, {_listed(after, PAIRS)}"


def _steps(rows: Sequence[Row]) -> str:
    last, parts = of_state(rows, _ENTROPY), []
    for step in REMOVALS_FIRST:
        mean = means_by_value(rows, PAIRS.name, f"{_ENTROPY}, in turn", step.value)[_TENTH]
        parts.append(f"{step.value} {'+' if mean > last else ''}{_text(mean - last, 4)}")
        last = mean
    return f"mean racial entropy of tracts at a swap rate of 10%: {', '.join(parts)}"


def _regression(rows: Sequence[Row]) -> str:
    parts = []
    for weighting in ("unweighted", "weighted"):
        of = f"B, {weighting}"
        swapped = means_by_value(rows, PAIRS.name, _SLOPE, of)[_TENTH]
        noisy = means_by_value(rows, TOYDOWN.name, _SLOPE, of)[_QUARTER]
        least = min(TOPDOWN.values)
        concentrated = means_by_value(rows, TOPDOWN.name, _SLOPE, of)[least]
        before = of_state(rows, _SLOPE, of)
        parts.append(
            f"{weighting} slope {_text(before)} before, {_text(swapped)} swapped at 10%, "
            f"{_text(noisy)} under ToyDown at epsilon 0.25, {_text(concentrated)} under TopDown at rho^2 "
            f"{_text(least, 2)}"
        )
    return "ecological regression on the share of race B: " + "; ".join(parts)


def _equal_error(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """The budgets at which the other methods have the error of 2010-style swapping."""
    by_rate = list(means_by_value(rows, PSA.name, *ERROR).items())
    for rate, error in means_by_value(rows, PAIRS.name, *ERROR).items():
        parts = [f"2010-style swapping at {percent_text(rate)} has the error {_text(error)} and no finite budget"]
        at_rate = crossing(by_rate, error)
        for method, at_value in (
            (PSA, "" if at_rate is None else f"p = {_text(at_rate)}, "),
            (TOYDOWN, ""),
            (TOPDOWN, ""),
        ):
            epsilon, rho_squared = (budget_at(rows, scale, method, error) for scale in SCALES)
            if epsilon is None or rho_squared is None:
                parts.append(f"{_subject(method)} has it at no {method.parameter} tried")
            else:
                beside = f"{_epsilon(epsilon, method)} and rho^2 {_text(rho_squared)}"
                parts.append(f"{_subject(method)} has it near {at_value}{beside}")
        yield percent_text(rate), f"{'; '.join(parts)}; {_FLAVORS}"


def _subject(method: Method) -> str:
    return "the PSA" if method is PSA else method.label


def _epsilon(epsilon: Fraction, method: Method) -> str:
    return f"epsilon {_text(epsilon, 2)}{' (delta 1e-10)' if method is TOPDOWN else ''}"


def _equal_number(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """The errors of ToyDown and TopDown where their budgets have the numbers of the PSA's."""
    errors = means_by_value(rows, PSA.name, *ERROR)
    budgets = {scale: budgets_by_value(rows, PSA, scale) for scale in SCALES}
    for rate, error in errors.items():
        parts = [f"the PSA at {percent_text(rate)} has the error {_text(error)}"]
        for scale in SCALES:
            budget = budgets[scale][rate]
            noisy = ", ".join(_at_budget(rows, method, scale, budget) for method in (TOYDOWN, TOPDOWN))
            parts.append(f"at the number of its {scale}, {_text(budget, 2)}, {noisy}")
        parts.append("2010-style swapping has no finite budget at any rate but 0")
        yield percent_text(rate), f"{'; '.join(parts)}; {_FLAVORS}"


def _at_budget(rows: Sequence[Row], method: Method, scale: str, budget: Fraction) -> str:
    at = error_at(rows, scale, method, budget)
    delta = " (delta 1e-10)" if (method, scale) == (TOPDOWN, "epsilon") else ""
    return f"{method.label}{delta} {'is outside what was tried' if at is None else f'near {_text(at)}'}"


_STATE = "the state"


def _plan(*, households: int = 40_000, runs: int = 5, seed: int = 2010) -> StudyPlan:
    if find_spec("scipy") is None:
        raise InputError("the study of swapping needs scipy: pip install scipy")
    require_solvers("the study of swapping")
    integer("--households", households, minimum=2_000)
    positive_integer("--runs", runs)
    integer("--seed", seed, minimum=0)
    draws = {
        f"{method.name}, {method.parameter} {_number(value)}, run {run}": (method, value, run)
        for method in METHODS
        for value in method.values
        for run in range(1, runs + 1)
    }
    state = cache(partial(synthetic_state, households, seed))

    def draw(name: str) -> list[Row]:
        if name == _STATE:
            return [_row(_NO_METHOD, measure) for measure in measures_of_state(state())]
        method, value, run = draws[name]
        return list(_rows_of_run(state(), method, value, run, seed_of(seed, name)))

    scope = f"a synthetic state of {households} households, {runs} pairs of runs at each value, seed {seed}"
    return StudyPlan(
        {
            "households": households,
            "runs": runs,
            "seed": seed,
            "methods": {method.name: [str(value) for value in method.values] for method in METHODS},
        },
        (_STATE, *draws),
        draw,
        lambda rows: findings(rows, scope),
        PICTURES,
    )


def _rows_of_run(state: SyntheticState, method: Method, value: Fraction, run: int, seed: int) -> Iterator[Row]:
    """Two runs: the first is measured, and both give the estimate of the variance."""
    first, second = (method.release(state, value, seed_of(seed, half)) for half in ("first", "second"))
    start = {
        "method": method.name,
        "parameter": method.parameter,
        "value of parameter": _number(value),
        "run": str(run),
        **method.budget(state, value).columns(),
    }
    for measure in measures_of_release(state, first):
        yield _row(start, measure)
    yield _row(start, variance_measure(first, second))
    if first.pairs is not None:
        for measure in measures_of_pairs(state, first.pairs):
            yield _row(start, measure)


_NO_METHOD = {
    "method": "none",
    **dict.fromkeys(("parameter", "value of parameter", "run", "epsilon", "delta", "rho^2"), ""),
}


def _row(start: Row, measure: Measure) -> Row:
    return {**start, **dict(zip(("statistic", "of", "measured"), measure, strict=True))}


def _number(value: Fraction) -> str:
    return rounded_text(value, 2)


SWAPPING = Study(
    "swapping",
    "errors, variance, entropy, regression under 2010-style swapping, the PSA, ToyDown and TopDown (swapping study)",
    "Release a synthetic state by 2010-style swapping (the swapping study's standard and high-variance settings, at 2, "
    "10, 15, 20 and 40%), by the PSA at the same rates, by ToyDown with discrete Laplace and with discrete Gaussian "
    f"noise, and by the TopDown Algorithm (article, Algorithm 2; {DESIGN}; the population of the state and the housing "
    "units of each block are kept); measure what the study measures, and set error against budget: epsilon, at delta = "
    "10^-10 where the noise is Gaussian, and rho^2, which follows from a pure epsilon. One line of the table for each "
    "statistic of each run.",
    _plan,
    (
        "stirred study swapping --output swapping",
        "stirred study swapping --households 10000 --runs 3 --seed 7 --output small",
    ),
)
