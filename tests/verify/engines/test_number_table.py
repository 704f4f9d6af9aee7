from fractions import Fraction

import pytest

from verify.certificates.replay import replay
from verify.engines.number_table import PrintedRow, agree, rounds_to_both
from verify.evidence.finding import EngineError
from verify.evidence.verdict import Verdict

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


def test_an_input_that_rounds_to_the_printed_one_is_found():
    row = PrintedRow.of_texts("root of x", "1.42", "sqrt(x)", {"x": "2.0"})
    evidence = rounds_to_both(row, "x", 3)
    # 1.415^2 = 2.002225, the first decimal above it is 2.003
    assert evidence.verdict is Verdict.ENCLOSED
    assert "x = 2.003 rounds to 2.0" in evidence.detail


@pytest.mark.parametrize(("printed", "end"), [("1.50", Fraction("2.05")), ("1.30", Fraction("1.95"))])
def test_where_no_input_rounds_to_both_the_end_of_its_interval_is_the_witness(printed, end):
    evidence = rounds_to_both(PrintedRow.of_texts("root of x", printed, "sqrt(x)", {"x": "2.0"}), "x", 3)
    assert evidence.verdict is Verdict.REFUTED
    assert Fraction(evidence.witness["values"]["x"]) == end
    replay(evidence.witness)


def test_a_grid_too_coarse_to_settle_it_is_a_failure():
    row = PrintedRow.of_texts("root of x", "1.4037", "sqrt(x)", {"x": "2.0"})
    with pytest.raises(EngineError, match="no decimal with 1 places settles it"):
        rounds_to_both(row, "x", 1)
