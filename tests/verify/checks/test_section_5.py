from spec.claims import claim
from verify.checks.section_5 import TABLE_5
from verify.verdict import Verdict


def test_the_table_in_the_claim_is_the_table_that_is_checked():
    statement = claim("numbers.table-5").statement
    for _, b, budgets in TABLE_5:
        assert f"{b:,}" in statement
        assert all(budget in statement for budget in budgets)


def test_every_refutation_replays_with_its_smallest_values(checked):
    witness = checked("post-imputation.factor.printed").witness
    assert witness["values"] == {"changed": "2", "duplicates": "1"}


def test_the_normal_laws_settle_every_order_at_once(checked):
    record = checked("renyi.finite-where-multiplicative-infinite")
    assert record.verdict is Verdict.DECIDED
    assert "for all mu > 0, alpha > 1" in record.scope
