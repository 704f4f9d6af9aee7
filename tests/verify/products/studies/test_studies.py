"""Studies that are interrupted from outside, the draws that they keep, and what their pictures say of themselves."""

import json
import signal
import subprocess
import time
from fractions import Fraction

import pytest
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from started import ENVIRONMENT, STIRRED

from stirred.spec import InputError
from stirred.verify.products.studies.psa import PSA
from stirred.verify.products.studies.study import KeptDraws, carry_out
from stirred.verify.products.studies.swapping.pictures import PICTURES as SWAPPING
from stirred.verify.products.studies.swapping.releases import METHODS, PAIRS, ReleasedCounts
from stirred.verify.products.studies.swapping.study import (
    measures_of_pairs,
    measures_of_release,
    measures_of_state,
    variance_measure,
)
from stirred.verify.products.studies.swapping.synthetic_state import synthetic_state
from stirred.verify.products.studies.topdown.release import LEVELS, each_run
from stirred.verify.products.studies.topdown.study import PICTURES as TOPDOWN

RECORDS = "tenure,county,room\n" + "".join(
    f"{tenure},{county},{room}\n" for tenure in ("own", "rent") for county in "ABC" for room in range(4)
)


@pytest.mark.usefixtures("usual_signals")
def test_what_is_finished_before_ctrl_c_is_kept(tmp_path):
    (tmp_path / "records.csv").write_text(RECORDS)
    folder = tmp_path / "long"
    words = [*STIRRED, "study", "psa", tmp_path / "records.csv", "--swap", "county", "--output", folder]
    words += ["--runs", "20000", "--jobs", "2"]
    with subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE) as process:
        kept = folder / "draws.jsonl"
        while not (kept.exists() and kept.read_bytes().count(b"\n") > 3):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        error = process.communicate()[1]
    assert error == b"stirred: interrupted\n"
    assert [file.name for file in folder.iterdir()] == ["draws.jsonl"]
    assert len([json.loads(line) for line in kept.read_bytes().splitlines()]) > 3


def test_a_study_needs_no_command_line(tmp_path):
    findings, written = carry_out(PSA, {"massachusetts": True, "runs": 2, "swap_rates": [F(1, 2)]}, tmp_path / "out")
    assert [*findings] == ["psa.p=1/2"]
    assert [path.name for path in written] == ["psa.csv", "psa.svg", "psa.png"]
    assert written[0].read_text().count("\n") == 3


F = Fraction
SETTINGS = {"seed": 1}
ROWS = [{"run": "1", "error": "0.5"}]


def test_what_was_kept_is_there_again(tmp_path):
    with KeptDraws(tmp_path / "new", SETTINGS) as kept:
        assert kept.draws == {}
        kept.keep("run 1", ROWS)
    with KeptDraws(tmp_path / "new", SETTINGS) as kept:
        assert kept.draws == {"run 1": ROWS}


def test_two_runs_cannot_write_into_one_folder(tmp_path):
    with KeptDraws(tmp_path, SETTINGS), pytest.raises(InputError, match="another run is writing here"):
        KeptDraws(tmp_path, SETTINGS)
    with KeptDraws(tmp_path, SETTINGS) as kept:
        assert kept.draws == {}


@pytest.mark.parametrize(("old", "new"), [(b"0.5", b"0.6"), (b"error", b"terror"), (b'"run 1"', b'"run 2"')])
def test_a_draw_that_was_altered_is_refused(tmp_path, old, new):
    with KeptDraws(tmp_path, SETTINGS) as kept:
        kept.keep("run 1", ROWS)
    content = (tmp_path / "draws.jsonl").read_bytes()
    assert old in content
    (tmp_path / "draws.jsonl").write_bytes(content.replace(old, new))
    with pytest.raises(InputError, match="line 2 must be what a study kept"):
        KeptDraws(tmp_path, SETTINGS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1 must be the settings of a study"),
        (b'{"seed": 1', "line 1 must be the settings of a study"),
        (b'{"seed": 2}\n', "holds draws with seed = 2, not 1: name another folder"),
        (b"[1]\n", "holds draws with seed = None, not 1"),
        (b'{"seed": 1, "runs": 3}\n', "holds draws with runs = 3, not None"),
        (b'{"seed": 1}\nnot a draw\n', "line 2 must be what a study kept"),
        (b'{"seed": 1}\n["run 1", [3]]\n', "line 2 must be what a study kept"),
        (b'{"seed": 1}\n["run 1", [], ""]\n', "line 2 must be what a study kept"),
        (b'{"seed": 1}\n[[], [], ""]\n', "line 2 must be what a study kept"),
        (b'{"seed": 1}\n\xff\n', "line 2 must be what a study kept"),
    ],
)
def test_what_no_study_wrote_is_refused_and_stays(tmp_path, content, message):
    (tmp_path / "draws.jsonl").write_bytes(content)
    with pytest.raises(InputError) as caught:
        KeptDraws(tmp_path, SETTINGS)
    assert message in str(caught.value)
    assert (tmp_path / "draws.jsonl").read_bytes() == content


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
