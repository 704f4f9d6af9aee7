from decimal import Decimal
from fractions import Fraction
from itertools import product
from operator import ge, gt, le, lt

import mpmath
import pytest
from hypothesis import given
from strategies import distances, fractions, gammas, losses

from spec import INFINITE, ZERO, InputError, Loss


@given(losses, losses)
def test_equal_losses_hash_alike_and_order_is_total(a, b):
    assert (a < b) + (a == b) + (b < a) == 1
    if a == b:
        assert hash(a) == hash(b)


@given(losses, losses, losses)
def test_order_is_transitive(a, b, c):
    low, middle, high = sorted([a, b, c])
    assert low <= middle <= high
    assert low <= high


def test_order_equality_and_hash_are_those_of_the_powers():
    gammas = {Fraction(a, b) ** k for a in range(1, 5) for b in range(1, a + 1) for k in range(1, 5)}
    losses = [Loss(gamma, distance) for gamma in gammas for distance in range(1, 5)]
    for a, b in product(losses, repeat=2):
        left, right = a.gamma**b.distance, b.gamma**a.distance
        assert (a < b, a <= b, a == b) == (left < right, left <= right, left == right)
        assert (a > b, a >= b) == (left > right, left >= right)
        # unequal ones could share a hash too, but of these few none should
        assert (hash(a) == hash(b)) is (left == right)


@pytest.mark.parametrize("compare", [lt, le, gt, ge])
def test_a_loss_has_no_order_with_a_number(compare):
    for pair in [(ZERO, 1), (1, ZERO), (INFINITE, Fraction(1)), (Loss(2), "2")]:
        with pytest.raises(TypeError, match="not supported between"):
            compare(*pair)


@pytest.mark.parametrize(
    ("gamma", "k"), [(Fraction(2), 7), (Fraction(9, 4), 6), (Fraction(1), 5), (Fraction(8, 27), -6)]
)
def test_a_power_over_its_exponent_is_the_same_loss(gamma, k):
    power = Loss(gamma**k, abs(k)) if gamma >= 1 else Loss(gamma**k, -k)
    root = Loss(gamma if gamma >= 1 else 1 / gamma)
    assert power == root
    assert hash(power) == hash(root)


def test_only_the_infinite_loss_is_infinite_and_only_no_loss_is_zero():
    losses = (ZERO, Loss(Fraction(1), 7), Loss(Fraction(3, 2)), INFINITE)
    assert [loss.is_infinite for loss in losses] == [False, False, False, True]
    assert [loss.is_zero for loss in losses] == [True, True, False, False]
    assert len({hash(Loss(Fraction(n))) for n in range(1, 9)}) == 8


def test_equality_and_hash_survive_huge_common_distances():
    far = 10**9 + 7
    assert Loss(Fraction(264_332), far) == Loss(Fraction(264_332), far)
    assert Loss(Fraction(3), far) < Loss(Fraction(4), far)
    assert hash(Loss(Fraction(2) ** 360, 360)) == hash(Loss(Fraction(2)))


def test_equality_tells_apart_what_doubles_cannot():
    tiny = Fraction(1, 10**60)
    assert Loss(1 + tiny) != Loss(1 + 2 * tiny)
    assert Loss(1 + tiny) < Loss(1 + 2 * tiny)
    assert float(Loss(1 + tiny)) == 1e-60


@given(losses, losses, distances)
def test_times_is_monotone_in_the_budget(a, b, d):
    low, high = sorted([a, b])
    assert low.times(d) <= high.times(d)


@given(losses, distances)
def test_over_is_the_smallest_budget_that_covers(loss, d):
    budget = loss.over(d)
    assert loss <= budget.times(d)
    if budget not in (ZERO, INFINITE):
        assert budget.gamma is not None
        assert d is not None
        slightly_less = Loss((budget.gamma - 1) / 2 + 1, budget.distance)
        assert not loss <= slightly_less.times(d)


@given(gammas, fractions(1, 4))
def test_times_undoes_over(gamma, d):
    assert Loss(gamma).over(d).times(d) == Loss(gamma)


def test_zero_times_infinity_is_infinity_for_both_factors():
    assert ZERO.times(None) == INFINITE
    assert INFINITE.times(0) == INFINITE
    assert ZERO.times(0) == ZERO == Loss(5).times(0)


def test_at_distance_zero_only_the_zero_loss_has_a_finite_budget():
    assert ZERO.over(0) == ZERO
    assert Loss(Fraction(10**9 + 1, 10**9)).over(0) == INFINITE
    assert INFINITE.over(0) == INFINITE
    assert INFINITE.over(None) == ZERO


@given(gammas)
def test_enclosure_holds_the_exponential_up_to_its_width(gamma):
    enclosure = Loss(gamma, 3).epsilon(30)
    assert enclosure.upper - enclosure.lower <= Fraction(1, 10**30) * max(1, enclosure.upper)
    # e^x >= 1 + x, so ln(gamma)/3 <= (gamma - 1)/3
    assert enclosure.lower <= (gamma - 1) / 3


@pytest.mark.parametrize("bad", [0.5, 1.5, Fraction(1, 2), 0, -1, True, "2"])
def test_gamma_must_be_exact_and_at_least_1(bad):
    with pytest.raises(InputError, match="gamma must be"):
        Loss(bad)


def test_an_integer_gamma_is_kept_as_a_fraction():
    assert repr(Loss(9)) == repr(Loss(Fraction(9))) == "Loss(gamma=Fraction(9, 1), distance=1)"


@pytest.mark.parametrize("bad", [0, -1, 1.0, True, "2", Fraction(0), Fraction(-1, 2)])
def test_distance_must_be_exact_and_above_0(bad):
    with pytest.raises(InputError, match="distance must be"):
        Loss(Fraction(2), bad)


def test_infinite_loss_has_no_enclosure():
    with pytest.raises(InputError, match="no enclosure"):
        INFINITE.epsilon()


def test_float_is_display_only_and_nearest():
    with mpmath.workdps(50):
        assert float(Loss(Fraction(264_332))) == float(mpmath.log(264_332))
        assert float(Loss(Fraction(9, 8), 7)) == float(mpmath.log(mpmath.mpf(9) / 8) / 7)
    assert float(INFINITE) == float("inf")


def test_text_and_latex_show_the_exact_form():
    assert str(Loss(Fraction(9, 8))) == "ln(9/8) ≈ 0.117783"
    assert str(Loss(Fraction(9), 2)) == "ln(9)/2 ≈ 1.09861"
    assert (str(ZERO), str(INFINITE)) == ("0", "infinite")
    assert str(Loss(Fraction(10**80 + 1, 10**80 - 1))).startswith("≈ ")
    assert Loss(Fraction(9, 8))._repr_latex_() == r"$\ln \tfrac{9}{8} \approx 0.117783$"
    assert Loss(Fraction(9), 2)._repr_latex_() == r"$\tfrac{1}{2}\ln 9 \approx 1.09861$"
    assert (ZERO._repr_latex_(), INFINITE._repr_latex_()) == ("$0$", r"$\infty$")


@pytest.mark.parametrize("distance", [1, 7])
@pytest.mark.parametrize("digits", range(50, 60))
def test_the_exact_form_is_shown_where_it_takes_at_most_60_characters(digits, distance):
    gamma = 10**digits
    form = f"ln({gamma})" if distance == 1 else f"ln({gamma})/{distance}"
    assert str(Loss(gamma, distance)).startswith(form if len(form) <= 60 else "≈")


@pytest.mark.parametrize("digits", [61, 100, 4300, 5000, 120_000])
def test_a_loss_of_any_length_has_a_short_text(digits):
    large, small, far = Loss(10**digits), Loss(Fraction(10**digits + 1, 10**digits)), Loss(2, 10**digits + 1)
    # ln(10) = 2.302585093..., ln(1 + u) = u up to u^2, ln(2) = 0.693147181...
    tiny = Fraction(1, 10**digits)
    for loss, value in [
        (large, digits * Fraction("2.302585093")),
        (small, tiny),
        (far, Fraction("0.693147181") * tiny),
    ]:
        text, latex = str(loss), loss._repr_latex_()
        assert text.startswith("≈ ")
        assert latex.startswith(r"$\approx ")
        for shown in (text.removeprefix("≈ "), latex.removeprefix(r"$\approx ").removesuffix("$")):
            assert len(shown) < 30
            assert abs(Fraction(Decimal(shown)) / value - 1) < Fraction(1, 10**5)


def test_comparison_with_other_types_is_refused():
    assert Loss(Fraction(2)) != 0.6931
    with pytest.raises(TypeError):
        _ = Loss(Fraction(2)) < 1
