"""The donors of a sequential hot deck, found for all records at once, are those of its program."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from stirred.mechanisms.fast.sequential_donors import NOBODY, sequential_donors
from stirred.mechanisms.surveys.imputation import sequential_hot_deck

RECORDS = st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=1, max_size=12)


@examples(100, at_night=2_000)
@given(RECORDS, st.integers(1, 3) | st.just(10**30))
def test_each_missing_value_is_of_the_donor_that_the_program_takes(records, donations):
    """The value of each record is its own place, so that the program's answer names the donor."""
    data = tuple((n, (one, None if is_missing else n)) for n, (one, is_missing) in enumerate(records))
    named = {"variable": 1, "donor_class": lambda record: record[0], "donations": donations, "otherwise": NOBODY}
    expected = [record[1] for _, record in sequential_hot_deck(data, None, **named)]
    classes, is_missing = np.array(records).T
    assert sequential_donors(is_missing.astype(bool), classes.astype(np.int32), donations).tolist() == expected
