"""The summary of a claim names what decides it; printed numbers stand beside it, counted as they agree."""

import pytest
from claim_texts import CLAIMS, audited

from stirred.verify.audit.audit import AuditRecord
from stirred.verify.audit.question import Answer
from stirred.verify.cli import main
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict

PSA = """\
id = "swap"
statement = "Swapping."
domain = { description = "all households" }
input_premetric = { name = "hamming_unordered", resolution = "household" }
output_premetric = { name = "multiplicative" }
budget = { by = "psa.budget.theorem", printed = ["5.3423", "2.3979"] }
mechanism = { name = "permutation-swapping", largest_stratum = 10, swap_rate = ["0.05", "0.5"] }
[multiverse]
invariants = ["swapping"]
description = "released exactly: counts of size x tenure; 28 strata here, of which 3 are wholly determined"
"""


def test_a_theorem_is_named_before_printed_numbers(tmp_path):
    record = audited(tmp_path, PSA)
    assert record.verdict is Verdict.ENCLOSED
    assert record.sentence.startswith("psa.budget.theorem: (7) is a budget of permutation swapping; met: ")
    assert record.sentence.endswith(", and so at the other setting; 2 of 2 printed numbers agree")
    assert "psa_pure_dp" in record.scope


def test_an_exhaustive_check_is_named_with_its_scope(tmp_path):
    text = (CLAIMS / "coin.toml").read_text(encoding="utf-8")
    numbers = '[[numbers]]\nwhat = "three"\nprinted = "3"\nformula = "1 + 2"\n'
    record = audited(tmp_path, f"{text}{numbers}")
    assert record.sentence.startswith("met: the claimed gamma = 3 covers the smallest budget ln(3)")
    assert record.sentence.endswith("; 1 of 1 printed number agrees")
    assert record.scope.startswith("every pair in 1 universe")


def test_numbers_alone_are_counted(tmp_path):
    numbers = '[[numbers]]\nwhat = "{}"\nprinted = "{}"\nformula = "1 + 2"\n'
    text = f'id = "n"\nstatement = "s"\n{numbers.format("a", 3)}{numbers.format("b", 3)}'
    assert audited(tmp_path, text).sentence == "2 of 2 printed numbers agree"


def test_numbers_that_agree_in_another_way_are_counted_apart():
    def one(verdict, agrees=""):
        return Answer("numbers", Evidence(verdict, "scope", "detail", agrees=agrees))

    right, other, open_ = one(Verdict.EXHAUSTED), one(Verdict.OPEN, "by another conversion"), one(Verdict.OPEN)
    answers = (right, other, other, one(Verdict.OPEN, "as arithmetic only"), open_)
    sentence = AuditRecord("id", "source", "statement", answers).sentence
    assert sentence.startswith(
        "1 of 5 printed numbers agrees, 2 more by another conversion, 1 more as arithmetic only; undecided: "
    )


@pytest.mark.parametrize("command", [["audit"], ["show"], ["audit", "--format", "html"], ["show", "--json"]])
def test_what_a_swap_releases_exactly_is_shown(capsys, tmp_path, command):
    path = tmp_path / "swap.toml"
    path.write_text(PSA, encoding="utf-8")
    assert main([command[0], str(path), *command[1:]]) == 0
    assert "28 strata here, of which 3 are wholly determined" in capsys.readouterr().out
