"""2010-style swapping: each step on its own, exact laws of small states, and what each decision changes."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import swap_policies, swap_states

from stirred.mechanisms import exact_law, sample, saturated_table
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
from stirred.mechanisms.swapping.pairwise.program import (
    choose_partner,
    exchange,
    pairwise_swapping,
    squared_distance,
    swap_pairs,
)
from stirred.mechanisms.swapping.pairwise.risk import assign_tiers, households_alike, tier_sizes, visiting_order
from stirred.spec import InputError

LINE = {b: BlockLocation(b, b, 0) for b in range(6)}
"""Six blocks on a line, each a tract."""

FREE = replace(STANDARD, closest=None, above_feasible=AboveFeasible.SHORTEN)


class TestTiers:
    @pytest.mark.parametrize(
        ("rate", "sizes"),
        [
            ("1/10", (6250, 1875, 1250, 625)),  # the shares that Appendix A prints for 10%
            ("1/50", (9250, 375, 250, 125)),
            ("4/15", (1, 5000, 3333, 1666)),  # the highest feasible rate; what rounding down leaves is tier 1
            ("0", (10000, 0, 0, 0)),
        ],
    )
    def test_sizes_follow_from_the_swap_rate(self, rate, sizes):
        assert tier_sizes(10_000, Fraction(rate), STANDARD) == sizes

    @pytest.mark.parametrize(
        ("rounding", "of_eight", "of_nine"),
        [
            (Rounding.DOWN, (6, 1, 1, 0), (7, 1, 1, 0)),
            (Rounding.NEAREST, (4, 2, 1, 1), (5, 2, 1, 1)),
            (Rounding.UP, (4, 2, 1, 1), (4, 2, 2, 1)),
        ],
    )
    def test_rounding_is_a_decision(self, rounding, of_eight, of_nine):
        # 8/10/1.6 = 1/2: the shares are 1/2, 1 and 3/2; 9/10/1.6 = 9/16: 0.5625, 1.125 and 1.6875
        policy = replace(STANDARD, rounding=rounding)
        assert tier_sizes(8, Fraction(1, 10), policy) == of_eight
        assert tier_sizes(9, Fraction(1, 10), policy) == of_nine

    def test_rates_above_the_last_feasible_one_are_refused_or_shorten_the_tiers(self):
        with pytest.raises(InputError, match="swap_rate must be at most 4/15"):
            tier_sizes(1000, Fraction(2, 5), STANDARD)
        shorten = replace(STANDARD, above_feasible=AboveFeasible.SHORTEN)
        assert tier_sizes(1000, Fraction(2, 5), shorten) == (0, 250, 500, 250)
        assert tier_sizes(1000, 1, shorten) == (0, 0, 375, 625)
        assert sum(tier_sizes(1000, Fraction(4, 15), STANDARD)) == 1000

    def test_a_rate_that_is_known_is_refused_where_it_is_given_as_a_float(self):
        assert sum(tier_sizes(1000, Fraction(1, 4), STANDARD)) == 1000
        with pytest.raises(InputError, match="swap_rate"):
            tier_sizes(1000, 0.25, STANDARD)

    def test_high_variance_keeps_the_sizes_of_the_standard_probabilities(self):
        assert tier_sizes(10_000, Fraction(1, 10), HIGH_VARIANCE) == tier_sizes(10_000, Fraction(1, 10), STANDARD)

    def test_the_riskiest_fill_tier_4(self):
        law = exact_law(
            lambda data, source: assign_tiers(data, ["b"] * 4, (1, 1, 1, 1), source, RiskTies.INPUT_ORDER), [5, 0, 7, 0]
        )
        assert dict(law) == {(2, 4, 1, 3): 1}

    def test_random_ties_are_uniform(self):
        law = exact_law(
            lambda data, source: assign_tiers(data, ["b"] * 3, (2, 0, 0, 1), source, RiskTies.RANDOM), [0, 0, 0]
        )
        assert dict(law) == {t: Fraction(1, 3) for t in [(4, 1, 1), (1, 4, 1), (1, 1, 4)]}

    def test_smaller_blocks_come_first(self):
        blocks = ["large", "large", "small"]
        law = exact_law(
            lambda data, source: assign_tiers(data, blocks, (2, 0, 0, 1), source, RiskTies.SMALLER_BLOCK), [0, 0, 0]
        )
        assert dict(law) == {(1, 1, 4): 1}

    def test_the_order_is_uniform_within_tiers(self):
        law = exact_law(visiting_order, (1, 4, 1, 4))
        assert dict(law) == {(*a, *b): Fraction(1, 4) for a in [(1, 3), (3, 1)] for b in [(0, 2), (2, 0)]}


class TestRisk:
    RECORDS = (("k", "a", 0), ("k", "a", 0), ("k", "a", 1), ("k", "b", 1))

    def test_alike_households_are_counted_by_block_or_by_tract(self):
        flags = [record[:2] for record in self.RECORDS]
        geography = {0: BlockLocation("t", 0, 0), 1: BlockLocation("t", 1, 0)}
        by_block = households_alike(self.RECORDS, flags, geography, UniquenessRegion.BLOCK)
        by_tract = households_alike(self.RECORDS, flags, geography, UniquenessRegion.TRACT)
        assert (by_block, by_tract) == ((1, 1, 0, 0), (2, 2, 2, 0))


class TestPartners:
    NEAR = ((1, 7), (4, 2), (4, 5), (4, 9), (16, 0))

    @pytest.mark.parametrize(
        ("ties", "law"),
        [
            (DistanceTies.RANDOM, {7: Fraction(1, 3), 2: Fraction(2, 9), 5: Fraction(2, 9), 9: Fraction(2, 9)}),
            (DistanceTies.INPUT_ORDER, {7: Fraction(1, 3), 2: Fraction(1, 3), 5: Fraction(1, 3)}),
            (DistanceTies.ALL, {7: Fraction(1, 4), 2: Fraction(1, 4), 5: Fraction(1, 4), 9: Fraction(1, 4)}),
        ],
    )
    def test_ties_at_the_last_distance(self, ties, law):
        policy = replace(STANDARD, closest=3, distance_ties=ties)
        assert dict(exact_law(lambda data, source: choose_partner(data, source, policy), self.NEAR)) == law

    def test_random_ties_are_a_uniform_subset(self):
        # the same law by its definition: a uniform choice of two of the three tied, then a uniform one of the three
        law = Counter()
        for kept in [(2, 5), (2, 9), (5, 9)]:
            for place in (7, *kept):
                law[place] += Fraction(1, 9)
        policy = replace(STANDARD, closest=3)
        assert dict(exact_law(lambda data, source: choose_partner(data, source, policy), self.NEAR)) == dict(law)

    def test_fewer_than_k_are_all(self):
        assert len(exact_law(lambda data, source: choose_partner(data, source, STANDARD), self.NEAR)) == 5

    def test_distances_are_exact(self):
        # equal as doubles, distinct as integers
        far = BlockLocation(0, 2**40, 1)
        assert squared_distance(far, BlockLocation(0, 0, 0)) - squared_distance(far, BlockLocation(0, 0, 1)) == 1


class TestStates:
    def test_the_nearest_of_another_tract_is_the_partner(self):
        geography = {0: BlockLocation("a", 0, 0), 1: BlockLocation("a", 1, 0), 2: BlockLocation("b", 9, 0)}
        records = (("k", 0, 0), ("k", 1, 1), ("k", 2, 2))
        law = exact_law(
            swap_pairs, records, geography=geography, swap_rate=Fraction(2, 3), policy=replace(FREE, closest=1)
        )
        assert {pair for pairs in law for pair in pairs} == {(0, 2), (1, 2), (2, 1)}
        near = replace(FREE, closest=1, excluded=Excluded.SAME_BLOCK)
        law = exact_law(swap_pairs, records, geography=geography, swap_rate=Fraction(2, 3), policy=near)
        assert {pair for pairs in law for pair in pairs} == {(0, 1), (1, 0), (2, 1)}

    def test_the_law_of_a_state_by_hand(self):
        # Four unique households, each in its own tract, r = 1/2: t = 5/16 of 4 is 1 (down), tier 3 has 2, tier 2 one.
        # Two are to be swapped: the one of tier 4, always, with one of the three others: each pair has 2/4·1/3.
        records = tuple(("k", i, i) for i in range(4))
        law = exact_law(pairwise_swapping, records, geography=LINE, swap_rate=Fraction(1, 2), policy=FREE)
        expected = {saturated_table(exchange(records, ((i, j),))): Fraction(1, 6) for i in range(4) for j in range(i)}
        assert dict(law) == expected

    def test_targets_may_count_instead_of_households(self):
        records = tuple(("k", i, i) for i in range(4))
        policy = replace(FREE, counted=Counted.TARGETS, swap_probabilities=(1, 1, 1, 1))
        law = exact_law(swap_pairs, records, geography=LINE, swap_rate=Fraction(1, 2), policy=policy)
        assert {len(pairs) for pairs in law} == {2}

    def test_a_household_without_a_partner_stays_or_is_refused(self):
        records = (("k", 0, 0), ("l", 1, 1))
        assert dict(exact_law(swap_pairs, records, geography=LINE, swap_rate=1, policy=FREE)) == {(): 1}
        with pytest.raises(InputError, match=r"every household must have a possible partner; household [01] has none"):
            sample(swap_pairs, records, geography=LINE, swap_rate=1, policy=replace(FREE, no_partner=NoPartner.REFUSE))

    def test_a_household_may_take_part_again_only_if_the_policy_says_so(self):
        records = tuple(("k", i, i) for i in range(3))
        sure = replace(FREE, swap_probabilities=(1, 1, 1, 1))
        once = exact_law(swap_pairs, records, geography=LINE, swap_rate=1, policy=sure)
        again = exact_law(
            swap_pairs, records, geography=LINE, swap_rate=1, policy=replace(sure, participation=Participation.AGAIN)
        )
        assert {len(pairs) for pairs in once} == {1}
        assert {len(pairs) for pairs in again} == {2, 3}  # (0, 1), (1, 0), (2, …): three until all are swapped

    @given(swap_states(), swap_policies(), st.sampled_from([Fraction(1, 10), Fraction(1, 4), 1]), st.integers(0, 10**9))
    def test_pairs_keep_the_rules(self, state, policy, rate, seed):
        records, geography = state
        pairs = sample(swap_pairs, records, seed=seed, geography=geography, swap_rate=rate, policy=policy)
        for target, partner in pairs:
            assert target != partner
            assert records[target][0] == records[partner][0]
            here, there = (geography[records[i][2]] for i in (target, partner))
            assert policy.excluded is not Excluded.SAME_TRACT or here.tract != there.tract
            assert policy.excluded is Excluded.NONE or records[target][2] != records[partner][2]
        members = [i for pair in pairs for i in pair]
        if policy.participation is Participation.ONCE:
            assert len(set(members)) == len(members)
        before = set(members[:-2]) if policy.counted is Counted.HOUSEHOLDS else pairs[:-1]
        assert not pairs or len(before) < rate * len(records)

    @given(swap_states(), swap_policies(), st.integers(0, 10**9))
    def test_only_blocks_are_exchanged(self, state, policy, seed):
        records, geography = state
        pairs = sample(swap_pairs, records, seed=seed, geography=geography, swap_rate=Fraction(1, 2), policy=policy)
        swapped = exchange(records, pairs)
        assert [r[:2] for r in swapped] == [r[:2] for r in records]
        assert Counter((m, s) for m, _, s in swapped) == Counter((m, s) for m, _, s in records)


class TestPresets:
    def test_what_the_presets_change(self):
        assert (STANDARD.closest, HIGH_VARIANCE.closest) == (10, 100)
        assert STANDARD.swap_probabilities == (Fraction(1, 10), Fraction(3, 10), Fraction(6, 10), 1)
        assert HIGH_VARIANCE.swap_probabilities == (Fraction(1, 10), Fraction(3, 10), Fraction(3, 10), 1)
        assert replace(STANDARD, region=UniquenessRegion.TRACT, risk_ties=RiskTies.SMALLER_BLOCK) == UNIQUE_BY_TRACT

    def test_k_matters_only_where_there_are_more_partners(self):
        records = tuple(("k", i, i) for i in range(3))
        laws = [
            exact_law(pairwise_swapping, records, geography=LINE, swap_rate=1, policy=replace(FREE, closest=k))
            for k in (2, 3, None)
        ]
        assert laws[0] == laws[1] == laws[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"geography": {0: LINE[0]}}, "geography must have a place for every block; 1 has none"),
        (
            {"geography": {0: LINE[0], 1: BlockLocation(1, 0.5, 0)}},
            "geography: x of block 1 must be an integer; got 0.5",
        ),
        ({"swap_rate": 0.5}, "swap_rate must be an exact number"),
        ({"swap_rate": Fraction(3, 2)}, "swap_rate must be between 0 and 1"),
        ({"flags": ["one"]}, "flags must be as many as records; got 1 for 2"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    good = {"geography": LINE, "swap_rate": Fraction(1, 10)}
    with pytest.raises(InputError, match=message):
        sample(pairwise_swapping, (("k", 0, 0), ("k", 1, 1)), **{**good, **arguments})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"closest": 0}, "closest must be at least 1; got 0"),
        ({"swap_probabilities": (1, 1)}, "must be those of tiers 1 to 4"),
        ({"swap_probabilities": (0.1, 0, 0, 1)}, "that of tier 1 must be an exact number"),
        ({"assumed": 2}, "assumed must be between 0 and 1; got 2"),
    ],
)
def test_bad_policies_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        SwapPolicy(**arguments)
