"""Which data sets a release leaves open, and how far these are apart."""

from fractions import Fraction

import pytest

from stirred.spec import InputError, Law
from stirred.spec.input_premetric import InputPremetric, hamming_ordered
from stirred.spec.plausible_data import PlausibleData

HALF = Fraction(1, 2)
NOISY = {x: Law({x - 1: Fraction(1, 4), x: HALF, x + 1: Fraction(1, 4)}) for x in range(5)}
MODEL = Law({0: Fraction(1, 4), 1: Fraction(1, 4), 2: HALF})


def plausible(released, model=MODEL, laws=NOISY):
    return PlausibleData(
        model, laws, released, InputPremetric("absolute_difference", "person", lambda x, y: abs(x - y))
    )


@pytest.mark.parametrize(
    ("released", "data_sets", "outcomes", "mass", "diameter"),
    [
        (-1, (0,), (-1,), Fraction(1, 4), 0),
        (0, (0, 1), (-1, 0), HALF, 1),
        (1, (0, 1, 2), (-1, 0, 1, 2, 3), 1, 2),
        (3, (2,), (3,), HALF, 0),
    ],
)
def test_by_hand(released, data_sets, outcomes, mass, diameter):
    found = plausible(released)
    assert (found.data_sets, found.mass, found.diameter) == (data_sets, mass, diameter)
    assert tuple(sorted(found.outcomes)) == outcomes
    assert found.is_connected
    assert [found.farthest(x) for x in data_sets] == [max(abs(x - y) for y in data_sets) for x in data_sets]


def test_data_sets_at_an_infinite_distance_are_not_connected():
    laws = {(0,): Law({"t": 1}), (0, 1): Law({"t": 1})}
    found = PlausibleData(Law(dict.fromkeys(laws, HALF)), laws, "t", hamming_ordered("person"))
    assert found.diameter is found.farthest((0,)) is None
    assert not found.is_connected


@pytest.mark.parametrize(
    ("released", "model", "message"),
    [
        (9, MODEL, "some data set of the model must be able to release 9; none is"),
        (0, Law({7: 1}), "laws must have every data set of the model; 7 has none"),
    ],
)
def test_what_cannot_be_is_refused(released, model, message):
    with pytest.raises(InputError, match=message):
        plausible(released, model)
