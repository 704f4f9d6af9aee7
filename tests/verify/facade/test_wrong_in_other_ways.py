"""Mechanisms that are wrong in ways that no changed constant shows: what they publish, when they stop or fail."""

from fractions import Fraction

import pytest

import stirred
from stirred.spec import InputError, Loss
from stirred.verify.evidence.verdict import Verdict

HALF = Fraction(1, 2)
BITS = stirred.ordered_data_sets((0, 1), [3])
SCORES = [(a, b, c) for a in range(2) for b in range(2) for c in range(2)]


def largest_change(first, second):
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def maximum_with_its_value(scores, source):
    noisy = [score + source.discrete_laplace(HALF) for score in scores]
    best = noisy.index(max(noisy))
    return best, source.clamp(noisy[best], 0, 1)


def maximum_with_its_lead(scores, source):
    noisy = [score + source.discrete_laplace(HALF) for score in scores]
    best = noisy.index(max(noisy))
    return best, source.clamp(noisy[best] - max(noisy[:best] + noisy[best + 1 :]), 0, 2)


def unequal_coins(answers, source):
    return tuple(1 - answer if source.bernoulli(Fraction(1, 8 - 4 * answer)) else answer for answer in answers)


def stops_at_the_first_yes(answers, source):
    found = []
    for answer in answers:
        found.append(answer ^ source.bernoulli(Fraction(1, 4)))
        if answer:
            break
    return tuple(found)


def draws_among_what_occurs(answers, source):
    occurring = sorted(set(answers))
    return occurring[source.uniform(len(occurring))]


def catches_what_fails(answers, source):
    try:
        return 6 // (3 - sum(answers)) * 0 + source.bernoulli(Fraction(1, 4))
    except ZeroDivisionError:
        return None


WRONG = {
    # below 0 a step of three noisy scores is a factor of 2 for each
    "the value of the maximum": (maximum_with_its_value, SCORES, largest_change, "ln 4", Loss(8)),
    # a yes is kept with 3/4, a no becomes one with 1/8
    "unequal coins": (unequal_coins, BITS, "hamming_ordered", "ln 3", Loss(6)),
    "a length that tells": (stops_at_the_first_yes, BITS, "hamming_ordered", "ln 3", stirred.INFINITE),
    "outputs that tell what occurs": (draws_among_what_occurs, BITS, "replace-one", "1", stirred.INFINITE),
    "a failure that tells": (catches_what_fails, BITS, "replace-one", "100", stirred.INFINITE),
}


@pytest.mark.parametrize("name", WRONG)
def test_it_is_refuted_with_its_exact_loss(name):
    mechanism, data_sets, distance, epsilon, loss = WRONG[name]
    with pytest.raises(stirred.NotSatisfiedError) as caught:
        stirred.assert_satisfies(mechanism, data_sets=data_sets, distance=distance, epsilon=epsilon)
    found = caught.value.result
    assert (found.verdict, found.smallest) == (Verdict.REFUTED, loss)
    for part in ("x = ", "E = {", "P[E | x] = ", " > ", "P[E | x']"):
        assert part in str(caught.value)


def test_the_lead_of_the_maximum_costs_no_more_than_its_name():
    """Source: Ding, Wang, Zhang, Kifer (2019), noisy max with gap: 2·ln 2 for any number of scores."""
    found = stirred.assert_satisfies(maximum_with_its_lead, data_sets=SCORES, distance=largest_change, epsilon="2*ln 2")
    assert found.smallest <= Loss(4)


def test_an_error_on_some_data_is_one_line_that_names_them():
    with pytest.raises(InputError, match=r"on the data set \(1, 1, 1\): it raised ZeroDivisionError.*\(test_.*, line "):
        stirred.smallest_budget(lambda answers, source: 1 // (3 - sum(answers)), data_sets=BITS, distance="replace-one")
