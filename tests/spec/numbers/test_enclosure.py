"""Enclosures of real values; powers with astronomical exponents are ordered exactly and quickly."""

import random
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import flint
import mpmath
import pytest
import sympy as sp
from digits import as_mpf
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_refused, each
from strategies import fractions, open_probabilities
from tiers import examples

import stirred.spec
from stirred.spec import INFINITE, Enclosure, InputError, Loss, psa_budget
from stirred.spec.budgets.loss import power_order
from stirred.spec.numbers.enclosure import UndecidedOrderError, decimal_text, enclose, log
from stirred.spec.symbolic import EQUATION_ONE, PSABudget, b, fraction, p


def point(value: Fraction) -> Enclosure:
    return Enclosure(value, value)


def test_rounding_is_half_up_and_exact_for_numbers_of_any_length():
    assert point(Fraction("0.125")).rounded(2) == Decimal("0.13")
    assert point(Fraction("-0.125")).rounded(2) == Decimal("-0.12")
    assert point(Fraction(10**40 + 1)).rounded(2) == Decimal(10**40 + 1)
    assert str(point(Fraction("17.0789")).rounded(2)) == "17.08"


@pytest.mark.parametrize("exponent", [100, 4300, 9000, 20_000])
def test_numbers_beyond_the_digits_that_python_writes_out_are_rounded_and_shown(exponent):
    large = Fraction(10**exponent + 1)
    assert point(large).rounded(2) == Decimal(10**exponent + 1)
    assert point(1 / large).rounded(2) == 0
    assert point(1 / large).rounded(exponent + 1) == Decimal((0, (1, 0), -exponent - 1))
    assert point(large).text(4) == f"1E+{exponent}"
    assert point(1 / large).text(4) == f"1E-{exponent}"


@given(fractions(0, 10))
def test_rounding_is_within_half_a_unit(value):
    rounded = point(value).rounded(3)
    assert rounded is not None
    assert abs(Fraction(rounded) - value) <= Fraction(1, 2000)


def test_an_undecided_digit_is_none_not_a_guess():
    assert Enclosure(Fraction("0.1249"), Fraction("0.1251")).rounded(2) is None
    assert Enclosure(Fraction("0.1249"), Fraction("0.1251")).text(4) == "[0.1249, 0.1251]"


def test_enclosures_are_ordered_where_their_ends_decide_it_and_never_else():
    wide = Enclosure(Fraction(1), Fraction(2))
    assert wide < 3 and wide > "0.9" and wide <= point(Fraction(5, 2)) and point(Fraction(1)) >= 1  # noqa: PT018
    for undecided in (
        lambda: wide < 2,
        lambda: wide <= 2,
        lambda: wide < Enclosure(Fraction(1), Fraction(3)),
        lambda: wide > Fraction(3, 2),
    ):
        with pytest.raises(UndecidedOrderError, match="cannot be ordered"):
            undecided()
    with pytest.raises(InputError, match="float"):
        _ = wide < 1.5
    assert (-1 * wide + "1/2", f"{wide:.1f}", f"{log(2):.3f}") == (
        Enclosure(Fraction(-3, 2), Fraction(-1, 2)), "[1.0, 2.0]", "[0.693, 0.694]"
    )  # fmt: skip


def test_an_enclosure_has_no_inverted_ends():
    with pytest.raises(InputError, match="lower must be at most upper"):
        Enclosure(Fraction(1), Fraction(0))


def test_logarithm_of_2_to_50_digits():
    # ln 2 = 0.69314718055994530941723212145817656807550013436025...
    printed = Fraction("0.69314718055994530941723212145817656807550013436025")
    enclosure = log(2, digits=55)
    assert printed <= enclosure.lower
    assert enclosure.upper <= printed + Fraction(1, 10**50)


def test_precision_of_the_ball_arithmetic_is_restored():
    before = flint.ctx.prec
    log(3, digits=200)
    assert flint.ctx.prec == before


def test_decimal_text_shows_significant_digits():
    assert decimal_text(Fraction(2, 3), 3) == "0.667"
    assert decimal_text(Fraction(100), 6) == "100"
    assert decimal_text(Fraction(1, 3 * 10**9), 2) == "0.00000000033"


HUGE = 10**300


@pytest.mark.parametrize("exponent", [1, 7, 10**6, 10**12, HUGE, HUGE + 1])
@pytest.mark.parametrize("base", [Fraction(2), Fraction(9, 8), 1 + Fraction(1, 10**40), Fraction(10) ** 60 + 1])
def test_equal_powers_are_equal_and_one_more_factor_is_more(base, exponent):
    for k in (1, 2, 3, 12):
        assert power_order(base**k, exponent, base, k * exponent) == 0
        assert power_order(base**k, exponent, base, k * exponent + 1) == -1
        if k * exponent > 1:
            assert power_order(base**k, exponent, base, k * exponent - 1) == 1
    assert power_order(base**2, 3 * exponent, base**3, 2 * exponent) == 0


def test_convergents_of_a_ratio_of_logarithms_are_told_apart_from_it():
    """The nearest fractions to ln 3/ln 2, on both sides of it by turns: 2^p against 3^q at each of them."""
    with mpmath.workdps(500):
        rest, terms = mpmath.log(3) / mpmath.log(2), []
        for _ in range(200):
            terms.append(int(mpmath.floor(rest)))
            rest = 1 / (rest - terms[-1])
    before, now = (1, 0), (terms[0], 1)
    signs = []
    for term in terms[1:]:
        before, now = now, (term * now[0] + before[0], term * now[1] + before[1])
        signs.append(power_order(Fraction(2), now[0], Fraction(3), now[1]))
    assert now[0] > 10**80
    assert all(a == -b != 0 for a, b in pairwise(signs))


def random_losses(seed, count):
    draw = random.Random(seed)  # noqa: S311 not for secrets
    found = []
    for _ in range(count):
        gamma = 1 + Fraction(draw.randint(0, 10**6), draw.choice((1, 7, 10**6, 10**20)))
        distance = Fraction(draw.randint(1, 10**4), draw.randint(1, 10**4)) * Fraction(10) ** draw.randint(-12, 12)
        found.append((Loss(gamma, distance), gamma, distance))
    return found


def check_order(seed, count):
    with mpmath.workdps(200):
        for (a, g, d), (b, h, e) in pairwise(random_losses(seed, count)):
            first, second = (mpmath.log(as_mpf(x)) / as_mpf(y) for x, y in ((g, d), (h, e)))
            assert (a < b, a > b) == (bool(first < second), bool(first > second))
            for loss, value in ((a, first), (b, second)):
                ends = loss.epsilon(30)
                low, high = map(as_mpf, (ends.lower, ends.upper))
                assert low - mpmath.mpf(10) ** -150 <= value <= high + mpmath.mpf(10) ** -150
            scale = Fraction(10) ** 12 / 7
            assert a.times(scale).over(scale) == a == a.over(scale).times(scale)
            assert hash(a.times(scale).over(scale)) == hash(a)


def test_losses_over_any_distance_have_the_order_of_their_values():
    check_order(7, 150)


@pytest.mark.nightly
def test_losses_over_any_distance_have_the_order_of_their_values_tonight(changing_seed):
    check_order(changing_seed, 5_000)


@pytest.mark.parametrize("scale", [10**6, 10**12, HUGE, Fraction(1, 10**9), Fraction(1, HUGE), Fraction(7, 10**300)])
def test_a_loss_times_a_distance_of_any_size_is_the_same_however_it_is_written(scale):
    a, b = Loss(Fraction(4), 3).times(scale), Loss(Fraction(2)).times(Fraction(2, 3) * scale)
    assert a == b
    assert hash(a) == hash(b)
    assert a < Loss(Fraction(2)).times(Fraction(2, 3) * scale * (1 + Fraction(1, 10**40)))
    assert Loss(Fraction(4), 3).over(scale) == Loss(Fraction(2)).over(Fraction(3, 2) * scale)
    assert a.plus(b) == Loss(Fraction(4), 3).times(2 * scale)


def test_a_power_of_e_is_enclosed_over_a_fraction():
    low, high = (getattr(Loss(2).times(Fraction(1, 10**9)).ratio(40), end) for end in ("lower", "upper"))
    with mpmath.workdps(60):
        exact = mpmath.power(2, mpmath.mpf(10) ** -9)
        assert as_mpf(low) <= exact <= as_mpf(high)
    assert high - low < Fraction(1, 10**39)


@examples(10, at_night=100)
@given(st.integers(2, 50), open_probabilities)
def test_the_expression_is_the_exact_budget(size, rate):
    assert sp.simplify(PSABudget(size).at(rate) - psa_budget(size, rate).to_sympy()) == 0


@pytest.mark.parametrize("size", [2, 3, 8, 264_331])
def test_the_minimum_is_attained_at_its_rate_and_nowhere_below(size):
    budget = PSABudget(size)
    smallest, rate = budget.minimum()
    assert sp.simplify(sp.expand_log(budget.at(rate) - smallest, force=True)) == 0
    assert sp.simplify(smallest - Loss(Fraction(size + 1), 2).to_sympy()) == 0


@pytest.mark.parametrize(("size", "gamma"), [(10, 5), (10, 1000), (3, 2)])
def test_every_rate_with_a_budget_is_found(size, gamma):
    rates = PSABudget(size).rates(sp.log(gamma))
    assert len(rates) == (1 if gamma**2 == size + 1 else 2)
    for rate in rates:
        assert psa_budget(size, fraction(sp.nsimplify(sp.simplify(rate)))) == Loss(Fraction(gamma))


def test_below_the_minimum_no_rate_has_the_budget():
    assert PSABudget(10).rates(1) == ()
    assert PSABudget(10).rates(0) == ()


def test_symbolic_size_keeps_the_formulas():
    budget = PSABudget()
    assert budget.minimum()[0] == sp.log(b + 1) / 2
    assert budget.expression.has(p)
    with pytest.raises(InputError, match="comparable"):
        budget.rates(3)
    (rate,) = budget.rates(sp.log(b + 1) / 2)
    assert rate == budget.threshold


def test_latex_is_given_for_notebooks_and_papers():
    assert r"\log" in PSABudget(10)._repr_latex_()
    assert isinstance(EQUATION_ONE, sp.LessThan)
    assert INFINITE.to_sympy() == sp.oo


def test_symbolic_is_loaded_on_first_use_and_unknown_names_are_refused():
    assert stirred.spec.symbolic.PSABudget is PSABudget
    with pytest.raises(AttributeError, match="no attribute 'symbolics'"):
        _ = stirred.spec.symbolics


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *each(log, [0, -1], "positive"),
        *each(lambda digits: log(2, digits=digits), [0, -3, 2.0], "digits must be"),
        (lambda: enclose(lambda: flint.arb(0, 1)), "no enclosure"),
        (lambda: enclose(lambda: flint.arb(-1).log()), "no enclosure"),
        *each(
            PSABudget(10).rates,
            [Fraction(-1), sp.oo, -sp.oo, sp.nan, sp.zoo, -sp.log(2)],
            "epsilon must be non-negative and finite",
        ),
        *each(PSABudget, [1, 0, 2.0, True, "b"], "largest_stratum"),
        *each(PSABudget(10).at, [0, 1, 2, 0.5, sp.Float("0.5"), sp.Symbol("q")], "swap_rate"),
        *each(PSABudget(10).rates, [3.0, sp.Float(3), "3"], "epsilon"),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
