"""Numbers whose inputs were rounded after they were computed: what some input gives, none gives, or nobody knows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from stirred.verify.certificates.replay import replay
from stirred.verify.engines.number_table import compare_rounded
from stirred.verify.engines.printed_number import parse_printed
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict


def found(printed: str, formula: str, *rounded: str, **inputs: str) -> Evidence:
    values = {name: parse_printed(name, text) for name, text in inputs.items()}
    return compare_rounded(parse_printed("y", printed), formula, "y", rounded, values)


@pytest.mark.parametrize(
    ("printed", "formula", "inputs", "at"),
    [
        ("1.42", "sqrt(x)", {"x": "2.0"}, "at 2.02 for 2.0"),  # 1.4212...
        ("2.45", "2*x", {"x": "1.2"}, "at 1.225 for 1.2"),
        ("0.84", "1/x", {"x": "1.2"}, "at 1.19 for 1.2"),  # it decreases: 0.8403...
    ],
)
def test_an_input_that_rounds_to_the_printed_one_is_found(printed, formula, inputs, at):
    evidence = found(printed, formula, "x", **inputs)
    assert evidence.verdict.is_settled_for
    assert evidence.detail.endswith(at)
    assert "where x may be any number that rounds to the printed one" in evidence.scope


def test_two_inputs_may_both_be_rounded():
    # 1.24 + 3.44 = 4.68, where 1.2 + 3.4 = 4.6
    assert found("4.68", "x + y", "x", "y", x="1.2", y="3.4").verdict is Verdict.EXHAUSTED
    assert found("4.68", "x + y", "x", x="1.2", y="3.4").verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("printed", "formula", "end"),
    [("1.50", "sqrt(x)", "2.05"), ("1.30", "sqrt(x)", "1.95"), ("0.60", "1/x", "1.95"), ("0.40", "1/x", "2.05")],
)
def test_where_no_input_gives_it_the_nearest_end_is_the_witness(printed, formula, end):
    evidence = found(printed, formula, "x", x="2.0")
    assert evidence.verdict is Verdict.REFUTED
    assert Fraction(evidence.witness["values"]["x"]) == Fraction(end)
    assert replay(evidence.witness).startswith("false")


def test_a_value_at_the_end_itself_is_not_decided():
    # the value at x = 2.05, which rounds up, is 4.15, which rounds up too
    assert found("4.2", "2*x + 1/20", "x", x="2.0").verdict is Verdict.OPEN


@pytest.mark.parametrize("formula", ["ln(x - 2)", "1/(x - 2)", "1/(x - 1.98)"])
def test_a_formula_without_a_value_at_some_inputs_is_open(formula):
    assert found("3.0", formula, "x", x="2.0").verdict is Verdict.OPEN


def test_a_value_between_equal_ends_is_open_rather_than_refuted():
    # x*(2.4 - x) has its maximum 1.44 within the rounding, and less at both ends
    assert found("1.4400", "x*(2.4 - x)", "x", x="1.2").verdict is not Verdict.REFUTED
