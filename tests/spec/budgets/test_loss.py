from decimal import Decimal
from fractions import Fraction
from itertools import product
from operator import add, eq, ge, gt, le, lt, mul

import mpmath
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_refused, each
from strategies import distances, fractions, gammas, losses

from stirred.spec import INFINITE, ZERO, Enclosure, InputError, Loss
from stirred.spec.budgets.loss import power_order
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum

HUGE = 10**300


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


NUMBERS = [
    0,
    1,
    Fraction(11, 10),
    Fraction(7, 10),
    "1.0987",
    "ln 3",
    "ln(9)/2",
    "infinite",
    sp.log(3),
    sp.log(9) / 2,
    sp.oo,
]
NUMBERS += [sp.log(2) + sp.log(sp.Rational(3, 2)), sp.Rational(1, 3), LogarithmSum({Fraction(3): Fraction(1)})]


@pytest.mark.parametrize("loss", [ZERO, Loss(2), Loss(3), Loss(9, 2), Loss(Fraction(9, 8)), INFINITE], ids=str)
@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_a_loss_is_ordered_with_numbers_as_its_real_value_is(loss, number):
    text = number.replace("ln 3", "log(3)").replace("ln", "log") if isinstance(number, str) else number
    value = (
        sp.log(3)
        if isinstance(number, LogarithmSum)
        else sp.oo
        if text == "infinite"
        else sp.sympify(text, rational=True)
    )
    gap = sp.simplify(loss.to_sympy() - value) if (loss.to_sympy(), value) != (sp.oo, sp.oo) else 0
    sign = int(sp.sign(sp.N(gap, 30)))
    for compare in (lt, le, gt, ge):
        assert compare(loss, number) is compare(sign, 0)
        if not isinstance(number, (str, sp.Basic)):
            assert compare(number, loss) is compare(0, sign)
    if not isinstance(number, str):
        assert (loss == number) is (sign == 0)
        assert not (sign == 0 and isinstance(number, int)) or hash(loss) == hash(number)


@pytest.mark.parametrize("use", [lt, le, gt, ge, eq, add, mul])
def test_a_loss_with_a_float_is_refused_with_what_to_write(use):
    check_refused(lambda: use(Loss(3), 1.1), r"float 1\.1: write Fraction\('1\.1'\)")


def test_losses_are_added_multiplied_divided_and_read():
    assert 2 * Loss(3) + "ln 2" == Loss(18) == sum([Loss(3), Loss(3), Loss(2)])
    assert Loss(9) / 2 == Loss(3) == Loss.from_text(" ln(9)/2") == Loss.from_text("ln 3")
    assert 0 * INFINITE == INFINITE == Loss.from_text("infinite")
    assert Loss(3) != "ln 3" and Loss(3) is not None and Loss(1) != False  # noqa: E712, PT018
    for wrong in (lambda: Loss(3) + 1, lambda: Loss(3) * Loss(2), lambda: Loss(3) < None):
        with pytest.raises(TypeError):
            wrong()
    for text in ("3", "ln 0.5", "ln", "exp(1)"):
        check_refused(lambda text=text: Loss.from_text(text), r" must be ")
    check_refused(lambda: Loss(3) < sp.sqrt(2), "rational or a sum of logarithms")
    check_refused(lambda: -1 * Loss(3), "must be non-negative")


@given(losses, st.integers(0, 6))
def test_a_format_is_rounded_up_so_that_it_is_enough_as_a_budget(loss, places):
    shown = f"{loss:.{places}f}"
    if not loss.is_infinite:
        assert 0 <= Fraction(shown) - loss.epsilon(80).upper < Fraction(1, 10**places)
    assert f"{Loss(3):>8.3f}" == "   1.099"
    assert f"{Loss(3)}" == str(Loss(3))


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
    assert hash(Loss(4).times(HUGE)) == hash(Loss(2).times(2 * HUGE))


def test_equality_tells_apart_what_doubles_cannot():
    tiny = Fraction(1, 10**60)
    assert Loss(1 + tiny) != Loss(1 + 2 * tiny)
    assert Loss(1 + tiny) < Loss(1 + 2 * tiny)
    assert float(Loss(1 + tiny)) == 1e-60


@pytest.mark.parametrize(
    ("loss", "written"),
    [
        (Loss(2, Fraction(3, 2)), (2**2, 3)),
        (Loss(2, Fraction(4, 3)), (2**3, 4)),
        (Loss(1, Fraction(3, 10**9)), (1, 3)),
        (Loss(2, Fraction(1, 21846)), (2, Fraction(1, 21846))),
        (Loss(5, Fraction(3, 2**14)), (5**2**14, 3)),
        (Loss(5, Fraction(3, 2**14 + 1)), (5, Fraction(3, 2**14 + 1))),
        (Loss(2, 2).times(4), (2**4, 2)),
        (Loss(5, 2).times(2**14), (5**2**14, 2)),
        (Loss(5, 2).times(2**14 + 1), (5, Fraction(2, 2**14 + 1))),
        (Loss(5, 7).times(0), (1, 1)),
        (Loss(2, 2).plus(Loss(2, 2)), (2**2, 2)),
        (Loss(5, 2).plus(Loss(5, 2**15 - 2)), (5**2**14, 2**15 - 2)),
    ],
)
def test_a_power_of_gamma_is_written_out_up_to_2_to_the_16_bits(loss, written):
    """With the denominator 2 has three bits and 5 has four: 3·21846 is just above 2^16, and 4·2^14 is 2^16."""
    assert (loss.gamma, loss.distance) == written


def test_a_sum_is_the_loss_of_a_product_of_powers():
    losses = [Loss(gamma, distance) for gamma in (1, 2, Fraction(3, 2), 7) for distance in range(1, 5)]
    for a, b in product(losses, repeat=2):
        assert a.plus(b) == Loss(a.gamma**b.distance * b.gamma**a.distance, a.distance * b.distance)
        assert a.plus(INFINITE) == INFINITE == INFINITE.plus(a)
    far = Loss(2).times(HUGE)
    assert ZERO.plus(far) == far == far.plus(ZERO)
    assert far.plus(Loss(2)) == Loss(2).times(HUGE + 1) == Loss(2).plus(far)
    assert far.plus(Loss(3).times(HUGE)) == Loss(6).times(HUGE)
    with pytest.raises(InputError, match="a sum that can be written out"):
        far.plus(Loss(3))


def test_a_sum_is_written_out_up_to_2_to_the_20_bits():
    """With the denominator 4 and 5 have four bits each, so that 4^(2^18 − 1)·5 has 2^20."""
    last, next_one, five = Loss(4).times(2**18 - 1), Loss(4).times(2**18), Loss(5)
    assert last.plus(five) == five.plus(last) == Loss(4 ** (2**18 - 1) * 5)
    for pair in ((next_one, five), (five, next_one)):
        with pytest.raises(InputError, match="a sum that can be written out"):
            pair[0].plus(pair[1])


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


@pytest.mark.parametrize("digits", [20, 40])
@given(gammas, st.integers(2, 4))
def test_the_power_of_e_over_a_distance_is_an_enclosed_root(digits, gamma, distance):
    ends = Loss(gamma, distance).ratio(digits)
    assert ends.lower**distance <= gamma <= ends.upper**distance
    assert ends.upper - ends.lower <= Fraction(1, 10**digits) * ends.upper


def test_the_power_of_e_is_gamma_over_distance_1_and_there_is_none_above_2_to_the_65536():
    for gamma in (1, 3, Fraction(9, 8), 2**65536):
        assert Loss(gamma).ratio() == Enclosure(gamma, gamma)
    assert Loss(2).times(65536).ratio().contains(2**65536)
    for loss in (Loss(2**65536 + 1), Loss(2).times(65537), Loss(2).times(HUGE), INFINITE):
        assert loss.ratio() is None


def test_an_integer_gamma_is_kept_as_a_fraction():
    assert repr(Loss(9)) == repr(Loss(Fraction(9))) == "<Loss ln(9) ≈ 2.19722>"


def test_float_is_display_only_and_nearest():
    with mpmath.workdps(50):
        assert float(Loss(Fraction(264_332))) == float(mpmath.log(264_332))
        assert float(Loss(Fraction(9, 8), 7)) == float(mpmath.log(mpmath.mpf(9) / 8) / 7)
    assert float(INFINITE) == float("inf")


def test_text_and_latex_show_the_exact_form():
    assert str(Loss(Fraction(9, 8))) == "ln(9/8) ≈ 0.117783"
    assert str(Loss(Fraction(9), 2)) == "ln(3) ≈ 1.09861"
    assert str(Loss(Fraction(8), 2)) == "ln(8)/2 ≈ 1.03972"
    assert (str(ZERO), str(INFINITE)) == ("0", "infinite")
    assert str(Loss(Fraction(10**80 + 1, 10**80 - 1))).startswith("≈ ")
    assert Loss(Fraction(9, 8))._repr_latex_() == r"$\ln \tfrac{9}{8} \approx 0.117783$"
    assert Loss(Fraction(9), 2)._repr_latex_() == r"$\ln 3 \approx 1.09861$"
    assert Loss(Fraction(8), 2)._repr_latex_() == r"$\tfrac{1}{2}\ln 8 \approx 1.03972$"
    assert (ZERO._repr_latex_(), INFINITE._repr_latex_()) == ("$0$", r"$\infty$")


@pytest.mark.parametrize(
    ("loss", "text", "latex"),
    [
        (Loss(2).times(10**6), "1000000*ln(2) ≈ 693147", r"$1000000\ln 2 \approx 693147$"),
        (Loss(2).times(10**7), "10^7*ln(2) ≈ 6931470", r"$10^{7}\ln 2 \approx 6931470$"),
        (
            Loss(Fraction(3, 2), 7).times(10**7),
            "10^7*ln(3/2)/7 ≈ 579236",
            r"$\tfrac{10^{7}}{7}\ln \tfrac{3}{2} \approx 579236$",
        ),
        (
            Loss(2, 3 * HUGE),
            "ln(2)/(3*10^300) ≈ 2.31049E-301",
            r"$\tfrac{1}{3\cdot 10^{300}}\ln 2 \approx 2.31049E-301$",
        ),
        (
            Loss(2).over(HUGE),
            "ln(2)/10^300 ≈ 6.93147E-301",
            r"$\tfrac{1}{10^{300}}\ln 2 \approx 6.93147E-301$",
        ),
        (Loss(2, 10**1233), "ln(2)/10^1233 ≈ 6.93147E-1234", r"$\tfrac{1}{10^{1233}}\ln 2 \approx 6.93147E-1234$"),
        (Loss(2, 2 * 10**1233), "≈ 3.46574E-1234", r"$\approx 3.46574E-1234$"),
    ],
)
def test_a_distance_of_at_most_4096_bits_is_shown_by_a_power_of_ten_from_seven_zeros_on(loss, text, latex):
    assert (str(loss), loss._repr_latex_()) == (text, latex)


@pytest.mark.parametrize("distance", [1, 7])
@pytest.mark.parametrize("digits", range(50, 60))
def test_the_exact_form_is_shown_where_it_takes_at_most_60_characters(digits, distance):
    gamma = 10**digits + 1  # no power of another number
    form = f"ln({gamma})" if distance == 1 else f"ln({gamma})/{distance}"
    text = str(Loss(gamma, distance))
    assert text.startswith("≈")  # the value first, since the form is long
    assert text.endswith(f" (exactly {form})") is (len(form) <= 60)
    assert (r"\ln" in Loss(gamma, distance)._repr_latex_()) is (len(form) <= 60)


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


@pytest.mark.parametrize("root", [1, 2, 3, 5])
@pytest.mark.parametrize("over", [1, 2, 3, 7, Fraction(7, 3)])
@pytest.mark.parametrize("gamma", [2, Fraction(7, 3), 12])
def test_the_text_of_a_loss_does_not_depend_on_how_it_was_spread(gamma, over, root):
    assert str(Loss(gamma, over)) == str(Loss(Fraction(gamma) ** root, root * over))
    assert Loss(gamma, over).to_sympy() == Loss(Fraction(gamma) ** root, root * over).to_sympy()


def test_a_loss_is_rounded_where_its_exact_form_is_long():
    assert Loss(10**61 + 1).is_rounded
    assert not any(loss.is_rounded for loss in (INFINITE, ZERO, Loss(2), Loss(Fraction(3, 2), 7)))


def test_the_expression_of_a_loss_is_the_logarithm_over_the_distance():
    assert Loss(2, 3).to_sympy() == sp.log(2) / 3
    assert Loss(2, Fraction(3, HUGE)).to_sympy() == HUGE * sp.log(2) / 3


@pytest.mark.parametrize("one", [Fraction(2), Fraction(27, 8)])
def test_large_powers_of_1_and_of_one_root_are_compared(one):
    assert power_order(Fraction(1), HUGE, Fraction(1), HUGE + 1) == 0
    assert power_order(Fraction(1), HUGE, one, HUGE) == -1
    assert power_order(one, HUGE, Fraction(1), HUGE) == 1
    assert power_order(one**51, 50, one**50, 51) == 0  # more than 4096 bits, by one root
    assert power_order(one**51, 50 * HUGE, one**50, 51 * HUGE + 1) == -1


@pytest.mark.parametrize(("exponent", "sign"), [(15_850, -1), (15_849, 1)])
def test_large_powers_are_told_apart_where_their_logarithms_are_near(exponent, sign):
    assert (2**exponent < 3**10_000) == (sign == 1)
    assert power_order(Fraction(3), 10_000, Fraction(2), exponent) == sign
    assert power_order(Fraction(2), exponent, Fraction(3), 10_000) == -sign


def test_the_value_stands_first_where_the_exact_form_has_more_than_30_characters():
    form = f"ln({10**12 + 1}/{10**11})"
    longer = f"ln({2 * 10**12 + 1}/{10**12})"
    assert (len(form), len(longer)) == (30, 31)
    assert str(Loss(Fraction(10**12 + 1, 10**11))).startswith(f"{form} ≈ ")
    assert str(Loss(Fraction(2 * 10**12 + 1, 10**12))).endswith(f" (exactly {longer})")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *each(Loss, [0.5, 1.5, Fraction(1, 2), 0, -1, True, "2"], "gamma must be"),
        *each(
            lambda bad: Loss(Fraction(2), bad),
            [0, -1, 1.0, True, "2", Fraction(0), Fraction(-1, 2)],
            "distance must be",
        ),
        (lambda: INFINITE.epsilon(), "no enclosure"),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
