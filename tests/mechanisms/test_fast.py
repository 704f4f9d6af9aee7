import ssl
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stirred.mechanisms
from stirred.mechanisms import replay
from stirred.mechanisms.fast import permutation_swapping
from stirred.mechanisms.fast.permutation_swapping import choice_record, draw_moves
from stirred.spec import InputError

RATES = [Fraction(0), Fraction(1, 20), Fraction(1, 2), Fraction(2, 3), Fraction(1)]

records = st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 2), st.integers(0, 2)), max_size=9)


def columns(rows):
    return tuple(np.array([row[i] for row in rows], dtype=np.int64) for i in range(3))


@given(records, st.sampled_from(RATES), st.integers(0, 2**40))
def test_output_is_that_of_the_program_on_the_same_choices(rows, p, seed):
    matching, holding, swapping = columns(rows)
    choices = choice_record(matching, draw_moves(matching, swap_rate=p, seed=seed))
    reference = replay(stirred.mechanisms.permutation_swapping, tuple(rows), choices, swap_rate=p)
    fast = permutation_swapping(matching, holding, swapping, swap_rate=p, seed=seed)
    assert fast.as_dict() == dict(reference)


def test_selection_of_one_large_stratum_has_the_exact_mean():
    # n = 10^5, p = 1/20: the number of moved records has mean 5000 and deviation 69 (re-selection changes it by less
    # than 10^-2000); a seeded draw beyond 6 deviations would have probability < 2*10^-9
    matching = np.zeros(10**5, dtype=np.int64)
    assert abs(len(draw_moves(matching, swap_rate=Fraction(1, 20), seed=7).moved) - 5000) < 6 * 69


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
    moves = draw_moves(matching, swap_rate=Fraction(1, 2), seed=3).permutation()
    expected = Counter((m, h, int(swapping[j])) for (m, h, _), j in zip(rows, moves, strict=True))
    assert permutation_swapping(matching, holding, swapping, swap_rate=Fraction(1, 2), seed=3).as_dict() == expected


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
        ({"holding": [[0, 1]]}, "holding must be"),
        ({"swapping": ["a", "b"]}, "swapping must be"),
        ({"swapping": [0]}, "one length"),
        ({"matching": np.array([2**63, 0], dtype=np.uint64)}, "matching must be"),
        ({"swap_rate": 0.5}, "swap_rate must be"),
        ({"swap_rate": Fraction(3, 2)}, "swap_rate must be"),
        ({"seed": -1}, "seed must be"),
        ({"seed": 1.0}, "seed must be"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    good = {"matching": [0, 0], "holding": [0, 1], "swapping": [0, 1], "swap_rate": Fraction(1, 2), "seed": 1}
    with pytest.raises(InputError, match=message):
        permutation_swapping(**{**good, **arguments})


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
