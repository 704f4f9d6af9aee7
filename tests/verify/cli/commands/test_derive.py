"""`stirred derive family`, `derive order`, and pictures of losses by an open parameter.

`stirred derive conversion`, and the curve of delta that `derive mechanism` shows.
"""

import time

import pytest

from stirred.verify.cli.main import main


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    status = main(["derive", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


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
