def test_records_in_another_order_are_the_smallest_witness_against_rates_by_place(checked):
    witness = checked("psa.variants.rates.printed").witness
    assert witness["distance"] == "0"
    assert len(witness["law"]) == 2


def test_the_sharpened_budget_is_the_smallest_that_depends_on_the_stratum_alone(checked):
    (mutant,) = checked("psa.exact.sharpened.smallest").mutants
    # two records: the loss is |ln o| at distance 2, so e^(2 eps) = o^-2 = 19^2 at p = 1/20
    assert mutant.evidence.witness["values"] == {"loss": "361", "budget": "1444"}
