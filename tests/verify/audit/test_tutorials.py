"""Mechanisms of tutorials are audited as they stand, from a claim file and in Python."""

import shutil

import pandas as pd
import pytest
from quality import tutorial_functions as tutorials

import stirred
from stirred.verify.cli.main import main

CLAIM = """
[[claim]]
id = "tutorial.{name}"
statement = "What a tutorial promises."
domain = {{ data_sets = {data_sets} }}
multiverse = {{ invariants = [] }}
input_premetric = {{ name = "hamming_ordered", resolution = "person" }}
output_premetric = {{ name = "multiplicative" }}
budget = {{ epsilon = "1" }}
mechanism = {{ function = "tutorial:{name}" }}
"""

NEEDED = {
    "geometric_noise": ([[0, 0], [0, 1]], "ln(1/x) ≈ 1 with x = exp(-1)"),
    "dp_sum": ([[0, 1], [2, 1]], "ln(1/x^4) ≈ 1 with x = exp(-1/4)"),
    "sample_and_aggregate": ([[0, 1, 1, 1], [0, 1, 1, 0]], "ln(1/x) ≈ 0.500000 with x = exp(-1/2)"),
    "sorted_names": ([["a", "b"], ["a", "a"]], "ln(1/(2*x)) ≈ 1.30685 with x = exp(-2)"),
    "in_place": ([[0, 1], [0, 0]], "ln(1/x^2) ≈ 2 with x = exp(-1)"),
}


def test_the_smallest_budgets_are_those_by_hand(tmp_path, capsys):
    shutil.copy(tutorials.__file__, tmp_path / "tutorial.py")
    text = "".join(CLAIM.format(name=name, data_sets=data_sets) for name, (data_sets, _) in NEEDED.items())
    (tmp_path / "claims.toml").write_text(text, encoding="utf-8")
    assert main(["audit", str(tmp_path / "claims.toml")]) == 1
    said = capsys.readouterr().out
    for name, (_, needed) in NEEDED.items():
        lines = [line for line in said.splitlines() if line.startswith(f"tutorial.{name}.mechanism: ")]
        assert len(lines) == 1
        assert f"the smallest budget is {needed}" in lines[0]


@pytest.mark.parametrize("name", ["groupby_counts", "dp_histogram", "exponential_of_frame"])
def test_data_frames_are_data_sets(name):
    frames = [pd.DataFrame({"job": list(jobs)}) for jobs in ("aab", "ab")]
    found = stirred.smallest_budget(getattr(tutorials, name), data_sets=frames, distance=lambda x, y: 1)
    assert str(found) == {"exponential_of_frame": "0.2777504173"}.get(name, "1")
