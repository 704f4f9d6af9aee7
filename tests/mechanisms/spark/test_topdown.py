"""TopDown's estimation on Spark: what one machine finds, and its errors in one line."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import pytest
from topdown_town import run

from stirred.mechanisms.das.topdown import Design, EditConstraint, Geography, KeptTotal, QueryGroup, invariants
from stirred.mechanisms.fast.nearest_point import highs_nearest
from stirred.mechanisms.fast.topdown import ROOT, Estimation, estimate
from stirred.mechanisms.fast.topdown_noise import drawn_measurements, keyed_measurements
from stirred.mechanisms.spark import topdown as spark_topdown
from stirred.mechanisms.spark.session import end_session, spark_session
from stirred.mechanisms.spark.topdown import estimate_on_spark
from stirred.spec import InputError
from stirred.verify.cli.main import main
from stirred.verify.products.topdown.examples import redistricting
from stirred.verify.products.topdown.measurements import kept_measurements

pytestmark = [
    pytest.mark.nightly,  # with every change one release is compared: tests/mechanisms/spark/test_swapping.py
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # pyspark leaves its sockets to the garbage collector
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PARENTS = {"US": None} | dict.fromkeys("AB", "US") | {f"{state}{i}": state for state in "AB" for i in range(3)}
DESIGN = Design(
    Geography(PARENTS),
    {"minor": "person", "adult": "person", "elder": "person"},
    (
        QueryGroup("total", "person", ((1, 1, 1),), Fraction(1, 3)),
        QueryGroup("detailed", "person", ((1, 0, 0), (0, 1, 0), (0, 0, 1)), Fraction(2, 3)),
    ),
    (KeptTotal("population", 1, (1, 1, 1)),),
    (EditConstraint("at most 40 elders", (0, 0, 1), 40),),
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
    {"person": Fraction(1, 50)},
)


@pytest.fixture(scope="module")
def session():
    started = spark_session("local[2]", {"spark.sql.shuffle.partitions": "3"})
    yield started
    end_session(started)


@pytest.fixture
def estimation():
    leaves = {leaf: (7 * i % 11, 13 * i % 17 + 3, 5 * i % 7) for i, leaf in enumerate(DESIGN.geography.leaves)}
    histograms = DESIGN.summed(leaves)
    measured = keyed_measurements(DESIGN, histograms, bytes(32))
    return Estimation(DESIGN, measured, invariants(DESIGN, histograms))


def test_it_finds_what_one_machine_finds(session, estimation):
    here = estimate(estimation)
    assert estimate_on_spark(session, estimation) == here
    noisy = [sum(group[0]) for group in estimation.measurements]
    assert noisy != [sum(here[node]) for node in DESIGN.geography.nodes]  # there was something to settle


def test_what_a_worker_refuses_is_said_in_one_line(session, estimation):
    asked = []
    replace(estimation, solver=lambda problem: asked.append(problem) or highs_nearest(problem)).children(ROOT, None)
    answers = defaultdict(tuple, {asked[0]: highs_nearest(asked[0])})  # none but at the root; a worker can load it
    wrong = replace(estimation, solver=answers.__getitem__)
    with pytest.raises(InputError, match="level 1, A, B: the solver must return 6 integers; got 0"):
        estimate_on_spark(session, wrong)


@pytest.mark.usefixtures("session")
def test_the_command_releases_on_spark_what_it_releases_on_one_machine(capsys, tmp_path):
    town = tmp_path / "town"
    assert main(["run", "topdown", "--init", str(town)]) == 0
    (status, *_, here), (on_spark, *_, there) = (
        run(capsys, town, "--seed", 3, "--format", "csv", *more, output=name)
        for name, more in (("here", ()), ("there", ("--engine", "spark")))
    )
    assert status == on_spark == 0
    for name in ("persons.csv", "manifest.json", "specification.toml"):
        assert (here / name).read_bytes() == (there / name).read_bytes()


def test_workers_read_the_measurements_from_the_files_that_they_were_drawn_into(session, estimation, tmp_path):
    leaves = {leaf: (7 * i % 11, 13 * i % 17 + 3, 5 * i % 7) for i, leaf in enumerate(DESIGN.geography.leaves)}
    drawn = drawn_measurements(DESIGN, DESIGN.summed(leaves), bytes(32))
    in_files = replace(estimation, measurements=kept_measurements(tmp_path, DESIGN, (), drawn))
    assert estimate_on_spark(session, in_files) == estimate(estimation)
    (tmp_path / "level-2.parquet").rename(tmp_path / "gone")
    with pytest.raises(InputError, match="every worker must see the noisy measurements: --work"):
        estimate_on_spark(session, in_files)


def test_jobs_of_few_parents_find_the_same(session, estimation, monkeypatch):
    monkeypatch.setattr(spark_topdown, "_PARENTS", 1)
    assert estimate_on_spark(session, estimation) == estimate(estimation)


@pytest.mark.usefixtures("session")
def test_the_redistricting_settings_give_the_same_release_on_spark(capsys, tmp_path):
    for name, text in redistricting(1, 4, counties=2, tracts=3).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    settings = [str(tmp_path / name) for name in ("pl94_person_US.ini", "pl94_person_default.ini")]
    given = ["run", "topdown", "--settings", *settings, "--schema", str(tmp_path / "schema.toml")]
    given += ["--data", str(tmp_path / "data"), "--estimate", "rounded", "--seed", "4", "--output"]
    here, there = tmp_path / "here", tmp_path / "there"
    assert main([*given, str(here)]) == main([*given, str(there), "--engine", "spark"]) == 0, capsys.readouterr()
    files = sorted(path.relative_to(here) for path in here.rglob("*") if path.is_file())
    assert len(files) == 17  # 6 levels, each with what was measured and what is kept; records and what says how
    assert all((here / path).read_bytes() == (there / path).read_bytes() for path in files)


def test_what_was_found_before_is_taken_and_the_rest_is_told(session, estimation):
    told = {}
    found = estimate_on_spark(session, estimation, keep=lambda _, parent, children: told.setdefault(parent, children))
    assert set(told) == {ROOT, "US", "A", "B"}
    again = {}
    before = {parent: told[parent] for parent in (ROOT, "US", "A")}
    after = estimate_on_spark(session, estimation, done=before, keep=lambda _, one, of: again.setdefault(one, of))
    assert (after, set(again)) == (found, {"B"})
