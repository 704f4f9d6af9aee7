"""`stirred compare`: the worked examples with their exact losses; `transcripts/compare.txt` shows the rest."""

import json
from pathlib import Path

import pytest

from stirred.verify.cli.main import main

FOLDER = Path(__file__).parents[3] / "claims" / "compare"


def compare(capsys, *arguments):
    status = main(["compare", *map(str, arguments), "--json"])
    captured = capsys.readouterr()
    return status, {one["id"]: one for one in json.loads(captured.out)}


def pair(name):
    return FOLDER / f"{name}_honest.toml", FOLDER / f"{name}_claimed.toml"


@pytest.mark.parametrize(
    ("name", "corner", "honest", "claimed"),
    [
        # majority of three answers flipped at 1/4: P(majority) rises from 10/64 by 22/64 = 10/64·11/5, then falls off
        ("invariant", "HCHH", "ln(11/5)", "0"),
        # a household is two persons: (3)^2 against 3
        ("unit", "HHCH", "ln(9)", "ln(3)"),
        # P(1 | x) = (8 − x)/16: the last step is 2/16 to 1/16, the last one below 4 is 6/16 to 5/16
        ("top_coding", "CHHH", "ln(2)", "ln(6/5)"),
        # two answers: 9/16 − 1/4 = 5·(1/16) over distance 2
        ("delta", "HHHC", "ln(3)", "ln(5)/2"),
    ],
)
def test_worked_examples_have_their_exact_losses(capsys, name, corner, honest, claimed):
    status, found = compare(capsys, *pair(name))
    assert status == 1
    assert {key for key in found if key.startswith("loss.")} == {"loss.HHHH", f"loss.{corner}"}
    for key, loss in (("loss.HHHH", honest), (f"loss.{corner}", claimed)):
        assert found[key]["detail"].startswith(f"the smallest budget is {loss}"), found[key]["detail"]
    assert "identical" in found["kernel"]["detail"]
    assert found["budget.honest"]["verdict"] == found["budget.claimed"]["verdict"] == "EXHAUSTED"
    assert found["budget.transferred"]["verdict"] == "REFUTED"
    assert found["budget.transferred"]["witness"] is not None


@pytest.mark.parametrize("name", ["invariant", "unit", "top_coding", "delta"])
def test_a_refuted_line_and_its_witness_name_one_pair_and_one_event(capsys, name):
    found = compare(capsys, *pair(name))[1]["budget.transferred"]
    witness = found["witness"]
    x, y = (json.dumps(witness[key]).replace("[", "(").replace("]", ")") for key in ("x", "x_prime"))
    line = found["detail"].replace(",)", ")")
    assert f"; x = {x}, x' = {y}, d = {witness['distance']}, E = {{{', '.join(witness['event'])}}}: " in line
    assert f"P[E | x] = {witness['probability']} > " in line
    assert f" * {witness['probability_prime']}" in line


def test_sizes_are_reported_block_by_block(capsys):
    _, found = compare(capsys, *pair("invariant"))
    assert found["sizes.multiverse"]["detail"] == (
        "honest: 1 universe of 8 data sets, 0 singletons; claimed: 4 universes of 1 to 3 data sets, "
        "2 singletons; 22 of 28 compared pairs lost"
    )
    _, found = compare(capsys, *pair("unit"))
    assert found["sizes.input_premetric"]["detail"] == (
        "d_claimed <= 2 * d_honest and d_honest <= 1 * d_claimed in the honest universes"
    )
    _, found = compare(capsys, *pair("delta"))
    assert "multiplicative needs ln(3)" in found["sizes.output_premetric.claimed"]["detail"]


OWN = """\
def apart(x, y):
    return sum(a != b for a, b in zip(x, y))


def first(x, source, *, flip):
    return 1 - x[0][0] if source.bernoulli(flip) else x[0][0]
"""


@pytest.mark.parametrize("metric", ['name = "hamming_ordered"', 'function = "mine:apart"'])
@pytest.mark.parametrize("turned", [False, True])
def test_one_distance_in_two_files_does_not_differ_however_it_is_named(capsys, tmp_path, metric, turned):
    (tmp_path / "mine.py").write_text(OWN, encoding="utf-8")
    # answers flipped at 1/4, of which the first is told: ln 3 at distance 1; with the number of yes, at distance 2
    for place, (distance, invariants) in enumerate([('function = "mine:apart"', "[]"), (metric, '[["vote"]]')]):
        (tmp_path / f"{place}.toml").write_text(
            f"""
id = "mine.{place}"
source = "mine"
statement = "Randomized response."
domain = {{ schema = {{ vote = [0, 1] }}, records = 2, order = "ordered" }}
multiverse = {{ invariants = {invariants} }}
input_premetric = {{ {distance} }}
output_premetric = {{ name = "multiplicative" }}
budget = {{ gamma = 3 }}
mechanism = {{ function = "mine:first", parameters = {{ flip = "1/4" }} }}
""",
            encoding="utf-8",
        )
    files = [tmp_path / "0.toml", tmp_path / "1.toml"]
    status, found = compare(capsys, *(reversed(files) if turned else files))
    assert status == 0
    losses = {key: one["detail"] for key, one in found.items() if key.startswith("loss.")}
    assert {key: text.split(" ≈")[0] for key, text in losses.items()} == {
        key: f"the smallest budget is {loss}"
        for key, loss in zip(("loss.HHHH", "loss.HCHH"), ["ln(3)", "ln(3)/2"][:: -1 if turned else 1], strict=True)
    }
    assert not any("hidden" in key or "input_premetric" in key for key in found)
