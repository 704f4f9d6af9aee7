from dataclasses import replace

from stirred.verify.certificates.replay import replay
from stirred.verify.engines.number_table import PrintedRow, agree
from stirred.verify.evidence.verdict import Verdict

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
