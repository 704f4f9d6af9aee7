"""Bounds on the number of records that the PSA moves, against every permutation of small strata."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import flint
import pytest

from stirred.mechanisms.fast.permutation_swapping import draw_moves
from stirred.mechanisms.swapping.permutation_counts import likelihood, move_weights
from stirred.verify.engines.swapping import moved_number
from stirred.verify.engines.swapping.moved_by_counts import mean_by_counts
from stirred.verify.engines.swapping.moved_number import LEVEL, MovedNumber

STRATA = [(1, 1), (1, 2), (2, 2), (1, 1, 1), (2, 3), (1, 1, 1, 2), (3, 3)]
RATES = [Fraction(1, 2), Fraction(1, 20), Fraction(9, 10), Fraction(1)]


def law_of_all_permutations(counts, rate):
    """The law of N, permutation by permutation."""
    values = [value for value, count in enumerate(counts) for _ in range(count)]
    weights = move_weights(len(values), rate)
    law = Counter()
    for order in permutations(range(len(values))):
        moved = sum(place != image for place, image in enumerate(order))
        law[sum(values[place] != values[image] for place, image in enumerate(order))] += weights[moved]
    return law


def contains(ball, number):
    return ball.overlaps(flint.arb(flint.fmpq(number.numerator, number.denominator)))


@pytest.fixture(params=["exact", "bounded"])
def means(request, monkeypatch):
    for name in ("_EXACT", "_ALL_STAY") if request.param == "bounded" else ():
        monkeypatch.setattr(moved_number, name, 0)


@pytest.mark.parametrize(("counts", "rate"), list(product(STRATA, RATES)))
def test_the_exact_laws_are_those_of_all_permutations(counts, rate):
    law, found = law_of_all_permutations(counts, rate), MovedNumber({counts: 1}, rate)
    assert sum(law.values()) == 1
    for moved, mass in enumerate(found._law(counts).coeffs()):
        assert contains(mass, law[moved])
        assert mass.rad() < 1e-20
    with moved_number.precision(128):
        assert contains(found._all_stay(counts), law[0])


@pytest.mark.usefixtures("means")
@pytest.mark.parametrize(("counts", "rate"), list(product(STRATA, RATES)))
def test_no_tail_is_below_the_exact_one(counts, rate):
    """Of one stratum, and of two of them beside a stratum of one value that moves nobody."""
    law = law_of_all_permutations(counts, rate)
    both = Counter()
    for (one, p), (other, q) in product(law.items(), repeat=2):
        both[one + other] += p * q
    for number, strata in ((law, {counts: 1}), (both, {counts: 2, (7,): 1})):
        found = MovedNumber(strata, rate)
        for moved in range(2 * sum(counts) + 1):
            at_most = sum(mass for n, mass in number.items() if n <= moved)
            at_least = sum(mass for n, mass in number.items() if n >= moved)
            assert found.tail(moved) >= min(at_most, at_least)
            assert found.tail(moved, at_least=True) >= at_least
            if found.is_law:
                assert found.tail(moved, at_least=True) <= at_least + Fraction(1, 10**30)
        low, high = found.range
        assert sum(mass for n, mass in number.items() if not low <= n <= high) <= LEVEL


@pytest.mark.parametrize("lengths", [(6,), (2, 4), (3, 3), (2, 2, 2)])
@pytest.mark.parametrize("counts", [(3, 3), (5, 1), (2, 2, 2), (4, 1, 1), (1,) * 6])
def test_the_bound_holds_given_the_cycles(counts, lengths):
    """At p = 1 all records are selected, and it is y^n; values lie on the places of the cycles in a uniform order."""
    firsts = [sum(lengths[:place]) for place in range(len(lengths))]
    steps = [(one + i, one + (i + 1) % n) for one, n in zip(firsts, lengths, strict=True) for i in range(n)]
    values = [value for value, count in enumerate(counts) for _ in range(count)]
    moved = Counter(sum(order[a] != order[b] for a, b in steps) for order in permutations(values))
    found, key = MovedNumber({counts: 1}, Fraction(1)), (6, sum(c * c for c in counts), max(counts), min(counts))
    for t in moved_number._POINTS[1:]:
        mean = sum(number * t**n for n, number in moved.items()) / sum(moved.values())
        assert found._bound(*key, t).upper() >= flint.arb(flint.fmpq(mean.numerator, mean.denominator)).lower()


@pytest.mark.parametrize(("counts", "rate"), list(product([*STRATA, (6, 1), (5, 2), (7, 1)], RATES)))
def test_the_bound_by_counts_holds_for_all_permutations(counts, rate):
    law = law_of_all_permutations(counts, rate)
    for t in moved_number._POINTS[1:]:
        mean = sum(mass * t**n for n, mass in law.items())
        with moved_number.precision(128):
            found = mean_by_counts(counts, rate, moved_number.ball_of(t))
        assert found.upper() >= flint.arb(flint.fmpq(mean.numerator, mean.denominator)).lower()


@pytest.mark.parametrize("rate", [Fraction(1, 20), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize("counts", [(80, 80), (110, 10), (60, 30, 10)])
def test_the_bound_by_counts_holds_where_the_law_is_known(counts, rate):
    found = MovedNumber({counts: 1}, rate)
    with moved_number.precision(128):
        law = found._law(counts)
        for t in map(moved_number.ball_of, moved_number._POINTS[1:]):
            assert mean_by_counts(counts, rate, t).upper() >= law(t).lower()


def test_large_strata_of_few_values_have_narrow_bounds(monkeypatch):
    """2,500 of 10,000 records of two equal values move on average at p = 1/2, with a standard deviation near 43."""
    assert MovedNumber({(5000, 5000): 1}, Fraction(1, 2)).range == (2128, 2879)
    monkeypatch.setattr(moved_number, "_COUNTS", 0)
    assert MovedNumber({(5000, 5000): 1}, Fraction(1, 2)).range == (1801, 3157)


@pytest.mark.parametrize("rate", [Fraction(1, 20), Fraction(1, 2)])
def test_a_law_that_leaves_out_many_selected_records_bounds_the_tails(rate, monkeypatch):
    monkeypatch.setattr(MovedNumber, "_most", lambda _, n: min(n, 3))
    for counts in STRATA:
        law, found = law_of_all_permutations(counts, rate), MovedNumber({counts: 1}, rate)
        for moved in range(sum(counts) + 1):
            assert found.tail(moved, at_least=True) >= sum(mass for n, mass in law.items() if n >= moved)
            assert found.tail(moved) >= min(
                sum(mass for n, mass in law.items() if n <= moved), sum(mass for n, mass in law.items() if n >= moved)
            )


def test_a_file_of_a_tenth_of_the_rate_is_refuted():
    """At p = 1/20 of 1,600 records of 40 areas 78 move on average, of three times 600 of four areas 67.

    The former are bounded; of the latter the law is computed, and its ends are 6 standard deviations off.
    """
    bounded, whole = MovedNumber({(40,) * 40: 1}, Fraction(1, 20)), MovedNumber({(150,) * 4: 3}, Fraction(1, 20))
    assert (bounded.is_law, whole.is_law) == (False, True)
    assert 8 < bounded.range[0] < 78 < bounded.range[1] < 156
    assert whole.range == (24, 122)


def test_nobody_moves_with_the_probability_that_nobody_is_selected():
    """40 records of 40 values at p = 1/2: 2^-40, but for the sets of one record, 40 of them, that are drawn again."""
    exact = Fraction(1, 2**40) / (1 - Fraction(40, 2**40))
    found = MovedNumber({(1,) * 40: 1}, Fraction(1, 2))
    assert exact <= found.tail(0) < exact * (1 + Fraction(1, 10**20))
    assert found.range[0] == 2  # none is refuted, and one alone cannot move
    assert MovedNumber({(1, 1): 35}, Fraction(1, 2)).tail(0) < Fraction(3, 10**11)


@pytest.mark.parametrize(
    ("moved", "is_refuted"),
    [(0, True), (25, True), (10_000, True), (19_910, False), (20_219, False), (30_000, True)],
)
def test_large_files_are_refuted_on_both_sides(moved, is_refuted):
    """50,000 records in 140 strata of five values; honest runs at p = 1/2 moved 19,761 to 20,219 of them."""
    found = MovedNumber({(71, 71, 71, 72, 72): 140}, Fraction(1, 2))
    assert (found.tail(moved) <= LEVEL / 2) is is_refuted
    assert (found.range[0] <= moved <= found.range[1]) is not is_refuted


def test_strata_that_cannot_move_do_not_count():
    rate = Fraction(1, 4)
    assert MovedNumber({(3, 4): 20, (1000,): 50, (1,): 7}, rate).range == MovedNumber({(3, 4): 20}, rate).range
    assert MovedNumber({(1000,): 50}, rate).tail(0) == MovedNumber({}, rate).tail(0) == 1


def test_at_rate_0_nobody_moves_and_at_rate_1_all_are_deranged():
    assert [MovedNumber({(1, 1): 1}, Fraction(0)).tail(n) for n in (0, 2)] == [1, 0]
    assert MovedNumber({(1,) * 5: 1}, Fraction(1)).tail(5) == 1
    assert MovedNumber({(1,) * 5: 1}, Fraction(1)).tail(0) < Fraction(1, 256**5 - 1)


@pytest.mark.parametrize("rate", [Fraction(1, 50), Fraction(1, 2), Fraction(1)])
def test_honest_swaps_are_not_refuted(rate):
    sizes = [2, 3, 5, 8, 13, 200, 1000]
    strata = [stratum for stratum, size in enumerate(sizes) for _ in range(size)]
    for seed in range(5):
        values = [(place * (seed + 3)) % (2 + place % 4) for place in range(len(strata))]
        order = draw_moves(strata, swap_rate=rate, seed=seed).permutation()
        moved = sum(values[place] != values[image] for place, image in enumerate(order.tolist()))
        counts = Counter(zip(strata, values, strict=True))
        compositions = Counter(
            tuple(sorted(n for (own, _), n in counts.items() if own == stratum)) for stratum in range(len(sizes))
        )
        found = MovedNumber(compositions, rate)
        assert found.tail(moved) > LEVEL / 2
        assert found.range[0] <= moved <= found.range[1]


class TestUnchangedTables:
    @pytest.mark.parametrize("table", [((1, 2), (3, 1)), ((4, 0), (1, 3)), ((2, 2), (2, 2))])
    @pytest.mark.parametrize("rate", RATES)
    def test_one_has_its_exact_likelihood(self, table, rate):
        assert contains(MovedNumber({}, rate)._unchanged(table), likelihood(table, table, rate))

    def test_several_are_as_likely_as_their_product_and_no_less(self):
        table, rate = ((4, 6), (7, 5)), Fraction(1, 2)
        q = likelihood(table, table, rate)
        found = MovedNumber({}, rate)
        all_kept = found.unchanged_tail([(table, True)] * 20)
        assert q**20 <= all_kept < q**20 * (1 + Fraction(1, 10**9))
        exact = q**20 + 20 * q**19 * (1 - q)
        assert exact <= found.unchanged_tail([(table, True)] * 19 + [(table, False)])
        assert found.unchanged_tail([(table, False)] * 20) == 1
        assert found.unchanged_tail([]) == 1
