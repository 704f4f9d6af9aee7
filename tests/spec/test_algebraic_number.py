"""Real algebraic numbers: roots found, compared exactly, written down, and rationals between them."""

from fractions import Fraction
from itertools import pairwise

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import InputError
from stirred.spec.algebraic_number import AlgebraicNumber, between, real_roots
from stirred.spec.open_parameter import OpenParameter, open_parameter
from stirred.spec.polynomial_text import polynomial_text

polynomials = st.lists(st.integers(-5, 5), min_size=2, max_size=6).filter(any).map(tuple)
rationals = st.builds(Fraction, st.integers(-9, 9), st.integers(1, 5))


def value(polynomial, x):
    return sum(c * x**k for k, c in enumerate(polynomial))


@given(polynomials, rationals)
def test_a_rational_is_among_the_roots_iff_the_polynomial_vanishes_there(polynomial, x):
    assert (AlgebraicNumber.of(x) in real_roots(polynomial)) == (value(polynomial, x) == 0)


@given(polynomials)
def test_the_sign_changes_at_the_roots_of_odd_multiplicity_only(polynomial):
    roots = real_roots(polynomial)
    assert list(roots) == sorted(roots)
    assert len(set(roots)) == len(roots)
    ends = [AlgebraicNumber.of(-100), *roots, AlgebraicNumber.of(100)]
    signs = [value(polynomial, between(a, b)) > 0 for a, b in pairwise(ends)]
    factors = {tuple(map(int, f.coeffs())): k for f, k in flint.fmpz_poly(list(polynomial)).factor()[1]}
    for root, (before, after) in zip(roots, pairwise(signs), strict=True):
        power = factors.get(root.polynomial) or factors[tuple(-c for c in root.polynomial)]
        assert (before != after) == (power % 2 == 1)


@given(polynomials, rationals)
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
    assert roots[-1].latex() == latex


@given(polynomials, st.integers(-3, 3))
def test_a_polynomial_is_written_as_python_reads_it(polynomial, x):
    assert eval(polynomial_text(polynomial).replace("^", "**"), {"p": x}) == value(polynomial, x)  # noqa: S307 our own text


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
