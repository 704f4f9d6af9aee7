"""`stirred study scale` and `stirred swap --plan`: lines through measured runs, and what breaks first.

`stirred study libraries`: one line for each mechanism; what cannot be made is said.
"""

import json
import shutil
from types import SimpleNamespace

import pytest

from stirred.spec import InputError
from stirred.verify.audit.libraries import mechanism_study as libraries
from stirred.verify.audit.libraries.mechanism_study import CATALOGUED, Catalogued
from stirred.verify.cli.commands import study_scale
from stirred.verify.cli.main import main
from stirred.verify.products.studies.scale import SYSTEMS, Cluster, Cost, Line, Measured, first_to_break, needs

GB = 10**9


def made(**systems):
    """The text of a file of measurements: so many seconds and bytes for each record, beside 1 s and 10^8 bytes."""
    runs = {
        name: [
            {"number": n, "seconds": 1 + seconds * n, "memory": 10**8 + memory * n, "disk": 8 * n}
            for n in (1000, 10_000)
        ]
        for name, (seconds, memory) in systems.items()
    }
    return json.dumps({"cores": 2, "runs": runs})


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "measured.json"
    path.write_text(made(psa=(1e-6, 0), phsafe=(4e-6, 200), topdown=(0.04, 40_000)))
    return path


def test_a_line_goes_through_its_points_and_never_falls():
    line = Line.through((10, 3.0), (20, 5.0))
    assert (line.at(10), line.at(20), line.at(0)) == (3.0, 5.0, 1.0)
    assert Line.through((20, 5.0), (10, 3.0)) == line
    # noise that makes the larger run the cheaper one is no slope below 0
    assert Line.through((10, 5.0), (20, 3.0)) == Line(5.0, 0.0)
    with pytest.raises(InputError, match="two different sizes"):
        Line.through((10, 1.0), (10, 2.0))


def test_needs_are_the_line_at_the_number_of_the_country():
    cost = Cost.of([Measured(1000, 1.001, GB, 8000), Measured(10_000, 1.01, GB, 80_000)])
    time, memory, disk = needs("psa", cost, Cluster(10, 16, 64 * GB, 10**12, 24))
    # 1 + 330 million millionths of a second, on the 16 cores of the one machine that works
    assert time.needed == pytest.approx(331 / 16)
    assert (memory.share, disk.needed) == (1 / 64, pytest.approx(8 * 330_000_000))
    spread, *_ = needs("topdown", cost, Cluster(10, 16, 64 * GB, 10**12, 24))
    assert spread.needed == pytest.approx((1 + 8.5) / 160)
    assert first_to_break([time, memory, disk]) == memory


def test_what_breaks_first_is_said_with_what_moves_it(file, capsys):
    assert main(["study", "scale", "--measured", str(file), "--memory", "128GB"]) == 0
    out = capsys.readouterr().out.splitlines()
    # 8.5 million nodes of 40 kB are 340 GB, 270% of 128 GB
    assert out[-1] == f"breaks first: {SYSTEMS['topdown'].title}, memory; moved by {SYSTEMS['topdown'].moved['memory']}"
    assert any("TopDown" in line and "memory 270%" in line for line in out)
    assert any("PSA of housing units" in line and "140,000,000 units" in line for line in out)
    assert main(["study", "scale", "--measured", str(file), "--memory", "1TB", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["needs"]
    assert {(one["system"], one["resource"]) for one in found} >= {("psa-units", "disk"), ("topdown", "time")}
    assert max(one["share"] for one in found) < 1


@pytest.mark.parametrize(
    "text", ["", "[]", '{"runs": 3}', '{"runs": {"psa": [{"number": 1}]}}', made(psa=(-1, 0)), made(psa=(1, 1e18))]
)
def test_a_file_of_something_else_is_refused(tmp_path, capsys, text):
    (tmp_path / "m.json").write_text(text)
    assert main(["study", "scale", "--measured", str(tmp_path / "m.json"), "--only", "psa"]) == 2
    assert "must be what stirred study scale --save wrote" in capsys.readouterr().err


def test_a_file_without_a_system_is_refused(tmp_path, capsys):
    (tmp_path / "m.json").write_text(made(psa=(1, 1)))
    assert main(["study", "scale", "--measured", str(tmp_path / "m.json")]) == 2
    assert "must have runs of phsafe; it has none" in capsys.readouterr().err


def test_runs_are_measured_and_kept(tmp_path, capsys, monkeypatch):
    small = {name: (make, (2000, 40_000)) for name, (make, _) in study_scale.RUNS.items() if name != "topdown"}
    monkeypatch.setattr(study_scale, "RUNS", small)
    kept = tmp_path / "kept.json"
    assert main(["study", "scale", "--save", str(kept)]) == 0
    assert "PHSafe, by DuckDB, 330,000,000 persons" in capsys.readouterr().out
    runs = json.loads(kept.read_text())["runs"]
    assert [one["number"] for one in runs["psa"]] == [2000, 40_000]
    assert runs["psa"][0]["memory"] > 10**7
    assert runs["psa"][1]["disk"] > runs["psa"][0]["disk"] > 2000
    assert runs["phsafe"][0]["seconds"] > 0


def test_a_run_that_fails_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(
        study_scale, "RUNS", {"psa": (lambda folder, number: ["swap", str(folder / "none.csv")], (1, 2))}
    )
    with pytest.raises(InputError, match=r"psa: a run of 1 must end well; it said: .*required: --swap"):
        study_scale.measured("psa", 1, tmp_path)


def test_the_tree_of_topdown_has_about_so_many_nodes(tmp_path):
    for number in study_scale.RUNS["topdown"][1]:
        (tmp_path / str(number)).mkdir()
        study_scale.RUNS["topdown"][0](tmp_path / str(number), number)
        nodes = (tmp_path / str(number) / "data" / "geography.csv").read_text().count("\n") - 1
        assert abs(nodes - number) <= 20


def test_a_plan_is_the_lines_that_come_along(capsys):
    runs = study_scale.committed()
    number = max(one.number for one in runs["swap-csv-memory"])
    assert main(["swap", "--plan", str(number)]) == 0
    out = capsys.readouterr().out
    largest = max(runs["swap-csv-memory"], key=lambda one: one.number)
    assert f"in memory, CSV: {float(f'{largest.seconds:.2g}'):g} s of a processor, {largest.memory / GB:.2g} GB" in out
    assert "GB shuffled" in out
    assert "memory at most --memory" in out
    assert main(["swap", "--plan", "0"]) == 2
    assert "--plan must be a number of records of at least 1" in capsys.readouterr().err


def test_a_swap_without_data_or_columns_is_refused(capsys):
    assert main(["swap", "--swap-rate", "1/2"]) == 2
    assert "the following arguments are required: DATA, --swap; see" in capsys.readouterr().err


def test_what_is_gone_while_it_is_measured_takes_no_room(tmp_path):
    (tmp_path / "kept").write_text("four")
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "part").write_text("gone")
    sizes = study_scale._sizes(tmp_path)
    first = next(sizes)
    shutil.rmtree(tmp_path / "made")
    assert [first, *sizes] == [4]


def unmade():
    raise AttributeError("no such mechanism in this version")


@pytest.fixture
def _catalogue(monkeypatch):
    """Functions in the place of libraries' mechanisms."""
    table = {
        "one: leaks": Catalogued("one", lambda: lambda data: data, pairs=[(0, 1)], note="known: issue 1"),
        "one: sound": Catalogued("one", lambda: lambda data: 0, pairs=[(0, 1)], epsilon="0.5"),
        "two: unmade": Catalogued("two", unmade, pairs=[(0, 1)]),
        "three: absent": Catalogued("three", lambda: None),
    }
    monkeypatch.setattr(libraries, "CATALOGUED", table)
    monkeypatch.setattr(libraries, "installed_libraries", lambda: {"one": "1.0", "two": "2.0"})


@pytest.mark.usefixtures("_catalogue")
def test_it_prints_a_line_for_each_mechanism(capsys):
    assert main(["study", "libraries", "--draws", "500"]) == 0
    leaks, sound, unmade_, counts = capsys.readouterr().out.splitlines()
    assert leaks.startswith("one: leaks 1.0: REFUTED: claimed epsilon = 1, found epsilon >= ")
    assert leaks.endswith("(known: issue 1)")
    assert sound.startswith("one: sound 1.0: OPEN: claimed epsilon = 0.5, found epsilon >= 0.0000, at confidence")
    assert unmade_ == "two: unmade 2.0: not drawn: AttributeError: no such mechanism in this version"
    assert counts == "3 mechanisms, 1 refuted"


@pytest.mark.usefixtures("_catalogue")
def test_the_records_have_the_same(capsys):
    assert main(["study", "libraries", "--draws", "500", "--json", "--only", "leaks"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["verdict"], record["version"], record["draws"]) == ("REFUTED", "1.0", 1_000)


@pytest.mark.usefixtures("_catalogue")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "none"], "--only must be part of the name"),
        (["--draws", "0"], "draws must be"),
        (["--seconds", "0"], "seconds must"),
    ],
)
def test_bad_options_are_refused(options, message, capsys):
    assert main(["study", "libraries", *options]) == 2
    assert message in capsys.readouterr().err


def test_a_library_that_is_absent_is_left_out(monkeypatch):
    monkeypatch.setattr(libraries, "CATALOGUED", {"x": SimpleNamespace(distribution="no-such-distribution")})
    assert libraries.installed_libraries() == {}


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in CATALOGUED if name.startswith(("opendp", "diffprivlib"))])
def test_every_mechanism_of_the_installed_versions_is_made(name):
    pytest.importorskip(f"{CATALOGUED[name].distribution}", exc_type=ImportError)
    found = next(one for one in libraries.studied_mechanisms(name, 500, 100) if one.mechanism == name)
    assert found.verdict != "not drawn", found.how
