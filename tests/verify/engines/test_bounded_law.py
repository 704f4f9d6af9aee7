from fractions import Fraction

import pytest

from stirred.mechanisms import discrete_gaussian, exact_law, permutation_swapping, randomized_response
from stirred.mechanisms.discrete_gaussian import bernoulli_exp, discrete_laplace
from stirred.spec import SYMBOL, InputError
from stirred.spec.discrete_gaussian import point_probability
from stirred.spec.enclosure import exponential
from stirred.verify.engines.bounded_law import bounded_law
from stirred.verify.engines.zcdp.gaussian_maximum import is_largest_at_integers

CUTOFF = Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("mechanism", "data", "parameters"),
    [
        (randomized_response, (0, 1, 1), {"flip_probability": Fraction(1, 3)}),
        (permutation_swapping, ((0, 0, 0), (0, 1, 1), (0, 0, 1)), {"swap_rate": Fraction(1, 2)}),
        (lambda data, source: source.uniform(3) or source.restart(), None, {}),
    ],
)
def test_a_finite_mechanism_keeps_its_law_but_for_rounding(mechanism, data, parameters):
    law, found = exact_law(mechanism, data, **parameters), bounded_law(mechanism, data, cutoff=CUTOFF, **parameters)
    assert found.missing <= Fraction(1, 2**180)
    assert all(0 <= law.numeric(t) - found.lower[t] <= found.missing for t in law)


@pytest.mark.parametrize("gamma", [Fraction(0), Fraction(1, 7), Fraction(1), Fraction(5, 2)])
def test_bernoulli_exp_succeeds_with_probability_e_to_minus_gamma(gamma):
    found = bounded_law(lambda data, source: bernoulli_exp(source, gamma), None, cutoff=CUTOFF)
    expected = exponential(-gamma)
    assert found.lower[True] <= expected.upper
    assert expected.lower <= found.lower[True] + found.missing
    assert found.missing < Fraction(1, 10**7)


@pytest.mark.parametrize("scale", [1, 2, 5])
def test_the_discrete_laplace_law_falls_by_e_to_minus_one_over_t(scale):
    # P(y) = (e^(1/t) - 1)/(e^(1/t) + 1) e^(-|y|/t)
    found = bounded_law(lambda data, source: discrete_laplace(source, scale), None, cutoff=CUTOFF)
    step = exponential(Fraction(1, scale), digits=30)
    for y in range(-4, 5):
        fall = exponential(Fraction(-abs(y), scale), digits=30)
        low, high = (
            (step.lower - 1) / (step.lower + 1) * fall.lower,
            (step.upper - 1) / (step.upper + 1) * fall.upper,
        )
        assert found.lower[y] <= high
        assert low <= found.lower[y] + found.missing


@pytest.mark.parametrize("scale", [Fraction(1, 100), Fraction(1, 3), Fraction(2), Fraction(9), Fraction(41, 4)])
def test_the_sampler_has_the_discrete_gaussian_law(scale):
    found = bounded_law(discrete_gaussian(scale), 5, cutoff=CUTOFF)
    excess = sum(max(mass - point_probability(scale, x - 5).lower, 0) for x, mass in found.lower.items())
    assert excess + found.missing < Fraction(1, 10**6)


def test_a_sampler_that_forgets_to_reject_negative_zero_is_found():
    def faulty(data, source):
        sign = -1 if source.bernoulli(Fraction(1, 2)) else 1
        return sign * abs(source.attempt(lambda inner: discrete_laplace(inner, 1)))

    honest = bounded_law(lambda data, source: discrete_laplace(source, 1), None, cutoff=CUTOFF)

    def laplace_without_rejection(data, source):
        magnitude = 0
        while bernoulli_exp(source, Fraction(1)):
            magnitude += 1
        return -magnitude if source.bernoulli(Fraction(1, 2)) else magnitude

    wrong = bounded_law(laplace_without_rejection, None, cutoff=CUTOFF)
    assert wrong.lower[0] > honest.lower[0] + honest.missing
    assert bounded_law(faulty, None, cutoff=CUTOFF).lower[0] <= honest.lower[0] + honest.missing


@pytest.mark.parametrize("cutoff", [0, 1, -1, 2, 0.5])
def test_a_cutoff_outside_the_unit_interval_is_refused(cutoff):
    with pytest.raises(InputError, match=r"^cutoff must be"):
        bounded_law(discrete_gaussian(1), 0, cutoff=cutoff)


def test_a_mechanism_that_finishes_on_no_likely_path_is_refused():
    with pytest.raises(InputError, match="smaller cutoff"):
        bounded_law(lambda data, source: source.uniform(100), None, cutoff=Fraction(1, 10))


def test_an_open_parameter_is_refused():
    with pytest.raises(InputError, match="open parameter"):
        bounded_law(randomized_response, (0,), cutoff=CUTOFF, flip_probability=SYMBOL)


@pytest.mark.parametrize(("scale", "answer"), [(Fraction(1, 100), True), (Fraction(1, 2), True), (Fraction(1), None)])
def test_the_maximum_at_integers_is_decided_where_the_sum_is_not_flat(scale, answer):
    assert is_largest_at_integers(scale) is answer
    assert is_largest_at_integers(Fraction(50)) is None
