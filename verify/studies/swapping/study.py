"""The swapping study's design on a synthetic state, with the PSA and ToyDown beside 2010-style swapping."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from importlib.util import find_spec
from math import ceil

from spec.arguments import InputError, integer, positive_integer
from spec.loss import Loss
from verify.studies.study import Row, Study, StudyPlan, rounded_text, seed_of
from verify.studies.swapping.findings import findings
from verify.studies.swapping.measures import (
    Measure,
    measures_of_pairs,
    measures_of_release,
    measures_of_state,
    variance_measure,
)
from verify.studies.swapping.pictures import PICTURES
from verify.studies.swapping.releases import METHODS, TOYDOWN, Method
from verify.studies.swapping.synthetic_state import SyntheticState, synthetic_state

__all__ = ["SWAPPING"]

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
        raise InputError("the study of swapping needs scipy: pip install 'stirred[swap]'")
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
            return [_row(("none", "", "", "", ""), measure) for measure in measures_of_state(state())]
        method, value, run = draws[name]
        return list(_rows_of_run(state(), method, value, run, seed_of(seed, name)))

    scope = f"a synthetic state of {households} households, {runs} pairs of runs at each value, seed {seed}"
    return StudyPlan(
        {"households": households, "runs": runs, "seed": seed},
        (_STATE, *draws),
        draw,
        lambda rows: findings(rows, scope),
        PICTURES,
    )


def _rows_of_run(state: SyntheticState, method: Method, value: Fraction, run: int, seed: int) -> Iterator[Row]:
    """Two runs: the first is measured, and both give the estimate of the variance."""
    first, second = (method.release(state, value, seed_of(seed, half)) for half in ("first", "second"))
    start = (method.name, method.parameter, _number(value), str(run), _budget(state, method, value))
    for measure in measures_of_release(state, first):
        yield _row(start, measure)
    yield _row(start, variance_measure(first, second))
    if first.pairs is not None:
        for measure in measures_of_pairs(state, first.pairs):
            yield _row(start, measure)


_COLUMNS = ("method", "parameter", "value of parameter", "run", "epsilon", "statistic", "of", "measured")


def _row(start: tuple[str, str, str, str, str], measure: Measure) -> Row:
    return dict(zip(_COLUMNS, (*start, *measure), strict=True))


def _number(value: Fraction) -> str:
    return rounded_text(value, 2)


@cache
def _epsilon(loss: Loss) -> str:
    """The budget in nats, rounded up."""
    return rounded_text(Fraction(ceil(loss.epsilon().upper * 10**4), 10**4), 4)


def _budget(state: SyntheticState, method: Method, value: Fraction) -> str:
    if method is TOYDOWN:
        return _number(value)
    loss = method.budget(state, value)
    if loss is None:
        return ""
    return "infinite" if loss.is_infinite else _epsilon(loss)


SWAPPING = Study(
    "swapping",
    "errors, variance, entropy and regression under 2010-style swapping, the PSA and ToyDown (swapping study)",
    "Release a synthetic state by 2010-style swapping (the swapping study's standard and high-variance settings, at 2, "
    "10, 15, 20 and 40%), by the PSA at the same rates, and by ToyDown with discrete Laplace and with discrete "
    "Gaussian noise; measure what the study measures, and set error against budget. One line of the table for each "
    "statistic of each run.",
    _add_arguments,
    _plan,
    (
        "stirred study swapping --output swapping",
        "stirred study swapping --households 10000 --runs 3 --seed 7 --output small",
    ),
)
