"""Printed numbers: what a text says, and when a recomputed value agrees with it.

Numbers whose inputs were rounded after they were computed: what some input gives, none gives, or nobody knows.
"""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import Enclosure, InputError
from stirred.verify.engines.number_table import PrintedRow, agree, compare_rounded
from stirred.verify.engines.printed_number import Printed, compare, formula_value, parse_printed
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict


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
        ("13475623", Fraction(13_475_623), Fraction(1, 2)),
        ("-1.10", Fraction(-11, 10), Fraction(1, 200)),
        ("1e1", Fraction(10), Fraction(5)),
        ("0", Fraction(0), Fraction(0)),
        ("-0", Fraction(0), Fraction(0)),
        (0, Fraction(0), Fraction(0)),
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


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "1.2.3",
        "1,2",
        "--1",
        "1/0",
        "nan",
        "inf",
        "17.08 nats",
        "１７",
        "1e９",
        "13,475,623",
        "1_0",
        "+1.0",
        " 1.0",
        "1.0 ",
        "1.0  million",
        "007",
        "1.0\u00a0million",
        "3\u202f000",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="number must be an exact number"):
        parse_printed("number", text)


@pytest.mark.parametrize(
    "text", ["0e2", "0 thousand", "0 million", "0.00", "0.0%", "0%", "0e-3", "-0.0", "0.000 billion"]
)
def test_a_rounded_number_without_a_significant_digit_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"number must have a digit other than 0, or be the exact number '0'; got"):
        parse_printed("number", text)


def test_a_negative_number_is_rounded_like_a_positive_one() -> None:
    assert recomputed("-1.10", "ln(1/3)").verdict is Verdict.ENCLOSED  # −1.0986…
    assert recomputed("-1.09", "ln(1/3)").verdict is Verdict.REFUTED


def test_a_float_is_refused() -> None:
    with pytest.raises(InputError, match=r"got the float 0\.1"):
        parse_printed("number", 0.1)


@given(st.fractions(min_value=0, max_value=1000, max_denominator=10_000), st.integers(min_value=0, max_value=4))
def test_a_number_agrees_with_its_own_rounding_and_not_with_the_next(value: Fraction, places: int) -> None:
    rounded = point(value).rounded(places)
    assert rounded is not None
    if rounded == 0:
        return  # without a significant digit it is no rounded number
    printed = parse_printed("number", f"{rounded:f}")
    assert printed.half_unit < printed.value
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


def recomputed(printed: str, formula: str, **inputs: str) -> Evidence:
    values = {name: parse_printed(name, text) for name, text in inputs.items()}
    value = formula_value("f", formula, {name: number.value for name, number in values.items()})
    return compare(parse_printed("number", printed), value, formula, "a number", **values)


@pytest.mark.parametrize(
    ("printed", "formula", "verdict"),
    [
        ("1", "sqrt(9)/2", Verdict.EXHAUSTED),  # 1.5, the upper end of what rounds to 1
        ("2", "sqrt(9)/2", Verdict.EXHAUSTED),
        ("0.69", "(10**100 + ln(2)) - 10**100", Verdict.ENCLOSED),
        ("0.69", "(10**1000 + ln(2)) - 10**1000", Verdict.ENCLOSED),
        ("1000000000", "ln(exp(10**9))", Verdict.ENCLOSED),
        ("0.70", "(10**100 + ln(2)) - 10**100", Verdict.REFUTED),
        ("0.70", "(10**1000 + ln(2)) - 10**1000", Verdict.OPEN),
        ("1000000001", "ln(exp(10**9))", Verdict.OPEN),
        ("3", "(1 +\n 2)\n", Verdict.EXHAUSTED),
        ("4", "(1 +\n 2)\n", Verdict.REFUTED),
    ],
)
def test_what_the_second_evaluation_does_not_settle_is_no_failure(printed: str, formula: str, verdict: Verdict) -> None:
    found = recomputed(printed, formula)
    assert found.verdict is verdict
    if found.witness is not None:
        assert replay(found.witness).startswith("false")


@given(st.integers(0, 1200), st.integers(-3, 3), st.integers(0, 12))
def test_no_cancelling_formula_is_an_engine_failure(exponent: int, error: int, places: int) -> None:
    # ln 2 = 0.693147180559945...
    printed = Fraction(int(Fraction("0.693147180559945") * 10**places + Fraction(1, 2)) + error, 10**places)
    if printed < 0:
        return
    found = recomputed(f"{point(printed).rounded(places):f}", f"(10**{exponent} + ln(2)) - 10**{exponent}")
    assert found.verdict in ((Verdict.ENCLOSED,) if error == 0 else (Verdict.REFUTED, Verdict.OPEN))
    assert found.verdict is not Verdict.OPEN or exponent > 700
    if found.witness is not None:
        assert replay(found.witness).startswith("false")


def test_an_end_where_the_formula_has_no_value_explains_nothing() -> None:
    found = recomputed("10", "1/(x-0.15)", x="0.1")
    assert found.verdict is Verdict.REFUTED
    assert "inputs that only round" not in found.detail


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("1e9999999", "f must have an exponent of at most three digits"),
        ("2 + 1e-9999999*3", "f must have an exponent of at most three digits"),
        ("1e9_999_999", "f must have an exponent of at most three digits"),
        ("1e400", "long decimal"),
        ("(9**10000)**10000", "a power is too large"),
        ("(9**7000)**10*(9**7000)**10", "a number is too long"),
        ("(9**7000)**10/(7**7000)**10", "a number is too long"),
        ("+".join("1" * 1500), "f must be a formula"),
        ("-" * 100_000 + "1", "f must be a formula"),
        ("1 + 1 # 2", "f must be a formula"),
        ("1 + \\\n 1", "f must be a formula"),
    ],
)
def test_a_short_formula_that_takes_long_is_refused_at_once(formula: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        formula_value("f", formula, {})


@pytest.mark.parametrize("exponent", [60, 5000, 9000])
@pytest.mark.parametrize("text", ["3", "3.00", "3%", "3 million", "3e7"])
def test_a_value_of_any_length_is_shown_in_one_line(text: str, exponent: int) -> None:
    found = recomputed(text, f"7**{exponent}")
    assert found.verdict is Verdict.REFUTED
    assert len(found.detail) < 200
    assert f"E+{len(Decimal(7**exponent).as_tuple().digits) - 1}" in found.detail or exponent == 60


def test_an_exact_number_agrees_with_itself_only() -> None:
    printed = Printed("1/3", Fraction(1, 3))
    assert printed.agrees_with(point(Fraction(1, 3))) is True
    assert printed.agrees_with(point(Fraction(333, 1000))) is False


def test_a_number_of_too_many_digits_is_refused():
    with pytest.raises(InputError, match="b must have at most 1000 digits; got 5000"):
        parse_printed("b", "1" * 5000)


ROOT = PrintedRow.of_texts("root of x", "1.41", "sqrt(x)", {"x": "2.0"})


def test_rational_tables_are_exhausted_and_others_enclosed():
    assert agree([PrintedRow.of_texts("sum", "0.3", "0.1 + 0.2")], "s").verdict is Verdict.EXHAUSTED
    assert agree([PrintedRow.of_texts("sum", "0.3", "0.1 + 0.2"), ROOT], "s").verdict is Verdict.ENCLOSED


def test_the_first_row_that_does_not_agree_is_reported():
    evidence = agree([ROOT, PrintedRow.of_texts("sum", "0.4", "0.1 + 0.2"), PrintedRow.of_texts("no", "9", "1")], "s")
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.detail == "sum: printed 0.4, recomputed 0.3"
    replay(evidence.witness)


def test_a_row_that_the_second_evaluation_does_not_settle_is_open_unless_it_agrees():
    formula = "(10**1000 + ln(2)) - 10**1000"
    assert agree([PrintedRow.of_texts("ln 2", "0.69", formula)], "s").verdict is Verdict.ENCLOSED
    assert agree([ROOT, PrintedRow.of_texts("ln 2", "0.70", formula)], "s").verdict is Verdict.OPEN


def test_a_row_whose_input_was_rounded_later_agrees_where_some_input_gives_it():
    row = PrintedRow.of_texts("root of x", "1.42", "sqrt(x)", {"x": "2.0"})
    assert agree([row], "s").verdict is Verdict.REFUTED
    assert agree([replace(row, rounded=("x",))], "s").verdict is Verdict.ENCLOSED


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
