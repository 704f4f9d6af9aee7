"""The pure loss as a function of an open parameter: against the loss at points, and budgets for all points at once.

Losses by cases: the expression of sympy and the picture are the function itself.

At e^−q: equal budgets met by an identity, others decided by enclosures, and losses of closed form.
"""

from fractions import Fraction
from functools import partial
from itertools import product

import mpmath
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from noisy_comparisons import answers_specification, report_noisy_max, sparse_vector
from small_flavors import both_ways, flavor
from tiers import examples

from stirred.mechanisms import exact_law, randomized_response
from stirred.spec import INFINITE, SYMBOL, ZERO, InputError, Law, Loss
from stirred.spec.numbers.algebraic_number import AlgebraicNumber
from stirred.verify.engines.exhaustive import smallest_budget
from stirred.verify.engines.loss_cases import LossPiece
from stirred.verify.engines.loss_function import (
    SplitLossFunction,
    covers_at_exponential,
    loss_at_exponential,
    loss_at_value,
    loss_function,
)

HALF = Fraction(1, 2)
QUARTER, THIRD = Fraction(1, 4), Fraction(1, 3)
BITS = tuple(product((0, 1), repeat=2))
ONE_BIT = ((0,), (1,))
COIN = Law({0: SYMBOL, 1: 1 - SYMBOL})
FLAVOR = answers_specification(BITS, ZERO).flavor


def laws_of(mechanism, data_sets=BITS, **parameters):
    return {x: exact_law(mechanism, x, **parameters) for x in data_sets}


def function_of(mechanism, data_sets=BITS, *, ends=None, **parameters):
    laws = laws_of(mechanism, data_sets, **parameters)
    return loss_function(laws, answers_specification(data_sets, ZERO).flavor, **(ends or {}))


def crossing(answers, source, *, p):
    """Two releases whose losses grow and fall with p: the larger one changes where their ratios cross."""
    return source.bernoulli(p if answers[0] else p**2), source.bernoulli((1 + p) / 3 if answers[1] else HALF)


MECHANISMS = {
    "crossing": crossing,
    "response": lambda answers, source, *, p: (
        randomized_response(answers, source, flip_probability=p)
        if not isinstance(p, type(SYMBOL))
        else tuple(1 - a if source.bernoulli(p) else a for a in answers)
    ),
    "noise": lambda answers, source, *, p: answers[0] + source.geometric(p) >= answers[1] + source.discrete_laplace(p),
    "rejection": lambda answers, source, *, p: (
        source.attempt(
            lambda inner: answers if inner.bernoulli(p) else (0, 0) if inner.bernoulli(HALF) else inner.restart()
        )
        if source.bernoulli(HALF)
        else BITS[source.uniform(4)]
    ),
}


def answered(**ends):
    """Of two answers by randomized response."""
    return function_of(MECHANISMS["response"], ends=ends, p=SYMBOL)


@examples(10, at_night=100)
@given(
    st.sampled_from(sorted(MECHANISMS)),
    st.builds(lambda a, b: Fraction(a, a + b), st.integers(1, 9), st.integers(1, 9)),
)
def test_the_function_has_the_loss_of_the_laws_at_every_point(name, point):
    found = function_of(MECHANISMS[name], p=SYMBOL).at(point)
    assert found == smallest_budget(laws_of(MECHANISMS[name], p=point), FLAVOR)[0]


def test_randomized_response_changes_its_form_at_one_half():
    function = function_of(MECHANISMS["response"], ONE_BIT, p=SYMBOL)
    assert str(function) == "ln((1 - p)/p) for 0 < p <= 1/2; ln(p/(1 - p)) for 1/2 < p < 1"
    assert function.latex() == (
        r"\begin{cases} \ln \frac{1 - p}{p} & 0 < p \le \frac{1}{2} \\ "
        r"\ln \frac{p}{1 - p} & \frac{1}{2} < p < 1 \end{cases}"
    )


def test_breakpoints_are_algebraic_numbers():
    # one answer, released with probability p or p^2 and with (1+p)/3 or 1/2: the ratios (1-p^2)/(1-p) = 1+p and 1/p
    def mechanism(answers, source, *, p):
        return source.bernoulli(p if answers[0] else p**2)

    function = function_of(mechanism, ONE_BIT, p=SYMBOL)
    # 1/p = 1 + p at p = (sqrt(5) - 1)/2
    assert function.breakpoints == (AlgebraicNumber((-1, 1, 1), 1),)
    assert str(function) == "ln(1/p) for 0 < p <= (-1 + sqrt(5))/2; ln(p + 1) for (-1 + sqrt(5))/2 < p < 1"


@examples(10, at_night=100)
@given(
    st.sampled_from(sorted(MECHANISMS)),
    st.builds(lambda a, b: Loss(1 + Fraction(a, b)), st.integers(0, 9), st.integers(1, 4)),
    st.sampled_from([(QUARTER, HALF), (THIRD, Fraction(3, 4)), (Fraction(2, 5), Fraction(3, 5))]),
)
def test_a_budget_is_decided_for_the_whole_interval(name, budget, ends):
    low, high = ends
    function = function_of(MECHANISMS[name], ends={"low": low, "high": high, "is_closed": True}, p=SYMBOL)
    found = function.exceeding(budget)
    points = [low + (high - low) * Fraction(k, 16) for k in range(17)]
    if found is None:
        assert all(function.at(point) <= budget for point in points)
    else:
        assert low <= found <= high
        assert function.at(found) > budget


def test_a_budget_that_is_attained_is_met_and_the_next_one_below_is_not():
    function = answered(low=QUARTER, high=HALF, is_closed=True)
    # two answers, each ln 3 at flip 1/4
    assert function.exceeding(Loss(9)) is None
    assert function.exceeding(Loss(9 - Fraction(1, 1000))) == QUARTER
    assert function.exceeding(Loss(81, 2)) is None


def test_an_open_end_where_the_loss_is_unbounded_refutes_every_budget():
    function = answered(high=HALF)
    for gamma in (9, 10**6):
        assert 0 < function.exceeding(Loss(gamma)) < HALF
    assert function.exceeding(INFINITE) is None
    assert function.at(QUARTER) == Loss(9)


def test_supports_that_differ_have_an_infinite_loss_everywhere():
    function = loss_function({x: Law({x: 1}) for x in BITS}, FLAVOR)
    assert function.at(HALF) == INFINITE
    assert 0 < function.exceeding(Loss(2)) < 1
    assert str(function) == "infinite for 0 < p < 1"
    assert loss_at_exponential(function, 1) is None
    assert not covers_at_exponential(function, 1, 10**6)


def test_equal_laws_have_no_loss():
    function = loss_function(dict.fromkeys(BITS, COIN), FLAVOR)
    assert str(function) == "0 for 0 < p < 1"
    assert function.exceeding(ZERO) is None


def test_sparse_vector_meets_its_budget_for_every_ratio():
    # with one ratio for all noise the budget is 1/p^3: p^3 R(p) <= 1 for the largest ratio R
    data_sets = tuple(product((0, 1), repeat=3))
    ratios = {"threshold_ratio": SYMBOL, "query_ratio": SYMBOL}
    function = function_of(sparse_vector, data_sets, ends={"symbol": "a"}, threshold=1, **ratios)
    assert str(function).endswith("for 0 < a < 1")
    assert len(function.pieces) == 1
    for k in range(1, 20):
        assert function.at(Fraction(k, 20)) <= Loss(Fraction(20, k) ** 3)


def clamped(answers, source, *, ratio):
    return source.clamp(answers[0] + source.discrete_laplace(ratio), 0, 3)


REFUSED = {
    "vanishes or has a pole at p = 1/2": {
        x: Law({0: (2 * SYMBOL - 1) ** 2, 1: 1 - (2 * SYMBOL - 1) ** 2}) if x[0] else COIN for x in BITS
    },
    "must be positive; one is negative": {
        x: Law({0: -SYMBOL, 1: 1 + SYMBOL}) if x[0] else Law({0: HALF, 1: HALF}) for x in BITS
    },
}


def noisy():
    """Of a clamped count, above 1/2."""
    return function_of(clamped, ONE_BIT, ends={"low": HALF}, ratio=SYMBOL)


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        *((message, partial(loss_function, REFUSED[message], FLAVOR)) for message in REFUSED),
        ("vanishes or has a pole at p = 0", lambda: answered(high=HALF, is_closed=True)),
        ("p must be between 0 and 1/2, exclusive", lambda: answered(high=HALF).at(0)),
        ("p must be between 0 and 1/2, exclusive", lambda: answered(high=HALF).at(HALF)),
        ("p must be between 0 and 1/2, exclusive", lambda: answered(high=HALF).at(1)),
        (r"e\^-exponent must be between 1/2 and 1", lambda: loss_at_exponential(noisy(), 1)),
        ("exponent must be positive", lambda: covers_at_exponential(noisy(), 0, 1)),
        ("exponent must be positive", lambda: covers_at_exponential(noisy(), -1, 1)),
        ("must be finite somewhere to be drawn", lambda: loss_at_value("p", QUARTER, INFINITE).plot()),
    ],
)
def test_what_has_no_loss_is_refused(message, ask):
    with pytest.raises(InputError, match=message):
        ask()


P = sp.Symbol("p", positive=True)
PLACES = [Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(9, 10)]


def response(distance=1, **ends):
    """Randomized response: ln((1-p)/p) below 1/2, its negative above."""
    laws = {x: Law({x: 1 - SYMBOL, 1 - x: SYMBOL}) for x in (0, 1)}
    return loss_function(laws, flavor(both_ways({(0, 1): distance})), **ends)


@pytest.mark.parametrize("distance", [1, 2, 3])
@pytest.mark.parametrize("place", PLACES)
def test_the_expression_has_the_value_of_the_function(distance, place):
    found = response(distance)
    value = found.to_sympy().subs(P, sp.Rational(*place.as_integer_ratio()))
    assert sp.simplify(value - found.at(place).to_sympy()) == 0


def test_outside_of_its_interval_the_expression_has_no_value():
    found = response(low=QUARTER, high=Fraction(1, 3)).to_sympy()
    assert found.subs(P, sp.Rational(1, 4)) is sp.nan
    assert found.subs(P, sp.Rational(2, 7)) == sp.log(sp.Rational(5, 2))
    closed = response(low=QUARTER, high=Fraction(1, 3), is_closed=True).to_sympy()
    assert closed.subs(P, sp.Rational(1, 4)) == sp.log(3)


def test_single_values_of_a_split_function_are_cases():
    parts = (response(low=0, high=QUARTER), loss_at_value("p", QUARTER, Loss(7)))
    found = SplitLossFunction(parts).to_sympy()
    assert found.subs(P, sp.Rational(1, 4)) == sp.log(7)
    assert found.subs(P, sp.Rational(1, 5)) == sp.log(4)


def test_the_picture_has_the_points_of_the_function():
    picture = response().plot()
    assert picture._repr_svg_().startswith("<?xml")
    assert "<title" in picture.svg
    assert repr(picture) == "<Picture: the smallest budget ε>"


@pytest.mark.parametrize("place", PLACES)
def test_a_piece_has_its_value_at_a_point(place):
    found = response(2)
    piece = next(one for one in found.pieces if one.low.rational <= place <= one.high.rational)
    assert isinstance(piece, LossPiece)
    assert piece.at(place) == found.at(place) == Loss(max((1 - place) / place, place / (1 - place)), 2)


def test_an_infinite_loss_is_an_expression():
    assert loss_at_value("p", QUARTER, INFINITE).to_sympy().subs(P, sp.Rational(1, 4)) == sp.oo


SCORES = tuple(product((0, 1, 2), repeat=2))
EXPONENTS = st.builds(Fraction, st.integers(1, 9), st.integers(1, 5))


def exponential_mechanism(scores, source, *, x):
    """An index with probability proportional to x^−score."""
    weights = [x ** (2 - score) for score in scores]
    return source.choose([weight / sum(weights) for weight in weights])


@given(EXPONENTS)
def test_geometric_noise_at_any_rational_epsilon_has_exactly_this_loss(epsilon):
    function = function_of(clamped, ((0,), (1,), (2,)), ratio=SYMBOL)
    assert covers_at_exponential(function, epsilon, epsilon)  # an equality
    assert not covers_at_exponential(function, epsilon, epsilon - Fraction(1, 10**40))
    assert loss_at_exponential(function, epsilon).contains(epsilon)


@given(EXPONENTS)
def test_the_exponential_mechanism_is_between_once_and_twice_the_exponent(epsilon):
    function = function_of(exponential_mechanism, SCORES, x=SYMBOL)
    assert covers_at_exponential(function, epsilon, 2 * epsilon)
    assert not covers_at_exponential(function, epsilon, epsilon)
    # scores (0, 1) and (1, 0): the odds change from x to 1/x, so that 1/(1+1/x) becomes 1/(1+x): a loss of -ln x;
    # scores (1, 1) and (2, 0): 1/2 becomes 1/(1 + x^2) or x^2/(1 + x^2): ln((1 + x^2)/(2 x^2))
    with mpmath.workdps(40):
        x = mpmath.exp(-mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        expected = mpmath.log((1 + x**2) / (2 * x**2))
        found = loss_at_exponential(function, epsilon, digits=30)
        if expected > -mpmath.log(x):
            assert abs(mpmath.mpf(found.lower.numerator) / found.lower.denominator - expected) < mpmath.mpf(10) ** -25


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(1, 2), Fraction(3, 10)])
def test_sparse_vector_and_noisy_max_meet_their_budgets_at_rational_epsilons(epsilon):
    vector = function_of(sparse_vector, SCORES, threshold=1, threshold_ratio=SYMBOL, query_ratio=SYMBOL)
    assert covers_at_exponential(vector, epsilon, 3 * epsilon)
    assert not covers_at_exponential(vector, epsilon, epsilon)
    maximum = function_of(report_noisy_max, SCORES, ratio=SYMBOL)
    assert covers_at_exponential(maximum, epsilon, 2 * epsilon)
    assert not covers_at_exponential(maximum, epsilon, epsilon)
