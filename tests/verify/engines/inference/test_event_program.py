from fractions import Fraction
from itertools import product

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.engines.inference.event_program import largest_posterior
from stirred.verify.engines.inference.posterior import sharpest_posterior

POINTS = tuple(product((0, 1), repeat=3))


def hamming(x, y):
    return sum(a != b for a, b in zip(x, y, strict=True))


def factors(points, distance, gamma):
    places = range(len(points))
    return {(i, j): gamma ** distance(points[i], points[j]) for i in places for j in places if i != j}


@pytest.mark.parametrize("distance", [1, 2, 3])
@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 10)])
def test_of_two_data_sets_it_is_the_odds_bound(distance, share):
    apart = dict.fromkeys([(0, 1), (1, 0)], Fraction(3) ** distance)
    assert largest_posterior([1 - share, share], {1}, apart) == sharpest_posterior(share, 3, distance)[1]


@pytest.mark.parametrize(
    ("event", "largest"),
    [
        # randomised response attains them: the first answer; the majority; all three; an even number of ones
        (lambda x: x[0] == 1, Fraction(3, 4)),
        (lambda x: sum(x) > 1, Fraction(27, 32)),
        (lambda x: sum(x) == 3, Fraction(27, 64)),
    ],
)
def test_of_independent_answers_it_is_what_randomised_response_attains(event, largest):
    chosen = {place for place, x in enumerate(POINTS) if event(x)}
    found = largest_posterior([Fraction(1, 8)] * 8, chosen, factors(POINTS, hamming, Fraction(3)))
    flip = Fraction(1, 4)
    after = {x: flip ** hamming(x, (1, 1, 1)) * (1 - flip) ** (3 - hamming(x, (1, 1, 1))) for x in POINTS}
    assert found == largest == sum(after[x] for x in POINTS if event(x))


def test_pairs_that_others_imply_change_nothing():
    near = {pair: factor for pair, factor in factors(POINTS, hamming, Fraction(2)).items() if factor == 2}
    chosen = {0, 3, 5}
    uneven = [Fraction(k + 1, 36) for k in range(8)]
    assert largest_posterior(uneven, chosen, near) == largest_posterior(
        uneven, chosen, factors(POINTS, hamming, Fraction(2))
    )


def test_across_what_is_not_connected_all_can_be_learned():
    assert largest_posterior([Fraction(1, 2)] * 2, {1}, {}) == 1


def test_a_prior_that_is_none_is_refused():
    with pytest.raises(InputError, match=r"^prior must be positive and sum to exactly 1; got 1/2$"):
        largest_posterior([Fraction(1, 2)], {0}, {})
