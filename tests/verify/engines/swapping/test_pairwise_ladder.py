"""The ladder from 2010-style swapping to the PSA: losses and laws computed another way."""

from fractions import Fraction

import pytest

from stirred.mechanisms.permutation_counts import psa_law
from stirred.spec.loss import Loss
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.engines.swapping.pairwise_ladder import (
    FOUR,
    HALF,
    NEIGHBORS,
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
