import pytest

from spec.claims.appendix_e import CLAIMS
from verify.replay import replay
from verify.verdict import Verdict

FALSE_AS_PRINTED = {
    "multiplicative.metric.random-variables",
    "psa.proof.bijection.printed",
    "psa.proof.maximum.printed",
}
UNDEFINED = {"derangements.recurrence.printed"}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_each_statement_is_refuted_iff_it_is_false_as_printed(claim, checked):
    record = checked(claim.id)
    if claim.id in FALSE_AS_PRINTED:
        assert record.verdict is Verdict.REFUTED
        assert replay(record.witness).startswith("false")
    elif claim.id in UNDEFINED:
        assert record.verdict is Verdict.OPEN
    else:
        assert record.verdict.is_settled_for
        assert record.mutants


def test_each_false_or_undefined_statement_has_a_repair():
    assert {claim.repairs for claim in CLAIMS if claim.repairs} == FALSE_AS_PRINTED | UNDEFINED


def test_lemma_3_fails_for_a_coin_and_its_complement(checked):
    assert "X = (0, 1), Y = (1, 0)" in checked("multiplicative.metric.random-variables").detail


def test_the_printed_maximizer_fails_first_for_three_records_at_distance_two(checked):
    assert checked("psa.proof.maximum.printed").witness["values"] == {"n": "3", "Delta": "2"}
