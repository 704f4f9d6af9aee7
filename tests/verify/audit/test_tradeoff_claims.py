"""Claims of f-DP: a curve that no pair's test passes, one that a test passes, and curves that cross."""

from pathlib import Path

import pytest

from stirred.spec import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.certificates.replay import replay
from stirred.verify.claim.read import build_claim
from stirred.verify.claim.text import read_claims
from stirred.verify.evidence.verdict import Verdict

CLAIM = """\
id = "coin"
statement = "Randomized response of one answer at 1/4."
[domain]
schema = {{ answer = [0, 1] }}
records = 1
order = "ordered"
[multiverse]
invariants = []
[input_premetric]
name = "hamming_ordered"
resolution = "person"
[output_premetric]
name = "tradeoff"
[budget]
{budget}
[mechanism]
{mechanism}
"""
FLIP = 'name = "randomized-response"\nflip_probability = "1/4"'


def audited(tmp_path: Path, budget: str, mechanism: str = FLIP, old: str = "", new: str = ""):
    file = tmp_path / "claim.toml"
    file.write_text(
        CLAIM.format(budget=budget, mechanism=mechanism).replace(old, new)
        if old
        else CLAIM.format(budget=budget, mechanism=mechanism)
    )
    (claim,) = read_claims([file])
    return {answer.question: answer.evidence for answer in audit(build_claim(claim)).answers}


def test_the_curve_of_a_coin_is_its_smallest_budget(tmp_path):
    answers = audited(tmp_path, 'curve = [[0, 0], ["1/4", "3/4"], [1, 1]]')
    assert answers["budget"].verdict is Verdict.EXHAUSTED
    assert "the smallest budget is the curve (0, 0) (1/4, 3/4) (1, 1)" in answers["mechanism"].detail


def test_a_test_that_passes_the_claimed_curve_is_the_witness(tmp_path):
    answers = audited(tmp_path, 'curve = [[0, 0], ["1/4", "1/2"], [1, 1]]')
    assert answers["budget"].verdict is Verdict.REFUTED
    assert replay(answers["budget"].witness).startswith("P_x(E) = 3/4 > 1/2 = f(1/4) = f(P_x'(E)), ")


def test_a_mechanism_without_loss_needs_the_diagonal(tmp_path):
    answers = audited(tmp_path, "curve = [[0, 0], [1, 1]]", 'name = "constant"')
    assert answers["budget"].verdict is Verdict.EXHAUSTED
    assert "the smallest budget is the diagonal (0, 0) (1, 1)" in answers["mechanism"].detail


def test_curves_that_cross_have_no_smallest_budget(tmp_path):
    (tmp_path / "crossing.py").write_text(
        "from fractions import Fraction as F\n\n"
        "def release(data, source):\n"
        "    ((answer,),) = data\n"
        "    weights = [(F(1, 2), F(1, 2), F(0)), (F(1, 4), F(1, 2), F(1, 4)), (F(9, 10), F(1, 10), F(0))]\n"
        "    return source.choose(weights[answer])\n"
    )
    answers = audited(
        tmp_path, "curve = [[0, 1], [1, 1]]", 'function = "crossing:release"', "answer = [0, 1]", "answer = [0, 1, 2]"
    )
    assert "cross, so no curve is the smallest budget" in answers["mechanism"].detail
    assert answers["budget"].verdict is Verdict.EXHAUSTED


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ("curve = 3", "budget.curve must be an array; got 3"),
        ("curve = [3]", r"budget.curve must be an array of \[level, power\]; got \[3\]"),
        ('curve = [[0, 0], ["1/4", "1/8"], [1, 1]]', "budget.curve must be concave; got"),
        ("gamma = 3", "budget.gamma is no budget for the output premetric 'tradeoff'"),
        ("curve = [[0, 0], [1, 1]]\nepsilon = 1", "budget.curve must not stand beside epsilon"),
    ],
)
def test_bad_curves_are_refused_at_their_key(tmp_path, budget, message):
    with pytest.raises(InputError, match=message):
        audited(tmp_path, budget)
