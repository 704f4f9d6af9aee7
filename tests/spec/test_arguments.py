"""Arguments are checked in one line, and tables show exact values without markup of a text."""

from fractions import Fraction

import pytest
from hypothesis import given
from refusals import check_refused, each
from strategies import fractions

from stirred.spec import InputError
from stirred.spec.arguments import exact, integer, nonnegative, parse_exact, probability
from stirred.spec.shown_table import TableRow, as_booktabs, as_html, as_markdown, latex_text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/20", Fraction(1, 20)),
        ("0.05", Fraction(1, 20)),
        ("5e-2", Fraction(1, 20)),
        ("5E+02", 500),
        ("-1/2", Fraction(-1, 2)),
        ("0", 0),
        ("0.00", 0),
        (3, 3),
    ],
)
def test_texts_are_read_exactly(text, value):
    assert parse_exact("x", text) == value


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "a",
        "1/0",
        "nan",
        "inf",
        "1e9999",
        "1E-1000",
        "1e999999999",
        "1e1_0000",
        "1e0_9999999",
        None,
        [1],
        True,
        False,
    ],
)
def test_what_is_no_exact_number_is_refused_in_one_line(bad):
    with pytest.raises(InputError, match="x must") as error:
        parse_exact("x", bad)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("1,099", "'1,099': write '1099' or '1.099'"),
        ("_3_", "'_3_': write '3'"),
        ("1_000", "'1_000': write '1000'"),
        ("+3", "'+3': write '3'"),
        (" 3", "' 3': write '3'"),
        ("3\n", "'3\\n': write '3'"),
        ("1 000", "'1 000': write '1000'"),
        ("1,2,3", "'1,2,3': write '123'"),
        ("1,234.5", "'1,234.5': write digits without leading zeros, and one point between them"),
        ("1.234,5", "'1.234,5': write digits without leading zeros, and one point between them"),
        ("007", "'007': write digits without leading zeros, and one point between them"),
        (".5", "'.5': write digits without leading zeros, and one point between them"),
        ("5.", "'5.': write digits without leading zeros, and one point between them"),
        ("1 / 2", "'1 / 2'"),
        ("1/-2", "'1/-2'"),
        ("1/020", "'1/020'"),
        ("1.5/2", "'1.5/2'"),
        ("--1", "'--1'"),
        ("-+1", "'-+1'"),
        ("1e", "'1e'"),
        ("0x10", "'0x10'"),
        ("1_0e2", "'1_0e2'"),
    ],
)
def test_what_is_nearly_a_number_is_refused_with_what_to_write(text, hint):
    with pytest.raises(InputError) as error:
        parse_exact("x", text)
    assert str(error.value) == f"x must be an exact number such as '1/20' or '0.05'; got {hint}"


def test_a_text_of_any_length_is_refused_in_a_short_line():
    for text in ("1" * 100_000, "x" * 100_000, "1," * 50_000, "0." + "1" * 5000):
        with pytest.raises(InputError, match="x must") as error:
            parse_exact("x", text)
        assert len(str(error.value)) < 200


@given(fractions(-1000, 1000))
def test_every_fraction_is_read_as_it_is_written(value):
    assert parse_exact("x", str(value)) == value


@pytest.mark.parametrize("zero", ["０", "٠", "०", "𝟎"])
@pytest.mark.parametrize("text", ["1e99999999", "1E-9_999_999", "12", "1/20", "0.05"])
def test_digits_beyond_ascii_are_refused_however_they_are_written(text, zero):
    written = text.translate({ord("0") + n: chr(ord(zero) + n) for n in range(10)})
    with pytest.raises(InputError, match="x must be an exact number in ASCII"):
        parse_exact("x", written)
    with pytest.raises(InputError, match="in ASCII"):
        parse_exact("x", text + chr(ord(zero)))


@given(fractions(-3, 3))
def test_ranges_are_closed(value):
    if 0 <= value <= 1:
        assert probability("p", value) == value
    else:
        with pytest.raises(InputError, match="between 0 and 1"):
            probability("p", value)
    if value < 0:
        with pytest.raises(InputError, match="non-negative"):
            nonnegative("d", value)


@pytest.mark.parametrize("mark", "&%$#_{}~^\\<>")
def test_no_letter_of_a_text_is_a_command_of_latex(mark):
    written = latex_text(f"a{mark}b")
    assert written not in (f"a{mark}b", "ab")
    assert mark not in {"&", "%", "#", "_"} or written == f"a\\{mark}b"


def test_a_table_for_a_paper_has_a_line_for_each_row_and_takes_formulas_as_they_are():
    table = as_booktabs("50 % of x_1", [TableRow("needed", "ln(3)", latex=r"\ln 3"), TableRow("a & b", "c_d")])
    lines = table.splitlines()
    assert lines[0] == r"\begin{tabular}{ll}"
    assert lines[-1] == r"\end{tabular}"
    assert [line for line in lines if "&" in line] == [r"needed & $\ln 3$ \\", r"a \& b & c\_d \\"]
    assert [one for one in ("toprule", "midrule", "bottomrule") if f"\\{one}" not in lines] == []


def test_an_exact_value_is_opened_in_html_and_escaped():
    page = as_html("t", [TableRow("x", "≈ 0.3", exact="<b>1/3")])
    assert "<details><summary>≈ 0.3</summary>&lt;b&gt;1/3</details>" in page
    assert "1/3" not in as_markdown("t", [TableRow("x", "≈ 0.3", exact="1/3")])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: exact("swap_rate", 0.1), r"Fraction\('0.1'\)"),
        *each(lambda bad: integer("n", bad), [True, 1.0, "1", Fraction(1)], "must be an integer; got"),
        (lambda: integer("n", "7", minimum=2), "^n must be an integer of at least 2; got '7': write 7$"),
        (lambda: exact("n", [1]), r"^n must be an integer or a fraction; got \[1\]$"),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
