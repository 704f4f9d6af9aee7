"""Rational functions, products of powers, and real algebraic numbers: compared exactly, written down, told apart."""

import pickle
import re
from fractions import Fraction
from itertools import pairwise

import flint
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import fractions

from stirred.spec import SYMBOL, InputError, RationalFunction
from stirred.spec.numbers.algebraic_number import AlgebraicNumber, between, real_roots
from stirred.spec.numbers.factored_quotient import FactoredQuotient, reduced_power
from stirred.spec.numbers.open_parameter import OpenParameter, open_parameter
from stirred.spec.numbers.polynomial_text import polynomial_text

polynomials = st.lists(st.integers(-3, 3), min_size=1, max_size=4).map(RationalFunction)
functions = st.builds(lambda a, b: a / b if b else a, polynomials, polynomials)


def value(function, x):
    try:
        return function(x)
    except ZeroDivisionError:
        return None


@given(functions, functions, fractions(-4, 4))
def test_arithmetic_is_that_of_the_values(f, g, x):
    a, b = value(f, x), value(g, x)
    assume(a is not None and b is not None)
    assert (f + g)(x) == a + b
    assert (f - g)(x) == a - b
    assert (f * g)(x) == a * b
    if b:
        assert (f / g)(x) == a / b


@given(functions, functions)
def test_equal_functions_hash_alike(f, g):
    assert f + g == g + f
    assert hash(f + g) == hash(g + f)
    assert f - f == 0
    assert not f - f
    if g:
        assert f * g / g == f
        assert hash(f * g / g) == hash(f)


def test_constants_are_numbers():
    half = SYMBOL - SYMBOL + Fraction(1, 2)
    assert half == Fraction(1, 2)
    assert hash(half) == hash(Fraction(1, 2))
    assert 1 - half == half
    assert 1 / (half + half) == 1


def test_powers_and_reciprocals():
    assert SYMBOL**-2 * SYMBOL**2 == 1
    assert 1 / SYMBOL == SYMBOL**-1
    with pytest.raises(ZeroDivisionError):
        (SYMBOL - SYMBOL) ** -1
    with pytest.raises(ZeroDivisionError):
        RationalFunction([1], [0])
    with pytest.raises(ZeroDivisionError):
        (1 / SYMBOL)(Fraction(0))


def test_floats_are_refused():
    for operation in (lambda: SYMBOL + 0.5, lambda: 0.5 * SYMBOL, lambda: 1.0 - SYMBOL, lambda: SYMBOL == 0.5):
        with pytest.raises(InputError, match="float"):
            operation()
    with pytest.raises(InputError, match="float"):
        SYMBOL(0.5)


@pytest.mark.parametrize("other", ["p", True, None])
def test_other_types_do_not_combine(other):
    for operation in (lambda: SYMBOL + other, lambda: SYMBOL * other, lambda: SYMBOL / other, lambda: SYMBOL - other):
        with pytest.raises(TypeError):
            operation()
    with pytest.raises(TypeError):
        other / SYMBOL
    assert other != SYMBOL


def test_representation_names_the_parameter():
    assert repr(SYMBOL / (1 + SYMBOL)) == "(p)/(p + 1)"
    assert repr(2 * SYMBOL) == "2*p"


@pytest.mark.parametrize("exponent", [Fraction(1, 2), Fraction(3), 2.7, 0.5, True, "2"])
def test_a_power_needs_an_int(exponent):
    with pytest.raises(InputError, match="exponent must be an int"):
        SYMBOL**exponent


def test_a_pickle_is_the_same_function():
    for function in (SYMBOL, SYMBOL - SYMBOL, (1 - 2 * SYMBOL) / (3 * SYMBOL**2), SYMBOL / 7):
        assert pickle.loads(pickle.dumps(function)) == function  # noqa: S301


integer_polynomials = st.lists(st.integers(-5, 5), min_size=2, max_size=6).filter(any).map(tuple)
rationals = st.builds(Fraction, st.integers(-9, 9), st.integers(1, 5))


def at(polynomial, x):
    return sum(c * x**k for k, c in enumerate(polynomial))


@given(integer_polynomials, rationals)
def test_a_rational_is_among_the_roots_iff_the_polynomial_vanishes_there(polynomial, x):
    assert (AlgebraicNumber.of(x) in real_roots(polynomial)) == (at(polynomial, x) == 0)


@given(integer_polynomials)
def test_the_sign_changes_at_the_roots_of_odd_multiplicity_only(polynomial):
    roots = real_roots(polynomial)
    assert list(roots) == sorted(roots)
    assert len(set(roots)) == len(roots)
    ends = [AlgebraicNumber.of(-100), *roots, AlgebraicNumber.of(100)]
    signs = [at(polynomial, between(a, b)) > 0 for a, b in pairwise(ends)]
    factors = {tuple(map(int, f.coeffs())): k for f, k in flint.fmpz_poly(list(polynomial)).factor()[1]}
    for root, (before, after) in zip(roots, pairwise(signs), strict=True):
        power = factors.get(root.polynomial) or factors[tuple(-c for c in root.polynomial)]
        assert (before != after) == (power % 2 == 1)


@given(integer_polynomials, rationals)
def test_comparisons_agree_with_enclosures(polynomial, x):
    for root in real_roots(polynomial):
        enclosure = root.enclosure(30)
        assert enclosure.upper - enclosure.lower <= Fraction(1, 10**30)
        if enclosure.upper < x or x < enclosure.lower:
            assert (root < AlgebraicNumber.of(x)) == (enclosure.upper < x)
            assert (root > AlgebraicNumber.of(x)) == (enclosure.lower > x)


def test_roots_are_taken_strictly_between_two_numbers():
    assert [str(root) for root in real_roots((0, -1, 0, 1), AlgebraicNumber.of(-1), AlgebraicNumber.of(1))] == ["0"]


WRITTEN = {
    (-2, 0, 1): (["-sqrt(2)", "sqrt(2)"], r"\sqrt{2}"),
    (-1, 3): (["1/3"], r"\frac{1}{3}"),
    (-9, 0, 8): (["-3*sqrt(2)/4", "3*sqrt(2)/4"], r"\frac{3\sqrt{2}}{4}"),
    (1, -4, 1): (["2 - sqrt(3)", "2 + sqrt(3)"], r"2+\sqrt{3}"),
    (-1, -1, 0, 1): (["root 1 of p^3 - p - 1 ≈ 1.32472"], "1.32472"),
}


@pytest.mark.parametrize("polynomial", WRITTEN)
def test_a_root_is_written_by_radicals_up_to_degree_two(polynomial):
    texts, latex = WRITTEN[polynomial]
    roots = real_roots(polynomial)
    assert [str(root) for root in roots] == texts
    assert roots[-1].to_latex() == latex


@given(integer_polynomials, st.integers(-3, 3))
def test_a_polynomial_is_written_as_python_reads_it(polynomial, x):
    assert eval(polynomial_text(polynomial).replace("^", "**"), {"p": x}) == at(polynomial, x)  # noqa: S307 our own text


def test_an_open_parameter_is_read_with_its_interval():
    assert OpenParameter.read("flip", "symbol in (0, 1)") == OpenParameter.read("flip", " symbol ") == OpenParameter()
    assert OpenParameter.read("flip", "symbol in [0.1,1/2]") == OpenParameter(Fraction(1, 10), Fraction(1, 2), True)
    assert OpenParameter.read("flip", "symbolic") is None


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "symbol in [1/2, 1/3]": "flip: an interval must have its left end below its right end; got 1/2 and 1/3",
        "symbol in (0, 1/2)": "flip must be 'symbol' or 'symbol in",
        "symbol in [0, 2]": "flip must be between 0 and 1; got 2",
        "symbol in [a, b]": "flip must be an exact number",
    }.items(),
)
def test_a_malformed_interval_is_refused(text, message):
    with pytest.raises(InputError, match=message.replace("[", r"\[")):
        OpenParameter.read("flip", text)


def test_one_parameter_at_most_is_open():
    assert open_parameter({"a": 1}) is None
    with pytest.raises(InputError, match="one parameter at most may be left open; got a and b"):
        open_parameter({"a": OpenParameter(), "b": OpenParameter()})


HALF = Fraction(1, 2)
small = st.lists(st.integers(-4, 4), min_size=1, max_size=4).map(tuple)


def sum_at(coefficients, point):
    return sum((c * point**place for place, c in enumerate(coefficients)), Fraction(0))


@given(small, small, st.fractions(min_value=Fraction(1, 10), max_value=2))
def test_the_product_has_the_value_of_the_quotient_and_positive_factors(above, below, point):
    if sum_at(above, point) <= 0 or sum_at(below, point) <= 0:
        return
    found = FactoredQuotient.of(above, below, point)
    product = found.constant
    for factor, exponent in found.factors:
        assert sum_at(factor, point) > 0
        product *= sum_at(factor, point) ** exponent
    assert product == sum_at(above, point) / sum_at(below, point)
    text = re.sub(r"\d+", r"Fraction(\g<0>)", found.text("p").replace("^", "**"))
    text = text.replace("p", f"Fraction({str(point)!r})")
    assert eval(text) == product  # noqa: S307 a text of ours: what a reader computes


@pytest.mark.parametrize(
    ("above", "below", "distance", "text", "over"),
    [
        ((1, -2, 1), (0, 0, 1), 2, "(1 - p)/p", 1),  # the answer to parity of two bits
        ((1, -2, 1), (0, 0, 1), 3, "(1 - p)^2/p^2", 3),
        ((1, -4, 6, -4, 1), (0, 0, 0, 0, 1), 2, "(1 - p)^2/p^2", 1),
        ((9,), (1,), 2, "3", 1),
        ((0, 2), (1,), 2, "2*p", 2),
        ((4, -4, 1), (0, 0, 4), 2, "(2 - p)/(2*p)", 1),
    ],
)
def test_an_exact_root_makes_the_distance_smaller(above, below, distance, text, over):
    found, left = FactoredQuotient.of(above, below, HALF).reduced(Fraction(distance))
    assert (found.text("p"), left) == (text, over)


@given(st.fractions(min_value=Fraction(11, 10), max_value=50), st.integers(1, 12), st.integers(1, 6))
def test_a_reduced_power_is_the_same_loss(gamma, distance, power):
    found, over = reduced_power(gamma**power, distance * power)
    assert found ** (distance * power) == gamma ** (power * over)
    assert over <= distance
