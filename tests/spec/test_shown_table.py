"""Tables of notebooks and papers: nothing of a text is markup, and exact values are there to be opened."""

import pytest

from stirred.spec.shown_table import TableRow, as_booktabs, as_html, as_markdown, latex_text


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
