"""`stirred derive conversion`, and the curve of delta that `derive mechanism` shows."""

import time
from pathlib import Path

import pytest

from stirred.verify.cli import main

CLAIM = """\
id = "noise.count"
statement = "A noisy count."
domain = { data_sets = [0, 1, 2] }
multiverse = { invariants = [] }
input_premetric = { name = "absolute_difference", resolution = "person" }
output_premetric = { name = "approximate_multiplicative", delta = "1/10" }
budget = { epsilon = "1" }
mechanism = { name = "clamped-geometric", size = 3, ratio = "1/2" }
"""


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    status = main(["derive", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--rho 0.1 --delta 1e-10", "epsilon ≈ 3.134854259 at delta = 1/10000000000 by rho + 2*sqrt(rho*ln(1/delta))"),
        ("--rho 0.1 --delta 1e-10", "epsilon ≈ 2.881828009 at delta = 1/10000000000 by the smallest over all Renyi"),
        ("--rho 1/8 --order 4", "epsilon = 0.5 at Renyi order 4 by alpha*rho\n"),
        ("--mu 1 --at-epsilon 1", "rho = 0.5 by mu^2/2\ndelta ≈ 0.1269367375 at epsilon = 1 by"),
        ("--epsilon 1 --level 0.05", "power ≈ 0.1359140914 at level = 1/20 by"),
        ("--epsilon 1 --order 10 --delta 1e-6", "epsilon ≈ 2.173853425 at delta = 1/1000000 by one order"),
    ],
)
def test_conversions_are_printed_with_their_rule(capsys, arguments, said):
    status, out, err = run(capsys, "conversion", *arguments.split())
    assert (status, err) == (0, "")
    assert said in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("conversion", "exactly one of rho, mu and epsilon must be given: the budget that is converted"),
        ("conversion --rho 1", "delta, order or level must be given: where another budget is asked for"),
        ("conversion --rho 1 --latex --delta 1/2", "conversion must come without --latex; got it"),
        ("psa --mu 1", "psa must come without --mu; got 1"),
        ("mechanism c.toml --level 1/2", "mechanism must come without --level; got 1/2"),
    ],
)
def test_options_that_mean_nothing_are_refused(capsys, arguments, said):
    assert run(capsys, *arguments.split()) == (2, "", f"stirred: {said}\n")


@pytest.fixture
def claim(tmp_path: Path) -> Path:
    file = tmp_path / "claim.toml"
    file.write_text(CLAIM, encoding="utf-8")
    return file


def test_the_curve_of_delta_stands_under_the_loss(capsys, claim):
    status, out, _ = run(capsys, "mechanism", str(claim))
    assert status == 0
    assert out.splitlines() == [
        "noise.count: ln(17/5)/2 ≈ 0.611888, by x = 0, x' = 2",
        "noise.count: delta = (2 - e^epsilon)/3 for 1 <= e^epsilon <= 2",
        "noise.count: delta = 0 for e^epsilon >= 2",
        "noise.count: delta = (4 - e^(2*epsilon))/6 for 1 <= e^(2*epsilon) <= 4 (d = 2)",
        "noise.count: delta = 0 for e^(2*epsilon) >= 4 (d = 2)",
    ]


def test_it_is_drawn_and_written_as_latex(capsys, claim, tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "delta.svg"
    status, out, _ = run(capsys, "mechanism", str(claim), "--plot", str(picture), "--latex")
    assert status == 0
    assert r"\frac{2 - \gamma}{3} & 1 \le \gamma \le 2 \\ 0 & \gamma \ge 2" in out
    assert out.endswith(f"{picture}: written\n")
    assert "<svg" in picture.read_text(encoding="utf-8")


def test_a_claim_without_delta_has_no_curve_to_draw(capsys, claim, tmp_path):
    pure = CLAIM.replace('"approximate_multiplicative", delta = "1/10"', '"multiplicative"')
    claim.write_text(pure, encoding="utf-8")
    status, out, err = run(capsys, "mechanism", str(claim), "--plot", str(tmp_path / "delta.svg"))
    assert (status, out) == (2, "")
    assert err.startswith("stirred: --plot must come with claims of approximate_multiplicative, or with one whose")
    assert err.endswith("; got none\n")
    assert not (tmp_path / "delta.svg").exists()


@pytest.mark.parametrize("mu", ["1e300", "1e50", "1e-300"])
@pytest.mark.parametrize("at", ["--at-epsilon 1", "--at-epsilon 1e300", "--delta 1/100", "--level 1/20"])
def test_budgets_of_any_size_are_converted_within_seconds(capsys, mu, at):
    start = time.process_time()
    status, out, err = run(capsys, "conversion", "--mu", mu, *at.split())
    assert (status, err) == (0, "")
    assert "rho = 5E" in out
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("mu", "rho"),
    [("1e300", "5E+599"), ("1e999", "5E+1997"), ("9e999", "4.05E+1999"), ("1e-999", "5E-1999"), ("3e-300", "4.5E-600")],
)
def test_a_budget_of_any_size_alone_is_half_its_square_in_one_short_line(capsys, mu, rho):
    start = time.process_time()
    assert run(capsys, "conversion", "--mu", mu) == (0, f"rho = {rho} by mu^2/2\n", "")
    assert time.process_time() - start < 10


def test_a_budget_beyond_the_longest_number_is_refused_in_one_line(capsys):
    status, out, err = run(capsys, "conversion", "--mu", "1e1000000")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert len(err) < 200
