def test_lemma_3_fails_for_a_coin_and_its_complement(checked):
    assert "X = (0, 1), Y = (1, 0)" in checked("multiplicative.metric.random-variables").detail


def test_the_printed_maximizer_fails_first_for_three_records_at_distance_two(checked):
    assert checked("psa.proof.maximum.printed").witness["values"] == {"n": "3", "Delta": "2"}
