from fractions import Fraction

from verify.checks.appendix_f_optimality import _f
from verify.engines.swapping.loss import universe_loss
from verify.evidence.verdict import Verdict


def test_proposition_9_fails_first_at_eight_records(checked):
    record = checked("psa.unit-pair.printed")
    assert record.witness["values"]["b"] == "8"
    assert "((3, 3, 1, 1), (2, 2, 2, 1, 1))" in record.detail


def test_the_exact_loss_that_refutes_proposition_9_is_below_its_bound_at_every_rate_tried():
    """The bound is 0.5·ln(d(8)/d(6)) − ln o with d(8) = 14833 and d(6) = 265."""
    for rate in (Fraction(1, 100), Fraction(1, 2), Fraction(3, 4)):
        loss = universe_loss((3, 3, 1, 1), (2, 2, 2, 1, 1), rate)
        odds = rate / (1 - rate)
        assert loss.distance == 2
        assert loss.gamma < Fraction(14833, 265) / odds**2


def test_lemma_8_fails_first_at_twelve_records(checked):
    assert checked("swapping.disjoint-tables.printed").witness["values"] == {"largest": "10", "b": "12"}


def test_the_converse_of_lemma_8_fails_for_two_records(checked):
    assert checked("swapping.disjoint-tables.only-if.printed").witness["values"] == {"margin": "1", "b": "2"}


def test_f_at_ten_is_above_0_148():
    assert Fraction("0.14800") < _f(10).lower
    assert _f(10).upper < Fraction("0.14801")


def test_the_nearest_integer_identity_fails_at_zero_only(checked):
    assert checked("derangements.nearest-integer.printed").witness["values"] == {"k": "0"}
    assert checked("derangements.nearest-integer").verdict is Verdict.EXHAUSTED
