"""`stirred audit --sampled`: verdicts, formats, what is kept, and what is refused."""

import json

import pytest

from stirred.verify.cli import main

CLAIM = """\
id = "coins.answer"
statement = "The answer satisfies epsilon = 1 for each person."
domain = {{ data_sets = [0, 1] }}
multiverse = {{ invariants = [] }}
input_premetric = {{ name = "absolute_difference", resolution = "person" }}
output_premetric = {{ name = "multiplicative" }}
budget = {{ epsilon = "1" }}
mechanism = {{ function = "coins:answer", parameters = {{ flip = "{flip}" }} }}
"""

CODE = "def answer(data, rng, *, flip):\n    return data ^ int(rng.random() < flip)\n"


@pytest.fixture
def claim(tmp_path):
    (tmp_path / "coins.py").write_text(CODE)

    def written(flip):
        file = tmp_path / "claim.toml"
        file.write_text(CLAIM.format(flip=flip))
        return str(file)

    return written


def test_the_exit_status_and_the_record_are_those_of_an_audit(claim, capsys):
    assert main(["audit", claim("1/10"), "--sampled", "--seed", "1", "--json"]) == 1
    (record,) = json.loads(capsys.readouterr().out)
    assert record["verdict"] == "REFUTED"
    assert record["witness"]["sampled"]["confidence"] == "0.999999"
    assert main(["audit", claim("1/2"), "--sampled", "--seed", "1", "--draws", "500", "--confidence", "0.99"]) == 3
    shown = capsys.readouterr().out
    assert "not refuted with 500 draws" in shown
    assert "confidence 0.99," in shown


def test_a_witness_is_kept_and_replays(claim, tmp_path, capsys):
    kept = str(tmp_path / "witness.json")
    assert main(["audit", claim("1/10"), "--sampled", "--seed", "1", "--witness", kept]) == 1
    capsys.readouterr()
    assert main(["replay", kept]) == 1
    assert ": REFUTED: P_x(E) = " in capsys.readouterr().out


def test_looks_are_kept_and_gone_on_from(claim, tmp_path, capsys):
    kept = tmp_path / "looks.json"
    line = ["audit", claim("1/2"), "--sampled", "--seed", "1", "--draws", "500", "--resume", str(kept)]
    assert main(line) == 3
    first = capsys.readouterr().out
    assert len(json.loads(kept.read_text())["looks"]["0"]) == 1
    assert main(line) == 3
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--draws", "5"], "--draws must come with --sampled"),
        (["--seed", "5"], "--seed must come with --sampled"),
        (["--sampled", "--coq", "A.v"], "--sampled must come without --coq"),
        (["--sampled", "--resume", "looks.json"], "--resume must come with --seed"),
        (["--sampled", "--confidence", "2"], "--confidence must be between 0 and 1"),
        (["--sampled", "--confidence", "1"], "--confidence must be above 0 and below 1"),
        (["--sampled", "--draws", "0"], "--draws must be"),
        (["--sampled", "--digits", "0"], "--digits must be"),
    ],
)
def test_an_option_out_of_place_is_refused(claim, options, message, capsys):
    assert main(["audit", claim("1/2"), *options]) == 2
    assert message in capsys.readouterr().err


def test_published_claims_are_not_sampled(capsys):
    assert main(["audit", "--sampled"]) == 2
    assert "--sampled must come with claim files" in capsys.readouterr().err


def test_a_command_is_left_open_without_it(claim, tmp_path, capsys):
    file = tmp_path / "command.toml"
    block = 'mechanism = { function = "coins:answer", parameters = { flip = "1/2" } }'
    file.write_text(CLAIM.format(flip="1/2").replace(block, 'mechanism = { command = ["cat"] }'))
    assert main(["audit", str(file)]) == 3
    assert "stirred audit --sampled draws from it" in capsys.readouterr().out
    file.write_text(file.read_text().replace('["cat"]', "[]"))
    assert main(["audit", str(file)]) == 2
    assert "must be an array of texts, a program and its arguments" in capsys.readouterr().err
