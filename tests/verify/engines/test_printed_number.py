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
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict


def point(value):
    return Enclosure(Fraction(value), Fraction(value))


@pytest.mark.parametrize(
    ("text", "value", "half_unit"),
    [
        ("17.08", "427/25", "1/200"),
        ("19", "19", "1/2"),
        ("95.2%", "119/125", "1/2000"),
        ("77%", "77/100", "1/200"),
        ("3.65 million", "3650000", "5000"),
        ("3.65e6", "3650000", "5000"),
        ("13475623", "13475623", "1/2"),
        ("-1.10", "-11/10", "1/200"),
        ("1e1", "10", "5"),
        *(("0", "0", "0"), ("-0", "0", "0"), (0, "0", "0")),
        ("1e-10", "1/10000000000", "1/20000000000"),
        ("1/20", "1/20", "0"),
        (264_331, "264331", "0"),
    ],
)
def test_a_text_says_its_value_and_half_a_unit_of_its_last_place(text, value, half_unit):
    printed = parse_printed("number", text)
    assert (printed.value, printed.half_unit) == (Fraction(value), Fraction(half_unit))


NO_DIGIT = r"number must have a digit other than 0, or be the exact number '0'; got"
REFUSED = {
    "number must be an exact number": (
        *("", "abc", "1.2.3", "1,2", "--1", "1/0", "nan", "inf", "17.08 nats", "１７", "1e９", "13,475,623", "1_0"),
        *("+1.0", " 1.0", "1.0 ", "1.0  million", "007", "1.0\u00a0million", "3\u202f000"),
    ),
    NO_DIGIT: ("0e2", "0 thousand", "0 million", "0.00", "0.0%", "0%", "0e-3", "-0.0", "0.000 billion"),
    r"got the float 0\.1": (0.1,),
    "number must have at most 1000 digits; got 5000": ("1" * 5000,),
}


@pytest.mark.parametrize(("message", "text"), [(message, text) for message in REFUSED for text in REFUSED[message]])
def test_other_texts_are_refused(message, text):
    with pytest.raises(InputError, match=message):
        parse_printed("number", text)


def test_a_negative_number_is_rounded_like_a_positive_one():
    assert recomputed("-1.10", "ln(1/3)").verdict is Verdict.ENCLOSED  # −1.0986…
    assert recomputed("-1.09", "ln(1/3)").verdict is Verdict.REFUTED


@given(st.fractions(min_value=0, max_value=1000, max_denominator=10_000), st.integers(min_value=0, max_value=4))
def test_a_number_agrees_with_its_own_rounding_and_not_with_the_next(value, places):
    rounded = point(value).rounded(places)
    assert rounded is not None
    if rounded == 0:
        return  # without a significant digit it is no rounded number
    printed = parse_printed("number", f"{rounded:f}")
    assert printed.half_unit < printed.value
    assert printed.agrees_with(point(value)) is True
    assert printed.agrees_with(point(value + 2 * printed.half_unit + Fraction(1, 10**9))) is False
    assert printed.like(point(value)) == f"{rounded:f}"


def test_an_enclosure_across_the_border_is_undecided():
    printed = parse_printed("number", "1.0")
    assert printed.agrees_with(Enclosure(Fraction("1.04"), Fraction("1.06"))) is None
    found = compare(printed, Enclosure(Fraction("1.04"), Fraction("1.06")), "x", "a number")
    assert found.verdict is Verdict.OPEN


@pytest.mark.parametrize("text", ["95.2%", "95.4%"])
def test_a_mismatch_is_refuted_with_both_values_and_replays(text):
    found = recomputed(text, "exp(3)/(exp(3)+1)")
    assert found.verdict is Verdict.REFUTED
    assert f"printed {text}, recomputed 95.3%" in found.detail
    assert replay(found.witness).startswith("false")


def test_a_value_that_is_not_the_formulas_is_an_engine_failure():
    with pytest.raises(EngineError, match="the enclosed value and the formula '2\\*x' disagree"):
        compare(parse_printed("y", "2.5"), point(Fraction("2.5")), "2*x", "y", x=parse_printed("x", "1.2"))


@pytest.mark.parametrize(
    ("text", "formula", "x", "explained"),
    [
        ("2.50", "2*x", "1.2", True),
        ("2.60", "2*x", "1.2", False),
        ("10", "1/(x-0.15)", "0.1", False),  # at an end the formula has no value
    ],
)
def test_a_mismatch_says_whether_rounded_inputs_could_explain_it(text, formula, x, explained):
    found = recomputed(text, formula, x=x)
    assert found.verdict is Verdict.REFUTED
    assert ("inputs that only round" in found.detail) is explained


def test_a_formula_is_exact_where_it_is_rational_and_enclosed_elsewhere():
    assert formula_value("f", "15.29+19.776+17.79+2.515", {}) == point(Fraction("55.371"))
    # ln 11 / 2 = 1.19894763…
    value = formula_value("f", "ln(b+1)/2", {"b": Fraction(10)})
    assert value.lower < value.upper
    assert value.text(9) == "1.19894764"


def recomputed(printed, formula, **inputs):
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
def test_what_the_second_evaluation_does_not_settle_is_no_failure(printed, formula, verdict):
    found = recomputed(printed, formula)
    assert found.verdict is verdict
    if found.witness is not None:
        assert replay(found.witness).startswith("false")


@given(st.integers(0, 1200), st.integers(-3, 3), st.integers(0, 12))
def test_no_cancelling_formula_is_an_engine_failure(exponent, error, places):
    # ln 2 = 0.693147180559945...
    printed = Fraction(int(Fraction("0.693147180559945") * 10**places + Fraction(1, 2)) + error, 10**places)
    if printed < 0:
        return
    found = recomputed(f"{point(printed).rounded(places):f}", f"(10**{exponent} + ln(2)) - 10**{exponent}")
    assert found.verdict in ((Verdict.ENCLOSED,) if error == 0 else (Verdict.REFUTED, Verdict.OPEN))
    assert found.verdict is not Verdict.OPEN or exponent > 700
    if found.witness is not None:
        assert replay(found.witness).startswith("false")


NO_FORMULAS = {
    "f must be a formula": (
        *("", "1 +", "f(2)", "x", "1 if 2 else 3", "__import__('os')", "1/0", "2**0.5", "9**99999", "[1]", "1 < 2"),
        *("+".join("1" * 1500), "-" * 100_000 + "1", "1 + 1 # 2", "1 + \\\n 1"),
    ),
    "long decimal": ("0.12345678901234567890123", "1e400"),
    "f must have an exponent of at most three digits": ("1e9999999", "2 + 1e-9999999*3", "1e9_999_999"),
    "a power is too large": ("(9**10000)**10000",),
    "a number is too long": ("(9**7000)**10*(9**7000)**10", "(9**7000)**10/(7**7000)**10"),
}


@pytest.mark.parametrize(
    ("message", "formula"), [(message, formula) for message in NO_FORMULAS for formula in NO_FORMULAS[message]]
)
def test_other_formulas_are_refused_at_once(message, formula):
    with pytest.raises(InputError, match=message):
        formula_value("f", formula, {})


@pytest.mark.parametrize("exponent", [60, 5000, 9000])
@pytest.mark.parametrize("text", ["3", "3.00", "3%", "3 million", "3e7"])
def test_a_value_of_any_length_is_shown_in_one_line(text, exponent):
    found = recomputed(text, f"7**{exponent}")
    assert found.verdict is Verdict.REFUTED
    assert len(found.detail) < 200
    assert f"E+{len(Decimal(7**exponent).as_tuple().digits) - 1}" in found.detail or exponent == 60


def test_an_exact_number_agrees_with_itself_only():
    printed = Printed("1/3", Fraction(1, 3))
    assert printed.agrees_with(point(Fraction(1, 3))) is True
    assert printed.agrees_with(point(Fraction(333, 1000))) is False


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


def found(printed, formula, *rounded, **inputs):
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
