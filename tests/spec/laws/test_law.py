"""Laws of finite support, and amplification by sampling."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws, open_probabilities

from stirred.spec import SYMBOL, InputError, Law
from stirred.spec.budgets.loss import Loss
from stirred.spec.budgets.sampling import amplified
from stirred.spec.laws.law import point_mass, product, uniform_law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import Multiplicative


@given(laws())
def test_a_law_sums_to_one_and_knows_its_support_and_events(law):
    assert sum(law.values()) == 1
    assert all(law[t] > 0 for t in law.support)
    assert len(law) == len(law.support)
    assert law.event(lambda t: t > 1) == law[2] + law[3]


def test_outcomes_of_probability_zero_are_dropped():
    law = Law({"a": Fraction(1), "b": Fraction(0), "c": 0})
    assert law.support == ("a",)
    assert "b" not in law
    assert law["b"] == 0
    assert law == point_mass("a")
    assert hash(law) == hash(point_mass("a"))


def test_integers_become_fractions_and_one_number_counts_for_each_of_its_outcomes():
    assert type(Law({"a": 1})["a"]) is Fraction
    share = SYMBOL * Fraction(1, 3)
    assert Law({0: share, 1: share, 2: share, 3: 1 - SYMBOL})[1] == share
    with pytest.raises(InputError, match="must sum to exactly 1"):
        Law({0: share, 1: share, 2: 1 - SYMBOL})


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
    kernels = (Law({"a": Fraction(2, 3), "c": Fraction(1, 3)}), Law({"a": Fraction(1, 5), "b": Fraction(4, 5)}))
    mixture = Law({0: Fraction(1, 4), 1: Fraction(3, 4)}).bind(lambda t: kernels[t])
    # 1/4 · 2/3 + 3/4 · 1/5, 3/4 · 4/5, 1/4 · 1/3
    assert mixture == Law({"a": Fraction(19, 60), "b": Fraction(3, 5), "c": Fraction(1, 12)})


def point(number):
    return Enclosure(Fraction(number), Fraction(number))


@pytest.mark.parametrize(("epsilon", "printed"), [(1, "0.16"), (2, "0.49"), (3, "1.07")])
def test_the_dissertations_example(epsilon, printed):
    """Section 6.5.2, at the sampling fraction 0.1."""
    found = amplified(point(epsilon), Fraction(1, 10))
    half = Fraction(1, 200)
    assert Fraction(printed) - half <= found.lower <= found.upper <= Fraction(printed) + half


@given(st.integers(2, 9), st.fractions(Fraction(1, 9), 1))
def test_a_sample_of_one_response_attains_it(gamma, rate):
    """Randomized response at e^ε = γ in the sample, else the less likely answer: (1 + f(γ − 1)) to 1."""
    kept, other = Fraction(gamma, gamma + 1), Fraction(1, gamma + 1)

    def law(yes):
        mass = rate * yes + (1 - rate) * other
        return Law({"yes": mass, "no": 1 - mass})

    loss = Multiplicative().distance(law(kept), law(other))
    assert loss == Loss(1 + rate * (gamma - 1))
    known = Loss(gamma).epsilon(60)
    found, exact = amplified(known, rate), loss.epsilon(60)
    assert found.lower <= exact.upper
    assert exact.lower <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**30)


def test_the_whole_frame_amplifies_nothing_and_nothing_stays_nothing():
    assert amplified(point(2), 1) == point(2)
    assert amplified(point(0), Fraction(1, 3)) == point(0)


@pytest.mark.parametrize("rate", [0, -1, 2, 0.5])
def test_other_rates_are_refused(rate):
    with pytest.raises(InputError, match="rate must be"):
        amplified(point(1), rate)
