"""`stirred infer`: its exact records; `transcripts/infer.txt` shows its text and refusals."""

import json
from pathlib import Path

from stirred.verify.cli.main import main

CLAIMS = Path(__file__).parents[3] / "claims"
COIN = str(CLAIMS / "coin.toml")


def run(capsys, *arguments):
    status = main(["infer", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


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


def test_the_page_of_an_audit_says_what_the_budget_lets_someone_learn(capsys, tmp_path):
    target = tmp_path / "page.html"
    assert main(["audit", COIN, "--html", str(target)]) == 0
    page = target.read_text()
    assert "What this budget lets someone learn" in page
    assert "power of a test of size 1/20, distance 3" in page
    assert 'id="learned-1-0-title"' in page
