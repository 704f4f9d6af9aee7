"""The exact draws under the array implementations: selection, orders, cycle lengths, each against exact counts."""

import ssl
from bisect import bisect_right
from collections import Counter
from fractions import Fraction
from math import factorial

import numpy as np
import pytest
from conformance.array_swapping import (
    check_digits_of_a_law,
    check_order_by_digits,
    check_ordered_subsets,
    check_selected_counts,
    check_share_of_digits,
    serving,
)
from hypothesis import given
from hypothesis import strategies as st
from tiers import few

import stirred.mechanisms
from stirred.mechanisms import replay
from stirred.mechanisms.fast import cycle_lengths, selected_records, small_laws
from stirred.mechanisms.fast.cycle_lengths import MOST_ELEMENTS, _rest, _settled, _weights, cycles
from stirred.mechanisms.fast.permutation_swapping import choice_record, draw_moves
from stirred.mechanisms.fast.random_words import random_words
from stirred.mechanisms.fast.selected_records import select, selected_counts, shuffled_inside
from stirred.mechanisms.swapping.permutation_counts import derangements
from stirred.spec import InputError

RATES = [Fraction(0), Fraction(1, 20), Fraction(1, 2), Fraction(2, 3), Fraction(1)]
records = st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 2), st.integers(0, 2)), max_size=9)


def columns(rows):
    return tuple(np.array([row[i] for row in rows], dtype=np.int64) for i in range(3))


def swapped_table(matching, holding, swapping, **drawn):
    """The saturated table after one draw."""
    moved = draw_moves(matching, **drawn).apply(np.array(swapping, dtype=np.int64))
    return Counter(zip(list(matching), list(holding), moved.tolist(), strict=True))


@given(records, st.sampled_from(RATES), st.integers(0, 2**40))
def test_output_is_that_of_the_program_on_the_same_choices(rows, p, seed):
    matching, holding, swapping = columns(rows)
    choices = choice_record(matching, draw_moves(matching, swap_rate=p, seed=seed))
    reference = replay(stirred.mechanisms.permutation_swapping, tuple(rows), choices, swap_rate=p)
    assert swapped_table(matching, holding, swapping, swap_rate=p, seed=seed) == dict(reference)


def test_selection_of_one_large_stratum_has_the_exact_mean():
    # n = 10^5, p = 1/20: the number of moved records has mean 5000 and deviation 69 (re-selection changes it by less
    # than 10^-2000); a seeded draw beyond 6 deviations would have probability < 2*10^-9
    matching = np.zeros(10**5, dtype=np.int64)
    assert abs(len(draw_moves(matching, swap_rate=Fraction(1, 20), seed=7).moved) - 5000) < 6 * 69


def test_every_record_may_be_alone_in_its_stratum():
    assert swapped_table([1, 2, 3], [0, 0, 0], [0, 1, 2], swap_rate=1) == {
        (1, 0, 0): 1,
        (2, 0, 1): 1,
        (3, 0, 2): 1,
    }


def test_no_records_give_an_empty_table():
    assert swapped_table([], [], [], swap_rate=Fraction(1, 2)) == {}


def test_codes_may_be_far_apart():
    far = 2**62
    fast = swapped_table([far, far, -far, -far], [far, -far, 0, 1], [-far, far, far, -far], swap_rate=1)
    assert fast == {(far, far, far): 1, (far, -far, -far): 1, (-far, 0, -far): 1, (-far, 1, far): 1}


def test_a_seed_repeats_and_its_absence_is_cryptographic(monkeypatch):
    asked = []
    secret_bytes = ssl.RAND_bytes

    def counted(n):
        asked.append(n)
        return secret_bytes(n)

    monkeypatch.setattr(ssl, "RAND_bytes", counted)
    matching = np.zeros(50, dtype=np.int64)
    first, second = (draw_moves(matching, swap_rate=Fraction(1, 2), seed=1).permutation() for _ in range(2))
    assert (first == second).all()
    assert not asked
    draw_moves(matching, swap_rate=Fraction(1, 2))
    assert asked


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"matching": [0.0, 1.0]}, "matching must be"),
        ({"matching": np.array([2**63, 0], dtype=np.uint64)}, "matching must be"),
        ({"swap_rate": 0.5}, "swap_rate must be"),
        ({"swap_rate": Fraction(3, 2)}, "swap_rate must be"),
        ({"seed": -1}, "seed must be"),
        ({"seed": 1.0}, "seed must be"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    good = {"matching": [0, 0], "swap_rate": Fraction(1, 2), "seed": 1}
    with pytest.raises(InputError, match=message):
        draw_moves(**{**good, **arguments})


@pytest.mark.parametrize("strata", [2, 3, 2**17])
def test_keys_packed_with_the_stratum_keep_strata_apart(strata):
    matching = np.arange(2 * strata, dtype=np.int64) % strata
    moves = draw_moves(matching, swap_rate=1, seed=4).permutation()
    assert (moves == (np.arange(2 * strata) + strata) % (2 * strata)).all()


def test_a_rate_may_have_a_denominator_of_any_size():
    nearly_one = 1 - Fraction(1, 10**40)
    assert len(draw_moves(np.zeros(1000, dtype=np.int64), swap_rate=nearly_one, seed=5).moved) == 1000


def test_records_of_one_stratum_each_end_the_selection_at_rates_near_1():
    matching = np.append(np.arange(1000), [0])
    assert draw_moves(matching, swap_rate=1 - Fraction(1, 10**40), seed=6).moved.tolist() in ([0, 1000], [1000, 0])


def test_codes_of_any_width_are_swapped_in_their_own_type():
    matching = np.zeros(4, dtype=np.int8)
    swapped = draw_moves(matching, swap_rate=1, seed=1).apply(np.array([5, 6, 7, 8], dtype=np.uint16))
    assert swapped.dtype == np.uint16
    assert sorted(swapped.tolist()) == [5, 6, 7, 8]


def test_codes_of_eight_bits_span_all_of_their_range():
    matching = np.repeat(np.arange(-128, 128), 2).astype(np.int8)
    moves = draw_moves(matching, swap_rate=1, seed=1).permutation()
    assert (moves == np.arange(512).reshape(256, 2)[:, ::-1].reshape(-1)).all()


@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(1, 20), Fraction(2, 7), Fraction(255, 257), Fraction(1, 300)])
def test_of_all_pairs_of_digits_exactly_the_share_p_is_selected(p):
    check_share_of_digits(select, p)


@pytest.mark.parametrize(("p", "chosen"), [(0, 0), (1, 256), (Fraction(1, 2), 128), (Fraction(1, 256), 1)])
def test_rates_of_one_digit_need_no_further_one(p, chosen):
    assert select(256, Fraction(p), serving(np.arange(256, dtype=np.uint8))).tolist() == list(range(chosen))


@given(st.lists(st.integers(0, 2), min_size=1, max_size=8), st.integers(0, 10**6))
def test_the_order_is_that_of_the_digits_however_many_it_takes(groups, seed):
    check_order_by_digits(shuffled_inside, groups, seed)


@pytest.mark.parametrize("size", [256, 300])
def test_orders_of_groups_of_any_size_are_those_of_their_digits(size):
    # up to 256 elements by 16 digits at a time, beyond by 32
    check_order_by_digits(shuffled_inside, [0] * size, size)
    check_order_by_digits(shuffled_inside, [0, 2, 2] + [1] * size, size)


@pytest.mark.parametrize(
    "weights", [[1], [0, 1], [1, 1, 1], [0, 3, 0, 4], [5, 0, 0, 1], [1, 2**20], [2**60, 1, 1], [1] * 300, [1, 1, 2]]
)
def test_small_laws_are_drawn_as_their_distribution_functions_say(weights):
    check_digits_of_a_law(small_laws, weights)


def test_laws_of_any_denominator_are_settled():
    weights = [3**200, 5**80]
    threshold = Fraction(3**200, 3**200 + 5**80)
    digits, word = int(2**40 * threshold), int(2**104 * threshold) % 2**64
    drawn = [[digits >> 32], [digits % 2**32], [word]]
    kinds = (np.uint8, np.uint32, np.uint64)
    for last, value in ((0, 0), (2**64 - 1, 1)):  # the first word leaves it open
        begun = [np.array(one, kind) for one, kind in zip(drawn, kinds, strict=True)]
        words = serving(*begun, np.array([last], np.uint64))
        assert small_laws.SmallLaws([small_laws.SmallLaw.of(weights)]).draw(np.array([0]), words).tolist() == [value]


@pytest.mark.parametrize(
    ("size", "p"),
    [
        (2, Fraction(1, 2)),
        (10, Fraction(1, 10)),
        (128, Fraction(1, 100)),
        (129, Fraction(1, 100)),
        (200, Fraction(1, 2)),
        (5, Fraction(10**30 + 1, 3 * 10**30)),
    ],
)
def test_how_many_are_selected_again_has_the_binomial_law_without_one(size, p):
    check_selected_counts(selected_counts, size, p)


def test_of_one_record_none_is_selected_again_and_at_1_all_are():
    sizes = np.array([1, 2, 128, 129, 1])
    assert selected_counts(sizes, Fraction(1), random_words(1)).tolist() == [0, 2, 128, 129, 0]
    assert selected_counts(sizes[:0], Fraction(1, 2), random_words(1)).tolist() == []


@pytest.mark.parametrize(("size", "count"), few([(4, 2), (40, 1), (5, 5), (60, 2), (3, 3)], 2))
def test_ordered_subsets_are_uniform(size, count):
    check_ordered_subsets(selected_records.ordered_subsets, size, count)


def test_ordered_subsets_are_uniform_where_often_too_few_are_below_the_limit(monkeypatch):
    monkeypatch.setattr(selected_records, "_MORE", 0)  # 2k of them on average
    check_ordered_subsets(selected_records.ordered_subsets, 40, 2)
    check_ordered_subsets(selected_records.ordered_subsets, 30, 1)


def remainder_counts(m):
    """How many of the d(m) derangements leave at most 0, …, m−2 elements outside the cycle of a given one."""
    ways = [factorial(m - 1) // factorial(r) * derangements(r) for r in range(m - 1)]
    assert sum(ways) == derangements(m)
    return np.cumsum(np.array(ways, dtype=object)).tolist()


def test_small_cycles_have_the_weights_of_derangements():
    for m in range(2, 40):
        assert np.cumsum(np.array(_weights(m), dtype=object)).tolist() == remainder_counts(m)
    for m in (2, 3, 7, 39):
        check_digits_of_a_law(small_laws, _weights(m))


@pytest.mark.parametrize("m", [*range(40, 45), 60, 100])
def test_a_cycle_has_its_exact_law(m):
    # around each threshold of the exact distribution function, the first and the last digits that are sure of r, and
    # those between, of which further digits decide
    below = remainder_counts(m)
    for r, count in enumerate(below[:-1]):
        threshold = Fraction(2**32 * count, below[-1])
        near = np.arange(max(0, int(threshold) - 700), min(2**32, int(threshold) + 700))
        rest, unsure = _rest(np.full(len(near), m), near)
        exact = [bisect_right(below, u * below[-1] // 2**32) for u in near.tolist()]
        after = [bisect_right(below, ((u + 1) * below[-1] - 1) // 2**32) for u in near.tolist()]
        sure = ~unsure
        assert (rest[sure] == np.array(exact)[sure]).all()
        assert (rest[sure] == np.array(after)[sure]).all()
        if derangements(r) and 700 < threshold < 2**32 - 700:
            assert sure.any()
        digits, further = int(threshold), int(threshold * 2**64) % 2**64
        if 0 < further < 2**64 - 1:
            next_r = next(i for i, one in enumerate(below) if one > count)
            at = [_settled(m, digits, serving(np.array([w], dtype=np.uint64))) for w in (further - 1, further + 1)]
            assert at == [min(i for i, one in enumerate(below) if one == count), next_r]


@pytest.mark.parametrize("m", [1000, 123_457, MOST_ELEMENTS])
def test_a_cycle_among_many_is_nearly_uniform_and_settled_where_it_is_not(m):
    # beyond 40 elements the distribution function of r is (r + 2)/m within 10^-40
    for r in (50, m // 3, m - 3):
        digits = int(Fraction(2**32 * (r + 2), m))
        rest, _ = _rest(np.array([m, m, m]), np.array([max(0, digits - 600), digits, min(digits + 600, 2**32 - 1)]))
        width = 1 + m * 601 // 2**32
        assert r - width <= rest[0] <= r
        assert r + 1 - width <= rest[2] <= r + 1 + width
        for w in (0, 2**64 - 1):
            u = Fraction(digits * 2**64 + w, 2**96)
            assert _settled(m, digits, serving(np.array([w], dtype=np.uint64))) == int(u * m) - 1


def test_unsure_digits_of_large_sets_are_settled_by_further_words(monkeypatch):
    asked = []
    monkeypatch.setattr(cycle_lengths, "_settled", lambda m, digits, words: asked.append((m, digits)) or 0)
    boundary = int(Fraction(2**32 * 20, 50))  # of 50 elements, at most 18 lie outside a cycle 2/5 of the time
    sizes, digits = np.array([50, 50]), np.array([boundary, 5], dtype=np.uint32)
    assert cycle_lengths.remainders(sizes, serving(digits)).tolist() == [0, 0]
    assert asked == [(50, boundary)]


@given(st.lists(st.integers(0, 60).filter(lambda size: size != 1), max_size=20), st.integers(0, 1000))
def test_cycles_cover_each_set_from_end_to_end(sizes, seed):
    starts, lengths = cycles(np.array(sizes, dtype=np.int64), random_words(seed))
    order = np.argsort(starts)
    ends = (starts + lengths)[order]
    assert [0, *ends.tolist()][:-1] == starts[order].tolist() if sum(sizes) else not len(starts)
    assert set(np.cumsum([size for size in sizes if size]).tolist()) <= set(ends.tolist())
    assert (lengths >= 2).all()
    assert lengths.sum() == sum(sizes)


def test_a_set_of_one_has_no_derangement():
    with pytest.raises(InputError, match="sizes must be"):
        cycles(np.array([2, 1]), random_words(1))
