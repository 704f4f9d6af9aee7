"""Amplification by sampling: the printed example, and exact mechanisms that attain the formula."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import InputError, Law
from stirred.spec.enclosure import Enclosure
from stirred.spec.loss import Loss
from stirred.spec.output_premetrics import Multiplicative
from stirred.spec.sampling import amplified


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
