import pytest

from spec.claims import claim
from spec.claims.section_5 import CLAIMS
from verify.checks.section_5 import TABLE_5
from verify.ledger import run_claim
from verify.verdict import Verdict

FALSE_AS_PRINTED = {
    "post-imputation.factor.printed": "1 duplicate(s): 2 records change",
    "units.household-person.printed": "a person moves or changes",
    "numbers.table-5.largest-stratum.printed": "recomputed 13.48 million",
    "psa.budget.more-invariants.printed": "strata of 2 and 2 records, the first split into 1 and 1",
    "numbers.order-of-magnitude.printed": "6.549 times",
    "numbers.psa-at-half.printed": "recomputed 16.42",
}


@pytest.mark.parametrize("one", CLAIMS, ids=lambda one: one.id)
def test_every_claim_has_the_verdict_that_recomputation_gives(one):
    record = run_claim(one)
    if one.id in FALSE_AS_PRINTED:
        assert record.verdict is Verdict.REFUTED
        assert FALSE_AS_PRINTED[one.id] in record.detail
    else:
        assert record.verdict.is_settled_for
        assert record.mutants


def test_the_table_in_the_claim_is_the_table_that_is_checked():
    statement = claim("numbers.table-5").statement
    for _, b, budgets in TABLE_5:
        assert f"{b:,}" in statement
        assert all(budget in statement for budget in budgets)


def test_every_refutation_replays_with_its_smallest_values():
    witness = run_claim(claim("post-imputation.factor.printed")).witness
    assert witness["values"] == {"changed": "2", "duplicates": "1"}


def test_the_normal_laws_settle_every_order_at_once():
    record = run_claim(claim("renyi.finite-where-multiplicative-infinite"))
    assert record.verdict is Verdict.DECIDED
    assert "for all mu > 0, alpha > 1" in record.scope
