from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from strategies import open_probabilities

from stirred.mechanisms import exact_law, randomized_response
from stirred.spec import INFINITE, InputError, Loss, Multiplicative, hamming_ordered

ANSWERS = list(product((0, 1), repeat=3))


def laws(p):
    return {x: exact_law(randomized_response, x, flip_probability=p) for x in ANSWERS}


@given(open_probabilities)
def test_the_loss_is_the_absolute_log_odds_per_flipped_answer(p):
    one = Loss(max(p / (1 - p), (1 - p) / p))
    d = hamming_ordered("answer")
    released = laws(p)
    for x, y in product(ANSWERS, ANSWERS):
        assert Multiplicative().distance(released[x], released[y]) == one.times(d(x, y))


@given(open_probabilities)
def test_flipping_with_the_complement_loses_the_same(p):
    assert Multiplicative().distance(laws(p)[0, 0, 0], laws(p)[1, 0, 0]) == Multiplicative().distance(
        laws(1 - p)[0, 0, 0], laws(1 - p)[1, 0, 0]
    )


@pytest.mark.parametrize("p", [0, 1])
def test_certain_answers_lose_everything(p):
    released = laws(p)
    assert all(
        Multiplicative().distance(released[x], released[y]) == INFINITE for x, y in product(ANSWERS, ANSWERS) if x != y
    )


def test_the_last_answer_is_flipped_too():
    law = exact_law(randomized_response, (0, 0), flip_probability=Fraction(1, 3))
    assert law.push(lambda z: z[-1])[1] == Fraction(1, 3)


def test_no_answers_are_no_choice():
    assert exact_law(randomized_response, (), flip_probability=Fraction(1, 3))[()] == 1


def test_a_float_is_refused():
    with pytest.raises(InputError, match="float"):
        exact_law(randomized_response, (0,), flip_probability=0.25)


@pytest.mark.parametrize("answers", [(2,), (0, -1), ("yes",), (0.5,)])
def test_answers_are_binary(answers):
    with pytest.raises(InputError, match="answers must be 0 or 1; got"):
        exact_law(randomized_response, answers, flip_probability=Fraction(1, 3))
