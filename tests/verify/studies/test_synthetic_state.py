"""The synthetic state meets every branch of the algorithm, follows Table 5, and is the same for the same seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest

from stirred.mechanisms.fast.pairwise_swapping import draw_pairs
from stirred.mechanisms.pairwise_swapping.policy import STANDARD, AboveFeasible, NoPartner
from stirred.spec import InputError
from stirred.verify.studies.swapping.household_shares import household_race
from stirred.verify.studies.swapping.race_counts import race_counts
from stirred.verify.studies.swapping.synthetic_state import SIZE_SHARES, synthetic_state


@pytest.fixture(scope="module")
def small():
    return synthetic_state(10_000, 2010)


def test_the_same_seed_gives_the_same_state(small):
    again, other = synthetic_state(10_000, 2010), synthetic_state(10_000, 2011)
    for field in fields(small):
        assert (getattr(small, field.name) == getattr(again, field.name)).all()
    assert (small.persons != other.persons).any()


def test_the_numbers_do_not_depend_on_the_machine(small):
    assert small.persons.sum(axis=0).tolist() == [16697, 8109, 66, 88, 92, 51, 77]
    assert (int(small.x.sum()), int(small.votes.sum())) == (73581200, 10326)


def test_sizes_are_those_of_table_5(small):
    sizes = Counter(small.size.tolist())
    assert sizes.pop(36) == 1
    for size, share in SIZE_SHARES.items():
        assert abs(sizes[size] - share) <= 2
    assert sum(SIZE_SHARES.values()) == 9_999


def test_adults_and_hispanic_persons_are_among_the_persons(small):
    assert small.adults.min() == 1
    assert (small.adults <= small.size).all()
    assert (small.hispanic <= small.size).all()


def test_tracts_are_segregated_and_some_households_mixed(small):
    counts = race_counts(small.tract[small.block], small.persons, len(small.county))
    leading = counts.max(axis=1) / counts.sum(axis=1)
    assert np.median(leading) > 3 / 4
    assert {0, 1} == set(counts.argmax(axis=1).tolist())
    mixed = (household_race(small.persons) == small.persons.shape[1]).mean()
    assert 1 / 100 < mixed < 4 / 100
    assert small.persons.sum(axis=0).min() > 0


def test_every_branch_of_the_algorithm_is_met(small):
    households = Counter(zip(small.key.tolist(), small.tract[small.block].tolist(), strict=True))
    of_key = Counter(small.key.tolist())
    assert min(of_key.values()) == 1  # no partner at all
    assert any(number > 1 for number in households.values())  # one in the same tract, excluded
    places = Counter(zip(small.x.tolist(), small.y.tolist(), strict=True))
    assert max(places.values()) > 1  # equal distances
    assert set(range(len(small.tract))) - set(small.block.tolist())  # an empty block
    assert Counter(small.county.tolist())[int(small.county.max())] == 1  # a county of one tract
    codes = small.codes()
    with pytest.raises(InputError, match="every household must have a possible partner"):
        draw_pairs(
            codes,
            swap_rate=1,
            policy=replace(STANDARD, no_partner=NoPartner.REFUSE, above_feasible=AboveFeasible.SHORTEN),
            seed=1,
        )
    assert len(draw_pairs(codes, swap_rate=Fraction(1, 10), seed=1).pairs) == 500


def test_votes_are_of_adults(small):
    adults = np.bincount(small.tract[small.block], weights=small.adults, minlength=len(small.county))
    assert (small.votes <= adults).all()
    assert small.votes.min() > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((1_999, 1), "households must be at least 2000"), ((5_000, -1), "seed must be at least 0; got -1")],
)
def test_small_states_and_bad_seeds_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        synthetic_state(*arguments)
