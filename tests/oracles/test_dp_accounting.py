"""Google's dp-accounting as an independent oracle; the group `libraries` installs it."""

import math
from fractions import Fraction

import pytest

from stirred.spec.budgets.gaussian_budget import gaussian_delta
from stirred.spec.budgets.renyi_budget import renyi_to_approximate
from stirred.spec.budgets.zcdp import smallest_zcdp_to_approximate
from stirred.verify.engines.released_noise import Noise, approximate_need

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
rdp = pytest.importorskip("dp_accounting.rdp.rdp_privacy_accountant")


def orders(rho_squared, delta):
    """Orders around the minimizer, whose distance to 1 is near sqrt(-ln(delta)/rho^2)."""
    middle = math.sqrt(-math.log(delta) / rho_squared)
    return [1 + middle * (0.5 + i / 20_000) for i in range(20_000)]


@pytest.mark.parametrize("rho_squared", ["0.07", "2.56", "4.96", "7.70", "15.29", "55.371"])
@pytest.mark.parametrize("exponent", [6, 10])
def test_the_smallest_conversion_is_the_limit_of_ever_finer_orders(rho_squared, exponent):
    delta = 10.0**-exponent
    chosen = orders(float(rho_squared), delta)
    found, _ = rdp.compute_epsilon(chosen, [order * float(rho_squared) for order in chosen], delta)
    ours = smallest_zcdp_to_approximate(Fraction(rho_squared), Fraction(1, 10**exponent))
    assert float(ours.lower) - 1e-9 <= found <= float(ours.upper) + 1e-6


@pytest.mark.parametrize("rho_squared", ["0.07", "2.56", "55.371"])
def test_the_gaussian_mechanism_never_needs_more_than_the_conversion(rho_squared):
    # the Gaussian mechanism with sensitivity 1 and sigma^2 = 1/(2 rho^2) has this zCDP budget exactly
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    sigma = 1 / math.sqrt(2 * float(rho_squared))
    exact = pld.from_gaussian_mechanism(sigma, value_discretization_interval=1e-3).get_epsilon_for_delta(1e-10)
    ours = smallest_zcdp_to_approximate(Fraction(rho_squared), Fraction(1, 10**10))
    assert exact <= float(ours.upper) + 2e-3


@pytest.mark.parametrize("order", [1.5, 4.0, 32.0])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_one_renyi_order_converts_alike(order, epsilon):
    found, _ = rdp.compute_epsilon([order], [epsilon], 1e-6)
    ours = renyi_to_approximate(Fraction(order), Fraction(epsilon), Fraction(1, 10**6))
    assert abs(float(ours.lower) - found) < 1e-9


@pytest.mark.parametrize("mu", [0.25, 1.0, 3.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 4.0])
def test_a_gaussian_budget_has_the_delta_of_the_gaussian_mechanism(mu, epsilon):
    losses = pytest.importorskip("dp_accounting.pld.privacy_loss_mechanism")
    found = losses.GaussianPrivacyLoss(1 / mu).get_delta_for_epsilon(epsilon)
    assert abs(float(gaussian_delta(Fraction(mu), Fraction(epsilon)).lower) - found) < 1e-9


@pytest.mark.parametrize("sigma", [1.0, 2.0, 5.0])
@pytest.mark.parametrize("shift", [1, 2])
@pytest.mark.parametrize("delta", [0.01, 1e-6])
def test_a_released_count_needs_the_epsilon_of_the_discrete_gaussian_mechanism(sigma, shift, delta):
    losses = pytest.importorskip("dp_accounting.pld.privacy_loss_mechanism")
    mechanism = losses.DiscreteGaussianPrivacyLoss(sigma, shift)
    ours = approximate_need([Noise("discrete_gaussian", Fraction(sigma) ** 2)], [shift], Fraction(delta))
    epsilon = float(ours.upper)
    assert mechanism.get_delta_for_epsilon(epsilon) <= delta * (1 + 1e-6)
    if epsilon:
        assert mechanism.get_delta_for_epsilon(epsilon * (1 - 1e-6)) > delta * (1 - 1e-3)
