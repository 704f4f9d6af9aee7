from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from spec.accounts import Measure, NamedFlavor, Premetric, compose, release
from spec.arguments import InputError
from spec.conversions import (
    NUMBER_OF_RECORDS,
    Rule,
    to_approximate,
    to_bounded,
    to_contributors,
    to_unbounded,
    to_unit,
    to_zero_concentrated,
    with_invariants,
)
from spec.input_premetric import hamming_unordered, symmetric_difference

ZCDP = NamedFlavor("CEF", frozenset(), Premetric.UNBOUNDED, "post-imputation person", Measure.ZERO_CONCENTRATED)
PURE = replace(ZCDP, measure=Measure.PURE)


def test_the_factor_between_the_premetrics_is_two_on_data_sets_of_equal_size():
    hamming, symmetric = hamming_unordered("r"), symmetric_difference("r")
    for size in range(4):
        for x, y in product(combinations_with_replacement("abc", size), repeat=2):
            assert symmetric(x, y) == 2 * hamming(x, y)


def test_bounded_neighbours_quadruple_rho_squared_and_double_epsilon():
    assert to_bounded(release("P", ZCDP, Fraction("4.944"))).exact_budget == Fraction("19.776")
    assert to_bounded(release("P", PURE, Fraction(1, 3))).exact_budget == Fraction(2, 3)


def test_unbounded_neighbours_need_the_number_of_records_to_be_invariant():
    bounded = replace(ZCDP, premetric=Premetric.BOUNDED)
    with pytest.raises(InputError, match="invariants must contain 'number of records'"):
        to_unbounded(release("P", bounded, 1))
    fixed = replace(bounded, invariants=frozenset({NUMBER_OF_RECORDS}))
    back = to_unbounded(release("P", fixed, 1))
    assert back.exact_budget == Fraction(1, 4)
    assert to_bounded(back).exact_budget == 1


def test_each_premetric_conversion_starts_from_its_own():
    bounded = release("P", replace(ZCDP, premetric=Premetric.BOUNDED), 1)
    with pytest.raises(InputError, match="premetric must be UNBOUNDED"):
        to_bounded(bounded)
    with pytest.raises(InputError, match="premetric must be BOUNDED"):
        to_unbounded(release("P", ZCDP, 1))


def test_one_duplicate_quadruples_rho_squared():
    # article, section 5.2: 4 * 55.371
    converted = to_contributors(release("DAS", ZCDP, Fraction("55.371")), 1)
    assert converted.exact_budget == Fraction("221.484")
    assert converted.flavor.unit == "person"
    assert "rho^2 times 4 = (2)^2" in converted.steps[-1]


def test_no_duplicate_keeps_the_budget():
    assert to_contributors(release("DAS", ZCDP, Fraction(3)), 0).exact_budget == 3


def test_contributors_come_from_post_imputation_units_only():
    with pytest.raises(InputError, match="unit must be a post-imputation unit"):
        to_contributors(release("DAS", replace(ZCDP, unit="person"), 1), 1)
    with pytest.raises(InputError, match="duplicates must be at least 0"):
        to_contributors(release("DAS", ZCDP, 1), -1)


def test_a_unit_factor_scales_epsilon_by_itself_and_rho_squared_by_its_square():
    day = "at most 4 pairs a day"
    assert to_unit(release("visits", PURE, Fraction("0.44")), "user-day", 4, day).exact_budget == Fraction("1.76")
    assert to_unit(release("visits", ZCDP, Fraction("0.01")), "user-day", 4, day).exact_budget == Fraction("0.16")


@pytest.mark.parametrize(
    ("factor", "reason", "words"),
    [(0, "x", "factor must be positive"), (0.5, "x", "factor must be an exact number"), (2, "", "reason must say why")],
)
def test_a_unit_factor_needs_a_positive_exact_number_and_a_reason(factor, reason, words):
    with pytest.raises(InputError, match=words):
        to_unit(release("a", PURE, 1), "person", factor, reason)


def test_more_invariants_keep_the_budget_and_fewer_are_refused():
    more = with_invariants(release("a", ZCDP, 2), ["population"])
    assert (more.exact_budget, more.flavor.invariants) == (2, frozenset({"population"}))
    with pytest.raises(InputError, match="'population' is missing"):
        with_invariants(more, ["housing units"])


def test_pure_becomes_zero_concentrated_with_half_the_square():
    assert to_zero_concentrated(release("a", PURE, Fraction(1, 2))).exact_budget == Fraction(1, 8)
    with pytest.raises(InputError, match="measure must be PURE"):
        to_zero_concentrated(release("a", ZCDP, 1))


def test_both_rules_give_the_census_total_side_by_side():
    whole = release("DAS", ZCDP, Fraction("55.371"))
    printed, smallest = (to_approximate(whole, Fraction(1, 10**10), rule) for rule in Rule)
    assert str(printed.budget.rounded(2)) == "126.78"  # article, Table 4
    assert str(smallest.budget.rounded(2)) == "125.07"
    assert printed.delta == Fraction(1, 10**10)
    assert "the formula that the Census Bureau adopted" in printed.steps[-1]


def test_approximate_budgets_are_added_but_not_scaled():
    one = to_approximate(release("a", ZCDP, 1), Fraction(1, 10), Rule.PRINTED)
    both = compose("both", one, one)
    assert both.delta == Fraction(1, 5)
    assert both.exact_budget is None
    with pytest.raises(InputError, match="is not scaled exactly"):
        to_bounded(one)
    with pytest.raises(InputError, match="measure must be ZERO_CONCENTRATED"):
        to_approximate(one, Fraction(1, 10), Rule.PRINTED)


def test_an_inexact_rho_squared_is_not_converted():
    fuzzy = to_approximate(release("a", ZCDP, 1), Fraction(1, 10), Rule.PRINTED)
    fuzzy = replace(fuzzy, flavor=ZCDP)
    with pytest.raises(InputError, match="budget must be exact to be converted"):
        to_approximate(fuzzy, Fraction(1, 10), Rule.SMALLEST)
