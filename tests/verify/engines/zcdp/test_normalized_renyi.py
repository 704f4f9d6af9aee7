from fractions import Fraction
from itertools import pairwise, product

import flint
import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_flavors import law
from strategies import laws, open_probabilities
from tiers import examples

from stirred.spec import INFINITE, SYMBOL, InputError, Law, Loss
from stirred.spec.budgets.zcdp import smallest_pure_to_zcdp
from stirred.spec.laws.discrete_gaussian import point_probability
from stirred.spec.numbers.ball import ball_of, precision
from stirred.verify.engines.zcdp.cumulants import Cumulants, upper_end
from stirred.verify.engines.zcdp.normalized_renyi import (
    RenyiSupremum,
    _Search,
    normalized_renyi_squared,
    one_sided_supremum,
    renyi_divergence,
    renyi_supremum,
)

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def coin(p):
    return Law({0: Fraction(p), 1: 1 - Fraction(p)})


def real(number):
    return mpmath.mpf(number.numerator) / number.denominator


def normalized_divergence(p, q, order):
    """D_alpha(P||Q)/alpha by mpmath at 60 digits."""
    with mpmath.workdps(60):
        a = mpmath.mpf(order)
        total = mpmath.fsum(real(p[t]) ** a * real(q[t]) ** (1 - a) for t in p)
        return mpmath.log(total) / (a - 1) / a


ROUNDING = mpmath.mpf(10) ** -30  # of values at 40 digits or more, divided by alpha - 1 >= 10^-6
ORDERS = [1 + mpmath.mpf(10) ** (mpmath.mpf(k) / 4) for k in range(-24, 17)]


@examples(10, at_night=30)
@given(laws(positive=True), laws(positive=True))
def test_no_single_order_exceeds_the_upper_end(p, q):
    upper = normalized_renyi_squared(p, q)[1]
    with mpmath.workdps(60):
        found = [normalized_divergence(*pair, order) for order in ORDERS for pair in ((p, q), (q, p))]
        assert max(found) <= real(upper) + ROUNDING


@examples(10, at_night=20)
@given(laws(positive=True), laws(positive=True))
def test_a_maximisation_in_floating_point_comes_within_the_enclosure(p, q):
    lower, upper = normalized_renyi_squared(p, q, digits=6)
    with mpmath.workdps(40):
        best = max(normalized_divergence(*pair, order) for order in ORDERS for pair in ((p, q), (q, p)))
        # neighbouring orders of the grid differ by 10^(1/4) in t, and D_alpha is nondecreasing
        assert best * mpmath.mpf(10) ** mpmath.mpf("0.25") >= real(lower)
        assert best <= real(upper) + ROUNDING


@examples(10, at_night=30)
@given(laws(positive=True), laws(positive=True), st.integers(1, 20))
def test_the_ends_are_as_close_as_asked_and_the_lower_one_is_attained(p, q, digits):
    found = renyi_supremum(p, q, digits=digits)
    assert 0 <= found.lower <= found.upper <= found.lower + Fraction(1, 10**digits)
    if found.order is not None:
        pair = (q, p) if found.swapped else (p, q)
        with precision(400):
            assert not renyi_divergence(*pair, found.order) / ball_of(found.order) < ball_of(found.lower)


@given(open_probabilities.filter(lambda p: p != HALF), st.sampled_from([1, 12, 30]))
@examples(10, at_night=30)
def test_randomized_response_has_its_closed_form(p, digits):
    # with u = (alpha - 1/2) eps and F(y) = ln cosh sqrt(y), which is concave, D_alpha/alpha is eps^2 times the slope of
    # a chord of F from (eps/2)^2 to u^2; so it falls in alpha, and its limit at 1 is eps tanh(eps/2)
    lower, upper = normalized_renyi_squared(coin(p), coin(1 - p), digits=digits)
    closed = smallest_pure_to_zcdp(Loss(max(p / (1 - p), (1 - p) / p)), digits=40)
    assert lower <= closed.upper
    assert closed.lower <= upper


HARD = [
    (coin(Fraction(1, 10**30)), coin(Fraction(1, 10**15))),
    (coin(Fraction(1, 10**100)), coin(Fraction(1, 10**200))),
    *((coin(HALF), coin(p)) for p in (Fraction(1, 10**60), HALF + Fraction(1, 10**9), HALF + Fraction(1, 10**40))),
    (law(1, 1, 10**20), law(10**20, 1, 1)),
    (law(1, 2, 3), law(1, 2 * 10**6, 3)),
]


@pytest.mark.parametrize("pair", HARD, ids=range(len(HARD)))
def test_enclosures_of_1_12_and_30_digits_meet(pair):
    ends = [normalized_renyi_squared(*pair, digits=digits) for digits in (1, 12, 30)]
    assert max(low for low, _ in ends) <= min(high for _, high in ends)
    assert all(high - low <= Fraction(1, 10**d) for (low, high), d in zip(ends, (1, 12, 30), strict=True))


@pytest.mark.parametrize("pair", HARD, ids=range(len(HARD)))
def test_no_order_of_a_wide_grid_exceeds_a_hard_pair(pair):
    upper = normalized_renyi_squared(*pair, digits=12)[1]
    with mpmath.workdps(60):
        for order, (p, q) in product(ORDERS, (pair, pair[::-1])):
            assert normalized_divergence(p, q, order) <= real(upper) + ROUNDING


def test_a_rare_outcome_has_its_maximum_far_from_one():
    # with e = 10^-15, D_alpha(P||Q)/alpha is close to ln(1/e)(alpha-2)/(alpha(alpha-1)), largest at alpha = 2 + sqrt 2
    found = renyi_supremum(*HARD[0], digits=12)
    assert abs(found.order - Fraction(3414213562, 10**9)) < Fraction(1, 10**5)
    assert abs(found.lower - Fraction("5.925917")) < Fraction(1, 10**6)


@pytest.mark.parametrize(("scale", "reach", "shift"), [(1, 8, 1), (4, 20, 3), (25, 60, 5)])
def test_nearly_gaussian_laws_where_every_order_is_nearly_equal(scale, reach, shift):
    # rational laws close to N_Z(0, s) and N_Z(m, s), cut at the reach: D_NoR^2 is close to m^2/(2s)
    first, second = (
        law(*(int(point_probability(scale, x - m, digits=60).lower * 10**50) for x in range(-reach, reach + 1)))
        for m in (0, shift)
    )
    lower, upper = normalized_renyi_squared(first, second)
    assert abs(lower - Fraction(shift**2, 2 * scale)) < Fraction(1, 10**8)
    assert upper - lower <= Fraction(1, 10**12)


def test_64_atoms_to_12_digits():
    p, q = (law(*((factor * i * i) % modulus + 1 for i in range(64))) for factor, modulus in ((7, 101), (13, 97)))
    lower, upper = normalized_renyi_squared(p, q)
    assert 0 < lower < upper <= lower + Fraction(1, 10**12)


@pytest.mark.parametrize("order", [50, 81, 200])
def test_a_supremum_beyond_the_horizon_is_bounded_too(order):
    """To one digit all orders up to about 7 are looked at; the largest value, near order 80, is about 0.003."""
    pair = coin(Fraction(2, 10**9)), coin(Fraction(12, 10**10))
    found = one_sided_supremum(*pair, digits=1)
    with mpmath.workdps(60):
        assert normalized_divergence(*pair, order) <= real(found.upper)


def test_a_supremum_from_a_larger_order_is_smaller():
    p, q = coin(Fraction(1, 4)), coin(Fraction(3, 4))
    ends = [one_sided_supremum(p, q, least_order=order) for order in (Fraction(1), Fraction(3, 2), Fraction(2), 9)]
    assert all(later.upper < earlier.lower for earlier, later in pairwise(ends))


@pytest.mark.parametrize("order", [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(10), Fraction(40)])
@pytest.mark.parametrize("digits", [3, 12])
@pytest.mark.parametrize(
    ("pair", "top"),
    [((coin(Fraction(1, 4)), coin(Fraction(3, 4))), 0), (HARD[0], 2 + Fraction(1414213562373095, 10**15))],
)
def test_a_supremum_from_a_larger_order_is_at_that_order_or_at_the_top(pair, top, order, digits):
    """Up to an order, the top, D_alpha/alpha rises, and beyond it falls: for randomized response it falls from 1 on."""
    found = one_sided_supremum(*pair, least_order=order, digits=digits)
    assert 0 <= found.upper - found.lower <= Fraction(1, 10**digits)
    at = max(order, top, 1 + Fraction(1, 10**12))
    with mpmath.workdps(60):
        slack = ROUNDING if at == order else mpmath.mpf(10) ** -10
        assert real(found.lower) - slack <= normalized_divergence(*pair, real(at)) <= real(found.upper) + slack
    assert (found.order or 1) >= order
    assert not found.swapped


@pytest.mark.parametrize(
    ("p", "q", "value"),
    [
        (coin(THIRD), coin(THIRD), 0),
        (law(1), law(0, 1), INFINITE),  # on different spaces
        *((coin(1), coin(HALF), INFINITE), (coin(HALF), coin(1), INFINITE)),  # a smaller support
    ],
)
def test_the_corners_of_the_definition(p, q, value):
    assert normalized_renyi_squared(p, q) == (value, value)


def test_one_side_can_be_finite_alone():
    assert one_sided_supremum(coin(1), coin(HALF)).upper < Fraction("0.7")  # D_alpha = ln 2 for all alpha
    assert one_sided_supremum(coin(HALF), coin(1)) is None
    assert renyi_divergence(coin(1), coin(HALF), Fraction(2)) > 0


@given(laws(3), laws(3, positive=True), st.fractions(Fraction(9, 8), 40, max_denominator=8))
def test_the_divergence_of_an_order_is_its_value_in_floating_point(p, q, order):
    with precision(200):
        shown = renyi_divergence(p, q, order).mid().str(50, radius=False)
    with mpmath.workdps(60):
        assert abs(mpmath.mpf(shown) - real(order) * normalized_divergence(p, q, real(order))) < ROUNDING


OPEN = Law({0: SYMBOL, 1: 1 - SYMBOL})
COINS = coin(HALF), coin(THIRD)


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        (
            "p must be absolutely continuous with respect to q",
            lambda: renyi_divergence(coin(HALF), coin(1), Fraction(2)),
        ),
        ("digits must be at most 1000; got 1001", lambda: one_sided_supremum(*COINS, digits=1001)),
        *(("^digits must be", lambda d=d: one_sided_supremum(*COINS, digits=d)) for d in (0, -1, 1.0, True, "12")),
        *(("^q must be a Law", lambda q=q: renyi_supremum(coin(HALF), q)) for q in ({0: 1}, None, Fraction(1))),
        ("open parameter", lambda: normalized_renyi_squared(OPEN, coin(HALF))),
        *(("^order must be above 1", lambda order=order: renyi_divergence(*COINS, order)) for order in (1, HALF, 0)),
        ("^least_order must be at least 1", lambda: one_sided_supremum(*COINS, least_order=HALF)),
    ],
)
def test_what_has_no_divergence_is_refused(message, ask):
    with pytest.raises(InputError, match=message):
        ask()


def test_up_to_a_thousand_digits_may_be_asked_for():
    p = coin(THIRD)
    assert one_sided_supremum(p, p, digits=1000) == RenyiSupremum(Fraction(0), Fraction(0), None, False)


def test_the_precision_of_flint_is_left_as_it_was():
    before = flint.ctx.prec
    normalized_renyi_squared(*COINS)
    assert flint.ctx.prec == before


def ascending(low, high):
    """Points of an interval, both ends among them."""
    return [low + (high - low) * Fraction(k, 8) for k in range(9)]


def searched(p, q, order):
    """The cumulants of two laws, and the search with polynomials of this order."""
    found = Cumulants(p, q)
    return found, _Search(found, Fraction(1, 10**6), order, Fraction(0))


def is_bounded(found, bound, points):
    return all(not found.value(ball_of(t)) > bound for t in points)


@examples(10, at_night=60)
@given(laws(3, positive=True), laws(3, positive=True), st.integers(2, 6), st.integers(1, 40), st.integers(1, 40))
def test_a_box_is_bounded_from_above_at_every_order_of_its_taylor_polynomial(p, q, order, width, gap):
    """Wide boxes and short polynomials: there the remainder is most of the bound."""
    if p == q:
        return
    a, b = Fraction(gap, 4), Fraction(gap + width, 4)
    with precision(200):
        found, search = searched(p, q, order)
        at_zero, bound = search._bound_at_zero(b), search.bound(a, b) + ROUNDED
        assert is_bounded(found, search._bound_inside(a, b), ascending(a, b))
        assert all(upper_end(found.value(ball_of(t)), found.largest) <= bound for t in ascending(a, b))
        assert is_bounded(found, at_zero, ascending(b / 64, b))
        assert not found.kl() > at_zero


ROUNDED = Fraction(1, 10**40)


@pytest.mark.parametrize("rare", [Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**6)])
@pytest.mark.parametrize("order", range(2, 8))
def test_the_remainder_is_needed_where_one_outcome_is_rare(rare, order):
    """All cumulants of a rare, large loss are positive: a Taylor polynomial of K at 0 is below K, by its remainder."""
    with precision(200):
        found, search = searched(coin(rare), coin(rare / 50), order)
        for b in (Fraction(1, 4), Fraction(1), Fraction(3)):
            assert is_bounded(found, search._bound_at_zero(b), ascending(b / 64, b))
        # far out D_α/α falls like 1/α, convex: at the left end of a box every term of the polynomial adds
        assert is_bounded(found, search._bound_inside(Fraction(30), Fraction(90)), [Fraction(30)])


@pytest.mark.parametrize("order", range(3, 9))
@pytest.mark.parametrize("b", [Fraction(2), Fraction(20), Fraction(40)])
def test_every_power_of_a_box_at_zero_counts_where_a_rare_loss_is_small(order, b):
    """The losses are near 1/10, so the coefficients change little over the box, and a lower power of b would show."""
    with precision(200):
        found, search = searched(coin(Fraction(1, 1000)), coin(Fraction(1, 1100)), order)
        assert is_bounded(found, search._bound_at_zero(b), ascending(b / 64, b))


@given(laws(3, positive=True), laws(3, positive=True), st.integers(1, 20), st.integers(3, 8))
def test_the_taylor_polynomial_is_that_of_the_normalized_divergence(p, q, quarters, order):
    if p == q:
        return
    with precision(400):
        found, search = searched(p, q, order)
        coefficients = search._taylor(ball_of(Fraction(quarters, 4)))
        assert len(coefficients) == order + 1
        for sign in (-1, 1):
            step = Fraction(sign, 10**6)
            near = sum((c * ball_of(step**k) for k, c in enumerate(coefficients)), flint.arb(0))
            rest = abs(found.value(ball_of(Fraction(quarters, 4) + step)) - near)
            # the next coefficient is far below 10^6, for losses up to ln 19 and orders from 5/4 on
            assert rest < ball_of(Fraction(1, 10 ** (6 * order)))


@pytest.mark.parametrize("order", range(2, 10))
@pytest.mark.parametrize(("a", "b"), [(50, 70), (55, 65), (59, 61)])
def test_every_power_of_a_box_far_out_counts(order, a, b):
    """There D_α/α falls like 1/α, so at the left end every power adds, and the remainder of a narrow box is small."""
    with precision(200):
        found, search = searched(coin(Fraction(1, 1000)), coin(Fraction(1, 50_000)), order)
        assert is_bounded(found, search._bound_inside(Fraction(a), Fraction(b)), [Fraction(a)])
