"""The swapping study's design on a synthetic state, with the PSA, ToyDown and TopDown beside 2010-style swapping."""

import argparse
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from importlib.util import find_spec

from stirred.spec.arguments import InputError, integer, positive_integer
from stirred.verify.studies.study import Row, Study, StudyPlan, rounded_text, seed_of
from stirred.verify.studies.swapping.findings import findings
from stirred.verify.studies.swapping.measures import (
    Measure,
    measures_of_pairs,
    measures_of_release,
    measures_of_state,
    variance_measure,
)
from stirred.verify.studies.swapping.pictures import PICTURES
from stirred.verify.studies.swapping.releases import METHODS, Method
from stirred.verify.studies.swapping.synthetic_state import SyntheticState, synthetic_state
from stirred.verify.studies.topdown.release import DESIGN, require_solvers

_HOUSEHOLDS, _RUNS, _SEED = 40_000, 5, 2010
_STATE = "the state"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--households", type=int, default=_HOUSEHOLDS, metavar="N", help="of the synthetic state (default %(default)s)"
    )
    parser.add_argument(
        "--runs", type=int, default=_RUNS, metavar="N", help="pairs of runs at each value (default %(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=_SEED, metavar="N", help="what state and draws depend on (default %(default)s)"
    )


def _plan(arguments: argparse.Namespace) -> StudyPlan:
    if find_spec("scipy") is None:
        raise InputError("the study of swapping needs scipy: pip install scipy")
    require_solvers("the study of swapping")
    households = integer("--households", arguments.households, minimum=2_000)
    runs, seed = positive_integer("--runs", arguments.runs), integer("--seed", arguments.seed, minimum=0)
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
    _add_arguments,
    _plan,
    (
        "stirred study swapping --output swapping",
        "stirred study swapping --households 10000 --runs 3 --seed 7 --output small",
    ),
)
