"""`stirred demo` is short and quick, and ends with another status where a verdict is not the expected one.

What it prints stands in `transcripts/demo.txt`.
"""

import subprocess
import sys

import pytest

from stirred.spec import psa_budget
from stirred.verify.cli.commands import demo
from stirred.verify.cli.main import main
from stirred.verify.laws.claim.claim_numbers import published_claim


def test_it_is_short(capsys):
    assert main(["demo"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert 40 <= len(lines) <= 60
    assert [line for line in lines if len(line) > 80] == []


def test_it_takes_less_than_three_seconds_of_a_processor():
    code = (
        "import os, sys; from stirred.verify.cli.main import main; status = main(['demo']); used = os.times(); "
        "sys.exit(status + 10 * (used.user + used.system + used.children_user + used.children_system > 3))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False).returncode == 0


DEMO = "stirred.verify.cli.commands.demo."


@pytest.mark.parametrize(
    ("changed", "value", "said"),
    [
        (f"{DEMO}CLAIM", demo.CLAIM.replace("1.1", "1"), ["step 1: expected PASS; got FAIL (REFUTED)"]),
        (
            f"{DEMO}_PROMISED_LESS",
            "2",
            ["step 2: expected FAIL; got PASS (EXHAUSTED)", "step 2: expected a counterexample; got none"],
        ),
        (
            f"{DEMO}published_claim",
            lambda name: published_claim(name, {"17.08": "17.09"}),
            ["step 3, the printed number: expected PASS; got FAIL (REFUTED)"],
        ),
        (
            f"{DEMO}_PROVED",
            "psa.swap-probability.printed",
            ["step 3, the theorem: expected PASS; got FAIL (REFUTED)"],
        ),
        (
            "stirred.verify.engines.swapping.bounds.certified_two_category_budget",
            psa_budget,
            ["step 3: expected a budget below the printed one; got ln(26168868) ≈ 17.0801"],
        ),
    ],
    ids=["the first claim fails", "the second holds", "a misprint", "a refuted statement", "no smaller budget"],
)
def test_an_unexpected_verdict_is_named_and_is_another_status(monkeypatch, capsys, changed, value, said):
    monkeypatch.setattr(changed, value)
    assert main(["demo"]) == 2
    assert capsys.readouterr().err.splitlines() == [f"stirred: {line}" for line in said]
