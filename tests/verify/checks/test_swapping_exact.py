import pytest

from spec.claims import swapping_exact, swapping_variants
from verify.replay import replay
from verify.verdict import Verdict

CLAIMS = (*swapping_exact.CLAIMS, *swapping_variants.CLAIMS)
FALSE_AS_PRINTED = {
    "psa.variants.rates.printed",
    "psa.variants.imputed.printed",
    "psa.variants.transitive.printed",
    "psa.variants.pairs.printed",
    "psa.variants.nonuniform.proviso",
    "psa.variants.cross-strata.printed",
}
UNDECIDED = {"psa.exact.threshold"}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_each_statement_is_refuted_iff_it_is_false_as_printed(claim, checked):
    record = checked(claim.id)
    if claim.id in FALSE_AS_PRINTED:
        assert record.verdict is Verdict.REFUTED
        assert replay(record.witness).startswith(("P_x(E) = ", "false"))
    elif claim.id in UNDECIDED:
        assert record.verdict is Verdict.OPEN
    else:
        assert record.verdict.is_settled_for
        assert record.mutants


def test_each_false_statement_has_a_repair():
    assert {claim.repairs for claim in CLAIMS if claim.repairs} == FALSE_AS_PRINTED


def test_records_in_another_order_are_the_smallest_witness_against_rates_by_place(checked):
    witness = checked("psa.variants.rates.printed").witness
    assert witness["distance"] == "0"
    assert len(witness["law"]) == 2
