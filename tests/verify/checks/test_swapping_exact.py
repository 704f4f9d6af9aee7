def test_records_in_another_order_are_the_smallest_witness_against_rates_by_place(checked):
    witness = checked("psa.variants.rates.printed").witness
    assert witness["distance"] == "0"
    assert len(witness["law"]) == 2
