"""Budgets for all swap rates at once in very many universes, and that the engine's shortcuts lose and miss nothing."""

from __future__ import annotations

import resource
import time
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms.permutation_counts import derangements
from stirred.spec.arguments import InputError
from stirred.spec.tables import margins_of_size, table_distance
from stirred.verify.claims.psa_exact.every_rate import half_budget
from stirred.verify.engines.sign_certificate import evaluate_polynomial
from stirred.verify.engines.swapping.mean_budget import decide_universe, exchange_budget, root_budget
from stirred.verify.engines.swapping.polynomials import (
    decide_ratio,
    likelihood_polynomial,
    printed_budget,
    universe_ratios,
)


def sharp(records):
    """d(b)/d(b−2), for b ≥ 4; it is at most Theorem 1's (b + 1)², so that a ratio below the one is below the other."""
    square = Fraction(derangements(records), derangements(records - 2))
    assert square <= (records + 1) ** 2
    return square


def universes(records):
    """All margins with two to four categories on both sides, up to order and transposition."""
    sides = [margins for margins in margins_of_size(records, 4) if len(margins) > 1]
    return [(rows, columns) for rows in sides for columns in sides if rows >= columns]


def decide_all(listed, budget_of, capsys, *, reported):
    """How many ratios there are in such universes, none above the budget for their number of records; time, memory."""
    began = time.process_time()
    found = [decide_universe(rows, columns, budget_of(sum(rows))) for rows, columns in listed]
    assert all(each.above is None for each in found)
    ratios, alone = sum(each.ratios for each in found), sum(each.one_by_one for each in found)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if reported:
        with capsys.disabled():
            print(
                f"\n{len(found)} universes, {ratios} ratios, {alone} of them one by one, "
                f"{time.process_time() - began:.0f} s of processor, {used} MB"
            )
    return ratios


@pytest.mark.parametrize(
    ("records", "ratios"),
    [
        *[(4, 124), (5, 892), (6, 6_598), (7, 44_206)],
        *(pytest.param(*each, marks=pytest.mark.nightly) for each in [(8, 280_202), (9, 1_604_490), (10, 8_300_028)]),
    ],
)
def test_theorem_1_and_the_sharp_budget_hold_for_all_rates(records, ratios, capsys):
    budget = root_budget(sharp(records))
    assert decide_all(universes(records), lambda _: budget, capsys, reported=records > 7) == ratios


@cache
def two_categories(records):
    """Proved: psa.exact.two-categories. Conjectured: `half_budget`."""
    return exchange_budget({-2: Fraction(2 * records + 1, 2), -1: Fraction(records - 1)}, {2: Fraction(1)})


@pytest.mark.parametrize("budget", [two_categories, half_budget])
@pytest.mark.parametrize(
    ("categories", "largest", "ratios"),
    [
        (4, 9, 8_428),
        pytest.param(3, 24, 4_117_444, marks=pytest.mark.nightly),
        pytest.param(4, 18, 4_536_496, marks=pytest.mark.nightly),
    ],
)
def test_two_rows_need_no_more_than_is_proved_and_conjectured(budget, categories, largest, ratios, capsys):
    listed = [
        (rows, columns)
        for records in range(3, largest + 1)
        for rows, columns in product(margins_of_size(records, 2), margins_of_size(records, categories))
        if len(rows) > 1 and len(columns) > 1
    ]
    assert decide_all(listed, budget, capsys, reported=largest > 9) == ratios


def test_theorem_1_has_the_same_form():
    for o in map(Fraction, ("1/7", "1", "3", "40")):
        root, printed = (
            max(evaluate_polynomial(b.numerator, o) / evaluate_polynomial(b.denominator, o) for b in budget)
            for budget in (root_budget(Fraction(49)).branches, printed_budget(6))
        )
        assert root == printed**2


@given(
    st.sampled_from([each for records in (3, 4, 5) for each in universes(records)]),
    st.fractions(1, 30, max_denominator=12),
)
def test_the_means_decide_as_one_ratio_after_the_other(universe, square):
    ratios = list(universe_ratios(*universe))
    holds = all(isinstance(decide_ratio(ratio, root_budget(square).branches), tuple) for ratio in ratios)
    found = decide_universe(*universe, root_budget(square))
    assert found.ratios == len(ratios)
    assert (found.above is None) == holds


def test_a_budget_that_is_too_small_has_a_ratio_above_it_that_exists():
    """(b − 1)² < d(b)/d(b−2): the universe of article, Theorem 3 (C)."""
    found = decide_universe((2, 2, 1, 1), (2, 2, 1, 1), root_budget(Fraction(25)))
    ratio, o = found.above
    x, x_prime, z = ratio.triple
    assert table_distance(x, x_prime) == ratio.distance
    assert (likelihood_polynomial(x, z), likelihood_polynomial(x_prime, z)) == (ratio.high, ratio.low)
    assert ratio.at(o) ** 2 > max(25 / o**2, o**2) ** ratio.distance
    assert decide_universe((2, 2, 1, 1), (2, 2, 1, 1), root_budget(sharp(6))).above is None


def test_most_ratios_are_decided_together():
    found = decide_universe((3, 2, 2), (3, 2, 2), root_budget(sharp(7)))
    assert 0 < found.one_by_one < found.ratios / 50


@pytest.mark.parametrize("square", [Fraction(1, 2), Fraction(10**9)])
def test_a_budget_that_the_integers_cannot_hold_is_refused(square):
    with pytest.raises(InputError, match=r"(square must be at least 1|must give numbers below)"):
        decide_universe((2, 2), (2, 2), root_budget(square))


def test_means_for_exchanges_are_refused_for_longer_circuits():
    with pytest.raises(InputError, match="rows or columns must be two"):
        decide_universe((1, 1, 1), (1, 1, 1), two_categories(3))


def test_half_of_a_proved_budget_has_a_ratio_above_it():
    found = decide_universe(
        (4, 4), (4, 3, 1), exchange_budget({-2: Fraction(17, 4), -1: Fraction(7, 2)}, {2: Fraction(1)})
    )
    ratio, o = found.above
    assert ratio.at(o) > max(Fraction(17, 4) / o**2 + Fraction(7, 2) / o, o**2)
