"""Printed numbers: what a text says, and when a recomputed value agrees with it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec import Enclosure, InputError
from verify.evidence import EngineError
from verify.printed_number import Printed, compare, formula_value, parse_printed
from verify.replay import replay
from verify.verdict import Verdict


def point(value: Fraction | int) -> Enclosure:
    return Enclosure(Fraction(value), Fraction(value))


@pytest.mark.parametrize(
    ("text", "value", "half_unit"),
    [
        ("17.08", Fraction(427, 25), Fraction(1, 200)),
        ("19", Fraction(19), Fraction(1, 2)),
        ("95.2%", Fraction(119, 125), Fraction(1, 2000)),
        ("77%", Fraction(77, 100), Fraction(1, 200)),
        ("3.65 million", Fraction(3_650_000), Fraction(5_000)),
        ("3.65e6", Fraction(3_650_000), Fraction(5_000)),
        ("13,475,623", Fraction(13_475_623), Fraction(1, 2)),
        ("1e-10", Fraction(1, 10**10), Fraction(1, 2 * 10**10)),
        ("1/20", Fraction(1, 20), Fraction(0)),
        (264_331, Fraction(264_331), Fraction(0)),
    ],
)
def test_a_text_says_its_value_and_half_a_unit_of_its_last_place(
    text: object, value: Fraction, half_unit: Fraction
) -> None:
    printed = parse_printed("number", text)
    assert (printed.value, printed.half_unit) == (value, half_unit)


@pytest.mark.parametrize("text", ["", "abc", "1.2.3", "1,2", "--1", "1/0", "nan", "inf", "17.08 nats"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="number must be an exact number"):
        parse_printed("number", text)


def test_a_float_is_refused() -> None:
    with pytest.raises(InputError, match=r"got the float 0\.1"):
        parse_printed("number", 0.1)


@given(st.fractions(min_value=0, max_value=1000, max_denominator=10_000), st.integers(min_value=0, max_value=4))
def test_a_number_agrees_with_its_own_rounding_and_not_with_the_next(value: Fraction, places: int) -> None:
    rounded = point(value).rounded(places)
    assert rounded is not None
    printed = parse_printed("number", f"{rounded:f}")
    assert printed.agrees_with(point(value)) is True
    assert printed.agrees_with(point(value + 2 * printed.half_unit + Fraction(1, 10**9))) is False
    assert printed.like(point(value)) == f"{rounded:f}"


def test_an_enclosure_across_the_border_is_undecided() -> None:
    printed = parse_printed("number", "1.0")
    assert printed.agrees_with(Enclosure(Fraction("1.04"), Fraction("1.06"))) is None
    found = compare(printed, Enclosure(Fraction("1.04"), Fraction("1.06")), "x", "a number")
    assert found.verdict is Verdict.OPEN


def test_a_mismatch_is_refuted_with_both_values_and_replays() -> None:
    for text, expected in (("95.2%", "recomputed 95.3%"), ("95.4%", "recomputed 95.3%")):
        value = formula_value("f", "exp(3)/(exp(3)+1)", {})
        found = compare(parse_printed("rate", text), value, "exp(3)/(exp(3)+1)", "rate")
        assert found.verdict is Verdict.REFUTED
        assert f"printed {text}, {expected}" in found.detail
        assert found.witness is not None
        assert replay(found.witness).startswith("false")


def test_a_value_that_is_not_the_formulas_is_an_engine_failure() -> None:
    with pytest.raises(EngineError, match="the enclosed value and the formula '2\\*x' disagree"):
        compare(parse_printed("y", "2.5"), point(Fraction("2.5")), "2*x", "y", x=parse_printed("x", "1.2"))


def test_a_mismatch_says_whether_rounded_inputs_could_explain_it() -> None:
    formula = "2*x"
    for text, explained in (("2.50", True), ("2.60", False)):
        value = formula_value("f", formula, {"x": Fraction("1.2")})
        found = compare(parse_printed("y", text), value, formula, "y", x=parse_printed("x", "1.2"))
        assert found.verdict is Verdict.REFUTED
        assert ("inputs that only round" in found.detail) is explained


def test_a_formula_is_exact_where_it_is_rational() -> None:
    assert formula_value("f", "15.29+19.776+17.79+2.515", {}) == point(Fraction("55.371"))


def test_a_formula_with_logarithms_is_enclosed() -> None:
    # ln 11 / 2 = 1.19894763…
    value = formula_value("f", "ln(b+1)/2", {"b": Fraction(10)})
    assert value.lower < value.upper
    assert value.text(9) == "1.19894764"


@pytest.mark.parametrize(
    "formula",
    ["", "1 +", "f(2)", "x", "1 if 2 else 3", "__import__('os')", "1/0", "2**0.5", "9**99999", "[1]", "1 < 2"],
)
def test_other_formulas_are_refused(formula: str) -> None:
    with pytest.raises(InputError, match="f must be a formula"):
        formula_value("f", formula, {})


def test_a_decimal_that_replaying_would_round_is_refused() -> None:
    with pytest.raises(InputError, match="write the long decimal"):
        formula_value("f", "0.12345678901234567890123", {})


def test_an_exact_number_agrees_with_itself_only() -> None:
    printed = Printed("1/3", Fraction(1, 3))
    assert printed.agrees_with(point(Fraction(1, 3))) is True
    assert printed.agrees_with(point(Fraction(333, 1000))) is False


def test_a_number_of_too_many_digits_is_refused():
    with pytest.raises(InputError, match="b must have at most 1000 digits; got 5000"):
        parse_printed("b", "1" * 5000)
