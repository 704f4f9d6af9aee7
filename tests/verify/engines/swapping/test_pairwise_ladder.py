"""The ladder from 2010-style swapping to the PSA: losses and laws computed another way."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from stirred.mechanisms.permutation_counts import psa_law
from stirred.spec.loss import Loss
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.engines.swapping.pairwise_ladder import (
    FOUR,
    FREE,
    HALF,
    NEIGHBORS,
    REMOTE,
    REPAIRED,
    RUNGS,
    STATES,
    THREE,
    rung_laws,
    swapped_laws,
)
from stirred.verify.engines.swapping.variant_loss import loss_of_laws


def test_there_is_a_state_for_every_rule_of_swapping_by_pairs():
    assert len(STATES) == len(RUNGS) - 2


@pytest.mark.parametrize("small", STATES, ids=lambda small: small.name)
def test_the_last_rung_has_the_loss_of_permutation_swapping(small):
    assert loss_of_laws(rung_laws(RUNGS[-1], small)).loss == universe_loss(*small.margins, HALF)


def test_the_last_rung_has_the_law_of_permutation_swapping():
    for table, law in rung_laws(RUNGS[-1], THREE).items():
        assert sorted(law.values()) == sorted(psa_law(table, HALF).values())


def test_two_households_with_fair_coins():
    # They stay iff both coins fail: 1/4 against 3/4, at distance 2.
    laws = swapped_laws(NEIGHBORS, REPAIRED, Fraction(1))
    assert all(sorted(law.values()) == [Fraction(1, 4), Fraction(3, 4)] for law in laws.values())
    assert loss_of_laws(laws).loss == Loss(3).over(2)


def test_one_pair_cannot_move_two_pairs_of_households():
    laws = swapped_laws(FOUR, REPAIRED, HALF)
    apart = [x for x in laws if 0 in x[0]]
    assert len(apart) == 2
    assert all(len(laws[x]) == 2 for x in apart)
    x, y = apart
    assert not {z for z in laws[x] if laws[x][z]} >= {z for z in laws[y] if laws[y][z]}


def exchanged_again_and_again(kinds):
    """The law of who stands where: everybody in random order, a fair coin, any other household as partner."""
    size, law = len(kinds), Counter()
    orders = list(permutations(range(size)))
    for order in orders:
        places = {tuple(range(size)): Fraction(1, len(orders))}
        for target in order:
            moved = Counter()
            for place, mass in places.items():
                moved[place] += mass / 2
                for partner in set(range(size)) - {target}:
                    there = list(place)
                    there[target], there[partner] = there[partner], there[target]
                    moved[tuple(there)] += mass / 2 / (size - 1)
            places = moved
        for place, mass in places.items():
            law[tuple(kinds[place.index(spot)] for spot in range(size))] += mass
    return law


@pytest.mark.parametrize(("small", "kinds"), [(NEIGHBORS, "ab"), (REMOTE, "aab"), (THREE, "abc")])
def test_households_that_may_swap_again_are_exchanged_as_by_hand(small, kinds):
    masses = sorted(exchanged_again_and_again(kinds).values())
    laws = swapped_laws(small, FREE, Fraction(1))
    assert masses in [sorted(law.values()) for law in laws.values()]
    if kinds == "ab":
        assert masses == [HALF, HALF]
