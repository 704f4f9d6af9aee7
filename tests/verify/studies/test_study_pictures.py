"""What the pictures of studies say of themselves: the flavors of budgets, how many runs there were, how they vary."""

from __future__ import annotations

from fractions import Fraction

import pytest
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure

from stirred.verify.studies.swapping.measures import (
    measures_of_pairs,
    measures_of_release,
    measures_of_state,
    variance_measure,
)
from stirred.verify.studies.swapping.pictures import PICTURES as SWAPPING
from stirred.verify.studies.swapping.releases import METHODS, PAIRS, ReleasedCounts
from stirred.verify.studies.swapping.synthetic_state import synthetic_state
from stirred.verify.studies.topdown.pictures import PICTURES as TOPDOWN
from stirred.verify.studies.topdown.release import LEVELS
from stirred.verify.studies.topdown.table import each_run

F = Fraction
COLUMNS = (
    "method",
    "parameter",
    "value of parameter",
    "run",
    "epsilon",
    "delta",
    "rho^2",
    "statistic",
    "of",
    "measured",
)


@pytest.fixture(scope="module")
def swapped():
    """Rows of the swapping study: one release, whose errors are multiplied by another factor for each value and run."""
    state = synthetic_state(2_000, 5)
    released = PAIRS.release(state, F(1, 10), 3)
    one = list(measures_of_release(state, released))
    rows = [
        dict.fromkeys(COLUMNS, "") | dict(zip(COLUMNS[-3:], m, strict=True)) | {"method": "none"}
        for m in measures_of_state(state)
    ]
    for method in METHODS:
        for place, value in enumerate(method.values, start=1):
            budget = "infinite" if method.parameter == "swap rate" and "pairs" in method.name else str(40 - place)
            for run in (1, 2, 3):
                start = (method.name, method.parameter, str(float(value)), str(run), budget, "0", budget)
                measures = [*one, variance_measure(released, ReleasedCounts(released.counts + run))]
                if "pairs" in method.name:
                    measures += measures_of_pairs(state, released.pairs)
                factor = F(place) * (1 + F(run, 100)) / 10
                rows += [
                    dict(zip(COLUMNS, (*start, s, of, str(float(F(v) * factor)) if "error" in s else v), strict=True))
                    for s, of, v in measures
                ]
    return rows


def topdown_rows(runs):
    """Rows of the study of TopDown: the statistic of each run is told from all others by its value."""
    rows, number = [], 0
    statistics = [
        (s, level, "kinds") for level in LEVELS for s in ("mean absolute noise", "mean absolute error", "variance")
    ]
    statistics += [("mean error by true count", LEVELS[-1], name) for name in ("0", "1", "2")]
    for statistic, level, of in statistics:
        for budget in ("0.1", "1", "10"):
            for run in range(1, runs + 1):
                number += 1
                rows.append(
                    {"population": "town", "rho^2": budget, "sigma^2": "80", "run": str(run), "statistic": statistic}
                    | {"level": level, "of": of, "counts": "7", "measured": str(number * 17 % 101 + F(number, 1000))}
                )
    return rows


def drawn(draw, rows):
    figure = Figure()
    draw(figure, rows)
    return figure


def bars(figure):
    """The ends of all bars, upright."""
    found = set()
    for axes in figure.axes:
        for one in axes.containers:
            if isinstance(one, ErrorbarContainer) and one.has_yerr:
                (lines,) = one[2]
                found |= {tuple(round(float(y), 9) for _, y in segment) for segment in lines.get_segments()}
    return found


def words(figure):
    """All that is written into a figure."""
    texts = [figure.get_suptitle(), *(t.get_text() for legend in figure.legends for t in legend.get_texts())]
    for axes in figure.axes:
        texts += [axes.get_title(), axes.get_xlabel(), axes.get_ylabel()]
    return " ".join(" ".join(texts).split())


@pytest.mark.parametrize("name", TOPDOWN)
@pytest.mark.parametrize("runs", [2, 5])
def test_bars_of_topdown_go_from_the_least_run_to_the_greatest(name, runs):
    rows = topdown_rows(runs)
    statistics = {
        "error": [(f"mean absolute {what}", level, "kinds") for what in ("noise", "error") for level in LEVELS],
        "bias": [("mean error by true count", LEVELS[-1], of) for of in ("0", "1", "2")],
        "variance": [("variance", level, "kinds") for level in LEVELS[1:]],
    }[name]
    groups = [each for one in statistics for each in each_run(rows, "town", *one).values()]
    figure = drawn(TOPDOWN[name], rows)
    assert bars(figure) == {(round(float(min(each)), 9), round(float(max(each)), 9)) for each in groups}
    assert f"marks: means of {runs} pairs of runs; bars: from the least to the greatest of them" in words(figure)


@pytest.mark.parametrize("name", TOPDOWN)
def test_one_run_of_topdown_has_no_bars_and_says_so(name):
    figure = drawn(TOPDOWN[name], topdown_rows(1))
    assert not bars(figure)
    assert "marks: 1 pair of runs, so no bars" in words(figure)


@pytest.mark.parametrize("name", ["directions", "budget", "variance", "side_by_side"])
def test_pictures_of_swapping_say_how_many_runs_there_were(swapped, name):
    assert "3 runs" in words(drawn(SWAPPING[name], swapped)).replace("pairs of runs", "runs")
    single = words(drawn(SWAPPING[name], [row for row in swapped if row["run"] in ("", "1")]))
    assert "so no bars" in single


@pytest.mark.parametrize("name", ["budget", "side_by_side"])
def test_where_budgets_stand_side_by_side_the_flavors_are_named(swapped, name):
    written = words(drawn(SWAPPING[name], swapped))
    assert "equal numbers are not equal protection" in written
    for flavor in (
        "PSA: pure privacy where one household is replaced; the counts of key by all else, and of key by block, are",
        "ToyDown: pure privacy for one person more or less; nothing is invariant",
        "TopDown: zero-concentrated privacy where one person is replaced; the population of the state and the housing",
    ):
        assert flavor in written
    assert "error at equal" not in written


def test_bars_beside_each_other_hold_what_all_runs_together_give(swapped):
    figure = drawn(SWAPPING["side_by_side"], swapped)
    seen = 0
    for axes in figure.axes:
        for one in axes.containers:
            (lines,) = one[2]
            for x, segment in zip(one[0].get_xdata(), lines.get_segments(), strict=True):
                assert segment[0][0] <= x <= segment[1][0]
                seen += segment[0][0] < segment[1][0]
    assert seen
