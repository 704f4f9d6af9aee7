"""Mechanisms and invariants that a user might write: some that work, and one for each way to fail."""

import itertools
import logging
import random
from fractions import Fraction

from stirred.spec import Law


def noisy_vote(data, source, *, lie):
    """Whether a random voter said yes, reported falsely with probability `lie`."""
    (vote,) = data[source.uniform(len(data))]
    return (vote == "yes") != source.bernoulli(lie)


def raises(data, source):
    return 1 // (len(data) - 2)


def exits(data, source):
    raise SystemExit(0)


def recurses(data, source):
    return recurses(data, source)


def chooses_for_ever(data, source):
    count = 0
    while source.uniform(2) == 0:
        count += 1
    return count


def loops_for_ever(data, source):
    for _ in itertools.count():
        pass


def stubborn(data, source):
    while True:
        try:
            while True:
                pass
        except BaseException:  # noqa: S112 it must swallow everything
            continue


def returns_nothing_for_some(data, source):
    if ("yes",) in data:
        return source.uniform(2)
    return None


def returns_a_law(data, source):
    return Law({0: Fraction(1, 2), 1: Fraction(1, 2)})


def unhashable(data, source):
    return [source.uniform(2)]


def inexact_weights(data, source):
    return source.choose((0.5, 0.5))


def weights_above_one(data, source):
    return source.choose((Fraction(1, 2), Fraction(2, 3)))


def random_elsewhere(data, source):
    return random.random()  # noqa: S311 it must draw elsewhere


_KEEPER = logging.getLogger("calls")  # an object of a library, which nobody looks into
_KEEPER.calls = -1


def _calls():
    _KEEPER.calls += 1
    return _KEEPER.calls


def remembers(data, source):
    return source.uniform(2 if _calls() < 2 else 3)


def remembers_and_raises(data, source):
    return source.uniform(2) + 1 // (3 - _calls())


def prints(data, source):
    print("a line that must not spoil the output")
    return source.uniform(2)


def at_most_one_yes(data):
    return sum(vote == "yes" for (vote,) in data) <= 1


def invariant_raises(data):
    return 1 // data.count(("yes",))


def invariant_unhashable(data):
    return list(data)


def invariant_of_nothing(data):
    return None


def invariant_random(data):
    return random.random()  # noqa: S311 it must depend on more than its data


NOT_A_FUNCTION = 3


def invariant_of_the_order(data):
    return data[0]


def invariant_that_remembers(data):
    return _calls()


def flipped_states(patients, source, *, flip):
    """Who is ill, each answer flipped with probability `flip`."""
    return tuple((state == "ill") != source.bernoulli(flip) for (state,) in patients)
