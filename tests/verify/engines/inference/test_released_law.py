from fractions import Fraction
from itertools import product

import pytest

from stirred.spec.arguments import InputError
from stirred.spec.law import Law
from stirred.verify.engines.inference.released_law import ReleasedLaw

FLIP = Fraction(1, 4)
POINTS = tuple(product((0, 1), repeat=2))


def hamming(x, y):
    return sum(a != b for a, b in zip(x, y, strict=True))


def responses(x):
    """Randomised response with gamma = 3."""
    return Law({t: FLIP ** hamming(x, t) * (1 - FLIP) ** (2 - hamming(x, t)) for t in POINTS})


LAWS = {x: responses(x) for x in POINTS}


def test_randomised_response_by_hand():
    # dissertation, (5.8): 1/(gamma + 1)^2 and gamma^2/(gamma + 1)^2
    released = ReleasedLaw(LAWS, 3, hamming)
    for t in POINTS:
        assert released.printed([t]) == (Fraction(1, 16), Fraction(9, 16))
        assert released.sharpest([t]) == (Fraction(1, 16), Fraction(9, 16))


def test_over_an_event_the_sharpest_is_sharper():
    released = ReleasedLaw(LAWS, 3, hamming)
    event = [(0, 0), (1, 1)]
    assert released.printed(event) == (Fraction(1, 8), 1)
    assert released.sharpest(event) == (Fraction(3, 8), Fraction(5, 8))


@pytest.mark.parametrize("weights", [(1, 0, 0, 0), (1, 1, 1, 1), (5, 0, 2, 1)])
@pytest.mark.parametrize("mass", [Fraction(1), Fraction(1, 3)])
def test_every_model_is_within_its_bounds(weights, mass):
    possible = {x: LAWS[x] for x in POINTS}
    released = ReleasedLaw(possible, 3, hamming, mass)
    for event in ([(0, 0)], [(0, 0), (0, 1)]):
        inside = sum(
            mass * Fraction(w, sum(weights)) * LAWS[x][t] for x, w in zip(POINTS, weights, strict=True) for t in event
        )
        for low, high in (released.printed(event), released.sharpest(event)):
            assert low <= inside <= high


def test_possible_data_sets_must_be_connected_and_at_integer_distances():
    with pytest.raises(InputError, match="the possible data sets must be connected"):
        ReleasedLaw(LAWS, 3, lambda x, y: 0 if x == y else None).printed([(0, 0)])
    with pytest.raises(InputError, match="distances must be integers"):
        ReleasedLaw(LAWS, 3, lambda x, y: Fraction(hamming(x, y), 2)).printed([(0, 0)])


def test_bad_arguments_are_refused_in_a_line():
    with pytest.raises(InputError, match=r"^gamma must be at least 1; got 0$"):
        ReleasedLaw(LAWS, 0, hamming)
    with pytest.raises(InputError, match=r"^mass must be between 0 and 1; got 2$"):
        ReleasedLaw(LAWS, 3, hamming, 2)
    with pytest.raises(InputError, match=r"^there must be a data set that is possible$"):
        ReleasedLaw({}, 3, hamming)
