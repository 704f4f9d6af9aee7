from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product

import mpmath
import pytest
from digits import as_mpf
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_refused, each
from strategies import fractions, gammas, laws, open_probabilities

from stirred.spec import INFINITE, InputError, Law, Loss, Multiplicative, zcdp_to_approximate
from stirred.spec.blocks.input_premetric import hamming_unordered, symmetric_difference
from stirred.spec.budgets.accounts import NUMBER_OF_RECORDS, Measure, NamedFlavor, Premetric, Reach, compose, release
from stirred.spec.budgets.conversions import (
    Rule,
    to_approximate,
    to_bounded,
    to_contributors,
    to_unbounded,
    to_unit,
    to_zero_concentrated,
    with_invariants,
)
from stirred.spec.budgets.zcdp import pure_to_zcdp, smallest_pure_to_zcdp, smallest_zcdp_to_approximate
from stirred.spec.numbers.enclosure import log


@given(fractions(0, 5), open_probabilities)
def test_the_conversion_solves_its_quadratic_equation(rho_squared, delta):
    # (eps - rho^2)^2 = 4 rho^2 ln(1/delta)
    epsilon, logarithm = zcdp_to_approximate(rho_squared, delta, digits=40), log(1 / delta, digits=40)
    assert (max(epsilon.lower - rho_squared, 0)) ** 2 <= 4 * rho_squared * logarithm.upper
    assert (epsilon.upper - rho_squared) ** 2 >= 4 * rho_squared * logarithm.lower


@pytest.mark.parametrize(("rho_squared", "rounded"), [("2.56", "17.92"), ("0.07", "2.61")])
def test_rounded_to_two_places(rho_squared, rounded):
    # 2.56 + 3.2 sqrt(ln 10^10) = 2.56 + 3.2 * 4.798526 = 17.9153; 0.07 + 2 sqrt(0.07 * 23.025851) = 2.6092
    assert zcdp_to_approximate(Fraction(rho_squared), Fraction(1, 10**10)).rounded(2) == Decimal(rounded)


def independent_smallest(rho_squared, delta):
    """The bracket minimized by 50-digit golden section, apart from the enclosure's bisection."""
    with mpmath.workdps(50):
        rho2, loss = (
            as_mpf(rho_squared),
            -mpmath.log(as_mpf(delta)),
        )

        def bracket(t):
            return rho2 * (1 + t) + (loss - mpmath.log(1 + t)) / t + mpmath.log(t / (1 + t))

        low, high, ratio = mpmath.mpf("1e-6"), mpmath.sqrt(loss / rho2) + 1, (mpmath.sqrt(5) - 1) / 2
        for _ in range(150):
            a, b = high - ratio * (high - low), low + ratio * (high - low)
            low, high = (low, b) if bracket(a) < bracket(b) else (a, high)
        return bracket((low + high) / 2)


@pytest.mark.parametrize("rho_squared", ["0.07", "0.5", "2.56", "15.29", "55.371", "1000"])
@pytest.mark.parametrize("digits", [2, 6, 10])
def test_the_smallest_conversion_agrees_with_an_independent_minimum(rho_squared, digits):
    delta = Fraction(1, 10**digits)
    found = smallest_zcdp_to_approximate(Fraction(rho_squared), delta)
    expected = independent_smallest(Fraction(rho_squared), delta)
    middle = (found.lower + found.upper) / 2
    assert abs(as_mpf(middle) - max(expected, 0)) < mpmath.mpf(10) ** -12


@pytest.mark.parametrize("rho_squared", ["0.015", "2.56", "55.371"])
def test_the_smallest_conversion_is_below_the_printed_formula(rho_squared):
    delta = Fraction(1, 10**10)
    assert (
        smallest_zcdp_to_approximate(Fraction(rho_squared), delta).upper
        < zcdp_to_approximate(Fraction(rho_squared), delta).lower
    )


def test_the_smallest_conversion_is_zero_where_no_order_needs_more():
    assert zcdp_to_approximate(0, Fraction(1, 2)).contains(0)
    for rho_squared in (Fraction(0), Fraction(1, 10**6)):
        found = smallest_zcdp_to_approximate(rho_squared, Fraction(1, 100))
        assert (found.lower, found.upper) == (0, 0)


@given(gammas, st.integers(1, 5))
def test_the_conversions_are_their_formulas(gamma, distance):
    with mpmath.workdps(50):
        epsilon = mpmath.log(as_mpf(gamma)) / distance
        for found, value in (
            (pure_to_zcdp(Loss(gamma, distance)), epsilon**2 / 2),
            (smallest_pure_to_zcdp(Loss(gamma, distance)), epsilon * mpmath.tanh(epsilon / 2)),
        ):
            slack = mpmath.mpf(10) ** -40
            assert as_mpf(found.lower) - slack <= value <= as_mpf(found.upper) + slack


@given(gammas.filter(lambda gamma: gamma > 1))
def test_the_smallest_conversion_is_below_half_the_square(gamma):
    assert smallest_pure_to_zcdp(Loss(gamma), digits=30).upper < pure_to_zcdp(Loss(gamma), digits=30).lower


@given(laws(3, positive=True), laws(3, positive=True))
def test_the_kullback_leibler_divergence_is_within_the_smallest_conversion(p, q):
    # KL is the limit of D_alpha/alpha at 1, so it is at most D_NoR^2
    bound = smallest_pure_to_zcdp(Multiplicative().distance(p, q)).upper
    with mpmath.workdps(50):
        kl = mpmath.fsum(as_mpf(p[t]) * mpmath.log(as_mpf(p[t] / q[t])) for t in p)
        assert kl <= as_mpf(bound) + mpmath.mpf(10) ** -40


def test_no_loss_gives_no_budget():
    for conversion in (pure_to_zcdp, smallest_pure_to_zcdp):
        found = conversion(Multiplicative().distance(Law({0: 1}), Law({0: 1})))
        assert found.lower <= 0 <= found.upper


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        (INFINITE, "loss must be a finite Loss"),
        (Fraction(-1), "epsilon must be"),
        (None, "epsilon must be an integer or a fraction"),
        (0.5, "epsilon must be an exact number"),
    ],
)
def test_what_is_no_finite_loss_is_refused(loss, said):
    for conversion in (pure_to_zcdp, smallest_pure_to_zcdp):
        with pytest.raises(InputError, match=said):
            conversion(loss)


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
    back = to_unbounded(release("P", fixed, 1, reach=Reach.ALL_PAIRS))
    assert back.exact_budget == Fraction(1, 4)
    assert to_bounded(back).exact_budget == 1


def test_each_premetric_conversion_starts_from_its_own():
    bounded = release("P", replace(ZCDP, premetric=Premetric.BOUNDED), 1)
    with pytest.raises(InputError, match="neighbors must be unbounded to be made bounded; got bounded"):
        to_bounded(bounded)
    with pytest.raises(InputError, match="neighbors must be bounded to be made unbounded; got unbounded"):
        to_unbounded(release("P", ZCDP, 1))


FIXED = replace(ZCDP, invariants=frozenset({NUMBER_OF_RECORDS}))


@pytest.mark.parametrize(
    ("flavor", "convert"),
    [
        (FIXED, to_bounded),
        (replace(FIXED, premetric=Premetric.BOUNDED), to_unbounded),
        (FIXED, lambda source: to_contributors(source, 1)),
        (FIXED, lambda source: to_unit(source, "family", 3, "at most three")),
    ],
)
def test_under_invariants_no_budget_for_neighbours_is_taken_to_other_distances(flavor, convert):
    with pytest.raises(InputError, match='holds_for must be "all pairs of a universe"'):
        convert(release("P", flavor, 1))
    assert convert(release("P", flavor, 1, reach=Reach.ALL_PAIRS)).reach is Reach.ALL_PAIRS
    free = release("P", replace(flavor, invariants=frozenset()), 1)
    assert convert(with_invariants(free, flavor.invariants)).reach is Reach.ALL_PAIRS


def test_under_invariants_a_universe_may_have_no_neighbours_though_its_data_sets_differ():
    # the number of records by region (A, B) is fixed at one each, so no record is added or removed alone
    symmetric = symmetric_difference("r")
    data_sets = [x for size in range(3) for x in combinations_with_replacement(("Aa", "Ab", "Ba", "Bb"), size)]
    universe = [x for x in data_sets if sorted(record[0] for record in x) == ["A", "B"]]
    distances = {symmetric(x, y) for x in universe for y in universe if x != y}
    assert distances == {2, 4}


def test_a_factor_of_at_most_one_takes_neighbours_to_neighbours():
    converted = to_unit(release("P", FIXED, 1), "household", 1, "a household changes with its person")
    assert (converted.exact_budget, converted.reach) == (1, Reach.NEIGHBORS)
    assert to_contributors(release("P", FIXED, 1), 0).exact_budget == 1


def test_a_stated_factor_becomes_a_condition():
    converted = to_unit(release("P", ZCDP, 1), "family", Fraction(1, 99999), "because")
    assert converted.conditions == ("the factor 1/99999 from post-imputation person to family (because)",)


def test_one_duplicate_quadruples_rho_squared():
    # article, section 5.2: 4 * 55.371
    converted = to_contributors(release("DAS", ZCDP, Fraction("55.371")), 1)
    assert converted.exact_budget == Fraction("221.484")
    assert converted.flavor.unit == "person"
    assert "rho^2 times 4 = (2)^2" in converted.steps[-1]


def test_a_unit_factor_scales_epsilon_by_itself_and_rho_squared_by_its_square():
    day = "at most 4 pairs a day"
    assert to_unit(release("visits", PURE, Fraction("0.44")), "user-day", 4, day).exact_budget == Fraction("1.76")
    assert to_unit(release("visits", ZCDP, Fraction("0.01")), "user-day", 4, day).exact_budget == Fraction("0.16")


def test_more_invariants_keep_the_budget_and_fewer_are_refused():
    more = with_invariants(release("a", ZCDP, 2), ["population"])
    assert (more.exact_budget, more.flavor.invariants) == (2, frozenset({"population"}))
    with pytest.raises(InputError, match="'population' is missing"):
        with_invariants(more, ["housing units"])


def test_pure_becomes_zero_concentrated_with_half_the_square():
    assert to_zero_concentrated(release("a", PURE, Fraction(1, 2))).exact_budget == Fraction(1, 8)
    with pytest.raises(InputError, match="measure must be epsilon of D_Mult to become zero-concentrated"):
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
    with pytest.raises(InputError, match=r"measure must be rho\^2 of D_NoR to become approximate"):
        to_approximate(one, Fraction(1, 10), Rule.PRINTED)


def test_an_approximate_budget_is_for_neighbours_only():
    source = release("a", ZCDP, 1)
    assert source.reach is Reach.ALL_PAIRS
    assert to_approximate(source, Fraction(1, 10), Rule.PRINTED).reach is Reach.NEIGHBORS


def test_an_inexact_rho_squared_is_not_converted():
    fuzzy = to_approximate(release("a", ZCDP, 1), Fraction(1, 10), Rule.PRINTED)
    fuzzy = replace(fuzzy, flavor=ZCDP)
    with pytest.raises(InputError, match="budget must be exact to be converted"):
        to_approximate(fuzzy, Fraction(1, 10), Rule.SMALLEST)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *(
            row
            for conversion in (zcdp_to_approximate, smallest_zcdp_to_approximate)
            for row in (
                *each(
                    partial(conversion, 1), [0, 1, 2, Fraction(3, 2), -1], "delta must be between 0 and 1, exclusive"
                ),
                *each(partial(conversion, 1), [0.5], "delta must be an exact number"),
                *each(partial(conversion, delta=Fraction(1, 2)), [-1], "rho_squared must be non-negative"),
                *each(partial(conversion, delta=Fraction(1, 2)), [0.1], "rho_squared must be an exact number"),
            )
        ),
        (
            lambda: to_contributors(release("DAS", replace(ZCDP, unit="person"), 1), 1),
            "unit must be a post-imputation unit",
        ),
        (lambda: to_contributors(release("DAS", ZCDP, 1), -1), "duplicates must be at least 0"),
        (lambda: to_unit(release("a", PURE, 1), "person", 0, "x"), "factor must be positive"),
        (lambda: to_unit(release("a", PURE, 1), "person", 0.5, "x"), "factor must be an exact number"),
        (lambda: to_unit(release("a", PURE, 1), "person", 2, ""), "reason must say why"),
        (
            lambda: to_approximate(release("a", ZCDP, 1), Fraction(3, 2), Rule.PRINTED),
            "delta must be between 0 and 1, exclusive; got 3/2",
        ),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
