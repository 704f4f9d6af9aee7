"""Domains beyond what every pair could be compared of: audited, or refused with an estimate."""

import pytest
from claim_texts import answer

from stirred.spec.arguments import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.claim.read import build_claim
from stirred.verify.claim.text import read_claims
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits

TEXT = """\
id = "answers"
statement = "Each answer is flipped with probability 1/4."
[domain]
schema = { answer = [0, 1] }
records = 6
order = "ordered"
[multiverse]
invariants = []
[input_premetric]
name = "hamming_ordered"
resolution = "person"
[output_premetric]
name = "multiplicative"
[budget]
gamma = 3
[mechanism]
name = "randomized-response"
flip_probability = "1/4"
"""


def built(tmp_path, *changes, limits=DEFAULT_LIMITS):
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "claim.toml").write_text(text)
    return build_claim(read_claims([tmp_path / "claim.toml"])[0], limits)


def test_the_scope_says_which_pairs_were_compared_and_by_which_theorem_they_bound_the_others(tmp_path):
    record = audit(built(tmp_path))
    assert record.verdict is Verdict.EXHAUSTED
    assert record.scope == (
        "every pair in 1 universe, 64 ordered data sets, multiplicative, hamming_ordered; 192 pairs compared, which "
        "bound 1824 others by sharpening.matrix_closure; randomized-response with flip_probability = 1/4"
    )
    assert "; 2016 pairs compared at a finite distance" in answer(record, "vacuity").detail


def test_nothing_is_left_out_without_a_triangle_inequality_or_a_path_metric(tmp_path):
    approximate = ('name = "multiplicative"', 'name = "approximate_multiplicative"\ndelta = "1/100"')
    local = ('"hamming_ordered"', '"neighbors_replace_one_ordered"')
    for change in (approximate, local):
        record = audit(built(tmp_path, change))
        assert record.verdict is Verdict.EXHAUSTED
        assert "bound" not in record.scope


def test_a_domain_that_would_take_too_long_is_refused_with_an_estimate(tmp_path):
    # 2^13 data sets with 2^13 outputs each: some minutes
    with pytest.raises(InputError, match=r"the audit of answers would take about \d+ s, more than 10 s: laws, \d+ of"):
        audit(built(tmp_path, ("records = 6", "records = 13"), limits=Limits(seconds=10)))
