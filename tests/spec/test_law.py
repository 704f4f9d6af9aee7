from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws, open_probabilities

from stirred.spec import SYMBOL, InputError, Law
from stirred.spec.law import point_mass, product, uniform_law


@given(laws())
def test_a_law_sums_to_one_and_knows_its_support(law):
    assert sum(law.values()) == 1
    assert all(law[t] > 0 for t in law.support)
    assert len(law) == len(law.support)


def test_outcomes_of_probability_zero_are_dropped():
    law = Law({"a": Fraction(1), "b": Fraction(0), "c": 0})
    assert law.support == ("a",)
    assert "b" not in law
    assert law["b"] == 0
    assert law == point_mass("a")
    assert hash(law) == hash(point_mass("a"))


@pytest.mark.parametrize("mass", [{0: 0.5, 1: 0.5}, {0: Fraction(1, 3)}, {0: 2, 1: -1}, {}, {0: True}])
def test_what_is_no_law_is_refused(mass):
    with pytest.raises(InputError):
        Law(mass)


@given(laws(), st.integers(1, 4))
def test_push_is_bind_with_point_masses(law, modulus):
    assert law.push(lambda t: t % modulus) == law.bind(lambda t: point_mass(t % modulus))


@given(laws(3), laws(3))
def test_product_has_both_margins(first, second):
    joint = product(first, second)
    assert joint.push(lambda pair: pair[0]) == first
    assert joint.push(lambda pair: pair[1]) == second


@given(laws())
def test_an_event_has_the_probability_of_its_outcomes(law):
    assert law.event(lambda t: t > 1) == law[2] + law[3]


@given(open_probabilities)
def test_an_open_parameter_is_evaluated_exactly(p):
    law = Law({1: SYMBOL, 0: 1 - SYMBOL})
    assert law.at(p) == Law({1: p, 0: 1 - p})
    assert law.event(lambda t: t >= 0) == 1


def test_an_open_parameter_has_no_number():
    law = Law({1: SYMBOL, 0: 1 - SYMBOL})
    with pytest.raises(InputError, match="open parameter"):
        law.numeric(1)
    with pytest.raises(InputError, match="sum to exactly 1"):
        Law({1: SYMBOL})


def test_uniform_law_needs_distinct_outcomes():
    assert uniform_law((1, 2))[1] == Fraction(1, 2)
    with pytest.raises(InputError, match="distinct"):
        uniform_law((1, 1))
    with pytest.raises(InputError, match="at least one"):
        uniform_law(())


def test_a_law_is_no_mapping_that_looks_like_it():
    assert (Law({"t": Fraction(1)}) == {"t": Fraction(1)}) is False


def test_a_law_with_numbers_and_functions_of_p_is_evaluated_at_a_point():
    law = Law({0: Fraction(1, 2), 1: SYMBOL / 2, 2: (1 - SYMBOL) / 2})
    assert law.at(Fraction(1, 3)) == Law({0: Fraction(1, 2), 1: Fraction(1, 6), 2: Fraction(1, 3)})


def test_a_mixture_weighs_each_law_by_the_probability_of_its_outcome():
    kernels = (
        Law({"a": Fraction(2, 3), "c": Fraction(1, 3)}),
        Law({"a": Fraction(1, 5), "b": Fraction(4, 5)}),
    )
    mixture = Law({0: Fraction(1, 4), 1: Fraction(3, 4)}).bind(lambda t: kernels[t])
    # 1/4 · 2/3 + 3/4 · 1/5, 3/4 · 4/5, 1/4 · 1/3
    assert mixture == Law({"a": Fraction(19, 60), "b": Fraction(3, 5), "c": Fraction(1, 12)})
