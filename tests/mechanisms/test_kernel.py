from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from stirred.mechanisms import exact_law, kernel, sample
from stirred.spec import SYMBOL, InputError, Law


@given(st.lists(laws(), min_size=1, max_size=4))
def test_a_kernel_has_the_laws_of_its_table(rows):
    table = dict(enumerate(rows))
    assert {x: exact_law(kernel, x, laws=table) for x in table} == table


def test_a_kernel_may_have_an_open_parameter():
    coin = Law({"heads": SYMBOL, "tails": 1 - SYMBOL})
    assert exact_law(kernel, 0, laws={0: coin}) == coin


def test_a_kernel_is_sampled():
    table = {0: Law({"a": Fraction(1)}), 1: Law({"a": Fraction(1, 2), "b": Fraction(1, 2)})}
    assert sample(kernel, 0, seed=1, laws=table) == "a"
    assert {sample(kernel, 1, seed=seed, laws=table) for seed in range(20)} == {"a", "b"}


def test_a_data_set_without_a_law_is_refused():
    with pytest.raises(InputError, match="laws must have a law for every data set; 2 has none"):
        exact_law(kernel, 2, laws={0: Law({0: 1})})
