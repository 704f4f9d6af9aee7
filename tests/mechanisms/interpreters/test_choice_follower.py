import pytest

from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, follow
from stirred.spec import InputError


def test_an_attempt_inside_another_must_be_of_its_source():
    def program(source):
        return source.attempt(lambda inner: source.attempt(lambda other: other.uniform(2)))

    with pytest.raises(InputError, match="must draw from the source that it is given"):
        follow(program, ChoiceBudget(10))


def test_as_many_choices_are_followed_as_the_budget_has():
    assert len(follow(lambda source: source.uniform(2), ChoiceBudget(1)).outputs) == 2
    with pytest.raises(InputError, match="more than 0 choices"):
        follow(lambda source: source.uniform(2), ChoiceBudget(0))
