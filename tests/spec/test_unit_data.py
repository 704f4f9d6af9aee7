"""Data sets whose records have units."""

import pytest

from stirred.spec import InputError
from stirred.spec.surveys.unit_data import changed_units, record_of, unit_data, units

ONE = unit_data({"b": 0, "a": 1})


def test_a_data_set_has_one_form():
    assert unit_data({"a": 1, "b": 0}) == (("a", 1), ("b", 0)) == ONE
    assert units(ONE) == ("a", "b")
    assert [record_of(ONE, unit) for unit in units(ONE)] == [1, 0]


@pytest.mark.parametrize(
    ("other", "distance"),
    [({"a": 1, "b": 0}, 0), ({"a": 0, "b": 0}, 1), ({"a": 0, "b": 1}, 2), ({"a": 1, "c": 0}, None), ({"a": 1}, None)],
)
def test_units_keep_their_records_apart(other, distance):
    assert changed_units("person")(ONE, unit_data(other)) == distance


def test_a_unit_that_is_not_there_and_units_without_an_order_are_refused():
    with pytest.raises(InputError, match=r"^the data set has no unit 'c'; its units are \['a', 'b'\]$"):
        record_of(ONE, "c")
    with pytest.raises(InputError, match=r"^units must be all numbers or all texts; got \[1, 'a'\]$"):
        unit_data({1: 0, "a": 1})
