"""`stirred infer` as a person types it."""

import json
from pathlib import Path

import pytest

from stirred.verify.cli.main import main

CLAIMS = Path(__file__).parents[3] / "claims"
COIN = str(CLAIMS / "coin.toml")


def run(capsys, *arguments):
    status = main(["infer", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_the_table_has_a_line_for_each_bound(capsys):
    status, out, _ = run(capsys, COIN, "--alpha", "1/4", "--prior", "1/10")
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "survey.coin: gamma = 3: what a release lets someone learn, if the budget is met"
    (power,) = [line.split("  ") for line in lines if line.startswith("survey.coin.power.1:")]
    assert [cell.strip() for cell in power if cell][1:] == ["0.083333 to 0.75"] * 3
    (posterior,) = [line for line in lines if line.startswith("survey.coin.posterior.1:")]
    assert "0.035714 to 0.25" in posterior


def test_the_record_has_fractions(capsys):
    status, out, _ = run(capsys, COIN, "--json")
    (record,) = json.loads(out)
    assert status == 0
    assert record["gamma"] == "3"
    assert record["limits"][0]["exact"] == ["1/60", "3/20"]


def test_a_published_claim_is_named_by_its_id(capsys):
    status, out, _ = run(capsys, "massachusetts-1940", "--distance", "2", "--json")
    records = json.loads(out)
    assert status == 0
    assert [record["gamma"] for record in records] == ["26168868", "5022308", "2378988", "264332"]
    assert [one["name"] for one in records[0]["limits"]] == ["power.2", "posterior.2"]
    assert "no data sets between them are known" in records[0]["notes"][1]


def test_data_sets_at_distance_0_have_one_law(capsys, tmp_path):
    (tmp_path / "twins.toml").write_text(
        """
        id = "twins"
        statement = "The order of the records says nothing."
        domain = { data_sets = [[["a"], ["b"]], [["b"], ["a"]], [["a"], ["a"]]] }
        multiverse = { invariants = [] }
        input_premetric = { name = "hamming_unordered", resolution = "person" }
        output_premetric = { name = "multiplicative" }
        budget = { gamma = 3 }
        """
    )
    event = ["--event", '[[["a"], ["b"]]]']
    orders = '[[[["a"], ["b"]], "1/2"], [[["b"], ["a"]], "1/2"]]'
    for prior, ends in ((["--prior", orders], ["1/2", "1/2"]), ([], ["1/5", "3/7"])):
        status, out, err = run(capsys, str(tmp_path / "twins.toml"), *event, *prior, "--json")
        assert (status, err) == (0, "")
        (found,) = [one["sharpest"] for one in json.loads(out)[0]["limits"] if one["name"] == "event.1"]
        assert found == ends


def test_under_pufferfish_beliefs_are_told_apart(capsys):
    status, out, _ = run(capsys, str(CLAIMS / "pufferfish.toml"), "--json")
    (record,) = json.loads(out)
    assert status == 0
    bounds = {one["name"]: one for one in record["limits"]}
    assert bounds["power.1"]["exact"] == ["1/180", "9/20"]
    assert bounds["posterior.1"]["sharpest"] == bounds["posterior.1"]["exact"] == ["1/10", "9/10"]
    assert "an attacker's law of the data, given a conjecture or its rival" in record["notes"][0]


def test_overlapping_beliefs_have_sharper_bounds_than_their_distance(capsys, tmp_path):
    text = (CLAIMS / "pufferfish.toml").read_text()
    certain = '"first is ill" = [[["ill"], ["well"]], [["ill"], ["ill"]]]'
    either = '"first is ill" = [[["ill"], ["well"]], [["ill"], ["ill"]], [["well"], ["well"]]]'
    (tmp_path / "overlapping.toml").write_text(text[: text.index("[mechanism]")].replace(certain, either))
    status, out, _ = run(capsys, str(tmp_path / "overlapping.toml"), "--json")
    assert status == 0
    bounds = {one["name"]: one for one in json.loads(out)[0]["limits"]}
    assert bounds["power.1"]["printed"] == ["1/180", "9/20"]
    # rejecting (well, well) with probability 1/15 and what is ill always: 3/4 of 1/15, and 4/13 + 9/13 of it
    assert bounds["power.1"]["sharpest"][1] == "23/65"


@pytest.mark.parametrize(
    ("counts", "status", "verdict", "said"),
    [
        ((3, 1000, 620, 1000), 1, "REFUTED", "epsilon >= 4.210 at confidence 19/20: the budget is not met, gamma = 3"),
        ((300, 1000, 500, 1000), 3, "OPEN", "as the budget allows, gamma = 3; whether it is met is not shown"),
        ((300, 1000, 320, 1000), 3, "OPEN", "under another at distance 1 exclude no budget at confidence 19/20"),
    ],
)
def test_a_test_that_was_tried_is_a_finding_with_a_verdict_and_a_status(capsys, counts, status, verdict, said):
    got, out, _ = run(capsys, COIN, "--observed", *map(str, counts))
    first = out.splitlines()[0]
    assert got == status
    assert first.startswith(f"survey.coin.observed: {verdict}: sampled: ")
    assert said in first
    assert "wrong with probability at most 1/20, if this mechanism ran 2000 times independently" in first
    got, out, _ = run(capsys, COIN, "--observed", *map(str, counts), "--json")
    (record,) = json.loads(out)
    assert got == status
    assert (record["observed"]["verdict"], record["observed"]["is_sampled"]) == (verdict, True)
    assert record["observed"]["confidence"] == "19/20"
    assert said in record["observed"]["sentence"]


def test_what_was_observed_may_be_at_another_distance(capsys):
    counts = ("3", "1000", "620", "1000")
    _, out, _ = run(capsys, COIN, "--observed", *counts, "--distance", "2", "--error", "1/100")
    assert "at distance 2 show epsilon >= 1.985 at confidence 99/100" in out.splitlines()[0]


def test_of_several_settings_the_largest_budget_is_held_against_the_counts(capsys):
    counts = ("--observed", "0", "1000000", "1000000", "1000000", "--distance", "2")
    status, out, _ = run(capsys, "massachusetts-1940", *counts)
    assert status == 3
    assert "as the largest budget of its settings allows, epsilon = ln(26168868)" in out.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["massachusetts-1940", "--observed", "1", "9", "7", "9"],
            "massachusetts-1940: --observed requires --distance: no two data sets of one universe are 1 apart",
        ),
        (
            [str(CLAIMS / "swapping.toml"), "--observed", "1", "9", "7", "9", "--distance", "2"],
            "--observed must come with one claim, that of the mechanism; got 2",
        ),
    ],
)
def test_counts_of_no_pair_or_of_no_one_mechanism_are_refused(capsys, arguments, message):
    # at a distance that is too small the same counts show too large a loss
    status, out, err = run(capsys, *arguments)
    assert (status, out, err) == (2, "", f"stirred: {message}\n")


def distances_listed(capsys, *arguments):
    status, out, _ = run(capsys, *arguments, "--json")
    assert status == 0
    names = [one["name"] for record in json.loads(out) for one in record["limits"]]
    return {int(name.partition(".")[2]) for name in names if name.startswith("power.")}


def test_a_swapping_claim_has_no_distance_1(capsys):
    assert distances_listed(capsys, "massachusetts-1940") == {2, 4, 6}
    assert distances_listed(capsys, "psa-2020.state") == {2, 4, 6}
    assert distances_listed(capsys, str(CLAIMS / "swapping.toml")) == {2, 4}
    status, out, err = run(capsys, "massachusetts-1940", "--distance", "1")
    message = "massachusetts-1940: --distance must be that of two data sets of one universe, at least 2; got 1"
    assert (status, out, err) == (2, "", f"stirred: {message}\n")


def test_the_pictures_are_written_whole_or_not_at_all(capsys, tmp_path):
    target = tmp_path / "learned.svg"
    assert run(capsys, COIN, "--plot", str(target))[0] == 0
    assert target.read_text().startswith("<svg ")
    status, out, err = run(capsys, COIN, "--plot", str(tmp_path / "missing" / "learned.svg"))
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([COIN, "--alpha", "3/2"], "--alpha must be between 0 and 1; got 3/2"),
        ([COIN, "--alpha", "half"], "--alpha must be an exact number such as '1/20' or '0.05'; got 'half'"),
        ([COIN, "--prior", "-1/2"], "--prior: expected one argument; see stirred infer --help"),
        ([COIN, "--prior", "2"], "--prior must be between 0 and 1; got 2"),
        ([COIN, "--prior", "[1]"], "--prior must be a number, or come with --event where it is an array"),
        (
            [COIN, "--event", "[[[2]]]"],
            "--event must name data sets of the domain, such as ((0,), (0,), (0,)); got ((2,),)",
        ),
        ([COIN, "--distance", "0"], "--distance must be at least 1; got 0"),
        ([COIN, "--distance", "101"], "--distance must be at most 100; got 101"),
        ([COIN, "--plot", "x.png"], "--plot must be a file that ends in .svg; got x.png"),
        ([COIN, "--observed", "3", "0", "1", "1"], "trials must be at least 1; got 0"),
        (
            [COIN, "--observed", "5", "3", "1", "1"],
            "successes must be at most trials, and trials at most 1000000; got 5 and 3",
        ),
        ([COIN, "--observed", "1", "9", "7", "9", "--error", "0"], "error must be above 0 and at most 1/2; got 0"),
        (
            [COIN, "--observed", "1", "9", "7", "9", "--distance", "1", "--distance", "2"],
            "--observed must come with one --distance at most",
        ),
        (["nobody"], "nobody: no such file, and no published claim has this id"),
        (["phsafe.table-10"], "phsafe.table-10: has printed numbers only, no budget that bounds what is learned"),
        (["topdown.pl"], "topdown.pl: output_premetric must be 'multiplicative' for bounds on what is learned"),
        (
            ["massachusetts-1940", "--event", "[[1]]"],
            "massachusetts-1940: --event needs a domain whose data sets are listed",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(capsys, arguments, message):
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith("stirred: ")
    assert line.endswith(message)


def test_the_page_of_an_audit_says_what_the_budget_lets_someone_learn(capsys, tmp_path):
    target = tmp_path / "page.html"
    assert main(["audit", COIN, "--html", str(target)]) == 0
    page = target.read_text()
    assert "What this budget lets someone learn" in page
    assert "power of a test of size 1/20, distance 3" in page
    assert 'id="learned-1-0-title"' in page
