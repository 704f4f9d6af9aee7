"""Which units and items of a sample reach the next stage."""

from fractions import Fraction

import pytest

from stirred.mechanisms import exact_law
from stirred.mechanisms.surveys.response import deterministic_response, independent_response, item_nonresponse
from stirred.spec import SYMBOL, InputError
from stirred.spec.surveys.unit_data import unit_data

SAMPLE = unit_data({"a": ("x", 1), "b": ("y", 2)})


def by_stratum(_, record):
    return Fraction(1, 3) if record[0] == "x" else Fraction(3, 4)


def test_units_respond_independently():
    law = exact_law(independent_response, SAMPLE, propensity=by_stratum)
    assert dict(law) == {
        (): Fraction(2, 3) * Fraction(1, 4),
        SAMPLE[:1]: Fraction(1, 3) * Fraction(1, 4),
        SAMPLE[1:]: Fraction(2, 3) * Fraction(3, 4),
        SAMPLE: Fraction(1, 3) * Fraction(3, 4),
    }


def test_some_units_never_respond_and_some_always():
    assert dict(exact_law(independent_response, SAMPLE, propensity=lambda unit, _: int(unit == "b"))) == {SAMPLE[1:]: 1}


def test_response_may_be_determined():
    assert dict(exact_law(deterministic_response, SAMPLE, responds=lambda _, record: record[1] > 1)) == {SAMPLE[1:]: 1}


def test_items_are_missing_independently_and_what_is_missing_stays_so():
    sample = (*SAMPLE, ("c", ("y", None)))
    law = exact_law(item_nonresponse, sample, variable=1, propensity=by_stratum)
    missing = law.push(lambda data: tuple(record[1] for _, record in data))
    assert dict(missing) == {
        (1, 2, None): Fraction(1, 4),
        (1, None, None): Fraction(1, 12),
        (None, 2, None): Fraction(1, 2),
        (None, None, None): Fraction(1, 6),
    }
    assert all([record[0] for _, record in data] == ["x", "y", "y"] for data in law)


@pytest.mark.parametrize(
    ("program", "parameters", "message"),
    [
        (
            independent_response,
            {"propensity": lambda *_: Fraction(4, 3)},
            "the propensity of unit 'a' must be between 0 and 1; got 4/3",
        ),
        (
            item_nonresponse,
            {"variable": 1, "propensity": lambda *_: 0.5},
            "the propensity of unit 'a' must be an exact number; got the float 0.5: write Fraction('0.5')",
        ),
        (deterministic_response, {"responds": lambda *_: 1}, "responds must be True or False; got 1 for unit 'a'"),
        (
            item_nonresponse,
            {"variable": 2, "propensity": by_stratum},
            "variable must be a place in the record of unit 'a', 0 to 1; got 2",
        ),
        (item_nonresponse, {"variable": -1, "propensity": by_stratum}, "variable must be at least 0; got -1"),
    ],
)
def test_what_cannot_be_is_refused(program, parameters, message):
    with pytest.raises(InputError) as refused:
        exact_law(program, SAMPLE, **parameters)
    assert str(refused.value) == message


def test_records_of_items_are_tuples():
    with pytest.raises(InputError, match=r"^the record of unit 1 must be a tuple of variables; got 'old'$"):
        exact_law(item_nonresponse, unit_data({1: "old"}), variable=0, propensity=by_stratum)


@pytest.mark.parametrize(
    ("program", "parameters"),
    [
        (independent_response, {"propensity": by_stratum}),
        (deterministic_response, {"responds": lambda *_: True}),
        (item_nonresponse, {"variable": 1, "propensity": by_stratum}),
    ],
)
def test_a_sample_that_is_no_data_set_is_refused(program, parameters):
    with pytest.raises(InputError, match=r"must have its units in increasing order, each once"):
        exact_law(program, SAMPLE[::-1], **parameters)


def test_one_variable_of_several_is_missing():
    law = exact_law(item_nonresponse, unit_data({1: (3, 4, 5, 6)}), variable=1, propensity=lambda *_: 0)
    assert dict(law) == {((1, (3, None, 5, 6)),): 1}


def test_a_propensity_may_be_left_open():
    law = exact_law(independent_response, SAMPLE, propensity=lambda *_: SYMBOL)
    assert law.at(Fraction(1, 3)) == exact_law(independent_response, SAMPLE, propensity=lambda *_: Fraction(1, 3))
