"""Formulas that a person types: read exactly, and nothing of the text is run."""

import pytest
import sympy as sp

from stirred.spec import InputError
from stirred.verify.formulas.read_formula import read_formula, read_inequality

B = sp.Symbol("b", positive=True, integer=True)
P = sp.Symbol("p", positive=True)
E = sp.Symbol("epsilon", nonnegative=True)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("ln((b + 1)*(1 - p)/p)", sp.log((B + 1) * (1 - P) / P)),
        ("0.05*p^2 - 1e-3", P**2 / 20 - sp.Rational(1, 1000)),
        ("max(ln(p), -epsilon)", sp.Max(sp.log(P), -E)),
        ("sqrt(b)*exp(epsilon)", sp.sqrt(B) * sp.exp(E)),
        ("p**b", P**B),
    ],
)
def test_a_formula_is_read_exactly(text, formula):
    assert read_formula(text, ["b"]) == formula


def test_an_inequality_is_read_with_its_sign():
    assert read_inequality("p < 1") == sp.Lt(P, 1)
    assert read_inequality("b >= 4", ["b"]) == sp.Ge(B, 4)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "p.real",
        "[p]",
        "lambda: 1",
        "open('x')",
        "p if p else 1",
        "p + 'a'",
        "ln",
        "ln(p, p)",
        "p +",
        "",
        "1/0",
        "ln(0)",
        "2^65",
        "2^(2^64)",
        "p < 1",
        "1" * 501,
        "((((2^64)^64)^64)^64)^64",
        "True",
        "1j",
    ],
)
def test_what_is_no_formula_is_refused_and_nothing_is_run(text):
    with pytest.raises(InputError):
        read_formula(text)


@pytest.mark.parametrize("text", ["p", "0 < p < 1", "p == 1", "p > 0", "1 < 2", "p <"])
def test_what_is_no_single_inequality_about_symbols_is_refused(text):
    with pytest.raises(InputError):
        read_inequality(text)
