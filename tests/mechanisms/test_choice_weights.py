"""The weights of a choice are checked once for each value that they have, and again where they may have changed."""

from fractions import Fraction

import pytest

from stirred.mechanisms.choice_weights import CHANGING, WeightRows
from stirred.mechanisms.source import bernoulli_weights
from stirred.spec.arguments import InputError


class Asked:
    """Counts how often weights are looked at."""

    def __init__(self):
        self.rows = WeightRows()
        self.times = 0

    def row(self, asked):
        def given(weights):
            self.times += 1
            return weights if isinstance(weights, (tuple, list)) else bernoulli_weights(weights)

        return self.rows.row(asked, given)


def thirds():
    return Fraction(1, 3), Fraction(2, 3)


@pytest.mark.parametrize("make", [lambda: Fraction(1, 3), thirds, lambda: (1, 0), lambda: 1])
def test_equal_numbers_are_looked_at_once_however_many_objects_they_are(make):
    asked = Asked()
    first = asked.row(make())
    for _ in range(40):  # more than are recognised as objects
        asked.row((Fraction(1, 7), Fraction(6, 7)))
        assert asked.row(make()) is first
    assert asked.times == 2


def test_equal_lists_are_looked_at_once_and_are_no_tuple():
    asked = Asked()
    fixed = asked.row(thirds())
    first = asked.row(list(thirds()))
    assert asked.row(list(thirds())) is first
    assert (fixed.number, first.asked) == (first.number, CHANGING)
    assert asked.row(thirds()) is fixed
    assert asked.times == 2


def test_what_may_change_is_looked_at_each_time():
    asked, weights = Asked(), [Fraction(1, 3), Fraction(2, 3)]
    row = asked.row(weights)
    assert row.asked is CHANGING
    weights[:] = weights[::-1]
    assert asked.row(weights).weights == thirds()[::-1]
    assert asked.row(thirds()).number == row.number
    assert asked.times == 3


def test_rows_with_equal_weights_have_one_number_and_others_another():
    asked = Asked()
    flip = asked.row(Fraction(2, 3))  # weights (1/3, 2/3)
    assert flip.number == asked.row(thirds()).number
    assert flip.number != asked.row(thirds()[::-1]).number
    assert asked.row((0, 1, 0)).possible == (1,)


def test_refused_weights_are_refused_again():
    asked = Asked()
    for _ in range(2):
        with pytest.raises(InputError):
            asked.row((Fraction(1, 3), Fraction(1, 3)))
