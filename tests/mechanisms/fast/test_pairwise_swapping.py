"""2010-style swapping on arrays draws the pairs that the program draws, choice by choice."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import swap_policies, swap_states

from stirred.mechanisms import replay
from stirred.mechanisms.fast.pairwise_swapping import (
    SpatialIndex,
    StateCodes,
    choice_record,
    draw_pairs,
    swapped_blocks,
)
from stirred.mechanisms.fast.random_words import UniformDraws, random_permutation
from stirred.mechanisms.swapping.pairwise.policy import (
    HIGH_VARIANCE,
    STANDARD,
    UNIQUE_BY_TRACT,
    AboveFeasible,
    BlockLocation,
    Counted,
    DistanceTies,
    Excluded,
    NoPartner,
    Participation,
    RiskTies,
    Rounding,
    SwapPolicy,
    UniquenessRegion,
)
from stirred.mechanisms.swapping.pairwise.program import exchange, squared_distance, swap_pairs
from stirred.spec import InputError


def codes(records, geography):
    """A state's arrays: a flag code for each (key, held)."""
    columns = [np.array([row[i] for row in records], dtype=np.int64) for i in range(3)]
    places = [np.array([geography[b][i] for b in range(len(geography))], dtype=np.int64) for i in range(3)]
    return StateCodes(columns[0], 10 * columns[0] + columns[1], columns[2], *places)


def agree(records, geography, rate, policy, seed):
    """Draw the pairs on arrays, replay their choices in the program, and compare pairs and exchanged blocks."""
    state = codes(records, geography)
    drawn = draw_pairs(state, swap_rate=rate, policy=policy, seed=seed)
    reference = replay(swap_pairs, records, choice_record(drawn), geography=geography, swap_rate=rate, policy=policy)
    pairs = tuple(map(tuple, drawn.pairs.tolist()))
    assert pairs == reference
    blocks = [block for _, _, block in exchange(records, pairs)]
    assert swapped_blocks(state.block, drawn.pairs).tolist() == blocks
    return pairs


@given(swap_states(), swap_policies(), st.sampled_from([Fraction(1, 10), Fraction(1, 3), 1]), st.integers(0, 10**9))
def test_pairs_are_those_of_the_program_on_the_same_choices(state, policy, rate, seed):
    agree(*state, rate, policy, seed)


def test_three_thousand_small_states_agree():
    rng = random.Random(2010)  # noqa: S311 fixed states
    decisions = (UniquenessRegion, RiskTies, Rounding, DistanceTies, Participation, Counted, Excluded)
    met = set()
    for seed in range(3000):
        blocks = {b: BlockLocation(rng.randrange(3), rng.randrange(3), rng.randrange(2)) for b in range(5)}
        records = tuple((rng.randrange(2), rng.randrange(3), rng.randrange(5)) for _ in range(rng.randrange(10)))
        region, risk_ties, rounding, distance_ties, participation, counted, excluded = (
            rng.choice(list(decision)) for decision in decisions
        )
        coins = tuple(rng.choice([Fraction(0), Fraction(1, 3), Fraction(1)]) for _ in range(3))
        policy = SwapPolicy(
            closest=rng.choice([1, 2, 3, None]),
            swap_probabilities=(*coins, 1),
            region=region,
            risk_ties=risk_ties,
            rounding=rounding,
            above_feasible=AboveFeasible.SHORTEN,
            distance_ties=distance_ties,
            participation=participation,
            counted=counted,
            excluded=excluded,
        )
        met.add(len(agree(records, blocks, rng.choice([Fraction(1, 10), Fraction(1, 3), Fraction(1)]), policy, seed)))
    assert met > set(range(5))


@pytest.mark.parametrize(
    ("policy", "rate"),
    [(STANDARD, Fraction(1, 10)), (HIGH_VARIANCE, Fraction(1, 4)), (UNIQUE_BY_TRACT, Fraction(1, 5))],
)
def test_pairs_of_a_state_with_many_blocks(policy, rate):
    # more blocks of a key than are looked up at first, many of one place, and tracts with many blocks
    rng = random.Random(7)  # noqa: S311 a fixed state
    geography = {
        b: BlockLocation((x // 8, y // 16), x, y)
        for b, (x, y) in enumerate((x, y) for x, y in product(range(24), range(32)) for _ in range(1 + (x == y)))
    }
    tracts = {tract: number for number, tract in enumerate({place.tract for place in geography.values()})}
    geography = {b: place._replace(tract=tracts[place.tract]) for b, place in geography.items()}
    records = tuple((min(rng.randrange(8), 2), rng.randrange(5), rng.randrange(len(geography))) for _ in range(700))
    assert len(agree(records, geography, rate, policy, 11)) > 700 * rate / 2 - 1


class TestPlantedFaults:
    """An array version with one of these faults does not agree with the program."""

    RIGHT = SwapPolicy(
        closest=2, swap_probabilities=(Fraction(1, 2),) * 4, rounding=Rounding.UP, above_feasible=AboveFeasible.SHORTEN
    )

    def disagreements(self, faulty, rate=Fraction(1)):
        rng = random.Random(4)  # noqa: S311 fixed states
        found = 0
        for seed in range(60):
            blocks = {b: BlockLocation(rng.randrange(3), rng.randrange(12), rng.randrange(2)) for b in range(6)}
            records = tuple((0, rng.randrange(3), rng.randrange(6)) for _ in range(9))
            drawn = draw_pairs(codes(records, blocks), swap_rate=rate, policy=faulty, seed=seed)
            arguments = {"geography": blocks, "swap_rate": rate, "policy": self.RIGHT}
            try:
                program = replay(swap_pairs, records, choice_record(drawn), **arguments)
            except InputError:
                found += 1
            else:
                found += program != tuple(map(tuple, drawn.pairs.tolist()))
        return found

    def test_without_a_fault_all_agree(self):
        assert self.disagreements(self.RIGHT) == 0

    @pytest.mark.parametrize(
        "fault",
        [
            {"excluded": Excluded.SAME_BLOCK},
            {"distance_ties": DistanceTies.INPUT_ORDER},
            {"participation": Participation.AGAIN},
            {"risk_ties": RiskTies.INPUT_ORDER},
            {"counted": Counted.TARGETS},
            {"rounding": Rounding.DOWN},
            {"closest": 3},
        ],
        ids=str,
    )
    def test_another_decision_is_found(self, fault):
        assert self.disagreements(replace(self.RIGHT, **fault), Fraction(1, 3)) > 0

    def test_a_rounded_distance_is_found(self, monkeypatch):
        nearest = SpatialIndex.nearest

        def rounded(self, kind, places, count):
            return [(found, distances // 8, all_of) for found, distances, all_of in nearest(self, kind, places, count)]

        monkeypatch.setattr(SpatialIndex, "nearest", rounded)
        assert self.disagreements(self.RIGHT) > 0


def test_the_index_finds_the_nearest_with_exact_distances():
    rng = random.Random(5)  # noqa: S311 a fixed set
    far = 2**25 - 1
    places = [BlockLocation(0, rng.choice((0, far, rng.randrange(far))), rng.randrange(far)) for _ in range(200)]
    kind = np.sort(np.array([rng.randrange(3) for _ in places]))
    index = SpatialIndex(kind, np.array([p.x for p in places]), np.array([p.y for p in places]))
    for k in range(3):
        alike = np.flatnonzero(kind == k)
        for place, (found, distances, complete) in zip(range(200), index.nearest(k, np.arange(200), 9), strict=True):
            every = sorted(squared_distance(places[place], places[i]) for i in alike)
            assert not complete
            assert distances.tolist() == every[:9]
            assert [squared_distance(places[place], places[i]) for i in found] == every[:9]


def test_wide_coordinates_are_refused():
    state = StateCodes([0, 0], [0, 1], [0, 1], tract=[0, 1], x=[0, 2**25], y=[0, 0])
    with pytest.raises(InputError, match="x must span less than 2\\^25 units; got 33554432: take a coarser unit"):
        draw_pairs(state, swap_rate=Fraction(1, 10))


def test_equal_words_are_drawn_again():
    served = iter([[5, 5, 1], [2, 9, 4]])
    assert random_permutation(3, lambda n: np.array(next(served), dtype=np.uint64)).tolist() == [0, 2, 1]


def test_integers_below_a_bound_redraw_words_beyond_its_last_multiple():
    draws = UniformDraws(lambda n: np.array([2**64 - 1, 7], dtype=np.uint64))
    assert draws.below(10) == 7


def test_a_seed_repeats():
    state = StateCodes([0] * 50, range(50), range(50), tract=range(50), x=range(50), y=[0] * 50)
    first, second, other = (draw_pairs(state, swap_rate=Fraction(1, 5), seed=s).pairs.tolist() for s in (1, 1, 2))
    assert first == second != other


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"key": [0.0, 1.0]}, "key must be a one-dimensional array of ints; got 1-d float64"),
        ({"flags": [0]}, r"key, flags, block must have one length; got \[2, 1, 2\]"),
        ({"x": [0]}, r"tract, x, y must have one length; got \[2, 1, 2\]"),
        ({"block": [0, 2]}, "block must be an index of the 2 blocks with a place, from 0"),
        ({"block": [0, -1]}, "block must be an index of the 2 blocks with a place, from 0"),
    ],
)
def test_bad_arrays_are_refused(arguments, message):
    good = {"key": [0, 0], "flags": [0, 1], "block": [0, 1], "tract": [0, 1], "x": [0, 1], "y": [0, 0]}
    with pytest.raises(InputError, match=message):
        StateCodes(**{**good, **arguments})


def test_a_household_without_a_partner_is_refused_where_the_policy_says_so():
    state = StateCodes([0, 1], [0, 1], [0, 1], tract=[0, 1], x=[0, 1], y=[0, 0])
    policy = SwapPolicy(no_partner=NoPartner.REFUSE, above_feasible=AboveFeasible.SHORTEN)
    with pytest.raises(InputError, match="every household must have a possible partner; household"):
        draw_pairs(state, swap_rate=1, policy=policy, seed=1)
