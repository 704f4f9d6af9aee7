"""Certified budgets: never below the exact loss, never above the printed one, and what they say of real margins."""

from __future__ import annotations

from fractions import Fraction

import pytest

from stirred.spec.arguments import InputError
from stirred.spec.loss import INFINITE, ZERO, Loss
from stirred.spec.permutation_swapping import psa_budget
from stirred.spec.tables import margins_of_size
from stirred.verify.engines.swapping.bounds import (
    certified_budget,
    certified_two_category_budget,
    sharpened_budget,
    single_record_loss,
    two_category_budget,
)
from stirred.verify.engines.swapping.loss import universe_loss

P = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
COUNTIES = (11286, 33153, 97678, 1741, 135236, 13875, 88763, 18057, 251831, 1025, 85170, 48739, 226209, 131661)


@pytest.mark.parametrize("rate", P)
def test_certified_budgets_lie_between_the_exact_loss_and_the_printed_budget(rate):
    for n in range(2, 8):
        for rows in margins_of_size(n, 3):
            for columns in margins_of_size(n, 3):
                certified = certified_budget(rows, columns, rate)
                assert universe_loss(rows, columns, rate) <= certified <= psa_budget(n, rate)


def test_the_sharpened_budget_is_below_the_printed_one_and_attained():
    for b in (*range(4, 120), 10**6):
        for rate in P:
            assert sharpened_budget(b, rate) <= psa_budget(b, rate)
    for rate in (Fraction(1, 20), Fraction(1, 2)):
        assert sharpened_budget(6, rate) == universe_loss((2, 2, 1, 1), (2, 2, 1, 1), rate)
        assert sharpened_budget(8, rate) == universe_loss((3, 3, 1, 1), (3, 3, 1, 1), rate)


def test_the_sharpened_budget_rises_with_b():
    budgets = [sharpened_budget(b, Fraction(1, 2)) for b in range(4, 120)]
    assert budgets == sorted(budgets)


@pytest.mark.parametrize("rate", P)
def test_two_categories_bound_every_small_universe_that_has_them(rate):
    for n in range(2, 10):
        for rows in margins_of_size(n, 2):
            for columns in margins_of_size(n, 4):
                assert universe_loss(rows, columns, rate) <= two_category_budget(n, rate)


def test_the_two_category_budget_rises_with_the_size_so_the_largest_stratum_decides():
    for rate in P:
        budgets = [two_category_budget(n, rate) for n in range(200)]
        assert budgets == sorted(budgets)


def test_two_category_budgets_at_the_ends():
    assert two_category_budget(0, Fraction(1, 2)) == two_category_budget(1, 0) == ZERO
    assert two_category_budget(2, 1) == two_category_budget(9, 0) == INFINITE
    assert two_category_budget(2, Fraction(1, 4)) == two_category_budget(2, Fraction(3, 4)) == Loss(3)


@pytest.mark.parametrize("rate", P)
def test_the_loss_with_a_single_record_is_the_closed_form(rate):
    for n in range(2, 10):
        for columns in margins_of_size(n, 4):
            if len(columns) > 1:
                assert universe_loss((1, n - 1), columns, rate) == single_record_loss(columns, rate)
                assert universe_loss(columns, (n - 1, 1), rate) == single_record_loss(columns, rate)


@pytest.mark.parametrize("rate", P)
def test_a_single_record_beside_several_categories_loses_no_less(rate):
    for rows, columns in (((1, 2, 2), (3, 2)), ((1, 1, 3), (2, 2, 1))):
        assert universe_loss(rows, columns, rate) >= single_record_loss(columns, rate)


def test_single_records_need_half_the_growth_that_two_categories_allow():
    n, rate = 5_000, Fraction(1, 20)
    needed = single_record_loss((1, n - 1), rate)
    allowed = certified_two_category_budget(n, rate)
    assert needed.epsilon().lower > Loss(Fraction(n - 2) * 19, 2).epsilon().upper
    assert needed.epsilon().upper < allowed.epsilon().lower
    assert allowed.epsilon().upper < needed.epsilon().lower + Fraction(3, 10)


def test_massachusetts_dwellings_are_certified_far_below_the_printed_budget():
    certified = certified_budget((435_805, 708_619), COUNTIES, Fraction(1, 2))
    assert certified.reason == "two large categories"
    assert certified.epsilon().upper < Fraction("1.48")
    assert psa_budget(sum(COUNTIES), Fraction(1, 2)).epsilon().lower > Fraction("13.95")


def test_massachusetts_two_person_households_are_certified_at_half_the_printed_budget():
    for rate, bound in ((Fraction(1, 100), "8.60"), (Fraction(1, 2), "6.25")):
        assert certified_two_category_budget(264_331, rate).epsilon().upper < Fraction(bound)


def test_exact_cases_say_so():
    assert certified_budget((4, 0), (2, 2), Fraction(1, 2)) == ZERO
    assert certified_budget((1, 3), (2, 2), Fraction(1, 2)) == single_record_loss((2, 2), Fraction(1, 2))
    assert certified_budget((2, 2, 2), (2, 2, 2), Fraction(1, 2)).reason == "article, Theorem 1, sharpened"
    assert certified_budget((1, 1, 1), (1, 1, 1), Fraction(1, 2)).reason == "article, Theorem 1"


@pytest.mark.parametrize(
    ("rows", "columns", "rate", "message"),
    [
        ((1, 2), (2, 2), Fraction(1, 2), "rows and columns must have the same total; got 3 and 4"),
        ((1, -1), (0, 0), Fraction(1, 2), "rows: a margin must be at least 0; got -1"),
        ((0, 0), (0, 0), Fraction(1, 2), "a stratum must have at least one record"),
        ((1, 1), (1, 1), 0, "swap_rate must be between 0 and 1, exclusive"),
        ((1, 1), (1, 1), 0.5, "swap_rate must be an exact number"),
    ],
)
def test_bad_margins_and_rates_get_one_clear_line(rows, columns, rate, message):
    with pytest.raises(InputError, match=message):
        certified_budget(rows, columns, rate)


def test_a_single_record_needs_two_places_to_be():
    with pytest.raises(InputError, match="columns must have at least two positive margins"):
        single_record_loss((5, 0), Fraction(1, 2))
    with pytest.raises(InputError, match="swap_rate must be between 0 and 1, exclusive"):
        single_record_loss((5, 1), 1)
