import os
import sys
from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechanisms
from mechanisms import exact_law, replay
from mechanisms.fast import permutation_swapping
from mechanisms.fast.permutation_swapping import _uniform_below, choice_record, draw_moves
from spec import InputError

RATES = [Fraction(0), Fraction(1, 20), Fraction(1, 2), Fraction(2, 3), Fraction(1)]

records = st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 2), st.integers(0, 2)), max_size=9)


def columns(rows):
    return tuple(np.array([row[i] for row in rows], dtype=np.int64) for i in range(3))


@given(records, st.sampled_from(RATES), st.integers(0, 2**40))
def test_output_is_that_of_the_program_on_the_same_choices(rows, p, seed):
    matching, holding, swapping = columns(rows)
    choices = choice_record(matching, draw_moves(matching, swap_rate=p, seed=seed))
    reference = replay(mechanisms.permutation_swapping, tuple(rows), choices, swap_rate=p)
    fast = permutation_swapping(matching, holding, swapping, swap_rate=p, seed=seed)
    assert fast.as_dict() == dict(reference)


@given(records, st.sampled_from(RATES), st.integers(0, 2**40))
def test_moves_permute_inside_strata_and_leave_no_stratum_with_one_moved(rows, p, seed):
    matching = columns(rows)[0]
    moves = draw_moves(matching, swap_rate=p, seed=seed)
    assert sorted(moves.tolist()) == list(range(len(rows)))
    assert (matching[moves] == matching).all()
    moved = Counter(matching[moves != np.arange(len(rows))].tolist())
    assert 1 not in moved.values()
    if p == 1:
        assert moved == {m: n for m, n in Counter(matching.tolist()).items() if n > 1}
    if p == 0:
        assert not moved


def test_draws_fit_the_exact_law():
    # Two strata of 3 and 2 records at p = 1/2, n = 20000 draws, seed 2026. The number of outcomes is 12, so
    # the statistic has 11 degrees of freedom under the exact law; P(chi2_11 > 45.08) < 5*10^-6.
    rows = ((0, 0, 0), (0, 1, 1), (0, 2, 2), (1, 0, 3), (1, 1, 4))
    law = exact_law(mechanisms.permutation_swapping, rows, swap_rate=Fraction(1, 2))
    matching, _, _ = columns(rows)
    draws = 20_000
    # all draws at once: each pair of strata is repeated under its own labels
    everywhere = np.concatenate([matching + 2 * k for k in range(draws)])
    moves = (
        draw_moves(everywhere, swap_rate=Fraction(1, 2), seed=2026).reshape(draws, 5) - 5 * np.arange(draws)[:, None]
    )
    counts = Counter(map(tuple, moves.tolist()))
    # as all records differ, a permutation is an output
    probability = {
        order: law[mechanisms.saturated_table([(m, h, rows[order[i]][2]) for i, (m, h, _) in enumerate(rows)])]
        for order in permutations(range(5))
    }
    probability = {order: q for order, q in probability.items() if q}
    assert set(counts) <= set(probability)
    assert sum(probability.values()) == 1
    assert len(probability) == 12
    statistic = sum((counts[order] - draws * q) ** 2 / (draws * q) for order, q in probability.items())
    assert statistic < Fraction("45.08")


def test_selection_of_one_large_stratum_has_the_exact_mean():
    # n = 10^5, p = 1/20: the number of moved records has mean 5000 and deviation 69 (re-selection changes it by less
    # than 10^-2000); a seeded draw beyond 6 deviations would have probability < 2*10^-9
    matching = np.zeros(10**5, dtype=np.int64)
    moves = draw_moves(matching, swap_rate=Fraction(1, 20), seed=7)
    assert abs(int((moves != np.arange(10**5)).sum()) - 5000) < 6 * 69


@pytest.mark.parametrize("bound", [1, 2, 3, 10, 2**62 + 1, 2**63])
def test_integers_below_a_bound_redraw_words_beyond_its_last_multiple(bound):
    limit = 2**64 - 2**64 % bound
    served = iter([[2**64 - 1, 0, min(limit, 2**64 - 1), bound - 1], [5 % bound] * 4, [0] * 4])

    def words(n):
        return np.array(next(served)[:n], dtype=np.uint64)

    drawn = _uniform_below(bound, 4, words)
    expected = (
        [(2**64 - 1) % bound, 0, (2**64 - 1) % bound, bound - 1]
        if limit == 2**64
        else [5 % bound, 0, 5 % bound, bound - 1]
    )
    assert drawn.tolist() == expected


def test_every_record_may_be_alone_in_its_stratum():
    assert permutation_swapping([1, 2, 3], [0, 0, 0], [0, 1, 2], swap_rate=1).as_dict() == {
        (1, 0, 0): 1,
        (2, 0, 1): 1,
        (3, 0, 2): 1,
    }


def test_no_records_give_an_empty_table():
    assert permutation_swapping([], [], [], swap_rate=Fraction(1, 2)).as_dict() == {}


def test_codes_may_be_far_apart():
    far = 2**62
    fast = permutation_swapping([far, far, -far, -far], [far, -far, 0, 1], [-far, far, far, -far], swap_rate=1)
    assert fast.as_dict() == {(far, far, far): 1, (far, -far, -far): 1, (-far, 0, -far): 1, (-far, 1, far): 1}


def test_many_values_are_counted_as_few_are():
    rows = [(k // 4, 1000 * k, 7 * k) for k in range(40)]
    matching, holding, swapping = columns(rows)
    moves = draw_moves(matching, swap_rate=Fraction(1, 2), seed=3)
    expected = Counter((m, h, int(swapping[j])) for (m, h, _), j in zip(rows, moves, strict=True))
    assert permutation_swapping(matching, holding, swapping, swap_rate=Fraction(1, 2), seed=3).as_dict() == expected


def test_a_seed_repeats_and_its_absence_is_cryptographic(monkeypatch):
    asked = []
    os_bytes = os.urandom

    def urandom(n):
        asked.append(n)
        return os_bytes(n)

    monkeypatch.setattr(os, "urandom", urandom)
    matching = np.zeros(50, dtype=np.int64)
    first, second = (draw_moves(matching, swap_rate=Fraction(1, 2), seed=1) for _ in range(2))
    assert (first == second).all()
    assert not asked
    draw_moves(matching, swap_rate=Fraction(1, 2))
    assert asked


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"matching": [0.0, 1.0]}, "matching must be"),
        ({"holding": [[0, 1]]}, "holding must be"),
        ({"swapping": ["a", "b"]}, "swapping must be"),
        ({"swapping": [0]}, "one length"),
        ({"matching": np.array([2**63, 0], dtype=np.uint64)}, "matching must be"),
        ({"swap_rate": 0.5}, "swap_rate must be"),
        ({"swap_rate": Fraction(3, 2)}, "swap_rate must be"),
        ({"swap_rate": Fraction(1, 2**63 + 1)}, r"at most 2\^63"),
        ({"seed": -1}, "seed must be"),
        ({"seed": 1.0}, "seed must be"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    good = {"matching": [0, 0], "holding": [0, 1], "swapping": [0, 1], "swap_rate": Fraction(1, 2), "seed": 1}
    with pytest.raises(InputError, match=message):
        permutation_swapping(**{**good, **arguments})


def test_equal_words_of_one_stratum_are_drawn_again(monkeypatch):
    # the first two words tie, so their order would be biased; the second pair decides
    served = iter([[0, 0], [9, 9], [5, 3]])
    module = sys.modules[choice_record.__module__]
    monkeypatch.setattr(module, "_words", lambda seed: lambda n: np.array(next(served), dtype=np.uint64))
    assert draw_moves([0, 0], swap_rate=1).tolist() == [1, 0]
    assert next(served, None) is None


@pytest.mark.parametrize("strata", [2, 3, 2**17])
def test_keys_packed_with_the_stratum_keep_strata_apart(strata):
    matching = np.arange(2 * strata, dtype=np.int64) % strata
    moves = draw_moves(matching, swap_rate=1, seed=4)
    assert (moves == (np.arange(2 * strata) + strata) % (2 * strata)).all()
