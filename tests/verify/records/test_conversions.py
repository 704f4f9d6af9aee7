from fractions import Fraction

import pytest
from mpmath import erfc, exp, mp, mpf, sqrt

from stirred.spec.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from stirred.verify.engines.printed_number import parse_printed
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.records.registry_numbers import conversion_evidence, gaussian_delta

DELTA = parse_printed("delta", "1e-10")


def evidence(epsilon, rho="1.00", **more):
    return conversion_evidence("x", parse_printed("rho", rho), parse_printed("epsilon", epsilon), DELTA, **more)


@pytest.mark.parametrize(("rho", "epsilon"), [("0.015", "1"), ("1", "5"), ("2.56", "17.14"), ("0.5", "0")])
def test_the_delta_of_gaussian_noise_is_enclosed(rho, epsilon):
    found = gaussian_delta(Fraction(rho), Fraction(epsilon))
    with mp.workdps(60):
        mu, at = sqrt(2 * mpf(rho)), mpf(epsilon)
        tails = [erfc((at / mu + sign * mu / 2) / sqrt(2)) / 2 for sign in (-1, 1)]
        value = tails[0] - exp(at) * tails[1]
        assert mpf(found.lower.numerator) / found.lower.denominator <= value + mpf(10) ** -50
        assert mpf(found.upper.numerator) / found.upper.denominator >= value - mpf(10) ** -50


@pytest.mark.parametrize("rho", ["0.001", "0.07", "1", "4.96", "60"])
def test_the_rules_are_in_order(rho):
    rho_squared = Fraction(rho)
    smallest = smallest_zcdp_to_approximate(rho_squared, DELTA.value)
    printed = zcdp_to_approximate(rho_squared, DELTA.value)
    assert gaussian_delta(rho_squared, smallest.lower).upper <= DELTA.value
    assert smallest.upper <= printed.upper


@pytest.mark.parametrize(
    ("epsilon", "verdict"),
    [
        ("10.60", Verdict.ENCLOSED),  # the printed formula
        ("10.03", Verdict.ENCLOSED),  # the smallest over all orders
        ("10.62", Verdict.OPEN),  # a rho^2 that rounds to 1.00
        ("9.93", Verdict.OPEN),  # between Gaussian noise and the conversions
        ("9.0", Verdict.REFUTED),
        ("11.0", Verdict.OPEN),  # larger than any rule needs, so it holds
    ],
)
def test_only_an_epsilon_below_that_of_gaussian_noise_is_refuted(epsilon, verdict):
    found = evidence(epsilon)
    assert found.verdict is verdict
    assert (found.witness is not None) is (verdict is Verdict.REFUTED)


@pytest.mark.parametrize(
    ("epsilon", "rho"),
    [("1", "0.5"), ("1.41", "1.00"), ("1.00", "0.462")],  # eps^2/2, and eps tanh(eps/2) = 0.46212
)
def test_an_epsilon_of_pure_dp_is_no_wrong_conversion(epsilon, rho):
    found = evidence(epsilon, rho=rho)
    assert found.verdict is Verdict.OPEN
    assert "needs no delta" in found.detail


def test_an_epsilon_beside_the_rho_of_no_pure_mechanism_is_refuted():
    assert evidence("1.00", rho="0.52").verdict is Verdict.REFUTED
    assert evidence("1.00", rho="0.45").verdict is Verdict.REFUTED


@pytest.mark.parametrize("epsilon", ["0.1", "9.0", "11.0", "400"])
def test_parameters_that_only_stand_side_by_side_are_never_refuted(epsilon):
    found = evidence(epsilon, is_stated=False)
    assert found.verdict is Verdict.OPEN
    assert found.detail.endswith("nothing says that this epsilon is converted from this rho")
