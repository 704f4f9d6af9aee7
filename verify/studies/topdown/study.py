"""What the TopDown Algorithm does to counts: error by level, the bias of non-negativity, variance against ρ²."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial

from stirred.spec.arguments import InputError, integer, parse_exact, positive_integer
from stirred.verify.studies.study import Row, Study, StudyPlan, rounded_text, seed_of
from stirred.verify.studies.topdown.findings import findings
from stirred.verify.studies.topdown.measures import measures
from stirred.verify.studies.topdown.pictures import PICTURES
from stirred.verify.studies.topdown.populations import massachusetts, segregated
from stirred.verify.studies.topdown.release import DESIGN, Population, require_solvers
from stirred.verify.studies.topdown.table import budget_text

__all__ = ["TOPDOWN"]

_HOUSEHOLDS, _RUNS, _SEED = 20_000, 3, 2020
_BUDGETS = ("0.1", "0.5", "2.56", "4.96", "15")
"""With those of the person queries of the redistricting file and of the DHC: article, Table 3."""

_POPULATIONS = ("segregated", "massachusetts")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--populations",
        nargs="+",
        choices=_POPULATIONS,
        default=list(_POPULATIONS),
        metavar="NAME",
        help=f"which of {' and '.join(_POPULATIONS)} (default both)",
    )
    parser.add_argument(
        "--households", type=int, default=_HOUSEHOLDS, metavar="N", help="of segregated (default %(default)s)"
    )
    parser.add_argument(
        "--rho-squared",
        nargs="+",
        default=list(_BUDGETS),
        metavar="R",
        help=f"budgets rho^2, exact, with at most four decimals (default {' '.join(_BUDGETS)})",
    )
    parser.add_argument(
        "--runs", type=int, default=_RUNS, metavar="N", help="pairs of runs at each budget (default %(default)s)"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=_SEED,
        metavar="N",
        help="what all draws depend on (default %(default)s)",
    )


def _budgets(given: list[str]) -> list[Fraction]:
    budgets = sorted(parse_exact("--rho-squared", text) for text in given)
    for budget in budgets:
        if budget <= 0 or (budget * 10**4).denominator != 1:
            raise InputError(f"--rho-squared must be positive, with at most four decimals; got {budget}")
    if len(set(budgets)) != len(budgets):
        raise InputError("--rho-squared must differ from each other; one stands twice")
    return budgets


def _plan(arguments: argparse.Namespace) -> StudyPlan:
    require_solvers("the study of TopDown")
    households = integer("--households", arguments.households, minimum=2_000)
    runs, seed = positive_integer("--runs", arguments.runs), integer("--seed", arguments.seed, minimum=0)
    budgets = _budgets(arguments.rho_squared)
    names = [name for name in _POPULATIONS if name in arguments.populations]
    draws = {
        f"{name}, rho^2 {budget_text(budget)}, run {run}": (name, budget, run)
        for name in names
        for budget in budgets
        for run in range(1, runs + 1)
    }
    populations: Mapping[str, Callable[[], Population]] = {
        "segregated": cache(partial(segregated, households, seed)),
        "massachusetts": cache(partial(massachusetts, seed)),
    }

    def draw(name: str) -> list[Row]:
        population, budget, run = draws[name]
        return _rows(population, populations[population](), budget, run, seed_of(seed, name))

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
    _add_arguments,
    _plan,
    (
        "stirred study topdown --output topdown",
        "stirred study topdown --populations segregated --rho-squared 0.1 1 10 --runs 5 --seed 7 --output segregated",
    ),
)
