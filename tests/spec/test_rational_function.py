import pickle
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import fractions

from stirred.spec import SYMBOL, InputError, RationalFunction

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
